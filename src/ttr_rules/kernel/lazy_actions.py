"""Lazy sequences of actions: a seat may have millions of legal ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar, cast

from attrs import fields

from ttr_rules._internal.frozen import LazySequence, spread
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action

A_co = TypeVar("A_co", bound=Action, covariant=True)

#: The size of a sample from a sequence that does not group its actions.
SAMPLED = 5000


def sampled(actions: Sequence[A_co], most: int = 100) -> Iterator[A_co]:
    """A sample: at most `most` actions of each group if the sequence has groups, otherwise all or a few thousand."""
    return actions.sample(most) if isinstance(actions, LazyActions) else spread(actions, max(most, SAMPLED))


class LazyActions(LazySequence[A_co]):
    """Actions created as they are read: a read-only sequence, equal to any sequence of the same actions.

    Counting them and picking one is cheap however many there are. A subclass sets `_size` and gives `nth` and, for
    speed, `__iter__`; what it holds must not change with the state. Like a list, it is not hashable.

    >>> import ttr_rules as ttr
    >>> legal = ttr.new_game("europe", players=2, seed=1).legal_actions(0)
    >>> isinstance(legal, LazyActions), len(legal), legal[0] in legal
    (True, 11, True)
    """

    __slots__ = ()

    def sample(self, most: int = 100) -> Iterator[A_co]:
        """Return a sample with actions of every group, at most `most` of each, for callers that do not need all.

        By default all actions, or a few thousand spread over the sequence.
        """
        return spread(self, max(most, SAMPLED))

    def purchases(self) -> Iterable[tuple[A_co, Sequence[Counts]]] | None:
        """Return the things that these actions buy: for each, one of its actions and all payments for it.

        The actions must have a `payment`, and those for one thing must differ in nothing else. `Game.offer` groups them
        by thing. With None, the default, the actions are compared one by one, which is done for up to a thousand of
        them.
        """
        return None

    def __contains__(self, action: object) -> bool:
        purchases = self.purchases()
        if purchases is None or not isinstance(action, Action) or "payment" not in field_names(type(action)):
            return super().__contains__(action)
        payment, kind, thing = cast("PaidAction", action).payment, type(action), thing_of(action)
        return any(
            payment in payments
            for each, payments in purchases
            if type(each) is kind and each.seat == action.seat and thing_of(each) == thing
        )


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
