"""The common base of London and New York: a small deck, two starting cards, two tickets, no bonuses (O1–O4, W1–W3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ttr_rules import Board
from ttr_rules.model import Card, Color
from ttr_rules.plugins import (
    Below,
    Components,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    Setup,
    Stage,
    Variant,
    always,
    hookimpl,
)
from ttr_rules.scores import MORE_TICKETS
from ttr_rules.train_cards import TrainCards

CARDS_OF_A_COLOR = 6
LOCOMOTIVES = 8
HAND = 2
TICKETS = 2


class ShortGame(Variant):
    """A short game. Each map says how many vehicles, which colors, and which rule deals its tickets."""

    #: The vehicles of each player, the colors of the cards, the rule about the tickets dealt.
    vehicles: ClassVar[int]
    colors: ClassVar[Sequence[Color]]
    setup_rule: ClassVar[str]

    # Two tickets are drawn, at least one is kept (O4, W3).
    draw_counts = always(DrawCounts(drawn=TICKETS))
    # None: only routes, tickets and the map's own terms score points.
    bonuses = always(())
    # More completed tickets, then a shared victory.
    tie_breaks = always((MORE_TICKETS,))

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        """Two to four players. From three on both routes of a double are open."""
        return Components(cars=self.vehicles, max_players=4, doubles_from=3)

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        """Train cards of only these colors, two of them dealt to each player. The row is swept as in S4."""
        deck = {str(color): CARDS_OF_A_COLOR for color in self.colors}
        return TrainCards(cards={**deck, str(Card.LOCOMOTIVE): LOCOMOTIVES}, hand=HAND)

    @hookimpl
    def setup(self, below: Below[Setup], board: Board) -> Setup:
        """Two tickets dealt, at least one kept, the other one under the pile."""
        deals = (Deal("regular", TICKETS),)
        return (Stage(deals=deals, keep=KeepAtLeast(1), under="regular", rule=self.setup_rule),)
