"""Märklin's train cards: fewer of each colour, "+4" locomotives and passenger cards (M1, M3, M5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ttr_rules import Counts, Refusal, State, cards
from ttr_rules.model import CARD_COLORS, Card, Cost
from ttr_rules.plugins import Economy, FrozenMap, Message, Price, PriceList, PriceTable, noun, pays_with
from ttr_rules.train_cards import DrawBlind, TrainCards

LOCOMOTIVE: str = Card.LOCOMOTIVE
PLUS_FOUR = "locomotive_4"
PASSENGER = noun("passenger")
#: The 118 cards (M1), in the order in which they are passed to the shuffle.
DECK: Mapping[str, int] = {**dict.fromkeys(CARD_COLORS, 11), LOCOMOTIVE: 14, PLUS_FOUR: 6, PASSENGER: 10}
SHORTEST = 4  # a "+4" locomotive is wild on routes of this length or longer (M3)
ROUTES = ("single", "double")


def fours_serve(cost: Cost) -> bool:
    """Whether "+4" locomotives are wild: only on routes of four or more spaces (M3)."""
    return cost.kind in ROUTES and cost.spaces >= SHORTEST


def ways(cost: Cost, color: str | None, held: int, wild: int, four: int) -> Iterator[Counts]:
    """The payments for a cost with `held` cards of a colour, or, without one, with only locomotives of both kinds.

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


class MarklinCards(TrainCards):
    """Train cards with two kinds of locomotives, and passenger cards for travelling on routes of others.

    Three locomotives face up, or three passenger cards, sweep the row; "+4" locomotives do not count for this and are
    ordinary cards to draw (M3). What costs a "passenger" takes passenger cards (M5).
    """

    sweepers = (LOCOMOTIVE, PASSENGER)
    card_words = FrozenMap({PLUS_FOUR: noun("+4 locomotive")})

    def __init__(
        self, hand: int = 4, row: int = 5, sweep_at: int | None = 3, *, locomotive_ends_draw: bool = True
    ) -> None:
        super().__init__(DECK, hand, row, sweep_at, locomotive_ends_draw)
        self.colors = tuple(map(str, CARD_COLORS))

    def payments(self, state: State, seat: int, cost: Cost) -> list[Counts]:
        return self.ways_from(cost, cards(state).counts(seat))

    def ways_from(self, cost: Cost, hand: Mapping[str, int]) -> list[Counts]:
        """Every payment for a cost from a hand."""
        if cost.kind == PASSENGER:
            return [Counts({PASSENGER: cost.spaces})] if hand[PASSENGER] >= cost.spaces else []
        wild, four = hand[LOCOMOTIVE], hand[PLUS_FOUR]
        found = [way for color in self.colors for way in ways(cost, color, hand[color], wild, four)]
        return [*found, *ways(cost, None, 0, wild, four)]

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """Few locomotives of either kind, then few cards."""
        return payment[LOCOMOTIVE] + payment[PLUS_FOUR], payment.total

    def price_list(self, costs: Sequence[Cost]) -> PriceList:
        return MarklinPrices(self, costs)

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
    """Whether an economy has train cards other than Märklin's."""
    if pays_with(economy, MarklinCards):
        return False
    return pays_with(economy, TrainCards) or any(rule.action is DrawBlind for rule in economy.action_rules())


class MarklinPrices(PriceList):
    """Prices looked up by the cards held: a table for each kind and number of cards, created when a hand first needs it."""

    __slots__ = ("_cards", "_colors", "_four", "_locomotives", "_made", "_passenger", "_passengers", "_wild")

    def __init__(self, economy: MarklinCards, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        number = economy.number
        self._colors = [number[color] for color in economy.colors]
        self._wild, self._four, self._passenger = number[LOCOMOTIVE], number[PLUS_FOUR], number[PASSENGER]
        # By the locomotives of both kinds; those of the colours then by the kind and the number held of it.
        self._made: dict[tuple[int, int], list[list[PriceTable | None]]] = {}
        self._locomotives: dict[tuple[int, int], PriceTable] = {}
        self._passengers: dict[int, PriceTable] = {}

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        hand = self._cards.held(state, seat)
        wild, four, passengers = hand[self._wild], hand[self._four], hand[self._passenger]
        made = self._made.get((wild, four))
        if made is None:
            made = self._made[wild, four] = [[None] * (count + 1) for count in self._cards.cards.values()]
        found: list[PriceTable] = []
        for number in self._colors:
            held = hand[number]
            if held:
                colored = made[number][held]
                if colored is None:
                    colored = PriceTable(self._prices(self._cards.kinds[number], held, wild, four))
                    made[number][held] = colored
                found.append(colored)
        if wild or four:
            table = self._locomotives.get((wild, four))
            if table is None:
                table = self._locomotives[wild, four] = PriceTable(self._prices(None, 0, wild, four))
            found.append(table)
        if passengers:
            table = self._passengers.get(passengers)
            if table is None:
                table = self._passengers[passengers] = PriceTable(self._prices(PASSENGER, passengers, 0, 0))
            found.append(table)
        return found

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        if type(self._cards) is not MarklinCards:
            return None  # a variant of them may take other payments
        return [self._cards.ways_from(cost, self._cards.cards) for cost in self.costs]

    def _prices(self, color: str | None, held: int, wild: int, four: int) -> Iterator[Price]:
        for item, cost in enumerate(self.costs):
            if color == PASSENGER:
                payments = tuple(self._cards.ways_from(cost, Counts({PASSENGER: held})))
            else:
                payments = tuple(ways(cost, color, held, wild, four))
            if payments:
                yield Price(item, payments)
