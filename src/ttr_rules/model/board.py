"""The board: cities, the routes between them, and the tickets printed for it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from attrs import field, frozen

from ttr_rules._internal.messages import brief
from ttr_rules.errors import InvalidInputError
from ttr_rules.model.cards import Color


@frozen
class City:
    """A city: its id, its printed name, and where it lies on the picture of the board.

    `x` and `y` are fractions of the picture's width and height, from the top left corner.
    `country` is set on a border crossing, the dead end of one route: it stands for that country (H4, M7).
    """

    id: str
    name: str
    x: float = 0.0
    y: float = 0.0
    country: str | None = None


@frozen
class Route:
    """A route between two neighbouring cities: `length` spaces of one `color`, claimed whole (C1).

    A ferry has `ferry_locomotives` of at least 1 (F1). Routes that share a `double_group` are a double or
    a triple: no player holds two of them (C5). `marks` are words that variants choose by, such as those of a route with
    a price of its own (N6).
    """

    id: str
    cities: tuple[str, str]
    length: int
    color: Color = Color.GRAY
    tunnel: bool = False
    ferry_locomotives: int = 0
    double_group: str | None = None
    marks: tuple[str, ...] = ()

    def other_end(self, city: str) -> str:
        """The city at the other end of this route."""
        first, second = self.cities
        return second if city == first else first


@frozen
class Ticket:
    """A destination ticket: two places to join, and what that is worth (P2).

    `cities` are two ids of cities, or of countries, any crossing of which will do. `alternatives` is for a
    ticket that names several places with a value each (H5); then `cities[1]` is the best of them and
    `points` its value. `kind` is "regular", "long" or "short"; `set` names the deck it was printed for;
    `logos` are the marks on the card that variants choose by.
    """

    id: str
    cities: tuple[str, str]
    points: int
    kind: str = "regular"
    set: str = ""
    logos: frozenset[str] = frozenset()
    alternatives: tuple[tuple[str, int], ...] = ()

    @property
    def goals(self) -> tuple[tuple[str, int], ...]:
        """The places that complete this ticket from `cities[0]`, each with its value, the best first."""
        return self.alternatives or ((self.cities[1], self.points),)

    @property
    def places(self) -> tuple[str, ...]:
        """The cities and countries that this ticket names."""
        return (self.cities[0], *(place for place, _ in self.goals))

    @property
    def penalty(self) -> int:
        """What is subtracted when no place is reached: the value, or the lowest one (P2, H5)."""
        return min([points for _, points in self.alternatives]) if self.alternatives else self.points


def _by_id(items: tuple[City, ...] | Mapping[str, City]) -> Mapping[str, City]:
    return MappingProxyType(dict(items) if isinstance(items, Mapping) else {city.id: city for city in items})


def _routes_by_id(items: tuple[Route, ...] | Mapping[str, Route]) -> Mapping[str, Route]:
    return MappingProxyType(dict(items) if isinstance(items, Mapping) else {route.id: route for route in items})


def _read_only(items: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(items))


@frozen(eq=False)
class Board:
    """A map: cities and routes by id, points by route length, and every ticket printed for it.

    `extra` is what the map says beyond that, for variants that want to know it: tokens of cities, for example.
    Boards come from `ttr_rules.load_board`, which checks all but `extra`; two boards are equal when they are the same object.
    Raises `InvalidInputError` for a route or a ticket that ends nowhere.
    """

    id: str
    name: str
    cities: Mapping[str, City] = field(converter=_by_id)
    routes: Mapping[str, Route] = field(converter=_routes_by_id)
    points: Mapping[int, int]
    tickets: tuple[Ticket, ...] = ()
    extra: Mapping[str, Any] = field(factory=dict[str, Any], converter=_read_only)

    def __attrs_post_init__(self) -> None:
        for route in self.routes.values():
            for city in route.cities:
                if city not in self.cities:
                    raise InvalidInputError(f"the route {route.id} ends in {city!r}, which is no city of {self.name}")
        for ticket in self.tickets:
            for place in ticket.places:
                if not self.place(place):
                    raise InvalidInputError(f"the ticket {ticket.id} names {place!r}, which is no place of {self.name}")

    def place(self, id: str) -> tuple[str, ...]:
        """The cities that a place on a ticket stands for: the city itself, or all crossings of a country."""
        if id in self.cities:
            return (id,)
        return tuple(city.id for city in self.cities.values() if city.country == id)

    def place_name(self, id: str) -> str:
        """The printed name of a city or a country."""
        if id in self.cities:
            return self.cities[id].name
        return id.removeprefix("country_").replace("_", " ").title()

    def routes_between(self, first: str, second: str, color: str | None = None) -> tuple[Route, ...]:
        """The routes that join two cities, given in either order; only those of one colour if asked."""
        ends = {first, second}
        return tuple(
            route for route in self.routes.values() if set(route.cities) == ends and color in (None, route.color)
        )

    def find_route(self, *name: str) -> Route:
        """The route meant by an id, by two cities, or by two cities and a colour; cities in either order.

        Of several that fit, the first. Raises `InvalidInputError` with what there is when none fits.
        """
        if len(name) == 1:
            if name[0] in self.routes:
                return self.routes[name[0]]
            flipped = self._flipped(name[0])
            if flipped is not None:
                return flipped
            raise InvalidInputError(f"no route {brief(name[0])} on the board {self.name}")
        if len(name) not in (2, 3):
            raise InvalidInputError(
                f"a route is an id, or two cities, or two cities and a colour, not {brief(list(name))}"
            )
        for city in name[:2]:
            if city not in self.cities:
                raise InvalidInputError(f"no city {brief(city)} on the board {self.name}")
        found = self.routes_between(*name)
        if not found:
            there = ", ".join(route.id for route in self.routes_between(*name[:2])) or "none"
            raise InvalidInputError(
                f"no route {brief('-'.join(name))} on the board {self.name}; between these cities: {there}"
            )
        return found[0]

    def _flipped(self, id: str) -> Route | None:
        parts = id.split("-")
        if len(parts) < 3:
            return None
        return self.routes.get("-".join([parts[1], parts[0], *parts[2:]]))
