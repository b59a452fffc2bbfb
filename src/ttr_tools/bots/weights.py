"""What routes cost a bot, in tenths of a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from attrs import frozen

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Cost, Route
from ttr_rules.text import brief
from ttr_tools.bots.link_graph import link_routes

PER_CLAIM = 10
PER_SPACE = 6  # two cards a turn, and occasionally one that does not fit
PER_FERRY_LOCOMOTIVE = 5
PER_TUNNEL = 8
PER_EXTRA_POINT = 4  # the weight that a plugin's point for a route takes off

MOST_PER_POINT = 100


def checked_per_point(per_point: object) -> float:
    """What a point of a route is worth, in tenths of a turn. Raises `InvalidInputError` for what cannot be."""
    if type(per_point) not in (int, float) or not 0 <= cast("float", per_point) <= MOST_PER_POINT:
        raise InvalidInputError(f"per_point is a number from 0 to {MOST_PER_POINT}, not {brief(per_point)}")
    return cast("float", per_point)


def no_wild_routes(rules: Rules) -> frozenset[str]:
    """The routes that cannot be paid with wild cards."""
    costs = {id: Cost.of_route(route) for id, route in rules.board.routes.items()}
    return frozenset(id for id, cost in costs.items() if not rules.economy.wild_spaces(cost))


@frozen
class RouteWeights:
    """The weight of every route of some rules, less a weight `per_point` that it scores; at least 1.

    >>> from ttr_rules import compile_rules
    >>> rules = compile_rules("north-america")
    >>> [RouteWeights(per_point)(rules)["portland-salt_lake_city-blue"] for per_point in (0, 2)]
    [46, 16]
    """

    per_point: float = 0

    def __call__(self, rules: Rules) -> Mapping[str, int]:
        network = rules.network
        return {
            id: max(int(weight_of(route) - self.per_point * network.points[network.route_number[id]]), 1)
            for id, route in rules.board.routes.items()
        }


class LinkWeights:
    """What links cost a bot: each as much as the cheapest of its routes, and a little more where the bot dislikes it.

    `routes` are the weights of the routes by id, `dislikes` what is added for each link, `links` the sums while all routes
    of a link are open.
    """

    __slots__ = ("dislikes", "links", "routes", "rules")

    def __init__(self, rules: Rules, per_point: float = 0, dislikes: Sequence[int] | None = None) -> None:
        links = rules.derived(link_routes)
        self.rules = rules
        self.routes = rules.derived(RouteWeights(per_point))
        self.dislikes = [0] * len(links) if dislikes is None else dislikes
        self.links = [
            more + min([self.routes[route.id] for route in those])
            for more, those in zip(self.dislikes, links, strict=True)
        ]


def weight_of(route: Route) -> int:
    """The cost of claiming a route, in tenths of a turn."""
    weight = PER_CLAIM + PER_SPACE * route.length + PER_FERRY_LOCOMOTIVE * route.ferry_locomotives
    return weight + PER_TUNNEL if route.tunnel else weight
