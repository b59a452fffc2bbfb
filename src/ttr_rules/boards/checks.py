"""Checks for both maps and tickets: ids must be well-formed, unique, and refer to something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from unicodedata import category

from ttr_rules.reading import LONGEST_ID, MOST_NAMES
from ttr_rules.text import brief

PART = re.compile(r"[a-z0-9_]+")
JOINED = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*")


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The message for an unknown name, with the closest known one."""
    names = list(known)
    near = get_close_matches(name[:60], names, n=1) if len(names) <= MOST_NAMES else []
    return f"unknown {what} {brief(name)}" + (f", perhaps {near[0]}" if near else "")


def duplicates(placed: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Ids that occur twice."""
    first: dict[str, str] = {}
    for place, id in placed:
        if id in first:
            yield f"{place}.id: {brief(id)} is taken by {first[id]}"
        first.setdefault(id, place)


def bad_ids(place: str, *ids: str | None, form: re.Pattern[str] = PART) -> Iterator[str]:
    """What is wrong with the ids at a place; None stands for no id and is always accepted."""
    for id in ids:
        if id is not None and len(id) > LONGEST_ID:
            yield f"{place}: {brief(id)} is too long for an id: {LONGEST_ID} characters at most"
        elif id is not None and not form.fullmatch(id):
            allowed = "a-z, 0-9 and _" if form is PART else "a-z, 0-9 and _, joined by single hyphens"
            yield f"{place}: {brief(id)} is not an id; ids consist of {allowed}"


def printable(name: str) -> bool:
    """Whether a name has no control characters."""
    return all(category(character) not in ("Cc", "Cs") for character in name)
