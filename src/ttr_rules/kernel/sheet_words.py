"""The names that the score sheet uses, and the language it is written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, field, frozen

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.kernel.column import PlayerScore
from ttr_rules.language import SOURCE, Catalog, Language, Message, language
from ttr_rules.text import titled


@frozen
class SheetWords:
    """The names used on a score sheet, taken from its board and rules, and the language it is written in.

    `names` has the printed names of places by id, `links` the cities of routes and tickets, and the color of a route
    that needs one to be told from another; `labels` are those of terms and bonuses.
    `path_bonuses` are those for the longest path, `shows_path` says that a tie-break uses it; `loans_of` are the
    scoring terms after which loans are listed.

    >>> words = SheetWords(names={"roma": "Roma"})
    >>> words.name("roma"), words.label("city_tokens")
    ('Roma', 'City tokens')
    """

    names: Mapping[str, str] = field(factory=FrozenMap[str, str], repr=False)
    links: Mapping[str, tuple[str, str, str]] = field(factory=FrozenMap[str, tuple[str, str, str]], repr=False)
    labels: Mapping[str, str] = field(factory=FrozenMap[str, str], repr=False)
    path_bonuses: tuple[str, ...] = ("longest_path",)
    shows_path: bool = False
    loans_of: tuple[str, ...] = ()
    #: The code of the language, and where plugins keep their translations.
    code: str = SOURCE
    catalogs: tuple[Catalog, ...] = field(default=(), repr=False)

    @property
    def language(self) -> Language:
        """The language of the sheet."""
        return language(self.code, self.catalogs)

    def in_language(self, code: str) -> SheetWords:
        """The same words for a sheet in a language, such as "de"."""
        return evolve(self, code=code)

    def name(self, id: str) -> str:
        """The name of a place, a route or a ticket; any other text in the language of the sheet."""
        if id in self.names:
            return self.language.place(self.names[id])
        if id in self.links:
            first, second, color = self.links[id]
            cities = f"{self.name(first)}–{self.name(second)}"
            return f"{cities} ({self.language.name(color)})" if color else cities
        return self.language.text(id) if isinstance(id, Message) else self.language.name(id)

    def label(self, name: str) -> str:
        """The name of a term or a bonus."""
        return self.language.gettext(self.labels.get(name) or titled(name))

    def used_by(self, players: Iterable[PlayerScore]) -> SheetWords:
        """The same words, reduced to the names that occur on the given players' sheets."""
        used: set[str] = set()
        for player in players:
            used.update(player.longest_path.cities, player.lends, player.lends.values())
            used.update(place for ticket in player.tickets for place in (*ticket.cities, *ticket.goals))
            used.update(detail.what for term in player.terms.values() for detail in term.details)
        links = {id: self.links[id] for id in sorted(used) if id in self.links}
        used.update(city for first, second, _ in links.values() for city in (first, second))
        return evolve(self, names={id: self.names[id] for id in sorted(used) if id in self.names}, links=links)
