"""Payments in which cards of any kind may stand in (N5, N6): counted, picked and found without listing them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from attrs import frozen

from ttr_rules import Card, Counts
from ttr_rules.model import CARD_COLORS
from ttr_rules.plugins import LazyPayments

from .multisets import Pool

COLORS = tuple(str(card) for card in CARD_COLORS)
LOCOMOTIVE = str(Card.LOCOMOTIVE)


@frozen
class Reading:
    """One way to read a price: `cards` in all, `wilds` locomotives among them at least.

    At least `least` of them are of the colour; with `joined`, locomotives are counted with the colour. The others may be
    anything.
    """

    cards: int
    wilds: int
    least: int
    joined: bool


@frozen
class Lot:
    """Payments with the same number of locomotives and of cards: `cards` of the colours, at least `least` of the one that serves."""

    wilds: int
    cards: int
    least: int
    size: int


class Ways:
    """Lots of payments, none of them in two lots; `serving` is the number of the colour that serves, None for any one.

    They tell nothing of which colours the others are, so hands of one shape can share them.
    """

    __slots__ = ("lots", "serving", "size", "width")

    def __init__(self, lots: Sequence[Lot], serving: int | None, width: int) -> None:
        self.lots = lots
        self.serving = serving
        self.width = width
        self.size = sum(lot.size for lot in lots)


def ways(readings: Sequence[Reading], pool: Pool, wilds: int, serving: int | None) -> Ways:
    """The payments that readings allow for a hand with so many locomotives beside its colours.

    No two readings are for the same number of cards, so a payment fits one of them at most.
    """
    found: list[Lot] = []
    total = wilds + sum(pool.most)
    for reading in readings:
        if reading.cards > total:
            continue
        for wild in range(reading.wilds, min(wilds, reading.cards) + 1):
            cards = reading.cards - wild
            least = reading.least - wild if reading.joined else reading.least
            size = pool.count(cards, least, serving)
            if size:
                found.append(Lot(wild, cards, least, size))
    return Ways(found, serving, pool.width)


class StandIns(LazyPayments):
    """The payments of some lots, the smallest first: a sequence that makes a payment when it is read.

    `most` are the colours held; a pool of them is made when the first payment is.
    """

    __slots__ = ("_made", "_most", "_ways")

    def __init__(self, ways: Ways, most: tuple[int, ...], pool: Pool | None = None) -> None:
        super().__init__(ways.size)
        self._ways = ways
        self._most = most
        self._made = pool

    @property
    def _pool(self) -> Pool:
        if self._made is None:
            self._made = Pool(self._most, self._ways.width)
        return self._made

    def nth(self, index: int) -> Counts:
        for lot in self._ways.lots:
            if index < lot.size:
                return self._payment(lot, self._pool.nth(index, lot.cards, lot.least, self._ways.serving))
            index -= lot.size
        raise IndexError("no such payment")

    def cheapest_first(self) -> StandIns:
        """The lots by their locomotives, then by their cards: all payments of a lot have the same rank."""
        lots = sorted(self._ways.lots, key=lambda lot: (lot.wilds, lot.wilds + lot.cards))
        return StandIns(Ways(lots, self._ways.serving, self._ways.width), self._most, self._made)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StandIns) and self._alike() == other._alike():  # quick: no payment is made
            return True
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _alike(self) -> object:
        return self._most, self._ways.serving, list(self._ways.lots)

    def __iter__(self) -> Iterator[Counts]:
        for lot in self._ways.lots:
            for colors in self._pool.each(lot.cards, lot.least, self._ways.serving):
                yield self._payment(lot, colors)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Where a payment stands. Raises `ValueError` if it is none of these."""
        payment = Counts.of(cast("Mapping[str, int]", value)) if isinstance(value, Mapping) else Counts()
        colors = [payment[kind] for kind in COLORS]
        wilds = payment[LOCOMOTIVE]
        before = 0
        for lot in self._ways.lots:
            if lot.wilds == wilds and lot.cards == sum(colors) == payment.total - wilds:
                found = before + self._pool.index(colors, lot.least, self._ways.serving)
                if found in range(*slice(start, stop).indices(self._ways.size)):
                    return found
                break
            before += lot.size
        raise ValueError(f"{value!r} is none of these payments")

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True

    def _payment(self, lot: Lot, colors: tuple[int, ...]) -> Counts:
        return Counts({**dict(zip(COLORS, colors, strict=True)), LOCOMOTIVE: lot.wilds})
