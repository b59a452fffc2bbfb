"""How the name of a city is set: its lines, its note, the box that they fill, and what is too near to it."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from attrs import frozen

from ttr_tools.render.letters import two_lines, width_of
from ttr_tools.render.places import Point
from ttr_tools.render.ways import CITY

#: The size of the font of names and of notes below them, the height of a line, and the air around a label.
SIZE, NOTE, LINE, AIR = 13.5, 11.0, 14.5, 1.0
#: What separates a name from a note beside it.
SPACE = 5.0
#: How far apart two names are at least, across and down, so that they do not read as one.
BESIDE, BELOW = 8.0, 4.0
#: A name further than this from its city is joined to it by a line.
LEADER = 14.0
#: How far from a city its name may be. Labels that are further apart than any leader is long have nothing to do with each other.
REACH = 100.0
_FURTHEST = 1.5 * REACH


@frozen
class Box:
    """A rectangle by its top left corner."""

    left: float
    top: float
    width: float
    height: float

    def over(self, other: Box) -> float:
        """The area that it shares with another."""
        wide = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        high = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def wider(self, across: float, down: float) -> Box:
        """The same with more room on all sides."""
        return Box(self.left - across, self.top - down, self.width + 2 * across, self.height + 2 * down)

    def nearest(self, point: Point) -> Point:
        """The point of it that is nearest to another."""
        return (
            min(max(point[0], self.left), self.left + self.width),
            min(max(point[1], self.top), self.top + self.height),
        )

    def far(self, point: Point) -> float:
        """How far a point is from it."""
        x, y = self.nearest(point)
        return hypot(point[0] - x, point[1] - y)

    def meets(self, start: Point, end: Point) -> bool:
        """A line from one point to another runs through it."""
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


@frozen
class Label:
    """The name of a city: its lines, whether a note stands beside the last of them or below, and the box that they fill."""

    lines: tuple[str, ...]
    beside: bool
    box: Box
    #: The line that joins it to its city, from the middle of the city, if it is further away than names are.
    leader: tuple[Point, Point] | None = None

    def trouble(self, other: Label) -> float:
        """How much two labels are in each other's way: 0 if nobody could read them as one."""
        one, two = self.box, other.box
        across = min(one.left + one.width, two.left + two.width) - max(one.left, two.left) + BESIDE
        down = min(one.top + one.height, two.top + two.height) - max(one.top, two.top) + BELOW
        if across < -_FURTHEST or down < -_FURTHEST:
            return 0.0
        found = 100 + 0.2 * across * down if across > 0 and down > 0 else 0.0
        if self.leader and two.meets(*self.leader):
            found += 80.0
        if other.leader and one.meets(*other.leader):
            found += 80.0
        if self.leader and other.leader and _cross(self.leader, other.leader):
            found += 40.0
        return found


def _cross(one: tuple[Point, Point], two: tuple[Point, Point]) -> bool:
    """Two lines cross each other."""
    return _turn(*one, two[0]) != _turn(*one, two[1]) and _turn(*two, one[0]) != _turn(*two, one[1])


def _turn(start: Point, end: Point, point: Point) -> bool:
    """A point lies to the left of a line."""
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


def shapes_of(name: str, note: str) -> Iterator[tuple[float, Shape]]:
    """How a name can be set with its note, each with what it costs."""
    broken = two_lines(name)
    for lines, dearer in (((name,), 0.0), *([(broken, 1.5)] if broken else [])):
        for beside in (True, False) if note else (False,):
            widths = [width_of(each, SIZE, bold=True) for each in lines]
            widths[-1] += SPACE + width_of(note, NOTE) if beside else 0.0
            rows = [(width + 4 * AIR, LINE * place, LINE * (place + 1) + 2 * AIR) for place, width in enumerate(widths)]
            if note and not beside:
                rows.append((width_of(note, NOTE) + 4 * AIR, rows[-1][2] - 2 * AIR, rows[-1][2] + NOTE + 2))
            yield dearer, Shape(tuple(lines), beside, tuple(rows), max(row[0] for row in rows), rows[-1][2])
