"""Environments for reinforcement learning, with the extra `learning`: PettingZoo, Gymnasium, OpenSpiel.

`choices` is the action space of a stack, `encoding` turns views into vectors (`numbers_of` what plugins show), `table` plays
a game by numbers. On these stand `aec` and `parallel` for PettingZoo, `single` for Gymnasium, which share `seats`, and `spiel` for
OpenSpiel, which needs the extra `openspiel`; `showing` renders.
"""

from typing import TYPE_CHECKING

from ttr_rules._internal.lazy import lazily

if TYPE_CHECKING:
    from ttr_rules.learning.aec import SeatsEnv, env
    from ttr_rules.learning.choices import Choices
    from ttr_rules.learning.encoding import Encoder
    from ttr_rules.learning.parallel import ParallelSeatsEnv
    from ttr_rules.learning.single import SeatEnv
    from ttr_rules.learning.table import Table
else:
    __getattr__, __dir__ = lazily(__name__)

__all__ = ["Choices", "Encoder", "ParallelSeatsEnv", "SeatEnv", "SeatsEnv", "Table", "env"]
