"""Maps and tickets from TOML files or plain data: `load_board` and `read_tickets` check all of it, and build what it describes."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, cast

from attrs import Factory, define, evolve

from ttr_rules.boards.document import (
    MapDocument,
    TicketRow,
    map_problems,
    read_parts,
    route_ids,
    ticket_ids,
    ticket_problems,
)
from ttr_rules.errors import InvalidInputError, InvalidTableError, MapError
from ttr_rules.model.board import Board, Route, Ticket
from ttr_rules.model.cards import Color
from ttr_rules.reading import JsonObject, is_object, read_table, too_deep
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief, line

#: The source of a map: a TOML file or an equivalent mapping.
MapSource: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]


def load_board(source: MapSource | Sequence[MapSource]) -> Board:
    """Load the board that a map describes, and check it.

    `source` is a TOML file, a mapping of the same shape, or a sequence of these, whose lists and tables are combined. A map has

    - `id` and `name`;
    - `points`: route length to points;
    - `cities`: rows with `id`, `name`, `x`, `y`, and `country` for a border crossing;
    - `routes`: rows with `cities` (two ids), `length`, `color`, and if applicable `tunnel`,
      `ferry_locomotives`, `double_group`, `marks`, and an `id` of its own;
    - `tickets`: rows with `cities` (two or more) and `points`, and if applicable `kind`, `set`, `logos`, `penalty`,
      `in_order` (the points for three or more cities on one path, in this order), `alternatives` (place to points; the
      second of `cities` and `points` may then be left out), and an `id` of its own;
    - `aliases`: other names of cities and countries, by their ids, such as `{roma = ["Rome"]}`;
    - `unequal_doubles`: the double groups whose routes differ in length on purpose;
    - `no_doubles`: pairs of cities, such as `ada-bree`, joined by several routes that are not a double on purpose;
    - `extra`: a table of anything else that a variant needs; it becomes `Board.extra` unchanged.

    Raises `MapError` with every problem of form and where it is, such as `routes[3].length`, or if there are none, every
    problem of what the map says; with several files the name of the file comes first.

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
    sources = Sources()
    single = not isinstance(source, list | tuple)
    entries: Sequence[object] = [source] if single else cast("Sequence[object]", source)
    if not entries:
        sources.problems.append("no source at all")
    for number, entry in enumerate(entries):
        sources.add(entry, "" if single else f"part {number + 1}")
    several = len(sources.parts) > 1
    document, problems = read_parts((label if several else "", part) for label, part in sources.parts)
    problems = [*sources.problems, *problems] or list(map_problems(document))
    if problems:
        ids = [part["id"] for _, part in sources.parts if isinstance(part.get("id"), str) and part["id"]]
        what = f"map {ids[0]:.200}" if ids else f"map {source!s:.200}" if _is_path(source) else "map"
        raise MapError(what if what.isprintable() else "map", problems)
    return _board(document)


@define
class Sources:
    """The parts of a map, each with the name of its file, and the problems that prevented others from being read."""

    parts: list[tuple[str, Mapping[str, object]]] = Factory(list[tuple[str, Mapping[str, object]]])
    problems: list[str] = Factory(list[str])

    def add(self, source: object, label: str) -> None:
        """Add a mapping or a file."""
        table: Mapping[str, object] = {}
        problem: str | None = f"expected a file or a mapping, got {brief(source)}"
        if is_object(source):
            table, problem = source, too_deep(source)
        elif _is_path(source):
            try:
                path = Path(source)
                table, label = read_table(path), path.name
                problem = too_deep(table)
            except (ValueError, TypeError) as error:
                label, problem = line(f"{source!s:.200}"), str(error)
        if problem is None:
            self.parts.append((label, table))
        else:
            self.problems.append(f"{label}: {problem}" if label else problem)


def _is_path(source: object) -> TypeGuard[str | os.PathLike[Any]]:
    return isinstance(source, (str, os.PathLike))


def _board(document: MapDocument) -> Board:
    route_rows = [row for _, row in document.routes]
    routes = tuple(
        Route(
            id=id,
            cities=(row.cities[0], row.cities[1]),
            length=row.length,
            color=Color(row.color),
            tunnel=row.tunnel,
            ferry_locomotives=row.ferry_locomotives,
            double_group=row.double_group,
            marks=tuple(row.marks),
        )
        for id, row in zip(route_ids(route_rows), route_rows, strict=True)
    )
    ticket_rows = [row for _, row in document.tickets]
    return Board(
        id=document.id or "",
        name=document.name or "",
        cities={city.id: city for _, city in document.cities},
        routes={route.id: route for route in routes},
        points=FrozenMap(dict(sorted((document.points or {}).items()))),
        tickets=tuple(ticket_of(id, row) for id, row in zip(ticket_ids(ticket_rows), ticket_rows, strict=True)),
        extra=document.extra,
        aliases={id: tuple(names) for id, (_, names) in document.aliases.items()},
    )


def ticket_of(id: str, row: TicketRow) -> Ticket:
    """The ticket that a row describes."""
    # The best first; among equals, one that the row names as its second city.
    goals = sorted(row.alternatives.items(), key=lambda goal: (-goal[1], goal[0] not in row.cities))
    place, points = goals[0] if goals else (row.cities[-1], row.points or 0)
    return Ticket(
        id=id,
        cities=(*row.cities[: len(row.cities) - 1 or 1], place),
        points=points,
        kind=row.kind,
        set=row.set,
        logos=frozenset(row.logos),
        alternatives=tuple(goals),
        in_order=row.in_order,
        penalty=row.penalty,
    )


#: The source of tickets: a TOML file, a mapping with `tickets`, or a sequence of tickets, rows, or `[city, city, …,
#: points, kind]`.
TicketSource: TypeAlias = MapSource | Sequence[Ticket | Mapping[str, Any] | Sequence[Any]]

#: A ticket as plain data: rows as in a map file.
Row: TypeAlias = Mapping[str, Any]


def read_tickets(source: TicketSource) -> tuple[Row, ...]:
    """Read a caller's tickets as plain rows, like those of a map file, for a plugin to keep as an option.

    A ticket is a `Ticket`, a row such as `{"cities": ["berlin", "ulm"], "points": 9, "kind": "short"}`, or a list of
    two or more cities, the points, and the kind. Raises `InvalidTableError` with every mistake; whether the cities
    exist is checked by `make_tickets`.

    >>> read_tickets([["berlin", "ulm", 9, "short"]])
    ({'cities': ['berlin', 'ulm'], 'points': 9, 'kind': 'short'},)
    """
    sources = Sources()
    if isinstance(source, (list, tuple)):
        problem = too_deep(source)
        if problem is not None:
            raise InvalidTableError("these tickets", [problem])
        sources.parts.append(("", {"tickets": [_written(entry) for entry in cast("Sequence[object]", source)]}))
    else:
        sources.add(source, "")
    document, problems = read_parts(("", part) for _, part in sources.parts)
    problems = [*sources.problems, *problems]
    if not problems and not document.tickets:
        problems.append("tickets: there are none")
    if problems:
        raise InvalidTableError("these tickets", problems)
    return tuple(_plain(row) for _, row in document.tickets)


def tickets_option(source: TicketSource | None) -> tuple[Row, ...] | None:
    """The converter of an option `tickets` of a plugin: anything `read_tickets` takes except a string; None stays None.

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
        more = {"alternatives": dict(entry.alternatives), "in_order": entry.in_order, "penalty": penalty}
        return row | more
    if not isinstance(entry, (list, tuple)):
        return entry
    values = cast("Sequence[object]", entry)
    if len(values) < 3:
        return values
    kind = {} if type(values[-1]) is int else {"kind": values[-1]}
    *cities, points = values[: len(values) - len(kind)]
    return {"cities": cities, "points": points, **kind}


def _plain(row: TicketRow) -> Row:
    found: JsonObject = {"cities": list(row.cities), "points": row.points, "kind": row.kind}
    more = {"logos": list(row.logos), "alternatives": dict(row.alternatives)}
    values = {"in_order": row.in_order, "penalty": row.penalty, "id": row.id}
    found |= {name: value for name, value in more.items() if value}
    return found | {name: value for name, value in values.items() if value is not None}


def make_tickets(
    board: Board,
    rows: Iterable[Row],
    *,
    set: str,
    kinds: Collection[str],
    logos: Collection[str] = (),
) -> tuple[Ticket, ...]:
    """Make the tickets of a `set` for a board from the rows of `read_tickets`.

    Cities and countries may be given by any of their names (see `Board.find_place`); the kind is one of `kinds`. If
    `logos` are given, every ticket must bear at least one of them, and no others. Raises `InvalidTableError` with every
    mistake.

    >>> import ttr_maps
    >>> board = ttr_maps.load("europe")
    >>> rows = [{"cities": ["Paris", "Vienna"], "points": 8, "kind": "regular"}]
    >>> make_tickets(board, rows, set="mine", kinds=["regular"])
    (Ticket(id='paris-wien', cities=('paris', 'wien'), points=8, set='mine'),)
    """
    document, problems = read_parts([("", {"tickets": [_named(board, row) for row in rows]})])
    document.cities = [("", city) for city in board.cities.values()]
    problems += ticket_problems(document)
    for place, row in document.tickets:
        problems += _wrong_marks(place, row, kinds, logos)
    if problems:
        raise InvalidTableError(f"the tickets of {set} on the board {board.name}", problems)
    found = [row for _, row in document.tickets]
    return tuple(ticket_of(id, evolve(row, set=set)) for id, row in zip(ticket_ids(found), found, strict=True))


def _wrong_marks(place: str, row: TicketRow, kinds: Collection[str], logos: Collection[str]) -> Iterator[str]:
    if row.kind not in kinds:
        yield f"{place}.kind: expected {' or '.join(map(brief, kinds))}, got {brief(row.kind)}"
    if not logos:
        return
    if not row.logos:
        yield f"{place}.logos: missing; there are {', '.join(logos)}"
    for logo in row.logos:
        if logo not in logos:
            yield f"{place}.logos: unknown logo {brief(logo)}; there are {', '.join(logos)}"


def _named(board: Board, row: Row) -> Row:
    """A row with the ids of its places; an unknown or ambiguous name is kept and reported later."""
    found: JsonObject = {**row, "cities": [_id(board, city) for city in row["cities"]]}
    if "alternatives" in row:
        goals: dict[str, int] = {}
        for written, points in row["alternatives"].items():
            place = _id(board, written)
            goals[written if place in goals else place] = points
        found["alternatives"] = goals
    return found


def _id(board: Board, written: str) -> str:
    return board.names.find(written) or written
