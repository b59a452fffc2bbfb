"""The board as SVG: routes as rows of spaces, cities, names; the owners of routes and what plugins add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from attrs import evolve

from ttr_rules import Rules, View
from ttr_rules.language import ENGLISH, SOURCE, Language
from ttr_rules.marks import CityNote, CityPiece, RouteNote
from ttr_rules.model import Board, Route
from ttr_tools.narration.words import ferry_label, label_count
from ttr_tools.render.labels import AIR, LINE, NOTE, SIZE, SPACE, Label
from ttr_tools.render.layout import CITY, WIDE, Space
from ttr_tools.render.scene import Scene, make_scene
from ttr_tools.render.svg import PLAYER_COLORS, color_letter, element, lines, number, path, text_line, text_width, title

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
    routes = lines(draw_route(scene, route, place, ids) for place, route in enumerate(scene.board.routes.values()))
    cities = lines(draw_city(scene, id, ids) for id in scene.board.cities)
    return lines((element("g", "\n", routes, "\n", class_="routes"), element("g", "\n", cities, "\n", class_="cities")))


# -- routes --------------------------------------------------------------------------------------------------------


def describe(route: Route, board: Board, language: Language = ENGLISH) -> str:
    """A route in words: its cities, its length and its color, and whether it is a tunnel or a ferry.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> describe(board.routes["amsterdam-london-gray"], board)
    'Amsterdam–London: 2 gray, ferry with 2 locomotives'
    """
    kinds = [label_count(route.length, route.color, language)]
    kinds += [language.gettext("tunnel")] if route.tunnel else []
    kinds += [ferry_label(route.ferry_locomotives, language)] if route.ferry_locomotives else []
    cities = "–".join(language.place(board.place_name(city)) for city in route.cities)
    return f"{cities}: {', '.join(kinds)}"


def draw_route(scene: Scene, route: Route, place: int, ids: str) -> str:
    """A route, which is the `place`-th of its board."""
    seats = scene.seats.get(route.id, ())
    note = scene.route_notes.get(route.id)
    kinds = ["route", f"color-{route.color}"]
    kinds += ["tunnel"] if route.tunnel else []
    kinds += ["ferry"] if route.ferry_locomotives else []
    kinds += [f"owner-{seats[0] % PLAYER_COLORS}"] if seats else []
    kinds += ["lit"] if route.id in scene.lit else []
    text = describe(route, scene.board, scene.language)
    text += f"; {note.title or note.text}" if note else ""
    text += f"; {scene.language.joined(map(scene.name, seats))}" if seats else ""
    shade, shaded = scene.shades.get(route.id, (None, ""))
    text += f"; {shaded}" if shade else ""
    return element(
        "g",
        title(text),
        element("path", class_="way", d=" ".join(map(path, scene.plan.ways[route.id].lines))),
        *_spaces(route, scene.plan.ways[route.id].spaces, seats, note, scene.language, shade),
        class_=" ".join(kinds),
        id=f"{ids}route-{place}",
        data_route=place,
        data_name=route.id,
        data_color=route.color,
        data_length=route.length,
        data_owner=" ".join(map(str, seats)) or None,
    )


def _spaces(
    route: Route,
    spaces: tuple[Space, ...],
    seats: tuple[int, ...],
    note: RouteNote | None,
    language: Language,
    shade: str | None,
) -> Iterator[str]:
    """The spaces of a route: the middle one with the letter of its color, others with the words of the note if there is one."""
    middle, last = (len(spaces) - 1) // 2, len(spaces) - 1
    lettered = min(max(middle, route.ferry_locomotives), last)
    letter = "" if shade else color_letter(route.color, language)
    style = f"fill: {shade}" if shade else None
    tags = _spread([] if note is None else note.text.split(), len(spaces), route.ferry_locomotives, lettered)
    for place, space in enumerate(spaces):
        angle = (space.angle + 90) % 180 - 90  # what stands on it is never upside down
        upright = f"rotate({number(-angle)})"
        long = space.length
        inner = [element("rect", class_="box", x=-long / 2, y=-WIDE / 2, width=long, height=WIDE, rx=2, style=style)]
        # What shares a space stands side by side, each with as much room as it needs.
        needs = [_ENGINE] if place < route.ferry_locomotives else []
        needs += [_LETTER] if place == lettered and letter else []
        needs += [text_width(tag, TAG, bold=True) + 4 for tag in tags.get(place, ())]
        small = min(1.0, (long - 1) / (sum(needs) or 1.0))
        sides = [small * (sum(needs[:at]) + needs[at] / 2 - sum(needs) / 2) for at in range(len(needs))]
        if place < route.ferry_locomotives:
            inner.append(_engine(small, sides.pop(0)))
        if place == lettered and letter:
            aside = sides.pop(0)
            moved = f"translate({number(aside)} 0) " if abs(aside) > 0.05 else ""
            inner.append(element("text", letter, class_="letter", y=3.0, transform=f"{moved}{upright}"))
        for tag, aside in zip(tags.get(place, ()), sides, strict=True):
            inner += _tag(tag, small, aside)
        inner += _car(long, seats, upright, middle=place == middle)
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


def _engine(small: float, aside: float) -> str:
    moved = f"translate({number(aside)} 0) " if abs(aside) > 0.05 else ""
    where = f"{moved}scale({small:.2f})" if small < 1 else moved
    return element("path", class_="engine", d=ENGINE, transform=where.strip() or None)


def _tag(word: str, small: float, aside: float) -> Iterator[str]:
    """A word of a note on a tag, along the way, as small as it has to be."""
    size = max(TAG * small, 4.0)
    wide = (text_width(word, TAG, bold=True) + 3) * small
    yield element("rect", class_="tag", x=aside - wide / 2, y=-WIDE / 2 + 1.5, width=wide, height=WIDE - 3, rx=2)
    yield text_line(word, size, bold=True, class_="note", x=aside, y=size * BASELINE, font_size=size)


def _car(long: float, seats: tuple[int, ...], upright: str, *, middle: bool) -> Iterator[str]:
    """A car, shown when the route has an owner, with the number of the player in the middle of the route."""
    car = min(long + 1, 34.0)
    yield element("rect", class_="car", x=-car / 2, y=-WIDE / 2 - 1, width=car, height=WIDE + 2, rx=4)
    if middle:
        mark = "+".join(str(seat + 1) for seat in seats)
        yield element("text", mark or " ", class_="owner-mark", y=4.0, transform=upright)


# -- cities --------------------------------------------------------------------------------------------------------


def draw_city(scene: Scene, id: str, ids: str) -> str:
    """A city with its name, its note and the pieces of players."""
    x, y = scene.plan.places.cities[id]
    name = scene.place(id)
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
    box = label.box
    middle, top = box.left + box.width / 2, box.top + AIR
    beside = SPACE + text_width(note.text, NOTE) if label.beside and note is not None else 0.0
    for place, line in enumerate(label.lines):
        x = middle - beside / 2 if line is label.lines[-1] else middle
        y = top + LINE * (place + 0.5) + SIZE * BASELINE
        yield text_line(line, SIZE, bold=True, class_="label", x=x, y=y)
        if beside and note is not None and place == len(label.lines) - 1:
            x += (text_width(line, SIZE, bold=True) + beside + SPACE) / 2
            yield text_line(note.text, NOTE, class_="city-note", x=x, y=y)
    if note is not None and not beside:
        y = top + LINE * len(label.lines) + NOTE / 2 + NOTE * BASELINE
        yield text_line(note.text, NOTE, class_="city-note", x=middle, y=y)


def draw_piece(piece: CityPiece, x: float, y: float) -> str:
    """A piece in its player's color, with the player's number."""
    return element(
        "g",
        title(piece.title or f"Piece of seat {piece.seat}"),
        element("path", class_="shape", d=SHAPES[piece.shape]),
        element("text", str(piece.seat + 1), class_="owner-mark", y=4.5),
        class_=f"piece {piece.shape} owner-{piece.seat % PLAYER_COLORS}",
        data_owner=piece.seat,
        transform=f"translate({x:.1f} {y:.1f})",
    )


# -- changes during a game --------------------------------------------------------------------------------------------


def changed_elements(view: View, rules: Rules, *, lang: str = SOURCE, ids: str = "") -> dict[str, str]:
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
    elements: dict[str, str] = {}
    for city in (*_different(bare.pieces, scene.pieces), *_different(bare.city_notes, scene.city_notes)):
        elements[f"{ids}city-{city}"] = draw_city(scene, city, ids)
    changed = set(_different(bare.route_notes, scene.route_notes))
    for place, route in enumerate(rules.board.routes.values() if changed else ()):
        if route.id in changed:
            elements[f"{ids}route-{place}"] = draw_route(scene, route, place, ids)
    return elements


def _different(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    """The keys whose values differ between two mappings."""
    return (key for key in {**before, **after} if before.get(key) != after.get(key))
