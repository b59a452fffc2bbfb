"""The length of a longest path (P3); `trails` finds its routes, when somebody reads them.

1. Cities with a single route are taken off, one after the other, and the longest way from there is handed on as a *branch* of
   the next city. Where two branches meet, they are a path. Of a network without cycles nothing is left.
2. What is left is the core: each of its cities has two routes or more. A path through it may begin and end with a branch.
   If at most two of its cities are odd (have an odd number of routes), one path uses all of it (Euler).
3. Otherwise a depth-first search starts in each city where a path may end. An odd city where it does not end keeps an unused
   route, and so does an even one where it does; one route serves two cities. That bounds the length, and the search ends
   when it reaches the bound: in nearly all positions after a few dozen steps.
"""

from __future__ import annotations

from typing import Final

from ttr_rules._internal.native import i64
from ttr_rules.graph.trails import SEARCH_BUDGET, search

#: The most steps of the depth-first search; a tangle that needs more is left to `trails`.
STEPS: Final = 4000
#: Cores with at least this many routes are left to `trails`, as the depth-first search calls itself once for each route.
DEEPEST: Final = 300
#: More than the routes of any city.
ONCE: Final = 1 << 16


def longest_length(
    routes: list[int], first: list[int], second: list[int], lengths: list[int], cities: int, steps: int = STEPS
) -> int:
    """The length of a longest path over some routes, by number; `first` and `second` are the cities of each.

    `steps` limits the depth-first search; it changes the time, never the length.

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
    best: i64 = 0
    left: i64 = len(routes)
    while leaves:
        city = leaves.pop()
        one = at[city]
        if one == 0:
            continue  # its route was taken off at the other end
        last: i64 = one // ONCE
        other: i64 = first[last] + second[last] - city
        reach: i64 = branch[city] + lengths[last]
        rest: i64 = branch[other]
        best = max(best, rest + reach)
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
    around: dict[int, list[tuple[int, int, int]]] = {}
    bit = 1
    for route in routes:
        start, end = first[route], second[route]
        if at[start] % ONCE > 1 and at[end] % ONCE > 1:
            around.setdefault(start, []).append((end, lengths[route], bit))
            around.setdefault(end, []).append((start, lengths[route], bit))
            bit <<= 1
    core = Core(around, branch, next_branch, best, steps if bit.bit_length() <= DEEPEST else 0)
    core.search()
    if core.steps > 0:
        return core.best
    return search([(first[route], second[route], lengths[route]) for route in routes], SEARCH_BUDGET) >> len(routes)


class Core:
    """A network without its branches: `best` is the length of the best path so far, `steps` is the number of steps left.

    `around` holds for each city its routes: the city at the other end, the length, a bit of its own; `branch` and `next_branch`
    are the lengths of its two longest branches.
    """

    def __init__(
        self,
        around: dict[int, list[tuple[int, int, int]]],
        branch: list[int],
        next_branch: list[int],
        best: int,
        steps: int,
    ) -> None:
        self.around = around
        self.branch = branch
        self.next_branch = next_branch
        self.best = best
        self.steps = steps
        self.enough = 0
        self.start = 0

    def search(self) -> None:
        """Find the best path, connected part by connected part."""
        seen: set[int] = set()
        for start in self.around:
            if start not in seen:
                seen.add(start)
                part = [start]
                for city in part:  # grows while it is iterated over
                    for other, _, _ in self.around[city]:
                        if other not in seen:
                            seen.add(other)
                            part.append(other)
                self._search_part(part)

    def _search_part(self, cities: list[int]) -> None:
        branch, next_branch = self.branch, self.next_branch
        twice = 0  # the length of all routes, each met from both of its ends
        unused = 0  # how much of it a path leaves out, if no city gains
        odd: list[int] = []
        ends: list[tuple[int, int]] = []  # what a path gains, twice, that ends in a city; and the city
        both = 0
        for city in cities:
            least = 0
            for _, length, _ in self.around[city]:
                twice += length
                if least == 0 or length < least:
                    least = length
            both = max(both, branch[city] + next_branch[city])
            if len(self.around[city]) & 1:
                odd.append(city)
                unused += least
                ends.append((2 * branch[city] + least, city))
            elif branch[city]:
                ends.append((2 * branch[city] - least, city))
        if len(odd) <= 2:
            self.best = max(self.best, twice // 2 + (branch[odd[0]] + branch[odd[1]] if odd else both))
        ends.sort(reverse=True)
        for number, (gain, start) in enumerate(ends):
            most = 2 * (branch[start] + next_branch[start])
            if number + 1 < len(ends):  # paths that end in an earlier city were tried from there
                most = max(most, gain + ends[number + 1][0])
            self.enough = (twice - unused + most) // 2
            if self.enough > self.best:
                self.start = start
                self.walk(start, 0, branch[start])

    def walk(self, city: int, used: int, length: int) -> bool:
        """Try every continuation of a path that has come to a city; False when it is long enough, or no steps are left."""
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
