"""Europa 1912: Europe with the tickets of the 1912 set instead (V3)."""

from __future__ import annotations

from ttr_rules import Board
from ttr_rules.plugins import Below, Deal, KeepAtLeast, Stage, TicketDeck, Variant, always, hookimpl


class Europa1912(Variant, name="europa-1912", title="Europa 1912", requires=("europe",)):
    """Europe with the 55 tickets of the 1912 set."""

    rulebook = "europa_1912.toml"

    setup = always(
        (Stage(deals=(Deal("long", 1), Deal("regular", 3)), keep=KeepAtLeast(2), box_rest=("long",), rule="V3"),)
    )

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        return TicketDeck.by_kind([ticket for ticket in board.tickets if ticket.set == "europa_1912"])
