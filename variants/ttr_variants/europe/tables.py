"""Reading stations from a table to score or a position to arrange, and hints about them for bots."""

from __future__ import annotations

from collections.abc import Mapping

from ttr_rules import View
from ttr_rules.plugins import (
    BorrowHint,
    BotHint,
    GameData,
    KeyHelp,
    LoanHint,
    Part,
    PartSpec,
    Position,
    Report,
    Transaction,
)

from .lending import LendRoutes, RoutesLent, borrowable
from .stations import POINTS_UNBUILT, STATIONS_EACH, BuildStation, StationBuilt, Stations


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
            free = [route for route in routes if route in borrowable(tx.state, player.seat, city)]
            if part.built.get(city) != player.seat:
                report.add(place, f"{player.name} has no station in {city} (B3)")
            elif not free:
                report.add(place, f"{' and '.join(routes)}: no route of another player that ends in {city} (B3)")
            else:
                chosen[city] = free[0]
        if chosen:
            tx.emit(RoutesLent, player.seat, chosen)


def _built(view: View) -> Mapping[str, int]:
    return view.part(Stations).built


def _left(view: View, seat: int) -> int:
    return view.part(Stations).left[seat]


def _lent(action: LendRoutes) -> tuple[str, ...]:
    return tuple(action.lends.values())


#: For bots: a station costs its cards, its turn, and the points for not building it (B6).
HINTS: tuple[BotHint, ...] = (
    BorrowHint(
        BuildStation,
        built=_built,
        left=_left,
        turns=48,
        points=POINTS_UNBUILT,
    ),
    LoanHint(LendRoutes, routes=_lent),
)


def _start(rules: GameData, players: int) -> Part:
    return Stations(left=[STATIONS_EACH] * players)


PART = PartSpec(
    Stations,
    _start,
    ("stations", "lends"),
    arrange_stations,
    key_help={
        "stations": KeyHelp("The cities with a station of this player.", "[{city}]"),
        "lends": KeyHelp("Which route each station lends; left out, the best choice is found.", "{{{city} = {route}}}"),
    },
)
