"""What Märklin's train cards can pay (M1, M3, M5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ttr_rules import Counts, State
from ttr_rules.model import Card, Cost
from ttr_rules.plugins import Price, PriceList, PriceTable, noun

LOCOMOTIVE: str = Card.LOCOMOTIVE
PLUS_FOUR = "locomotive_4"
PASSENGER = noun("passenger")
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


class MarklinPayer(Protocol):
    """What these prices ask of an economy, `MarklinCards`."""

    @property
    def colors(self) -> tuple[str, ...]: ...

    @property
    def number(self) -> Mapping[str, int]: ...

    def held(self, state: State, seat: int) -> Sequence[int]: ...

    def payments(self, state: State, seat: int, cost: Cost) -> Sequence[Counts]: ...

    def ways_from(self, cost: Cost, hand: Mapping[str, int]) -> Sequence[Counts]: ...

    def every_payment(self, cost: Cost) -> Sequence[Counts] | None: ...


class MarklinPrices(PriceList):
    """Prices looked up by the cards held: a table for each kind and number of cards, created when a hand first needs it."""

    __slots__ = ("_cards", "_four", "_made", "_paired", "_wild")

    def __init__(self, economy: MarklinPayer, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        number = economy.number
        self._wild, self._four = number[LOCOMOTIVE], number[PLUS_FOUR]
        #: The kinds of cards that pay with locomotives or by themselves, each with its number.
        self._paired = [(kind, number[kind]) for kind in (*economy.colors, PASSENGER)]
        # By the locomotives of both kinds: a table by kind and number of cards, and the one of locomotives alone.
        self._made: dict[tuple[int, int], tuple[list[dict[int, PriceTable]], PriceTable]] = {}

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        hand = self._cards.held(state, seat)
        wild, four = hand[self._wild], hand[self._four]
        made = self._made.get((wild, four))
        if made is None:
            made = self._made[wild, four] = [{} for _ in hand], PriceTable(self._prices(None, 0, wild, four))
        tables, locomotives = made
        found: list[PriceTable] = []
        for kind, number in self._paired:
            held = hand[number]
            if held:
                table = tables[number].get(held)
                if table is None:
                    table = tables[number][held] = PriceTable(self._prices(kind, held, wild, four))
                found.append(table)
        if wild or four:
            found.append(locomotives)
        return found

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        found: list[Sequence[Counts]] = []
        for cost in self.costs:
            payments = self._cards.every_payment(cost)
            if payments is None:
                return None
            found.append(payments)
        return found

    def _prices(self, kind: str | None, held: int, wild: int, four: int) -> Iterator[Price]:
        for item, cost in enumerate(self.costs):
            if kind == PASSENGER:
                payments = tuple(self._cards.ways_from(cost, Counts({PASSENGER: held})))
            else:
                payments = tuple(ways(cost, kind, held, wild, four))
            if payments:
                yield Price(item, payments)
