"""A seat's evaluation of its view, for any bot: the open links, plans for its tickets, the turns that are left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache, cached_property, partial
from typing import TypeVar

from attrs import evolve, frozen

from ttr_rules import Rules, State, View
from ttr_rules.actions import economy_layers
from ttr_rules.engine import LegalActions
from ttr_rules.errors import InvalidInputError
from ttr_rules.graph import components, points_of
from ttr_rules.hidden import sample_world
from ttr_rules.hints import ActionValue, BorrowHint, RouteCosts, RouteValues, TicketRoutes, TurnsLeft
from ttr_rules.model import Action, Card, ClaimRoute, Color, Cost, Counts, Dealer, Route, SeededChance
from ttr_rules.plugins import Economy, EconomyLayer
from ttr_rules.text import brief
from ttr_rules.train_cards import SeenCards
from ttr_tools.bots.links import (
    CLOSED,
    PER_EXTRA_POINT,
    PER_SPACE,
    Openings,
    Reach,
    RouteWeights,
    Shortages,
    TicketGoal,
    check_per_point,
    find_hints,
    link_graph,
)

T = TypeVar("T")

COMMON = frozenset(map(str, Card))  #: The cards that plans count; a plugin may have more types.

#: True while plugins are asked what routes are worth or what they want: plans that they make meanwhile ignore both.
_ASKING_PLUGINS: ContextVar[bool] = ContextVar("asking_plugins", default=False)

OPENING_ROUNDS = 2  #: The number of times that a plan is reconsidered once it is known what it must buy.
PATIENCE = 6  #: The number of turns that a plan may seem too long: opponents are often slower than they could be.


@frozen
class Plan:
    """Links to claim, and other players' links to borrow, for some tickets.

    `serving` and `tickets` are what the seat had when the plan was created: see `Evaluation`.
    """

    claims: frozenset[int] = frozenset()
    borrows: frozenset[int] = frozenset()
    ticket_goals: tuple[TicketGoal, ...] = ()
    serving: frozenset[int] = frozenset()
    tickets: tuple[str, ...] = ()


class Evaluation:
    """The game as one seat sees it, in terms of links. It is made anew for every choice.

    `hand` holds the seat's cards of the common types: none in an economy without cards. `owned` are the links that the
    seat holds, `serving` these and the links of others that it may use for its tickets by a plugin's hint, `open` those
    it could claim now or later, each with its open routes, `waiting` the open ones that it may not claim now, `foreign`
    those where others hold a route. `extends` says whether the seat may claim only what touches its own routes. This is
    assumed if everything it may claim now does, and nothing that waits. `built` and `borrows_left` say where routes of
    others are borrowed and how often the seat still may, if a plugin has a hint for it. `horizon` is roughly the number
    of turns that the seat has left, including this one.

    The weight of a link is that of its lightest open route, each point of which is worth `per_point`, and its number in
    `dislikes`.
    """

    def __init__(self, view: View, rules: Rules, per_point: float = 0, dislikes: Sequence[int] = ()) -> None:
        assert view.seat is not None, "a spectator has nothing to plan"
        self.view = view
        self.rules = rules
        self.seat = seat = view.seat
        self.links = links = rules.derived(link_graph)
        self.cars = view.cars[seat]
        self.cards = view.part(SeenCards) if view.has_part(SeenCards) else None
        hand = Counts() if self.cards is None or self.cards.hand is None else self.cards.hand
        self.hand = {str(card): count for card, count in hand.items() if card in COMMON}
        network = rules.network
        number = network.route_number
        owners = {number[id]: owner for id, owner in view.owners.items() if id in number}
        taken = network.mask(owners)
        self.openings = Openings(view, rules)
        lasting = [id for id, lasts in view.barred.items() if lasts and id not in self.openings.locked]
        own = sorted(number[id] for id in view.routes(seat))
        closed = rules.closed_beside(len(view.players), network.mask(own), taken)
        lost = taken | network.mask([number[id] for id in lasting]) | closed
        usable = (network.within(self.cars) | network.mask([number[id] for id in self.openings.paid_once])) & ~lost
        claimable = usable & ~network.mask([number[id] for id in view.barred if id not in self.openings.locked])
        self.owned = frozenset(links.link_of[route] for route in own)
        self.serving = self.owned
        for hint in find_hints(rules, TicketRoutes):
            self.serving |= {links.link_of[number[id]] for id in hint.routes(view, rules) if id in number}
        self.foreign = {links.link_of[route] for route, owner in owners.items() if owner != seat}
        self.open: dict[int, Sequence[Route]] = {}
        costs: dict[str, Cost] = {}
        for cost_hint in find_hints(rules, RouteCosts):
            costs.update(cost_hint.read(view, rules))
        costs.update(self.openings.paid_once)
        routes = list(rules.board.routes.values())
        for id, cost in costs.items():  # in the colors that they currently cost
            routes[number[id]] = evolve(routes[number[id]], color=Color(cost.color or Color.GRAY))
        for link, (mask, choices) in enumerate(zip(links.masks, links.routes, strict=True)):
            if mask & usable and link not in self.owned:
                self.open[link] = [routes[route] for route in choices if usable >> route & 1]
        self.waiting = frozenset(link for link in self.open if not links.masks[link] & claimable)
        self.touched = {city for link in self.owned for city in links.ends[link]}
        self.extends = 0 < len(self.waiting) < len(self.open) and all(
            self.touched.isdisjoint(links.ends[link]) == (link in self.waiting) for link in self.open
        )
        wanting = [hint.wants for hint in find_hints(rules, ActionValue) if hint.wants is not None]
        wishes = [cost for cost in self._ask_plugins(wanting) if cost]
        self.shortages = Shortages(rules, self.open, self.openings, costs, wishes)
        self.values = find_hints(rules, RouteValues)
        cities = network.city_number
        self.borrow = next(iter(find_hints(rules, BorrowHint)), None)
        built: Mapping[str, int] = {} if self.borrow is None else self.borrow.built(view)
        self.built = {cities[city]: owner for city, owner in built.items() if city in cities}
        self.borrows_left = 0 if self.borrow is None else self.borrow.left(view, seat)
        self._printed_weights = rules.derived(RouteWeights(per_point))
        self._dislikes = dislikes or [0] * len(links.ends)
        self.ticket_plans: dict[tuple[str, ...], TicketPlan] = {}  # those that `plan_tickets` has made
        # By what is bought first.
        self._weighed: dict[frozenset[str] | None, tuple[list[int], Reach]] = {}
        self.labels = components([links.ends[link] for link in self.serving], len(network.city_ids))
        self.horizon = self._horizon()

    def _ask_plugins(self, asks: Iterable[Callable[[View, Rules], T]]) -> list[T]:
        """The answers of plugins' hints, none while plugins are being asked: plans made meanwhile ignore them."""
        if _ASKING_PLUGINS.get():
            return []
        asking = _ASKING_PLUGINS.set(True)
        try:
            return [ask(self.view, self.rules) for ask in asks]
        finally:
            _ASKING_PLUGINS.reset(asking)

    @cached_property
    def extra_points(self) -> Mapping[str, float]:
        """The points that plugins' hints give for claiming routes, by id, without those that bring none."""
        extra: dict[str, float] = {}
        for values in self._ask_plugins(hint.values for hint in self.values):
            for route, points in values.items():
                extra[route] = extra.get(route, 0) + points
        return extra

    @property
    def weights(self) -> list[int]:
        """The weights of all links, computed when they are needed: who follows a plan and draws cards needs none."""
        return self._weigh(None)[0]

    def _weigh(self, bought: frozenset[str] | None) -> tuple[list[int], Reach]:
        """The weights of all links if the seat buys something first, and what finds and keeps links to single goals.

        With None, what opens links costs half: it will open other links too.
        """
        if bought in self._weighed:
            return self._weighed[bought]
        built, seat, dislikes = self.built, self.seat, self._dislikes
        weights = [CLOSED] * len(dislikes)
        locked, alone = self.openings.locked, self._route_weights
        price, part = self.openings.price, 2 if bought is None else 1
        ready = bought or ()
        lacking = {names: tuple([name for name in names if name not in ready]) for names in {*locked.values()}}
        needed = {names: PER_SPACE * price(rest) // part for names, rest in lacking.items()}
        for link, routes in self.open.items():
            lightest = min([alone[route.id] + needed.get(locked.get(route.id, ()), 0) for route in routes])
            weights[link] = dislikes[link] + lightest
        lent = CLOSED if self.borrow is None or not self.borrows_left else self.borrow.turns
        for link in self.foreign - self.open.keys():
            first, second = self.links.ends[link]
            if seat in (built.get(first), built.get(second)):
                weights[link] = 1
            elif first not in built or second not in built:
                weights[link] = lent
        for link in self.serving:
            weights[link] = 0
        self._weighed[bought] = weights, cache(partial(self.links.reach, weights))
        return self._weighed[bought]

    @cached_property
    def _route_weights(self) -> Mapping[str, int]:
        """The weights of routes, less what they bring, without what they still need."""
        weights = self._printed_weights
        if not self.values:
            return weights
        extra = {route: int(PER_EXTRA_POINT * points) for route, points in self.extra_points.items()}
        return {route: max(weight - extra.get(route, 0), 1) for route, weight in weights.items()}

    def _horizon(self) -> int:
        view = self.view
        if view.turns_left:
            return -(-view.turns_left // len(view.cars))
        known = [hint.turns_left(view, self.rules) for hint in find_hints(self.rules, TurnsLeft)]
        box = self.rules.components
        sizes = (0,) * len(view.cars) if self.cards is None else self.cards.hand_sizes
        rounds = [max(turns - 1, 0) for turns in known]
        if box.rounds is not None:
            rounds.append(max(box.rounds - view.round, 0))
        if box.last_round_at is not None or not rounds:
            for cars, cards in zip(view.cars, sizes, strict=True):
                more = max(cars - (box.last_round_at or 0), 0)
                rounds.append((max(more - cards, 0) + 1) // 2 + (more + 3) // 4)
        return min(rounds) + 1

    # -- plans -----------------------------------------------------------------------------------------------

    def ticket_goals(self, tickets: Iterable[str]) -> list[TicketGoal]:
        """The tickets that are not completed yet by the routes that the seat may use for them."""
        goals = {id: self.rules.ticket_goals[id] for id in tickets}
        return [TicketGoal.of(id, goal) for id, goal in goals.items() if not points_of([goal], self.labels)[1][0]]

    def plan(self, old: Plan) -> Plan:
        """A plan for the tickets held: the old one if it can still be followed.

        Tickets are dropped until there are enough cars and turns for the rest: those that take too many cars by themselves,
        then the cheapest.
        """
        news = self.serving - old.serving
        claims = old.claims - news
        if (
            old.tickets == self.view.tickets
            and old.serving <= self.serving
            and news <= old.claims
            and claims <= self.open.keys()
            and self.spaces(claims) <= self.cars
            and self._not_lendable(old.borrows) is None
            and not (self.extends and self._apart(claims))
        ):
            return Plan(claims, old.borrows, old.ticket_goals, self.serving, old.tickets)
        ticket_goals = self.ticket_goals(self.view.tickets)
        while True:
            plan = self.plan_for(ticket_goals)
            late = len(plan.ticket_goals) > 1 and self.turns(plan) > self.horizon + PATIENCE
            if not late and self.spaces(plan.claims) <= self.cars:
                return plan
            hopeless = [goal for goal in plan.ticket_goals if self.spaces(self.plan_for([goal]).claims) > self.cars]
            least = min(hopeless or plan.ticket_goals, key=lambda goal: (goal.points + goal.penalty, goal.ticket))
            ticket_goals = [ticket_goal for ticket_goal in plan.ticket_goals if ticket_goal is not least]

    def plan_for(self, ticket_goals: Sequence[TicketGoal]) -> Plan:
        """A light plan for the ticket goals that can be reached. What it buys may open a better one."""
        before: frozenset[str] | None = None
        plan = self._plan_with(before, ticket_goals)
        for _ in range(OPENING_ROUNDS if self.openings.locked else 0):
            bought = self.shortages.purchases_for(plan.claims)
            if bought == before:
                break
            before, plan = bought, self._plan_with(bought, ticket_goals)
        return plan

    def _plan_with(self, bought: frozenset[str] | None, ticket_goals: Sequence[TicketGoal]) -> Plan:
        usual, reach = self._weigh(bought)
        weights = list(usual)
        while True:
            links, granted = self.links.join(weights, ticket_goals, reach)
            borrows = frozenset(links - self.open.keys() - self.serving)
            claims = frozenset(links & self.open.keys() - self.serving)
            surplus = self._not_lendable(borrows)
            if surplus is None and self.extends:
                claims, surplus = self._join(weights, claims)
            if surplus is None:
                return Plan(claims, borrows, tuple(granted), self.serving, self.view.tickets)
            weights[surplus] = CLOSED
            reach = partial(self.links.reach, weights)

    def _apart(self, claims: Iterable[int]) -> frozenset[int]:
        """The cities of some claims that would form a piece apart from the seat's own routes, if there is one."""
        links = [self.links.ends[link] for link in (*self.owned, *claims)]
        labels = components(links, len(self.labels))
        own = {labels[city] for city in self.touched}
        piece = next((labels[city] for city, _ in links if labels[city] not in own), None)
        return frozenset(city for city, label in enumerate(labels) if label == piece)

    def _join(self, weights: Sequence[int], claims: frozenset[int]) -> tuple[frozenset[int], int | None]:
        """Some claims and those that join them to the seat's own routes, and a link that cannot be joined, if any."""
        own = self.open.keys() | self.owned  # what only serves for tickets joins nothing
        lighter = [weight if link in own else CLOSED for link, weight in enumerate(weights)]
        while piece := self._apart(sorted(claims)):
            for link in claims:
                lighter[link] = 0
            way = self.links.way(lighter, sorted(self.touched), dict.fromkeys(sorted(piece), 0))
            if way is None:
                return claims, min(link for link in claims if piece.issuperset(self.links.ends[link]))
            claims |= self.open.keys() & way[1]
        return claims, None

    def lacking(self, borrows: Iterable[int]) -> list[int]:
        """The links that must still be borrowed: each city where the seat may borrow lends one."""
        spent: set[int] = set()
        lacking: list[int] = []
        for link in sorted(borrows):
            mine = [city for city in self.links.ends[link] if self.built.get(city) == self.seat and city not in spent]
            if mine:
                spent.add(mine[0])
            else:
                lacking.append(link)
        return lacking

    def _not_lendable(self, borrows: Iterable[int]) -> int | None:
        """One of the links that cannot be borrowed, if there is one."""
        lacking = self.lacking(borrows)
        occupied = [link for link in lacking if all(city in self.built for city in self.links.ends[link])]
        surplus = occupied or lacking[self.borrows_left :]
        return surplus[-1] if surplus else None

    def sites(self, plan: Plan) -> set[str]:
        """The cities at which a link of the plan could be borrowed."""
        cities = {city for link in self.lacking(plan.borrows) for city in self.links.ends[link]}
        return {self.rules.network.city_ids[city] for city in cities if city not in self.built}

    def spaces(self, claims: Iterable[int]) -> int:
        """The number of cars needed for some open links."""
        cars, free = self.rules.route_cars, self.openings.paid_once
        return sum(min(0 if route.id in free else cars[route.id] for route in self.open[link]) for link in claims)

    def takes_saved(self, payment: Mapping[str, int]) -> bool:
        """Tell whether a payment takes cards that are saved for what hints want."""
        count = self.shortages.count
        return bool(self.shortages.wanted) and count(subtract(self.hand, payment), ()) > count(self.hand, ())

    def turns(self, plan: Plan) -> int:
        """Roughly the number of turns that a plan takes."""
        draws = (self.shortages.count(self.hand, plan.claims) + 1) // 2
        return draws + len(plan.claims) + 2 * len(self.lacking(plan.borrows))

    def ticket_points(self, more: Collection[str] = ()) -> int:
        """The points of the tickets held, now, or if the seat could use some more routes."""
        network = self.rules.network
        links = [self.links.ends[link] for link in self.serving]
        links += [network.ends[network.route_number[route]] for route in more if route in network.route_number]
        goals = [self.rules.ticket_goals[ticket] for ticket in self.view.tickets]
        return points_of(goals, components(links, len(network.city_ids)))[0]


def subtract(hand: Mapping[str, int], payment: Mapping[str, int]) -> dict[str, int]:
    """The rest of a hand after a payment."""
    return {card: count - payment.get(card, 0) for card, count in hand.items()}


# -- for other bots ---------------------------------------------------------------------------------------------------


def cheapest_claims(actions: Iterable[Action], rules: Rules) -> dict[str, ClaimRoute]:
    """For each route that a seat can claim now, the claim with the cheapest payment, in the order of its legal `actions`.

    The cheapest payment uses the fewest wild cards, then the fewest cards (`Economy.payment_rank`). Of a price that can
    be paid in more than a hundred ways, only the first hundred are compared.

    >>> import ttr_rules as ttr
    >>> ada = {"name": "Ada", "hand": {"white": 3, "red": 1, "locomotive": 1}}
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [ada, {"name": "Bo"}]})
    >>> claims = cheapest_claims(game.legal_actions(0), game.rules)
    >>> print(claims["frankfurt-paris-white"].payment)
    3 white
    """
    rank = rules.economy.payment_rank
    cheapest: dict[str, ClaimRoute] = {}
    for action in actions.sample() if isinstance(actions, LegalActions) else actions:
        if isinstance(action, ClaimRoute):
            claim = cheapest.get(action.route)
            if claim is None or rank(action.payment) < rank(claim.payment):
                cheapest[action.route] = action
    return cheapest


@frozen
class TicketPlan:
    """Routes that together complete some tickets, as far as they can be completed.

    `links` has a tuple for each pair of neighboring cities to connect: the ids of the routes there, any one of which
    will do. `borrows` are the routes of others that it uses, where the rules allow that. `tickets` are those that the
    plan completes, without those already complete. `spaces` is the smallest number of cars that it takes, `missing` the
    number of cards that the hand lacks for it (locomotives that are needed as such count twice), `turns` roughly the
    number of turns. `complete` are the tickets that are complete already. A ticket in neither `tickets` nor `complete`
    is out of reach.

    >>> from ttr_rules import new_game
    >>> game = new_game("north-america", players=2, seed=1)
    >>> plan = plan_path(game.view(0), game.rules, "miami", "raleigh")
    >>> sorted(plan.routes), plan.spaces
    (['charleston-miami-purple', 'charleston-raleigh-gray'], 6)
    """

    links: tuple[tuple[str, ...], ...]
    borrows: tuple[str, ...]
    tickets: tuple[str, ...]
    spaces: int
    missing: int
    turns: int
    complete: tuple[str, ...] = ()

    @property
    def routes(self) -> frozenset[str]:
        """All routes of the links."""
        return frozenset(route for link in self.links for route in link)


def plan_tickets(
    view: View, rules: Rules, tickets: Collection[str] | None = None, *, per_point: float = 0
) -> TicketPlan:
    """Plan how the seat of a view could complete some tickets, by default all that it holds.

    The plan prefers routes that take few turns, and builds on the routes that the seat has, or may use for its tickets
    (`TicketRoutes`). A route that the seat cannot claim any more is not part of it, nor is a ticket that needs one.
    `per_point` is how much of a turn each point of a route is worth, in tenths: with 3, a plan makes detours over long
    routes.

    A hint, which sees no state, asks it whether a ticket is complete. A country or one of several places counts as on
    the score sheet, without routes to be borrowed.

    Raises `InvalidInputError` for anything but the view of a seat, for a ticket that the rules do not know, and for a worth of
    points that is out of range.

    >>> import ttr_rules as ttr
    >>> ada = {"name": "Ada", "tickets": ["Brest-Marseille"], "hand": {"orange": 2}}
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [ada, {"name": "Bo"}]})
    >>> plan = plan_tickets(game.view(0), game.rules)
    >>> plan.links, plan.spaces, plan.missing
    ((('brest-paris-black',), ('marseille-paris-gray',)), 7, 5)
    >>> "brest-marseille" in plan.complete
    False
    >>> [plan_tickets(game.view(0), game.rules, [ticket]).turns for ticket in ("paris-wien", "lisboa-danzig")]
    [6, 15]
    """
    evaluation = evaluate(view, rules, per_point)
    wanted = view.tickets if tickets is None else tuple(tickets)
    if wanted not in evaluation.ticket_plans:
        for ticket in wanted:
            if ticket not in rules.ticket_goals:
                raise InvalidInputError(f"{brief(ticket)} is not a ticket of {rules}")
        goals = evaluation.ticket_goals(wanted)
        missing = {goal.ticket for goal in goals}
        complete = tuple([ticket for ticket in wanted if ticket not in missing])
        evaluation.ticket_plans[wanted] = evolve(_plan(evaluation, goals), complete=complete)
    return evaluation.ticket_plans[wanted]


def plan_path(view: View, rules: Rules, start: str, end: str, *, per_point: float = 0) -> TicketPlan | None:
    """Plan how the seat of a view could connect two cities, given by id. Returns None if it cannot.

    It is a plan for a ticket of these two cities: see `plan_tickets`. Within the hook `route_values`, it ignores
    what plugins say that routes are worth. Raises `InvalidInputError` for anything but the view of a seat, and for a city that is
    not on the board.

    >>> from ttr_rules import new_game
    >>> game = new_game("north-america", players=2, seed=1)
    >>> for end in ("new_orleans", "raleigh"):
    ...     print(*plan_path(game.view(0), game.rules, "miami", end).links)
    ('miami-new_orleans-red',)
    ('charleston-miami-purple',) ('charleston-raleigh-gray',)
    """
    evaluation = evaluate(view, rules, per_point)
    number = rules.network.city_number
    for city in (start, end):
        if city not in number:
            raise InvalidInputError(f"{brief(city)} is not a city of the board {rules.board.name}")
    plan = _plan(evaluation, [TicketGoal("", 0, (number[start],), {number[end]: 0})])
    return plan if plan.tickets else None


def shortage(view: View, rules: Rules, cost: Cost, *, pieces: Mapping[str, int] | None = None) -> int:
    """The number of spaces of a cost that the seat of a view cannot pay for now, 0 if it can pay for all.

    The economy of the stack is asked, so cards that stand in for others, coins or dice count as in a claim. With
    `pieces`, by kind, the seat has so many more of what a layer takes (`EconomyLayer.pieces`). If a cost is short now
    and not with enough coins, the cards suffice. Raises `InvalidInputError` for anything but the view of a seat and for
    pieces that no layer takes, `PluginError` if a part of the state does not say how to sample its secrets
    (`Part.redeal`).

    >>> import ttr_rules as ttr
    >>> from ttr_rules.model import Cost
    >>> players = [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> costs = Cost("single", 3, "red"), Cost("single", 3, "blue"), Cost("single", 4, wilds=1)
    >>> [shortage(game.view(0), game.rules, cost) for cost in costs]
    [0, 3, 1]
    """
    seat, more = _check_view(view), Counts.of(pieces or {})
    layers = [layer for layer in economy_layers(rules.economy) if isinstance(layer, EconomyLayer)]
    if any(all(kind not in layer.pieces for layer in layers) for kind in more):
        raise InvalidInputError(f"expected pieces that a layer of the economy takes, not {brief(pieces)}")
    world: State | None = getattr(view, "world", None)  # cached, as hints ask about many things
    if world is None or world.rules is not rules:
        world = State(rules, len(view.players), SeededChance(0))
        sample_world(world, view, Dealer(0))
        object.__setattr__(view, "world", world)
    for missing in range(cost.spaces):
        for wilds in range(max(cost.wilds - missing, 0), min(cost.wilds, cost.spaces - missing) + 1):
            if _pays(rules.economy, world, seat, evolve(cost, spaces=cost.spaces - missing, wilds=wilds), more):
                return missing
    return cost.spaces


def _pays(economy: Economy, state: State, seat: int, cost: Cost, more: Counts) -> bool:
    """True if a seat can pay a cost, with more pieces than it has."""
    if not more or not isinstance(economy, EconomyLayer):
        return next(iter(economy.payments(state, seat, cost)), None) is not None
    held = economy.held(state, seat)
    has = {kind: held.get(kind, 0) + more[kind] for kind in economy.pieces}
    alternatives = economy.checked_alternatives(economy.changed(state, seat, cost))
    left = [rest for rest, pieces in alternatives if pieces.within(has)]
    return any(rest is None or _pays(economy.below, state, seat, rest, more) for rest in left)


def evaluate(view: View, rules: Rules, per_point: float = 0) -> Evaluation:
    """Evaluate a view as the planner does: its open links with their weights, the seat's hand, its horizon.

    Raises `InvalidInputError` for anything but the view of a seat.
    """
    _check_view(view)
    key = check_per_point(per_point), _ASKING_PLUGINS.get()
    known: dict[object, Evaluation] = getattr(view, "evaluations", {})  # cached, as hints ask about many actions
    if key not in known or known[key].rules is not rules:
        known = {**known, key: Evaluation(view, rules, per_point)}
        object.__setattr__(view, "evaluations", known)
    return known[key]


def _check_view(view: object) -> int:
    if not isinstance(view, View) or view.seat is None:
        raise InvalidInputError(f"expected the view of a seat, as game.view(0), not {brief(view)}")
    return view.seat


def _plan(evaluation: Evaluation, goals: Sequence[TicketGoal]) -> TicketPlan:
    plan = evaluation.plan_for(goals)
    ids, links = evaluation.rules.network.route_ids, evaluation.links.routes
    borrowed = ([ids[route] for route in links[link]] for link in sorted(plan.borrows))
    return TicketPlan(
        tuple(tuple(route.id for route in evaluation.open[link]) for link in sorted(plan.claims)),
        tuple(next(id for id in routes if id in evaluation.view.owners) for routes in borrowed),
        tuple(sorted(goal.ticket for goal in plan.ticket_goals)),
        evaluation.spaces(plan.claims),
        evaluation.shortages.count(evaluation.hand, plan.claims),
        evaluation.turns(plan),
    )
