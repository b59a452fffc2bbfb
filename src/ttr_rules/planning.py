"""Which routes would join the cities of some tickets at the least cost: what bots plan with.

A *link* is a pair of neighbouring cities with all routes between them: whichever of them is claimed, the cities are
joined. Plans are made of links, so that the choice among the routes of a double can wait. Weights are whole numbers,
tenths of a turn, so that a plan is the same on every platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import permutations

from attrs import frozen

from .lending import Goal
from .network import Network

#: The weight of a link that cannot be used.
CLOSED = 10**9
#: What a point is worth, when a ticket names several places with a value each (H5).
WEIGHT_OF_POINT = 4


@frozen
class Wish:
    """A ticket to complete: from any of `starts` to any of `goals`, cities with what reaching them weighs extra."""

    ticket: str
    points: int
    starts: tuple[int, ...]
    goals: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, ticket: str, goal: Goal) -> Wish:
        """The wish to complete a ticket, preferably with its best value."""
        best = max(points for points, _ in goal)
        starts: dict[int, None] = {}
        goals: dict[int, int] = {}
        for points, pairs in goal:
            for start, end in pairs:
                starts.setdefault(start)
                extra = (best - points) * WEIGHT_OF_POINT
                goals[end] = min(extra, goals.get(end, extra))
        return cls(ticket, best, tuple(starts), tuple(goals.items()))


@frozen
class Ways:
    """The links that grant some wishes: what they weigh together, and the wishes that no open link grants."""

    weight: int
    links: frozenset[int]
    hopeless: tuple[Wish, ...]


class Links:
    """The links of a board by number: their two cities, their routes, and those around each city.

    >>> from ttr_rules.board import Board, City, Route
    >>> a, b, c = (City(id, id.upper()) for id in "abc")
    >>> routes = Route("a-b", ("a", "b"), 2), Route("b-c", ("b", "c"), 3), Route("a-c", ("a", "c"), 6)
    >>> links = Links(Network(Board("small", "Small", (a, b, c), routes, {2: 2, 3: 4, 6: 15})))
    >>> wish = Wish("a-c", 9, starts=(0,), goals=((2, 0),))
    >>> links.join([20, 30, 60], [wish])
    Ways(weight=50, links=frozenset({0, 1}), hopeless=())
    """

    __slots__ = ("around", "ends", "link_of", "routes")

    def __init__(self, network: Network) -> None:
        by_ends: dict[tuple[int, int], list[int]] = {}
        for route, (first, second) in enumerate(network.ends):
            by_ends.setdefault((min(first, second), max(first, second)), []).append(route)
        self.ends: tuple[tuple[int, int], ...] = tuple(by_ends)
        self.routes: tuple[tuple[int, ...], ...] = tuple(map(tuple, by_ends.values()))
        self.link_of: dict[int, int] = {route: link for link, routes in enumerate(self.routes) for route in routes}
        self.around: list[list[tuple[int, int]]] = [[] for _ in network.city_ids]
        for link, (first, second) in enumerate(self.ends):
            self.around[first].append((second, link))
            self.around[second].append((first, link))

    def way(
        self, weights: Sequence[int], starts: Iterable[int], goals: Iterable[tuple[int, int]]
    ) -> tuple[int, list[int]] | None:
        """The lightest way from some start to some goal (Dijkstra): its weight and links; None without any."""
        extra = dict(goals)
        done: set[int] = set()
        best = dict.fromkeys(starts, 0)
        came: dict[int, tuple[int, int]] = {}
        heap = [(0, city) for city in best]
        # A goal with an extra weight is reached a second time, as a city of its own below zero.
        while heap:
            weight, city = heappop(heap)
            if city in done:
                continue
            done.add(city)
            if city < 0:
                city = -1 - city
                links: list[int] = []
                while city in came:
                    city, link = came[city]
                    links.append(link)
                return weight, links
            if city in extra:
                heappush(heap, (weight + extra[city], -1 - city))
            for other, link in self.around[city]:
                longer = weight + weights[link]
                if longer < CLOSED and longer < best.get(other, CLOSED):
                    best[other] = longer
                    came[other] = (city, link)
                    heappush(heap, (longer, other))
        return None

    def join(self, weights: Sequence[int], wishes: Sequence[Wish]) -> Ways:
        """Light links that grant all wishes that can be granted, sharing what they can.

        The wishes are granted one after the other in several orders, each on top of what the ones before
        it use; then each is granted anew on top of all the others as long as that helps.
        """
        alone: list[tuple[int, Wish]] = []
        hopeless: list[Wish] = []
        for wish in wishes:
            found = self.way(weights, wish.starts, wish.goals)
            if found is None:
                hopeless.append(wish)
            else:
                alone.append((found[0], wish))
        alone.sort(key=lambda pair: (pair[0], pair[1].ticket))
        shortest_first = [wish for _, wish in alone]
        orders: Iterable[Sequence[Wish]]
        if len(alone) <= 3:
            orders = permutations(shortest_first)
        else:
            orders = (shortest_first, shortest_first[::-1], [*shortest_first[2:], *shortest_first[:2]])
        best: tuple[int, frozenset[int]] | None = None
        for order in orders:
            found_here = self._in_order(weights, order)
            if best is None or found_here[0] < best[0]:
                best = found_here
        weight, links = best or (0, frozenset[int]())
        return Ways(weight, links, tuple(hopeless))

    def _in_order(self, weights: Sequence[int], order: Sequence[Wish]) -> tuple[int, frozenset[int]]:
        ways: dict[str, tuple[int, list[int]]] = {}
        for wish in order:
            ways[wish.ticket] = self._on_top(weights, wish, ways)
        total = self._total(weights, ways)
        for _ in range(3 if len(order) > 1 else 0):
            before = total
            for wish in order:
                old = ways.pop(wish.ticket)
                ways[wish.ticket] = self._on_top(weights, wish, ways)
                now = self._total(weights, ways)
                if now < total:
                    total = now
                else:
                    ways[wish.ticket] = old
            if total == before:
                break
        return total, frozenset(link for _, way in ways.values() for link in way)

    def _on_top(
        self, weights: Sequence[int], wish: Wish, ways: dict[str, tuple[int, list[int]]]
    ) -> tuple[int, list[int]]:
        """The way that grants a wish when what the other ways use is free: its goal's extra weight, its links."""
        lighter = list(weights)
        for _, way in ways.values():
            for link in way:
                lighter[link] = 0
        found = self.way(lighter, wish.starts, wish.goals)
        assert found is not None, "wishes without a way are left out before"
        return found[0] - sum(lighter[link] for link in found[1]), found[1]

    @staticmethod
    def _total(weights: Sequence[int], ways: dict[str, tuple[int, list[int]]]) -> int:
        used = {link for _, way in ways.values() for link in way}
        return sum(weights[link] for link in used) + sum(extra for extra, _ in ways.values())
