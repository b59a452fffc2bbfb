"""The board as SVG: routes as rows of spaces, cities, names; the owners of routes and what plugins add."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_rules._internal.language import ENGLISH, Language
from ttr_rules.kernel.map_marks import CityNote, RouteNote
from ttr_rules.model.board import Board, Route
from ttr_rules.narration.labels import ferry_label
from ttr_rules.narration.words import labelled
from ttr_rules.render.elements import element, lines, number, path, text, title
from ttr_rules.render.labels import AIR, LINE, NOTE, SIZE, SPACE, Label
from ttr_rules.render.letters import width_of
from ttr_rules.render.pieces import ENGINE, piece
from ttr_rules.render.scene import Scene
from ttr_rules.render.style import PLAYER_COLORS, color_letter
from ttr_rules.render.ways import CITY, WIDE, Space

#: How far below its middle the baseline of a text is, in sizes of its font.
BASELINE = 0.36


def draw_map(scene: Scene, ids: str) -> str:
    """The routes and the cities of a board, as two groups."""
    routes = lines(draw_route(scene, route, place, ids) for place, route in enumerate(scene.board.routes.values()))
    cities = lines(draw_city(scene, id, ids) for id in scene.board.cities)
    return lines((element("g", "\n", routes, "\n", class_="routes"), element("g", "\n", cities, "\n", class_="cities")))


# -- routes --------------------------------------------------------------------------------------------------------


def describe(route: Route, board: Board, language: Language = ENGLISH) -> str:
    """A route in words: its cities, its length and its colour, and what is special about it.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> describe(board.routes["amsterdam-london-gray"], board)
    'Amsterdam–London: 2 gray, ferry with 2 locomotives'
    """
    kinds = [labelled(route.length, route.color, {}, language)]
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
    return element(
        "g",
        title(text),
        element("path", class_="way", d=path(scene.plan.ways[route.id].points)),
        *_spaces(route, scene.plan.ways[route.id].spaces, seats, note, scene.language),
        class_=" ".join(kinds),
        id=f"{ids}route-{place}",
        data_route=place,
        data_name=route.id,
        data_color=route.color,
        data_length=route.length,
        data_owner=" ".join(map(str, seats)) or None,
    )


def _spaces(
    route: Route, spaces: tuple[Space, ...], seats: tuple[int, ...], note: RouteNote | None, language: Language
) -> Iterator[str]:
    """The spaces of a route: the middle one with the letter of its colour, another one with the note if there is one."""
    middle, last = (len(spaces) - 1) // 2, len(spaces) - 1
    lettered = min(max(middle, route.ferry_locomotives), last)
    letter = color_letter(route.color, language)
    notes = {} if note is None else _spread(note.text.split(), len(spaces), route.ferry_locomotives, lettered)
    for place, space in enumerate(spaces):
        angle = (space.angle + 90) % 180 - 90  # what stands on it is never upside down
        upright = f" rotate({number(-angle)})"
        long = space.length
        inner = [element("rect", class_="box", x=-long / 2, y=-WIDE / 2, width=long, height=WIDE, rx=2)]
        # What shares a space stands side by side.
        here = [
            place < route.ferry_locomotives,
            place == lettered and bool(letter),
            place in notes,
        ]
        room = long / max(sum(here), 1)
        middles = iter([room * (each + 0.5) - long / 2 for each in range(sum(here))])
        if here[0]:
            inner.append(_engine(room, next(middles)))
        if here[1]:
            aside = f"translate({number(next(middles))} 0)" if room < long else ""
            inner.append(element("text", letter, class_="letter", y=3.0, transform=(aside + upright).strip()))
        if here[2]:
            inner.append(_note(notes[place], room, next(middles)))
        inner += _car(long, seats, upright.strip(), middle=place == middle)
        # The cars of several owners take turns.
        shared = f"space owner-{seats[place % len(seats)] % PLAYER_COLORS}" if len(seats) > 1 else "space"
        where = f"translate({number(space.x)} {number(space.y)}) rotate({number(angle)})"
        yield element("g", *inner, class_=shared, data_space=place, transform=where)


def _spread(words: list[str], spaces: int, engines: int, lettered: int) -> dict[int, str]:
    """Which words of a note stand on which space: on those without a letter or an engine if they are enough.

    >>> _spread(["NYC", "PRR"], 4, 0, 1), _spread(["NYC", "PRR", "WM"], 2, 0, 0)
    ({2: 'NYC', 3: 'PRR'}, {0: 'NYC', 1: 'PRR WM'})
    """
    free = [place for place in (*range(lettered + 1, spaces), *range(lettered)) if place >= engines]
    if len(free) < len(words) and lettered >= engines:
        free.append(lettered)
    places = sorted((free or [spaces - 1])[: len(words)])
    count = len(places)
    ends = [len(words) * (number + 1) // count for number in range(count)] if count else []
    return {place: " ".join(words[start:end]) for place, start, end in zip(places, [0, *ends], ends, strict=False)}


def _engine(room: float, aside: float) -> str:
    small = min(1.0, room / 22)
    moved = f"translate({number(aside)} 0) " if abs(aside) > 0.05 else ""
    where = f"{moved}scale({small:.2f})" if small < 1 else moved
    return element("path", class_="engine", d=ENGINE, transform=where.strip() or None)


def _note(note: str, room: float, aside: float) -> str:
    """Words of a note on a space, along the way, as small as they have to be."""
    size = min(8.5, 8.5 * (room - 3) / max(width_of(note, 8.5, bold=True), 1.0))
    return element("text", text(note), class_="note", x=aside, y=size * BASELINE, font_size=max(size, 4.0))


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
        _leader(label, x, y),
        element("circle", class_="dot", cx=x, cy=y, r=CITY),
        *_label(label, note),
        *(piece(each, first + 15 * place, y) for place, each in enumerate(pieces)),
        class_=" ".join(kinds),
        id=f"{ids}city-{id}",
        data_city=id,
    )


def _leader(label: Label, x: float, y: float) -> str:
    """A thin line from a city to a name that is not beside it."""
    if label.gap < 20:
        return ""
    box = label.box
    to_x = min(max(x, box.left), box.left + box.width)
    to_y = min(max(y, box.top), box.top + box.height)
    return element("path", class_="leader", d=path([(x, y), (to_x, to_y)]))


def _label(label: Label, note: CityNote | None) -> Iterator[str]:
    """The lines of a name, and the note below them."""
    box = label.box
    middle, top = box.left + box.width / 2, box.top + AIR
    beside = SPACE + width_of(note.text, NOTE) if label.beside and note is not None else 0.0
    for place, each in enumerate(label.lines):
        x = middle - beside / 2 if each is label.lines[-1] else middle
        y = top + LINE * (place + 0.5) + SIZE * BASELINE
        yield element("text", text(each), class_="label", x=x, y=y)
        if beside and note is not None and place == len(label.lines) - 1:
            x += (width_of(each, SIZE, bold=True) + beside + SPACE) / 2
            yield element("text", text(note.text), class_="city-note", x=x, y=y)
    if note is not None and not beside:
        y = top + LINE * len(label.lines) + NOTE / 2 + NOTE * BASELINE
        yield element("text", text(note.text), class_="city-note", x=middle, y=y)
