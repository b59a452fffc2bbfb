"""The names of cities on a picture: beside their cities, never on a space or another city, never on each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import cos, dist, hypot, inf, radians, sin
from operator import add, attrgetter

from attrs import evolve, frozen

from ttr_rules.clients import RouteLayout, SpaceLayout
from ttr_tools.render.layout import CITY, WIDE, Box, Point
from ttr_tools.render.svg import text_width

#: The size of the font of names and of notes below them, the height of a line, and the air around a label.
SIZE, NOTE, LINE, AIR = 13.5, 11.0, 14.5, 1.0
#: The least distances of two names, across and down, so that they do not read as one.
BESIDE, BELOW = 8.0, 4.0
#: A name further than this from its city is joined to it by a line.
LEADER = 14.0


@frozen
class Label:
    """The name of a city: its lines, and the box that they and a note below them fill."""

    lines: tuple[str, ...]
    box: Box
    #: The line that joins it to its city, from the middle of the city, if it is further away than names are.
    leader: tuple[Point, Point] | None = None
    #: The cost of its place, apart from other names.
    cost: float = 0.0

    def trouble(self, other: Label) -> float:
        """The trouble that two labels make for each other: 0 if nobody could read them as one."""
        one, two = self.box, other.box
        across = min(one.left + one.width, two.left + two.width) - max(one.left, two.left) + BESIDE
        down = min(one.top + one.height, two.top + two.height) - max(one.top, two.top) + BELOW

        trouble = 100 + 0.2 * across * down if across > 0 and down > 0 else 0.0
        if self.leader and two.meets(*self.leader):
            trouble += 80.0
        if other.leader and one.meets(*other.leader):
            trouble += 80.0
        return trouble


@frozen
class Shape:
    """A name as it could be set: its lines, and the rows that they fill, each with its width and its top and bottom."""

    lines: tuple[str, ...]
    rows: tuple[tuple[float, float, float], ...]
    width: float
    height: float

    def label(self, city: Point, x: float, y: float) -> Label:
        """The label with its middle at a place."""
        box = Box(x - self.width / 2, y - self.height / 2, self.width, self.height)
        rows = [Box(x - width / 2, box.top + high, width, low - high) for width, high, low in self.rows]
        row = min(rows, key=lambda row: row.far(city))
        return Label(self.lines, box, (city, row.nearest(city)) if row.far(city) > CITY + LEADER else None)


def name_shapes(name: str, note: str) -> Iterator[tuple[float, Shape]]:
    """The shapes of a name with its note, each with its cost."""
    broken = two_lines(name)
    for lines, dearer in (((name,), 0.0), *([(broken, 1.5)] if broken else [])):
        widths = [text_width(line, SIZE, bold=True) for line in lines]
        rows = [(width + 4 * AIR, LINE * place, LINE * (place + 1) + 2 * AIR) for place, width in enumerate(widths)]
        if note:
            rows.append((text_width(note, NOTE) + 4 * AIR, rows[-1][2] - 2 * AIR, rows[-1][2] + NOTE + 2))
        yield dearer, Shape(tuple(lines), tuple(rows), max(row[0] for row in rows), rows[-1][2])


def two_lines(text: str) -> tuple[str, str] | None:
    """A name broken at the space or the hyphen that leaves the shortest longer line, or None if it has neither.

    >>> two_lines("Sault Ste. Marie"), two_lines("Paris")
    (('Sault', 'Ste. Marie'), None)
    """
    breaks = [number + 1 for number, letter in enumerate(text) if letter in " -" and 0 < number < len(text) - 1]
    lines = [(text[:number].removesuffix(" "), text[number:].lstrip()) for number in breaks]
    return min(lines, key=lambda pair: max(len(pair[0]), len(pair[1])), default=None)


# -- free places ------------------------------------------------------------------------------------------------------


class Ground:
    """Cities and spaces, in small squares: names may not cover them."""

    #: The size of a square, and the distance that names keep from spaces and cities.
    _SQUARE, _AWAY = 2.0, 1.0
    #: The weights of a square of a space and of a city.
    _SPACE, _CITY = 1, 4

    def __init__(self, cities: Iterable[Point], ways: Iterable[RouteLayout], margin: float) -> None:
        self.cities = tuple(cities)
        spaces = [space for way in ways for space in way.spaces]
        xs = [x for x, _ in self.cities] + [space.x for space in spaces]
        ys = [y for _, y in self.cities] + [space.y for space in spaces]
        self.left, self.top = min(xs, default=0.0) - margin, min(ys, default=0.0) - margin
        columns, rows = self._square(max(xs, default=0.0) + margin, max(ys, default=0.0) + margin)
        self.rows = [bytearray(columns) for _ in range(rows)]
        for space in spaces:
            self._put_space(space)
        reach = CITY + self._AWAY
        for x, y in self.cities:
            self._put(x, y, reach, lambda across, down: hypot(across, down) <= reach, self._CITY)
        # In each square the sum of all above it and to the left of it: a box is four of them.
        self.sums = [[0] * (columns + 1)]
        for row in self.rows:
            self.sums.append(list(map(add, self.sums[-1], accumulate(row, initial=0))))

    def _square(self, x: float, y: float) -> tuple[int, int]:
        """The column and the row of a point."""
        return int((x - self.left) / self._SQUARE), int((y - self.top) / self._SQUARE)

    def _put(self, x: float, y: float, reach: float, covers: Callable[[float, float], bool], weight: int) -> None:
        """Fill the squares around a point whose middle is covered, by its distance across and down."""
        (first, high), (last, low) = self._square(x - reach, y - reach), self._square(x + reach, y + reach)
        for row in range(high, low + 1):
            down = self.top + (row + 0.5) * self._SQUARE - y
            for column in range(first, last + 1):
                if covers(self.left + (column + 0.5) * self._SQUARE - x, down):
                    self.rows[row][column] = weight

    def _put_space(self, space: SpaceLayout) -> None:
        cosine, sine = cos(radians(space.angle)), sin(radians(space.angle))
        half, thick = space.length / 2 + self._AWAY, WIDE / 2 + self._AWAY

        def covers(across: float, down: float) -> bool:
            return abs(across * cosine + down * sine) <= half and abs(down * cosine - across * sine) <= thick

        self._put(space.x, space.y, hypot(half, thick), covers, self._SPACE)

    def weigh_cover(self, shape: Shape, x: float, y: float) -> int:
        """The weight that a name with its middle at a place covers."""
        weight = 0
        for width, high, low in shape.rows:
            top = y - shape.height / 2
            first, above = self._square(x - width / 2, top + high)
            last, below = self._square(x + width / 2 + self._SQUARE, top + low + self._SQUARE)
            sums, before = self.sums[below], self.sums[above]
            weight += sums[last] - sums[first] - before[last] + before[first]
        return weight

    def crossing_cost(self, start: Point, end: Point) -> float:
        """The cost of a line that runs over spaces and cities, apart from the city where it starts."""
        far = dist(start, end)
        steps = max(1, round((far - CITY - 4) / 3))
        cost = 0.0
        for number in range(steps):
            share = 1 - number / steps * (far - CITY - 4) / far
            column, row = self._square(start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            weight = self.rows[row][column]
            cost += 10.0 if weight == self._CITY else 20.0 * weight
        return cost

    def doubtful(self, box: Box, own: Point) -> bool:
        """Tell whether a name at a place could be taken for that of another city."""
        far = box.far(own) + 5
        return any(box.far(city) < far for city in self.cities if city != own)


# -- placing ----------------------------------------------------------------------------------------------------------


#: The distances of a name from its city, and its directions, that are tried.
_GAPS = range(3, 100, 3)
_ANGLES = range(0, 360, 6)
#: So many places that cost less than this are enough: no others are tried further away.
_ENOUGH, _GOOD = 40, 25.0
#: The cost of covering anything, more than any free place.
_COVERS = 160.0
#: The number of times that all names choose, and of places that are few.
_ROUNDS, _FEW = 2, 80


def place_labels(
    cities: Mapping[str, Point], ways: Mapping[str, RouteLayout], texts: Mapping[str, tuple[str, str]]
) -> dict[str, Label]:
    """A label for each city with its name and its note, on nothing else if possible.

    Every name in turn takes the best place among the others. Names with few good places choose first.
    """
    shapes = {id: list(name_shapes(name, note)) for id, (name, note) in texts.items()}
    widest = max((shape.width for some in shapes.values() for _, shape in some), default=0.0)
    ground = Ground(cities.values(), ways.values(), margin=widest + 2 * _GAPS[-1])
    labels = {id: sorted(_labels(cities[id], some, ground), key=attrgetter("cost")) for id, some in shapes.items()}
    chosen: dict[str, Label] = {}
    for _ in range(_ROUNDS):
        for id in sorted(labels, key=lambda city: (-labels[city][:_FEW][-1].cost, city)):
            chosen.pop(id, None)
            chosen[id] = _best(labels[id], chosen.values())
    return chosen


def _best(labels: Sequence[Label], others: Collection[Label]) -> Label:
    """The cheapest label, where another one in the way costs more than anything else."""
    best, least = labels[0], inf
    for label in labels:  # the cheapest first
        if label.cost >= least:
            break
        cost = sum(map(label.trouble, others), start=label.cost)
        if cost < least:
            best, least = label, cost
    return best


def _labels(city: Point, shapes: Sequence[tuple[float, Shape]], ground: Ground) -> Iterator[Label]:
    """The labels that a city could have: beside it, and where there is little room, further away."""
    good = 0
    for number, gap in enumerate(_GAPS):
        for dearer, shape in shapes:
            for angle in _ANGLES:
                x, y = _around(city, angle, CITY + gap, shape.width, shape.height)
                covered = ground.weigh_cover(shape, x, y)
                if not covered or not number:
                    label = shape.label(city, x, y)
                    cost = dearer + 2.0 * min(number, 4) + _slant(angle)
                    cost += _COVERS + covered if covered else _distance_cost(label, city, ground)
                    good += cost < _GOOD
                    yield evolve(label, cost=cost)
        if good >= _ENOUGH:
            return


def _slant(angle: float) -> float:
    """The cost of a direction: right and left of a city are best, then above and below."""
    return abs(sin(radians(2 * angle))) + 0.5 * sin(radians(angle)) ** 2 + 0.1 * (cos(radians(angle)) < 0)


def _distance_cost(label: Label, city: Point, ground: Ground) -> float:
    """The cost of a label's distance from its city, of what its leader crosses, and of looking like another city's."""
    far = max(0.0, label.box.far(city) - CITY - 3)
    cost = 0.2 * far
    if label.leader is not None:
        cost += 4.0 + 0.005 * far * far + ground.crossing_cost(*label.leader)
    if ground.doubtful(label.box, city):
        cost += 14.0 if label.leader is None else 5.0
    return min(cost, _COVERS - 20)


def _around(city: Point, angle: float, far: float, width: float, height: float) -> Point:
    """The middle of a box in a direction from a city, whose edge is this far from the middle of the city."""
    across, down = cos(radians(angle)), sin(radians(angle))
    # The box touches the circle with the side or the corner that looks toward the city.
    return (
        city[0] + across * far + width / 2 * max(-1.0, min(1.0, across * 1.6)) * (abs(across) > 0.01),
        city[1] + down * far + height / 2 * max(-1.0, min(1.0, down * 1.6)) * (abs(down) > 0.01),
    )
