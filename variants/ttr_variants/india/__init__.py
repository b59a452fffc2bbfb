"""India: ferries, and the mandala for tickets that are connected twice (I1–I9)."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

import ttr_maps
from ttr_rules import Board
from ttr_rules.plugins import (
    LONGEST_PATH,
    Bonus,
    BotHint,
    Catalog,
    Components,
    Deal,
    KeepAtLeast,
    PluginInfo,
    RuleFile,
    ScoringTerm,
    Setup,
    Stage,
    hookimpl,
)

from .mandala import HINT, MANDALA, MandalaOptions, joined_twice


@frozen
class India(MandalaOptions):
    """India, for two to four players.

    >>> India(disjoint_cities=True).info.title
    'India'
    """

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("india", "India", "Two to four players; ferries; points for tickets connected twice.")

    @hookimpl
    def board(self) -> Board:
        return ttr_maps.load("india")

    @hookimpl
    def components(self) -> Components:
        """Two to four players; with four both routes of a double are open (I1, I2)."""
        return Components(max_players=4)

    @hookimpl
    def setup(self) -> Setup:
        """Four tickets, at least two kept, the others under the pile; draws in play as usual (I3)."""
        return (Stage(deals=(Deal("regular", 4),), keep=KeepAtLeast(2), under="regular", rule="I3"),)

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...]:
        """Ten points for the longest path, nothing for the most tickets (I6)."""
        return (evolve(LONGEST_PATH, label="Indian Express"),)

    @hookimpl
    def scoring_terms(self) -> Iterable[ScoringTerm]:
        return (MANDALA,)

    @hookimpl
    def bot_hints(self) -> Iterable[BotHint]:
        return (HINT,)

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.india"),)

    @hookimpl
    def catalogs(self) -> Iterable[Catalog]:
        return (Catalog("ttr_variants"),)


__all__ = ["India", "joined_twice"]
