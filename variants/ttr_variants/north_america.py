"""North America: 30 tickets, three each at the start, at least two kept, the others under the pile (V1)."""

from __future__ import annotations

import ttr_maps
from ttr_rules import Board
from ttr_rules.plugins import Below, Deal, KeepAtLeast, Stage, Variant, always, hookimpl


class NorthAmerica(Variant, name="north-america", title="North America"):
    """The first map: no ferries, tunnels or stations."""

    rulebook = "north_america.toml"

    setup = always((Stage(deals=(Deal("regular", 3),), keep=KeepAtLeast(2), under="regular", rule="V1"),))

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        return ttr_maps.load("north_america")
