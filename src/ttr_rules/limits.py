"""How long and how deep a document may be that somebody sends: whatever is beyond is refused before it costs time.

Each function gives None if all is well, else what is wrong, in words for the error of its caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

#: The longest map, ticket or score file, in bytes: printed maps take some fifteen thousand.
LONGEST_TABLE = 1_000_000
#: The longest saved game, in characters: a game of five players takes some ninety thousand.
LONGEST_SAVE = 16_000_000
#: How many rows of a kind a map, and how many entries a list of a table may have: printed maps have a hundred.
MOST_ROWS = 1_000
#: Among how many names the nearest one is looked for, for a hint.
MOST_NAMES = 300
#: The most of one thing that a saved game can speak of: a whole deck of train cards has some hundred.
MOST_COUNTED = 1_000
#: How deep lists and tables may lie in each other.
DEEPEST = 40
#: How many values a document may hold.
MOST_VALUES = 1_000_000
#: What holds nothing else: most values of a document.
_SINGLE = frozenset({str, int, float, bool, type(None)})


def too_long(text: str | bytes, most: int) -> str | None:
    """What is wrong with a text that is longer than `most`.

    >>> too_long("x" * 11, 10), too_long("x", 10)
    ('it is too long: 11 characters, and 10 at most are read', None)
    """
    if len(text) <= most:
        return None
    unit = "characters" if isinstance(text, str) else "bytes"
    return f"it is too long: {len(text)} {unit}, and {most} at most are read"


def too_deep(value: object) -> str | None:
    """What is wrong with a value that holds lists and tables too deep in each other (or itself), or too many of them.

    >>> too_deep([[[]]]) is None
    True
    """
    waiting: list[tuple[object, int]] = [(value, 1)]
    count = 0
    while waiting:
        each, depth = waiting.pop()
        inside: Any = ()
        if isinstance(each, Mapping):
            inside = list(cast("dict[Any, Any]", each).values())
        elif isinstance(each, list | tuple):
            inside = cast("list[Any]", each)
        else:
            continue
        if depth > DEEPEST:
            return f"lists and tables lie too deep in each other: {DEEPEST} levels at most are read"
        waiting += [(one, depth + 1) for one in inside if type(one) not in _SINGLE]
        count += len(inside)
        if count > MOST_VALUES:
            return f"it holds too many values: {MOST_VALUES} at most are read"
    return None


def read_file(path: Path, most: int) -> tuple[bytes, str | None]:
    """The bytes of a file, and what is wrong with them if there are more than `most`. Raises `OSError`, for a pipe too."""
    if not path.is_file() and path.exists() and not path.is_dir():  # to open a pipe may take for ever
        raise OSError("it is no regular file")
    with path.open("rb") as file:
        data = file.read(most + 1)
    return data, None if len(data) <= most else f"it is too long: {most} bytes at most are read"
