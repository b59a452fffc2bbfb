"""Tunnels with train cards: what is turned up, what that costs extra, and what becomes of the cards laid down (T1–T6)."""

from __future__ import annotations

from typing import TypeAlias

from ttr_rules._internal.native import i64
from ttr_rules.errors import PluginError
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.effects import (
    discard_revealed,
    in_numbers,
    lay_cards,
    reveal_cards,
    spend_cards,
    spend_laid_cards,
    take_back_cards,
)
from ttr_rules.train_cards.piles import CardPiles, Cards
from ttr_rules.train_cards.upkeep import RowUpkeep

#: What came up in a tunnel, and what it costs extra.
Entered: TypeAlias = tuple[tuple[str, ...], Cost | None]


class TunnelCost:
    """The cost of a tunnel in numbers, -1 for no color."""

    cards: i64
    color: i64
    wild: i64

    def __init__(self, cost: Cost, number: dict[str, int], wild: int) -> None:
        self.kind: str = cost.kind
        self.most_wilds: int | None = cost.most_wilds
        self.cards = cost.tunnel_cards
        self.color = -1 if cost.color is None else number.get(cost.color, -1)
        self.wild = wild
        self.any_cards: bool = cost.any_cards or cost.colors.total > 0


class Tunnels:
    """Turns up cards for tunnels, works out the extra cost, and clears the table afterwards.

    Payments are given in numbers, too (`cards`).
    """

    __slots__ = ("_costs", "_is_color", "upkeep")

    def __init__(self, upkeep: RowUpkeep) -> None:
        self.upkeep = upkeep
        self._costs: dict[tuple[str, int, int, bool, int | None], Cost] = {}
        #: For each kind, true if it is a color: looked up for the first tunnel, as an economy may set its colors late.
        self._is_color: list[bool] = []

    def __reduce__(self) -> tuple[object, ...]:  # its economy may have no attributes yet when this is unpickled
        return Tunnels, (self.upkeep,)

    def enter(self, tx: Transaction, seat: i64, cost: TunnelCost, payment: Counts, cards: Cards) -> Entered:
        """Lay down a payment, turn up cards, and work out the extra cost."""
        lay_cards(tx, seat, payment, cards)
        return self.turn_up(tx, cost, cards)

    def turn_up(self, tx: Transaction, cost: TunnelCost, cards: Cards) -> Entered:
        """Turn up cards for a payment on the table, as many as there are (T1, T6), and work out the extra cost."""
        piles: CardPiles = tx.state.kept[0]
        while len(piles.revealed) < cost.cards:
            top = piles.top(self.upkeep.economy.tunnel_deck, cost.cards - len(piles.revealed))
            if not top:
                break
            reveal_cards(tx, top)
            self.upkeep.rebuild(tx, piles)
        return piles.name_cards(piles.revealed), self._extra_cost(piles, cost, cards)

    def _extra_cost(self, piles: CardPiles, cost: TunnelCost, cards: Cards) -> Cost | None:
        """The extra cost of a tunnel (T2, T3): a card for each locomotive and each card of the color that was turned up."""
        if not self._is_color:
            self._is_color = [kind in self.upkeep.economy.colors for kind in piles.kinds]
        colors = [card for card, _ in cards if self._is_color[card]]
        color: i64 = -1
        if colors and not cost.any_cards:
            # T2 knows one color. It is the tunnel's, even if cards of others stood in for it; if a gray tunnel was paid with
            # several, which C1 does not allow but readings of a plugin may, it is the last of them in the order of kinds.
            color = cost.color if cost.color >= 0 else colors[-1]
            colors = [color]
        extra: i64 = 0
        for card in piles.revealed:
            if card == cost.wild or card in colors:
                extra += 1
        if extra == 0:
            return None
        most = cost.most_wilds
        if most is not None:
            wilds = self.upkeep.economy.wilds
            most = max(most - sum([count for card, count in cards if piles.kinds[card] in wilds]), 0)
        key = (cost.kind, int(extra), int(color), cost.any_cards, most)
        extra_cost = self._costs.get(key)
        if extra_cost is None:
            extra_cost = self._costs[key] = Cost(
                cost.kind,
                extra,
                piles.kinds[color] if color >= 0 else None,
                tunnel=True,
                only_wilds=color < 0 and not cost.any_cards,
                any_cards=cost.any_cards,
                extra=True,
                most_wilds=most,
            )
        return extra_cost

    def spend(self, tx: Transaction, seat: i64, extra: Counts) -> None:
        """Spend the cards on the table together with `extra` (T2), then discard those turned up (T5).

        If no card is left to draw, the new pile is formed before the cards turned up are discarded, so they are not in it.
        """
        spend_laid_cards(tx, seat, extra)
        self.upkeep.settle(tx)
        self._discard(tx)

    def take_back(self, tx: Transaction, seat: i64, laid: Counts) -> None:
        """Take back `laid` of the cards on the table (T4), discard the others, and then those turned up (T5).

        Raises `PluginError` for cards that are not on the table.
        """
        piles: CardPiles = tx.state.kept[0]
        lost: Counts | None = None
        if laid is not piles.laid:  # usually the very same, unless a layer keeps some
            table = piles.laid or Counts()
            if not laid.within(table):
                raise PluginError(f"{laid} cannot be taken back from a tunnel: {table or 'nothing'} was laid down")
            lost = table - laid
        take_back_cards(tx, seat)
        if lost:
            spend_cards(tx, seat, lost, in_numbers(tx, lost), for_nothing=True)
            self.upkeep.settle(tx)
        self._discard(tx)

    def _discard(self, tx: Transaction) -> None:
        piles: CardPiles = tx.state.kept[0]
        if piles.revealed:
            discard_revealed(tx)
            self.upkeep.settle(tx)
