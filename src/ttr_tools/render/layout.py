"""The geometry of a board's picture: the positions of its cities, and the way and the spaces of each route."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product, starmap
from math import atan2, cos, degrees, dist, exp, hypot, inf, log, pi, sin
from statistics import median, pstdev, quantiles

from attrs import define, field, frozen

from ttr_rules.clients import RouteLayout, SpaceLayout
from ttr_rules.model import Board, Route

Point = tuple[float, float]


@frozen
class Box:
    """A rectangle by its top left corner."""

    left: float
    top: float
    width: float
    height: float

    def nearest(self, point: Point) -> Point:
        """The nearest point to another."""
        x, y = point
        return min(max(x, self.left), self.left + self.width), min(max(y, self.top), self.top + self.height)

    def far(self, point: Point) -> float:
        """The distance of a point."""
        return dist(point, self.nearest(point))

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


#: The length of a space on a usual route, and the distance of close neighbors: a quarter of them may be closer.
SPACE, NEIGHBORS = 42.0, 100.0
#: The longer side of the map is at least and at most this long.
SHORTEST, WIDEST = 720.0, 1300.0


def place_cities(board: Board) -> dict[str, Point]:
    """The positions of a board's cities on its picture.

    A board gives positions as fractions of a picture, but not its proportions: they are those with which the distances
    between neighbors follow the lengths of routes best. The cities of a board without positions stand in a circle.

    >>> from ttr_maps import load
    >>> cities = place_cities(load("europe"))
    >>> (x, y), (other_x, other_y) = cities["lisboa"], cities["moskva"]
    >>> x < other_x, y > other_y
    (True, True)
    """
    at = {city.id: (city.x, city.y) for city in board.cities.values()}
    if len(set(at.values())) < len(at):
        turn = 2 * pi / len(at)
        at = {id: (sin(turn * number), -cos(turn * number)) for number, id in enumerate(at)}
    else:
        wide = _proportions(board, at)
        at = {id: (x * wide, y) for id, (x, y) in at.items()}
    return _scale(board, at)


def _ratios(board: Board, at: Mapping[str, Point]) -> list[float]:
    """The distance for each space, route by route."""
    return [dist(*(at[city] for city in route.cities)) / route.length for route in board.routes.values()]


def _proportions(board: Board, at: Mapping[str, Point]) -> float:
    """Width by height: the proportions with which distances follow the lengths of routes best."""

    def error(step: int) -> float:
        wider = {id: (x * exp(step / 50), y) for id, (x, y) in at.items()}
        return pstdev(map(log, _ratios(board, wider) or [1.0]))

    return exp(min(range(-45, 46), key=lambda step: (error(step), abs(step))) / 50)


def _scale(board: Board, at: Mapping[str, Point]) -> dict[str, Point]:
    """The same positions, as large as spaces need."""
    xs, ys = zip(*at.values(), strict=True) if at else ((0.0,), (0.0,))
    left, top = min(xs), min(ys)
    ratios, scale = _ratios(board, at), SPACE
    if len(ratios) > 1:
        apart = [dist(*(at[city] for city in pair)) for pair in {frozenset(r.cities) for r in board.routes.values()}]
        scale = max(SPACE / median(ratios), NEIGHBORS / quantiles(apart * 2, n=4)[0])  # each seen from both sides
    longer = max(max(xs) - left, max(ys) - top) or 1.0
    scale = min(max(scale, SHORTEST / longer), WIDEST / longer)
    return {id: ((x - left) * scale, (y - top) * scale) for id, (x, y) in at.items()}


# -- ways -------------------------------------------------------------------------------------------------------------


#: The radius of a city, the distance from its middle where spaces may begin, the width of a space, and the distance of
#: parallel routes.
CITY, NEAR, WIDE, PITCH = 7.0, 10.0, 12.0, 15.0
#: The gap between spaces, and the greatest length of one.
GAP, LONGEST_SPACE = 3.0, 58.0
#: The number of straight pieces of a bent way.
_PIECES = 16


def middle_line(start: Point, end: Point, bend: float, beside: float = 0.0) -> Iterator[Point]:
    """The line on which the middles of spaces lie, from one city to another."""
    (x, y), far = start, dist(start, end) or 1.0
    right, down = end[0] - x, end[1] - y
    pieces = _PIECES if bend else 1
    for number in range(pieces + 1):
        along = number / pieces
        aside = 4 * bend * far * along * (1 - along)
        slope = 4 * bend * (1 - 2 * along)  # the change of `aside` for each step along the line
        length = hypot(1.0, slope)
        # Parallel ways keep their distance along the bend: they are shifted across it, not across the line.
        across, back = aside + beside / length, -beside * slope / length
        to_right = x + right * along - down / far * across + right / far * back
        to_down = y + down * along + right / far * across + down / far * back
        yield to_right, to_down


def _spaces(points: Sequence[Point], count: int, near: tuple[float, float]) -> Iterator[SpaceLayout]:
    """Spaces of equal length along a line, away from its ends."""
    lengths = [*starmap(dist, pairwise(points))]
    room = sum(lengths) - sum(near)
    step = min(max(room, 4.0 * count) / count, LONGEST_SPACE + GAP)
    first = near[0] + (room - step * count) / 2
    for number in range(count):
        x, y, angle = _along(points, lengths, first + step * (number + 0.5))
        yield SpaceLayout(x, y, max(step - GAP, 2.0), angle)


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


@define(eq=False)
class Bundle:
    """The routes between the same two cities, side by side, and the way that they take."""

    routes: tuple[Route, ...]
    #: Their cities, in the order of the first route, and where these are.
    cities: tuple[str, str]
    ends: tuple[Point, Point]
    #: How far the way is bent, as a fraction of its length: 0 is straight.
    bend: float = 0.0
    #: The distances from the two cities where spaces begin.
    near: list[float] = field(factory=lambda: [NEAR, NEAR])

    @property
    def half(self) -> float:
        """The distance from the middle line that the outermost route reaches."""
        return WIDE / 2 + PITCH * (len(self.routes) - 1) / 2

    @property
    def longest(self) -> int:
        """The number of spaces of its longest route."""
        return max(route.length for route in self.routes)

    @property
    def length(self) -> float:
        """The length of the middle line."""
        return sum(starmap(dist, pairwise(middle_line(*self.ends, self.bend))))

    @property
    def least(self) -> float:
        """The length that its spaces keep at least, when they make room for others."""
        return max(_ROOMY, _KEPT * (self.length - 2 * NEAR) / self.longest)

    def points(self, bend: float) -> list[Point]:
        """Points along the middle line if it is bent like this, without its ends."""
        points: list[Point] = []
        for (x, y), (next_x, next_y) in pairwise(middle_line(*self.ends, bend)):
            pieces = max(1, round(hypot(next_x - x, next_y - y) / _STEP))
            points += [(x + (next_x - x) * part / pieces, y + (next_y - y) * part / pieces) for part in range(pieces)]
        return points[1:]

    def way(self, number: int) -> RouteLayout:
        """The way of one of the routes: a line from city to city, and the spaces in the order of its cities."""
        route, turn = self.routes[number], 1 if self.routes[number].cities == self.cities else -1
        (start, end), (first, last) = self.ends[::turn], self.near[::turn]
        beside = turn * (number - (len(self.routes) - 1) / 2) * PITCH
        row = tuple(_spaces([*middle_line(start, end, turn * self.bend, beside)], route.length, (first, last)))
        return RouteLayout(route.id, (start, *((space.x, space.y) for space in row), end), row)


def bundles(board: Board, cities: Mapping[str, Point]) -> list[Bundle]:
    """The routes of a board, those between the same two cities together."""
    groups = defaultdict[frozenset[str], list[Route]](list)
    for route in board.routes.values():
        groups[frozenset(route.cities)].append(route)
    pairs = [(group, group[0].cities) for group in groups.values()]
    return [Bundle(tuple(group), ends, (cities[ends[0]], cities[ends[1]])) for group, ends in pairs]


class _Ground:
    """The cities of a board and points of the ways of bundles, by squares: what another way may be in the way of."""

    def __init__(self, cities: Mapping[str, Point]) -> None:
        self._cities = cities
        self._cells = defaultdict[tuple[int, int], list[tuple[float, float, Bundle]]](list)

    def put(self, bundle: Bundle) -> None:
        """Add the way of a bundle."""
        for x, y in bundle.points(bundle.bend):
            self._cells[int(x // _CELL), int(y // _CELL)].append((x, y, bundle))

    def take(self, bundle: Bundle) -> None:
        """Remove the way of a bundle."""
        for key in {(int(x // _CELL), int(y // _CELL)) for x, y in bundle.points(bundle.bend)}:
            self._cells[key] = [point for point in self._cells[key] if point[2] is not bundle]

    def _near(self, x: float, y: float) -> Iterable[tuple[float, float, Bundle]]:
        """The points in the squares around a place."""
        column, row = int(x // _CELL), int(y // _CELL)
        for cell in product((column - 1, column, column + 1), (row - 1, row, row + 1)):
            yield from self._cells.get(cell, ())

    def trouble(self, bundle: Bundle, bend: float, limit: float = inf) -> float:
        """The trouble that a bend makes for others: 0 if the way touches nothing, is straight, and is long enough.

        Above the limit, any number that is above it too.
        """
        line = bundle.points(bend)
        if not line:  # the cities touch
            return 0.0
        own = dict(zip(bundle.cities, bundle.ends, strict=True))
        trouble = 9 * bend * bend + abs(bend)
        step = (_STEP * (len(line) + 1) - 2 * NEAR) / bundle.longest
        trouble += max(0.0, _SHORT - step) * 0.5
        half = bundle.half + 2
        for x, y in line:
            if trouble > limit:
                return trouble
            for other_x, other_y, other in self._near(x, y):
                room = half + other.half
                if abs(x - other_x) < room and (far := hypot(x - other_x, y - other_y)) < room:
                    shared = [own[city] for city in other.cities if city in own]
                    if not any(hypot(x - city_x, y - city_y) < _MEETING + bundle.half for city_x, city_y in shared):
                        trouble += (room - far) / room * 0.5
        reach = half + CITY + 2
        left, right = min(x for x, _ in line) - reach, max(x for x, _ in line) + reach
        top, bottom = min(y for _, y in line) - reach, max(y for _, y in line) + reach
        for city, (city_x, city_y) in self._cities.items():
            if left < city_x < right and top < city_y < bottom and city not in own:
                trouble += 0.6 * max(0.0, reach - min(hypot(x - city_x, y - city_y) for x, y in line))
        return trouble


def bend_bundles(every: Sequence[Bundle], cities: Mapping[str, Point]) -> None:
    """Bend the bundles: each in turn takes the bend with which it is least in the way."""
    ground = _Ground(cities)
    for bundle in every:
        ground.put(bundle)
    for bundle in [*every] * _BEND_ROUNDS:
        ground.take(bundle)
        least = ground.trouble(bundle, bundle.bend)
        for bend in _BENDS if least > abs(bundle.bend) else ():
            trouble = ground.trouble(bundle, bend, least)
            if trouble < least - 1e-9:
                bundle.bend, least = bend, trouble
        ground.put(bundle)


def clear_ends(every: Sequence[Bundle]) -> None:
    """Move the places where spaces begin away from cities, so that they do not lie on those of others.

    Of two bundles that leave a city in almost the same direction, the one with more room for its spaces keeps away.
    """
    # The bundles at each city: which of their two ends is there, and the direction in which they leave.
    leaving = defaultdict[str, list[tuple[Bundle, int, float]]](list)
    for bundle in every:
        line = [*middle_line(*bundle.ends, bundle.bend)]
        for end, city in enumerate(bundle.cities):
            x, y = line[0]
            to_x, to_y = next((point for point in line if dist(point, line[0]) > _LEAVING), line[-1])
            leaving[city].append((bundle, end, atan2(to_y - y, to_x - x)))
            line.reverse()  # for the other end
    for _ in range(2):
        for one, two in chain.from_iterable(combinations(some, 2) for some in leaving.values()):
            pair, ends = (one[0], two[0]), (one[1], two[1])
            angle = abs((one[2] - two[2] + pi) % (2 * pi) - pi)
            halves = [bundle.half + 1 for bundle in pair]
            starts = [bundle.near[end] for bundle, end in zip(pair, ends, strict=True)]
            if angle < 0.05 or sum(map(atan2, halves, starts)) <= angle:
                continue
            # Each of them alone could begin where it is clear of the whole length of the other.
            clear = [(halves[1 - side] + halves[side] * cos(angle)) / sin(angle) for side in (0, 1)]
            if starts[0] >= clear[0] or starts[1] >= clear[1]:
                continue
            ways = zip(pair, clear, [bundle.near[1 - end] for bundle, end in zip(pair, ends, strict=True)], strict=True)
            steps = [(bundle.length - near - far) / bundle.longest for bundle, near, far in ways]
            shares = [step / bundle.least for bundle, step in zip(pair, steps, strict=True)]
            place = 0 if shares[0] >= shares[1] else 1
            away = pair[place]
            far = clear[place] - max(0.0, away.least - steps[place]) * away.longest
            away.near[ends[place]] = max(starts[place], far)
