"""Maps from TOML files: `load_board` reads one, checks all of it, and builds the `Board`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, cast

from attrs import Factory, define

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.boards.document import MapDocument, Reader, TicketRow, map_problems, route_ids, ticket_ids
from ttr_rules.errors import MapError
from ttr_rules.model.board import Board, City, Route, Ticket
from ttr_rules.model.cards import Color
from ttr_rules.reading import LONGEST_TABLE, MOST_ROWS, is_table, read_file, read_toml, too_deep
from ttr_rules.text import brief, reason_of

#: The source of a map: a TOML file, a folder of them, or an equivalent mapping.
MapSource: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]


def load_board(source: MapSource | Sequence[MapSource]) -> Board:
    """Load the board that a map describes, and check it.

    `source` is a TOML file, a folder (all its `*.toml` in alphabetical order), a mapping of the same shape, or a
    sequence of these, whose lists and tables are combined. A map has

    - `id` and `name`;
    - `points`: route length to points;
    - `cities`: rows with `id`, `name`, `x`, `y`, and `country` for a border crossing;
    - `routes`: rows with `cities` (two ids), `length`, `color`, and if applicable `tunnel`,
      `ferry_locomotives`, `double_group`, `marks`, and an `id` of its own;
    - `tickets`: rows with `cities` and `points`, and if applicable `kind`, `set`, `logos`, `alternatives`
      (place to points; the second of `cities` and `points` may then be left out), and an `id` of its own;
    - `aliases`: other names of cities and countries, by their ids, such as `{roma = ["Rome"]}`;
    - `unequal_doubles`: the double groups whose routes differ in length on purpose;
    - `no_doubles`: pairs of cities, such as `ada-bree`, joined by several routes that are not a double on purpose;
    - `extra`: a table of anything else that a variant needs; it becomes `Board.extra` unchanged.

    Raises `MapError` with every problem and where it is, such as `routes[3].length`; with several files the name
    of the file comes first.

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
    >>> load_board({"id": "toy", "name": "Toy", "points": {1: 1}, "cities": [], "routes": 3})
    Traceback (most recent call last):
    ttr_rules.errors.MapError: map toy: 2 problems
      routes: expected a list, got 3
      cities: there are none
    """
    sources = Sources()
    single = not isinstance(source, (list, tuple))
    entries: Sequence[object] = [source] if single else cast("Sequence[object]", source)
    if not entries:
        sources.problems.append("no source at all")
    for number, entry in enumerate(entries):
        sources.add(entry, "" if single else f"part {number + 1}")
    reader = Reader()
    reader.document.whole = not sources.problems
    for label, part in sources.parts:
        reader.read(part, f"{label}: " if len(sources.parts) > 1 and label else "")
    problems = [*sources.problems, *reader.problems, *map_problems(reader.document)]
    if problems:
        what = f"map {reader.document.id:.200}" if reader.document.id else _title(source)
        raise MapError(what if what.isprintable() else "map", problems)
    return _board(reader.document)


@define
class Sources:
    """The parts of a map, each with the name of its file, and the problems that prevented others from being read."""

    parts: list[tuple[str, Mapping[Any, Any]]] = Factory(list[tuple[str, Mapping[Any, Any]]])
    problems: list[str] = Factory(list[str])

    def add(self, source: object, label: str) -> None:
        if is_table(source):
            self._add_table(source, label)
        elif _is_path(source):
            self._add_path(source, label)
        else:
            problem = f"expected a file, a folder or a mapping, got {brief(source)}"
            self.problems.append(f"{label}: {problem}" if label else problem)

    def _add_table(self, table: Mapping[Any, Any], label: str) -> None:
        problem = too_deep(table)
        if problem is None:
            self.parts.append((label, table))
        else:
            self.problems.append(f"{label}: {problem}" if label else problem)

    def _add_path(self, source: str | os.PathLike[Any], label: str) -> None:
        try:
            path = Path(source)
            if path.is_dir():
                files = sorted(file for file in path.iterdir() if file.suffix == ".toml" and file.is_file())
                if len(files) > MOST_ROWS:
                    self.problems.append(f"{path}: {len(files)} .toml files (limit {MOST_ROWS})")
                    return
                if not files:
                    self.problems.append(f"{path}: no .toml file in this folder")
            else:
                files = [path]
        except (OSError, ValueError, TypeError) as error:
            self.problems.append(f"{label or 'the path'}: {reason_of(error)}")
            return
        for file in files:
            self._add_file(file)

    def _add_file(self, file: Path) -> None:
        name = str(file) if len(str(file)) <= 500 and str(file).isprintable() else brief(str(file))
        try:
            data, problem = read_file(file, LONGEST_TABLE)
            text = data.decode("utf-8-sig") if problem is None else ""
        except UnicodeDecodeError as error:
            self.problems.append(f"{name}: not UTF-8 text (byte {error.start})")
        except (OSError, ValueError) as error:
            self.problems.append(f"{name}: cannot be read: {reason_of(error)}")
        else:
            if problem is not None:
                self.problems.append(f"{name}: {problem}")
                return
            try:
                self._add_table(read_toml(text), file.name)
            except ValueError as error:
                self.problems.append(f"{name}: not TOML: {error}")


def _is_path(source: object) -> TypeGuard[str | os.PathLike[Any]]:
    return isinstance(source, (str, os.PathLike))


def _title(source: object) -> str:
    return f"map {source!s:.200}" if _is_path(source) else "map"


def _board(document: MapDocument) -> Board:
    cities = tuple(City(row.id, row.name, row.x, row.y, row.country) for _, row in document.cities)
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
        cities={city.id: city for city in cities},
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
    place, points = goals[0] if goals else (row.cities[1], row.points or 0)
    return Ticket(
        id=id,
        cities=(row.cities[0], place),
        points=points,
        kind=row.kind,
        set=row.set,
        logos=frozenset(row.logos),
        alternatives=tuple(goals),
    )
