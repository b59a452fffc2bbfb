"""Multisets drawn from a supply: their number by size, the n-th one, and all of them in order.

They are counted kind by kind for all sizes, without listing any: a hand of forty cards is as fast as one of four.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import TypeAlias

from ttr_rules._internal.native import i64
from ttr_rules.model.chance import Dealer

#: The requirement for a multiset: at least this many of one kind or another. A kind with None does not qualify.
#: None in place of the tuple sets no requirement.
Needs: TypeAlias = tuple[int | None, ...] | None


def hand_with(cards: Sequence[int], least: Sequence[int], size: int, dealer: Dealer) -> list[int] | None:
    """How many cards of each kind are in a random hand of `size` that has at least `least[k]` of each kind k.

    There are `cards[k]` of each kind; every hand of different cards is equally likely. None if there is no such hand.

    >>> hand_with((3, 3, 3), (2, 0, 1), 3, Dealer(1)), hand_with((3, 3), (2, 2), 3, Dealer(1))
    ([2, 0, 1], None)
    """
    # For the kinds from each on: the number of hands of each size.
    tails: list[list[int]] = [[1] + [0] * size]
    for count, low in reversed(list(zip(cards, least, strict=True))):
        tail = tails[-1]
        tails.append(
            [
                sum([comb(count, here) * tail[total - here] for here in range(low, min(count, total) + 1)])
                for total in range(size + 1)
            ]
        )
    if not tails[-1][size]:
        return None
    hand: list[int] = []
    for kind, count in enumerate(cards):
        tail = tails[-2 - kind]
        number = dealer.below(tails[-1 - kind][size])
        here = least[kind]
        while number >= (ways := comb(count, here) * tail[size - here]):
            number -= ways
            here += 1
        hand.append(here)
        size -= here
    return hand


class Pool:
    """A supply with at most `most[k]` of each kind k.

    Multisets are selected by size, and perhaps by what they must have: `needs` holds, for each kind, how many of it are
    enough, or None for a kind that does not qualify; having enough of one kind is sufficient.

    >>> pool = Pool((2, 1))
    >>> pool.count(2), list(pool.each(2))
    (2, [(1, 1), (2, 0)])
    >>> list(pool.each(2, needs=(2, None)))
    [(2, 0)]
    """

    def __init__(self, most: Sequence[int]) -> None:
        self.most = tuple(most)
        self.size = sum(self.most)
        self._all = _tails(self.most)
        self._lacking: dict[tuple[int | None, ...], list[list[int]]] = {}

    def __repr__(self) -> str:
        return f"Pool({self.most!r})"

    def _without(self, needs: Needs) -> list[list[int]]:
        """The numbers of the multisets that do not meet the requirement, in the shape of `_all`."""
        if needs is None:
            return [[]] * len(self._all)
        if needs not in self._lacking:
            caps = [most if need is None else min(most, need - 1) for most, need in zip(self.most, needs, strict=True)]
            self._lacking[needs] = _tails(caps)
        return self._lacking[needs]

    def count(self, size: int, needs: Needs = None) -> int:
        """The number of multisets."""
        if not self.could(needs):
            return 0
        return _of_size(self._all[0], size) - _of_size(self._without(needs)[0], size)

    def could(self, needs: Needs) -> bool:
        """True if the supply can meet the requirement."""
        return needs is None or any(
            need is not None and need <= most for need, most in zip(needs, self.most, strict=True)
        )

    def has(self, counts: Sequence[int], needs: Needs = None) -> bool:
        """True if these counts are one of the multisets."""
        if any(not 0 <= count <= most for count, most in zip(counts, self.most, strict=True)):
            return False
        return needs is None or any(
            need is not None and count >= need for count, need in zip(counts, needs, strict=True)
        )

    def nth(self, index: int, size: int, needs: Needs = None) -> tuple[int, ...]:
        """The multiset with this index, in the order of `each`."""
        found: list[int] = []
        served = needs is None
        for kind in range(len(self.most)):
            for count, serves, ways in self._steps(kind, size, served, needs):
                if index < ways:
                    found.append(count)
                    size -= count
                    served = serves
                    break
                index -= ways
            else:
                raise IndexError("no such multiset")
        return tuple(found)

    def index(self, counts: Sequence[int], needs: Needs = None) -> int:
        """The index of a multiset in the order of `each`. Raises `ValueError` if it is none of them."""
        if not self.has(counts, needs):
            raise ValueError("no such multiset")
        size, served, before = sum(counts), needs is None, 0
        for kind, wanted in enumerate(counts):
            for count, serves, ways in self._steps(kind, size, served, needs):
                if count == wanted:
                    size -= count
                    served = serves
                    break
                before += ways
        return before

    def each(self, size: int, needs: Needs = None) -> Iterator[tuple[int, ...]]:
        """All multisets: few of the first kinds first."""
        kinds = len(self.most)
        todo: list[tuple[tuple[int, ...], int, bool]] = [((), size, needs is None)]
        while todo:
            chosen, left, served = todo.pop()
            if len(chosen) == kinds or (served and not left):
                yield chosen + (0,) * (kinds - len(chosen))
            else:
                for count, serves, _ in reversed(self._steps(len(chosen), left, served, needs)):
                    todo.append(((*chosen, count), left - count, serves))

    def _steps(self, kind: int, size: int, served: bool, needs: Needs) -> list[tuple[int, bool, int]]:
        """Each possible count of this kind, whether it qualifies, and how many multisets continue from it, if any."""
        need = None if needs is None else needs[kind]
        rest = self._all[kind + 1]
        lacking = [] if served else self._without(needs)[kind + 1]
        sizes, lacking_sizes = len(rest), len(lacking)
        steps: list[tuple[int, bool, int]] = []
        for count in range(min(self.most[kind], size) + 1):
            serves = served or (need is not None and count >= need)
            left = size - count
            ways = rest[left] if left < sizes else 0
            if not serves and left < lacking_sizes:
                ways -= lacking[left]
            if ways:
                steps.append((count, serves, ways))
        return steps


class Shape:
    """Counts the multisets of each size in a hand, whatever the names of its kinds: `held` has the number of each.

    With `needed`, only those with at least that many cards of one kind count: a kind with `held` cards, or any kind for -1.
    `ways` has room for what users of the shape have counted with it.

    >>> shape = Shape((2, 1))
    >>> shape.count(2, -1, 0), shape.count(2, -1, 2), shape.count(2, 1, 1)
    (2, 1, 1)
    """

    def __init__(self, held: tuple[int, ...]) -> None:
        self.held = held
        self.ways: dict[int, int] = {}
        self._all = _tails(held)[0]
        self._before: dict[int, list[int]] = {}  # by how many of one kind: smaller multisets without it, by size
        self._fewer: dict[int, list[int]] = {}  # those with fewer than so many of each kind

    def count(self, size: i64, held: i64, needed: i64) -> i64:
        """The number of multisets of a size."""
        if size < 0 or size >= len(self._all):
            return 0
        if needed <= 0:
            return self._all[size]
        if held >= 0:
            if held < needed or size < needed:
                return 0
            before = self._before.get(held)
            if before is None:
                before = self._before[held] = []
                for number, every in enumerate(self._all):
                    before.append(every + (before[number - held - 1] if number > held else 0))
            found: i64 = before[size - needed]
            if size > held:
                found -= before[size - held - 1]
            return found
        fewer = self._fewer.get(needed)
        if fewer is None:
            fewer = self._fewer[needed] = _tails([min(count, needed - 1) for count in self.held])[0]
        all_of_size: i64 = self._all[size]
        return all_of_size - fewer[size] if size < len(fewer) else all_of_size


def _tails(most: Sequence[int]) -> list[list[int]]:
    """The numbers of multisets of each size, from each kind on; without kinds there is one, the empty one."""
    tails = [[1]]
    for count in reversed(most):
        tails.append(_with_kind(tails[-1], count))
    return tails[::-1]


def _with_kind(numbers: list[int], most: i64) -> list[int]:
    """The numbers of multisets of each size with one more kind: a sum over the last few sizes before it."""
    found = [0] * (len(numbers) + most)
    total: i64 = 0
    for size in range(len(found)):
        if size < len(numbers):
            total += numbers[size]
        if size > most:
            total -= numbers[size - most - 1]
        found[size] = total
    return found


def _of_size(numbers: list[int], size: i64) -> i64:
    return numbers[size] if 0 <= size < len(numbers) else 0
