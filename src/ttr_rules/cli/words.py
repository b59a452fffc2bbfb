"""Plain English for elements of the game: cards, lists, names instead of ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import attrs

from ttr_rules._internal.wording import counted, joined, printable, spaced, with_article
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.cards import CARD_COLORS, Card, Counts
from ttr_rules.model.unknown import Unknown


def how_many(tickets: tuple[str, ...] | Unknown) -> int:
    """How many tickets these are, whether they are known or not."""
    return (tickets.count or 0) if isinstance(tickets, Unknown) else len(tickets)


def card_noun(card: str, words: Mapping[str, str]) -> str:
    """The name of one card: `red card`, `locomotive`, or what the economy says in its `card_words`."""
    return f"{card} card" if card in CARD_COLORS else words.get(card) or spaced(card)


def of_cards(counts: Mapping[str, int], words: Mapping[str, str]) -> str:
    """A payment or a hand in words, locomotives last.

    >>> of_cards({"red": 2, "locomotive": 1}, {})
    'two red cards and a locomotive'
    """
    parts: list[str] = []
    for card, count in sorted(counts.items(), key=lambda item: item[0] == Card.LOCOMOTIVE):
        if count:
            noun = card_noun(card, words)
            parts.append(with_article(noun) if count == 1 else counted(count, noun))
    return joined(parts)


def drawing(cards: Sequence[str | None], words: Mapping[str, str]) -> str:
    """Train cards that a player drew, None for one from the pile, as a clause."""
    taken = [card for card in cards if card is not None]
    blind = len(cards) - len(taken)
    if not taken:
        return f"draws {counted(blind, 'card') if blind > 1 else 'a card'} from the pile"
    takes = f"takes {of_cards({card: taken.count(card) for card in taken}, words)}"
    if not blind:
        return takes
    if cards[0] is None:
        return f"draws a card from the pile and takes {with_article(card_noun(taken[0], words))}"
    return f"{takes} and draws {'one' if blind == 1 else counted(blind, 'card')} from the pile"


def one_by_one(cards: Iterable[str], words: Mapping[str, str]) -> str:
    """Cards one by one, as they lie there."""
    return joined(words.get(card) or spaced(card) for card in cards)


class Names:
    """Human-readable names for the ids and seats of one game."""

    def __init__(self, rules: Rules, players: Sequence[str]) -> None:
        self.rules = rules
        self.board = rules.board
        self.card_words: Mapping[str, str] = {card: printable(word) for card, word in rules.economy.card_words.items()}
        self.players = tuple(printable(name) for name in players)
        extra = rules.board.extra.values()
        lists = [cast("Sequence[object]", each) for each in extra if isinstance(each, list | tuple)]
        rows = [cast("Mapping[str, object]", row) for each in lists for row in each if isinstance(row, Mapping)]
        given = [each for spec in rules.part_specs for each in spec.names.items()]
        #: Other ids with a name: those of the parts of plugins, and of items in a map file, companies for example.
        self.called = {str(row["id"]): printable(str(row["name"])) for row in rows if {"id", "name"} <= row.keys()}
        self.called |= {id: printable(each.name) for id, each in given}
        #: What some of them mean, in a few words.
        self.meaning = {id: printable(each.meaning) for id, each in given if each.meaning}

    def meant(self, id: str) -> str:
        """What an id means, in brackets behind its name, if a plugin says so: for menus and lists."""
        return f" ({self.meaning[id]})" if id in self.meaning else ""

    def player(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.players[seat] if 0 <= seat < len(self.players) else f"seat {seat}"

    def place(self, id: str) -> str:
        """The printed name of a city or a country."""
        return printable(self.board.place_name(id))

    def words(self, id: str, *places: str) -> str:
        """What a filter may match besides a label: an id, and all names of the places that it is about."""
        known = self.board.names.words
        return " ".join([id, *(known[place] for place in places if place in known)])

    def term(self, name: str) -> str:
        """What points scored in play are for: the label of their term."""
        label = next((each.label for each in self.rules.scoring_terms if each.name == name), "")
        words = self.called.get(name) or spaced(name)
        return words if not label or label.lower() == words.lower() else printable(label)

    def between(self, places: Iterable[str]) -> str:
        """Places joined by a line: `Paris–Zürich`."""
        return "–".join(map(self.place, places))

    def route(self, id: str) -> str:
        """A route by its cities, with its colour if another one runs parallel to it."""
        return printable(self.board.route_name(id))

    def kind_of_route(self, id: str) -> str:
        """A route within a sentence: `the ferry Palermo–Smyrna`, `Paris–Zürich`."""
        route = self.board.routes[id]
        kind = "the tunnel " if route.tunnel else "the ferry " if route.ferry_locomotives else ""
        return kind + self.route(id)

    def value(self, value: object, field: str = "") -> str:
        """Any value of an event; `field` is its name in the event."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return self.player(value) if field.endswith("seat") else str(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Unknown):
            return "some" if value.count is None else str(value.count)
        if isinstance(value, Counts):
            return of_cards(value, self.card_words)
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[str, Any]", value))
        if isinstance(value, list | tuple | set | frozenset):
            return joined(self.value(each, field) for each in cast("Iterable[Any]", value))
        if attrs.has(type(value)):
            parts = {field.name: getattr(value, field.name) for field in attrs.fields(cast("Any", type(value)))}
            return ", ".join(
                f"{spaced(name)} {self.value(each, name)}" for name, each in parts.items() if each not in (None, ())
            )
        return printable(str(value))

    def _text(self, text: str) -> str:
        if text in self.board.routes:
            return self.route(text)
        if self.board.place(text):
            return self.place(text)
        if text in self.rules.tickets:
            return self.between(self.rules.tickets[text].cities)
        return self.called.get(text) or self.card_words.get(text) or printable(text.replace("_", " "))

    def _mapping(self, value: Mapping[str, Any]) -> str:
        if value and all(isinstance(each, int) for each in value.values()) and all(key in set(Card) for key in value):
            return of_cards(value, self.card_words)
        return ", ".join(f"{self.value(key)}: {self.value(each)}" for key, each in value.items()) or "nothing"


def own_words(event: Event, words: Mapping[str, str]) -> str | None:
    """The text from the event class's message template; None if there is no usable one."""
    told = filled(type(event).message, words)
    return None if told is None else told.rstrip(".")  # sentences get their full stop later


def filled(template: object, words: Mapping[str, str]) -> str | None:
    """A message template with words in it; None if there is none, or one that cannot be filled.

    >>> filled("{seat} builds a station in {city}", {"seat": "Ada", "city": "Zürich"})
    'Ada builds a station in Zürich'
    """
    if not isinstance(template, str):
        return None
    try:
        return template.format_map(words)
    except (KeyError, IndexError, ValueError, AttributeError):
        return None


def any_words(event: Event, words: Mapping[str, str]) -> str:
    """Fallback text for an event without a template: the words of its name, and its fields."""
    fields = ", ".join(f"{spaced(name)} {value}" for name, value in words.items())
    name = spaced(type(event).__name__)
    return f"{name} ({fields})" if fields else name
