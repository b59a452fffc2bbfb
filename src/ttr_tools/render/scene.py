"""The picture of a board, and its SVG: its plan, the owners of routes, what plugins add and what is lit.

Routes are rows of spaces. Cities have names, notes and the pieces of players.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import TypeAlias, TypeVar

from attrs import astuple, evolve, frozen

from ttr_rules import Rules, View
from ttr_rules.clients import BoardLayout, CityLayout, RouteLayout, SpaceLayout
from ttr_rules.hints import CityNote, CityPiece, RouteNote
from ttr_rules.language import ENGLISH, SOURCE, Language
from ttr_rules.model import Board, Color, Route
from ttr_rules.sequences import FrozenMap
from ttr_tools.narration.words import Names, list_holders, route_facts
from ttr_tools.render.labels import AIR, LINE, NOTE, SIZE, Label, place_labels
from ttr_tools.render.layout import (
    CITY,
    WIDE,
    Box,
    Point,
    bend_bundles,
    bundles,
    clear_ends,
    place_cities,
)
from ttr_tools.render.svg import (
    LETTERS,
    PLAYER_COLORS,
    color_letter,
    element,
    group,
    number,
    path,
    text_line,
    text_width,
    title,
)

Mark: TypeAlias = CityNote | CityPiece | RouteNote
M = TypeVar("M", CityNote, CityPiece, RouteNote)
N = TypeVar("N", CityNote, RouteNote)
#: The margin around everything.
EDGE = 12.0


@frozen
class Plan:
    """The plan of a board's picture, always the same for the same board."""

    cities: Mapping[str, Point]
    ways: Mapping[str, RouteLayout]
    labels: Mapping[str, Label]
    frame: Box


@lru_cache(maxsize=32)
def plan_board(board: Board, texts: FrozenMap[str, tuple[str, str]]) -> Plan:
    """The plan of a board, with a name and a note for each city."""
    cities, ways = _geometry(board)
    labels = place_labels(cities, ways, texts)
    return Plan(cities, ways, labels, _frame(cities, ways.values(), labels.values()))


def lay_out(board: Board) -> BoardLayout:
    """The geometry of a board for clients that draw it themselves: its cities, and the line and spaces of each route.

    The coordinates are those of `draw_board`, to a tenth.

    >>> from ttr_maps import load
    >>> layout = lay_out(load("europe"))
    >>> layout.routes[0].id, len(layout.routes[0].line), len(layout.routes[0].spaces)
    ('amsterdam-bruxelles-black', 3, 1)
    """
    plan = make_scene(board).plan
    left, top, width, height = (round(value, 1) for value in astuple(plan.frame))
    cities = [CityLayout(id, round(x, 1), round(y, 1)) for id, (x, y) in plan.cities.items()]
    routes = tuple(map(_round_way, plan.ways.values()))
    return BoardLayout(left, top, width, height, space_width=WIDE, cities=tuple(cities), routes=routes)


def _round_way(way: RouteLayout) -> RouteLayout:
    spaces = [SpaceLayout(*[round(value, 1) for value in astuple(space)]) for space in way.spaces]
    return RouteLayout(way.id, tuple([(round(x, 1), round(y, 1)) for x, y in way.line]), tuple(spaces))


@lru_cache(maxsize=16)
def _geometry(board: Board) -> tuple[Mapping[str, Point], Mapping[str, RouteLayout]]:
    """The cities of a board and the ways of all its routes, in their order."""
    cities = place_cities(board)
    every = bundles(board, cities)
    bend_bundles(every, cities)
    clear_ends(every)
    ways = {route.id: bundle.way(number) for bundle in every for number, route in enumerate(bundle.routes)}
    return cities, {id: ways[id] for id in board.routes}


def _frame(cities: Mapping[str, Point], ways: Iterable[RouteLayout], labels: Iterable[Label]) -> Box:
    """The box around everything that is drawn, with a margin."""
    boxes = [label.box for label in labels]
    boxes += [Box(x - CITY, y - CITY, 2 * CITY, 2 * CITY) for x, y in cities.values()]
    boxes += [Box(x - WIDE, y - WIDE, 2 * WIDE, 2 * WIDE) for way in ways for x, y in way.line]
    if not boxes:
        return Box(0.0, 0.0, 2 * EDGE, 2 * EDGE)
    left, top = min(box.left for box in boxes) - EDGE, min(box.top for box in boxes) - EDGE
    right, bottom = max(box.left + box.width for box in boxes), max(box.top + box.height for box in boxes)
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


def make_scene(
    board: Board, rules: Rules | None = None, view: View | None = None, *, language: Language = ENGLISH
) -> Scene:
    """A board by itself, with what its rules add, or as a view shows it."""
    players = () if view is None else view.players
    printed, shown = (_marks(rules, each, players, language) for each in (None, view))
    named = zip([] if rules is None else rules.map_marks, printed, shown, strict=True)
    legends = [language.text(marking.legend) for marking, *both in named if marking.legend and any(both)]
    below = {city: note.text for city, note in _city_notes(printed).items()}
    texts = {city.id: (language.place(city.name), below.get(city.id, "")) for city in board.cities.values()}
    pieces = {city: tuple(some) for city, some in _by_place(shown, CityPiece).items()}
    seats: Mapping[str, tuple[int, ...]] = {} if view is None else list_holders(view)
    notes = _city_notes(shown), _route_notes(shown)
    return Scene(board, plan_board(board, FrozenMap(texts)), players, seats, *notes, pieces, tuple(legends), language)


def _marks(rules: Rules | None, view: View | None, players: Sequence[str], language: Language) -> list[list[Mark]]:
    """The marks of each plugin, with their titles in a language, and names in place of ids and seats."""
    if rules is None:
        return []
    text = Names(rules, players, language).text
    return [
        [evolve(mark, title=text(mark.title)) for mark in marking.marks(rules, view) if isinstance(mark, Mark)]
        for marking in rules.map_marks
    ]


def _by_place(marks: Iterable[Iterable[Mark]], kind: type[M]) -> dict[str, list[M]]:
    """The marks of a kind at each place."""
    by_place: dict[str, list[M]] = {}
    for mark in chain.from_iterable(marks):
        if isinstance(mark, kind):
            by_place.setdefault(mark.route if isinstance(mark, RouteNote) else mark.city, []).append(mark)
    return by_place


def _city_notes(marks: Iterable[Iterable[Mark]]) -> dict[str, CityNote]:
    """The note of each city: those of several plugins as one."""
    return {
        city: _join(notes) for city, notes in _by_place(marks, CityNote).items() if any(note.text for note in notes)
    }


def _route_notes(marks: Iterable[Iterable[Mark]]) -> dict[str, RouteNote]:
    """The note of each route: those of several plugins as one, with the last of their colors."""
    notes = _by_place(marks, RouteNote)
    colors = {route: [note.color for note in some if note.color] for route, some in notes.items()}
    return {route: evolve(_join(some), color=(colors[route] or [""])[-1]) for route, some in notes.items()}


def _join(notes: Sequence[N]) -> N:
    """Several notes as one: their texts side by side."""
    titles = [note.title for note in notes if note.title]
    return evolve(notes[-1], text=" ".join(note.text for note in notes if note.text), title="; ".join(titles))


# -- SVG ---------------------------------------------------------------------------------------------------------------


#: A locomotive from the side, about 18 long and 9 high around the origin, for spaces of ferries.
ENGINE = (
    "M -9 2 V -1 H -7 V -4.5 H -5 V -1.5 H 1 V -5 H 8 V -3.6 H 7.2 V 2 Z "
    "M -6.5 2.4 a1.9 1.9 0 1 0 .1 0 Z M -1.5 2.4 a1.9 1.9 0 1 0 .1 0 Z M 4.5 2.4 a1.9 1.9 0 1 0 .1 0 Z"
)
#: The shapes of pieces around the origin.
SHAPES = {
    "disc": "M -8 0 a8 8 0 1 0 16 0 a8 8 0 1 0 -16 0 Z",
    "house": "M -8.5 9 V -3 L 0 -11 L 8.5 -3 V 9 Z",
    "person": "M -3.6 -8 a3.6 3.6 0 1 1 7.2 0 C 7.5 -4 8.5 4 8.5 9 H -8.5 C -8.5 4 -7.5 -4 -3.6 -8 Z",
}
#: The size of the font of notes on spaces, and the room that an engine and a letter need there.
TAG, _ENGINE, _LETTER = 8.5, 22.0, 9.0
#: The distance of a text's baseline below its middle, in sizes of its font.
BASELINE = 0.36


def draw_map(scene: Scene, ids: str) -> str:
    """The routes and the cities of a board, as two groups."""
    routes = [draw_route(scene, route, place, ids) for place, route in enumerate(scene.board.routes.values())]
    cities = [draw_city(scene, id, ids) for id in scene.board.cities]
    return f"{group('routes', routes)}\n{group('cities', cities)}"


# -- routes --------------------------------------------------------------------------------------------------------


def describe(route: Route, board: Board, language: Language = ENGLISH) -> str:
    """A route in words: its cities, its length and its color, and whether it is a tunnel or a ferry.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> describe(board.routes["amsterdam-london-gray"], board)
    'Amsterdam–London: 2 gray, ferry with 2 locomotives'
    """
    cities, *facts = route_facts(route, board, language)
    return f"{cities}: {', '.join(facts)}"


def draw_route(scene: Scene, route: Route, place: int, ids: str = "") -> str:
    """A route, which is the `place`-th of its board."""
    seats = scene.seats.get(route.id, ())
    note = scene.route_notes.get(route.id, RouteNote(route.id))
    if note.color in LETTERS:
        route = evolve(route, color=Color(note.color))
    kinds = ["route", _brightness(note.color) if note.color.startswith("#") else f"color-{route.color}"]
    kinds += ["tunnel"] if route.tunnel else []
    kinds += ["ferry"] if route.ferry_locomotives else []
    kinds += [f"owner-{seats[0] % PLAYER_COLORS}"] if seats else []
    kinds += ["lit"] if route.id in scene.lit else []
    text = describe(route, scene.board, scene.language)
    text += f"; {note.title or note.text}" if note.title or note.text else ""
    text += f"; {scene.language.joined(scene.players[seat] for seat in seats)}" if seats else ""
    return element(
        "g",
        title(text),
        element("path", class_="way", d=path(scene.plan.ways[route.id].line)),
        *_spaces(scene, route, note, seats),
        class_=" ".join(kinds),
        id=f"{ids}route-{place}",
        data_route=place,
        data_name=route.id,
        data_color=route.color,
        data_length=route.length,
        data_owner=" ".join(map(str, seats)) or None,
    )


def _brightness(color: str) -> str:
    """The class of a route with a color of its own, which says whether signs on it are black or white.

    >>> _brightness("#cfe8ff"), _brightness("#703010")
    ('bright', 'dim')
    """
    red, green, blue = bytes.fromhex(color[1:])
    return "bright" if 0.3 * red + 0.6 * green + 0.1 * blue > 128 else "dim"


def _spaces(scene: Scene, route: Route, note: RouteNote, seats: tuple[int, ...]) -> Iterator[str]:
    """The spaces of a route: the middle one with the letter of its color, the others with the words of any note."""
    spaces = scene.plan.ways[route.id].spaces
    middle, last = (len(spaces) - 1) // 2, len(spaces) - 1
    lettered = min(max(middle, route.ferry_locomotives), last)
    letter = color_letter(route.color, scene.language)
    tags = _spread(note.text.split(), len(spaces), route.ferry_locomotives, lettered)
    own = note.color if note.color.startswith("#") else None
    for place, space in enumerate(spaces):
        angle = (space.angle + 90) % 180 - 90  # what stands on it is never upside down
        upright = f"rotate({number(-angle)})"
        long = space.length
        inner = [element("rect", class_="box", x=-long / 2, y=-WIDE / 2, width=long, height=WIDE, rx=2, fill=own)]
        # Signs that share a space stand side by side, each with as much room as it needs.
        signs = [("engine", "", _ENGINE)] if place < route.ferry_locomotives else []
        signs += [("letter", letter, _LETTER)] if place == lettered and letter else []
        signs += [("note", tag, text_width(tag, TAG, bold=True) + 4) for tag in tags.get(place, ())]
        room = sum(need for *_, need in signs)
        small, left = min(1.0, (long - 1) / (room or 1.0)), -room / 2
        for kind, words, need in signs:
            inner += _sign(kind, words, small, small * (left + need / 2), upright)
            left += need
        # A car leaves the ends of a space free if a plugin colors it.
        inner += _car(min(0.6 * long if note.color else long + 1, 34.0), seats, upright, middle=place == middle)
        # The cars of several owners take turns.
        shared = f"space owner-{seats[place % len(seats)] % PLAYER_COLORS}" if len(seats) > 1 else "space"
        where = f"translate({number(space.x)} {number(space.y)}) rotate({number(angle)})"
        yield element("g", *inner, class_=shared, data_space=place, transform=where)


def _spread(words: Sequence[str], spaces: int, engines: int, lettered: int) -> dict[int, Sequence[str]]:
    """The words of a note that stand on each space, in their order: as few as possible together with others, a letter or an engine.

    >>> _spread(["NY", "PR"], 4, 0, 1), _spread(["NY", "PR", "WM"], 2, 0, 0)
    ({2: ['NY'], 3: ['PR']}, {0: ['NY'], 1: ['PR', 'WM']})
    """
    held = [(place < engines) + (place == lettered) for place in range(spaces)]
    counts = [0] * spaces
    for _ in words:
        place = min(range(spaces), key=lambda place: (held[place] + counts[place], place < lettered, place))
        counts[place] += 1
    ends = list(accumulate(counts))
    return {place: words[end - counts[place] : end] for place, end in enumerate(ends) if counts[place]}


def _sign(kind: str, word: str, small: float, aside: float, upright: str) -> Iterator[str]:
    """An engine, a letter, or a word of a note on a tag along the way, as small as it has to be."""
    moved = f"translate({number(aside)} 0) " if abs(aside) > 0.05 else ""
    if kind == "engine":
        where = f"{moved}scale({small:.2f})" if small < 1 else moved
        yield element("path", class_="engine", d=ENGINE, transform=where.strip() or None)
    elif kind == "letter":
        yield element("text", word, class_="letter", y=3.0, transform=f"{moved}{upright}")
    else:
        size = max(TAG * small, 4.0)
        wide = (text_width(word, TAG, bold=True) + 3) * small
        yield element("rect", class_="tag", x=aside - wide / 2, y=-WIDE / 2 + 1.5, width=wide, height=WIDE - 3, rx=2)
        yield text_line(word, size, bold=True, class_="note", x=aside, y=size * BASELINE, font_size=size)


def _car(car: float, seats: tuple[int, ...], upright: str, *, middle: bool) -> Iterator[str]:
    """A car, shown when the route has an owner, with the number of the player in the middle of the route."""
    yield element("rect", class_="car", x=-car / 2, y=-WIDE / 2 - 1, width=car, height=WIDE + 2, rx=4)
    if middle:
        mark = "+".join(str(seat + 1) for seat in seats)
        yield element("text", mark or " ", class_="owner-mark", y=4.0, transform=upright)


# -- cities --------------------------------------------------------------------------------------------------------


def draw_city(scene: Scene, id: str, ids: str = "") -> str:
    """A city with its name, its note and the pieces of players."""
    x, y = scene.plan.cities[id]
    name = scene.language.place(scene.board.place_name(id))
    city, label, note = scene.board.cities[id], scene.plan.labels[id], scene.city_notes.get(id)
    kinds = ["city"]
    kinds += ["crossing"] if city.country else []
    kinds += ["wanted"] if id in scene.wanted else []
    pieces = scene.pieces.get(id, ())
    first = x - 15 * (len(pieces) - 1) / 2
    return element(
        "g",
        title(f"{name}: {note.title}" if note and note.title else name),
        element("path", class_="leader", d=path(label.leader)) if label.leader else "",
        element("circle", class_="dot", cx=x, cy=y, r=CITY),
        *_label(label, note),
        *(draw_piece(piece, first + 15 * place, y) for place, piece in enumerate(pieces)),
        class_=" ".join(kinds),
        id=f"{ids}city-{id}",
        data_city=id,
    )


def _label(label: Label, note: CityNote | None) -> Iterator[str]:
    """The lines of a name, and the note below them."""
    middle, top = label.box.left + label.box.width / 2, label.box.top + AIR
    for place, line in enumerate(label.lines):
        yield text_line(line, SIZE, bold=True, class_="label", x=middle, y=top + LINE * (place + 0.5) + SIZE * BASELINE)
    if note is not None:
        y = top + LINE * len(label.lines) + NOTE / 2 + NOTE * BASELINE
        yield text_line(note.text, NOTE, class_="city-note", x=middle, y=y)


def draw_piece(piece: CityPiece, x: float, y: float) -> str:
    """A piece in its player's color, with the player's number."""
    name = title(piece.title or f"Piece of seat {piece.seat}")
    shape = element("path", class_="shape", d=SHAPES[piece.shape])
    mark = element("text", str(piece.seat + 1), class_="owner-mark", y=4.5)
    kinds, place = f"piece {piece.shape} owner-{piece.seat % PLAYER_COLORS}", f"translate({x:.1f} {y:.1f})"
    return element("g", name, shape, mark, class_=kinds, data_owner=piece.seat, transform=place)


# -- changes during a game --------------------------------------------------------------------------------------------


def changed_elements(view: View, rules: Rules, *, lang: str = SOURCE) -> dict[str, str]:
    """The cities and routes that plugins show otherwise than `draw_board` draws them, as SVG by the ids of their elements.

    The owners of routes are left out: a class on a route shows them.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=2, seed=1)
    >>> changed_elements(game.view(None), game.rules)
    {}
    """
    language = rules.language(lang)
    bare = make_scene(rules.board, rules, language=language)
    scene = evolve(make_scene(rules.board, rules, view, language=language), seats={}, plan=bare.plan)
    cities = (*_different(bare.pieces, scene.pieces), *_different(bare.city_notes, scene.city_notes))
    changed = set(_different(bare.route_notes, scene.route_notes))
    routes = [(place, route) for place, route in enumerate(rules.board.routes.values()) if route.id in changed]
    drawn = {f"city-{city}": draw_city(scene, city) for city in cities}
    return drawn | {f"route-{place}": draw_route(scene, route, place) for place, route in routes}


def _different(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    """The keys whose values differ between two mappings."""
    return (key for key in {**before, **after} if before.get(key) != after.get(key))
