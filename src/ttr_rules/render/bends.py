"""Which routes are bent, and how far, so that they do not run over cities or over each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot

from attrs import field, frozen

from ttr_rules.model.board import Board, Route
from ttr_rules.render.places import Places, Point
from ttr_rules.render.ways import CITY, NEAR, PITCH, WIDE, way

#: The bends that are tried, as fractions of the distance between the cities, gentle ones first.
_BENDS = (0.0, 0.05, -0.05, 0.1, -0.1, 0.15, -0.15, 0.2, -0.2, 0.26, -0.26, 0.32, -0.32)
#: How many times all routes are reconsidered, and how far apart the points are at which they are compared.
_ROUNDS, _STEP = 4, 10.0
#: Around a city where two routes meet they cannot keep apart.
_MEETING = 24.0
#: A space shorter than this has no room for what stands on it.
_SHORT = 17.0
_CELL = 56.0


@frozen
class Bundle:
    """The routes between the same two cities, side by side."""

    routes: tuple[Route, ...]
    #: Their cities, in the order of the first route.
    cities: tuple[str, str]
    #: How far the outermost route reaches from the middle line.
    half: float

    def beside(self, number: int) -> float:
        """How far a route of the bundle is shifted from the middle line, in its own direction."""
        shift = (number - (len(self.routes) - 1) / 2) * PITCH
        return shift if self.routes[number].cities == self.cities else -shift


def bundles(board: Board) -> tuple[Bundle, ...]:
    """The routes of a board, those between the same two cities together."""
    found: dict[frozenset[str], list[Route]] = {}
    for route in board.routes.values():
        found.setdefault(frozenset(route.cities), []).append(route)
    return tuple(Bundle(tuple(each), each[0].cities, WIDE / 2 + PITCH * (len(each) - 1) / 2) for each in found.values())


@frozen
class Ground:
    """What lies where, in squares: points of ways, each with how far its way reaches from there and whose it is."""

    cells: dict[tuple[int, int], list[tuple[float, float, float, int]]] = field(
        factory=dict[tuple[int, int], list[tuple[float, float, float, int]]]
    )

    def put(self, points: Iterable[Point], reach: float, whose: int) -> None:
        """Add points."""
        for x, y in points:
            self.cells.setdefault((int(x // _CELL), int(y // _CELL)), []).append((x, y, reach, whose))

    def take(self, points: Iterable[Point], whose: int) -> None:
        """Remove the points of one way."""
        for key in {(int(x // _CELL), int(y // _CELL)) for x, y in points}:
            self.cells[key] = [each for each in self.cells[key] if each[3] != whose]

    def near(self, x: float, y: float) -> Iterable[tuple[float, float, float, int]]:
        """The points in the squares around a place."""
        column, row = int(x // _CELL), int(y // _CELL)
        for across in (column - 1, column, column + 1):
            for down in (row - 1, row, row + 1):
                yield from self.cells.get((across, down), ())


def bends(board: Board, places: Places) -> dict[int, float]:
    """The bend of each bundle, by its number: 0 is straight. Each in turn takes the one with which it is least in the way."""
    every = bundles(board)
    chosen = dict.fromkeys(range(len(every)), 0.0)
    lines = {number: _line(bundle, places, 0.0) for number, bundle in enumerate(every)}
    ground = Ground()
    for number, bundle in enumerate(every):
        ground.put(lines[number], bundle.half, number)
    for _ in range(_ROUNDS):
        changed = False
        for number, bundle in enumerate(every):
            ground.take(lines[number], number)
            best, line = chosen[number], lines[number]
            least = _trouble(bundle, line, best, every, ground, places)
            if least > abs(best):
                for bend in _BENDS:
                    other = _line(bundle, places, bend)
                    trouble = _trouble(bundle, other, bend, every, ground, places)
                    if trouble < least - 1e-9:
                        best, line, least = bend, other, trouble
            changed = changed or best != chosen[number]
            chosen[number], lines[number] = best, line
            ground.put(line, bundle.half, number)
        if not changed:
            break
    return chosen


def _line(bundle: Bundle, places: Places, bend: float) -> list[Point]:
    """Points along the middle line of a bundle, without its ends."""
    start, end = (places.cities[city] for city in bundle.cities)
    points = way(start, end, bend, 0.0, 1).points
    found: list[Point] = []
    for (x, y), (next_x, next_y) in pairwise(points):
        pieces = max(1, round(hypot(next_x - x, next_y - y) / _STEP))
        found += [(x + (next_x - x) * each / pieces, y + (next_y - y) * each / pieces) for each in range(pieces)]
    return found[1:]


def _trouble(
    bundle: Bundle, line: Sequence[Point], bend: float, every: Sequence[Bundle], ground: Ground, places: Places
) -> float:
    """How much a way is in the way of others: 0 if it touches nothing, is straight, and is long enough."""
    if not line:  # the cities touch
        return 0.0
    own = {city: places.cities[city] for city in bundle.cities}
    found = 9 * bend * bend + abs(bend)
    length = _STEP * (len(line) + 1)
    step = (length - 2 * NEAR) / max(route.length for route in bundle.routes)
    found += max(0.0, _SHORT - step) * 0.5
    half = bundle.half + 2
    for x, y in line:
        for other_x, other_y, reach, whose in ground.near(x, y):
            room = half + reach
            if abs(x - other_x) < room and (far := hypot(x - other_x, y - other_y)) < room:
                shared = [own[city] for city in every[whose].cities if city in own]
                if not any(hypot(x - city_x, y - city_y) < _MEETING + bundle.half for city_x, city_y in shared):
                    found += (room - far) / room * 0.5
    reach = half + CITY + 2
    left, right = min(x for x, _ in line) - reach, max(x for x, _ in line) + reach
    top, bottom = min(y for _, y in line) - reach, max(y for _, y in line) + reach
    for city, (city_x, city_y) in places.cities.items():
        if left < city_x < right and top < city_y < bottom and city not in own:
            over = reach - min(hypot(x - city_x, y - city_y) for x, y in line)
            found += max(0.0, over * 0.6)
    return found
