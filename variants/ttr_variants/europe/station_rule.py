"""Building stations by the rules: what is offered and refused, and the numbers of all stations (B1, B2)."""

from __future__ import annotations

from typing import Any

from ttr_rules import Refusal, State, Turn
from ttr_rules.actions import i64
from ttr_rules.language import Message, Seat
from ttr_rules.model import Cost
from ttr_rules.plugins import PaidRule, Rules, Transaction

from .stations import STATIONS_EACH, BuildStation, StationBuilt, Stations, station_cost


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
