"""Claiming routes (C3–C7), and entering tunnels; `tunnels` has the rest."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from ttr_rules._internal.native import as_given, i64, mypyc_attr
from ttr_rules.errors import Refusal
from ttr_rules.kernel.economy import without_looking
from ttr_rules.kernel.effects import take_route
from ttr_rules.kernel.events import RoutePointsScored, TunnelEntered
from ttr_rules.kernel.extensions import ClaimCondition, CostChange, Said, wrong_answer
from ttr_rules.kernel.paid_rule import PaidRule
from ttr_rules.kernel.prices import MOST_LISTS, Prices, changes_in
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
#: The most tariffs that are cached.
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
        routes &= ~condition.closed_among(state, seat, routes, condition.said(state, seat))
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
        #: The classes of routes whose cost differs from the printed one, each with its cost now; None if a class no longer has
        #: one cost.
        self.moved: list[tuple[int, int]] | None = None
        now = [costs[routes[0]] for routes in classes]
        if all(costs[route] == now[kind] for kind, routes in enumerate(classes) for route in routes):
            self.moved = [(kind, cost) for kind, cost in enumerate(now) if kind != cost]


class Counted:
    """What a seat may claim at one moment: the answers of conditions, a mask of the routes (or -1), and their number at each cost."""

    __slots__ = ("costs", "mask", "moment", "said", "times")
    moment: i64

    def __init__(
        self, moment: i64, said: list[tuple[ClaimCondition, Said]], mask: int, times: list[int], costs: list[int]
    ) -> None:
        self.moment = moment
        self.said = said
        self.mask = mask
        self.times = times
        self.costs = costs


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

    def bind(self, rules: Rules) -> None:
        super().bind(rules)
        self._ids = tuple(rules.board.routes)
        self.lasting = self.lasting and not rules.cost_changes
        #: The tariffs, by keys of plugins and by the routes with changed costs.
        self._tariffs: dict[tuple[Hashable, ...], Tariff] = {}
        #: The prices of the printed costs and of those that plugins gave at one moment, by all of these costs.
        self._changed_prices: dict[tuple[Cost, ...], Prices] = {self.prices.costs: self.prices}
        self._changes: tuple[CostChange, ...] = rules.cost_changes
        self._conditions: tuple[ClaimCondition, ...] = rules.claim_conditions
        #: True if there are conditions, and `times` is not overridden.
        self._asking: bool = bool(self._conditions) and type(self).times is TIMES
        self._routes: tuple[Route, ...] = tuple(rules.board.routes.values())
        self._printed: list[Cost] = [self.prices.costs[cost] for cost in self.costs]
        self._classes: list[list[int]] = rules.network.class_routes
        costs = without_looking(self._costs)
        #: What the routes always cost, if that depends on neither the position nor the seat.
        self.fixed: Tariff | None = None if costs is None else self._tariff_of(costs)

    def every(self, rules: Rules) -> Iterable[tuple[str, Cost]]:
        return [(id, Cost.of_route(route)) for id, route in rules.board.routes.items()]

    def times(self, state: State, seat: i64) -> list[int]:
        return self._counted(state, seat).times if self._conditions else self._open(state, seat)

    def _open(self, state: State, seat: i64) -> list[int]:
        """The number of routes at each cost that are open to a seat, whatever plugins' conditions say."""
        tariff, counts = self.fixed or self._tariff(state, seat), state.open_count[seat]
        if tariff.moved is None:
            times = [0] * len(tariff.routes)
            for route, seats in enumerate(state.open_for):
                if seats >> seat & 1:
                    times[tariff.costs[route]] += 1
            return times
        if not tariff.moved:
            return counts
        times = counts + [0] * (len(tariff.routes) - len(counts))
        for kind, cost in tariff.moved:
            times[kind] -= counts[kind]
            times[cost] += counts[kind]
        return times

    def on_sale(self, state: State, seat: i64) -> list[int]:
        return self._claimable(state, seat, list(range(len(state.open_for))), self._said(state, seat))

    def items(self, state: State, seat: i64, cost: i64) -> list[int]:
        return self._claimable(state, seat, self._tariff(state, seat).routes[cost], self._said(state, seat))

    def item(self, state: State, seat: i64, cost: i64, which: i64) -> i64:
        if self._conditions:
            return self.items(state, seat, cost)[which]
        open_for = state.open_for
        routes = (self.fixed or self._tariff(state, seat)).routes[cost]
        for route in routes:  # for every claim of a playout: no list is made
            seats: i64 = open_for[route]
            if seats >> seat & 1:
                if which == 0:
                    return route
                which -= 1
        raise IndexError("no such route")

    # -- with conditions of plugins, which are asked once for each decision ---------------------------------------------

    def _said(self, state: State, seat: i64) -> list[tuple[ClaimCondition, Said]]:
        """Each condition with what it has said so far."""
        return [(condition, condition.said(state, seat)) for condition in self._conditions]

    def _claimable(
        self, state: State, seat: i64, routes: list[int], said: list[tuple[ClaimCondition, Said]]
    ) -> list[int]:
        """The routes among these that a seat may claim."""
        open_for = state.open_for
        closed = 0  # the routes closed by masks, without asking about each
        for _, known in said:
            closed |= max(known.closed, 0)
        asked = [(condition, known) for condition, known in said if known.closed < 0]
        found: list[int] = []
        for route in routes:
            seats: i64 = open_for[route]
            if seats >> seat & 1 and not closed >> route & 1:
                for condition, known in asked:
                    if condition.closes(state, seat, route, known):
                        break
                else:
                    found.append(route)
        return found

    def _counted(self, state: State, seat: i64) -> Counted:
        """What a seat may claim now. Where conditions must be asked about routes, only those that it can pay for count."""
        known: list[Counted | None] | None = state.memo.get(self)
        kept: list[Counted | None] = [None] * state.players if known is None else known
        if known is None:
            state.memo[self] = kept
        last = kept[seat]
        moment: i64 = state.moment if state.resting else -1
        if last is not None and moment >= 0 and last.moment == moment:
            return last
        prices, costs = self.priced(state, seat)
        said = self._said(state, seat)
        closed = 0
        for _, each in said:
            if each.closed < 0:
                counted = kept[seat] = Counted(moment, said, -1, self._asked(state, seat, prices, said), costs)
                return counted
            closed |= each.closed
        if not closed:
            counted = Counted(moment, said, -1, self._open(state, seat), costs)
        else:
            counted = self._less(state, seat, moment, said, closed, costs, last)
        kept[seat] = counted
        return counted

    def _less(
        self,
        state: State,
        seat: i64,
        moment: i64,
        said: list[tuple[ClaimCondition, Said]],
        closed: int,
        costs: list[int],
        last: Counted | None,
    ) -> Counted:
        """What a seat may claim now, if conditions close some routes; `last` is the previous answer, which is brought up to date."""
        mask = open_routes = state.open_to(seat)
        mask &= ~closed
        if last is None or last.mask < 0 or last.costs is not costs:
            # copied, as the list of the state changes with it
            changed, before, times = mask ^ open_routes, open_routes, self._open(state, seat).copy()
        else:
            changed, before, times = mask ^ last.mask, last.mask, last.times
        if changed:
            times = times.copy()
            for route in numbers(changed & before):
                times[costs[route]] -= 1
            for route in numbers(changed & mask):
                times[costs[route]] += 1
        return Counted(moment, said, mask, times, costs)

    def _asked(self, state: State, seat: i64, prices: Prices, said: list[tuple[ClaimCondition, Said]]) -> list[int]:
        """The number of routes at each cost that a seat may claim, if it can pay that."""
        open_times, at = self._open(state, seat), self._tariff(state, seat).routes
        times = [0] * len(at)
        for row in prices.rows(state, seat, open_times):
            if open_times[row.cost]:
                times[row.cost] = len(self._claimable(state, seat, at[row.cost], said))
        return times

    def count(self, state: State, seat: i64) -> i64:
        return (self.fixed or self._tariff(state, seat)).prices.count(state, seat, self.times(state, seat))

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        if not self._asking:
            return super().nth(state, seat, index)
        counted = self._counted(state, seat)
        cost, way, which = self.priced(state, seat)[0].nth(state, seat, counted.times, index)
        return self._code(
            self._claimable(state, seat, self._tariff(state, seat).routes[cost], counted.said)[which], way
        )

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        if not self._asking:
            return super().codes(state, seat)
        counted, at = self._counted(state, seat), self._tariff(state, seat).routes
        codes: list[int] = []
        items: dict[int, list[int]] = {}
        for cost, way in self.priced(state, seat)[0].listed(state, seat, counted.times):
            if cost not in items:
                items[cost] = self._claimable(state, seat, at[cost], counted.said)
            codes += [self._code(item, way) for item in items[cost]]
        return codes

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
        """What the routes cost a seat now: computed once between two actions, or once for each key if all changes have one."""
        if self.fixed is not None:
            return self.fixed
        tariff: Tariff | None = state.recall(self, seat)
        if tariff is not None:
            return tariff
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
        state.remember(self, seat, tariff)
        return tariff

    def _keep(self, key: tuple[Hashable, ...], tariff: Tariff) -> None:
        if len(self._tariffs) >= KEYS_KEPT:
            self._tariffs.clear()
        self._tariffs[key] = tariff

    def _costs(self, state: Any, seat: Any) -> list[Cost]:
        """The cost of each route, with plugins' changes for a seat at this moment."""
        pairs = zip(self._routes, self._printed, strict=True)
        return [_changed(self._changes, state, seat, route, printed) for route, printed in pairs]

    def _tariff_of(self, costs: list[Cost]) -> Tariff:
        """The tariff for the costs of all routes. It has prices for just these: their order must not depend on earlier games."""
        key = changes_in(costs, self._printed)
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
        for condition in self._conditions:
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


#: The method as defined here, to tell whether a subclass overrides it.
TIMES: object = vars(ClaimRule)["times"]


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
