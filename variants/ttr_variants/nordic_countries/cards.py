"""Train cards in the Nordic Countries: where locomotives may be used, and what may stand in for what (N3–N6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ttr_rules import Counts, Refusal, State
from ttr_rules.model import Card, Cost
from ttr_rules.plugins import Message, Price, PriceList, PriceTable
from ttr_rules.train_cards import CardPriceList, Lot, Pool, Reading, StandIns, TrainCards, lots

LOCOMOTIVE = str(Card.LOCOMOTIVE)
#: The mark of the route that any four cards help to pay (N6).
FOUR_FOR_ONE = "four_for_one"
FOR_LOCOMOTIVE = 3  # N5
FOR_CARD = 4  # N6
SHAPES_KEPT = 10_000


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


class NordicCards(TrainCards):
    """Train cards whose locomotives may be used only on ferries and in tunnels (N4), with stand-ins (N5, N6).

    A face-up locomotive is an ordinary card and the row is never swept (N3).
    """

    def __init__(self) -> None:
        super().__init__(sweep_at=None, locomotive_ends_draw=False)

    def wild_spaces(self, cost: Cost) -> int:
        return cost.spaces if cost.tunnel or cost.wilds else 0

    # -- payments --------------------------------------------------------------------------------------------

    def ways_with_color(self, cost: Cost, color: str, held: int, wild: int) -> tuple[Counts, ...]:
        return () if readings(cost) else super().ways_with_color(cost, color, held, wild)

    def ways_with_locomotives(self, cost: Cost, wild: int) -> tuple[Counts, ...]:
        return () if readings(cost) else super().ways_with_locomotives(cost, wild)

    def payments(self, state: State, seat: int, cost: Cost) -> Sequence[Counts]:
        allowed = readings(cost)
        if not allowed:
            return super().payments(state, seat, cost)
        hand = self.held(state, seat)
        pool = Pool(hand[: self.wild])
        return StandIns(pool, lots(allowed, pool, hand[self.wild], cost.color))

    def price_list(self, costs: Sequence[Cost]) -> PriceList:
        return NordicPrices(self, costs)

    # -- checking a payment -----------------------------------------------------------------------

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        if FOUR_FOR_ONE in cost.marks:
            return self._mismatch_marked(cost, payment)
        if cost.wilds:
            return self._mismatch_ferry(cost, payment)
        if payment[LOCOMOTIVE] and not cost.tunnel:
            return Refusal("N4", "locomotives serve on ferries and in tunnels only")
        return super().mismatch(cost, payment)

    def _mismatch_ferry(self, cost: Cost, payment: Counts) -> Refusal | None:
        """Check N5: each replaced locomotive adds two cards; the rest must fill symbols and spaces."""
        replaced, odd = divmod(payment.total - cost.spaces, FOR_LOCOMOTIVE - 1)
        if odd or not 0 <= replaced <= cost.wilds:
            most = cost.spaces + (FOR_LOCOMOTIVE - 1) * cost.wilds
            told = "{count} cards, or two more for each locomotive replaced, up to {most}, not {total}"
            return Refusal("N5", Message(told, count=cost.spaces, most=most, total=payment.total))
        symbols = cost.wilds - replaced
        spare = payment[LOCOMOTIVE] - symbols
        if spare < 0:
            told = "with {total} cards {count} locomotives are needed at least, not {payment}"
            return Refusal("N5", Message(told, total=payment.total, count=symbols, payment=payment))
        plain = cost.spaces - cost.wilds
        if spare + self._best(payment, cost.color) < plain:
            told = "beside the symbols {count} spaces ask for {color}: {payment}"
            color = cost.color or Message("one colour")
            return Refusal("N5", Message(told, count=plain, color=color, payment=payment))
        return None

    def _mismatch_marked(self, cost: Cost, payment: Counts) -> Refusal | None:
        """Check N6: with u cards of the colour, there must be exactly four cards for each of the other spaces."""
        own, odd = divmod(FOR_CARD * cost.spaces - payment.total, FOR_CARD - 1)
        if odd or not 0 <= own <= cost.spaces:
            told = "{count} cards, or three more for each card replaced by four, not {total}"
            return Refusal("N6", Message(told, count=cost.spaces, total=payment.total))
        if self._best(payment, cost.color) < own:
            told = "with {total} cards {count} of {color} are needed, not {payment}"
            color = cost.color or Message("one colour")
            return Refusal("N6", Message(told, total=payment.total, count=own, color=color, payment=payment))
        return None

    def _best(self, payment: Mapping[str, int], color: str | None) -> int:
        """The number of cards of the colour, or of the most frequent colour if any is allowed."""
        if color is not None:
            return payment.get(color, 0)
        return max((count for card, count in payment.items() if card != LOCOMOTIVE), default=0)


class NordicPrices(CardPriceList):
    """Prices looked up by the cards held; those with stand-ins are counted once for all hands of the same shape."""

    __slots__ = ("_nordic", "_shapes", "_special")

    def __init__(self, economy: NordicCards, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._nordic = economy
        special: dict[str | None, list[int]] = {}
        for item, cost in enumerate(costs):
            if readings(cost):
                special.setdefault(cost.color, []).append(item)
        # The items with stand-ins, by the colour that can pay.
        self._special = tuple(special.items())
        # What can be paid, by the colour counts regardless of which colours they are, the locomotives, and the colour
        # that can pay.
        self._shapes: dict[tuple[object, ...], list[tuple[int, Sequence[Lot]]]] = {}

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        hand = self._nordic.held(state, seat)
        pool = Pool(hand[: self._nordic.wild])
        wild = hand[self._nordic.wild]
        shape = (*sorted(pool.most), wild)
        found: list[Price] = []
        for color, items in self._special:
            key = (shape, color, None if color is None else hand[self._nordic.number[color]])
            if key not in self._shapes:
                if len(self._shapes) >= SHAPES_KEPT:
                    self._shapes.clear()
                counted = [(item, lots(readings(self.costs[item]), pool, wild, color)) for item in items]
                self._shapes[key] = [(item, there) for item, there in counted if there]
            found += [Price(item, StandIns(pool, there)) for item, there in self._shapes[key]]
        return (*super().tables(state, seat), PriceTable(found))
