"""Train cards in the Nordic Countries: where locomotives may be used, and what may stand in for what (N3–N6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ttr_rules import Counts, Refusal
from ttr_rules.model import Card, Cost
from ttr_rules.train_cards import Reading, StandInCards

LOCOMOTIVE = str(Card.LOCOMOTIVE)
#: The mark of the route that any four cards help to pay (N6).
FOUR_FOR_ONE = "four_for_one"
FOR_LOCOMOTIVE = 3  # N5
FOR_CARD = 4  # N6


@cache
def readings(cost: Cost) -> tuple[Reading, ...]:
    """The ways to read the price of a ferry (N5) or of the marked route (N6), by the number of stand-ins; else none."""
    if FOUR_FOR_ONE in cost.marks:
        return tuple(
            Reading(cost.spaces + (FOR_CARD - 1) * times, 0, cost.spaces - times, joined=False)
            for times in range(cost.spaces + 1)
        )
    return tuple(
        Reading(cost.spaces + (FOR_LOCOMOTIVE - 1) * times, cost.wilds - times, cost.spaces - times)
        for times in range(cost.wilds + 1)
        if cost.wilds
    )


class NordicCards(StandInCards):
    """Train cards whose locomotives may be used only on ferries and in tunnels (N4), with stand-ins (N5, N6).

    The row is never swept (N3).
    """

    def __init__(self) -> None:
        super().__init__(sweep_at=None)

    def wild_spaces(self, cost: Cost) -> int:
        return cost.spaces if cost.tunnel or cost.wilds else 0

    def readings(self, cost: Cost) -> Sequence[Reading]:
        return readings(cost)

    def stand_in_rule(self, cost: Cost, problem: str) -> str:
        return "N6" if FOUR_FOR_ONE in cost.marks else "N5"

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        if payment[LOCOMOTIVE] and not cost.tunnel and not readings(cost):
            return Refusal("N4", "locomotives serve on ferries and in tunnels only")
        return super().mismatch(cost, payment)
