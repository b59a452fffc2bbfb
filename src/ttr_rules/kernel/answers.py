"""Legal actions, one path for all: what answers a decision is counted, picked, listed, performed and read by number.

A number means the same action in every game of a stack, whatever the seat: 0 is passing where nothing else is legal
(R4), and each rule has the numbers from its `first` on. Rules whose actions cannot be numbered once and for all have
numbers from `size` on, which hold for one position only.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from attrs import evolve

from ttr_rules._internal.native import i64
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import ActionRule, NumberedRule
from ttr_rules.kernel.lazy_actions import LazyActions, sampled
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import answered, asked, end_turn, follow_up
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, Decision, Pass, Question, ToDo, Turn

PASS = 0
#: What plugins do about actions of a type: say why one may not be taken now, ask something before it, by the name of the
#: plugin, and follow it.
Refuse = Callable[[State, Any], Refusal | None]
Before = tuple[str, Callable[[Transaction, Any], Question | None]]
Follow = Callable[[Transaction, Any], None]


class GuardedRule(ActionRule[Any, Any]):
    """A rule whose actions are restricted by guards."""

    def __init__(self, rule: ActionRule[Any, Any], guards: Sequence[Refuse]) -> None:
        self.rule: Any = rule
        self.guards = guards

    def __repr__(self) -> str:
        return f"{self.rule!r}, guarded"

    def bind(self, rules: Any) -> None:
        self.rule.bind(rules)

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        return [
            code
            for code in self.rule.codes(state, seat)
            if not any(refuse(state, self.rule.action_of(state, seat, code)) for refuse in self.guards)
        ]

    def offers(self, state: State, decision: Any) -> Sequence[Any]:
        seat = decision.seat
        return [self.rule.action_of(state, seat, code) for code in self.codes(state, seat)]

    def count(self, state: State, seat: i64) -> i64:
        return len(self.codes(state, seat))

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        return self.codes(state, seat)[index]

    def perform(self, tx: Transaction, decision: Any, action: Any) -> Any:
        return self.rule.perform(tx, decision, action)

    def number_of_codes(self, rules: Any) -> int | None:
        found: int | None = self.rule.number_of_codes(rules)
        return found

    def action_of(self, state: State, seat: i64, code: i64) -> Any:
        return self.rule.action_of(state, seat, code)

    def code_of(self, state: State, seat: i64, action: Any) -> i64:
        found: i64 = self.rule.code_of(state, seat, action)
        return found

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> Any:
        return self.rule.perform_code(tx, seat, code)


def may_ask(rule: ActionRule[Any, Any]) -> bool:
    """Whether a rule may return a question, or leave it to the library to go on: those of the library do neither."""
    kind: type[Any] = type(rule)
    return not kind.__module__.startswith("ttr_rules.")


class Answers:
    """Action rules of one type of decision, those of free actions from `main` on.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    >>> answers = game.rules.answers[ttr.Turn]
    >>> sum(answers.counts(game.state, 0)) == len(game.legal_actions())
    True
    """

    __slots__ = (
        "asking",
        "by_action",
        "earlier",
        "firsts",
        "follow_ups",
        "free",
        "guards",
        "main",
        "more",
        "passes",
        "places",
        "rules",
        "steps",
    )  # fmt: skip

    def __init__(
        self,
        kind: type[Decision],
        by_action: Mapping[type[Action], ActionRule[Any, Any]],
        guards: Mapping[type[Action], tuple[Refuse, ...]],
        earlier: Mapping[type[Action], tuple[Before, ...]],
        follow_ups: Mapping[type[Action], tuple[Follow, ...]],
    ) -> None:
        ordered = sorted(by_action.values(), key=lambda rule: rule.free)
        #: The rules by the type of their action, without guards; the conditions on actions.
        self.by_action = by_action
        self.guards = guards
        self.places: dict[type[Action], int] = {rule.action: which for which, rule in enumerate(ordered)}
        self.main: i64 = len([rule for rule in ordered if not rule.free])
        self.earlier: list[tuple[Any, ...]] = [earlier.get(rule.action, ()) for rule in ordered]
        self.follow_ups: list[tuple[Any, ...]] = [follow_ups.get(rule.action, ()) for rule in ordered]
        #: Of each rule: whether it may return a question, as those of plugins do; whether anything comes before or after it.
        self.asking: list[bool] = [may_ask(rule) for rule in ordered]
        self.more: list[bool] = [
            asking or bool(before) or bool(following)
            for asking, before, following in zip(self.asking, self.earlier, self.follow_ups, strict=True)
        ]
        self.free = self.main < len(ordered)
        self.rules: list[ActionRule[Any, Any]] = [
            GuardedRule(rule, guards[rule.action]) if rule.action in guards else rule for rule in ordered
        ]
        self.passes = kind is Turn
        self.firsts: list[int] = []  # of each rule: the number of its code 0, and the step to that of the next code
        self.steps: list[int] = []

    # -- counting --------------------------------------------------------------------------------------------

    def must_pass(self, state: State, seat: i64) -> bool:
        """For a seat without any action but free ones: it passes (R4). Raises `PluginError` if it cannot."""
        if not self.passes:
            raise PluginError(f"{type(state.asked_of(seat)).__name__} leaves seat {seat} without any legal answer")
        return True

    def counts(self, state: State, seat: i64) -> list[int]:
        """The number of legal actions of each rule, then 1 if the seat must pass, else 0."""
        found: list[int] = []
        busy = False
        for rule in self.rules:
            here = rule.count(state, seat)
            if here and len(found) < self.main:
                busy = True
            found.append(here)
        found.append(0 if busy else int(self.must_pass(state, seat)))
        return found

    def place(self, counts: list[int], index: i64) -> tuple[i64, i64]:
        """The rule of the action with this index, -1 for passing, and its index there: passing comes before free actions."""
        which: i64 = 0
        while which < len(self.rules):
            if which == self.main and counts[len(self.rules)]:
                if index == 0:
                    return -1, 0
                index -= 1
            here: i64 = counts[which]
            if index < here:
                return which, index
            index -= here
            which += 1
        if index == 0 and self.main == len(self.rules) and counts[len(self.rules)]:
            return -1, 0
        raise IndexError("no such legal action")

    def number_at(self, state: State, seat: i64, counts: list[int], index: i64) -> i64:
        """The number of a legal action, by its index."""
        which, inside = self.place(counts, index)
        if which < 0:
            return PASS
        return self.firsts[which] + self.steps[which] * self.rules[which].nth(state, seat, inside)

    def numbers(self, state: State, seat: i64) -> list[int]:
        """The numbers of all legal actions, in order."""
        found: list[int] = []
        for which, rule in enumerate(self.rules):
            if which == self.main and not found:
                self.must_pass(state, seat)
                found.append(PASS)
            first, step = self.firsts[which], self.steps[which]
            found += [first + step * code for code in rule.codes(state, seat)]
        if not found:
            self.must_pass(state, seat)
            found.append(PASS)
        return found

    # -- performing ------------------------------------------------------------------------------------------

    def step(self, tx: Transaction, seat: i64, fraction: float) -> None:
        """Perform the legal action at a fraction, from 0 to below 1, of the way through all of them."""
        state = tx.state
        counted = state.scratch
        total: i64 = 0
        which: i64 = 0
        for rule in self.rules:
            here = rule.count(state, seat)
            counted[which] = here
            total += here
            which += 1
        if total == 0 or self.free:
            self._step_with_pass(tx, seat, fraction)
            return
        whole: int = total
        index: i64 = int(fraction * whole)
        which = 0
        here = counted[0]
        while index >= here:
            index -= here
            which += 1
            here = counted[which]
        rule = self.rules[which]
        if self.more[which]:
            self.perform(tx, seat, which, rule.nth(state, seat, index))
        else:
            rule.perform_code(tx, seat, rule.nth(state, seat, index))

    def _step_with_pass(self, tx: Transaction, seat: i64, fraction: float) -> None:
        """As `step`, where the seat may have to pass."""
        counts = self.counts(tx.state, seat)
        which, index = self.place(counts, int(fraction * sum(counts)))
        if which < 0:
            end_turn(tx, seat, passed=True)
        else:
            self.perform(tx, seat, which, self.rules[which].nth(tx.state, seat, index))

    def perform(self, tx: Transaction, seat: i64, which: i64, code: i64) -> None:
        """Perform the action that a code of one of the rules stands for. It is made only where others do something about it."""
        rule: Any = self.rules[which]
        if not self.more[which]:
            rule.perform_code(tx, seat, code)
            return
        decision = tx.state.asked_of(seat)
        if self.earlier[which] or self.follow_ups[which]:
            self.perform_action(tx, decision, rule.action_of(tx.state, seat, code))
        else:
            answered(tx, decision, rule.free, rule.perform_code(tx, seat, code))

    def allows(self, state: State, decision: Any, action: Any) -> bool:
        """True if an answer to a decision is legal."""
        kind: type[Any] = type(cast("object", action))
        rule: Any = self.by_action[kind]
        refused = rule.refusal(state, decision, action) is not None
        return not refused and not any(refuse(state, action) for refuse in self.guards.get(kind, ()))

    def perform_action(self, tx: Transaction, decision: Any, action: Any, before: int = 0) -> None:
        """Perform a legal answer, given as an action: with what comes before it, from the question of this number on."""
        kind: type[Any] = type(cast("object", action))
        tx.performing = kind
        which = self.places.get(kind, -1)
        if which < 0:
            end_turn(tx, action.seat, passed=True)
            return
        rule: Any = self.rules[which]
        pending = tx.state.pending
        for number, (plugin, ask) in enumerate(self.earlier[which]):
            then = ToDo("before", plugin, action.seat, str(number + 1), pending, action)
            if number >= before and asked(tx, ask(tx, action), then):
                return
        tx.following = tuple([(each, action) for each in self.follow_ups[which]])
        question = rule.perform(tx, decision, action)
        if self.asking[which]:
            answered(tx, decision, rule.free, question)
        follow_up(tx)


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
    """The actions that one rule offers at one moment, made from its codes as they are read.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    >>> blind, face_up, *others = game.legal_actions(0).groups
    >>> type(face_up).__name__, len(face_up), face_up[0]
    ('RuleActions', 4, DrawFaceUp(seat=0, card='purple'))
    """

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
        """Offer of each rule that has one: at least one action, all of one type."""
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
