"""The engine: legal actions, refusals, and playing an action, all by looking up the rules of the open decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, cast, overload

from attrs import frozen

from ttr_rules._internal.strangers import strange as strange_action
from ttr_rules.errors import GameOverError, IllegalActionError, NotYourTurnError, PluginError, Refusal, brief
from ttr_rules.kernel.events import Event
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.actions import Action, Pass
from ttr_rules.model.decisions import Decision, Turn

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


class Choices(LazyActions[Action]):
    """All legal actions of a seat: what the rules of the open decision offer, one after the other."""

    __slots__ = ("_ends", "_groups")

    def __init__(self, groups: Sequence[Sequence[Action]], ends: Sequence[int]) -> None:
        self._size = ends[-1]
        self._ends = ends
        self._groups = groups

    def nth(self, index: int) -> Action:
        which = bisect_right(self._ends, index)
        if which == len(self._ends):
            raise IndexError("no such legal action")
        return self._groups[which][index - self._ends[which - 1] if which else index]

    def __iter__(self) -> Iterator[Action]:
        for group in self._groups:
            yield from group

    def __contains__(self, action: object) -> bool:
        return any(action in group for group in self._groups)

    def sample(self, most: int = 100) -> Iterator[Action]:
        for group in self._groups:
            yield from group.sample(most) if isinstance(group, LazyActions) else group


def offers(state: State, decision: Decision) -> Sequence[Action]:
    """Every legal answer to an open decision, in a stable order."""
    groups, ends = _groups(state, decision)
    return Choices(groups, ends)


def pick(state: State, decision: Decision, fraction: float) -> Action:
    """The legal answer that lies so far along all of them, from 0 to below 1: what `offers` has there."""
    groups, ends = _groups(state, decision)
    index = int(fraction * ends[-1])
    which = bisect_right(ends, index)
    return groups[which][index - ends[which - 1] if which else index]


def _groups(state: State, decision: Decision) -> tuple[list[Sequence[Action]], list[int]]:
    """What the rules of a decision offer, rule by rule, and how many actions these are with all before them."""
    groups: list[Sequence[Action]] = []
    ends: list[int] = []
    size = 0
    for offered in state.rules.offers_on[type(decision)]:
        group = offered(state, decision)
        count = len(group)
        if count:
            size += count
            groups.append(group)
            ends.append(size)
    if not size:
        if type(decision) is not Turn:
            raise PluginError(f"{type(decision).__name__} leaves seat {decision.seat} without any legal answer")
        return [(Pass(decision.seat),)], [1]  # R4
    return groups, ends


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Every legal action of `seat`, in a stable order; none if it is not asked."""
    for decision in state.pending:
        if decision.seat == seat:
            return offers(state, decision)
    return ()


def refusal(state: State, action: Action) -> Refusal | None:
    """None if `action` is legal now, else which rule refuses it and why.

    An action of a seat that is not asked is refused by S5, any action after the end by E1, an action that does
    not answer what is asked by S8.
    """
    if not state.pending:
        return Refusal("E1", "the game is over")
    decision = state.decision(action.seat) if type(action.seat) is int else None
    if decision is None:
        asked = " and ".join(f"seat {d.seat} is asked ({type(d).__name__})" for d in state.pending)
        return Refusal("S5", f"{asked}, not seat {brief(action.seat)}")
    rule = state.rules.answers[type(decision)].get(type(action))
    if rule is not None:
        return rule.refusal(state, decision, action)
    if type(action) is Pass and type(decision) is Turn:
        others = offers(state, decision)
        if type(others[0]) is Pass:
            return None
        return Refusal(
            "R4", f"passing is legal only when nothing else is, and seat {action.seat} has {len(others)} other actions"
        )
    return Refusal(
        "S8", f"{type(action).__name__} is no answer to what seat {decision.seat} is asked ({type(decision).__name__})"
    )


def advance(state: State, action: Action, log: list[Event] | None = None) -> None:
    """Play a legal action on `state` itself; the events go to `log` if there is one. Nothing is checked."""
    seat = action.seat
    for decision in state.pending:
        if decision.seat == seat:
            break
    else:
        raise AssertionError("advance() takes legal actions only")
    perform(Transaction(state, log), decision, action)


def perform(tx: Transaction, decision: Decision, action: Action) -> None:
    """Let a legal answer to an open decision happen."""
    rule = tx.rules.answers[type(decision)].get(type(action))
    if rule is None:
        from ttr_rules.kernel.turn import end_turn

        end_turn(tx, action.seat, passed=True)
    else:
        rule.perform(tx, decision, action)


@frozen
class Played:
    """What playing an action on a state gave: the state after it, and what happened."""

    state: State
    events: tuple[Event, ...]


def play(state: State, action: Action) -> Played:
    """Play an action on a copy of a state. Raises `IllegalActionError` if the rules refuse it."""
    checked(state, action, strange_action(state, action))
    after = state.copy()
    log: list[Event] = []
    advance(after, action, log)
    return Played(after, tuple(log))


def checked(state: State, action: Action, strange: Refusal | None = None) -> None:
    """Raise the error for an illegal action; see `refusal`. One that is `strange` is refused for that."""
    refused = strange or refusal(state, action)
    if refused is None:
        return
    kind = {"E1": GameOverError, "S5": NotYourTurnError}.get(refused.rule, IllegalActionError)
    raise kind(action, refused)


def fold(state: State, events: Sequence[Event]) -> None:
    """Let events that happened once happen to `state`."""
    for event in events:
        event.apply(state)
