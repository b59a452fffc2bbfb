"""Märklin's train cards: fewer of each color, "+4" locomotives and passenger cards, and what they pay (M1, M3, M5)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from ttr_rules import Counts, Refusal
from ttr_rules.language import Message, named, noun
from ttr_rules.model import CARD_COLORS, Card, Cost
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards import Lot, Reading, TrainCards

LOCOMOTIVE: str = Card.LOCOMOTIVE
PLUS_FOUR = "locomotive_4"
PASSENGER = named("passenger")
SHORTEST = 4  # a "+4" locomotive is wild on routes of this length or longer (M3)
ROUTES = ("single", "double")


def fours_serve(cost: Cost) -> bool:
    """True where "+4" locomotives are wild: on routes of four or more spaces (M3)."""
    return cost.kind in ROUTES and cost.spaces >= SHORTEST


#: The 118 cards (M1), in the order in which they are passed to the shuffle.
DECK: Mapping[str, int] = {**dict.fromkeys(CARD_COLORS, 11), LOCOMOTIVE: 14, PLUS_FOUR: 6, PASSENGER: 10}


class MarklinCards(TrainCards):
    """Train cards with two kinds of locomotives, and passenger cards for traveling on routes of others.

    Three locomotives face up, or three passenger cards, sweep the row. "+4" locomotives do not count for this and are
    ordinary cards to draw (M3). What costs a "passenger" takes passenger cards (M5).
    """

    wilds = (LOCOMOTIVE, PLUS_FOUR)
    sweepers = (LOCOMOTIVE, PASSENGER)
    card_words = FrozenMap({PLUS_FOUR: noun("+4 locomotive"), PASSENGER: noun("passenger card")})

    def __init__(self, hand: int = 4, row: int = 5, sweep_at: int | None = 3) -> None:
        super().__init__(DECK, hand, row, sweep_at)
        self.colors = tuple(map(str, CARD_COLORS))

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        """Passengers travel on passenger cards (M5). On long routes "+4" locomotives are wild too (M3)."""
        if cost.kind == PASSENGER:
            return [Reading(Lot({PASSENGER: 1}, cost.spaces), wilds=0)]
        four = {PLUS_FOUR: 1} if fours_serve(cost) else {}
        worths = [{color: 1, **four} for color in self.colors_for(cost)] or [four]
        return [Reading(Lot(worth, cost.spaces), needs_wilds=cost.wilds) for worth in worths]

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """Few locomotives of either kind, then few cards."""
        return payment[LOCOMOTIVE] + payment[PLUS_FOUR], payment.total

    def mismatch(self, cost: Cost, payment: Counts, powers: Hashable = None) -> Refusal | None:
        if cost.kind == PASSENGER:
            if payment == {PASSENGER: cost.spaces}:
                return None
            template = "this costs {count} passenger cards; you paid {payment}"
            return Refusal("M5", Message(template, count=cost.spaces, payment=payment))
        if payment[PASSENGER]:
            return Refusal("M5", "a passenger card serves to travel on routes of others, for nothing else")
        if payment[PLUS_FOUR] and not fours_serve(cost):
            template = '"+4" locomotives are wild only on routes of {count} spaces or more'
            return Refusal("M3", Message(template, count=SHORTEST))
        merged = {card: count for card, count in payment.items() if card != PLUS_FOUR}
        merged[LOCOMOTIVE] = payment[LOCOMOTIVE] + payment[PLUS_FOUR]
        return super().mismatch(cost, Counts(merged), powers)
