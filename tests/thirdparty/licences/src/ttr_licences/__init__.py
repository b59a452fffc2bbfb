"""Licences: tunnels and ferries are closed to who has no licence; one may be bought before the action of a turn.

A licence costs two cards of one color, or whatever pays two spaces. Who has one may claim gray routes of four and more for one
space less, and takes another turn at once when it is bought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from ttr_rules import Action, Counts, Event, Refusal, Route, State, Turn, View
from ttr_rules.hints import BotHint, OpeningHint
from ttr_rules.model import Cost
from ttr_rules.plugins import ActionRule, PaidRule, Part, Rules, Transaction, Variant, hookimpl, public

COST = Cost("single", 2)


class Licences(Part):
    """Who has a licence."""

    held: list[bool] = public(each=False, label="Licences", key="licence", help="Whether this player has a licence.")


class BuyLicence(Action):
    """Buy a licence before the action of the turn."""

    message = "Buy a licence"
    payment: Counts


class LicenceBought(Event):
    """A seat bought a licence."""

    message = "{seat} buys a licence"
    seat: int

    def apply(self, state: State) -> None:
        state.part(Licences).held[self.seat] = True


class BuyLicenceRule(PaidRule[Turn, BuyLicence]):
    """One licence for each seat; the turn goes on."""

    free = True

    def every(self, rules: Rules) -> Iterable[tuple[tuple[()], Cost]]:
        return [((), COST)]

    def no_sale(self, state: State, seat: int, thing: tuple[()]) -> Refusal | None:
        return Refusal("licences", f"seat {seat} has a licence") if state.part(Licences).held[seat] else None

    def bought(self, tx: Transaction, seat: int, thing: tuple[()]) -> None:
        tx.emit(LicenceBought, seat)
        tx.grant_turn(seat)


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
        if state.part(Licences).held[seat] or not (route.tunnel or route.ferry_locomotives):
            return None
        return Refusal("licences", f"{route.id} is a tunnel or a ferry: seat {seat} needs a licence", lasting=False)

    @hookimpl
    def claim_key(self, state: State, seat: int) -> bool:
        return state.part(Licences).held[seat]

    @hookimpl
    def claim_cost(self, state: State, seat: int, route: Route, cost: Cost) -> Cost:
        plain = cost.color is None and cost.spaces >= 4 and not cost.tunnel and not cost.wilds
        return evolve(cost, spaces=cost.spaces - 1) if plain and state.part(Licences).held[seat] else cost

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (OpeningHint(BuyLicence, lacking, lambda action: "licence", lambda view, rules, name: COST),)
