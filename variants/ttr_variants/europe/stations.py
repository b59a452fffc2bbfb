"""Europe's stations: who built where, building one, and points for unbuilt ones (B1, B2, B6)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Final, Literal

from attrs import field

from ttr_rules import Action, Counts, Decision, Event, InvalidInputError, State
from ttr_rules.model import Cost, to_counts
from ttr_rules.parts import KeyHelp, Position, Report
from ttr_rules.plugins import (
    Part,
    Rules,
    Score,
    ScoringTerm,
    TieBreak,
    Transaction,
    Variant,
    option,
    public,
)
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief

STATIONS_EACH: Final = 3
POINTS_UNBUILT = 4


class StationOptions(Variant):
    """The ruling about stations (R8)."""

    station_choice: Literal["best", "ask"] = option(
        "best",
        "ask",
        rule="R8",
        meaning='"best" finds the routes that stations lend, "ask" lets their owners choose at the end, in seat order',
    )


class Stations(Part):
    """The stations on the board and the routes that owners chose to borrow, all of it public (S6).

    `built` maps cities to seats in the order of building, `left` counts unbuilt stations by seat, `lends` maps
    cities to the routes that their stations lend once the owners have chosen (R8).
    """

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {
        "lends": KeyHelp("Which route each station lends; left out, the best choice is found.", "{{{city} = {route}}}"),
    }

    built: dict[str, int] = public(
        label="Stations", seats=True, key="stations", help="The cities with a station of this player."
    )
    left: list[int] = public(each=STATIONS_EACH, label="Stations left")
    lends: dict[str, str] = public(label="")

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Read `stations` and `lends` of the players of a table."""
        for player in position.players:
            for place, city in player.locations("stations", report):
                if city in self.built:
                    report.add(place, f"{city} has a station already (B1)")
                elif not self.left[player.seat]:
                    report.add(place, f"a player has {STATIONS_EACH} stations only (B1)")
                else:
                    tx.emit(StationBuilt, player.seat, city)
        for player in position.players:
            chosen: dict[str, str] = {}
            for city, name in player.by_location("lends", report).items():
                place = f"{player.place}.lends.{city}"
                routes = player.routes(name, place, report)
                if not routes:
                    continue
                owners, ends = tx.state.owners, tx.rules.board.routes
                free = [id for id in routes if owners.get(id, player.seat) != player.seat and city in ends[id].cities]
                if self.built.get(city) != player.seat:
                    report.add(place, f"{player.name} has no station in {city} (B3)")
                elif not free:
                    report.add(place, f"{' and '.join(routes)}: no route of another player that ends in {city} (B3)")
                else:
                    chosen[city] = free[0]
            if chosen:
                tx.emit(RoutesLent, player.seat, chosen)

    @classmethod
    def start(cls, rules: Rules, players: int) -> Stations:  # in a quarter of the time of the inherited method
        return cls(built={}, left=[STATIONS_EACH] * players, lends={})

    def copy(self) -> Stations:  # in half the time of the inherited method: each copy of a state needs it
        new = Stations.__new__(Stations)
        new.built, new.left, new.lends = self.built.copy(), self.left.copy(), self.lends.copy()
        return new

    def value(self) -> object:
        return (tuple(self.built.items()), self.left, self.lends)

    def validate(self, rules: Rules) -> str | None:
        for seat, left in enumerate(self.left):
            built = list(self.built.values()).count(seat)
            if built + left != STATIONS_EACH or left < 0:
                return (
                    f"seat {seat} has {left} stations left and {built} on the board, not {STATIONS_EACH} together (B1)"
                )
        return None

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


class BuildStation(Action):
    """Build a station in a city without one (B1), for one more card each time (B2)."""

    message = "Build a station"

    city: str
    payment: Counts

    def __init__(self, seat: int, city: str, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, city, to_counts(payment))


class StationBuilt(Event):
    """A seat built a station (B1)."""

    message = "{seat} builds a station in {city}{paid}"

    seat: int
    city: str

    effect = Stations.build


class RoutesLent(Event):
    """A seat chose which routes its stations lend (B4)."""

    message = "{seat} settles what the stations lend: {lends}"

    seat: int
    lends: Mapping[str, str] = field(converter=to_lends)

    def apply(self, state: State) -> None:
        state.part(Stations).lends.update(self.lends)


def station_cost(number: int) -> Cost:
    """The cost of a player's `number`-th station, counted from 1 (B2)."""
    return Cost(kind="station", spaces=number)


# -- scores ----------------------------------------------------------------------------------------------------


@cache
def _points_for(left: int) -> Score:
    return Score(POINTS_UNBUILT * left, left)


def unbuilt(state: State, seat: int) -> Score:
    """Four points for every station not built (B6)."""
    return _points_for(state.part(Stations).left[seat])


UNBUILT = ScoringTerm("stations", unbuilt, label="Stations left")
#: P6: fewer stations built; it has no effect on maps without stations.
FEWER_STATIONS = TieBreak(
    "fewer stations built",
    lambda state, players, player: player.terms["stations"].count if "stations" in player.terms else 0,
)


# -- tables ----------------------------------------------------------------------------------------------------


class StationLinks(Decision):
    """Choose the route that each of the seat's stations lends, at the end under R8 "ask"."""

    public = True
    message = "Which route does each of your stations lend?"

    options: Mapping[str, tuple[str, ...]] = field(converter=FrozenMap[str, tuple[str, ...]])


class LendRoutes(Action):
    """Choose the route that each of the seat's stations lends (B4), by city."""

    message = "Lend"

    lends: Mapping[str, str] = field(converter=to_lends)
