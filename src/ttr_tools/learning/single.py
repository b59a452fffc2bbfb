"""The Gymnasium environment: one seat learns, bots have the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ttr_rules.errors import InvalidInputError
from ttr_tools.bots import BotFactory, load_bot
from ttr_tools.bots.playing import Player
from ttr_tools.extras import extra
from ttr_tools.learning.choices import SLOTS
from ttr_tools.learning.seats import AtTable, game_seed
from ttr_tools.learning.showing import MODES
from ttr_tools.learning.table import Reward

with extra("learning"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces

if TYPE_CHECKING:
    from numpy.typing import NDArray


class SeatEnv(AtTable, gymnasium.Env["NDArray[np.float32]", int]):
    """A Gymnasium environment: one seat of a game of a stack, against bots.

    `opponents` are bots by name, as in `--bots`, or classes or functions that take a seed: one for all other seats, or one
    for each. `seat` is the seat that learns; None, the default, is another one in each game. An observation is what
    that seat sees (see `Encoder`); `info["action_mask"]` and `action_masks()` say which choices are legal. Rewards come
    at the end of a game; see `Table.rewards`. A choice that is not legal ends the game with a reward of -1, and
    `info["illegal"]` is True. With `max_cycles` a game is truncated after so many choices of this seat.

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

    metadata: dict[str, Any] = {"render_modes": MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        *stack: object,
        players: int = 2,
        opponents: str | BotFactory | Sequence[str | BotFactory] = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        reward: Reward = "win",
        max_cycles: int | None = None,
        slots: int = SLOTS,
    ) -> None:
        self._open_table(stack, players, render_mode, reward, max_cycles, slots)
        others = self.table.players - 1
        named = [opponents] * others if isinstance(opponents, str) or callable(opponents) else list(opponents)
        if len(named) != others:
            raise InvalidInputError(f"there are {others} other seats, not {len(named)}: name a bot for each, or one")
        if seat is not None and (type(seat) is not int or not 0 <= seat < self.table.players):
            raise InvalidInputError(f"the seat is None or one of 0 to {self.table.players - 1}, not {seat!r}")
        self._factories = [load_bot(each) if isinstance(each, str) else each for each in named]
        self._bots: dict[int, Player] = {}
        self._fixed = seat
        self.seat = seat or 0
        self._chosen = 0
        self._over = True
        self.observation_space = spaces.Box(-1, 1, (self.table.encoder.size,), np.float32)
        self.action_space: spaces.Space[Any] = spaces.Discrete(self.table.choices.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a new game: that of the seed, or the next of those that follow from the last one."""
        super().reset(seed=seed)
        number = game_seed(self.np_random)
        self.seat = number % self.table.players if self._fixed is None else self._fixed
        others = [seat for seat in range(self.table.players) if seat != self.seat]
        pairs = zip(others, self._factories, strict=True)
        self._bots = {other: make(f"{number} {other}") for other, make in pairs}
        self.table.begin(number)
        self._chosen, self._over = 0, False
        self._let_others_play()
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play a choice, and then what the bots do until it is this seat's turn again."""
        if self._over:
            raise InvalidInputError("the game is over: call reset")
        if int(action) not in self.table.legal(self.seat):
            self._over = True
            return self._seen(), -1.0, True, False, {**self._info(), "illegal": True}
        self.table.play(self.seat, action)
        self._chosen += 1
        self._let_others_play()
        ended = self.table.seat is None
        truncated = not ended and self.max_cycles is not None and self._chosen >= self.max_cycles
        self._over = ended or truncated
        if self.render_mode == "human":
            self.render()
        reward = self.table.rewards()[self.seat] if ended else 0.0
        return self._seen(), reward, ended, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which choices are legal now: the name under which sb3-contrib asks for it."""
        return self.table.mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """What this seat sees: printed, as a string, or as SVG."""
        return self._shown_to(self.seat)

    def _seen(self) -> NDArray[np.float32]:
        return self.table.observation(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.table.mask(self.seat), "seat": self.seat}

    def _let_others_play(self) -> None:
        """Let the bots play until this seat has to decide, or the game is over."""
        while (seat := self.table.seat) is not None:
            if seat == self.seat:
                return
            self.table.let_play(seat, self._bots[seat])
