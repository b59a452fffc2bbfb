"""Licences: tunnels and ferries are closed to who has no licence; one may be bought before the action of a turn.

A licence costs two cards of one colour, or whatever pays two spaces. Who has one may claim gray routes of four and more for one
space less, and takes another turn at once when it is bought.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from ttr_rules import Action, Counts, Event, Refusal, Route, State, Turn, View
from ttr_rules.model import Cost, to_counts
from ttr_rules.plugins import (
    ActionRule,
    BotHint,
    ClaimCondition,
    CostChange,
    Economy,
    GameData,
    KeyHelp,
    OpeningHint,
    PaidActions,
    Part,
    PartSpec,
    PlayerEntry,
    PluginInfo,
    Position,
    Report,
    Transaction,
    grant_turn,
    hookimpl,
    public,
)

info = PluginInfo("licences", "Licences", "Tunnels and ferries need a licence.")
COST = Cost("single", 2)


@define(eq=False)
class Licences(Part):
    """Who has a licence, and which routes are closed to the others: a mask, worked out once."""

    holders: list[int] = public(factory=list, label="Licences", seats=True)
    closed: int = public(default=0, label="")


def special(rules: GameData) -> int:
    """The mask of the tunnels and ferries of a board."""
    routes = rules.board.routes.values()
    return sum(1 << number for number, route in enumerate(routes) if route.tunnel or route.ferry_locomotives)


def start(rules: GameData, players: int) -> Part:
    return Licences(closed=rules.derived(special))


@frozen
class BuyLicence(Action):
    """Buy a licence before the action of the turn."""

    message = "Buy a licence"
    payment: Counts = field(converter=to_counts)


@frozen
class LicenceBought(Event):
    """A seat bought a licence."""

    message = "{seat} buys a licence"
    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.part(Licences).holders.append(seat)


class BuyLicenceRule(ActionRule[Turn, BuyLicence]):
    """One licence for each seat; the turn goes on."""

    on = Turn
    action = BuyLicence
    free = True

    def __init__(self, economy: Economy) -> None:
        self.economy = economy

    def offers(self, state: State, decision: Turn) -> Sequence[BuyLicence]:
        if decision.seat in state.part(Licences).holders:
            return ()
        return PaidActions(BuyLicence, decision.seat, [((), self.economy.payments(state, decision.seat, COST))])

    def perform(self, tx: Transaction, decision: Turn, action: BuyLicence) -> None:
        self.economy.pay(tx, action.seat, action.payment)
        tx.emit(LicenceBought, action.seat)
        grant_turn(tx, action.seat)


def refusal(state: State, seat: int, route: str) -> Refusal | None:
    part, number = state.part(Licences), state.rules.network.route_number[route]
    if seat in part.holders or not part.closed >> number & 1:
        return None
    return Refusal("licences", f"{route} is a tunnel or a ferry: seat {seat} needs a licence")


def closed(state: State, seat: int) -> int:
    part = state.part(Licences)
    return 0 if seat in part.holders else part.closed


def cheaper(state: State, seat: int, cost: Cost) -> Cost:
    plain = cost.color is None and cost.spaces >= 4 and not cost.tunnel and not cost.wilds
    return evolve(cost, spaces=cost.spaces - 1) if plain and seat in state.part(Licences).holders else cost


def arrange(tx: Transaction, position: Position, report: Report) -> None:
    for player in position.players:
        if _has(player, report):
            tx.emit(LicenceBought, player.seat)


def _has(player: PlayerEntry, report: Report) -> bool:
    value = player.raw.get("licence", False)
    if not isinstance(value, bool):
        report.add(f"{player.place}.licence", f"expected true or false, got {value!r}")
        return False
    return value


def lacking(view: View, rules: GameData, route: Route) -> tuple[str, ...]:
    return ("licence",) if route.tunnel or route.ferry_locomotives else ()


@hookimpl
def state_parts() -> Iterable[PartSpec]:
    help = KeyHelp("Whether this player has a licence.", "true")
    return (PartSpec(Licences, start, ("licence",), arrange, key_help={"licence": help}),)


@hookimpl
def action_rules(economy: Economy) -> Iterable[ActionRule[Any, Any]]:
    return (BuyLicenceRule(economy),)


@hookimpl
def event_types() -> Iterable[type[Event]]:
    return (LicenceBought,)


@hookimpl
def claim_conditions() -> Iterable[ClaimCondition]:
    return (ClaimCondition("licences", refusal, closed),)


@hookimpl
def cost_changes() -> Iterable[CostChange]:
    return (CostChange("licences", cheaper),)


@hookimpl
def bot_hints() -> Iterable[BotHint]:
    return (OpeningHint(BuyLicence, lacking, lambda action: "licence", lambda view, rules, name: COST),)
