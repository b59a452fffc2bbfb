"""The board as SVG: routes as rows of spaces, cities, names; with the owners of routes where there are some."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import frozen

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules.model.board import Board, Route
from ttr_rules.model.cards import Color
from ttr_rules.render.elements import element, lines, number, path, text, title
from ttr_rules.render.labels import AIR, LINE, SIZE, Label
from ttr_rules.render.plan import Plan, plan_of
from ttr_rules.render.style import LETTERS, PLAYER_COLORS
from ttr_rules.render.ways import CITY, WIDE, Space

#: How far below its middle the baseline of a text is, in sizes of its font.
BASELINE = 0.36
#: A locomotive from the side, about 20 long and 9 high around the origin: what stands on a space of a ferry.
ENGINE = (
    "M-9 2 V-1 H-7 V-4.5 H-5 V-1.5 H1 V-5 H8 V-3.6 H7.2 V2 Z "
    "M-6.5 2.4 a1.9 1.9 0 1 0 .1 0 Z M-1.5 2.4 a1.9 1.9 0 1 0 .1 0 Z M4.5 2.4 a1.9 1.9 0 1 0 .1 0 Z"
)


@frozen
class Owned:
    """What of a position is shown on the board: the seats that hold each route, the players' names, the lit routes."""

    seats: Mapping[str, tuple[int, ...]] = FrozenMap[str, tuple[int, ...]]()
    players: tuple[str, ...] = ()
    lit: Collection[str] = ()

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self.players[seat] if seat < len(self.players) else f"seat {seat}"


def draw_map(board: Board, owned: Owned, ids: str) -> str:
    """The routes and the cities of a board, as two groups."""
    plan = plan_of(board)
    routes = lines(_routes(board, plan, owned, ids))
    cities = lines(_city(board, plan, id, ids) for id in board.cities)
    return lines(
        (
            element("g", "\n", routes, "\n", class_="routes"),
            element("g", "\n", cities, "\n", class_="cities"),
        )
    )


def describe(route: Route, board: Board) -> str:
    """A route in words: its cities, its length and its colour, and what is special about it."""
    kinds = [f"{route.length} {'space' if route.length == 1 else 'spaces'}", str(route.color)]
    if route.tunnel:
        kinds.append("tunnel")
    if route.ferry_locomotives:
        kinds.append(f"ferry with {route.ferry_locomotives} locomotive{'s' if route.ferry_locomotives > 1 else ''}")
    return f"{'–'.join(map(board.place_name, route.cities))}: {', '.join(kinds)}"


def _routes(board: Board, plan: Plan, owned: Owned, ids: str) -> Iterator[str]:
    for place, route in enumerate(board.routes.values()):
        seats = owned.seats.get(route.id, ())
        kinds = ["route", f"color-{route.color}"]
        kinds += ["tunnel"] if route.tunnel else []
        kinds += ["ferry"] if route.ferry_locomotives else []
        kinds += [f"owner-{seats[0] % PLAYER_COLORS}"] if seats else []
        kinds += ["lit"] if route.id in owned.lit else []
        told = describe(route, board)
        told += f"; claimed by {' and '.join(map(owned.name, seats))}" if seats else ""
        way = plan.ways[route.id]
        middle = (len(way.spaces) - 1) // 2
        mark = str(seats[0] + 1) if seats else ""
        yield element(
            "g",
            title(told),
            element("path", class_="way", d=path(way.points)),
            *(
                _space(route, number, space, mark if number == middle else None)
                for number, space in enumerate(way.spaces)
            ),
            class_=" ".join(kinds),
            id=f"{ids}route-{place}",
            data_route=place,
            data_name=route.id,
            data_color=route.color,
            data_length=route.length,
            data_owner=" ".join(map(str, seats)) or None,
        )


def _space(route: Route, place: int, space: Space, mark: str | None) -> str:
    """A space: its box, a letter or a locomotive, and a car that is shown when the route has an owner."""
    angle = (space.angle + 90) % 180 - 90  # what stands on it is never upside down
    long = space.length
    inner = [element("rect", class_="box", x=-long / 2, y=-WIDE / 2, width=long, height=WIDE, rx=2)]
    upright = f"rotate({number(-angle)})" if abs(angle) > 0.05 else None
    if place < route.ferry_locomotives:
        inner.append(element("path", class_="engine", d=ENGINE))
    elif mark is not None and LETTERS.get(Color(route.color)):
        letter = LETTERS[Color(route.color)]
        inner.append(element("text", letter, class_="letter", y=3.0, transform=upright))
    car = min(long + 1, 34.0)
    inner.append(element("rect", class_="car", x=-car / 2, y=-WIDE / 2 - 1, width=car, height=WIDE + 2, rx=4))
    if mark is not None:
        inner.append(element("text", mark or " ", class_="owner-mark", y=4.0, transform=upright))
    where = f"translate({number(space.x)} {number(space.y)}) rotate({number(angle)})"
    return element("g", *inner, class_="space", data_space=place, transform=where)


def _city(board: Board, plan: Plan, id: str, ids: str) -> str:
    x, y = plan.places.cities[id]
    city, label = board.cities[id], plan.labels[id]
    return element(
        "g",
        title(city.name),
        element("circle", class_="dot", cx=x, cy=y, r=CITY),
        _label(label),
        class_="city crossing" if city.country else "city",
        id=f"{ids}city-{id}",
        data_city=id,
    )


def _label(label: Label) -> str:
    """The lines of a name."""
    box = label.box
    return "".join(
        element(
            "text", text(each), class_="label", text_anchor="middle", x=box.left + box.width / 2,
            y=box.top + AIR + LINE * (place + 0.5) + SIZE * BASELINE,
        )
        for place, each in enumerate(label.lines)
    )  # fmt: skip
