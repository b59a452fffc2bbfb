"""Switzerland: two or three players, locomotives in tunnels only, tickets to countries (V10, H1–H6)."""

from __future__ import annotations

from collections.abc import Hashable

import ttr_maps
from ttr_rules import Board, Counts, Refusal
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    Below,
    Components,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    Stage,
    Unkept,
    Variant,
    always,
    hookimpl,
)
from ttr_rules.train_cards import TrainCards


class SwissCards(TrainCards):
    """Train cards whose locomotives may be used only in tunnels (H3)."""

    def wild_spaces(self, cost: Cost) -> int:
        return super().wild_spaces(cost) if cost.tunnel or cost.only_wilds else 0

    def mismatch(self, cost: Cost, payment: Counts, powers: Hashable = None) -> Refusal | None:
        if payment["locomotive"] and not (cost.tunnel or cost.only_wilds):
            return Refusal("H3", "locomotives may be used in tunnels only")
        return super().mismatch(cost, payment, powers)


class Switzerland(Variant, name="switzerland", title="Switzerland"):
    """Two or three players; locomotives in tunnels only; tickets to countries."""

    rulebook = "switzerland.toml"

    board = always(ttr_maps.load("switzerland"))
    components = always(Components(cars=40, max_players=3, doubles_from=3))
    setup = always((Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(2), rule="H2"),))
    # The other tickets leave the game (H2); a face-up locomotive is an ordinary card (H3).
    draw_counts = always(DrawCounts(unkept=Unkept.BOX, wild_cards=1))

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return SwissCards()
