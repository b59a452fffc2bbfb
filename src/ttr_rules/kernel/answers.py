"""Legal actions: counting, picking, listing, refusing and performing the answers to a decision.

Actions have numbers. A number means the same action in every game of a stack, for every seat: 0 is a pass when nothing else
is legal (R4), and each rule has a range of its own. Actions of rules without fixed numbers get numbers above all ranges,
which are valid in one position only.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from math import floor
from operator import indexOf
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from attrs import evolve

from ttr_rules._internal.native import as_given, i64, mypyc_attr, overrides
from ttr_rules.errors import (
    GameOverError,
    HookTypeError,
    IllegalActionError,
    InvalidInputError,
    NotYourTurnError,
    PluginError,
    Refusal,
)
from ttr_rules.kernel.action_rule import ActionRule, AnyRule, ListedRule, SingleActionRule
from ttr_rules.kernel.events import Event, PassChosen, fold
from ttr_rules.kernel.extensions import Around, Ask, Refuse, RefuseAll, any_says_yes, require_refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import ask_question, close_unanswerable, end_turn, follow_up, handle_answer
from ttr_rules.language import Message, Seat, Verbatim, join_and
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, Decision, Pass, Question, ToDo, Turn
from ttr_rules.model.tickets import MOST_PLAYERS
from ttr_rules.sequences import LazySequence, keep, spread
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules
    from ttr_rules.model.chance import Chance, SeededChance

T = TypeVar("T")
A = TypeVar("A", bound=Action)
PASS: Final = 0
#: The most actions that are cached for each rule.
MOST_MADE: Final = 20_000
#: If a rule has more legal actions than this, their codes are not listed.
MOST_CODES: Final = 1000
#: `LegalActions` is a native class and cannot derive from this one, so it calls its methods.
SHOWN_AS: Any = LazySequence
#: The size of a sample of actions that are not grouped by the thing they pay for.
SAMPLED = 5000
#: More actions than any game has.
MOST_ACTIONS: Final = 20_000


class Passing(SingleActionRule[Turn, Pass]):
    """Pass: legal if a seat has only free actions (R4), or if a plugin lets it pass."""

    on = Turn
    action = Pass
    ends_itself = True

    def __init__(self, answers: Answers) -> None:
        self.answers = answers

    def count(self, state: State, seat: i64) -> i64:
        return self.answers.counts(state, seat)[len(self.answers.before)]

    def refusal(self, state: State, decision: Turn, action: Pass) -> Refusal | None:
        answers = self.answers
        other = None if answers.lets_pass(state, decision.seat) else answers.first(state, decision.seat)
        if other is None:
            return None
        template = "passing is legal only when nothing else is; {action} is legal for {seat}"
        return Refusal("R4", Message(template, action=_name(other), seat=Seat(decision.seat)))

    def code_of(self, state: State, seat: i64, action: Pass) -> i64:
        if not self.count(state, seat):
            raise ValueError("there is something else to do")
        return 0

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        # Everybody sees if the pass was voluntary, so that must not depend on the things that a hidden hand could pay for.
        answers, state = self.answers, tx.state
        unpaid = not state.rules.economy.open_purses
        by_choice = answers.lets_pass(state, seat) and answers.first(state, seat, unpaid) is not None
        if by_choice:
            tx.emit(PassChosen, int(seat))
        end_turn(tx, seat, passed=not by_choice, after_pass=True)


class GuardedRule(ListedRule[Any, Any]):
    """The actions of a rule that no plugin refuses."""

    def __init__(self, entry: RuleEntry) -> None:
        self.entry = entry
        self.rule: AnyRule = entry.rule
        self.refuses: list[Refuse] = entry.refuses
        self.closed_by = f"refuse_all of an Around for {self.rule.action.__name__}"  # for errors

    def is_closed(self, state: State, seat: i64) -> bool:
        """True if all actions of the rule are refused to a seat."""
        kind = self.rule.action
        return any(
            require_refusal(self.closed_by, refuse(state, int(seat), kind)) is not None
            for refuse in self.entry.refuses_all
        )

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        if self.is_closed(state, seat):
            return ()
        entry = self.entry
        return [
            code
            for code in self.rule.codes(state, seat)
            if all(refuse(state, entry.action(state, seat, code)) is None for refuse in self.refuses)
        ]

    def count(self, state: State, seat: i64) -> i64:
        if self.refuses:
            return len(self.codes(state, seat))
        return 0 if self.is_closed(state, seat) else self.rule.count(state, seat)

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        if self.refuses:
            return self.codes(state, seat)[index]
        return self.rule.nth(state, seat, index)

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> Question | None:
        return self.rule.perform_code(tx, seat, code)

    def __repr__(self) -> str:
        return f"<guarded {self.rule!r}>"


class RuleEntry:
    """A rule among the answers to a decision, with what plugins do around its actions, and the numbers of these.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]})
    >>> entry = game.rules.answers[ttr.Turn].entry_of[ttr.DrawBlind]
    >>> entry.rule, entry.action(game.state, 0, 0), entry.allows(game.state, ttr.Turn(0), ttr.DrawBlind(0))
    (<DrawBlindRule: DrawBlind for Turn>, DrawBlind(seat=0), True)
    """

    def __init__(self, rule: AnyRule, around: Sequence[tuple[int, str, Around]]) -> None:
        self.rule = rule
        refusing = () if isinstance(rule, Passing) else around  # no plugin refuses a pass
        #: Functions that may refuse single actions, those that may refuse all of them, and those that may ask something before
        #: or after an action.
        self.refuses: list[Refuse] = [reaction.refuse for _, _, reaction in refusing if reaction.refuse is not None]
        self.refuses_all: list[RefuseAll] = [
            reaction.refuse_all for _, _, reaction in refusing if reaction.refuse_all is not None
        ]
        self.asked_before: list[tuple[str, Ask]] = [
            (plugin, reaction.before) for _, plugin, reaction in around if reaction.before is not None
        ]
        self.follow_ups: list[tuple[int, str, Ask]] = [
            (n, plugin, reaction.after) for n, plugin, reaction in around if reaction.after is not None
        ]
        #: The rule itself, or what the refusals of plugins leave of it. It counts, picks and lists the legal actions.
        self.legal: AnyRule = GuardedRule(self) if self.refuses or self.refuses_all else rule
        #: True if codes are indices into `offers`, so that their meaning depends on the position.
        self.by_index: bool = not (rule.fixed_codes or overrides(rule, ActionRule, "action_of"))
        #: True if actions are paid for, so that they depend on a hand.
        self.selling: bool = overrides(rule, ActionRule, "purchases")
        #: True if the rule returns a question or lets the library continue (`ActionRule.ends_itself`). Then: true if other
        #: plugins react to its actions, so that these must be created as objects.
        self.asking: bool = not rule.ends_itself
        self.watched: bool = bool(self.asked_before or self.follow_ups)
        #: The number of the code 0, the step to the number of the next code, and how many codes there are.
        self.first = 0
        self.step = 1
        self.size = 0
        self._made: dict[int, Action] = {}  # cached actions, by code and seat

    def number(self, code: i64) -> int:
        """The number of the action that a code stands for."""
        return self.first + self.step * code

    def action(self, state: State, seat: i64, code: i64) -> Action:
        """The action that a code stands for."""
        rule = self.rule
        if not rule.fixed_codes:
            action: Action = rule.action_of(state, seat, code)
            return action
        key = code * MOST_PLAYERS + seat
        made = self._made.get(key)
        if made is None:
            made = keep(self._made, key, rule.action_of(state, seat, code), MOST_MADE)
        return made

    # -- performing ------------------------------------------------------------------------------------------

    def perform(self, tx: Transaction, seat: i64, code: i64, action: Action | None = None) -> None:
        """Perform the action that a code stands for.

        The action itself is needed only where other plugins react to it.
        """
        if self.watched or (action is not None and self.by_index):
            performed = self.action(tx.state, seat, code) if action is None else action
            self.perform_action(tx, tx.state.asked_of(seat), performed)
        else:
            decision = tx.state.asked_of(seat) if self.asking else None
            _continue(tx, self.rule, decision, self.rule.perform_code(tx, seat, code))

    def perform_action(self, tx: Transaction, decision: Decision, action: Action, before: int = 0) -> None:
        """Perform a legal action, after the questions that plugins ask before it.

        The first `before` were asked already. If a plugin has made the action illegal meanwhile, its seat decides
        again.
        """
        tx.performing = type(action)
        pending, version = tx.state.pending, tx.state.version
        for number, (plugin, ask) in enumerate(self.asked_before):
            then = ToDo("before", plugin, action.seat, str(number + 1), pending, action)
            if number >= before and ask_question(tx, ask(tx, action), then):
                return
        if tx.state.version != version and not self.allows(tx.state, decision, action):
            return
        tx.following = tuple([(*later, action) for later in self.follow_ups])
        _continue(tx, self.rule, decision if self.asking else None, self.rule.perform(tx, decision, action))
        if tx.following:
            asked, version = tx.state.pending, tx.state.version
            if not follow_up(tx, asked) and asked and tx.state.version != version:
                close_unanswerable(tx, asked, tx.state.turn)

    # -- refusing --------------------------------------------------------------------------------------------

    def allows(self, state: State, decision: Decision, action: Action) -> bool:
        """True if an action is legal."""
        return self.refused(state, decision, action) is None

    def refused(self, state: State, decision: Decision, action: Action) -> Refusal | None:
        """The refusal of an action, or None if it is legal."""
        kind = type(action)
        refusal: object = self.rule.refusal(state, decision, action)
        for refuse_all in self.refuses_all:
            refusal = refusal or refuse_all(state, action.seat, kind)
        for refuse in self.refuses:
            refusal = refusal or refuse(state, action)
        if refusal is None or isinstance(refusal, Refusal):
            return refusal
        refusing = [type(self.rule), *self.refuses_all, *self.refuses]
        by = ", ".join(getattr(function, "__qualname__", str(function)) for function in refusing)
        raise HookTypeError(f"{kind.__name__} is refused with {brief(refusal)} by one of {by}: give a Refusal, or None")


class Tally:
    """The number of actions of a rule that were legal when they were last counted.

    Compiled code reads these fields without checking their types, and creates no object for the number.
    """

    __slots__ = ("asks", "count", "entry", "rule")
    count: i64

    def __init__(self, entry: RuleEntry) -> None:
        self.entry = entry
        self.rule = entry.legal
        self.asks: bool = entry.asking or entry.watched  # its actions may lead to questions
        self.count = 0


class Tallies:
    """The tallies of all rules of a decision, in the order of `Answers.entries`."""

    __slots__ = ("before", "every", "free", "passing")

    def __init__(self, answers: Answers) -> None:
        self.before = [Tally(entry) for entry in answers.before]
        self.passing = Tally(answers.passing)
        self.free = [Tally(entry) for entry in answers.free]
        self.every = [*self.before, self.passing, *self.free]


class Answers:
    """The action rules of one type of decision: `entries`, which are those `before` the pass, the pass, and the free actions.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    >>> answers = game.rules.answers[ttr.Turn]
    >>> answers.counts(game.state, 0)[-1] == len(game.legal_actions())
    True
    """

    def __init__(
        self,
        kind: type[Decision],
        number: i64,
        by_action: Mapping[type[Action], AnyRule],
        around: Mapping[type[Action], Sequence[tuple[str, Around]]],
        may_pass: Iterable[tuple[str, Callable[[State, int], object]]] = (),
    ) -> None:
        def enter(rule: AnyRule) -> RuleEntry:
            reactions = enumerate(around.get(rule.action, ()))
            here = [(n, plugin, reaction) for n, (plugin, reaction) in reactions if reaction.on in (None, kind)]
            return RuleEntry(rule, here)

        self.kind = kind
        self.number = number
        self.passes = kind is Turn
        #: Methods that let a seat pass although something else is legal, each with its plugin.
        self.may_pass: tuple[tuple[str, Callable[[State, int], object]], ...] = tuple(may_pass) if self.passes else ()
        self.passing: RuleEntry = enter(Passing(self))
        self.by_action: Mapping[type[Action], AnyRule] = (
            {Pass: self.passing.rule, **by_action} if self.passes else by_action
        )
        self.before: list[RuleEntry] = [enter(rule) for rule in by_action.values() if not rule.free]
        self.free: list[RuleEntry] = [enter(rule) for rule in by_action.values() if rule.free]
        self.entries: list[RuleEntry] = [*self.before, self.passing, *self.free]
        self.entry_of: dict[type[Action], RuleEntry] = {
            entry.rule.action: entry for entry in self.entries if self.by_action.get(entry.rule.action) is entry.rule
        }
        self.guarded: bool = any(entry.legal is not entry.rule for entry in self.entries)

    def count_passes(self, state: State, seat: i64, others: i64) -> i64:
        """1 if a seat may pass, as it has no `others` that are not free (R4) or a plugin lets it, else 0.

        Raises `PluginError` if it must pass but cannot.
        """
        if others:
            return 1 if self.lets_pass(state, seat) else 0
        if not self.passes:
            raise PluginError(f"{self.kind.__name__} leaves seat {seat} without any legal answer")
        return 1

    def lets_pass(self, state: State, seat: i64) -> bool:
        """True if a seat may pass although something else is legal."""
        return any_says_yes("may_pass", self.may_pass, state, int(seat))

    def counts(self, state: State, seat: i64) -> list[int]:
        """The number of legal actions of each rule, followed by their sum."""
        cached = state.cached(self, seat)
        tallies: Tallies = cached.value or Tallies(self)
        cached.value = tallies
        total = self.count_into(tallies, state, seat)
        return [*[tally.count for tally in tallies.every], total]

    def count_into(self, tallies: Tallies, state: State, seat: i64) -> int:
        """Count the legal actions of each rule. Returns their sum."""
        total: i64 = 0
        here: i64
        for tally in tallies.before:
            here = tally.rule.count(state, seat)
            tally.count = here
            total += here
        passes: i64 = 0
        if total == 0 or self.may_pass:
            passes = self.count_passes(state, seat, total)
        tallies.passing.count = passes
        total += passes
        for tally in tallies.free:
            here = tally.rule.count(state, seat)
            tally.count = here
            total += here
        return total

    def first(self, state: State, seat: i64, unpaid: bool = False) -> Action | None:
        """The first legal action that is not free. `unpaid` skips rules that sell something."""
        for entry in self.before:
            if not (unpaid and entry.selling) and entry.legal.count(state, seat):
                return entry.action(state, seat, entry.legal.nth(state, seat, 0))
        return None

    def place(self, counts: list[int], index: i64) -> tuple[RuleEntry, i64]:
        """The rule of the legal action with this index, and its index there."""
        rule: i64 = 0
        for here in counts:
            if index < here:
                break
            index -= here
            rule += 1
        return self.entries[rule], index

    def number_at(self, state: State, seat: i64, counts: list[int], index: i64) -> int:
        """The number of a legal action, by its index."""
        entry, inside = self.place(counts, index)
        return entry.number(entry.legal.nth(state, seat, inside))

    def numbers(self, state: State, seat: i64) -> list[int]:
        """The numbers of all legal actions, in order."""
        numbers: list[int] = []
        for entry in self.entries:
            if entry is self.passing:
                numbers += [PASS] * self.count_passes(state, seat, len(numbers))
            else:
                numbers += [entry.number(code) for code in entry.legal.codes(state, seat)]
        return numbers

    def decode(self, number: int) -> tuple[RuleEntry, int]:
        """The rule that a number belongs to, and its code there. Raises `InvalidInputError` if no action here has it."""
        for entry in self.entries:
            ahead = number - entry.first
            if 0 <= ahead < entry.size and ahead % entry.step == 0:
                return entry, ahead // entry.step
        raise InvalidInputError(f"no action with the number {number} answers {self.kind.__name__}")


def _continue(tx: Transaction, rule: AnyRule, decision: Decision | None, question: Question | None) -> None:
    """Continue after an answer to a decision, which is None if the rule `ends_itself`."""
    if decision is not None:
        handle_answer(tx, decision, rule.free, question)
    elif question is not None:
        raise PluginError(f"{type(rule).__name__} returns a question, although it ends the turn itself (ends_itself)")


def answers_to(state: State, seat: i64) -> Answers | None:
    """The answers to the pending decision of a seat, or None if it has none."""
    if seat == state.actor and state.asked >= 0:
        return state.rules.answer_list[state.asked]
    decision = state.decision(seat)
    return None if decision is None else state.rules.answers[type(decision)]


def refusal(state: State, action: Action) -> Refusal | None:
    """The refusal of an action, or None if it is legal now.

    S5 refuses an action of a seat without a pending decision, E1 any action after the end, and S8 an action that does
    not answer the pending decision.
    """
    if not state.pending:
        return Refusal("E1", "the game is over")
    seat = as_given(action, "seat")
    decision = state.decision(seat) if type(seat) is int else None
    if decision is None:
        template = "{seat} has to decide ({decision})"
        asked = join_and(
            Message(template, seat=Seat(pending.seat), decision=_name(pending)) for pending in state.pending
        )
        return Refusal("S5", Message("{asked}, not seat {other}", asked=asked, other=Verbatim(brief(seat))))
    answers: Answers = state.rules.answers[type(decision)]
    entry = answers.entry_of.get(type(action))
    if entry is not None:
        try:
            return entry.refused(state, decision, action)
        except TypeError as error:
            mutable = [value for value in vars(action).values() if not _is_hashable(value)]
            if not mutable or not str(error).startswith("unhashable type"):
                raise
            template = "{action} holds {value}, which can change: make it a tuple, or what the field is annotated with"
            return Refusal("S8", Message(template, action=_name(action), value=brief(mutable[0])))
    template = "{action} does not answer what {seat} has to decide ({decision})"
    return Refusal("S8", Message(template, action=_name(action), seat=Seat(decision.seat), decision=_name(decision)))


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _name(thing: Action | Decision) -> Verbatim:
    return Verbatim(type(thing).__name__)


def require_action(action: object) -> Action:
    """The action that a caller gave. Raises `InvalidInputError` for anything else."""
    if not isinstance(action, Action):
        raise InvalidInputError(f"expected an action, such as DrawBlind(seat=0), got {brief(action)}")
    return action


def check_legal(state: State, action: Action) -> None:
    """Raise the error for an illegal action (see `refusal`)."""
    refused = refusal(state, action)
    if refused is None:
        return
    kind = {"E1": GameOverError, "S5": NotYourTurnError}.get(refused.rule, IllegalActionError)
    raise kind(action, refused)


def advance(state: State, action: Action, log: list[Event] | None = None) -> None:
    """Play a legal action on `state` in place. Events are appended to `log` if given. Nothing is checked."""
    perform(Transaction(state, log), action)


def perform(tx: Transaction, action: Action) -> None:
    """Perform a legal action."""
    decision = tx.state.asked_of(action.seat)
    answers: Answers = tx.state.rules.answers[type(decision)]
    answers.entry_of[type(action)].perform_action(tx, decision, action)


def play_on(tx: Transaction, random: Callable[[], float]) -> None:
    """Play uniformly random legal actions to the end of the game. At set-up, seats choose in order."""
    state = tx.state
    all_answers: list[Answers] = state.rules.answer_list
    all_tallies = [Tallies(answers) for answers in all_answers]
    for _step in range(MOST_ACTIONS):  # compiled, `_` would be an object
        seat = state.actor
        if seat < 0:
            return
        asked = state.asked
        answers, tallies = all_answers[asked], all_tallies[asked]
        index: i64 = floor(random() * answers.count_into(tallies, state, seat))  # quicker than `int`
        for tally in tallies.every:  # as in `place`
            here: i64 = tally.count
            if index < here:
                rule = tally.rule
                code = rule.nth(state, seat, index)
                if tally.asks:
                    tally.entry.perform(tx, seat, code)
                else:
                    rule.perform_code(tx, seat, code)
                break
            index -= here
    raise PluginError(
        f"the game does not end: {MOST_ACTIONS} actions were played; `ttr-rules check` looks for the reason"
    )


def can_act(state: State, seat: int, kind: type[Action], decision: Decision | None = None) -> bool:
    """True if a seat would have a legal action of this type, or of a type derived from it, if its turn were open now.

    For hooks that come before the action of a turn. With a `decision` of this seat: true if an action of this type
    would be a legal answer to it. It looks at the hand of the seat, so nothing that others see must depend on the result,
    unless an event tells it. Raises `PluginError` for a seat that is not at the table, for anything that is not a type of
    action, and for a decision that is not one of this seat in this stack.

    >>> import ttr_rules as ttr
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 1}}, {"cars": 1}]}).state
    >>> can_act(state, 0, ttr.ClaimRoute), can_act(state, 1, ttr.ClaimRoute), can_act(state, 1, ttr.DrawBlind)
    (True, False, True)
    """
    given: object = kind
    if type(seat) is not int or not 0 <= seat < state.players:
        raise PluginError(f"can_act: the seats are 0 to {state.players - 1}, not {brief(seat)}")
    if not (isinstance(given, type) and issubclass(given, Action)):
        raise PluginError(f"can_act takes a type of action, such as ClaimRoute, not {brief(given)}")
    asking = state.rules.turns[seat] if decision is None else decision
    answers = state.rules.answers.get(type(asking))
    if answers is None or asking.seat != seat:
        raise PluginError(f"can_act takes a decision of seat {seat} that an action rule answers, not {brief(decision)}")
    asked = state.copy()
    asked.pending = (asking,)
    entries: list[RuleEntry] = answers.entries
    return any(entry.legal.count(asked, seat) for entry in entries if issubclass(entry.rule.action, kind))


# -- legal actions as a sequence -----------------------------------------------------------------------------


def replay_moves(rules: Rules, players: int, chance: SeededChance | Chance, moves: Sequence[Any]) -> State:
    """The state after these moves, rebuilt from their events without applying the rules again."""
    state = State(rules, players, chance)
    for move in moves:
        fold(state, move.events)
    state.chance_calls = moves[-1].chance_calls
    return state


class Source:
    """The state that legal actions are read from, and the action that was read last.

    The state of a game changes: `moves` is the history, and `changes` counts how often a change began or ended.
    """

    __slots__ = ("changes", "code", "entry", "moves", "picked", "picked_at", "seat", "state")
    changes: i64
    #: The action `picked` was read last: of a rule and a seat, under a code, when `changes` was `picked_at`.
    entry: RuleEntry
    seat: i64
    code: i64
    picked_at: i64

    def __init__(self, state: State, moves: Iterable[Any] = (), changes: i64 = 0) -> None:
        self.state = state
        self.moves: list[Any] = list(moves)
        self.changes = changes
        self.picked: Action | None = None
        self.picked_at = -1

    def replay(self, number: i64) -> State:
        """The state after a number of moves."""
        state = self.state
        return replay_moves(state.rules, state.players, state.chance, self.moves[:number])

    def legal(self, seat: i64, seal: Callable[[None], Source]) -> Sequence[Action]:
        """Every legal action of a seat now, in a stable order, none if it has no pending decision (see `hide`)."""
        changes = self.changes  # read first, as another thread may be in the middle of a change
        answers = answers_to(self.state, seat)
        if answers is None:
            return ()
        counts = answers.counts(self.state, seat)
        made: Any = LegalActions(seal, changes, len(self.moves), answers.number, seat, counts)
        actions: Sequence[Action] = made
        return actions


def hide(thing: T) -> Callable[[None], T]:
    """A function that returns the thing when called with None. It is a built-in method, so no attribute leads to the thing."""
    return {None: thing}.__getitem__


@mypyc_attr(acyclic=True)  # the garbage collector need not look at it
class LegalActions:  # noqa: PLW1641 (it is not hashable)
    """The legal actions of a seat at one moment, created as they are read: a read-only sequence.

    It is equal to any sequence of the same actions. Counting and picking are cheap, however many actions there are. The
    action that was read last is not checked again when it is played. Like a list, it is not hashable.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    >>> actions = game.legal_actions()
    >>> type(actions).__name__, actions[0], ttr.DrawTickets(0) in actions
    ('LegalActions', DrawBlind(seat=0), True)
    >>> blind, face_up, *others = actions.groups
    >>> len(face_up), face_up[0]
    (4, DrawFaceUp(seat=0, card='purple'))
    """

    __slots__ = ("_asked", "_changes", "_counts", "_number", "_offered", "_seal", "_seat", "_size", "_then")
    _asked: i64
    _changes: i64
    _number: i64
    _seat: i64
    _size: i64

    def __init__(
        self, seal: Callable[[None], Source], changes: i64, number: i64, asked: i64, seat: i64, counts: list[int]
    ) -> None:
        # The source and, if it had to be rebuilt, the state at this moment. Both are hidden, so that no reference leads from
        # here to the game or its rules.
        self._seal = seal
        self._then: Callable[[None], State] | None = None
        self._changes = changes
        self._number = number
        self._asked = asked  # the number of the type of the decision
        self._seat = seat
        self._counts = counts
        # The offers of rules whose codes are indices into them.
        self._offered: dict[type[Action], Sequence[Action]] | None = None
        self._size = counts[-1]

    def __reduce__(self) -> tuple[object, ...]:
        return tuple, (list(self),)

    def _open(self) -> tuple[Source, Answers, State]:
        """The source, the answers, and the state at this moment."""
        source = self._seal(None)
        state = source.state
        if self._changes != source.changes:
            if self._then is None:
                self._then = hide(source.replay(self._number))
            state = self._then(None)
        answers = state.rules.answer_list[self._asked]
        return source, answers, state

    def _list_offers(self, rule: AnyRule, state: State) -> Sequence[Action]:
        """The offers of a rule whose codes are indices into them."""
        if self._offered is None:
            self._offered = {}
        offered = self._offered.get(rule.action)
        if offered is None:
            offered = self._offered[rule.action] = rule.offers(state, state.asked_of(self._seat))
        return offered

    def nth(self, index: i64) -> Action:
        """The action with this index, from 0 to below the length."""
        source, answers, state = self._open()
        seat = self._seat
        entry, inside = answers.place(self._counts, index)
        code = entry.legal.nth(state, seat, inside)
        action = self._list_offers(entry.rule, state)[code] if entry.by_index else entry.action(state, seat, code)
        source.picked, source.picked_at = action, self._changes
        source.entry, source.seat, source.code = entry, seat, code
        return action

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: Any) -> Any:
        if type(index) is int and 0 <= index < self._size:
            return self.nth(index)
        return SHOWN_AS.__getitem__(self, index)

    def _group(self, rule: i64) -> LegalActions:
        """The actions of one rule."""
        counts = [0] * len(self._counts)
        counts[rule] = counts[-1] = self._counts[rule]
        group = LegalActions(self._seal, self._changes, self._number, self._asked, self._seat, counts)
        group._offered, group._then = self._offered, self._then
        return group

    @property
    def groups(self) -> list[Any]:
        """The actions of each rule that has any. Those of one rule are of one type."""
        return [self._group(rule) for rule in range(len(self._counts) - 1) if self._counts[rule]]

    def __iter__(self) -> Iterator[Any]:
        for group in self.groups:
            yield from group._iterate()  # noqa: SLF001 (of this class)

    def __reversed__(self) -> Iterator[Any]:  # compiled classes have none
        return iter(list(self)[::-1])

    def _iterate(self) -> Iterator[Action]:
        """The actions of a group."""
        _, answers, state = self._open()
        entry, _ = answers.place(self._counts, 0)
        if self._size > MOST_CODES:  # too many to list their codes
            for index in range(self._size):
                yield self.nth(index)
            return
        seat, rule = self._seat, entry.rule
        codes = entry.legal.codes(state, seat)
        if entry.by_index:
            offered = self._list_offers(rule, state)
            for code in codes:
                yield offered[code]
        elif rule.fixed_codes:
            for code in codes:
                yield entry.action(state, seat, code)
        else:
            yield from rule.actions_of(state, seat, codes)

    def __contains__(self, action: object) -> bool:
        _, answers, state = self._open()
        if not isinstance(action, Action) or getattr(action, "seat", None) != self._seat:
            return False
        entry = answers.entry_of.get(type(action))
        if entry is None or not self._counts[answers.entries.index(entry)]:
            return False
        try:
            if entry.by_index and action not in self._list_offers(entry.rule, state):
                return False
            return entry.allows(state, state.asked_of(self._seat), action)
        except TypeError:  # a field that cannot be hashed
            return False

    def index(self, action: object, start: int = 0, stop: int | None = None) -> int:
        """The index of an action, as that of a list. Raises `ValueError` for one that is not legal."""
        index = indexOf(self, action) if action in self else -1
        if index not in range(self._size)[start:stop]:
            raise ValueError(f"{brief(action)} is not in this sequence")
        return index

    def count(self, action: object) -> int:
        """1 for an action that is legal, else 0."""
        return int(action in self)

    def purchases(self, things: Container[object] | None = None) -> Iterable[tuple[Action, Sequence[Counts]]] | None:
        """The things that a group of actions buys, each as one action with all payments for it, or None if not known.

        With `things`, only these.
        """
        _, answers, state = self._open()
        entry, _ = answers.place(self._counts, 0)
        if entry.refuses:  # `refuse_all` need not be asked: the group has actions
            return None
        return entry.rule.purchases(state, self._seat, things)

    def sample(self, most: int = 100) -> Iterator[Any]:
        """A sample: at most `most` payments for each thing to buy, and all other actions, or a few thousand."""
        for group in self.groups:
            things = group.purchases()
            if things is None:
                yield from spread(cast("Sequence[Action]", group), max(most, SAMPLED))
                continue
            for action, payments in things:
                for payment in payments[:most]:
                    yield evolve(action, payment=payment)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, LegalActions) and (self._seat, self._counts) == (other._seat, other._counts):
            (_, _, mine), (_, _, theirs) = self._open(), other._open()
            if mine is theirs or mine == theirs:
                return True  # fast: creates no action
        return SHOWN_AS.__eq__(self, other)

    def __repr__(self) -> str:
        shown: str = SHOWN_AS.__repr__(self)
        return shown


SEQUENCE: Any = Sequence
SEQUENCE.register(LegalActions)


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """Every legal action of `seat`, in a stable order. There are none if it has no pending decision.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> len(legal_actions(state, 0)), legal_actions(state, 0)[0]
    (11, KeepTickets(seat=0, tickets=('london-wien', 'palermo-moskva')))
    """
    source = Source(state.copy())
    return source.legal(seat, hide(source))


def sampled(actions: Sequence[A], most: int = 100) -> Iterator[A]:
    """A sample: at most `most` payments for each thing to buy, and all other actions, or a few thousand."""
    whole: object = actions
    return whole.sample(most) if isinstance(whole, LegalActions) else spread(actions, max(most, SAMPLED))
