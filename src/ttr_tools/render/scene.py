"""What is on a picture of the board: the board, the owners of routes, what plugins add, what is lit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from attrs import evolve, frozen

from ttr_rules import Rules, View
from ttr_rules.language import ENGLISH, Language
from ttr_rules.marks import CityNote, CityPiece, MapMark, RouteNote
from ttr_rules.model import Board, Route
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import spaced
from ttr_tools.render.plan import Plan, plan_of

N = TypeVar("N", CityNote, RouteNote)


@frozen
class Scene:
    """Everything that is drawn on a board."""

    board: Board
    plan: Plan
    players: tuple[str, ...] = ()
    #: The seats that hold each route.
    seats: Mapping[str, tuple[int, ...]] = FrozenMap[str, tuple[int, ...]]()
    city_notes: Mapping[str, CityNote] = FrozenMap[str, CityNote]()
    route_notes: Mapping[str, RouteNote] = FrozenMap[str, RouteNote]()
    pieces: Mapping[str, tuple[CityPiece, ...]] = FrozenMap[str, tuple[CityPiece, ...]]()
    #: Sentences that explain what plugins added.
    legends: tuple[str, ...] = ()
    language: Language = ENGLISH
    #: The routes that are lit, and the cities that are marked as wanted.
    lit: Collection[str] = ()
    wanted: Collection[str] = ()

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self.players[seat] if seat < len(self.players) else self.language.gettext("seat {seat}", seat=seat)

    def place(self, id: str) -> str:
        """The name of a city or a country."""
        return self.language.place(self.board.place_name(id))


def scene_of(
    board: Board,
    rules: Rules | None = None,
    view: View | None = None,
    *,
    lit: Collection[str] = (),
    wanted: Collection[str] = (),
    language: Language = ENGLISH,
) -> Scene:
    """A board by itself, with what its rules add, or as a view shows it."""
    printed: list[MapMark] = []
    marks: list[MapMark] = []
    legends: list[str] = []
    for given in () if rules is None else rules.map_marks:
        bare = _translated(given.marks(rules, None), language) if rules is not None else []
        found = bare if view is None or rules is None else _translated(given.marks(rules, view), language)
        printed += bare
        marks += found
        if given.legend and (found or bare):
            legends.append(language.text(given.legend))
    notes = {each.city: each.text for each in _city_notes(printed).values()}
    routes = _route_notes(marks)
    generic = {
        route.id: _initials(route, language)
        for route in board.routes.values()
        if route.marks and route.id not in routes
    }
    legends += _explained(board, generic, language)
    pieces: dict[str, tuple[CityPiece, ...]] = {}
    for each in marks:
        if isinstance(each, CityPiece):
            pieces[each.city] = (*pieces.get(each.city, ()), each)
    return Scene(
        board,
        plan_of(board, notes, _renamed(board, language)),
        view.players if view is not None else (),
        {} if view is None else {id: (seat, *view.shared.get(id, ())) for id, seat in view.owners.items()},
        _city_notes(marks),
        {**generic, **routes},
        pieces,
        tuple(legends),
        language,
        lit,
        wanted,
    )


def _renamed(board: Board, language: Language) -> dict[str, str]:
    """The cities that have another name in a language than the printed one."""
    names = {city.id: language.place(city.name) for city in board.cities.values()}
    return {id: name for id, name in names.items() if name != board.cities[id].name}


def _translated(marks: Iterable[MapMark], language: Language) -> list[MapMark]:
    """The same marks with their titles in a language."""
    return [
        evolve(each, title=language.text(each.title))
        if isinstance(each, CityNote | CityPiece | RouteNote) and each.title
        else each
        for each in marks
    ]


def _city_notes(marks: Iterable[MapMark]) -> dict[str, CityNote]:
    """The notes of each city, those of several plugins as one."""
    return _by_place((each.city, each) for each in marks if isinstance(each, CityNote) and each.text)


def _route_notes(marks: Iterable[MapMark]) -> dict[str, RouteNote]:
    """The notes of each route, those of several plugins as one."""
    return _by_place((each.route, each) for each in marks if isinstance(each, RouteNote))


def _by_place(notes: Iterable[tuple[str, N]]) -> dict[str, N]:
    """Notes by their place: the texts of several stand side by side."""
    found: dict[str, N] = {}
    for place, note in notes:
        first = found.get(place)
        if first is not None:
            note = evolve(note, text=f"{first.text} {note.text}", title=f"{first.title}; {note.title}".strip("; "))
        found[place] = note
    return found


def _initials(route: Route, language: Language) -> RouteNote:
    """The marks of a route as initials, for a board without rules that say what they mean: "FFO" for four_for_one."""
    counts = Counter(route.marks)
    short = [f"{_short(mark)}{count if count > 1 else ''}" for mark, count in counts.items()]
    return RouteNote(route.id, " ".join(short), ", ".join(language.name(spaced(mark)) for mark in route.marks))


def _short(mark: str) -> str:
    return "".join(word[0] for word in spaced(mark).split()).upper()


def _explained(board: Board, notes: Mapping[str, RouteNote], language: Language) -> list[str]:
    """What the initials stand for."""
    marks = dict.fromkeys(mark for id in notes for mark in board.routes[id].marks)
    return [", ".join(f"{_short(mark)} {language.name(spaced(mark))}" for mark in marks)] if marks else []
