"""The keys of score files and positions: technologies, their points, jointly held routes (U9, U14, U16)."""

from __future__ import annotations

from attrs import frozen

from ttr_rules import Event, State
from ttr_rules.events import RouteShared
from ttr_rules.plugins import KeyHelp, PartSpec, PlayerEntry, Position, Report, TableEntry, Transaction, brief

from .options import BritishOptions
from .right_of_way import not_shareable
from .scores import earned
from .technologies import TECHNOLOGIES, Technologies, start, technology_called

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
    for number, written in enumerate(player.listed(OWNED, report)):
        place = f"{player.place}.{OWNED}[{number}]"
        each = technology_called(written)
        if each not in left:
            report.add(place, f"no technology {brief(written)} in this game; there are {', '.join(left)}")
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
    for number, written in enumerate(player.listed(SHARED, report)):
        place = f"{player.place}.{SHARED}[{number}]"
        refused = {
            route: not_shareable(tx.state, player.seat, route) for route in player.routes(written, place, report)
        }
        found = next((route for route, refusal in refused.items() if refusal is None), None)
        if found is not None:
            tx.emit(RouteShared, player.seat, found, tx.rules.route_points[found])
        elif refused:
            report.add(
                place, "; ".join(f"{refusal.reason} ({refusal.rule})" for refusal in refused.values() if refusal)
            )


def _put_points(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    """Set the points from lagging and turbines: they depend on when these were bought, so they must be given (U14)."""
    state = tx.state
    given = TableEntry(player.place, player.raw).table(EARNED, report)
    most: dict[str, list[int]] = {}
    for route in state.routes_of(player.seat):
        id = state.rules.network.route_ids[route]
        for technology, more in earned(tx.rules, state.part(Technologies).owned[player.seat], id):
            most.setdefault(technology, []).append(more)
    raw = {technology_called(written) or written: points for written, points in given.raw.items()}
    for technology, each in most.items():
        points: object = raw.get(technology)
        if points is None:
            what = f"{technology} is missing: what it brought depends on when it was bought (U14)"
            report.add(given.place, what)
        elif type(points) is not int or points not in range(0, sum(each) + 1, each[0]):
            what = f"0 to {sum(each)} points, {each[0]} a route, not {brief(points)} (U14)"
            report.add(f"{given.place}.{technology}", what)
        elif points:
            tx.score(player.seat, points, technology)
    for technology, brought in raw.items():
        if technology not in most and brought != 0:
            what = f"{player.name} has no routes that it brings points for (U14)"
            report.add(f"{given.place}.{brief(technology)}", what)


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
    names={id: card.printed for id, card in TECHNOLOGIES.items()},
)
