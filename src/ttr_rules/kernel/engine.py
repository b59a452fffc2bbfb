"""The engine: legal actions, refusals, and playing an action, all by looking up the rules of the pending decision."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from attrs import frozen

from ttr_rules._internal.messages import brief
from ttr_rules.errors import GameOverError, IllegalActionError, NotYourTurnError, PluginError, Refusal
from ttr_rules.kernel.action_rule import LazyActions
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.state import State
from ttr_rules.kernel.tables import tables_of
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.model.actions import Action, Pass
from ttr_rules.model.decisions import Decision, Turn


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
    for offered in tables_of(state).offers_on[type(decision)]:
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
    rule = tables_of(state).answers[type(decision)].get(type(action))
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
    rule = tables_of(tx.state).answers[type(decision)].get(type(action))
    if rule is None:
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
    checked(state, action)
    after = state.copy()
    log: list[Event] = []
    advance(after, action, log)
    return Played(after, tuple(log))


def checked(state: State, action: Action) -> None:
    """Raise the error for an illegal action; see `refusal`."""
    refused = refusal(state, action)
    if refused is None:
        return
    kind = {"E1": GameOverError, "S5": NotYourTurnError}.get(refused.rule, IllegalActionError)
    raise kind(action, refused)
