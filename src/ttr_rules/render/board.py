"""The board as SVG: routes as rows of spaces, cities, names; the owners of routes and what plugins add."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_rules.kernel.map_marks import CityNote, RouteNote
from ttr_rules.model.board import Board, Route
from ttr_rules.render.elements import element, lines, number, path, text, title
from ttr_rules.render.labels import AIR, LINE, NOTE, SIZE, Label
from ttr_rules.render.letters import width_of
from ttr_rules.render.pieces import ENGINE, piece
from ttr_rules.render.scene import Scene
from ttr_rules.render.style import LETTERS, PLAYER_COLORS
from ttr_rules.render.ways import CITY, WIDE, Space

#: How far below its middle the baseline of a text is, in sizes of its font.
BASELINE = 0.36


def draw_map(scene: Scene, ids: str) -> str:
    """The routes and the cities of a board, as two groups."""
    routes = lines(_routes(scene, ids))
    cities = lines(_city(scene, id, ids) for id in scene.board.cities)
    return lines((element("g", "\n", routes, "\n", class_="routes"), element("g", "\n", cities, "\n", class_="cities")))


# -- routes --------------------------------------------------------------------------------------------------------


def describe(route: Route, board: Board) -> str:
    """A route in words: its cities, its length and its colour, and what is special about it.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> describe(board.routes["amsterdam-london-gray"], board)
    'Amsterdam–London: 2 spaces, gray, ferry with 2 locomotives'
    """
    kinds = [f"{route.length} {'space' if route.length == 1 else 'spaces'}", str(route.color)]
    if route.tunnel:
        kinds.append("tunnel")
    if route.ferry_locomotives:
        kinds.append(f"ferry with {route.ferry_locomotives} locomotive{'s' if route.ferry_locomotives > 1 else ''}")
    return f"{'–'.join(map(board.place_name, route.cities))}: {', '.join(kinds)}"


def _routes(scene: Scene, ids: str) -> Iterator[str]:
    for place, route in enumerate(scene.board.routes.values()):
        seats = scene.seats.get(route.id, ())
        note = scene.route_notes.get(route.id)
        kinds = ["route", f"color-{route.color}"]
        kinds += ["tunnel"] if route.tunnel else []
        kinds += ["ferry"] if route.ferry_locomotives else []
        kinds += [f"owner-{seats[0] % PLAYER_COLORS}"] if seats else []
        kinds += ["lit"] if route.id in scene.lit else []
        told = describe(route, scene.board)
        told += f"; {note.title or note.text}" if note else ""
        told += f"; claimed by {' and '.join(map(scene.name, seats))}" if seats else ""
        yield element(
            "g",
            title(told),
            element("path", class_="way", d=path(scene.plan.ways[route.id].points)),
            *_spaces(route, scene.plan.ways[route.id].spaces, seats, note),
            class_=" ".join(kinds),
            id=f"{ids}route-{place}",
            data_route=place,
            data_name=route.id,
            data_color=route.color,
            data_length=route.length,
            data_owner=" ".join(map(str, seats)) or None,
        )


def _spaces(route: Route, spaces: tuple[Space, ...], seats: tuple[int, ...], note: RouteNote | None) -> Iterator[str]:
    """The spaces of a route: the middle one with the letter of its colour, another one with the note if there is one."""
    middle = (len(spaces) - 1) // 2
    noted = len(spaces) - 1 if middle + 1 < route.ferry_locomotives else min(middle + 1, len(spaces) - 1)
    letter = LETTERS.get(route.color, "") if middle >= route.ferry_locomotives else ""
    for place, space in enumerate(spaces):
        angle = (space.angle + 90) % 180 - 90  # what stands on it is never upside down
        upright = f" rotate({number(-angle)})"
        long = space.length
        inner = [element("rect", class_="box", x=-long / 2, y=-WIDE / 2, width=long, height=WIDE, rx=2)]
        both = note is not None and place == middle == noted and bool(letter)
        if place < route.ferry_locomotives:
            inner.append(_engine(long))
        elif place == middle and letter:
            aside = f"translate({number(-long / 4)} 0)" if both else ""
            inner.append(element("text", letter, class_="letter", y=3.0, transform=(aside + upright).strip()))
        if note is not None and place == noted:
            inner.append(_note(note, long / 2 if both else long, long / 4 if both else 0.0))
        inner += _car(long, seats, upright.strip(), middle=place == middle)
        # The cars of several owners take turns.
        shared = f"space owner-{seats[place % len(seats)] % PLAYER_COLORS}" if len(seats) > 1 else "space"
        where = f"translate({number(space.x)} {number(space.y)}) rotate({number(angle)})"
        yield element("g", *inner, class_=shared, data_space=place, transform=where)


def _engine(long: float) -> str:
    small = min(1.0, long / 22)
    return element("path", class_="engine", d=ENGINE, transform=f"scale({small:.2f})" if small < 1 else None)


def _note(note: RouteNote, room: float, aside: float) -> str:
    """A note on a space, along the way, as small as it has to be."""
    size = min(8.5, 8.5 * (room - 3) / max(width_of(note.text, 8.5, bold=True), 1.0))
    return element("text", text(note.text), class_="note", x=aside, y=size * BASELINE, font_size=max(size, 4.0))


def _car(long: float, seats: tuple[int, ...], upright: str, *, middle: bool) -> Iterator[str]:
    """A car, shown when the route has an owner, with the number of the player in the middle of the route."""
    car = min(long + 1, 34.0)
    yield element("rect", class_="car", x=-car / 2, y=-WIDE / 2 - 1, width=car, height=WIDE + 2, rx=4)
    if middle:
        mark = "+".join(str(seat + 1) for seat in seats)
        yield element("text", mark or " ", class_="owner-mark", y=4.0, transform=upright)


# -- cities --------------------------------------------------------------------------------------------------------


def _city(scene: Scene, id: str, ids: str) -> str:
    x, y = scene.plan.places.cities[id]
    city, label, note = scene.board.cities[id], scene.plan.labels[id], scene.city_notes.get(id)
    kinds = ["city"]
    kinds += ["crossing"] if city.country else []
    kinds += ["wanted"] if id in scene.wanted else []
    pieces = scene.pieces.get(id, ())
    first = x - 15 * (len(pieces) - 1) / 2
    return element(
        "g",
        title(f"{city.name}; {note.title}" if note and note.title else city.name),
        element("circle", class_="dot", cx=x, cy=y, r=CITY),
        _leader(label, x, y),
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
    for place, each in enumerate(label.lines):
        yield element("text", text(each), class_="label", x=middle, y=top + LINE * (place + 0.5) + SIZE * BASELINE)
    if note is not None:
        y = top + LINE * len(label.lines) + NOTE / 2 + NOTE * BASELINE
        yield element("text", text(note.text), class_="city-note", x=middle, y=y)
