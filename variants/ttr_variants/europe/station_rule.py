"""Building stations by the rules: what is offered and refused, and the numbers of all stations (B1, B2)."""

from __future__ import annotations

from typing import Any

from ttr_rules import Board, Counts, Refusal, State, Turn
from ttr_rules.plugins import (
    Economy,
    Message,
    PaidRule,
    Seat,
    Transaction,
    brief,
    end_turn,
    i64,
)

from .stations import STATIONS_EACH, BuildStation, StationBuilt, Stations, station_cost


class BuildStationRule(PaidRule[Turn, BuildStation]):
    """Build one station in any city without one (B1, B2).

    The things for sale are the cities for the first station, then those for the second, then those for the third.
    """

    on = Turn
    action = BuildStation

    def __init__(self, economy: Economy, board: Board) -> None:
        self.economy = economy
        self._at: i64 = 0
        self._cities: list[str] = list(board.cities)
        costs = [station_cost(number) for number in range(1, STATIONS_EACH + 1)]
        things = [number for number in range(STATIONS_EACH) for _ in self._cities]
        super().__init__(economy.prices(costs), things)

    def bind(self, rules: Any) -> None:
        self._at = rules.part_numbers[Stations]

    def times(self, state: State, seat: i64) -> list[int]:
        part: Any = state.kept[self._at]
        left: i64 = part.left[seat]
        found = [0] * STATIONS_EACH
        if left:
            found[STATIONS_EACH - left] = len(self._cities) - len(part.built)
        return found

    def count(self, state: State, seat: i64) -> i64:
        part: Any = state.kept[self._at]
        left: i64 = part.left[seat]
        if left == 0:
            return 0
        return self.prices.ways(state, seat, STATIONS_EACH - left) * (len(self._cities) - len(part.built))

    def sold(self, state: State, seat: i64, cost: i64) -> list[int]:
        built: dict[str, int] = state.kept[self._at].built
        before: i64 = len(self._cities) * cost
        return [before + number for number, city in enumerate(self._cities) if city not in built]

    def made(self, state: State, seat: i64, thing: i64, payment: Counts) -> BuildStation:
        return BuildStation(seat, self._city(thing), payment)

    def thing_of(self, state: State, action: BuildStation) -> i64:
        cost = STATIONS_EACH - state.part(Stations).left[action.seat]
        return len(self._cities) * cost + state.rules.network.city_number[action.city]

    def buy(self, tx: Transaction, seat: i64, thing: i64, cost: i64, way: i64) -> None:
        self.prices.pay(tx, seat, cost, way)
        tx.emit(StationBuilt, seat, self._city(thing))
        end_turn(tx, seat)

    def _city(self, thing: i64) -> str:
        return self._cities[thing % len(self._cities)]

    def refusal(self, state: State, decision: Turn, action: BuildStation) -> Refusal | None:
        part = state.part(Stations)
        given: Any = action  # a city that is no string is refused as well
        if given.city not in state.rules.board.cities:
            template = "there is no city {city} on the board {board}"
            return Refusal("B1", Message(template, city=brief(given.city), board=state.rules.board.name))
        if action.city in part.built:
            owner = Seat(part.built[action.city])
            return Refusal("B1", Message("{seat} has a station in {city} already", seat=owner, city=action.city))
        if not part.left[action.seat]:
            template = "{seat} has built all {count} stations"
            return Refusal("B1", Message(template, seat=Seat(action.seat), count=STATIONS_EACH))
        cost = station_cost(STATIONS_EACH - part.left[action.seat] + 1)
        return self.economy.refusal_under("B2", state, action.seat, cost, action.payment)
