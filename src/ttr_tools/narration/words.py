"""Plain words for elements of the game, in English or another language: names, cards, labels, fields of parts.

Sentences have `a red card` and `two locomotives`. Labels of menus and tables have `2 red`, short, with what matters for
a choice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TypeGuard

import attrs
from attrs import frozen

from ttr_rules import FinalScores, Rules, View, parts
from ttr_rules.actions import economy_of, pays_with
from ttr_rules.language import CARDS, COUNT, ENGLISH, SOURCE, WITH, Catalog, Language, Seat, noun
from ttr_rules.model import CARD_COLORS, Board, Card, Color, Cost, Counts, Decision, Route, Ticket, Unknown, plain
from ttr_rules.reading import is_list, is_object, is_table, is_texts
from ttr_rules.text import pluralize, printable, spaced, titled, with_article
from ttr_rules.train_cards import SeenCards, SeenDecks, TrainCards

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
    noun("card"),
    noun("point"),
)
#: Words that have no plural where cards are counted.
_ADJECTIVES = {*CARD_COLORS, Color.GRAY}
_LIBRARY = Catalog("ttr_rules")


# -- languages -------------------------------------------------------------------------------------------------------


@cache
def languages() -> tuple[str, ...]:
    """The codes of the languages that this library has catalogs for, and English.

    >>> languages()
    ('de', 'en')
    """
    from importlib.resources import files

    folder = files(_LIBRARY.package).joinpath(_LIBRARY.folder)
    return tuple(sorted({SOURCE, *(code.name for code in folder.iterdir() if _LIBRARY.read(code.name) is not None)}))


def choose_language(environ: Mapping[str, str], available: Iterable[str]) -> str:
    """The code of the first available language that the environment asks for, as GNU gettext reads it, else English.

    >>> choose_language({"LANG": "de_AT.UTF-8"}, ["de", "en"]), choose_language({"LANG": "fr_FR"}, ["de", "en"])
    ('de_AT', 'en')
    >>> choose_language({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, ["de"]), choose_language({"LANGUAGE": "fr:de", "LANG": "fr"}, ["de"])
    ('en', 'de')
    """
    chosen = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    code = chosen.partition(".")[0].partition("@")[0]
    if code in ("C", "POSIX"):
        return SOURCE
    listed = (environ.get("LANGUAGE") or code).split(":")
    wanted, codes = [item.partition(".")[0].partition("@")[0] for item in listed], set(available)
    return next((code for code in wanted if {code, code.partition("_")[0]} & codes), SOURCE)


# -- words -----------------------------------------------------------------------------------------------------------


def label_count(
    count: int, name: str, language: Language = ENGLISH, word: str | None = None, *, noun: bool = True
) -> str:
    """A number of things as a label: `2 red`, `2 locomotives`. Colors, and what is not a `noun`, have no plural."""
    label = f"{{count}} {word or spaced(name)}"
    many = pluralize(label) if noun and name not in _ADJECTIVES else label
    return language.npgettext(COUNT, label, many, count)


def route_facts(route: Route, board: Board, language: Language = ENGLISH, cost: Cost | None = None) -> list[str]:
    """The cities of a route, its length, and its color, tunnel and ferry or its cost, each as a label."""
    cost = cost or Cost.of_route(route)
    facts = ["–".join(language.place(board.place_name(city)) for city in route.cities)]
    several = [label_count(count, color, language) for color, count in cost.colors.items()]
    left = cost.spaces - cost.colors.total
    facts += [*several, label_count(left, cost.color or Color.GRAY, language)] if left > 0 else several
    facts += [language.gettext("tunnel")] if cost.tunnel else []
    if cost.wilds:
        one, many = "ferry with {count} locomotive", "ferry with {count} locomotives"
        facts.append(language.ngettext(one, many, cost.wilds))
    return facts


def letter(index: int) -> str:
    """The letter for the item at an index: `a` for the first, `aa` after `z`.

    >>> letter(1), letter(26)
    ('b', 'aa')
    """
    return (letter(index // 26 - 1) if index >= 26 else "") + chr(ord("a") + index % 26)


def filter_words(typed: str) -> list[str]:
    """The words of a filter, normalized for comparison."""
    return [word for word in re.split(r"[\s,;]+", plain(typed)) if word]


def is_items(value: object) -> TypeGuard[Collection[object]]:
    """Return True for a list, a tuple or a set, whatever its content."""
    return isinstance(value, list | tuple | set | frozenset)


def list_offered_tickets(decision: Decision | None, rules: Rules) -> tuple[str, ...]:
    """List the tickets that a player chooses from in a decision, none if it is about something else."""
    ids: object = getattr(decision, "tickets", ())
    return tuple(id for id in ids if id in rules.tickets) if is_texts(ids) else ()


class Names:
    """Human-readable names for the ids and seats of one game, in one language.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> names = Names(game.rules, game.players)
    >>> names.player(1), names.place("zurich")
    ('Bo', 'Zürich')
    """

    def __init__(self, rules: Rules, players: Sequence[str], language: Language | str = ENGLISH) -> None:
        self.rules = rules
        self.language = language = rules.language(language) if isinstance(language, str) else language
        self.board = rules.board
        words = {**rules.sheet_words.things, **rules.economy.card_words}
        #: The words for kinds of cards and pieces, in the singular, where they differ from the id.
        self.card_words: Mapping[str, str] = {card: printable(word) for card, word in words.items()}
        #: True for an economy of train cards, which go back to the hand when a tunnel is abandoned.
        self.pays_with_cards = pays_with(rules.economy, TrainCards)
        decks = economy_of(rules.economy, TrainCards).decks if self.pays_with_cards else ()
        #: The deck of each card, if there are several.
        self.decks = {card: deck.name for deck in decks for card in deck.cards if len(decks) > 1}
        self.players = tuple(printable(name) for name in players)
        #: Other ids with a name: those of items in a map file, and of the parts of plugins.
        self.called = {id: printable(language.name(name)) for id, name in rules.sheet_words.things.items()}
        printed = [item for kind in rules.part_types for item in kind.names.items()]
        #: The meaning of some of these ids, in a few words.
        self.meaning = {id: printable(language.text(name.meaning)) for id, name in printed if name.meaning}
        #: What a route costs now, for labels; None for what is printed.
        self.cost: Callable[[str], Cost] | None = None
        #: The points that its claim scores now, for labels; None for what is printed.
        self.points: Callable[[str], int] | None = None

    # -- single names ------------------------------------------------------------------------------------------

    def meant(self, id: str) -> str:
        """The meaning of an id in brackets, to stand behind its name in menus and lists, if a plugin has one."""
        return f" ({self.meaning[id]})" if id in self.meaning else ""

    def player(self, seat: int) -> str:
        """The name of the player in a seat."""
        if 0 <= seat < len(self.players):
            return self.players[seat]
        return self.language.gettext("seat {seat}", seat=int(seat))

    def place(self, id: str) -> str:
        """The name of a city or a country: the printed one, or the one in this language."""
        return printable(self.language.place(self.board.place_name(id)))

    def term(self, name: str) -> str:
        """The label of a term of points scored in play, as it is written."""
        if name in self.called:
            return self.called[name]
        label = next((term.label for term in self.rules.scoring_terms if term.name == name), "")
        return printable(self.language.gettext(label)) if label else self.language.name(spaced(name))

    def between(self, places: Iterable[str]) -> str:
        """Places joined by a line: `Paris–Zürich`."""
        return "–".join(map(self.place, places))

    def route(self, id: str) -> str:
        """A route by its cities, with its color if another one runs parallel to it."""
        return printable(self.board.route_name(id, self.language))

    def numbered_route(self, id: str) -> str:
        """A route by its cities, with its color or number if another one runs parallel to it: `Dieppe–London (no. 1)`."""
        route, number = self.route(id), self._number(id)
        return self.language.gettext("{route} (no. {number})", route=route, number=number) if number else route

    def _number(self, id: str) -> int:
        """The number of a route among those of a double that look alike, from 1. 0 if it looks like no other."""
        route = self.board.routes[id]
        beside = self.board.routes_between(*route.cities, route.color) if route.double_group else ()
        alike = [other.id for other in beside if (other.length, other.marks) == (route.length, route.marks)]
        return alike.index(id) + 1 if len(alike) > 1 else 0

    def mark(self, mark: str) -> str:
        """A mark of routes by its name, or in words."""
        return self.called.get(mark) or self.language.name(spaced(mark))

    def route_with_kind(self, id: str) -> str:
        """A route within a sentence: `the ferry Palermo–Smyrna`, `Paris–Zürich`."""
        route = self.board.routes[id]
        if route.tunnel:
            return self.language.gettext("the tunnel {route}", route=self.route(id))
        if route.ferry_locomotives:
            return self.language.gettext("the ferry {route}", route=self.route(id))
        return self.route(id)

    # -- sentences ---------------------------------------------------------------------------------------------

    def count_cards(self, count: int, card: str, use: str = CARDS, noun: str = "card") -> str:
        """A number of cards of a kind: `a red card`, `two locomotives`.

        `use` is `WITH` after "with", `noun` what has a color.
        """
        name = f"{card} {noun}" if card in _ADJECTIVES else self.card_words.get(card) or spaced(card)
        return self.language.npgettext(use, with_article(name), f"{{number}} {pluralize(name)}", count)

    def cards(self, counts: Mapping[str, int], use: str = CARDS, noun: str = "card") -> str:
        """A payment or a hand in words, locomotives last. `use` is `WITH` after "with", `noun` what has a color.

        >>> from ttr_rules import compile_rules
        >>> Names(compile_rules("europe"), ["Ada"]).cards({"red": 2, "locomotive": 1})
        'two red cards and a locomotive'
        """
        return self.language.joined(self.count_cards(count, card, use, noun) for card, count in _sort_cards(counts))

    def is_common(self, id: str) -> bool:
        """True for an id that names a kind of thing, such as a color or "mug", False for one with a name of its own."""
        has_name = id in self.board.routes or self.board.place(id) or id in self.rules.tickets
        return not has_name and (self.card_words.get(id) or id)[:1].islower()

    def one_by_one(self, cards: Sequence[str]) -> str:
        """Cards one by one, as they lie there. Those of a plugin, with others or alone, are told by their number."""
        if self.pays_with_cards and not {*cards} <= {*Card}:
            return self.cards(Counter(cards))
        return self.language.joined(self.language.name(self.card_words.get(card) or spaced(card)) for card in cards)

    def draw_clauses(self, drawn: Mapping[str | None, Sequence[str]]) -> list[str]:
        """Train cards that a player drew, by pile: None is the row, "" the only pile. Cards that are not known are "".

        >>> from ttr_rules import compile_rules
        >>> Names(compile_rules("europe"), ["Ada"]).draw_clauses({"": ["blue"], None: ["red"]})
        ['draws a card from the pile (blue)', 'takes a red card']
        """
        clauses: list[str] = []
        before: str | None = None
        for pile, cards in drawn.items():
            one, many = "draws a card from the pile", "draws {number} cards from the pile"
            if pile and before:
                one, many = "one from the {pile} pile", "{number} from the {pile} pile"
            elif pile:
                one, many = "draws a card from the {pile} pile", "draws {number} cards from the {pile} pile"
            elif clauses:
                one, many = "draws one from the pile", "draws {number} cards from the pile"
            known = [card for card in cards if card]
            if pile is None:
                clauses.append(self.language.gettext("takes {cards}", cards=self.cards(Counter(cards))))
            else:
                listed = f" ({self.one_by_one(known)})" if known else ""
                clauses.append(self.language.ngettext(one, many, len(cards), pile=self.pile(pile)) + listed)
            before = pile
        return clauses

    def pile(self, deck: str) -> str:
        """The words for a deck, in the name of its pile."""
        return self.language.name(spaced(deck))

    def pile_sizes(self, cards: SeenCards) -> dict[str, int]:
        """The number of cards in each draw pile, by the words for its deck, "" for the only one."""
        sizes = cards.pile_sizes if isinstance(cards, SeenDecks) else (cards.draw_pile_size,)
        return dict(zip(map(self.pile, dict.fromkeys(self.decks.values()) or [""]), sizes, strict=True))

    def text(self, text: str) -> str:
        """A text in this language: a `Message` with names in place of ids and seats, or one without values.

        >>> from ttr_rules import compile_rules
        >>> from ttr_rules.language import Message, Seat
        >>> names = Names(compile_rules("europe"), ["Ada"])
        >>> names.text(Message("{seat} has claimed {route}", seat=Seat(0), route="paris-zurich-gray"))
        'Ada has claimed Paris–Zürich'
        """
        return self.language.text(text, partial(_Value, self))

    def filled(self, template: object, values: Mapping[str, object], paid: str = "") -> str | None:
        """Fill the message template of a class, in this language, with values. Returns None for anything that does not fit.

        `paid` stands for `{paid}`: what was paid for it, with a space before it. `{cards:with}` asks for the form after
        "with", `{cars:car}` for a number of cars: `a car`, `two cars`, `{cars:with car}` for such a number after "with".

        >>> from ttr_rules import compile_rules
        >>> names = Names(compile_rules("europe"), ["Ada", "Bo"])
        >>> names.filled("{seat} builds a station in {city}", {"seat": 1, "city": "zurich"})
        'Bo builds a station in Zürich'
        """
        if not isinstance(template, str):
            return None
        words = {name: _Value(self, value, name) for name, value in values.items()}
        try:
            return self.language.gettext(template).format_map({"paid": paid, **words})
        except (KeyError, IndexError, ValueError, AttributeError):
            return None

    def value(self, value: object, field: str = "", use: str = CARDS) -> str:
        """A value of an event in words. `field` is its name in the event, `use` is `WITH` for cards after "with"."""
        if isinstance(value, bool):
            return self.language.gettext("yes" if value else "no")
        if isinstance(value, int):
            if not (_is_seat(field) or isinstance(value, Seat)):
                return str(value)
            return self.language.gettext("nobody") if value < 0 else self.player(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Unknown):
            is_one = _is_seat(field) and value.count in (None, 1)
            if is_one or value.count is None:
                return self.language.gettext("somebody" if is_one else "some")
            return "?" if value.count == 1 else str(value.count)
        if isinstance(value, Counts):
            return self.cards(value, use)
        if is_object(value):
            return self._mapping(value, use)
        if is_items(value):
            if not value and _is_seat(_item_field(field)):
                return self.language.gettext("nobody")
            return self.language.joined(self.value(item, _item_field(field), use) for item in value)
        kind = type(value)
        if attrs.has(kind):
            usual = {field.name: field.default for field in attrs.fields(kind)}
            values = parts.exposed_fields(value)
            return self.fields({name: inner for name, inner in values.items() if inner not in (None, (), usual[name])})
        return printable(str(value))

    def _text(self, text: str) -> str:
        if text in self.board.routes:
            return self.numbered_route(text)
        if self.board.place(text):
            return self.place(text)
        if text in self.rules.tickets:
            return self.ticket_label(self.rules.tickets[text])
        if text in self.called:
            return self.called[text]
        words = printable(self.card_words.get(text) or text.replace("_", " "))
        if words.isdecimal() or words.startswith('"'):
            return words
        if words.startswith("'"):  # somebody gave it: its name, if it has one
            inner = text.strip("'")
            has_name = inner in self.board.routes or self.board.place(inner) or inner in {*Card, *self.card_words}
            return f"'{self._text(inner)}'" if has_name else words
        return self.language.name(words)

    def fields(self, values: Mapping[str, object]) -> str:
        """Fields with their names in words."""
        say = self.language.name
        return ", ".join(f"{say(spaced(name))} {self.value(value, name)}" for name, value in values.items())

    def _mapping(self, value: Mapping[str, object], use: str) -> str:
        if (counts := _read_counts(value)) and counts.keys() <= set(Card):
            return self.cards(counts, use)
        pairs = ", ".join(f"{self.value(key)}: {self.value(inner)}" for key, inner in value.items())
        return pairs or self.language.gettext("nothing")

    # -- labels ------------------------------------------------------------------------------------------------

    def cards_label(self, counts: Mapping[str, int]) -> str:
        """A payment or a hand, short, locomotives last.

        >>> from ttr_rules import compile_rules
        >>> Names(compile_rules("europe"), ["Ada"]).cards_label({"locomotive": 1, "red": 2})
        '2 red + 1 locomotive'
        """
        labels = [self.count_label(count, card) for card, count in _sort_cards(counts)]
        return printable(" + ".join(labels)) or self.language.gettext("nothing")

    def count_label(self, count: int, card: str) -> str:
        """A number of cards of a kind, short: `2 red`."""
        return label_count(count, card, self.language, self.card_words.get(card))

    def route_label(self, id: str) -> str:
        """A route with what matters for a choice: `Paris–Zürich, 3 gray, tunnel, 4 points`, with its `cost` and `points` if set.

        Routes of a double that look alike are numbered, the same everywhere.
        """
        language = self.language
        route = self.board.routes[id]
        parts = route_facts(route, self.board, language, self.cost and self.cost(id))
        parts += map(self.mark, route.marks)
        points = self.points(id) if self.points else self.rules.route_points[id]
        parts.append(language.ngettext("{count} point", "{count} points", points))
        label = ", ".join(parts)
        if number := self._number(id):
            label = language.gettext("{label}, no. {number}", label=label, number=number)
        return printable(label)

    def ticket_label(self, ticket: Ticket) -> str:
        """A ticket with its points, such as `Brest–Petrograd 20 (long)`, and with each of several places to reach.

        Of a ticket that is worth more in order both values are named: `Paris–Wien–Roma 20/26`.
        """
        kind = "" if ticket.kind == "regular" else f" ({self.language.name(ticket.kind)})"
        if ticket.alternatives:
            goals = ", ".join(f"{self.place(place)} {points}" for place, points in ticket.goals)
            return f"{self.between(ticket.cities[:-1])}–{goals}{kind}"
        points = "/".join(str(points) for points in (ticket.points, ticket.in_order) if points is not None)
        return f"{self.between(ticket.cities)} {points}{kind}"

    def label(self, value: object, field: str = "", *, facts: bool = True) -> str:
        """The label of a field of an action in a menu. Without `facts`, routes are only named."""
        if isinstance(value, Counts):
            return self.language.gettext("for free") if field == "payment" and not value else self.cards_label(value)
        if facts and isinstance(value, str) and value in self.board.routes:
            return self.route_label(value)
        if is_object(value):
            if (counts := _read_counts(value)) is None:
                return "; ".join(f"{self.value(key)}: {self.label(inner, facts=facts)}" for key, inner in value.items())
            if counts.keys() <= {*Card, *self.card_words}:
                return self.cards_label(counts)
            labels = [label_count(count, name, self.language, noun=False) for name, count in counts.items() if count]
            return printable(" + ".join(labels) or self.language.gettext("nothing"))
        if is_items(value):
            items = [*value]
            if isinstance(value, tuple) and len(items) == 2 and isinstance(items[0], str) and type(items[1]) is int:
                return f"{self.label(items[0], facts=facts)} {items[1]}"  # an item with a number
            return self.language.joined(self.label(item, _item_field(field), facts=facts) for item in items)
        return self.value(value, field)

    def search_words(self, value: object) -> str:
        """The words that a filter may match besides a label: ids, and all names of their places."""
        if isinstance(value, str):
            route, ticket = self.board.routes.get(value), self.rules.tickets.get(value)
            places = route.cities if route else ticket.places if ticket else (value,)
            words = self.board.names.words
            return " ".join([value, *(words[place] for place in places if place in words)])
        if is_table(value):
            return " ".join(map(self.search_words, value.values()))
        return " ".join(map(self.search_words, value)) if is_items(value) else ""


def _sort_cards(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The kinds of cards that are there, locomotives last."""
    return sorted((item for item in counts.items() if item[1]), key=lambda item: item[0] == Card.LOCOMOTIVE)


def _is_seat(field: str) -> bool:
    """True if the name of a field says that its value is a seat."""
    return field.endswith("seat")


def _item_field(field: str) -> str:
    """The name for an item of a field with several: `seat` in `seats`."""
    return field.removesuffix("s") if field.endswith("seats") else field


def _read_counts(table: Mapping[str, object]) -> dict[str, int] | None:
    """A table as numbers by name, or None if it has other values."""
    counts = {name: count for name, count in table.items() if isinstance(count, int)}
    return counts if len(counts) == len(table) else None


@frozen
class _Value:
    """A value in a template, put in words in the form that the template asks for."""

    names: Names
    value: object
    field: str

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, use: str) -> str:
        if use in ("", CARDS, WITH):
            return self.names.value(self.value, self.field, use or CARDS)
        if not use.replace(" ", "").replace("_", "").isalpha():
            return format(self.value, use)  # such as `03d`
        noun = use.removeprefix(f"{WITH} ")
        form = CARDS if noun == use else WITH
        if isinstance(self.value, Unknown):
            number: object = self.value.count
        else:
            number = None if _is_seat(self.field) else self.value
        if isinstance(number, int) and use == "point":  # as the library tells points
            return self.names.language.ngettext("{count} point", "{count} points", number)
        if isinstance(number, int):
            return self.names.count_cards(number, noun, form)
        kinds: object = [self.value] if isinstance(self.value, str) else self.value
        if is_texts(kinds) and kinds and all(map(self.names.is_common, kinds)):
            return self.names.cards(Counter(map(str, kinds)), form, noun)
        return self.names.value(self.value, self.field, form)


# -- parts of the state ----------------------------------------------------------------------------------------------


@frozen
class PartField:
    """A field that a part of the state exposes.

    With `seats` its numbers are seats. With `by_seat` each player has an entry.
    """

    names: Names
    label: str
    value: object
    seats: bool = False
    by_seat: bool = False

    @property
    def table(self) -> Mapping[str, object]:
        """The value if it is a table, by city for example, otherwise an empty one."""
        return self.value if is_object(self.value) and not isinstance(self.value, Counts) else {}

    @property
    def row(self) -> Sequence[object]:
        """The value if it is a list, otherwise an empty one."""
        return self.value if is_list(self.value) else ()

    @property
    def is_empty(self) -> bool:
        """True if there is nothing in it, as far as this seat can tell."""
        return not any(self.cells) if self.by_seat else _is_empty(self.value, self.seats)

    @property
    def is_column(self) -> bool:
        """True for a number, a stock or a list of numbers per player. Seats do not count as numbers."""
        if self.seats or not self.by_seat:
            return False
        return all(isinstance(one, int | Counts | Unknown) or _is_numbers(one) for one in self.row)

    @property
    def cells(self) -> list[str]:
        """An entry for each player in words, if the field has entries: its number if only that is known, or ""."""
        if not self.by_seat:
            return []
        if self.seats:
            return [self.names.value(seat, "seat") for seat in self.row]
        return ["" if _is_empty(held, True) else _short(held, self.names) for held in self.row]

    @property
    def text(self) -> str:
        """All of it on one line."""
        plain_row = self.row and not self.seats and not self.by_seat and not any(map(is_items, self.row))
        return self.names.label(self.value, facts=False) if plain_row else "; ".join(self.entries)

    @property
    def entries(self) -> list[str]:
        """Its entries in words: those of a table or list one by one."""
        names = self.names
        if self.table:
            return [self.entry(key, names.value(key) + names.meant(key)) for key in self.table]
        if self.seats and not self.by_seat:
            return [names.value(self.value, "seat")]
        cells = [f"{names.player(seat)}: {cell}" for seat, cell in enumerate(self.cells) if cell]
        return cells or [names.label(one, facts=False) for one in self.row] or [names.label(self.value, facts=False)]

    def entry(self, key: str, name: str) -> str:
        """An entry of a table in words: `Berlin (Ada)`, `Berlin: 7, 6 and 5`."""
        value = self.table[key]
        if self.seats and isinstance(value, int | Unknown):
            return f"{name} ({self.names.value(value, 'seat')})"
        return f"{name}: {self.names.label(value, facts=False)}"


def _is_empty(value: object, zero: bool) -> bool:
    """True for nothing. With `zero`, the number 0 is something."""
    return not (value or (zero and isinstance(value, int))) or (isinstance(value, Unknown) and value.count == 0)


def _is_numbers(value: object) -> bool:
    return is_list(value) and all(type(one) is int for one in value)


def find_cards(view: View) -> SeenCards | None:
    """The train cards that a seat sees, or None in an economy without them."""
    return view.part(SeenCards) if view.has_part(SeenCards) else None


def list_holders(view: View) -> Mapping[str, tuple[int, ...]]:
    """The seats that hold each route that somebody has claimed."""
    return {id: (owner, *view.shared.get(id, ())) for id, owner in view.owners.items()}


def part_fields(view: View, names: Names) -> Iterator[PartField]:
    """The fields that the parts of the state expose to a seat, without train cards.

    If fields of several parts have the same label, that of the part is added.
    """
    fields: list[tuple[PartField, str]] = []
    for part in view.parts.values():
        kind = type(part)
        if isinstance(part, SeenCards) or not attrs.has(kind):
            continue
        declared = parts.part_fields(kind)
        for field in attrs.fields(kind):
            how, value = declared.get(field.name), getattr(part, field.name)
            label = names.language.gettext((how and how.label) or titled(field.name))
            if how is None:
                fields.append((PartField(names, label, value), kind.__name__))
            elif how.label != "":
                if how.by_seat and parts.Place(part, field.name, 0).is_one:  # a secret number is no number of things
                    value = [Unknown() if isinstance(one, Unknown) else one for one in value]
                fields.append((PartField(names, label, value, how.seats, how.each), kind.__name__))
    labels = Counter(field.label for field, _ in fields)
    for field, part in fields:
        yield field if labels[field.label] == 1 else attrs.evolve(field, label=f"{field.label} ({titled(part)})")


def list_fields(view: View, names: Names) -> Iterator[PartField]:
    """The fields with something in them that are not columns of a table of players, and the tickets held openly.

    Counts that say no more than the items just before them are left out.
    """
    if view.to_act and any(view.seen_tickets):
        yield PartField(names, names.language.gettext("Tickets shown"), view.seen_tickets, by_seat=True)
    cards = find_cards(view)
    if cards is not None and (known := tuple([looked.card for looked in cards.looked_at if looked.card])):
        yield PartField(names, names.language.gettext("Known cards of the draw pile"), known)
    before: object = None
    for field in part_fields(view, names):
        if field.is_empty or field.is_column:
            continue
        if not (is_list(before) and isinstance(field.value, Counts) and field.value == Counter(before)):
            yield field
        before = field.value


def player_columns(view: View, names: Names) -> Iterator[tuple[str, list[str]]]:
    """The numbers and stocks of each player, as columns of a table."""
    cards = find_cards(view)
    if cards is not None:
        yield names.language.gettext("Cards"), [*map(str, cards.hand_sizes)]
    if isinstance(cards, SeenDecks) and cards.open_hands:
        yield names.language.gettext("Open cards"), [_short(hand, names) for hand in cards.open_hands]
    for field in part_fields(view, names):
        if field.is_column:
            yield field.label, [_short(held, names) for held in field.row]


def player_facts(view: View, names: Names, scores: FinalScores | None = None) -> list[list[str]]:
    """The facts that everybody knows about each player.

    They are points, cars, tickets, things or their number, and at the end the final points.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=2, seed=1)
    >>> player_facts(game.view(None), Names(game.rules, game.players))[0]
    ['0 points', '45 cars', 'Cards 4', 'Stations left 3']
    """
    say, count = names.language.gettext, names.language.ngettext
    columns = [*player_columns(view, names)]
    columns += [(f"{field.label}:", field.cells) for field in list_fields(view, names)]
    facts: list[list[str]] = []
    for seat, held in enumerate(view.ticket_counts):
        final = None if scores is None else scores.players[seat]
        own = [] if final is None else [say("rank {rank}", rank=final.rank)]
        own.append(count("{count} point", "{count} points", view.scores[seat] if final is None else final.total))
        own.append(count("{count} car", "{count} cars", view.cars[seat]))
        own += [] if held is None else [f"{say('Tickets')} {held}"]
        facts.append(own + [f"{label} {cells[seat]}" for label, cells in columns if cells and cells[seat]])
    return facts


def _short(value: object, names: Names) -> str:
    """The things of one player: a number, a stock, things, or their number if only that is known."""
    if isinstance(value, Unknown):
        return "?" if value.count is None else str(value.count or names.language.gettext("none"))
    if is_items(value) or is_object(value):
        numbers = "+".join(map(str, value)) if _is_numbers(value) else names.label(value, facts=False)
        return numbers if value else names.language.gettext("none")
    return names.label(value, facts=False)
