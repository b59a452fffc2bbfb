"""Tolls: a claim into a city where others have routes pays each of them a point; nobody draws tickets with six or more in hand."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import DrawTickets, Refusal, Route, State
from ttr_rules.plugins import Around, Rules, ScoringTerm, Transaction, Variant, hookimpl, points_in_play

MOST_TICKETS = 6


def enough(state: State, action: DrawTickets) -> Refusal | None:
    held = len(state.tickets[action.seat])
    return None if held < MOST_TICKETS else Refusal("tolls", f"seat {action.seat} holds {held} tickets already")


def fee(tx: Transaction, action: DrawTickets) -> None:
    tx.score(action.seat, -1, "tolls")


class Tolls(Variant, name="tolls"):
    """Tolls: claims into a city of others pay them a point each."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        routes = tx.rules.board.routes
        cities = set(route.cities)
        owners = {
            owner for id, owner in tx.state.owners.items() if owner != seat and cities.intersection(routes[id].cities)
        }
        for owner in sorted(owners):
            tx.score(seat, -1, "tolls")
            tx.score(owner, 1, "tolls")

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(DrawTickets, refuse=enough, after=fee),)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("tolls", "Tolls"),)
