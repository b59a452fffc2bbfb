"""The way of each route across a picture: straight or gently bent, with parallel routes side by side, and its spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, degrees, hypot

from attrs import frozen

from ttr_tools.render.places import Point

#: The radius of a city, how far from its middle spaces may begin, how wide a space is, and how far apart parallel
#: routes are.
CITY, NEAR, WIDE, PITCH = 7.0, 10.0, 12.0, 15.0
#: The gap between spaces, and the greatest length of one.
GAP, LONGEST = 3.0, 58.0
#: Into how many straight pieces a bent way is cut.
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

    `near` is how far from the two cities its spaces begin and end.
    """
    found = _spaces(middle_line(start, end, bend, beside), spaces, near)
    return Way(((start, *_middles(found), end),), tuple(found))


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
    step = min(max(room, 4.0 * count) / count, LONGEST + GAP)
    first = near[0] + (room - step * count) / 2
    found: list[Space] = []
    for number in range(count):
        x, y, angle = _along(points, lengths, first + step * (number + 0.5))
        found.append(Space(x, y, max(step - GAP, 2.0), angle))
    return found


def _along(points: Sequence[Point], lengths: Sequence[float], far: float) -> tuple[float, float, float]:
    """The point this far along a line, and the angle of the line there."""
    for (a, b), length in zip(pairwise(points), lengths, strict=True):
        if far <= length or b is points[-1]:
            share = far / length if length else 0.0
            angle = degrees(atan2(b[1] - a[1], b[0] - a[0]))
            return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, angle
        far -= length
    raise AssertionError("a line has two points")
