"""India: ferries, and the mandala for tickets that are connected twice (I1–I9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise, product
from typing import Any

from attrs import evolve

import ttr_maps
from ttr_rules import State, View
from ttr_rules.plugins import (
    Components,
    Deal,
    KeepAtLeast,
    Rules,
    Score,
    ScoringTerm,
    Stage,
    Variant,
    always,
    hookimpl,
    option,
)
from ttr_rules.scores import LONGEST_PATH, Detail, completed

#: The points that the first, second … ticket adds. Those after the last add nothing (I8).
WORTH = (5, 5, 10, 10, 10)

#: A route as the numbers of the two cities that it joins.
Link = tuple[int, int]


def path(links: Sequence[Link], start: int, end: int) -> list[int] | None:
    """A shortest path of links from one city to another, by number, or None.

    >>> path([(0, 1), (1, 2), (0, 2)], 0, 2)
    [2]
    """
    ways: dict[int, list[int]] = {start: []}
    waiting = [start]
    for city in waiting:
        for number, (one, other) in enumerate(links):
            end_of_link = other if city == one else one if city == other else city
            if end_of_link not in ways:
                ways[end_of_link] = [*ways[city], number]
                waiting.append(end_of_link)
    return ways.get(end)


def joined_twice(links: Sequence[Link], start: int, end: int, *, disjoint_cities: bool = False) -> bool:
    """Return True if two paths without a common link, or with `disjoint_cities` a common city, connect two cities.

    By Menger's theorem, two such paths exist if and only if no link (or city between) is on every path. Only what one
    path uses can be on every path, so its elements are left out one by one.

    >>> ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    >>> joined_twice(ring, 0, 2), joined_twice(ring[1:], 0, 2)
    (True, False)
    >>> eight = [*ring, (2, 4), (4, 5), (5, 2)]
    >>> joined_twice(eight, 0, 5), joined_twice(eight, 0, 5, disjoint_cities=True)
    (True, False)
    """
    first = path(links, start, end)
    if first is None:
        return False
    without = [[*links[:number], *links[number + 1 :]] for number in first]
    if disjoint_cities:
        between = {city for number in first for city in links[number]} - {start, end}
        without += [[link for link in links if city not in link] for city in sorted(between)]
    return all(path(rest, start, end) is not None for rest in without)


def tickets_joined_twice(rules: Rules, routes: Iterable[int], tickets: Iterable[str]) -> list[str]:
    """The tickets that the given routes (by number) connect twice (I7)."""
    apart = rules.plugin(India).disjoint_cities
    links = [rules.network.ends[route] for route in routes]

    def is_joined(ticket: str) -> bool:
        ways = [way for _, places in rules.ticket_goals[ticket] for way in product(*places)]
        return any(all(joined_twice(links, *pair, disjoint_cities=apart) for pair in pairwise(way)) for way in ways)

    return [ticket for ticket in tickets if is_joined(ticket)]


def mandala(state: State, seat: int) -> Score:
    """The tickets of a seat that its own routes connect twice, with what each adds (I7, I8)."""
    tickets = tickets_joined_twice(state.rules, state.routes_of(seat), completed(state, seat))
    details = [Detail(ticket, WORTH[number] if number < len(WORTH) else 0) for number, ticket in enumerate(tickets)]
    return Score(sum(detail.points for detail in details), len(tickets), tuple(details))


#: The line of the score sheet.
MANDALA = ScoringTerm("mandala", mandala, label="Mandala")


# -- bots ------------------------------------------------------------------------------------------------------

SURE = 0.8  # the share of planned points that is expected to come true


def missing(
    links: Sequence[Link], cars: Sequence[int], own: Sequence[int], free: AbstractSet[int], start: int, end: int
) -> tuple[int, ...] | None:
    """The cheapest free links that connect two already connected cities a second time, or None if impossible.

    This finds the cheapest second path, which may go back along the first one. Links used by both are then not needed.

    >>> missing([(0, 1), (1, 2), (0, 2)], [1, 1, 3], own=[0, 1], free={2}, start=0, end=2)
    (2,)
    """
    first = path([links[link] for link in own], start, end)
    city = start
    along: set[tuple[int, int]] = set()
    for number in first or ():
        along.add((own[number], city))
        city = sum(links[own[number]]) - city
    at: dict[int, list[int]] = {}
    for link in (*own, *sorted(free)):
        for city in links[link]:
            at.setdefault(city, []).append(link)
    todo: list[tuple[int, int, tuple[int, ...]]] = [(0, start, ())] if first else []
    seen: set[int] = set()
    while todo:
        cost, city, way = heappop(todo)
        if city == end:
            return way
        if city not in seen:
            seen.add(city)
            for link in at[city]:
                if (link, city) not in along:
                    more, longer = (cars[link], (*way, link)) if link in free else (0, way)
                    heappush(todo, (cost + more, sum(links[link]) - city, longer))
    return None


@lru_cache(maxsize=64)
def worths(
    rules: Rules, seat: int, owners: Mapping[str, int], tickets: tuple[str, ...], cars: int, players: int
) -> Mapping[str, float]:
    """The value of each route for the mandala: its share of the points of each ticket that needs it."""
    network = rules.network
    owned = {network.route_number[id]: owner for id, owner in owners.items()}
    own = sorted(route for route, owner in owned.items() if owner == seat)
    closed = rules.closed_beside(players, network.mask(own), network.mask(list(owned)))
    free = {route for route in range(len(network.ends)) if route not in owned and not closed >> route & 1}
    joined = len(tickets_joined_twice(rules, own, tickets))
    gain = SURE * sum(WORTH[joined : joined + 1])
    values: dict[str, float] = {}
    for ticket in tickets:
        goal = rules.ticket_goals[ticket]
        pairs = [pair for _, places in goal for way in product(*places) for pair in pairwise(way)]
        ways = [way for pair in pairs if (way := missing(network.ends, network.cars, own, free, *pair))]
        for way in ways[:1]:
            spaces = sum(network.cars[route] for route in way)
            alike = {(network.ends[route], network.cars[route]) for route in way if spaces <= cars}
            for route in free:  # either half of a double counts
                if (network.ends[route], network.cars[route]) in alike:
                    id = network.route_ids[route]
                    values[id] = values.get(id, 0.0) + gain * network.cars[route] / spaces
    return values


class India(Variant, name="india", title="India"):
    """Two to four players; ferries; points for tickets connected twice."""

    rulebook = "india.toml"

    disjoint_cities: bool = option(
        False,
        True,
        rule="IR1",
        meaning="whether the two paths of a ticket may meet in its own two cities only, not in any city",
    )

    board = always(ttr_maps.load("india"))
    # Two to four players; with four both routes of a double are open (I1, I2).
    components = always(Components(max_players=4))
    # Four tickets, at least two kept, the others under the pile; draws in play as usual (I3).
    setup = always((Stage(deals=(Deal("regular", 4),), keep=KeepAtLeast(2), under="regular", rule="I3"),))
    # Ten points for the longest path, nothing for the most tickets (I6).
    bonuses = always((evolve(LONGEST_PATH, label="Indian Express"),))
    scoring = always((MANDALA,))

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        """For bots, which do not plan second paths: the worth of routes for the mandala (I8)."""
        assert view.seat is not None
        owners: Any = view.owners  # hashable
        return worths(rules, view.seat, owners, view.tickets, view.cars[view.seat], len(view.players))


__all__ = ["India", "joined_twice"]
