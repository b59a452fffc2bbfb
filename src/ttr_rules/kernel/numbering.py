"""Actions as numbers: the same number for the same action in every game of a stack, and games played by numbers."""

from __future__ import annotations

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


class Owner:
    """A rule and the numbers of its actions: `first` for the code 0, and from there every `step`-th one.

    It is number `which` of the rules that answer its decision.
    """

    __slots__ = ("answers", "first", "rule", "step", "which")

    def __init__(self, answers: Answers, which: int, first: int) -> None:
        self.answers = answers
        self.which = which
        self.rule: ActionRule[Any, Any] = answers.offering.rules[which]
        self.first = first
        self.step = 1

    def number(self, code: int) -> int:
        """The number of the action with a code."""
        return self.first + self.step * code

    def code(self, number: int) -> int:
        """The code of the action with one of these numbers."""
        return (number - self.first) // self.step


class Answers:
    """What answers one type of decision: the owner of the numbers of each rule, those of free actions after `main` others."""

    __slots__ = ("main", "offering", "owners")

    def __init__(self, offering: Offering) -> None:
        self.offering = offering
        self.owners: list[Owner] = []
        self.main = len(offering.rules) - offering.free

    def counts(self, state: State, decision: Decision) -> tuple[int, list[int]]:
        """How many actions are legal, in all and of each rule; before those of the free ones 1 if the seat must pass (R4), else 0."""
        offering = self.offering
        counts: list[int] = []
        total = 0
        for rule in offering.rules:
            count = rule.count(state, decision)
            counts.append(count)
            total += count
        passing = 0
        if (not total or offering.free) and offering.must_pass(counts, decision):
            passing = 1
        counts.insert(self.main, passing)
        return total + passing, counts

    def number_at(self, state: State, decision: Decision, place: int, index: int) -> int:
        """The number of a legal action, by its place in `counts` and its index there."""
        if place == self.main:
            return PASS
        owner = self.owners[place if place < self.main else place - 1]
        return owner.first + owner.step * owner.rule.nth(state, decision, index)

    def numbers(self, state: State, decision: Decision) -> list[int]:
        """The numbers of all legal actions."""
        found: list[int] = []
        counts: list[int] = []
        before_free = 0
        for owner in self.owners:
            codes = owner.rule.codes(state, decision)
            first, step = owner.first, owner.step
            found += [first + step * code for code in codes]
            counts.append(len(codes))
            if owner.which < self.main:
                before_free = len(found)
        if self.offering.must_pass(counts, decision):
            found.insert(before_free, PASS)
        return found


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
        # survives ^: passing is number 0
        self.size = PASS + 1
        self._answers: dict[Any, Answers] = {}
        self._owners: list[Owner | None] = [None]  # of each number; passing belongs to no rule
        self._others: list[Owner] = []  # the rules without numbers of their own
        for kind, offering in rules.course.offering.items():
            answers = self._answers[kind] = Answers(offering)
            for which, rule in enumerate(offering.rules):
                size = rule.number_of_codes(rules)
                owner = Owner(answers, which, self.size)
                answers.owners.append(owner)
                if size is None:
                    self._others.append(owner)
                else:
                    self._owners += [owner] * size
                    self.size += size
        for place, owner in enumerate(self._others):
            owner.first = self.size + place
            owner.step = len(self._others)
        self.fixed = not self._others
        self._nothing = bytearray(self.size)  # a mask of no action

    def __repr__(self) -> str:
        return f"<ActionNumbers of {self.rules}: {self.size}>"

    def count(self, state: State, seat: int) -> int:
        """How many actions are legal for a seat; 0 if it has nothing to decide."""
        decision = state.decision(seat)
        if decision is None:
            return 0
        return self._answers[type(decision)].counts(state, decision)[0]

    def nth(self, state: State, seat: int, index: int) -> int:
        """The number of a legal action, by its index in `Game.legal_actions`."""
        decision = self._decision(state, seat)
        answers = self._answers[type(decision)]
        left = index
        if index >= 0:
            for owner in answers.owners[: answers.main]:  # rules behind the one that is meant need not count
                count = owner.rule.count(state, decision)
                if left < count:
                    return owner.number(owner.rule.nth(state, decision, left))
                left -= count
            _, counts = answers.counts(state, decision)
            for place, count in enumerate(counts[answers.main :], answers.main):
                if left < count:
                    return answers.number_at(state, decision, place, left)
                left -= count
        raise IndexError(f"seat {seat} has no legal action with the index {index}")

    def pick(self, state: State, seat: int, fraction: float) -> int:
        """The number of the legal action at a fraction, from 0 to below 1, of the way through all of them.

        `pick(state, seat, random())` is as likely to give one as any other: the same as `nth` of an index below `count`,
        in three quarters of the time, as the actions are counted once. Raises `IndexError` for any other fraction.

        >>> import ttr_rules as ttr
        >>> from random import Random
        >>> state, random = ttr.new_game("europe", players=2, seed=1).state, Random(1).random
        >>> numbers = action_numbers(ttr.compile_rules("europe"))
        >>> while state.pending:
        ...     seat = state.pending[0].seat
        ...     numbers.perform(state, seat, numbers.pick(state, seat, random()))
        >>> state.scores
        [42, 52]
        """
        decision = self._decision(state, seat)
        answers = self._answers[type(decision)]
        total, counts = answers.counts(state, decision)
        if not (0 <= fraction < 1 and total):
            raise IndexError(f"seat {seat} has {total} legal actions, none of them at the fraction {fraction}")
        left = int(fraction * total)
        place = 0
        while left >= counts[place]:
            left -= counts[place]
            place += 1
        return answers.number_at(state, decision, place, left)

    def legal(self, state: State, seat: int) -> list[int]:
        """The numbers of all legal actions, in the order of `Game.legal_actions`."""
        decision = state.decision(seat)
        return [] if decision is None else self._answers[type(decision)].numbers(state, decision)

    def mask(self, state: State, seat: int, into: Buffer) -> None:
        """Write 1 at the number of each legal action and 0 elsewhere; `into` has `size` entries.

        Raises `InvalidInputError` for a buffer of another size, and if a legal action has no number of its own.
        """
        if len(into) != self.size:
            raise InvalidInputError(f"a mask of {self.rules} has {self.size} entries, not {len(into)}")
        cells = self._cleared(into)
        numbers = self.legal(state, seat)
        if not self.fixed:
            for number in numbers:
                if number >= self.size:
                    raise InvalidInputError(f"{self.action(state, seat, number)!r} has no number of its own")
        for number in numbers:
            cells[number] = 1

    def _cleared(self, into: Any) -> Any:
        """A buffer, all 0, as it is written to quickest: as bytes if it has that many, such as an array of truth values."""
        if isinstance(into, bytearray):
            into[:] = self._nothing
            return into
        try:
            cells = memoryview(into).cast("B")
        except (BufferError, TypeError, ValueError):  # not bytes one after the other
            cells = None
        if cells is not None and len(cells) == self.size:
            cells[:] = self._nothing
            return cells
        try:
            into[:] = 0
        except (TypeError, ValueError):  # no array: one by one
            for number in range(self.size):
                into[number] = 0
        return into

    def is_legal(self, state: State, seat: int, number: int) -> bool:
        """Whether the action with this number is legal now."""
        decision = state.decision(seat)
        if decision is None:
            return False
        answers = self._answers[type(decision)]
        if number == PASS:
            return answers.counts(state, decision)[1][answers.main] == 1
        owner = self._owner(answers, number)
        if owner is None:
            return False
        rule, code = owner.rule, owner.code(number)
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
        decision = self._decision(state, seat)
        if number == PASS:
            end_turn(Transaction(state), seat, passed=True)
            return
        answers = self._answers[type(decision)]
        owner = self._owner(answers, number)
        if owner is None:
            raise _no_action(number, decision)
        perform_code(Transaction(state), answers.offering, owner.which, decision, owner.code(number))

    def action(self, state: State, seat: int, number: int) -> Action:
        """The action that a number stands for."""
        if number == PASS:
            return Pass(seat)
        decision = self._decision(state, seat)
        owner = self._owner(self._answers[type(decision)], number)
        if owner is None:
            raise _no_action(number, decision)
        action: Action = owner.rule.action_of(state, decision, owner.code(number))
        return action

    def number(self, state: State, action: Action) -> int:
        """The number of a legal action. Raises `InvalidInputError` for one that has none in this position."""
        decision = self._decision(state, action.seat)
        problem: Exception | None = None
        for owner in self._answers[type(decision)].owners:
            rule = owner.rule
            unguarded = rule.rule if type(rule) is GuardedRule else rule
            if unguarded.action is type(action):
                try:
                    return owner.number(rule.code_of(state, decision, action))
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

    def _owner(self, answers: Answers, number: int) -> Owner | None:
        """The rule that a number belongs to, if it answers this decision."""
        owner: Owner | None = None
        if 0 <= number < self.size:
            owner = self._owners[number]
        elif number >= self.size and self._others:
            owner = self._others[(number - self.size) % len(self._others)]
        return owner if owner is not None and owner.answers is answers else None


def _no_action(number: int, decision: Decision) -> InvalidInputError:
    return InvalidInputError(f"no action with the number {number} answers {type(decision).__name__}")


def action_numbers(rules: Rules) -> ActionNumbers:
    """The numbers of the actions of a stack: made once for compiled rules.

    >>> from ttr_rules import compile_rules
    >>> action_numbers(compile_rules("nordic-countries")).fixed
    False
    """
    return rules.derived(ActionNumbers)
