"""Payments in which any four cards stand for a locomotive (U5, U13, U27): counted, picked and found without listing them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from attrs import frozen

from ttr_rules import Card, Counts
from ttr_rules.model import CARD_COLORS, Cost
from ttr_rules.plugins import LazyPayments

from .multisets import Needs, Pool

COLORS = tuple(str(card) for card in CARD_COLORS)
LOCOMOTIVE = str(Card.LOCOMOTIVE)
FOR_LOCOMOTIVE = 4  # U5
FOR_LOCOMOTIVE_BOOSTED = 3  # U13

#: Marks of a cost for a seat that owns a booster (U13), or diesel power (U27).
BOOSTED, ONE_FEWER = "boosted", "one_fewer"


def bundle(cost: Cost) -> int:
    """How many cards of any kind stand for a locomotive."""
    return FOR_LOCOMOTIVE_BOOSTED if BOOSTED in cost.marks else FOR_LOCOMOTIVE


def symbols(cost: Cost) -> int:
    """How many of the spaces only a locomotive, or what stands for one, can fill."""
    return cost.spaces if cost.only_wilds else cost.wilds


def lengths(cost: Cost) -> tuple[int, ...]:
    """The numbers of spaces to fill: with diesel power one fewer too, but neither none nor a symbol (U27)."""
    shorter = cost.spaces - 1
    if ONE_FEWER in cost.marks and shorter >= max(symbols(cost), 1):
        return (cost.spaces, shorter)
    return (cost.spaces,)


@cache
def serving(color: str | None, least: int) -> Needs:
    """At least so many cards of a colour, or of any one colour for None."""
    if least <= 0:
        return None
    return tuple([least if color in (None, each) else None for each in COLORS])


@frozen
class Lot:
    """Payments with the same numbers of locomotives and of cards of colours, those that have what they need.

    With `keeps`, what is needed must stay in the hand: `needs` is about the `cards` that are not paid.
    """

    wilds: int
    cards: int
    needs: Needs
    size: int
    keeps: bool = False

    def paid(self, pool: Pool) -> int:
        """How many cards of colours are paid."""
        return pool.size - self.cards if self.keeps else self.cards

    def holds(self, colors: tuple[int, ...], pool: Pool) -> bool:
        """Whether a payment with these cards is in this lot, by the cards of each colour."""
        counts = self.colors(colors, pool)
        return sum(counts) == self.cards and pool.has(counts, self.needs)

    def colors(self, counts: tuple[int, ...], pool: Pool) -> tuple[int, ...]:
        """What is paid, from one of the multisets of this lot; the other way round it is the same."""
        return tuple([most - kept for most, kept in zip(pool.most, counts, strict=True)]) if self.keeps else counts


@frozen
class Ways:
    """How a cost can be paid with some cards; `mixed` lets locomotives be among the cards that stand for one (UR2)."""

    pool: Pool
    wilds: int
    mixed: bool = False

    def lots(self, cost: Cost) -> list[Lot]:
        """The payments for a cost in lots, none of them in two: no two readings have the same number of cards."""
        found: list[Lot] = []
        step = bundle(cost) - 1
        for spaces in lengths(cost):
            for bundles in range(spaces + 1):
                cards = spaces + step * bundles
                if cards > self.wilds + self.pool.size:
                    break
                for wilds in range(min(self.wilds, cards if self.mixed else spaces - bundles) + 1):
                    least = max(spaces - bundles - wilds, 0)
                    if least <= spaces - symbols(cost) and cards - wilds <= self.pool.size:
                        found += self._lot(wilds, cards - wilds, serving(cost.color, least))
        return found

    def _lot(self, wilds: int, cards: int, needs: Needs, *, keeps: bool = False) -> Sequence[Lot]:
        size = self.pool.count(cards, needs)
        return (Lot(wilds, cards, needs, size, keeps),) if size else ()

    def lots_before(self, cost: Cost, then: Collection[Cost]) -> list[Lot]:
        """The payments for a cost of locomotives alone after which one of the costs `then` can still be paid."""
        found: list[Lot] = []
        for lot in self.lots(cost):
            rest = self.pool.size - lot.cards
            wilds = self.wilds - lot.wilds
            least: dict[str | None, int] = {}
            for each in then:
                needed = least_needed(each, rest, wilds)
                if needed is not None:
                    least[each.color] = min(least.get(each.color, needed), needed)
            if least:
                found += self._lot(lot.wilds, rest, _any_of(least), keeps=True)
        return found


def least_needed(cost: Cost, rest: int, wilds: int) -> int | None:
    """How many of the `rest` cards must be of the colour to pay a cost with so many locomotives beside; None: never enough.

    A card of the colour fills a space, of the others so many make a locomotive; so the more of the colour the better.
    """
    for least in range(cost.spaces + 1):
        for spaces in lengths(cost):
            enough = wilds + (rest - least) // bundle(cost) >= spaces - least
            if enough and least <= min(spaces - symbols(cost), rest):
                return least
    return None


def _any_of(least: dict[str | None, int]) -> Needs:
    """At least so many of a colour for one of several costs, by their colours."""
    if min(least.values()) <= 0:
        return None
    gray = least.get(None)
    each = [[n for n in (least.get(color), gray) if n is not None] for color in COLORS]
    return tuple([min(needs) if needs else None for needs in each])


def rank(locomotives: int, cards: int) -> tuple[int, ...]:
    """Where a payment stands among those for the same thing: a locomotive counts as two cards, which it takes to get one."""
    return 2 * locomotives + cards, locomotives


class StandIns(LazyPayments):
    """The payments of some lots out of a pool: a sequence that makes a payment when it is read."""

    __slots__ = ("_lots", "_pool")

    def __init__(self, pool: Pool, lots: Sequence[Lot]) -> None:
        super().__init__(sum([lot.size for lot in lots]))
        self._pool = pool
        self._lots = lots

    def nth(self, index: int) -> Counts:
        for lot in self._lots:
            if index < lot.size:
                return self._payment(lot, self._pool.nth(index, lot.cards, lot.needs))
            index -= lot.size
        raise IndexError("no such payment")

    def __iter__(self) -> Iterator[Counts]:
        for lot in self._lots:
            for counts in self._pool.each(lot.cards, lot.needs):
                yield self._payment(lot, counts)

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, Counts):
            return False
        colors = tuple([value[color] for color in COLORS])
        return sum(colors) + value[LOCOMOTIVE] == value.total and any(
            lot.wilds == value[LOCOMOTIVE] and lot.holds(colors, self._pool) for lot in self._lots
        )

    def cheapest_first(self) -> StandIns:
        """The lots by their rank: all payments of a lot have the same."""
        lots = sorted(self._lots, key=lambda lot: rank(lot.wilds, lot.paid(self._pool)))
        return StandIns(self._pool, lots)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StandIns) and (self._pool.most, self._lots) == (other._pool.most, other._lots):
            return True  # quick: no payment is made
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _payment(self, lot: Lot, counts: tuple[int, ...]) -> Counts:
        colors = lot.colors(counts, self._pool)
        return Counts({**dict(zip(COLORS, colors, strict=True)), LOCOMOTIVE: lot.wilds})
