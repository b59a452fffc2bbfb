"""Tickets given by a caller: read from a TOML file or from plain data, and checked against a board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from ttr_rules.boards.document import CityRow, TicketRow, read_parts, ticket_ids, ticket_problems
from ttr_rules.boards.maps import MapSource, Sources, ticket_of
from ttr_rules.errors import InvalidInputError, InvalidTableError
from ttr_rules.model.board import Board, Ticket
from ttr_rules.reading import JsonObject, too_deep
from ttr_rules.text import brief

#: The source of tickets: a TOML file, a mapping with `tickets`, or a sequence of tickets, rows, or `[city, city,
#: points, kind]`.
TicketSource: TypeAlias = MapSource | Sequence[Ticket | Mapping[str, Any] | Sequence[Any]]

#: A ticket as plain data: rows as in a map file.
Row: TypeAlias = Mapping[str, Any]


def read_tickets(source: TicketSource) -> tuple[Row, ...]:
    """Read a caller's tickets as plain rows, like those of a map file, for a plugin to keep as an option.

    A ticket is a `Ticket`, a row such as `{"cities": ["berlin", "ulm"], "points": 9, "kind": "short"}`, or a list of
    two cities, the points, and the kind. Raises `InvalidTableError` with every mistake; whether the cities
    exist is checked by `make_tickets`.

    >>> read_tickets([["berlin", "ulm", 9, "short"]])
    ({'cities': ['berlin', 'ulm'], 'points': 9, 'kind': 'short'},)
    """
    sources = Sources()
    if isinstance(source, (list, tuple)):
        problem = too_deep(source)
        if problem is not None:
            raise InvalidTableError("these tickets", [problem])
        sources.parts.append(("", {"tickets": [_written(each) for each in cast("Sequence[object]", source)]}))
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
            "read_tickets(file) or Path(file), on the command line --ticket-file PLUGIN=FILE"
        )
    return None if source is None else read_tickets(source)


def _written(entry: object) -> object:
    """One ticket as a row, if it can be read as one."""
    if isinstance(entry, Ticket):
        row = {"cities": list(entry.cities), "points": entry.points, "kind": entry.kind, "logos": sorted(entry.logos)}
        return {**row, "alternatives": dict(entry.alternatives)} if entry.alternatives else row
    if not isinstance(entry, (list, tuple)):
        return entry
    values = cast("Sequence[object]", entry)
    if len(values) not in (3, 4):
        return values
    short: dict[str, object] = {"cities": list(values[:2]), "points": values[2]}
    return {**short, "kind": values[3]} if len(values) == 4 else short


def _plain(row: TicketRow) -> Row:
    found: JsonObject = {"cities": list(row.cities), "points": row.points, "kind": row.kind}
    more = {"logos": list(row.logos), "alternatives": dict(row.alternatives), "id": row.id}
    return found | {name: value for name, value in more.items() if value}


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
    document.cities = [("", CityRow(id, city.name, country=city.country)) for id, city in board.cities.items()]
    problems += ticket_problems(document)
    for place, row in document.tickets:
        problems += _wrong_marks(place, row, kinds, logos)
    if problems:
        raise InvalidTableError(f"the tickets of {set} on the board {board.name}", problems)
    found = [row for _, row in document.tickets]
    return tuple(
        ticket_of(id, TicketRow(row.cities, row.points, row.kind, set, row.logos, row.alternatives))
        for id, row in zip(ticket_ids(found), found, strict=True)
    )


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
