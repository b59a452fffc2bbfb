"""Multisets drawn from a supply: counting them by size, and picking one kind by kind.

They are counted for all sizes at once without listing any, so a hand of forty cards is as fast as one of four.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import TypeAlias

from ttr_rules._internal.native import i64
from ttr_rules.model.chance import Dealer

#: A requirement for a multiset: at least this many of one of the kinds. A kind with None does not qualify.
#: None in place of the tuple stands for no requirement.
Needs: TypeAlias = tuple[int | None, ...] | None
#: A position while choosing kind by kind: the kinds passed, the cards still to choose, and their requirement.
Place: TypeAlias = tuple[int, int, Needs]


def hand_with(cards: Sequence[int], least: Sequence[int], size: int, dealer: Dealer) -> list[int] | None:
    """A random hand of `size` cards with at least `least[k]` of each kind k, by kind, or None if there is none.

    There are `cards[k]` of each kind. Every hand of different cards is equally likely.

    >>> hand_with((3, 3, 3), (2, 0, 1), 3, Dealer(1)), hand_with((3, 3), (2, 2), 3, Dealer(1))
    ([2, 0, 1], None)
    """
    # For each kind: the number of hands of each size of the kinds from this one on.
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

    Multisets are selected by size, and optionally by a requirement: `needs` holds, for each kind, how many of it are
    enough, or None for a kind that does not qualify. Enough of one kind is sufficient.

    >>> pool = Pool((2, 1))
    >>> pool.count(2), pool.count(2, needs=(2, None))
    (2, 1)
    >>> pool.steps(pool.start(2))  # none or one of the second kind, with two or one of the first
    [(1, (1, 1, None), 1), (2, (1, 0, None), 1)]
    """

    def __init__(self, most: Sequence[int]) -> None:
        self.most = tuple(most)
        self.size = sum(self.most)
        self._all = _tails(self.most)
        self._lacking: dict[tuple[int | None, ...], list[list[int]]] = {}
        self._sums: dict[int, list[int]] = {}

    def __repr__(self) -> str:
        return f"Pool({self.most!r})"

    def count(self, size: i64, needs: Needs = None) -> i64:
        """The number of multisets."""
        if size < 0 or size > self.size:
            return 0
        number: i64 = self._all[0][size]
        if needs is not None:
            lacking = self._count_lacking(needs)[0]
            if size < len(lacking):
                number -= lacking[size]
        return number

    def count_with(self, size: i64, held: i64, needed: i64) -> i64:
        """The number of multisets with at least `needed` of a kind of which the supply has `held`.

        With a `held` of -1, any kind serves.

        >>> pool = Pool((2, 1))
        >>> pool.count_with(2, -1, 0), pool.count_with(2, -1, 2), pool.count_with(2, 1, 1)
        (2, 1, 1)
        """
        if needed <= 0 or held < 0:
            return self.count(size, (int(needed),) * len(self.most) if needed > 0 else None)
        if held < needed or size < needed or size > self.size:
            return 0
        # With n of this kind there are as many as multisets of `size - n` of the others. They are added up from the sums.
        sums = self._others_up_to(held)
        total: i64 = sums[size - needed]
        if size > held:
            total -= sums[size - held - 1]
        return total

    def _others_up_to(self, held: i64) -> list[int]:
        """The numbers of multisets of at most each size, without one kind of which the supply has `held`."""
        sums = self._sums.get(held)
        if sums is None:
            sums = list[int]()
            # All multisets of a size have 0 to `held` of the kind: they are the difference of two of these sums.
            for size, every in enumerate(self._all[0]):
                sums.append(every + (sums[size - held - 1] if size > held else 0))
            self._sums[held] = sums  # only when complete, as other threads may read it
        return sums

    def _count_lacking(self, needs: tuple[int | None, ...]) -> list[list[int]]:
        """The numbers of multisets that do not meet a requirement, in the form of `_all`."""
        lacking = self._lacking.get(needs)
        if lacking is None:
            caps = [most if need is None else min(most, need - 1) for most, need in zip(self.most, needs, strict=True)]
            lacking = self._lacking[needs] = _tails(caps)
        return lacking

    # -- kind by kind ----------------------------------------------------------------------------------------

    def start(self, size: int, needs: Needs = None) -> Place:
        """The place before the first kind."""
        return 0, size, needs

    def steps(self, place: Place) -> list[tuple[int, Place, int]]:
        """Each possible number of the next kind, the place that it leads to, and the number of multisets from there."""
        kind, size, needs = place
        if size == 0 and needs is None:  # a shortcut: nothing more is chosen
            return [(0, (kind + 1, 0, None), 1)]
        rest = self._all[kind + 1]
        lacking = [] if needs is None else self._count_lacking(needs)[kind + 1]
        steps: list[tuple[int, Place, int]] = []
        for count in range(min(self.most[kind], size) + 1):
            need = None if needs is None else needs[kind]
            left = size - count
            ways = rest[left] if left < len(rest) else 0
            serves = needs is None or (need is not None and count >= need)
            if not serves and left < len(lacking):
                ways -= lacking[left]
            if ways:
                steps.append((count, (kind + 1, left, None if serves else needs), ways))
        return steps


def _tails(most: Sequence[int]) -> list[list[int]]:
    """For each kind, the numbers of multisets of each size of the kinds from this one on."""
    tails = [[1]]
    for count in reversed(most):
        tails.append(_with_kind(tails[-1], count))
    return tails[::-1]


def _with_kind(numbers: list[int], most: i64) -> list[int]:
    """The numbers of multisets of each size with one more kind, as moving sums."""
    sums = [0] * (len(numbers) + most)
    total: i64 = 0
    for size in range(len(sums)):
        if size < len(numbers):
            total += numbers[size]
        if size > most:
            total -= numbers[size - most - 1]
        sums[size] = total
    return sums
