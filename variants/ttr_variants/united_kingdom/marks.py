"""Regions on pictures of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ttr_rules import View
from ttr_rules.plugins import CityNote, GameData, MapMark, MapMarks, RouteNote

from .technologies import OPEN_TO_ALL, TECHNOLOGIES


def _regions(rules: GameData, view: View | None) -> Iterator[MapMark]:
    regions: Mapping[str, Sequence[str]] = rules.board.extra.get("regions", {})
    needed = {region for card in TECHNOLOGIES.values() for region in card.regions}
    for region, cities in regions.items():
        if region in needed:
            for city in cities:
                yield CityNote(city, region[0].upper(), f"In {region.title()}: routes need a concession")
    for route in rules.board.routes.values():
        if OPEN_TO_ALL in route.marks:
            yield RouteNote(route.id, "free", "Needs no technology")


REGIONS = MapMarks(
    "regions",
    _regions,
    "Letters at cities are regions that need a concession: Wales, Scotland, Ireland, France; “free”: no technology needed.",
)
