"""A player's column of the score sheet, and the names that the sheet uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, field, frozen

from ttr_rules._internal.catalogs import SOURCE, Catalog
from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules._internal.language import Language, Message, language
from ttr_rules._internal.wording import counted_points, titled
from ttr_rules.graph.paths import LongestPath


@frozen
class TicketScore:
    """A ticket on the score sheet: `points` is added if it is completed, subtracted otherwise (P2).

    `cities` are the two ids on the card; of a ticket with several goals the goal that counted, and `goals` are all of
    them. `id` is the ticket's id.

    >>> from ttr_rules import score
    >>> players = [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
    >>> sheet = score(None, {"stack": ["europe"], "players": players})
    >>> ticket = sheet.players[0].tickets[0]
    >>> ticket.completed, ticket.points, ticket.signed
    (False, 8, -8)
    """

    cities: tuple[str, str]
    points: int
    completed: bool
    id: str = ""
    goals: tuple[str, ...] = field(default=(), repr=False)

    @property
    def signed(self) -> int:
        """What the ticket adds to the total."""
        return self.points if self.completed else -self.points


@frozen
class Detail:
    """One item that a term counted: what it is, in words or as an id, and its points.

    >>> depots = Term(6, count=2, details=(Detail("wien", 4), Detail("roma", 2)))
    >>> sum(detail.points for detail in depots.details) == depots.points
    True
    """

    what: str
    points: int = 0


@frozen
class Term:
    """What a `ScoringTerm` gave a player: `count` items, worth `points` in all; `details` lists them if useful.

    >>> from ttr_rules import score
    >>> sheet = score(None, {"stack": ["europe"], "players": [{"name": "Ada", "stations": ["Paris"]}, {"name": "Bo"}]})
    >>> {name: (term.count, term.points) for name, term in sheet.players[0].terms.items()}
    {'stations': (2, 8)}
    """

    points: int
    count: int = 0
    details: tuple[Detail, ...] = ()


# Sheets are made by the thousand, most of them from maps that are frozen already: these converters return those as they
# are, which `FrozenMap` itself cannot.
def _is_frozen(items: object) -> bool:
    return type(items) is FrozenMap


def _frozen_lends(lends: Mapping[str, str]) -> Mapping[str, str]:
    return lends if _is_frozen(lends) else FrozenMap(lends)


def _frozen_terms(terms: Mapping[str, Term]) -> Mapping[str, Term]:
    return terms if _is_frozen(terms) else FrozenMap(terms)


def _frozen_bonuses(bonuses: Mapping[str, int]) -> Mapping[str, int]:
    return bonuses if _is_frozen(bonuses) else FrozenMap(bonuses)


def _frozen_keys(keys: Mapping[str, tuple[str, str]]) -> Mapping[str, tuple[str, str]]:
    return keys if _is_frozen(keys) else FrozenMap(keys)


@frozen(repr=False)
class PlayerScore:
    """A player's column of the score sheet: where every point comes from.

    `lends` gives, for each city where the player may borrow, the other player's route used there; `needed_loans` are
    the cities without which a ticket would be worth less. `bonuses` holds only those won. `rank` is 1 for the winner,
    and equal for players whom no tie-break separates (R7).

    >>> from ttr_rules import score
    >>> sheet = score(None, {"stack": ["europe"], "players": [
    ...     {"name": "Ada", "routes": [["Paris", "Zürich"]], "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]})
    >>> ada = sheet.players[0]
    >>> ada.route_points, ada.ticket_points, dict(ada.bonuses), ada.total, ada.rank
    (4, -8, {'longest_path': 10}, 18, 1)
    """

    seat: int
    name: str
    route_points: int
    tickets: tuple[TicketScore, ...]
    longest_path: LongestPath
    lends: Mapping[str, str] = field(factory=FrozenMap[str, str], converter=_frozen_lends)
    terms: Mapping[str, Term] = field(factory=FrozenMap[str, Term], converter=_frozen_terms)
    bonuses: Mapping[str, int] = field(factory=FrozenMap[str, int], converter=_frozen_bonuses)
    rank: int = 0
    #: The JSON names of terms that are not listed under `terms`, and whether the map has loans at all.
    keys: Mapping[str, tuple[str, str]] = field(
        factory=FrozenMap[str, tuple[str, str]], converter=_frozen_keys, repr=False
    )
    borrows: bool = field(default=False, repr=False)
    needed_loans: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<PlayerScore {self.name}: {counted_points(self.total)}, rank {self.rank}>"

    @property
    def ticket_points(self) -> int:
        """The sum of the tickets; may be negative."""
        return sum([ticket.signed for ticket in self.tickets])

    @property
    def completed_tickets(self) -> int:
        """The number of completed tickets."""
        return sum([ticket.completed for ticket in self.tickets])

    @property
    def total(self) -> int:
        """The grand total."""
        terms = sum([term.points for term in self.terms.values()])
        return self.route_points + self.ticket_points + terms + sum(self.bonuses.values())


@frozen
class SheetWords:
    """The names used on a score sheet, taken from its board and rules, and the language it is written in.

    `names` has the printed names of places by id, `links` the cities of routes and tickets, and the colour of a route
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
