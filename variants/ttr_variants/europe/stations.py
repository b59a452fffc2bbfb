"""Europe's stations: who built where, building one, and points for unbuilt ones (B1, B2, B6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal

from attrs import define, field, frozen

from ttr_rules import Action, Counts, Event, State
from ttr_rules.model import Cost, to_counts
from ttr_rules.plugins import (
    LazyActions,
    Part,
    PriceTable,
    ScoringTerm,
    Term,
    TieBreak,
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
