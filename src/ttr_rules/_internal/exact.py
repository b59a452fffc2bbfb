"""Typed values from untrusted plain data: nothing is coerced, and every mistake is reported with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
from typing import Any, TypeAlias, TypeVar, cast, get_args, get_origin

import attrs
from attrs import AttrsInstance
from cattrs import ClassValidationError, Converter, IterableValidationError
from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError, IterableValidationNote
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn
from cattrs.v import format_exception

from ttr_rules.reading import JsonObject, is_list, is_table
from ttr_rules.text import brief, first, unknown_key, word

T = TypeVar("T")
#: A structure hook of cattrs: it gets a value and its type.
Hook: TypeAlias = Callable[[object, object], object]

_WORDS: Mapping[type[object], str] = {str: "a string", int: "a whole number", bool: "true or false"}
_COLLECTIONS: tuple[object, ...] = (tuple, list, set, frozenset)
_TABLES: tuple[object, ...] = (dict, Mapping)
_NUMBER = re.compile("-?[0-9]{1,20}")
#: The most mistakes reported of one list or table.
MOST_WRONG = 100


def exact_converter(largest: int, table: str = "an object") -> Converter:
    """A converter that is strict about strings, numbers up to `largest`, booleans, lists, and what the format calls a `table`."""
    made = Converter(unstruct_collection_overrides={tuple: list})

    def number(value: object, _: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not -largest <= value <= largest:
            raise ValueError(f"expected a number, got {brief(value)}")
        return float(value)

    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly(kind, largest))
    made.register_structure_hook(float, number)
    tables: Any = partial(_table_hook, made=made, table=table)
    objects: Any = partial(object_hook, made=made, table=table)
    made.register_structure_hook_factory(lambda kind: get_origin(kind) in _COLLECTIONS, _list_hook)
    made.register_structure_hook_factory(lambda kind: get_origin(kind) in _TABLES, tables)
    made.register_structure_hook_factory(attrs.has, objects)
    return made


def _exactly(kind: type[object], largest: int) -> Hook:
    def structure(value: object, _: object) -> object:
        if type(value) is kind and (not isinstance(value, int) or -largest <= value <= largest):
            return value  # nearly always
        if kind is str and isinstance(value, str):
            return str.__str__(value)
        if type(value) is not kind:
            raise ValueError(f"expected {_WORDS[kind]}, got {brief(value)}")
        raise ValueError(f"expected a whole number of at most {largest}, got {brief(value)}")

    return structure


def _list_hook(kind: type[object], made: Converter) -> Hook:
    """A structure hook for tuples, lists and sets, which are lists in JSON."""
    inside = get_args(kind)
    collect = cast("Callable[[list[object]], object]", get_origin(kind))
    many = collect is not tuple or inside[1:] == (Ellipsis,)

    def structure(value: object, _: object) -> object:
        if not is_list(value):
            raise ValueError(f"expected a list, got {brief(value)}")
        if not many and len(value) != len(inside):
            raise ValueError(f"expected a list of {len(inside)}, got one of {len(value)}")
        hints = repeat(inside[0]) if many else inside
        return collect(entries(range(len(value)), map(made.structure, value, hints), kind))

    return structure


def object_hook(kind: type[AttrsInstance], made: Converter, table: str = "an object", **overrides: object) -> Hook:
    """A structure hook for an attrs class that refuses unknown keys."""
    make: Any = make_dict_structure_fn  # its overrides are typed as if they were its own arguments
    read_fields: Hook = make(kind, made, _cattrs_forbid_extra_keys=True, **overrides)

    def structure(value: object, _: object) -> object:
        if not is_table(value):
            raise ValueError(f"expected {table}, got {brief(value)}")
        return read_fields(value, kind)

    return structure


def writer(
    kind: type[AttrsInstance], made: Converter, tag: str | None = None, **overrides: object
) -> Callable[[object], JsonObject]:
    """An unstructure hook for an attrs class, with its `tag`, if any, as its type."""
    make: Callable[..., Callable[[object], JsonObject]] = make_dict_unstructure_fn
    write = make(kind, made, **overrides)
    return write if tag is None else lambda value: {"type": tag, **write(value)}


def read_tagged(made: Converter, value: object, kinds: Mapping[str, type[T]], unknown: str) -> T:
    """Read an object as the one of several classes that its type names.

    `unknown` begins the complaint about another type.
    """
    if not is_table(value) or "type" not in value:
        raise ValueError(f"expected an object with a type, got {brief(value)}")
    tag: object = value["type"]
    kind = kinds.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise ValueError(f"{unknown} of the type {brief(tag)}")
    return made.structure({key: entry for key, entry in value.items() if key != "type"}, kind)


def _table_hook(kind: type[object], made: Converter, table: str) -> Hook:
    """A structure hook for dictionaries. Whole numbers as keys are text in JSON and TOML."""
    of_keys, of_values = get_args(kind)

    def entry(key: object, value: object) -> tuple[object, object]:
        key = _read_number(key) if of_keys is int else made.structure(key, of_keys)
        return key, made.structure(value, of_values)

    def structure(value: object, _: object) -> object:
        if not is_table(value):
            raise ValueError(f"expected {table}, got {brief(value)}")
        converted = dict(entries(value, map(entry, value.keys(), value.values()), kind))
        if len(converted) < len(value):
            raise ValueError("two of the keys mean the same")
        return converted

    return structure


def _read_number(key: object) -> int:
    if type(key) is int or (isinstance(key, str) and _NUMBER.fullmatch(key)):
        return int(key)
    raise ValueError(f"expected a whole number as key, got {brief(key)}")


def entries(names: Iterable[object], converted: Iterator[T], kind: type[object]) -> list[T]:
    """The entries of a list or table, converted one by one by `map`. Errors have the index or key of the entry."""
    results: list[T] = []
    wrong: list[Exception] = []
    for name in names:
        try:
            results.append(next(converted))  # after an error, a map goes on with the next one
        except Exception as error:  # noqa: BLE001 (any error is reported for this entry)
            error.add_note(IterableValidationNote(f"entry {name!r}", cast("int | str", name), kind))
            wrong.append(error)
            if len(wrong) == MOST_WRONG:
                break
    if wrong:
        problem = "an entry is wrong"
        raise IterableValidationError(problem, wrong, kind)  # pyright: ignore[reportCallIssue]
    return results


def read(made: Converter, data: object, kind: type[T], place: str, error: type[Exception]) -> T:
    """Read plain data as a value of a type. Raises `error` with the first mistakes and their places."""
    try:
        return made.structure(data, kind)
    except (BaseValidationError, ValueError, TypeError, AttributeError, KeyError) as mistake:
        raise error("; ".join(first(list(problems_of(mistake, place)), 3))) from None


def problems_of(error: Exception, place: str) -> Iterator[str]:
    """The mistakes in an error of a converter, each with its place, in words of the library where there are any."""
    if isinstance(error, ClassValidationError):
        fields, rest = error.group_exceptions()
        for inner, field in fields:
            yield from problems_of(inner, f"{place}.{field.name}" if place else field.name)
        for inner in rest:
            yield from problems_of(inner, place)
    elif isinstance(error, IterableValidationError):
        wrong, _ = error.group_exceptions()
        for inner, entry in wrong:
            key = f".{word(entry.index)}" if isinstance(entry.index, str) else f"[{brief(entry.index)}]"
            yield from problems_of(inner, f"{place}{key}")
    elif isinstance(error, ForbiddenExtraKeysError):
        known = [field.alias for field in attrs.fields(error.cl) if field.init]
        for key in sorted(error.extra_fields, key=brief)[:MOST_WRONG]:
            yield _add_place(place, unknown_key(key, known))
    else:
        words = "missing" if isinstance(error, KeyError) else isinstance(error, ValueError) and str(error)
        yield _add_place(place, words or format_exception(error, None))


def _add_place(place: str, problem: str) -> str:
    return f"{place}: {problem}" if place else problem
