"""Catalogues of translations: where they are, and how they are read.

They are read with `gettext` of the standard library, and only for languages other than English.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from gettext import NullTranslations

#: The language that all texts are written in.
SOURCE = "en"


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


#: What a catalogue gives that has no translation.
NONE = "\0"


def translations(code: str, catalogs: Iterable[Catalog]) -> tuple[NullTranslations, ...]:
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
            return NONE

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            return NONE

        def pgettext(self, context: str, message: str) -> str:
            return NONE

        def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
            return NONE

    data = catalog.read(code)
    if data is None:
        return None
    found = GNUTranslations(BytesIO(data))
    found.add_fallback(Nothing())
    return found
