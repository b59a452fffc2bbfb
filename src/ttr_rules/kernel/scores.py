"""The score sheet, and the terms that variants add to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from attrs import evolve, field, fields_dict, frozen

from ttr_rules.graph.paths import LongestPath
from ttr_rules.kernel.column import PlayerScore
from ttr_rules.kernel.player_score import Detail, Score, TicketScore
from ttr_rules.kernel.state import State
from ttr_rules.language import SOURCE, Catalog, Language, Message, Seat, language
from ttr_rules.loading import Shown, find_tool
from ttr_rules.reading import JsonObject, is_list, to_jsonable
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import titled


@frozen
class SheetWords:
    """The names used on a score sheet, taken from its board and rules, and the language it is written in.

    `names` holds the printed names of places by id. `links` holds the cities of routes and tickets, and the color of a route
    if another one runs parallel to it. `labels` are those of terms and bonuses. `path_bonuses` are the bonuses for the
    longest path, and `shows_path` is true if a tie-break uses it. `loans_of` are the scoring terms after which loans are
    listed.

    >>> words = SheetWords(names={"roma": "Roma"})
    >>> words.name("roma"), words.label("city_tokens")
    ('Roma', 'City tokens')
    """

    names: Mapping[str, str] = field(factory=FrozenMap[str, str], repr=False)
    #: The names of other ids: items in the map, and those of `Part.names`.
    things: Mapping[str, str] = field(factory=FrozenMap[str, str], repr=False)
    links: Mapping[str, tuple[str, ...]] = field(factory=FrozenMap[str, tuple[str, ...]], repr=False)
    labels: Mapping[str, str] = field(factory=FrozenMap[str, str], repr=False)
    path_bonuses: tuple[str, ...] = ("longest_path",)
    shows_path: bool = False
    loans_of: tuple[str, ...] = ()
    #: The names of players by seat, for a `Seat` in a detail.
    players: Mapping[int, str] = field(factory=FrozenMap[int, str], repr=False)
    #: The code of the language, and the catalogs of plugins.
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
        """The name of a place, a route, a ticket or a thing. Any other text is translated."""
        if id in self.names:
            return self.language.place(self.names[id])
        if id in self.links:
            *places, color = self.links[id]
            cities = "–".join(map(self.name, places))
            return f"{cities} ({self.language.name(color)})" if color else cities
        if isinstance(id, Message):
            return self.language.text(id, self._name_value)
        return self.language.name(self.things.get(id, id))

    def _name_value(self, value: object, name: str) -> object:
        """The name of a seat or an id in a message."""
        if isinstance(value, Seat):
            return self.players.get(value, value)
        if is_list(value):
            return self.language.joined(str(self._name_value(part, name)) for part in value)
        return self.name(value) if isinstance(value, str) else value

    def label(self, name: str) -> str:
        """The name of a term or a bonus."""
        return self.language.gettext(self.labels.get(name) or titled(name))

    def used_by(self, players: Iterable[PlayerScore]) -> SheetWords:
        """The same words, reduced to the names that occur on the sheets of some players."""
        used: set[str] = set()
        for player in players:
            used.update(player.longest_path.cities, player.lends, player.lends.values())
            used.update(place for ticket in player.tickets for place in (*ticket.cities, *ticket.goals))
            details = [*(term.details for term in player.terms.values()), *player.bonus_details.values()]
            used.update(*[_texts_in(detail.what) for listed in details for detail in listed])
        links = {id: self.links[id] for id in sorted(used) if id in self.links}
        used.update(place for *places, _ in links.values() for place in places)
        names, things = ({id: names[id] for id in sorted(used) if id in names} for names in (self.names, self.things))
        return evolve(self, names=names, things=things, links=links)


def _texts_in(value: object) -> Iterator[str]:
    """A text with those among the values of a message, also within tuples and other messages."""
    if isinstance(value, str):
        yield value
    inside: Iterable[object] = value.values.values() if isinstance(value, Message) else value if is_list(value) else ()
    for inner in inside:
        yield from _texts_in(inner)


@frozen
class PlayerSheet:
    """A player's column of the score sheet in JSON: where every point comes from."""

    name: str
    route_points: int
    tickets: tuple[TicketScore, ...]
    ticket_points: int
    lends: dict[str, str]
    needed_loans: tuple[str, ...]
    longest_path: LongestPath
    bonuses: dict[str, int]
    terms: dict[str, Score]
    total: int
    rank: int
    bonus_details: dict[str, tuple[Detail, ...]] = field(factory=dict[str, tuple[Detail, ...]])


@frozen
class Sheet:
    """The score sheet of a finished game, players in the order of their seats."""

    players: tuple[PlayerSheet, ...]
    winners: tuple[str, ...]


@frozen(repr=False)
class FinalScores(Shown):
    """The score sheet of a finished game, with the players in the order of their seats.

    Print it to see the whole sheet. Without `ttr_tools`, that is a line for each player. `winners` are names. Several
    share the victory when no tie-break separates them (R7).

    >>> from ttr_rules import score
    >>> sheet = score(None, {"stack": ["europe"], "players": [{"name": "Ada"}, {"name": "Isambard"}]})
    >>> sheet
    <FinalScores: Ada 12, Isambard 12>
    >>> print(sheet)  # doctest: +ELLIPSIS
    Ada
    Routes ... 0
    ...
    Ada and Isambard share the victory with 12 points.
    """

    players: tuple[PlayerScore, ...]
    #: The names used on the printed sheet.
    words: SheetWords = field(factory=SheetWords, eq=False)
    #: Sentences that explain why players with equal points do not share a rank.
    ties: tuple[str, ...] = field(default=(), eq=False)

    def __str__(self) -> str:
        layout = find_tool("sheet")
        if layout is None:
            return "\n".join(f"{player.rank}. {player.name}: {player.total}" for player in self.players)
        return str(layout(self))

    def __repr__(self) -> str:
        return f"<FinalScores: {', '.join(f'{player.name} {player.total}' for player in self.players)}>"

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[PlayerScore, ...], SheetWords, tuple[str, ...]]]:
        # A pickled sheet keeps only the words that occur on it, not those of the whole board.
        return type(self), (self.players, self.words.used_by(self.players), self.ties)

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the winners."""
        return tuple(player.name for player in self.players if player.rank == 1)

    def to_json(self) -> JsonObject:
        """The sheet as plain data, for JSON."""
        players = [
            {name: to_jsonable(getattr(player, name)) for name in fields_dict(PlayerSheet)} for player in self.players
        ]
        for term in [term for player in players for term in player["terms"].values()]:
            if not term["details"]:
                del term["details"]
        for player in [player for player in players if not player["bonus_details"]]:
            del player["bonus_details"]
        return {"players": players, "winners": list(self.winners)}


# -- additions by variants -------------------------------------------------------------------------------------


@frozen
class ScoringTerm:
    """Points of a player besides those for routes and tickets, for the hook `scoring`: `score(state, seat)` returns a `Score`.

    A `running` term also counts in play, in the scores that all players see. An `in_play` term is the sum of the points
    given by `tx.score`, so a table to score must state it. `label` is its line on the sheet. With `replaces`, it takes the
    place of the term of this name that another plugin brings.

    >>> import ttr_rules as ttr
    >>> def unused(state, seat):
    ...     return Score(points=-(state.cars[seat] // 5), count=state.cars[seat])
    >>> term = ScoringTerm("unused_cars", unused, label="Train cars left")
    >>> term.score(ttr.new_game("europe", players=2, seed=1).state, 0)
    Score(points=-9, count=45, details=())
    """

    name: str
    score: Callable[[State, int], Score] = field(repr=False)
    running: bool = field(default=False, kw_only=True)
    in_play: bool = field(default=False, repr=False, kw_only=True)
    replaces: bool = field(default=False, repr=False, kw_only=True)
    label: str = field(default="", kw_only=True)


def points_in_play(name: str, label: str = "") -> ScoringTerm:
    """A term for points that are scored during play by `tx.score(seat, points, name)`.

    >>> points_in_play("mountains", "Mountain crossings").running
    True
    """

    def score(state: State, seat: int) -> Score:
        return Score(state.points[name][seat])

    return ScoringTerm(name, score, running=True, in_play=True, label=label)


def by_rank(amounts: Sequence[int], keys: Mapping[int, int | None], *, shared: bool = True) -> dict[int, int]:
    """Amounts for seats by rank: the first amount for the greatest key, and so on. A seat with the key None gets none.

    Tied seats split the amounts of their places equally, rounded down. Without `shared`, each gets the amount of the best
    of these places, and the others are skipped.

    >>> by_rank((10, 5), {0: 3, 1: 7, 2: 3, 3: None})
    {1: 10, 0: 2, 2: 2}
    """
    awards: dict[int, int] = {}
    ranked = {seat: key for seat, key in keys.items() if key is not None}
    place = 0
    for key in sorted({*ranked.values()}, reverse=True):
        tied = [seat for seat in ranked if ranked[seat] == key]
        lot = [*amounts[place : place + len(tied)], 0]
        amount = sum(lot) // len(tied) if shared else lot[0]
        awards |= dict.fromkeys(tied, amount) if amount else {}
        place += len(tied)
    return awards


@frozen
class Bonus:
    """Points for the best at something: `holders(state, players)` returns the seats that get `points`, which may be negative.

    It is called with the state at the end and the players' sheets. Bonuses are awarded in the order in which the hook
    `bonuses` returns them, so the sheets contain all earlier ones. A bonus with several amounts has `awards` instead,
    which returns the points of each seat (see `ranked`). A seat to which they give 0 has not won the bonus: its sheet has
    no line for it. With `shows_path`, for a bonus about the longest path, the sheet lists the cities on it. What
    `details(state, seat)` returns, each a `Detail`, is listed on the sheet of a seat that gets points.

    >>> import ttr_rules as ttr
    >>> def builders(state, players):
    ...     return [player.seat for player in players if len(state.routes(player.seat)) >= 2]
    >>> bonus = Bonus("builders", 5, builders, label="At least 2 routes")
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"], ["Zürich", "Venezia"]]}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> bonus.points_of(game.state, ttr.score(game.rules, {"players": players}).players)
    {0: 5}
    """

    name: str
    points: int = 0
    holders: Callable[[State, Sequence[PlayerScore]], Sequence[int]] | None = field(default=None, repr=False)
    awards: Callable[[State, Sequence[PlayerScore]], Mapping[int, int]] | None = field(
        default=None, repr=False, kw_only=True
    )
    label: str = field(default="", kw_only=True)
    shows_path: bool = field(default=False, repr=False, kw_only=True)
    details: Callable[[State, int], Iterable[Detail]] | None = field(default=None, repr=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if (self.holders is None) == (self.awards is None):
            raise TypeError(f"the bonus {self.name!r} needs either holders, the seats that get its points, or awards")

    def points_of(self, state: State, players: Sequence[PlayerScore]) -> dict[int, int]:
        """The points of each seat that gets some."""
        if self.awards is not None:
            return {seat: points for seat, points in self.awards(state, players).items() if points}
        return dict.fromkeys(self.holders(state, players), self.points) if self.holders is not None else {}

    @staticmethod
    def ranked(
        name: str,
        amounts: Sequence[int],
        key: Callable[[State, PlayerScore], int | None],
        *,
        shared: bool = True,
        label: str = "",
        details: Callable[[State, int], Iterable[Detail]] | None = None,
    ) -> Bonus:
        """A bonus by rank: the player with the greatest `key(state, player)` gets the first amount, and so on.

        As in `by_rank`, tied players split the amounts of their places equally, rounded down. With `shared=False` each of
        them gets the amount of the best of these places, and nobody gets the amounts of the other ones. A player with the key
        None gets nothing. `label` and `details` are as in `Bonus`.

        >>> bonus = Bonus.ranked("depots", (55, 35, 20), lambda state, player: player.completed_tickets or None)
        >>> bonus.points
        55
        """

        def awards(state: State, players: Sequence[PlayerScore]) -> dict[int, int]:
            return by_rank(amounts, {player.seat: key(state, player) for player in players}, shared=shared)

        return Bonus(name, amounts[0] if amounts else 0, awards=awards, label=label, details=details)


class Loan(NamedTuple):
    """A loan at one city, for tickets only: one of `routes` (ids), or `chosen` if already decided.

    A sheet names only one route for each city, even if there are several loans at it. To lend all routes of another player,
    see `Variant.ticket_routes`.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "stations": ["Paris"]}, {"name": "Bo", "routes": [["Paris", "Zürich"]]}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> next(loans for _, loans in game.rules.loans)(game.state, 0)
    (Loan(city='paris', routes=('paris-zurich-gray',), chosen=None),)
    """

    city: str
    routes: tuple[str, ...]
    chosen: str | None = None


@frozen
class TieBreak:
    """A tie-break between players with equal points, for the hook `tie_breaks`.

    The player with the greater `key(state, players, player)` is ahead. It is called with the state at the end and the sheets
    of all players, including their bonuses. Players with equal keys stay tied. With `shows_path`, for a tie-break about the
    longest path, the sheet lists the cities on it.

    >>> import ttr_rules as ttr
    >>> tie = TieBreak("more points for routes", lambda state, players, player: player.route_points)
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> sheets = ttr.score(game.rules, {"players": players}).players
    >>> [tie.key(game.state, sheets, player) for player in sheets]
    [4, 0]
    """

    name: str
    key: Callable[[State, Sequence[PlayerScore], PlayerScore], int] = field(repr=False)
    shows_path: bool = field(default=False, repr=False, kw_only=True)


# -- the common ones -------------------------------------------------------------------------------------------


def _longest(state: State, players: Sequence[PlayerScore]) -> list[int]:
    best = max([player.path_length for player in players])
    return [player.seat for player in players if best and player.path_length == best]


#: P3: the longest continuous path; R6: it is not awarded if there are no claimed routes.
LONGEST_PATH = Bonus("longest_path", 10, _longest, shows_path=True)


def _most_tickets(state: State, players: Sequence[PlayerScore]) -> list[int]:
    best = max(player.completed_tickets for player in players)
    return [player.seat for player in players if best and player.completed_tickets == best]


#: The most completed tickets, to all tied; R6: it is not awarded if none is completed.
MOST_TICKETS = Bonus("most_tickets", 10, _most_tickets)

# Functions with names, so that they can be pickled.


def _completed_tickets(state: State, players: Sequence[PlayerScore], player: PlayerScore) -> int:
    return player.completed_tickets


def _path_bonus(state: State, players: Sequence[PlayerScore], player: PlayerScore) -> int:
    return player.bonuses.get("longest_path", 0)


def _path_length(state: State, players: Sequence[PlayerScore], player: PlayerScore) -> int:
    return player.path_length


#: P5: more completed tickets.
MORE_TICKETS = TieBreak("more completed tickets", _completed_tickets)
#: P5: the holder of the longest path.
PATH_HOLDER = TieBreak("holder of the longest path", _path_bonus)
#: The longer path, where no bonus is given for it.
LONGER_PATH = TieBreak("longer path", _path_length, shows_path=True)
#: The tie-break of North America and of the anniversary edition of Europe (P5).
TIE_BREAK_P5: tuple[TieBreak, ...] = (MORE_TICKETS, PATH_HOLDER)
