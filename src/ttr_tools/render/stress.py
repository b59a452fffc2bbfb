"""A layout for boards without positions: distances between cities follow the lengths of the routes between them."""

from __future__ import annotations

from heapq import heappop, heappush
from math import cos, hypot, pi, sin

from ttr_rules.model import Board

#: Rounds of improvement; more change nothing that can be seen.
_ROUNDS = 120


def spread_out(board: Board) -> dict[str, tuple[float, float]]:
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
    far = {id: _distances(board, id) for id in ids}
    beyond = 1.5 * max((each for row in far.values() for each in row.values()), default=1.0)
    radius = beyond / 3
    at = {
        id: (radius * cos(2 * pi * number / len(ids)), radius * sin(2 * pi * number / len(ids)))
        for number, id in enumerate(_in_order(board))
    }
    for _ in range(_ROUNDS):
        for id in ids:
            at[id] = _better(id, at, far, beyond)
    return _level(at)


def _better(
    id: str, at: dict[str, tuple[float, float]], far: dict[str, dict[str, float]], beyond: float
) -> tuple[float, float]:
    """Where the others want a city, each the more the nearer it should be."""
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


def _distances(board: Board, start: str) -> dict[str, float]:
    """The shortest way from a city to all that can be reached, in spaces (Dijkstra)."""
    links: dict[str, list[tuple[str, int]]] = {id: [] for id in board.cities}
    for route in board.routes.values():
        first, second = route.cities
        links[first].append((second, route.length))
        links[second].append((first, route.length))
    found: dict[str, float] = {}
    waiting = [(0.0, start)]
    while waiting:
        far, city = heappop(waiting)
        if city not in found:
            found[city] = far
            for other, length in links[city]:
                heappush(waiting, (far + length, other))
    return {city: max(far, 0.5) for city, far in found.items() if city != start}


def _in_order(board: Board) -> list[str]:
    """The cities in the order in which a walk along the routes meets them: neighbors start close together."""
    links: dict[str, list[str]] = {id: [] for id in board.cities}
    for route in board.routes.values():
        first, second = route.cities
        links[first].append(second)
        links[second].append(first)
    found: dict[str, None] = {}
    for start in board.cities:
        waiting = [start]
        while waiting:
            city = waiting.pop()
            if city not in found:
                found[city] = None
                waiting += [other for other in reversed(links[city]) if other not in found]
    return list(found)


def _level(at: dict[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """The layout turned so that its two cities furthest apart lie level, the one that comes first on the left."""
    pairs = [(hypot(a[0] - b[0], a[1] - b[1]), one, two) for one, a in at.items() for two, b in at.items()]
    longest, one, two = max(pairs, key=lambda each: each[0], default=(0.0, "", ""))
    if not longest:
        return dict.fromkeys(at, (0.0, 0.0))
    (x, y), (far_x, far_y) = at[one], at[two]
    across, down = (far_x - x) / longest, (far_y - y) / longest
    return {
        id: ((own_x - x) * across + (own_y - y) * down, (own_y - y) * across - (own_x - x) * down)
        for id, (own_x, own_y) in at.items()
    }
