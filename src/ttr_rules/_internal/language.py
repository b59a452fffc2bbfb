"""Languages: texts for people are written in English where they arise, and translated where they are shown.

A text is an English template (the msgid of a gettext catalogue) with typed values. `Message` keeps both beside the finished
English text, so a refusal or a line of a sheet can be shown in any language later. Nothing here is global: whoever
shows a text has a `Language`. Catalogues are read with `gettext` of the standard library, and only for languages other
than English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from attrs import frozen

from ttr_rules._internal import wording

if TYPE_CHECKING:
    from gettext import NullTranslations

#: The language that all texts are written in.
SOURCE = "en"
#: Contexts of msgids: the name of a thing, a number of it as a label, in a sentence, after "with"; a place.
NAME, COUNT, CARDS, WITH, PLACE = "name", "count", "cards", "with", "place"

Render = Callable[[Any, str], Any]


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
    values: Mapping[str, Any]

    def __new__(cls, template: str, /, **values: object) -> Self:
        return cls._made(template, None, 1, values)

    @classmethod
    def _made(cls, template: str, many: str | None, count: int, values: Mapping[str, Any]) -> Self:
        chosen = template if many is None or count == 1 else many
        made = super().__new__(cls, chosen.format_map(values) if values else chosen)
        made.template, made.many, made.number, made.values = template, many, count, values
        return made

    def __reduce__(self) -> tuple[Callable[..., Message], tuple[str, str | None, int, Mapping[str, Any]]]:
        return Message._made, (self.template, self.many, self.number, self.values)


def plural(one: str, many: str, count: int, /, **values: object) -> Message:
    """A message that depends on a number, which is `{count}` in both templates.

    >>> plural("{count} card is due", "{count} cards are due", 2)
    '2 cards are due'
    """
    return Message._made(one, many, count, {"count": count, **values})  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


class Seat(int):
    """A seat as a value of a message: `seat 1` in English text, the player's name where the players are known.

    >>> Message("{seat} has no cars left", seat=Seat(1))
    'seat 1 has no cars left'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return f"seat {int(self)}"

    __format__ = object.__format__


def noun(word: str, in_sentences: str = "") -> str:
    """The name of a card or the like, given back unchanged: marks what is extracted for translators.

    They find it alone, with a number, in sentences and after "with"; in sentences it may be longer: `noun("red", "red
    card")`.

    >>> noun("passenger")
    'passenger'
    """
    return word


@frozen
class Catalog:
    """Where a plugin keeps its translations: `locales/de/LC_MESSAGES/messages.mo` in a package, for German.

    >>> Catalog("ttr_rules").read("de") is None, Catalog("ttr_rules").read("xx") is None
    (False, True)
    """

    package: str
    folder: str = "locales"
    domain: str = "messages"

    def read(self, code: str) -> bytes | None:
        """The compiled catalogue for a language code; None if there is none."""
        from pkgutil import get_data  # from a zip file too

        try:
            return get_data(self.package, f"{self.folder}/{code}/LC_MESSAGES/{self.domain}.mo")
        except OSError:
            return None


#: The catalogue of the library itself.
OWN = Catalog("ttr_rules")


class Language:
    """What texts are shown in: templates are translated, then filled with values.

    The methods are named as in `gettext`, so that tools find the templates. `{count}` is a number in digits,
    `{number}` the same in words, if it is small. Made by `Rules.language`, or by `language` if there are no rules.

    >>> german = language("de")
    >>> german.gettext("Nobody has won yet."), german.ngettext("{count} point", "{count} points", 2)
    ('Noch hat niemand gewonnen.', '2 Punkte')
    """

    __slots__ = ("_found", "code", "missing")

    def __init__(self, code: str = SOURCE, catalogs: Iterable[Catalog] = ()) -> None:
        #: The code of the language, such as "de" or "pt_BR".
        self.code = code
        #: The templates that were wanted and that no catalogue had, each with its context, for tests.
        self.missing: set[tuple[str, str]] = set()
        self._found = _translations(code, catalogs)

    def __repr__(self) -> str:
        return f"<Language {self.code}>"

    @property
    def is_known(self) -> bool:
        """Whether there is a catalogue for this language; English needs none."""
        return bool(self._found) or self.code == SOURCE

    # -- templates ---------------------------------------------------------------------------------------------

    def gettext(self, message: str, /, **values: object) -> str:
        """A template, translated and filled."""
        return _filled(self._one("", message), values)

    def pgettext(self, context: str, message: str, /, **values: object) -> str:
        """A template that means something else in other contexts."""
        return _filled(self._one(context, message), values)

    def ngettext(self, one: str, many: str, count: int, /, **values: object) -> str:
        """One of two templates, depending on a number."""
        return _filled(self._many("", one, many, count), {"count": count, "number": self.number(count), **values})

    def npgettext(self, context: str, one: str, many: str, count: int, /, **values: object) -> str:
        """One of two templates in a context, depending on a number."""
        words = {"count": count, "number": self.number(count), **values}
        return _filled(self._many(context, one, many, count), words)

    def template(self, message: str) -> str:
        """A template, translated but not filled."""
        return self._one("", message)

    def _one(self, context: str, message: str) -> str:
        if not self._found or not message:  # the empty msgid is the head of a catalogue
            return message
        for each in self._found:
            found = each.pgettext(context, message) if context else each.gettext(message)
            if found is not _NONE and found != _NONE:
                return found
        self.missing.add((context, message))
        return message

    def _many(self, context: str, one: str, many: str, count: int) -> str:
        for each in self._found:
            found = each.npgettext(context, one, many, count) if context else each.ngettext(one, many, count)
            if found != _NONE:
                return found
        if self._found:
            self.missing.add((context, one))
        return one if count == 1 else many

    # -- texts -------------------------------------------------------------------------------------------------

    def text(self, text: str, render: Render | None = None) -> str:
        """A finished text in this language: a `Message`, or a text without values.

        `render` gives the words for a value and its name; by default values are shown as they are.

        >>> language("de").text(plural("{count} point", "{count} points", 1))
        '1 Punkt'
        """
        if not isinstance(text, Message):
            return self._one("", text)
        template = (
            self._one("", text.template) if text.many is None else self._many("", text.template, text.many, text.number)
        )
        if not text.values:
            return template
        return template.format_map({name: self._value(value, name, render) for name, value in text.values.items()})

    def _value(self, value: object, name: str, render: Render | None) -> object:
        if isinstance(value, Message):
            return self.text(value, render)
        if isinstance(value, Seat) and render is None:
            return self.gettext("seat {seat}", seat=int(value))
        if isinstance(value, tuple):
            return self.joined(str(self._value(each, name, render)) for each in value)  # pyright: ignore[reportUnknownVariableType]
        return value if render is None else render(value, name)

    def place(self, printed: str) -> str:
        """A city or a country: its name in this language, if a catalogue has one, else the printed one."""
        for each in self._found:
            found = each.pgettext(PLACE, printed)
            if found != _NONE:
                return found
        return printed

    def name(self, word: str) -> str:
        """The name of a thing of the game: a card, a face of a die, a mark of a route, a kind of ticket."""
        return self._one(NAME, word)

    def number(self, count: int) -> str:
        """A small number as a word."""
        return self.pgettext("number", wording.number(count)) if 0 <= count <= wording.LARGEST_WORD else str(count)

    def joined(self, parts: Iterable[str]) -> str:
        """Parts as a list in a sentence.

        >>> language("de").joined(["Ada", "Grace", "Otto"])
        'Ada, Grace und Otto'
        """
        *most, last = list(parts) or [self.gettext("nothing")]
        return self.gettext("{most} and {last}", most=", ".join(most), last=last) if most else last


#: What a catalogue gives that has no translation.
_NONE = "\0"


def _translations(code: str, catalogs: Iterable[Catalog]) -> tuple[NullTranslations, ...]:
    """The catalogues for a language, those of plugins before the library's own, then those for `pt` after `pt_BR`."""
    if code == SOURCE:
        return ()
    codes = dict.fromkeys([code, code.partition("_")[0]])
    sources = list(dict.fromkeys([*reversed([*catalogs]), OWN]))
    return tuple(found for each in codes for source in sources if (found := _read(source, each)) is not None)


@cache
def _read(catalog: Catalog, code: str) -> NullTranslations | None:
    from gettext import GNUTranslations, NullTranslations  # slow to import, and not needed for English
    from io import BytesIO

    class Nothing(NullTranslations):
        """Says that a catalogue has no translation."""

        def gettext(self, message: str) -> str:
            return _NONE

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            return _NONE

        def pgettext(self, context: str, message: str) -> str:
            return _NONE

        def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
            return _NONE

    data = catalog.read(code)
    if data is None:
        return None
    found = GNUTranslations(BytesIO(data))
    found.add_fallback(Nothing())
    return found


def _filled(template: str, values: Mapping[str, object]) -> str:
    return template.format_map(values) if values else template


@cache
def language(code: str = SOURCE, catalogs: tuple[Catalog, ...] = ()) -> Language:
    """A language by its code, such as "de", "de_AT" or "de-AT"; texts without a translation are shown in English."""
    return Language(code.replace("-", "_"), catalogs)


#: The language that texts are written in.
ENGLISH = language()


def languages(catalogs: Iterable[Catalog] = ()) -> tuple[str, ...]:
    """The codes of the languages that there are catalogues for, and English.

    >>> languages()
    ('de', 'en')
    """
    from importlib.resources import files

    found = {SOURCE}
    for each in (OWN, *catalogs):
        folder = files(each.package).joinpath(each.folder)
        if folder.is_dir():
            found.update(code.name for code in folder.iterdir() if each.read(code.name) is not None)
    return tuple(sorted(found))


def preferred(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The codes of the languages that the environment asks for, best first, as GNU gettext reads it.

    >>> preferred({"LANG": "de_AT.UTF-8"}), preferred({"LC_ALL": "C", "LANG": "de_DE.UTF-8"})
    (('de_AT',), ())
    >>> preferred({"LANGUAGE": "fr:de", "LANG": "de_DE.UTF-8"})
    ('fr', 'de')
    """
    chosen = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    code = chosen.partition(".")[0].partition("@")[0]
    if code in ("C", "POSIX"):
        return ()
    listed = environ.get("LANGUAGE", "").split(":") if environ.get("LANGUAGE") else [code]
    return tuple(each.partition(".")[0].partition("@")[0] for each in listed if each)


def chosen_language(environ: Mapping[str, str], available: Iterable[str]) -> str:
    """The code of the first wanted language that is available, else English.

    >>> chosen_language({"LANG": "de_AT.UTF-8"}, ["de", "en"]), chosen_language({"LANG": "fr_FR"}, ["de", "en"])
    ('de_AT', 'en')
    """
    known = set(available)
    wanted = (each for each in preferred(environ) if {each, each.partition("_")[0]} & known)
    return next(wanted, SOURCE)
