"""Hints of plugins for bots, and marks on pictures of the board."""

from ttr_rules.kernel.hints import (
    ActionValue as ActionValue,
    BorrowHint as BorrowHint,
    BotHint as BotHint,
    CityNote as CityNote,
    CityPiece as CityPiece,
    DrawHint as DrawHint,
    LoanHint as LoanHint,
    MapMark as MapMark,
    OpeningHint as OpeningHint,
    RouteCosts as RouteCosts,
    RouteNote as RouteNote,
    RouteValues as RouteValues,
    TicketRoutes as TicketRoutes,
    TurnsLeft as TurnsLeft,
)
