"""Action rules: one kind of action as the answer to one kind of decision; and sequences of actions made when they are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Generic, Protocol, TypeVar, cast

from attrs import fields

from ttr_rules._internal.messages import brief
from ttr_rules._internal.sequences import LazySequence, spread
from ttr_rules.errors import Refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.actions import Action
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Decision

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Action)
A_co = TypeVar("A_co", bound=Action, covariant=True)

#: So many actions are in a sample of a sequence that does not know its sorts.
SAMPLED = 5000


class ActionRule(ABC, Generic[D, A]):
    """One kind of action as the answer to one kind of decision.

    `offers` and `refusal` are written apart from each other, so that each checks the other.
    """

    #: The type of the decision that this action answers.
    on: type[D]
    #: The type of the action.
    action: type[A]
    #: Whether the action leaves the turn as it is: it neither ends it nor keeps its seat from passing. Its rule says how
    #: often it may be taken.
    free: ClassVar[bool] = False
    #: Whether this rule stands in place of another one for the same decision and action.
    replaces: ClassVar[bool] = False

    @abstractmethod
    def offers(self, state: State, decision: D) -> Sequence[A]:
        """Every legal action of this kind, in a stable order. It must stay valid when the state changes."""

    def refusal(self, state: State, decision: D, action: A) -> Refusal | None:
        """None if `action` is legal now, else which rule refuses it and why.

        By default what is not offered is refused. A rule that offers very many actions gives a refusal of its own, or
        `LazyActions` that know what is in them.
        """
        if action in self.offers(state, decision):
            return None
        return Refusal("S8", f"{brief(action)} is not one of the legal actions of seat {decision.seat}")

    @abstractmethod
    def perform(self, tx: Transaction, decision: D, action: A) -> None:
        """Let a legal action happen: events and questions through `tx`."""


class LazyActions(LazySequence[A_co]):
    """Actions that are made when they are read: a read-only sequence, equal to any sequence of the same actions.

    Counting them and picking one is cheap however many there are. A subclass sets `_size` and gives `nth` and, for
    speed, `__iter__`; what it holds must not change with the state. Like a list it has no hash.
    """

    __slots__ = ()

    def sample(self, most: int = 100) -> Iterator[A_co]:
        """Actions of every sort, `most` of a sort at most: for those who need not see all where there are very many.

        Unless a subclass knows better, all actions, or some thousands from all parts of the sequence.
        """
        return spread(self, max(most, SAMPLED))

    def purchases(self) -> Iterable[tuple[A_co, Sequence[Counts]]] | None:
        """The things that can be bought with these actions: for each, one of its actions and all payments for it.

        The actions must have a `payment`, and those for one thing differ in nothing else. `Game.offer` shows them by the
        thing. None, the default, lets it compare the actions, which it does with up to a thousand of them.
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
    """What tells the thing that an action pays for: all its fields but the seat and the payment."""
    return tuple([getattr(action, name) for name in field_names(type(action)) if name not in ("seat", "payment")])
