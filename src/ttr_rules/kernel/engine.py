"""The engine: legal actions, refusals, and playing an action, all by looking up the rules of the pending decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ttr_rules.errors import (
    GameOverError,
    IllegalActionError,
    InvalidInputError,
    NotYourTurnError,
    Refusal,
)
from ttr_rules.kernel.answers import Answers, LegalActions, Moment
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.played import Played
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Message, Seat, Verbatim, join_and
from ttr_rules.model.decisions import Action, Decision, Pass, Turn
from ttr_rules.text import brief


def offers(state: State, decision: Decision) -> LegalActions:
    """Every legal answer to a pending decision, in a stable order."""
    copied = state.copy()
    return LegalActions(answers_of(state, decision), copied, decision, Moment(copied))


def answers_of(state: State, decision: Decision) -> Answers:
    """What answers a decision."""
    return state.rules.answers[type(decision)]


def _first_offered(state: State, decision: Decision) -> Action | None:
    """The first legal answer that a rule of the decision offers; later rules are not called."""
    answers = answers_of(state, decision)
    for rule in answers.rules[: answers.main]:
        if rule.count(state, decision.seat):
            first: Action = rule.action_of(state, decision.seat, rule.nth(state, decision.seat, 0))
            return first
    return None


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Every legal action of `seat`, in a stable order; none if it has no pending decision.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> len(legal_actions(state, 0)), legal_actions(state, 0)[0]
    (11, KeepTickets(seat=0, tickets=('london-wien', 'palermo-moskva')))
    """
    for decision in state.pending:
        if decision.seat == seat:
            return offers(state, decision)
    return ()


def refusal(state: State, action: Action) -> Refusal | None:
    """None if `action` is legal now, else which rule refuses it and why.

    An action of a seat without a pending decision is refused by S5, any action after the end by E1, an action that does
    not answer the pending decision by S8.
    """
    if not state.pending:
        return Refusal("E1", "the game is over")
    given: Any = action  # of which the seat may be anything
    seat = given.seat
    decision = state.decision(seat) if type(seat) is int else None
    if decision is None:
        template = "{seat} has to decide ({decision})"
        asked = join_and(Message(template, seat=Seat(each.seat), decision=_name(each)) for each in state.pending)
        return Refusal("S5", Message("{asked}, not seat {other}", asked=asked, other=Verbatim(brief(seat))))
    answers = answers_of(state, decision)
    rule = answers.by_action.get(type(action))
    if rule is not None:
        refused = rule.refusal(state, decision, action)
        for refuse in answers.guards.get(type(action), ()):
            refused = refused or refuse(state, action)
        if refused and type(action) is Pass and type(decision) is Turn and _first_offered(state, decision) is None:
            return None  # R4: no guard may refuse a pass to a seat that can do nothing else
        return refused
    if type(action) is Pass and type(decision) is Turn:
        other = _first_offered(state, decision)
        if other is None:
            return None
        template = "passing is legal only when nothing else is; {action} is legal for {seat}"
        return Refusal("R4", Message(template, action=_name(other), seat=Seat(action.seat)))
    template = "{action} does not answer what {seat} has to decide ({decision})"
    return Refusal("S8", Message(template, action=_name(action), seat=Seat(decision.seat), decision=_name(decision)))


def _name(thing: Action | Decision) -> Verbatim:
    return Verbatim(type(thing).__name__)


def an_action(action: Any) -> Action:
    """The action that a caller gave; raises `InvalidInputError` for anything else."""
    if not isinstance(action, Action):
        raise InvalidInputError(f"expected an action, such as DrawBlind(seat=0), got {brief(action)}")
    return action


def advance(state: State, action: Action, log: list[Any] | None = None, later: bool = False) -> None:
    """Play a legal action on `state` in place; events are appended to `log` if given. Nothing is checked.

    With `later` only their types and fields are noted.
    """
    perform(Transaction(state, log, later), state.asked_of(action.seat), action)


def perform(tx: Transaction, decision: Decision, action: Action) -> None:
    """Perform a legal answer to a pending decision."""
    answers_of(tx.state, decision).perform_action(tx, decision, action)


def play_on(tx: Transaction, random: Callable[[], float]) -> None:
    """Play uniformly random legal actions to the end of the game. At set-up, seats choose in order."""
    state = tx.state
    all_answers = state.rules.answer_list
    while state.actor >= 0:
        answers: Answers = all_answers[state.asked]
        answers.step(tx, state.actor, random())


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
