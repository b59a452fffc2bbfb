"""Crossings: a route of five spaces or more takes one more train car, and scores two points at once for it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping

from ttr_rules import Board, Route
from ttr_rules.plugins import (
    AfterClaim,
    BotHint,
    PluginInfo,
    RouteValue,
    ScoringTerm,
    Transaction,
    hookimpl,
    points_in_play,
)

info = PluginInfo("crossings", "Crossings", "Long routes take one more train car and score at once.")
LONG, POINTS = 5, 2


def is_long(route: Route) -> bool:
    return route.length >= LONG


def cross(tx: Transaction, seat: int, route: str) -> bool:
    """Score for a crossing; nothing is asked."""
    if is_long(tx.rules.board.routes[route]):
        tx.score(seat, POINTS, "crossings")
    return False


@hookimpl(wrapper=True)
def route_cars(board: Board) -> Generator[None, Mapping[str, int], Mapping[str, int]]:
    cars = yield
    return {id: count + is_long(board.routes[id]) for id, count in cars.items()}


@hookimpl
def after_claims() -> Iterable[AfterClaim]:
    return (AfterClaim("crossings", cross),)


@hookimpl
def scoring_terms() -> Iterable[ScoringTerm]:
    return (points_in_play("crossings", "Crossings"),)


@hookimpl
def bot_hints() -> Iterable[BotHint]:
    return (RouteValue(lambda view, rules, route: POINTS if is_long(route) else 0),)
