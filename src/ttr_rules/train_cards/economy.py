"""The train-card economy: payments with cards, and tunnels (C1, C2, F, T)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.model.tickets import RuleFile
from ttr_rules.train_cards.arrange import arrange_cards
from ttr_rules.train_cards.draws import (
    DrawBlindRule,
    DrawFaceUpRule,
    DrawNextBlindRule,
    DrawNextFaceUpRule,
    ForgoCardRule,
)
from ttr_rules.train_cards.events import (
    EVENTS,
    CardsLaid,
)
from ttr_rules.train_cards.kinds import STANDARD_CARDS
from ttr_rules.train_cards.payments import CardPayments
from ttr_rules.train_cards.prices import CardPrices
from ttr_rules.train_cards.row import CardRow


class TrainCards(CardPayments, CardRow):
    """Pay with train cards: a number of cards of one color, with locomotives as wild cards (C1, C2).

    `cards` is the deck; the other arguments are those of `CardRow`. A subclass with more types of cards says which of
    them are `colors`, and which ones make the row be swept (`sweepers`).

    >>> TrainCards().cards["locomotive"], TrainCards(sweep_at=None).sweep_at
    (14, None)
    """

    player_keys = ("hand",)
    position_keys: tuple[str, ...] = ("face_up", "draw_pile", "draw_pile_complete", "discards")

    def __init__(
        self,
        cards: Mapping[str, int] = STANDARD_CARDS,
        hand: int = 4,
        row: int = 5,
        sweep_at: int | None = 3,
    ) -> None:
        CardRow.__init__(self, cards, hand, row, sweep_at)

    def data(self) -> Mapping[str, object]:
        return {
            "cards": self.cards,
            "hand": self.hand,
            "row": self.row,
            "sweep_at": self.sweep_at,
        }

    def prices(self, costs: Sequence[Cost]) -> Prices:
        return CardPrices(self, costs) if self.leaves("payments", "held") else Prices(self, costs)

    def pay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        self.upkeep.pay(tx, seat, payment)

    def leaves(self, *methods: str) -> bool:
        """Whether these methods are as they are here: what a subclass changes is asked, not looked up."""
        return all(getattr(type(self), name) is getattr(TrainCards, name) for name in methods)

    # -- tunnels ---------------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.emit(CardsLaid, seat, payment)

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Turn up cards against those laid down (T1, T6) and count what they cost (T2, T3)."""
        return self.upkeep.enter_tunnel(tx, seat, cost.kind, payment)

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        self.upkeep.leave_tunnel(tx, seat, extra)

    # -- what it brings --------------------------------------------------------------------------------------

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (
            DrawBlindRule(self),
            DrawFaceUpRule(self),
            DrawNextBlindRule(self),
            DrawNextFaceUpRule(self),
            ForgoCardRule(),
        )

    def event_types(self) -> Iterable[type[Event]]:
        return EVENTS

    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_rules.train_cards"),)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        arrange_cards(self, tx, position, report)
