"""What train cards can pay, looked up by the cards held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..cards import Counts
from ..economy import Cost, Price, PriceList, PriceTable
from ..piles import CardPiles
from ..state import State

if TYPE_CHECKING:
    from .train_cards import TrainCards


class CardPriceList(PriceList):
    """Prices looked up by the cards held, a table for each kind. A subclass adds to `tables`, and to nothing else."""

    __slots__ = ("_cards", "_made", "_wild")

    def __init__(self, economy: TrainCards, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._wild = economy.wild
        # For each kind the tables by cards held and locomotives held; each is made when a hand first asks for it.
        counts = range(max(economy.cards.values(), default=0) + 1)
        self._made: list[tuple[str, list[list[PriceTable | None]]]] = [
            (kind, [[None for _ in counts] for _ in counts]) for kind in economy.kinds
        ]

    def affordable(self, state: State, seat: int) -> Sequence[Price]:
        return [price for table in self.tables(state, seat) for _, price in table.prices]

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        piles: CardPiles = state.parts[CardPiles]
        hand = piles.hand[seat]
        wild = hand[self._wild]
        found: list[PriceTable] = []
        for held, (kind, made) in zip(hand, self._made, strict=True):
            if held:
                table = made[held][wild]
                if table is None:
                    table = made[held][wild] = PriceTable(self._prices(kind, held, wild), self.places)
                found.append(table)
        return found

    def _prices(self, kind: str, held: int, wild: int) -> Sequence[Price]:
        cards = self._cards
        found: list[Price] = []
        for item, cost in enumerate(self.costs):
            payments: tuple[Counts, ...] = ()
            if kind in cards.colors:
                payments = cards.ways_with_color(cost, kind, held, wild)
            elif kind == cards.kinds[cards.wild]:
                payments = cards.ways_with_locomotives(cost, wild)
            if payments:
                found.append(Price(item, payments))
        return found
