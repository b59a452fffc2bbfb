"""A board as numbers, for the engine and the scorer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ttr_rules._internal.native import i64
from ttr_rules.model.board import Board, Cost, Route

#: Masks are read a native integer at a time.
WORD_BITS: Final = 56
WORD: Final = (1 << WORD_BITS) - 1


class Network:
    """Cities and routes as numbers in the order of the board, sets of routes as bit masks.

    `route_number` and `city_number` give the number of an id, `route_ids` and `city_ids` the id of a number. `ends[r]`
    are the numbers of the two cities of route r, also apart as `first[r]` and `second[r]`. `lengths[r]` is its length,
    `routes[r]` the `Route`. `bits[r]` is the mask of route r alone, `every` that of all routes, `twins[r]` that of the
    other routes of its double or triple (C5), `doubled` that of all routes that have any. `routes_at[c]` are the routes
    that end in city c, `apart[r]` is the mask of those that end in neither city of route r. `cars[r]` is how many train
    cars a claim of route r takes, `points[r]` what it scores: by default the length of the route and the points of the
    board.

    Routes of equal cost are a class, numbered in the order of their first route: `class_routes[k]` are the routes of class k,
    `class_of[r]` is the class of route r. `routes_by_cars[n]` are the routes that take n cars.

    >>> import ttr_maps
    >>> network = Network(ttr_maps.load("europe"))
    >>> paris = network.city_number["paris"]
    >>> [network.route_ids[route] for route in network.routes_at[paris]][:3]
    ['brest-paris-black', 'bruxelles-paris-red', 'bruxelles-paris-yellow']
    >>> double = network.route_number["frankfurt-paris-orange"]
    >>> [network.route_ids[route] for route in numbers(network.twins[double])]
    ['frankfurt-paris-white']
    """

    def __init__(
        self, board: Board, cars: Mapping[str, int] | None = None, points: Mapping[str, int] | None = None
    ) -> None:
        self.routes: tuple[Route, ...] = tuple(board.routes.values())
        routes = self.routes
        self.city_ids: tuple[str, ...] = tuple(board.cities)
        self.city_number: dict[str, int] = {city: number for number, city in enumerate(self.city_ids)}
        #: The label of each city while no route joins any: its own number.
        self.own_labels: list[int] = list(range(len(self.city_ids)))
        self.route_ids: tuple[str, ...] = tuple(board.routes)
        self.route_number: dict[str, int] = {route: number for number, route in enumerate(self.route_ids)}
        self.ends: tuple[tuple[int, int], ...] = tuple(
            (self.city_number[route.cities[0]], self.city_number[route.cities[1]]) for route in routes
        )
        self.first: list[int] = [first for first, _ in self.ends]
        self.second: list[int] = [second for _, second in self.ends]
        self.lengths: list[int] = [route.length for route in routes]
        self.cars: list[int] = [(cars or {}).get(route.id, route.length) for route in routes]
        self.points: list[int] = [(points or {}).get(route.id, board.points[route.length]) for route in routes]
        self.bits: tuple[int, ...] = tuple(1 << number for number in range(len(routes)))
        routes_at: list[list[int]] = [[] for _ in self.city_ids]
        for number, ends in enumerate(self.ends):
            for city in ends:
                routes_at[city].append(number)
        self.routes_at: tuple[tuple[int, ...], ...] = tuple(map(tuple, routes_at))
        at = [self.mask(routes) for routes in self.routes_at]
        self.every: int = (1 << len(routes)) - 1
        self.apart: list[int] = [self.every & ~(at[one] | at[other]) for one, other in self.ends]
        groups: dict[str, int] = {}
        for number, route in enumerate(routes):
            if route.double_group is not None:
                groups[route.double_group] = groups.get(route.double_group, 0) | 1 << number
        self.twins: tuple[int, ...] = tuple(
            0 if route.double_group is None else groups[route.double_group] & ~(1 << number)
            for number, route in enumerate(routes)
        )
        self.twin_routes: list[list[int]] = [numbers(twins) for twins in self.twins]
        self.doubled: int = sum(groups.values())
        self.longest: int = max(self.cars, default=0)
        self._within: tuple[int, ...] = tuple(
            sum(bit for bit, needed in zip(self.bits, self.cars, strict=True) if needed <= cars)
            for cars in range(self.longest + 1)
        )
        self.routes_by_cars: list[list[int]] = [
            [route for route, needed in enumerate(self.cars) if needed == cars] for cars in range(self.longest + 1)
        ]
        costs = [Cost.of_route(route) for route in routes]
        kinds = {cost: kind for kind, cost in enumerate(dict.fromkeys(costs))}
        self.class_of: list[int] = [kinds[cost] for cost in costs]
        self.class_routes: list[list[int]] = [[] for _ in kinds]
        for number, kind in enumerate(self.class_of):
            self.class_routes[kind].append(number)

    def __repr__(self) -> str:
        return f"<Network of {len(self.city_ids)} cities and {len(self.route_ids)} routes>"

    def within(self, cars: int) -> int:
        """The mask of the routes for which this many cars are enough (C3)."""
        return self._within[max(0, min(cars, len(self._within) - 1))]

    def mask(self, routes: Iterable[int]) -> int:
        """The mask of these routes."""
        return sum([self.bits[route] for route in routes])

    def beside(self, routes: int) -> int:
        """The mask of the routes that share a double with one of these.

        Of these themselves it has only those whose twin is among them, too.
        """
        mask = 0
        for route in numbers(routes & self.doubled):
            mask |= self.twins[route]
        return mask


def numbers(mask: int) -> list[int]:
    """The numbers in a mask, smallest first.

    >>> numbers(0b10110)
    [1, 2, 4]
    """
    members: list[int] = []
    first: i64 = 0
    while mask:
        word: i64 = mask & WORD
        number = first
        while word:
            if word & 15 == 0:
                word >>= 4
                number += 4
            else:
                if word & 1:
                    members.append(number)
                word >>= 1
                number += 1
        mask >>= WORD_BITS
        first += WORD_BITS
    return members
