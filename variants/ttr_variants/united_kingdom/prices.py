"""What can be paid for: routes that others hold too, the next claim, and actions with all their payments (U9, U16, U22)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from typing import TypeVar, cast

from ttr_rules import Action, Counts, State
from ttr_rules.model import Cost
from ttr_rules.plugins import FREE, Economy, LazyActions, economy_of, tables_of

from .cards import BritishCards
from .technologies import RIGHT_OF_WAY

A = TypeVar("A", bound=Action)


def british(economy: Economy) -> BritishCards:
    """The cards of this map, whatever layers lie on them."""
    return economy_of(economy, BritishCards)


# -- what is claimed next --------------------------------------------------------------------------------------


def shareable(state: State, seat: int) -> int:
    """The mask of the routes that others hold and a seat could claim beside them, if it can pay (U16, UR8)."""
    network = state.rules.network
    own = network.mask(state.routes_of(seat))
    found = 0
    for route, owner in enumerate(state.owner):
        taken = owner != FREE and not (own >> route & 1) and not network.twins[route] & own
        if taken and network.cars[route] <= state.cars[seat]:
            found |= network.bits[route]
    return _allowed(state, seat, found)


def _allowed(state: State, seat: int, routes: int) -> int:
    """Of some routes those that no condition closes to a seat."""
    for condition in tables_of(state).claim_conditions:
        routes &= ~condition.mask(state, seat, routes)
    return routes


def cost_of(state: State, seat: int, route: str) -> Cost:
    """What a route costs a seat now."""
    cost = Cost.of_route(state.rules.board.routes[route])
    return reduce(lambda cost, each: each.change(state, seat, cost), tables_of(state).cost_changes, cost)


def next_costs(state: State, seat: int, technology: str) -> Collection[Cost]:
    """What could be paid for with a claim that a technology used up at once demands."""
    network = state.rules.network
    shared = technology == RIGHT_OF_WAY
    routes = shareable(state, seat) if shared else _allowed(state, seat, state.open[seat])
    ids = [id for number, id in enumerate(network.route_ids) if routes >> number & 1]
    return dict.fromkeys(cost_of(state, seat, id) for id in ids)


# -- actions that pay for something ----------------------------------------------------------------------------


class Paid(LazyActions[A]):
    """Actions of one type that differ in what is bought and how it is paid for: each thing with all its payments."""

    __slots__ = ("_kind", "_seat", "_things")

    def __init__(self, kind: type[A], seat: int, things: Sequence[tuple[str, Sequence[Counts]]]) -> None:
        self._kind = kind
        self._seat = seat
        self._things = [(thing, payments) for thing, payments in things if len(payments)]
        super().__init__(sum([len(payments) for _, payments in self._things]))

    def nth(self, index: int) -> A:
        for thing, payments in self._things:
            if index < len(payments):
                return self._made(thing, payments[index])
            index -= len(payments)
        raise IndexError("no such action")

    def __iter__(self) -> Iterator[A]:
        return (self._made(thing, payment) for thing, payments in self._things for payment in payments)

    def sample(self, most: int = 100) -> Iterator[A]:
        return (self._made(thing, payment) for thing, payments in self._things for payment in payments[:most])

    def purchases(self) -> Iterator[tuple[A, Sequence[Counts]]]:
        for thing, payments in self._things:
            yield self._made(thing, payments[0]), payments

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self) and self._alike() == cast("Paid[Action]", other)._alike():
            return True  # quick: no action is made
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _alike(self) -> object:
        return self._kind, self._seat, self._things

    def _made(self, thing: str, payment: Counts) -> A:
        return self._kind(self._seat, thing, payment)  # type: ignore[call-arg]
