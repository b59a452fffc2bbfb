"""The names of cities on a picture: beside their cities, never on a space or another city, and apart from each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from math import ceil, cos, floor, hypot, radians, sin
from operator import add, attrgetter

from attrs import frozen

from ttr_rules.model import Board
from ttr_tools.render.layout import CITY, WIDE, Box, Places, Point, Space, Way
from ttr_tools.render.svg import text_width

#: The size of the font of names and of notes below them, the height of a line, and the air around a label.
SIZE, NOTE, LINE, AIR = 13.5, 11.0, 14.5, 1.0
#: The gap between a name and a note beside it.
SPACE = 5.0
#: The least distances of two names, across and down, so that they do not read as one.
BESIDE, BELOW = 8.0, 4.0
#: A name further than this from its city is joined to it by a line.
LEADER = 14.0
#: The greatest distance of a name from its city. Labels further apart than any leader is long do not meet.
REACH = 100.0
_FURTHEST = 1.5 * REACH


@frozen
class Label:
    """The name of a city: its lines, whether a note stands beside the last of them or below, and the box that they fill."""

    lines: tuple[str, ...]
    beside: bool
    box: Box
    #: The line that joins it to its city, from the middle of the city, if it is further away than names are.
    leader: tuple[Point, Point] | None = None

    def trouble(self, other: Label) -> float:
        """The trouble that two labels make for each other: 0 if nobody could read them as one."""
        one, two = self.box, other.box
        across = min(one.left + one.width, two.left + two.width) - max(one.left, two.left) + BESIDE
        down = min(one.top + one.height, two.top + two.height) - max(one.top, two.top) + BELOW
        if across < -_FURTHEST or down < -_FURTHEST:
            return 0.0
        trouble = 100 + 0.2 * across * down if across > 0 and down > 0 else 0.0
        if self.leader and two.meets(*self.leader):
            trouble += 80.0
        if other.leader and one.meets(*other.leader):
            trouble += 80.0
        if self.leader and other.leader and _cross(self.leader, other.leader):
            trouble += 40.0
        return trouble


def _cross(one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
    """Tell whether two lines cross each other."""
    return _turn(*one, two[0]) != _turn(*one, two[1]) and _turn(*two, one[0]) != _turn(*two, one[1])


def _turn(start: Point, end: Point, point: Point) -> bool:
    """Tell whether a point lies to the left of a line."""
    return (end[0] - start[0]) * (point[1] - start[1]) > (end[1] - start[1]) * (point[0] - start[0])


@frozen
class Shape:
    """A name as it could be set: its lines, and the rows that they fill, each with its width and its top and bottom."""

    lines: tuple[str, ...]
    beside: bool
    rows: tuple[tuple[float, float, float], ...]
    width: float
    height: float

    def label(self, city: Point, x: float, y: float) -> Label:
        """The label with its middle at a place."""
        box = Box(x - self.width / 2, y - self.height / 2, self.width, self.height)
        row = box
        if len(self.rows) > 1:
            rows = [Box(x - width / 2, box.top + high, width, low - high) for width, high, low in self.rows]
            row = min(rows, key=lambda row: row.far(city))
        leader = (city, row.nearest(city)) if row.far(city) > CITY + LEADER else None
        return Label(self.lines, self.beside, box, leader)


def name_shapes(name: str, note: str) -> Iterator[tuple[float, Shape]]:
    """The shapes of a name with its note, each with its cost."""
    broken = two_lines(name)
    for lines, dearer in (((name,), 0.0), *([(broken, 1.5)] if broken else [])):
        for beside in (True, False) if note else (False,):
            widths = [text_width(line, SIZE, bold=True) for line in lines]
            widths[-1] += SPACE + text_width(note, NOTE) if beside else 0.0
            rows = [(width + 4 * AIR, LINE * place, LINE * (place + 1) + 2 * AIR) for place, width in enumerate(widths)]
            if note and not beside:
                rows.append((text_width(note, NOTE) + 4 * AIR, rows[-1][2] - 2 * AIR, rows[-1][2] + NOTE + 2))
            yield dearer, Shape(tuple(lines), beside, tuple(rows), max(row[0] for row in rows), rows[-1][2])


def two_lines(text: str) -> tuple[str, str] | None:
    """A name broken at the space or the hyphen that leaves the shortest longer line; None if it has neither.

    >>> two_lines("Sault Ste. Marie"), two_lines("Paris")
    (('Sault', 'Ste. Marie'), None)
    """
    breaks = [number for number, letter in enumerate(text) if letter in " -" and 0 < number < len(text) - 1]
    lines = [
        (text[:number] if text[number] == " " else text[: number + 1], text[number + 1 :].lstrip()) for number in breaks
    ]
    return min(lines, key=lambda pair: max(len(pair[0]), len(pair[1])), default=None)


# -- free places ------------------------------------------------------------------------------------------------------


#: The distance of the places that are tried.
_STEP = 4.5


class Ground:
    """Cities and spaces, and what is beyond the edges of a map, in small squares: names may not cover them."""

    #: The size of a square, the margin around everything, and the distance that names keep from spaces.
    _SQUARE, _MARGIN, _AWAY = 2.0, 260.0, 1.0
    #: The weights of a square of a space and of a city.
    _SPACE, _CITY = 1, 4

    def __init__(self, places: Places, ways: Iterable[Way]) -> None:
        self.cities = tuple(places.cities.values())
        spaces = [space for way in ways for space in way.spaces]
        xs = [x for x, _ in self.cities] + [space.x for space in spaces]
        ys = [y for _, y in self.cities] + [space.y for space in spaces]
        self.left, self.top = min(xs, default=0.0) - self._MARGIN, min(ys, default=0.0) - self._MARGIN
        self.columns = ceil((max(xs, default=0.0) + self._MARGIN - self.left) / self._SQUARE)
        self.rows = [
            bytearray(self.columns)
            for _ in range(ceil((max(ys, default=0.0) + self._MARGIN - self.top) / self._SQUARE))
        ]
        if places.edges is not None:
            for row in self.rows:
                self._fill(row, self.left, places.edges[0], self._CITY)
                self._fill(row, places.edges[1], self.left + self.columns * self._SQUARE, self._CITY)
        for space in spaces:
            self._put_space(space)
        for x, y in self.cities:
            self._put_city(x, y)
        # In each square the sum of all above it and to the left of it: a box is four of them.
        self.sums = [[0] * (self.columns + 1)]
        for row in self.rows:
            self.sums.append(list(map(add, self.sums[-1], accumulate(row, initial=0))))

    def _fill(self, row: bytearray, left: float, right: float, weight: int) -> None:
        first = max(0, floor((left - self.left) / self._SQUARE))
        last = min(self.columns, ceil((right - self.left) / self._SQUARE))
        if first < last:
            row[first:last] = bytes([weight]) * (last - first)

    def _lines(self, y: float, half: float) -> Iterator[tuple[bytearray, float]]:
        """The rows of squares that are this near to a height, each with the distance of its middle below it."""
        first = floor((y - half - self.top) / self._SQUARE)
        for number in range(first, ceil((y + half - self.top) / self._SQUARE)):
            yield self.rows[number], self.top + (number + 0.5) * self._SQUARE - y

    def _put_space(self, space: Space) -> None:
        along, down = cos(radians(space.angle)), sin(radians(space.angle))
        half, thick = space.length / 2 + self._AWAY, WIDE / 2 + self._AWAY
        for row, below in self._lines(space.y, half * abs(down) + thick * abs(along)):
            # Where the line at this height is within the length of the space, and within its width.
            left, right = -1e9, 1e9
            for slope, offset, limit in ((along, below * down, half), (-down, below * along, thick)):
                if abs(slope) > 1e-6:
                    one, other = sorted(((-limit - offset) / slope, (limit - offset) / slope))
                    left, right = max(left, one), min(right, other)
            if left < right:
                self._fill(row, space.x + left, space.x + right, self._SPACE)

    def _put_city(self, x: float, y: float) -> None:
        radius = CITY + self._AWAY
        for row, below in self._lines(y, radius):
            wide = max(0.0, radius * radius - below * below) ** 0.5
            self._fill(row, x - wide, x + wide, self._CITY)

    def covered(self, shape: Shape, x: float, y: float) -> int:
        """The weight that a name with its middle at a place covers."""
        top = y - shape.height / 2 - self.top
        weight, limit, square = 0, self.columns, self._SQUARE
        for width, high, low in shape.rows:
            left = x - width / 2 - self.left
            first = min(max(int(left / square), 0), limit)
            last = min(max(int((left + width) / square) + 1, 0), limit)
            above = self.sums[min(max(int((top + high) / square), 0), len(self.rows))]
            below = self.sums[min(max(int((top + low) / square) + 1, 0), len(self.rows))]
            weight += below[last] - below[first] - above[last] + above[first]
        return weight

    def free_places(self, shape: Shape, city: Point) -> Iterator[Point]:
        """The places where a name covers nothing, within reach of a city."""
        across, down = (int((size / 2 + REACH) // _STEP) for size in (shape.width, shape.height))
        for row in range(-down, down + 1):
            for column in range(-across, across + 1):
                x, y = city[0] + column * _STEP, city[1] + row * _STEP
                if not self.covered(shape, x, y):
                    yield x, y

    def crossed(self, start: Point, end: Point) -> float:
        """The cost of a line that runs over spaces and cities, apart from the city where it starts."""
        far = hypot(end[0] - start[0], end[1] - start[1])
        steps = max(1, round((far - CITY - 4) / 3))
        cost = 0.0
        for number in range(steps):
            share = 1 - number / steps * (far - CITY - 4) / far
            x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            weight = self.rows[int((y - self.top) / self._SQUARE)][int((x - self.left) / self._SQUARE)]
            cost += 10.0 if weight == self._CITY else 20.0 * weight
        return cost

    def doubtful(self, box: Box, own: Point) -> bool:
        """Tell whether a name at a place could be taken for that of another city."""
        far = box.far(own) + 5
        near = box.wider(far, far)
        return any(
            near.left < x < near.left + near.width and near.top < y < near.top + near.height and box.far((x, y)) < far
            for x, y in self.cities
            if (x, y) != own
        )


# -- placing ----------------------------------------------------------------------------------------------------------


#: The gaps between a city and its name that are tried.
_GAPS = (3.0, 5.0, 8.0, 12.0)
_ANGLES = (0, 180, -90, 90, -45, 45, -135, 135, -20, 20, -160, 160, -70, 70, -110, 110)
#: The approximate number of places further from a city that are tried.
_MANY = 600
#: The cost of covering anything, more than any free place; and that of each pixel of a free place's distance.
_COVERS, _PER_PIXEL = 160.0, 0.2
_ROUNDS = 12
#: A name that costs more than this asks others to move, for the best of its positions, at most so many.
_DEAR, _TRIED = 16.0, 60


@frozen
class _Choice:
    label: Label
    cost: float


def place_labels(
    board: Board, places: Places, ways: Mapping[str, Way], notes: Mapping[str, str], names: Mapping[str, str]
) -> dict[str, Label]:
    """A label for each city, on nothing else if possible.

    Every name takes the best position beside its city. Those that find none look further away, and the last that are far
    from their cities ask others to move.
    """
    shapes = {
        city.id: list(name_shapes(names.get(city.id, city.name), notes.get(city.id, "")))
        for city in board.cities.values()
    }
    search = _Search(places.cities, shapes, Ground(places, ways.values()))
    search.settle()
    while stuck := [id for id in search.stuck() if id not in search.looked]:
        for id in stuck:
            search.look_further(id)
        search.settle()
    for id in sorted(board.cities, key=lambda city: (-search.chosen[city].cost, city)):
        if search.chosen[id].cost > _DEAR:
            search.make_room(id)
    return {id: search.chosen[id].label for id in board.cities}


class _Search:
    """The positions that each name can have, the cheapest first, and the one that it has."""

    def __init__(
        self, cities: Mapping[str, Point], shapes: Mapping[str, Sequence[tuple[float, Shape]]], ground: Ground
    ) -> None:
        self.cities, self.shapes, self.ground = cities, shapes, ground
        self.choices = {id: sorted(_beside(cities[id], shapes[id], ground), key=attrgetter("cost")) for id in shapes}
        self.chosen: dict[str, _Choice] = {}
        #: The cities whose names may also be further away.
        self.looked: set[str] = set()

    def look_further(self, id: str) -> None:
        """Add the free places of a name that are further from its city."""
        if id not in self.looked:
            self.looked.add(id)
            further = _further(self.cities[id], self.shapes[id], self.ground)
            self.choices[id] = sorted([*self.choices[id], *further], key=attrgetter("cost"))

    def settle(self) -> None:
        """Let every name take its best position in turn, until none moves. Names with few good positions choose first."""
        choices, chosen = self.choices, self.chosen
        order = sorted(choices, key=lambda city: (-choices[city][min(6, len(choices[city]) - 1)].cost, city))
        for _ in range(_ROUNDS):
            before = dict(chosen)
            for id in order:
                chosen.pop(id, None)
                chosen[id] = _best(choices[id], chosen.values())
            if chosen == before:
                break

    def stuck(self) -> Iterator[str]:
        """The names that cover something, or are in the way of another one."""
        return (id for id, choice in self.chosen.items() if self._total(id, choice, self.chosen) >= _COVERS / 2)

    def make_room(self, id: str) -> None:
        """Move a name that is far from its city to a better position, if the names that are there find another one."""
        least = self._total(id, self.chosen[id], self.chosen)
        for choice in self.choices[id][:_TRIED]:
            if choice.cost >= least:
                break
            moved = [city for city, other in self.chosen.items() if city != id and other.label.trouble(choice.label)]
            if len(moved) > 2:
                continue
            before = least + sum(self._total(city, self.chosen[city], self.chosen) for city in moved)
            after, tried = choice.cost, {**self.chosen, id: choice}
            for city in moved:
                self.look_further(city)
                del tried[city]
                tried[city] = _best(self.choices[city], tried.values())
                after += self._total(city, tried[city], tried)
                if after >= before - 1:
                    break
            else:
                self.chosen = tried
                return

    def _total(self, id: str, choice: _Choice, chosen: Mapping[str, _Choice]) -> float:
        """The cost of a position among the others."""
        return choice.cost + sum(choice.label.trouble(other.label) for city, other in chosen.items() if city != id)


def _best(choices: Sequence[_Choice], others: Collection[_Choice]) -> _Choice:
    """The cheapest position, where another label in the way costs more than anything else."""
    best, least = choices[0], float("inf")
    for choice in choices:  # the cheapest first
        if choice.cost >= least:
            break
        cost = choice.cost
        for other in others:
            cost += choice.label.trouble(other.label)
            if cost >= least:
                break
        if cost < least:
            best, least = choice, cost
    return best


def _beside(city: Point, shapes: Iterable[tuple[float, Shape]], ground: Ground) -> Iterator[_Choice]:
    """Every position of a name beside its city, on one line or two, with its cost apart from other names."""
    for dearer, shape in shapes:
        for number, gap in enumerate(_GAPS):
            for place, angle in enumerate(_ANGLES):
                x, y = _around(city, angle, CITY + gap, shape.width, shape.height)
                cost = dearer + 2.0 * number + 0.15 * place
                covered = ground.covered(shape, x, y)
                yield (
                    _Choice(shape.label(city, x, y), cost + _COVERS + covered)
                    if covered
                    else _free(shape, city, x, y, cost, ground)
                )


def _further(city: Point, shapes: Sequence[tuple[float, Shape]], ground: Ground) -> Iterator[_Choice]:
    """The free places of a name that are further from its city."""
    for dearer, shape in shapes:
        places = list(ground.free_places(shape, city))
        for x, y in places[:: 1 + len(places) * len(shapes) // _MANY]:
            yield _free(shape, city, x, y, dearer + 6.0, ground)


def _free(shape: Shape, city: Point, x: float, y: float, cost: float, ground: Ground) -> _Choice:
    """A position on nothing else: its cost grows with the distance from its city, and with what its leader crosses."""
    label = shape.label(city, x, y)
    far = max(0.0, label.box.far(city) - CITY - 3)
    cost += _PER_PIXEL * far
    if label.leader is not None:
        cost += 4.0 + 0.005 * far * far + ground.crossed(*label.leader)
    if ground.doubtful(label.box, city):
        cost += 14.0 if label.leader is None else 5.0
    return _Choice(label, min(cost, _COVERS - 1))


def _around(city: Point, angle: float, far: float, width: float, height: float) -> Point:
    """The middle of a box in a direction from a city, whose edge is this far from the middle of the city."""
    across, down = cos(radians(angle)), sin(radians(angle))
    # The box touches the circle with the side or the corner that looks toward the city.
    return (
        city[0] + across * far + width / 2 * max(-1.0, min(1.0, across * 1.6)) * (abs(across) > 0.01),
        city[1] + down * far + height / 2 * max(-1.0, min(1.0, down * 1.6)) * (abs(down) > 0.01),
    )
