"""The longest continuous path of a player: exact, with the routes in the order of travel (P3).

A path may revisit a city and may loop, but uses no route twice; graph theory calls it a trail. The routes
fall into connected components, and a path lies in one of them. They are examined in turn, the greatest
total length first, until the next total is no longer than the best path found. For one component:

1. At most two odd cities (cities with an odd number of routes): one path uses every route (Euler).
2. No cycle: the path is the longest way through a tree, found in one pass from its leaves.
3. Otherwise a depth-first search, which needs at most a few hundred steps in nearly all positions. With more
   than two odd cities a longest path runs from one odd city to another, so only these are starts. (A path
   that cannot go on has used all routes of its last city. If that city is even, the path has come back to its
   start, and can be taken up at another of its cities that has a route left.) Two walks that used the same
   routes and are in the same city have the same future: the second is dropped. Every odd city but two keeps
   an unused route, which bounds the length; the search ends when it reaches that bound.
4. If the search uses up its budget, `frontier.longest_chosen` finishes, starting from the search's best path.

All steps find a set of routes, written as one integer: the length in the high bits and a bit for each route
in the low ones (a *packed* set, see `frontier`). One last pass puts the routes into the order of travel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ttr_rules.graph.frontier import Around, longest_chosen

T = TypeVar("T")
#: A route for the search: the indices of its two cities, and its length.
Edge = tuple[int, int, int]

#: Steps of the depth-first search before the frontier takes over: enough for all but the most tangled
#: networks, and less time than the frontier takes for those.
SEARCH_BUDGET = 300


def longest_trail(edges: Sequence[Edge]) -> tuple[int, tuple[int, ...]]:
    """The length of a longest path, and the indices of its edges in the order of travel (P3).

    >>> longest_trail([(0, 1, 2), (0, 2, 3), (1, 2, 1), (2, 3, 4)])
    (10, (2, 0, 1, 3))
    >>> longest_trail([])
    (0, ())
    """
    found = search(edges, SEARCH_BUDGET)
    return found >> len(edges), in_order_of_travel(edges, found)


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


def search(edges: Sequence[Edge], budget: int) -> int:
    """A longest path as a packed set of edges: length << len(edges), plus 1 << index for each edge (P3).

    `budget` is the number of steps of the depth-first search; it changes the time, never the length.
    """
    shift = len(edges)
    around: Around = {}
    bit = 1
    for first, second, length in edges:
        packed = length << shift | bit
        if first in around:
            around[first].append((second, packed, bit))
        else:
            around[first] = [(second, packed, bit)]
        if second in around:
            around[second].append((first, packed, bit))
        else:
            around[second] = [(first, packed, bit)]
        bit <<= 1
    best = 0
    for component in _components(around):
        if component.total >> shift <= best >> shift:
            break
        if len(component.odd) <= 2:
            best = component.total
        elif component.is_tree:
            best = max(best, _longest_in_tree(component))
        else:
            best = _longest_in_tangle(component, around, shift, best, budget)
    return best


class Component:
    """A connected part of the network: `total` holds all its edges as a packed set, `odd` its odd cities.

    `reached` holds, in the order of discovery, (city, city it was reached from, packed edge between them).
    """

    def __init__(self, total: int, odd: list[int], is_tree: bool, reached: list[tuple[int, int, int]]) -> None:
        self.total = total
        self.odd = odd
        self.is_tree = is_tree
        self.reached = reached


def _components(around: Around) -> list[Component]:
    """The connected components, the greatest total length first."""
    found: list[Component] = []
    seen: set[int] = set()
    for start in around:
        if start in seen:
            continue
        seen.add(start)
        reached = [(start, start, 0)]
        odd: list[int] = []
        twice = 0  # every edge is met from both of its ends, so all sums come out doubled
        ends = 0
        for city, _, _ in reached:  # grows while it is iterated over
            routes = around[city]
            ends += len(routes)
            if len(routes) & 1:
                odd.append(city)
            for other, edge, _ in routes:
                twice += edge
                if other not in seen:
                    seen.add(other)
                    reached.append((other, city, edge))
        found.append(Component(twice >> 1, odd, ends == 2 * len(reached) - 2, reached))
    if len(found) > 1:
        found.sort(key=_total, reverse=True)
    return found


def _total(component: Component) -> int:
    return component.total


def _longest_in_tree(component: Component) -> int:
    """The longest way through a tree as a packed set: the two longest branches that meet in one city."""
    longest = 0
    branch = {city: 0 for city, _, _ in component.reached}
    # Backwards, every city comes before the one it was reached from. The first city has no predecessor.
    for city, parent, edge in component.reached[:0:-1]:
        reach = branch[city] + edge
        other = branch[parent]
        longest = max(longest, other + reach)
        if reach > other:
            branch[parent] = reach
    return longest


def _longest_in_tangle(component: Component, around: Around, shift: int, known: int, budget: int) -> int:
    """The longest path of a component with cycles and over two odd cities, or `known` if none is longer."""
    starts = sorted(component.odd, key=lambda city: len(around[city]))
    # The unused edges include one of every odd city but two, and one edge serves at most two of them.
    shortest = sorted([min([edge for _, edge, _ in around[city]]) >> shift for city in starts])
    total = component.total >> shift
    bound = total - (sum(shortest[:-2]) + 1) // 2
    if bound <= known >> shift:
        return known
    walker = Walker(around, known, bound << shift, budget)
    for start in starts:
        if not walker.walk(start, 0):
            break
    if walker.budget > 0 or walker.best >= walker.enough:
        return walker.best
    inside = {city: around[city] for city, _, _ in component.reached}
    return longest_chosen(inside, shift, total, walker.best)


class Walker:
    """The depth-first search: `best` is the best packed set so far, `budget` the number of steps left."""

    def __init__(self, around: Around, best: int, enough: int, budget: int) -> None:
        self.around = around
        self.best = best
        self.enough = enough
        self.budget = budget
        self.seen: set[tuple[int, int]] = set()

    def walk(self, city: int, path: int) -> bool:
        """Try every continuation of a path from a city; False when the search is over, by budget or by bound."""
        for other, edge, bit in self.around[city]:
            if path & bit:
                continue
            longer = path + edge
            if (other, longer) in self.seen:
                continue
            if self.budget == 0:
                return False
            self.budget -= 1
            self.seen.add((other, longer))
            if longer > self.best:
                self.best = longer
                if longer >= self.enough:
                    return False
            if not self.walk(other, longer):
                return False
        return True


def in_order_of_travel(edges: Sequence[Edge], chosen: int) -> tuple[int, ...]:
    """The edges of a packed set as one path (Hierholzer): walk until stuck, then splice in the remaining loops."""
    around: dict[int, list[int]] = {}
    for index, (first, second, _) in enumerate(edges):
        if chosen >> index & 1:
            around.setdefault(first, []).append(index)
            around.setdefault(second, []).append(index)
    if not around:
        return ()
    odd = [city for city, indices in around.items() if len(indices) & 1]
    start = odd[0] if odd else next(iter(around))
    walk = [(start, -1)]
    trail: list[int] = []
    while walk:
        city, came = walk[-1]
        indices = around[city]
        while indices and not chosen >> indices[-1] & 1:
            indices.pop()
        if indices:
            index = indices.pop()
            chosen ^= 1 << index
            first, second, _ = edges[index]
            walk.append((first + second - city, index))
        else:
            trail.append(came)
            walk.pop()
    trail.pop()  # the start was not reached by an edge
    trail.reverse()
    return tuple(trail)


def stops(edges: Sequence[tuple[T, T]]) -> list[T]:
    """The stops of a walk along edges, given the ends of each in the order of travel; empty if they are not a walk.

    >>> stops([("b", "a"), ("b", "c"), ("c", "b")])
    ['a', 'b', 'c', 'b']
    """
    for here in edges[0] if edges else ():
        way = [here]
        for first, second in edges:
            if here == first:
                here = second
            elif here == second:
                here = first
            else:
                break
            way.append(here)
        else:
            return way
    return []
