"""North America: 30 tickets, three each at the start, at least two kept, the others under the pile (V1)."""

from __future__ import annotations

import ttr_maps
from ttr_rules.plugins import Deal, KeepAtLeast, Stage, Variant, always


class NorthAmerica(Variant, name="north-america", title="North America"):
    """The first map: no ferries, tunnels or stations."""

    rulebook = "north_america.toml"

    board = always(ttr_maps.load("north_america"))
    setup = always((Stage(deals=(Deal("regular", 3),), keep=KeepAtLeast(2), under="regular", rule="V1"),))
