"""What answers one type of decision, looked up at every step of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ttr_rules.errors import PluginError
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.extensions import FollowUp, Guard
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.actions import Action
from ttr_rules.model.decisions import Decision, Turn


class Offering:
    """The rules that answer one type of decision, those of free actions last, `free` of them.

    Rules whose actions are restricted by guards stand in a `GuardedRule`. `follow_ups` has those of each rule; with
    `passes`, a seat for which there is no action but free ones may pass (R4).
    """

    __slots__ = ("follow_ups", "free", "passes", "rules")

    def __init__(
        self, rules: list[ActionRule[Any, Any]], free: int, follow_ups: list[tuple[FollowUp, ...]], passes: bool
    ) -> None:
        self.rules = rules
        self.free = free
        self.follow_ups = follow_ups
        self.passes = passes

    def __repr__(self) -> str:
        return f"<Offering of {self.rules}>"

    def must_pass(self, counts: Sequence[int], decision: Decision) -> bool:
        """Whether nothing but free actions is legal, so that the seat passes (R4); `counts` are those of the rules.

        Raises `PluginError` for a decision that cannot be passed.
        """
        if any(counts[: len(counts) - self.free]):
            return False
        if not self.passes:
            raise PluginError(f"{type(decision).__name__} leaves seat {decision.seat} without any legal answer")
        return True


class GuardedRule(ActionRule[Any, Any]):
    """A rule whose actions are restricted by guards."""

    def __init__(self, rule: ActionRule[Any, Any], guards: Sequence[Guard]) -> None:
        self.rule = rule
        self.guards = guards

    def __repr__(self) -> str:
        return f"{self.rule!r}, guarded"

    def offers(self, state: State, decision: Any) -> Sequence[Any]:
        guards = self.guards
        return [
            action
            for action in self.rule.offers(state, decision)
            if all(guard.refusal(state, decision, action) is None for guard in guards)
        ]

    def perform(self, tx: Transaction, decision: Any, action: Any) -> None:
        self.rule.perform(tx, decision, action)

    # The numbers of the actions are those of the rule itself.

    def number_of_codes(self, rules: Any) -> int | None:
        return self.rule.number_of_codes(rules)

    def nth(self, state: State, decision: Any, index: int) -> int:
        return self.rule.code_of(state, decision, self.offers(state, decision)[index])

    def codes(self, state: State, decision: Any) -> Sequence[int]:
        return [self.rule.code_of(state, decision, action) for action in self.offers(state, decision)]

    def action_of(self, state: State, decision: Any, code: int) -> Any:
        return self.rule.action_of(state, decision, code)

    def code_of(self, state: State, decision: Any, action: Any) -> int:
        return self.rule.code_of(state, decision, action)

    def perform_code(self, tx: Transaction, decision: Any, code: int) -> None:
        self.rule.perform_code(tx, decision, code)


def guarded(rule: ActionRule[Any, Any], guards: Mapping[type[Action], tuple[Guard, ...]]) -> ActionRule[Any, Any]:
    """A rule with the guards of its actions, if there are any."""
    here = guards.get(rule.action)
    return GuardedRule(rule, here) if here else rule


def offering_of(
    kind: type[Decision],
    rules: Iterable[ActionRule[Any, Any]],
    guards: Mapping[type[Action], tuple[Guard, ...]],
    follow_ups: Mapping[type[Action], tuple[FollowUp, ...]],
) -> Offering:
    """What answers a type of decision."""
    ordered = sorted(rules, key=lambda rule: rule.free)
    return Offering(
        [guarded(rule, guards) for rule in ordered],
        len([rule for rule in ordered if rule.free]),
        [follow_ups.get(rule.action, ()) for rule in ordered],
        kind is Turn,
    )
