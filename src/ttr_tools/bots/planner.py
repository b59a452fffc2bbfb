"""`Bot`, the planner: it decides from what its seat may see, and follows a plan for its tickets.

In a turn it claims, buys, borrows or draws what helps the plan most.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cache, cached_property, partial
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ttr_rules import Rules, View
from ttr_rules.actions import economy_of, pays_with
from ttr_rules.engine import LegalActions, sampled
from ttr_rules.errors import InvalidInputError
from ttr_rules.hints import ActionValue, BorrowHint, DrawHint, LoanHint, OpeningHint
from ttr_rules.model import (
    Action,
    Card,
    CardDraw,
    ClaimRoute,
    Counts,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    Turn,
    checked_seed,
)
from ttr_rules.model.decisions import replace
from ttr_rules.train_cards import DrawBlind, DrawFaceUp, DrawFrom, TrainCards
from ttr_tools.bots.evaluation import Evaluation, Plan, subtract
from ttr_tools.bots.links import CLOSED, LOCOMOTIVE, check_per_point, find_hints, link_graph

HOARD = 30  # with this many cards in hand, a route is claimed whether planned or not
WAITING_HOARD = 9  # the same, if all that is planned is closed for now
DECK = {str(card): 14 if card is Card.LOCOMOTIVE else 12 for card in Card}


# -- legal actions ----------------------------------------------------------------------------------------------------


#: The number of payments for one thing that bots look at.
MOST_PAYMENTS = 100
WORTH_OF_A_TURN = 2.0  # roughly the points of an ordinary turn

A = TypeVar("A", bound=Action)

if TYPE_CHECKING:

    class Borrow(Action):
        """An action that borrows another player's route at a city."""

        city: str
        payment: Mapping[str, int]


class Options:
    """Legal actions by their use, those of plugins by their hints. If there are very many, it is a sample.

    An action with a use of its own and a value has both: bots add the value to what they think of it.

    Actions are created when they are asked for, since most claim a route that a bot does not want, or pay for the same
    thing in one of a hundred ways.
    """

    def __init__(self, actions: Sequence[Action], rules: Rules) -> None:
        self._rules = rules
        self._all = group_actions(actions)
        self._draws = {hint.action: hint for hint in find_hints(rules, DrawHint)}
        self._loans = {hint.action: hint for hint in find_hints(rules, LoanHint)}
        self._values = {hint.action: hint for hint in find_hints(rules, ActionValue)}
        self._uses: dict[type[Action], object] = {
            **{kind: kind for kind in (KeepTickets, PayTunnel, DrawFaceUp, DrawBlind, DrawTickets)},
            **{hint.action: BorrowHint for hint in find_hints(rules, BorrowHint)},
            **dict.fromkeys(self._loans, LoanHint),
            **dict.fromkeys(self._draws, DrawBlind),
        }
        self._opening = next(iter(find_hints(rules, OpeningHint)), None)
        self._groups: defaultdict[object, list[Sequence[Action]]] = defaultdict(list)
        uses, values, self._all_valued = self._uses, self._values, True
        for group in self._all:
            kind = type(group[0])
            if kind.instead_of in uses:
                uses.setdefault(kind, uses[kind.instead_of])
            if kind.instead_of in values:
                values.setdefault(kind, values[kind.instead_of])
            if CardDraw in values and issubclass(kind, CardDraw):
                values.setdefault(kind, values[CardDraw])
            opens, valued = self._opening is not None and kind is self._opening.action, kind in values
            self._groups[OpeningHint] += [group] if opens else []
            self._groups[ActionValue] += [group] if valued else []
            self._all_valued = self._all_valued and valued and kind not in uses
            if kind is ClaimRoute:
                self._groups[ClaimRoute].append(group)
            elif kind in uses or not (opens or valued):
                self._groups[uses.get(kind, Action)].append(group)

    def of(self, use: type[A]) -> list[A]:
        """The actions that keep tickets, pay for a tunnel, draw a card face up, or draw tickets."""
        return list(self._sample(use))

    @cached_property
    def unknown(self) -> list[Action]:
        """The actions of unknown use."""
        return list(self._sample(Action))

    def _sample(self, use: object) -> Iterator[Any]:
        return chain.from_iterable(map(sampled, self._groups[use]))

    @property
    def all(self) -> list[Action]:
        """All legal actions, or a sample if there are very many, created anew each time."""
        return list(chain.from_iterable(map(sampled, self._all)))

    @cached_property
    def blind(self) -> list[Action]:
        """The draws from the pile, of most cards first."""
        return sorted(self._sample(DrawBlind), key=self.cards_drawn, reverse=True)

    def cards_drawn(self, action: Action) -> int:
        """The number of cards that an action draws from the pile in a turn."""
        hint = self._draws.get(type(action))
        return 2 if hint is None else hint.cards

    @cached_property
    def lends(self) -> list[tuple[Action, tuple[str, ...]]]:
        """The actions that borrow routes for the end of the game, each with its routes."""
        return [(action, self._loans[type(action)].routes(action)) for action in self._sample(LoanHint)]

    @cached_property
    def borrows(self) -> list[Borrow]:
        """The actions that borrow another player's route."""
        return list(self._sample(BorrowHint))

    @cached_property
    def claims(self) -> list[ClaimRoute]:
        """Claims of every route, one for each price."""
        groups = cast("Sequence[Sequence[ClaimRoute]]", self._groups[ClaimRoute])
        return [claim for group in groups for claim in sampled(group, 1)]

    def claims_on(self, routes: int) -> list[ClaimRoute]:
        """The claims of some routes, given as a mask."""
        wanted = {id for number, id in enumerate(self._rules.network.route_ids) if routes >> number & 1}
        claims: list[ClaimRoute] = []
        for claim, payments in self._purchases(ClaimRoute, wanted):
            if claim.route in wanted:
                claims += [with_payment(claim, payment) for payment in payments]
        return claims

    def openings(self, names: Container[str]) -> Iterator[tuple[str, Action]]:
        """The actions that open routes by one of some names, each with that name."""
        for action, payments in self._purchases(OpeningHint):
            assert self._opening is not None, "nothing opens routes without this hint"
            if (name := self._opening.opens(action)) in names:
                yield from ((name, with_payment(action, payment)) for payment in payments)

    def _purchases(
        self, use: object, things: Container[object] | None = None
    ) -> Iterator[tuple[Any, Sequence[Counts | None]]]:
        """An action for each thing on sale, with the payments for it, or None. All, or at least some things."""
        for group in self._groups[use]:
            purchases = group.purchases(things) if isinstance(group, LegalActions) else None
            if purchases is None:
                yield from ((action, (None,)) for action in sampled(group))
                continue
            # Things of the same price share payments.
            read: dict[int, tuple[Sequence[Counts], Sequence[Counts | None]]] = {}
            for action, payments in purchases:
                if id(payments) not in read:
                    read[id(payments)] = payments, payments[:MOST_PAYMENTS] or (None,)
                yield action, read[id(payments)][1]

    def hinted_points(self, view: View, action: Action) -> float:
        """The points that a hint adds to a bot's own judgment of an action."""
        hint = self._values.get(type(action))
        return 0.0 if hint is None else hint.value(view, self._rules, action)

    def worthwhile(self, view: View, actions: Iterable[A]) -> list[A]:
        """The actions of which no hint says that they cost more than a turn is worth."""
        return [action for action in actions if self.hinted_points(view, action) > -WORTH_OF_A_TURN]

    def knows(self, action: Action) -> bool:
        """Tell whether bots judge an action themselves, too."""
        return type(action) in self._uses

    def best_valued(self, view: View, rules: Rules, turn_worth: float = WORTH_OF_A_TURN) -> list[Action]:
        """The actions with the highest value by their hints, unless all are worth less than the alternatives.

        An action that takes the turn must be worth more than `turn_worth`.
        """
        worths: list[tuple[float, Any, Counts | None]] = []
        for thing, payments in self._purchases(ActionValue):
            if self.knows(thing) and not isinstance(view.decision, Turn):
                continue  # bots compare it with the others by themselves
            value = self._values[type(thing)].value
            by_rank: dict[object, float] = {}  # the same for payments that are equally cheap
            for payment in payments:
                rank = None if payment is None else rules.economy.payment_rank(payment)
                if rank not in by_rank:
                    by_rank[rank] = value(view, rules, with_payment(thing, payment))
                worths.append((by_rank[rank], thing, payment))
        if not worths:
            return []
        best: Action
        worth, best, _ = max(worths, key=lambda valued: valued[0])
        rule = rules.answers[Turn].by_action.get(type(best))
        takes_turn = isinstance(view.decision, Turn) and not (rule is not None and rule.free)
        if worth <= (turn_worth if takes_turn else 0.0) and not self._all_valued:
            return []
        return [with_payment(thing, payment) for value, thing, payment in worths if value == worth]

    def forget_values(self) -> None:
        """Take actions whose value a hint gives for actions of unknown use, unless bots know them."""
        self._groups[Action] += [group for group in self._groups.pop(ActionValue, []) if not self.knows(group[0])]
        self._values = {}

    def any(self, chance: float) -> Action:
        """An action other than drawing tickets: mostly of unknown types, which may earn something in a plugin."""
        if self.unknown and chance < 0.875:
            return self.unknown[int(chance / 0.875 * len(self.unknown))]
        pool = [action for action in self.all if DrawTickets not in (type(action), action.instead_of)] or self.all
        return pool[int(chance * len(pool))]


def group_actions(actions: Sequence[A]) -> Sequence[Sequence[A]]:
    """Legal actions in groups of one type. A plain list has a group for each action, or for each of a sample."""
    return actions.groups if isinstance(actions, LegalActions) else [[action] for action in sampled(actions)]


def with_payment(action: A, payment: Counts | None) -> A:
    """An action with another payment, or the action itself for None."""
    return action if payment is None else replace(action, payment=payment)


# -- tickets ---------------------------------------------------------------------------------------------------


def worth_keeping(evaluation: Evaluation, action: KeepTickets) -> float:
    """The value of keeping these tickets too: what they bring, or cost if they fail, minus the turns."""
    ticket_goals = evaluation.ticket_goals([*evaluation.view.tickets, *action.tickets])
    plan = evaluation.plan_for(ticket_goals)
    turns, fits = evaluation.turns(plan), evaluation.spaces(plan.claims) <= evaluation.cars
    sure = min(1.0, max(0.0, 1.7 - turns / evaluation.horizon)) if fits else 0.0
    granted = sum(goal.points for goal in plan.ticket_goals)
    at_risk = sum(goal.penalty for goal in plan.ticket_goals)
    lost = sum(goal.penalty for goal in ticket_goals) - at_risk
    return granted * (2 * sure - 1) + (granted - at_risk) * (1 - sure) - lost - 0.8 * turns


# -- turns -----------------------------------------------------------------------------------------------------


def claim_points(evaluation: Evaluation, route: str) -> int:
    """The points that a claim of a route scores immediately, and those of all tickets after it."""
    network = evaluation.rules.network
    points = network.points[network.route_number[route]] + int(evaluation.extra_points.get(route, 0))
    return points + evaluation.ticket_points([route])


def spare_claim(evaluation: Evaluation, plan: Plan, options: Options) -> Action:
    """The claim that harms the plan least, and of those the one that scores most: for a seat that can draw no cards."""
    points = cache(partial(claim_points, evaluation))
    harm = cache(partial(payment_harm, evaluation, plan.claims))
    return min(options.claims_on(-1), key=lambda claim: (harm(claim.payment)[0], -points(claim.route)))


def last_action(evaluation: Evaluation, options: Options) -> Action | None:
    """The claim or loan that scores most immediately, or None if none scores."""
    points, points_now = cache(partial(claim_points, evaluation)), evaluation.ticket_points()
    owners, routes = evaluation.view.owners, evaluation.rules.board.routes
    foreign = {id: routes[id].cities for id, owner in owners.items() if owner != evaluation.seat}

    @cache
    def borrow_gain(city: str) -> int:
        lent = [evaluation.ticket_points([route]) for route, ends in foreign.items() if city in ends]
        return max(lent, default=points_now) - points_now - (evaluation.borrow.points if evaluation.borrow else 0)

    gains: list[tuple[int, Action]] = [(points(claim.route) - points_now, claim) for claim in options.claims]
    gains += [(borrow_gain(borrow.city), borrow) for borrow in options.borrows]
    gain, action = max(gains, key=lambda pair: pair[0], default=(0, None))
    return action if gain > 0 else None


def route_for_points(evaluation: Evaluation) -> Plan:
    """With all tickets done: the open link with the most points per turn, preferably next to the seat's own routes.

    A link that the seat may claim now comes before any that waits.
    """
    network = evaluation.rules.network
    links = [link for link in evaluation.open if link not in evaluation.waiting] or list(evaluation.open)
    links = [link for link in links if evaluation.spaces([link])]  # others score nothing
    routes = [(link, route) for link in links for route in evaluation.open[link]]
    lacking = evaluation.shortages.count_by_route([route for _, route in routes], evaluation.hand)
    values: list[tuple[float, int]] = []
    for (link, route), missing in zip(routes, lacking, strict=True):
        turns = (missing + 1) // 2 + 1
        if turns <= evaluation.horizon + 1:
            points = network.points[network.route_number[route.id]]
            value = (points + evaluation.extra_points.get(route.id, 0)) / turns
            is_near = not evaluation.touched.isdisjoint(evaluation.links.ends[link])
            values.append((value * 1.1 if is_near else value, link))
    value, best = max(values, key=lambda pair: pair[0], default=(0.0, -1))
    return Plan(frozenset([best] if value > 0 else links[:1]))


def opening(evaluation: Evaluation, plan: Plan, options: Options) -> Action | None:
    """Buy what opens most of the plan, unless the payment would take what it needs more."""
    shortages, hand = evaluation.shortages, evaluation.hand
    needs = shortages.purchases_for(plan.claims)
    if not needs:
        return None
    short = shortages.count(hand, plan.claims)
    opened = Counter(name for link in plan.claims for name in shortages.purchases_for([link]))
    without_cars = [link for link in plan.claims if not evaluation.spaces([link])]
    served = {name: link for link in without_cars for name in shortages.purchases_for([link])}
    purchases: list[tuple[int, int, int, Action]] = []
    for name, action in options.openings(needs):
        payment: Mapping[str, int] = getattr(action, "payment", {})
        harm = shortages.count(subtract(hand, payment), plan.claims - {served.get(name, -1)}, {name})
        purchases.append((harm, -opened[name], sum(payment.values()), action))
    best = min(purchases, key=lambda purchase: purchase[:3], default=None)
    return best[-1] if best is not None and best[0] <= short else None


def follow(evaluation: Evaluation, plan: Plan, options: Options, chance: float) -> Action:
    """Claim a planned link if it can be paid for, then borrow what is planned, else draw."""
    if claim := choose_claim(evaluation, plan, options):
        return claim
    if not plan.claims or evaluation.horizon <= 3:
        cities = evaluation.sites(plan)
        borrows = [borrow for borrow in options.worthwhile(evaluation.view, options.borrows) if borrow.city in cities]
        if borrows:
            return min(borrows, key=lambda borrow: payment_harm(evaluation, plan.claims, borrow.payment))
    limit = WAITING_HOARD if plan.claims and plan.claims <= evaluation.waiting else HOARD
    if sum(evaluation.hand.values()) >= limit and options.claims:
        return last_action(evaluation, options) or options.claims[0]
    return draw(evaluation, plan, options, chance)


def choose_claim(evaluation: Evaluation, plan: Plan, options: Options) -> ClaimRoute | None:
    """The most urgent of the planned claims that can be paid, with the payment that harms the plan least."""
    rules, links = evaluation.rules, evaluation.links
    urgency = cache(partial(link_urgency, evaluation, plan))
    claims: list[tuple[int, tuple[int, int, int], ClaimRoute]] = []
    for claim in options.claims_on(sum([links.masks[link] for link in plan.claims])):
        is_risky = rules.board.routes[claim.route].tunnel and not can_pay_extra(evaluation, claim)
        if evaluation.horizon > 2 and (is_risky or evaluation.takes_saved(claim.payment)):
            continue
        link = links.link_of[rules.network.route_number[claim.route]]
        harm = payment_harm(evaluation, plan.claims - {link}, claim.payment)
        claims.append((12 * harm[0] - urgency(link), harm, claim))
    return min(claims, key=lambda item: item[:2])[2] if claims else None


def link_urgency(evaluation: Evaluation, plan: Plan, link: int) -> int:
    """The detour between the ends of a link if another player takes it, halved where there are two routes."""
    weights = list(evaluation.weights)
    for other in plan.claims:
        weights[other] = 0
    weights[link] = CLOSED
    first, second = evaluation.links.ends[link]
    way = evaluation.links.way(weights, [first], {second: 0})
    detour = 100 if way is None else min(way[0] - evaluation.weights[link], 100)
    return detour // 2 if len(evaluation.open[link]) > 1 else detour


def can_pay_extra(evaluation: Evaluation, claim: ClaimRoute) -> bool:
    """Tell whether one card is left that could pay for a tunnel (T2). Without cards, it is left to chance."""
    left = subtract(evaluation.hand, claim.payment)
    colors = {LOCOMOTIVE, *claim.payment}
    return not evaluation.hand or sum(evaluation.hand.values()) >= HOARD or any(left.get(color) for color in colors)


def payment_harm(evaluation: Evaluation, claims: Iterable[int], payment: Mapping[str, int]) -> tuple[int, int, int]:
    """The harm of a payment to a plan: the cards missing afterwards, then the number of cards and locomotives paid."""
    missing = evaluation.shortages.count(subtract(evaluation.hand, payment), claims)
    return missing, sum(payment.values()), payment.get(LOCOMOTIVE, 0)


def count_decks(rules: Rules) -> Mapping[str, Mapping[str, int]]:
    """The cards of each deck, by its name: the standard cards for every stack with one deck, or without any."""
    decks = economy_of(rules.economy, TrainCards).decks if pays_with(rules.economy, TrainCards) else ()
    return {deck.name: deck.cards for deck in decks} if len(decks) > 1 else {"": DECK}


def deck_drawn(action: Action, rules: Rules) -> Mapping[str, int]:
    """The cards of the deck from which a card is drawn blind."""
    decks = rules.derived(count_decks)
    return decks[action.deck] if isinstance(action, DrawFrom) else next(iter(decks.values()))


def least_held(draws: Sequence[Action], rules: Rules, hand: Mapping[str, int]) -> list[Action]:
    """The blind draws, by the number of cards of their deck in the hand."""
    return sorted(draws, key=lambda action: sum([hand.get(card, 0) for card in deck_drawn(action, rules)]))


def draw(evaluation: Evaluation, plan: Plan, options: Options, chance: float) -> Action:
    """Draw the card that helps the plan most, blind if no face-up card is as good as a blind one may be."""
    worth = card_worths(evaluation, plan)
    rules = evaluation.rules

    def blind(deck: Mapping[str, int]) -> float:
        return sum(worth[card] * count for card, count in deck.items()) / sum(deck.values())

    hinted_points = partial(options.hinted_points, evaluation.view)
    values: list[tuple[float, Action]] = [
        (blind(deck_drawn(action, rules)) * options.cards_drawn(action) / 2 + 0.05 + hinted_points(action), action)
        for action in least_held(options.blind, rules, evaluation.hand)
    ]
    second = 0.9 * max(map(blind, rules.derived(count_decks).values()))  # a face-up locomotive costs a second card (D2)
    values += [
        (worth.get(action.card, 0.0) - (second if action.card == LOCOMOTIVE else 0.0) + hinted_points(action), action)
        for action in options.of(DrawFaceUp)
    ]
    if values:
        return max(values, key=lambda pair: pair[0])[1]
    # There is nothing better than a claim.
    if options.claims and all(type(action) is Pass for action in options.unknown):
        return spare_claim(evaluation, plan, options)
    return options.any(chance)


def card_worths(evaluation: Evaluation, plan: Plan) -> dict[str, float]:
    """The help of one more card of each type: one fewer is missing, above all for a link that lacks few."""
    hand, shortages = evaluation.hand, evaluation.shortages
    short = shortages.count(hand, plan.claims)
    wanted = [route for link in sorted(plan.claims) for route in evaluation.open[link]]
    lacking = [pair for pair in zip(wanted, shortages.count_by_route(wanted, hand), strict=True) if pair[1]]
    routes = [route for route, _ in lacking]
    worth: dict[str, float] = {}
    for card in chain.from_iterable(evaluation.rules.derived(count_decks).values()):
        more = {**hand, card: hand.get(card, 0) + 1}
        worth[card] = float(short - shortages.count(more, plan.claims))
        for (_, before), now in zip(lacking, shortages.count_by_route(routes, more), strict=True):
            if now < before:
                worth[card] += 0.5 / before
    return worth


CARS_FOR_MORE_TICKETS = 14
TURNS_FOR_MORE_TICKETS = 9
MOST_LOST_TICKETS = 2  #: A seat with as many that cannot be completed draws no more.


class Bot:
    """A player that plans cheap routes to complete its tickets, and follows the plan.

    It decides only from its view and its legal actions. The same seed, views and actions give the same choices on every
    platform. Bots with different seeds have slightly different preferences. Among actions that it does not know (those
    of plugins) a bot chooses at random. It claims routes as planned and pays as little as it can, in any economy.

    `per_point` is the part of a turn that each point of a route is worth to it, in tenths: with 3, it makes detours over long
    routes.

    Raises `InvalidInputError`, a `ValueError`, for a seed that is neither a whole number nor a string, and for a negative
    worth of points, or one that is not a number.

    >>> from ttr_rules import new_game
    >>> game = new_game("north-america", players=2, seed=7)
    >>> bot = Bot(seed=7)
    >>> game.is_legal(bot.choose(game.view(0), game.rules, game.legal_actions(0)))
    True
    """

    def __init__(self, seed: int | str, per_point: float = 0) -> None:
        self.seed = checked_seed(seed)
        self.per_point = check_per_point(per_point)
        self._rules: Rules | None = None
        self._dislikes: list[int] = []
        self._plan = Plan()
        #: The plan of its last choice: for its tickets, or the route that it wants for its points.
        self.plan = Plan()
        # `random()` is the only method whose results Python guarantees not to change.
        self._random = Random(f"bot {seed!r}")

    def __repr__(self) -> str:
        return f"Bot({self.seed!r}{f', per_point={self.per_point}' if self.per_point else ''})"

    def __copy__(self) -> Bot:
        return deepcopy(self)  # each with its own random stream

    def choose(self, view: View, rules: Rules, actions: Sequence[Action]) -> Action:
        """Choose one of the legal `actions` of the seat that the view belongs to.

        Raises `InvalidInputError` if there is no action to choose, or for a spectator's view.
        """
        if not actions or view.seat is None:
            raise InvalidInputError("a bot needs the view of a seat, and one legal action at least")
        chance = self._random.random()  # one number per choice, whether used or not
        if len(actions) == 1:
            return actions[0]
        return self.answer(self.evaluation(view, rules), Options(actions, rules), chance)

    def replan(self, view: View, rules: Rules) -> Plan:
        """Plan without choosing: for the tickets of the seat of a view, else for a route with many points."""
        evaluation = self.evaluation(view, rules)
        self._plan = self.plan = evaluation.plan(self._plan)
        if not self._plan.claims and not evaluation.sites(self._plan):
            self.plan = route_for_points(evaluation)
        return self.plan

    @property
    def has_ticket_goals(self) -> bool:
        """Tell whether something is left to do for its tickets, as far as its last choice knew."""
        return bool(self._plan.claims or self._plan.borrows)

    def evaluation(self, view: View, rules: Rules) -> Evaluation:
        """The evaluation of a view of its seat."""
        if self._rules is None or not rules.same_as(self._rules):
            dislike = Random(f"bot likes {self.seed!r}").random
            self._rules, self._plan = rules, Plan()
            self._dislikes = [int(dislike() * 3) for _ in rules.derived(link_graph).ends]
        return Evaluation(view, rules, self.per_point, self._dislikes)

    def answer(self, evaluation: Evaluation, options: Options, chance: float) -> Action:
        """Choose one of some options. `chance`, from 0 to below 1, decides among those that it does not know."""
        view, rules = evaluation.view, evaluation.rules
        if keeps := options.of(KeepTickets):
            return max(keeps, key=lambda keep: worth_keeping(evaluation, keep) + options.hinted_points(view, keep))
        if lends := options.lends:
            return max(
                lends, key=lambda lend: evaluation.ticket_points(lend[1]) + options.hinted_points(view, lend[0])
            )[0]
        self._plan = self.plan = plan = evaluation.plan(self._plan)
        last = last_action(evaluation, options) if view.is_last_turn else None
        nothing_scores = view.is_last_turn and last is None
        if valued := options.best_valued(view, rules, 0.0 if nothing_scores else WORTH_OF_A_TURN):
            best = min(valued, key=lambda action: payment_harm(evaluation, plan.claims, getattr(action, "payment", {})))
            is_draw = best in options.of(DrawFaceUp) or best in options.blind
            return draw(evaluation, plan, options, chance) if is_draw else best
        if bought := opening(evaluation, plan, options):
            return bought
        if pays := options.of(PayTunnel):
            pay = min(pays, key=lambda action: payment_harm(evaluation, plan.claims, action.payment))
            return pay if options.worthwhile(view, [pay]) else next(iter(options.unknown), pay)
        if view.is_last_turn:
            return last or (options.any(chance) if options.unknown else draw(evaluation, plan, options, chance))
        if plan.claims or evaluation.sites(plan):
            return follow(evaluation, plan, options, chance)
        if (
            (tickets := options.worthwhile(view, options.of(DrawTickets)))
            and evaluation.cars >= CARS_FOR_MORE_TICKETS
            and evaluation.horizon >= TURNS_FOR_MORE_TICKETS
            and len(evaluation.ticket_goals(view.tickets)) < MOST_LOST_TICKETS
        ):
            return tickets[0]
        self.plan = plan = route_for_points(evaluation)
        return opening(evaluation, plan, options) or follow(evaluation, plan, options, chance)
