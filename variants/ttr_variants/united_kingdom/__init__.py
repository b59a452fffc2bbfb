"""United Kingdom: technologies bought with locomotives open regions, long routes and ferries (U1–U27).

Where the rules are, in the order of the rulebook:

- players, cars, tickets, ties (U1, U4, U19, U20): below
- the deck, four cards for a locomotive, no sweep (U2, U3, U5, U6, U13, U26, U27): `cards`
- the technologies, card by card: `technologies.toml`; which of them a route needs (U7, U8, U10 to U12, U21): `technologies`
- buying one before the action (U9): `purchases`
- their points, in play and at the end (U14, U15, U18, U24, U25): `scores`
- the right of way (U16): `right_of_way`; two claims in a turn, three cards (U22, U23): `advanced`
- rulings: `options`

The board (U8, U17, U18) is in the map file. `arrange` reads positions and score files, `hints` advises bots.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve, frozen

import ttr_maps
from ttr_rules import Board, Event, Route, Rules
from ttr_rules.plugins import (
    LONGER_PATH,
    MORE_TICKETS,
    ActionRule,
    AfterClaim,
    Bonus,
    BotHint,
    Catalog,
    ClaimCondition,
    Components,
    CostChange,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    MapMarks,
    PartSpec,
    PluginInfo,
    RuleFile,
    ScoringTerm,
    Setup,
    Stage,
    TieBreak,
    TurnHook,
    hookimpl,
    pays_with,
)

from . import advanced, arrange, cards, hints, marks, purchases, right_of_way, scores
from .advanced import DrawThree, ExtraClaim, SecondClaimDue
from .arrange import TechnologiesArranged
from .cards import BritishCards, LocomotiveDealt
from .options import BritishOptions
from .purchases import BuyTechnology
from .right_of_way import SharedClaim, ShareRoute
from .technologies import CONDITION, TECHNOLOGIES, Technologies, TechnologiesBoxed, Technology, TechnologyBought


@frozen
class UnitedKingdom(BritishOptions):
    """United Kingdom. `advanced` adds the advanced technologies; the other options decide open cases.

    >>> UnitedKingdom(advanced=True).info.title
    'United Kingdom'
    """

    @property
    def info(self) -> PluginInfo:
        return PluginInfo(
            "united-kingdom",
            "United Kingdom",
            "Technologies, bought with locomotives, open regions, long routes, ferries.",
        )

    @hookimpl
    def board(self) -> Board:
        board = ttr_maps.load("united_kingdom")
        return with_double(board, "penzance", "plymouth") if self.unequal_double else board

    @hookimpl
    def components(self) -> Components:
        """Two to four players, 35 cars; from three on both routes of a double are open (U1)."""
        return Components(cars=35, max_players=4, doubles_from=3)

    @hookimpl
    def setup(self) -> Setup:
        """Five tickets, at least three kept, the others under the pile (U4)."""
        return (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(3), under="regular", rule="U4"),)

    @hookimpl
    def draw_counts(self) -> DrawCounts:
        return DrawCounts()

    @hookimpl
    def economy(self) -> Economy:
        return BritishCards(mixed=self.substitute_with_locomotives)

    @hookimpl
    def state_parts(self) -> Iterable[PartSpec]:
        return (arrange.PART,)

    @hookimpl
    def action_rules(self, economy: Economy) -> Iterable[ActionRule[Any, Any]]:
        yield purchases.BuyTechnologyRule(economy)
        yield right_of_way.ShareRouteRule(economy)
        yield right_of_way.ForgoShareRule()
        if self.advanced:
            yield advanced.ExtraClaimRule()
            yield advanced.ForgoClaimRule()
            yield advanced.DrawThreeRule(economy)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return (LocomotiveDealt, TechnologyBought, TechnologiesBoxed, SecondClaimDue, TechnologiesArranged)

    @hookimpl
    def claim_conditions(self) -> Iterable[ClaimCondition]:
        return (CONDITION,)

    @hookimpl
    def cost_changes(self) -> Iterable[CostChange]:
        return (cards.COST_CHANGE,)

    @hookimpl
    def after_claims(self) -> Iterable[AfterClaim]:
        return (scores.AFTER_CLAIM,)

    @hookimpl
    def turn_ends(self) -> Iterable[TurnHook]:
        return (advanced.SECOND_CLAIM,) if self.advanced else ()

    @hookimpl
    def scoring_terms(self) -> Iterable[ScoringTerm]:
        return (scores.TERM,)

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...]:
        return scores.bonuses(self)

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...]:
        """More completed tickets; the longer path only if the option says so (U19)."""
        return (MORE_TICKETS, LONGER_PATH) if self.tie_break_rule == "path" else (MORE_TICKETS,)

    @hookimpl
    def problems(self, rules: Rules) -> Iterable[str]:
        """Refuse stacks without train cards, which have no locomotives to buy with."""
        if not pays_with(rules.economy, BritishCards):
            yield "technologies of the United Kingdom are bought with locomotives of its own train cards (U9)"

    @hookimpl
    def map_marks(self) -> Iterable[MapMarks]:
        return (marks.REGIONS,)

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.united_kingdom"),)

    @hookimpl
    def catalogs(self) -> Iterable[Catalog]:
        return (Catalog("ttr_variants"),)

    @hookimpl
    def bot_hints(self) -> Iterable[BotHint]:
        return hints.HINTS


def with_double(board: Board, first: str, second: str) -> Board:
    """A board on which the routes between two cities are a double, even if their lengths differ (UR5)."""
    pair = {route.id for route in board.routes_between(first, second)}
    routes: dict[str, Route] = {
        id: evolve(route, double_group=f"{first}-{second}") if id in pair else route
        for id, route in board.routes.items()
    }
    return evolve(board, routes=routes)


__all__ = [
    "TECHNOLOGIES",
    "BritishCards",
    "BritishOptions",
    "BuyTechnology",
    "DrawThree",
    "ExtraClaim",
    "LocomotiveDealt",
    "SecondClaimDue",
    "ShareRoute",
    "SharedClaim",
    "Technologies",
    "TechnologiesArranged",
    "TechnologiesBoxed",
    "Technology",
    "TechnologyBought",
    "UnitedKingdom",
]
