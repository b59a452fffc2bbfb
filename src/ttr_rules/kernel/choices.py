"""Choices: decisions between several options, yes-or-no questions, and passing. Authors need no action rules for them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, get_args, get_origin

from ttr_rules._internal.native import i64
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import ActionRule, AnyRule, SingleActionRule
from ttr_rules.kernel.events import ChoiceSealed
from ttr_rules.kernel.hints import ActionValue
from ttr_rules.kernel.plugin import blamed
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.view import View
from ttr_rules.language import Message, Seat, join_few, marked
from ttr_rules.model.decisions import Action, Decision, Pass, Question
from ttr_rules.reading import is_class
from ttr_rules.sequences import once
from ttr_rules.text import brief

T = TypeVar("T")
R = TypeVar("R", bound=AnyRule)


class Choose(Action, Generic[T]):
    """The action that chooses an option, made by `decision.choose(option)`. Each class of choices has a subclass of its own.

    >>> import ttr_rules as ttr
    >>> issubclass(Choose, ttr.Action)
    True
    """

    message = marked("Choose")

    #: The class of the decision.
    of: ClassVar[type[AnyChoice]]

    option: T

    def __reduce__(self) -> tuple[object, ...]:
        return _choose, (self.of, self.seat, self.option)


def _choose(kind: type[Choice[T]], seat: int, option: T) -> Choose[T]:
    choice: Choose[T] = kind.action(seat, option)
    return choice


class Choice(Decision, Generic[T]):
    """A decision between several options. The library creates the action and its rule.

    Define `options`, and `chosen` to carry out the chosen one. With `passing`, the seat may choose none. An option is
    anything that a field of an action can hold: a number, an id, a tuple of these.

    With `sealed = True`, answers are secret until all have answered. Then `all_chosen` is called instead of `chosen`, and
    everybody sees the answers if the choice is `public` without `secret_answer`.

    >>> class Gift(Choice[int]):
    ...     public = True
    ...     message = "Who gets a card?"
    ...     def options(self, state):
    ...         return [seat for seat in range(state.players) if seat != self.seat]
    ...     def chosen(self, tx, option):
    ...         tx.use_cars(option, 1)
    >>> Gift(0).choose(1)
    ChooseGift(seat=0, option=1)

    A hook or a rule asks it by returning `Gift(seat)`. To use an action of your own, write `action = GiveCard`. It
    needs one field besides its seat, and may have its own `message`.
    """

    #: All classes of choices, so that a stack finds those of its plugins.
    every_kind: ClassVar[list[type[AnyChoice]]] = []
    #: The type of the action: a subclass of `Choose`, unless the class names another.
    action: ClassVar[type[Any]]
    #: True if each answer is secret until all seats have answered.
    sealed: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.concurrent = cls.concurrent or cls.sealed
        arguments = [
            get_args(base)[0] for base in cls.__dict__.get("__orig_bases__", ()) if get_origin(base) is not Generic
        ]
        Choice.every_kind.append(cls)
        inherited: Any = getattr(cls, "action", Choose)
        if not is_class(inherited, Choose):
            return  # the class names an action
        option: Any = inherited.__annotations__["option"] if inherited is not Choose else Any
        if arguments and not isinstance(arguments[0], TypeVar):
            option = arguments[0]
        body = {"of": cls, "__doc__": cls.__doc__, "__module__": cls.__module__, "__annotations__": {"option": option}}
        cls.action = type(f"Choose{cls.__name__}", (Choose,), body)

    @abstractmethod
    def options(self, state: State) -> Sequence[T]:
        """The options to choose from, in a stable order."""
        raise NotImplementedError

    def chosen(self, tx: Transaction, option: T) -> Question | None:
        """Carry out the chosen option. A returned question is asked next. Without one the game goes on."""
        raise NotImplementedError

    def all_chosen(self, tx: Transaction, answers: Mapping[int, T]) -> Question | None:
        """Carry out the answers to a `sealed` choice, which are given by seat.

        Called once, on the decision of the lowest seat. A returned question is asked next.
        """
        raise NotImplementedError

    def worth(self, view: View, rules: Rules, option: T) -> float:
        """For bots: the value of an option in points. With `passing`, they choose no option that is worth 0 or less."""
        return 0.0

    def label(self, option: T) -> str | None:
        """The menu text of an option: a text, a `Message` or a `plural`. None, the default, shows the option's value."""
        return None

    def label_of(self, action: Action) -> str | None:
        """The `label` of the option that an action chooses, or None if the option has none or the action chooses none.

        Raises `PluginError` if `label` raises, or returns something other than a text or None.

        >>> class Toast(Choice[str]):
        ...     def label(self, option):
        ...         return f"To {option}!"
        >>> Toast(0).label_of(Toast(0).choose("health"))
        'To health!'
        """
        if not isinstance(action, self.action):
            return None
        source = f"label of the choice {type(self).__name__}"
        label: object = blamed(source, self.label, self.option_in(action))
        if label is None or isinstance(label, str):
            return label
        raise PluginError(f"{source} must give a text or None, not {brief(label)}")

    @classmethod
    def every(cls, rules: Rules) -> Sequence[T] | None:
        """All options that can ever occur, so that each gets a number of its own, or None if they are not known."""
        return None

    def choose(self, option: T) -> Action:
        """The action that chooses an option."""
        choice: Action = self.action(self.seat, option)
        return choice

    @classmethod
    def option_in(cls, action: Any) -> T:
        """The option that an action chooses."""
        option: T = getattr(action, cls.action.__match_args__[1])
        return option


#: A choice between options of any type.
AnyChoice: TypeAlias = Choice[Any]


class Confirm(Choice[bool]):
    """A question that is answered with yes, `decision.choose(True)`, or declined by `Pass(seat)`.

    Define `chosen` to carry out a yes. `passing` is the label for declining.

    >>> class Salute(Confirm):
    ...     message = "Do you salute, for a point?"
    ...     passing = "Pass by"
    ...     def chosen(self, tx, option):
    ...         tx.score(self.seat, 1, "salutes")
    >>> Salute(0).choose(True)
    ChooseSalute(seat=0, option=True)
    """

    passing = marked("No")

    def options(self, state: State) -> Sequence[bool]:
        return (True,)

    def label(self, option: bool) -> str | None:
        return marked("Yes") if issubclass(self.action, Choose) else None

    @classmethod
    def every(cls, rules: Rules) -> Sequence[bool]:
        return (True,)


class ChoiceRule(ActionRule[Choice[object], Action]):
    """The rule for the action that answers a choice."""

    def __init__(self) -> None:
        self._every: list[object] | None = None
        self._codes: dict[object, int] = {}

    def bind(self, rules: Rules) -> None:
        every: Sequence[object] | None = self.on.every(rules)
        self._every = None if every is None else list(every)
        self._codes = {option: code for code, option in enumerate(self._every or ())}

    def __reduce__(self) -> tuple[object, ...]:
        return choice_rule, (self.on,)

    def offers(self, state: State, decision: Choice[object]) -> Sequence[Action]:
        return [decision.choose(option) for option in decision.options(state)]

    def refusal(self, state: State, decision: Choice[object], action: Action) -> Refusal | None:
        options, option = decision.options(state), decision.option_in(action)
        # 1 equals True and a dict equals Counts, but saves differ
        if any(
            offered == option and (type(offered) is type(option) or not isinstance(offered, int | float | Mapping))
            for offered in options
        ):
            return None
        template = "{seat} chooses one of {options}, not {option}"
        values = {"seat": Seat(decision.seat), "options": join_few(options), "option": brief(option)}
        return Refusal("S8", Message(template, **values))

    def perform(self, tx: Transaction, decision: Choice[object], action: Action) -> Question | None:
        if decision.sealed:
            tx.emit(ChoiceSealed, action.seat, action)
            return None
        return decision.chosen(tx, decision.option_in(action))

    def number_of_codes(self, rules: Rules) -> int | None:
        return None if self._every is None else len(self._every)

    def count(self, state: State, seat: i64) -> i64:
        return len(state.asked_of(seat).options(state))

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        return index if self._every is None else self._code(state.asked_of(seat).options(state)[index])

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        options: Sequence[object] = state.asked_of(seat).options(state)
        return range(len(options)) if self._every is None else [self._code(option) for option in options]

    def _code(self, option: object) -> int:
        """The number of an option among all. Raises `PluginError` for one that `every` does not list."""
        code = self._codes.get(option)
        if code is None:
            raise PluginError(f"{self.on.__name__}.every does not list {brief(option)}, which is among its options")
        return code

    def action_of(self, state: State, seat: i64, code: i64) -> Action:
        decision: Choice[object] = state.asked_of(seat)
        return decision.choose((decision.options(state) if self._every is None else self._every)[code])

    def actions_of(self, state: State, seat: i64, codes: Sequence[int]) -> Iterator[Action]:
        decision: Choice[object] = state.asked_of(seat)
        options = decision.options(state) if self._every is None else self._every
        return (decision.choose(options[code]) for code in codes)

    def code_of(self, state: State, seat: i64, action: Action) -> i64:
        if self._every is not None:
            return self._codes[self.on.option_in(action)]
        options: Sequence[object] = state.asked_of(seat).options(state)
        return options.index(self.on.option_in(action))


class PassRule(SingleActionRule[Decision, Pass]):
    """Passing as the answer to a decision with `passing`."""

    action = Pass

    def __reduce__(self) -> tuple[object, ...]:
        return _make_rule, (PassRule, self.on)

    def refusal(self, state: State, decision: Decision, action: Pass) -> Refusal | None:
        return decision.pass_refusal(state)

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> Question | None:
        decision: Decision = tx.state.asked_of(seat)
        return decision.on_pass(tx)


def choice_rule(kind: type[AnyChoice]) -> ChoiceRule:
    """The rule of a choice. Raises `PluginError` if it lacks a method, or its action cannot name an option."""
    if not is_class(kind.action, Action) or len(kind.action.__match_args__) != 2:
        raise PluginError(
            f"the choice {kind.__name__} has the action {brief(kind.action)}: it must be an Action with one field besides its seat"
        )
    for name in ("options", "all_chosen" if kind.sealed else "chosen"):
        if getattr(kind, name) is getattr(Choice, name):
            raise PluginError(f"the choice {kind.__name__} lacks the method {name!r}")
    return _make_rule(ChoiceRule, kind)


def with_passing(rules: Iterable[AnyRule]) -> list[tuple[AnyRule, PassRule]]:
    """The missing rules for passing, one for each decision with `passing`, each with the last rule that answers the decision.

    Raises `PluginError` for a decision whose answer is secret.
    """
    last: dict[type[Decision], AnyRule] = {}
    written: set[type[Decision]] = set()
    for rule in rules:
        kind: type[Decision] = rule.on
        if kind.passing:
            _check_passing(kind)
        last[kind] = rule
        if rule.action is Pass:
            written.add(kind)
    return [(rule, _make_rule(PassRule, kind)) for kind, rule in last.items() if kind.passing and kind not in written]


def _make_rule(base: type[R], kind: type[Decision]) -> R:
    rule: R = _rule_class(base, kind)()
    return rule


@once
def _rule_class(base: type[AnyRule], kind: type[Decision]) -> type[Any]:
    """The class of rules for a type of decision, in the module of the decision."""
    body: dict[str, object] = {"on": kind, "__module__": kind.__module__}
    if issubclass(kind, Choice):
        body["action"] = Pass if base is PassRule else kind.action
    return type(f"{kind.__name__}{base.__name__}", (base,), body)


def _worth(view: View, rules: Rules, action: Action) -> float:
    """The value of an option, for bots."""
    decision: Any = view.decision
    worth: float = decision.worth(view, rules, decision.option_in(action))
    return worth


def choice_values(kinds: Iterable[type[AnyChoice]]) -> dict[ActionValue, str]:
    """The values of options, for the choices that define `worth`, each with the name of that method."""
    defined = [kind for kind in kinds if kind.worth is not AnyChoice.worth]
    return {ActionValue(kind.action, _worth): f"{kind.__name__}.worth" for kind in defined}


def _check_passing(kind: type[Decision]) -> None:
    what, better, sealed = "decision", "an action", False
    if issubclass(kind, Choice):
        what, better, sealed = "choice", "an option", kind.sealed
    if sealed or kind.secret_answer:
        secret = "is sealed" if sealed else "has a secret answer"
        raise PluginError(
            f"the {what} {kind.__name__} {secret}, and everybody sees who passes: give it {better} for that, instead of passing"
        )
