"""Legendary Asia: mountain routes that take more cars and score more, and a bonus for the largest network (L1–L14)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import ttr_maps
from ttr_rules import Board, Refusal, Route, State, View
from ttr_rules.plugins import (
    MORE_TICKETS,
    Below,
    Bonus,
    Deal,
    KeepAtLeast,
    RouteNote,
    Rules,
    ScoringTerm,
    Setup,
    Stage,
    TieBreak,
    Transaction,
    Variant,
    hookimpl,
    option,
)

from . import mountains, network
from .mountains import MountainsCrossed


class LegendaryAsia(Variant, name="legendary-asia", title="Legendary Asia"):
    """Mountain routes take more cars and score at once; ten points for the most cities in one network."""

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

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        return ttr_maps.load("legendary_asia")

    @hookimpl
    def route_cars(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        """One more car for every cross (L6)."""
        return {id: cars + mountains.crosses(board.routes[id]) for id, cars in below().items()}

    @hookimpl
    def setup(self, below: Below[Setup], board: Board) -> Setup:
        """One long ticket and three regular ones, at least two kept; the long ones then leave the game (L2, L3)."""
        dealt = (Deal("long", 1), Deal("regular", 3))
        under = "regular" if self.refused_under_deck else None
        return (Stage(deals=dealt, keep=KeepAtLeast(2), under=under, box_rest=("long",), rule="L2"),)

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        return mountains.too_few_cars(state, seat, route)

    @hookimpl
    def closed_routes(self, state: State, seat: int) -> Iterable[int]:
        """None: the refusal only explains, as routes that take more cars than are left are not open anyway."""
        return ()

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route) -> None:
        mountains.cross(tx, seat, route)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (mountains.MOUNTAINS, network.NETWORK)

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        """Ten points for the largest network, and nothing else (L12, L13)."""
        return (network.ASIAN_EXPLORER,)

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        """More completed tickets, then more mountain routes (L14)."""
        return (MORE_TICKETS, mountains.MORE_CARS if self.mountain_tie == "cars" else mountains.MORE_ROUTES)

    @hookimpl
    def route_worth(self, rules: Rules, view: View, route: Route) -> float:
        return mountains.POINTS * mountains.crosses(route) + network.more_cities(view, rules, route)

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[RouteNote]:
        return mountains.cross_notes(rules)


__all__ = ["LegendaryAsia", "MountainsCrossed"]
