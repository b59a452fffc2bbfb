"""Mountain routes: a car for every cross goes into the mountain crossing and scores at once (L6–L10)."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from ttr_rules import Event, Refusal, Route, State
from ttr_rules.plugins import (
    Detail,
    Message,
    RouteNote,
    Rules,
    ScoringTerm,
    Seat,
    Term,
    TieBreak,
    Transaction,
    plural,
)

#: What a car in the mountain crossing scores (L7).
POINTS = 2


def crosses(route: Route) -> int:
    """How many crosses a route has on the map: a mark for each (L6)."""
    return route.marks.count("cross")


def mountain_routes(rules: Rules) -> dict[int, int]:
    """The numbers of the mountain routes, with their crosses."""
    found = {number: crosses(route) for number, route in enumerate(rules.board.routes.values())}
    return {number: count for number, count in found.items() if count}


# -- claims ----------------------------------------------------------------------------------------------------


def too_few_cars(state: State, seat: int, route: Route) -> Refusal | None:
    """Why a seat cannot claim a mountain route with the cars it has left (L8)."""
    needed, left = state.rules.route_cars[route.id], state.cars[seat]
    count = crosses(route)
    if not count or needed <= left:
        return None
    template = "{route} takes {cars} train cars, {crosses} of them for its crosses; {seat} has {left}"
    return Refusal("L8", Message(template, route=route.id, cars=needed, crosses=count, seat=Seat(seat), left=left))


@frozen
class MountainsCrossed(Event):
    """A seat put cars into the mountain crossing and scored for them (L6, L7). The route's cars include them."""

    message = "{seat} puts {cars:car} into the mountain crossing ({points} points)"

    seat: int
    route: str
    cars: int
    points: int

    @staticmethod
    def effect(state: State, seat: int, route: str, cars: int, points: int) -> None:
        pass


def cross(tx: Transaction, seat: int, route: Route) -> None:
    """After the claim of a mountain route, emit the crossing."""
    count = crosses(route)
    if count:
        tx.emit(MountainsCrossed, seat, route.id, count, POINTS * count)


# -- scores ----------------------------------------------------------------------------------------------------


def mountain_points(state: State, seat: int) -> Term:
    """What the mountain routes of a seat scored besides their points as routes (L7), recomputed from the board."""
    rules = state.rules
    ids = rules.network.route_ids
    owner = state.owner
    found = [(ids[route], count) for route, count in rules.derived(mountain_routes).items() if owner[route] == seat]
    details = tuple(Detail(route, POINTS * count) for route, count in found)
    return Term(sum(detail.points for detail in details), len(details), details)


MOUNTAINS = ScoringTerm("mountains", mountain_points, running=True, label="Mountain routes")
#: The last tie-break, and its alternative (L14).
MORE_ROUTES = TieBreak("more mountain routes", lambda player: player.terms["mountains"].count)
MORE_CARS = TieBreak("more cars in the mountain crossing", lambda player: player.terms["mountains"].points)


def cross_notes(rules: Rules) -> Iterator[RouteNote]:
    """For pictures of the board: the crosses of each route."""
    for route in rules.board.routes.values():
        if count := crosses(route):
            yield RouteNote(route.id, "×" * count, plural("{count} more car", "{count} more cars", count))
