"""What a map must be beside readable: names that exist, ids that are unique, a board that hangs together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from unicodedata import category

from ttr_rules._internal.limits import LONGEST_ID, MOST_NAMES
from ttr_rules._internal.messages import brief
from ttr_rules.boards.maprows import MapDocument, RouteRow, TicketRow
from ttr_rules.model.cards import Color
from ttr_rules.model.placenames import PlaceNames, spellings

#: What a ticket may be.
TICKET_KINDS = ("regular", "long", "short")

_PART = re.compile(r"[a-z0-9_]+")
_JOINED = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*")


def route_ids(rows: Iterable[RouteRow]) -> list[str]:
    """The ids of routes: the one given, or `city-city-color`, numbered from `-1` where that repeats.

    >>> row = RouteRow(cities=["dieppe", "london"], length=2, color="gray")
    >>> route_ids([row, row, RouteRow(cities=["brest", "paris"], length=3, color="black")])
    ['dieppe-london-gray-1', 'dieppe-london-gray-2', 'brest-paris-black']
    """
    rows = list(rows)
    names = ["-".join([*row.cities, row.color]) for row in rows]
    repeated = Counter(name for name, row in zip(names, rows, strict=True) if row.id is None)
    seen: Counter[str] = Counter()
    ids: list[str] = []
    for name, row in zip(names, rows, strict=True):
        if row.id is not None:
            ids.append(row.id)
            continue
        seen[name] += 1
        ids.append(f"{name}-{seen[name]}" if repeated[name] > 1 else name)
    return ids


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


def map_problems(document: MapDocument) -> Iterator[str]:
    """Every mistake in the meaning of a map, each with its place."""
    yield from _map_itself(document)
    yield from _cities(document)
    yield from _routes(document)
    yield from _double_groups(document)
    yield from _hanging_together(document)
    yield from ticket_problems(document)
    yield from _aliases(document)


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    names = list(known)
    near = get_close_matches(name[:60], names, n=1) if len(names) <= MOST_NAMES else []
    return f"unknown {what} {brief(name)}" + (f", perhaps {near[0]}" if near else "")


def _some(names: Sequence[str]) -> str:
    """Names for a message, the first few where there are many."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _duplicates(placed: Iterable[tuple[str, str]]) -> Iterator[str]:
    first: dict[str, str] = {}
    for place, id in placed:
        if id in first:
            yield f"{place}.id: {brief(id)} is taken by {first[id]}"
        first.setdefault(id, place)


def _bad_ids(place: str, *ids: str | None, form: re.Pattern[str] = _PART) -> Iterator[str]:
    """What is wrong with ids of one place; with None, which stands for no id, nothing is."""
    for id in ids:
        if id is not None and len(id) > LONGEST_ID:
            yield f"{place}: {brief(id)} is too long for an id: {LONGEST_ID} characters at most"
        elif id is not None and not form.fullmatch(id):
            allowed = "a-z, 0-9 and _" if form is _PART else "a-z, 0-9 and _, joined by single hyphens"
            yield f"{place}: {brief(id)} is no id; ids are made of {allowed}"


def _map_itself(document: MapDocument) -> Iterator[str]:
    yield from _bad_ids("id", document.id or None, form=_JOINED)
    if document.name and not _printable(document.name):
        yield "name: control characters"
    if not document.whole:
        return
    if document.id is None:
        yield "id: missing"
    if document.name is None:
        yield "name: missing"
    if document.points is None:
        yield "points: missing; a table of route lengths with their points is needed"
    if document.cities_known and not document.cities and not document.half_read:
        yield "cities: there are none"
    if document.routes_known and not document.routes:
        yield "routes: there are none"


def _printable(name: str) -> bool:
    return all(category(character) not in ("Cc", "Cs") for character in name)


def _cities(document: MapDocument) -> Iterator[str]:
    yield from _duplicates((place, row.id) for place, row in document.cities)
    ids = {row.id for _, row in document.cities}
    for place, row in document.cities:
        yield from _bad_ids(f"{place}.id", row.id)
        if not row.name.strip():
            yield f"{place}.name: empty"
        elif not _printable(row.name):
            yield f"{place}.name: control characters"
        for axis, position in (("x", row.x), ("y", row.y)):
            if not 0 <= position <= 1:
                yield f"{place}.{axis}: expected a fraction of the picture from 0 to 1, got {position}"
        yield from _bad_ids(f"{place}.country", row.country)
        if row.country in ids:
            yield f"{place}.country: {brief(row.country)} is the id of a city"


def _aliases(document: MapDocument) -> Iterator[str]:
    """Other names of places: of places that exist, each of one place only, whatever way it is spelt."""
    if not document.aliases or not (document.whole and document.cities_known):
        return
    places = _places(document)
    cities = [row for _, row in document.cities]
    names = PlaceNames(cities, {})
    taken: dict[str, str] = {}
    for id, (place, aliases) in document.aliases.items():
        if id not in places:
            yield f"{place}: {_unknown('city or country', id, places)}"
            continue
        for alias in aliases:
            spelt = spellings(alias)
            if not all(spelt) or not _printable(alias) or len(alias) > LONGEST_ID:
                yield f"{place}: {brief(alias)} is no name of a place"
                continue
            others = {*names.meant(alias), *(taken[each] for each in spelt if each in taken)} - {id}
            if others:
                yield f"{place}: {brief(alias)} is a name of {' and '.join(sorted(others))} too"
            taken.update(dict.fromkeys(spelt, id))


def _places(document: MapDocument) -> dict[str, set[str]]:
    """The places that tickets may name, each with the cities it stands for."""
    places: dict[str, set[str]] = {id: {id} for id in document.half_read}
    for _, row in document.cities:
        if row.country is not None:
            places.setdefault(row.country, set()).add(row.id)
    places.update({row.id: {row.id} for _, row in document.cities})
    return places


def _routes(document: MapDocument) -> Iterator[str]:
    rows = [row for _, row in document.routes]
    places = [place for place, _ in document.routes]
    yield from _duplicates(zip(places, route_ids(rows), strict=True))
    cities = {row.id for _, row in document.cities} | document.half_read
    colors = [str(color) for color in Color]
    for place, row in document.routes:
        yield from _bad_ids(f"{place}.id", row.id, form=_JOINED)
        if document.whole and document.cities_known:
            for city in dict.fromkeys(row.cities):
                if city not in cities:
                    yield f"{place}.cities: {_unknown('city', city, cities)}"
        if row.cities[0] == row.cities[1]:
            yield f"{place}.cities: from {brief(row.cities[0])} to itself"
        if row.length < 1:
            yield f"{place}.length: expected at least 1, got {row.length}"
        elif document.points and row.length not in document.points:
            yield f"{place}.length: no points are given for the length {row.length}"
        if row.color not in colors:
            yield f"{place}.color: unknown color {brief(row.color)}; there are {', '.join(colors)}"
        if row.ferry_locomotives < 0:
            yield f"{place}.ferry_locomotives: expected at least 0, got {row.ferry_locomotives}"
        elif row.ferry_locomotives > max(row.length, 0):
            yield f"{place}.ferry_locomotives: {row.ferry_locomotives} on a route of length {row.length}"
        yield from _bad_ids(f"{place}.marks", *row.marks)


def _double_groups(document: MapDocument) -> Iterator[str]:
    groups: dict[str, list[tuple[str, RouteRow]]] = {}
    pairs: dict[frozenset[str], list[tuple[str, RouteRow]]] = {}
    for place, row in document.routes:
        if row.double_group is not None:
            groups.setdefault(row.double_group, []).append((place, row))
        pairs.setdefault(frozenset(row.cities), []).append((place, row))
    declared = {group for _, group in document.unequal_doubles}
    for group, members in groups.items():
        first_place, first = members[0]
        yield from _bad_ids(f"{first_place}.double_group", group, form=_JOINED)
        if len(members) < 2 and document.whole and document.routes_known:
            yield f"{first_place}.double_group: no other route is in {brief(group)}"
        for place, row in members[1:]:
            if set(row.cities) != set(first.cities):
                yield f"{place}.double_group: {brief(group)} joins other cities at {first_place}"
            elif row.length != first.length and group not in declared:
                lengths = f"{row.length} is not the length {first.length} of {first_place}"
                yield f"{place}.length: {lengths} in {brief(group)}; unequal_doubles does not list it"
    single = {frozenset(name.split("-")) for _, name in document.no_doubles}
    for cities, parallel in pairs.items():
        groups_here = {row.double_group for _, row in parallel}
        if cities in single and groups_here == {None}:
            continue
        if len(parallel) > 1 and len(groups_here) > 1:
            others = _some([place for place, _ in parallel])
            for place, row in parallel:
                if row.double_group is None or None not in groups_here:
                    yield f"{place}.double_group: parallel routes must share one ({others})"
        elif len(parallel) > 1 and groups_here == {None}:
            for place, _ in parallel:
                others = _some([other for other, _ in parallel if other != place])
                yield f"{place}.double_group: missing, though it runs beside {others}"
    for place, group in document.unequal_doubles:
        if group not in groups and document.whole and document.routes_known:
            yield f"{place}: {_unknown('double_group', group, groups)}"
    for place, name in document.no_doubles:
        here = pairs.get(frozenset(name.split("-")), [])
        if (len(here) < 2 or any(row.double_group for _, row in here)) and document.whole and document.routes_known:
            yield f"{place}: {brief(name)} does not name two cities that several routes join which are no double"


def _hanging_together(document: MapDocument) -> Iterator[str]:
    neighbors: dict[str, set[str]] = {row.id: set() for _, row in document.cities}
    routes_at: dict[str, set[str]] = {row.id: set() for _, row in document.cities}  # a double counts as one
    strange = False
    for place, row in document.routes:
        first, second = row.cities
        for end in (first, second):
            routes_at.setdefault(end, set()).add(row.double_group or place)
        if first in neighbors and second in neighbors:
            neighbors[first].add(second)
            neighbors[second].add(first)
        else:
            strange = True
    for place, city in document.cities:
        if city.country is not None and len(routes_at[city.id]) > 1:
            yield f"{place}: a border crossing is the end of one route or of one double (H4), {city.id} of {len(routes_at[city.id])}"
    if strange or not (document.whole and document.cities_known and document.routes_known):
        return
    for place, city in document.cities:
        if not routes_at[city.id] and document.routes:
            yield f"{place}: no route reaches {city.id}"
    pieces = sorted(_pieces({id: near for id, near in neighbors.items() if routes_at[id]}), key=len)
    for piece in pieces[:-1]:
        yield f"routes: cut off from the rest of the board: {_some(piece)}"


def _pieces(neighbors: Mapping[str, set[str]]) -> Iterator[Sequence[str]]:
    """The parts of the board that hang together, each with its cities in the order of the map."""
    left = dict.fromkeys(neighbors)
    while left:
        piece: set[str] = set()
        reached = [next(iter(left))]
        while reached:
            city = reached.pop()
            if city not in piece:
                piece.add(city)
                reached.extend(neighbors[city])
        yield [city for city in neighbors if city in piece]
        for city in piece:
            del left[city]


def ticket_problems(document: MapDocument) -> Iterator[str]:
    """Every mistake in the tickets of a map, each with its place."""
    rows = [row for _, row in document.tickets]
    places = _places(document)
    yield from _duplicates(zip((place for place, _ in document.tickets), ticket_ids(rows), strict=True))
    for place, row in document.tickets:
        yield from _bad_ids(f"{place}.id", row.id, form=_JOINED)
        if document.whole and document.cities_known:
            for city in dict.fromkeys(row.cities):
                if city not in places:
                    yield f"{place}.cities: {_unknown('city or country', city, places)}"
            for goal in row.alternatives:
                if goal not in places:
                    yield f"{place}.alternatives: {_unknown('city or country', goal, places)}"
        start = places.get(row.cities[0], {row.cities[0]})
        for goal in dict.fromkeys([*row.cities[1:], *row.alternatives]):
            if goal == row.cities[0] or start & places.get(goal, set()):
                yield f"{place}: from {brief(row.cities[0])} to itself"
        yield from _ticket_values(place, row)
        if row.kind not in TICKET_KINDS:
            yield f"{place}.kind: unknown kind {brief(row.kind)}; there are {', '.join(TICKET_KINDS)}"
        yield from _bad_ids(f"{place}.set", row.set or None)
        yield from _bad_ids(f"{place}.logos", *row.logos)


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
