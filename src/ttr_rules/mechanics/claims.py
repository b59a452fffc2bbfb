"""Claiming routes (C3–C7), and entering tunnels; `tunnels` has the rest."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Final, TypeVar, cast

from ttr_rules._internal.native import as_given, i64, mypyc_attr
from ttr_rules.errors import Refusal
from ttr_rules.kernel.economy import without_looking
from ttr_rules.kernel.effects import take_route
from ttr_rules.kernel.events import RoutePointsScored, TunnelEntered
from ttr_rules.kernel.extensions import CostChange, wrong_answer
from ttr_rules.kernel.paid_rule import PaidRule
from ttr_rules.kernel.prices import MOST_LISTS, Prices
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import FREE, State, closed_by_twin
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import after_claim, end_turn
from ttr_rules.language import Message, Seat
from ttr_rules.model.board import Cost, Route, changed_cost
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import ClaimRoute, Decision, Turn
from ttr_rules.model.network import numbers
from ttr_rules.reading import is_table
from ttr_rules.text import brief

D = TypeVar("D", bound=Decision)
NO_EXTRA: Final = Counts()
#: So many masks of closed routes are kept as lists, and prices by so many keys of plugins.
MASKS_KEPT = 1000
KEYS_KEPT = 10_000


def route_cost(state: State, seat: int, route: str) -> Cost:
    """Cost of a route for a seat now, including changes by plugins.

    >>> from ttr_rules import new_game
    >>> state = new_game("europe", players=2, seed=1).state
    >>> route_cost(state, 0, "palermo-smyrna-gray").wilds
    2
    """
    place = state.rules.board.routes[route]
    return _changed(state.rules.cost_changes, state, seat, place, Cost.of_route(place))


def _changed(changes: Iterable[CostChange], state: Any, seat: Any, route: Route, cost: Cost) -> Cost:
    for change in changes:
        after = change.change(state, seat, route, cost)
        if after is not cost:
            cost = changed_cost(cost, after, f"claim_cost of plugin {change.name!r}")
    return cost


def not_barred(state: State, seat: int, routes: int) -> int:
    """The routes of a mask that no condition of a plugin closes to a seat.

    >>> from ttr_rules import new_game
    >>> state = new_game("europe", players=2, seed=1).state
    >>> not_barred(state, 0, state.open[0]) == state.open[0]
    True
    """
    for condition in state.rules.claim_conditions:
        routes &= ~condition.mask(state, seat, routes)
    return routes


class Tariff:
    """What routes cost at one moment: `costs` by route, as numbers of costs of `prices`."""

    __slots__ = ("costs", "moved", "prices", "routes")

    def __init__(self, prices: Prices, costs: list[int], classes: list[list[int]]) -> None:
        self.prices = prices
        self.costs = costs
        #: The routes at each cost.
        self.routes: list[list[int]] = [[] for _ in prices.costs]
        for route, cost in enumerate(costs):
            self.routes[cost].append(route)
        #: The classes of routes, by their costs in print, that now have others, and these; None if a class is torn apart.
        self.moved: list[tuple[int, int]] | None = None
        now = [costs[routes[0]] for routes in classes]
        if all(costs[route] == now[kind] for kind, routes in enumerate(classes) for route in routes):
            self.moved = [(kind, cost) for kind, cost in enumerate(now) if kind != cost]


@mypyc_attr(allow_interpreted_subclasses=True)
class ClaimRule(PaidRule[D, ClaimRoute]):
    """Claim one open route in full (C3–C6): the answer to a turn.

    A plugin that asks for a claim at another moment derives from it, with its own decision in brackets; what a claim costs,
    forbids and brings is changed by the hooks `claim_cost`, `claim_refusal` and `on_claim`.

    >>> from ttr_rules import Decision
    >>> class ExtraClaim(Decision):
    ...     message = "Which route do you claim as well?"
    >>> class ExtraClaimRule(ClaimRule[ExtraClaim]):
    ...     pass
    >>> ExtraClaimRule()
    <ExtraClaimRule: ClaimRoute for ExtraClaim>
    """

    # Items are routes by number.

    on = Turn
    action = ClaimRoute

    def __init__(self) -> None:
        self._ids: tuple[str, ...] = ()
        self._listed: dict[int, list[int]] = {}

    def bind(self, rules: Rules) -> None:
        super().bind(rules)
        self._ids = tuple(rules.board.routes)
        self.lasting = self.lasting and not rules.cost_changes
        #: The tariffs, by keys of plugins and by the routes with changed costs.
        self._tariffs: dict[tuple[Hashable, ...], Tariff] = {}
        #: The prices of the printed costs and of those that plugins gave at one moment, by all of these costs.
        self._changed_prices: dict[tuple[Cost, ...], Prices] = {self.prices.costs: self.prices}
        self._changes: tuple[CostChange, ...] = rules.cost_changes
        self._routes: list[tuple[Route, Cost]] = [
            (route, self.prices.costs[cost])
            for route, cost in zip(rules.board.routes.values(), self.costs, strict=True)
        ]
        self._classes: list[list[int]] = rules.network.class_routes
        costs = without_looking(self._costs)
        #: What the routes always cost, if that depends on neither the position nor the seat.
        self.fixed: Tariff | None = None if costs is None else self._tariff_of(costs)

    def every(self, rules: Rules) -> Iterable[tuple[str, Cost]]:
        return [(id, Cost.of_route(route)) for id, route in rules.board.routes.items()]

    def closed(self, state: State, seat: i64) -> int:
        """The routes that plugins' conditions close to a seat, as a mask: 0 for none."""
        found = 0
        for condition in state.rules.claim_conditions:
            found |= condition.mask(state, seat, state.open_to(seat) if condition.route_by_route else 0)
        return found

    def times(self, state: State, seat: i64) -> list[int]:
        tariff = self.fixed or self._tariff(state, seat)
        if tariff.moved is None:
            times = [0] * len(tariff.routes)
            for route in self.on_sale(state, seat):
                times[tariff.costs[route]] += 1
            return times
        counts = self._by_class(state, seat) if state.rules.claim_conditions else state.open_count[seat]
        if not tariff.moved:
            return counts
        times = counts + [0] * (len(tariff.routes) - len(counts))
        for kind, cost in tariff.moved:
            times[kind] -= counts[kind]
            times[cost] += counts[kind]
        return times

    def _by_class(self, state: State, seat: i64) -> list[int]:
        """The number of routes that a seat may claim, of each class with equal costs in print."""
        counts = state.open_count[seat]
        closed = self.closed(state, seat)
        if not closed:
            return counts
        routes = self._listed.get(closed)
        if routes is None:
            if len(self._listed) >= MASKS_KEPT:
                self._listed.clear()
            routes = self._listed[closed] = numbers(closed)
        counts = counts.copy()
        for route in routes:
            if state.open_for[route] >> seat & 1:
                counts[state.rules.network.class_of[route]] -= 1
        return counts

    def count(self, state: State, seat: i64) -> i64:
        return (self.fixed or self._tariff(state, seat)).prices.count(state, seat, self.times(state, seat))

    def on_sale(self, state: State, seat: i64) -> list[int]:
        return self._among(state, seat, range(len(state.open_for)))

    def items(self, state: State, seat: i64, cost: i64) -> list[int]:
        return self._among(state, seat, self._tariff(state, seat).routes[cost])

    def _among(self, state: State, seat: i64, routes: Iterable[int]) -> list[int]:
        """Those of some routes that a seat may claim."""
        closed = self.closed(state, seat)
        open_for = state.open_for
        return [route for route in routes if open_for[route] >> seat & 1 and not closed >> route & 1]

    def item(self, state: State, seat: i64, cost: i64, which: i64) -> i64:
        if state.rules.claim_conditions:
            return self.items(state, seat, cost)[which]
        open_for = state.open_for
        for route in (self.fixed or self._tariff(state, seat)).routes[
            cost
        ]:  # for every claim of a playout: no list is made
            seats: i64 = open_for[route]
            if seats >> seat & 1:
                if which == 0:
                    return route
                which -= 1
        raise IndexError("no such route")

    def make(self, state: State, seat: i64, item: i64, payment: Counts) -> ClaimRoute:
        return ClaimRoute(seat, self._ids[item], payment)

    def item_of(self, state: State, action: ClaimRoute) -> i64:
        return state.rules.network.route_number[action.route]

    def buy(self, tx: Transaction, seat: i64, item: i64, cost: i64, way: i64) -> None:
        state = tx.state
        prices = (self.fixed or self._tariff(state, seat)).prices
        if not prices.tunnels[cost]:
            prices.pay(tx, seat, cost, way)
            claim(tx, seat, item)
            return
        payment = prices.payment(state, seat, cost, way)
        revealed, extra = prices.enter_tunnel(tx, seat, cost, way)
        if extra is None:
            prices.leave_tunnel(tx, seat, NO_EXTRA)
            claim(tx, seat, item)
        else:
            tx.emit(TunnelEntered, seat, self._ids[item], payment, revealed, extra)

    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        claim(tx, seat, tx.rules.network.route_number[thing])

    def priced(self, state: State, seat: i64) -> tuple[Prices, list[int]]:
        tariff = self.fixed or self._tariff(state, seat)
        return tariff.prices, tariff.costs

    def _tariff(self, state: State, seat: i64) -> Tariff:
        """What the routes cost a seat now: asked for once at a moment, or with keys of all changes once for each."""
        if self.fixed is not None:
            return self.fixed
        last: tuple[int, Tariff] | None = state.memo.get((self, seat)) if state.resting else None
        if last is not None and last[0] == state.moment:
            return last[1]
        changes = self._changes
        key = tuple([None if change.key is None else change.key(state, seat) for change in changes])
        kept = None not in key
        try:
            tariff = self._tariffs.get((state.players, seat, *key)) if kept else None
        except TypeError as error:
            plugins = " or ".join(change.name for change in changes if change.key)
            raise wrong_answer(plugins, "claim_key", key) from error
        if tariff is None:
            tariff = self._tariff_of(self._costs(state, seat))
            if kept:
                self._keep((state.players, seat, *key), tariff)
        if state.resting:
            state.memo[self, seat] = int(state.moment), tariff
        return tariff

    def _keep(self, key: tuple[Hashable, ...], tariff: Tariff) -> None:
        if len(self._tariffs) >= KEYS_KEPT:
            self._tariffs.clear()
        self._tariffs[key] = tariff

    def _costs(self, state: Any, seat: Any) -> list[Cost]:
        """The cost of each route, with plugins' changes for a seat at this moment."""
        return [_changed(self._changes, state, seat, route, printed) for route, printed in self._routes]

    def _tariff_of(self, costs: list[Cost]) -> Tariff:
        """The tariff for the costs of all routes. It has prices for just these: their order must not depend on earlier games."""
        changed: list[Hashable] = []  # what tells it from others, with few costs, as their hashes take time
        for number, cost in enumerate(costs):
            if cost is not self._routes[number][1]:
                changed.append(number)
                changed.append(cost)
        key = tuple(changed)
        tariff = self._tariffs.get(key)
        if tariff is None:
            kept = self._changed_prices
            number_of = {cost: number for number, cost in enumerate(self.prices.costs)}
            by_route = [number_of.setdefault(cost, len(number_of)) for cost in costs]
            every = tuple(number_of)
            prices = kept.get(every)
            if prices is None:
                if len(kept) >= MOST_LISTS:
                    kept.clear()
                prices = kept[every] = self.economy.prices(every)
            tariff = Tariff(prices, by_route, self._classes)
            self._keep(key, tariff)
        return tariff

    def cost(self, state: State, seat: int, thing: str) -> Cost:
        return route_cost(state, seat, thing)

    def no_sale(self, state: State, seat: int, thing: str) -> Refusal | None:
        network = state.rules.network
        route = network.route_number[thing]
        closed = _closed(state, seat, route)
        if closed is not None:
            return closed
        for condition in state.rules.claim_conditions:
            refused: Refusal | None = condition.refusal(state, seat, thing)
            if refused is not None:
                return refused
        cars, left = network.cars[route], state.cars[seat]
        if cars > left:
            template = "{route} takes {cars} train cars; {seat} has {left}"
            return Refusal("C3", Message(template, route=thing, cars=cars, seat=Seat(seat), left=left))
        if state.rules.fleet_of:
            kind = state.rules.fleet_of[route]
            left = state.left(seat, kind)
            if cars > left:
                template = "{route} takes {cars} pieces of the kind {kind}; {seat} has {left}"
                return Refusal("C3", Message(template, route=thing, cars=cars, kind=kind, seat=Seat(seat), left=left))
        return None

    def refusal(self, state: State, decision: D, action: ClaimRoute) -> Refusal | None:
        given = as_given(action, "route")
        if isinstance(given, str) and given in self._first_item:
            return super().refusal(state, decision, action)
        template = "there is no route {route} on the board {board}"
        return Refusal("C3", Message(template, route=brief(given), board=state.rules.board.name))


def _closed(state: State, seat: int, route: int) -> Refusal | None:
    """Why a route is closed to a seat, regardless of payment: claimed, or part of a claimed double (C3, C5, C6)."""
    ids = state.rules.network.route_ids
    if state.owner[route] != FREE:
        owner = Seat(state.owner[route])
        return Refusal("C3", Message("{route} is claimed already, by {seat}", route=ids[route], seat=owner))
    closed = closed_by_twin(state, seat, route)
    if closed is None:
        return None
    rule, twin = closed
    if rule == "C5":
        template = "{seat} holds {twin} already, another half of the double route {route}"
        return Refusal(rule, Message(template, seat=Seat(seat), twin=ids[twin], route=ids[route]))
    template = "with {players} players {route} is closed: {twin} beside it is claimed"
    return Refusal(rule, Message(template, players=state.players, route=ids[route], twin=ids[twin]))


def points_of_claim(state: State, seat: int, route: int) -> dict[int, int]:
    """Points that the claim of a route scores each seat, including changes by plugins."""
    rules = state.rules
    scored: Mapping[int, int] = {seat: rules.network.points[route]}
    for plugin, change in rules.claim_points:
        answer: object = change(state, seat, rules.board.routes[rules.network.route_ids[route]], scored)
        if not is_table(answer) or not all(
            type(to) is int and 0 <= to < state.players and type(each) is int for to, each in answer.items()
        ):
            raise wrong_answer(plugin, "claim_points", answer)
        scored = cast("Mapping[int, int]", answer)
    return dict(sorted(scored.items()))


def claim(tx: Transaction, seat: i64, route: i64) -> None:
    """Claim and score a route that has been paid for (C4); after plugins' decisions, the turn ends."""
    tx.state.resting = False
    network = tx.rules.network
    points: i64 = network.points[route]
    others: dict[int, int] = {}
    if tx.rules.claim_points:
        others = points_of_claim(tx.state, seat, route)
        points = others.pop(int(seat), 0)
    take_route(tx, seat, route, points)
    for other, more in others.items():
        tx.emit(RoutePointsScored, other, more)
    if tx.rules.on_claim:
        after_claim(tx, seat, network.route_ids[route], points)
    else:
        end_turn(tx, seat)
