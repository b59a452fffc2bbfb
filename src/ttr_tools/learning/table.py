"""A game played by numbers: what all the environments share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from ttr_rules import Rules, State, View
from ttr_rules.engine import advance, final_scores, legal_actions, player_names, view_of
from ttr_rules.errors import InvalidInputError
from ttr_rules.play import new_game
from ttr_rules.plugins import compile_rules
from ttr_rules.text import brief
from ttr_tools.bots.playing import Player
from ttr_tools.extras import extra
from ttr_tools.learning.choices import SLOTS, Choices
from ttr_tools.learning.encoding import Encoder

with extra("learning"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: What the rewards at the end are: for winning, or for points.
Reward: TypeAlias = Literal["win", "lead"]
#: How many points of a lead are a reward of 1.
LEAD = 100


def rules_of(stack: Sequence[object]) -> Rules:
    """The rules of a stack: compiled ones as they are, plugins compiled."""
    return stack[0] if len(stack) == 1 and isinstance(stack[0], Rules) else compile_rules(*stack)


class Table:
    """A game of a stack by numbers, with what its seats observe and are rewarded with. `begin` starts a game.

    >>> from ttr_rules import compile_rules
    >>> table = Table(compile_rules("london"), players=2)
    >>> table.begin(seed=1)
    >>> table.seat, sorted(table.legal(0)), int(table.mask(0).sum()), table.observation(1).shape
    (0, [432, 433, 434], 3, (234,))
    >>> table.play(0, 434)
    >>> table.seat, table.played
    (1, 1)
    """

    def __init__(self, rules: Rules, players: int, slots: int = SLOTS, reward: Reward = "win") -> None:
        if reward not in ("win", "lead"):
            raise InvalidInputError(f"the reward is 'win' or 'lead', not {brief(reward)}")
        self.rules = rules
        self.names = player_names(players, rules)
        self.players = len(self.names)
        self.choices = Choices(rules, slots)
        self.encoder = Encoder(rules, self.players)
        self.reward: Reward = reward
        self.played = 0
        self._state: State | None = None
        self._legal: dict[int, dict[int, int]] = {}

    def __repr__(self) -> str:
        return f"<Table of {self.rules}: {self.players} players, {self.played} actions played>"

    def begin(self, seed: int | str) -> None:
        """Set up a new game."""
        self._state = new_game(rules=self.rules, players=self.players, seed=seed).state
        self._legal.clear()
        self.played = 0

    @property
    def state(self) -> State:
        """The state of the game. Raises `InvalidInputError` before one was begun."""
        if self._state is None:
            raise InvalidInputError("no game was begun: call reset first")
        return self._state

    @property
    def seat(self) -> int | None:
        """The seat that acts: the first of those that may; None if the game is over."""
        pending = self.state.pending
        return pending[0].seat if pending else None

    def legal(self, seat: int) -> dict[int, int]:
        """The legal choices of a seat; see `Choices.legal`."""
        found = self._legal.get(seat)
        if found is None:
            found = self._legal[seat] = self.choices.legal(self.state, seat)
        return found

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for every legal choice of a seat, 0 elsewhere."""
        mask: NDArray[np.int8] = np.zeros(self.choices.size, dtype=np.int8)
        legal = self.legal(seat)
        mask[list(legal)] = 1
        return mask

    def play(self, seat: int, choice: int) -> None:
        """Play a choice of a seat. Raises `InvalidInputError` if it is not legal."""
        number = self.legal(seat).get(int(choice))
        if number is None:
            raise InvalidInputError(
                f"choice {choice} is not legal for seat {seat} now: {len(self.legal(seat))} others are, see the action mask"
            )
        self.choices.numbers.perform(self.state, seat, number)
        self._legal.clear()
        self.played += 1

    def let_play(self, seat: int, player: Player) -> None:
        """Let a bot choose for a seat, from all its legal actions, and play that."""
        state = self.state
        advance(state, player.choose(self.view(seat), self.rules, legal_actions(state, seat)))
        self._legal.clear()
        self.played += 1

    def view(self, seat: int | None) -> View:
        """What a seat sees."""
        return view_of(self.state, self.names, seat)

    def observation(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees, encoded."""
        return self.encoder.encode(self.view(seat))

    def rewards(self) -> list[float]:
        """The reward of each seat for the game, once it is over.

        For "win": 1 for the only winner, and for the others what makes the sum 0; winners that share the victory share
        the reward. For "lead": how many hundred points a seat is ahead of the best of the others, less than 0 if behind.
        """
        scores = final_scores(self.state, self.names)
        if self.reward == "lead":
            totals = [player.total for player in scores.players]
            best = [max(totals[:seat] + totals[seat + 1 :], default=0) for seat in range(self.players)]
            return [(total - other) / LEAD for total, other in zip(totals, best, strict=True)]
        return shared_win([player.rank == 1 for player in scores.players])


def shared_win(won: Sequence[bool]) -> list[float]:
    """The reward of each seat for winning: the sum is 0.

    >>> shared_win([True, False, False]), shared_win([True, True]), shared_win([True, False])
    ([1.0, -0.5, -0.5], [0.0, 0.0], [1.0, -1.0])
    """
    seats, winners = len(won), sum(won)
    return [((seats / winners if each else 0) - 1) / max(seats - 1, 1) for each in won]
