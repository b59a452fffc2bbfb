"""What the environments share: a table with its options, how it is shown, and the agents that have its seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ttr_rules.errors import InvalidInputError
from ttr_rules.text import brief
from ttr_tools.extras import extra
from ttr_tools.learning.showing import MODES, shown
from ttr_tools.learning.table import Reward, Table, rules_of

with extra("learning"):
    import numpy as np
    from gymnasium import spaces

if TYPE_CHECKING:
    from numpy.typing import NDArray

Observation: TypeAlias = "dict[str, NDArray[Any]]"


class AtTable:
    """An environment of a table."""

    table: Table
    render_mode: str | None
    max_cycles: int | None

    def _open_table(
        self,
        stack: Sequence[object],
        players: int,
        render_mode: str | None,
        reward: Reward,
        max_cycles: int | None,
        slots: int,
    ) -> None:
        """Set up the table. Raises `InvalidInputError` for options that are not valid."""
        if render_mode is not None and render_mode not in MODES:
            raise InvalidInputError(f"render_mode is None or one of {', '.join(MODES)}, not {brief(render_mode)}")
        if max_cycles is not None and (type(max_cycles) is not int or max_cycles < 1):
            raise InvalidInputError(f"max_cycles is None or a whole number of at least 1, not {brief(max_cycles)}")
        self.table = Table(rules_of(stack), players, slots, reward)
        self.render_mode = render_mode
        self.max_cycles = max_cycles

    def _shown_to(self, seat: int | None) -> str | None:
        """What a seat or a spectator sees: printed, as a string, or as SVG."""
        if self.render_mode is None:
            raise InvalidInputError(f"say how to render when you make the environment: render_mode={MODES}")
        return shown(self.table.view(seat), self.table.rules, self.render_mode)


class WithAgents(AtTable):
    """An environment whose agents `player_0`, `player_1`, … are the seats of its table."""

    def _seat_agents(self) -> None:
        """Name the agents of the table, and their spaces."""
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self.agents: list[str] = []
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: _observation_space(self.table) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(self.table.choices.size) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the choices of an agent."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """What a spectator sees: printed, as a string, or as SVG."""
        return self._shown_to(None)

    def close(self) -> None:
        """There is nothing to close."""


def _observation_space(table: Table) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(-1, 1, (table.encoder.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (table.choices.size,), np.int8),
        }
    )


def game_seed(random: np.random.Generator) -> int:
    """The seed of the next game."""
    return int(random.integers(2**53))
