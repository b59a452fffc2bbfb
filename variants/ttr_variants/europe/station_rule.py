"""Stations by the rules: what is offered and refused, the numbers of all stations, and what they lend (B1–B5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from ttr_rules import Refusal, State, Turn
from ttr_rules.actions import i64
from ttr_rules.language import Message, Seat, join_commas
from ttr_rules.model import Cost
from ttr_rules.plugins import ActionRule, PaidRule, Question, Rules, Transaction
from ttr_rules.scores import Loan
from ttr_rules.text import brief

from .stations import (
    STATIONS_EACH,
    BuildStation,
    LendRoutes,
    RoutesLent,
    StationBuilt,
    StationLinks,
    StationOptions,
    Stations,
    station_cost,
)


class BuildStationRule(PaidRule[Turn, BuildStation]):
    """Build one station in any city without one (B1, B2).

    Items are the cities for the first station, then those for the second, then those for the third.
    """

    payment_rule = "B2"

    def __init__(self) -> None:
        self._at: i64 = 0
        self._cities: list[str] = []

    def bind(self, rules: Rules) -> None:
        super().bind(rules)
        self._at = rules.part_numbers[Stations]
        self._cities = list(rules.board.cities)
        self._number: dict[str, int] = rules.network.city_number

    def every(self, rules: Rules) -> list[tuple[str, Cost]]:
        return [(city, station_cost(number)) for number in range(1, STATIONS_EACH + 1) for city in rules.board.cities]

    def cost(self, state: State, seat: int, thing: str) -> Cost:
        return station_cost(STATIONS_EACH - state.part(Stations).left[seat] + 1)

    def stock(self, state: State, seat: i64) -> list[int]:
        part: Any = state.kept[self._at]
        left: i64 = part.left[seat]
        counts = [0] * STATIONS_EACH
        if left:
            counts[STATIONS_EACH - left] = len(self._cities) - len(part.built)
        return counts

    def count(self, state: State, seat: i64) -> i64:
        part: Any = state.kept[self._at]
        unbuilt: list[int] = part.left
        left: i64 = unbuilt[seat]
        if left == 0:
            return 0
        ways = self.prices.ways(state, seat, STATIONS_EACH - left)
        return ways * (len(self._cities) - len(part.built)) if ways else 0

    def items(self, state: State, seat: i64, cost: i64) -> list[int]:
        built: dict[str, int] = state.kept[self._at].built
        before: i64 = len(self._cities) * cost
        return [before + number for number, city in enumerate(self._cities) if city not in built]

    def item(self, state: State, seat: i64, cost: i64, which: i64) -> i64:
        for number in sorted([self._number[city] for city in state.kept[self._at].built]):
            if number <= which:
                which += 1  # not a city with a station
        return len(self._cities) * cost + which

    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        tx.emit(StationBuilt, seat, thing)

    def no_sale(self, state: State, seat: int, thing: str) -> Refusal | None:
        part = state.part(Stations)
        if thing in part.built:
            owner = Seat(part.built[thing])
            return Refusal("B1", Message("{seat} has a station in {city} already", seat=owner, city=thing))
        if not part.left[seat]:
            template = "{seat} has built all {count} stations"
            return Refusal("B1", Message(template, seat=Seat(seat), count=STATIONS_EACH))
        return None


class LendRoutesRule(ActionRule[StationLinks, LendRoutes]):
    """Let the owner choose, after all tickets are revealed (B4, R8)."""

    def number_of_codes(self, rules: Rules) -> int | None:
        return None if rules.plugin(StationOptions).station_choice == "ask" else 0  # else it is never asked

    def offers(self, state: State, decision: StationLinks) -> Sequence[LendRoutes]:
        cities, routes = decision.options.keys(), decision.options.values()
        return [LendRoutes(decision.seat, dict(zip(cities, chosen, strict=True))) for chosen in product(*routes)]

    def refusal(self, state: State, decision: StationLinks, action: LendRoutes) -> Refusal | None:
        for city, routes in decision.options.items():
            if action.lends.get(city) not in routes:
                template = "the station in {city} lends one of the routes {routes}"
                return Refusal(
                    "B3" if city in action.lends else "B4", Message(template, city=city, routes=join_commas(routes))
                )
        for city in action.lends:
            if city not in decision.options:
                template = "{seat} has no station in {city} that could lend a route"
                return Refusal("B3", Message(template, seat=Seat(decision.seat), city=brief(city)))
        return None

    def perform(self, tx: Transaction, decision: StationLinks, action: LendRoutes) -> Question:
        tx.emit(RoutesLent, action.seat, action.lends)
        return next_owner(tx.state)


def next_owner(state: State) -> Question:
    """The decision of the next owner whose stations can lend something, under R8 "ask"."""
    for seat in range(state.players):
        options = {loan.city: loan.routes for loan in loans(state, seat) if loan.routes and loan.chosen is None}
        if options:
            return StationLinks(seat, options)
    return ()


def loans(state: State, seat: int) -> tuple[Loan, ...]:
    """The loans from a seat's stations: one route of another player each (B3, B5), the same for all tickets (B4)."""
    part = state.part(Stations)
    own = sorted([city for city, owner in part.built.items() if owner == seat])
    return tuple([Loan(city, tuple(state.routes_of_others(seat, city)), part.lends.get(city)) for city in own])
