"""The action space of a stack: every action that has a number of its own, then slots for those that have none."""

from __future__ import annotations

from typing import Self

from ttr_rules import Rules, State
from ttr_rules.engine import ActionNumbers, Answers, action_numbers
from ttr_rules.errors import InvalidInputError
from ttr_rules.text import brief

#: How many slots a stack has whose actions are not all numbered.
SLOTS = 512
#: Up to so many legal actions are listed one by one; of more, only those that are in slots are looked at.
LISTED = 4096


class Choices:
    """The actions of a stack as the numbers 0 to `size` - 1, the same for all seats.

    Below `numbers.size` a number means the same action in every game; see `meaning`. If the stack has actions that
    cannot be numbered once and for all (`fixed` is False), `slots` more numbers follow. They stand for those actions
    as far as they are legal, in the order of `Game.legal_actions`, so what they mean depends on the position. Where
    more are legal than there are slots, the slots have a selection that is spread evenly over that order: with `n`
    of them, slot `k` has the one with the index `k * n // slots`.

    Raises `InvalidInputError` for a number of slots that is not a whole number of at least 1.

    >>> import ttr_rules as ttr
    >>> choices = Choices(ttr.compile_rules("london"))
    >>> choices.size, choices.slots, choices.fixed
    (499, 0, True)
    >>> state = ttr.new_game("london", players=2, seed=1).state
    >>> choices.legal(state, 0)
    {432: 432, 433: 433, 434: 434}
    >>> Choices(ttr.compile_rules("london", "dice")).slots
    512
    """

    def __init__(self, rules: Rules, slots: int = SLOTS) -> None:
        if type(slots) is not int or slots < 1:
            raise InvalidInputError(f"the number of slots is a whole number of at least 1, not {brief(slots)}")
        self.rules = rules
        self.numbers: ActionNumbers = action_numbers(rules)
        self.fixed: bool = self.numbers.fixed
        self.slots = 0 if self.fixed else slots
        self.size: int = self.numbers.size + self.slots

    def __repr__(self) -> str:
        return f"<Choices of {self.rules}: {self.numbers.size} numbers, {self.slots} slots>"

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self  # they never change

    def legal(self, state: State, seat: int) -> dict[int, int]:
        """The legal actions of a seat: for each its number here, and what `numbers` calls it now.

        Empty for a seat that has nothing to decide.
        """
        if self.fixed:
            return {number: number for number in self.numbers.legal(state, seat)}
        own: list[int]
        if self.numbers.count(state, seat) <= LISTED:
            legal = self.numbers.legal(state, seat)
            own = [number for number in legal if number < self.numbers.size]
            others = [number for number in legal if number >= self.numbers.size]
            return self._with_slots(own, [others[index] for index in spread(len(others), self.slots)])
        numbered, unnumbered = self._indices(state, seat)
        own = [self.numbers.nth(state, seat, index) for block in numbered for index in block]
        return self._with_slots(own, self._selected(state, seat, unnumbered))

    def _with_slots(self, own: list[int], others: list[int]) -> dict[int, int]:
        return {**{number: number for number in own}, **dict(enumerate(others, start=self.numbers.size))}

    def _indices(self, state: State, seat: int) -> tuple[list[range], list[range]]:
        """The indices of the legal actions with a number of their own, rule by rule, and of those without."""
        answers: Answers = self.rules.answers[type(state.asked_of(seat))]
        *counts, passing = answers.counts(state, seat)
        numbered, unnumbered, first = list[range](), list[range](), 0
        for which, (rule, count) in enumerate(zip(answers.rules, counts, strict=True)):
            if which == answers.main and passing:  # there is nothing but free actions: passing comes first
                numbered.append(range(1))
                first = 1
            (unnumbered if rule.number_of_codes(self.rules) is None else numbered).append(range(first, first + count))
            first += count
        return numbered, unnumbered

    def _selected(self, state: State, seat: int, blocks: list[range]) -> list[int]:
        """What is in the slots, of some blocks of indices."""
        found = list[int]()
        start, wanted = 0, spread(sum(map(len, blocks)), self.slots)
        for block in blocks:
            end = start + len(block)
            found += [self.numbers.nth(state, seat, block[index - start]) for index in wanted if start <= index < end]
            start = end
        return found


def spread(count: int, slots: int) -> list[int]:
    """Which of so many things are in slots: all, or as many as there are slots, spread evenly.

    >>> spread(3, 5), spread(10, 5)
    ([0, 1, 2], [0, 2, 4, 6, 8])
    """
    return list(range(count)) if count <= slots else [slot * count // slots for slot in range(slots)]
