"""Views as vectors of fixed length: the same entries in every game of a stack and a number of players.

Fields have entries of their own. What is in the parts of plugins, and what a decision is about, has hashed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Self, TypeAlias
from zlib import crc32

import attrs

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Counts, HiddenDecision, Unknown
from ttr_rules.parts import exposed_fields, part_fields
from ttr_rules.play import new_game
from ttr_rules.reading import is_list, is_table
from ttr_rules.train_cards import CardPiles, SeenCards, SeenDecks
from ttr_tools.extras import extra
from ttr_tools.narration.words import holders_of, is_items

with extra("learning"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

#: A block of entries: its name, theirs, and the values.
Block: TypeAlias = "tuple[str, Iterable[str], Sequence[float] | Vector]"

#: The number of hashed entries for what is in each part of a plugin, and for what a decision is about.
BUCKETS = 32
#: Numbers that become a half when they are squashed between 0 and 1: of points, of cards, of anything else.
POINTS, CARDS, THINGS = 100, 10, 5


class Encoder:
    """Encodes views of a stack, for a number of players, as `float32` vectors of `size` entries between -1 and 1.

    `names` has the name of each entry. Seats are counted from the one that sees: `seat+0` is itself, `seat+1` the next.
    Only the view is read, so nothing is encoded that the seat may not know.

    Raises `InvalidInputError` for a number of players that the stack is not for.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("london", players=2, seed=1)
    >>> encoder = Encoder(game.rules, 2)
    >>> vector = encoder.encode(game.view(0))
    >>> vector.shape == (encoder.size,), vector.dtype.name
    (True, 'float32')
    >>> encoder.named(vector)["cars.seat+0"], encoder.named(vector)["acting.seat+1"]
    (1.0, 1.0)
    >>> [name for name, value in encoder.named(vector).items() if name.startswith("hand.") and value]
    ['hand.yellow', 'hand.locomotive']
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules = rules
        self.players = players
        game = new_game(rules=rules, players=players, seed=0)
        view, state = game.view(0), game.state
        self._cards: tuple[str, ...] = state.part(CardPiles).kinds if state.has_part(CardPiles) else ()
        self._piles = tuple(view.ticket_pile_sizes)
        self._parts = [name for name, part in view.parts.items() if not isinstance(part, SeenCards)]
        self.names: tuple[str, ...] = tuple(
            f"{block}.{entry}" for block, entries, _ in self._blocks(view, _Around(0, players)) for entry in entries
        )
        self.size = len(self.names)

    def __repr__(self) -> str:
        return f"<Encoder of {self.rules} for {self.players}: {self.size} entries>"

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self  # it never changes

    def named(self, vector: Sequence[float] | Vector) -> dict[str, float]:
        """A vector with the names of its entries."""
        return {name: float(value) for name, value in zip(self.names, vector, strict=True)}

    def encode(self, view: View) -> Vector:
        """Encode the view of a seat as a new vector. Raises `InvalidInputError` for a view of a spectator."""
        if view.seat is None:
            raise InvalidInputError("only what a seat sees can be encoded, not what a spectator does")
        if len(view.players) != self.players:
            raise InvalidInputError(f"this encoder is for {self.players} players, not {len(view.players)}")
        blocks = self._blocks(view, _Around(view.seat, self.players))
        return np.fromiter(chain.from_iterable(values for _, _, values in blocks), np.float32, self.size)

    def _blocks(self, view: View, around: _Around) -> Iterator[Block]:
        """The blocks of entries, each with its name, the names of the entries, and their values in a view."""
        rules, box = self.rules, self.rules.components
        seats = sorted(range(self.players), key=around.place)
        names = [around.name(seat) for seat in seats]
        claimed = [0.0] * len(seats) * len(rules.network.route_ids)
        for route, holders in holders_of(view).items():
            for seat in holders:
                claimed[rules.network.route_number[route] * len(seats) + around.place(seat)] = 1
        yield "route", (f"{route}.{name}" for route in rules.network.route_ids for name in names), claimed
        yield "cars", names, [view.cars[seat] / box.cars for seat in seats]
        yield "score", names, [squash(view.scores[seat], POINTS) for seat in seats]
        counts = [view.ticket_counts[seat] for seat in seats]
        yield "ticket_count", names, [-1 if count is None else squash(count, THINGS) for count in counts]
        yield "turn", names, [seat == view.turn for seat in seats]
        yield "acting", names, [seat in view.to_act for seat in seats]
        first_tickets = view.first_tickets or (0,) * self.players
        yield "first_tickets", names, [squash(first_tickets[seat], THINGS) for seat in seats]
        progress = {name: getattr(view, name) for name in ("turns_left", "extra_turns", "stage", "passes")}
        yield "game", (*progress, "over"), [*(squash(count, THINGS) for count in progress.values()), not view.to_act]
        if box.rounds is not None:
            yield "rounds", ["left"], [squash(max(box.rounds - view.round, 0), THINGS)]
        sizes = [view.ticket_pile_sizes.get(pile, 0) / max(len(rules.tickets), 1) for pile in self._piles]
        yield "ticket_pile", self._piles, sizes
        offered = getattr(view.decision, "tickets", ())
        for block, tickets in (("own", view.tickets), ("offered", offered), ("rejected", view.rejects)):
            yield f"{block}_ticket", rules.tickets, [ticket in tickets for ticket in rules.tickets]
        own, others = set[str](), set[str]()
        for decision in view.pending:
            kind = decision.kind if isinstance(decision, HiddenDecision) else type(decision).__name__
            (own if decision.seat == view.seat else others).add(kind)
        kinds = [kind.__name__ for kind in rules.answers]
        yield "decision", kinds, [kind in own for kind in kinds]
        yield "others_decision", kinds, [kind in others for kind in kinds]
        details = {
            name: value for name, value in exposed_fields(view.decision).items() if name not in ("seat", "tickets")
        }
        yield _hashed("decision_detail", [atoms(details, "", around)])
        yield _hashed("more", _waiting(view, around))
        if self._cards:
            yield from self._card_blocks(view.part(SeenCards), seats, names)
        for name in self._parts:
            yield _hashed(f"part.{name}", _fields(view.parts.get(name), around))

    def _card_blocks(self, cards: SeenCards, seats: Sequence[int], names: Sequence[str]) -> Iterator[Block]:
        kinds, hand = self._cards, cards.hand or Counts()
        yield "hand", kinds, [squash(hand[kind], CARDS) for kind in kinds]
        yield "face_up", kinds, [squash(cards.face_up.count(kind), THINGS) for kind in kinds]
        yield "discarded", kinds, [squash(cards.discards.count(kind), CARDS) for kind in kinds]
        yield "hand_size", names, [squash(cards.hand_sizes[seat], CARDS) for seat in seats]
        yield "draw_pile", ["size"], [squash(cards.draw_pile_size, POINTS)]
        if isinstance(cards, SeenDecks) and cards.open_hands:
            hands = [cards.open_hands[seat] for seat in seats]
            entries = [f"{kind}.{name}" for name in names for kind in kinds]
            yield "open_hand", entries, [squash(hand[kind], CARDS) for hand in hands for kind in kinds]


@attrs.frozen
class _Around:
    """Seats counted from one of them: itself is 0, the next one 1. With `holds_seats`, whole numbers are seats."""

    seat: int
    players: int
    holds_seats: bool = False

    def place(self, seat: int) -> int:
        """The place of a seat, clockwise."""
        return (seat - self.seat) % self.players

    def name(self, seat: int) -> str:
        """The name of a seat by its place."""
        return f"seat+{self.place(seat)}"

    def named(self, values: Iterable[object]) -> dict[str, object]:
        """Values that there are for each seat, by the names of the seats."""
        return {self.name(seat): value for seat, value in enumerate(values)}


# -- hashed entries ------------------------------------------------------------------------------------------------


def _hashed(block: str, contents: Iterable[Iterable[tuple[str, float]]]) -> Block:
    """A block with the hashed entries of some contents: they are between -1 and 1 after each of these."""
    entries: Vector = np.zeros(BUCKETS, dtype=np.float32)
    for content in contents:
        for key, number in content:
            entries[bucket(key, BUCKETS)] += squash(number, THINGS)
        np.clip(entries, -1, 1, out=entries)  # pyright: ignore[reportUnknownMemberType]
    return block, map(str, range(BUCKETS)), entries


def _waiting(view: View, around: _Around) -> Iterator[Iterable[tuple[str, float]]]:
    """The tickets that lie open, and what waits for answers."""
    if any(view.seen_tickets):
        yield atoms({"open_tickets": around.named(view.seen_tickets)}, "", around)
    for item in view.todo:
        about = {name: value for name, value in exposed_fields(item.action).items() if name != "seat"}
        step = f"{item.hook}.{around.name(item.seat)}.{type(item.action).__name__}"
        yield atoms({step: [item.what, about]}, "", around)


def _fields(part: object, around: _Around) -> Iterator[Iterable[tuple[str, float]]]:
    """The fields of a part."""
    around_seats = attrs.evolve(around, holds_seats=True)
    for field, value in exposed_fields(part).items():
        declared = part_fields(type(part)).get(field)
        inside = around if declared is None or not declared.seats else around_seats
        if is_list(value) and len(value) == around.players:
            value = around.named(value)
        yield atoms({field: value}, "", inside)


def squash(value: float, scale: float) -> float:
    """Any number as one between -1 and 1, in the same order: `scale` becomes a half.

    >>> squash(0, 10), squash(10, 10), squash(-30, 10)
    (0.0, 0.5, -0.75)
    """
    return value / (scale + abs(value))


@lru_cache(maxsize=100_000)
def bucket(key: str, buckets: int) -> int:
    """The bucket of a key: the same on every machine.

    >>> bucket("built.wien", 32) == bucket("built.wien", 32) < 32
    True
    """
    return crc32(key.encode()) % buckets


def atoms(value: object, key: str, around: _Around) -> Iterator[tuple[str, float]]:
    """Everything that a value holds, as keys and numbers: `built.wien.seat+1` and 1, `left.red` and 3.

    >>> list(atoms({"wien": [2, ("red",)]}, "depots", _Around(seat=0, players=3)))
    [('depots.wien', 2.0), ('depots.wien.red', 1.0)]
    >>> list(atoms({"wien": 0}, "depots", _Around(seat=1, players=3, holds_seats=True)))
    [('depots.wien.seat+2', 1.0)]
    """
    if value is None:
        return
    if isinstance(value, int | float):
        if around.holds_seats and type(value) is int:
            yield f"{key}.{around.name(value)}", 1.0
        else:
            yield key, float(value)
    elif isinstance(value, str):
        yield f"{key}.{value}", 1.0
    elif isinstance(value, Unknown):
        yield key, float(value.count or 0)
    elif is_table(value):
        for name, inner in value.items():
            yield from atoms(inner, f"{key}.{name}", around)
    elif is_items(value):
        for inner in value:
            yield from atoms(inner, key, around)
    else:
        for name, inner in exposed_fields(value).items():
            yield from atoms(inner, f"{key}.{name}", around)
