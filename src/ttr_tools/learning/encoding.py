"""What a seat sees, as a vector of fixed length: the same entries in every game of a stack and a number of players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.fields import exposed_fields
from ttr_rules.model import Decision, HiddenDecision
from ttr_rules.play import new_game
from ttr_rules.train_cards import CardPiles, SeenCards
from ttr_tools.extras import extra
from ttr_tools.learning.numbers_of import Turned, atoms, bucket, holds_seats, size, squash

with extra("learning"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The number of hashed entries for what is in each part of a plugin, and for what a decision is about.
BUCKETS = 32
#: What becomes a half when it is squashed between 0 and 1: points, cards, anything else that is counted.
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
        self._block("ticket_pile", view.ticket_pile_sizes)
        for block in ("own_ticket", "offered_ticket", "rejected_ticket"):
            self._block(block, rules.tickets)
        kinds = [kind.__name__ for kind in rules.answers]
        self._block("decision", kinds)
        self._block("others_decision", kinds)
        self._block("decision_detail", map(str, range(BUCKETS)))
        piles = state.parts.get(CardPiles)
        if piles is not None:
            self._block("hand", piles.kinds)
            self._block("face_up", piles.kinds)
            self._block("discarded", piles.kinds)
            self._block("hand_size", seats)
            self._block("draw_pile", ["size"])
        self._has_cards = piles is not None
        for name, shown in view.parts.items():
            if not isinstance(shown, SeenCards):
                self._part(name, shown, seats)
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

    def named(self, vector: Sequence[float] | NDArray[np.float32]) -> dict[str, float]:
        """A vector with the names of its entries."""
        return {name: float(value) for name, value in zip(self.names, vector, strict=True)}

    def encode(self, view: View) -> NDArray[np.float32]:
        """What the seat of a view sees, as a new vector. Raises `InvalidInputError` for a view of a spectator."""
        if view.seat is None:
            raise InvalidInputError("only what a seat sees can be encoded, not what a spectator does")
        if len(view.players) != self.players:
            raise InvalidInputError(f"this encoder is for {self.players} players, not {len(view.players)}")
        out: NDArray[np.float32] = np.zeros(self.size, dtype=np.float32)
        turned = Turned(view.seat, self.players)
        self._public(out, view, turned)
        self._own_tickets(out, view)
        self._decisions(out, view, turned)
        for name, shown in view.parts.items():
            if isinstance(shown, SeenCards):
                self._cards(out, shown, turned)
            elif f"part.{name}" in self._at:
                self._exposed(out, name, shown, turned)
        return out

    # -- the layout --------------------------------------------------------------------------------------------

    def _block(self, name: str, entries: Iterable[str]) -> None:
        self._at[name] = len(self._names)
        self._names += [f"{name}.{entry}" for entry in entries]

    def _part(self, name: str, shown: object, seats: list[str]) -> None:
        """The entries for a part: one for each field, or one for each seat if it is a list of them; then the hashed."""
        for field, value in exposed_fields(shown).items():
            by_seat = isinstance(value, list) and len(value) == self.players  # pyright: ignore[reportUnknownArgumentType]
            self._block(f"part.{name}.{field}", seats if by_seat else ["size"])
        self._block(f"part.{name}", map(str, range(BUCKETS)))

    # -- what is encoded ---------------------------------------------------------------------------------------

    def _public(self, out: NDArray[np.float32], view: View, turned: Turned) -> None:
        at, cars = self._at, self.rules.components.cars
        for route, owner in view.owners.items():
            out[self._routes[route] + turned.place(owner)] = 1
        for route, others in view.shared.items():
            for seat in others:
                out[self._routes[route] + turned.place(seat)] = 1
        for seat in range(self.players):
            place, tickets = turned.place(seat), view.ticket_counts[seat]
            out[at["cars"] + place] = view.cars[seat] / cars
            out[at["score"] + place] = squash(view.scores[seat], POINTS)
            out[at["ticket_count"] + place] = -1 if tickets is None else squash(tickets, THINGS)
            if view.first_tickets:
                out[at["first_tickets"] + place] = squash(view.first_tickets[seat], THINGS)
        out[at["turn"] + turned.place(view.turn)] = 1
        for seat in view.to_act:
            out[at["acting"] + turned.place(seat)] = 1
        counts = (view.turns_left, view.extra_turns, view.stage, view.passes)
        out[at["game"] : at["game"] + 5] = [*(squash(each, THINGS) for each in counts), not view.to_act]
        for number, pile in enumerate(self._pile_names):
            out[at["ticket_pile"] + number] = view.ticket_pile_sizes.get(pile, 0) / self._deck

    def _own_tickets(self, out: NDArray[np.float32], view: View) -> None:
        offered = getattr(view.decision, "tickets", ())
        for block, tickets in (("own", view.tickets), ("offered", offered), ("rejected", view.rejects)):
            first = self._at[f"{block}_ticket"]
            for ticket in tickets:
                if ticket in self._tickets:
                    out[first + self._tickets[ticket]] = 1

    def _decisions(self, out: NDArray[np.float32], view: View, turned: Turned) -> None:
        for decision in view.pending:
            block = "decision" if decision.seat == view.seat else "others_decision"
            kind = decision.kind if isinstance(decision, HiddenDecision) else type(decision).__name__
            if kind in self._kinds:
                out[self._at[block] + self._kinds[kind]] = 1
        own = view.decision
        if own is not None:
            self._hashed(out, "decision_detail", _about(own), turned)

    def _cards(self, out: NDArray[np.float32], shown: SeenCards, turned: Turned) -> None:
        if not self._has_cards:
            return
        at, first = self._at, self._at["hand"]
        for number in range(at["face_up"] - first):
            kind = self.names[first + number].removeprefix("hand.")
            out[first + number] = squash(shown.hand[kind] if shown.hand is not None else 0, CARDS)
            out[at["face_up"] + number] = squash(shown.face_up.count(kind), THINGS)
            out[at["discarded"] + number] = squash(shown.discards.count(kind), CARDS)
        for seat, held in enumerate(shown.hand_sizes):
            out[at["hand_size"] + turned.place(seat)] = squash(held, CARDS)
        out[at["draw_pile"]] = squash(shown.draw_pile_size, POINTS)

    def _exposed(self, out: NDArray[np.float32], name: str, shown: object, turned: Turned) -> None:
        fields = exposed_fields(shown)
        for field, value in fields.items():
            first = self._at.get(f"part.{name}.{field}")
            if first is None:
                continue
            if self.names[first].endswith(".seat+0"):
                entries: Any = value
                for seat, entry in enumerate(entries[: self.players]):
                    out[first + turned.place(seat)] = squash(size(entry), THINGS)
            else:
                out[first] = squash(size(value), THINGS)
        for field, value in fields.items():
            here = Turned(turned.seat, turned.players, seats=holds_seats(shown, field))
            if f"part.{name}.{field}" in self._at and self.names[self._at[f"part.{name}.{field}"]].endswith(".seat+0"):
                entries = value
                value = {f"seat+{turned.place(seat)}": entry for seat, entry in enumerate(entries)}
            self._hashed(out, f"part.{name}", {field: value}, here)

    def _hashed(self, out: NDArray[np.float32], block: str, values: object, turned: Turned) -> None:
        """Add everything in some values to the hashed entries of a block, then squash their sums."""
        first = self._at[block]
        for key, number in atoms(values, "", turned):
            out[first + bucket(key, BUCKETS)] += squash(number, THINGS)
        mine = out[first : first + BUCKETS]
        np.clip(mine, -1, 1, out=mine)  # pyright: ignore[reportUnknownMemberType]


def _about(decision: Decision) -> dict[str, object]:
    """What a decision is about, besides its seat and its tickets."""
    return {name: value for name, value in exposed_fields(decision).items() if name not in ("seat", "tickets")}
