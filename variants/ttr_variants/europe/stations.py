"""Europe's stations: who built where, building one, and points for unbuilt ones (B1, B2, B6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from attrs import define, field, frozen

from ttr_rules import Action, Counts, Event, InvalidInputError, State
from ttr_rules.model import Cost, to_counts
from ttr_rules.plugins import (
    FrozenMap,
    KeyHelp,
    Part,
    Position,
    Report,
    Rules,
    ScoringTerm,
    Term,
    TieBreak,
    Transaction,
    Variant,
    brief,
    option,
    public,
)

STATIONS_EACH = 3
POINTS_UNBUILT = 4


class StationOptions(Variant):
    """The ruling about stations (R8)."""

    station_choice: Literal["best", "ask"] = option(
        "best",
        "ask",
        rule="R8",
        meaning='"best" finds the routes that stations lend, "ask" lets their owners choose at the end, in seat order',
    )


@define(eq=False, repr=False)
class Stations(Part):
    """Who built where, and which routes owners chose to borrow; all of it is public (S6).

    `built` maps cities to seats in the order of building, `left` counts unbuilt stations by seat, `lends` maps
    cities to the routes that their stations lend once the owners have chosen (R8).
    """

    player_keys = ("stations", "lends")
    key_help: ClassVar[Mapping[str, KeyHelp]] = {
        "stations": KeyHelp("The cities with a station of this player.", "[{city}]"),
        "lends": KeyHelp("Which route each station lends; left out, the best choice is found.", "{{{city} = {route}}}"),
    }

    built: dict[str, int] = public(factory=dict, label="Stations", seats=True)
    left: list[int] = public(factory=list, label="Stations left")
    lends: dict[str, str] = public(factory=dict, label="")

    @classmethod
    def start(cls, rules: Rules, players: int) -> Stations:
        return cls(left=[STATIONS_EACH] * players)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        arrange_stations(tx, position, report)

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
        return sorted([city for city, owner in self.built.items() if owner == seat])

    def build(self, seat: int, city: str) -> None:
        """The effect of `StationBuilt`."""
        self.built[city] = seat
        self.left[seat] -= 1


# -- building --------------------------------------------------------------------------------------------------


def to_lends(lends: Mapping[str, str]) -> Mapping[str, str]:
    """A choice of routes by city, in the order of the cities."""
    if not isinstance(lends, Mapping) or not all(isinstance(item, str) for pair in lends.items() for item in pair):
        raise InvalidInputError(f"lent routes read like {{'berlin': 'berlin-wien-green'}}, not {brief(lends)}")
    return FrozenMap(dict(sorted(lends.items())))


@frozen
class BuildStation(Action):
    """Build a station in a city without one (B1), for one more card each time (B2)."""

    message = "Build a station"

    city: str
    payment: Counts = field(converter=to_counts)


@frozen
class StationBuilt(Event):
    """A seat built a station (B1)."""

    message = "{seat} builds a station in {city}{paid}"

    seat: int
    city: str

    @staticmethod
    def effect(state: State, seat: int, city: str) -> None:
        state.part(Stations).build(seat, city)


@frozen
class RoutesLent(Event):
    """A seat chose which routes its stations lend (B4)."""

    message = "{seat} settles what the stations lend: {lends}"

    seat: int
    lends: Mapping[str, str] = field(converter=to_lends)

    @staticmethod
    def effect(state: State, seat: int, lends: Mapping[str, str]) -> None:
        state.part(Stations).lends.update(lends)


def station_cost(number: int) -> Cost:
    """What the `number`-th station of a player costs, counted from 1 (B2)."""
    return Cost(kind="station", spaces=number)


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


# -- tables ----------------------------------------------------------------------------------------------------


def arrange_stations(tx: Transaction, position: Position, report: Report) -> None:
    """Read `stations` and `lends` of the players of a table."""
    part = tx.state.part(Stations)
    for player in position.players:
        for place, city in player.cities("stations", report):
            if city in part.built:
                report.add(place, f"{city} has a station already (B1)")
            elif not part.left[player.seat]:
                report.add(place, f"a player has {STATIONS_EACH} stations only (B1)")
            else:
                tx.emit(StationBuilt, player.seat, city)
    for player in position.players:
        chosen: dict[str, str] = {}
        for city, name in player.table("lends", report).items():
            place = f"{player.place}.lends.{city}"
            routes = player.routes(name, place, report)
            if not routes:
                continue
            free = [route for route in routes if _may_lend(tx.state, player.seat, city, route)]
            if part.built.get(city) != player.seat:
                report.add(place, f"{player.name} has no station in {city} (B3)")
            elif not free:
                report.add(place, f"{' and '.join(routes)}: no route of another player that ends in {city} (B3)")
            else:
                chosen[city] = free[0]
        if chosen:
            tx.emit(RoutesLent, player.seat, chosen)


def _may_lend(state: State, seat: int, city: str, route: str) -> bool:
    """Whether a station in a city can lend a route: one of another player that ends there (B3)."""
    return state.owners.get(route, seat) != seat and city in state.rules.board.routes[route].cities
