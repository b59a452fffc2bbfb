"""Europe, classic: one long and three regular tickets at the start, and stations (V2, B1–B6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ttr_maps
from ttr_rules import (
    ActionRule,
    Board,
    Deal,
    Economy,
    Ending,
    Event,
    KeepAtLeast,
    PartSpec,
    PluginInfo,
    ScoringTerm,
    Setup,
    Stage,
    TicketDeck,
    TicketLink,
    hookimpl,
)

from . import stations

info = PluginInfo("europe", "Europe (classic)", "Ferries, tunnels and stations; six long tickets, one a player.")


@hookimpl
def board() -> Board:
    return ttr_maps.load("europe")


@hookimpl
def ticket_deck(board: Board) -> TicketDeck:
    """The tickets of the base set; on a map of one's own, those of no set."""
    return TicketDeck.by_kind([ticket for ticket in board.tickets if ticket.set in ("", "europe")])


@hookimpl
def setup() -> Setup:
    dealt = (Deal("long", 1), Deal("regular", 3))
    return (Stage(deals=dealt, keep=KeepAtLeast(2), box_rest=("long",), rule="V2"),)


@hookimpl
def action_rules(economy: Economy) -> Iterable[ActionRule[Any, Any]]:
    return (stations.BuildStationRule(economy), stations.LendRoutesRule())


@hookimpl
def state_parts() -> Iterable[PartSpec]:
    return (stations.PART,)


@hookimpl
def event_types() -> Iterable[type[Event]]:
    return (stations.StationBuilt, stations.RoutesLent)


@hookimpl
def scoring_terms() -> Iterable[ScoringTerm]:
    return (stations.UNBUILT,)


@hookimpl
def ticket_links() -> Iterable[TicketLink]:
    return (stations.LOANS,)


@hookimpl
def endings() -> Iterable[Ending]:
    return (stations.ASK_OWNERS,)
