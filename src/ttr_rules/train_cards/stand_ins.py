"""Payments in which cards of any kind stand in for others, such as any three cards for the locomotive of a ferry.

A large hand has thousands of them, so they are counted and picked without a list. Whether cards pay depends on three numbers
alone: how many are wild, how many are not, and how many of the latter are of the color that is needed. The `Combination`s of a cost
are these numbers. Each stands for all payments with its numbers of cards out of a hand, a `Batch`. A `Pool` (`multisets`) counts
the payments of a batch and finds each by its index, and `StandInPayments` puts the batches in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from ttr_rules.kernel.economy import LazyPayments
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.multisets import Needs, Place, Pool
from ttr_rules.train_cards.readings import MANY, Reading

#: The most hands that are cached: payments are needed several times in a turn.
HANDS_KEPT = 8


class StandInReading(NamedTuple):
    """A reading as numbers: `proper` cards of one color, for which wild cards may stand, and `others` of any kinds.

    With `mixed`, wild cards may also be among the others.

    >>> ferry = StandInReading(proper=2, others=3, mixed=False, needs_wilds=1, wilds=None)
    >>> ferry.cards, ferry.needed(1), ferry.needed(0)
    (5, 1, None)
    """

    proper: int
    others: int
    mixed: bool
    needs_wilds: int
    wilds: int | None

    @property
    def cards(self) -> int:
        """The number of cards paid."""
        return self.proper + self.others

    def needed(self, wilds: int) -> int | None:
        """The number of cards of the color to pay with these wild cards, or None if these are too few or too many."""
        stood = wilds if self.wilds is None else min(wilds, self.wilds)
        if stood < self.needs_wilds or wilds > stood + (self.others if self.mixed else 0):
            return None
        return max(self.proper - stood, 0)


class Combination(NamedTuple):
    """Numbers of cards that pay: `wilds` wild cards and `cards` others, of which at least `needed` are of the color."""

    wilds: int
    cards: int
    needed: int


class Batch(NamedTuple):
    """The payments out of a pool with these numbers of wild and other cards, where the others meet `needs` (see `Pool`).

    With `keeps`, the others are those that stay in the hand, and `cards` is their number.

    >>> hand, kinds = Pool((3, 2)), ("red", "blue", "locomotive")
    >>> [str(payment) for payment in StandInPayments(hand, [Batch(wilds=1, cards=2, needs=(2, None))], kinds, len)]
    ['2 red, 1 locomotive']
    >>> [str(payment) for payment in StandInPayments(hand, [Batch(wilds=0, cards=4, keeps=True)], kinds, len)]
    ['1 red', '1 blue']
    """

    wilds: int
    cards: int
    needs: Needs = None
    keeps: bool = False


class StandInPayments(LazyPayments):
    """The payments of some batches out of a pool: a sequence that creates payments as they are read.

    `kinds` are the kinds of the pool, then the wild one. `rank` orders payments by price.

    >>> hand = Pool((3, 2))
    >>> payments = StandInPayments(hand, [Batch(wilds=0, cards=4)], ("red", "blue", "locomotive"), lambda payment: (0,))
    >>> [str(payment) for payment in payments]
    ['2 red, 2 blue', '3 red, 1 blue']
    """

    __slots__ = ("_batches", "_kinds", "_pool", "_rank")

    def __init__(
        self, pool: Pool, batches: Sequence[Batch], kinds: tuple[str, ...], rank: Callable[[Counts], tuple[int, ...]]
    ) -> None:
        #: Each batch with the number of its payments.
        self._batches = [(batch, size) for batch in batches if (size := pool.count(batch.cards, batch.needs))]
        self._size = sum([size for _, size in self._batches])
        self._pool = pool
        self._kinds = kinds
        self._rank = rank

    def nth(self, index: int) -> Counts:
        for batch, size in self._batches:
            if index < size:
                return self._payment(batch, self._choose(batch, index))
            index -= size
        raise IndexError("no such payment")

    def _choose(self, batch: Batch, index: int) -> list[int]:
        """The numbers of cards of each kind in a payment, by its index in the batch."""
        place = self._pool.start(batch.cards, batch.needs)
        chosen: list[int] = []
        for _ in self._pool.most:
            for count, after, ways in self._pool.steps(place):
                if index < ways:
                    chosen.append(count)
                    place = after
                    break
                index -= ways
        return chosen

    def __iter__(self) -> Iterator[Counts]:
        kinds = len(self._pool.most)
        for batch, _ in self._batches:
            todo: list[tuple[tuple[int, ...], Place]] = [((), self._pool.start(batch.cards, batch.needs))]
            while todo:
                chosen, place = todo.pop()
                if len(chosen) == kinds:
                    yield self._payment(batch, chosen)
                else:
                    todo += [((*chosen, count), after) for count, after, _ in reversed(self._pool.steps(place))]

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The index of a payment. Raises `ValueError` if it is not one of these."""
        payment = Counts.of(cast("Mapping[str, int]", value)) if isinstance(value, Mapping) else Counts()
        *paid, wilds = [payment[kind] for kind in self._kinds]
        before = 0
        for batch, size in self._batches if sum(paid) + wilds == payment.total else ():
            chosen = self._rest(paid) if batch.keeps else paid
            if batch.wilds == wilds and batch.cards == sum(chosen):
                at = self._index_in(batch, chosen)
                if at is not None and before + at in range(*slice(start, stop).indices(len(self))):
                    return before + at
            before += size
        raise ValueError(f"{value!r} is not one of these payments")

    def _index_in(self, batch: Batch, chosen: Sequence[int]) -> int | None:
        """The index in a batch of the payment with these cards of each kind, or None if it is not in the batch."""
        place = self._pool.start(batch.cards, batch.needs)
        index = 0
        for wanted in chosen:
            for count, after, ways in self._pool.steps(place):
                if count == wanted:
                    place = after
                    break
                index += ways
            else:
                return None
        return index

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True

    def cheapest_first(self) -> StandInPayments:
        """The payments by the rank of their batch, which depends only on the numbers of wild and other cards."""
        color, wild, held = self._kinds[0], self._kinds[-1], self._pool.size

        def rank(batch: Batch) -> tuple[int, ...]:
            return self._rank(Counts({color: held - batch.cards if batch.keeps else batch.cards, wild: batch.wilds}))

        ranked = sorted([batch for batch, _ in self._batches], key=rank)
        return StandInPayments(self._pool, ranked, self._kinds, self._rank)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StandInPayments) and (self._pool.most, self._batches) == (
            other._pool.most,
            other._batches,
        ):
            return True  # quick, as it creates no payment
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _rest(self, cards: Sequence[int]) -> list[int]:
        """The cards of the pool without these."""
        return [most - count for most, count in zip(self._pool.most, cards, strict=True)]

    def _payment(self, batch: Batch, chosen: Sequence[int]) -> Counts:
        paid = self._rest(chosen) if batch.keeps else chosen
        return Counts(dict(zip(self._kinds, (*paid, batch.wilds), strict=True)))


@lru_cache(maxsize=HANDS_KEPT)
def _pool(cards: tuple[int, ...]) -> Pool:
    """The cards of a hand that are not wild, shared by all costs."""
    return Pool(cards)


class StandIns:
    """A cost in which cards of any of the `pooled` kinds stand in for others.

    `readings` are its readings as numbers, and `combinations` the numbers of cards that pay. `color` is the kind that the first
    lots take, and None if it may be any one of the pooled kinds. `wild` is the kind of wild cards, of which `most` may be paid.

    In the Nordic Countries any three cards stand in for the locomotive of a ferry. Two red spaces, one of them with a
    locomotive, take two cards, or one red card and three of any kind:

    >>> import ttr_rules as ttr
    >>> from ttr_rules.actions import economy_of
    >>> from ttr_rules.model import Cost
    >>> from ttr_rules.train_cards import TrainCards
    >>> cards = economy_of(ttr.compile_rules("nordic-countries").economy, TrainCards)
    >>> ferry = cards.bill(Cost("single", 2, "red", wilds=1)).stand_ins
    >>> ferry
    <StandIns: 2 + 0 or 1 + 3 cards>
    >>> ferry.combinations[:2]  # a locomotive and a red card; two locomotives
    [Combination(wilds=1, cards=1, needed=1), Combination(wilds=2, cards=0, needed=0)]
    >>> ferry.combinations[2:4]  # four cards, one of them red; a locomotive and any three
    [Combination(wilds=0, cards=4, needed=1), Combination(wilds=1, cards=3, needed=0)]
    """

    def __init__(
        self,
        readings: Sequence[StandInReading],
        pooled: tuple[str, ...],
        color: str | None,
        wild: str,
        most: int,
        rank: Callable[[Counts], tuple[int, ...]],
    ) -> None:
        self.readings = readings
        self.pooled = pooled
        self.color = color
        self._kinds = (*pooled, wild)
        self._rank = rank
        self.combinations = [
            Combination(wilds, reading.cards - wilds, needed)
            for reading in readings
            for wilds in range(min(reading.cards, most) + 1)
            if (needed := reading.needed(wilds)) is not None
        ]
        self._least: dict[tuple[int, int], int | None] = {}

    def __repr__(self) -> str:
        return f"<StandIns: {' or '.join([f'{reading.proper} + {reading.others}' for reading in self.readings])} cards>"

    def payments(self, hand: Mapping[str, int]) -> StandInPayments:
        """The payments out of a hand."""
        pool = _pool(tuple([hand[kind] for kind in self.pooled]))
        return self.payments_in(pool, self.batches(hand[self._kinds[-1]]))

    def batches(self, wilds: int) -> list[Batch]:
        """The payments with at most `wilds` wild cards, by the numbers of both kinds of cards. Some may be empty."""
        batches: list[Batch] = []
        for combination in self.combinations:
            if combination.wilds <= wilds:
                needed = combination.needed
                needs = tuple([needed if self.color in (None, kind) else None for kind in self.pooled])
                batches.append(Batch(combination.wilds, combination.cards, needs if needed else None))
        return batches

    def payments_in(self, pool: Pool, batches: Sequence[Batch]) -> StandInPayments:
        """The payments of some batches out of a pool."""
        return StandInPayments(pool, batches, self._kinds, self._rank)

    def least(self, cards: int, wilds: int) -> int | None:
        """The fewest of `cards` cards that must be of the color, with `wilds` wild cards, or None if never enough."""
        if (cards, wilds) not in self._least:
            enough = [some.needed for some in self.combinations if some.wilds <= wilds and some.cards <= cards]
            self._least[cards, wilds] = min(enough, default=None)
        return self._least[cards, wilds]


def find_stand_ins(
    readings: Sequence[Reading],
    most: int,
    kinds: tuple[str, ...],
    colors: tuple[str, ...],
    wilds: tuple[str, ...],
    rank: Callable[[Counts], tuple[int, ...]],
) -> StandIns | None:
    """The readings as `StandIns`, or None unless all have that form.

    Each has two lots. The first takes cards of one kind, the second cards of any of the same kinds in every reading, and a
    card is worth one space. Every number of cards has one reading for each kind of the first lot.
    """
    firsts: dict[StandInReading, set[str]] = {}  # the kinds of the first lots
    pools: set[frozenset[str]] = set()
    for reading in readings:
        if len(reading.lots) != 2 or any(lot.spare or lot.alike > 1 for lot in reading.lots):
            return None
        proper, others = reading.lots
        if [*proper.worth.values()] != [1] or {*others.worth.values()} != {1}:
            return None
        mixed = wilds[0] in others.worth
        pools.add(frozenset(others.worth) - {wilds[0]})
        as_numbers = StandInReading(proper.spaces, others.spaces, mixed, reading.needs_wilds, reading.wilds)
        firsts.setdefault(as_numbers, set()).update(proper.worth)
    if len(pools) != 1 or len({frozenset(first) for first in firsts.values()}) != 1:
        return None
    (pool,), first = pools, next(iter(firsts.values()))
    if (
        not {*first, *colors} <= pool
    ):  # `StandInReading.needed` counts on it, and so do refusals: any color may be among the others
        return None
    if len(first) not in (1, len(pool)):  # `color` is one kind, or any of them
        return None
    if len({reading.cards for reading in firsts}) < len(firsts):  # two combinations might share payments
        return None
    is_limited = most < MANY or any(reading.needs_wilds or reading.wilds is not None for reading in firsts)
    if is_limited and not pool.isdisjoint(wilds):  # wild cards of other kinds would be counted as ordinary ones
        return None
    pooled = tuple([kind for kind in kinds if kind in pool])
    return StandIns([*firsts], pooled, next(iter(first)) if len(first) == 1 else None, wilds[0], most, rank)
