"""Changes and their events in one: each function makes a change, and notes its event if somebody keeps the events.

They are for the most frequent events, and take numbers. A replay calls the same functions. All other events are emitted
with `Transaction.emit`, which does the same for any event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from ttr_rules._internal.native import i64
from ttr_rules.kernel.events import DecisionOpened, Event, RouteClaimed, TurnBegun, TurnEnded, begin_parts
from ttr_rules.kernel.state import State, close_long, close_route, use_pieces
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.decisions import Decision

E = TypeVar("E", bound=Event)


def replays(kind: type[E], change: Callable[..., None]) -> type[E]:
    """Say which function replays events of a kind: it takes a transaction, and the fields in order. Returns the kind."""

    def effect(state: State, *values: object) -> None:
        change(Transaction(state), *values)

    type.__setattr__(kind, "effect", staticmethod(effect))
    return kind


def set_turn(tx: Transaction, seat: i64) -> None:
    """`TurnBegun`: it is the turn of a seat, which chooses an action."""
    state, rules = tx.state, tx.rules
    state.turn = seat
    state.turn_number += 1
    state.opened = rules.turn_of[seat]
    state.actor = seat
    state.asked = rules.turn_asked
    if rules.parts_per_turn:
        begin_parts(state)
    if tx.log is not None:
        tx.note(TURN_BEGUN, rules.alone[seat])


def count_turn(tx: Transaction, seat: i64, passed: bool) -> None:
    """`TurnEnded`: passes and the turns that are left are counted."""
    state = tx.state
    state.passes = state.passes + 1 if passed else 0
    state.passed = False
    if state.turns_left:
        state.turns_left -= 1
    if tx.log is not None:
        tx.note(TURN_ENDED, (seat, passed))


def open_decision(tx: Transaction, seat: i64, asked: i64, pending: tuple[Decision, ...]) -> None:
    """`DecisionOpened`: one seat decides. `asked` is the number of the type of its decision, which stands alone in a tuple."""
    state = tx.state
    state.opened = pending
    state.actor = seat
    state.asked = asked
    if tx.log is not None:
        tx.note(DECISION_OPENED, pending)


def _open(tx: Transaction, decision: Decision) -> None:
    tx.state.pending = (decision,)


def take_route(tx: Transaction, seat: i64, route: i64, points: i64) -> None:
    """`RouteClaimed`: the route has an owner, its cars and points are counted, routes are closed (C3, C5, C6)."""
    state, rules = tx.state, tx.rules
    network = rules.network
    state.owner[route] = seat
    score: i64 = state.scores[seat]
    state.scores[seat] = score + points
    close_route(state, seat, route)
    before: i64 = state.cars[seat]
    taken: i64 = network.cars[route]
    left = before - taken
    state.cars[seat] = left
    if left < network.longest:
        close_long(state, seat, before)
    if rules.fleet_of:
        use_pieces(state, seat, route)
    if tx.log is not None:
        tx.note(ROUTE_CLAIMED, (seat, network.route_ids[route], points))


def _claim(tx: Transaction, seat: int, route: str, points: int) -> None:
    take_route(tx, seat, tx.rules.network.route_number[route], points)


# Final names are found at once in compiled code.
TURN_BEGUN: Final = replays(TurnBegun, set_turn)
TURN_ENDED: Final = replays(TurnEnded, count_turn)
DECISION_OPENED: Final = replays(DecisionOpened, _open)
ROUTE_CLAIMED: Final = replays(RouteClaimed, _claim)
