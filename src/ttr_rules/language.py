"""Texts for people in several languages: messages with their values, names for translators, catalogs.

A text is an English template (the msgid of a gettext catalog) with typed values. `Message` keeps both beside the finished
English text, so a refusal or a line of a sheet can be shown in any language later. Nothing here is global: whoever
shows a text has a `Language`.

>>> language("de").text(plural("{count} point", "{count} points", 2))
'2 Punkte'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from itertools import pairwise
from pkgutil import get_data
from string import Formatter
from typing import Self, cast

from attrs import frozen

#: The language that all texts are written in.
SOURCE = "en"


@frozen
class Catalog:
    """The place of a plugin's translations: `locales/de/LC_MESSAGES/messages.mo` in a package, for German.

    >>> Catalog("ttr_rules").read("de") is None, Catalog("ttr_rules").read("xx") is None
    (False, True)
    """

    package: str
    folder: str = "locales"

    def read(self, code: str) -> bytes | None:
        """The compiled catalog for a language code, or None."""
        try:
            return get_data(self.package, f"{self.folder}/{code}/LC_MESSAGES/messages.mo")
        except OSError:
            return None


#: The catalog of the library itself.
OWN = Catalog("ttr_rules")


#: The context of msgids that name a thing.
NAME = "name"
#: The context of msgids for a number of things as a label.
COUNT = "count"
#: The context of msgids for a number of things in a sentence.
CARDS = "cards"
#: The context of msgids for things after "with".
WITH = "with"
#: The context of msgids that name a place.
PLACE = "place"

Render = Callable[[object, str], object]


class Message(str):
    """A text for people: the English template filled with the values, which are kept for other languages.

    Give it wherever a text is expected, such as the reason of a `Refusal`. Without values the text is taken as it is.

    >>> reason = Message("{route} takes {cars} train cars", route="paris-zurich", cars=3)
    >>> reason, reason.template
    ('paris-zurich takes 3 train cars', '{route} takes {cars} train cars')
    """

    __slots__ = ("many", "number", "template", "values")

    template: str
    #: The template for numbers other than 1, if the text depends on a number.
    many: str | None
    number: int
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        return cls._make(template, None, 1, values)

    @classmethod
    def _make(cls, template: str, many: str | None, count: int, values: Mapping[str, object]) -> Self:
        chosen = template if many is None or count == 1 else many
        made = super().__new__(cls, _fill(chosen, values))
        made.template, made.many, made.number, made.values = template, many, count, values
        return made

    def __reduce__(self) -> tuple[Callable[..., Message], tuple[str, str | None, int, Mapping[str, object]]]:
        return Message._make, (self.template, self.many, self.number, self.values)


def plural(one: str, many: str, count: int, /, **values: object) -> Message:
    """A message that depends on a number, which is `{count}` in both templates.

    >>> plural("{count} card is due", "{count} cards are due", 2)
    '2 cards are due'
    """
    return Message._make(one, many, count, {"count": count, **values})  # pyright: ignore[reportPrivateUsage]


def join_and(parts: Iterable[object]) -> object:
    """Texts or values with "and" between them, for use in a message.

    >>> join_and(["red", "blue", "green"])
    'red and blue and green'
    """
    return _join(marked("{one} and {other}"), parts)


def join_or(parts: Iterable[object]) -> object:
    """Texts or values with "or" between them, for use in a message.

    >>> join_or(["red", "blue", "green"])
    'red or blue or green'
    """
    return _join(marked("{one} or {other}"), parts)


def join_commas(parts: Iterable[object]) -> object:
    """Texts or values with commas between them, for use in a message.

    >>> join_commas(["red", "blue", "green"])
    'red, blue, green'
    """
    return _join(marked("{one}, {other}"), parts)


def join_few(parts: Iterable[object]) -> object:
    """The first five texts or values with commas between them, and the number of the others.

    >>> join_few(["bern", "paris", "wien", "roma", "kyiv", "riga", "lodz"])
    'bern, paris, wien, roma, kyiv and 2 more'
    """
    known = list(parts)
    first = join_commas(known[:5])
    return Message("{first} and {count} more", first=first, count=len(known) - 5) if len(known) > 5 else first


def _join(template: str, parts: Iterable[object]) -> object:
    text, *rest = list(parts) or [Message("nothing")]
    for part in rest:
        text = Message(template, one=text, other=part)
    return text


class Seat(int):
    """A seat as a value of a message: `seat 1` in English text, the player's name where the players are known.

    Several seats are a tuple of them.

    >>> Message("{seat} has no cars left", seat=Seat(1))
    'seat 1 has no cars left'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return f"seat {int(self)}"

    __format__ = object.__format__


class Verbatim(str):
    """A value of a message that is shown as it is, in any language: what somebody gave, a name in the code.

    >>> Message("{kind} is not an action", kind=Verbatim("TicketSetup"))
    'TicketSetup is not an action'
    """

    __slots__ = ()


def noun(word: str, in_sentences: str | None = None) -> str:
    """The name of a card or the like, given back unchanged: marks what is extracted for translators.

    They find it alone, with a number, in sentences and after "with". In sentences it may be longer, as in
    `noun("red", "red card")`, or never be counted, as in `noun("gray", "")`.

    >>> noun("passenger")
    'passenger'
    """
    return word


def named(word: str, context: str = NAME) -> str:
    """The name of something that is never counted, given back unchanged, for translators: see `noun`."""
    return word


def marked(text: str) -> str:
    """A text that is translated where it is shown, given back unchanged, for translators."""
    return text


_NUMBERS = (
    named("no", "number"), named("one", "number"), named("two", "number"), named("three", "number"),
    named("four", "number"), named("five", "number"), named("six", "number"), named("seven", "number"),
    named("eight", "number"), named("nine", "number"), named("ten", "number"), named("eleven", "number"),
    named("twelve", "number"),
)  # fmt: skip
#: The word "no" after "with", which some languages inflect.
_WITH_NO = named("no", "with")


def _chain(code: str, catalogs: Iterable[Catalog]) -> NullTranslations:
    """Catalogs of a language, each falling back to the next: plugins' before the library's, `pt_BR` before `pt`."""
    codes: list[str] = [] if code == SOURCE else list(dict.fromkeys([code, code.partition("_")[0]]))
    sources = list(dict.fromkeys([*reversed([*catalogs]), OWN]))
    found = [data for tag in codes for source in sources if (data := source.read(tag)) is not None]
    links: list[NullTranslations] = [GNUTranslations(BytesIO(data)) for data in found]
    for link, other in pairwise(links):
        link.add_fallback(other)
    return links[0] if links else NullTranslations()


class Language:
    """A language to show texts in: templates are translated, then filled with values.

    The methods are named as in `gettext`, so that tools find the templates. `{count}` is a number in digits,
    `{number}` the same in words, if it is small. Made by `Rules.language`, or by `language` if there are no rules.

    >>> german = language("de")
    >>> german.gettext("Nobody has won yet."), german.ngettext("{count} point", "{count} points", 2)
    ('Noch hat niemand gewonnen.', '2 Punkte')
    """

    def __init__(self, code: str = SOURCE, catalogs: Iterable[Catalog] = ()) -> None:
        #: The code of the language, such as "de" or "pt_BR".
        self.code = code
        self._catalog = _chain(code, catalogs)

    def __repr__(self) -> str:
        return f"<Language {self.code}>"

    # -- templates ---------------------------------------------------------------------------------------------

    def gettext(self, message: str, /, **values: object) -> str:
        """A template, translated and filled."""
        return self.pgettext("", message, **values)

    def pgettext(self, context: str, message: str, /, **values: object) -> str:
        """A template that means something else in other contexts."""
        return _fill(self._one(context, message), values)

    def ngettext(self, one: str, many: str, count: int, /, **values: object) -> str:
        """One of two templates, depending on a number."""
        return self.npgettext("", one, many, count, **values)

    def npgettext(self, context: str, one: str, many: str, count: int, /, **values: object) -> str:
        """One of two templates in a context, depending on a number."""
        number = self._one(WITH, _WITH_NO) if count == 0 and context == WITH else self.number(count)
        words = {"count": count, "number": number, **values}
        return _fill(self._many(context, one, many, count), words)

    def _one(self, context: str, message: str) -> str:
        if not message:  # the empty msgid is the head of a catalog
            return message
        return self._catalog.pgettext(context, message) if context else self._catalog.gettext(message)

    def _many(self, context: str, one: str, many: str, count: int) -> str:
        catalog = self._catalog
        return catalog.npgettext(context, one, many, count) if context else catalog.ngettext(one, many, count)

    # -- texts -------------------------------------------------------------------------------------------------

    def text(self, text: str, render: Render | None = None) -> str:
        """A finished text in this language: a `Message`, or a text without values.

        `render` gives the words for a value and its name. By default values are shown as they are.

        >>> language("de").text(plural("{count} point", "{count} points", 1))
        '1 Punkt'
        """
        if not isinstance(text, Message):
            return self._one("", text)
        one, many = text.template, text.many
        template = self._one("", one) if many is None else self._many("", one, many, text.number)
        return _fill(template, {name: self._value(value, name, render) for name, value in text.values.items()})

    def _value(self, value: object, name: str, render: Render | None) -> object:
        if isinstance(value, Message):
            return self.text(value, render)
        if isinstance(value, tuple):
            parts = cast("tuple[object, ...]", value)
            if render is None or any(isinstance(part, Message | Seat) for part in parts):
                return self.joined(str(self._value(part, name, render)) for part in parts)
            return render(parts, name)
        words = value if render is None or isinstance(value, Verbatim) else render(value, name)
        return self.gettext("seat {seat}", seat=int(words)) if isinstance(words, Seat) else words

    def place(self, printed: str) -> str:
        """A city or a country: its name in this language, if a catalog has one, else the printed one."""
        return self._one(PLACE, printed)

    def name(self, word: str) -> str:
        """The name of a thing of the game: a card, a face of a die, a mark of a route, a kind of ticket."""
        return self._one(NAME, word)

    def number(self, count: int) -> str:
        """A small number as a word."""
        return self._one("number", _NUMBERS[count]) if 0 <= count < len(_NUMBERS) else str(count)

    def joined(self, parts: Iterable[str]) -> str:
        """Parts as a list in a sentence.

        >>> language("de").joined(["Ada", "Grace", "Otto"])
        'Ada, Grace und Otto'
        """
        *most, last = list(parts) or [self.gettext("nothing")]
        return self.gettext("{most} and {last}", most=", ".join(most), last=last) if most else last


class _Plain(Formatter):
    """Leaves out the form of a value that a template asks for, as in `{card:card}`: only those who know names have words for it."""

    def format_field(self, value: object, format_spec: str) -> str:
        try:
            return format(value, format_spec)
        except (TypeError, ValueError):
            return str(value)


def _fill(template: str, values: Mapping[str, object]) -> str:
    if not values:
        return template
    try:
        return template.format_map(values)
    except (TypeError, ValueError):
        return _Plain().vformat(template, (), values)


@cache
def language(code: str = SOURCE, catalogs: tuple[Catalog, ...] = ()) -> Language:
    """A language by its code, such as "de", "de_AT" or "de-AT". Texts without a translation are shown in English."""
    return Language(code.replace("-", "_"), catalogs)


#: The language that texts are written in.
ENGLISH = language()


__all__ = [
    "CARDS",
    "COUNT",
    "ENGLISH",
    "NAME",
    "PLACE",
    "SOURCE",
    "WITH",
    "Catalog",
    "Language",
    "Message",
    "Seat",
    "Verbatim",
    "language",
    "marked",
    "named",
    "noun",
    "plural",
]
