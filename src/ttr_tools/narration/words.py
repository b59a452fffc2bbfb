"""Plain words for elements of the game, in English or another language: cards, lists, names instead of ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import attrs
from attrs import frozen

from ttr_rules import Rules
from ttr_rules.events import Event
from ttr_rules.language import CARDS, COUNT, ENGLISH, Language, Seat, noun
from ttr_rules.model import CARD_COLORS, Card, Color, Counts, Unknown
from ttr_rules.plugins import pays_with
from ttr_rules.text import printable, spaced, with_article
from ttr_rules.train_cards import TrainCards

#: The names of what is counted, for translators; in sentences colors are those of cards.
_NOUNS = (
    noun("purple", "purple card"),
    noun("blue", "blue card"),
    noun("orange", "orange card"),
    noun("white", "white card"),
    noun("green", "green card"),
    noun("yellow", "yellow card"),
    noun("black", "black card"),
    noun("red", "red card"),
    noun("locomotive"),
    noun("gray", ""),  # only of routes
    noun("car"),
    noun("point"),
)


#: Words that have no plural where cards are counted.
_ADJECTIVES = {*CARD_COLORS, Color.GRAY}


def how_many(tickets: tuple[str, ...] | Unknown) -> int:
    """How many tickets these are, whether they are known or not."""
    return (tickets.count or 0) if isinstance(tickets, Unknown) else len(tickets)


def card_noun(card: str, words: Mapping[str, str]) -> str:
    """The name of one card: `red card`, `locomotive`, or what the economy says in its `card_words`."""
    return f"{card} card" if card in CARD_COLORS else words.get(card) or spaced(card)


def counted_cards(
    count: int, card: str, words: Mapping[str, str], language: Language = ENGLISH, use: str = CARDS
) -> str:
    """A number of cards of a kind within a sentence: `a red card`, `two locomotives`; `use` is `WITH` after "with"."""
    name = card_noun(card, words)
    return language.npgettext(use, with_article(name), f"{{number}} {name}s", count)


def labelled(
    count: int, card: str, words: Mapping[str, str], language: Language = ENGLISH, *, noun: bool = True
) -> str:
    """A number of cards of a kind as a label: `2 red`, `2 locomotives`; colors, and what is no `noun`, have no plural."""
    label = f"{{count}} {words.get(card) or spaced(card)}"
    many = f"{label}s" if noun and card not in _ADJECTIVES else label
    return language.npgettext(COUNT, label, many, count)


def of_cards(
    counts: Mapping[str, int], words: Mapping[str, str], language: Language = ENGLISH, use: str = CARDS
) -> str:
    """A payment or a hand in words, locomotives last.

    >>> of_cards({"red": 2, "locomotive": 1}, {})
    'two red cards and a locomotive'
    """
    listed = sorted(counts.items(), key=lambda item: item[0] == Card.LOCOMOTIVE)
    return language.joined(counted_cards(count, card, words, language, use) for card, count in listed if count)


def drawing(
    cards: Sequence[str | None], words: Mapping[str, str], language: Language = ENGLISH, own: Sequence[str] = ()
) -> list[str]:
    """Train cards that a player drew, None for one from the pile, as clauses in the order of the draws.

    `own` are those from the pile, if they are known.

    >>> drawing([None, "red"], {}, own=["blue"])
    ['draws a card from the pile (blue)', 'takes a red card']
    """
    taken = [card for card in cards if card is not None]
    blind = len(cards) - len(taken)
    of = of_cards({card: taken.count(card) for card in taken}, words, language)
    takes = [language.gettext("takes {cards}", cards=of)] if taken else []
    if not blind:
        return takes
    known = f" ({one_by_one(own, words, language)})" if own else ""
    if takes and cards[0] is not None:
        drawn = language.ngettext("draws one from the pile", "draws {number} cards from the pile", blind)
        return [*takes, drawn + known]
    drawn = language.ngettext("draws a card from the pile", "draws {number} cards from the pile", blind)
    return [drawn + known, *takes]


def one_by_one(cards: Iterable[str], words: Mapping[str, str], language: Language = ENGLISH) -> str:
    """Cards one by one, as they lie there."""
    return language.joined(language.name(words.get(card) or spaced(card)) for card in cards)


class Names:
    """Human-readable names for the ids and seats of one game, in one language.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> names = Names(game.rules, game.players)
    >>> names.player(1), names.place("zurich")
    ('Bo', 'Zürich')
    """

    def __init__(self, rules: Rules, players: Sequence[str], language: Language = ENGLISH) -> None:
        self.rules = rules
        self.language = language
        self.board = rules.board
        self.card_words: Mapping[str, str] = {card: printable(word) for card, word in rules.economy.card_words.items()}
        #: Whether the economy is one of train cards, which go back to the hand when a tunnel is abandoned.
        self.pays_with_cards = pays_with(rules.economy, TrainCards)
        self.players = tuple(printable(name) for name in players)
        extra = rules.board.extra.values()
        lists = [cast("Sequence[object]", each) for each in extra if isinstance(each, list | tuple)]
        rows = [cast("Mapping[str, object]", row) for each in lists for row in each if isinstance(row, Mapping)]
        #: Other ids with a name: those of items in a map file, and of the parts of plugins.
        self.called = {str(row["id"]): printable(str(row["name"])) for row in rows if {"id", "name"} <= row.keys()}
        given = [each for kind in rules.part_types for each in kind.names.items()]
        self.called |= {id: printable(language.name(each.name)) for id, each in given}
        #: What some of these ids mean, in a few words.
        self.meaning = {id: printable(language.text(each.meaning)) for id, each in given if each.meaning}

    def meant(self, id: str) -> str:
        """What an id means, in brackets behind its name, if a plugin says so: for menus and lists."""
        return f" ({self.meaning[id]})" if id in self.meaning else ""

    def player(self, seat: int) -> str:
        """The name of the player in a seat."""
        return self.players[seat] if 0 <= seat < len(self.players) else self.language.gettext("seat {seat}", seat=seat)

    def place(self, id: str) -> str:
        """The name of a city or a country: the printed one, or the one in this language."""
        return printable(self.language.place(self.board.place_name(id)))

    def words(self, id: str, *places: str) -> str:
        """What a filter may match besides a label: an id, and all names of the places that it is about."""
        known = self.board.names.words
        return " ".join([id, *(known[place] for place in places if place in known)])

    def term(self, name: str) -> str:
        """What points scored in play are for: the label of their term."""
        label = next((each.label for each in self.rules.scoring_terms if each.name == name), "")
        if name in self.called:
            return self.called[name]
        words = spaced(name)
        if not label or label.lower() == words.lower():
            return self.language.name(words)
        return printable(self.language.gettext(label))

    def between(self, places: Iterable[str]) -> str:
        """Places joined by a line: `Paris–Zürich`."""
        return "–".join(map(self.place, places))

    def route(self, id: str) -> str:
        """A route by its cities, with its color if another one runs parallel to it."""
        return printable(self.board.route_name(id, self.language))

    def kind_of_route(self, id: str) -> str:
        """A route within a sentence: `the ferry Palermo–Smyrna`, `Paris–Zürich`."""
        route = self.board.routes[id]
        if route.tunnel:
            return self.language.gettext("the tunnel {route}", route=self.route(id))
        if route.ferry_locomotives:
            return self.language.gettext("the ferry {route}", route=self.route(id))
        return self.route(id)

    def cards(self, counts: Mapping[str, int], use: str = CARDS) -> str:
        """A payment or a hand within a sentence; `use` is `WITH` after "with"."""
        return of_cards(counts, self.card_words, self.language, use)

    def one_by_one(self, cards: Iterable[str]) -> str:
        """Cards one by one, as they lie there."""
        return one_by_one(cards, self.card_words, self.language)

    def text(self, text: str) -> str:
        """A text in this language: a `Message` with names in place of ids and seats, or one without values.

        >>> from ttr_rules import compile_rules
        >>> from ttr_rules.plugins import Message, Seat
        >>> names = Names(compile_rules("europe"), ["Ada"])
        >>> names.text(Message("{seat} has claimed {route}", seat=Seat(0), route="paris-zurich-gray"))
        'Ada has claimed Paris–Zürich'
        """
        return self.language.text(text, self.value)

    def shown(self, values: Mapping[str, object]) -> Mapping[str, object]:
        """Values for a message template by their names.

        `{cards:with}` asks for the form after "with", `{cars:car}` for a number of cars: `a car`, `two cars`.
        """
        return {name: _Value(self, value, name) for name, value in values.items()}

    def message(self, kind: type, values: Mapping[str, object], paid: str = "") -> str | None:
        """The message template of a class in this language, filled with values; None if it has none that fits.

        `paid` stands for `{paid}`: what was paid for it, with a space before it.
        """
        template: object = getattr(kind, "message", None)
        if isinstance(template, str):
            template = self.language.template(template)
        return filled(template, {"paid": paid, **self.shown(values)})

    def value(self, value: object, field: str = "", use: str = CARDS) -> str:
        """Any value of an event; `field` is its name in the event, `use` is `WITH` for cards after "with"."""
        if isinstance(value, bool):
            return self.language.gettext("yes" if value else "no")
        if isinstance(value, int):
            return self.player(value) if field.endswith("seat") or isinstance(value, Seat) else str(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Unknown):
            return self.language.gettext("some") if value.count is None else str(value.count)
        if isinstance(value, Counts):
            return self.cards(value, use)
        if isinstance(value, Mapping):
            return self._mapping(cast("Mapping[str, Any]", value), use)
        if isinstance(value, list | tuple | set | frozenset):
            return self.language.joined(self.value(each, field, use) for each in cast("Iterable[Any]", value))
        if attrs.has(type(value)):
            parts = {field.name: getattr(value, field.name) for field in attrs.fields(cast("Any", type(value)))}
            shown = {name: self.value(each, name) for name, each in parts.items() if each not in (None, ())}
            return ", ".join(f"{self.language.name(spaced(name))} {each}" for name, each in shown.items())
        return printable(str(value))

    def _text(self, text: str) -> str:
        if text in self.board.routes:
            return self.route(text)
        if self.board.place(text):
            return self.place(text)
        if text in self.rules.tickets:
            return self.between(self.rules.tickets[text].cities)
        if text in self.called:
            return self.called[text]
        words = printable(self.card_words.get(text) or text.replace("_", " "))
        if words.isdecimal() or words.startswith('"'):
            return words
        if words.startswith("'"):  # somebody gave it: its name, if it has one
            inner = text.strip("'")
            known = inner in self.board.routes or self.board.place(inner) or inner in {*Card, *self.card_words}
            return f"'{self._text(inner)}'" if known else words
        return self.language.name(words)

    def _mapping(self, value: Mapping[str, Any], use: str) -> str:
        if value and all(isinstance(each, int) for each in value.values()) and all(key in set(Card) for key in value):
            return self.cards(value, use)
        pairs = ", ".join(f"{self.value(key)}: {self.value(each)}" for key, each in value.items())
        return pairs or self.language.gettext("nothing")


@frozen
class _Value:
    """A value in a template: its words are made when they are asked for, in the form that the template wants."""

    names: Names
    value: object
    field: str

    def __format__(self, use: str) -> str:
        if use and isinstance(self.value, int):
            return counted_cards(self.value, use, {}, self.names.language)
        return self.names.value(self.value, self.field, use or CARDS)


def filled(template: object, words: Mapping[str, object]) -> str | None:
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


def any_words(names: Names, event: Event, values: Mapping[str, object]) -> str:
    """Fallback text for an event without a template: the words of its name, and its fields."""
    translated = names.language.name
    fields = ", ".join(f"{translated(spaced(name))} {names.value(value, name)}" for name, value in values.items())
    name = translated(spaced(type(event).__name__))
    return f"{name} ({fields})" if fields else name
