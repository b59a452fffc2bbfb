"""The costs of routes (C4), including changes by plugins."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final

from ttr_rules._internal.native import i64
from ttr_rules.kernel.economy import Economy, constant_answer
from ttr_rules.kernel.extensions import CostChange, wrong_answer
from ttr_rules.kernel.paid_rule import Tariff
from ttr_rules.kernel.prices import MOST_LISTS, Prices, changes_in
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.model.board import Cost, Route, changed_cost
from ttr_rules.sequences import keep

#: The most tariffs that are cached.
TARIFFS_KEPT: Final = 10_000


def route_cost(state: State, seat: int, route: str) -> Cost:
    """The cost of a route for a seat now, including changes by plugins.

    >>> from ttr_rules import new_game
    >>> state = new_game("europe", players=2, seed=1).state
    >>> route_cost(state, 0, "palermo-smyrna-gray").wilds
    2
    """
    printed = state.rules.board.routes[route]
    return _apply_changes(state.rules.cost_changes, state, seat, printed, Cost.of_route(printed))


def unchanging_costs(rules: Rules, changes: Iterable[CostChange]) -> list[Cost] | None:
    """The cost of each route, or None if changes of costs look at the position or the seat."""

    def ask(state: Any, seat: Any) -> list[Cost]:  # which are neither, so compiled code must not look at their types
        return [_apply_changes(changes, state, seat, route, Cost.of_route(route)) for route in rules.network.routes]

    return constant_answer(ask)


def _apply_changes(changes: Iterable[CostChange], state: Any, seat: Any, route: Route, cost: Cost) -> Cost:
    for change in changes:
        after = change.change(state, seat, route, cost)
        if after is not cost:
            cost = changed_cost(cost, after, f"claim_cost of plugin {change.name!r}")
    return cost


class RouteTariff(Tariff):
    """The tariff of routes at one moment."""

    def __init__(self, prices: Prices, cost_of: list[int], classes: list[int]) -> None:
        super().__init__(prices, cost_of)
        #: True if costs have the numbers of the route classes, by which a state counts. Printed costs do: a route class is the
        #: routes with the same printed cost, and both are numbered in the order of the board.
        self.by_class: bool = cost_of == classes

    def count_open(self, state: State, seat: i64) -> list[int]:
        """The number of routes at each cost that are open to a seat. Do not modify the result."""
        if self.by_class:
            return state.open_by_class[seat]
        stock = [0] * len(self.items)
        for route, seats in enumerate(state.open_seats):
            if seats >> seat & 1:
                stock[self.cost_of[route]] += 1
        return stock


class Tariffs:
    """The tariffs for routes, cached as far as `changes` allow. `prices` and `cost_of` are those of the printed costs."""

    def __init__(self, rules: Rules, prices: Prices, cost_of: list[int], changes: tuple[CostChange, ...]) -> None:
        self._economy: Economy = rules.economy
        self._changes: tuple[CostChange, ...] = changes
        self._prices = prices
        self._routes: tuple[Route, ...] = rules.network.routes
        self._printed: list[Cost] = [prices.costs[cost] for cost in cost_of]
        self._classes: list[int] = rules.network.class_of
        #: Tariffs by number of players, seat and the keys of plugins.
        self._by_keys: dict[tuple[Hashable, ...], RouteTariff] = {}
        #: Tariffs by the costs that differ from the printed ones.
        self._by_changes: dict[tuple[object, ...], RouteTariff] = {}
        #: Prices by the costs that they cover, in this order, which gives costs their numbers: first all printed ones. Tariffs that
        #: differ only in which route has which cost share them, unless the cache was emptied in between, which changes nothing.
        self._by_costs: dict[tuple[Cost, ...], Prices] = {prices.costs: prices}

    def now(self, state: State, seat: i64) -> RouteTariff:
        """The tariff for a seat now: kept until the state changes or, if all changes of costs have a key, for each key."""
        cached = state.cached(self, seat)
        version = state.version
        if cached.version != version:
            cached.put(self._find(state, seat), version)
        tariff: RouteTariff = cached.value
        return tariff

    def _find(self, state: State, seat: i64) -> RouteTariff:
        version = state.version
        keys = tuple([None if change.key is None else change.key(state, seat) for change in self._changes])
        if None in keys:
            return self._make_tariff(state, seat)
        place = (state.players, seat, *keys)
        try:
            tariff = self._by_keys.get(place)
        except TypeError as error:
            plugins = " or ".join(change.name for change in self._changes if change.key)
            raise wrong_answer(plugins, "claim_key", keys) from error
        if tariff is None:
            tariff = self._make_tariff(state, seat)
            if state.version == version:
                keep(self._by_keys, place, tariff, TARIFFS_KEPT)
        return tariff

    def _make_tariff(self, state: State, seat: i64) -> RouteTariff:
        """The tariff with plugins' changes for a seat at this moment.

        Its prices cover the costs of all routes and no others: their order must not depend on earlier games.
        """
        pairs = zip(self._routes, self._printed, strict=True)
        costs = [_apply_changes(self._changes, state, seat, route, printed) for route, printed in pairs]
        changes = changes_in(costs, self._printed)
        tariff = self._by_changes.get(changes)
        if tariff is None:
            number_of = {cost: number for number, cost in enumerate(self._prices.costs)}
            cost_of = [number_of.setdefault(cost, len(number_of)) for cost in costs]
            every = tuple(number_of)
            prices = self._by_costs.get(every)
            if prices is None:
                prices = keep(self._by_costs, every, self._economy.prices(every), MOST_LISTS)
            tariff = keep(self._by_changes, changes, RouteTariff(prices, cost_of, self._classes), TARIFFS_KEPT)
        return tariff
