"""India: ferries, and the mandala for tickets that are connected twice (I1–I9)."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

import ttr_maps
from ttr_rules import Board, Route, View
from ttr_rules.plugins import (
    LONGEST_PATH,
    Below,
    Bonus,
    Components,
    Deal,
    KeepAtLeast,
    Rules,
    ScoringTerm,
    Setup,
    Stage,
    hookimpl,
)

from .mandala import MANDALA, MandalaOptions, joined_twice, towards


class India(MandalaOptions, name="india", title="India"):
    """Two to four players; ferries; points for tickets connected twice."""

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        return ttr_maps.load("india")

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        """Two to four players; with four both routes of a double are open (I1, I2)."""
        return Components(max_players=4)

    @hookimpl
    def setup(self, below: Below[Setup], board: Board) -> Setup:
        """Four tickets, at least two kept, the others under the pile; draws in play as usual (I3)."""
        return (Stage(deals=(Deal("regular", 4),), keep=KeepAtLeast(2), under="regular", rule="I3"),)

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        """Ten points for the longest path, nothing for the most tickets (I6)."""
        return (evolve(LONGEST_PATH, label="Indian Express"),)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (MANDALA,)

    @hookimpl
    def route_worth(self, rules: Rules, view: View, route: Route) -> float:
        return towards(view, rules, route)


__all__ = ["India", "joined_twice"]
