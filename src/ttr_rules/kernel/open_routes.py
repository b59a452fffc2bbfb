"""Which routes a seat may still claim, however it pays (C3, C5, C6): as a mask, and by the reason that closes one."""

from __future__ import annotations

from ttr_rules.kernel.state import FREE, State
from ttr_rules.model.network import numbers


def open_routes(state: State, seat: int) -> int:
    """The mask of the routes that nobody has claimed, that C5 and C6 leave open, and for which the seat has the cars.

    `State.open` holds the same; the effects of claims keep it up to date.
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
    """The rule that closes an unclaimed route to a seat, and the claimed route of the same double; None if none does."""
    for twin in numbers(state.rules.network.twins[route]):
        if state.owner[twin] == seat or state.shares(seat, twin):
            return "C5", twin
        if state.owner[twin] != FREE and with_one_half(state):
            return "C6", twin
    return None


def with_one_half(state: State) -> bool:
    """Whether the players are so few that one half of a double closes the other to everybody (C6)."""
    return state.players < state.rules.components.doubles_from
