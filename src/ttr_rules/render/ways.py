"""The way of each route across a picture: straight or gently bent, with parallel routes side by side, and its spaces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, degrees, hypot

from attrs import frozen

from ttr_rules.render.places import Point

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
    """The way of a route: the points of a line from city to city, and its spaces in the order of the route's cities."""

    points: tuple[Point, ...]
    spaces: tuple[Space, ...]


def way(start: Point, end: Point, bend: float, beside: float, spaces: int) -> Way:
    """The way between two cities, bent to one side by a fraction of its length, and shifted beside the middle line."""
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
    return Way((start, *points, end) if beside else tuple(points), tuple(_spaces(points, spaces)))


def _spaces(points: Sequence[Point], count: int) -> list[Space]:
    """Spaces of equal length along a line, away from its ends."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    room = sum(lengths) - 2 * NEAR
    step = min(max(room, 4.0 * count) / count, LONGEST + GAP)
    first = (sum(lengths) - step * count) / 2
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
