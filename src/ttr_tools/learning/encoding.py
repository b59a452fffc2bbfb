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
from ttr_rules.model import Counts, Decision, HiddenDecision, Unknown
from ttr_rules.parts import exposed_fields, part_fields
from ttr_rules.play import new_game
from ttr_rules.reading import is_list, is_table
from ttr_rules.train_cards import CardPiles, SeenCards, SeenDecks
from ttr_tools.extras import extra
from ttr_tools.narration.words import is_items, list_holders

with extra("learning"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

#: A block of entries: its name, their names, and their values.
Block: TypeAlias = tuple[str, Iterable[str], Iterable[float]]
#: The number of hashed entries for what is in each part of a plugin, and for what a decision is about.
BUCKETS = 32
_HASHED = tuple(map(str, range(BUCKETS)))
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
        self._seats = [f"seat+{place}" for place in range(players)]
        self._piles = tuple(view.ticket_pile_sizes)
        self._decisions = [kind.__name__ for kind in rules.answers]
        self._cards: tuple[str, ...] = state.part(CardPiles).kinds if state.has_part(CardPiles) else ()
        self._parts = [name for name, part in view.parts.items() if not isinstance(part, SeenCards)]
        self.names = tuple(f"{block}.{entry}" for block, entries, _ in self._blocks(view, 0) for entry in entries)
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
        blocks = (values for *_, values in self._blocks(view, view.seat))
        return np.fromiter(chain.from_iterable(blocks), np.float32, self.size)

    # -- the entries -------------------------------------------------------------------------------------------

    def _blocks(self, view: View, own: int) -> Iterator[Block]:
        """The entries for what a seat sees."""
        rules, names, around = self.rules, self._seats, _Around(own, self.players)
        seats = [(own + place) % self.players for place in range(self.players)]
        held = [0] * (len(rules.network.route_ids) * self.players)
        for route, holders in list_holders(view).items():
            for seat in holders:
                held[rules.network.route_number[route] * self.players + around.place(seat)] = 1
        yield "route", (f"{route}.{name}" for route in rules.network.route_ids for name in names), held
        yield "cars", names, [view.cars[seat] / rules.components.cars for seat in seats]
        yield "score", names, [squash(view.scores[seat], POINTS) for seat in seats]
        counts = [view.ticket_counts[seat] for seat in seats]
        yield "ticket_count", names, [-1 if count is None else squash(count, THINGS) for count in counts]
        yield "turn", names, [seat == view.turn for seat in seats]
        yield "acting", names, [seat in view.to_act for seat in seats]
        first = view.first_tickets or (0,) * self.players
        yield "first_tickets", names, [squash(first[seat], THINGS) for seat in seats]
        numbers = [squash(count, THINGS) for count in (view.turns_left, view.extra_turns, view.stage, view.passes)]
        yield "game", ("turns_left", "extra_turns", "stage", "passes", "over"), [*numbers, not view.to_act]
        if rules.components.rounds is not None:
            yield "rounds", ("left",), [squash(max(rules.components.rounds - view.round, 0), THINGS)]
        deck = max(len(rules.tickets), 1)
        yield "ticket_pile", self._piles, [view.ticket_pile_sizes.get(pile, 0) / deck for pile in self._piles]
        offered = getattr(view.decision, "tickets", ())
        for block, tickets in (("own", view.tickets), ("offered", offered), ("rejected", view.rejects)):
            yield f"{block}_ticket", rules.tickets, [ticket in tickets for ticket in rules.tickets]
        asked = [(decision.seat == own, _name_kind(decision)) for decision in view.pending]
        yield "decision", self._decisions, [(True, kind) in asked for kind in self._decisions]
        yield "others_decision", self._decisions, [(False, kind) in asked for kind in self._decisions]
        details = {} if view.decision is None else exposed_fields(view.decision)
        about = {name: value for name, value in details.items() if name not in ("seat", "tickets")}
        yield "decision_detail", _HASHED, hashed([(about, around)])
        yield "more", _HASHED, hashed((value, around) for value in _list_more(view, around))
        if self._cards:
            yield from self._card_blocks(view.part(SeenCards), seats)
        for name in self._parts:
            yield f"part.{name}", _HASHED, hashed(_list_fields(view.parts[name], around) if name in view.parts else ())

    def _card_blocks(self, cards: SeenCards, seats: Sequence[int]) -> Iterator[Block]:
        kinds, hand = self._cards, cards.hand or Counts()
        yield "hand", kinds, [squash(hand[kind], CARDS) for kind in kinds]
        yield "face_up", kinds, [squash(cards.face_up.count(kind), THINGS) for kind in kinds]
        yield "discarded", kinds, [squash(cards.discards.count(kind), CARDS) for kind in kinds]
        yield "hand_size", self._seats, [squash(cards.hand_sizes[seat], CARDS) for seat in seats]
        yield "draw_pile", ("size",), [squash(cards.draw_pile_size, POINTS)]
        if isinstance(cards, SeenDecks) and cards.open_hands:
            hands = [cards.open_hands[seat] for seat in seats]
            names = (f"{kind}.{seat}" for seat in self._seats for kind in kinds)
            yield "open_hand", names, [squash(hand[kind], CARDS) for hand in hands for kind in kinds]


def _name_kind(decision: Decision) -> str:
    return decision.kind if isinstance(decision, HiddenDecision) else type(decision).__name__


def _list_more(view: View, around: _Around) -> Iterator[object]:
    """What is encoded of open tickets, and of what waits for an answer."""
    yield {"open_tickets": {f"seat+{around.place(seat)}": held for seat, held in enumerate(view.seen_tickets)}}
    if view.has_part(SeenCards):
        looked_at = view.part(SeenCards).looked_at
        yield {"looked_at": {f"{looked.deck}.{looked.place}": looked.card for looked in looked_at if looked.card}}
    for item in view.todo:
        about = {name: value for name, value in exposed_fields(item.action).items() if name != "seat"}
        yield {f"{item.hook}.seat+{around.place(item.seat)}.{type(item.action).__name__}": [item.what, about]}


def _list_fields(part: object, around: _Around) -> Iterator[tuple[object, _Around]]:
    """The fields of a part, and whether whole numbers in them are seats."""
    declared, of_seats = part_fields(type(part)), attrs.evolve(around, holds_seats=True)
    for field, value in exposed_fields(part).items():
        if is_list(value) and len(value) == around.players:
            value = {f"seat+{around.place(seat)}": entry for seat, entry in enumerate(value)}
        yield {field: value}, of_seats if field in declared and declared[field].seats else around


def hashed(values: Iterable[tuple[object, _Around]]) -> Iterable[float]:
    """The hashed entries of a block, to which each value adds all that is in it, at most up to 1."""
    entries = [0.0] * BUCKETS
    for value, around in values:
        for key, number in atoms(value, "", around):
            entries[bucket(key, BUCKETS)] += squash(number, THINGS)
        entries = [min(max(entry, -1), 1) for entry in entries]
    return entries


@attrs.frozen
class _Around:
    """Seats counted from one of them: itself is 0, the next one 1. With `holds_seats`, whole numbers are seats."""

    seat: int
    players: int
    holds_seats: bool = False

    def place(self, seat: int) -> int:
        """The place of a seat, clockwise."""
        return (seat - self.seat) % self.players


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
            yield f"{key}.seat+{around.place(value)}", 1.0
        else:
            yield key, float(value)
    elif isinstance(value, str):
        yield f"{key}.{value}", 1.0
    elif isinstance(value, Unknown):
        yield key, float(value.count or 0)
    elif is_items(value):
        for inner in value:
            yield from atoms(inner, key, around)
    else:
        for name, inner in (value if is_table(value) else exposed_fields(value)).items():
            yield from atoms(inner, f"{key}.{name}", around)
