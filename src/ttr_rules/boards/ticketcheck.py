"""What the tickets of a map or a caller need besides being readable: existing places, consistent values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ttr_rules.boards.checks import JOINED, bad_ids, duplicates, unknown
from ttr_rules.boards.maprows import MapDocument, TicketRow
from ttr_rules.text import brief

#: The kinds of tickets.
TICKET_KINDS = ("regular", "long", "short")


def ticket_ids(rows: Iterable[TicketRow]) -> list[str]:
    """The ids of tickets: the one given, or `city-city`, `city-countries` with alternatives, `-2` for a second copy.

    >>> row = TicketRow(cities=["bern"], alternatives={"country_france": 5, "country_italy": 8})
    >>> ticket_ids([row, row, TicketRow(cities=["basel", "bern"], points=5)])
    ['bern-countries', 'bern-countries-2', 'basel-bern']
    """
    seen: Counter[str] = Counter()
    ids: list[str] = []
    for row in rows:
        if row.id is not None:
            ids.append(row.id)
            continue
        name = f"{row.cities[0]}-countries" if row.alternatives else "-".join(row.cities)
        seen[name] += 1
        ids.append(f"{name}-{seen[name]}" if seen[name] > 1 else name)
    return ids


def places_of(document: MapDocument) -> dict[str, set[str]]:
    """The places that tickets may name, each with the cities it stands for."""
    places: dict[str, set[str]] = {id: {id} for id in document.half_read}
    for _, row in document.cities:
        if row.country is not None:
            places.setdefault(row.country, set()).add(row.id)
    places.update({row.id: {row.id} for _, row in document.cities})
    return places


def ticket_problems(document: MapDocument) -> Iterator[str]:
    """Every mistake in the tickets of a map, each with where it is."""
    rows = [row for _, row in document.tickets]
    places = places_of(document)
    yield from duplicates(zip((place for place, _ in document.tickets), ticket_ids(rows), strict=True))
    for place, row in document.tickets:
        yield from bad_ids(f"{place}.id", row.id, form=JOINED)
        if document.whole and document.cities_known:
            for city in dict.fromkeys(row.cities):
                if city not in places:
                    yield f"{place}.cities: {unknown('city or country', city, places)}"
            for goal in row.alternatives:
                if goal not in places:
                    yield f"{place}.alternatives: {unknown('city or country', goal, places)}"
        start = places.get(row.cities[0], {row.cities[0]})
        for goal in dict.fromkeys([*row.cities[1:], *row.alternatives]):
            if goal == row.cities[0] or start & places.get(goal, set()):
                yield f"{place}: from {brief(row.cities[0])} to itself"
        yield from _ticket_values(place, row)
        if row.kind not in TICKET_KINDS:
            yield f"{place}.kind: unknown kind {brief(row.kind)}; there are {', '.join(TICKET_KINDS)}"
        yield from bad_ids(f"{place}.set", row.set or None)
        yield from bad_ids(f"{place}.logos", *row.logos)


def _ticket_values(place: str, row: TicketRow) -> Iterator[str]:
    if not row.alternatives:
        if row.points is None:
            yield f"{place}.points: missing"
        elif row.points < 1:
            yield f"{place}.points: expected at least 1, got {row.points}"
        return
    for goal, points in row.alternatives.items():
        if points < 1:
            yield f"{place}.alternatives: expected at least 1 for {brief(goal)}, got {points}"
    best = max(row.alternatives.values())
    if row.points not in (None, best):
        yield f"{place}.points: {row.points}, but the best of the alternatives is {best}"
    if len(row.cities) == 2 and row.alternatives.get(row.cities[1]) != best:
        yield f"{place}.cities: {brief(row.cities[1])} is not the best of the alternatives"
