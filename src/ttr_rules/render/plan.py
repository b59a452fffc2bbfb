"""Where everything on the picture of a board is: cities, the ways of routes, labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias
from weakref import WeakKeyDictionary

from attrs import field, frozen

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules.model.board import Board
from ttr_rules.render.bends import bends, bundles
from ttr_rules.render.labels import Box, Label, place_labels
from ttr_rules.render.places import Places, places_of
from ttr_rules.render.ways import CITY, WIDE, Way, way

#: The margin around everything.
EDGE = 12.0
NOTHING: Mapping[str, str] = FrozenMap[str, str]()
#: How many plans of a board are kept, for different texts.
_KEPT = 4


@frozen
class Plan:
    """The plan of a board's picture, always the same for the same board."""

    places: Places
    ways: Mapping[str, Way]
    labels: Mapping[str, Label]
    frame: Box


#: What stands at cities: the notes, and the names that are not the printed ones.
Texts: TypeAlias = tuple[Mapping[str, str], Mapping[str, str]]


@frozen
class _Drawn:
    """What was planned for a board: cities and ways, and its last plans by notes and names."""

    places: Places
    ways: Mapping[str, Way]
    plans: dict[Texts, Plan] = field(factory=dict[tuple[Mapping[str, str], Mapping[str, str]], Plan])


_drawn: WeakKeyDictionary[Board, _Drawn] = WeakKeyDictionary()


def plan_of(board: Board, notes: Mapping[str, str] = NOTHING, names: Mapping[str, str] = NOTHING) -> Plan:
    """The plan of a board, with notes at cities, and names other than the printed ones: made once, then kept as long as the board.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> plan = plan_of(board)
    >>> [len(plan.ways[id].spaces) for id in ("brest-dieppe-orange", "petrograd-stockholm-gray")], plan is plan_of(board)
    ([2, 8], True)
    """
    drawn = _drawn.get(board)
    if drawn is None:
        places = places_of(board)
        drawn = _drawn[board] = _Drawn(places, _ways(board, places))
    key = FrozenMap(notes), FrozenMap(names)
    found = drawn.plans.get(key)
    if found is None:
        labels = place_labels(board, drawn.places, drawn.ways, notes, names)
        frame = _frame(drawn.places, drawn.ways.values(), labels.values())
        found = Plan(drawn.places, drawn.ways, labels, frame)
        for oldest in list(drawn.plans)[: len(drawn.plans) - _KEPT + 1]:
            drawn.plans.pop(oldest, None)
        drawn.plans[key] = found
    return found


def _ways(board: Board, places: Places) -> dict[str, Way]:
    """The ways of all routes, in the order of the board."""
    found: dict[str, Way] = {}
    bent = bends(board, places)
    for number, bundle in enumerate(bundles(board)):
        for place, route in enumerate(bundle.routes):
            start, end = (places.cities[city] for city in route.cities)
            bend = bent[number] if route.cities == bundle.cities else -bent[number]
            found[route.id] = way(start, end, bend, bundle.beside(place), route.length)
    return {id: found[id] for id in board.routes}


def _frame(places: Places, ways: Iterable[Way], labels: Iterable[Label]) -> Box:
    """What holds everything that is drawn, with a margin."""
    boxes = [label.box for label in labels]
    boxes += [Box(x - CITY, y - CITY, 2 * CITY, 2 * CITY) for x, y in places.cities.values()]
    boxes += [Box(x - WIDE, y - WIDE, 2 * WIDE, 2 * WIDE) for each in ways for x, y in each.points]
    if not boxes:
        return Box(0.0, 0.0, 2 * EDGE, 2 * EDGE)
    left, top = min(each.left for each in boxes) - EDGE, min(each.top for each in boxes) - EDGE
    right, bottom = max(each.left + each.width for each in boxes), max(each.top + each.height for each in boxes)
    return Box(left, top, right + EDGE - left, bottom + EDGE - top)
