"""Plain data written by people: a finished game to score or a position to arrange. Every mistake is reported."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from attrs import define, field

from ttr_rules.errors import InvalidInputError, InvalidTableError
from ttr_rules.kernel.fields import CITIES
from ttr_rules.language import join_few
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.cards import Counts
from ttr_rules.reading import MOST_ROWS, is_list, is_object, is_texts
from ttr_rules.text import brief, cut, unknown_key

#: The largest number in a table.
MOST_NUMBER = 999


class Report:
    """The problems found so far, each with its place.

    >>> report = Report()
    >>> report.add("players[0].depots[1]", "no city 'Pariss'")
    >>> report.unknown_keys("players[0]", {"dpots": []}, ["routes", "depots"])
    >>> report.check("this table cannot be scored")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.InvalidTableError: this table cannot be scored: 2 problems
      players[0].depots[1]: no city 'Pariss'
      players[0]: unknown key 'dpots'; did you mean 'depots'?
    """

    def __init__(self) -> None:
        self.problems: list[str] = []

    def __repr__(self) -> str:
        return cut(f"<Report of {len(self.problems)} problems: {', '.join(self.problems)}>")

    def add(self, place: str, problem: str) -> None:
        """Add a problem at a place such as `players[0].routes[2]`."""
        self.problems.append(f"{place}: {problem}" if place else problem)

    def check(self, what: str) -> None:
        """Raise `InvalidTableError` with all problems, if there are any."""
        if self.problems:
            raise InvalidTableError(what, self.problems)

    def unknown_keys(self, place: str, given: Iterable[object], known: Iterable[str]) -> None:
        """Report every key that is not known, with the closest one that is."""
        names = list(known)
        for key in islice((key for key in given if key not in names), MOST_ROWS):
            self.add(place, unknown_key(key, names))


@define
class TableEntry:
    """A table as it was written, with its place. Mistakes in it are reported.

    >>> import ttr_maps
    >>> report = Report()
    >>> depots = TableEntry("parts.depots", {"left": 9, "at": ["Wien", "Atlantis"]}, ttr_maps.load("europe"))
    >>> depots.number("left", default=3, least=0, most=3, report=report), depots.locations("at", report)
    (3, [('parts.depots.at[0]', 'wien')])
    >>> for problem in report.problems:
    ...     print(problem)
    parts.depots.left: expected a whole number from 0 to 3, got 9
    parts.depots.at[1]: no city 'Atlantis' on the board Europe
    """

    place: str
    raw: Mapping[str, object]
    board: Board = field(repr=False)

    def under(self, key: str) -> str:
        """The place of the value under a key."""
        return f"{self.place}.{key}" if self.place else key

    def only(self, keys: Iterable[str], report: Report) -> None:
        """Report every key but these."""
        report.unknown_keys(self.place, self.raw, keys)

    def entries(self, key: str, report: Report, *, one: bool = False) -> list[tuple[str, object]]:
        """The entries of a list, if there is one, each with its place. With `one`, the value is the only entry."""
        value = self.raw.get(key, [])
        if one:
            return [(self.under(key), value)] if key in self.raw else []
        if not is_list(value):
            report.add(self.under(key), f"expected a list, got {brief(value)}")
        elif len(value) > MOST_ROWS:
            report.add(self.under(key), f"{len(value)} entries (limit {MOST_ROWS})")
        else:
            return [(f"{self.under(key)}[{number}]", entry) for number, entry in enumerate(value)]
        return []

    def table(self, key: str, report: Report) -> TableEntry:
        """A table in this one, empty if there is none."""
        value = self.raw.get(key, {})
        if is_object(value):
            return TableEntry(self.under(key), value, self.board)
        report.add(self.under(key), f"expected a table, got {brief(value)}")
        return TableEntry(self.under(key), {}, self.board)

    def number(self, key: str, default: int, least: int, most: int, report: Report) -> int:
        """A whole number, or the default if it is absent or out of range."""
        value = self.raw.get(key, default)
        if type(value) is int and least <= value <= most:
            return value
        report.add(self.under(key), f"expected a whole number from {least} to {most}, got {brief(value)}")
        return default

    def flag(self, key: str, default: bool, report: Report) -> bool:
        """True or false, or the default if it is absent or neither."""
        value = self.raw.get(key, default)
        if type(value) is bool:
            return value
        report.add(self.under(key), f"expected true or false, got {brief(value)}")
        return default

    def locations(self, key: str, report: Report, *, one: bool = False, of: str = CITIES) -> list[tuple[str, str]]:
        """The cities in a list, written by any of their names: the place of each entry and the id of its city.

        With `of="routes"`, a list of routes, none of them twice. With `one`, a single city or route instead of a list.
        """
        located: list[tuple[str, str]] = []
        for place, written in self.entries(key, report, one=one):
            id = self._find(of, written, place, report)
            if of != CITIES and id in [other for _, other in located]:
                report.add(place, f"{id} is already there")
            elif id is not None:
                located.append((place, id))
        return located

    def _find(self, of: str, written: object, place: str, report: Report) -> str | None:
        """The id of the city, or of the only route, that an entry names. An unknown one is reported."""
        if of == CITIES:
            return find_city(self.board, written, place, report)
        routes = self.routes(written, place, report)
        if len(routes) > 1:
            report.add(
                place, f"{brief(written)} matches several routes ({', '.join(routes)}): write which one you mean"
            )
        return routes[0] if len(routes) == 1 else None

    def ids(self, key: str, known: Collection[str], report: Report, *, one: bool = False) -> tuple[str, ...]:
        """A list of known ids, or a single one. Others are reported.

        >>> import ttr_maps
        >>> report = Report()
        >>> table = TableEntry("parts", {"goods": ["coal", "cole"]}, ttr_maps.load("europe"))
        >>> table.ids("goods", ("coal", "wood"), report), report.problems
        (('coal',), ["parts.goods[1]: expected one of coal, wood, got 'cole'"])
        """
        ids: list[str] = []
        for place, written in self.entries(key, report, one=one):
            if isinstance(written, str) and written in known:
                ids.append(written)
            else:
                report.add(place, _unknown(written, known))
        return tuple(ids)

    def counts(self, key: str, known: Collection[str], report: Report) -> Counts:
        """A table of counts by known ids. Others are reported.

        >>> import ttr_maps
        >>> report = Report()
        >>> table = TableEntry("players[0]", {"goods": {"coal": 2, "cole": 1, "wood": -1}}, ttr_maps.load("europe"))
        >>> table.counts("goods", ("coal", "wood"), report), report.problems[0]
        (Counts(coal=2), "players[0].goods.cole: expected one of coal, wood, got 'cole'")
        """
        table = self.table(key, report)
        counts: dict[str, int] = {}
        for id in table.raw:
            if id in known:
                counts[id] = table.number(id, 0, 0, MOST_NUMBER, report)
            else:
                report.add(table.under(id), _unknown(id, known))
        return Counts(counts)

    def by_location(self, key: str, report: Report, *, of: str = CITIES) -> dict[str, object]:
        """A table by city, with `of="routes"` by route. Those that are unknown, or named in two ways, are reported."""
        table = self.table(key, report)
        values: dict[str, object] = {}
        for name, value in table.raw.items():
            id = self._find(of, name, table.under(name), report)
            if id in values:
                report.add(table.under(name), f"{id} is already there")
            elif id is not None:
                values[id] = value
        return values

    def routes(self, written: object, place: str, report: Report) -> tuple[str, ...]:
        """The ids of the routes that an id, or two cities and perhaps a color, may mean, in the order of the board."""
        if isinstance(written, str):
            names = [written]
        elif is_texts(written):
            names = list(written)
        else:
            report.add(place, f"a route is an id, or two cities, or two cities and a color, not {brief(written)}")
            return ()
        try:
            return tuple(route.id for route in self.board.find_routes(*names))
        except InvalidInputError as error:
            report.add(place, str(error))
            return ()


def _unknown(written: object, known: Collection[str]) -> str:
    """The mistake in an id that is not known."""
    ids = list(dict.fromkeys(known))
    return f"expected {f'one of {join_few(ids)}' if ids else 'none in this stack'}, got {brief(written)}"


@define
class PlayerEntry(TableEntry):
    """The entry of one player, with seat and name.

    >>> import ttr_maps
    >>> report = Report()
    >>> ada = PlayerEntry("players[0]", {"lends": {"Wien": "Berlin-Wien"}}, ttr_maps.load("europe"), seat=0, name="Ada")
    >>> ada.by_location("lends", report), ada.routes("Paris–Zürich", "", report)
    ({'wien': 'Berlin-Wien'}, ('paris-zurich-gray',))
    """

    seat: int
    name: str


@define
class Position(TableEntry):
    """A table `to_score`, or a position to play on from, as it was written, with an entry for each player.

    >>> import ttr_maps
    >>> report = Report()
    >>> position = Position("", {"parts": {"depots": {"closed": ["wien"]}}}, ttr_maps.load("europe"), players=())
    >>> position.part("depots", report).entries("closed", report)
    [('parts.depots.closed[0]', 'wien')]
    """

    players: tuple[PlayerEntry, ...]
    to_score: bool = False
    new_tickets: dict[str, Ticket] = field(factory=dict[str, Ticket])

    def seat(self, written: object, place: str, report: Report) -> int | None:
        """The seat of the player with this name or number. An unknown one is reported, with None as the result."""
        for player in self.players:
            if written == player.name or (type(written) is int and written == player.seat):
                return player.seat
        report.add(place, f"no player {brief(written)}; there are {', '.join(player.name for player in self.players)}")
        return None

    def seats(self, entry: TableEntry, key: str, report: Report, *, one: bool = False) -> tuple[int, ...]:
        """The seats of the players in a list, or of a single one. Unknown players are reported.

        >>> import ttr_maps
        >>> report, board = Report(), ttr_maps.load("europe")
        >>> ada = PlayerEntry("players[0]", {"rivals": ["Bo", "Cy"]}, board, seat=0, name="Ada")
        >>> bo = PlayerEntry("players[1]", {}, board, seat=1, name="Bo")
        >>> Position("", {}, board, players=(ada, bo)).seats(ada, "rivals", report), report.problems
        ((1,), ["players[0].rivals[1]: no player 'Cy'; there are Ada, Bo"])
        """
        seats = [self.seat(written, place, report) for place, written in entry.entries(key, report, one=one)]
        return tuple([seat for seat in seats if seat is not None])

    def part(self, key: str, report: Report) -> TableEntry:
        """The table under `parts` with this key, for a part of the state."""
        return self.table("parts", Report()).table(key, report)  # anything but a table is already reported


def find_place(board: Board, written: object, place: str, report: Report) -> str | None:
    """The id of the city or country that an entry names. An unknown one is reported, with None as the result."""
    if not isinstance(written, str):
        report.add(place, f"expected the name of a city, got {brief(written)}")
        return None
    try:
        return board.find_place(written)
    except InvalidInputError as error:
        report.add(place, str(error))
        return None


def find_city(board: Board, written: object, place: str, report: Report) -> str | None:
    """The id of the city that an entry names. Anything else is reported, with None as the result."""
    id = find_place(board, written, place, report)
    if id is not None and id not in board.cities:
        report.add(place, f"{board.place_name(id)} is a country: expected a city")
        return None
    return id
