"""The graph that bots plan with: the board as links, their weights, and the cards that hands lack for them.

A *link* is a pair of neighboring cities with all routes between them: whichever of them is claimed, the cities are
connected. Plans consist of links, so the choice among the routes of a double can wait. Weights are whole numbers,
tenths of a turn, so a plan is the same on every platform.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias, TypeVar

from attrs import field, frozen

from ttr_rules import Rules, View
from ttr_rules.actions import economy_of, pays_with
from ttr_rules.errors import InvalidInputError
from ttr_rules.graph import Goal, Places
from ttr_rules.hints import OpeningHint
from ttr_rules.model import Card, Color, Cost, Network, Route
from ttr_rules.text import brief
from ttr_rules.train_cards import TrainCards

H = TypeVar("H")

CLOSED = 10**9  #: The weight of a link that cannot be used.
PER_POINT = 4  #: The weight of a point, for tickets that name several places with a value each.

Way: TypeAlias = tuple[int, list[int]]  #: The weight of a path, and its links.


@frozen
class TicketGoal:
    """A ticket to complete: from any of `starts` to any of `goals`, which are cities with their extra weight.

    A city of each place of `via` has to be joined with them. `penalty` is what it costs not to complete the ticket.
    """

    ticket: str
    points: int
    starts: tuple[int, ...]
    goals: Mapping[int, int] = field(hash=False)
    via: Places = ()
    penalty: int = 0

    @classmethod
    def of(cls, ticket: str, goal: Goal) -> TicketGoal:
        """The goal for completing a ticket, if possible with its best value.

        Unless it has a penalty of its own, not completing it costs that value too.
        """
        best, (starts, *via, _) = goal[0]
        goals: dict[int, int] = {}
        for points, places in goal:
            for end in places[-1]:
                extra = (best - points) * PER_POINT
                goals[end] = min(extra, goals.get(end, extra))
        last, nowhere = goal[-1]
        return cls(ticket, best, tuple(starts), goals, tuple(via), penalty=best if any(nowhere) else last)


#: Finds light links that reach a goal by itself; None if that is impossible.
Reach: TypeAlias = Callable[[TicketGoal], Way | None]


class LinkGraph:
    """The links of a board by number: the two cities of each, its routes (also as a mask), and the links around each city.

    >>> from ttr_rules.model.board import Board, City, Route
    >>> a, b, c = (City(id, id.upper()) for id in "abc")
    >>> routes = Route("a-b", ("a", "b"), 2), Route("b-c", ("b", "c"), 3), Route("a-c", ("a", "c"), 6)
    >>> links = LinkGraph(Network(Board("small", "Small", (a, b, c), routes, {2: 2, 3: 4, 6: 15})))
    >>> links.way([22, 28, 46], starts=[0], goals={2: 0})  # from A to C: straight on, not by B
    (46, [2])
    """

    def __init__(self, network: Network) -> None:
        between: dict[tuple[int, int], list[int]] = {}
        for route, (first, second) in enumerate(network.ends):
            between.setdefault((min(first, second), max(first, second)), []).append(route)
        self.ends: tuple[tuple[int, int], ...] = tuple(between)
        self.routes: tuple[tuple[int, ...], ...] = tuple(map(tuple, between.values()))
        self.masks: tuple[int, ...] = tuple(map(network.mask, between.values()))
        self.link_of: dict[int, int] = {route: link for link, routes in enumerate(self.routes) for route in routes}
        self.around: list[list[tuple[int, int]]] = [[] for _ in network.city_ids]
        for link, (first, second) in enumerate(self.ends):
            self.around[first].append((second, link))
            self.around[second].append((first, link))

    def way(self, weights: Sequence[int], starts: Iterable[int], goals: Mapping[int, int]) -> Way | None:
        """The weight and the links of the lightest path from a start to a goal (Dijkstra), or None if there is none."""
        lightest = dict.fromkeys(starts, 0)
        came: dict[int, tuple[int, int]] = {}
        todo = [(0, city) for city in lightest]
        while todo:
            weight, city = heappop(todo)
            if city < 0:  # a goal with its extra weight, put back as a number below 0
                city = -1 - city
                links: list[int] = []
                while city in came:
                    city, link = came[city]
                    links.append(link)
                return weight, links
            if weight > lightest[city]:
                continue
            if city in goals:
                heappush(todo, (weight + goals[city], -1 - city))
            for other, link in self.around[city]:
                longer = weight + weights[link]
                if longer < lightest.get(other, CLOSED):
                    lightest[other] = longer
                    came[other] = (city, link)
                    heappush(todo, (longer, other))
        return None

    def reach(self, weights: Sequence[int], goal: TicketGoal) -> Way | None:
        """Light links that join all places of a goal, one after the other, or None if that is impossible."""
        lighter = list(weights)
        total = 0
        used: list[int] = []
        cities: Collection[int] = goal.starts
        for place in (*(dict.fromkeys(place, 0) for place in goal.via), goal.goals):
            if (way := self.way(lighter, cities, place)) is None:
                return None
            total += way[0]
            used += way[1]
            for link in way[1]:
                lighter[link] = 0
            cities = sorted({city for link in used for city in self.ends[link]})
        return total, used

    def join(
        self, weights: Sequence[int], ticket_goals: Sequence[TicketGoal], reach: Reach
    ) -> tuple[set[int], list[TicketGoal]]:
        """Light links that together reach the ticket goals, and the goals that can be reached at all.

        The goals are reached one by one, building on the links of the previous ones: once from the longest, once from
        the shortest, to see which is lighter. `reach` finds the links to each goal by itself, with the same weights.
        """
        reached = [(way, goal) for goal in ticket_goals if (way := reach(goal)) is not None]
        reached.sort(key=lambda pair: (pair[0][0], pair[1].ticket))
        order = [goal for _, goal in reached]
        if len(order) < 2:
            return {link for way, _ in reached for link in way[1]}, order
        first = self._one_by_one(weights, reached[-1][0], order[-2::-1])
        second = self._one_by_one(weights, reached[0][0], order[1:])
        return min(first, second, key=lambda joined: joined[0])[1], order

    def _one_by_one(self, weights: Sequence[int], way: Way, ticket_goals: Sequence[TicketGoal]) -> tuple[int, set[int]]:
        """Reach some goals one after the other, after the one that a way leads to."""
        lighter = list(weights)
        total, links = way
        used = set(links)
        for goal in ticket_goals:
            for link in links:
                lighter[link] = 0
            weight, links = self.reach(lighter, goal) or (0, [])
            total += weight
            used.update(links)
        return total, used


def link_graph(rules: Rules) -> LinkGraph:
    """The links of the board of some rules: `rules.derived(link_graph)` creates them once."""
    return LinkGraph(rules.network)


# -- weights ----------------------------------------------------------------------------------------------------------


PER_CLAIM = 10
PER_SPACE = 6  # two cards a turn, and occasionally one that does not fit
PER_FERRY_LOCOMOTIVE = 5
PER_TUNNEL = 8
PER_EXTRA_POINT = 4  # the weight that a plugin's point for a route takes off

MOST_PER_POINT = 100


def check_per_point(per_point: object) -> float:
    """The worth of a point of a route, in tenths of a turn. Raises `InvalidInputError` for a value out of range."""
    if isinstance(per_point, bool) or not isinstance(per_point, int | float) or not 0 <= per_point <= MOST_PER_POINT:
        raise InvalidInputError(f"per_point is a number from 0 to {MOST_PER_POINT}, not {brief(per_point)}")
    return per_point


@frozen
class RouteWeights:
    """The weight of every route of some rules, less `per_point` for each point that it scores, at least 1.

    >>> from ttr_rules import compile_rules
    >>> rules = compile_rules("north-america")
    >>> [RouteWeights(per_point)(rules)["portland-salt_lake_city-blue"] for per_point in (0, 2)]
    [46, 16]
    """

    per_point: float = 0

    def __call__(self, rules: Rules) -> Mapping[str, int]:
        routes = zip(rules.board.routes.values(), rules.network.points, strict=True)
        return {route.id: max(int(route_weight(route) - self.per_point * points), 1) for route, points in routes}


def route_weight(route: Route) -> int:
    """The cost of claiming a route, in tenths of a turn."""
    weight = PER_CLAIM + PER_SPACE * route.length + PER_FERRY_LOCOMOTIVE * route.ferry_locomotives
    return weight + PER_TUNNEL if route.tunnel else weight


# -- barred routes ----------------------------------------------------------------------------------------------------


def find_hints(rules: Rules, kind: type[H]) -> list[H]:
    """The hints of a type. Of those about borrowing and opening routes, bots heed only the first."""
    return [hint for hint in rules.bot_hints if isinstance(hint, kind)]


class Openings:
    """The needs of barred routes of a view according to the hint of a plugin, none without a hint.

    `locked` holds, for each barred route that can be opened, the names of what it needs, `paid_once` the costs of those
    that nobody claims after that. They cost no cars, and nothing besides.
    """

    def __init__(self, view: View, rules: Rules) -> None:
        self._view, self._rules = view, rules
        self._sums: dict[Collection[str], tuple[int, int]] = {}
        self.hint = next(iter(find_hints(rules, OpeningHint)), None)
        lacking: Mapping[str, tuple[str, ...]] = {} if self.hint is None else self.hint.lacking(view, rules)
        self.locked = {id: tuple(lacking[id]) for id in view.barred if id in lacking}
        claimed = self.hint is None or self.hint.claimed
        self.paid_once = {} if claimed else {id: self._cost(id) or Cost("single", 0) for id in self.locked}

    def _cost(self, name: str) -> Cost | None:
        """The cost of something that opens routes, or None if it takes only a turn."""
        return None if self.hint is None or self.hint.cost is None else self.hint.cost(self._view, self._rules, name)

    def sum_costs(self, names: tuple[str, ...] | frozenset[str]) -> tuple[int, int]:
        """The locomotives that some things cost together, and the other cards."""
        if names not in self._sums:
            costs = [cost for name in names if name not in self.paid_once and (cost := self._cost(name)) is not None]
            wilds = sum([cost.spaces for cost in costs if cost.only_wilds])
            self._sums[names] = wilds, sum([cost.spaces for cost in costs]) - wilds
        return self._sums[names]

    def price(self, names: tuple[str, ...]) -> int:
        """The price of some things in cards: a locomotive counts as two."""
        wilds, others = self.sum_costs(names)
        return 2 * wilds + others

    def needs_of_links(self, links: Iterable[Sequence[Route]]) -> frozenset[str]:
        """The names of what must be bought before one of the routes of every link can be claimed."""
        needs = ([self.locked.get(route.id, ()) for route in routes] for routes in links if routes)
        return frozenset(name for each in needs for name in min(each, key=self.price))


# -- missing cards ----------------------------------------------------------------------------------------------------


LOCOMOTIVE: str = Card.LOCOMOTIVE
GRAY: str = Color.GRAY.value


class Exchange(NamedTuple):
    """A way to pay up to `most` cards of a color with others: `rate` for each, in groups of `alike` of one color."""

    rate: int
    alike: int
    most: int

    def take(self, left: dict[str, int], wanted: int) -> int:
        """Take the cards that stand for up to so many from those left, and return how many they stand for."""
        groups = self.alike * sum([count // self.alike for count in left.values()]) // self.rate
        taken = max(min(wanted, self.most, groups), 0)
        due = taken * self.rate
        for color in sorted(left, key=left.__getitem__):
            used = min(left[color], due) // self.alike * self.alike
            left[color] -= used
            due -= used
        return taken


class CardNeed(NamedTuple):
    """The cards of a route: cards of its color, how many of them locomotives can replace, and a ferry's locomotives."""

    color: str
    cards: int
    locomotives: int
    replaceable: int
    exchange: Exchange | None = None


def card_needs(rules: Rules) -> Mapping[str, CardNeed]:
    """The cards of every route: `rules.derived(card_needs)` collects them once."""
    return {id: card_need(rules, Cost.of_route(route)) for id, route in rules.board.routes.items()}


def card_need(rules: Rules, cost: Cost) -> CardNeed:
    """The cards of a route with this cost."""
    replaceable = max(rules.economy.wild_spaces(cost) - cost.wilds, 0)
    return CardNeed(cost.color or GRAY, cost.spaces - cost.wilds, cost.wilds, replaceable, find_exchange(rules, cost))


def find_exchange(rules: Rules, cost: Cost) -> Exchange | None:
    """The other cards that a cost accepts in place of cards of its color, if any: a lot of any colors, or of all other colors."""
    cards = economy_of(rules.economy, TrainCards) if pays_with(rules.economy, TrainCards) else None
    if cards is None or cards.inherits("readings") or not cards.inherits("powers"):
        return None
    exchanges: list[Exchange] = []
    for reading in cards.bill(cost).readings:
        plain = [(len({*lot.worth} - {*cards.wilds}), lot) for lot in reading.lots]
        others = [lot for kinds, lot in plain if kinds > 1 and kinds >= len(cards.colors) - 1]
        symbols = reading.needs_wilds + sum([lot.spaces for kinds, lot in plain if not kinds])
        paid = sum([lot.spaces for lot in others])
        saved = cost.spaces - sum([lot.spaces for lot in reading.lots]) + paid
        if 0 < saved < paid and symbols >= cost.wilds:  # they do not stand for the symbols
            exchanges.append(Exchange(-(-paid // saved), max([lot.alike for lot in others]), saved))
    return min(exchanges)._replace(most=max([exchange.most for exchange in exchanges])) if exchanges else None


class Shortages:
    """The cards that hands lack for the links in `open`, each with the routes that can be claimed, and for opening these.

    What is `wanted` besides counts with any links.

    Bots ask hundreds of times for each choice, so much is looked up in advance.
    """

    def __init__(
        self,
        rules: Rules,
        open: Mapping[int, Sequence[Route]],
        openings: Openings,
        costs: Mapping[str, Cost],
        wanted: Sequence[Cost] = (),
    ) -> None:
        self._needs = rules.derived(card_needs)
        if costs:
            self._needs = {**self._needs, **{id: card_need(rules, cost) for id, cost in costs.items()}}
        self._open = open
        self.wanted = [(card_need(rules, cost),) for cost in wanted]
        self._openings = openings
        self._by_claims: dict[frozenset[int], Sequence[Sequence[CardNeed]]] = {}
        self._opened: dict[frozenset[int], frozenset[str]] = {}

    def count(self, hand: Mapping[str, int], claims: Iterable[int], bought: Collection[str] = ()) -> int:
        """The number of cards that a hand lacks to claim all of some links and to buy what they need, except `bought`.

        Locomotives that are needed as such count twice.
        """
        claims = frozenset(claims)
        wilds = missing = 0
        if self._openings.locked:
            wilds, missing = self._openings.sum_costs(self.purchases_for(claims).difference(bought))
        return _count_missing(hand, self._link_needs(claims), wilds, missing)

    def count_by_route(self, routes: Iterable[Route], hand: Mapping[str, int]) -> list[int]:
        """The number of cards that a hand lacks to open and claim each route, with one to spare for a tunnel."""
        locked, counts = self._openings.locked, list[int]()
        for route in routes:
            need, wilds, more = self._needs[route.id], 0, int(route.tunnel)
            if route.id in locked:
                wilds, others = self._openings.sum_costs(locked[route.id])
                more += others
            need = need._replace(cards=need.cards + more) if more else need
            counts.append(_count_missing(hand, [(need,)], wilds))
        return counts

    def purchases_for(self, claims: Iterable[int]) -> frozenset[str]:
        """The names of what must be bought before all of some links can be claimed."""
        claims = frozenset(claims)
        if claims not in self._opened:
            self._opened[claims] = self._openings.needs_of_links([self._open.get(link, ()) for link in claims])
        return self._opened[claims]

    def _link_needs(self, claims: frozenset[int]) -> Sequence[Sequence[CardNeed]]:
        """For each of some links, the needs among which the hand decides.

        The colored ones come first, in the order of the links, then one gray route each, the longest first.
        """
        needs = self._by_claims.get(claims)
        if needs is None:
            colored: list[Sequence[CardNeed]] = []
            grays: list[Route] = []
            for link in sorted(claims):
                routes = self._open.get(link, ())
                gray = [route for route in routes if route.color is Color.GRAY]
                if gray:
                    grays.append(min(gray, key=route_weight))
                elif routes:
                    colored.append([self._needs[route.id] for route in routes])
            grays.sort(key=lambda route: -route.length)
            needs = self._by_claims[claims] = [*colored, *self.wanted, *((self._needs[route.id],) for route in grays)]
        return needs


def _count_missing(hand: Mapping[str, int], every: Iterable[Sequence[CardNeed]], wilds: int, missing: int = 0) -> int:
    """The number of cards that a hand lacks for one of the needs of each link, and besides for so many other cards.

    `wilds` of its locomotives are needed for something else.
    """
    left = dict(hand)
    wild = left.pop(LOCOMOTIVE, 0) - wilds
    surely = 0  # cards that no locomotive can replace
    short: list[tuple[int, int, Exchange | None]] = []
    for needs in every:
        need = needs[0]
        if len(needs) > 1:
            need = max(needs, key=lambda need: left.get(need.color, 0) - need.cards - need.locomotives)
        color, cards, locomotives, replaceable, exchange = need
        if color == GRAY:
            color = max(left, key=left.__getitem__, default="")
        spare = left.get(color, 0) - cards
        left[color] = max(0, spare)
        if spare < 0:
            short.append((-spare, replaceable, exchange))
        wild -= locomotives
    for lacking, replaceable, exchange in short:
        if exchange is not None:
            lacking -= exchange.take(left, lacking)
        replaced = min(replaceable, lacking)
        missing += replaced
        surely += lacking - replaced
    return surely + (missing - 2 * wild if wild < 0 else max(missing - wild, 0))
