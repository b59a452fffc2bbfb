"""Mega Europa: all tickets of both sets, two long ones first, then five regular ones (V4)."""

from __future__ import annotations

from ttr_rules import Board
from ttr_rules.plugins import Below, Deal, KeepBetween, Stage, TicketDeck, Variant, always, hookimpl

SETS = ("europe", "europa_1912")
MORE_WITHOUT_LONG = KeepBetween(least=3, least_with_kept=2)


class MegaEuropa(Variant, name="mega-europa", title="Mega Europa", requires=("europe",)):
    """Europe with all 101 tickets, chosen in two stages."""

    rulebook = "mega_europa.toml"

    setup = always(
        (
            Stage(deals=(Deal("long", 2),), keep=KeepBetween(most=1), box_rest=("long",), rule="V4"),
            Stage(deals=(Deal("regular", 5),), keep=MORE_WITHOUT_LONG, under="regular", shuffled=True, rule="V4"),
        )
    )

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        return TicketDeck.by_kind([ticket for ticket in board.tickets if ticket.set in SETS])
