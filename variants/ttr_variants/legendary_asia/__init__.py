"""Legendary Asia: mountain routes that take more cars and score more, and a bonus for the largest network (L1–L14)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Literal

from attrs import frozen

import ttr_maps
from ttr_rules import Board, Event
from ttr_rules.plugins import (
    MORE_TICKETS,
    AfterClaim,
    Bonus,
    BotHint,
    Catalog,
    ClaimCondition,
    Deal,
    KeepAtLeast,
    MapMarks,
    PluginInfo,
    RuleFile,
    ScoringTerm,
    Setup,
    Stage,
    TieBreak,
    hookimpl,
    option,
)

from . import mountains, network
from .mountains import MountainsCrossed


@frozen
class LegendaryAsia:
    """Legendary Asia, for two to five players.

    >>> LegendaryAsia(mountain_tie="cars").info.title
    'Legendary Asia'
    """

    refused_under_deck: bool = option(
        False,
        True,
        rule="LR1",
        meaning="whether regular tickets that are not kept at set-up go under the pile, not to the box",
    )
    mountain_tie: Literal["routes", "cars"] = option(
        "routes", "cars", rule="LR2", meaning="what the last tie-break counts: mountain routes, or cars in the crossing"
    )

    @property
    def info(self) -> PluginInfo:
        return PluginInfo(
            "legendary-asia",
            "Legendary Asia",
            "Mountain routes take more cars and score at once; ten points for the most cities in one network.",
        )

    @hookimpl
    def board(self) -> Board:
        return ttr_maps.load("legendary_asia")

    @hookimpl(wrapper=True)
    def route_cars(self, board: Board) -> Generator[None, Mapping[str, int], Mapping[str, int]]:
        """One more car for every cross (L6)."""
        return {id: cars + mountains.crosses(board.routes[id]) for id, cars in (yield).items()}

    @hookimpl
    def setup(self) -> Setup:
        """One long ticket and three regular ones, at least two kept; the long ones then leave the game (L2, L3)."""
        dealt = (Deal("long", 1), Deal("regular", 3))
        under = "regular" if self.refused_under_deck else None
        return (Stage(deals=dealt, keep=KeepAtLeast(2), under=under, box_rest=("long",), rule="L2"),)

    @hookimpl
    def claim_conditions(self) -> Iterable[ClaimCondition]:
        return (mountains.ENOUGH_CARS,)

    @hookimpl
    def after_claims(self) -> Iterable[AfterClaim]:
        return (mountains.CROSSING,)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return (MountainsCrossed,)

    @hookimpl
    def scoring_terms(self) -> Iterable[ScoringTerm]:
        return (mountains.MOUNTAINS, network.NETWORK)

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...]:
        """Ten points for the largest network, and nothing else (L12, L13)."""
        return (network.ASIAN_EXPLORER,)

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...]:
        """More completed tickets, then more mountain routes (L14)."""
        return (MORE_TICKETS, mountains.MORE_CARS if self.mountain_tie == "cars" else mountains.MORE_ROUTES)

    @hookimpl
    def bot_hints(self) -> Iterable[BotHint]:
        return (mountains.HINT, network.HINT)

    @hookimpl
    def map_marks(self) -> Iterable[MapMarks]:
        return (mountains.MARKS,)

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.legendary_asia"),)

    @hookimpl
    def catalogs(self) -> Iterable[Catalog]:
        return (Catalog("ttr_variants"),)


__all__ = ["LegendaryAsia", "MountainsCrossed"]
