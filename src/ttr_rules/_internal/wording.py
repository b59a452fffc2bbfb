"""Small pieces of English: lists, numbers, the words of identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable


def joined(parts: Iterable[str]) -> str:
    """Parts as a list in a sentence.

    >>> joined(["Ada", "Grace", "Otto"])
    'Ada, Grace and Otto'
    """
    *most, last = list(parts) or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def printable(text: str, keep: str = "") -> str:
    """A text without characters that would move the cursor or change the terminal."""
    return "".join(each if each.isprintable() or each in keep else "�" for each in text)


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
    words = spaced(name)
    return words[:1].upper() + words[1:] + (f" ({plugin})" if plugin else "")


def counted_points(points: int) -> str:
    """A number of points, in words.

    >>> counted_points(-1), counted_points(12)
    ('-1 point', '12 points')
    """
    return f"{points} point{'' if abs(points) == 1 else 's'}"


def with_article(noun: str) -> str:
    """A noun with a or an."""
    return f"{'an' if noun[:1] in tuple('aeiou') else 'a'} {noun}"
