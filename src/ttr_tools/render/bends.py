"""Which routes are bent, and how far, so that they do not run over cities or over each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations, pairwise
from math import atan2, cos, hypot, inf, pi, sin

from attrs import field, frozen

from ttr_rules.model import Board, Route
from ttr_tools.render.places import Places, Point
from ttr_tools.render.ways import CITY, NEAR, PITCH, WIDE, Way, lines_across, middle_line, way, way_across

#: The bends that are tried, as fractions of the distance between the cities, gentle ones first.
_BENDS = (0.0, 0.05, -0.05, 0.1, -0.1, 0.15, -0.15, 0.2, -0.2, 0.26, -0.26, 0.32, -0.32)
#: How many times all routes are reconsidered, and how far apart the points are at which they are compared.
_ROUNDS, _STEP = 4, 10.0
#: Around a city where two routes meet they cannot keep apart.
_MEETING = 24.0
#: A space shorter than this has no room for what stands on it.
_SHORT = 17.0
#: To keep away from other routes no space is made shorter than this, nor than this part of its length.
_ROOMY, _KEPT = 24.0, 0.6
#: How far from a city the direction is measured in which a route leaves it.
_LEAVING = 20.0
_CELL = 56.0


@frozen
class Bundle:
    """The routes between the same two cities, side by side."""

    routes: tuple[Route, ...]
    #: Their cities, in the order of the first route.
    cities: tuple[str, str]
    #: How far the outermost route reaches from the middle line.
    half: float

    @property
    def longest(self) -> int:
        """The number of spaces of its longest route."""
        return max(route.length for route in self.routes)

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


def bends(every: Sequence[Bundle], places: Places) -> dict[int, float]:
    """The bend of each bundle, by its number: 0 is straight. Each in turn takes the one with which it is least in the way."""
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
            if least > abs(best) and not places.crosses(bundle.cities):
                for bend in _BENDS:
                    other = _line(bundle, places, bend)
                    trouble = _trouble(bundle, other, bend, every, ground, places, least)
                    if trouble < least - 1e-9:
                        best, line, least = bend, other, trouble
            changed = changed or best != chosen[number]
            chosen[number], lines[number] = best, line
            ground.put(line, bundle.half, number)
        if not changed:
            break
    return chosen


@frozen
class _End:
    """Where a bundle leaves a city: its number, which of its ends it is, and in which direction it leaves."""

    number: int
    end: int
    angle: float


def near_ends(every: Sequence[Bundle], bent: Mapping[int, float], places: Places) -> list[list[float]]:
    """How far from its two cities the spaces of each bundle begin: far enough not to lie on those of others.

    Of two bundles that leave a city in almost the same direction, the one with more room for its spaces keeps away.
    """
    near = [[NEAR, NEAR] for _ in every]
    lengths: list[float] = []
    leaving: dict[str, list[_End]] = {}
    for number, bundle in enumerate(every):
        lines = _lines(bundle, places, bent[number])
        lengths.append(sum(hypot(x - to_x, y - to_y) for line in lines for (x, y), (to_x, to_y) in pairwise(line)))
        for end, city in enumerate(bundle.cities):
            line = lines[-1][::-1] if end else lines[0]
            x, y = line[0]
            to_x, to_y = next((each for each in line if hypot(each[0] - x, each[1] - y) > _LEAVING), line[-1])
            leaving.setdefault(city, []).append(_End(number, end, atan2(to_y - y, to_x - x)))
    least = [
        max(_ROOMY, _KEPT * (length - 2 * NEAR) / bundle.longest) for bundle, length in zip(every, lengths, strict=True)
    ]
    for _ in range(2):
        for one, two in chain.from_iterable(combinations(ends, 2) for ends in leaving.values()):
            angle = abs((one.angle - two.angle + pi) % (2 * pi) - pi)
            halves = every[one.number].half + 1, every[two.number].half + 1
            starts = near[one.number][one.end], near[two.number][two.end]
            if angle < 0.05 or sum(map(atan2, halves, starts)) <= angle:
                continue
            # Each of them alone could begin where it is clear of the whole length of the other.
            clear = [(halves[1 - each] + halves[each] * cos(angle)) / sin(angle) for each in (0, 1)]
            if starts[0] >= clear[0] or starts[1] >= clear[1]:
                continue
            steps = [
                (lengths[each.number] - far - near[each.number][1 - each.end]) / every[each.number].longest
                for each, far in zip((one, two), clear, strict=True)
            ]
            shares = [step / least[each.number] for each, step in zip((one, two), steps, strict=True)]
            place = 0 if shares[0] >= shares[1] else 1
            away, far = (one, two)[place], clear[place]
            far -= max(0.0, least[away.number] - steps[place]) * every[away.number].longest
            near[away.number][away.end] = max(near[away.number][away.end], far)
    return near


def bundle_way(bundle: Bundle, number: int, places: Places, bend: float, near: Sequence[float]) -> Way:
    """The way of one of the routes of a bundle."""
    route = bundle.routes[number]
    start, end = (places.cities[city] for city in route.cities)
    first, last = near
    if route.cities != bundle.cities:
        bend, first, last = -bend, last, first
    if places.edges is not None and places.crosses(route.cities):
        return way_across(start, end, places.edges, bundle.beside(number), route.length, (first, last))
    return way(start, end, bend, bundle.beside(number), route.length, (first, last))


def _lines(bundle: Bundle, places: Places, bend: float) -> tuple[list[Point], ...]:
    """The middle line of a bundle, or its parts on both sides of the map."""
    start, end = (places.cities[city] for city in bundle.cities)
    if places.edges is not None and places.crosses(bundle.cities):
        return lines_across(start, end, places.edges)
    return (middle_line(start, end, bend),)


def _line(bundle: Bundle, places: Places, bend: float) -> list[Point]:
    """Points along the middle line of a bundle, without its ends."""
    found: list[Point] = []
    for (x, y), (next_x, next_y) in chain.from_iterable(map(pairwise, _lines(bundle, places, bend))):
        pieces = max(1, round(hypot(next_x - x, next_y - y) / _STEP))
        found += [(x + (next_x - x) * each / pieces, y + (next_y - y) * each / pieces) for each in range(pieces)]
    return found[1:]


def _trouble(
    bundle: Bundle,
    line: Sequence[Point],
    bend: float,
    every: Sequence[Bundle],
    ground: Ground,
    places: Places,
    limit: float = inf,
) -> float:
    """How much a way is in the way of others: 0 if it touches nothing, is straight, and is long enough.

    Above the limit, any number that is above it too.
    """
    if not line:  # the cities touch
        return 0.0
    own = {city: places.cities[city] for city in bundle.cities}
    found = 9 * bend * bend + abs(bend)
    length = _STEP * (len(line) + 1)
    step = (length - 2 * NEAR) / bundle.longest
    found += max(0.0, _SHORT - step) * 0.5
    half = bundle.half + 2
    for x, y in line:
        if found > limit:
            return found
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
