"""What a client has to know of a board to draw it and to name what is on it."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.rules import Rules
from ttr_rules.model.board import City, Ticket
from ttr_rules.model.cards import Color
from ttr_rules.play.starting import check_rules_are_compiled
from ttr_rules.text import compact


@frozen
class Country:
    """A country that tickets name: any of its border crossings counts as the country.

    >>> from ttr_rules import board, compile_rules
    >>> board(compile_rules("switzerland")).countries[0]
    Country(id='country_austria', name='Österreich', crossings=('country_austria_1', ...))
    """

    id: str
    name: str
    crossings: tuple[str, ...]


@frozen(repr=False)
class RouteInfo:
    """A route as these rules play it: `cars` are the train cars that it takes, `points` what it is worth.

    The other fields are those of a `Route`.

    >>> from ttr_rules import board, compile_rules
    >>> route = board(compile_rules("europe")).routes[0]
    >>> route.cities, route.length, route.color, route.cars, route.points
    (('amsterdam', 'bruxelles'), 1, 'black', 1, 1)
    """

    id: str
    cities: tuple[str, str]
    length: int
    color: Color
    tunnel: bool
    ferry_locomotives: int
    double_group: str | None
    marks: tuple[str, ...]
    cars: int
    points: int

    def __repr__(self) -> str:
        return compact(self)


@frozen
class TicketGoal:
    """A place that completes a ticket, and its points.

    >>> TicketGoal("wien", 8)
    TicketGoal(place='wien', points=8)
    """

    place: str
    points: int


@frozen(repr=False)
class TicketInfo:
    """A ticket of these rules: from the city `start` to one of the `goals`, the best one first.

    `penalty` is what is subtracted if no goal is reached.

    >>> from ttr_rules import board, compile_rules
    >>> board(compile_rules("europe")).tickets[0].goals
    (TicketGoal(place='petrograd', points=20),)
    """

    id: str
    start: str
    goals: tuple[TicketGoal, ...]
    penalty: int
    kind: str
    set: str
    logos: tuple[str, ...]

    def __repr__(self) -> str:
        return compact(self)

    @classmethod
    def of(cls, ticket: Ticket) -> TicketInfo:
        """What a client has to know of a ticket."""
        goals = tuple([TicketGoal(place, points) for place, points in ticket.goals])
        logos = tuple(sorted(ticket.logos))
        return cls(ticket.id, ticket.cities[0], goals, ticket.penalty, ticket.kind, ticket.set, logos)


@frozen
class CityLayout:
    """The position of a city in a `BoardLayout`.

    >>> CityLayout("wien", 620.5, 410.0).x
    620.5
    """

    id: str
    x: float
    y: float


@frozen
class SpaceLayout:
    """A space of a route in a `BoardLayout`: its middle, its length along the route, and its angle, clockwise in degrees.

    >>> SpaceLayout(x=100.0, y=50.0, length=30.0, angle=90.0).angle
    90.0
    """

    x: float
    y: float
    length: float
    angle: float


@frozen
class RouteLayout:
    """The course of a route in a `BoardLayout`: the points of the line from its first city to its second, and its spaces.

    A route across the edge of a map that wraps round has two lines, one at each edge.

    >>> spaces = (SpaceLayout(45.0, 0.0, 30.0, 0.0),)
    >>> RouteLayout("paris-zurich-gray", (((0.0, 0.0), (90.0, 0.0)),), spaces).lines[0][-1]
    (90.0, 0.0)
    """

    id: str
    lines: tuple[tuple[tuple[float, float], ...], ...]
    spaces: tuple[SpaceLayout, ...]


@frozen(repr=False)
class BoardLayout:
    """A board laid out for drawing: routes bend around what is in their way, double routes lie side by side.

    All coordinates have the same scale; x grows to the right, y downwards. `left`, `top`, `width` and `height` are the frame
    around everything, with room for the names of cities: the `viewBox` of an SVG. `space_width` is how wide spaces are.
    `ttr_tools.render.lay_out` makes one.

    >>> BoardLayout(0.0, 0.0, 800.0, 600.0, 12.0, (), ())
    <BoardLayout 800 × 600: 0 cities, 0 routes>
    """

    left: float
    top: float
    width: float
    height: float
    space_width: float
    cities: tuple[CityLayout, ...]
    routes: tuple[RouteLayout, ...]

    def __repr__(self) -> str:
        return (
            f"<BoardLayout {self.width:.0f} × {self.height:.0f}: {len(self.cities)} cities, {len(self.routes)} routes>"
        )


@frozen(repr=False)
class BoardInfo:
    """A board as some rules play it: what a client needs to draw it and to name what is on it. Made by `board`.

    `cities` have their positions on the picture of the board, as fractions of its width and height, `tickets` are all that
    can occur in a game, `cars` is the number of train cars of each player. `layout` is None if the server has none.

    >>> from ttr_rules import board, compile_rules
    >>> found = board(compile_rules("europe"))
    >>> found, found.cities[0].id, 0 < found.cities[0].x < 1
    (<BoardInfo Europe: 47 cities, 101 routes, 46 tickets>, 'amsterdam', True)
    """

    id: str
    name: str
    cities: tuple[City, ...]
    countries: tuple[Country, ...]
    routes: tuple[RouteInfo, ...]
    tickets: tuple[TicketInfo, ...]
    cars: int
    layout: BoardLayout | None = None

    def __repr__(self) -> str:
        counts = f"{len(self.cities)} cities, {len(self.routes)} routes, {len(self.tickets)} tickets"
        return f"<BoardInfo {self.name}: {counts}>"


def board(rules: Rules, layout: BoardLayout | None = None) -> BoardInfo:
    """What a client has to know of the board of these rules; `to_json` makes it plain data.

    A `layout` for clients that draw comes from `ttr_tools.render.lay_out`.

    >>> import ttr_rules as ttr
    >>> rules = ttr.compile_rules("north-america")
    >>> ttr.to_json(rules, ttr.board(rules))["routes"][0]["cities"]
    ['atlanta', 'charleston']
    """
    check_rules_are_compiled(rules)
    drawn = rules.board
    names = sorted({city.country for city in drawn.cities.values() if city.country is not None})
    return BoardInfo(
        id=drawn.id,
        name=drawn.name,
        cities=tuple(drawn.cities.values()),
        countries=tuple([Country(id, drawn.place_name(id), drawn.place(id)) for id in names]),
        routes=tuple([
            RouteInfo(
                id=route.id,
                cities=route.cities,
                length=route.length,
                color=route.color,
                tunnel=route.tunnel,
                ferry_locomotives=route.ferry_locomotives,
                double_group=route.double_group,
                marks=route.marks,
                cars=rules.route_cars[route.id],
                points=rules.route_points[route.id],
            )
            for route in drawn.routes.values()
        ]),
        tickets=tuple(map(TicketInfo.of, rules.tickets.values())),
        cars=rules.components.cars,
        layout=layout,
    )  # fmt: skip
