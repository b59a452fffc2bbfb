"""Actions that buy things, each with all the ways to pay for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

from ttr_rules.kernel.lazy_actions import LazyActions
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action

A = TypeVar("A", bound=Action)


class PaidActions(LazyActions[A]):
    """Actions of one type that differ in what is bought and how it is paid for, as returned by `offers`.

    Their fields are `seat`, the thing, and `payment`, in this order; a thing with several fields, or none, is a tuple.
    `things` holds each thing with all payments for it, as `Economy.payments` returns them: with wild cards these may be
    millions, and they are not listed. Things without a payment are left out.

    >>> from ttr_rules import ClaimRoute
    >>> choices = PaidActions(ClaimRoute, 0, [("roma-palermo", [Counts(red=4), Counts(blue=4)]), ("paris-dieppe", [])])
    >>> len(choices), choices[1].payment
    (2, Counts(blue=4))
    """

    __slots__ = ("_kind", "_seat", "_things")

    def __init__(self, kind: type[A], seat: int, things: Iterable[tuple[object, Iterable[Counts]]]) -> None:
        self._kind: Any = kind
        self._seat = seat
        known: dict[
            int, tuple[Iterable[Counts], Sequence[Counts]]
        ] = {}  # things with the same price share their payments
        self._things: list[tuple[tuple[object, ...], Sequence[Counts]]] = []
        for thing, given in things:
            if id(given) not in known:
                known[id(given)] = given, given if isinstance(given, Sequence) else tuple(given)
            payments = known[id(given)][1]
            if len(payments):
                self._things.append(
                    (cast("tuple[object, ...]", thing) if isinstance(thing, tuple) else (thing,), payments)
                )
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
        """The first ways to pay for every thing."""
        return (self._made(thing, payment) for thing, payments in self._things for payment in payments[:most])

    def purchases(self) -> Iterator[tuple[A, Sequence[Counts]]]:
        """Every thing, given by one of its actions, with all payments for it."""
        for thing, payments in self._things:
            yield self._made(thing, payments[0]), payments

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self) and self._alike() == cast("PaidActions[Action]", other)._alike():
            return True  # fast: creates no action
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _alike(self) -> object:
        return self._kind, self._seat, self._things

    def _made(self, thing: tuple[object, ...], payment: Counts) -> A:
        made: A = self._kind(self._seat, *thing, payment)
        return made
