"""The longest continuous path of a player, by the ids of routes and cities (P3), which `lengths` finds, and shortest paths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import groupby

from attrs import field, frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.graph.lengths import Edge, longest_trail
from ttr_rules.model.board import Board
from ttr_rules.text import brief

#: The repr of a longer path shows only its first cities and the last.
_MOST_SHOWN = 8


@frozen(repr=False)
class LongestPath:
    """A longest continuous path: its length in train cars, its routes and its cities in the order of travel (P3).

    >>> LongestPath(5, ("brest-paris-black", "dieppe-paris-purple"), ("brest", "paris", "dieppe"))
    <LongestPath 5: brest–paris–dieppe>
    """

    length: int
    routes: tuple[str, ...]
    cities: tuple[str, ...] = field(default=(), eq=False)

    def __repr__(self) -> str:
        way = self.cities if len(self.cities) <= _MOST_SHOWN else (*self.cities[:3], "…", self.cities[-1])
        return f"<LongestPath {self.length}{': ' if way else ''}{'–'.join(way)}>"


def longest_path(board: Board, route_ids: Iterable[str], *, through: str | None = None) -> LongestPath:
    """Find the longest continuous path over some routes of a board (P3), or the longest that passes the city `through`.

    An id given twice counts once. Of several longest paths the same one is always returned, whatever the order of the ids.
    Raises `InvalidInputError` for an id that the board does not have, and for anything that is not a board.

    >>> from ttr_rules.model.board import City, Route
    >>> a, b, c, d = (City(id, id.upper()) for id in "abcd")
    >>> board = Board("small", "Small", (a, b, c, d), (
    ...     Route("a-b", ("a", "b"), 2), Route("a-c", ("a", "c"), 3),
    ...     Route("b-c", ("b", "c"), 1), Route("c-d", ("c", "d"), 4)), {1: 1, 2: 2, 3: 4, 4: 7})
    >>> longest_path(board, board.routes)  # once around the loop, then off along its tail
    <LongestPath 10: c–b–a–c–d>
    >>> longest_path(board, ["a-b", "c-d"]), longest_path(board, ["a-b", "c-d"], through="b")
    (<LongestPath 4: c–d>, <LongestPath 2: a–b>)
    """
    if not isinstance(board, Board):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInputError(f"expected a board, as load_board gives it, got {brief(board)}")
    try:
        distinct = set(route_ids)
    except TypeError:
        raise InvalidInputError(f"routes are given by their ids, not as {brief(route_ids)}") from None
    unknown = sorted(map(repr, distinct - board.routes.keys()))
    if unknown:
        raise InvalidInputError(f"no route {', '.join(unknown)} on the board {board.name}")
    wanted = sorted(distinct)
    numbers = {city: number for number, city in enumerate(board.cities)}
    ends = [[numbers[city] for city in board.routes[id].cities] for id in wanted]
    edges = [(first, second, board.routes[id].length) for id, (first, second) in zip(wanted, ends, strict=True)]
    if through is None:
        return path_over(edges, wanted, list(board.cities))
    if through not in numbers:
        raise InvalidInputError(f"no city {brief(through)} on the board {board.name}")
    # The longest path takes a loop that is longer than everything else, and so passes its city.
    far = 1 + sum([length for _, _, length in edges])
    return path_over(edges, wanted, list(board.cities), [(numbers[through], len(numbers), far)] * 2)


def path_over(
    edges: Sequence[Edge], routes: Sequence[str], cities: Sequence[str], loop: Sequence[Edge] = ()
) -> LongestPath:
    """A longest path over some edges, given the ids of their routes, and those of the cities by number.

    With a `loop`, edges that the path surely uses, this is left out of the answer.
    """
    length, trail, way = longest_trail([*edges, *loop])
    length -= sum([far for _, _, far in loop])
    travelled = tuple([routes[index] for index in trail if index < len(edges)])
    # Without the end of a loop, the city from which it is entered and left stands there once.
    passed = groupby([city for city in way if city < len(cities)])
    return LongestPath(length, travelled, tuple([cities[city] for city, _ in passed]) if travelled else ())


def shortest_path(
    board: Board, spaces: Mapping[str, int], starts: Iterable[str], ends: Iterable[str]
) -> tuple[int, tuple[str, ...]] | None:
    """Find the shortest path from any of some cities to any of others: its length and its routes, or None if there is none.

    `spaces` has the routes that may be used, each with its length here, such as 0 for those that a seat holds. Of several
    shortest paths the same one is always returned. Raises `InvalidInputError` for an id that the board does not have, and for a
    length below 0.

    >>> import ttr_maps
    >>> board = ttr_maps.load("europe")
    >>> spaces = {id: route.length for id, route in board.routes.items()}
    >>> shortest_path(board, spaces, ["paris"], ["wien", "roma"])
    (7, ('paris-zurich-gray', 'venezia-zurich-green', 'roma-venezia-black'))
    >>> shortest_path(board, spaces | {"roma-venezia-black": 0}, ["paris"], ["roma"])[0]
    5
    >>> shortest_path(board, {}, ["paris"], ["roma"]) is None
    True
    """
    around: dict[str, list[str]] = {}
    for id, length in spaces.items():
        if id not in board.routes:
            raise InvalidInputError(f"no route {brief(id)} on the board {board.name}")
        if type(length) is not int or length < 0:
            raise InvalidInputError(f"the spaces of {id} are a whole number, at least 0, not {brief(length)}")
        for city in board.routes[id].cities:
            around.setdefault(city, []).append(id)
    begins, goals = {*starts}, {*ends}
    unknown = sorted((begins | goals) - board.cities.keys())
    if unknown:
        raise InvalidInputError(f"no city {', '.join(unknown)} on the board {board.name}")
    waiting: list[tuple[int, tuple[str, ...], str]] = [(0, (), city) for city in sorted(begins)]
    done: set[str] = set()
    while waiting:
        length, way, city = heappop(waiting)
        if city in goals:
            return length, way
        if city not in done:
            done.add(city)
            for id in around.get(city, ()):
                heappush(waiting, (length + spaces[id], (*way, id), board.routes[id].other_end(city)))
    return None
