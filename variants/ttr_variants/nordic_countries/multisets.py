"""Multisets out of a supply: how many there are of a size, which is the n-th, and all of them in order.

The numbers of multisets of every size are kept as one large whole number with some bits for each size, so that putting two
kinds together is one multiplication. Nothing is listed to be counted: a hand of forty cards is as quick as one of four.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property


class Pool:
    """A supply with at most `most[k]` of each kind k; `width` is a number of bits that any count of multisets fits in.

    Multisets are told by their size, and perhaps by what they must have: at least `least` of the kind `serving`, or
    of any one kind when `serving` is None.

    >>> pool = Pool((2, 1), width=16)
    >>> pool.count(2), list(pool.each(2))
    (2, [(1, 1), (2, 0)])
    >>> list(pool.each(2, least=2))
    [(2, 0)]
    """

    def __init__(self, most: Sequence[int], width: int) -> None:
        self.most = tuple(most)
        self.width = width
        self._mask = (1 << width) - 1
        self._without: dict[int, int] = {}
        self._short: dict[int, int] = {}

    def _one_kind(self, most: int) -> int:
        """One multiset of each size from none to `most`."""
        return ((1 << self.width * (most + 1)) - 1) // self._mask

    def _tails(self, most: Sequence[int]) -> list[int]:
        """The numbers for the kinds from each one on; for none of them there is one multiset, the empty one."""
        tails = [1]
        for count in reversed(most):
            tails.append(tails[-1] * self._one_kind(count))
        return tails[::-1]

    @cached_property
    def _full(self) -> list[int]:
        return self._tails(self.most)

    def _of_size(self, numbers: int, size: int) -> int:
        return numbers >> self.width * size & self._mask

    def _fewer(self, least: int, serving: int | None) -> list[int]:
        """The most there may be of each kind in a multiset that has not what it must have."""
        return [min(most, least - 1) if serving in (None, kind) else most for kind, most in enumerate(self.most)]

    def count(self, size: int, least: int = 0, serving: int | None = None) -> int:
        """How many multisets there are."""
        if least <= 0:
            return self._of_size(self._full[0], size)
        if size < least:
            return 0
        if serving is None:
            if least > max(self.most):
                return 0
            if least not in self._short:
                self._short[least] = self._tails(self._fewer(least, None))[0]
            return self._of_size(self._full[0], size) - self._of_size(self._short[least], size)
        spare = self.most[serving] - least
        if spare < 0:
            return 0
        if serving not in self._without:
            self._without[serving] = self._full[0] // self._one_kind(self.most[serving])
        return self._of_size(self._without[serving] * self._one_kind(spare), size - least)

    def nth(self, index: int, size: int, least: int = 0, serving: int | None = None) -> tuple[int, ...]:
        """The multiset with this index, in the order of `each`."""
        walk = _Walk(self, least, serving)
        served = least <= 0
        found: list[int] = []
        for kind in range(len(self.most)):
            for count, serves, ways in walk.steps(kind, size, served):
                if index < ways:
                    found.append(count)
                    size -= count
                    served = serves
                    break
                index -= ways
            else:
                raise IndexError("no such multiset")
        return tuple(found)

    def index(self, counts: Sequence[int], least: int = 0, serving: int | None = None) -> int:
        """Where a multiset stands in the order of `each`. Raises `ValueError` if it is none of them."""
        walk = _Walk(self, least, serving)
        size = sum(counts)
        served = least <= 0
        before = 0
        for kind, wanted in enumerate(counts):
            for count, serves, ways in walk.steps(kind, size, served):
                if count == wanted:
                    size -= count
                    served = serves
                    break
                before += ways
            else:
                raise ValueError("no such multiset")
        return before

    def each(self, size: int, least: int = 0, serving: int | None = None) -> Iterator[tuple[int, ...]]:
        """All multisets: few of the first kinds first."""
        walk = _Walk(self, least, serving)

        def after(chosen: tuple[int, ...], size: int, served: bool) -> Iterator[tuple[int, ...]]:
            if len(chosen) == len(self.most):
                yield chosen
                return
            for count, serves, _ in walk.steps(len(chosen), size, served):
                yield from after((*chosen, count), size - count, serves)

        return after((), size, least <= 0)

    def tails(self, least: int, serving: int | None) -> tuple[list[int], list[int]]:
        """The numbers from each kind on: of all multisets, and of those that have not what they must have."""
        short = self._tails(self._fewer(least, serving)) if least > 0 else [0] * (len(self.most) + 1)
        return self._full, short


class _Walk:
    """Kind by kind through the multisets that have what they must have."""

    def __init__(self, pool: Pool, least: int, serving: int | None) -> None:
        self.most, self.width = pool.most, pool.width
        self.mask = (1 << pool.width) - 1
        self.least, self.serving = least, serving
        self.full, self.short = pool.tails(least, serving)

    def steps(self, kind: int, size: int, served: bool) -> Iterator[tuple[int, bool, int]]:
        """How many of this kind there can be, whether that serves, and how many multisets go on so; only where some do."""
        for count in range(min(self.most[kind], size) + 1):
            shift = self.width * (size - count)
            ways = self.full[kind + 1] >> shift & self.mask
            serves = served or (count >= self.least and self.serving in (None, kind))
            if not serves:
                ways -= self.short[kind + 1] >> shift & self.mask
            if ways:
                yield count, serves, ways
