"""Multisets out of a supply, counted without listing them: how many there are of a size, and which is the n-th.

The numbers of multisets of every size are one large whole number with some bits for each size, so that putting two kinds
together is one multiplication.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

#: What a multiset must have: so many of one kind at least, whichever kind that is. A kind with None does not serve.
#: None instead of all of them: nothing.
Needs: TypeAlias = tuple[int | None, ...] | None


class Pool:
    """A supply with at most `most[k]` of each kind k; `width` is a number of bits that any count of multisets fits in.

    >>> pool = Pool((2, 1), width=16)
    >>> pool.count(2), list(pool.each(2))
    (2, [(1, 1), (2, 0)])
    >>> list(pool.each(2, needs=(2, None)))
    [(2, 0)]
    """

    def __init__(self, most: Sequence[int], width: int) -> None:
        self.most = tuple(most)
        self.size = sum(self.most)
        self._width = width
        self._mask = (1 << width) - 1
        self._all = self._tails(self.most)
        self._lacking: dict[tuple[int | None, ...], list[int]] = {}

    def _tails(self, most: Sequence[int]) -> list[int]:
        """The numbers for the kinds from each one on; for none of them there is one multiset, the empty one."""
        tails = [1]
        for count in reversed(most):
            one_kind = ((1 << self._width * (count + 1)) - 1) // self._mask
            tails.append(tails[-1] * one_kind)
        return tails[::-1]

    def _without(self, needs: Needs) -> list[int]:
        """The numbers of the multisets that have nothing of what is needed."""
        if needs is None:
            return [0] * len(self._all)
        if needs not in self._lacking:
            caps = [most if need is None else min(most, need - 1) for most, need in zip(self.most, needs, strict=True)]
            self._lacking[needs] = self._tails(caps)
        return self._lacking[needs]

    def _of_size(self, numbers: int, size: int) -> int:
        return numbers >> self._width * size & self._mask if size >= 0 else 0

    def count(self, size: int, needs: Needs = None) -> int:
        """How many multisets there are."""
        return self._of_size(self._all[0], size) - self._of_size(self._without(needs)[0], size)

    def has(self, counts: Sequence[int], needs: Needs = None) -> bool:
        """Whether these counts are one of the multisets."""
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

    def each(self, size: int, needs: Needs = None) -> Iterator[tuple[int, ...]]:
        """All multisets: few of the first kinds first."""

        def after(chosen: tuple[int, ...], size: int, served: bool) -> Iterator[tuple[int, ...]]:
            if len(chosen) == len(self.most):
                yield chosen
                return
            for count, serves, _ in self._steps(len(chosen), size, served, needs):
                yield from after((*chosen, count), size - count, serves)

        return after((), size, needs is None)

    def _steps(self, kind: int, size: int, served: bool, needs: Needs) -> Iterator[tuple[int, bool, int]]:
        """How many of this kind there can be, whether that serves, and how many multisets go on so; only where some do."""
        need = None if needs is None else needs[kind]
        rest, lacking = self._all[kind + 1], self._without(needs)[kind + 1]
        for count in range(min(self.most[kind], size) + 1):
            serves = served or (need is not None and count >= need)
            ways = self._of_size(rest, size - count) - (0 if serves else self._of_size(lacking, size - count))
            if ways:
                yield count, serves, ways
