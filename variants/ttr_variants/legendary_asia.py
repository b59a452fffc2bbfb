"""Legendary Asia: mountain routes that take more cars and score more, and a bonus for the largest network (L1–L14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import ttr_maps
from ttr_rules import Board, Event, Route, State, View
from ttr_rules.hints import RouteNote
from ttr_rules.language import plural
from ttr_rules.model import networks
from ttr_rules.plugins import (
    Below,
    Bonus,
    Deal,
    KeepAtLeast,
    Rules,
    Score,
    ScoringTerm,
    Setup,
    Stage,
    TieBreak,
    Transaction,
    Variant,
    always,
    hookimpl,
    option,
)
from ttr_rules.scores import MORE_TICKETS, Detail

#: The points of a car in the mountain crossing (L7).
POINTS = 2


def crosses(route: Route) -> int:
    """The number of crosses of a route on the map: a mark for each (L6)."""
    return route.marks.count("cross")


class MountainsCrossed(Event):
    """A seat put cars into the mountain crossing and scored for them (L6, L7). The route's cars include them."""

    message = "{seat} puts {cars:car} into the mountain crossing ({points} points)"

    seat: int
    route: str
    cars: int
    points: int


# -- scores ----------------------------------------------------------------------------------------------------


def mountain_points(state: State, seat: int) -> Score:
    """The points of a seat's mountain routes besides those for routes (L7), recomputed from the board."""
    routes = state.rules.board.routes
    details = tuple([Detail(id, POINTS * count) for id in state.routes(seat) if (count := crosses(routes[id]))])
    return Score(sum(detail.points for detail in details), len(details), details)


MOUNTAINS = ScoringTerm("mountains", mountain_points, running=True, label="Mountain routes")
#: The last tie-break, and its alternative (L14).
MORE_ROUTES = TieBreak("more mountain routes", lambda state, players, player: player.terms["mountains"].count)
MORE_CARS = TieBreak(
    "more cars in the mountain crossing", lambda state, players, player: player.terms["mountains"].points
)


# -- bots ----------------------------------------------------------------------------------------------------------


def cities_connected(state: State, seat: int) -> Score:
    """The size of a seat's largest network, which scores nothing by itself."""
    ends = state.rules.network.ends
    return Score(0, max(map(len, networks(ends[route] for route in state.routes_of(seat)).values()), default=0))


NETWORK = ScoringTerm("network", cities_connected, label="Cities connected")
#: For the largest network: to all that are tied, but to none without a route (L12, LR3).
ASIAN_EXPLORER = Bonus.ranked(
    "asian_explorer",
    (10,),
    lambda state, player: player.terms["network"].count or None,
    shared=False,
    label="Asian Explorer",
)

#: For bots, the worth of one more city in the largest network: a share of the ten points.
PER_CITY = 1.5


class LegendaryAsia(Variant, name="legendary-asia", title="Legendary Asia"):
    """Mountain routes take more cars and score at once; ten points for the most cities in one network."""

    rulebook = "legendary_asia.toml"
    legend = "Each × on a route is one more car, which goes into the mountain crossing."

    refused_under_deck: bool = option(
        False,
        True,
        rule="LR1",
        meaning="whether regular tickets that are not kept at set-up go under the pile, not to the box",
    )
    mountain_tie: Literal["routes", "cars"] = option(
        "routes", "cars", rule="LR2", meaning="what the last tie-break counts: mountain routes, or cars in the crossing"
    )

    board = always(ttr_maps.load("legendary_asia"))
    scoring = always((MOUNTAINS, NETWORK))
    # Ten points for the largest network, and nothing else (L12, L13).
    bonuses = always((ASIAN_EXPLORER,))

    @hookimpl
    def route_cars(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        """One more car for every cross (L6), which the seat must have (L8)."""
        return {id: cars + crosses(board.routes[id]) for id, cars in below().items()}

    @hookimpl
    def setup(self, below: Below[Setup], board: Board) -> Setup:
        """Deal one long ticket and three regular ones, at least two kept.

        The long ones then leave the game (L2, L3).
        """
        dealt = (Deal("long", 1), Deal("regular", 3))
        under = "regular" if self.refused_under_deck else None
        return (Stage(deals=dealt, keep=KeepAtLeast(2), under=under, box_rest=("long",), rule="L2"),)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        """The claim of a mountain route is followed by its crossing (L6, L7)."""
        if count := crosses(route):
            tx.emit(MountainsCrossed, seat, route.id, count, POINTS * count)

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        """More completed tickets, then more mountain routes (L14)."""
        return (MORE_TICKETS, MORE_CARS if self.mountain_tie == "cars" else MORE_ROUTES)

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        """The worth of routes: their crosses, and for the Asian Explorer the cities added to the largest network."""
        routes = rules.board.routes
        own = networks(routes[id].cities for id in view.routes(view.seat or 0))
        largest = max(map(len, own.values()), default=0)
        values: dict[str, float] = {}
        for route in routes.values():
            joined = {*route.cities}.union(*[own[city] for city in route.cities if city in own])
            values[route.id] = POINTS * crosses(route) + PER_CITY * max(len(joined) - largest, 0)
        return values

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[RouteNote]:
        """The crosses of each route."""
        for route in rules.board.routes.values():
            if count := crosses(route):
                yield RouteNote(route.id, "×" * count, plural("{count} more car", "{count} more cars", count))


__all__ = ["LegendaryAsia", "MountainsCrossed"]
