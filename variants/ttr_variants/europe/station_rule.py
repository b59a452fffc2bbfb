"""Building stations by the rules: what is offered and refused, and the numbers of all stations (B1, B2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules import Counts, Refusal, State, Turn
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    GameData,
    Message,
    PriceTable,
    Seat,
    Transaction,
    brief,
    end_turn,
    joined_payments,
)

from .stations import STATIONS_EACH, BuildStation, Sites, StationBuilt, Stations, station_cost


class BuildStationRule(ActionRule[Turn, BuildStation]):
    """Build one station in any city without one (B1, B2).

    A code is a city and a way to pay: for the first station, then for the second, then for the third.
    """

    on = Turn
    action = BuildStation

    def __init__(self, economy: Economy) -> None:
        self.economy = economy
        self._prices = [economy.price_list([station_cost(number)]) for number in range(1, STATIONS_EACH + 1)]
        every = [prices.all_payments() for prices in self._prices]
        #: Every payment for the first, the second and the third station; none if they cannot be numbered.
        self._ways = [ways[0] for ways in every if ways is not None]
        self._numbers = [{payment: number for number, payment in enumerate(ways)} for ways in self._ways]

    # -- stations as numbers ---------------------------------------------------------------------------------

    def number_of_codes(self, rules: GameData) -> int | None:
        return len(rules.board.cities) * sum(map(len, self._ways)) if self._ways else None

    def count(self, state: State, decision: Turn) -> int:
        part: Stations = state.parts[Stations]
        ways = 0
        for table in self._tables(state, decision.seat):
            ways += table.ways
        return ways * (len(state.course.network.city_ids) - len(part.built))

    def nth(self, state: State, decision: Turn, index: int) -> int:
        taken = self._taken(state)
        way, city = divmod(index, len(state.course.network.city_ids) - len(taken))
        for number in taken:
            city += number <= city
        for table in self._tables(state, decision.seat):
            if way < table.ways:
                first, step = self._steps(state, decision.seat, table.payment(way))
                return first + step * city
            way -= table.ways
        raise IndexError("no such station")

    def codes(self, state: State, decision: Turn) -> Sequence[int]:
        """The codes of all stations that can be built now, in the order of `offers`."""
        found: list[int] = []
        tables = self._tables(state, decision.seat)
        if not tables:
            return found
        cities = list(range(len(state.course.network.city_ids)))
        for city in reversed(self._taken(state)):
            del cities[city]
        for table in tables:
            for way in range(table.ways):
                first, step = self._steps(state, decision.seat, table.payment(way))
                found += [first + step * city for city in cities]
        return found

    def _tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        """What the seat can pay for its next station; nothing if it has built them all."""
        part: Stations = state.parts[Stations]
        left = part.left[seat]
        return self._prices[STATIONS_EACH - left].tables(state, seat) if left else ()

    def _taken(self, state: State) -> list[int]:
        """The numbers of the cities with a station, lowest first."""
        part: Stations = state.parts[Stations]
        city_number = state.course.network.city_number
        return sorted([city_number[city] for city in part.built])

    def _steps(self, state: State, seat: int, payment: Counts) -> tuple[int, int]:
        """The code of a station in the first city with this payment, and the step from city to city."""
        part: Stations = state.parts[Stations]
        built = STATIONS_EACH - part.left[seat]
        cities = len(state.course.network.city_ids)
        if not self._ways:
            return cities * self._payments(state, seat, built).index(payment), 1
        before = cities * sum(map(len, self._ways[:built]))
        return before + self._numbers[built][payment], len(self._ways[built])

    def _payments(self, state: State, seat: int, built: int) -> Sequence[Counts]:
        """The payments that are possible now, after so many stations."""
        tables = self._prices[built].tables(state, seat)
        return joined_payments([price.payments for table in tables for price in table.prices])

    def _coded(self, state: State, seat: int, code: int) -> tuple[str, Counts]:
        """The city and the payment of a code."""
        cities = state.course.network.city_ids
        if not self._ways:
            built = STATIONS_EACH - state.part(Stations).left[seat]
            way, city = divmod(code, len(cities))
            return cities[city], self._payments(state, seat, built)[way]
        built = 0
        while code >= len(cities) * len(self._ways[built]):
            code -= len(cities) * len(self._ways[built])
            built += 1
        city, way = divmod(code, len(self._ways[built]))
        return cities[city], self._ways[built][way]

    def action_of(self, state: State, decision: Turn, code: int) -> BuildStation:
        return BuildStation(decision.seat, *self._coded(state, decision.seat, code))

    def code_of(self, state: State, decision: Turn, action: BuildStation) -> int:
        first, step = self._steps(state, decision.seat, action.payment)
        return first + step * state.course.network.city_number[action.city]

    def perform_code(self, tx: Transaction, decision: Turn, code: int) -> None:
        self._build(tx, decision.seat, *self._coded(tx.state, decision.seat, code))

    def offers(self, state: State, decision: Turn) -> Sequence[BuildStation]:
        part: Stations = state.parts[Stations]
        tables = self._tables(state, decision.seat)
        ways = 0
        for table in tables:
            ways += table.ways
        if not ways:
            return ()
        return Sites(decision.seat, state.rules.network.city_ids, part.built.copy(), tables, ways)

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

    def perform(self, tx: Transaction, decision: Turn, action: BuildStation) -> None:
        self._build(tx, action.seat, tx.rules.board.cities[action.city].id, action.payment)

    def _build(self, tx: Transaction, seat: int, city: str, payment: Counts) -> None:
        self.economy.pay(tx, seat, payment)
        tx.emit(StationBuilt, seat, city)
        end_turn(tx, seat)
