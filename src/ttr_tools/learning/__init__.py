"""Environments for reinforcement learning, with the extra `learning`: PettingZoo, Gymnasium, OpenSpiel.

`choices` is the action space of a stack, `encoding` turns views into vectors (`numbers_of` what plugins show), `table` plays
a game by numbers. On these stand `aec` and `parallel` for PettingZoo, `single` for Gymnasium, which share `seats`, and `spiel` for
OpenSpiel, which needs the extra `openspiel`; `showing` renders.
"""

from typing import TYPE_CHECKING

from ttr_tools.lazy import lazily

if TYPE_CHECKING:
    from ttr_tools.learning.aec import SeatsEnv, env
    from ttr_tools.learning.choices import Choices
    from ttr_tools.learning.encoding import Encoder
    from ttr_tools.learning.parallel import ParallelSeatsEnv
    from ttr_tools.learning.single import SeatEnv
    from ttr_tools.learning.table import Table
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "aec": ("SeatsEnv", "env"),
            "choices": ("Choices",),
            "encoding": ("Encoder",),
            "parallel": ("ParallelSeatsEnv",),
            "single": ("SeatEnv",),
            "table": ("Table",),
        },
    )

__all__ = ["Choices", "Encoder", "ParallelSeatsEnv", "SeatEnv", "SeatsEnv", "Table", "env"]
