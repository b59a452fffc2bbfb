"""The way to change a state: facts, questions and chance go through a `Transaction`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, TypeVarTuple

from .chance import SeededChance, checked_roll, checked_shuffle
from .decisions import Decision
from .events import Asked, Event
from .events.base import made
from .rules import Rules
from .state import State

Values = TypeVarTuple("Values")
T = TypeVar("T")


class Transaction:
    """One action on its way into a state: what `ActionRule.perform` and economies work with.

    `log` collects the events for those who keep them; None makes none.
    """

    __slots__ = ("log", "rules", "state")

    def __init__(self, state: State, log: list[Event] | None = None) -> None:
        self.state = state
        self.rules: Rules = state.rules
        self.log = log

    def do(self, fact: Callable[[*Values], Event], *values: *Values) -> None:
        """Let a fact happen: apply its effect and, if somebody keeps events, record it.

        Fields are given by position: `tx.do(RouteClaimed, seat, route, points)`.
        """
        fact.effect(self.state, *values)  # type: ignore[attr-defined]  # pyright: ignore[reportFunctionMemberAccess]
        if self.log is not None:
            self.log.append(made(fact, values))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

    def ask(self, decision: Decision) -> None:
        """Ask one seat something, in place of what was asked."""
        self.do(Asked, decision)

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in an order of chance; chance is not asked about fewer than two."""
        if len(items) < 2:
            return tuple(items)
        state = self.state
        call = state.chance_calls
        state.chance_calls = call + 1
        if isinstance(state.chance, SeededChance):
            return state.chance.shuffled(call, items)
        return checked_shuffle(state.chance, items)

    def roll(self, faces: Sequence[T]) -> T:
        """One of the faces, by chance."""
        state = self.state
        call = state.chance_calls
        state.chance_calls = call + 1
        if isinstance(state.chance, SeededChance):
            return state.chance.roll(call, faces)
        return checked_roll(state.chance, faces)
