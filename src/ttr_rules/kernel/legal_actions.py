"""Legal actions as a sequence: made as they are read, of the state as it was when they were asked for."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, cast

from attrs import evolve

from ttr_rules.kernel.action_rule import ActionRule, NumberedRule
from ttr_rules.kernel.answers import Answers
from ttr_rules.kernel.lazy_actions import LazyActions, sampled
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, Decision, Pass

#: The codes of more actions of one rule than this are not listed.
MOST_CODES = 1000
#: Rules that do not override it have indices into what they offer for codes.
BY_INDEX: object = vars(ActionRule)["action_of"]


class Moment:
    """The state at one moment. When the game is about to move on, `leave` says how to get that state again."""

    __slots__ = ("_again", "_state")

    def __init__(self, state: State) -> None:
        self._state: State | None = state
        self._again: Callable[[], State] | None = None

    def leave(self, again: Callable[[], State]) -> None:
        """Forget the state, which is about to change."""
        if self._again is None:
            self._state, self._again = None, again

    def state(self) -> State:
        """The state at that moment."""
        if self._state is None and self._again is not None:
            self._state = self._again()
        assert self._state is not None
        return self._state


def sealed(thing: Any) -> Any:
    """A function that gives a list with a thing: what players are given holds it, and no reference to the game."""
    return [thing].copy


class RuleActions(LazyActions[Any]):
    """What one rule offers at one moment: the actions of its codes, made as they are read."""

    __slots__ = ("_decision", "_source")

    def __init__(self, rule: ActionRule[Any, Any], moment: Moment, decision: Decision, size: int) -> None:
        self._size = size
        self._source = sealed((rule, moment))
        self._decision = decision

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)

    @property
    def _rule(self) -> Any:
        return self._source()[0][0]

    @property
    def _state(self) -> State:
        moment: Moment = self._source()[0][1]
        return moment.state()

    def nth(self, index: int) -> Any:
        rule, state, seat = self._rule, self._state, self._decision.seat
        return rule.action_of(state, seat, rule.nth(state, seat, index))

    def __iter__(self) -> Iterator[Any]:
        if self._size > MOST_CODES:  # too many to list their codes
            yield from map(self.nth, range(self._size))
            return
        rule, state, seat = self._rule, self._state, self._decision.seat
        for code in rule.codes(state, seat):
            yield rule.action_of(state, seat, code)

    def sample(self, most: int = 100) -> Iterator[Any]:
        """The first ways to pay for everything, where payments are known."""
        things = self.purchases()
        if things is None:
            yield from super().sample(most)
            return
        for action, payments in things:
            for payment in payments[:most]:
                yield evolve(action, payment=payment)

    def __contains__(self, action: object) -> bool:
        if type(action) is not self._rule.action or getattr(action, "seat", None) != self._decision.seat:
            return False
        try:
            return self._rule.refusal(self._state, self._decision, action) is None
        except TypeError:  # a field that cannot be hashed
            return False

    def purchases(self, things: Container[Any] | None = None) -> Iterable[tuple[Any, Sequence[Counts]]] | None:
        made: Callable[..., Any] | None = getattr(self._rule, "purchases", None)
        return None if made is None else made(self._state, self._decision.seat, things)


class LegalActions(LazyActions[Action]):
    """All legal actions of a seat at one moment. `picked` is the action read last: it need not be checked to be played.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    >>> actions = game.legal_actions()
    >>> type(actions).__name__, actions[0], ttr.DrawTickets(0) in actions
    ('LegalActions', DrawBlind(seat=0), True)
    """

    __slots__ = ("_counts", "_decision", "_offered", "_source", "picked")

    def __init__(self, answers: Answers, state: State, decision: Decision, moment: Moment) -> None:
        self._source = sealed((answers, moment))
        self._decision = decision
        self._counts = answers.counts(state, decision.seat)
        self._offered: dict[int, Sequence[Any]] = {}  # of rules whose codes are indices into what they offer
        self._size = sum(self._counts)
        self.picked: Action | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (list(self),)

    def nth(self, index: int) -> Action:
        decision = self._decision
        answers, moment = self._source()[0]
        which, inside = answers.place(self._counts, index)
        action: Action = Pass(decision.seat)
        if which >= 0:
            rule: ActionRule[Any, Any] = answers.rules[which]
            offered = self._offered.get(which)
            if offered is None and type(rule).action_of is BY_INDEX:
                offered = self._offered[which] = rule.offers(moment.state(), decision)
            if offered is not None:
                action = offered[inside]
            else:
                state = moment.state()
                action = rule.action_of(state, decision.seat, rule.nth(state, decision.seat, inside))
        self.picked = action
        return action

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and 0 <= index < self._size:
            return self.nth(index)
        return super().__getitem__(index)

    @property
    def groups(self) -> list[Sequence[Any]]:
        """What each rule offers: at least one action, all of one type."""
        decision, counts = self._decision, self._counts
        answers, moment = self._source()[0]
        rules: list[ActionRule[Any, Any]] = answers.rules
        found: list[Sequence[Any]] = [
            RuleActions(rule, moment, decision, count)
            if isinstance(rule, NumberedRule)
            else rule.offers(moment.state(), decision)
            for rule, count in zip(rules, counts[:-1], strict=True)
            if count
        ]
        if counts[-1]:
            found.insert(0, (Pass(decision.seat),))
        return found

    def __iter__(self) -> Iterator[Action]:
        for group in self.groups:
            yield from group

    def __contains__(self, action: object) -> bool:
        return any(action in group for group in self.groups)

    def sample(self, most: int = 100) -> Iterator[Action]:
        for group in self.groups:
            yield from sampled(group, most)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LegalActions) and (self._decision, self._counts) == (other._decision, other._counts):
            mine, theirs = self._source()[0][1], other._source()[0][1]
            if mine is theirs or mine.state() == theirs.state():
                return True  # fast: creates no action
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return super().__eq__(cast("object", other))

    __hash__ = None  # type: ignore[assignment]
