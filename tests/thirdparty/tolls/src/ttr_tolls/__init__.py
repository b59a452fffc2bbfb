"""Tolls: a claim into a city where others have routes pays each of them a point; nobody draws tickets with six or more in hand."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import Decision, DrawTickets, Refusal, State
from ttr_rules.plugins import (
    AfterClaim,
    FollowUp,
    Guard,
    PluginInfo,
    ScoringTerm,
    Transaction,
    hookimpl,
    points_in_play,
)

info = PluginInfo("tolls", "Tolls", "Claims into a city of others pay them a point each.")
MOST_TICKETS = 6


def pay_tolls(tx: Transaction, seat: int, route: str) -> bool:
    routes = tx.rules.board.routes
    cities = set(routes[route].cities)
    owners = {
        owner for id, owner in tx.state.owners.items() if owner != seat and cities.intersection(routes[id].cities)
    }
    for owner in sorted(owners):
        tx.score(seat, -1, "tolls")
        tx.score(owner, 1, "tolls")
    return False


def enough(state: State, decision: Decision, action: DrawTickets) -> Refusal | None:
    held = len(state.tickets[action.seat])
    return None if held < MOST_TICKETS else Refusal("tolls", f"seat {action.seat} holds {held} tickets already")


def fee(tx: Transaction, action: DrawTickets) -> None:
    tx.score(action.seat, -1, "tolls")


@hookimpl
def after_claims() -> Iterable[AfterClaim]:
    return (AfterClaim("tolls", pay_tolls),)


@hookimpl
def guards() -> Iterable[Guard]:
    return (Guard("tolls", DrawTickets, enough),)


@hookimpl
def follow_ups() -> Iterable[FollowUp]:
    return (FollowUp("tolls", DrawTickets, fee),)


@hookimpl
def scoring_terms() -> Iterable[ScoringTerm]:
    return (points_in_play("tolls", "Tolls"),)
