"""Actions as numbers: what a rule counts, picks and performs by code is what it offers and performs as actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast

from ttr_rules import State
from ttr_rules.engine import Answers
from ttr_rules.model import Action, Decision
from ttr_rules.plugins import ActionRule, NumberedRule, Transaction
from ttr_rules.text import brief
from ttr_tools.testing.compare import differing
from ttr_tools.testing.game_run import Check, GameRun
from ttr_tools.testing.names import class_name, raised, short
from ttr_tools.testing.problems import CheckFailed

#: The codes of more actions than this are not listed.
MOST_LISTED = 100
#: How many actions of a rule are compared at a decision.
COMPARED = 8
#: The first decisions of a type are all looked at, later ones every so often.
FIRST, THEN_EVERY = 3, 6

#: The methods of a rule about its numbers. A rule that inherits all of them from `ActionRule` is right by definition.
METHODS = ("number_of_codes", "count", "nth", "codes", "action_of", "code_of", "perform_code")

_Unnumbered: Any = ActionRule
_Numbered: Any = NumberedRule


class NumbersCheck(Check):
    """The numbers of actions, which playouts, masks and searches use alone, stand for the actions that are offered."""

    name = "numbers"
    claim = "the numbers of actions stand for what is offered"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.seen: Counter[type[Decision]] = Counter()

    def before(self, action: Action) -> None:
        state: State | None = None
        for seat in self.game.to_act:
            decision = self.game.decision(seat)
            if decision is None or type(decision) not in self.rules.answers:
                continue  # `course` says that nothing answers it
            self.seen[type(decision)] += 1
            seen = self.seen[type(decision)]
            if seen > FIRST and seen % THEN_EVERY:
                continue
            state = self.game.state if state is None else state
            offering: Answers = self.rules.answers[type(decision)]
            for rule in offering.rules:
                if not _by_definition(rule):
                    self._compare(rule, state, decision)

    def _compare(self, rule: ActionRule[Any, Any], state: State, decision: Decision) -> None:
        """The numbers of a rule at one decision against what it offers there."""
        asked = Asked(rule, state, decision)
        offers = rule.offers(state, decision)
        size = asked.whole("number_of_codes", rule.number_of_codes, self.rules, or_none=True)
        count = counted(rule, state, decision)
        if count != len(offers):
            raise asked.fault("count", f"gives {count}, but offers lists {len(offers)} actions")
        step = max(1, count // COMPARED)
        indices = sorted({*range(sum(self.seen.values()) % step, count, step), *((0, count - 1) if count else ())})
        codes = {
            index: asked.whole("nth", rule.nth, state, decision.seat, index, about=f"the index {index}")
            for index in indices
        }
        listed = codes
        if count <= MOST_LISTED:
            listed = dict(enumerate(cast("Sequence[int]", asked.of("codes", rule.codes, state, decision.seat))))
            if len(listed) != count:
                raise asked.fault("codes", f"lists {len(listed)} codes, but count gives {count}")
        for index, code in codes.items():
            if listed[index] != code:
                raise asked.fault("codes", f"has {brief(listed[index])} at the index {index}, but nth gives {code}")
        index_of: dict[int, int] = {}
        for index, code in listed.items():
            other = index_of.setdefault(code, index)
            if other != index:
                raise asked.fault(
                    "nth",
                    f"gives the code {code} to both {short(offers[other])} and {short(offers[index])}: each needs its own",
                )
        for index, code in codes.items():
            self._one(asked, size, index, code, offers[index])
        if indices:
            index = indices[len(indices) // 2]
            self._perform(asked, codes[index], offers[index])

    def _one(self, asked: Asked, size: int | None, index: int, code: int, offered: Action) -> None:
        """One code against the action that is offered in its place."""
        rule, state, seat = asked.rule, asked.state, asked.decision.seat
        if code < 0:
            raise asked.fault("nth", f"gives the code {code} for {short(offered)}: codes begin at 0")
        if size is not None and code >= size:
            raise asked.fault(
                "number_of_codes",
                f"gives {size}, but {short(offered)} has the code {code} (by {asked.method('nth')}): codes are below the "
                "number of codes; return None if it changes from position to position",
            )
        action = asked.of("action_of", rule.action_of, state, seat, code, about=f"the code {code}")
        if action != offered:
            raise asked.fault(
                "action_of",
                f"makes {_told(action)} of the code {code}, but offers lists {short(offered)} where nth "
                "gives that code: the two must agree",
            )
        if cast("type[Any]", type(rule)).code_of is _Unnumbered.code_of and index > MOST_LISTED:
            return  # it would search all offers
        number = asked.of("code_of", rule.code_of, state, seat, offered, about=short(offered))
        if number != code or type(number) is not int:
            raise asked.fault("code_of", f"gives {brief(number)} for {short(offered)}, whose code by nth is {code}")

    def _perform(self, asked: Asked, code: int, action: Action) -> None:
        """Play one action and its code on two copies, where the rule has a way of its own for each."""
        rule, decision = asked.rule, asked.decision
        kind: type[Any] = type(rule)
        if kind.perform_code is _Unnumbered.perform_code or kind.perform is _Numbered.perform:
            return  # one of them calls the other
        by_action, by_code = asked.state.copy(), asked.state.copy()
        asked.of("perform", rule.perform, Transaction(by_action, []), decision, action, about=short(action))
        asked.of("perform_code", rule.perform_code, Transaction(by_code), decision.seat, code, about=f"the code {code}")
        if by_action != by_code:
            where = differing(by_action, by_code, "after perform", "after perform_code")
            raise CheckFailed(
                f"{asked.method('perform')} and {asked.method('perform_code')} do not do the same for {short(action)}, which "
                f"has the code {code}: {where}; games are played by perform, and playouts by perform_code. A class that "
                "changes one of them changes the other too"
            )


class Asked:
    """A rule that is asked at a decision, and how to tell what is wrong with its answers."""

    def __init__(self, rule: ActionRule[Any, Any], state: State, decision: Decision) -> None:
        self.rule = _own(rule)
        self.state = state
        self.decision = decision

    def method(self, name: str) -> str:
        """A method by the class that it is written in."""
        kind: type[Any] = type(self.rule)
        return f"{class_name(next((each for each in kind.__mro__ if name in vars(each)), kind))}.{name}"

    def fault(self, name: str, text: str) -> CheckFailed:
        """What is wrong with a method of the rule, and of which rule if the method is inherited."""
        kind = class_name(type(self.rule))
        method = self.method(name)
        inherited = "" if method == f"{kind}.{name}" else f" (inherited by {kind})"
        return CheckFailed(f"{method}{inherited} {text} ({type(self.decision).__name__} of seat {self.decision.seat})")

    def of(self, name: str, call: Callable[..., Any], *values: object, about: str = "") -> Any:
        """What a method gives."""
        try:
            return call(*values)
        except Exception as error:
            raise self.fault(name, f"fails{about and f' for {about}'}: {raised(error)}") from error

    def whole(
        self, name: str, call: Callable[..., Any], *values: object, or_none: bool = False, about: str = ""
    ) -> Any:
        """What a method gives, which must be a whole number."""
        value = self.of(name, call, *values, about=about)
        if type(value) is not int and not (or_none and value is None):
            wanted = "an int or None" if or_none else "an int"
            raise self.fault(name, f"gives {brief(value)}{about and f' for {about}'}: it must be {wanted}")
        return value


def counted(rule: ActionRule[Any, Any], state: State, decision: Decision) -> int:
    """How many actions of a rule are legal at a decision."""
    found: int = Asked(rule, state, decision).whole("count", rule.count, state, decision.seat)
    return found


def _own(rule: ActionRule[Any, Any]) -> ActionRule[Any, Any]:
    """The rule that its author wrote: without guards."""
    inner: ActionRule[Any, Any] | None = getattr(rule, "rule", None)
    return inner if isinstance(inner, ActionRule) else rule


def _by_definition(rule: ActionRule[Any, Any]) -> bool:
    kind: type[Any] = type(_own(rule))
    return all(getattr(kind, name) is getattr(_Unnumbered, name) for name in METHODS)


def _told(action: object) -> str:
    return short(action) if isinstance(action, Action) else brief(action)
