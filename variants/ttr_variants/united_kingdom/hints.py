"""Hints for bots about technologies: the tickets that they open, the claims that they make more valuable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from heapq import heappop, heappush

from ttr_rules import DrawTickets, View
from ttr_rules.plugins import ActionValue, BotHint, GameData, Route, RouteValue

from .cards import LOCOMOTIVE
from .purchases import BuyTechnology
from .scores import earned, is_ferry
from .technologies import TECHNOLOGIES, Requirements, Technologies

PER_CARD = 0.3  # what a card is worth, in points
PER_SPACE = 0.5  # the cost of an unclaimed space
PER_ROUTE = 2.5  # roughly how many cars a claim takes
SURE = 0.8  # the share of planned points that is expected to come true
FAR = 1000.0
NEW_TICKETS = 3.0  # what new tickets are worth if there are enough cars
CARS_FOR_TICKETS = 12


def worth(view: View, rules: GameData, action: BuyTechnology) -> float:
    """The value of a technology minus its price, in points."""
    assert view.seat is not None
    owned = view.part(Technologies).owned[view.seat]
    technology = action.technology
    claims = view.cars[view.seat] / PER_ROUTE
    opened, ferries = _paths(rules, view.seat, view.tickets, frozenset(view.owners.items()), owned)
    gain = opened.get(technology, 0.0)
    card = TECHNOLOGIES[technology]
    if card.a_route:
        gain = SURE * card.a_route * claims
    elif card.a_ferry and "propellers" in owned:
        gain = SURE * card.a_ferry * ferries
    return gain - PER_CARD * (action.payment.total + action.payment[LOCOMOTIVE])


@lru_cache(maxsize=64)
def _paths(
    rules: GameData, seat: int, tickets: tuple[str, ...], owners: frozenset[tuple[str, int]], owned: tuple[str, ...]
) -> tuple[Mapping[str, float], int]:
    """The ticket points that each missing technology opens, and the number of ferries on those paths."""
    found: dict[str, float] = {}
    ferries = 0
    weights = _weights(rules, seat, dict(owners), owned)
    needs = rules.derived(Requirements).of
    for id in tickets:
        ticket = rules.tickets[id]
        starts, ends = (rules.board.place(place) for place in ticket.cities)
        way = _way(rules, weights, starts, ends)
        if way is None:
            continue
        ferries += sum(is_ferry(rules, route) for route in way if weights[route])
        lacking = {each for route in way for each in needs[route] if each not in owned}
        spaces = sum(rules.board.routes[route].length for route in way if weights[route])
        gain = 2 * ticket.points - PER_SPACE * spaces  # a failed ticket also costs its points
        price = sum(TECHNOLOGIES[each].price for each in lacking)
        for each in lacking if gain > 0 else ():
            found[each] = found.get(each, 0.0) + SURE * gain * TECHNOLOGIES[each].price / price
    return found, ferries


def _weights(rules: GameData, seat: int, owners: Mapping[str, int], owned: tuple[str, ...]) -> Mapping[str, float]:
    """The cost of getting each route: 0 for the seat's own, else its spaces and the technologies it needs."""
    needs = rules.derived(Requirements).of
    found: dict[str, float] = {}
    for id, route in rules.board.routes.items():
        lacking = [TECHNOLOGIES[each].price for each in needs[id] if each not in owned]
        found[id] = route.length + 2.0 * sum(lacking) + route.ferry_locomotives
        if id in owners:
            found[id] = 0.0 if owners[id] == seat else FAR
    return found


def _way(
    rules: GameData, weights: Mapping[str, float], starts: Iterable[str], ends: Iterable[str]
) -> tuple[str, ...] | None:
    """The routes of the cheapest path between two places; None if others have closed them all."""
    goals = set(ends)
    todo: list[tuple[float, str, tuple[str, ...]]] = [(0.0, city, ()) for city in starts]
    seen: set[str] = set()
    while todo:
        weight, city, way = heappop(todo)
        if city in goals:
            return way if weight < FAR else None
        if city in seen:
            continue
        seen.add(city)
        for id, route in rules.board.routes.items():
            if city in route.cities and route.other_end(city) not in seen:
                heappush(todo, (weight + weights[id], route.other_end(city), (*way, id)))
    return None


def extra(view: View, rules: GameData, route: Route) -> float:
    """The points from the seat's technologies for the claim of a route (U14)."""
    assert view.seat is not None
    return float(sum(points for _, points in earned(rules, view.part(Technologies).owned[view.seat], route.id)))


def more_tickets(view: View, rules: GameData, action: DrawTickets) -> float:
    """Value new tickets only with at most one ticket left to complete, not while tickets wait for a technology."""
    assert view.seat is not None
    owned = view.part(Technologies).owned[view.seat]
    weights = _weights(rules, view.seat, view.owners, owned)
    todo = 0
    for id in view.tickets:
        way = _way(rules, weights, *(rules.board.place(place) for place in rules.tickets[id].cities))
        todo += way is not None and any(weights[route] for route in way)
    if todo > 1:
        return 0.0
    return NEW_TICKETS if view.cars[view.seat] >= CARS_FOR_TICKETS else 0.0


HINTS: tuple[BotHint, ...] = (
    ActionValue(BuyTechnology, worth),
    ActionValue(DrawTickets, more_tickets),
    RouteValue(extra),
)
