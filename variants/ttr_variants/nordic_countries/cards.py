"""Train cards in the Nordic Countries: where locomotives may be used, and what may stand in for what (N3–N6)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ttr_rules import Counts, Refusal
from ttr_rules.model import Card, Cost
from ttr_rules.train_cards import Lot, Reading, TrainCards

LOCOMOTIVE = str(Card.LOCOMOTIVE)
#: The mark of the route that any four cards help to pay (N6).
FOUR_FOR_ONE = "four_for_one"
FOR_LOCOMOTIVE = 3  # N5
FOR_CARD = 4  # N6


class NordicCards(TrainCards):
    """Train cards whose locomotives may be used only on ferries and in tunnels (N4), with stand-ins (N5, N6).

    The row is never swept (N3).
    """

    def __init__(self) -> None:
        super().__init__(sweep_at=None)

    def wild_spaces(self, cost: Cost) -> int:
        return cost.spaces if cost.tunnel or cost.wilds else 0

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        """On a ferry any three cards stand for each symbol (N5), on the marked route any four for each card (N6)."""
        cards, most = (FOR_CARD, cost.spaces) if FOUR_FOR_ONE in cost.marks else (FOR_LOCOMOTIVE, cost.wilds)
        if not most:
            return super().readings(cost, powers)
        return [
            Reading(
                Lot({color: 1}, cost.spaces - times),
                Lot(dict.fromkeys(self.kinds, 1), cards * times),
                wilds=self.wild_spaces(cost),
                needs_wilds=max(cost.wilds - times, 0),
            )
            for times in range(most + 1)
            for color in self.colors_for(cost)
        ]

    def stand_in_rule(self, cost: Cost, problem: str) -> str:
        return "N6" if FOUR_FOR_ONE in cost.marks else "N5"

    def mismatch(self, cost: Cost, payment: Counts, powers: Hashable = None) -> Refusal | None:
        if payment[LOCOMOTIVE] and not self.wild_spaces(cost) and FOUR_FOR_ONE not in cost.marks:
            return Refusal("N4", "locomotives serve on ferries and in tunnels only")
        return super().mismatch(cost, payment, powers)
