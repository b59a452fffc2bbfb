"""The payments for one thing: joined, and ordered cheapest first, however many there are."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain

from ttr_rules._internal.sequences import LazySequence
from ttr_rules.model.cards import Counts

#: More payments than this are not sorted.
MOST_SORTED = 1000


class LazyPayments(LazySequence[Counts]):
    """Payments created as they are read, for prices that can be paid in very many ways.

    A subclass sets `_size` and gives `nth` and `cheapest_first`.

    >>> class Coins(LazyPayments):
    ...     def nth(self, index):
    ...         return Counts(copper=index, silver=self._size - 1 - index)
    ...     def cheapest_first(self):
    ...         return self
    >>> ways = Coins(1_000_000)
    >>> len(ways), ways[1]
    (1000000, Counts(copper=1, silver=999998))
    """

    __slots__ = ()

    @abstractmethod
    def cheapest_first(self) -> Sequence[Counts]:
        """The same payments, ordered as `Economy.payment_rank` orders them, without listing them all."""


class _Joined(LazyPayments):
    """Several sequences of payments, one after the other."""

    __slots__ = ("_ends", "_parts")

    def __init__(self, parts: Sequence[Sequence[Counts]]) -> None:
        self._parts = parts
        self._ends = list(accumulate(map(len, parts)))
        super().__init__(self._ends[-1])

    def nth(self, index: int) -> Counts:
        which = bisect_right(self._ends, index)
        return self._parts[which][index - (self._ends[which - 1] if which else 0)]

    def __iter__(self) -> Iterator[Counts]:
        return chain.from_iterable(self._parts)

    def cheapest_first(self) -> Sequence[Counts]:
        """Each sequence sorted separately: they are not merged."""
        return _Joined([part.cheapest_first() if isinstance(part, LazyPayments) else part for part in self._parts])


def joined_payments(parts: Sequence[Sequence[Counts]]) -> Sequence[Counts]:
    """Several sequences of payments as one; a few payments as a tuple.

    >>> joined_payments([[Counts(red=2)], [Counts(blue=2), Counts(locomotive=2)]])
    (Counts(red=2), Counts(blue=2), Counts(locomotive=2))
    """
    if len(parts) == 1:
        return parts[0]
    if sum(map(len, parts)) <= MOST_SORTED:
        return tuple(chain.from_iterable(parts))
    return _Joined(parts)


def cheapest_first(payments: Sequence[Counts], rank: Callable[[Counts], tuple[int, ...]]) -> Sequence[Counts]:
    """Payments ordered by their rank (see `Economy.payment_rank`), those of equal rank in their original order.

    Very many payments that are not `LazyPayments` keep their order.

    >>> from ttr_rules import Counts
    >>> ways = [Counts(red=1, locomotive=2), Counts(red=3), Counts(blue=3)]
    >>> cheapest_first(ways, lambda payment: (payment["locomotive"], payment.total))
    [Counts(red=3), Counts(blue=3), Counts(red=1, locomotive=2)]
    """
    if isinstance(payments, LazyPayments):
        return payments.cheapest_first()
    return payments if len(payments) > MOST_SORTED else sorted(payments, key=rank)
