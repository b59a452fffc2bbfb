"""The PettingZoo environment in its parallel form: all agents act in each cycle, and those that wait are ignored."""

from __future__ import annotations

from typing import Any, TypeAlias

from ttr_rules.errors import InvalidInputError
from ttr_tools.extras import extra
from ttr_tools.learning.choices import SLOTS
from ttr_tools.learning.seats import Observation, WithAgents, game_seed
from ttr_tools.learning.showing import MODES
from ttr_tools.learning.table import Reward

with extra("learning"):
    from gymnasium.utils.seeding import np_random
    from pettingzoo import ParallelEnv  # pyright: ignore[reportMissingTypeStubs]

Results: TypeAlias = """tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]"""


class ParallelSeatsEnv(WithAgents, ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo says nothing of its types
    """A PettingZoo parallel environment of a stack: all agents give an action in each cycle.

    Those of seats with a pending decision are played: at set-up, where all decide simultaneously, all of them, later
    that of the seat whose turn it is. What the others give is ignored; their masks are all 0. An action that is not legal
    is replaced by the legal one with the lowest number, and `infos[agent]["replaced"]` is True. The rest is as in
    `SeatsEnv`. With `max_cycles` a game is truncated after so many cycles.

    >>> game = ParallelSeatsEnv("london", max_cycles=3)
    >>> observations, infos = game.reset(seed=1)
    >>> while game.agents:
    ...     actions = {
    ...         agent: game.action_space(agent).sample(observations[agent]["action_mask"]) for agent in game.agents
    ...     }
    ...     observations, rewards, terminations, truncations, infos = game.step(actions)
    >>> truncations
    {'player_0': True, 'player_1': True}
    """

    metadata: dict[str, Any] = {"name": "ttr_rules_v0", "render_modes": MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        *stack: object,
        players: int = 2,
        render_mode: str | None = None,
        reward: Reward = "win",
        max_cycles: int | None = None,
        slots: int = SLOTS,
    ) -> None:
        self._open_table(stack, players, render_mode, reward, max_cycles, slots)
        self._seat_agents()
        self._random, _ = np_random(None)
        self._cycles = 0

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game: that of the seed, or the next of those that follow from the last one."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self.table.begin(game_seed(self._random))
        self.agents = self.possible_agents.copy()
        self._cycles = 0
        return self._seen(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Results:
        """Play what the seats that may act have chosen."""
        agents = self.possible_agents
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        for seat in self.table.state.to_act:
            if agents[seat] not in actions:
                raise InvalidInputError(f"{agents[seat]} has to choose an action")
            choice, legal = int(actions[agents[seat]]), self.table.legal(seat)
            if choice not in legal:
                choice = min(legal)
                infos[agents[seat]]["replaced"] = True
            self.table.play(seat, choice)
        self._cycles += 1
        over = self.table.seat is None
        cut = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        rewards = self.table.rewards() if over else [0.0] * len(agents)
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        by_agent = dict(zip(agents, rewards, strict=True))
        return self._seen(), by_agent, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def _seen(self) -> dict[str, Observation]:
        return {
            agent: {"observation": self.table.observation(seat), "action_mask": self.table.mask(seat)}
            for seat, agent in enumerate(self.possible_agents)
        }
