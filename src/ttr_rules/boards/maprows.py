"""The rows of a map document, and how they are read: exact types only, each mistake with where it is.

Nothing is guessed or converted: a number in quotes, `true` for 1, or 2.5 for a whole number are mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from attrs import Factory, define, frozen, has
from cattrs import ClassValidationError, Converter, IterableValidationError
from cattrs.errors import ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn

from ttr_rules._internal.exact import be_exact
from ttr_rules.reading import LONGEST_ID, MOST_ROWS, is_table
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
    extra: dict[str, Any] = Factory(dict[str, Any])
    whole: bool = True
    cities_known: bool = True
    routes_known: bool = True
    half_read: set[str] = Factory(set[str])


def _number(value: object, _: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -LARGEST <= value <= LARGEST:
        raise ValueError(f"expected a number, got {brief(value)}")
    return float(value)


def _row(kind: type[Any], made: Converter) -> Callable[[Any, Any], Any]:
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

    def row(kind: type[Any]) -> Callable[[Any, Any], Any]:
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
            self.problems.append(f"{prefix}{key}: {count} rows, and {MOST_ROWS} at most are read")
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
            self.problems.append(f"{place}: {len(value)} places, and {MOST_ROWS} at most are read")
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
