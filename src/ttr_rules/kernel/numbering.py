"""Actions as numbers, which are the same in every game of a stack, and playing games by these numbers."""

from __future__ import annotations

from typing import Any, Protocol

from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.answers import Answers, answers_to, refusal
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.decisions import Action


class Buffer(Protocol):
    """A buffer for a mask: a `bytearray`, or a NumPy array of bytes or truth values."""

    def __len__(self) -> int: ...

    def __setitem__(self, index: int, value: int, /) -> None: ...


class ActionNumbers:
    """The numbers of the actions of a stack, from 0 to below `size`, the same for all seats.

    A number means the same action in every game: a route and a payment, a kind of card, the places of the tickets to
    keep among those on offer. 0 is a pass when nothing else is legal. The actions of rules without fixed numbers
    (`ActionRule.number_of_codes` is None) have numbers from `size` on, which are valid in one position only. `fixed` is
    true if the stack has none.

    Only `is_legal` checks its arguments.

    >>> import ttr_rules as ttr
    >>> rules = ttr.compile_rules("europe")
    >>> numbers = action_numbers(rules)
    >>> numbers.size, numbers.fixed
    (3794, True)
    >>> state = ttr.new_game(rules=rules, players=2, seed=1, first_seat=0).state
    >>> numbers.count(state, 0), numbers.nth(state, 0, 0), numbers.action(state, 0, numbers.nth(state, 0, 0))
    (11, 3717, KeepTickets(seat=0, tickets=('brest-venezia', 'kobenhavn-erzurum')))
    >>> for seat in (0, 1):
    ...     numbers.perform(state, seat, numbers.nth(state, seat, 0))
    >>> state.pending
    (Turn(seat=0),)
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.size = rules.action_numbers
        self.fixed = not rules.unnumbered
        self._nothing = bytearray(self.size)  # an empty mask

    def __repr__(self) -> str:
        return f"<ActionNumbers of {self.rules}: {self.size}>"

    def __reduce__(self) -> tuple[type[ActionNumbers], tuple[Rules]]:
        return ActionNumbers, (self.rules,)  # compiled code cannot create it without its rules

    def count(self, state: State, seat: int) -> int:
        """The number of legal actions of a seat, 0 if it has nothing to decide."""
        answers = answers_to(state, seat)
        return 0 if answers is None else answers.counts(state, seat)[-1]

    def nth(self, state: State, seat: int, index: int) -> int:
        """The number of a legal action, by its index in `Game.legal_actions`."""
        answers = _require_answers(state, seat)
        counts = answers.counts(state, seat)
        if not 0 <= index < counts[-1]:
            raise IndexError(f"seat {seat} has no legal action with the index {index}")
        return answers.number_at(state, seat, counts, index)

    def pick(self, state: State, seat: int, fraction: float) -> int:
        """The number of the legal action at a fraction of the sequence of all of them, from 0 to below 1.

        `pick(state, seat, random())` picks one at random. It is quicker than `nth` with a random index below `count`, as
        the actions are counted once. Raises `IndexError` for any other fraction.

        >>> import ttr_rules as ttr
        >>> from random import Random
        >>> state, random = ttr.new_game("europe", players=2, seed=1).state, Random(1).random
        >>> numbers = action_numbers(ttr.compile_rules("europe"))
        >>> while state.pending:
        ...     seat = state.pending[0].seat
        ...     numbers.perform(state, seat, numbers.pick(state, seat, random()))
        >>> state.scores
        [50, 52]
        """
        answers = _require_answers(state, seat)
        counts = answers.counts(state, seat)
        total = counts[-1]
        if not (0 <= fraction < 1 and total):
            raise IndexError(f"seat {seat} has {total} legal actions, none of them at the fraction {fraction}")
        return answers.number_at(state, seat, counts, int(fraction * total))

    def legal(self, state: State, seat: int) -> list[int]:
        """The numbers of all legal actions, in the order of `Game.legal_actions`."""
        answers = answers_to(state, seat)
        return [] if answers is None else answers.numbers(state, seat)

    def mask(self, state: State, seat: int, into: Buffer) -> None:
        """Write 1 at the number of each legal action and 0 elsewhere. `into` has `size` entries.

        Raises `InvalidInputError` for a buffer of another size, and if a legal action has no number of its own.
        """
        if len(into) != self.size:
            raise InvalidInputError(f"a mask of {self.rules} has {self.size} entries, not {len(into)}")
        numbers = self.legal(state, seat)
        if not self.fixed:
            for number in numbers:
                if number >= self.size:
                    raise InvalidInputError(f"{self.action(state, seat, number)!r} has no number of its own")
        cells: Any = into
        try:
            cells[:] = self._nothing
        except (TypeError, ValueError):  # a buffer without slices of bytes
            for number in range(self.size):
                cells[number] = 0
        for number in numbers:
            cells[number] = 1

    def is_legal(self, state: State, seat: int, number: int) -> bool:
        """True if the action with this number is legal now."""
        answers = answers_to(state, seat)
        if answers is None:
            return False
        try:
            entry, code = answers.decode(number)
            rule = entry.rule
            action: Action = rule.action_of(state, seat, code)
        except (LookupError, ValueError):  # there is no action with this code now
            return False
        return refusal(state, action) is None and rule.code_of(state, seat, action) == code

    def perform(self, state: State, seat: int, number: int) -> None:
        """Play the legal action with this number on a state, in place. No event is created.

        Legality is not checked. Raises `InvalidInputError` for a number that no action of this decision has.
        """
        entry, code = _require_answers(state, seat).decode(number)
        entry.perform(Transaction(state), seat, code)

    def action(self, state: State, seat: int, number: int) -> Action:
        """The action that a number stands for."""
        entry, code = _require_answers(state, seat).decode(number)
        return entry.action(state, seat, code)

    def number(self, state: State, action: Action) -> int:
        """The number of a legal action. Raises `InvalidInputError` for one that has none in this position."""
        answers = _require_answers(state, action.seat)
        try:
            entry = answers.entry_of[type(action)]
            return entry.number(entry.rule.code_of(state, action.seat, action))
        except (LookupError, TypeError, ValueError) as problem:
            raise InvalidInputError(
                f"{action!r} has no number: it does not answer {answers.kind.__name__}"
            ) from problem


def _require_answers(state: State, seat: int) -> Answers:
    answers = answers_to(state, seat)
    if answers is None:
        raise InvalidInputError(f"seat {seat} has nothing to decide")
    return answers


def action_numbers(rules: Rules) -> ActionNumbers:
    """The numbers of the actions of a stack, created once for its rules.

    >>> from ttr_rules import compile_rules
    >>> action_numbers(compile_rules("nordic-countries")).fixed
    False
    """
    return rules.derived(ActionNumbers)
