"""The way to change a state: facts, questions and chance go through a `Transaction`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, TypeVarTuple, overload

from ttr_rules.kernel.events import DecisionOpened, Event
from ttr_rules.kernel.events.base import made
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.model.chance import SeededChance, checked_roll, checked_shuffle
from ttr_rules.model.decisions import Decision

Values = TypeVarTuple("Values")
T = TypeVar("T")
NONE = object()  # stands for a field that was not given


class Transaction:
    """One action on its way into a state: what `ActionRule.perform` and economies work with.

    `log` collects the events for those who keep them; None makes none.
    """

    __slots__ = ("log", "rules", "state")

    def __init__(self, state: State, log: list[Event] | None = None) -> None:
        self.state = state
        self.rules: Rules = state.rules
        self.log = log

    @overload
    def emit(self, fact: Callable[[], Event]) -> None: ...
    @overload
    def emit(self, fact: Callable[[*Values], Event], *values: *Values) -> None: ...
    def emit(  # type: ignore[misc]  # pyright: ignore[reportInconsistentOverload] (no more than eight fields: compiling sees to that)
        self,
        fact: Any,
        a: object = NONE,
        b: object = NONE,
        c: object = NONE,
        d: object = NONE,
        e: object = NONE,
        f: object = NONE,
        g: object = NONE,
        h: object = NONE,
    ) -> None:
        """Let a fact happen: apply its effect and, if somebody keeps events, record it.

        Fields are given by position, eight at most: `tx.emit(RouteClaimed, seat, route, points)`.
        """
        # A game does this a thousand times, and most facts have one to three fields: to hand them on one by one takes half
        # the time of `*values`.
        log = self.log
        if b is NONE:
            if a is NONE:
                fact.effect(self.state)
            else:
                fact.effect(self.state, a)
            if log is not None:
                log.append(made(fact, () if a is NONE else (a,)))
        elif c is NONE:
            fact.effect(self.state, a, b)
            if log is not None:
                log.append(made(fact, (a, b)))
        elif d is NONE:
            fact.effect(self.state, a, b, c)
            if log is not None:
                log.append(made(fact, (a, b, c)))
        else:
            values = tuple([value for value in (a, b, c, d, e, f, g, h) if value is not NONE])
            fact.effect(self.state, *values)
            if log is not None:
                log.append(made(fact, values))

    def ask(self, decision: Decision) -> None:
        """Ask one seat something, in place of what was asked."""
        self.emit(DecisionOpened, decision)

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
