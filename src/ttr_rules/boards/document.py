"""A map document: its rows, read by exact types, and everything that is wrong with them, each mistake with its place.

Nothing is guessed or converted: a number in quotes, `true` for 1, or 2.5 for a whole number are mistakes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar, cast
from unicodedata import category

from attrs import Factory, define, frozen, has
from cattrs import ClassValidationError, Converter, IterableValidationError
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn

from ttr_rules._internal.exact import Hook, be_exact
from ttr_rules.model.board import networks
from ttr_rules.model.cards import Color
from ttr_rules.model.placenames import PlaceNames, spellings
from ttr_rules.reading import LONGEST_ID, MOST_NAMES, MOST_ROWS, JsonObject, is_table
from ttr_rules.text import brief

#: The largest number allowed in a map.
LARGEST = 1_000_000

T = TypeVar("T")


@frozen
class CityRow:
    """One city as written in a map document."""

    id: str
    name: str
    x: float = 0.0
    y: float = 0.0
    country: str | None = None


@frozen
class RouteRow:
    """One route as written in a map document."""

    cities: list[str]
    length: int
    color: str
    tunnel: bool = False
    ferry_locomotives: int = 0
    double_group: str | None = None
    marks: list[str] = Factory(list[str])
    id: str | None = None


@frozen
class TicketRow:
    """One ticket as written in a map document. With `alternatives`, the second city and the points may be left out."""

    cities: list[str]
    points: int | None = None
    kind: str = "regular"
    set: str = ""
    logos: list[str] = Factory(list[str])
    alternatives: dict[str, int] = Factory(dict[str, int])
    id: str | None = None


@define
class MapDocument:
    """The readable rows of a map, each with where it is, such as `routes[3]`, and what is known to be missing.

    `whole` is false if a file could not be read at all; then nothing is concluded from missing rows.
    `cities_known` and `routes_known` say whether every row of that kind was read, `half_read` holds the ids of
    cities and countries in rows with a mistake.
    """

    id: str | None = None
    name: str | None = None
    points: dict[int, int] | None = None
    cities: list[tuple[str, CityRow]] = Factory(list[tuple[str, CityRow]])
    routes: list[tuple[str, RouteRow]] = Factory(list[tuple[str, RouteRow]])
    tickets: list[tuple[str, TicketRow]] = Factory(list[tuple[str, TicketRow]])
    unequal_doubles: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    no_doubles: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    aliases: dict[str, tuple[str, list[str]]] = Factory(dict[str, tuple[str, list[str]]])
    extra: JsonObject = Factory(JsonObject)
    whole: bool = True
    cities_known: bool = True
    routes_known: bool = True
    half_read: set[str] = Factory(set[str])


def _number(value: object, _: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -LARGEST <= value <= LARGEST:
        raise ValueError(f"expected a number, got {brief(value)}")
    return float(value)


def _row(kind: type[Any], made: Converter) -> Hook:
    """A structure hook for the class of a row, whose keys are all known."""
    structure = make_dict_structure_fn(kind, made, _cattrs_forbid_extra_keys=True)

    def hook(value: object, type_: Any) -> object:
        if not is_table(value):
            raise ValueError(f"expected a table, got {brief(value)}")
        return structure(value, type_)

    return hook


def _converter() -> Converter:
    made = Converter(detailed_validation=True)
    be_exact(made, LARGEST, MOST_ROWS)
    made.register_structure_hook(float, _number)

    def row(kind: type[Any]) -> Hook:
        return _row(kind, made)

    made.register_structure_hook_factory(has, row)
    return made


_CONVERTER = _converter()


def rows_converter() -> Converter:
    """The converter of rows: exact types, and known keys only."""
    return _CONVERTER


def problems_of(error: Exception, place: str) -> Iterator[str]:
    """The mistakes in an error of the converter, each with where it is."""
    if isinstance(error, ClassValidationError):
        fields, rest = error.group_exceptions()
        for problem, field in fields:
            yield from problems_of(problem, f"{place}.{field.name}")
        for problem in rest:
            yield from problems_of(problem, place)
    elif isinstance(error, IterableValidationError):
        entries, _ = error.group_exceptions()
        for problem, entry in entries:
            yield from problems_of(problem, f"{place}[{brief(entry.index)}]")
    elif isinstance(error, KeyError):
        yield f"{place}: missing"
    elif isinstance(error, ForbiddenExtraKeysError):
        for key in sorted(brief(key) for key in cast("Iterable[object]", error.extra_fields)):
            yield f"{place}: unknown key {key}"
    else:
        yield f"{place}: {error}"


class Reader:
    """Reads the parts of one map, one by one, into `document`; mistakes are added to `problems`."""

    _KEYS = ("id", "name", "points", "cities", "routes", "tickets", "unequal_doubles", "no_doubles", "aliases", "extra")

    def __init__(self) -> None:
        self.document = MapDocument()
        self.problems: list[str] = []

    def read(self, part: Mapping[Any, Any], prefix: str = "") -> None:
        """Read one part: a whole map, or a document whose tables are added to the others."""
        document = self.document
        for key in sorted(brief(key) for key in part if key not in self._KEYS):
            self.problems.append(f"{prefix}unknown key {key}; a map has {', '.join(self._KEYS)}")
        if "id" in part:
            document.id = self._once(document.id, part["id"], f"{prefix}id")
        if "name" in part:
            document.name = self._once(document.name, part["name"], f"{prefix}name")
        if "points" in part:
            self._read_points(part["points"], f"{prefix}points")
        document.cities += self._rows(part, "cities", CityRow, prefix, self._half_read_city)
        document.routes += self._rows(part, "routes", RouteRow, prefix, self._half_read_route)
        document.tickets += self._rows(part, "tickets", TicketRow, prefix, lambda _: None)
        for key, names in (("unequal_doubles", document.unequal_doubles), ("no_doubles", document.no_doubles)):
            for place, group in self._list(part, key, prefix):
                name = self._value(group, str, place)
                if name is not None:
                    names.append((place, name))
        self._read_aliases(part.get("aliases", {}), f"{prefix}aliases")
        extra: object = part.get("extra", {})
        if is_table(extra):
            document.extra.update((str(key), value) for key, value in extra.items())
        else:
            self.problems.append(f"{prefix}extra: expected a table, got {brief(extra)}")

    def _value(self, value: object, type_: type[T], place: str) -> T | None:
        try:
            return _CONVERTER.structure(value, type_)
        except (ClassValidationError, IterableValidationError, ValueError) as error:
            self.problems += problems_of(error, place)
            return None

    def _once(self, before: str | None, value: object, place: str) -> str | None:
        """A text that a map has once, though several parts may repeat it. An invalid one reads as empty."""
        text = self._value(value, str, place)
        if text is not None and not text.strip():
            self.problems.append(f"{place}: empty")
        if before is not None and text is not None and text != before:
            self.problems.append(f"{place}: {brief(text)}, but another part of the map has {brief(before)}")
        return before or text or ""

    def _list(self, part: Mapping[Any, Any], key: str, prefix: str) -> Iterator[tuple[str, object]]:
        entries: object = part.get(key, [])
        if isinstance(entries, (list, tuple)) and len(cast("Sequence[object]", entries)) <= MOST_ROWS:
            for index, entry in enumerate(cast("Sequence[object]", entries)):
                yield f"{prefix}{key}[{index}]", entry
            return
        if isinstance(entries, (list, tuple)):
            count = len(cast("Sequence[object]", entries))
            self.problems.append(f"{prefix}{key}: {count} rows (limit {MOST_ROWS})")
        else:
            self.problems.append(f"{prefix}{key}: expected a list, got {brief(entries)}")
        if key == "cities":
            self.document.cities_known = False
        elif key == "routes":
            self.document.routes_known = False

    def _rows(
        self, part: Mapping[Any, Any], key: str, type_: type[T], prefix: str, failed: Callable[[object], None]
    ) -> Iterator[tuple[str, T]]:
        for place, entry in self._list(part, key, prefix):
            row = self._value(entry, type_, place)
            if row is not None and isinstance(row, (RouteRow, TicketRow)) and not _enough_cities(row):
                self.problems.append(f"{place}.cities: expected two cities, got {len(row.cities)}")
                row = None
            if row is None:
                failed(entry)
            else:
                yield place, row

    def _half_read_city(self, entry: object) -> None:
        row: Mapping[Any, Any] = entry if is_table(entry) else {}
        ids = [value for value in (row.get("id"), row.get("country")) if isinstance(value, str)]
        self.document.half_read.update(ids)
        if not isinstance(row.get("id"), str):
            self.document.cities_known = False

    def _half_read_route(self, _: object) -> None:
        self.document.routes_known = False

    def _read_points(self, value: object, place: str) -> None:
        table = self.document.points = self.document.points or {}
        if not is_table(value):
            self.problems.append(f"{place}: expected a table, got {brief(value)}")
            return
        if not value:
            self.problems.append(f"{place}: empty")
        for key, entry in value.items():
            length = _length(key)
            if length is None:
                self.problems.append(f"{place}: {brief(key)} is not a route length")
            elif length in table:
                self.problems.append(f"{place}.{length}: given twice")
            else:
                points = self._value(entry, int, f"{place}.{length}")
                if points is not None and points < 0:
                    self.problems.append(f"{place}.{length}: expected at least 0 points, got {points}")
                table[length] = points or 0

    def _read_aliases(self, value: object, place: str) -> None:
        if not is_table(value):
            self.problems.append(f"{place}: expected a table, got {brief(value)}")
        elif len(value) > MOST_ROWS:
            self.problems.append(f"{place}: {len(value)} places (limit {MOST_ROWS})")
        else:
            for id, names in value.items():
                here = f"{place}.{id if isinstance(id, str) and len(id) <= LONGEST_ID else brief(id)}"
                found = self._value(names, list[str], here)
                if found is not None:
                    self.document.aliases[str(id)] = (
                        here,
                        [*self.document.aliases.get(str(id), (here, []))[1], *found],
                    )


def _enough_cities(row: RouteRow | TicketRow) -> bool:
    if isinstance(row, TicketRow) and row.alternatives and len(row.cities) == 1:
        return True
    return len(row.cities) == 2


def _length(key: object) -> int | None:
    if type(key) is int and 1 <= key <= LARGEST:
        return key
    if isinstance(key, str) and key.isascii() and key.isdigit() and len(key) <= 6 and key[0] != "0":
        return int(key)
    return None


PART = re.compile(r"[a-z0-9_]+")
JOINED = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*")


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name, with the closest known one."""
    names = list(known)
    near = get_close_matches(name[:60], names, n=1) if len(names) <= MOST_NAMES else []
    return f"unknown {what} {brief(name)}" + (f", perhaps {near[0]}" if near else "")


def duplicates(placed: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Ids that occur twice."""
    first: dict[str, str] = {}
    for place, id in placed:
        if id in first:
            yield f"{place}.id: {brief(id)} is taken by {first[id]}"
        first.setdefault(id, place)


def bad_ids(place: str, *ids: str | None, form: re.Pattern[str] = PART) -> Iterator[str]:
    """Problems with the ids at a place; None stands for no id and is always accepted."""
    for id in ids:
        if id is not None and len(id) > LONGEST_ID:
            yield f"{place}: {brief(id)} is too long for an id (limit {LONGEST_ID})"
        elif id is not None and not form.fullmatch(id):
            allowed = "a-z, 0-9 and _" if form is PART else "a-z, 0-9 and _, joined by single hyphens"
            yield f"{place}: {brief(id)} is not an id; ids consist of {allowed}"


def printable(name: str) -> bool:
    """Return True for a name without control characters."""
    return all(category(character) not in ("Cc", "Cs") for character in name)


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
    """Other names of places: the places must exist, and no name may mean two places, however it is spelled."""
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
    links: list[tuple[str, str]] = []
    routes_at: dict[str, set[str]] = {row.id: set() for _, row in document.cities}  # a double counts as one route
    cities = len(routes_at)
    for place, row in document.routes:
        first, second = row.cities
        links.append((first, second))
        for end in (first, second):
            routes_at.setdefault(end, set()).add(row.double_group or place)
    for place, city in document.cities:
        if city.country is not None and len(routes_at[city.id]) > 1:
            yield f"{place}: a border crossing is the end of one route or of one double, {city.id} of {len(routes_at[city.id])}"
    if len(routes_at) > cities or not (document.whole and document.cities_known and document.routes_known):
        return
    for place, city in document.cities:
        if not routes_at[city.id] and document.routes:
            yield f"{place}: no route reaches {city.id}"
    joined = networks(links)
    pieces = sorted(dict.fromkeys(joined[city.id] for _, city in document.cities if city.id in joined), key=len)
    for piece in pieces[:-1]:
        yield f"routes: cut off from the rest of the board: {_some([city.id for _, city in document.cities if city.id in piece])}"
