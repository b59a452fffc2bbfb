"""Permits: a seat without one cannot claim long routes, and may spend a turn on taking one.

An action rule and a condition on claims as a third party writes them, in plain Python, to measure what they cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, frozen

from ttr_rules import Action, Event, Refusal, State, Turn
from ttr_rules.plugins import (
    ActionRule,
    ClaimCondition,
    GameData,
    Part,
    PartSpec,
    PluginInfo,
    SingleActionRule,
    Transaction,
    end_turn,
    hookimpl,
    public,
)

info = PluginInfo("permits", "Permits", "Routes of five spaces or more need a permit.")
LONG = 5


@define(eq=False)
class Permits(Part):
    """For each seat, the mask of the long routes that are closed to it: 0 once it has a permit."""

    closed: list[int] = public(factory=list, label="")


@frozen
class TakePermit(Action):
    """Take a permit instead of doing anything else."""


@frozen
class PermitTaken(Event):
    """A seat took a permit."""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.part(Permits).closed[seat] = 0


class TakePermitRule(SingleActionRule[Turn, TakePermit]):
    on, action = Turn, TakePermit

    def refusal(self, state: State, decision: Turn, action: TakePermit) -> Refusal | None:
        if state.part(Permits).closed[action.seat]:
            return None
        return Refusal("permits", f"seat {action.seat} has a permit already")

    def perform(self, tx: Transaction, decision: Turn, action: TakePermit) -> None:
        tx.emit(PermitTaken, action.seat)
        end_turn(tx, action.seat)


def long_routes(rules: GameData) -> int:
    return sum(1 << number for number, route in enumerate(rules.board.routes.values()) if route.length >= LONG)


def closed(state: State, seat: int) -> int:
    return state.part(Permits).closed[seat]


def refusal(state: State, seat: int, route: str) -> Refusal | None:
    if closed(state, seat) >> state.rules.network.route_number[route] & 1:
        return Refusal("permits", f"{route} is long: seat {seat} needs a permit")
    return None


@hookimpl
def state_parts() -> Iterable[PartSpec]:
    return (PartSpec(Permits, lambda rules, players: Permits([rules.derived(long_routes)] * players)),)


@hookimpl
def action_rules() -> Iterable[ActionRule[Any, Any]]:
    return (TakePermitRule(),)


@hookimpl
def event_types() -> Iterable[type[Event]]:
    return (PermitTaken,)


@hookimpl
def claim_conditions() -> Iterable[ClaimCondition]:
    return (ClaimCondition("permits", refusal, closed),)
