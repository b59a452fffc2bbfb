"""What a seat pays leaves it: train cards, pieces of layers, and what it holds in parts of plugins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from attrs import frozen

from ttr_rules import ClaimRoute, State
from ttr_rules.actions import economy_layers
from ttr_rules.engine import refusal as engine_refusal
from ttr_rules.events import CardsLaid, Event, PiecesSpent, RouteClaimed, RouteShared, TunnelEntered
from ttr_rules.model import Action, Counts, PayTunnel
from ttr_rules.plugins import EconomyLayer, Part, Transaction
from ttr_rules.reading import is_list, is_set, is_table
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards import CardPiles
from ttr_tools.testing.names import class_name, is_core, members, part_values, short
from ttr_tools.testing.runs import CheckFailed, Run, payment_of

#: More pieces than a seat has.
MOST_SPENT = 100
#: `spend` or `take_back` of a layer.
MovesPieces: TypeAlias = Callable[[Transaction, int, Counts], None]


class Payments:
    """Follows what is paid in a game."""

    def __init__(self, run: Run) -> None:
        self.run = run
        #: For the last tunnel that was entered: the state before, the action, what was laid down, and the pieces of layers in it.
        self.entered: tuple[State, Action, Counts, Counts] | None = None

    def follow(self, events: Sequence[Event], what: str) -> None:
        """Check that what was paid since the last action has left the seat."""
        self._pieces(events, what)
        action = self.run.action
        payment = payment_of(action)
        if action is not None and payment:
            if self.run.before.has_part(CardPiles):
                self._cards(action.seat, payment, events, what)
            self._own(action, payment, events, what)

    def _pieces(self, events: Sequence[Event], what: str) -> None:
        """Layers take all pieces paid, or something in their place, and give them back if a tunnel is abandoned."""
        spent = [event for event in events if isinstance(event, PiecesSpent)]
        laying = any(isinstance(event, CardsLaid | TunnelEntered) for event in events)
        for event, state in self.run.steps(events if spent else ()):
            for pieces in _find_pieces(event, state):
                for kind in pieces.find_kept():
                    raise CheckFailed(
                        f"after {what}, seat {pieces.seat} still has the {kind} that it paid with{pieces.among}: {pieces.layer_name}.spend "
                        f"does not take {pieces.paid[kind]}. If it is to stay with the seat, declare reusable = ({kind!r},) there"
                    )
                for kind, more in pieces.find_returned() if laying else ():
                    raise CheckFailed(
                        f"after {what}, seat {pieces.seat} would have {abs(more)} {kind} {'more' if more > 0 else 'fewer'} than before if it laid down "
                        f"{short(pieces.paid)} and abandoned the tunnel: {pieces.layer_name}.take_back does not give back what spend takes. If it is to be lost, emit "
                        "an event of another type there that says so"
                    )
            event.apply(state)
        for event in spent if laying else ():
            for pieces in _find_pieces(event, self.run.game.state):
                for kind in pieces.find_unmoved(pieces.layer.take_back):
                    raise CheckFailed(
                        f"after {what}, seat {pieces.seat} would lose the {kind} that it laid down{pieces.among}, if it abandoned the tunnel: "
                        f"{pieces.layer_name}.take_back does not give {pieces.paid[kind]} back. If it is to be lost, emit an event there that says so"
                    )

    def _cards(self, seat: int, payment: Counts, events: Sequence[Event], what: str) -> None:
        """The events of a paid action take the payment from the hand of the seat."""
        spent = Counter[str]()
        for event, state in self.run.steps(events):
            hand = Counter(dict(state.part(CardPiles).counts(seat)))
            event.apply(state)
            spent += hand - Counter(dict(state.part(CardPiles).counts(seat)))
        kinds = self.run.before.part(CardPiles).number
        kept = {card: count for card, count in payment.items() if card in kinds and spent[card] < count}
        if kept and not self._is_put_off:
            raise CheckFailed(
                f"after {what}, seat {seat} still holds what it paid with: {Counts(kept)!r}. perform, or pay of an economy or "
                "layer, takes the payment: call economy.pay(tx, seat, cost, payment)"
            )

    @property
    def _is_put_off(self) -> bool:
        """True if something is asked before an action is performed."""
        return any(item.action is not None for item in self.run.game.state.todo)

    def _own(self, action: Action, payment: Counts, events: Sequence[Event], what: str) -> None:
        """What is paid, but neither in cards nor in pieces that a layer spends, leaves the fields in which the seat holds it.

        For a claim it must have left before the route is claimed, with what was laid down for a tunnel. After any other action some
        of it may come back, as income.
        """
        before, bought, seat, economy = self.run.before, action, action.seat, self.run.rules.economy
        spent = sum([event.pieces for event in events if isinstance(event, PiecesSpent)], Counts())
        if any(isinstance(event, TunnelEntered) for event in events):
            self._laid(action, payment, what)
            self.entered = before, action, payment, spent
            return  # it may be taken only once the tunnel is paid for
        if isinstance(action, PayTunnel) and self.entered:
            before, bought, laid, pieces = self.entered
            payment, spent = laid + payment, pieces + spent
        cards = before.part(CardPiles).number if before.has_part(CardPiles) else {}
        own = Counts({kind: count for kind, count in payment.items() if kind not in cards and spent[kind] < count})
        for layer in economy_layers(economy):
            own = layer.without_reusable(own) if isinstance(layer, EconomyLayer) else own
        if not own or self._is_put_off:
            return
        later = list[State]()
        for event, state in self.run.steps(events):
            if isinstance(event, RouteClaimed | RouteShared):
                break
            event.apply(state)
            later.append(state.copy())
        is_claim = isinstance(action, ClaimRoute | PayTunnel)
        if is_kept(
            before, later, seat, lambda other: engine_refusal(other, bought) is None, own, may_gain=not is_claim
        ):
            where = f"in the rule, or in pay of {class_name(type(economy))}"
            if isinstance(action, PayTunnel):
                where = f"in spend_laid of {class_name(type(economy))}"
            elif is_claim:
                where = f"in pay of {class_name(type(economy))}, or for a tunnel in lay or spend_laid"
            raise CheckFailed(
                f"after {what}, seat {seat} still holds what it paid with: {short(own)}. Let an event take it, {where}"
            )

    def _laid(self, action: Action, laid: Counts, what: str) -> None:
        """Whoever abandons a tunnel gets back no more than what it laid down."""
        before, after, seat = self.run.before, self.run.game.state, action.seat
        try:
            self.run.rules.economy.take_back_laid(Transaction(after, []), seat, laid)
        except Exception:
            return  # it is told when a tunnel is abandoned
        for slot, other in _find_needed(before, seat, lambda other: engine_refusal(other, action) is None):
            if _amount(other) < _amount(slot.read(before)) < _amount(slot.read(after)):
                raise CheckFailed(
                    f"after {what}, seat {seat} would have more in {class_name(slot.part)}.{slot.field} than before if it laid down "
                    f"{short(laid)} and abandoned the tunnel: let take_back_laid of the economy give back only what lay took"
                )


# -- pieces of layers ------------------------------------------------------------------------------------------------


class Moved(NamedTuple):
    """What a method of a layer does: the state after it, the pieces that the seat holds more (below zero: fewer), its events."""

    state: State
    pieces: Counter[str]
    events: int


@frozen
class Pieces:
    """The pieces of a layer that a seat pays in a state, without reusable ones."""

    layer: EconomyLayer
    state: State
    seat: int
    paid: Counts

    @property
    def layer_name(self) -> str:
        """The layer, for a message."""
        return class_name(type(self.layer))

    @property
    def among(self) -> str:
        """All pieces that are paid, for a message about one kind of several."""
        return f", together with other pieces ({short(self.paid)})" if len(self.paid) > 1 else ""

    def find_kept(self) -> Iterator[str]:
        """The kinds of pieces that `spend` leaves with the seat."""
        unmoved = self.find_unmoved(self.layer.spend)
        return (kind for kind, count in self.paid.items() if kind in unmoved or self._stays(kind, count))

    def _stays(self, kind: str, count: int) -> bool:
        """True if `spend` leaves pieces of one kind with the seat, although what it holds of them is in a part.

        Pieces that are in no part, such as a license to pay a card less for points, never run out.
        """
        after, moved, _ = self._move(self.layer.spend, Counts({kind: count}))
        return -moved[kind] < count and is_kept(
            self.state, [after], self.seat, lambda other: self.layer.held(other, self.seat).get(kind, 0) >= count
        )

    def find_unmoved(self, method: MovesPieces) -> list[str]:
        """The kinds of pieces that a method does not move, or of which it moves fewer together with others than alone."""
        alone = {kind: self._move(method, Counts({kind: count})) for kind, count in self.paid.items()}
        together = self._move(method, self.paid).pieces
        return [
            kind
            for kind, count in self.paid.items()
            if not self._is_moved(method, kind, alone[kind])
            # Another kind may give change in this one.
            or (
                abs(alone[kind].pieces[kind]) == count
                and abs(together[kind]) < abs(sum(moved.pieces[kind] for moved in alone.values()))
            )
        ]

    def _is_moved(self, method: MovesPieces, kind: str, moved: Moved) -> bool:
        """True if a method moves all pieces of one kind, or fails without the other kinds.

        A method that emits an event counts as moving them, as it may lose pieces or take something else. If its only event moves
        too few of several pieces, they need only move more than one does, since what is held may be capped.
        """
        number = abs(moved.pieces[kind])
        if 0 < number < self.paid[kind] and moved.events == 1:
            return number > abs(self._move(method, Counts({kind: 1})).pieces[kind])
        return moved.events > 0

    def find_returned(self) -> Iterator[tuple[str, int]]:
        """The kinds of which the seat holds more, or fewer, once it has laid the pieces down and taken them back, and by how many.

        Fewer count only if the same types of events tell of both: another type may say that pieces are lost.
        """
        after, spent, back = self.state.copy(), list[Event](), list[Event]()
        try:
            self.layer.spend(Transaction(after, spent), self.seat, self.paid)
            self.layer.take_back(Transaction(after, back), self.seat, self.paid)
            before, now = self.layer.held(self.state, self.seat), self.layer.held(after, self.seat)
        except Exception:
            return
        for kind in self.paid:
            more = now.get(kind, 0) - before.get(kind, 0)
            if more > 0 or (more < 0 and {*map(type, spent)} == {*map(type, back)}):
                yield kind, more

    def _move(self, method: MovesPieces, pieces: Counts) -> Moved:
        """Try a method. If it fails, it is as if all `pieces` had been taken, with two events."""
        log: list[Event] = []
        after = self.state.copy()
        try:
            moved = Counter({kind: -count for kind, count in self.layer.held(self.state, self.seat).items()})
            method(Transaction(after, log), self.seat, pieces)
            moved.update(self.layer.held(after, self.seat))
            return Moved(after, moved, len(log))
        except Exception:
            return Moved(after, Counter({kind: -count for kind, count in pieces.items()}), 2)


def _find_pieces(event: Event, state: State) -> Iterator[Pieces]:
    """The pieces that a seat spends according to an event, by layer."""
    if not isinstance(event, PiecesSpent):
        return
    for layer in economy_layers(state.rules.economy):
        if isinstance(layer, EconomyLayer) and (paid := layer.without_reusable(layer.split(event.pieces)[0])):
            yield Pieces(layer, state, event.seat, paid)


# -- what seats hold in parts ----------------------------------------------------------------------------------------


def is_kept(
    state: State,
    later: Sequence[State],
    seat: int,
    can_pay: Callable[[State], bool],
    paid: Mapping[str, int] = FrozenMap(),
    *,
    may_gain: bool = False,
) -> bool:
    """True if a seat can pay because of its entries in fields of parts, and none of them has moved to where it could not.

    Entries that count things by kind must have lost all that is `paid` in one of the states, or another number of the seat has
    grown by what is missing. In the last state something must still be gone, unless the seat `may_gain` by the action.
    """
    needed = _find_needed(state, seat, can_pay)
    less, is_moved = dict[str, int](), False
    for slot, other in needed:
        entry, then = slot.read(state), [*map(slot.read, later)]
        for kind, count in paid.items():
            held = _count(entry, kind, slot.field)
            if held >= count:
                less[kind] = _most_taken([held - _count(now, kind, slot.field) for now in then], may_gain)
        is_moved = is_moved or any(_is_towards(entry, now, other) for now in (then if may_gain else then[-1:]))
    if not less:
        return bool(needed) and not is_moved
    if 0 in less.values() or all(number == -paid[kind] for kind, number in less.items()):
        return True  # nothing was taken, or it was given
    gained = [kind for kind, number in less.items() if may_gain and number < 0]
    missing = [paid[kind] - number for kind, number in less.items() if number < paid[kind] and kind not in gained]
    return not all(_is_noted(state, later[-1], seat, number) for number in missing)


def _most_taken(changes: Sequence[int], may_gain: bool) -> int:
    """The most that was taken by the time of one of several states, below zero if the seat only gained.

    Unless it `may_gain`, a seat that has everything back in the last state has paid nothing.
    """
    if not changes:
        return 0
    return max(changes) or min(changes) if may_gain or changes[-1] > 0 else changes[-1]


def _is_noted(state: State, after: State, seat: int, number: int) -> bool:
    """True if another number of a seat has grown by this one, such as what it owes."""
    entries = [(slot.read(state), slot.read(after)) for slot in _find_slots(state, seat) if slot.seat is not None]
    return any(isinstance(before, int) and isinstance(now, int) and now - before == number for before, now in entries)


class Slot(NamedTuple):
    """The entry of a seat in a field of a plugin's part, or all of a field (`seat` is None)."""

    part: type[Part]
    field: str
    seat: int | None

    def read(self, state: State) -> object:
        """The entry in a state, 0 if a table has none."""
        value: object = getattr(state.part(self.part), self.field)
        if self.seat is None:
            return value
        return value.get(self.seat, 0) if is_table(value) else value[self.seat] if is_list(value) else 0

    def write(self, state: State, entry: object) -> None:
        """Put another entry in its place."""
        value: object = getattr(state.part(self.part), self.field)
        if self.seat is not None and is_table(value):
            entry = {**value, self.seat: entry}
        elif self.seat is not None and is_list(value):
            entry = [*value[: self.seat], entry, *value[self.seat + 1 :]]
        setattr(state.part(self.part), self.field, entry)


def _find_slots(state: State, seat: int) -> Iterator[Slot]:
    """The slots of a seat, and those that all share."""
    for kind, name, value in part_values(state):
        is_by_seat = is_list(value) and len(value) == state.players
        for whose in (seat,) if is_by_seat else (seat, None) if is_table(value) else (None,):
            if not is_core(kind):
                yield Slot(kind, name, whose)


def _find_needed(state: State, seat: int, can_pay: Callable[[State], bool]) -> list[tuple[Slot, object]]:
    """The slots without whose entry a seat cannot pay, with another entry with which it cannot."""
    needed: list[tuple[Slot, object]] = []
    for slot in _find_slots(state, seat):
        for other in _list_others(slot.read(state)):
            changed = state.copy()
            slot.write(changed, other)
            with suppress(Exception):  # such a state need not be possible
                if not can_pay(changed):
                    needed.append((slot, other))
    return needed


def _list_others(entry: object) -> list[object]:
    """The reverse of a truth value, no number and a larger one, or nothing in place of several things."""
    if isinstance(entry, bool):
        return [not entry]
    if isinstance(entry, int):
        return [0, entry + MOST_SPENT]
    if is_table(entry):
        return [Counts()] if isinstance(entry, Counts) else [{}, dict.fromkeys(entry, 0)]
    return [(), (0,) * len(entry)] if is_list(entry) else [frozenset()] if is_set(entry) else []


def _is_towards(entry: object, after: object, other: object) -> bool:
    """True if an entry has moved in the direction of another one, of which there is less or more."""
    if isinstance(entry, bool):
        return after != entry
    if isinstance(entry, int):
        return isinstance(after, int) and isinstance(other, int) and (after - entry) * (other - entry) > 0
    return _amount(after) < _amount(entry)


def _count(entry: object, kind: str, field: str) -> int:
    """The number of things of a kind in an entry that lists or counts them by kind, or in a field of the kind's name."""
    if is_list(entry):
        return [*entry].count(kind)
    number: object = entry.get(kind) if is_table(entry) else entry if field.rstrip("s") == kind.rstrip("s") else 0
    return number if isinstance(number, int) else 0


def _amount(value: object) -> int:
    """A measure of how much is in a value: its numbers, and how many items there are. Larger if there is more of anything."""
    if isinstance(value, int):
        return int(value)
    size = len(value) if is_list(value) or is_table(value) or is_set(value) else 0
    return size + sum(_amount(member) for _, member in members(value))
