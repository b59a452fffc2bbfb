"""The keys of score files and positions: technologies, their points, jointly held routes (U9, U14, U16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from attrs import frozen

from ttr_rules import Event, State
from ttr_rules.events import RouteShared
from ttr_rules.plugins import KeyHelp, PartSpec, PlayerEntry, Position, Report, Transaction, brief

from .options import BritishOptions
from .right_of_way import held_by_others
from .scores import earned
from .technologies import TECHNOLOGIES, Technologies, start

OWNED, EARNED, SHARED = "technologies", "technology_points", "right_of_way"


@frozen
class TechnologiesArranged(Event):
    """A seat of an arranged position owns these technologies."""

    message = "{seat} owns {technologies}"

    seat: int
    technologies: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, technologies: tuple[str, ...]) -> None:
        part = state.part(Technologies)
        part.owned[seat] += technologies
        for each in technologies:
            part.left[each] -= 1


def _arrange(tx: Transaction, position: Position, report: Report) -> None:
    for player in position.players:
        _put_technologies(tx, player, report)
        _put_shared(tx, player, report)
    for player in position.players:
        _put_points(tx, player, report)


def _put_technologies(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    left = tx.state.part(Technologies).left
    found: list[str] = []
    for number, each in enumerate(player.listed(OWNED, report)):
        place = f"{player.place}.{OWNED}[{number}]"
        if not isinstance(each, str) or each not in left:
            report.add(place, f"no technology {brief(each)} in this game; there are {', '.join(left)}")
        elif TECHNOLOGIES[each].at_once:
            report.add(place, f"{each} is used up at once, nobody keeps it (U16, U22)")
        elif each in found and not tx.rules.plugin(BritishOptions).copies:
            report.add(place, f"{player.name} owns {each} already (UR3)")
        elif found.count(each) >= left[each]:
            report.add(place, f"there are {TECHNOLOGIES[each].copies} copies of {each} only (U11 to U15)")
        else:
            found.append(each)
    if found:
        tx.emit(TechnologiesArranged, player.seat, tuple(found))


def _put_shared(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    network, state = tx.rules.network, tx.state
    for number, written in enumerate(player.listed(SHARED, report)):
        place = f"{player.place}.{SHARED}[{number}]"
        routes = player.routes(written, place, report)
        others = held_by_others(state, player.seat)
        held = [network.route_number[id] for id in routes if others >> network.route_number[id] & 1]
        if not held:
            if routes:
                report.add(place, f"{' and '.join(routes)}: no route that others hold alone (U16)")
        elif network.cars[held[0]] > state.cars[player.seat]:
            report.add(place, f"{player.name} has {state.cars[player.seat]} cars left for it (C3)")
        else:
            tx.emit(RouteShared, player.seat, network.route_ids[held[0]], network.points[held[0]])


def _put_points(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    """Set the points from lagging and turbines: they depend on when these were bought, so they must be given (U14)."""
    state, place = tx.state, f"{player.place}.{EARNED}"
    raw = player.raw.get(EARNED, {})
    if not isinstance(raw, Mapping):
        report.add(place, f"expected a table, such as {{boiler_lagging = 3}}, got {brief(raw)}")
        return
    given = dict(cast("Mapping[str, Any]", raw))
    most: dict[str, list[int]] = {}
    for route in state.routes_of(player.seat):
        for technology, points in earned(
            tx.rules, state.part(Technologies).owned[player.seat], tx.rules.network.route_ids[route]
        ):
            most.setdefault(technology, []).append(points)
    for technology, each in most.items():
        points = given.pop(technology, None)
        if points is None:
            report.add(place, f"{technology} is missing: what it brought depends on when it was bought (U14)")
        elif type(points) is not int or not 0 <= points <= sum(each) or points % (each[0] if each else 1):
            report.add(
                f"{place}.{technology}", f"0 to {sum(each)} points, {each[0]} a route, not {brief(points)} (U14)"
            )
        elif points:
            tx.score(player.seat, points, technology)
    for technology, points in given.items():
        if points != 0:
            report.add(f"{place}.{brief(technology)}", f"{player.name} has no routes that it brings points for (U14)")


PART = PartSpec(
    Technologies,
    start,
    (OWNED, EARNED, SHARED),
    _arrange,
    key_help={
        OWNED: KeyHelp("The technologies that this player owns.", '["propellers", "boiler_lagging"]'),
        EARNED: KeyHelp("The points that boiler lagging and steam turbines brought.", "{{boiler_lagging = 1}}"),
        SHARED: KeyHelp("The routes of others that this player claimed as well, by right of way.", "[{route}]"),
    },
)
