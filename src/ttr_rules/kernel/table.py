"""Plain data written by people: a finished game to score or a position to arrange. Every mistake is reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any

from attrs import define, field

from ttr_rules.errors import InvalidInputError, InvalidTableError
from ttr_rules.model.board import Board, Ticket
from ttr_rules.reading import MOST_ROWS, is_list, is_table
from ttr_rules.text import brief, cut


class Report:
    """The problems found so far, each with where it is.

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
        for key in islice((each for each in given if each not in names), MOST_ROWS):
            near = get_close_matches(str(key)[:60], names, n=1)
            hint = f"did you mean {brief(near[0])}?" if near else f"known are {', '.join(names) or 'none'}"
            self.add(place, f"unknown key {brief(key)}; {hint}")


@define
class PlayerEntry:
    """One player of a table: the seat, the name, and what was written for it.

    >>> import ttr_maps
    >>> ada = PlayerEntry(0, "Ada", "players[0]", {"depots": ["Wien", "Atlantis"]}, ttr_maps.load("europe"))
    >>> report = Report()
    >>> ada.cities("depots", report), report.problems
    ([('players[0].depots[0]', 'wien')], ["players[0].depots[1]: no city 'Atlantis' on the board Europe"])
    """

    seat: int
    name: str
    place: str
    raw: Mapping[str, Any]
    board: Board = field(repr=False)

    def listed(self, key: str, report: Report) -> list[Any]:
        """A list, empty if absent."""
        return read_list(self.raw, key, self.place, report)

    def cities(self, key: str, report: Report) -> list[tuple[str, str]]:
        """A list of cities by any of their names: each entry's place and city id. Other entries are reported."""
        found: list[tuple[str, str]] = []
        for number, each in enumerate(self.listed(key, report)):
            place = f"{self.place}.{key}[{number}]"
            city = city_named(self.board, each, place, report)
            if city is not None:
                found.append((place, city))
        return found

    def table(self, key: str, report: Report) -> dict[str, Any]:
        """A table by city, empty if absent; unknown cities, and cities named twice in different ways, are reported."""
        found: dict[str, Any] = {}
        for name, value in read_table(self.raw, key, self.place, report).items():
            place = _join(_join(self.place, key), name)
            city = city_named(self.board, name, place, report)
            if city in found:
                report.add(place, f"{city} is already there")
            elif city is not None:
                found[city] = value
        return found

    def routes(self, name: object, place: str, report: Report) -> tuple[str, ...]:
        """The ids of the routes given by an id, or by two cities and perhaps a color; reports if there are none."""
        return routes_named(self.board, name, place, report)


@define
class TableEntry:
    """A table inside a position: what was written, and its place.

    >>> report = Report()
    >>> TableEntry("parts.depots", {"left": 9}).number("left", default=3, least=0, most=3, report=report)
    3
    >>> report.problems
    ['parts.depots.left: expected a whole number from 0 to 3, got 9']
    """

    place: str
    raw: Mapping[str, Any]

    def only(self, keys: Iterable[str], report: Report) -> None:
        """Report every key but these."""
        report.unknown_keys(self.place, self.raw, keys)

    def listed(self, key: str, report: Report) -> list[Any]:
        """A list, empty if absent."""
        return read_list(self.raw, key, self.place, report)

    def table(self, key: str, report: Report) -> TableEntry:
        """A table in this one, empty if absent."""
        return TableEntry(_join(self.place, key), read_table(self.raw, key, self.place, report))

    def number(self, key: str, default: int, least: int, most: int, report: Report) -> int:
        """A whole number, the default if absent or out of range."""
        return read_int(self.raw, key, default, least, most, self.place, report)


@define
class Position:
    """A table or position as it was written, player by player.

    >>> report = Report()
    >>> position = Position({"parts": {"depots": {"closed": ["wien"]}}}, players=())
    >>> position.part("depots", report).listed("closed", report)
    ['wien']
    """

    raw: Mapping[str, Any]
    players: tuple[PlayerEntry, ...]
    new_tickets: dict[str, Ticket] = field(factory=dict[str, Ticket])

    def part(self, key: str, report: Report) -> TableEntry:
        """What the position has under `parts` for the economy or part of the state that uses this key."""
        parts = read_table(self.raw, "parts", "", Report())  # if that is not a table, it is already reported
        return TableEntry("parts", parts).table(key, report)


def place_named(board: Board, written: object, place: str, report: Report) -> str | None:
    """The id of the city or country that an entry names; if there is none, that is reported and None returned."""
    if not isinstance(written, str):
        report.add(place, f"expected the name of a city, got {brief(written)}")
        return None
    try:
        return board.find_place(written)
    except InvalidInputError as error:
        report.add(place, str(error))
        return None


def city_named(board: Board, written: object, place: str, report: Report) -> str | None:
    """The id of the city that an entry names; if it is not a city, that is reported and None returned."""
    found = place_named(board, written, place, report)
    if found is not None and found not in board.cities:
        report.add(place, f"{board.place_name(found)} is a country: expected a city")
        return None
    return found


def read_list(raw: Mapping[str, Any], key: str, place: str, report: Report) -> list[Any]:
    """A list under a key, empty if absent or of another type (which is reported)."""
    value = raw.get(key, [])
    if is_list(value):
        if len(value) <= MOST_ROWS:
            return list(value)
        report.add(_join(place, key), f"{len(value)} entries, and {MOST_ROWS} at most are read")
        return []
    report.add(_join(place, key), f"expected a list, got {brief(value)}")
    return []


def read_table(raw: Mapping[str, Any], key: str, place: str, report: Report) -> dict[str, Any]:
    """A table under a key, empty if absent or of another type (which is reported)."""
    value = raw.get(key, {})
    if is_table(value) and all(isinstance(name, str) for name in value):
        return dict(value)
    report.add(_join(place, key), f"expected a table, got {brief(value)}")
    return {}


def read_int(raw: Mapping[str, Any], key: str, default: int, least: int, most: int, place: str, report: Report) -> int:
    """A whole number under a key, the default if absent or out of range (which is reported)."""
    value = raw.get(key, default)
    if type(value) is int and least <= value <= most:
        return value
    report.add(_join(place, key), f"expected a whole number from {least} to {most}, got {brief(value)}")
    return default


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def routes_named(board: Board, written: object, place: str, report: Report) -> tuple[str, ...]:
    """The ids of the routes that an entry may mean, in the order of the board; if there are none, that is reported."""
    if isinstance(written, str):
        names = [written]
    elif is_list(written) and all(isinstance(each, str) for each in written):
        names = list(written)
    else:
        report.add(place, f"a route is an id, or two cities, or two cities and a color, not {brief(written)}")
        return ()
    try:
        return tuple(route.id for route in board.find_routes(*names))
    except InvalidInputError as error:
        report.add(place, str(error))
        return ()
