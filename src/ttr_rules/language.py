"""Texts for people in several languages: messages with their values, names for translators, catalogues.

>>> language("de").text(plural("{count} point", "{count} points", 2))
'2 Punkte'
"""

from ttr_rules._internal.catalogs import SOURCE, Catalog
from ttr_rules._internal.language import (
    CARDS,
    COUNT,
    ENGLISH,
    NAME,
    PLACE,
    WITH,
    Language,
    Message,
    Seat,
    Verbatim,
    language,
    marked,
    named,
    noun,
    plural,
)

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
