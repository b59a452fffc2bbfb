"""All legal actions of a seat, as one sequence."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ttr_rules.kernel.lazy_actions import LazyActions, sampled
from ttr_rules.model.actions import Action


class Choices(LazyActions[Action]):
    """All legal actions of a seat: what the rules of the pending decision offer, one after the other.

    `picked` is the action that was read last: whoever plays that one need not have it checked.
    """

    __slots__ = ("_ends", "_groups", "picked")

    def __init__(self, groups: Sequence[Sequence[Action]], ends: Sequence[int]) -> None:
        self._size = ends[-1]
        self._ends = ends
        self._groups = groups
        self.picked: Action | None = None

    def nth(self, index: int) -> Action:
        which = bisect_right(self._ends, index)
        if which == len(self._ends):
            raise IndexError("no such legal action")
        self.picked = action = self._groups[which][index - self._ends[which - 1] if which else index]
        return action

    def __iter__(self) -> Iterator[Action]:
        for group in self._groups:
            yield from group

    def __contains__(self, action: object) -> bool:
        return any(action in group for group in self._groups)

    def sample(self, most: int = 100) -> Iterator[Action]:
        for group in self._groups:
            yield from sampled(group, most)

    @property
    def groups(self) -> Sequence[Sequence[Action]]:
        """What each rule offers: at least one action, all of one type."""
        return self._groups

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Choices) and self._ends == other._ends:
            pairs = zip(self._groups, other._groups, strict=True)
            return all(mine is theirs or mine == theirs for mine, theirs in pairs)
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]
