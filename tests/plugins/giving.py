"""A choice whose worth misleads bots, in a module of its own: what a module of a plugin defines belongs to its stack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ttr_rules import Rules, State, View
from ttr_rules.plugins import Choice, Question, ScoringTerm, Transaction, Variant, hookimpl, points_in_play


class Gift(Choice[int]):
    """Points to give away, of which bots are told that they gain them."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return range(5)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.score(self.seat, -option, "gifts")

    def worth(self, view: View, rules: Rules, option: int) -> float:
        return option


class Giving(Variant, name="giving"):
    """Every turn begins with a gift."""

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Question:
        return Gift(seat)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("gifts", "Gifts"),)
