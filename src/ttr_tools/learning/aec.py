"""The PettingZoo environment: the seats take their turns as agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_rules.errors import InvalidInputError
from ttr_tools.extras import extra
from ttr_tools.learning.choices import SLOTS
from ttr_tools.learning.seats import Observation, WithAgents, game_seed
from ttr_tools.learning.showing import MODES
from ttr_tools.learning.table import Reward

with extra("learning"):
    import numpy as np
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]
    from pettingzoo.utils.wrappers import (  # pyright: ignore[reportMissingTypeStubs]
        AssertOutOfBoundsWrapper,
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )

if TYPE_CHECKING:
    from numpy.typing import NDArray


class SeatsEnv(WithAgents, AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo says nothing of its types
    """A PettingZoo AEC environment of a stack, whose agents `player_0`, `player_1`, … are its seats.

    An agent observes a dictionary: `observation` is what its seat sees (see `Encoder`), `action_mask` has 1 for each
    choice that is legal now (see `Choices`), and is all 0 for agents that wait. The agent that is selected is the first
    seat with a pending decision; where all decide simultaneously, at set-up, they do so in order, and no one is
    shown what another has chosen.

    Rewards come at the end of a game; see `Table.rewards`. An action that is not legal raises `InvalidInputError`; the
    environment that `env` gives ends the game instead. With `max_cycles` a game is truncated after so many actions.

    >>> game = SeatsEnv("london", render_mode="ansi")
    >>> game.reset(seed=1)
    >>> game.agent_selection, game.observe("player_0")["action_mask"].sum(), game.observe("player_1")["action_mask"].sum()
    ('player_0', np.int64(3), np.int64(0))
    >>> print(game.render())
    London: Player 1 and Player 2 to act
    Player 1: 0 points, 0 routes, 17 cars, ? tickets
    Player 2: 0 points, 0 routes, 17 cars, ? tickets
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "ttr_rules_v0", "render_modes": MODES, "render_fps": 1, "is_parallelizable": False,
    }  # fmt: skip

    def __init__(
        self,
        *stack: object,
        players: int = 2,
        render_mode: str | None = None,
        reward: Reward = "win",
        max_cycles: int | None = None,
        slots: int = SLOTS,
    ) -> None:
        super().__init__()
        self._open_table(stack, players, render_mode, reward, max_cycles, slots)
        self._seat_agents()
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._random, _ = np_random(None)
        self.infos: dict[str, dict[str, Any]] = {}
        self.agent_selection = ""

    def __str__(self) -> str:
        return f"ttr_rules_v0({self.table.rules})"

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game: that of the seed, or the next of those that follow from the last one."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self.table.begin(game_seed(self._random))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def observe(self, agent: str) -> Observation:
        seat = self._seats[agent]
        waits = agent != self.agent_selection or self.truncations.get(agent, False)
        mask = np.zeros(self.table.choices.size, dtype=np.int8) if waits else self.table.mask(seat)
        return {"observation": self.table.observation(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # pyright: ignore[reportArgumentType]
            return
        if action is None:
            raise InvalidInputError(f"{agent} has to choose an action")
        self.table.play(self._seats[agent], action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.table.seat is None:
            self.rewards = dict(zip(self.possible_agents, self.table.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_cycles is not None and self.table.played >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Select the seat that acts; once the game is over, the first agent is."""
        seat = self.table.seat
        self.agent_selection = self.possible_agents[0 if seat is None else seat]

    def state(self) -> NDArray[np.float32]:
        """What all seats see together, one after the other, for training with a central critic."""
        seen = [self.table.observation(seat) for seat in range(self.table.players)]
        return np.concatenate(seen)  # pyright: ignore[reportUnknownMemberType]


def env(
    *stack: object,
    players: int = 2,
    render_mode: str | None = None,
    reward: Reward = "win",
    max_cycles: int | None = None,
    slots: int = SLOTS,
) -> AECEnv[str, Observation, int]:
    """A PettingZoo AEC environment for any stack: plugins by name or as objects, or compiled rules.

    It is a `SeatsEnv` in PettingZoo's usual wrappers: an action that is not legal ends the game with a reward of -1 for
    the agent that chose it. `render_mode` is None, "human" (prints), "ansi" (a string) or "svg". `reward` is "win" or
    "lead"; see `Table.rewards`. `max_cycles` truncates a game after so many actions, `slots` is for stacks whose actions
    are not all numbered; see `Choices`.

    Raises `InvalidInputError` for options that are not valid, and what `compile_rules` raises.

    >>> game = env("london", players=2)
    >>> game.reset(seed=1)
    >>> for agent in game.agent_iter():
    ...     observation, reward, termination, truncation, info = game.last()
    ...     over = termination or truncation
    ...     game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))
    >>> game.agents
    []
    """
    raw = SeatsEnv(*stack, players=players, render_mode=render_mode, reward=reward, max_cycles=max_cycles, slots=slots)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, illegal_reward=-1)))
