"""Pennsylvania: shares of railway companies, taken with routes and counted at the end (Y1–Y14)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from attrs import evolve, field, frozen

import ttr_maps
from ttr_rules import Board, Event
from ttr_rules.plugins import (
    LONGER_PATH,
    LONGEST_PATH,
    MORE_TICKETS,
    MOST_TICKETS,
    TIE_BREAK_P5,
    ActionRule,
    AfterClaim,
    Bonus,
    BotHint,
    Catalog,
    Components,
    Deal,
    DrawCounts,
    Ending,
    KeepAtLeast,
    MapMarks,
    PartSpec,
    PluginInfo,
    RuleFile,
    ScoringTerm,
    Setup,
    Stage,
    TieBreak,
    hookimpl,
    one_of,
    option,
    option_metadata,
)

from . import majorities, marks, shares
from .shares import DummyShareChoice, DummyShareTaken, ShareChoice, Shares, SharesTurnedUp, ShareTaken, TakeShare


@frozen
class Pennsylvania(shares.ShareOptions):
    """Pennsylvania, for two to five players; with two of them a dummy takes shares too.

    >>> Pennsylvania(open_shares=True).info.title
    'Pennsylvania'
    """

    doubles_from: Literal[4, 2, 3] = option(
        4, 2, 3, rule="YR1", meaning="from how many players on both routes of a double may be used"
    )
    longest_path: bool = option(False, True, rule="YR2", meaning="whether the longest path brings 10 points")
    tie_break_rule: Literal["P5", "path"] = field(
        default="P5",
        alias="tie_break",
        validator=one_of("P5", "path"),
        metadata=option_metadata(
            "P5",
            "path",
            rule="YR4",
            meaning="what breaks a tie after the completed tickets: nothing, or the longer path",
        ),
    )

    @property
    def info(self) -> PluginInfo:
        return PluginInfo(
            "pennsylvania", "Pennsylvania", "Shares of companies, taken with routes; majorities at the end."
        )

    @hookimpl
    def board(self) -> Board:
        return ttr_maps.load("pennsylvania")

    @hookimpl
    def components(self) -> Components:
        return Components(doubles_from=self.doubles_from)

    @hookimpl
    def setup(self) -> Setup:
        """Five tickets, at least three kept, the others under the pile (Y2)."""
        return (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(3), under="regular", rule="Y2"),)

    @hookimpl
    def draw_counts(self) -> DrawCounts:
        return DrawCounts(drawn=4)

    @hookimpl
    def state_parts(self) -> Iterable[PartSpec]:
        return (majorities.PART,)

    @hookimpl
    def after_claims(self) -> Iterable[AfterClaim]:
        return (shares.AFTER_CLAIM,)

    @hookimpl
    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return shares.RULES

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return shares.EVENTS

    @hookimpl
    def endings(self) -> Iterable[Ending]:
        return (shares.TURN_UP,)

    @hookimpl
    def scoring_terms(self) -> Iterable[ScoringTerm]:
        return (majorities.SHARES,)

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...]:
        """Fifteen points for the most completed tickets; for the longest path only if a ruling says so (Y10, YR2)."""
        return (evolve(MOST_TICKETS, points=15, label="Globetrotter"), *([LONGEST_PATH] if self.longest_path else []))

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...]:
        """As P5, whose second step has no effect if nobody holds the longest path (Y14)."""
        return (MORE_TICKETS, LONGER_PATH) if self.tie_break_rule == "path" else TIE_BREAK_P5

    @hookimpl
    def bot_hints(self) -> Iterable[BotHint]:
        return (majorities.HINT,)

    @hookimpl
    def map_marks(self) -> Iterable[MapMarks]:
        return (marks.COMPANIES,)

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.pennsylvania"),)

    @hookimpl
    def catalogs(self) -> Iterable[Catalog]:
        return (Catalog("ttr_variants"),)


__all__ = [
    "DummyShareChoice",
    "DummyShareTaken",
    "Pennsylvania",
    "ShareChoice",
    "ShareTaken",
    "Shares",
    "SharesTurnedUp",
    "TakeShare",
]
