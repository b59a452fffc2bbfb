"""Paths of routes: a longest one in the order of travel, and paths that pass places in order (P2, P3).

A path may revisit a city and may loop, but uses no route twice. Graph theory calls it a trail.
"""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules.graph.lengths import longest_routes

#: A route for the search: the indices of its two cities, and its length.
Edge = tuple[int, int, int]


def longest_trail(edges: Sequence[Edge]) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """The length of a longest path, the indices of its edges in the order of travel, and its cities (P3).

    >>> longest_trail([(0, 1, 2), (0, 2, 3), (1, 2, 1), (2, 3, 4)])
    (10, (2, 0, 1, 3), (2, 1, 0, 2, 3))
    >>> longest_trail([])
    (0, (), ())
    """
    first, second, lengths = [[edge[part] for edge in edges] for part in range(3)]
    packed = longest_routes(first, second, lengths)
    return packed >> len(edges), *in_order_of_travel(edges, packed)


def passes_in_order(links: Sequence[tuple[int, int]], places: Sequence[Sequence[int]]) -> bool:
    """True if a continuous path over some links passes a city of each place, in this order, whatever lies between (P2).

    As for the longest path, it uses no link twice, and a city may be passed again.

    >>> line, fork = [(0, 1), (1, 2)], [(0, 3), (1, 3), (2, 3)]
    >>> [passes_in_order(links, [[0], [1], [2]]) for links in (line, fork, [*fork, (1, 2)])]
    [True, False, True]
    """
    around: dict[int, list[tuple[int, int]]] = {}
    for number, (first, second) in enumerate(links):
        around.setdefault(first, []).append((second, 1 << number))
        around.setdefault(second, []).append((first, 1 << number))
    waiting = [(city, 0, 0) for city in places[0]]
    tried: set[tuple[int, int, int]] = set()
    while waiting:
        city, passed, used = waiting.pop()
        if city in places[passed]:
            passed += 1
            if passed == len(places):
                return True
        if (city, passed, used) not in tried:
            tried.add((city, passed, used))
            for other, bit in around.get(city, ()):
                if not used & bit:
                    waiting.append((other, passed, used | bit))
    return False


def in_order_of_travel(edges: Sequence[Edge], chosen: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The edges of a packed set as one path, and its cities (Hierholzer): walk until stuck, then splice in the remaining loops."""
    around: dict[int, list[int]] = {}
    for index, (first, second, _) in enumerate(edges):
        if chosen >> index & 1:
            around.setdefault(first, []).append(index)
            around.setdefault(second, []).append(index)
    if not around:
        return (), ()
    odd = [city for city, indices in around.items() if len(indices) & 1]
    start = odd[0] if odd else next(iter(around))
    walk = [(start, -1)]
    trail: list[tuple[int, int]] = []
    while walk:
        city, _ = walk[-1]
        indices = around[city]
        while indices and not chosen >> indices[-1] & 1:
            indices.pop()
        if indices:
            index = indices.pop()
            chosen ^= 1 << index
            first, second, _ = edges[index]
            walk.append((first + second - city, index))
        else:
            trail.append(walk.pop())
    trail.reverse()  # its start was not reached by an edge
    return tuple([came for _, came in trail[1:]]), tuple([city for city, _ in trail])
