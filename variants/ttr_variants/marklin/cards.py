"""Märklin's train cards: fewer of each color, "+4" locomotives and passenger cards, and what they pay (M1, M3, M5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ttr_rules import Counts, Refusal
from ttr_rules.language import Message, named, noun
from ttr_rules.model import CARD_COLORS, Card, Cost
from ttr_rules.payments import pays_with
from ttr_rules.plugins import Economy
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards import DrawBlind, TrainCards

LOCOMOTIVE: str = Card.LOCOMOTIVE
PLUS_FOUR = "locomotive_4"
PASSENGER = named("passenger")
SHORTEST = 4  # a "+4" locomotive is wild on routes of this length or longer (M3)
ROUTES = ("single", "double")


def fours_serve(cost: Cost) -> bool:
    """True where "+4" locomotives are wild: on routes of four or more spaces (M3)."""
    return cost.kind in ROUTES and cost.spaces >= SHORTEST


def ways(cost: Cost, color: str | None, held: int, wild: int, four: int) -> Iterator[Counts]:
    """The payments for a cost with `held` cards of a color, or, without one, with only locomotives of both kinds.

    Those with the fewest locomotives come first, among these the ones with the most "+4".
    """
    if cost.kind == PASSENGER or (color is not None and (cost.only_wilds or cost.color not in (None, color))):
        return
    usable = four if fours_serve(cost) else 0
    least = max(cost.wilds, cost.spaces - held) if color is not None else cost.spaces
    most = cost.spaces - 1 if color is not None else cost.spaces
    for locomotives in range(least, min(most, wild + usable) + 1):
        for fours in range(min(usable, locomotives), max(locomotives - wild, 0) - 1, -1):
            plain = {} if color is None else {color: cost.spaces - locomotives}
            yield Counts({**plain, LOCOMOTIVE: locomotives - fours, PLUS_FOUR: fours})


#: The 118 cards (M1), in the order in which they are passed to the shuffle.
DECK: Mapping[str, int] = {**dict.fromkeys(CARD_COLORS, 11), LOCOMOTIVE: 14, PLUS_FOUR: 6, PASSENGER: 10}


class MarklinCards(TrainCards):
    """Train cards with two kinds of locomotives, and passenger cards for traveling on routes of others.

    Three locomotives face up, or three passenger cards, sweep the row; "+4" locomotives do not count for this and are
    ordinary cards to draw (M3). What costs a "passenger" takes passenger cards (M5).
    """

    wilds = (LOCOMOTIVE, PLUS_FOUR)
    sweepers = (LOCOMOTIVE, PASSENGER)
    card_words = FrozenMap({PLUS_FOUR: noun("+4 locomotive"), PASSENGER: noun("passenger card")})

    def __init__(self, hand: int = 4, row: int = 5, sweep_at: int | None = 3) -> None:
        super().__init__(DECK, hand, row, sweep_at)
        self.colors = tuple(map(str, CARD_COLORS))

    def ways_with(self, cost: Cost, kind: str, held: int, wilds: tuple[int, ...]) -> Sequence[Counts]:
        if kind == PASSENGER:
            return [Counts({PASSENGER: cost.spaces})] if cost.kind == PASSENGER and held >= cost.spaces else []
        if kind == LOCOMOTIVE:
            return [*ways(cost, None, 0, *wilds)]
        return [*ways(cost, kind, held, *wilds)] if kind in self.colors else []

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """Few locomotives of either kind, then few cards."""
        return payment[LOCOMOTIVE] + payment[PLUS_FOUR], payment.total

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        if cost.kind == PASSENGER:
            if payment == {PASSENGER: cost.spaces}:
                return None
            template = "{count} passenger cards are asked for, not {payment}"
            return Refusal("M5", Message(template, count=cost.spaces, payment=payment))
        if payment[PASSENGER]:
            return Refusal("M5", "a passenger card serves to travel on routes of others, for nothing else")
        if payment[PLUS_FOUR] and not fours_serve(cost):
            template = '"+4" locomotives are wild only on routes of {count} spaces or more'
            return Refusal("M3", Message(template, count=SHORTEST))
        merged = {card: count for card, count in payment.items() if card != PLUS_FOUR}
        merged[LOCOMOTIVE] = payment[LOCOMOTIVE] + payment[PLUS_FOUR]
        return super().mismatch(cost, Counts(merged))


def has_cards_of_its_own(economy: Economy) -> bool:
    """True if an economy has train cards other than Märklin's."""
    if pays_with(economy, MarklinCards):
        return False
    return pays_with(economy, TrainCards) or any(rule.action is DrawBlind for rule in economy.action_rules())
