"""Action rules: one type of action as the answer to one type of decision."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar, get_args

from ttr_rules._internal.native import i64, mypyc_attr, overrides, set_state, state_of
from ttr_rules.errors import Refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Message, Seat, Verbatim
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, Decision, Question
from ttr_rules.model.tickets import MOST_PLAYERS
from ttr_rules.text import brief, spaced, titled, word

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Action)


@mypyc_attr(allow_interpreted_subclasses=True)
class ActionRule(Generic[D, A]):
    """One type of action as the answer to one type of decision.

    `offers` and `refusal` are written independently, so that each checks the other. If the action has no field but its
    seat, `refusal` is enough.

    In play an action is represented by a number, its *code*, so that no object has to be created: `count` is the number
    of legal actions, `nth` returns the code of one of them, and `perform_code` performs it. These methods take the
    seat. `state.asked_of(seat)` is its decision. By default a code is an index into `offers` and means something else
    in every position. Derive from `NumberedRule` if the actions can have fixed numbers.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> rule = next(each for each in game.rules.action_rules if each.action is ttr.DrawTickets)
    >>> rule.on, rule.offers(game.state, game.decision(0))
    (<class 'ttr_rules.model.decisions.Turn'>, [DrawTickets(seat=0)])
    >>> after, log = game.state, []
    >>> rule.perform(Transaction(after, log), game.decision(0), ttr.DrawTickets(0))
    >>> [type(event).__name__ for event in log], after.pending
    (['TicketsDrawn'], (TicketChoice(seat=0, tickets=('zurich-brindisi', 'paris-wien', 'zurich-budapest')),))
    """

    #: The type of the decision that this action answers; by default the one in brackets, `ActionRule[Turn, Build]`.
    on: ClassVar[type[Any]]
    #: The type of the action; by default the one in brackets.
    action: ClassVar[type[Any]]
    #: True if the action leaves the turn as it is: it neither ends the turn nor prevents a later pass. Its rule says
    #: how often it may be taken.
    free: ClassVar[bool] = False
    #: True if this rule replaces another one for the same decision and action.
    replaces: ClassVar[bool] = False
    #: True if `perform` itself ends the turn or opens the next decision, as in the library's own rules. It returns nothing then.
    ends_itself: ClassVar[bool] = False

    #: True if a code stands for the same action in every position, so that actions can be cached.
    fixed_codes: bool = False
    only_actions: list[A] | None = None  # what `_only_actions` returns, once it is asked for

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            for kind in get_args(base):
                if isinstance(kind, type) and issubclass(kind, Decision) and "on" not in vars(cls):
                    cls.on = kind
                elif isinstance(kind, type) and issubclass(kind, Action) and "action" not in vars(cls):
                    cls.action = kind

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.action.__name__} for {self.on.__name__}>"

    def __getstate__(self) -> object:
        return state_of(self)

    def __setstate__(self, state: Mapping[str, object]) -> None:
        set_state(self, state)

    def offers(self, state: State, decision: D) -> Sequence[A]:
        """Every legal action of this type, in a stable order. The sequence must not change when the state does.

        By default, for an action with no field but its seat: that action, unless `refusal` refuses it.
        """
        action: A = self.action(decision.seat)
        return [action] if self.refusal(state, decision, action) is None else []

    def refusal(self, state: State, decision: D, action: A) -> Refusal | None:
        """The refusal of an action, or None if it is legal now.

        By default an action that is not offered is refused. In a rule without `offers`, no action is. A rule that offers very
        many actions writes its own refusal, or returns a sequence with a fast membership test.
        """
        if _only_actions(self):
            return None
        offers = self.offers(state, decision)
        if action in offers:
            return _refuse_other_type(action, offers)
        template = "{action} is not one of the legal actions of {seat}"
        return Refusal("S8", Message(template, action=_describe(action), seat=Seat(decision.seat)))

    @abstractmethod
    def perform(self, tx: Transaction, decision: D, action: A) -> Question | None:
        """Perform a legal action: emit events through `tx`. A returned question is asked next.

        Without one, the turn ends unless the action is `free`. A rule with `ends_itself` does all of that itself.
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method perform")

    # -- actions as numbers ----------------------------------------------------------------------------------

    def bind(self, rules: Rules) -> None:
        """Prepare data that the other methods need at each step. Called once, when a stack is compiled.

        `rules.part_numbers[kind]` is the index of a part in `state.kept`.
        """

    def number_of_codes(self, rules: Rules) -> int | None:
        """The number of codes under these rules, starting at 0, or None if their meaning depends on the position."""
        return 1 if _only_actions(self) else None

    def count(self, state: State, seat: i64) -> i64:
        """The number of legal actions: the length of `offers`."""
        only = _only_actions(self)
        if only:
            return 1 if self.refusal(state, state.asked_of(seat), only[seat]) is None else 0
        return len(self.offers(state, state.asked_of(seat)))

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        """The code of one of the legal actions, by its index in `offers`."""
        return index

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        """The codes of all legal actions, in the order of `offers`."""
        return [self.nth(state, seat, index) for index in range(self.count(state, seat))]

    def action_of(self, state: State, seat: i64, code: i64) -> A:
        """The action that a code stands for."""
        only = _only_actions(self)
        return only[seat] if only else self.offers(state, state.asked_of(seat))[code]

    def actions_of(self, state: State, seat: i64, codes: Sequence[int]) -> Iterator[A]:
        """The actions that codes stand for, made as they are read."""
        for code in codes:
            yield self.action_of(state, seat, code)

    def code_of(self, state: State, seat: i64, action: A) -> i64:
        """The code of a legal action."""
        return self.offers(state, state.asked_of(seat)).index(action)

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> Question | None:
        """Perform the legal action that a code stands for."""
        return self.perform(tx, tx.state.asked_of(seat), self.action_of(tx.state, seat, code))

    def purchases(
        self, state: State, seat: i64, things: Container[object] | None = None
    ) -> Iterable[tuple[A, Sequence[Counts]]] | None:
        """Each thing that can be paid for, as an action, with all its payments, or None if not known.

        With `things`, only these.
        """
        return None


def _only_actions(rule: ActionRule[D, A]) -> list[A]:
    """The only action of each seat if a rule has no `offers` of its own, otherwise an empty list."""
    only = rule.only_actions
    if only is None:
        single = not overrides(rule, ActionRule, "offers")
        only = rule.only_actions = [rule.action(seat) for seat in range(MOST_PLAYERS)] if single else []
    return only


def _describe(action: Action) -> Verbatim:
    """An action and its fields, without the seat."""
    fields: Any = action  # compiled code would read the fields of `Action` itself
    described: list[str] = []
    for name in fields.__match_args__[1:]:
        value: object = getattr(fields, name)
        described.append(f"{spaced(name)} {word(str(value)) if isinstance(value, (str, Counts)) else brief(value)}")
    label = titled(type(fields).__name__)
    return Verbatim(f"{label} ({', '.join(described)})" if described else label)


def _refuse_other_type(action: Action, offers: Sequence[Action]) -> Refusal | None:
    """Refuse a value that equals the offered one but has another type, such as True for 1: it would be saved differently."""
    fields: Any = action  # as in `_describe`
    names = [name for name in fields.__match_args__ if isinstance(getattr(fields, name), (int, float, Mapping))]
    if len(names) < 2:  # only the seat
        return None
    offer: Any = offers[offers.index(action)]
    for name in names:
        value: object = getattr(fields, name)
        offered: object = getattr(offer, name)
        if type(value) is not type(offered):
            return value_refusal(name, type(offered), value)
    return None


def value_refusal(name: str, kind: type[object], value: object) -> Refusal:
    """The refusal of a value that is not of the type of its field."""
    values = {"name": Verbatim(name), "kind": Verbatim(kind.__name__), "value": brief(value)}
    return Refusal("S8", Message("the {name} must be {kind}, not {value}", **values))


#: A rule for any decision and action.
AnyRule: TypeAlias = ActionRule[Any, Any]


@mypyc_attr(allow_interpreted_subclasses=True)
class NumberedRule(ActionRule[D, A]):
    """A rule whose actions have fixed numbers.

    It defines `number_of_codes`, `count`, `nth`, `action_of`, `code_of` and `perform_code`. `offers` and `perform`
    follow.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import DrawFaceUp
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> rule = game.rules.answers[ttr.Turn].by_action[DrawFaceUp]
    >>> codes = [rule.nth(game.state, 0, index) for index in range(rule.count(game.state, 0))]
    >>> codes, rule.action_of(game.state, 0, codes[0]), rule.number_of_codes(game.rules)
    ([0, 1, 3, 8], DrawFaceUp(seat=0, card='purple'), 9)
    """

    def offers(self, state: State, decision: D) -> Sequence[A]:
        seat = decision.seat
        return list(self.actions_of(state, seat, self.codes(state, seat)))

    def perform(self, tx: Transaction, decision: D, action: A) -> Question | None:
        return self.perform_code(tx, decision.seat, self.code_of(tx.state, decision.seat, action))


@mypyc_attr(allow_interpreted_subclasses=True)
class ListedRule(NumberedRule[D, A]):
    """A numbered rule that lists the codes of its legal actions: it defines `codes` instead of `count` and `nth`.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("london", players=2, seed=1).state
    >>> rule = state.rules.answers[type(state.pending[0])].by_action[ttr.KeepTickets]
    >>> isinstance(rule, ListedRule), rule.codes(state, 0), rule.count(state, 0), rule.nth(state, 0, 2)
    (True, [1, 2, 3], 3, 3)
    """

    @abstractmethod
    def codes(self, state: State, seat: i64) -> Sequence[int]:
        """The codes of all legal actions."""
        raise NotImplementedError(f"{type(self).__name__} needs a method codes")

    def count(self, state: State, seat: i64) -> i64:
        return len(self.codes(state, seat))

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        return self.codes(state, seat)[index]


@mypyc_attr(allow_interpreted_subclasses=True)
class SingleActionRule(ActionRule[D, A]):
    """A rule of the library for an action with no field but its seat. Subclasses define `refusal` and `perform_code`."""

    fixed_codes: bool = True

    def code_of(self, state: State, seat: i64, action: A) -> i64:
        return 0

    def perform(self, tx: Transaction, decision: D, action: A) -> Question | None:
        return self.perform_code(tx, decision.seat, 0)
