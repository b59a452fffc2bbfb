"""What train cards can pay, looked up by the cards held."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..cards import Counts
from ..economy import Cost, Price, PriceList, PriceTable
from ..piles import CardPiles
from ..state import State

if TYPE_CHECKING:
    from .train_cards import TrainCards

#: In the key of a table, the cards held stand above so many bits of locomotives held.
WILD_BITS = 8
_WILD = (1 << WILD_BITS) - 1


class KindTable(dict[int, PriceTable]):
    """What cards of one kind can pay together with locomotives, by how many of both are held; filled in as hands come up."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[int, int], PriceTable]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: int) -> PriceTable:
        table = self[key] = self._make(key >> WILD_BITS, key & _WILD)
        return table


class CardPriceList(PriceList):
    """Prices looked up by the cards held, a table for each kind. A subclass adds to `tables`, and to nothing else."""

    __slots__ = ("_cards", "_tables", "_wild")

    def __init__(self, economy: TrainCards, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._wild = economy.wild
        #: By the number of the kind.
        self._tables = [KindTable(self._maker(kind)) for kind in economy.kinds]

    def affordable(self, state: State, seat: int) -> Sequence[Price]:
        return [price for table in self.tables(state, seat) for _, price in table.prices]

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        piles: CardPiles = state.parts[CardPiles]
        hand = piles.hand[seat]
        wild = hand[self._wild]
        return [table[held << WILD_BITS | wild] for held, table in zip(hand, self._tables, strict=True) if held]

    def _maker(self, kind: str) -> Callable[[int, int], PriceTable]:
        return lambda held, wild: PriceTable(self._prices(kind, held, wild), self.places)

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
