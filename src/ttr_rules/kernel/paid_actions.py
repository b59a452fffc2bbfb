"""Actions that buy things, each with all the ways to pay for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, cast

from ttr_rules.kernel.action_rule import LazyActions
from ttr_rules.model.actions import Action
from ttr_rules.model.cards import Counts

A = TypeVar("A", bound=Action)


class PaidActions(LazyActions[A]):
    """Actions of one type that differ in what is bought and how it is paid for: what `offers` of such actions returns.

    Their fields are `seat`, the thing, and `payment`, in this order. `things` holds each thing with all payments for it; those
    without a payment are left out.

    >>> from ttr_rules import ClaimRoute
    >>> choices = PaidActions(ClaimRoute, 0, [("roma-palermo", [Counts(red=4), Counts(blue=4)]), ("paris-dieppe", [])])
    >>> len(choices), choices[1].payment
    (2, Counts(blue=4))
    """

    __slots__ = ("_kind", "_seat", "_things")

    def __init__(self, kind: type[A], seat: int, things: Sequence[tuple[str, Sequence[Counts]]]) -> None:
        self._kind = kind
        self._seat = seat
        self._things = [(thing, payments) for thing, payments in things if len(payments)]
        super().__init__(sum([len(payments) for _, payments in self._things]))

    def nth(self, index: int) -> A:
        for thing, payments in self._things:
            if index < len(payments):
                return self._made(thing, payments[index])
            index -= len(payments)
        raise IndexError("no such action")

    def __iter__(self) -> Iterator[A]:
        return (self._made(thing, payment) for thing, payments in self._things for payment in payments)

    def sample(self, most: int = 100) -> Iterator[A]:
        """For every thing the first ways to pay."""
        return (self._made(thing, payment) for thing, payments in self._things for payment in payments[:most])

    def purchases(self) -> Iterator[tuple[A, Sequence[Counts]]]:
        """Every thing, by one of its actions, with all payments for it."""
        for thing, payments in self._things:
            yield self._made(thing, payments[0]), payments

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self) and self._alike() == cast("PaidActions[Action]", other)._alike():
            return True  # quick: no action is made
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _alike(self) -> object:
        return self._kind, self._seat, self._things

    def _made(self, thing: str, payment: Counts) -> A:
        return self._kind(self._seat, thing, payment)  # type: ignore[call-arg]
