"""Chance for sampling: the same seed deals the same on every Python version and platform."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ttr_rules.model.chance import SeededChance
from ttr_rules.text import brief

T = TypeVar("T")


class Dealer:
    """Shuffles, and draws numbers, from a seed; independent of any game's own chance.

    >>> dealer = Dealer(7)
    >>> sorted(dealer.shuffled("abc")), 0 <= dealer.below(10**30) < 10**30
    (['a', 'b', 'c'], True)
    """

    def __init__(self, seed: int | str) -> None:
        self._seed = seed
        self._chance = SeededChance(f"dealt anew: {seed!r}")
        self._calls = 0

    def __repr__(self) -> str:
        return f"<Dealer {brief(self._seed)}: used {self._calls} times>"

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in random order, each equally likely."""
        self._calls += 1
        return self._chance.shuffled(self._calls, items)

    def below(self, limit: int) -> int:
        """A whole number from 0 to below `limit`, each equally likely."""
        bits = limit.bit_length() + 64  # enough extra bits to make the bias of the remainder negligible
        faces = range(2**32)
        number = 0
        for _ in range(bits // 32 + 1):
            self._calls += 1
            number = number << 32 | self._chance.roll(self._calls, faces)
        return number % limit
