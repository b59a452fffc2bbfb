"""What train cards can pay, looked up by the cards held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..economy import Cost, Price, PriceList
from ..piles import CardPiles
from ..state import State

if TYPE_CHECKING:
    from .train_cards import TrainCards


class CardPriceList(PriceList):
    """Prices looked up by the cards held: each colour's table is filled in as hands come up."""

    __slots__ = ("_by_color", "_cards", "_longest", "_wild_only")

    def __init__(self, economy: TrainCards, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._longest = max((cost.spaces for cost in self.costs), default=0)
        # (colour's number, colour, {(cards held, locomotives held): prices})
        self._by_color: list[tuple[int, str, dict[int, tuple[Price, ...]]]] = [
            (economy.number[color], color, {}) for color in economy.colors
        ]
        self._wild_only: dict[int, tuple[Price, ...]] = {}

    def affordable(self, state: State, seat: int) -> list[Price]:
        hand = state.part(CardPiles).hand[seat]
        wild = hand[self._cards.wild]
        found: list[Price] = []
        for number, color, table in self._by_color:
            held = hand[number]
            if held:
                key = held << 8 | wild
                prices = table.get(key)
                if prices is None:
                    prices = table[key] = self._prices(color, held, wild)
                found += prices
        if wild:
            prices = self._wild_only.get(wild)
            if prices is None:
                prices = self._wild_only[wild] = self._prices(None, 0, wild)
            found += prices
        return found

    def _prices(self, color: str | None, held: int, wild: int) -> tuple[Price, ...]:
        cards = self._cards
        found: list[Price] = []
        for item, cost in enumerate(self.costs):
            if color is None:
                payments = cards.ways_with_locomotives(cost, wild)
            else:
                payments = cards.ways_with_color(cost, color, held, wild)
            if payments:
                found.append(Price(item, payments))
        return tuple(found)
