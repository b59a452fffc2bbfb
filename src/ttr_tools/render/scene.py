"""The contents of a board's picture: the plan of the board, the owners of routes, what plugins add, what is lit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from attrs import evolve, frozen

from ttr_rules import Rules, View
from ttr_rules.clients import BoardLayout, CityLayout, RouteLayout, SpaceLayout
from ttr_rules.language import ENGLISH, Language
from ttr_rules.marks import CityNote, CityPiece, MapMark, RouteNote
from ttr_rules.model import Board, Route
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import spaced
from ttr_tools.render.labels import Label, place_labels
from ttr_tools.render.layout import (
    CITY,
    WIDE,
    Box,
    Places,
    Way,
    bend_bundles,
    bundle_way,
    bundles,
    near_ends,
    place_cities,
)

N = TypeVar("N", CityNote, RouteNote)
#: The margin around everything.
EDGE = 12.0
NOTHING: Mapping[str, str] = FrozenMap[str, str]()


@frozen
class Plan:
    """The plan of a board's picture, always the same for the same board."""

    places: Places
    ways: Mapping[str, Way]
    labels: Mapping[str, Label]
    frame: Box


def plan_board(board: Board, notes: Mapping[str, str] = NOTHING, names: Mapping[str, str] = NOTHING) -> Plan:
    """The plan of a board, with notes at cities, and names other than the printed ones; the last plans are kept.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> plan = plan_board(board)
    >>> [len(plan.ways[id].spaces) for id in ("brest-dieppe-orange", "petrograd-stockholm-gray")], plan is plan_board(board)
    ([2, 8], True)
    """
    return _plan(board, FrozenMap(notes), FrozenMap(names))


@lru_cache(maxsize=32)
def _plan(board: Board, notes: FrozenMap[str, str], names: FrozenMap[str, str]) -> Plan:
    places, ways = _geometry(board)
    labels = place_labels(board, places, ways, notes, names)
    return Plan(places, ways, labels, _frame(places, ways.values(), labels.values()))


def lay_out(board: Board) -> BoardLayout:
    """The geometry of a board for clients that draw it themselves: its cities, and the line and spaces of each route.

    The coordinates are those of `draw_board`, to a tenth.

    >>> from ttr_maps import load
    >>> layout = lay_out(load("europe"))
    >>> layout.routes[0].id, len(layout.routes[0].lines[0]), len(layout.routes[0].spaces)
    ('amsterdam-bruxelles-black', 3, 1)
    """
    plan = plan_board(board)
    frame = plan.frame
    return BoardLayout(
        left=round(frame.left, 1),
        top=round(frame.top, 1),
        width=round(frame.width, 1),
        height=round(frame.height, 1),
        space_width=WIDE,
        cities=tuple([CityLayout(id, round(x, 1), round(y, 1)) for id, (x, y) in plan.places.cities.items()]),
        routes=tuple([_route_layout(id, way) for id, way in plan.ways.items()]),
    )


def _route_layout(id: str, way: Way) -> RouteLayout:
    rounded = ([round(value, 1) for value in (space.x, space.y, space.length, space.angle)] for space in way.spaces)
    spaces = [SpaceLayout(*values) for values in rounded]
    lines = tuple([tuple([(round(x, 1), round(y, 1)) for x, y in line]) for line in way.lines])
    return RouteLayout(id, lines, tuple(spaces))


@lru_cache(maxsize=16)
def _geometry(board: Board) -> tuple[Places, Mapping[str, Way]]:
    """The cities of a board and the ways of all its routes, in their order."""
    places = place_cities(board)
    every = bundles(board)
    bent = bend_bundles(every, places)
    near = near_ends(every, bent, places)
    ways = {
        route.id: bundle_way(bundle, place, places, bent[number], near[number])
        for number, bundle in enumerate(every)
        for place, route in enumerate(bundle.routes)
    }
    return places, {id: ways[id] for id in board.routes}


def _frame(places: Places, ways: Iterable[Way], labels: Iterable[Label]) -> Box:
    """The box around everything that is drawn, with a margin."""
    boxes = [label.box for label in labels]
    boxes += [Box(x - CITY, y - CITY, 2 * CITY, 2 * CITY) for x, y in places.cities.values()]
    boxes += [Box(x - WIDE, y - WIDE, 2 * WIDE, 2 * WIDE) for way in ways for line in way.lines for x, y in line]
    if not boxes:
        return Box(0.0, 0.0, 2 * EDGE, 2 * EDGE)
    left, top = min(box.left for box in boxes) - EDGE, min(box.top for box in boxes) - EDGE
    right, bottom = max(box.left + box.width for box in boxes), max(box.top + box.height for box in boxes)
    if places.edges is not None:  # a map that wraps round ends at its edges
        left, right = places.edges[0], places.edges[1] - EDGE
    return Box(left, top, right + EDGE - left, bottom + EDGE - top)


# -- scenes -----------------------------------------------------------------------------------------------------------


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
    #: A color for routes instead of their own, with what it stands for, in words.
    shades: Mapping[str, tuple[str, str]] = FrozenMap[str, tuple[str, str]]()

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self.players[seat] if seat < len(self.players) else self.language.gettext("seat {seat}", seat=seat)

    def place(self, id: str) -> str:
        """The name of a city or a country."""
        return self.language.place(self.board.place_name(id))


def make_scene(
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
    for marking in () if rules is None else rules.map_marks:
        assert rules is not None, "marks come from rules"
        bare = _translated(marking.marks(rules, None), language)
        current = bare if view is None else _translated(marking.marks(rules, view), language)
        printed += bare
        marks += current
        if marking.legend and (current or bare):
            legends.append(language.text(marking.legend))
    notes = {note.city: note.text for note in _city_notes(printed).values()}
    routes = _by_place((mark.route, mark) for mark in marks if isinstance(mark, RouteNote))
    generic = {
        route.id: _initials(route, language)
        for route in board.routes.values()
        if route.marks and route.id not in routes
    }
    legends += _explained(board, generic, language)
    pieces: dict[str, tuple[CityPiece, ...]] = {}
    for mark in marks:
        if isinstance(mark, CityPiece):
            pieces[mark.city] = (*pieces.get(mark.city, ()), mark)
    return Scene(
        board,
        plan_board(board, notes, _renamed(board, language)),
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
        evolve(mark, title=language.text(mark.title))
        if isinstance(mark, CityNote | CityPiece | RouteNote) and mark.title
        else mark
        for mark in marks
    ]


def _city_notes(marks: Iterable[MapMark]) -> dict[str, CityNote]:
    """The notes of each city, those of several plugins as one."""
    return _by_place((mark.city, mark) for mark in marks if isinstance(mark, CityNote) and mark.text)


def _by_place(notes: Iterable[tuple[str, N]]) -> dict[str, N]:
    """Notes by their place: the texts of several stand side by side."""
    by_place: dict[str, N] = {}
    for place, note in notes:
        first = by_place.get(place)
        if first is not None:
            note = evolve(note, text=f"{first.text} {note.text}", title=f"{first.title}; {note.title}".strip("; "))
        by_place[place] = note
    return by_place


def _initials(route: Route, language: Language) -> RouteNote:
    """The marks of a route as initials, for a board without rules that explain them: "FFO" for four_for_one."""
    counts = Counter(route.marks)
    short = [f"{_short(mark)}{count if count > 1 else ''}" for mark, count in counts.items()]
    return RouteNote(route.id, " ".join(short), ", ".join(language.name(spaced(mark)) for mark in route.marks))


def _short(mark: str) -> str:
    return "".join(word[0] for word in spaced(mark).split()).upper()


def _explained(board: Board, notes: Mapping[str, RouteNote], language: Language) -> list[str]:
    """The meanings of the initials."""
    marks = dict.fromkeys(mark for id in notes for mark in board.routes[id].marks)
    return [", ".join(f"{_short(mark)} {language.name(spaced(mark))}" for mark in marks)] if marks else []
