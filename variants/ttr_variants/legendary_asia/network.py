"""The Asian Explorer: ten points for the most cities in one connected network (L12)."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules import PlayerScore, State
from ttr_rules.plugins import Bonus, ScoringTerm, Term


def largest_network(links: Sequence[tuple[int, int]]) -> int:
    """The number of cities in the largest connected network; loops and branches are allowed, a city counts once.

    >>> largest_network([(0, 1), (1, 2), (2, 0), (1, 3), (7, 8)])
    4
    """
    networks: list[set[int]] = []
    for link in links:
        joined = [network for network in networks if not network.isdisjoint(link)]
        networks = [network for network in networks if network.isdisjoint(link)]
        networks.append({*link}.union(*joined))
    return max(map(len, networks), default=0)


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
