"""What a plugin tells tools: hints for bots, and marks on pictures of the board."""

from ttr_rules.kernel.hints import (
    ActionValue,
    BorrowHint,
    BotHint,
    CityNote,
    CityPiece,
    DrawHint,
    LoanHint,
    MapMark,
    OpeningHint,
    RouteCosts,
    RouteNote,
    RouteValues,
    TicketRoutes,
)

__all__ = [
    "ActionValue",
    "BorrowHint",
    "BotHint",
    "CityNote",
    "CityPiece",
    "DrawHint",
    "LoanHint",
    "MapMark",
    "OpeningHint",
    "RouteCosts",
    "RouteNote",
    "RouteValues",
    "TicketRoutes",
]
