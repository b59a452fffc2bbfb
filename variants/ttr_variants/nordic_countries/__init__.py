"""Nordic Countries: two or three players, locomotives on ferries and in tunnels only, cards that stand in (V9, N1–N9)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ttr_maps
from ttr_rules import Board, View
from ttr_rules.plugins import (
    LONGER_PATH,
    MORE_TICKETS,
    MOST_TICKETS,
    Bonus,
    Catalog,
    Components,
    Deal,
    DrawCounts,
    Economy,
    GameData,
    KeepAtLeast,
    MapMarks,
    Message,
    PluginInfo,
    RouteNote,
    RuleFile,
    Setup,
    Stage,
    TieBreak,
    Unkept,
    hookimpl,
)

from .cards import FOUR_FOR_ONE, NordicCards

info = PluginInfo(
    "nordic-countries",
    "Nordic Countries",
    "Two or three players; any three cards for a ferry's locomotive; ten points for the most tickets.",
    save_version=2,
)


def upcast(document: dict[str, Any], version: int) -> dict[str, Any]:
    """From 1 to 2: the bonus for the most tickets was renamed, which only affects the fingerprint."""
    return document


@hookimpl
def board() -> Board:
    return ttr_maps.load("nordic_countries")


@hookimpl
def components() -> Components:
    """Forty cars, two or three players; with three both routes of a double are open (N1)."""
    return Components(cars=40, max_players=3, doubles_from=3)


@hookimpl
def setup() -> Setup:
    """Five tickets, at least two kept, the others leave the game (N2)."""
    return (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(2), rule="N2"),)


@hookimpl
def draw_counts() -> DrawCounts:
    """Three tickets, at least one kept, the others leave the game (N2)."""
    return DrawCounts(unkept=Unkept.BOX)


@hookimpl
def economy() -> Economy:
    return NordicCards()


@hookimpl
def bonuses() -> tuple[Bonus, ...]:
    """Ten points for the most completed tickets, none for the longest path (N8)."""
    return (MOST_TICKETS,)


@hookimpl
def tie_break() -> tuple[TieBreak, ...]:
    """More completed tickets, then the longest path (N9)."""
    return (MORE_TICKETS, LONGER_PATH)


def _four_for_one(rules: GameData, view: View | None) -> Iterator[RouteNote]:
    for route in rules.board.routes.values():
        if FOUR_FOR_ONE in route.marks:
            yield RouteNote(route.id, "4:1", Message("any four cards stand in for a card of this route"))


@hookimpl
def map_marks() -> Iterable[MapMarks]:
    return (MapMarks("four for one", _four_for_one, legend="4:1: any four cards stand in for a card of that route."),)


@hookimpl
def rulebooks() -> Iterable[RuleFile]:
    return (RuleFile("ttr_variants.nordic_countries"),)


@hookimpl
def catalogs() -> Iterable[Catalog]:
    return (Catalog("ttr_variants"),)
