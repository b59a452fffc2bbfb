"""Europe, classic: one long and three regular tickets at the start, and stations (V2, B1–B6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from attrs import field, frozen

import ttr_maps
from ttr_rules import Board, Event
from ttr_rules.plugins import (
    MORE_TICKETS,
    PATH_HOLDER,
    TIE_BREAK_P5,
    ActionRule,
    BotHint,
    Catalog,
    Deal,
    Economy,
    Ending,
    KeepAtLeast,
    MapMarks,
    PartSpec,
    PluginInfo,
    RuleFile,
    ScoringTerm,
    Setup,
    Stage,
    TicketDeck,
    TicketLink,
    TieBreak,
    hookimpl,
    one_of,
    option_metadata,
)

from . import lending, marks, station_rule, stations, tables
from .lending import LendRoutes, RoutesLent, StationLinks
from .stations import (
    FEWER_STATIONS,
    BuildStation,
    StationBuilt,
    StationOptions,
    Stations,
)

#: The tie-break of the first edition (P6).
TIE_BREAK_P6: tuple[TieBreak, ...] = (MORE_TICKETS, FEWER_STATIONS, PATH_HOLDER)


@frozen
class Europe(stations.StationOptions):
    """Europe. `tie_break` is "P5" (anniversary edition) or "P6" (first edition).

    >>> Europe(tie_break="P6").info.title
    'Europe (classic)'
    """

    tie_break_rule: Literal["P5", "P6"] = field(
        default="P5",
        alias="tie_break",
        validator=one_of("P5", "P6"),
        metadata=option_metadata(
            "P5", "P6", rule="P5", meaning="the tie-break of the anniversary edition, or of the first (P6)"
        ),
    )

    @property
    def info(self) -> PluginInfo:
        return PluginInfo(
            "europe", "Europe (classic)", "Ferries, tunnels and stations; six long tickets, one a player."
        )

    @hookimpl
    def board(self) -> Board:
        return ttr_maps.load("europe")

    @hookimpl
    def ticket_deck(self, board: Board) -> TicketDeck:
        """The tickets of the base set; on a custom map, those without a set."""
        return TicketDeck.by_kind([ticket for ticket in board.tickets if ticket.set in ("", "europe")])

    @hookimpl
    def setup(self) -> Setup:
        dealt = (Deal("long", 1), Deal("regular", 3))
        return (Stage(deals=dealt, keep=KeepAtLeast(2), box_rest=("long",), rule="V2"),)

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...]:
        if self.tie_break_rule == "P6":
            return TIE_BREAK_P6
        return TIE_BREAK_P5

    @hookimpl
    def action_rules(self, economy: Economy) -> Iterable[ActionRule[Any, Any]]:
        return (station_rule.BuildStationRule(economy), lending.LendRoutesRule())

    @hookimpl
    def state_parts(self) -> Iterable[PartSpec]:
        return (tables.PART,)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return (stations.StationBuilt, lending.RoutesLent)

    @hookimpl
    def scoring_terms(self) -> Iterable[ScoringTerm]:
        return (stations.UNBUILT,)

    @hookimpl
    def ticket_links(self) -> Iterable[TicketLink]:
        return (lending.LOANS,)

    @hookimpl
    def endings(self) -> Iterable[Ending]:
        return (lending.ASK_OWNERS,)

    @hookimpl
    def map_marks(self) -> Iterable[MapMarks]:
        return (marks.STATIONS,)

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.europe"),)

    @hookimpl
    def catalogs(self) -> Iterable[Catalog]:
        return (Catalog("ttr_variants"),)

    @hookimpl
    def bot_hints(self) -> Iterable[BotHint]:
        return tables.HINTS


__all__ = [
    "FEWER_STATIONS",
    "TIE_BREAK_P6",
    "BuildStation",
    "Europe",
    "LendRoutes",
    "RoutesLent",
    "StationBuilt",
    "StationLinks",
    "StationOptions",
    "Stations",
]
