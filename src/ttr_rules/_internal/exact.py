"""Strict converters of plain data: no value is coerced to a string, a number or a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any, TypeAlias, TypeVar, cast, get_args, get_origin

from cattrs import Converter
from cattrs.errors import IterableValidationError, IterableValidationNote

from ttr_rules.reading import is_table
from ttr_rules.text import brief

T = TypeVar("T")
#: A structure hook of cattrs: it gets a value and its type.
Hook: TypeAlias = Callable[[Any, Any], Any]

_WORDS = {str: "a string", int: "a whole number", bool: "true or false"}


def be_exact(made: Converter, largest: int, most_wrong: int) -> None:
    """Make a converter strict about strings, whole numbers up to `largest`, booleans, lists and tables.

    At most `most_wrong` wrong entries of a list or table are reported.
    """

    def listed(kind: Any) -> Hook:
        return _listed(kind, made, most_wrong)

    def table(kind: Any) -> Hook:
        return _table(kind, made, most_wrong)

    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly(kind, largest))
    made.register_structure_hook_factory(_is_list, listed)
    made.register_structure_hook_factory(_is_table, table)


def _exactly(kind: type[Any], largest: int) -> Hook:
    def structure(value: object, _: object) -> object:
        if type(value) is kind and (not isinstance(value, int) or -largest <= value <= largest):
            return value  # nearly always
        if kind is str and isinstance(value, str):
            return str.__str__(value)
        if type(value) is not kind:
            raise ValueError(f"expected {_WORDS[kind]}, got {brief(value)}")
        raise ValueError(f"expected a whole number of at most {largest}, got {brief(value)}")

    return structure


def _is_list(kind: object) -> bool:
    return get_origin(kind) in (tuple, list)


def _is_table(kind: object) -> bool:
    return get_origin(kind) in (dict, Mapping)


def _listed(kind: Any, made: Converter, most_wrong: int) -> Hook:
    """A structure hook for tuples and lists."""
    inside = get_args(kind)
    is_list = get_origin(kind) is list
    many = is_list or inside[1:] == (Ellipsis,)

    def structure(value: object, _: object) -> object:
        if not isinstance(value, list | tuple):
            raise ValueError(f"expected a list, got {brief(value)}")  # noqa: TRY004
        values = cast("list[Any]", value)
        if not many and len(values) != len(inside):
            raise ValueError(f"expected a list of {len(inside)}, got one of {len(values)}")
        hints = repeat(inside[0]) if many else inside
        found: list[Any] = entries(range(len(values)), map(made.structure, values, hints), kind, most_wrong)
        return found if is_list else tuple(found)

    return structure


def _table(kind: Any, made: Converter, most_wrong: int) -> Hook:
    """A structure hook for dictionaries."""
    of_keys, of_values = get_args(kind)

    def entry(key: object, value: object) -> tuple[Any, Any]:
        return made.structure(key, of_keys), made.structure(value, of_values)

    def structure(value: object, _: object) -> object:
        if not is_table(value):
            raise ValueError(f"expected a table, got {brief(value)}")
        return dict(entries(value, map(entry, value.keys(), value.values()), kind, most_wrong))

    return structure


def entries(names: Iterable[Any], converted: Iterator[T], kind: Any, most_wrong: int) -> list[T]:
    """The entries of a list or table, converted one by one by `map`; errors have the index or key of the entry."""
    found: list[T] = []
    wrong: list[Exception] = []
    for name in names:
        try:
            found.append(next(converted))  # after an error, a map goes on with the next one
        except Exception as error:  # noqa: BLE001 (any error is reported for this entry)
            error.add_note(IterableValidationNote(f"entry {name!r}", name, kind))
            wrong.append(error)
            if len(wrong) == most_wrong:
                break
    if wrong:
        problem = "an entry is wrong"
        raise IterableValidationError(problem, wrong, kind)  # pyright: ignore[reportCallIssue]
    return found
