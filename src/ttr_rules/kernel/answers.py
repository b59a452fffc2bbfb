"""Legal actions, one path for all: what answers a decision is counted, picked, listed, refused and performed.

A number means the same action in every game of a stack, whatever the seat: 0 is passing where nothing else is legal
(R4), and each rule has the numbers from its `first` on. Rules whose actions cannot be numbered once and for all have
numbers from `size` on, which hold for one position only.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from attrs import evolve

from ttr_rules._internal.frozen import LazySequence, spread
from ttr_rules._internal.native import i64
from ttr_rules.errors import (
    GameOverError,
    IllegalActionError,
    InvalidInputError,
    NotYourTurnError,
    PluginError,
    Refusal,
)
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.events import fold
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import answered, asked, end_turn, follow_up
from ttr_rules.language import Message, Seat, Verbatim, join_and
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, Decision, Pass, Question, ToDo, Turn
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules
    from ttr_rules.model.chance import Chance, SeededChance

PASS = 0
#: Plugins' answers to actions of a type: a reason against one now, a question before it, by the name of the
#: plugin, and a follow-up.
Refuse = Callable[[State, Any], Refusal | None]
Before = tuple[str, Callable[[Transaction, Any], Question | None]]
Follow = Callable[[Transaction, Any], None]
#: The codes of more actions of one rule than this are not listed.
MOST_CODES = 1000
#: Rules that do not override it have indices into what they offer for codes.
BY_INDEX: object = vars(ActionRule)["action_of"]
#: A native class cannot derive from it, but reads slices, compares and is shown in the same way.
SHOWN_AS: Any = LazySequence
#: The size of a sample of actions that are not grouped by what they pay for.
SAMPLED = 5000


def may_ask(rule: ActionRule[Any, Any]) -> bool:
    """True if a rule may return a question, or leave it to the library to go on: those of the library do neither."""
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

    def __init__(
        self,
        kind: type[Decision],
        by_action: Mapping[type[Action], ActionRule[Any, Any]],
        guards: Mapping[type[Action], tuple[Refuse, ...]],
        earlier: Mapping[type[Action], tuple[Before, ...]],
        follow_ups: Mapping[type[Action], tuple[Follow, ...]],
    ) -> None:
        self.rules: list[ActionRule[Any, Any]] = sorted(by_action.values(), key=lambda rule: rule.free)
        self.by_action = by_action
        self.places: dict[type[Action], int] = {rule.action: which for which, rule in enumerate(self.rules)}
        self.main: i64 = len([rule for rule in self.rules if not rule.free])
        #: Of each rule: what may refuse its actions, what comes before and after them.
        self.guards: list[tuple[Any, ...]] = [guards.get(rule.action, ()) for rule in self.rules]
        self.earlier: list[tuple[Any, ...]] = [earlier.get(rule.action, ()) for rule in self.rules]
        self.follow_ups: list[tuple[Any, ...]] = [follow_ups.get(rule.action, ()) for rule in self.rules]
        #: Of each rule: whether it may return a question, as those of plugins do; whether its actions need more than its code.
        self.asking: list[bool] = [may_ask(rule) for rule in self.rules]
        self.more: list[bool] = [
            asking or bool(before) or bool(following)
            for asking, before, following in zip(self.asking, self.earlier, self.follow_ups, strict=True)
        ]
        self.by_index: list[bool] = [type(rule).action_of is BY_INDEX for rule in self.rules]
        self.plain = self.main == len(self.rules) and not any(self.guards)
        self.passes = kind is Turn
        self.firsts: list[int] = []  # of each rule: the number of its code 0, and the step to that of the next code
        self.steps: list[int] = []

    # -- counting --------------------------------------------------------------------------------------------

    def must_pass(self, state: State, seat: i64) -> i64:
        """1, for a seat without any action but free ones: it passes (R4). Raises `PluginError` if it cannot."""
        if not self.passes:
            raise PluginError(f"{type(state.asked_of(seat)).__name__} leaves seat {seat} without any legal answer")
        return 1

    def codes(self, state: State, seat: i64, which: i64) -> Sequence[int]:
        """The codes of the legal actions of a rule."""
        rule: Any = self.rules[which]
        codes: Sequence[int] = rule.codes(state, seat)
        guards: tuple[Any, ...] = self.guards[which]
        if not guards:
            return codes
        return [
            code for code in codes if all(refuse(state, rule.action_of(state, seat, code)) is None for refuse in guards)
        ]

    def count(self, state: State, seat: i64, which: i64) -> i64:
        """The number of legal actions of a rule."""
        if self.guards[which]:
            return len(self.codes(state, seat, which))
        return self.rules[which].count(state, seat)

    def nth(self, state: State, seat: i64, which: i64, index: i64) -> i64:
        """The code of a legal action of a rule, by its index there."""
        if self.guards[which]:
            return self.codes(state, seat, which)[index]
        return self.rules[which].nth(state, seat, index)

    def counts(self, state: State, seat: i64) -> list[int]:
        """The number of legal actions of each rule, then 1 if the seat must pass, else 0."""
        counts: list[int] = []
        busy = False
        if self.plain:
            for rule in self.rules:
                here = rule.count(state, seat)
                if here:
                    busy = True
                counts.append(here)
        else:
            counts += [self.count(state, seat, which) for which in range(len(self.rules))]
            busy = any(counts[: self.main])
        counts.append(0 if busy else self.must_pass(state, seat))
        return counts

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
        return self.firsts[which] + self.steps[which] * self.nth(state, seat, which, inside)

    def numbers(self, state: State, seat: i64) -> list[int]:
        """The numbers of all legal actions, in order."""
        numbers: list[int] = []
        which: i64 = 0
        while which <= len(self.rules):
            if which == self.main and not numbers:
                self.must_pass(state, seat)
                numbers.append(PASS)
            if which < len(self.rules):
                first, step = self.firsts[which], self.steps[which]
                numbers += [first + step * code for code in self.codes(state, seat, which)]
            which += 1
        return numbers

    # -- performing ------------------------------------------------------------------------------------------

    def step(self, tx: Transaction, seat: i64, fraction: float, counts: list[int]) -> None:
        """Perform the legal action at a fraction, from 0 to below 1, of the way through all of them.

        `counts` is room for a number for each rule.
        """
        state = tx.state
        total: i64 = 0
        which: i64 = 0
        if self.plain:
            for rule in self.rules:
                here = rule.count(state, seat)
                counts[which] = here
                total += here
                which += 1
        if total == 0:  # a seat that must pass, or rules with free actions or guards
            counts = self.counts(state, seat)
            which, index = self.place(counts, int(fraction * sum(counts)))
            if which < 0:
                end_turn(tx, seat, passed=True)
            else:
                self.perform(tx, seat, which, self.nth(state, seat, which, index))
            return
        whole: int = total
        index = int(fraction * whole)
        which = 0
        here = counts[0]
        while index >= here:
            index -= here
            which += 1
            here = counts[which]
        rule = self.rules[which]
        if self.more[which]:
            self.perform(tx, seat, which, rule.nth(state, seat, index))
        else:
            rule.perform_code(tx, seat, rule.nth(state, seat, index))

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

    def perform_picked(self, tx: Transaction, action: Any, which: i64, code: i64) -> None:
        """Perform an action that was read from the legal ones: by its code, where nothing else is known about it."""
        if which < 0 or self.more[which]:
            self.perform_action(tx, tx.state.asked_of(action.seat), action)
        else:
            tx.performing = type(action)
            self.rules[which].perform_code(tx, action.seat, code)

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

    # -- refusing --------------------------------------------------------------------------------------------

    def allows(self, state: State, decision: Any, action: Any) -> bool:
        """True if an answer to a decision is legal."""
        return self.refused(state, decision, action) is None

    def refused(self, state: State, decision: Any, action: Any) -> Refusal | None:
        """Why an action of one of the rules is refused; None if it is legal."""
        kind: type[Any] = type(cast("object", action))
        rule: Any = self.by_action[kind]
        refusal: Refusal | None = rule.refusal(state, decision, action)
        for refuse in self.guards[self.places[kind]]:
            refusal = refusal or refuse(state, action)
        return refusal


def answers_to(state: State, seat: i64) -> Answers | None:
    """The answers to the pending decision of a seat; None if it has none."""
    if seat == state.actor and state.asked >= 0:
        return state.rules.answer_list[state.asked]
    decision = state.decision(seat)
    return None if decision is None else state.rules.answers[type(decision)]


def refusal(state: State, action: Action) -> Refusal | None:
    """None if `action` is legal now, else which rule refuses it and why.

    An action of a seat without a pending decision is refused by S5, any action after the end by E1, an action that does
    not answer the pending decision by S8.
    """
    if not state.pending:
        return Refusal("E1", "the game is over")
    unchecked: Any = action  # its seat may be anything
    seat = unchecked.seat
    decision = state.decision(seat) if type(seat) is int else None
    if decision is None:
        template = "{seat} has to decide ({decision})"
        asked = join_and(Message(template, seat=Seat(each.seat), decision=_name(each)) for each in state.pending)
        return Refusal("S5", Message("{asked}, not seat {other}", asked=asked, other=Verbatim(brief(seat))))
    answers: Answers = state.rules.answers[type(decision)]
    passing = type(action) is Pass and type(decision) is Turn
    if type(action) in answers.by_action:
        refused = answers.refused(state, decision, action)
        if refused and passing and _first_offered(answers, state, seat) is None:
            return None  # R4: no guard may refuse a pass to a seat that can do nothing else
        return refused
    if passing:
        other = _first_offered(answers, state, seat)
        if other is None:
            return None
        template = "passing is legal only when nothing else is; {action} is legal for {seat}"
        return Refusal("R4", Message(template, action=_name(other), seat=Seat(action.seat)))
    template = "{action} does not answer what {seat} has to decide ({decision})"
    return Refusal("S8", Message(template, action=_name(action), seat=Seat(decision.seat), decision=_name(decision)))


def _first_offered(answers: Answers, state: State, seat: i64) -> Action | None:
    """The first legal answer that a rule offers; later rules are not called."""
    which: i64 = 0
    while which < answers.main:
        if answers.count(state, seat, which):
            rule = answers.rules[which]
            first: Action = rule.action_of(state, seat, answers.nth(state, seat, which, 0))
            return first
        which += 1
    return None


def _name(thing: Action | Decision) -> Verbatim:
    return Verbatim(type(thing).__name__)


def an_action(action: Any) -> Action:
    """The action that a caller gave; raises `InvalidInputError` for anything else."""
    if not isinstance(action, Action):
        raise InvalidInputError(f"expected an action, such as DrawBlind(seat=0), got {brief(action)}")
    return action


def checked(state: State, action: Action) -> None:
    """Raise the error for an illegal action; see `refusal`."""
    refused = refusal(state, action)
    if refused is None:
        return
    kind = {"E1": GameOverError, "S5": NotYourTurnError}.get(refused.rule, IllegalActionError)
    raise kind(action, refused)


def advance(state: State, action: Action, log: list[Any] | None = None) -> None:
    """Play a legal action on `state` in place; events are appended to `log` if given. Nothing is checked."""
    perform(Transaction(state, log), action)


def perform(tx: Transaction, action: Action) -> None:
    """Perform a legal action."""
    decision = tx.state.asked_of(action.seat)
    answers: Answers = tx.state.rules.answers[type(decision)]
    answers.perform_action(tx, decision, action)


def play_on(tx: Transaction, random: Callable[[], float]) -> None:
    """Play uniformly random legal actions to the end of the game. At set-up, seats choose in order."""
    state = tx.state
    all_answers = state.rules.answer_list
    counts = [0] * state.rules.most_rules
    while state.actor >= 0:
        answers: Answers = all_answers[state.asked]
        answers.step(tx, state.actor, random(), counts)


# -- legal actions as a sequence -----------------------------------------------------------------------------


def replayed(rules: Rules, players: int, chance: SeededChance | Chance, moves: Sequence[Any]) -> State:
    """The state after these moves: rebuilt by folding their events, without applying the rules again."""
    state = State(rules, players, chance)
    for move in moves:
        fold(state, move.events)
    state.chance_calls = moves[-1].chance_calls
    return state


class Moment:
    """The state at one moment, and the action that was read last from the legal actions there.

    When a game moves on, it sets `current` to None: then the state is made again from the first `number` of its `moves`.
    """

    __slots__ = ("answers", "changes", "code", "current", "moves", "number", "picked", "source", "which")
    #: Where the action that was read last belongs: to one of the rules that answer a decision, and its code there.
    answers: Answers
    which: i64
    code: i64

    def __init__(self, state: State, moves: list[Any], changes: i64) -> None:
        self.source = state
        self.current: State | None = state
        self.moves = moves
        self.number: i64 = len(moves)
        self.changes: i64 = changes  # how often the game had begun or ended a change
        self.picked: Any = None

    def state(self) -> State:
        """The state at that moment."""
        state = self.current
        if state is None:
            source = self.source
            state = replayed(source.rules, source.players, source.chance, self.moves[: self.number])
            self.current = state
        return state


class LegalActions:  # noqa: PLW1641 (it is not hashable)
    """The legal actions of a seat at one moment, made as they are read: a read-only sequence.

    It is equal to any sequence of the same actions. Counting them and picking one is cheap however many there are.
    Whoever plays the very action that was read last need not have it checked. Like a list, it is not hashable.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    >>> actions = game.legal_actions()
    >>> type(actions).__name__, actions[0], ttr.DrawTickets(0) in actions
    ('LegalActions', DrawBlind(seat=0), True)
    >>> blind, face_up, *others = actions.groups
    >>> len(face_up), face_up[0]
    (4, DrawFaceUp(seat=0, card='purple'))
    """

    __slots__ = ("_counts", "_offered", "_seal", "_seat", "_size")

    def __init__(self, moment: Moment, seat: i64, answers: Answers, counts: list[int]) -> None:
        # A built-in method that gives a list with both: no reference leads from here to the game, or to its rules.
        self._seal: Any = [moment, answers].copy
        self._seat: i64 = seat
        self._counts = counts
        self._offered: dict[int, Sequence[Any]] | None = None  # of rules whose codes are indices into what they offer
        self._size: i64 = sum(counts)

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (list(self),)

    def _moment(self) -> Moment:
        moment: Moment = self._seal()[0]
        return moment

    def _answers(self) -> Answers:
        answers: Answers = self._seal()[1]
        return answers

    def _listed(self, rule: Any, which: i64, state: State) -> Sequence[Any]:
        """The actions of a rule whose codes are indices into what it offers."""
        if self._offered is None:
            self._offered = {}
        offered = self._offered.get(which)
        if offered is None:
            offered = self._offered[which] = rule.offers(state, state.asked_of(self._seat))
        return offered

    def nth(self, index: i64) -> Any:
        """The action with this index, from 0 to below the length."""
        moment, answers = self._moment(), self._answers()
        seat = self._seat
        which, inside = answers.place(self._counts, index)
        code: i64 = 0
        action: Any
        if which < 0:
            action = Pass(seat)
        else:
            state = moment.state()
            rule = answers.rules[which]
            code = answers.nth(state, seat, which, inside)
            action = (
                self._listed(rule, which, state)[code] if answers.by_index[which] else rule.action_of(state, seat, code)
            )
        moment.picked, moment.answers, moment.which, moment.code = action, answers, which, code
        return action

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and 0 <= index < self._size:
            return self.nth(index)
        return SHOWN_AS.__getitem__(self, index)

    def _group(self, which: i64) -> LegalActions:
        """The actions of one rule; of number -1, passing."""
        counts = [0] * len(self._counts)
        counts[which] = self._counts[which]
        group = LegalActions(self._moment(), self._seat, self._answers(), counts)
        group._offered = self._offered
        return group

    @property
    def groups(self) -> list[Any]:
        """The actions of each rule that has any, all of one type."""
        order = [-1, *range(len(self._counts) - 1)]
        return [self._group(which) for which in order if self._counts[which]]

    def __iter__(self) -> Iterator[Any]:
        for group in self.groups:
            yield from group._each()  # noqa: SLF001 (of this class)

    def _each(self) -> Iterator[Any]:
        """The actions of a group."""
        answers = self._answers()
        which, _ = answers.place(self._counts, 0)
        if which < 0 or self._size > MOST_CODES:  # too many to list their codes
            for index in range(self._size):
                yield self.nth(index)
            return
        state, seat, rule = self._moment().state(), self._seat, answers.rules[which]
        codes = answers.codes(state, seat, which)
        if not answers.by_index[which]:
            yield from rule.actions_of(state, seat, codes)
            return
        offered = self._listed(rule, which, state)
        for code in codes:
            yield offered[code]

    def __contains__(self, action: object) -> bool:
        answers = self._answers()
        kind: type[Any] = type(action)
        if getattr(action, "seat", None) != self._seat:
            return False
        which = answers.places.get(kind, -1)
        if not self._counts[which]:
            return False
        if which < 0:
            return kind is Pass
        state, rule = self._moment().state(), answers.rules[which]
        try:
            if answers.by_index[which] and action not in self._listed(rule, which, state):
                return False
            return answers.allows(state, state.asked_of(self._seat), action)
        except TypeError:  # a field that cannot be hashed
            return False

    def index(self, action: object) -> int:
        """The index of an action. Raises `ValueError` for one that is not legal."""
        return list(self).index(action)

    def count(self, action: object) -> int:
        """1 for an action that is legal, else 0."""
        return int(action in self)

    def purchases(self, things: Container[Any] | None = None) -> Iterable[tuple[Any, Sequence[Counts]]] | None:
        """The things that the actions of a group buy, each as one of the actions with all payments for it; None if not known.

        Of some things only, if they are given.
        """
        answers = self._answers()
        which, _ = answers.place(self._counts, 0)
        rule: Any = None if which < 0 else answers.rules[which]
        made: Callable[..., Any] | None = getattr(rule, "purchases", None)
        return None if made is None or answers.guards[which] else made(self._moment().state(), self._seat, things)

    def sample(self, most: int = 100) -> Iterator[Any]:
        """At most `most` ways to pay for each thing that can be bought, and of other actions all, or a few thousand."""
        for group in self.groups:
            things = group.purchases()
            if things is None:
                yield from spread(cast("Sequence[Any]", group), max(most, SAMPLED))
                continue
            for action, payments in things:
                for payment in payments[:most]:
                    yield evolve(action, payment=payment)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, LegalActions) and (self._seat, self._counts) == (other._seat, other._counts):
            mine, theirs = self._moment(), other._moment()
            if mine is theirs or mine.state() == theirs.state():
                return True  # fast: creates no action
        return SHOWN_AS.__eq__(self, other)

    def __repr__(self) -> str:
        shown: str = SHOWN_AS.__repr__(self)
        return shown


SEQUENCE: Any = Sequence
SEQUENCE.register(LegalActions)


def legal_at(moment: Moment, seat: i64) -> Any:
    """Every legal action of `seat` at a moment, in a stable order; none if it has no pending decision."""
    state = moment.state()
    answers = answers_to(state, seat)
    return () if answers is None else LegalActions(moment, seat, answers, answers.counts(state, seat))


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Every legal action of `seat`, in a stable order; none if it has no pending decision.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> len(legal_actions(state, 0)), legal_actions(state, 0)[0]
    (11, KeepTickets(seat=0, tickets=('london-wien', 'palermo-moskva')))
    """
    actions: Sequence[Action] = legal_at(Moment(state.copy(), [], 0), seat)
    return actions


def sampled(actions: Sequence[Any], most: int = 100) -> Iterator[Any]:
    """A sample: at most `most` ways to pay for each thing, and of other actions all, or a few thousand."""
    whole: Any = actions
    return whole.sample(most) if isinstance(whole, LegalActions) else spread(actions, max(most, SAMPLED))
