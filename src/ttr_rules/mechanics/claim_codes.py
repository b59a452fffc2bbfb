"""The routes of a board by what they cost, and the numbers of all claims."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules.model.board import Board
from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost


class RouteClass:
    """The routes of a board that cost the same: `routes` is their mask."""

    __slots__ = ("cost", "routes")

    def __init__(self, cost: Cost, routes: int) -> None:
        self.cost = cost
        self.routes = routes


def route_classes(board: Board) -> list[RouteClass]:
    """The routes of a board by cost, in the order of the board."""
    masks: dict[Cost, int] = {}
    for number, route in enumerate(board.routes.values()):
        cost = Cost.of_route(route)
        # survives ^: every number comes once
        masks[cost] = masks.get(cost, 0) | 1 << number
    return [RouteClass(cost, mask) for cost, mask in masks.items()]


class ClaimCodes:
    """The numbers of claims: a code for every route and every payment that its cost can ever have.

    `first` has the lowest code of each route, `routes` and `payments` the route and the payment of each code; `numbers`
    tells the payments for a route apart.
    """

    __slots__ = ("first", "numbers", "payments", "routes")

    def __init__(self, items: Sequence[int], payments: Sequence[Sequence[Counts]]) -> None:
        self.first: list[int] = []
        self.routes: list[int] = []
        self.payments: list[Counts] = []
        self.numbers: list[dict[Counts, int]] = [
            {payment: number for number, payment in enumerate(ways)} for ways in payments
        ]
        for route, item in enumerate(items):
            self.first.append(len(self.routes))
            for payment in payments[item]:
                self.routes.append(route)
                self.payments.append(payment)
