"""What train cards can pay, looked up by the cards held."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules._internal.native import mypyc_attr
from ttr_rules.kernel.prices import Price, PriceList, PriceTable
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost
from ttr_rules.train_cards.payments import CardPayments
from ttr_rules.train_cards.piles import CardPiles


@mypyc_attr(allow_interpreted_subclasses=True)
class CardPriceList(PriceList):
    """Prices looked up by the cards held, a table for each kind. A subclass may extend only `tables`.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "red": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> prices = game.rules.economy.price_list([Cost("single", 1), Cost("single", 3)])
    >>> isinstance(prices, CardPriceList), [table.ways for table in prices.tables(game.state, 0)]
    (True, [2, 1])
    """

    __slots__ = ("_cards", "_made", "_payable", "_wild")

    def __init__(self, economy: CardPayments, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._wild = economy.wild
        # By the locomotives held, then by kind and by the number held of it: computed on first use.
        most = economy.cards[economy.kinds[economy.wild]]
        self._made: list[list[list[PriceTable | None]]] = [
            [[None] * (economy.cards[kind] + 1) for kind in economy.kinds] for _ in range(most + 1)
        ]
        # The items that each kind can pay for.
        self._payable = [
            [item for item, cost in enumerate(costs) if cost.color in (None, kind) or kind == economy.kinds[self._wild]]
            for kind in economy.kinds
        ]

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        piles: CardPiles = state.parts[CardPiles]
        hand = piles.hand[seat]
        # Read once: the table is for all games, and another thread may play this one.
        wild = hand[self._wild]
        made = self._made[wild]
        found: list[PriceTable] = []
        # Counted manually: this loop, which runs twice every turn, takes half as long again with enumerate or zip.
        number = 0
        for held in hand:
            if held:
                table = made[number][held]
                if table is None:
                    table = self._table(number, held, wild)
                    made[number][held] = table
                found.append(table)
            number += 1  # noqa: SIM113
        return found

    def _table(self, kind: int, held: int, wild: int) -> PriceTable:
        return PriceTable(self.payable(self._cards.kinds[kind], held, wild))

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        if type(self) is not CardPriceList:
            return None  # its payments are in `tables`, too
        found: list[list[Counts]] = [[] for _ in self.costs]
        cards = self._cards.cards
        for kind in self._cards.kinds:
            for price in self.payable(kind, cards[kind], cards[self._cards.kinds[self._wild]]):
                found[price.item] += price.payments
        return found

    def payable(self, kind: str, held: int, wild: int) -> Sequence[Price]:
        """What a number of cards of a kind can pay together with a number of locomotives."""
        cards = self._cards
        found: list[Price] = []
        for item in self._payable[cards.number[kind]]:
            cost = self.costs[item]
            payments: tuple[Counts, ...] = ()
            if kind in cards.colors:
                payments = cards.ways_with_color(cost, kind, held, wild)
            elif kind == cards.kinds[cards.wild]:
                payments = cards.ways_with_locomotives(cost, wild)
            if payments:
                found.append(Price(item, payments))
        return found
