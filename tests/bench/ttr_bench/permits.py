"""Permits: a seat without one cannot claim long routes, and may spend a turn on taking one.

An action rule and a condition on claims as a third party writes them, in plain Python, to measure what they cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ttr_rules import Action, Event, Refusal, Route, State, Turn
from ttr_rules.plugins import ActionRule, Part, Rules, Transaction, Variant, hookimpl, public

LONG = 5


class Permits(Part):
    """Whether each seat has a permit."""

    held: list[bool] = public(each=False, label="")


class TakePermit(Action):
    """Take a permit instead of doing anything else."""


class PermitTaken(Event):
    """A seat took a permit."""

    seat: int

    def apply(self, state: State) -> None:
        state.part(Permits).held[self.seat] = True


class TakePermitRule(ActionRule[Turn, TakePermit]):
    on, action = Turn, TakePermit

    def refusal(self, state: State, decision: Turn, action: TakePermit) -> Refusal | None:
        if not state.part(Permits).held[action.seat]:
            return None
        return Refusal("permits", f"seat {action.seat} has a permit already")

    def perform(self, tx: Transaction, decision: Turn, action: TakePermit) -> None:
        tx.emit(PermitTaken, action.seat)


class PermitsVariant(Variant, name="permits"):
    """Permits: routes of five spaces or more need a permit."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Permits,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (TakePermitRule(),)

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        if route.length < LONG or state.part(Permits).held[seat]:
            return None
        return Refusal("permits", f"{route.id} is long: seat {seat} needs a permit")

    @hookimpl
    def claim_key(self, state: State, seat: int) -> bool:
        return state.part(Permits).held[seat]
