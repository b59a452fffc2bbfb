"""The Asian Explorer: ten points for the most cities in one connected network (L12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from ttr_rules import PlayerScore, Route, State, View
from ttr_rules.plugins import Bonus, Rules, ScoringTerm, Term

T = TypeVar("T", str, int)
#: What a bot thinks a city more in its largest network is worth: a share of the ten points.
PER_CITY = 1.5


def networks(links: Iterable[tuple[T, T]]) -> list[set[T]]:
    """The cities of each connected network."""
    found: list[set[T]] = []
    for ends in links:
        joined = [network for network in found if not network.isdisjoint(ends)]
        found = [network for network in found if network.isdisjoint(ends)]
        found.append(set(ends).union(*joined))
    return found


def largest_network(links: Iterable[tuple[T, T]]) -> int:
    """The number of cities in the largest connected network; loops and branches are allowed, a city counts once.

    >>> largest_network([(0, 1), (1, 2), (2, 0), (1, 3), (7, 8)])
    4
    """
    return max(map(len, networks(links)), default=0)


def cities_connected(state: State, seat: int) -> Term:
    """The size of a seat's largest network; it scores nothing by itself."""
    ends = state.rules.network.ends
    return Term(0, largest_network([ends[route] for route in state.routes_of(seat)]))


def explorers(players: Sequence[PlayerScore]) -> list[int]:
    """The seats with the largest network: all that are tied, but none without a route (L12, LR3)."""
    best = max(player.terms["network"].count for player in players)
    return [player.seat for player in players if best and player.terms["network"].count == best]


NETWORK = ScoringTerm("network", cities_connected, label="Cities connected")
ASIAN_EXPLORER = Bonus("asian_explorer", 10, explorers, label="Asian Explorer")


# -- bots ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)  # asked about every open route
def _own(rules: Rules, seat: int | None, owners: Mapping[str, int]) -> tuple[Mapping[str, set[str]], int]:
    """For each city that a seat has connected its network, and the number of cities in the largest one."""
    found = networks(rules.board.routes[id].cities for id, owner in owners.items() if owner == seat)
    return {city: network for network in found for city in network}, max(map(len, found), default=0)


def more_cities(view: View, rules: Rules, route: Route) -> float:
    """What a route is worth for the Asian Explorer: the cities by which it enlarges the seat's largest network."""
    owners: Any = view.owners  # hashable
    own, largest = _own(rules, view.seat, owners)
    joined = {*route.cities}.union(*[own[city] for city in route.cities if city in own])
    return PER_CITY * max(len(joined) - largest, 0)
