"""Words for messages: untrusted values and texts made short and printable, identifiers as words, lists in a sentence.

>>> spaced("longest_path"), brief("x" * 1000)
('longest path', "'xxxxxxxxxxxx...xxxxxxxxxxxxx'")
"""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Collection, Sequence
from typing import Any, cast

import attrs

_Factory: Any = attrs.Factory

#: The most names searched for the closest one, for a hint.
MOST_NAMES = 300
_LONGEST_WORD = 80
_LONGEST_LINE = 500
_MOST_SHOWN = 20


def brief(value: object) -> str:
    """A value for a message: always readable and short.

    >>> brief(["paris", "wien"]), brief("x" * 1000)
    ("['paris', 'wien']", "'xxxxxxxxxxxx...xxxxxxxxxxxxx'")
    """
    try:
        return reprlib.repr(value)
    except Exception:  # noqa: BLE001 (a number of thousands of digits, or a class whose own code fails)
        return f"a value of type {type(value).__name__}"


class Compact:
    """A base of attrs classes whose repr leaves out fields with their defaults.

    >>> from ttr_rules.model import Ticket
    >>> Ticket("paris-wien", ("paris", "wien"), 8)
    Ticket(id='paris-wien', cities=('paris', 'wien'), points=8)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        kind = type(self)
        fields: list[str] = []
        for field in attrs.fields(cast("type[attrs.AttrsInstance]", kind)):
            default = field.default.factory() if isinstance(field.default, _Factory) else field.default
            if field.init and getattr(self, field.name) != default:
                fields.append(f"{field.alias}={getattr(self, field.name)!r}")
        return f"{kind.__name__}({', '.join(fields)})"


def pluralize(noun: str) -> str:
    """The plural of a regular English noun.

    >>> pluralize("red card"), pluralize("express"), pluralize("coach")
    ('red cards', 'expresses', 'coaches')
    """
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"


def cut(text: str, most: int = 120) -> str:
    """A repr of limited length: of one that is too long, the end is left out, except for its last character.

    >>> cut("<Played: TicketsDrawn, TicketsKept, TicketsReturned>", 30)
    '<Played: TicketsDrawn, Ticke…>'
    """
    return text if len(text) <= most else f"{text[: most - 2]}…{text[-1]}"


def reason_of(error: Exception) -> str:
    """The reason why a file could not be used, in the words of the operating system if available.

    >>> reason_of(FileNotFoundError(2, "No such file or directory", "game.toml")), reason_of(ValueError("no path"))
    ('No such file or directory', 'no path')
    """
    return getattr(error, "strerror", None) or str(error)


def word(text: str) -> str:
    r"""An untrusted text within a sentence: as it is, or as shown by `brief` if it is long or unprintable.

    >>> word("cadiz-stockholm"), word("red\n")
    ('cadiz-stockholm', "'red\\n'")
    """
    text = str.__str__(text)
    return text if len(text) <= _LONGEST_WORD and text.isprintable() else brief(text)


def closest(written: str, known: Collection[str], cutoff: float = 0.6, most: int = MOST_NAMES) -> str | None:
    """The known name that a misspelt one probably means.

    None if none is close, or there are too many to search.

    >>> closest("eruope", ["europe", "india"]), closest("asia", ["europe", "india"])
    ('europe', None)
    """
    from difflib import get_close_matches  # takes a moment to import, and is needed for mistakes alone

    near = get_close_matches(written[:60], known, n=1, cutoff=cutoff) if len(known) <= most else []
    return near[0] if near else None


def unknown_key(key: object, known: Collection[str]) -> str:
    """The problem with a key that is not one of those known.

    >>> unknown_key("titel", ["name", "title"]), unknown_key("color", ["name"])
    ("unknown key 'titel'; did you mean 'title'?", "unknown key 'color'; known keys: name")
    """
    near = closest(str(key), known)
    hint = f"did you mean {brief(near)}?" if near else f"known keys: {', '.join(known) or 'none'}"
    return f"unknown key {brief(key)}; {hint}"


def first(problems: Sequence[str], most: int = _MOST_SHOWN) -> list[str]:
    """The first of many problems, each of limited length and printable, and the number of the others.

    >>> first(["too long"] * 30)[-2:]
    ['too long', 'and 10 more']
    """
    shown = [line(problem) for problem in problems[:most]]
    return [*shown, f"and {len(problems) - most} more"] if len(problems) > most else shown


def line(text: str) -> str:
    r"""A text as one line that can be read and printed.

    >>> line("two\nlines")
    'two\\nlines'
    """
    shown = text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in shown)


def printable(text: str, keep: str = "") -> str:
    """A text without characters that would move the cursor or change the terminal."""
    return "".join(character if character.isprintable() or character in keep else "�" for character in text)


def spaced(identifier: str) -> str:
    """The words of an identifier.

    >>> spaced("longest_path"), spaced("StationBuilt")
    ('longest path', 'station built')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", identifier).replace("_", " ").strip().lower()


def titled(identifier: str) -> str:
    """The words of an identifier, the first one capitalized, followed by the plugin that it belongs to, if any.

    >>> titled("longest_path"), titled("north-star.longest_path")
    ('Longest path', 'Longest path (north-star)')
    """
    plugin, _, name = identifier.rpartition(".")
    return spaced(name).capitalize() + (f" ({plugin})" if plugin else "")


def counted_points(points: int) -> str:
    """A number of points, in words.

    >>> counted_points(-1), counted_points(12)
    ('-1 point', '12 points')
    """
    return f"{points} point{'' if abs(points) == 1 else 's'}"


def with_article(noun: str) -> str:
    """A noun with a or an."""
    return f"{'an' if noun[:1] in tuple('aeiou') else 'a'} {noun}"


def written(value: object) -> str:
    """The value of an option as written on the command line, if possible.

    >>> written(True), written("P6"), written(None), written(("bern", "roma"))
    ('true', 'P6', 'not given', '["bern", "roma"]')
    """
    if value is None:
        return "not given"
    if isinstance(value, bool):
        return {True: "true", False: "false"}[value]
    if isinstance(value, str | int | float):
        return str(value)
    several: Any = value
    return json.dumps(several, default=brief) if isinstance(several, tuple) else brief(value)


__all__ = [
    "brief",
    "closest",
    "line",
    "printable",
    "reason_of",
    "spaced",
    "titled",
    "with_article",
    "written",
]
