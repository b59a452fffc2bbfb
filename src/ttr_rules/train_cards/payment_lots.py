"""Payments as numbers."""

from __future__ import annotations

from typing import Any

from ttr_rules.model.cards import Counts

#: How many payments are kept as numbers.
LOTS_KEPT = 10_000


class Lots:
    """Payments as numbers: each kind of card with its count, color cards first, then locomotives.

    They are kept, for all games of a stack: the same few hundred occur again and again.
    """

    __slots__ = ("_known", "number")

    def __init__(self, number: dict[str, int]) -> None:
        self.number = number
        self._known: dict[Counts, list[tuple[int, int]]] = {}

    def __repr__(self) -> str:
        return "<Lots>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Lots, (self.number,)

    def of(self, payment: Counts) -> list[tuple[int, int]]:
        """A payment as numbers; not to be changed."""
        found = self._known.get(payment)
        if found is None:
            if len(self._known) >= LOTS_KEPT:
                self._known.clear()
            found = sorted([(self.number[name], count) for name, count in payment.items()])
            self._known[payment] = found
        return found
