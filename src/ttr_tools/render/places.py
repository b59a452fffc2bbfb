"""Where the cities of a board are on a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, hypot, log
from statistics import median, pstdev, quantiles

from attrs import frozen

from ttr_rules.model import Board
from ttr_tools.render.stress import spread_out

Point = tuple[float, float]

#: What `extra` of a board says if its left and its right edge are the same line.
WRAPS = "wraps"
#: How much of the way a space takes on a usual route, and how far apart neighbors are that are close: a quarter of them
#: may be closer.
SPACE, NEIGHBORS = 42.0, 90.0
#: How far cities are moved apart that are at the same place.
APART = 36.0
#: The longer side of the map is at least and at most this long.
SHORTEST, LONGEST = 720.0, 1300.0


@frozen
class Places:
    """The cities on a picture: the position of each, and whether the board gives them.

    A board gives positions as fractions of a picture, but not its proportions: they are those with which the distances
    between neighbors follow the lengths of routes best. A board without positions is laid out by the same measure.
    """

    cities: Mapping[str, Point]
    measured: bool
    #: The left and the right edge of a map that wraps round.
    edges: tuple[float, float] | None = None

    def crosses(self, cities: tuple[str, str]) -> bool:
        """The shorter way between two cities leads across the left and the right edge of a map that wraps round."""
        if self.edges is None:
            return False
        (x, _), (other_x, _) = (self.cities[city] for city in cities)
        return 2 * abs(x - other_x) > self.edges[1] - self.edges[0]


def places_of(board: Board) -> Places:
    """The positions of a board's cities.

    >>> from ttr_maps import load
    >>> places = places_of(load("europe"))
    >>> (x, y), (other_x, other_y) = places.cities["lisboa"], places.cities["moskva"]
    >>> x < other_x, y > other_y, places.measured
    (True, True, True)
    """
    given = {(city.x, city.y) for city in board.cities.values()}
    measured = len(given) > max(1, len(board.cities) // 2)
    at = {city.id: (city.x, city.y) for city in board.cities.values()} if measured else spread_out(board)
    around = 1.0 if measured and board.extra.get(WRAPS) is True else 0.0
    if measured:
        wide = _proportions(_pairs(board, at, around))
        at = {id: (x * wide, y) for id, (x, y) in at.items()}
        around *= wide
    return _scaled(board, at, around, measured=measured)


def _pairs(board: Board, at: Mapping[str, Point], around: float) -> list[tuple[float, float, int]]:
    """How far apart the cities of each route are across and down, and its length, on a map that may be this far around."""
    found: list[tuple[float, float, int]] = []
    for route in board.routes.values():
        (x, y), (other_x, other_y) = (at[city] for city in route.cities)
        across = abs(x - other_x)
        found.append((min(across, around - across) if 2 * across > around > 0 else across, y - other_y, route.length))
    return found


def _ratios(pairs: Iterable[tuple[float, float, int]], wide: float) -> list[float]:
    """The distance for each space, route by route, if the picture were this much wider."""
    return [far / length for across, down, length in pairs if (far := hypot(across * wide, down)) > 0]


def _apart(board: Board, pairs: Iterable[tuple[float, float, int]]) -> list[float]:
    """How far apart neighbors are."""
    once = dict(zip((frozenset(route.cities) for route in board.routes.values()), pairs, strict=True))
    return [hypot(across, down) or 1e-6 for across, down, _ in once.values()] * 2


def _proportions(pairs: Sequence[tuple[float, float, int]]) -> float:
    """Width by height: the proportions with which distances follow the lengths of routes best."""

    def error(step: int) -> float:
        return pstdev([log(each) for each in _ratios(pairs, exp(step / 50))] or [0.0])

    return exp(min(range(-45, 46), key=lambda step: (error(step), abs(step))) / 50)


def _scaled(board: Board, at: Mapping[str, Point], around: float, *, measured: bool) -> Places:
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
    scale = min(max(scale, SHORTEST / longer), LONGEST / longer)
    cities = {id: ((x - left) * scale, (y - top) * scale) for id, (x, y) in at.items()}
    return Places(_parted(cities), measured, (-left * scale, (around - left) * scale) if around else None)


def _parted(cities: Mapping[str, Point]) -> dict[str, Point]:
    """The same positions, but cities at the same place next to each other."""
    taken: dict[tuple[int, int], int] = {}
    found: dict[str, Point] = {}
    for id, (x, y) in cities.items():
        number = taken.get((round(x), round(y)), 0)
        taken[round(x), round(y)] = number + 1
        found[id] = (x + APART * number, y)
    return found
