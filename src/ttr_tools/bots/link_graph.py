"""The graph that bots plan with: the board as links, tickets as goals, and light paths along links.

A *link* is a pair of neighboring cities with all routes between them: whichever of them is claimed, the cities are
connected. Plans consist of links, so the choice among the routes of a double can wait. Weights are whole numbers,
tenths of a turn, so a plan is the same on every platform.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from attrs import field, frozen

from ttr_rules.graph import Goal
from ttr_rules.model import Network, Route
from ttr_rules.plugins import Rules

CLOSED = 10**9  #: The weight of a link that cannot be used.
PER_POINT = 4  #: The weight of a point, for tickets that name several places with a value each.

Way: TypeAlias = tuple[int, list[int]]  #: The weight of a path, and its links.


@frozen
class TicketGoal:
    """A ticket to complete: from any of `starts` to any of `goals`, which are cities with their extra weight."""

    ticket: str
    points: int
    starts: tuple[int, ...]
    goals: Mapping[int, int] = field(hash=False)

    @classmethod
    def of(cls, ticket: str, goal: Goal) -> TicketGoal:
        """The goal for completing a ticket, if possible with its best value."""
        best = max(points for points, _ in goal)
        starts = dict.fromkeys(start for _, pairs in goal for start, _ in pairs)
        goals: dict[int, int] = {}
        for points, pairs in goal:
            for _, end in pairs:
                extra = (best - points) * PER_POINT
                goals[end] = min(extra, goals.get(end, extra))
        return cls(ticket, best, tuple(starts), goals)


class LinkGraph:
    """The links of a board by number: the two cities of each, its routes (also as a mask), and the links around each city.

    >>> from ttr_rules.model.board import Board, City, Route
    >>> a, b, c = (City(id, id.upper()) for id in "abc")
    >>> routes = Route("a-b", ("a", "b"), 2), Route("b-c", ("b", "c"), 3), Route("a-c", ("a", "c"), 6)
    >>> links = LinkGraph(Network(Board("small", "Small", (a, b, c), routes, {2: 2, 3: 4, 6: 15})))
    >>> links.way([22, 28, 46], starts=[0], goals={2: 0})  # from A to C: straight on, not by B
    (46, [2])
    """

    __slots__ = ("around", "ends", "link_of", "masks", "routes")

    def __init__(self, network: Network) -> None:
        between: dict[tuple[int, int], list[int]] = {}
        for route, (first, second) in enumerate(network.ends):
            between.setdefault((min(first, second), max(first, second)), []).append(route)
        self.ends: tuple[tuple[int, int], ...] = tuple(between)
        self.routes: tuple[tuple[int, ...], ...] = tuple(map(tuple, between.values()))
        self.masks: tuple[int, ...] = tuple(map(network.mask, between.values()))
        self.link_of: dict[int, int] = {route: link for link, routes in enumerate(self.routes) for route in routes}
        self.around: list[list[tuple[int, int]]] = [[] for _ in network.city_ids]
        for link, (first, second) in enumerate(self.ends):
            self.around[first].append((second, link))
            self.around[second].append((first, link))

    def way(self, weights: Sequence[int], starts: Iterable[int], goals: Mapping[int, int]) -> Way | None:
        """The lightest path from a start to a goal (Dijkstra): its weight and its links; None if there is none."""
        lightest = dict.fromkeys(starts, 0)
        came: dict[int, tuple[int, int]] = {}
        todo = [(0, city) for city in lightest]
        while todo:
            weight, city = heappop(todo)
            if city < 0:  # a goal with its extra weight, put back as a number below 0
                city = -1 - city
                links: list[int] = []
                while city in came:
                    city, link = came[city]
                    links.append(link)
                return weight, links
            if weight > lightest[city]:
                continue
            if city in goals:
                heappush(todo, (weight + goals[city], -1 - city))
            for other, link in self.around[city]:
                longer = weight + weights[link]
                if longer < lightest.get(other, CLOSED):
                    lightest[other] = longer
                    came[other] = (city, link)
                    heappush(todo, (longer, other))
        return None

    def join(
        self, weights: Sequence[int], ticket_goals: Sequence[TicketGoal], alone: dict[str, Way | None] | None = None
    ) -> tuple[set[int], list[TicketGoal]]:
        """Light links that together reach the ticket goals, and the goals that can be reached at all.

        The goals are reached one by one, building on the links of the previous ones: once from the longest, once from
        the shortest, to see which is lighter. `alone` keeps the path to each goal by itself, for calls with the same weights.
        """
        alone = {} if alone is None else alone
        for goal in ticket_goals:
            if goal.ticket not in alone:
                alone[goal.ticket] = self.way(weights, goal.starts, goal.goals)
        reached = [(way, goal) for goal in ticket_goals if (way := alone[goal.ticket]) is not None]
        reached.sort(key=lambda each: (each[0][0], each[1].ticket))
        order = [goal for _, goal in reached]
        if len(order) < 2:
            return {link for way, _ in reached for link in way[1]}, order
        first = self._one_by_one(weights, reached[-1][0], order[-2::-1])
        second = self._one_by_one(weights, reached[0][0], order[1:])
        return min(first, second, key=lambda found: found[0])[1], order

    def _one_by_one(self, weights: Sequence[int], way: Way, ticket_goals: Sequence[TicketGoal]) -> tuple[int, set[int]]:
        """Reach some goals one after the other, after the one that a way leads to."""
        lighter = list(weights)
        total, links = way
        used = set(links)
        for goal in ticket_goals:
            for link in links:
                lighter[link] = 0
            weight, links = self.way(lighter, goal.starts, goal.goals) or (0, [])
            total += weight
            used.update(links)
        return total, used


def links_of(rules: Rules) -> LinkGraph:
    """The links of the board of some rules: `rules.derived(links_of)` creates them once."""
    return LinkGraph(rules.network)


def link_routes(rules: Rules) -> Sequence[Sequence[Route]]:
    """The routes of every link: `rules.derived(link_routes)` collects them once."""
    routes = list(rules.board.routes.values())
    return tuple([tuple([routes[route] for route in those]) for those in rules.derived(links_of).routes])
