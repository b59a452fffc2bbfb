"""Switzerland: two or three players, locomotives in tunnels only, tickets to countries (V10, H1–H6)."""

from __future__ import annotations

from collections.abc import Iterable

import ttr_maps
from ttr_rules import Board, Counts, Refusal
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    Catalog,
    Components,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    PluginInfo,
    RuleFile,
    Setup,
    Stage,
    Unkept,
    hookimpl,
)
from ttr_rules.train_cards import TrainCards

info = PluginInfo(
    "switzerland", "Switzerland", "Two or three players; locomotives in tunnels only; tickets to countries."
)


class SwissCards(TrainCards):
    """Train cards whose locomotives may be used only in tunnels (H3)."""

    def wild_spaces(self, cost: Cost) -> int:
        return cost.spaces if cost.tunnel else 0

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        if payment["locomotive"] and not cost.tunnel:
            return Refusal("H3", "locomotives may be used in tunnels only")
        return super().mismatch(cost, payment)


@hookimpl
def board() -> Board:
    return ttr_maps.load("switzerland")


@hookimpl
def components() -> Components:
    return Components(cars=40, max_players=3, doubles_from=3)


@hookimpl
def setup() -> Setup:
    return (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(2), rule="H2"),)


@hookimpl
def draw_counts() -> DrawCounts:
    return DrawCounts(unkept=Unkept.BOX)


@hookimpl
def economy() -> Economy:
    """A face-up locomotive is an ordinary card; the row is swept as usual (H3, S4)."""
    return SwissCards(locomotive_ends_draw=False)


@hookimpl
def rulebooks() -> Iterable[RuleFile]:
    return (RuleFile("ttr_variants", "switzerland.toml"),)


@hookimpl
def catalogs() -> Iterable[Catalog]:
    return (Catalog("ttr_variants"),)
