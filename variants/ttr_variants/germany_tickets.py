"""The 89 tickets of the later edition Germany, for the board of Märklin (V11)."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import Board
from ttr_rules.errors import PluginError
from ttr_rules.plugins import Below, Rules, TicketDeck, Variant, hookimpl

from .marklin import Marklin, make_deck


class GermanyTickets(Variant, name="germany-tickets", title="Germany's tickets", requires=("marklin",)):
    """Märklin with the 89 tickets of the later edition: 55 short, 34 long."""

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        """The tickets of that set, or on a custom map, those without a set."""
        return make_deck([ticket for ticket in board.tickets if ticket.set in ("", "germany_2017")])

    @hookimpl
    def notes(self, rules: Rules) -> Iterable[str]:
        """None. Raises `PluginError` for two sources of tickets."""
        if rules.plugin(Marklin).tickets is not None:
            raise PluginError("Marklin was given tickets of its own: leave germany-tickets out, or give it none")
        return ()
