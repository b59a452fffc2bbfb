"""What is on a picture of a board already, for names that may not cover it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from math import ceil, cos, floor, hypot, radians, sin
from operator import add, sub

from ttr_tools.render.names import REACH, Box, Shape
from ttr_tools.render.places import Places, Point
from ttr_tools.render.ways import CITY, WIDE, Space, Way

#: The steps in which free places are looked for.
_STEP = 4.0


class Ground:
    """What is on a picture already, in small squares: cities and spaces, and what is beyond the edges of a map."""

    #: The size of a square, the margin around everything, and how far names keep away from spaces.
    _SQUARE, _MARGIN, _AWAY = 2.0, 260.0, 1.0
    #: What a square of a space and of a city counts.
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
        """The rows of squares that are this near to a height, each with how far below it its middle is."""
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
        """How much of what is there a name with its middle at a place covers."""
        top = y - shape.height / 2 - self.top
        found, limit, square = 0, self.columns, self._SQUARE
        for width, high, low in shape.rows:
            left = x - width / 2 - self.left
            first = min(max(int(left / square), 0), limit)
            last = min(max(int((left + width) / square) + 1, 0), limit)
            above = self.sums[min(max(int((top + high) / square), 0), len(self.rows))]
            below = self.sums[min(max(int((top + low) / square) + 1, 0), len(self.rows))]
            found += below[last] - below[first] - above[last] + above[first]
        return found

    def free_places(self, shape: Shape, city: Point) -> Iterator[Point]:
        """Where a name covers nothing, within reach of a city."""
        square = self._SQUARE
        stride = round(_STEP / square)
        left = max(city[0] - shape.width / 2 - REACH, self.left + shape.width / 2)
        right = min(city[0] + shape.width / 2 + REACH, self.left + (self.columns - 4) * square - shape.width / 2)
        places = max(0, int((right - left) // _STEP))
        down = int((shape.height / 2 + REACH) // _STEP)
        for step in range(-down, down + 1):
            y = city[1] + step * _STEP
            counts = [0] * places
            for width, high, low in shape.rows:
                above = int((y - shape.height / 2 + high - self.top) / square)
                below = int((y - shape.height / 2 + low - self.top) / square) + 1
                first = int((left - width / 2 - self.left) / square)
                wide = int(width / square) + 2
                end = first + wide + stride * places
                if above < 0 or below >= len(self.sums):
                    counts = [1] * places
                    break
                sums = list(map(sub, self.sums[below][first:end], self.sums[above][first:end]))
                counts = list(map(add, counts, map(sub, sums[wide::stride], sums[::stride])))
            for number, count in enumerate(counts):
                if not count:
                    x = left + number * _STEP
                    aside = abs(x - city[0]) - shape.width / 2, abs(y - city[1]) - shape.height / 2
                    if max(aside) < REACH:
                        yield x, y

    def crossed(self, start: Point, end: Point) -> float:
        """What it costs that a line runs over spaces and cities, apart from the city where it starts."""
        far = hypot(end[0] - start[0], end[1] - start[1])
        steps = max(1, round((far - CITY - 4) / 3))
        found = 0.0
        for number in range(steps):
            share = 1 - number / steps * (far - CITY - 4) / far
            x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            there = self.rows[int((y - self.top) / self._SQUARE)][int((x - self.left) / self._SQUARE)]
            found += 10.0 if there == self._CITY else 1.2 * there
        return found

    def doubtful(self, box: Box, own: Point) -> bool:
        """A name there could be taken for that of another city."""
        far = box.far(own) + 5
        near = box.wider(far, far)
        return any(
            near.left < x < near.left + near.width and near.top < y < near.top + near.height and box.far((x, y)) < far
            for x, y in self.cities
            if (x, y) != own
        )
