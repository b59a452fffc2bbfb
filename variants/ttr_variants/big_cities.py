"""Big Cities of Europe: the 45 tickets with the big-city logo, of which five are dealt and four drawn (V5)."""

from __future__ import annotations

from ttr_rules import Board
from ttr_rules.plugins import Below, Deal, DrawCounts, KeepAtLeast, Stage, TicketDeck, Variant, always, hookimpl


class BigCities(
    Variant, name="big-cities", title="Big Cities of Europe", requires=("europe",), aliases=("grossstaedte",)
):
    """Europe with the 45 big-city tickets, no long ones."""

    rulebook = "big_cities.toml"

    setup = always(
        (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(2), under="regular", shuffled=True, rule="V5"),)
    )
    draw_counts = always(DrawCounts(drawn=4))

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        return TicketDeck.by_kind([ticket for ticket in board.tickets if "big_city" in ticket.logos])
