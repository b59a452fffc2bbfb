"""North America: 30 tickets, three each at the start, at least two kept, the others under the pile (V1)."""

from __future__ import annotations

from collections.abc import Iterable

import ttr_maps
from ttr_rules import Board
from ttr_rules.plugins import Catalog, Deal, KeepAtLeast, PluginInfo, RuleFile, Setup, Stage, hookimpl

info = PluginInfo("north-america", "North America", "The first map: no ferries, tunnels or stations.")


@hookimpl
def board() -> Board:
    return ttr_maps.load("north_america")


@hookimpl
def setup() -> Setup:
    return (Stage(deals=(Deal("regular", 3),), keep=KeepAtLeast(2), under="regular", rule="V1"),)


@hookimpl
def rulebooks() -> Iterable[RuleFile]:
    return (RuleFile("ttr_variants", "north_america.toml"),)


@hookimpl
def catalogs() -> Iterable[Catalog]:
    return (Catalog("ttr_variants"),)
