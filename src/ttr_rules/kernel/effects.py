"""The most frequent changes of a state: each function makes one and, if there is a log, records its event.

They take numbers where events have ids, and count the change in `State.version`. A replay calls the same functions, or the
method of `State` that they call. All other events go through `Transaction.emit`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from ttr_rules._internal.native import i64
from ttr_rules.errors import PluginError
from ttr_rules.kernel.events import (
    DecisionOpened,
    Event,
    RouteClaimed,
    TicketsDrawn,
    TicketsKept,
    TicketsReturned,
    TunnelEntered,
    TurnBegun,
    TurnEnded,
    begin_parts,
)
from ttr_rules.kernel.state import FREE, State, close_long, close_route, use_pieces
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.decisions import Decision, TunnelDue

E = TypeVar("E", bound=Event)


def replay_with(kind: type[E], change: Callable[..., None]) -> type[E]:
    """Replay events of a type by calling `change` with a transaction and the fields in order. Returns the type."""

    def effect(state: State, *values: object) -> None:
        change(Transaction(state), *values)

    type.__setattr__(kind, "effect", staticmethod(effect))
    return kind


def set_turn(tx: Transaction, seat: i64) -> None:
    """`TurnBegun`: give a seat the turn, and let it choose an action."""
    state, rules = tx.state, tx.rules
    state.version += 1
    state.turn = seat
    state.turn_number += 1
    state.seats_to_skip = -1
    state.opened = rules.turn_of[seat]
    state.actor = seat
    state.asked = rules.turn_asked
    if rules.parts_per_turn:
        begin_parts(state)
        tx.changing()  # a part may have asked plugins before another part was reset
    if tx.log is not None:
        tx.note(TURN_BEGUN, rules.alone[seat])


def count_turn(tx: Transaction, seat: i64, passed: bool) -> None:
    """`TurnEnded`: count passes and the turns that are left."""
    state = tx.state
    state.version += 1
    # Seats that are skipped have not passed.
    state.passes = max(state.passes, -1) + 1 if passed and state.seats_to_skip < 1 else 0
    state.passed = False
    if state.turns_left:
        state.turns_left -= 1
    if tx.log is not None:
        tx.note(TURN_ENDED, (seat, passed))


def open_decision(tx: Transaction, seat: i64, asked: i64, fields: tuple[object, ...]) -> None:
    """`DecisionOpened`: let one seat decide, with `asked` and `fields` as in `State.ask_by_fields`."""
    state = tx.state
    state.version += 1
    state.ask_by_fields(seat, asked, fields)
    if tx.log is not None:
        tx.note(DECISION_OPENED, tx.state.pending)


def _open_again(tx: Transaction, decision: Decision) -> None:
    tx.changing().pending = (decision,)


def take_route(tx: Transaction, seat: i64, route: i64, points: i64) -> None:
    """`RouteClaimed`: set the owner, count cars and points, and close routes (C3, C5, C6)."""
    state, rules = tx.state, tx.rules
    state.version += 1
    network = rules.network
    state.owner[route] = seat
    if state.apart is not None:
        state.apart[seat] &= network.apart[route]
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


def _replay_claim(tx: Transaction, seat: int, route: str, points: int) -> None:
    number = tx.rules.network.route_number[route]
    if tx.state.owner[number] != FREE:
        raise PluginError(
            f"a plugin of {tx.rules} claims {route} for seat {seat}: seat {tx.state.owner[number]} owns it"
        )
    take_route(tx, seat, number, points)


def take_tickets(tx: Transaction, seat: i64, tickets: tuple[str, ...]) -> None:
    """`TicketsDrawn`: take tickets off the top of their pile, and let the seat choose from them."""
    tx.changing().tickets_drawn(seat, tickets)
    if tx.log is not None:
        tx.note(TicketsDrawn, (seat, tickets))


def keep_tickets(tx: Transaction, seat: i64, tickets: tuple[str, ...]) -> None:
    """`TicketsKept`: add tickets to those that a seat holds (K1)."""
    tx.changing().hold_tickets(seat, tickets)
    if tx.log is not None:
        tx.note(TicketsKept, (seat, tickets))


def return_tickets(tx: Transaction, pile: str, tickets: tuple[str, ...]) -> None:
    """`TicketsReturned`: put tickets under a pile (K2)."""
    tx.changing().tickets_returned(pile, tickets)
    if tx.log is not None:
        tx.note(TicketsReturned, (pile, tickets))


def enter_tunnel(tx: Transaction, seat: i64, due: tuple[object, ...]) -> None:
    """`TunnelEntered`: let a seat pay what a tunnel costs extra. `due` are the fields of `TunnelDue` after the seat (T4)."""
    tx.changing().ask_by_fields(seat, tx.rules.numbers_of[TunnelDue], due)
    if tx.log is not None:
        tx.note(TUNNEL_ENTERED, (seat, *due))


def _enter_again(tx: Transaction, seat: int, *due: object) -> None:
    enter_tunnel(tx, seat, due)


# Final names are found at once in compiled code.
TURN_BEGUN: Final = replay_with(TurnBegun, set_turn)
TURN_ENDED: Final = replay_with(TurnEnded, count_turn)
DECISION_OPENED: Final = replay_with(DecisionOpened, _open_again)
ROUTE_CLAIMED: Final = replay_with(RouteClaimed, _replay_claim)
TUNNEL_ENTERED: Final = replay_with(TunnelEntered, _enter_again)
