"""Labels in menus and tables: short, with what matters for a choice; and how typed words match them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

from ttr_rules.language import ENGLISH, Language
from ttr_rules.model import Card, Color, Counts, Ticket, plain
from ttr_rules.text import printable, spaced
from ttr_tools.narration.words import Names, labelled

#: Synonyms that a filter knows besides names.
_ALSO: Mapping[str, str] = {"grey": str(Color.GRAY), "loco": str(Card.LOCOMOTIVE)}


def wanted_words(typed: str, language: Language = ENGLISH) -> list[str]:
    """The words of a filter, normalized for comparison."""
    also = {word: plain(language.name(meant)) for word, meant in _ALSO.items()}
    return [also.get(word, word) for word in re.split(r"[\s,;]+", plain(typed)) if word]


def letter_of(index: int) -> str:
    """The letter for the item at an index, `a` for the first; after `z` comes `aa`.

    >>> letter_of(1), letter_of(26)
    ('b', 'aa')
    """
    return (letter_of(index // 26 - 1) if index >= 26 else "") + chr(ord("a") + index % 26)


def cards_label(counts: Mapping[str, int], words: Mapping[str, str], language: Language = ENGLISH) -> str:
    """A payment or a hand, short, locomotives last.

    >>> cards_label({"locomotive": 1, "red": 2}, {})
    '2 red + 1 locomotive'
    """
    parts = sorted(
        ((name, count) for name, count in counts.items() if count), key=lambda each: each[0] == Card.LOCOMOTIVE
    )
    return " + ".join(labelled(count, name, words, language) for name, count in parts) or language.gettext("nothing")


@lru_cache(maxsize=4096)
def _counts_label(counts: Counts, words: tuple[tuple[str, str], ...], language: Language) -> str:
    """The cached label of a payment: what costs the same reads the same everywhere."""
    return printable(cards_label(counts, dict(words), language))


def route_label(names: Names, id: str) -> str:
    """A route with what matters for a choice: `Paris–Zürich, 3 gray, tunnel, 4 points`.

    Routes of a double that look alike are numbered, the same everywhere.
    """
    board, language = names.board, names.language
    route = board.routes[id]
    points = board.points[route.length]
    parts = ["–".join(language.place(board.place_name(city)) for city in route.cities)]
    parts.append(labelled(route.length, route.color, {}, language))
    parts += [language.gettext("tunnel")] if route.tunnel else []
    parts += [ferry_label(route.ferry_locomotives, language)] if route.ferry_locomotives else []
    parts += [names.called.get(mark) or language.name(spaced(mark)) for mark in route.marks]
    parts.append(language.ngettext("{count} point", "{count} points", points))
    label = ", ".join(parts)
    beside = board.routes_between(*route.cities, route.color) if route.double_group else ()
    alike = [each.id for each in beside if (each.length, each.marks) == (route.length, route.marks)]
    if len(alike) > 1:
        label = language.gettext("{label}, no. {number}", label=label, number=alike.index(id) + 1)
    return printable(label)


def ferry_label(locomotives: int, language: Language = ENGLISH) -> str:
    """What a list says of a ferry."""
    return language.ngettext("ferry with {count} locomotive", "ferry with {count} locomotives", locomotives)


def ticket_label(ticket: Ticket, names: Names) -> str:
    """A ticket with what it is worth: `Brest–Petrograd 20 (long)`; with several places to reach, each of them."""
    kind = "" if ticket.kind == "regular" else f" ({names.language.name(ticket.kind)})"
    if ticket.alternatives:
        goals = ", ".join(f"{names.place(place)} {points}" for place, points in ticket.goals)
        return f"{names.place(ticket.cities[0])}–{goals}{kind}"
    return f"{names.between(ticket.cities)} {ticket.points}{kind}"


def value_label(value: object, names: Names, name: str = "") -> tuple[str, str]:
    """The label of an action's field in a menu, and what a filter may match besides it."""
    if isinstance(value, Counts):
        if name == "payment" and not value:
            return names.language.gettext("for free"), ""
        return _counts_label(value, tuple(names.card_words.items()), names.language), ""
    if isinstance(value, str):
        if value in names.board.routes:
            label = route_label(names, value)
            return label, names.words(value, *names.board.routes[value].cities)
        if value in names.rules.tickets:
            ticket = names.rules.tickets[value]
            return ticket_label(ticket, names), names.words(value, *ticket.places)
        return names.value(value), names.words(value, value)
    if isinstance(value, Mapping):
        counts = cast("Mapping[str, Any]", value)
        if all(isinstance(count, int) for count in counts.values()):
            if counts.keys() <= {*Card, *names.card_words}:
                return printable(cards_label(counts, names.card_words, names.language)), ""
            counted = [labelled(count, each, {}, names.language, noun=False) for each, count in counts.items() if count]
            return printable(" + ".join(counted) or names.language.gettext("nothing")), ""
        entries = [(names.value(key), *value_label(each, names)) for key, each in counts.items()]
        return "; ".join(f"{key}: {label}" for key, label, _ in entries), " ".join(words for *_, words in entries)
    if isinstance(value, tuple):
        parts = cast("tuple[object, ...]", value)
        if len(parts) == 2 and isinstance(parts[0], str) and type(parts[1]) is int:  # an item with a number
            label, words = value_label(parts[0], names)
            return f"{label} {parts[1]}", words
    if isinstance(value, tuple | list | frozenset):
        several = [value_label(each, names, name) for each in cast("Iterable[object]", value)]
        return names.language.joined(label for label, _ in several), " ".join(words for _, words in several)
    return names.value(value, name), ""
