"""Environments of PettingZoo, where all seats are agents, and of Gymnasium, where one seat learns against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack

from ttr_rules import Rules, compile_rules
from ttr_rules.errors import InvalidInputError
from ttr_rules.text import brief
from ttr_tools.bots import BotFactory, Player, load_bot
from ttr_tools.extras import extra
from ttr_tools.learning.table import MODES, SLOTS, NumberedGame, Reward

with extra("learning"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]
    from pettingzoo.utils.wrappers import (  # pyright: ignore[reportMissingTypeStubs]
        AssertOutOfBoundsWrapper,
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )

if TYPE_CHECKING:
    from numpy.typing import NDArray

Observation: TypeAlias = "dict[str, NDArray[np.float32 | np.int8]]"
Space: TypeAlias = "spaces.Space[Any]"
Info: TypeAlias = dict[str, Any]


class Options(TypedDict, total=False):
    """Options of all environments.

    `players` is the number of seats, 2 if it is not named. `render_mode` is None, "human" (prints), "ansi" (a string)
    or "svg". `reward` is "win" or "lead" (see `NumberedGame.rewards`). `slots` is for stacks whose actions are not all
    numbered (see `Choices`).

    >>> options: Options = {"players": 3, "reward": "lead"}
    >>> env("london", **options).possible_agents
    ['player_0', 'player_1', 'player_2']
    """

    players: int
    render_mode: str | None
    reward: Reward
    slots: int


class _Environment:
    """An environment of a table."""

    def _set_up(
        self,
        stack: Sequence[object],
        players: int = 2,
        render_mode: str | None = None,
        reward: Reward = "win",
        slots: int = SLOTS,
    ) -> None:
        """Set up the table. Raises `InvalidInputError` for options that are not valid."""
        if render_mode is not None and render_mode not in MODES:
            raise InvalidInputError(f"render_mode is None or one of {', '.join(MODES)}, not {brief(render_mode)}")
        compiled = stack[0] if len(stack) == 1 and isinstance(stack[0], Rules) else compile_rules(*stack)
        self.table = NumberedGame(compiled, players, slots, reward)
        self.render_mode = render_mode


class SeatsEnv(_Environment, AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """A PettingZoo AEC environment of a stack, whose agents `player_0`, `player_1`, … are its seats.

    An agent observes a dictionary: `observation` is what its seat sees (see `Encoder`), `action_mask` has 1 for each
    choice that is legal now (see `Choices`), and is all 0 for agents that wait. The agent that is selected is the first
    seat with a pending decision. Where all decide simultaneously, at set-up, they do so in order, and no one is shown
    what another has chosen. PettingZoo's `turn_based_aec_to_parallel` makes a parallel environment of it.

    Rewards come at the end of a game (see `NumberedGame.rewards`). An action that is not legal raises
    `InvalidInputError`. The environment that `env` gives ends the game instead. No game is truncated.

    >>> game = SeatsEnv("london", render_mode="ansi")
    >>> game.reset(seed=1)
    >>> game.agent_selection, game.observe("player_0")["action_mask"].sum(), game.observe("player_1")["action_mask"].sum()
    ('player_0', np.int64(3), np.int64(0))
    >>> print(game.render())
    Player 1: 0 points, 17 cars, Cards 2
    Player 2: 0 points, 17 cars, Cards 2
    To act: Player 1 and Player 2
    """

    metadata = {  # noqa: RUF012
        "name": "ttr_rules_v0", "render_modes": MODES, "render_fps": 1, "is_parallelizable": False,
    }  # fmt: skip

    def __init__(self, *stack: object, **options: Unpack[Options]) -> None:
        super().__init__()
        self._set_up(stack, **options)
        self._random, _ = np_random(None)
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        size = self.table.choices.size
        observations: dict[str, Space] = {
            "observation": spaces.Box(-1, 1, (self.table.encoder.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (size,), np.int8),
        }
        self.observation_spaces: dict[str, Space] = {agent: spaces.Dict(observations) for agent in self.possible_agents}
        self.action_spaces: dict[str, Space] = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.infos: dict[str, dict[str, object]] = {}
        self.agent_selection = ""

    def __str__(self) -> str:
        return f"ttr_rules_v0({self.table.rules})"

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin a new game: that of the seed, or the next of those that follow from the last one."""
        if seed is not None:
            self._random, _ = np_random(seed)
        self.table.begin(_draw_seed(self._random))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def observe(self, agent: str) -> Observation:
        seat, waits = self._seats[agent], agent != self.agent_selection
        mask = np.zeros(self.table.choices.size, dtype=np.int8) if waits else self.table.mask(seat)
        return {"observation": self.table.observation(seat), "action_mask": mask}

    def observation_space(self, agent: str) -> Space:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        """The space of the choices of an agent."""
        return self.action_spaces[agent]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
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
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Select the seat that acts, or the first agent once the game is over."""
        self.agent_selection = self.possible_agents[self.table.seat or 0]

    def render(self) -> str | None:
        """The view of a spectator: printed, as a string, or as SVG."""
        return self.table.render(None, self.render_mode)

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats, one after the other, for training with a central critic."""
        observations = [self.table.observation(seat) for seat in range(self.table.players)]
        return np.concatenate(observations)  # pyright: ignore[reportUnknownMemberType]


def env(*stack: object, **options: Unpack[Options]) -> AECEnv[str, Observation, int]:
    """A PettingZoo AEC environment for any stack: plugins by name or as objects, or compiled rules.

    It is a `SeatsEnv` in PettingZoo's usual wrappers: an action that is not legal ends the game with a reward of -1 for
    the agent that chose it. For the options see `Options`.

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
    raw = SeatsEnv(*stack, **options)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, illegal_reward=-1)))


class SeatEnv(_Environment, gymnasium.Env["NDArray[np.float32]", int]):
    """A Gymnasium environment: one seat of a game of a stack, against bots.

    `opponents` are bots by name, as in `--bots`, or classes or functions that take a seed: one for all other seats, or
    one for each. `seat` is the seat that learns, by default another one in each game. An observation is what that seat
    sees (see `Encoder`). `info["action_mask"]` and `action_masks()` say which choices are legal. Rewards come at the
    end of a game (see `NumberedGame.rewards`). A choice that is not legal ends the game with a reward of -1, and
    `info["illegal"]` is True. For the other options see `Options`.

    Raises `InvalidInputError` for options that are not valid, and what `compile_rules` raises.

    >>> game = SeatEnv("london", opponents="random")
    >>> observation, info = game.reset(seed=1)
    >>> over = False
    >>> while not over:
    ...     choice = game.action_space.sample(info["action_mask"])
    ...     observation, reward, terminated, truncated, info = game.step(choice)
    ...     over = terminated or truncated
    >>> reward in (-1.0, 0.0, 1.0)
    True
    """

    metadata = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        *stack: object,
        opponents: str | BotFactory | Sequence[str | BotFactory] = "random",
        seat: int | None = None,
        **options: Unpack[Options],
    ) -> None:
        self._set_up(stack, **options)
        others = self.table.players - 1
        bots = [opponents] * others if isinstance(opponents, str) or callable(opponents) else list(opponents)
        if len(bots) != others:
            raise InvalidInputError(f"there are {others} other seats, not {len(bots)}: name a bot for each, or one")
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.table.players):
            raise InvalidInputError(f"the seat is None or one of 0 to {self.table.players - 1}, not {seat!r}")
        self._factories = [load_bot(bot) if isinstance(bot, str) else bot for bot in bots]
        self._bots: dict[int, Player] = {}
        self._fixed = seat
        self.seat = seat or 0
        self._over = True
        self.observation_space = spaces.Box(-1, 1, (self.table.encoder.size,), np.float32)
        self.action_space: Space = spaces.Discrete(self.table.choices.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        """Begin a new game: that of the seed, or the next of those that follow from the last one."""
        super().reset(seed=seed)
        number = _draw_seed(self.np_random)
        self.seat = number % self.table.players if self._fixed is None else self._fixed
        others = [seat for seat in range(self.table.players) if seat != self.seat]
        pairs = zip(others, self._factories, strict=True)
        self._bots = {other: factory(f"{number} {other}") for other, factory in pairs}
        self.table.begin(number)
        self._over = False
        self._let_others_play()
        return self.table.observation(self.seat), self._info()

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        """Play a choice, and then what the bots do until it is this seat's turn again."""
        if self._over:
            raise InvalidInputError("the game is over: call reset")
        if int(action) not in self.table.legal(self.seat):
            self._over = True
            return self.table.observation(self.seat), -1.0, True, False, {**self._info(), "illegal": True}
        self.table.play(self.seat, action)
        self._let_others_play()
        self._over = self.table.seat is None
        if self.render_mode == "human":
            self.render()
        reward = self.table.rewards()[self.seat] if self._over else 0.0
        return self.table.observation(self.seat), reward, self._over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Truth values of the legal choices, under the name that sb3-contrib asks for."""
        return self.table.mask(self.seat).astype(np.bool_)

    def render(self) -> str | None:
        """The view of this seat: printed, as a string, or as SVG."""
        return self.table.render(self.seat, self.render_mode)

    def _info(self) -> Info:
        return {"action_mask": self.table.mask(self.seat), "seat": self.seat}

    def _let_others_play(self) -> None:
        """Let the bots play until this seat has to decide, or the game is over."""
        while (seat := self.table.seat) is not None and seat != self.seat:
            self.table.let_play(seat, self._bots[seat])


def _draw_seed(random: np.random.Generator) -> int:
    """The seed of the next game."""
    return int(random.integers(2**53))
