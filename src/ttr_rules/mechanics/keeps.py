"""The tickets that a seat may keep, as actions created when they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttr_rules.kernel.lazy_actions import LazyActions
from ttr_rules.model.decisions import KeepTickets


class Keeps(LazyActions[KeepTickets]):
    """The tickets that may be kept: subsets of those on offer, by index."""

    __slots__ = ("_offered", "_seat", "_subsets")

    def __init__(self, seat: int, offered: tuple[str, ...], subsets: Sequence[tuple[int, ...]]) -> None:
        super().__init__(len(subsets))
        self._seat = seat
        self._offered = offered
        self._subsets = subsets

    def nth(self, index: int) -> KeepTickets:
        offered = self._offered
        return KeepTickets(self._seat, [offered[number] for number in self._subsets[index]])

    def __iter__(self) -> Iterator[KeepTickets]:
        return map(self.nth, range(len(self)))
