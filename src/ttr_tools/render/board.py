"""The board as SVG: routes as rows of spaces, cities, names; the owners of routes and what plugins add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from ttr_rules.language import ENGLISH, Language
from ttr_rules.marks import CityNote, RouteNote
from ttr_rules.model import Board, Route
from ttr_tools.narration.labels import ferry_label
from ttr_tools.narration.words import labelled
from ttr_tools.render.elements import element, lines, number, path, text, title
from ttr_tools.render.letters import width_of
from ttr_tools.render.names import AIR, LINE, NOTE, SIZE, SPACE, Label
from ttr_tools.render.pieces import ENGINE, piece
from ttr_tools.render.scene import Scene
from ttr_tools.render.style import PLAYER_COLORS, color_letter
from ttr_tools.render.ways import CITY, WIDE, Space

#: The size of the font of notes on spaces, and how much room an engine and a letter need there.
TAG, _ENGINE, _LETTER = 8.5, 22.0, 9.0
#: How far below its middle the baseline of a text is, in sizes of its font.
BASELINE = 0.36


def draw_map(scene: Scene, ids: str) -> str:
    """The routes and the cities of a board, as two groups."""
    routes = lines(draw_route(scene, route, place, ids) for place, route in enumerate(scene.board.routes.values()))
    cities = lines(draw_city(scene, id, ids) for id in scene.board.cities)
    return lines((element("g", "\n", routes, "\n", class_="routes"), element("g", "\n", cities, "\n", class_="cities")))


# -- routes --------------------------------------------------------------------------------------------------------


def describe(route: Route, board: Board, language: Language = ENGLISH) -> str:
    """A route in words: its cities, its length and its color, and what is special about it.

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
        element("path", class_="way", d=" ".join(map(path, scene.plan.ways[route.id].lines))),
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
    """The spaces of a route: the middle one with the letter of its color, others with the words of the note if there is one."""
    middle, last = (len(spaces) - 1) // 2, len(spaces) - 1
    lettered = min(max(middle, route.ferry_locomotives), last)
    letter = color_letter(route.color, language)
    tags = _spread([] if note is None else note.text.split(), len(spaces), route.ferry_locomotives, lettered)
    for place, space in enumerate(spaces):
        angle = (space.angle + 90) % 180 - 90  # what stands on it is never upside down
        upright = f"rotate({number(-angle)})"
        long = space.length
        inner = [element("rect", class_="box", x=-long / 2, y=-WIDE / 2, width=long, height=WIDE, rx=2)]
        # What shares a space stands side by side, each with as much room as it needs.
        needs = [_ENGINE] if place < route.ferry_locomotives else []
        needs += [_LETTER] if place == lettered and letter else []
        needs += [width_of(tag, TAG, bold=True) + 4 for tag in tags.get(place, ())]
        small = min(1.0, (long - 1) / (sum(needs) or 1.0))
        sides = [small * (sum(needs[:each]) + needs[each] / 2 - sum(needs) / 2) for each in range(len(needs))]
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
        place = min(range(spaces), key=lambda each: (held[each] + counts[each], each < lettered, each))
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
    wide = (width_of(word, TAG, bold=True) + 3) * small
    yield element("rect", class_="tag", x=aside - wide / 2, y=-WIDE / 2 + 1.5, width=wide, height=WIDE - 3, rx=2)
    yield element("text", text(word), class_="note", x=aside, y=size * BASELINE, font_size=size)


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
        *(piece(each, first + 15 * place, y) for place, each in enumerate(pieces)),
        class_=" ".join(kinds),
        id=f"{ids}city-{id}",
        data_city=id,
    )


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
