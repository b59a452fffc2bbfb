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
        left = part.left[decision.seat]
        if not left:
            return 0
        ways = 0
        for table in self._prices[STATIONS_EACH - left].tables(state, decision.seat):
            ways += table.ways
        return ways * (len(state.course.network.city_ids) - len(part.built))

    def nth(self, state: State, decision: Turn, index: int) -> int:
        part: Stations = state.parts[Stations]
        cities = [city for city in state.course.network.city_ids if city not in part.built]
        way, place = divmod(index, len(cities))
        for table in self._prices[STATIONS_EACH - part.left[decision.seat]].tables(state, decision.seat):
            if way < table.ways:
                return self._code(state, decision.seat, cities[place], table.payment(way))
            way -= table.ways
        raise IndexError("no such station")

    def _code(self, state: State, seat: int, city: str, payment: Counts) -> int:
        network = state.course.network
        number = network.city_number[city]
        built = STATIONS_EACH - state.part(Stations).left[seat]
        if not self._ways:
            payments = self._payments(state, seat, built)
            return number + len(network.city_ids) * payments.index(payment)
        before = len(network.city_ids) * sum(map(len, self._ways[:built]))
        return before + number * len(self._ways[built]) + self._numbers[built][payment]

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
        return self._code(state, decision.seat, action.city, action.payment)

    def perform_code(self, tx: Transaction, decision: Turn, code: int) -> None:
        self._build(tx, decision.seat, *self._coded(tx.state, decision.seat, code))

    def offers(self, state: State, decision: Turn) -> Sequence[BuildStation]:
        part: Stations = state.parts[Stations]
        left = part.left[decision.seat]
        if not left:
            return ()
        tables = self._prices[STATIONS_EACH - left].tables(state, decision.seat)
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
