"""Payments in which cards of any kind may stand in for others: counted, picked and found without listing them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from attrs import frozen

from ttr_rules.kernel.lazy_actions import LazyPayments
from ttr_rules.model.cards import CARD_COLORS, Counts
from ttr_rules.train_cards.kinds import LOCOMOTIVE
from ttr_rules.train_cards.multisets import Needs, Pool

COLORS = tuple(map(str, CARD_COLORS))


@frozen
class Reading:
    """One way to read a cost: `cards` in all, with at least `wilds` and at most `most_wilds` locomotives.

    At least `least` of the cards are of the required color; with `joined`, locomotives count toward these. All others
    may be anything. Where any four cards stand for a locomotive, two spaces of a ferry with one symbol can be read as

    >>> proper, replaced = Reading(2, wilds=1, least=2), Reading(2 + 3, wilds=0, least=1)
    """

    cards: int
    wilds: int
    least: int
    joined: bool = True
    most_wilds: int | None = None

    def least_of_color(self, cards: int, wilds: int) -> int | None:
        """How many of so many cards, besides some locomotives, must be of the color; None if it is never enough.

        >>> Reading(5, wilds=0, least=1).least_of_color(4, wilds=0), Reading(2, wilds=1, least=2).least_of_color(4, 1)
        (None, 1)
        """
        most = min(wilds, self.cards if self.most_wilds is None else self.most_wilds, self.cards)
        if not self.joined:
            most = min(most, self.cards - self.least)
        if most < self.wilds or self.cards - most > cards:
            return None
        return max(self.least - most, 0) if self.joined else self.least


@frozen
class Lot:
    """Payments with the same numbers of locomotives and colored cards that meet the requirement.

    With `keeps`, the required cards must stay in the hand: `needs` applies to the `cards` that are not paid.

    >>> hand = Pool((3, 0, 0, 0, 0, 0, 0, 2))  # 3 purple, 2 red
    >>> lot, = lots([Reading(4, wilds=0, least=0)], hand, 0, None)
    >>> lot.size, lot.paid(hand), [str(payment) for payment in StandIns(hand, [lot])]
    (2, 4, ['2 purple, 2 red', '3 purple, 1 red'])
    """

    wilds: int
    cards: int
    needs: Needs
    size: int
    keeps: bool = False

    def paid(self, pool: Pool) -> int:
        """The number of colored cards that are paid."""
        return pool.size - self.cards if self.keeps else self.cards

    def colors(self, counts: Sequence[int], pool: Pool) -> tuple[int, ...]:
        """The cards paid for one of the multisets of this lot; its own inverse."""
        return tuple([most - kept for most, kept in zip(pool.most, counts, strict=True)]) if self.keeps else (*counts,)


@cache
def at_least(count: int, color: str | None) -> Needs:
    """Require at least a number of cards of a color, or of any one color for None.

    >>> at_least(2, "blue"), at_least(0, "blue")
    ((None, 2, None, None, None, None, None, None), None)
    """
    return tuple([count if color in (None, each) else None for each in COLORS]) if count > 0 else None


def lots(readings: Sequence[Reading], pool: Pool, wilds: int, color: str | None) -> list[Lot]:
    """The payments that readings of a cost allow, with this many locomotives besides the colors of a pool.

    No payment is in two lots if no two readings have the same number of cards.

    >>> hand = Pool((3, 0, 0, 0, 0, 0, 0, 2))
    >>> four_for_one = [Reading(1, wilds=0, least=1), Reading(4, wilds=0, least=0, most_wilds=0)]
    >>> [(lot.wilds, lot.cards, lot.size) for lot in lots(four_for_one, hand, 1, "purple")]
    [(0, 1, 1), (1, 0, 1), (0, 4, 2)]
    """
    found: list[Lot] = []
    total = wilds + pool.size
    for reading in readings:
        if reading.cards > total:
            continue
        most = reading.cards if reading.most_wilds is None else reading.most_wilds
        for wild in range(reading.wilds, min(wilds, reading.cards, most) + 1):
            cards = reading.cards - wild
            needs = at_least(reading.least - wild if reading.joined else reading.least, color)
            size = pool.count(cards, needs)
            if size:
                found.append(Lot(wild, cards, needs, size))
    return found


def lots_that_leave(
    found: Iterable[Lot], pool: Pool, wilds: int, then: Collection[tuple[str | None, Sequence[Reading]]]
) -> list[Lot]:
    """Of lots of locomotives and any cards, the payments that leave enough for one of several costs.

    `then` holds, for each cost, its color and its readings.

    >>> hand = Pool((0, 0, 0, 0, 0, 0, 2, 4))
    >>> four_for_one = lots([Reading(4, wilds=0, least=0)], hand, 0, None)
    >>> [lot.size for lot in four_for_one], [
    ...     lot.size for lot in lots_that_leave(four_for_one, hand, 0, [("red", [Reading(2, wilds=0, least=2)])])]
    ([3], [1])
    """
    left: list[Lot] = []
    for lot in found:
        rest = pool.size - lot.cards
        least: dict[str | None, int] = {}
        for color, readings in then:
            needed = [each.least_of_color(rest, wilds - lot.wilds) for each in readings]
            enough = [count for count in needed if count is not None]
            if enough:
                least[color] = min(least.get(color, pool.size), *enough)
        if not least:
            continue
        both = [[least[each] for each in (color, None) if each in least] for color in COLORS]
        needs = tuple([min(each) if each else None for each in both]) if min(least.values()) > 0 else None
        size = pool.count(rest, needs)
        if size:
            left.append(Lot(lot.wilds, rest, needs, size, keeps=True))
    return left


def few_wilds(wilds: int, cards: int) -> tuple[int, ...]:
    """Rank payments by few locomotives, then few other cards."""
    return wilds, cards


class StandIns(LazyPayments):
    """The payments of some lots out of a pool: a sequence that creates each payment when it is read.

    `rank` gets the locomotives and the other cards of a payment, and gives the order of the lots by price.

    >>> hand = Pool((3, 0, 0, 0, 0, 0, 0, 2))
    >>> payments = StandIns(hand, lots([Reading(4, wilds=0, least=0)], hand, 0, None))
    >>> list(payments)
    [Counts(purple=2, red=2), Counts(purple=3, red=1)]
    """

    __slots__ = ("_lots", "_pool", "_rank")

    def __init__(
        self, pool: Pool, lots: Sequence[Lot], rank: Callable[[int, int], tuple[int, ...]] = few_wilds
    ) -> None:
        self._size = sum([lot.size for lot in lots])
        self._pool = pool
        self._lots = lots
        self._rank = rank

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

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The index of a payment. Raises `ValueError` if it is not one of these."""
        payment = Counts.of(cast("Mapping[str, int]", value)) if isinstance(value, Mapping) else Counts()
        paid = tuple([payment[color] for color in COLORS])
        wilds, cards = payment[LOCOMOTIVE], sum(paid)
        before = 0
        for lot in self._lots if cards + wilds == payment.total else ():
            if lot.wilds == wilds and lot.paid(self._pool) == cards:
                counts = lot.colors(paid, self._pool)
                found = before + self._pool.index(counts, lot.needs) if self._pool.has(counts, lot.needs) else -1
                if found in range(*slice(start, stop).indices(len(self))):
                    return found
            before += lot.size
        raise ValueError(f"{value!r} is not one of these payments")

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True

    def cheapest_first(self) -> StandIns:
        """The payments by the rank of their lot: all payments of a lot have the same rank."""
        ranked = sorted(self._lots, key=lambda lot: self._rank(lot.wilds, lot.paid(self._pool)))
        return StandIns(self._pool, ranked, self._rank)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StandIns) and (self._pool.most, self._lots) == (other._pool.most, other._lots):
            return True  # fast: creates no payment
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _payment(self, lot: Lot, counts: tuple[int, ...]) -> Counts:
        colors = lot.colors(counts, self._pool)
        return Counts({**dict(zip(COLORS, colors, strict=True)), LOCOMOTIVE: lot.wilds})
