"""Europa 1912: Europe with the tickets of the 1912 set instead (V3)."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import Board
from ttr_rules.plugins import Deal, KeepAtLeast, PluginInfo, RuleFile, Setup, Stage, TicketDeck, hookimpl

info = PluginInfo("europa-1912", "Europa 1912", "Europe with the 55 tickets of the 1912 set.", requires=("europe",))


@hookimpl
def ticket_deck(board: Board) -> TicketDeck:
    return TicketDeck.by_kind([ticket for ticket in board.tickets if ticket.set == "europa_1912"])


@hookimpl
def setup() -> Setup:
    dealt = (Deal("long", 1), Deal("regular", 3))
    return (Stage(deals=dealt, keep=KeepAtLeast(2), box_rest=("long",), rule="V3"),)


@hookimpl
def rulebooks() -> Iterable[RuleFile]:
    return (RuleFile("ttr_variants", "europa_1912.toml"),)
