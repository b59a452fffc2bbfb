"""Names of the places of a board: one resolver for score files, tickets, the command line and the prompt.

A place is found by its id, by its printed name, and by its other names in the map, each with or without capitals,
accents and punctuation: `Zürich`, `zurich`, `Zuerich`; `St. Gallen`, `st gallen`, `st_gallen`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Protocol
from unicodedata import combining, normalize

from ttr_rules.errors import InvalidInputError
from ttr_rules.reading import LONGEST_ID, MOST_NAMES
from ttr_rules.text import brief

# Letters that Unicode does not decompose into a base letter and a mark.
_BASE = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
# Umlauts and their like as people write them without the marks.
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_DASHES = str.maketrans({"–": "-", "—": "-", "‑": "-"})
_DASH = re.compile(r"\s*[-–—‑]\s*")


def plain(text: str) -> str:
    """A text in lower case without marks, dashes as hyphens, for comparing and sorting.

    >>> plain("Zürich–KØBENHAVN")
    'zurich-kobenhavn'
    """
    letters = normalize("NFKD", text.casefold().translate(_BASE))
    return "".join([letter for letter in letters if not combining(letter)]).translate(_DASHES)


def spellings(name: str) -> tuple[str, ...]:
    """The letters and digits of a name, without marks; umlauts and their like also spelled out.

    >>> spellings("München"), spellings("St. Gallen")
    (('munchen', 'muenchen'), ('stgallen',))
    """
    spelt_out = normalize("NFC", name).casefold().translate(_SPELT_OUT)
    return tuple(dict.fromkeys(_letters(plain(text)) for text in (name, spelt_out)))


def _letters(text: str) -> str:
    return "".join([letter for letter in text if letter.isalnum()])


class Named(Protocol):
    """A city, or a row of a map that describes one."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def country(self) -> str | None: ...


class PlaceNames:
    """The names of the cities and countries of a board.

    `printed` has the name of each place as it is shown, `words` all its names as one plain text for searching.

    >>> from ttr_maps import load
    >>> names = load("europe").names
    >>> names.find("Munich"), names.find("KOBENHAVN"), names.find("Atlantis")
    ('munchen', 'kobenhavn', None)
    >>> names.hint("Amsterdm")
    'Amsterdam'
    """

    __slots__ = ("_exact", "_spelt", "printed", "words")

    def __init__(self, cities: Iterable[Named], aliases: Mapping[str, Iterable[str]]) -> None:
        self.printed: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self._exact: dict[str, set[str]] = {}
        self._spelt: dict[str, set[str]] = {}
        crossings: dict[str, list[Named]] = {}
        for city in cities:
            if city.country is None:
                self._add(city.id, city.name, [city.name, *aliases.get(city.id, ())])
            else:
                crossings.setdefault(city.country, []).append(city)
        for country, entries in crossings.items():
            names = list(dict.fromkeys(city.name for city in entries))
            # Crossings with the same name differ in their ids; the name means the country, that is any of them.
            whole = len(names) == 1
            self._add(country, " / ".join(names), [*(names if whole else ()), *aliases.get(country, ())])
            for city in entries:
                self._add(city.id, city.name, [*(() if whole else (city.name,)), *aliases.get(city.id, ())])
                self.words[city.id] = " ".join(dict.fromkeys([self.words[city.id], self.words[country]]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlaceNames) and (self.printed, self._exact) == (other.printed, other._exact)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<PlaceNames of {len(self.printed)} places>"

    def _add(self, id: str, printed: str, names: Iterable[str]) -> None:
        self.printed[id] = printed
        words = [plain(printed)]
        for name in (id, *names):
            spelt = spellings(name)
            words += (plain(name), *spelt)
            self._exact.setdefault(name, set()).add(id)
            for spelling in spelt:
                if spelling:
                    self._spelt.setdefault(spelling, set()).add(id)
        self.words[id] = " ".join(dict.fromkeys(words))

    def meant(self, written: str) -> list[str]:
        """The ids of all places that a text may mean, in alphabetical order; an exact match takes precedence."""
        if len(written) > LONGEST_ID:
            return []
        if written in self.printed:
            return [written]
        found = self._exact.get(written) or {
            id for spelling in spellings(written) for id in self._spelt.get(spelling, ())
        }
        return sorted(found)

    def find(self, written: str) -> str | None:
        """The id of the city or country that a text means; None if there is none, or if it is ambiguous."""
        found = self.meant(written)
        return found[0] if len(found) == 1 else None

    def hint(self, written: str) -> str | None:
        """The printed name of the place that was probably meant, if one is close."""
        if len(self._spelt) > 3 * MOST_NAMES:
            return None
        near = get_close_matches(spellings(written[:60])[0], self._spelt, n=1, cutoff=0.7)
        return self.printed[min(self._spelt[near[0]])] if near else None

    def named(self, written: str, board: str) -> str:
        """The id of the place that a text means.

        Raises `InvalidInputError` if there is none on the `board`, with the closest name, or if it is ambiguous.
        """
        found = self.meant(written)
        if len(found) == 1:
            return found[0]
        if found:
            raise InvalidInputError(f"{brief(written)} may mean {' or '.join(found)} on the board {board}: give the id")
        near = self.hint(written)
        more = f"; did you mean {near}?" if near else ""
        raise InvalidInputError(f"no city {brief(written)} on the board {board}{more}")

    def pairs(self, written: str) -> Iterator[tuple[str, str]]:
        """The pairs of places that a text with a dash may mean, such as `Paris–Zürich` or `la_chaux_de_fonds-bern`.

        >>> from ttr_maps import load
        >>> list(load("switzerland").names.pairs("La Chaux-de-Fonds – Basel"))
        [('la_chaux_de_fonds', 'basel')]
        """
        if len(written) > 3 * LONGEST_ID:
            return
        for dash in _DASH.finditer(written):
            first, second = self.find(written[: dash.start()]), self.find(written[dash.end() :])
            if first is not None and second is not None:
                yield first, second
