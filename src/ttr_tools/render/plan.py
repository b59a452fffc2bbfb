"""Where everything on the picture of a board is: cities, the ways of routes, labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias
from weakref import WeakKeyDictionary

from attrs import field, frozen

from ttr_rules.clients import BoardLayout, CityLayout, RouteLayout, SpaceLayout
from ttr_rules.model import Board
from ttr_rules.sequences import FrozenMap
from ttr_tools.render.bends import bends, bundle_way, bundles, near_ends
from ttr_tools.render.labels import place_labels
from ttr_tools.render.names import Box, Label
from ttr_tools.render.places import Places, places_of
from ttr_tools.render.ways import CITY, WIDE, Way

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


def lay_out(board: Board) -> BoardLayout:
    """The geometry of a board for clients that draw it themselves: its cities, and the line and spaces of each route.

    The coordinates are those of `draw_board`, to a tenth.

    >>> from ttr_maps import load
    >>> layout = lay_out(load("europe"))
    >>> layout.routes[0].id, len(layout.routes[0].lines[0]), len(layout.routes[0].spaces)
    ('amsterdam-bruxelles-black', 3, 1)
    """
    plan = plan_of(board)
    frame = plan.frame
    return BoardLayout(
        left=round(frame.left, 1),
        top=round(frame.top, 1),
        width=round(frame.width, 1),
        height=round(frame.height, 1),
        space_width=WIDE,
        cities=tuple([CityLayout(id, round(x, 1), round(y, 1)) for id, (x, y) in plan.places.cities.items()]),
        routes=tuple([_route_layout(id, each) for id, each in plan.ways.items()]),
    )


def _route_layout(id: str, way: Way) -> RouteLayout:
    spaces = [
        SpaceLayout(round(each.x, 1), round(each.y, 1), round(each.length, 1), round(each.angle, 1))
        for each in way.spaces
    ]
    lines = tuple([tuple([(round(x, 1), round(y, 1)) for x, y in line]) for line in way.lines])
    return RouteLayout(id, lines, tuple(spaces))


def _ways(board: Board, places: Places) -> dict[str, Way]:
    """The ways of all routes, in the order of the board."""
    found: dict[str, Way] = {}
    every = bundles(board)
    bent = bends(every, places)
    near = near_ends(every, bent, places)
    for number, bundle in enumerate(every):
        for place, route in enumerate(bundle.routes):
            found[route.id] = bundle_way(bundle, place, places, bent[number], near[number])
    return {id: found[id] for id in board.routes}


def _frame(places: Places, ways: Iterable[Way], labels: Iterable[Label]) -> Box:
    """What holds everything that is drawn, with a margin."""
    boxes = [label.box for label in labels]
    boxes += [Box(x - CITY, y - CITY, 2 * CITY, 2 * CITY) for x, y in places.cities.values()]
    boxes += [Box(x - WIDE, y - WIDE, 2 * WIDE, 2 * WIDE) for each in ways for line in each.lines for x, y in line]
    if not boxes:
        return Box(0.0, 0.0, 2 * EDGE, 2 * EDGE)
    left, top = min(each.left for each in boxes) - EDGE, min(each.top for each in boxes) - EDGE
    right, bottom = max(each.left + each.width for each in boxes), max(each.top + each.height for each in boxes)
    if places.edges is not None:  # a map that wraps round ends at its edges
        left, right = places.edges[0], places.edges[1] - EDGE
    return Box(left, top, right + EDGE - left, bottom + EDGE - top)
