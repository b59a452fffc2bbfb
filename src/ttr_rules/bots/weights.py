"""What routes cost a bot, in tenths of a turn."""

from __future__ import annotations

from ttr_rules.kernel.rules import Rules
from ttr_rules.model.board import Route
from ttr_rules.model.cost import Cost

PER_CLAIM = 10
PER_SPACE = 6  # two cards a turn, and occasionally one that does not fit
PER_FERRY_LOCOMOTIVE = 5
PER_TUNNEL = 8
PER_EXTRA_POINT = 4  # the weight that a plugin's point for a route takes off


def no_wild_routes(rules: Rules) -> frozenset[str]:
    """The routes that cannot be paid with wild cards."""
    costs = {id: Cost.of_route(route) for id, route in rules.board.routes.items()}
    return frozenset(id for id, cost in costs.items() if not rules.economy.wild_spaces(cost))


def weight_of(route: Route) -> int:
    """The cost of claiming a route, in tenths of a turn."""
    weight = PER_CLAIM + PER_SPACE * route.length + PER_FERRY_LOCOMOTIVE * route.ferry_locomotives
    return weight + PER_TUNNEL if route.tunnel else weight
