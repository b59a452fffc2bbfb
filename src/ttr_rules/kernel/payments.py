"""Payments that are created as they are read, and their order: a seat may have millions of ways to pay."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from attrs import fields

from ttr_rules._internal.frozen import LazySequence
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action


class PaidAction(Protocol):
    """An action with a payment."""

    payment: Counts


def field_names(kind: type[Action]) -> tuple[str, ...]:
    """The names of the fields of a type of action."""
    return tuple([field.name for field in fields(kind)])


def thing_of(action: Action) -> tuple[object, ...]:
    """Key of the thing that an action pays for: all its fields except the seat and the payment."""
    return tuple([getattr(action, name) for name in field_names(type(action)) if name not in ("seat", "payment")])


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
