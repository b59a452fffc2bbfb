"""Hints that help bots with a plugin: how to borrow, what an action is worth, what a route is worth."""

from ttr_rules.kernel.hints import (
    ActionValue,
    BorrowHint,
    BotHint,
    DrawHint,
    LoanHint,
    OpeningHint,
    RouteCosts,
    RouteValues,
)

__all__ = ["ActionValue", "BorrowHint", "BotHint", "DrawHint", "LoanHint", "OpeningHint", "RouteCosts", "RouteValues"]
