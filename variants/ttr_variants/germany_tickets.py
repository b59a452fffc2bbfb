"""The 89 tickets of the later edition Germany, for the board of Märklin (V11)."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import Board, Rules
from ttr_rules.plugins import PluginInfo, TicketDeck, hookimpl

from .marklin import deck_of

info = PluginInfo(
    "germany-tickets",
    "Germany's tickets",
    "Märklin with the 89 tickets of the later edition: 55 short, 34 long.",
    requires=("marklin",),
)


@hookimpl
def ticket_deck(board: Board) -> TicketDeck:
    """The tickets of that set; on a custom map, those without a set."""
    return deck_of(ticket for ticket in board.tickets if ticket.set in ("", "germany_2017"))


@hookimpl
def problems(rules: Rules) -> Iterable[str]:
    """Refuse two sources of tickets."""
    if rules.options.get("marklin", {}).get("tickets") is not None:
        return ("Marklin was given tickets of its own: leave germany-tickets out, or give it none",)
    return ()
