"""The geometry of a board's picture: the positions of its cities, and the way and the spaces of each route."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain, combinations, pairwise
from math import atan2, cos, degrees, exp, hypot, inf, log, pi, sin
from statistics import median, pstdev, quantiles

from attrs import field, frozen

from ttr_rules.model import Board, Route

Point = tuple[float, float]


@frozen
class Box:
    """A rectangle by its top left corner."""

    left: float
    top: float
    width: float
    height: float

    def wider(self, across: float, down: float) -> Box:
        """The same with more room on all sides."""
        return Box(self.left - across, self.top - down, self.width + 2 * across, self.height + 2 * down)

    def nearest(self, point: Point) -> Point:
        """The nearest point to another."""
        return (
            min(max(point[0], self.left), self.left + self.width),
            min(max(point[1], self.top), self.top + self.height),
        )

    def far(self, point: Point) -> float:
        """The distance of a point."""
        x, y = self.nearest(point)
        return hypot(point[0] - x, point[1] - y)

    def meets(self, start: Point, end: Point) -> bool:
        """Tell whether a line from one point to another runs through it."""
        first, last = 0.0, 1.0
        for begin, change, low, high in (
            (start[0], end[0] - start[0], self.left, self.left + self.width),
            (start[1], end[1] - start[1], self.top, self.top + self.height),
        ):
            if not change:
                if not low <= begin <= high:
                    return False
                continue
            one, other = sorted(((low - begin) / change, (high - begin) / change))
            first, last = max(first, one), min(last, other)
        return first <= last


# -- cities -----------------------------------------------------------------------------------------------------------


#: The key in `extra` of a board whose left and right edges are the same line.
WRAPS = "wraps"
#: The length of a space on a usual route, and the distance of close neighbors: a quarter of them may be closer.
SPACE, NEIGHBORS = 42.0, 100.0
#: The shift between cities at the same place.
APART = 36.0
#: The longer side of the map is at least and at most this long.
SHORTEST, WIDEST = 720.0, 1300.0


@frozen
class Places:
    """The cities on a picture, each with its position.

    A board gives positions as fractions of a picture, but not its proportions: they are those with which the distances
    between neighbors follow the lengths of routes best. A board without positions is laid out by the same measure.
    """

    cities: Mapping[str, Point]
    #: The left and the right edge of a map that wraps round.
    edges: tuple[float, float] | None = None

    def crosses(self, cities: tuple[str, str]) -> bool:
        """Tell whether the shorter way between two cities leads across the edges of a map that wraps round."""
        if self.edges is None:
            return False
        (x, _), (other_x, _) = (self.cities[city] for city in cities)
        return 2 * abs(x - other_x) > self.edges[1] - self.edges[0]


def place_cities(board: Board) -> Places:
    """The positions of a board's cities.

    >>> from ttr_maps import load
    >>> places = place_cities(load("europe"))
    >>> (x, y), (other_x, other_y) = places.cities["lisboa"], places.cities["moskva"]
    >>> x < other_x, y > other_y
    (True, True)
    """
    positions = {(city.x, city.y) for city in board.cities.values()}
    measured = len(positions) > max(1, len(board.cities) // 2)
    at = {city.id: (city.x, city.y) for city in board.cities.values()} if measured else spread_out(board)
    around = 1.0 if measured and board.extra.get(WRAPS) is True else 0.0
    if measured:
        wide = _proportions(_pairs(board, at, around))
        at = {id: (x * wide, y) for id, (x, y) in at.items()}
        around *= wide
    return _scaled(board, at, around)


def _pairs(board: Board, at: Mapping[str, Point], around: float) -> list[tuple[float, float, int]]:
    """The distances of the cities of each route across and down, and its length, on a map that may be this far around."""
    pairs: list[tuple[float, float, int]] = []
    for route in board.routes.values():
        (x, y), (other_x, other_y) = (at[city] for city in route.cities)
        across = abs(x - other_x)
        pairs.append((min(across, around - across) if 2 * across > around > 0 else across, y - other_y, route.length))
    return pairs


def _ratios(pairs: Iterable[tuple[float, float, int]], wide: float) -> list[float]:
    """The distance for each space, route by route, if the picture were this much wider."""
    return [far / length for across, down, length in pairs if (far := hypot(across * wide, down)) > 0]


def _apart(board: Board, pairs: Iterable[tuple[float, float, int]]) -> list[float]:
    """The distances of neighbors, each from both sides."""
    once = dict(zip((frozenset(route.cities) for route in board.routes.values()), pairs, strict=True))
    return [hypot(across, down) or 1e-6 for across, down, _ in once.values()] * 2


def _proportions(pairs: Sequence[tuple[float, float, int]]) -> float:
    """Width by height: the proportions with which distances follow the lengths of routes best."""

    def error(step: int) -> float:
        return pstdev([log(ratio) for ratio in _ratios(pairs, exp(step / 50))] or [0.0])

    return exp(min(range(-45, 46), key=lambda step: (error(step), abs(step))) / 50)


def _scaled(board: Board, at: Mapping[str, Point], around: float) -> Places:
    """The same positions, as large as spaces need."""
    xs, ys = zip(*at.values(), strict=True) if at else ((0.0,), (0.0,))
    left, top = min(xs), min(ys)
    wide, high = max(xs) - left, max(ys) - top
    pairs = _pairs(board, at, around)
    ratios = _ratios(pairs, 1.0)
    scale = (
        max(SPACE / median(ratios), NEIGHBORS / quantiles(_apart(board, pairs), n=4)[0]) if len(ratios) > 1 else SPACE
    )
    longer = max(wide, high) or 1.0
    scale = min(max(scale, SHORTEST / longer), WIDEST / longer)
    cities = {id: ((x - left) * scale, (y - top) * scale) for id, (x, y) in at.items()}
    return Places(_parted(cities), (-left * scale, (around - left) * scale) if around else None)


def _parted(cities: Mapping[str, Point]) -> dict[str, Point]:
    """The same positions, but cities at the same place next to each other."""
    taken: dict[tuple[int, int], int] = {}
    parted: dict[str, Point] = {}
    for id, (x, y) in cities.items():
        number = taken.get((round(x), round(y)), 0)
        taken[round(x), round(y)] = number + 1
        parted[id] = (x + APART * number, y)
    return parted


# -- cities of boards without positions -------------------------------------------------------------------------------


#: Rounds of improvement; more change nothing visible.
_STRESS_ROUNDS = 120


#: The other ends of the routes of each city, with their lengths.
Links = dict[str, list[tuple[str, int]]]


def spread_out(board: Board) -> dict[str, Point]:
    """A position for each city, always the same for the same board: the layout of least stress that is reached.

    Stress is the sum of squared differences between the distances of cities on the picture and along routes, each in
    proportion to the latter. Starting from a circle, every city moves in turn to where the others want it (SMACOF).

    >>> from ttr_rules.model.board import City, Route
    >>> line = Board("line", "Line", tuple(City(id, id) for id in "abc"),
    ...     (Route("a-b", ("a", "b"), 2), Route("b-c", ("b", "c"), 4)), {2: 2, 4: 7})
    >>> {id: (round(x), round(y)) for id, (x, y) in spread_out(line).items()}
    {'a': (0, 0), 'b': (2, 0), 'c': (6, 0)}
    """
    ids = list(board.cities)
    links: Links = {id: [] for id in ids}
    for route in board.routes.values():
        first, second = route.cities
        links[first].append((second, route.length))
        links[second].append((first, route.length))
    far = {id: _distances(links, id) for id in ids}
    beyond = 1.5 * max((distance for row in far.values() for distance in row.values()), default=1.0)
    radius = beyond / 3
    at = {
        id: (radius * cos(2 * pi * number / len(ids)), radius * sin(2 * pi * number / len(ids)))
        for number, id in enumerate(_in_order(links))
    }
    for _ in range(_STRESS_ROUNDS):
        for id in ids:
            at[id] = _better(id, at, far, beyond)
    return _level(at)


def _better(id: str, at: dict[str, Point], far: dict[str, dict[str, float]], beyond: float) -> Point:
    """The place where the others want a city, each the more the nearer it should be."""
    x, y = at[id]
    sum_x = sum_y = weights = 0.0
    for other, (other_x, other_y) in at.items():
        if other == id:
            continue
        wanted = far[id].get(other, beyond)
        weight = 1 / wanted**2
        now = hypot(x - other_x, y - other_y) or 1e-9
        sum_x += weight * (other_x + wanted * (x - other_x) / now)
        sum_y += weight * (other_y + wanted * (y - other_y) / now)
        weights += weight
    return (sum_x / weights, sum_y / weights) if weights else (x, y)


def _distances(links: Links, start: str) -> dict[str, float]:
    """The shortest way from a city to all that can be reached, in spaces (Dijkstra)."""
    distances: dict[str, float] = {}
    waiting = [(0.0, start)]
    while waiting:
        far, city = heappop(waiting)
        if city not in distances:
            distances[city] = far
            for other, length in links[city]:
                heappush(waiting, (far + length, other))
    return {city: max(far, 0.5) for city, far in distances.items() if city != start}


def _in_order(links: Links) -> list[str]:
    """The cities in the order in which a walk along the routes meets them: neighbors start close together."""
    met: dict[str, None] = {}
    for start in links:
        waiting = [start]
        while waiting:
            city = waiting.pop()
            if city not in met:
                met[city] = None
                waiting += [other for other, _ in reversed(links[city]) if other not in met]
    return list(met)


def _level(at: dict[str, Point]) -> dict[str, Point]:
    """The layout turned so that its two cities furthest apart lie level, the one that comes first on the left."""
    pairs = [(hypot(a[0] - b[0], a[1] - b[1]), one, two) for one, a in at.items() for two, b in at.items()]
    longest, one, two = max(pairs, key=lambda pair: pair[0], default=(0.0, "", ""))
    if not longest:
        return dict.fromkeys(at, (0.0, 0.0))
    (x, y), (far_x, far_y) = at[one], at[two]
    across, down = (far_x - x) / longest, (far_y - y) / longest
    return {
        id: ((own_x - x) * across + (own_y - y) * down, (own_y - y) * across - (own_x - x) * down)
        for id, (own_x, own_y) in at.items()
    }


# -- ways -------------------------------------------------------------------------------------------------------------


#: The radius of a city, the distance from its middle where spaces may begin, the width of a space, and the distance of
#: parallel routes.
CITY, NEAR, WIDE, PITCH = 7.0, 10.0, 12.0, 15.0
#: The gap between spaces, and the greatest length of one.
GAP, LONGEST_SPACE = 3.0, 58.0
#: The number of straight pieces of a bent way.
_PIECES = 16


@frozen
class Space:
    """A space of a route: its middle, its length along the way, and the angle of the way there, in degrees."""

    x: float
    y: float
    length: float
    angle: float


@frozen
class Way:
    """The way of a route: a line from city to city, or one on each side of the map, and the spaces in the order of its cities."""

    lines: tuple[tuple[Point, ...], ...]
    spaces: tuple[Space, ...]


def way(start: Point, end: Point, bend: float, beside: float, spaces: int, near: tuple[float, float]) -> Way:
    """The way between two cities, bent to one side by a fraction of its length, and shifted beside the middle line.

    `near` are the distances from the two cities where its spaces begin and end.
    """
    row = _spaces(middle_line(start, end, bend, beside), spaces, near)
    return Way(((start, *_middles(row), end),), tuple(row))


def way_across(
    start: Point, end: Point, edges: tuple[float, float], beside: float, spaces: int, near: tuple[float, float]
) -> Way:
    """The way between two cities that leaves the map at one of its edges, left or right, and comes back at the other."""
    out, back = lines_across(start, end, edges, beside)
    first, last = (hypot(line[0][0] - line[-1][0], line[0][1] - line[-1][1]) for line in (out, back))
    share = spaces * first / ((first + last) or 1.0)
    count = round(share) if spaces == 1 else min(max(round(share), 1), spaces - 1)
    before, after = _spaces(out, count, (near[0], GAP)), _spaces(back, spaces - count, (GAP, near[1]))
    return Way(((start, *_middles(before), out[-1]), (back[0], *_middles(after), end)), (*before, *after))


def middle_line(start: Point, end: Point, bend: float, beside: float = 0.0) -> list[Point]:
    """The line on which the middles of spaces lie, from one city to another."""
    far = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    normal = (-(end[1] - start[1]) / far, (end[0] - start[0]) / far)
    pieces = _PIECES if bend else 1
    points: list[Point] = []
    for number in range(pieces + 1):
        along = number / pieces
        aside = 4 * bend * far * along * (1 - along)
        slope = 4 * bend * (1 - 2 * along)  # the change of `aside` for each step along the line
        length = hypot(1.0, slope)
        # Parallel ways keep their distance along the bend: they are shifted across it, not across the line.
        across, back = aside + beside / length, -beside * slope / length
        points.append(
            (
                start[0] + (end[0] - start[0]) * along + normal[0] * across + (end[0] - start[0]) / far * back,
                start[1] + (end[1] - start[1]) * along + normal[1] * across + (end[1] - start[1]) / far * back,
            )
        )
    return points


def lines_across(
    start: Point, end: Point, edges: tuple[float, float], beside: float = 0.0
) -> tuple[list[Point], list[Point]]:
    """The two parts of a straight line that leaves the map at one of its edges and comes back at the other."""
    leaves, returns = edges if start[0] < end[0] else edges[::-1]
    first, last = abs(start[0] - leaves), abs(end[0] - returns)
    height = start[1] + (end[1] - start[1]) * first / ((first + last) or 1.0)
    return (
        middle_line(start, (leaves, height), 0.0, beside),
        middle_line((returns, height), end, 0.0, beside),
    )


def _middles(spaces: Iterable[Space]) -> list[Point]:
    return [(space.x, space.y) for space in spaces]


def _spaces(points: Sequence[Point], count: int, near: tuple[float, float]) -> list[Space]:
    """Spaces of equal length along a line, away from its ends."""
    if not count:
        return []
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    room = sum(lengths) - sum(near)
    step = min(max(room, 4.0 * count) / count, LONGEST_SPACE + GAP)
    first = near[0] + (room - step * count) / 2
    spaces: list[Space] = []
    for number in range(count):
        x, y, angle = _along(points, lengths, first + step * (number + 0.5))
        spaces.append(Space(x, y, max(step - GAP, 2.0), angle))
    return spaces


def _along(points: Sequence[Point], lengths: Sequence[float], far: float) -> tuple[float, float, float]:
    """The point this far along a line, and the angle of the line there."""
    for (a, b), length in zip(pairwise(points), lengths, strict=True):
        if far <= length or b is points[-1]:
            share = far / length if length else 0.0
            angle = degrees(atan2(b[1] - a[1], b[0] - a[0]))
            return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, angle
        far -= length
    raise AssertionError("a line has two points")


# -- bends ------------------------------------------------------------------------------------------------------------


#: The bends that are tried, as fractions of the distance between the cities, gentle ones first.
_BENDS = (0.0, 0.05, -0.05, 0.1, -0.1, 0.15, -0.15, 0.2, -0.2, 0.26, -0.26, 0.32, -0.32)
#: The number of times that all routes are reconsidered, and the distance of the points at which they are compared.
_BEND_ROUNDS, _STEP = 4, 10.0
#: Around a city where two routes meet they cannot keep apart.
_MEETING = 24.0
#: A space shorter than this has no room for its letter.
_SHORT = 17.0
#: To keep away from other routes no space is made shorter than this, nor than this part of its length.
_ROOMY, _KEPT = 24.0, 0.6
#: The distance from a city at which the direction of a route that leaves it is measured.
_LEAVING = 20.0
_CELL = 56.0


@frozen
class Bundle:
    """The routes between the same two cities, side by side."""

    routes: tuple[Route, ...]
    #: Their cities, in the order of the first route.
    cities: tuple[str, str]
    #: The distance from the middle line that the outermost route reaches.
    half: float

    @property
    def longest(self) -> int:
        """The number of spaces of its longest route."""
        return max(route.length for route in self.routes)

    def beside(self, number: int) -> float:
        """The shift of a route of the bundle from the middle line, in its own direction."""
        shift = (number - (len(self.routes) - 1) / 2) * PITCH
        return shift if self.routes[number].cities == self.cities else -shift


def bundles(board: Board) -> tuple[Bundle, ...]:
    """The routes of a board, those between the same two cities together."""
    groups: dict[frozenset[str], list[Route]] = {}
    for route in board.routes.values():
        groups.setdefault(frozenset(route.cities), []).append(route)
    return tuple(
        Bundle(tuple(group), group[0].cities, WIDE / 2 + PITCH * (len(group) - 1) / 2) for group in groups.values()
    )


@frozen
class _Squares:
    """Points of ways by squares, each with the distance that its way reaches from there, and the number of its bundle."""

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
            self.cells[key] = [point for point in self.cells[key] if point[3] != whose]

    def near(self, x: float, y: float) -> Iterable[tuple[float, float, float, int]]:
        """The points in the squares around a place."""
        column, row = int(x // _CELL), int(y // _CELL)
        for across in (column - 1, column, column + 1):
            for down in (row - 1, row, row + 1):
                yield from self.cells.get((across, down), ())


def bend_bundles(every: Sequence[Bundle], places: Places) -> dict[int, float]:
    """The bend of each bundle, by its number: 0 is straight. Each in turn takes the one with which it is least in the way."""
    chosen = dict.fromkeys(range(len(every)), 0.0)
    lines = {number: _line(bundle, places, 0.0) for number, bundle in enumerate(every)}
    ground = _Squares()
    for number, bundle in enumerate(every):
        ground.put(lines[number], bundle.half, number)
    for _ in range(_BEND_ROUNDS):
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
    """An end of a bundle at a city: the bundle's number, which end it is, and the direction in which it leaves."""

    number: int
    end: int
    angle: float


def near_ends(every: Sequence[Bundle], bent: Mapping[int, float], places: Places) -> list[list[float]]:
    """The distances from its two cities where the spaces of each bundle begin: so that they do not lie on those of others.

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
            to_x, to_y = next((point for point in line if hypot(point[0] - x, point[1] - y) > _LEAVING), line[-1])
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
            clear = [(halves[1 - side] + halves[side] * cos(angle)) / sin(angle) for side in (0, 1)]
            if starts[0] >= clear[0] or starts[1] >= clear[1]:
                continue
            steps = [
                (lengths[own.number] - far - near[own.number][1 - own.end]) / every[own.number].longest
                for own, far in zip((one, two), clear, strict=True)
            ]
            shares = [step / least[own.number] for own, step in zip((one, two), steps, strict=True)]
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
    points: list[Point] = []
    for (x, y), (next_x, next_y) in chain.from_iterable(map(pairwise, _lines(bundle, places, bend))):
        pieces = max(1, round(hypot(next_x - x, next_y - y) / _STEP))
        points += [(x + (next_x - x) * part / pieces, y + (next_y - y) * part / pieces) for part in range(pieces)]
    return points[1:]


def _trouble(
    bundle: Bundle,
    line: Sequence[Point],
    bend: float,
    every: Sequence[Bundle],
    ground: _Squares,
    places: Places,
    limit: float = inf,
) -> float:
    """The trouble that a way makes for others: 0 if it touches nothing, is straight, and is long enough.

    Above the limit, any number that is above it too.
    """
    if not line:  # the cities touch
        return 0.0
    own = {city: places.cities[city] for city in bundle.cities}
    trouble = 9 * bend * bend + abs(bend)
    length = _STEP * (len(line) + 1)
    step = (length - 2 * NEAR) / bundle.longest
    trouble += max(0.0, _SHORT - step) * 0.5
    half = bundle.half + 2
    for x, y in line:
        if trouble > limit:
            return trouble
        for other_x, other_y, reach, whose in ground.near(x, y):
            room = half + reach
            if abs(x - other_x) < room and (far := hypot(x - other_x, y - other_y)) < room:
                shared = [own[city] for city in every[whose].cities if city in own]
                if not any(hypot(x - city_x, y - city_y) < _MEETING + bundle.half for city_x, city_y in shared):
                    trouble += (room - far) / room * 0.5
    reach = half + CITY + 2
    left, right = min(x for x, _ in line) - reach, max(x for x, _ in line) + reach
    top, bottom = min(y for _, y in line) - reach, max(y for _, y in line) + reach
    for city, (city_x, city_y) in places.cities.items():
        if left < city_x < right and top < city_y < bottom and city not in own:
            over = reach - min(hypot(x - city_x, y - city_y) for x, y in line)
            trouble += max(0.0, over * 0.6)
    return trouble
