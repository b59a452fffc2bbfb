"""Licences: tunnels and ferries are closed to who has no licence; one may be bought before the action of a turn.

A licence costs two cards of one color, or whatever pays two spaces. Who has one may claim gray routes of four and more for one
space less, and takes another turn at once when it is bought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from attrs import evolve

from ttr_rules import Action, Counts, Event, Refusal, Route, State, Turn, View
from ttr_rules.hints import BotHint, OpeningHint
from ttr_rules.model import Cost
from ttr_rules.parts import KeyHelp, PlayerEntry, Position, Report
from ttr_rules.plugins import ActionRule, PaidRule, Part, Rules, Transaction, Variant, hookimpl, public

COST = Cost("single", 2)


class Licences(Part):
    """Who has a licence."""

    player_keys = ("licence",)
    key_help: ClassVar[Mapping[str, KeyHelp]] = {"licence": KeyHelp("Whether this player has a licence.", "true")}

    holders: list[int] = public(label="Licences", seats=True)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        for player in position.players:
            if _has(player, report):
                tx.emit(LicenceBought, player.seat)


class BuyLicence(Action):
    """Buy a licence before the action of the turn."""

    message = "Buy a licence"
    payment: Counts


class LicenceBought(Event):
    """A seat bought a licence."""

    message = "{seat} buys a licence"
    seat: int

    def apply(self, state: State) -> None:
        state.part(Licences).holders.append(self.seat)


class BuyLicenceRule(PaidRule[Turn, BuyLicence]):
    """One licence for each seat; the turn goes on."""

    free = True

    def every(self, rules: Rules) -> Iterable[tuple[tuple[()], Cost]]:
        return [((), COST)]

    def no_sale(self, state: State, seat: int, thing: tuple[()]) -> Refusal | None:
        return Refusal("licences", f"seat {seat} has a licence") if seat in state.part(Licences).holders else None

    def bought(self, tx: Transaction, seat: int, thing: tuple[()]) -> None:
        tx.emit(LicenceBought, seat)
        tx.grant_turn(seat)


def _has(player: PlayerEntry, report: Report) -> bool:
    value = player.raw.get("licence", False)
    if not isinstance(value, bool):
        report.add(f"{player.place}.licence", f"expected true or false, got {value!r}")
        return False
    return value


def lacking(view: View, rules: Rules) -> Mapping[str, tuple[str, ...]]:
    routes = rules.board.routes
    return {id: ("licence",) for id in view.barred if routes[id].tunnel or routes[id].ferry_locomotives}


class LicencesVariant(Variant, name="licences"):
    """Licences: tunnels and ferries need a licence."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Licences,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (BuyLicenceRule(),)

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        if seat in state.part(Licences).holders or not (route.tunnel or route.ferry_locomotives):
            return None
        return Refusal("licences", f"{route.id} is a tunnel or a ferry: seat {seat} needs a licence")

    @hookimpl
    def claim_key(self, state: State, seat: int) -> bool:
        return seat in state.part(Licences).holders

    @hookimpl
    def claim_cost(self, state: State, seat: int, cost: Cost) -> Cost:
        plain = cost.color is None and cost.spaces >= 4 and not cost.tunnel and not cost.wilds
        return evolve(cost, spaces=cost.spaces - 1) if plain and seat in state.part(Licences).holders else cost

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (OpeningHint(BuyLicence, lacking, lambda action: "licence", lambda view, rules, name: COST),)
