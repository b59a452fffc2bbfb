"""Which routes a seat may still claim, regardless of payment (C3, C5, C6): as a mask, and why one is closed."""

from __future__ import annotations

from ttr_rules.kernel.state import FREE, State
from ttr_rules.model.network import numbers


def open_routes(state: State, seat: int) -> int:
    """The mask of the routes that are unclaimed, left open by C5 and C6, and for which the seat has enough cars.

    `State.open` holds the same mask; the effects of claims keep it up to date.
    """
    network = state.rules.network
    closed = 0
    for route, owner in enumerate(state.owner):
        if owner != FREE:
            closed |= network.bits[route]
            if owner == seat or state.shares(seat, route) or with_one_half(state):
                closed |= network.twins[route]
    return network.within(state.cars[seat]) & ~closed


def closed_by_twin(state: State, seat: int, route: int) -> tuple[str, int] | None:
    """The rule that closes an unclaimed route to a seat, and the claimed route of its double; None if open."""
    for twin in numbers(state.rules.network.twins[route]):
        if state.owner[twin] == seat or state.shares(seat, twin):
            return "C5", twin
        if state.owner[twin] != FREE and with_one_half(state):
            return "C6", twin
    return None


def with_one_half(state: State) -> bool:
    """Whether there are so few players that claiming one half of a double closes the other (C6)."""
    return state.players < state.rules.components.doubles_from
