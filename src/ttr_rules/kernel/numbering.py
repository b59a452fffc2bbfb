"""Actions as numbers: the same number for the same action in every game of a stack, and games played by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.engine import refusal
from ttr_rules.kernel.offering import GuardedRule, Offering
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.steps import perform_code
from ttr_rules.kernel.tables import RuleTables
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.model.actions import Action, Pass
from ttr_rules.model.decisions import Decision

#: The number of passing where nothing else is legal (R4).
PASS = 0


class Buffer(Protocol):
    """What a mask is written into: a `bytearray`, or a NumPy array of bytes or truth values."""

    def __len__(self) -> int: ...

    def __setitem__(self, index: int, value: int, /) -> None: ...


class ActionNumbers:
    """The numbers of the actions of a stack, from 0 to below `size`, whatever the seat.

    A number means the same action in every game: a route and a payment, a kind of card, the places of the tickets to
    keep among those on offer. 0 is passing where nothing else is legal. The actions of rules that cannot be numbered
    once and for all (`ActionRule.number_of_codes` is None) have numbers from `size` on, which hold for one position only;
    `fixed` says that there are none.

    Seats, states and numbers are taken as they are: nothing is checked but by `is_legal`.

    >>> import ttr_rules as ttr
    >>> rules = ttr.compile_rules("europe")
    >>> numbers = action_numbers(rules)
    >>> numbers.size, numbers.fixed
    (3794, True)
    >>> state = ttr.new_game(rules=rules, players=2, seed=1, first_seat=0).state
    >>> numbers.count(state, 0), numbers.nth(state, 0, 0), numbers.action(state, 0, numbers.nth(state, 0, 0))
    (11, 3717, KeepTickets(seat=0, tickets=('edinburgh-athina', 'marseille-essen')))
    >>> for seat in (0, 1):
    ...     numbers.perform(state, seat, numbers.nth(state, seat, 0))
    >>> state.pending
    (Turn(seat=0),)
    """

    def __init__(self, rules: RuleTables) -> None:
        self.rules = rules
        # The numbers of each rule that has some of its own, and the place of each other rule among those; by identity, as the
        # rule of a plugin may have no hash.
        self._own: dict[int, range] = {}
        self._others: dict[int, int] = {}
        self.size = PASS + 1
        for offering in rules.course.offering.values():
            for rule in offering.rules:
                size = rule.number_of_codes(rules)
                if size is None:
                    self._others[id(rule)] = len(self._others)
                else:
                    self._own[id(rule)] = range(self.size, self.size + size)
                    self.size += size
        self.fixed = not self._others

    def __repr__(self) -> str:
        return f"<ActionNumbers of {self.rules}: {self.size}>"

    def _number(self, rule: ActionRule[Any, Any], code: int) -> int:
        own = self._own.get(id(rule))
        return self.size + self._others[id(rule)] + code * len(self._others) if own is None else own.start + code

    def _code(self, rules: Sequence[ActionRule[Any, Any]], number: int) -> tuple[int, int]:
        """Which of some rules a number belongs to, and its code there; -1 if to none of them."""
        for which, rule in enumerate(rules):
            own = self._own.get(id(rule))
            if own is not None:
                if number in own:
                    return which, number - own.start
            elif number >= self.size:
                code, place = divmod(number - self.size, len(self._others))
                if place == self._others[id(rule)]:
                    return which, code
        return -1, 0

    def count(self, state: State, seat: int) -> int:
        """How many actions are legal for a seat; 0 if it has nothing to decide."""
        decision = state.decision(seat)
        if decision is None:
            return 0
        return sum(_counts(self._offering(decision), state, decision))

    def nth(self, state: State, seat: int, index: int) -> int:
        """The number of a legal action, by its index in `Game.legal_actions`."""
        decision = self._decision(state, seat)
        offering = self._offering(decision)
        main = len(offering.rules) - offering.free
        left = index
        for place, count in enumerate(_counts(offering, state, decision)):
            if 0 <= left < count:
                if place == main:
                    return PASS
                rule = offering.rules[place - (place > main)]
                return self._number(rule, rule.nth(state, decision, left))
            left -= count
        raise IndexError(f"seat {seat} has no legal action with the index {index}")

    def legal(self, state: State, seat: int) -> list[int]:
        """The numbers of all legal actions, in the order of `Game.legal_actions`."""
        decision = state.decision(seat)
        if decision is None:
            return []
        offering = self._offering(decision)
        main = len(offering.rules) - offering.free
        groups: list[list[int]] = []
        for rule in offering.rules:
            codes = rule.codes(state, decision)
            own = self._own.get(id(rule))
            if own is None:
                groups.append([self._number(rule, code) for code in codes])
            else:
                first = own.start
                groups.append([first + code for code in codes])
        if offering.must_pass([len(group) for group in groups], decision):
            groups.insert(main, [PASS])
        return [number for group in groups for number in group]

    def mask(self, state: State, seat: int, into: Buffer) -> None:
        """Write 1 at the number of each legal action and 0 elsewhere; `into` has `size` entries.

        Raises `InvalidInputError` for a buffer of another size, and if a legal action has no number of its own.
        """
        if len(into) != self.size:
            raise InvalidInputError(f"a mask of {self.rules} has {self.size} entries, not {len(into)}")
        if isinstance(into, bytearray):
            into[:] = bytes(self.size)
        else:
            any_buffer: Any = into
            try:
                any_buffer[:] = 0
            except (TypeError, ValueError):  # no array: one by one
                for number in range(self.size):
                    into[number] = 0
        for number in self.legal(state, seat):
            if number >= self.size:
                raise InvalidInputError(f"{self.action(state, seat, number)!r} has no number of its own")
            into[number] = 1

    def is_legal(self, state: State, seat: int, number: int) -> bool:
        """Whether the action with this number is legal now."""
        decision = state.decision(seat)
        if decision is None:
            return False
        offering = self._offering(decision)
        if number == PASS:
            return _counts(offering, state, decision)[len(offering.rules) - offering.free] == 1
        which, code = self._code(offering.rules, number)
        if which < 0:
            return False
        rule = offering.rules[which]
        try:
            action: Action = rule.action_of(state, decision, code)
            if rule.code_of(state, decision, action) != code:
                return False
        except (LookupError, ValueError):  # what this code stands for is not there now
            return False
        return refusal(state, action) is None

    def perform(self, state: State, seat: int, number: int) -> None:
        """Play the legal action with this number on a state, in place. No event is created.

        Whether it is legal is not checked; raises `InvalidInputError` for a number that no action of this decision has.
        """
        tx = Transaction(state)
        decision = self._decision(state, seat)
        if number == PASS:
            end_turn(tx, seat, passed=True)
            return
        offering = self._offering(decision)
        which, code = self._code(offering.rules, number)
        if which < 0:
            raise InvalidInputError(f"no action with the number {number} answers {type(decision).__name__}")
        perform_code(tx, offering, which, decision, code)

    def action(self, state: State, seat: int, number: int) -> Action:
        """The action that a number stands for."""
        if number == PASS:
            return Pass(seat)
        decision = self._decision(state, seat)
        rules = self._offering(decision).rules
        which, code = self._code(rules, number)
        if which < 0:
            raise InvalidInputError(f"no action with the number {number} answers {type(decision).__name__}")
        action: Action = rules[which].action_of(state, decision, code)
        return action

    def number(self, state: State, action: Action) -> int:
        """The number of a legal action. Raises `InvalidInputError` for one that has none in this position."""
        decision = self._decision(state, action.seat)
        problem: Exception | None = None
        for rule in self._offering(decision).rules:
            unguarded = rule.rule if type(rule) is GuardedRule else rule
            if unguarded.action is type(action):
                try:
                    return self._number(rule, rule.code_of(state, decision, action))
                except (LookupError, TypeError, ValueError) as error:
                    problem = error
        if type(action) is Pass and self.is_legal(state, action.seat, PASS):
            return PASS
        raise InvalidInputError(f"{action!r} has no number: it does not answer {type(decision).__name__}") from problem

    def _decision(self, state: State, seat: int) -> Decision:
        decision = state.decision(seat)
        if decision is None:
            raise InvalidInputError(f"seat {seat} has nothing to decide")
        return decision

    def _offering(self, decision: Decision) -> Offering:
        found: Offering = self.rules.course.offering[type(decision)]
        return found


def _counts(offering: Offering, state: State, decision: Decision) -> list[int]:
    """How many actions of each rule are legal; between the others and the free ones 1 if the seat must pass."""
    counts = [rule.count(state, decision) for rule in offering.rules]
    counts.insert(len(counts) - offering.free, 1 if offering.must_pass(counts, decision) else 0)
    return counts


def action_numbers(rules: Rules) -> ActionNumbers:
    """The numbers of the actions of a stack: made once for compiled rules.

    >>> from ttr_rules import compile_rules
    >>> action_numbers(compile_rules("nordic-countries")).fixed
    False
    """
    return rules.derived(ActionNumbers)
