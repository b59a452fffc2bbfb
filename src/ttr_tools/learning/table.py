"""Games played by numbers: the action space of a stack, and a table with observations, rewards and rendering."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from ttr_rules import Rules, State, View
from ttr_rules.engine import ActionNumbers, action_numbers, advance, final_scores, legal_actions, player_names, view_of
from ttr_rules.errors import InvalidInputError
from ttr_rules.play import new_game
from ttr_rules.sequences import spread
from ttr_rules.text import brief
from ttr_tools.bots import Player
from ttr_tools.extras import extra
from ttr_tools.learning.encoding import Encoder
from ttr_tools.narration import Names
from ttr_tools.render import draw_view
from ttr_tools.render.drawing import view_lines

with extra("learning"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The number of slots for a stack whose actions are not all numbered.
SLOTS = 512

#: Rewards at the end of a game: for winning, or for points.
Reward: TypeAlias = Literal["win", "lead"]
#: The lead, in points, that is worth a reward of 1.
LEAD = 100
#: The ways to render: printed, as a string, as a picture in SVG.
MODES = ["human", "ansi", "svg"]


class Choices:
    """The actions of a stack as the numbers 0 to `size` - 1, the same for all seats.

    Below `numbers.size` a number means the same action in every game. If the stack has actions that
    cannot be numbered once and for all (`fixed` is False), `slots` more numbers follow. They stand for those actions
    as far as they are legal, in the order of `Game.legal_actions`, so what they mean depends on the position. Where
    more are legal than there are slots, the slots have a selection that is spread evenly over that order: with `n`
    of them, slot `k` has the one with the index `k * n // slots`.

    Raises `InvalidInputError` for a number of slots that is not a whole number of at least 1.

    >>> import ttr_rules as ttr
    >>> choices = Choices(ttr.compile_rules("london"))
    >>> choices.size, choices.slots, choices.fixed
    (499, 0, True)
    >>> state = ttr.new_game("london", players=2, seed=1).state
    >>> choices.legal(state, 0)
    {432: 432, 433: 433, 434: 434}
    >>> Choices(ttr.compile_rules("pennsylvania")).slots
    512
    """

    def __init__(self, rules: Rules, slots: int = SLOTS) -> None:
        if type(slots) is not int or slots < 1:
            raise InvalidInputError(f"the number of slots is a whole number of at least 1, not {brief(slots)}")
        self.rules = rules
        self.numbers: ActionNumbers = action_numbers(rules)
        self.fixed: bool = self.numbers.fixed
        self.slots = 0 if self.fixed else slots
        self.size: int = self.numbers.size + self.slots

    def __repr__(self) -> str:
        return f"<Choices of {self.rules}: {self.numbers.size} numbers, {self.slots} slots>"

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self  # they never change

    def legal(self, state: State, seat: int) -> dict[int, int]:
        """The legal actions of a seat: for each its number here, and what `numbers` calls it now.

        Empty for a seat that has nothing to decide.
        """
        if self.fixed:
            return {number: number for number in self.numbers.legal(state, seat)}
        if (decision := state.decision(seat)) is None:
            return {}
        answers, nth = self.rules.answers[type(decision)], partial(self.numbers.nth, state, seat)
        *counts, _ = answers.counts(state, seat)
        numbered, others, first = list[int](), list[range](), 0  # the indices of actions with a number, and without one
        for entry, count in zip(answers.entries, counts, strict=True):
            indices = range(first, first + count)
            if entry.rule.number_of_codes(self.rules) is None:
                others.append(indices)
            else:
                numbered += indices
            first += count
        own = {number: number for number in map(nth, numbered)}
        return own | dict(enumerate(map(nth, _spread_blocks(others, self.slots)), start=self.numbers.size))


def _spread_blocks(blocks: Sequence[range], limit: int) -> Iterator[int]:
    """`spread` over the members of all blocks, one block after the other.

    >>> list(_spread_blocks([range(2), range(10, 14)], 3))
    [0, 10, 12]
    """
    ends = list(accumulate(map(len, blocks), initial=0))
    for index in spread(range(ends[-1]), limit):
        block = bisect_right(ends, index) - 1
        yield blocks[block][index - ends[block]]


class NumberedGame:
    """A game of a stack by numbers, with what its seats observe and are rewarded with. `begin` starts a game.

    >>> from ttr_rules import compile_rules
    >>> table = NumberedGame(compile_rules("london"), players=2)
    >>> table.begin(seed=1)
    >>> table.seat, sorted(table.legal(0)), int(table.mask(0).sum()), table.observation(1).shape
    (0, [432, 433, 434], 3, (266,))
    >>> table.play(0, 434)
    >>> table.seat
    1
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
        self._state: State | None = None
        self._legal: dict[int, dict[int, int]] = {}

    def __repr__(self) -> str:
        return f"<NumberedGame of {self.rules}: {self.players} players>"

    def begin(self, seed: int | str) -> None:
        """Set up a new game."""
        self._state = new_game(rules=self.rules, players=self.players, seed=seed).state
        self._legal = {}

    @property
    def state(self) -> State:
        """The state of the game. Raises `InvalidInputError` before one was begun."""
        if self._state is None:
            raise InvalidInputError("no game was begun: call reset first")
        return self._state

    @property
    def seat(self) -> int | None:
        """The seat that acts, the first of those that may, or None if the game is over."""
        pending = self.state.pending
        return pending[0].seat if pending else None

    def legal(self, seat: int) -> dict[int, int]:
        """The legal choices of a seat (see `Choices.legal`)."""
        if seat not in self._legal:
            self._legal[seat] = self.choices.legal(self.state, seat)
        return self._legal[seat]

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for every legal choice of a seat, 0 elsewhere."""
        mask: NDArray[np.int8] = np.zeros(self.choices.size, dtype=np.int8)
        mask[list(self.legal(seat))] = 1
        return mask

    def play(self, seat: int, choice: int) -> None:
        """Play a choice of a seat. Raises `InvalidInputError` if it is not legal."""
        if (number := self.legal(seat).get(int(choice))) is None:
            raise InvalidInputError(
                f"choice {choice} is not legal for seat {seat} now: {len(self.legal(seat))} others are, see the action mask"
            )
        self.choices.numbers.perform(self.state, seat, number)
        self._legal = {}

    def let_play(self, seat: int, player: Player) -> None:
        """Let a bot choose for a seat, from all its legal actions, and play that."""
        state = self.state
        advance(state, player.choose(self.view(seat), self.rules, legal_actions(state, seat)))
        self._legal = {}

    def view(self, seat: int | None) -> View:
        """The view of a seat, or of a spectator."""
        return view_of(self.state, self.names, seat)

    def observation(self, seat: int) -> NDArray[np.float32]:
        """The view of a seat, encoded."""
        return self.encoder.encode(self.view(seat))

    def rewards(self) -> list[float]:
        """The reward of each seat for the game, once it is over.

        For "win": 1 for the only winner, and for the others what makes the sum 0. Winners that share the victory share
        the reward. For "lead": how many hundred points a seat is ahead of the best of the others, less than 0 if
        behind.
        """
        scores = final_scores(self.state, self.names)
        if self.reward == "lead":
            totals = [player.total for player in scores.players]
            best = [max(totals[:seat] + totals[seat + 1 :], default=0) for seat in range(self.players)]
            return [(total - other) / LEAD for total, other in zip(totals, best, strict=True)]
        return share_win([player.rank == 1 for player in scores.players])

    def describe(self, seat: int | None) -> str:
        """The view of a seat or a spectator in a few lines, as below a picture: what each player has, who acts."""
        lines = view_lines(self.view(seat), Names(self.rules, self.names))
        return "\n".join("".join(text for text, kind in line if not kind.startswith("owner-")) for line in lines)

    def render(self, seat: int | None, mode: str | None) -> str | None:
        """The view of a seat or a spectator in one of the `MODES`. "human" prints it and returns None.

        Raises `InvalidInputError` for no mode.
        """
        if mode is None:
            raise InvalidInputError(f"say how to render when you make the environment: render_mode={MODES}")
        if mode == "svg":
            return draw_view(self.view(seat), self.rules).svg
        text = self.describe(seat)
        if mode == "ansi":
            return text
        print(text)  # noqa: T201
        return None


def share_win(won: Sequence[bool]) -> list[float]:
    """The reward of each seat for winning: the sum is 0.

    >>> share_win([True, False, False]), share_win([True, True]), share_win([True, False])
    ([1.0, -0.5, -0.5], [0.0, 0.0], [1.0, -1.0])
    """
    seats, winners = len(won), sum(won)
    return [((seats / winners if winner else 0) - 1) / max(seats - 1, 1) for winner in won]
