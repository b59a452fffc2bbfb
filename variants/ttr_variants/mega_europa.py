"""Mega Europa: all tickets of both sets, two long ones first, then five regular ones (V4)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules import Board, Ticket
from ttr_rules.language import Message
from ttr_rules.plugins import Below, Deal, KeepAtLeast, Stage, TicketDeck, Variant, always, hookimpl

SETS = ("europe", "europa_1912")
ONE_LONG = Message("one long ticket can be kept at most")
TWO, THREE = KeepAtLeast(2), KeepAtLeast(3)


@frozen
class KeepOneLongAtMost:
    """Keep at most one of the long tickets."""

    def refusal(self, dealt: Sequence[Ticket], kept: Sequence[Ticket], before: Sequence[Ticket]) -> str | None:
        return ONE_LONG if len(kept) > 1 else None


@frozen
class KeepMoreWithoutLong:
    """Keep at least two regular tickets with a long one in hand, else at least three."""

    def refusal(self, dealt: Sequence[Ticket], kept: Sequence[Ticket], before: Sequence[Ticket]) -> str | None:
        return (TWO if before else THREE).refusal(dealt, kept, before)


class MegaEuropa(Variant, name="mega-europa", title="Mega Europa", requires=("europe",)):
    """Europe with all 101 tickets, chosen in two stages."""

    rulebook = "mega_europa.toml"

    setup = always(
        (
            Stage(deals=(Deal("long", 2),), keep=KeepOneLongAtMost(), box_rest=("long",), rule="V4"),
            Stage(deals=(Deal("regular", 5),), keep=KeepMoreWithoutLong(), under="regular", shuffled=True, rule="V4"),
        )
    )

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        return TicketDeck.by_kind([ticket for ticket in board.tickets if ticket.set in SETS])
