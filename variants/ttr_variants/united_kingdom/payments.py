"""Payments in which any four cards replace a locomotive (U5, U13, U27), counted and indexed without listing them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from attrs import frozen

from ttr_rules import Counts
from ttr_rules.model import CARD_COLORS, Card, Cost
from ttr_rules.train_cards import Lot, Pool, Reading, StandIns, lots

COLORS = tuple(map(str, CARD_COLORS))
LOCOMOTIVE = str(Card.LOCOMOTIVE)
FOR_LOCOMOTIVE = 4  # U5
FOR_LOCOMOTIVE_BOOSTED = 3  # U13

#: Marks of a cost for a seat that owns a booster (U13), or diesel power (U27).
BOOSTED, ONE_FEWER = "boosted", "one_fewer"


def bundle(cost: Cost) -> int:
    """How many cards of any kind replace a locomotive."""
    return FOR_LOCOMOTIVE_BOOSTED if BOOSTED in cost.marks else FOR_LOCOMOTIVE


def symbols(cost: Cost) -> int:
    """How many spaces can be filled only by a locomotive or its replacement."""
    return cost.spaces if cost.only_wilds else cost.wilds


def lengths(cost: Cost) -> tuple[int, ...]:
    """The possible numbers of spaces to fill: with diesel power also one fewer, but not 0 or a symbol (U27)."""
    shorter = cost.spaces - 1
    if ONE_FEWER in cost.marks and shorter >= max(symbols(cost), 1):
        return (cost.spaces, shorter)
    return (cost.spaces,)


@cache
def readings(cost: Cost, mixed: bool) -> tuple[Reading, ...]:
    """The ways to read a cost, by its spaces and by how many locomotives are replaced (U5).

    `mixed` allows locomotives among the cards that replace one (UR2).
    """
    step = bundle(cost) - 1
    return tuple(
        Reading(
            cards=spaces + step * bundles,
            wilds=max(symbols(cost) - bundles, 0),
            least=spaces - bundles,
            most_wilds=None if mixed else spaces - bundles,
        )
        for spaces in lengths(cost)
        for bundles in range(spaces + 1)
    )


@frozen
class Hand:
    """The cards of a seat: coloured cards and locomotives."""

    pool: Pool
    wilds: int
    mixed: bool = False

    def payments(self, cost: Cost) -> Sequence[Counts]:
        """All payments for a cost."""
        return StandIns(self.pool, self.lots(cost), rank)

    def lots(self, cost: Cost) -> list[Lot]:
        """All payments for a cost, in lots."""
        return lots(readings(cost, self.mixed), self.pool, self.wilds, cost.color)

    def payments_before(self, cost: Cost, then: Collection[Cost]) -> Sequence[Counts]:
        """The payments for a cost of only locomotives that leave enough for one of the costs `then`."""
        found: list[Lot] = []
        for lot in self.lots(cost):
            rest = self.pool.size - lot.cards
            least: dict[str | None, int] = {}
            for each in then:
                needed = least_needed(each, rest, self.wilds - lot.wilds)
                if needed is not None:
                    least[each.color] = min(least.get(each.color, needed), needed)
            if least:
                gray = least.get(None)
                both = [[n for n in (least.get(color), gray) if n is not None] for color in COLORS]
                needs = tuple([min(each) if each else None for each in both]) if min(least.values()) > 0 else None
                size = self.pool.count(rest, needs)
                if size:
                    found.append(Lot(lot.wilds, rest, needs, size, keeps=True))
        return StandIns(self.pool, found, rank)


def least_needed(cost: Cost, rest: int, wilds: int) -> int | None:
    """How many of the `rest` cards must be of the colour to pay a cost with some locomotives; None: never enough.

    A card of the colour fills a space, while several others replace a locomotive, so more of the colour is better.
    """
    for least in range(cost.spaces + 1):
        for spaces in lengths(cost):
            enough = wilds + (rest - least) // bundle(cost) >= spaces - least
            if enough and least <= min(spaces - symbols(cost), rest):
                return least
    return None


def rank(locomotives: int, cards: int) -> tuple[int, ...]:
    """The rank of a payment: a locomotive counts as two cards, as drawing one costs two."""
    return 2 * locomotives + cards, locomotives
