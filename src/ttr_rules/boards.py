"""Maps and tickets from TOML files or plain data, checked and built. Knows the data types of the model and no rules.

First the form is checked: nothing is guessed or converted, so a number in quotes, `true` for 1, or 2.5 for a whole number are
mistakes. Only rows without a mistake of form are checked for what they say.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, TypeVar, cast, get_origin

from attrs import Factory, asdict, define, evolve, field, frozen
from cattrs.errors import BaseValidationError

from ttr_rules._internal.exact import exact_converter, problems_of
from ttr_rules.errors import InvalidInputError, InvalidTableError, MapError
from ttr_rules.language import join_few
from ttr_rules.model.board import MOST_PLACES, Board, City, PlaceNames, Route, Ticket, networks, spellings
from ttr_rules.model.cards import Color
from ttr_rules.reading import LONGEST_ID, MOST_ROWS, JsonObject, is_list, is_object, read_table, too_deep, unwritable
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief, closest, line, word

T = TypeVar("T")
#: The largest number allowed in a map.
LARGEST = 1_000_000


@frozen
class RouteRow:
    """One route as written in a map document."""

    cities: tuple[str, str]
    length: int
    color: str
    tunnel: bool = False
    ferry_locomotives: int = 0
    double_group: str | None = None
    marks: tuple[str, ...] = ()
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
    in_order: int | None = None
    penalty: int | None = None
    id: str | None = None

    def __attrs_post_init__(self) -> None:
        least, most = (1, 2) if self.alternatives else (2, MOST_PLACES)
        if not least <= len(self.cities) <= most:
            expected = "one or two" if self.alternatives else f"two to {MOST_PLACES}"
            raise ValueError(f"expected {expected} cities, got {len(self.cities)}")


@define
class MapDocument:
    """A map, or a part of one, as written. A map of several parts knows the `places` of rows, such as `routes[3]`."""

    id: str | None = None
    name: str | None = None
    points: dict[int, int] | None = None
    cities: list[City] = Factory(list[City])
    routes: list[RouteRow] = Factory(list[RouteRow])
    tickets: list[TicketRow] = Factory(list[TicketRow])
    unequal_doubles: list[str] = Factory(list[str])
    no_doubles: list[str] = Factory(list[str])
    aliases: dict[str, list[str]] = Factory(dict[str, list[str]])
    extra: JsonObject = Factory(JsonObject)
    places: dict[str, list[str]] = field(factory=lambda: defaultdict(list), init=False)

    def add(self, part: MapDocument, prefix: str) -> Iterator[str]:
        """Add a part to the others. Returns the problems that this shows."""
        for key in ("id", "name"):
            before, text = getattr(self, key), getattr(part, key)
            if text is not None and not text.strip():
                yield f"{prefix}{key}: empty"
            elif None not in (before, text) and text != before:
                yield f"{prefix}{key}: {brief(text)}, but another part of the map has {brief(before)}"
            setattr(self, key, before or text)
        for key in ("cities", "routes", "tickets", "unequal_doubles", "no_doubles"):
            rows: list[object] = getattr(part, key)
            if len(rows) > MOST_ROWS:
                yield f"{prefix}{key}: {len(rows)} rows (limit {MOST_ROWS})"
            getattr(self, key).extend(rows)
            self.places[key] += [f"{prefix}{key}[{number}]" for number in range(len(rows))]
        if part.points is not None:
            self.points = self.points or {}
            if not part.points:
                yield f"{prefix}points: empty"
            for length, points in part.points.items():
                if not 1 <= length <= LARGEST:
                    yield f"{prefix}points.{length}: not a route length"
                elif length in self.points:
                    yield f"{prefix}points.{length}: given twice"
                elif points < 0:
                    yield f"{prefix}points.{length}: expected at least 0 points, got {points}"
                self.points[length] = points
        if len(part.aliases) > MOST_ROWS:
            yield f"{prefix}aliases: {len(part.aliases)} places (limit {MOST_ROWS})"
        for id, names in part.aliases.items():
            if id not in self.aliases:
                self.places["aliases"].append(f"{prefix}aliases.{word(id)}")
            self.aliases[id] = [*self.aliases.get(id, ()), *names]
        self.extra |= part.extra

    def with_places(self, key: str, rows: Iterable[T]) -> Iterable[tuple[str, T]]:
        """The rows of a list, or the keys of a table, each with its place."""
        return zip(self.places[key], rows, strict=True)


def read_parts(sources: Sequence[object]) -> tuple[MapDocument, list[str]]:
    """Read the parts of a map, files or mappings.

    Also returns all mistakes in their form, with the part if there are several.
    """
    document, problems = MapDocument(), list[str]()
    for number, source in enumerate(sources, 1):
        label, table = f"part {number}: " if len(sources) > 1 else "", source
        try:
            if _is_path(source):
                label = f"{line(f'{source!s:.200}')}: "
                table = read_table(Path(source))
                label = f"{Path(source).name}: " if len(sources) > 1 else ""
            wrong = too_deep(table) if is_object(table) else f"expected a file or a mapping, got {brief(table)}"
            problems += [f"{label}{wrong}"] if wrong else document.add(_CONVERTER.structure(table, MapDocument), label)
        except (BaseValidationError, ValueError, TypeError) as error:
            problems += [f"{label}{problem}" for problem in problems_of(error, "")]
            id = table.get("id") if is_object(table) else None
            document.id = document.id or (id if isinstance(id, str) else None)
    return document, problems


def _is_path(source: object) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(source, (str, os.PathLike))


_CONVERTER = exact_converter(LARGEST, "a table")


PART = re.compile(r"[a-z0-9_]+")
JOINED = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*")


def unknown(place: str, what: str, names: Iterable[str], known: Collection[str]) -> Iterator[str]:
    """Names at a place that are not known, each with the closest known one."""
    for name in dict.fromkeys(names):
        if name not in known:
            near = closest(name, known)
            yield f"{place}: unknown {what} {brief(name)}" + (f", perhaps {near}" if near else "")


def duplicates(placed: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Ids that occur twice."""
    first: dict[str, str] = {}
    for place, id in placed:
        if id in first:
            yield f"{place}.id: {brief(id)} is taken by {first[id]}"
        first.setdefault(id, place)


def bad_ids(place: str, *ids: str | None, form: re.Pattern[str] = PART) -> Iterator[str]:
    """Problems with the ids at a place. None stands for no id and is always accepted."""
    for id in ids:
        if id is not None and len(id) > LONGEST_ID:
            yield f"{place}: {brief(id)} is too long for an id (limit {LONGEST_ID})"
        elif id is not None and not form.fullmatch(id):
            allowed = "a-z, 0-9 and _" if form is PART else "a-z, 0-9 and _, joined by single hyphens"
            yield f"{place}: {brief(id)} is not an id; ids consist of {allowed}"


#: The kinds of tickets.
TICKET_KINDS = ("regular", "long", "short")


def ticket_ids(rows: Iterable[TicketRow]) -> list[str]:
    """The ids of tickets: the one given, or `city-city`, `city-countries` with alternatives, `-2` for a second copy.

    >>> row = TicketRow(cities=["bern"], alternatives={"country_france": 5, "country_italy": 8})
    >>> ticket_ids([row, row, TicketRow(cities=["basel", "bern"], points=5)])
    ['bern-countries', 'bern-countries-2', 'basel-bern']
    """
    rows = list(rows)
    names = [f"{row.cities[0]}-countries" if row.alternatives else "-".join(row.cities) for row in rows]
    return _ids(rows, names, number_first=False)


def read_places(document: MapDocument) -> dict[str, set[str]]:
    """The places that tickets may name, each with the cities it stands for."""
    places: dict[str, set[str]] = {}
    for city in document.cities:
        if city.country is not None:
            places.setdefault(city.country, set()).add(city.id)
    places.update({city.id: {city.id} for city in document.cities})
    return places


def ticket_problems(
    document: MapDocument, kinds: Collection[str] = TICKET_KINDS, logos: Collection[str] = ()
) -> Iterator[str]:
    """Every mistake in the tickets of a map, each with where it is. Tickets are of these kinds, and with `logos` they bear some of these."""
    places = read_places(document)
    yield from duplicates(document.with_places("tickets", ticket_ids(document.tickets)))
    for place, row in document.with_places("tickets", document.tickets):
        yield from bad_ids(f"{place}.id", row.id, form=JOINED)
        yield from unknown(f"{place}.cities", "city or country", row.cities, places)
        yield from unknown(f"{place}.alternatives", "city or country", row.alternatives, places)
        ends = [*combinations(row.cities, 2), *((row.cities[0], goal) for goal in row.alternatives)]
        for start, end in dict.fromkeys(ends):
            if start == end or places.get(start, set()) & places.get(end, set()):
                yield f"{place}: from {brief(start)} to itself"
        yield from _ticket_values(place, row)
        if row.kind not in kinds:
            yield f"{place}.kind: unknown kind {brief(row.kind)}; there are {', '.join(kinds)}"
        yield from bad_ids(f"{place}.set", row.set or None)
        yield from bad_ids(f"{place}.logos", *row.logos)
        if logos and not row.logos:
            yield f"{place}.logos: missing; there are {', '.join(logos)}"
        for logo in row.logos:
            if logos and logo not in logos:
                yield f"{place}.logos: unknown logo {brief(logo)}; there are {', '.join(logos)}"


def _ticket_values(place: str, row: TicketRow) -> Iterator[str]:
    if row.penalty is not None and row.penalty < 0:
        yield f"{place}.penalty: expected at least 0, got {row.penalty}"
    if row.in_order is not None and (row.alternatives or len(row.cities) == 2):
        yield f"{place}.in_order: only a ticket of three and more cities, without alternatives, has an order"
    if not row.alternatives:
        if row.points is None:
            yield f"{place}.points: missing"
        elif row.in_order is not None and row.in_order <= row.points:
            yield f"{place}.in_order: expected more than the points, which are {row.points}, got {row.in_order}"
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

    >>> row = RouteRow(cities=("dieppe", "london"), length=2, color="gray")
    >>> route_ids([row, row, RouteRow(cities=("brest", "paris"), length=3, color="black")])
    ['dieppe-london-gray-1', 'dieppe-london-gray-2', 'brest-paris-black']
    """
    rows = list(rows)
    return _ids(rows, ["-".join([*row.cities, row.color]) for row in rows], number_first=True)


def _ids(rows: Sequence[RouteRow | TicketRow], names: Sequence[str], *, number_first: bool) -> list[str]:
    """The ids of rows: the one given, or the name, with a number where it repeats, perhaps from the first on."""
    repeated = Counter(name for row, name in zip(rows, names, strict=True) if row.id is None)
    used: Counter[str] = Counter()
    ids: list[str] = []
    for row, name in zip(rows, names, strict=True):
        if row.id is None:
            used[name] += 1
            numbered = repeated[name] > 1 if number_first else used[name] > 1
            ids.append(f"{name}-{used[name]}" if numbered else name)
        else:
            ids.append(row.id)
    return ids


def map_problems(document: MapDocument) -> Iterator[str]:
    """Every mistake in the meaning of a map, each with where it is."""
    yield from _map_itself(document)
    yield from _cities(document)
    yield from _routes(document)
    yield from _double_groups(document)
    yield from _not_connected(document)
    yield from ticket_problems(document)
    yield from _aliases(document)


def _map_itself(document: MapDocument) -> Iterator[str]:
    yield from bad_ids("id", document.id or None, form=JOINED)
    if document.name and unwritable(document.name):
        yield "name: control characters"
    for key in ("id", "name"):
        if getattr(document, key) is None:
            yield f"{key}: missing"
    if document.points is None:
        yield "points: missing; a table of route lengths with their points is needed"
    for key in ("cities", "routes"):
        if not getattr(document, key):
            yield f"{key}: there are none"


def _cities(document: MapDocument) -> Iterator[str]:
    ids = [row.id for row in document.cities]
    yield from duplicates(document.with_places("cities", ids))
    for place, row in document.with_places("cities", document.cities):
        yield from bad_ids(f"{place}.id", row.id)
        if not row.name.strip():
            yield f"{place}.name: empty"
        elif unwritable(row.name):
            yield f"{place}.name: control characters"
        for axis, position in (("x", row.x), ("y", row.y)):
            if not 0 <= position <= 1:
                yield f"{place}.{axis}: expected a fraction of the picture from 0 to 1, got {position}"
        yield from bad_ids(f"{place}.country", row.country)
        if row.country in ids:
            yield f"{place}.country: {brief(row.country)} is the id of a city"


def _aliases(document: MapDocument) -> Iterator[str]:
    """Other names of places: the places must exist, and no name may mean two places, however it is spelled."""
    places = read_places(document)
    names = PlaceNames(document.cities, {})
    taken: dict[str, str] = {}
    for place, id in document.with_places("aliases", document.aliases):
        yield from unknown(place, "city or country", [id], places)
        for alias in document.aliases[id] if id in places else ():
            spelt = spellings(alias)
            if not all(spelt) or unwritable(alias) or len(alias) > LONGEST_ID:
                yield f"{place}: {brief(alias)} is not a valid name of a place"
                continue
            others = {*names.meant(alias), *(taken[spelling] for spelling in spelt if spelling in taken)} - {id}
            if others:
                yield f"{place}: {brief(alias)} is also a name of {' and '.join(sorted(others))}"
            taken.update(dict.fromkeys(spelt, id))


def _routes(document: MapDocument) -> Iterator[str]:
    yield from duplicates(document.with_places("routes", route_ids(document.routes)))
    cities = {row.id for row in document.cities}
    for place, row in document.with_places("routes", document.routes):
        yield from bad_ids(f"{place}.id", row.id, form=JOINED)
        yield from unknown(f"{place}.cities", "city", row.cities, cities)
        if row.cities[0] == row.cities[1]:
            yield f"{place}.cities: from {brief(row.cities[0])} to itself"
        if row.length < 1:
            yield f"{place}.length: expected at least 1, got {row.length}"
        elif document.points and row.length not in document.points:
            yield f"{place}.length: no points are given for the length {row.length}"
        if row.ferry_locomotives < 0:
            yield f"{place}.ferry_locomotives: expected at least 0, got {row.ferry_locomotives}"
        elif row.ferry_locomotives > max(row.length, 0):
            yield f"{place}.ferry_locomotives: {row.ferry_locomotives} on a route of length {row.length}"
        if row.color not in list(Color):
            yield f"{place}.color: unknown color {brief(row.color)}; there are {', '.join(Color)}"
        yield from bad_ids(f"{place}.marks", *row.marks)


def _double_groups(document: MapDocument) -> Iterator[str]:
    groups: dict[str, list[tuple[str, RouteRow]]] = {}
    pairs: dict[frozenset[str], list[tuple[str, RouteRow]]] = {}
    for place, row in document.with_places("routes", document.routes):
        if row.double_group is not None:
            groups.setdefault(row.double_group, []).append((place, row))
        pairs.setdefault(frozenset(row.cities), []).append((place, row))
    for group, ((first_place, first), *others) in groups.items():
        yield from bad_ids(f"{first_place}.double_group", group, form=JOINED)
        if not others:
            yield f"{first_place}.double_group: no other route is in {brief(group)}"
        for place, row in others:
            if set(row.cities) != set(first.cities):
                yield f"{place}.double_group: {brief(group)} joins other cities at {first_place}"
            elif row.length != first.length and group not in document.unequal_doubles:
                lengths = f"{row.length} is not the length {first.length} of {first_place}"
                yield f"{place}.length: {lengths} in {brief(group)}; unequal_doubles does not list it"
    single = [set(name.split("-")) for name in document.no_doubles]
    for parallel in pairs.values():
        groups_here = {row.double_group for _, row in parallel}
        for place, row in parallel if len(parallel) > 1 else ():
            beside = join_few([other for other, _ in parallel if other != place])
            if groups_here == {None} and set(row.cities) not in single:
                yield f"{place}.double_group: missing, though it runs beside {beside}"
            elif len(groups_here) > 1 and (row.double_group is None or None not in groups_here):
                yield f"{place}.double_group: parallel routes must share one ({beside})"
    for place, group in document.with_places("unequal_doubles", document.unequal_doubles):
        yield from unknown(place, "double_group", [group], groups)
    for place, name in document.with_places("no_doubles", document.no_doubles):
        here = pairs.get(frozenset(name.split("-")), [])
        if len(here) < 2 or any(row.double_group for _, row in here):
            yield f"{place}: {brief(name)} does not name two cities joined by several routes that are not a double"


def _not_connected(document: MapDocument) -> Iterator[str]:
    routes_at: dict[str, set[str]] = {row.id: set() for row in document.cities}  # a double counts as one route
    cities = len(routes_at)
    for place, row in document.with_places("routes", document.routes):
        for end in row.cities:
            routes_at.setdefault(end, set()).add(row.double_group or place)
    for place, city in document.with_places("cities", document.cities):
        if city.country is not None and len(routes_at[city.id]) > 1:
            yield f"{place}: a border crossing is the end of one route or of one double, {city.id} of {len(routes_at[city.id])}"
    if len(routes_at) > cities:
        return
    for place, city in document.with_places("cities", document.cities):
        if not routes_at[city.id] and document.routes:
            yield f"{place}: no route reaches {city.id}"
    joined = networks(row.cities for row in document.routes)
    ids = [city.id for city in document.cities]
    pieces = sorted(dict.fromkeys(joined[id] for id in ids if id in joined), key=len)
    for piece in pieces[:-1]:
        yield f"routes: cut off from the rest of the board: {join_few([id for id in ids if id in piece])}"


#: The source of a map: a TOML file or an equivalent mapping.
MapSource: TypeAlias = str | os.PathLike[str] | Mapping[str, object]


def load_board(source: MapSource | Sequence[MapSource]) -> Board:
    """Load the board that a map describes, and check it.

    `source` is a TOML file, a mapping of the same shape, or a sequence of these, whose lists and tables are combined. A map has

    - `id` and `name`
    - `points`: route length to points
    - `cities`: rows with `id`, `name`, `x`, `y`, and `country` for a border crossing
    - `routes`: rows with `cities` (two ids), `length`, `color`, and if applicable `tunnel`,
      `ferry_locomotives`, `double_group`, `marks`, and an `id` of its own
    - `tickets`: rows with `cities` (two or more) and `points`, and if applicable `kind`, `set`, `logos`, `penalty`,
      `in_order` (the points for three or more cities on one path, in this order), `alternatives` (place to points, with
      which the second of `cities` and `points` may be left out), and an `id` of its own
    - `aliases`: other names of cities and countries, by their ids, such as `{roma = ["Rome"]}`
    - `unequal_doubles`: the double groups whose routes differ in length on purpose
    - `no_doubles`: pairs of cities, such as `ada-bree`, joined by several routes that are not a double on purpose
    - `extra`: a table of anything else that a variant needs, which becomes `Board.extra` unchanged (see `read_extra`)

    Raises `MapError` with every problem of form and where it is, such as `routes[3].length`, or if there are none, every
    problem of what the map says. With several files the name of the file comes first.

    >>> board = load_board({
    ...     "id": "toy", "name": "Toy", "points": {1: 1, 2: 2},
    ...     "cities": [{"id": "ada", "name": "Ada"}, {"id": "bree", "name": "Bree"}],
    ...     "routes": [
    ...         {"cities": ["ada", "bree"], "length": 2, "color": "red", "double_group": "main"},
    ...         {"cities": ["ada", "bree"], "length": 2, "color": "blue", "double_group": "main"},
    ...     ],
    ...     "tickets": [{"cities": ["ada", "bree"], "points": 2}],
    ... })
    >>> list(board.routes)
    ['ada-bree-red', 'ada-bree-blue']
    >>> load_board({"id": "toy", "name": "Toy", "points": {1: "1"}, "cities": [], "routes": 3})
    Traceback (most recent call last):
    ttr_rules.errors.MapError: map toy: 2 problems
      points[1]: expected a whole number, got '1'
      routes: expected a list, got 3
    """
    sources = source if is_list(source) else [source]
    document, problems = read_parts(sources)
    if not sources:
        problems.append("no source at all")
    problems = problems or list(map_problems(document))
    if problems:
        what = f"map {document.id:.200}" if document.id else f"map {source!s:.200}" if _is_path(source) else "map"
        raise MapError(what if what.isprintable() else "map", problems)
    return _board(document)


def _board(document: MapDocument) -> Board:
    routes: list[Route] = []
    for id, row in zip(route_ids(document.routes), document.routes, strict=True):
        values: JsonObject = asdict(row, recurse=False)
        values.update(id=id, color=Color(row.color))
        routes.append(Route(**values))
    return Board(
        id=document.id or "",
        name=document.name or "",
        cities=tuple(document.cities),
        routes=tuple(routes),
        points=FrozenMap(dict(sorted((document.points or {}).items()))),
        tickets=tuple(map(read_ticket, ticket_ids(document.tickets), document.tickets)),
        extra=document.extra,
        aliases={id: tuple(names) for id, names in document.aliases.items()},
    )


def read_ticket(id: str, row: TicketRow) -> Ticket:
    """The ticket that a row describes."""
    # The best first; among equals, one that the row names as its second city.
    goals = sorted(row.alternatives.items(), key=lambda goal: (-goal[1], goal[0] not in row.cities))
    place, points = goals[0] if goals else (row.cities[-1], row.points or 0)
    values: JsonObject = asdict(row, recurse=False)
    values.update(id=id, cities=(*row.cities[: len(row.cities) - 1 or 1], place), points=points)
    values.update(logos=frozenset(row.logos), alternatives=tuple(goals))
    return Ticket(**values)


#: The source of tickets: a TOML file, a mapping with `tickets`, or a sequence of tickets, rows, or `[city, city, …,
#: points, kind]`.
TicketSource: TypeAlias = MapSource | Sequence[Ticket | Mapping[str, object] | Sequence[object]]

#: A ticket as plain data: rows as in a map file.
Row: TypeAlias = Mapping[str, Any]


def read_tickets(source: TicketSource) -> tuple[Row, ...]:
    """Read a caller's tickets as plain rows, like those of a map file, for a plugin to keep as an option.

    A ticket is a `Ticket`, a row such as `{"cities": ["berlin", "ulm"], "points": 9, "kind": "short"}`, or a list of
    two or more cities, the points, and the kind. Raises `InvalidTableError` with every mistake. Whether the cities
    exist is checked by `make_tickets`.

    >>> read_tickets([["berlin", "ulm", 9, "short"]])
    ({'cities': ['berlin', 'ulm'], 'points': 9, 'kind': 'short'},)
    """
    whole: object = source
    if is_list(source):
        whole = {"tickets": [_written(entry) for entry in source]}
    document, problems = read_parts([whole])
    if not problems and not document.tickets:
        problems.append("tickets: there are none")
    if problems:
        raise InvalidTableError("these tickets", problems)
    return tuple(map(_plain, document.tickets))


def tickets_option(source: TicketSource | None) -> tuple[Row, ...] | None:
    """The converter of an option `tickets` of a plugin: anything `read_tickets` takes except a string. None stays None.

    The strings of a stack may come from an untrusted source, such as a saved game or a client of a server, so they
    cannot name files. Pass a file as a `Path`, or read it with `read_tickets`. Raises `InvalidInputError` for a string.

    >>> tickets_option([["berlin", "ulm", 9, "short"]])
    ({'cities': ['berlin', 'ulm'], 'points': 9, 'kind': 'short'},)
    >>> tickets_option("my-tickets.toml")
    Traceback (most recent call last):
    ttr_rules.errors.InvalidInputError: tickets: expected rows or a Path, got the string 'my-tickets.toml': ...
    """
    if isinstance(source, str):
        raise InvalidInputError(
            f"tickets: expected rows or a Path, got the string {brief(source)}: strings cannot name files. In Python give "
            "read_tickets(file) or Path(file), on the command line PLUGIN:tickets=FILE"
        )
    return None if source is None else read_tickets(source)


def _written(entry: object) -> object:
    """One ticket as a row, if it can be read as one."""
    if isinstance(entry, Ticket):
        row = {"cities": list(entry.cities), "points": entry.points, "kind": entry.kind, "logos": sorted(entry.logos)}
        penalty = None if entry.penalty == entry.goals[-1][1] else entry.penalty
        return row | {"alternatives": dict(entry.alternatives), "in_order": entry.in_order, "penalty": penalty}
    if not is_list(entry) or len(entry) < 3:
        return entry
    kind = {} if type(entry[-1]) is int else {"kind": entry[-1]}
    *cities, points = entry[: len(entry) - len(kind)]
    return {"cities": cities, "points": points, **kind}


def _plain(row: TicketRow) -> Row:
    needed = {"cities": row.cities, "points": row.points, "kind": row.kind}
    return needed | asdict(evolve(row, set=""), filter=lambda field, value: value not in (field.default, [], {}))


def make_tickets(
    board: Board, rows: Iterable[Row], *, set: str, kinds: Collection[str], logos: Collection[str] = ()
) -> tuple[Ticket, ...]:
    """Make the tickets of a `set` for a board from the rows of `read_tickets`.

    Cities and countries may be given by any of their names (see `Board.find_place`). The kind is one of `kinds`. If
    `logos` are given, every ticket must bear at least one of them, and no others. Raises `InvalidTableError` with every
    mistake.

    >>> import ttr_maps
    >>> board = ttr_maps.load("europe")
    >>> rows = [{"cities": ["Paris", "Vienna"], "points": 8, "kind": "regular"}]
    >>> make_tickets(board, rows, set="mine", kinds=["regular"])
    (Ticket(id='paris-wien', cities=('paris', 'wien'), points=8, set='mine'),)
    """
    document, problems = read_parts([{"tickets": [_resolve_names(board, row) for row in rows]}])
    document.cities = list(board.cities.values())
    problems += ticket_problems(document, kinds, logos)
    if problems:
        raise InvalidTableError(f"the tickets of {set} on the board {board.name}", problems)
    found = [evolve(row, set=set) for row in document.tickets]
    return tuple(map(read_ticket, ticket_ids(found), found))


def _resolve_names(board: Board, row: Row) -> Row:
    """A row with the ids of its places. An unknown or ambiguous name is kept and reported later."""
    resolved: JsonObject = {**row, "cities": [board.names.find(city) or city for city in row["cities"]]}
    if "alternatives" in row:
        goals: dict[str, int] = {}
        for written, points in row["alternatives"].items():
            place = board.names.find(written) or written
            goals[written if place in goals else place] = points
        resolved["alternatives"] = goals
    return resolved


def read_extra(board: Board, key: str, kind: type[T]) -> T:
    """Read the `extra` of a map under a key as a list or table of some type, an empty one if it has no such key.

    Rows are read as an attrs class. Raises `MapError` with every mistake, also for a missing key of a type that has no
    empty value.

    >>> import ttr_maps
    >>> @frozen
    ... class Company:
    ...     id: str
    ...     short: str
    ...     name: str
    ...     shares: int
    ...     pays: tuple[int, ...]
    >>> read_extra(ttr_maps.load("pennsylvania"), "companies", list[Company])[0].pays
    (7, 4)
    >>> try:
    ...     read_extra(ttr_maps.load("london"), "districts", dict[str, int])
    ... except MapError as error:
    ...     print(error.problems[0])
    extra.districts.1: expected a whole number, got ['british_museum', 'covent_garden']
    """
    if key not in board.extra:
        try:
            return cast("T", (get_origin(kind) or kind)())
        except TypeError:
            raise MapError(f"map {board.id}", [f"extra.{key}: missing"]) from None
    try:
        return _CONVERTER.structure(board.extra[key], kind)
    except (BaseValidationError, ValueError) as error:
        raise MapError(f"map {board.id}", list(problems_of(error, f"extra.{key}"))) from None


__all__ = ["load_board", "make_tickets", "read_extra", "read_tickets", "tickets_option"]
