"""Views as vectors of fixed length: the same entries in every game of a stack and a number of players.

Fields have entries of their own. What is in the parts of plugins, and what a decision is about, has hashed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Self, TypeAlias
from zlib import crc32

import attrs

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import HiddenDecision, Unknown
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
        self._at: dict[str, int] = {}
        self._names: list[str] = []
        seats = [f"seat+{place}" for place in range(players)]
        game = new_game(rules=rules, players=players, seed=0)
        view, state = game.view(0), game.state
        self._block("route", [f"{route}.{seat}" for route in rules.network.route_ids for seat in seats])
        for block in ("cars", "score", "ticket_count", "turn", "acting", "first_tickets"):
            self._block(block, seats)
        self._block("game", ["turns_left", "extra_turns", "stage", "passes", "over"])
        self._block("rounds", [] if rules.components.rounds is None else ["left"])
        self._block("ticket_pile", view.ticket_pile_sizes)
        for block in ("own_ticket", "offered_ticket", "rejected_ticket"):
            self._block(block, rules.tickets)
        kinds = [kind.__name__ for kind in rules.answers]
        self._block("decision", kinds)
        self._block("others_decision", kinds)
        for block in ("decision_detail", "more"):
            self._block(block, map(str, range(BUCKETS)))
        self._cards: tuple[str, ...] = state.part(CardPiles).kinds if state.has_part(CardPiles) else ()
        if self._cards:
            for block in ("hand", "face_up", "discarded"):
                self._block(block, self._cards)
            self._block("hand_size", seats)
            self._block("draw_pile", ["size"])
        cards = view.part(SeenCards) if self._cards else None
        if isinstance(cards, SeenDecks) and cards.open_hands:
            self._block("open_hand", [f"{card}.{seat}" for seat in seats for card in self._cards])
        for name, part in view.parts.items():
            if not isinstance(part, SeenCards):
                self._block(f"part.{name}", map(str, range(BUCKETS)))
        self._routes = dict(zip(rules.network.route_ids, range(0, len(self._names), players), strict=False))
        self._tickets = {ticket: number for number, ticket in enumerate(rules.tickets)}
        self._kinds = {kind: number for number, kind in enumerate(kinds)}
        self._pile_names = tuple(view.ticket_pile_sizes)
        self._deck = max(len(rules.tickets), 1)
        self.names: tuple[str, ...] = tuple(self._names)
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
        out: Vector = np.zeros(self.size, dtype=np.float32)
        around = _Around(view.seat, self.players)
        self._encode_public(out, view, around)
        self._encode_tickets(out, view, around)
        self._encode_decisions(out, view, around)
        for name, part in view.parts.items():
            if isinstance(part, SeenCards):
                self._encode_cards(out, part, around)
            elif f"part.{name}" in self._at:
                self._encode_part(out, name, part, around)
        return out

    # -- the layout --------------------------------------------------------------------------------------------

    def _block(self, name: str, entries: Iterable[str]) -> None:
        self._at[name] = len(self._names)
        self._names += [f"{name}.{entry}" for entry in entries]

    # -- the entries -------------------------------------------------------------------------------------------

    def _encode_public(self, out: Vector, view: View, around: _Around) -> None:
        at, cars = self._at, self.rules.components.cars
        for route, holders in list_holders(view).items():
            for seat in holders:
                out[self._routes[route] + around.place(seat)] = 1
        for seat in range(self.players):
            place, tickets = around.place(seat), view.ticket_counts[seat]
            out[at["cars"] + place] = view.cars[seat] / cars
            out[at["score"] + place] = squash(view.scores[seat], POINTS)
            out[at["ticket_count"] + place] = -1 if tickets is None else squash(tickets, THINGS)
            if view.first_tickets:
                out[at["first_tickets"] + place] = squash(view.first_tickets[seat], THINGS)
        out[at["turn"] + around.place(view.turn)] = 1
        for seat in view.to_act:
            out[at["acting"] + around.place(seat)] = 1
        counts = (view.turns_left, view.extra_turns, view.stage, view.passes)
        out[at["game"] : at["game"] + 5] = [*(squash(count, THINGS) for count in counts), not view.to_act]
        if self.rules.components.rounds is not None:
            out[at["rounds"]] = squash(max(self.rules.components.rounds - view.round, 0), THINGS)
        for number, pile in enumerate(self._pile_names):
            out[at["ticket_pile"] + number] = view.ticket_pile_sizes.get(pile, 0) / self._deck

    def _encode_tickets(self, out: Vector, view: View, around: _Around) -> None:
        offered = getattr(view.decision, "tickets", ())
        if any(view.seen_tickets):
            shown = {f"seat+{around.place(seat)}": tickets for seat, tickets in enumerate(view.seen_tickets)}
            self._add_hashed(out, "more", {"open_tickets": shown}, around)
        for block, tickets in (("own", view.tickets), ("offered", offered), ("rejected", view.rejects)):
            first = self._at[f"{block}_ticket"]
            for ticket in tickets:
                if ticket in self._tickets:
                    out[first + self._tickets[ticket]] = 1

    def _encode_decisions(self, out: Vector, view: View, around: _Around) -> None:
        for decision in view.pending:
            block = "decision" if decision.seat == view.seat else "others_decision"
            kind = decision.kind if isinstance(decision, HiddenDecision) else type(decision).__name__
            if kind in self._kinds:
                out[self._at[block] + self._kinds[kind]] = 1
        own = view.decision
        if own is not None:
            details = {name: value for name, value in exposed_fields(own).items() if name not in ("seat", "tickets")}
            self._add_hashed(out, "decision_detail", details, around)
        for item in view.todo:
            about = {name: value for name, value in exposed_fields(item.action).items() if name != "seat"}
            step = f"{item.hook}.seat+{around.place(item.seat)}.{type(item.action).__name__}"
            self._add_hashed(out, "more", {step: [item.what, about]}, around)

    def _encode_cards(self, out: Vector, cards: SeenCards, around: _Around) -> None:
        at = self._at
        for number, kind in enumerate(self._cards):
            out[at["hand"] + number] = squash(cards.hand[kind] if cards.hand is not None else 0, CARDS)
            out[at["face_up"] + number] = squash(cards.face_up.count(kind), THINGS)
            out[at["discarded"] + number] = squash(cards.discards.count(kind), CARDS)
        for seat, count in enumerate(cards.hand_sizes):
            out[at["hand_size"] + around.place(seat)] = squash(count, CARDS)
        out[at["draw_pile"]] = squash(cards.draw_pile_size, POINTS)
        for seat, hand in enumerate(cards.open_hands if isinstance(cards, SeenDecks) else ()):
            first = at["open_hand"] + around.place(seat) * len(self._cards)
            out[first : first + len(self._cards)] = [squash(hand[kind], CARDS) for kind in self._cards]

    def _encode_part(self, out: Vector, name: str, part: object, around: _Around) -> None:
        for field, value in exposed_fields(part).items():
            if is_list(value) and len(value) == self.players:
                value = {f"seat+{around.place(seat)}": entry for seat, entry in enumerate(value)}
            declared = part_fields(type(part)).get(field)
            inside = attrs.evolve(around, holds_seats=declared is not None and declared.seats)
            self._add_hashed(out, f"part.{name}", {field: value}, inside)

    def _add_hashed(self, out: Vector, block: str, values: object, around: _Around) -> None:
        """Add everything in some values to the hashed entries of a block, at most up to 1 each."""
        first = self._at[block]
        for key, number in atoms(values, "", around):
            out[first + bucket(key, BUCKETS)] += squash(number, THINGS)
        entries = out[first : first + BUCKETS]
        np.clip(entries, -1, 1, out=entries)  # pyright: ignore[reportUnknownMemberType]


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
    elif is_table(value):
        for name, inner in value.items():
            yield from atoms(inner, f"{key}.{name}", around)
    elif is_items(value):
        for inner in value:
            yield from atoms(inner, key, around)
    else:
        for name, inner in exposed_fields(value).items():
            yield from atoms(inner, f"{key}.{name}", around)
