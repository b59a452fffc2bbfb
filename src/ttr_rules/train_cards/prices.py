"""What train cards can pay, looked up by the cards held."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules.kernel.economy import PriceList
from ttr_rules.kernel.prices import Price, PriceTable
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost
from ttr_rules.train_cards.payments import CardPayments
from ttr_rules.train_cards.piles import CardPiles


class CardTables(dict[int, PriceTable]):
    """What a number of cards of one kind can pay together with `wild` locomotives: computed on first use."""

    def __init__(self, prices: CardPriceList, kind: str, wild: int) -> None:
        super().__init__()
        self.prices = prices
        self.kind = kind
        self.wild = wild

    def __missing__(self, held: int) -> PriceTable:
        table = self[held] = PriceTable(self.prices.payable(self.kind, held, self.wild))
        return table


class CardPriceList(PriceList):
    """Prices looked up by the cards held, a table for each kind. A subclass may extend only `tables`.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "red": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> prices = game.rules.economy.price_list([Cost("single", 1), Cost("single", 3)])
    >>> isinstance(prices, CardPriceList), [table.ways for table in prices.tables(game.state, 0)]
    (True, [2, 1])
    """

    __slots__ = ("_cards", "_made", "_wild")

    def __init__(self, economy: CardPayments, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._wild = economy.wild
        # By the locomotives held, then by kind, in the order of a hand.
        most = economy.cards[economy.kinds[economy.wild]]
        self._made = [[CardTables(self, kind, wild) for kind in economy.kinds] for wild in range(most + 1)]

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        piles: CardPiles = state.parts[CardPiles]
        hand = piles.hand[seat]
        made = self._made[hand[self._wild]]
        found: list[PriceTable] = []
        # Counted manually: this loop, which runs twice every turn, takes half as long again with enumerate or zip.
        number = 0
        for held in hand:
            if held:
                found.append(made[number][held])
            number += 1  # noqa: SIM113
        return found

    def payable(self, kind: str, held: int, wild: int) -> Sequence[Price]:
        """What a number of cards of a kind can pay together with a number of locomotives."""
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
