"""Big Cities of Europe: the 45 tickets with the big-city logo; five dealt, four drawn (V5)."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import Board
from ttr_rules.plugins import (
    Deal,
    DrawCounts,
    KeepAtLeast,
    PluginInfo,
    RuleFile,
    Setup,
    Stage,
    TicketDeck,
    hookimpl,
)

info = PluginInfo(
    "big-cities",
    "Big Cities of Europe",
    "Europe with the 45 big-city tickets, no long ones.",
    requires=("europe",),
    aliases=("grossstaedte",),
)


@hookimpl
def ticket_deck(board: Board) -> TicketDeck:
    return TicketDeck.by_kind([ticket for ticket in board.tickets if "big_city" in ticket.logos])


@hookimpl
def setup() -> Setup:
    return (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(2), under="regular", shuffled=True, rule="V5"),)


@hookimpl
def draw_counts() -> DrawCounts:
    return DrawCounts(drawn=4)


@hookimpl
def rulebooks() -> Iterable[RuleFile]:
    return (RuleFile("ttr_variants", "big_cities.toml"),)
