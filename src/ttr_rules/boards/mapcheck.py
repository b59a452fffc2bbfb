"""What a map needs besides being readable: existing names, unique ids, a connected board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ttr_rules.boards.checks import JOINED, bad_ids, duplicates, printable, unknown
from ttr_rules.boards.maprows import MapDocument, RouteRow
from ttr_rules.boards.ticketcheck import places_of, ticket_problems
from ttr_rules.model.cards import Color
from ttr_rules.model.placenames import PlaceNames, spellings
from ttr_rules.reading import LONGEST_ID
from ttr_rules.text import brief


def route_ids(rows: Iterable[RouteRow]) -> list[str]:
    """The ids of routes: the one given, or `city-city-color`, numbered from `-1` if that repeats.

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


def map_problems(document: MapDocument) -> Iterator[str]:
    """Every mistake in the meaning of a map, each with where it is."""
    yield from _map_itself(document)
    yield from _cities(document)
    yield from _routes(document)
    yield from _double_groups(document)
    yield from _hanging_together(document)
    yield from ticket_problems(document)
    yield from _aliases(document)


def _some(names: Sequence[str]) -> str:
    """Names for a message, the first few if there are many."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _map_itself(document: MapDocument) -> Iterator[str]:
    yield from bad_ids("id", document.id or None, form=JOINED)
    if document.name and not printable(document.name):
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


def _cities(document: MapDocument) -> Iterator[str]:
    yield from duplicates((place, row.id) for place, row in document.cities)
    ids = {row.id for _, row in document.cities}
    for place, row in document.cities:
        yield from bad_ids(f"{place}.id", row.id)
        if not row.name.strip():
            yield f"{place}.name: empty"
        elif not printable(row.name):
            yield f"{place}.name: control characters"
        for axis, position in (("x", row.x), ("y", row.y)):
            if not 0 <= position <= 1:
                yield f"{place}.{axis}: expected a fraction of the picture from 0 to 1, got {position}"
        yield from bad_ids(f"{place}.country", row.country)
        if row.country in ids:
            yield f"{place}.country: {brief(row.country)} is the id of a city"


def _aliases(document: MapDocument) -> Iterator[str]:
    """Other names of places: the places must exist, and no name may mean two places, however it is spelt."""
    if not document.aliases or not (document.whole and document.cities_known):
        return
    places = places_of(document)
    cities = [row for _, row in document.cities]
    names = PlaceNames(cities, {})
    taken: dict[str, str] = {}
    for id, (place, aliases) in document.aliases.items():
        if id not in places:
            yield f"{place}: {unknown('city or country', id, places)}"
            continue
        for alias in aliases:
            spelt = spellings(alias)
            if not all(spelt) or not printable(alias) or len(alias) > LONGEST_ID:
                yield f"{place}: {brief(alias)} is not a valid name of a place"
                continue
            others = {*names.meant(alias), *(taken[each] for each in spelt if each in taken)} - {id}
            if others:
                yield f"{place}: {brief(alias)} is also a name of {' and '.join(sorted(others))}"
            taken.update(dict.fromkeys(spelt, id))


def _routes(document: MapDocument) -> Iterator[str]:
    rows = [row for _, row in document.routes]
    places = [place for place, _ in document.routes]
    yield from duplicates(zip(places, route_ids(rows), strict=True))
    cities = {row.id for _, row in document.cities} | document.half_read
    colors = [str(color) for color in Color]
    for place, row in document.routes:
        yield from bad_ids(f"{place}.id", row.id, form=JOINED)
        if document.whole and document.cities_known:
            for city in dict.fromkeys(row.cities):
                if city not in cities:
                    yield f"{place}.cities: {unknown('city', city, cities)}"
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
        yield from bad_ids(f"{place}.marks", *row.marks)


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
        yield from bad_ids(f"{first_place}.double_group", group, form=JOINED)
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
            yield f"{place}: {unknown('double_group', group, groups)}"
    for place, name in document.no_doubles:
        here = pairs.get(frozenset(name.split("-")), [])
        if (len(here) < 2 or any(row.double_group for _, row in here)) and document.whole and document.routes_known:
            yield f"{place}: {brief(name)} does not name two cities joined by several routes that are not a double"


def _hanging_together(document: MapDocument) -> Iterator[str]:
    neighbors: dict[str, set[str]] = {row.id: set() for _, row in document.cities}
    routes_at: dict[str, set[str]] = {row.id: set() for _, row in document.cities}  # a double counts as one route
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
            yield f"{place}: a border crossing is the end of one route or of one double, {city.id} of {len(routes_at[city.id])}"
    if strange or not (document.whole and document.cities_known and document.routes_known):
        return
    for place, city in document.cities:
        if not routes_at[city.id] and document.routes:
            yield f"{place}: no route reaches {city.id}"
    pieces = sorted(_pieces({id: near for id, near in neighbors.items() if routes_at[id]}), key=len)
    for piece in pieces[:-1]:
        yield f"routes: cut off from the rest of the board: {_some(piece)}"


def _pieces(neighbors: Mapping[str, set[str]]) -> Iterator[Sequence[str]]:
    """The connected parts of the board, each with its cities in the order of the map."""
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
