"""Where everything on the picture of a board is: cities, the ways of routes, labels."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

from attrs import frozen

from ttr_rules.model.board import Board, Route
from ttr_rules.render.labels import Label, place_labels
from ttr_rules.render.places import Places, places_of
from ttr_rules.render.ways import PITCH, Way, way

_plans: WeakKeyDictionary[Board, Plan] = WeakKeyDictionary()


@frozen
class Plan:
    """The plan of a board's picture, always the same for the same board."""

    places: Places
    ways: Mapping[str, Way]
    labels: Mapping[str, Label]


def plan_of(board: Board) -> Plan:
    """The plan of a board: made once, then kept as long as the board.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> plan = plan_of(board)
    >>> [len(plan.ways[id].spaces) for id in ("brest-dieppe-orange", "stockholm-petrograd-gray")], plan is plan_of(board)
    ([2, 8], True)
    """
    found = _plans.get(board)
    if found is None:
        places = places_of(board)
        ways = _ways(board, places)
        found = _plans[board] = Plan(places, ways, place_labels(board, places, ways))
    return found


def bundles(board: Board) -> list[tuple[Route, ...]]:
    """The routes of a board, those between the same two cities together."""
    found: dict[frozenset[str], list[Route]] = {}
    for route in board.routes.values():
        found.setdefault(frozenset(route.cities), []).append(route)
    return [tuple(each) for each in found.values()]


def _ways(board: Board, places: Places) -> dict[str, Way]:
    found: dict[str, Way] = {}
    for routes in bundles(board):
        first, second = routes[0].cities
        for number, route in enumerate(routes):
            beside = (number - (len(routes) - 1) / 2) * PITCH
            if route.cities != (first, second):
                beside = -beside
            start, end = (places.cities[city] for city in route.cities)
            found[route.id] = way(start, end, 0.0, beside, route.length)
    return {id: found[id] for id in board.routes}
