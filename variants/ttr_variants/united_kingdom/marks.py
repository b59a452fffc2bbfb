"""Regions on pictures of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ttr_rules.plugins import CityNote, MapMark, Message, RouteNote, Rules

from .technologies import OPEN_TO_ALL, TECHNOLOGIES

#: What a route to a region needs.
NEEDED = {
    "wales": Message("in Wales, which needs a concession"),
    "scotland": Message("in Scotland, which needs a concession"),
    "ireland": Message("in Ireland, which needs a concession"),
    "france": Message("in France, which needs a concession"),
}


def region_notes(rules: Rules) -> Iterator[MapMark]:
    """The regions of cities, and the routes that need no technology."""
    regions: Mapping[str, Sequence[str]] = rules.board.extra.get("regions", {})
    needed = {region for card in TECHNOLOGIES.values() for region in card.regions}
    for region, cities in regions.items():
        if region in needed:
            for city in cities:
                yield CityNote(city, region[:2].title(), NEEDED.get(region, ""))
    for route in rules.board.routes.values():
        if OPEN_TO_ALL in route.marks:
            yield RouteNote(route.id, "★", Message("needs no technology"))
