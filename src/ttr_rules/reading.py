"""Reading of untrusted files and texts within limits, and values as plain data.

>>> read_toml("name = 'Ada'")
{'name': 'Ada'}
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence, Set as AbstractSet
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import attrs

from ttr_rules.text import brief, reason_of

#: A JSON object, or a table of a TOML file.
JsonObject: TypeAlias = dict[str, Any]


def is_table(value: object) -> TypeGuard[Mapping[object, object]]:
    """Return True for a table, whatever its content."""
    return isinstance(value, Mapping)


def is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    """Return True for a table whose keys are strings, as in JSON."""
    return is_table(value) and all(isinstance(key, str) for key in value)


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Return True for a list or a tuple, whatever its content."""
    return isinstance(value, list | tuple)


def is_texts(value: object) -> TypeGuard[Sequence[str]]:
    """Return True for a list or a tuple of strings."""
    return is_list(value) and all(isinstance(item, str) for item in value)


def is_class(value: object, of: Any) -> TypeGuard[type[Any]]:
    """Return True for a class that is, or derives from, another or one of several."""
    return isinstance(value, type) and issubclass(value, of)


def is_set(value: object) -> TypeGuard[AbstractSet[object]]:
    """Return True for a set, frozen or not, whatever its content."""
    return isinstance(value, set | frozenset)


#: The types of most values of a document: without content, written by JSON as they are.
_PLAIN = frozenset({str, int, float, bool, type(None)})


def to_jsonable(value: object) -> Any:
    """A value as JSON can represent it.

    Attrs instances go by their fields, sets are sorted, and anything else goes by its type's name.

    >>> to_jsonable({"logos": frozenset({"b", "a"}), "count": 2})
    {'logos': ['a', 'b'], 'count': 2}
    """
    if type(value) in _PLAIN or isinstance(value, int | float):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return str(value)
    if is_table(value):
        return {str(key): to_jsonable(inner) for key, inner in value.items()}
    if is_list(value):
        return [to_jsonable(item) for item in value]
    if is_set(value):
        return sorted((to_jsonable(item) for item in value), key=repr)
    kind: type[object] = type(value)
    if attrs.has(kind):
        return {field.alias: to_jsonable(getattr(value, field.name)) for field in attrs.fields(kind)}
    if callable(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    return f"{kind.__module__}.{kind.__qualname__}"


#: The longest map, ticket or score file, in bytes: printed maps take some fifteen thousand.
LONGEST_TABLE = 1_000_000
#: The longest saved game, in characters: a game of five players takes at most a hundred and fifty thousand.
LONGEST_SAVE = 2_000_000
#: The most rows of one type in a map, and the most entries in a list. Printed maps have a hundred.
MOST_ROWS = 1_000
#: The largest count of one item in a saved game: a whole deck of train cards has about a hundred.
MOST_COUNTED = 1_000
#: The deepest nesting of lists and tables.
DEEPEST = 40
TOO_DEEP = f"nested too deeply (limit {DEEPEST})"
#: The most values in a document.
MOST_VALUES = 1_000_000
#: The most values in a saved game. A game of five players holds about ten thousand.
MOST_SAVED = 200_000
#: The most values in an action of a client. Those of games have ten or so.
MOST_IN_ACTION = 1_000
#: The longest id of a city, a route or a ticket of a map.
LONGEST_ID = 200
#: The longest name of a player, in characters.
LONGEST_NAME = 200
#: The most dots in a line of a TOML file: a key of many parts (`a.b.c` has three) takes quadratic time to read.
MOST_DOTS = 300
# Control characters, ends of lines, halves of surrogate pairs: files and terminals misinterpret them.
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# Characters that change the direction of the text after them.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def unwritable(text: str) -> bool:
    r"""Return True for a text with characters that cannot be written to a file, or have a special meaning there.

    >>> unwritable("Zürich → 東京"), unwritable("two\nlines"), unwritable("\ud800")
    (False, True, True)
    """
    return _UNWRITABLE.search(text) is not None


def name_problem(name: object) -> str | None:
    """Describe the problem with the name of a player, if any.

    >>> name_problem("Ada"), name_problem(5)
    (None, 'expected a string, got 5')
    """
    if not isinstance(name, str):
        return f"expected a string, got {brief(name)}"
    if len(name) > LONGEST_NAME:
        return f"{LONGEST_NAME} characters at most, not {len(name)}"
    if not any(character.isprintable() and not character.isspace() for character in name):
        return f"expected a name that can be seen, got {name!a}"
    if unwritable(name) or _TURNING.search(name):
        return f"{name!a} holds what cannot be printed"
    return None


def too_deep(value: object, most: int = MOST_VALUES) -> str | None:
    """The problem with a value whose lists and tables are nested too deeply (or contain themselves), or are too many.

    >>> too_deep([[[]]]) is None
    True
    """
    level, count = [value], 0
    for _ in range(DEEPEST):
        below: list[object] = []
        for item in level:
            inside = item.values() if is_table(item) else item if is_list(item) else ()
            count += len(inside)
            if count > most:
                return f"too many values (limit {most})"
            below += [one for one in inside if type(one) not in _PLAIN]
        if not below:
            return None
        level = below
    return TOO_DEEP


def read_file(path: Path, most: int) -> tuple[bytes, str | None]:
    """Read the bytes of a file, and report a problem if there are more than `most`.

    Raises `OSError`, also for a pipe.
    """
    # Opened like this, a pipe does not block until something is written to it.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("not a regular file")
        data = file.read(most + 1)
    return data, None if len(data) <= most else f"too long (limit {most} bytes)"


def decode(data: bytes) -> str:
    r"""Decode UTF-8 text, with a byte order mark or without. Raises `ValueError` with the place of what is none.

    >>> decode(b"Z\xc3\xbcrich")
    'Zürich'
    >>> decode(b"\xff\xfe")
    Traceback (most recent call last):
    ValueError: not UTF-8 at byte 1
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start + 1}") from error


def read_table(path: Path) -> JsonObject:
    """Read a TOML file. Raises `ValueError` with the problem, whatever it is.

    >>> read_table(Path("no.toml"))
    Traceback (most recent call last):
    ValueError: cannot be read: No such file or directory
    """
    try:
        data, problem = read_file(path, LONGEST_TABLE)
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot be read: {reason_of(error)}") from error
    if problem is not None:
        raise ValueError(problem)
    text = decode(data)
    try:
        return read_toml(text)
    except ValueError as error:
        raise ValueError(f"not TOML: {error}") from error


def read_toml(text: str) -> JsonObject:
    """Parse TOML text. Raises `ValueError` for invalid TOML, and for text that would take too long to parse.

    >>> read_toml("cities.paris = 1")
    {'cities': {'paris': 1}}
    >>> read_toml("a." * 400 + "b = 1")
    Traceback (most recent call last):
    ValueError: line 1 has more than 300 dots: spread it over several lines
    """
    if len(text) > LONGEST_TABLE:
        raise ValueError(f"too long: {len(text)} characters (limit {LONGEST_TABLE})")
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"line {number} has more than {MOST_DOTS} dots: spread it over several lines")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("a number in it is too long") from None


def read_json(text: str | bytes, most: int = MOST_SAVED) -> object:
    """Parse JSON text of at most `most` values, UTF-8 if bytes. Raises `ValueError` with the problem and its place.

    >>> read_json('{"seat": }')
    Traceback (most recent call last):
        ...
    ValueError: not JSON at column 10
    """
    if len(text) > LONGEST_SAVE:
        unit = "characters" if isinstance(text, str) else "bytes"
        raise ValueError(f"too long: {len(text)} {unit} (limit {LONGEST_SAVE})")
    whole = text if isinstance(text, str) else decode(text)
    twice: list[str] = []  # JSON readers disagree on which of two equal keys counts

    def table(pairs: list[tuple[str, object]]) -> JsonObject:
        members = dict(pairs)
        if len(members) < len(pairs):
            twice.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return members

    try:
        value: object = json.loads(whole, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        row = f"line {error.lineno}, " if "\n" in error.doc else ""
        raise ValueError(f"not JSON at {row}column {error.colno}") from error
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    except ValueError as error:
        raise ValueError("a number in it is too long") from error
    problem = f"the key {brief(twice[0])} occurs twice in one object" if twice else too_deep(value, most)
    if problem is not None:
        raise ValueError(problem)
    return value


__all__ = [
    "LONGEST_SAVE",
    "LONGEST_TABLE",
    "JsonObject",
    "decode",
    "is_list",
    "is_object",
    "is_table",
    "is_texts",
    "name_problem",
    "read_file",
    "read_table",
    "read_toml",
    "to_jsonable",
]
