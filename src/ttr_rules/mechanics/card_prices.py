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
        # By the number of the kind, the cards held and the locomotives held; made when a hand first asks for it.
        counts = range(max(economy.cards.values(), default=0) + 1)
        self._made: list[list[list[PriceTable | None]]] = [
            [[None for _ in counts] for _ in counts] for _ in economy.kinds
        ]

    def affordable(self, state: State, seat: int) -> Sequence[Price]:
        return [price for table in self.tables(state, seat) for _, price in table.prices]

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        piles: CardPiles = state.parts[CardPiles]
        hand = piles.hand[seat]
        wild = hand[self._wild]
        made = self._made
        found: list[PriceTable] = []
        number = (
            0  # counted by hand: with enumerate or zip this loop, which every turn runs twice, takes half as long again
        )
        for held in hand:
            if held:
                table = made[number][held][wild]
                if table is None:
                    table = self._make(number, held, wild)
                found.append(table)
            number += 1  # noqa: SIM113
        return found

    def _make(self, number: int, held: int, wild: int) -> PriceTable:
        table = PriceTable(self._prices(self._cards.kinds[number], held, wild), self.places)
        self._made[number][held][wild] = table
        return table

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
