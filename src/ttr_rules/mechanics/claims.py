"""Claiming routes (C3–C6), and entering tunnels. `tariffs` has the costs of routes, `tunnels` the rest of tunnels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from ttr_rules._internal.native import as_given, i64, mypyc_attr, overrides
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.effects import take_route
from ttr_rules.kernel.events import RouteCarsChanged, RoutePointsScored
from ttr_rules.kernel.extensions import (
    ClaimCondition,
    CostChange,
    Verdicts,
    change_number,
    claim_cars,
    require_refusal,
    too_few_cars,
    wrong_answer,
)
from ttr_rules.kernel.paid_rule import PaidRule
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import FREE, OpenStock, State, closed_by_twin
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import after_claim, call_on_claim, end_turn
from ttr_rules.language import Message, Seat
from ttr_rules.mechanics.tariffs import RouteTariff, Tariffs, route_cost, unchanging_costs
from ttr_rules.model.board import Cost, Route, changed_cost
from ttr_rules.model.decisions import ClaimRoute, Decision, Question, Turn
from ttr_rules.model.network import numbers
from ttr_rules.reading import is_table
from ttr_rules.text import brief

D = TypeVar("D", bound=Decision)
#: Methods that a subclass of `ClaimRule` may not override, and what to do instead.
INSTEAD_OF: Final = {
    "no_sale": "to refuse some claims, override route_refusal instead",
    "bought": "what follows a claim is for the hook on_claim",
    "tariff": "to change the cost of some claims, override cost instead",
}


def unbarred_routes(state: State, seat: int, routes: int, ignoring: str = "") -> int:
    """The routes of a mask that no condition of a plugin closes to a seat, whatever train cars it has.

    The conditions of the plugin `ignoring` are not asked. Raises `PluginError` if there is no such plugin.

    >>> from ttr_rules import new_game
    >>> state = new_game("europe", players=2, seed=1).state
    >>> unbarred_routes(state, 0, state.open[0]) == state.open[0]
    True
    """
    if ignoring and ignoring not in state.rules.stack:
        raise PluginError(f"no plugin {brief(ignoring)} in {state.rules}: ignoring= takes the name of one")
    for condition in state.rules.claim_conditions:
        if condition.counts_cars or condition.name == ignoring:
            continue
        version = state.version
        routes &= ~condition.closed_among(state, seat, routes, condition.verdicts(state, seat), version)
    return routes


def claimable_routes(state: State, seat: int, *, cars: bool = True, ignoring: str = "") -> list[str]:
    """The routes that a seat may claim now if it can pay for them: open to it, and closed by no plugin.

    With `cars=False`, train cars do not matter, as for something other than a claim. A plugin that closes routes to claims
    but opens them to an action of its own leaves itself out by its name, `ignoring="savings"`. Raises `PluginError` if there
    is no such plugin.

    >>> from ttr_rules import new_game
    >>> len(claimable_routes(new_game("europe", players=2, seed=1).state, 0))
    101
    """
    network = state.rules.network
    open_now = state.open_to(seat) if cars else _open_with_any_cars(state, seat)
    routes = [network.route_ids[route] for route in numbers(unbarred_routes(state, seat, open_now, ignoring))]
    if cars and state.rules.claim_cars:
        routes = [route for route in routes if claim_cars(state, seat, route) <= state.cars[seat]]
    return routes


def _open_with_any_cars(state: State, seat: int) -> int:
    """The mask of the unclaimed routes that no double closes to a seat (C5, C6)."""
    free = [route for route, owner in enumerate(state.owner) if owner == FREE]
    return state.rules.network.mask([route for route in free if closed_by_twin(state, seat, route) is None])


class Barred:
    """The routes that conditions of plugins close to a seat in one `version` of the state, as far as known.

    `closed` is the mask of the routes that are known to be closed, `is_closed` the same as a list, once open routes are counted.
    The conditions in `to_ask` must be asked about each other route. If there are any, `payable_stock` caches the number of
    routes at each cost that the seat may claim and pay.
    """

    version: i64

    def __init__(self) -> None:
        self.version = -1
        self.closed = 0
        self.is_closed: list[bool] | None = None
        self.to_ask: list[tuple[ClaimCondition, Verdicts]] = []
        self.payable_stock: list[int] | None = None

    def update(self, state: State, seat: i64, conditions: tuple[ClaimCondition, ...]) -> None:
        """Ask the conditions again, for a new version of the state."""
        self.version = state.version
        self.closed = 0
        self.is_closed = None
        if self.to_ask:
            self.to_ask = []
        self.payable_stock = None
        for condition in conditions:
            if condition.has_closed_routes:
                closed = condition.read_closed_routes(state, seat)
            else:
                verdicts = condition.verdicts(state, seat)
                if verdicts.closed is None:
                    self.to_ask.append((condition, verdicts))
                    continue
                closed = verdicts.closed
            # Of one condition it may be the same object as before, which `_stock_without` sees at once.
            self.closed = self.closed | closed if self.closed else closed

    def allowed(self, state: State, seat: i64, routes: list[int]) -> list[int]:
        """The routes in a list that the seat may claim."""
        return [route for route in routes if state.open_seats[route] >> seat & 1 and self.allows(state, seat, route)]

    def allows(self, state: State, seat: i64, route: int) -> bool:
        """True if no condition closes an open route to the seat."""
        if self.is_closed is not None:
            return not self.is_closed[route]
        if self.closed and self.closed & state.rules.network.bits[route]:
            return False
        for condition, verdicts in self.to_ask:
            if condition.closes(state, seat, route, verdicts, self.version):
                return False
        return True


@mypyc_attr(allow_interpreted_subclasses=True)
class ClaimRule(PaidRule[D, ClaimRoute]):
    """Claim one open route in full (C3–C6): the answer to a turn.

    A plugin that asks for a claim at another moment derives from it, with its own decision in brackets. It may override
    `route_refusal` and `cost` to refuse some of these claims and to change their cost. The hooks `claim_cost`,
    `claim_refusal` and `on_claim` change the cost, the conditions and the consequences of all claims.

    >>> from ttr_rules import Decision
    >>> class ExtraClaim(Decision):
    ...     message = "Which route do you claim as well?"
    >>> class ExtraClaimRule(ClaimRule[ExtraClaim]):
    ...     pass
    >>> ExtraClaimRule()
    <ExtraClaimRule: ClaimRoute for ExtraClaim>
    """

    # Unlike those of other paid rules, items are routes by number, whatever these cost: `tariff` says what that is now.

    on = Turn
    action = ClaimRoute
    enters_tunnels = True
    ends_itself = True
    #: The result of `_constant_costs`: None if it has not been asked yet, (None,) if costs change. It cannot be computed in `bind`, as
    #: `PayTunnelRule.bind` may need it before.
    _constant: tuple[list[Cost] | None] | None = None

    def bind(self, rules: Rules) -> None:
        self._constant = None
        super().bind(rules)
        name = type(self).__name__
        for method, advice in INSTEAD_OF.items():
            if overrides(self, ClaimRule, method):
                raise PluginError(f"{name}.{method}: {advice}")
        own = [ClaimCondition(name, self._refuse)] if overrides(self, ClaimRule, "route_refusal") else []
        #: Complete from here on: what follows depends on it.
        self._conditions = (*rules.claim_conditions, *own)
        self._has_conditions = bool(self._conditions)
        self._nothing_barred = Barred()
        self._tariffs = Tariffs(rules, self.prices, self.cost_of, self._cost_changes(rules))
        usual = RouteTariff(self.prices, self.cost_of, rules.network.class_of)
        self.constant_tariff = None if self.changes_costs(rules) else usual
        #: True if the state counts what is for sale: routes always have their printed costs, and plugins close none.
        self._counted_by_state = not self._has_conditions and self.constant_tariff is usual and usual.by_class

    def every(self, rules: Rules) -> Iterable[tuple[str, Cost]]:
        """The routes at the costs that they always have, or at the printed ones if costs change."""
        costs = self._constant_costs(rules) or [Cost.of_route(route) for route in rules.network.routes]
        return zip(rules.network.route_ids, costs, strict=True)

    def changes_costs(self, rules: Rules) -> bool:
        return self._constant_costs(rules) is None

    @property
    def sold_by(self) -> str:
        """Empty for a claim in a turn, the name of the rule for a claim at another moment."""
        return "" if self.on is Turn else super().sold_by

    def _constant_costs(self, rules: Rules) -> list[Cost] | None:
        """The costs that routes always have, or None if costs change."""
        constant = self._constant
        if constant is None:
            constant = self._constant = (unchanging_costs(rules, self._cost_changes(rules)),)
        return constant[0]

    def _cost_changes(self, rules: Rules) -> tuple[CostChange, ...]:
        """The changes by plugins. A `cost` of a subclass takes their place, and gets them through `super().cost`."""
        if overrides(self, ClaimRule, "cost"):
            return (_change_by_rule(type(self).__name__, self.cost),)
        return rules.cost_changes

    def _refuse(self, state: State, seat: int, route: Route) -> Refusal | None:
        """The `route_refusal` of a subclass, which is asked like `claim_refusal` of a plugin."""
        ask: Callable[..., object] = self.route_refusal  # untyped: the answer is checked
        return require_refusal(f"{type(self).__name__}.route_refusal", ask(state, seat, route.id))

    def tariff(self, state: State, seat: i64) -> RouteTariff:
        constant = self.constant_tariff
        return constant if isinstance(constant, RouteTariff) else self._tariffs.now(state, seat)

    def stock(self, state: State, seat: i64) -> list[int]:
        """The number of routes at each cost that a seat may claim. Do not modify the result.

        Without conditions, or where they close nothing, these are the open routes, which the state counts. If all routes that
        they close are known, the last count is updated. Otherwise conditions must be asked, but only about routes at costs
        that the seat can pay.
        """
        if self._counted_by_state:
            return state.open_by_class[seat]
        tariff = self.tariff(state, seat)
        barred = self._find_barred(state, seat)
        if barred.to_ask:
            if barred.payable_stock is None:
                barred.payable_stock = self._ask_about_payable(state, seat, tariff, barred)
            return barred.payable_stock
        if barred.closed:
            last = self._stock_without(state, seat, tariff, barred.closed)
            barred.is_closed = last.is_closed
            return last.stock
        return tariff.count_open(state, seat)

    def _ask_about_payable(self, state: State, seat: i64, tariff: RouteTariff, barred: Barred) -> list[int]:
        """Count the routes that a seat may claim at each cost that it can pay: plugins are asked about no others."""
        open_now = tariff.count_open(state, seat)
        stock = [0] * len(open_now)
        for row in tariff.prices.rows(state, seat, open_now):
            if open_now[row.cost] and not stock[row.cost]:  # several colors pay the same cost
                stock[row.cost] = len(barred.allowed(state, seat, tariff.items[row.cost]))
        return stock

    def _stock_without(self, state: State, seat: i64, tariff: RouteTariff, closed: int) -> OpenStock:
        """Count the routes that a seat may claim at each cost, where plugins close those in a mask, by updating the last count."""
        last = state.open_stock.get(int(seat))
        # A tariff never changes its list of costs, and `last` keeps that alive: another list is of another tariff or rule.
        if last is None or last.cost_of is not tariff.cost_of:
            stock = tariff.count_open(state, seat).copy()
            last = state.open_stock[seat] = OpenStock(0, [False] * len(self.things), tariff.cost_of, stock)
        if last.closed is not closed:  # quicker than `!=`; an equal mask changes nothing
            self._close_or_open(state, seat, last, closed)
        return last

    def _close_or_open(self, state: State, seat: i64, last: OpenStock, closed: int) -> None:
        """Count without the routes that plugins close now, and with those that they close no longer."""
        stock, cost_of, is_closed, open_seats = last.stock, last.cost_of, last.is_closed, state.open_seats
        route: i64
        for route in numbers(last.closed ^ closed):
            here = is_closed[route] = not is_closed[route]
            seats: i64 = open_seats[route]
            if seats >> seat & 1:
                cost: i64 = cost_of[route]
                routes: i64 = stock[cost]
                stock[cost] = routes - 1 if here else routes + 1
        last.closed = closed

    def _find_barred(self, state: State, seat: i64) -> Barred:
        """The routes that plugins close to a seat now. Plugins are asked at most once between two actions."""
        if not self._has_conditions:
            return self._nothing_barred
        cached = state.cached(self, seat)
        if cached.value is None:
            cached.value = Barred()
        barred: Barred = cached.value
        if cached.version != state.version:
            barred.update(state, seat, self._conditions)
            cached.version = barred.version
        return barred

    def on_sale(self, state: State, seat: i64) -> list[int]:
        return self._find_barred(state, seat).allowed(state, seat, list(range(len(self.things))))

    def items(self, state: State, seat: i64, cost: i64) -> list[int]:
        return self._find_barred(state, seat).allowed(state, seat, self.tariff(state, seat).items[cost])

    def item(self, state: State, seat: i64, cost: i64, which: i64) -> i64:
        tariff = self.constant_tariff or self.tariff(state, seat)
        barred = self._find_barred(state, seat) if self._has_conditions else None
        open_seats = state.open_seats
        for route in tariff.items[cost]:  # for every claim of a playout: no list is made
            seats: i64 = open_seats[route]
            if seats >> seat & 1 and (barred is None or barred.allows(state, seat, route)):
                if which == 0:
                    return route
                which -= 1
        raise IndexError("no such route")

    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        """Claim a route that has been paid for, and end the turn or ask what plugins' `on_claim` asks."""
        claim_and_end_turn(tx, seat, tx.rules.network.route_number[thing])

    def cost(self, state: State, seat: int, thing: str) -> Cost:
        return route_cost(state, seat, thing)

    def route_refusal(self, state: State, seat: int, thing: str) -> Refusal | None:
        """A reason of this rule alone to refuse an open route that no plugin refuses, by default None."""
        return None

    def no_sale(self, state: State, seat: int, thing: str) -> Refusal | None:
        network = state.rules.network
        route = network.route_number[thing]
        refusal = refuse_closed(state, seat, route)
        if refusal is not None:
            return refusal
        for condition in self._conditions:
            refused: Refusal | None = condition.refusal(state, seat, route)
            if refused is not None:
                return refused
        # Where plugins change the number of cars, one of the conditions has asked.
        return _refuse_kind(state, seat, route) if state.rules.claim_cars else _refuse_pieces(state, seat, route)

    def payment_refusal(self, state: State, action: ClaimRoute, cost: Cost) -> Refusal | None:
        printed = Cost.of_route(state.rules.board.routes[action.route])
        # What a subclass gives as `cost` is raised to the least that can be paid, as where claims are counted (`_change_by_rule`).
        return super().payment_refusal(state, action, changed_cost(printed, cost, f"{type(self).__name__}.cost"))

    def refusal(self, state: State, decision: D, action: ClaimRoute) -> Refusal | None:
        route = as_given(action, "route")
        if isinstance(route, str) and route in self._first_item:
            return super().refusal(state, decision, action)
        template = "there is no route {route} on the board {board}"
        return Refusal("C3", Message(template, route=brief(route), board=state.rules.board.name))


def _change_by_rule(rule: str, ask: Callable[..., object]) -> CostChange:
    """The `cost` of a rule for claims as a change like `claim_cost` of a plugin."""

    # Typed as objects, since `constant_answer` gives something else for the state and the seat.
    def change(state: object, seat: object, route: Route, cost: Cost) -> Cost:
        return changed_cost(cost, ask(state, seat, route.id), f"{rule}.cost")

    return CostChange(rule, change)


def _refuse_pieces(state: State, seat: int, route: int) -> Refusal | None:
    """The refusal of a route for which a seat has too few train cars, or too few pieces of its kind (C3)."""
    return too_few_cars(state, seat, state.rules.network.routes[route]) or _refuse_kind(state, seat, route)


def _refuse_kind(state: State, seat: int, route: int) -> Refusal | None:
    """The refusal of a route for which a seat has too few pieces of its kind (C3), in games with fleets."""
    rules = state.rules
    if not rules.fleet_of:
        return None
    cars, kind = rules.network.cars[route], rules.fleet_of[route]
    left = state.left(seat, kind)
    if cars <= left:
        return None
    template = "{route} takes {cars} pieces of the kind {kind}; {seat} has {left}"
    id = rules.network.route_ids[route]
    return Refusal("C3", Message(template, route=id, cars=cars, kind=kind, seat=Seat(seat), left=left))


def refuse_closed(state: State, seat: int, route: int) -> Refusal | None:
    """The refusal of a route that is closed to a seat: claimed, or part of a claimed double (C3, C5, C6)."""
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


def points_of_claim(state: State, seat: int, route: str) -> dict[int, int]:
    """The points that each seat scores if `seat` claims a route now, including changes by plugins (`claim_points`).

    >>> import ttr_rules as ttr
    >>> points_of_claim(ttr.new_game("europe", players=2, seed=1).state, 0, "paris-zurich-gray")
    {0: 4}
    """
    rules = state.rules
    number = rules.network.route_number[route]
    scored: Mapping[int, int] = {seat: rules.network.points[number]}
    for plugin, change in rules.claim_points:
        answer: object = change(state, seat, rules.network.routes[number], scored)
        if not is_table(answer):
            raise wrong_answer(plugin, "claim_points", answer)
        scored = {to: more for to, more in answer.items() if type(to) is int and type(more) is int}
        if len(scored) < len(answer) or not all(0 <= to < state.players for to in scored):
            raise wrong_answer(plugin, "claim_points", answer)
    return dict(sorted(scored.items()))


def menu_points(state: State, seat: int, route: str) -> int:
    """The points that menus show a seat for a claim of a route now, including those by plugins (`menu_points`).

    >>> import ttr_rules as ttr
    >>> menu_points(ttr.new_game("europe", players=2, seed=1).state, 0, "paris-zurich-gray")
    4
    """
    rules = state.rules
    points = points_of_claim(state, seat, route).get(seat, 0)
    return change_number("menu_points", rules.menu_points, (state, seat, rules.board.routes[route]), points)


def _take_and_score(tx: Transaction, seat: i64, route: i64) -> i64:
    """Take and score a route (C4). Returns the points of the seat."""
    network = tx.rules.network
    points: i64 = network.points[route]
    others: dict[int, int] | None = None
    if tx.rules.claim_points:
        others = points_of_claim(tx.state, seat, network.route_ids[route])
        points = others.pop(int(seat), 0)
    if tx.rules.claim_cars:
        # Paying may have raised the number since it was checked, but nobody has fewer than 0 cars.
        cars = min(claim_cars(tx.state, seat, network.route_ids[route]), tx.state.cars[seat])
        if cars != network.cars[route]:  # the event adds the difference, as `take_route` takes the usual number
            tx.emit(RouteCarsChanged, seat, network.route_ids[route], cars)
    take_route(tx, seat, route, points)
    if others:
        for other, more in others.items():
            tx.emit(RoutePointsScored, other, more, network.route_ids[route])
    return points


def claim_and_end_turn(tx: Transaction, seat: i64, route: i64) -> None:
    """Claim and score a route that has been paid for. After plugins' decisions, the turn ends."""
    points = _take_and_score(tx, seat, route)
    if tx.rules.on_claim:
        after_claim(tx, seat, tx.rules.network.route_ids[route], points)
    else:
        end_turn(tx, seat)


def _refuse_free_claim(state: State, seat: int, route: str) -> Refusal | str | None:
    """The reason why a seat cannot claim a route, whatever plugins say, or None if it can."""
    network = state.rules.network
    if type(seat) is not int or not 0 <= seat < state.players:
        return f"the seats are 0 to {state.players - 1}"
    if route not in network.route_number:
        return f"there is no such route on the board {state.rules.board.name}"
    number = network.route_number[route]
    return refuse_closed(state, seat, number) or _refuse_pieces(state, seat, number)


def claim_route(tx: Transaction, seat: int, route: str) -> Question | None:
    """Claim a route for a seat at no cost: for a claim that something else has paid for, or that is free.

    It may be called in any answer, and in any hook that may ask, for any seat, and does not end the turn. The seat uses
    train cars and scores points as for every claim, and no cards are turned up for a tunnel. Return what it returns: the
    question of a plugin's `on_claim`. Once that is answered, the other plugins are told of the claim.

    Conditions of plugins are not asked (see `claimable_routes`). Raises `PluginError` for a route that is not open to the
    seat (C3, C5, C6), or that takes more train cars than it has left.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> claim_route(tx, 1, "paris-zurich-gray")
    >>> tx.log, tx.state.cars
    ([RouteClaimed(seat=1, route='paris-zurich-gray', points=4)], [45, 42])
    """
    network = tx.rules.network
    refused = _refuse_free_claim(tx.state, seat, route)
    if refused is not None:
        raise _wrong_claim(tx, seat, route, refused)
    number = network.route_number[route]
    return call_on_claim(tx, seat, route, int(_take_and_score(tx, seat, number)))


def perform_claim(tx: Transaction, decision: Turn, claim: ClaimRoute) -> None:
    """Perform a claim as part of a plugin's action in a turn: take the payment, turn up cards for a tunnel, and end the turn.

    The turn ends once nothing is left to ask. Call it in `perform` of a rule for `Turn`, which hands on its `decision` and
    returns nothing. Conditions of plugins (`claim_refusal`) and their `around` for claims are not asked. Raises
    `PluginError` for a route that is not open to the seat (C3, C5, C6), that takes more train cars than the seat has left, or
    that `route_refusal` of the rule for claims refuses; for a payment that does not pay for the route; for anything but a
    `ClaimRoute`; if the rule for claims is not a `ClaimRule`; and if `decision` is not the one that the seat has to answer.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"black": 4}}, {}]})
    >>> tx = Transaction(game.state, [])
    >>> perform_claim(tx, game.decision(0), ClaimRoute(0, "berlin-frankfurt-black", {"black": 3}))
    >>> tx.log[:2], tx.state.turn
    ([CardsSpent(seat=0, payment=Counts(black=3)), RouteClaimed(seat=0, route='berlin-frankfurt-black', points=4)], 1)
    """
    if type(claim) is not ClaimRoute:
        raise PluginError(f"perform_claim takes a ClaimRoute, not {brief(claim)}")
    rule = tx.rules.answers[Turn].by_action.get(ClaimRoute)
    if not isinstance(rule, ClaimRule):
        raise PluginError(f"perform_claim: in {tx.rules} claims are not made by a ClaimRule")
    state, seat, route = tx.state, claim.seat, claim.route
    refused = _refuse_free_claim(state, seat, route)
    if refused is None and not (isinstance(decision, Turn) and state.decision(seat) == decision):
        refused = f"{brief(decision)} is not what it has to answer"
    if refused is None:
        cost = rule.cost(state, seat, route)
        refused = rule.route_refusal(state, seat, route) or rule.payment_refusal(state, claim, cost)
    if refused is not None:
        raise _wrong_claim(tx, seat, route, refused)
    rule.perform(tx, decision, claim)


def _wrong_claim(tx: Transaction, seat: int, route: str, reason: object) -> PluginError:
    return PluginError(f"a plugin of {tx.rules} claims {brief(route)} for seat {brief(seat)}: {reason}")
