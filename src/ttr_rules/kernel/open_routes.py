"""Which routes a seat may still claim, regardless of payment (C3, C5, C6): as a mask, and why one is closed.

`GameData.closing_claims` says which claims close the rest of their double; everything here follows from it.
"""

from __future__ import annotations

from ttr_rules.kernel.state import FREE, State
from ttr_rules.model.network import numbers


def open_routes(state: State) -> list[int]:
    """For each seat the mask of the routes that are unclaimed, left open by C5 and C6, and for which it has enough cars.

    `State.open` holds the same masks; the effects of claims keep them up to date.
    """
    network = state.course.network
    own: list[int] = [0] * state.players
    taken = 0
    for route, owner in enumerate(state.owner):
        if owner != FREE:
            taken |= network.bits[route]
            own[owner] |= network.bits[route]
    for route, seats in state.shared.items():
        for seat in seats:
            own[seat] |= network.bits[route]
    found: list[int] = []
    for seat, cars in enumerate(state.cars):
        closing = state.rules.closing_claims(state.players, own[seat], taken)
        found.append(network.within(cars) & ~taken & ~network.beside(closing))
    return found


def route_claimed(state: State, seat: int, route: int, points: int) -> None:
    """The effect of `RouteClaimed`: the route has an owner, its cars and points are counted, routes are closed."""
    state.owner[route] = seat
    state.cars[seat] -= state.course.network.cars[route]
    state.scores[seat] += points
    close_claimed(state, seat, route)


def close_claimed(state: State, seat: int, route: int) -> None:
    """Keep `State.open` up to date when a seat, whose cars are counted already, claims a route."""
    network = state.course.network
    bit = network.bits[route]
    twins = network.twins[route]
    if twins:
        state.open[seat] &= ~twins
        bit |= network.beside(state.rules.closing_claims(state.players, 0, bit))
    still = ~bit
    state.open = [mask & still for mask in state.open]
    if state.cars[seat] < network.longest:
        state.open[seat] &= network.within(state.cars[seat])


def closed_by_twin(state: State, seat: int, route: int) -> tuple[str, int] | None:
    """The rule that closes an unclaimed route to a seat, and the claimed route of its double; None if open."""
    network = state.rules.network
    twins = [twin for twin in numbers(network.twins[route]) if state.owner[twin] != FREE]
    own = network.mask([twin for twin in twins if state.owner[twin] == seat or state.shares(seat, twin)])
    closing = state.rules.closing_claims(state.players, own, network.mask(twins))
    for rule, closed_by in (("C5", own), ("C6", closing)):
        if closed_by:
            # survives -1: of a triple, any route that is claimed may be named
            return rule, numbers(closed_by)[0]
    return None
