"""What Märklin's train cards can pay (M1, M3, M5)."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_rules import Counts
from ttr_rules.model import Card, Cost
from ttr_rules.plugins import named

LOCOMOTIVE: str = Card.LOCOMOTIVE
PLUS_FOUR = "locomotive_4"
PASSENGER = named("passenger")
SHORTEST = 4  # a "+4" locomotive is wild on routes of this length or longer (M3)
ROUTES = ("single", "double")


def fours_serve(cost: Cost) -> bool:
    """Whether "+4" locomotives are wild: only on routes of four or more spaces (M3)."""
    return cost.kind in ROUTES and cost.spaces >= SHORTEST


def ways(cost: Cost, color: str | None, held: int, wild: int, four: int) -> Iterator[Counts]:
    """The payments for a cost with `held` cards of a color, or, without one, with only locomotives of both kinds.

    Those with the fewest locomotives come first, among these the ones with the most "+4".
    """
    if cost.kind == PASSENGER or (color is not None and (cost.only_wilds or cost.color not in (None, color))):
        return
    usable = four if fours_serve(cost) else 0
    least = max(cost.wilds, cost.spaces - held) if color is not None else cost.spaces
    most = cost.spaces - 1 if color is not None else cost.spaces
    for locomotives in range(least, min(most, wild + usable) + 1):
        for fours in range(min(usable, locomotives), max(locomotives - wild, 0) - 1, -1):
            plain = {} if color is None else {color: cost.spaces - locomotives}
            yield Counts({**plain, LOCOMOTIVE: locomotives - fours, PLUS_FOUR: fours})
