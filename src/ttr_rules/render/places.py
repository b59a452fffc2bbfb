"""Where the cities of a board are on a picture."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, hypot, log
from statistics import median, pstdev, quantiles

from attrs import frozen

from ttr_rules.model.board import Board
from ttr_rules.render.stress import spread_out

Point = tuple[float, float]

#: How much of the way a space takes on a usual route, and how far apart neighbours are that are close: a quarter of them
#: may be closer.
SPACE, NEIGHBOURS = 42.0, 78.0
#: How far cities are moved apart that are at the same place.
APART = 36.0
#: The longer side of the map is at least and at most this long.
SHORTEST, LONGEST = 720.0, 1300.0


@frozen
class Places:
    """The cities on a picture: the position of each, and whether the board gives them.

    A board gives positions as fractions of a picture, but not its proportions: they are those with which the distances
    between neighbours follow the lengths of routes best. A board without positions is laid out by the same measure.
    """

    cities: Mapping[str, Point]
    measured: bool


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
    if measured:
        wide = _proportions(board, at)
        at = {id: (x * wide, y) for id, (x, y) in at.items()}
    return _scaled(board, at, measured=measured)


def _ratios(board: Board, at: Mapping[str, Point], wide: float) -> list[float]:
    """The distance for each space, route by route, if the picture were this much wider."""
    found: list[float] = []
    for route in board.routes.values():
        (x, y), (other_x, other_y) = (at[city] for city in route.cities)
        far = hypot((x - other_x) * wide, y - other_y)
        if far > 0:
            found.append(far / route.length)
    return found


def _apart(board: Board, at: Mapping[str, Point]) -> list[float]:
    """How far apart neighbours are."""
    pairs = {frozenset(route.cities): route.cities for route in board.routes.values()}
    return [hypot(at[one][0] - at[two][0], at[one][1] - at[two][1]) or 1e-6 for one, two in pairs.values()] * 2


def _proportions(board: Board, at: Mapping[str, Point]) -> float:
    """Width by height: the proportions with which distances follow the lengths of routes best."""

    def error(step: int) -> float:
        return pstdev([log(each) for each in _ratios(board, at, exp(step / 50))] or [0.0])

    return exp(min(range(-45, 46), key=lambda step: (error(step), abs(step))) / 50)


def _scaled(board: Board, at: Mapping[str, Point], *, measured: bool) -> Places:
    """The same positions, as large as spaces need."""
    xs, ys = zip(*at.values(), strict=True) if at else ((0.0,), (0.0,))
    left, top = min(xs), min(ys)
    wide, high = max(xs) - left, max(ys) - top
    ratios = _ratios(board, at, 1.0)
    scale = max(SPACE / median(ratios), NEIGHBOURS / quantiles(_apart(board, at), n=4)[0]) if len(ratios) > 1 else SPACE
    longer = max(wide, high) or 1.0
    scale = min(max(scale, SHORTEST / longer), LONGEST / longer)
    cities = {id: ((x - left) * scale, (y - top) * scale) for id, (x, y) in at.items()}
    return Places(_parted(cities), measured)


def _parted(cities: Mapping[str, Point]) -> dict[str, Point]:
    """The same positions, but cities at the same place next to each other."""
    taken: dict[tuple[int, int], int] = {}
    found: dict[str, Point] = {}
    for id, (x, y) in cities.items():
        number = taken.get((round(x), round(y)), 0)
        taken[round(x), round(y)] = number + 1
        found[id] = (x + APART * number, y)
    return found
