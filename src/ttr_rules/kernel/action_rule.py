"""Action rules: one kind of action as the answer to one kind of decision; and sequences of actions made when they are read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, cast, overload

from ttr_rules.errors import Refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.actions import Action
from ttr_rules.model.decisions import Decision

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Action)
A_co = TypeVar("A_co", bound=Action, covariant=True)


class ActionRule(ABC, Generic[D, A]):
    """One kind of action as the answer to one kind of decision.

    `offers` and `refusal` are written apart from each other, so that each checks the other.
    """

    #: The type of the decision that this action answers.
    on: type[D]
    #: The type of the action.
    action: type[A]

    @abstractmethod
    def offers(self, state: State, decision: D) -> Sequence[A]:
        """Every legal action of this kind, in a stable order. It must stay valid when the state changes."""

    @abstractmethod
    def refusal(self, state: State, decision: D, action: A) -> Refusal | None:
        """None if `action` is legal now, else which rule refuses it and why."""

    @abstractmethod
    def perform(self, tx: Transaction, decision: D, action: A) -> None:
        """Let a legal action happen: facts and questions through `tx`."""


class LazyActions(Sequence[A_co]):
    """Actions that are made when they are read: a read-only sequence, equal to any sequence of the same actions.

    Counting them and picking one is cheap however many there are. A kind of its own gives `_size`, `nth` and, for
    speed, `__iter__`; what it holds must not change with the state.
    """

    __slots__ = ("_size",)

    def __init__(self, size: int) -> None:
        self._size = size

    @abstractmethod
    def nth(self, index: int) -> A_co:
        """The action with this index, from 0 to below the length."""

    def sample(self, most: int = 100) -> Iterator[A_co]:
        """Actions of every sort, `most` of a sort at most: for those who need not see all where there are very many."""
        return iter(self)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> A_co: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[A_co]: ...
    def __getitem__(self, index: int | slice) -> A_co | Sequence[A_co]:
        if type(index) is int and 0 <= index < self._size:
            return self.nth(index)
        if isinstance(index, slice):
            start, stop, step = index.indices(self._size)
            return tuple(islice(self, start, stop, step) if step > 0 else map(self.nth, range(start, stop, step)))
        if index < 0:
            index += self._size
        if not 0 <= index < self._size:
            raise IndexError("no such legal action")
        return self.nth(index)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and not isinstance(other, str):
            actions = cast("Sequence[object]", other)
            return len(actions) == self._size and tuple(self) == tuple(actions)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"
