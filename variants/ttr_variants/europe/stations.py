"""Europe's stations: who built where, building one, and points for unbuilt ones (B1, B2, B6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from attrs import define, field, frozen

from ttr_rules import Action, Counts, Event, Refusal, State, Turn
from ttr_rules.model import Cost, to_counts
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    GameData,
    LazyActions,
    Message,
    Part,
    PriceTable,
    ScoringTerm,
    Seat,
    Term,
    TieBreak,
    Transaction,
    brief,
    end_turn,
    joined_payments,
    option,
    public,
)

STATIONS_EACH = 3


@frozen
class StationOptions:
    """The ruling about stations (R8)."""

    station_choice: Literal["best", "ask"] = option(
        "best",
        "ask",
        rule="R8",
        meaning='"best" finds the routes that stations lend, "ask" lets their owners choose at the end, in seat order',
    )


POINTS_UNBUILT = 4


@define(eq=False, repr=False)
class Stations(Part):
    """Who built where, and which routes owners chose to borrow; all of it is public (S6).

    `built` maps cities to seats in the order of building, `left` counts unbuilt stations by seat, `lends` maps
    cities to the routes that their stations lend once the owners have chosen (R8).
    """

    built: dict[str, int] = public(factory=dict, label="Stations", seats=True)
    left: list[int] = public(factory=list, label="Stations left")
    lends: dict[str, str] = public(factory=dict, label="")

    def value(self) -> object:
        return (tuple(self.built.items()), self.left, self.lends)

    def validate(self) -> str | None:
        for seat, left in enumerate(self.left):
            built = list(self.built.values()).count(seat)
            if built + left != STATIONS_EACH or left < 0:
                return (
                    f"seat {seat} has {left} stations left and {built} on the board, not {STATIONS_EACH} together (B1)"
                )
        return None

    def of(self, seat: int) -> list[str]:
        """The cities where `seat` built, in the order of their ids."""
        return sorted(city for city, owner in self.built.items() if owner == seat)


# -- building --------------------------------------------------------------------------------------------------


@frozen
class BuildStation(Action):
    """Build a station in a city without one (B1), for one more card each time (B2)."""

    message = "Build a station"

    city: str
    payment: Counts = field(converter=to_counts)


@frozen
class StationBuilt(Event):
    """A seat built a station (B1)."""

    message = "{seat} builds a station in {city}"

    seat: int
    city: str

    @staticmethod
    def effect(state: State, seat: int, city: str) -> None:
        part = state.part(Stations)
        part.built[city] = seat
        part.left[seat] -= 1


def station_cost(number: int) -> Cost:
    """What the `number`-th station of a player costs, counted from 1 (B2)."""
    return Cost(kind="station", spaces=number)


class Sites(LazyActions[BuildStation]):
    """Every combination of a free city and a way to pay."""

    __slots__ = ("_cities", "_seat", "_tables", "_taken")

    def __init__(
        self, seat: int, cities: Sequence[str], taken: Collection[str], tables: Sequence[PriceTable], ways: int
    ) -> None:
        self._size = (len(cities) - len(taken)) * ways
        self._seat = seat
        self._cities = cities
        self._taken = taken
        self._tables = tables

    def free(self) -> list[str]:
        """The cities without a station."""
        return [city for city in self._cities if city not in self._taken]

    def nth(self, index: int) -> BuildStation:
        free = self.free()
        way, city = divmod(index, len(free))
        for table in self._tables:
            if way < table.ways:
                return BuildStation(self._seat, free[city], table.payment(way))
            way -= table.ways
        raise IndexError("no such station")

    def __iter__(self) -> Iterator[BuildStation]:
        free = self.free()
        payments = (payment for table in self._tables for price in table.prices for payment in price.payments)
        return (BuildStation(self._seat, city, payment) for payment in payments for city in free)

    def purchases(self) -> Iterator[tuple[BuildStation, Sequence[Counts]]]:
        """Every free city; they all share the same payments."""
        payments = joined_payments([price.payments for table in self._tables for price in table.prices])
        first = payments[0]
        for city in self.free():
            yield BuildStation(self._seat, city, first), payments

    def __contains__(self, action: object) -> bool:
        if type(action) is not BuildStation or action.seat != self._seat or action.city not in self.free():
            return False
        return any(action.payment in price.payments for table in self._tables for price in table.prices)


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

    def size(self, rules: GameData) -> int | None:
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
        if action.city not in state.rules.board.cities:
            template = "there is no city {city} on the board {board}"
            return Refusal("B1", Message(template, city=brief(action.city), board=state.rules.board.name))
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


# -- scores ----------------------------------------------------------------------------------------------------


def unbuilt(state: State, seat: int) -> Term:
    """Four points for every station not built (B6)."""
    left = state.part(Stations).left[seat]
    return Term(POINTS_UNBUILT * left, left)


UNBUILT = ScoringTerm("stations", unbuilt, label="Stations left", keys=("station_points", "stations_left"))
#: P6: fewer stations built; it has no effect on maps without stations.
FEWER_STATIONS = TieBreak(
    "fewer stations built", lambda player: player.terms["stations"].count if "stations" in player.terms else 0
)
