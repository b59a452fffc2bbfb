"""Tickets as numbers: the pairs of cities that complete them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ttr_rules.model.board import Ticket
from ttr_rules.model.network import Network

#: A ticket: each value with the pairs of cities any of which reaches it, the best value first (P2).
Goal = Sequence[tuple[int, Sequence[tuple[int, int]]]]


def goals_of(ticket: Ticket, network: Network, places: Mapping[str, tuple[str, ...]]) -> Goal:
    """A ticket as numbers: for each value, best first, the pairs of cities that earn it."""
    number = network.city_number
    starts = places[ticket.cities[0]]
    return tuple(
        (points, tuple((number[start], number[end]) for start in starts for end in places[place]))
        for place, points in ticket.goals
    )
