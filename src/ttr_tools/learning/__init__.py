"""Environments for reinforcement learning, with the extra `learning`: PettingZoo, Gymnasium, OpenSpiel.

`table` plays a game by numbers: the action space of a stack, rewards, rendering. `encoding` turns views into vectors.
`environments` has those of PettingZoo and Gymnasium, `spiel` that of OpenSpiel, which needs the extra `openspiel`.
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_tools.learning.encoding import Encoder as Encoder
    from ttr_tools.learning.environments import Options as Options, SeatEnv as SeatEnv, SeatsEnv as SeatsEnv, env as env
    from ttr_tools.learning.table import Choices as Choices, NumberedGame as NumberedGame
else:
    modules = {
        ".encoding": "Encoder",
        ".environments": "Options SeatEnv SeatsEnv env",
        ".table": "Choices NumberedGame",
    }
    __getattr__, __dir__, __all__ = lazily(__name__, modules)
