"""Claiming routes (C3–C7), and entering tunnels; `tunnels` has the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules._internal.language import Message, Seat
from ttr_rules._internal.messages import brief
from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.events.play import RouteClaimed, TunnelEntered
from ttr_rules.kernel.extensions import AfterClaim, CostChange
from ttr_rules.kernel.open_routes import closed_by_twin, route_claimed
from ttr_rules.kernel.payments import joined_payments
from ttr_rules.kernel.prices import Layers, Price, PriceList, PriceTable
from ttr_rules.kernel.state import FREE, State
from ttr_rules.kernel.tables import tables_of
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.mechanics.claim_codes import ClaimCodes, route_classes
from ttr_rules.mechanics.claim_list import Claims
from ttr_rules.model.actions import ClaimRoute
from ttr_rules.model.board import Board
from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost, changed_cost
from ttr_rules.model.decisions import Turn
from ttr_rules.model.network import nth_number, numbers

NO_EXTRA = Counts()


def route_cost(state: State, seat: int, route: str) -> Cost:
    """What a route costs a seat now, including changes by plugins.

    >>> from ttr_rules import new_game
    >>> state = new_game("europe", players=2, seed=1).state
    >>> route_cost(state, 0, "palermo-smyrna-gray").wilds
    2
    """
    return _changed(state, seat, Cost.of_route(state.rules.board.routes[route]), tables_of(state).cost_changes)


def not_barred(state: State, seat: int, routes: int) -> int:
    """The routes of a mask that no condition of a plugin closes to a seat.

    >>> from ttr_rules import new_game
    >>> state = new_game("europe", players=2, seed=1).state
    >>> not_barred(state, 0, state.open[0]) == state.open[0]
    True
    """
    for condition in state.course.claim_conditions:
        routes &= ~condition.mask(state, seat, routes)
    return routes


def _changed(state: State, seat: int, cost: Cost, changes: Sequence[CostChange]) -> Cost:
    for each in changes:
        cost = changed_cost(cost, each.change(state, seat, cost), f"the CostChange {each.name!r}")
    return cost


class ClaimRule(ActionRule[Turn, ClaimRoute]):
    """Claim one open route in full (C3–C6).

    A code is a route and a way to pay for it, see `ClaimCodes`. Where the payments are too many to be numbered, or
    change during a game, it is the number of the route plus the number of routes times the index of the payment among
    those that are possible now.
    """

    on = Turn
    action = ClaimRoute

    def __init__(self, economy: Economy, board: Board) -> None:
        self.economy = economy
        classes = route_classes(board)
        self.prices = economy.price_list([each.cost for each in classes])
        self._items = [
            next(item for item, each in enumerate(classes) if each.routes >> route & 1)
            for route in range(len(board.routes))
        ]
        self._all_payments = self.prices.all_payments()
        self._codes: ClaimCodes | None = None
        self._places = [each.routes for each in classes]
        self._width = len(board.routes)
        self._repeat = Layers.repeat(self._width)
        self._costs = [Cost.of_route(route) for route in board.routes.values()]
        self._changed_prices: dict[tuple[Cost, ...], PriceList] = {}
        self._ids = tuple(board.routes)

    def _payable(self, state: State, seat: int) -> tuple[int, list[Layers], list[int]]:
        """The routes that a seat may claim, and, for each table of what it can pay, the bits of those routes."""
        claimable = not_barred(state, seat, state.open[seat])
        open_routes = claimable * self._repeat
        found: list[Layers] = []
        payable: list[int] = []
        for table in self._prices(state, seat).tables(state, seat):
            layers = table.layers or self.layers_of(table)
            found.append(layers)
            payable.append(layers.bits & open_routes)
        return claimable, found, payable

    def offers(self, state: State, decision: Turn) -> Sequence[ClaimRoute]:
        claimable, found, payable = self._payable(state, decision.seat)
        deep: list[tuple[int, Price]] = []
        size = 0
        for bits in payable:
            size += bits.bit_count()
        for layers in found:
            if layers.deep:
                # survives +, *, |: a price whose routes are all taken offers nothing, whether it is passed over or not
                deep += [(routes & claimable, price) for routes, price in layers.deep if routes & claimable]
        if deep:
            size += sum([routes.bit_count() * price.ways for routes, price in deep])
        if not size:
            return ()
        return Claims(decision.seat, self._ids, found, payable, deep, size, self._width)

    # -- claims as numbers -----------------------------------------------------------------------------------

    def claim_codes(self, rules: GameData) -> ClaimCodes | None:
        """The numbers of all claims; None if they cannot be numbered once and for all."""
        if self._codes is None and self._all_payments is not None and not rules.course.cost_changes:
            self._codes = ClaimCodes(self._items, self._all_payments)
        return self._codes

    def number_of_codes(self, rules: GameData) -> int | None:
        codes = self.claim_codes(rules)
        return None if codes is None else len(codes.routes)

    def count(self, state: State, decision: Turn) -> int:
        # As `_payable`, without its lists: this runs in every turn.
        seat = decision.seat
        claimable = state.open[seat]
        if state.course.claim_conditions:
            claimable = not_barred(state, seat, claimable)
        open_routes = claimable * self._repeat
        size = 0
        for table in self._prices(state, seat).tables(state, seat):
            layers = table.layers
            if layers is None:
                layers = self.layers_of(table)
            size += (layers.bits & open_routes).bit_count()
            if layers.deep:
                for routes, price in layers.deep:
                    size += (routes & claimable).bit_count() * price.ways
        return size

    def nth(self, state: State, decision: Turn, index: int) -> int:
        seat = decision.seat
        claimable, found, payable = self._payable(state, seat)
        for number, bits in enumerate(payable):
            size = bits.bit_count()
            if index < size:
                return self._code_at(state, seat, found[number], nth_number(bits, index))
            index -= size
        for layers in found:
            for routes, price in layers.deep:
                routes &= claimable
                count = routes.bit_count()
                if index < count * price.ways:
                    return self._code(state, seat, nth_number(routes, index % count), price, index // count)
                index -= count * price.ways
        raise IndexError("no such claim")

    def codes(self, state: State, decision: Turn) -> Sequence[int]:
        """The codes of all legal claims, in the order of `offers`."""
        seat = decision.seat
        claimable, found, payable = self._payable(state, seat)
        all_codes = self.claim_codes(state.rules)
        width = self._width
        codes: list[int] = []
        for number, bits in enumerate(payable):
            layers = found[number]
            if all_codes is None:
                codes += [self._code_at(state, seat, layers, place) for place in numbers(bits)]
                continue
            for place in numbers(bits):  # as `_code_at` says, with nothing looked up twice
                way = place // width
                route = place - way * width
                codes.append(all_codes.first[route] + self._price_numbers(all_codes, layers.price_at(route))[way])
        for layers in found:
            for routes, price in layers.deep:
                places = numbers(routes & claimable)
                codes += [self._code(state, seat, route, price, way) for way in range(price.ways) for route in places]
        return codes

    def _code_at(self, state: State, seat: int, layers: Layers, place: int) -> int:
        """The code of a claim by its place in the bits of a table."""
        way = place // self._width
        route = place - way * self._width
        return self._code(state, seat, route, layers.price_at(route), way)

    def _code(self, state: State, seat: int, route: int, price: Price, way: int) -> int:
        codes = self.claim_codes(state.rules)
        if codes is None:
            return route + self._width * self._payments(state, seat, route).index(price.payments[way])
        return codes.first[route] + self._price_numbers(codes, price)[way]

    def _price_numbers(self, codes: ClaimCodes, price: Price) -> list[int]:
        """The numbers of the payments of a price among all payments for its routes."""
        if not price.numbers:
            numbers = codes.numbers[price.item]
            price.numbers = [numbers[payment] for payment in price.payments]
        return price.numbers

    def _payments(self, state: State, seat: int, route: int) -> Sequence[Counts]:
        """The payments for a route that are possible now."""
        item = self._items[route]
        prices = self._prices(state, seat).affordable(state, seat)
        return joined_payments([price.payments for price in prices if price.item == item])

    def _claimed(self, state: State, seat: int, code: int) -> tuple[int, Counts]:
        """The route and the payment of a code."""
        codes = self.claim_codes(state.rules)
        if codes is not None:
            return codes.routes[code], codes.payments[code]
        route = code % self._width
        return route, self._payments(state, seat, route)[code // self._width]

    def action_of(self, state: State, decision: Turn, code: int) -> ClaimRoute:
        route, payment = self._claimed(state, decision.seat, code)
        return ClaimRoute(decision.seat, self._ids[route], payment)

    def code_of(self, state: State, decision: Turn, action: ClaimRoute) -> int:
        route = state.rules.network.route_number[action.route]
        codes = self.claim_codes(state.rules)
        if codes is None:
            return route + self._width * self._payments(state, decision.seat, route).index(action.payment)
        return codes.first[route] + codes.numbers[self._items[route]][action.payment]

    def perform_code(self, tx: Transaction, decision: Turn, code: int) -> None:
        route, payment = self._claimed(tx.state, decision.seat, code)
        self._claim(tx, decision.seat, route, payment)

    # -- prices ----------------------------------------------------------------------------------------------

    def layers_of(self, table: PriceTable) -> Layers:
        """A table of prices by the routes that have them."""
        table.layers = Layers(table.prices, self._places, self._width)
        return table.layers

    def _prices(self, state: State, seat: int) -> PriceList:
        """The prices of all routes, including plugins' changes for this seat at this moment."""
        changes = state.course.cost_changes
        if not changes:
            return self.prices
        costs = tuple(_changed(state, seat, cost, changes) for cost in self.prices.costs)
        if costs == self.prices.costs:
            return self.prices
        if costs not in self._changed_prices:
            self._changed_prices[costs] = self.economy.price_list(costs)
        return self._changed_prices[costs]

    def _cost(self, state: State, seat: int, route: int) -> Cost:
        return _changed(state, seat, self._costs[route], state.course.cost_changes)

    def refusal(self, state: State, decision: Turn, action: ClaimRoute) -> Refusal | None:
        network = state.rules.network
        given: Any = action  # a route that is no string is refused as well
        route: int | None = network.route_number.get(given.route)
        if route is None:
            template = "there is no route {route} on the board {board}"
            return Refusal("C3", Message(template, route=brief(given.route), board=state.rules.board.name))
        closed = _closed(state, action.seat, route)
        if closed is not None:
            return closed
        for condition in state.course.claim_conditions:
            refused: Refusal | None = condition.refusal(state, action.seat, action.route)
            if refused is not None:
                return refused
        if network.cars[route] > state.cars[action.seat]:
            cars, left = network.cars[route], state.cars[action.seat]
            template = "{route} takes {cars} train cars; {seat} has {left}"
            return Refusal("C3", Message(template, route=action.route, cars=cars, seat=Seat(action.seat), left=left))
        return self.economy.refusal(state, action.seat, self._cost(state, action.seat, route), action.payment)

    def perform(self, tx: Transaction, decision: Turn, action: ClaimRoute) -> None:
        self._claim(tx, action.seat, tx.rules.network.route_number[action.route], action.payment)

    def _claim(self, tx: Transaction, seat: int, route: int, payment: Counts) -> None:
        cost = self._cost(tx.state, seat, route)
        if not cost.tunnel:
            self.economy.pay(tx, seat, payment)
            claim(tx, seat, route)
            return
        revealed, extra = self.economy.enter_tunnel(tx, seat, cost, payment)
        if extra is None:
            self.economy.leave_tunnel(tx, seat, NO_EXTRA)
            claim(tx, seat, route)
        else:
            tx.emit(TunnelEntered, seat, self._ids[route], payment, revealed, extra)


def _closed(state: State, seat: int, route: int) -> Refusal | None:
    """Why a route is closed to a seat, regardless of payment: claimed, or part of a claimed double (C3, C5, C6)."""
    ids = state.rules.network.route_ids
    # survives >: free is -1, and seats are numbered from 0
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


def claim(tx: Transaction, seat: int, route: int) -> None:
    """Claim and score a route that has been paid for (C4); after plugins' decisions, the turn ends."""
    network = tx.state.course.network
    id = network.route_ids[route]
    points = network.points[route]
    route_claimed(tx.state, seat, route, points)
    if tx.log is not None:
        tx.record(RouteClaimed, (seat, id, points))
    if tx.course.after_claims:
        after_claim(tx, seat, id)
    else:
        end_turn(tx, seat)


def after_claim(tx: Transaction, seat: int, route: str, done: AfterClaim | None = None) -> None:
    """Run the hooks that follow a claim, those after `done` in turn; then end the turn.

    >>> from ttr_rules import new_game
    >>> tx = Transaction(new_game("europe", players=2, seed=1).state, [])
    >>> after_claim(tx, 0, "paris-zurich-gray")
    >>> tx.state.to_act
    (1,)
    """
    following = tables_of(tx.state).after_claims
    for each in following if done is None else following[following.index(done) + 1 :]:
        ask: Any = each.ask  # one that returns None asked nothing
        if ask(tx, seat, route):
            return
    end_turn(tx, seat)
