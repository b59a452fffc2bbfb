"""Payments that are too many to list, as any four cards for a locomotive: counted and picked without listing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from ttr_rules.kernel.economy import LazyPayments
from ttr_rules.model.cards import Counts

#: What selects the choices of a batch from a supply: the requirement of a `Pool`, the start of a diagram.
N = TypeVar("N")
N_contra = TypeVar("N_contra", contravariant=True)


class Supply(Protocol[N_contra]):
    """The cards of a hand but the wild ones, which says which of them can be paid: `most` has the number of each kind."""

    @property
    def most(self) -> tuple[int, ...]:
        """The number of cards of each kind."""
        ...

    def nth(self, index: int, size: int, needs: N_contra, /) -> tuple[int, ...]:
        """The choice of `size` cards with this index."""
        ...

    def each(self, size: int, needs: N_contra, /) -> Iterator[tuple[int, ...]]:
        """All choices of `size` cards."""
        ...

    def index(self, counts: Sequence[int], needs: N_contra, /) -> int:
        """The index of a choice. Raises `ValueError` if it is none."""
        ...

    def has(self, counts: Sequence[int], needs: N_contra, /) -> bool:
        """True if this is a choice."""
        ...


class Batch(NamedTuple, Generic[N]):
    """Payments with the same numbers of wild and other cards that meet the requirement.

    With `keeps`, the required cards must stay in the hand: `needs` applies to the `cards` that are not paid.

    >>> from ttr_rules.train_cards import Pool
    >>> Batch(wilds=1, cards=3, needs=None, size=2).colors((2, 1), Pool((3, 2)))
    (2, 1)
    """

    wilds: int
    cards: int
    needs: N
    size: int
    keeps: bool = False

    def colors(self, counts: Sequence[int], pool: Supply[N]) -> tuple[int, ...]:
        """The cards paid for one of the multisets of this batch; its own inverse."""
        return tuple([most - kept for most, kept in zip(pool.most, counts, strict=True)]) if self.keeps else (*counts,)


class StandIns(LazyPayments, Generic[N]):
    """The payments of some batches out of a pool: a sequence that creates each payment when it is read.

    `kinds` are the kinds of the pool, then the wild one; `rank` gives the order of payments by price.

    >>> from ttr_rules.train_cards import Pool
    >>> hand = Pool((3, 2))
    >>> payments = StandIns(hand, [Batch(0, 4, None, hand.count(4))], ("red", "blue", "locomotive"), lambda payment: (0,))
    >>> [str(payment) for payment in payments]
    ['2 red, 2 blue', '3 red, 1 blue']
    """

    __slots__ = ("_batches", "_kinds", "_pool", "_rank")

    def __init__(
        self,
        pool: Supply[N],
        batches: Sequence[Batch[N]],
        kinds: tuple[str, ...],
        rank: Callable[[Counts], tuple[int, ...]],
    ) -> None:
        self._size = sum([batch.size for batch in batches])
        self._pool = pool
        self._batches = batches
        self._kinds = kinds
        self._rank = rank

    def nth(self, index: int) -> Counts:
        for batch in self._batches:
            if index < batch.size:
                return self._payment(batch, self._pool.nth(index, batch.cards, batch.needs))
            index -= batch.size
        raise IndexError("no such payment")

    def __iter__(self) -> Iterator[Counts]:
        for batch in self._batches:
            for counts in self._pool.each(batch.cards, batch.needs):
                yield self._payment(batch, counts)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The index of a payment. Raises `ValueError` if it is not one of these."""
        payment = Counts.of(cast("Mapping[str, int]", value)) if isinstance(value, Mapping) else Counts()
        *paid, wilds = [payment[kind] for kind in self._kinds]
        before = 0
        for batch in self._batches if sum(paid) + wilds == payment.total else ():
            counts = batch.colors(paid, self._pool)
            if batch.wilds == wilds and batch.cards == sum(counts) and self._pool.has(counts, batch.needs):
                found = before + self._pool.index(counts, batch.needs)
                if found in range(*slice(start, stop).indices(len(self))):
                    return found
            before += batch.size
        raise ValueError(f"{value!r} is not one of these payments")

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True

    def cheapest_first(self) -> StandIns[N]:
        """The payments by the rank of their batch: only the numbers of wild and other cards decide it, so one color will do."""
        color, wild, held = self._kinds[0], self._kinds[-1], sum(self._pool.most)
        ranked = sorted(
            self._batches,
            key=lambda batch: self._rank(
                Counts({color: held - batch.cards if batch.keeps else batch.cards, wild: batch.wilds})
            ),
        )
        return StandIns(self._pool, ranked, self._kinds, self._rank)

    def __eq__(self, other: object) -> bool:
        made = cast("Any", other)
        if type(other) is type(self) and (self._pool.most, self._batches) == (made._pool.most, made._batches):
            return True  # fast: creates no payment
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _payment(self, batch: Batch[N], counts: tuple[int, ...]) -> Counts:
        return Counts(dict(zip(self._kinds, (*batch.colors(counts, self._pool), batch.wilds), strict=True)))
