"""Crossings: a route of five spaces or more takes one more train car, and scores two points at once for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ttr_rules import Board, Route, View
from ttr_rules.plugins import Below, Rules, ScoringTerm, Transaction, Variant, hookimpl, points_in_play

LONG, POINTS = 5, 2


def is_long(route: Route) -> bool:
    return route.length >= LONG


class Crossings(Variant, name="crossings"):
    """Crossings: long routes take one more train car and score at once."""

    @hookimpl
    def route_cars(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {id: count + is_long(board.routes[id]) for id, count in below().items()}

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        if is_long(route):
            tx.score(seat, POINTS, "crossings")

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("crossings", "Crossings"),)

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        return {id: POINTS for id, route in rules.board.routes.items() if is_long(route)}
