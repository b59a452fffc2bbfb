"""Which routes a seat may still claim, regardless of payment (C3, C5, C6): each, how many of a class, and why one is closed.

`Rules.closing_claims` says which claims close the rest of their double; everything here follows from it.
"""

from __future__ import annotations

from ttr_rules._internal.native import i64
from ttr_rules.kernel.state import FREE, State
from ttr_rules.model.network import numbers


def open_routes(state: State) -> list[int]:
    """For each seat the mask of the routes that are unclaimed, left open by C5 and C6, and for which it has enough cars.

    `State.can_claim` and `State.open_count` say the same; claims keep them up to date.
    """
    network = state.rules.network
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


def recount(state: State, seat: i64) -> None:
    """Find out anew which routes are open to a seat."""
    mask = open_routes(state)[seat]
    found = [mask >> route & 1 == 1 for route in range(len(state.owner))]
    state.can_claim[seat] = found
    state.open_count[seat] = [
        sum([1 for route in routes if found[route]]) for routes in state.rules.network.class_routes
    ]


def route_claimed(state: State, seat: i64, route: i64, points: i64) -> None:
    """The effect of `RouteClaimed`: the route has an owner, its cars and points are counted, routes are closed."""
    rules = state.rules
    network = rules.network
    seats = state.players
    state.owner[route] = seat
    score: i64 = state.scores[seat]
    state.scores[seat] = score + points
    _close_to_all(state, route)
    for twin in network.twin_routes[route]:
        if seats < rules.doubles_from:
            _close_to_all(state, twin)
        else:
            _close(state, seat, twin)
    before: i64 = state.cars[seat]
    taken: i64 = network.cars[route]
    left = before - taken
    state.cars[seat] = left
    if left < network.longest:
        close_long(state, seat, before)


def close_long(state: State, seat: i64, before: i64) -> None:
    """Close the routes for which a seat no longer has the cars (C3); it had so many before."""
    cars: i64 = state.cars[seat] + 1
    if cars < 0:  # a table to score may say so
        cars = 0
    while cars <= before and cars < len(state.rules.network.routes_by_cars):
        for route in state.rules.network.routes_by_cars[cars]:
            _close(state, seat, route)
        cars += 1


def _close_to_all(state: State, route: i64) -> None:
    """Close a route to all seats."""
    seat: i64 = 0
    while seat < state.players:
        _close(state, seat, route)
        seat += 1


def _close(state: State, seat: i64, route: i64) -> None:
    """Close a route to a seat."""
    can = state.can_claim[seat]
    if can[route]:
        can[route] = False
        counts = state.open_count[seat]
        kind: i64 = state.rules.network.class_of[route]
        here: i64 = counts[kind]
        counts[kind] = here - 1


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
