"""The payments for one thing: joined, and ordered cheapest first, however many there are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from ttr_rules._internal.frozen import LazySequence
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
