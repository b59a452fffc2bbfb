"""The longest path of a network: its length, or with packed lengths its routes, and their order of travel (P3).

A path may revisit a city and may loop, but uses no route twice. Graph theory calls it a trail.

1. Cities with a single route are taken off, one after the other, and the longest way from there is handed on as a *branch* of
   the next city. Where two branches meet, they are a path. Of a network without cycles nothing is left.
2. What is left is the core: each of its cities has two routes or more. A path through it may begin and end with a branch.
   If at most two of its cities are odd (have an odd number of routes), one path uses all of it (Euler).
3. Otherwise a depth-first search starts in each city where a path may end. An odd city where it does not end keeps an unused
   route, and so does an even one where it does. One route serves two cities. That bounds the length, and the search
   ends when it reaches the bound: in nearly all positions after a few dozen steps.
4. If the search uses up its steps, `frontier.longest_chosen` finishes, starting from the search's best path.

All steps only add and compare lengths. So with packed sets in place of lengths (see `frontier`), they give the routes of the path.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ttr_rules._internal.native import i64
from ttr_rules.graph.frontier import Around, connected_parts, longest_chosen

#: A route for the search: the indices of its two cities, and its length.
Edge = tuple[int, int, int]
#: The most steps of the depth-first search for a length alone; a tangle that needs more is left to the frontier.
STEPS: Final = 4000
#: The most steps of the search for routes: enough for all but the most tangled networks, and less time than the frontier
#: takes for those.
STEPS_TO_ROUTES: Final = 300
#: Cores with at least this many routes are left to the frontier, as the depth-first search calls itself once for each route.
DEEPEST: Final = 300
#: More than the routes of any city.
ONCE: Final = 1 << 16


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


def longest_routes(first: list[int], second: list[int], lengths: list[int], steps: int = STEPS_TO_ROUTES) -> int:
    """A longest path as a packed set of routes: length << len(lengths), plus 1 << number for each route.

    >>> bin(longest_routes([0, 1, 1], [1, 2, 3], [2, 1, 4]))  # 6 long, by the first and the last route
    '0b110101'
    """
    shift = len(lengths)
    packed = [length << shift | 1 << number for number, length in enumerate(lengths)]
    return longest_length(list(range(shift)), first, second, packed, 1 + max([-1, *first, *second]), steps, shift)


def longest_length(
    routes: list[int],
    first: list[int],
    second: list[int],
    lengths: list[int],
    cities: int,
    steps: int = STEPS,
    shift: int = 0,
) -> int:
    """The length of a longest path over some routes, by number.

    `first` and `second` are the cities of each. `steps` limits the depth-first search. It changes the time, never the
    length. With `shift`, `lengths` are packed sets with the lengths above this bit, and so is the result.

    >>> longest_length([0, 1, 2, 3], [0, 0, 1, 2], [1, 2, 2, 3], [2, 3, 1, 4], 4)
    10
    """
    at: list[int] = [0] * cities  # of each city how many routes are left, plus ONCE times the sum of their numbers
    for route in routes:
        one: i64 = ONCE * route + 1
        city: i64 = first[route]
        here: i64 = at[city]
        at[city] = here + one
        city = second[route]
        here = at[city]
        at[city] = here + one
    leaves: list[int] = []
    for route in routes:
        one = ONCE * route + 1
        if at[first[route]] == one:
            leaves.append(first[route])
        elif at[second[route]] == one:
            leaves.append(second[route])
    branch: list[int] = [0] * cities  # of each city the longest branch, and the next one
    next_branch: list[int] = [0] * cities
    best = 0
    left: i64 = len(routes)
    while leaves:
        city = leaves.pop()
        one = at[city]
        if one == 0:
            continue  # its route was taken off at the other end
        last: i64 = one // ONCE
        other: i64 = first[last] + second[last] - city
        reach = branch[city] + lengths[last]
        rest = branch[other]
        if rest + reach > best:
            best = rest + reach
        if reach > rest:
            branch[other] = reach
            reach = rest
        if reach > 0 and reach > next_branch[other]:
            next_branch[other] = reach
        left -= 1
        here = at[other] - one
        at[other] = here
        if here % ONCE == 1:
            leaves.append(other)
    if left == 0:
        return best
    around: Around = {}
    bit = 1
    for route in routes:
        start, end = first[route], second[route]
        if at[start] % ONCE > 1 and at[end] % ONCE > 1:
            around.setdefault(start, []).append((end, lengths[route], bit))
            around.setdefault(end, []).append((start, lengths[route], bit))
            bit <<= 1
    core = Core(around, branch, next_branch, best, steps if bit.bit_length() <= DEEPEST else 0, shift)
    core.search()
    if core.steps > 0:
        return core.best
    if not shift:
        ends = [first[route] for route in routes], [second[route] for route in routes]
        return longest_routes(*ends, [lengths[route] for route in routes]) >> len(routes)
    around = {}
    for route in routes:
        packed = lengths[route]
        bit = packed & (1 << shift) - 1
        around.setdefault(first[route], []).append((second[route], packed, bit))
        around.setdefault(second[route], []).append((first[route], packed, bit))
    best = core.best
    for part in connected_parts(around):
        best = longest_chosen({city: around[city] for city in part}, shift, best)
    return best


class Core:
    """A network without its branches: `best` is the length of the best path so far, `steps` the number of steps left.

    `around` holds for each city its routes: the city at the other end, the length, a bit of its own. `branch` and
    `next_branch` are the lengths of its two longest branches. Lengths may be packed sets: then `shift` is the number of
    bits below.
    """

    def __init__(
        self, around: Around, branch: list[int], next_branch: list[int], best: int, steps: int, shift: int
    ) -> None:
        self.around = around
        self.branch = branch
        self.next_branch = next_branch
        self.best = best
        self.steps = steps
        self.shift = shift
        self.enough = 0
        self.start = 0

    def search(self) -> None:
        """Find the best path, connected part by connected part."""
        for part in connected_parts(self.around):
            self._search_part(part)

    def _search_part(self, cities: list[int]) -> None:
        branch, next_branch, shift = self.branch, self.next_branch, self.shift
        twice = 0  # all routes, each met from both of its ends
        unused = 0  # how much of their length a path leaves out, if no city gains
        odd: list[int] = []
        ends: list[tuple[int, int]] = []  # what a path gains, twice, that ends in a city; and the city
        both = 0
        for city in cities:
            least = 0
            for _, length, _ in self.around[city]:
                twice += length
                if least == 0 or length < least:
                    least = length
            least >>= shift
            both = max(both, branch[city] + next_branch[city])
            if len(self.around[city]) & 1:
                odd.append(city)
                unused += least
                ends.append((2 * (branch[city] >> shift) + least, city))
            elif branch[city]:
                ends.append((2 * (branch[city] >> shift) - least, city))
        if len(odd) <= 2:
            self.best = max(self.best, twice // 2 + (branch[odd[0]] + branch[odd[1]] if odd else both))
        ends.sort(reverse=True)
        for number, (gain, start) in enumerate(ends):
            most = 2 * (branch[start] + next_branch[start] >> shift)
            if number + 1 < len(ends):  # paths that end in an earlier city were tried from there
                most = max(most, gain + ends[number + 1][0])
            self.enough = ((twice >> shift) - unused + most) // 2 << shift
            if self.enough > self.best:
                self.start = start
                self.walk(start, 0, branch[start])

    def walk(self, city: int, used: int, length: int) -> bool:
        """Try every continuation of a path that has come to a city. False once it is long enough or steps run out."""
        for other, more, bit in self.around[city]:
            if used & bit:
                continue
            if self.steps == 0:
                return False
            self.steps -= 1
            longer = length + more
            ended = longer + (self.next_branch[other] if other == self.start else self.branch[other])
            if ended > self.best:
                self.best = ended
                if ended >= self.enough:
                    return False
            if not self.walk(other, used | bit, longer):
                return False
        return True
