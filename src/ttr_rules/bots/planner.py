"""Bots: `Bot` decides from what its seat may see, `play_game` lets bots play a game to its end.

>>> from ttr_rules import new_game
>>> game = new_game("europe", players=3, seed=1912)
>>> play_game(game)
>>> game.is_over
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Protocol

from ttr_rules.bots.evaluation import LOCOMOTIVE, Evaluation, Plan, after
from ttr_rules.bots.link_graph import CLOSED, LinkGraph
from ttr_rules.bots.options import Options
from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.view import View
from ttr_rules.model.actions import Action, ClaimRoute, KeepTickets
from ttr_rules.model.cards import Card
from ttr_rules.model.chance import checked_seed
from ttr_rules.play.game import Game
from ttr_rules.play.moves import Move

CARS_FOR_MORE_TICKETS = 14
TURNS_FOR_MORE_TICKETS = 9
HOARD = 30  # with this many cards in hand, a route is claimed whether planned or not
DECK = {str(card): 14 if card is Card.LOCOMOTIVE else 12 for card in Card}


class Player(Protocol):
    """Anything that can play: an object with this one method. `Bot` is one.

    >>> from ttr_rules import new_game
    >>> class First:
    ...     def choose(self, view, rules, actions, /):
    ...         return actions[0]
    >>> game = new_game("london", players=2, seed=1)
    >>> play_game(game, [First(), Bot(seed=1)])
    >>> game.is_over
    True
    """

    def choose(self, view: View, rules: Rules, actions: Sequence[Action], /) -> Action:
        """Choose one of the legal `actions` of the seat that the view belongs to."""
        ...


class Bot:
    """A player that completes its tickets: it plans cheap routes that connect their cities, and follows the plan.

    It decides only from its view and its legal actions. The same seed, views and actions give the same choices on every
    platform; bots with different seeds have slightly different preferences. Among actions that it does not know (those
    of plugins) a bot chooses at random; it claims routes as planned and pays as little as it can, in any economy.

    Raises `InvalidInputError`, a `ValueError`, for a seed that is neither a whole number nor a string.

    >>> from ttr_rules import new_game
    >>> game = new_game("north-america", players=2, seed=7)
    >>> bot = Bot(seed=7)
    >>> game.is_legal(bot.choose(game.view(0), game.rules, game.legal_actions(0)))
    True
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = checked_seed(seed)
        self._random = Random(
            f"bot {seed!r}"
        )  # `random()` is the only method whose results Python guarantees not to change
        self._rules: Rules | None = None
        self._links: LinkGraph | None = None
        self._likes: list[int] = []
        self._plan = Plan()

    def __repr__(self) -> str:
        return f"Bot({self.seed!r})"

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
        if self._links is None or self._rules is None or not rules.same_as(self._rules):
            self._rules, self._links, self._plan = rules, LinkGraph(rules.network), Plan()
            like = Random(f"bot likes {self.seed!r}").random
            self._likes = [int(like() * 3) for _ in self._links.ends]
        evaluation = Evaluation(view, rules, self._links, view.seat, self._likes)
        options = Options(actions, rules)
        if options.keeps:
            return max(options.keeps, key=lambda action: _worth_keeping(evaluation, action))
        if options.lends:
            lend: Action = max(options.lends, key=lambda action: evaluation.ticket_points(options.routes_of(action)))
            return lend
        self._plan = plan = evaluation.plan(self._plan)
        valued = options.best_valued(view, rules)
        if valued:
            return min(valued, key=lambda action: _harm(evaluation, plan.claims, getattr(action, "payment", {})))
        opening = _opening(evaluation, plan, options)
        if opening is not None:
            return opening
        if options.pays:
            return min(options.pays, key=lambda action: _harm(evaluation, plan.claims, action.payment))
        if view.turns_left:
            last = _last_action(evaluation, options)
            return last or (options.any(chance) if options.others else _draw(evaluation, plan, options, chance))
        if plan.claims or evaluation.sites(plan):
            return _follow(evaluation, plan, options, chance)
        if (
            options.tickets
            and evaluation.cars >= CARS_FOR_MORE_TICKETS
            and evaluation.horizon >= TURNS_FOR_MORE_TICKETS
        ):
            return options.tickets[0]
        plan = _route_for_points(evaluation)
        return _opening(evaluation, plan, options) or _follow(evaluation, plan, options, chance)


def play_game(game: Game, bots: Sequence[Player] | None = None, on_move: Callable[[Move], None] | None = None) -> None:
    """Let bots play a game from its current position to its end, one bot for each seat.

    Without `bots` each seat gets one whose seed is derived from the seed of the game (0 if it has none) and the seat.
    If several seats have decisions, as at set-up, they act in order. `on_move` is called with every move.

    Raises `InvalidInputError`, a `ValueError`, if there are more or fewer bots than seats.

    >>> from ttr_rules import ClaimRoute, new_game
    >>> game, claims = new_game("north-america", players=2, seed=3), []
    >>> play_game(game, [Bot("Ada"), Bot("Isambard")], lambda move: claims.append(isinstance(move.action, ClaimRoute)))
    >>> sum(claims) == len(game.state.owners)
    True
    """
    if bots is None:
        seed = 0 if game.seed is None else game.seed
        bots = [Bot(f"{seed} {seat}") for seat in range(len(game.players))]
    if len(bots) != len(game.players):
        raise InvalidInputError(f"expected {len(game.players)} bots, one for each seat, got {len(bots)}")
    while game.to_act:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))
        if on_move is not None:
            on_move(game.last_move)


# -- tickets ---------------------------------------------------------------------------------------------------


def _worth_keeping(evaluation: Evaluation, action: KeepTickets) -> float:
    """The value of keeping these tickets in addition to those held: their points if all goes well, minus their cost."""
    ticket_goals = evaluation.ticket_goals([*evaluation.view.tickets, *action.tickets])
    plan = evaluation.plan_for(ticket_goals)
    turns = evaluation.turns(plan)
    sure = (
        min(1.0, max(0.0, 1.7 - turns / evaluation.horizon))
        if evaluation.spaces(plan.claims) <= evaluation.cars
        else 0.0
    )
    granted = sum(ticket_goal.points for ticket_goal in plan.ticket_goals)
    lost = sum(ticket_goal.points for ticket_goal in ticket_goals) - granted
    return granted * (2 * sure - 1) - lost - 0.8 * turns


# -- turns -----------------------------------------------------------------------------------------------------


def _last_action(evaluation: Evaluation, options: Options) -> Action | None:
    """The claim or loan that scores most immediately; None if none does."""
    network = evaluation.rules.network
    now = evaluation.ticket_points()
    gains: dict[str, int] = {}
    best: Action | None = None
    most = 0
    for claim in options.claims:
        if claim.route not in gains:
            points = network.points[network.route_number[claim.route]]
            extra = int(evaluation.extra_points(evaluation.rules.board.routes[claim.route]))
            gains[claim.route] = points + extra + evaluation.ticket_points([claim.route]) - now
        if gains[claim.route] > most:
            best, most = claim, gains[claim.route]
    gains = {}
    for borrow in options.borrows:
        if borrow.city not in gains:
            lent = [evaluation.ticket_points([route]) for route in evaluation.foreign_routes(borrow.city)]
            gains[borrow.city] = max(lent, default=now) - now - (evaluation.borrow.points if evaluation.borrow else 0)
        if gains[borrow.city] > most:
            best, most = borrow, gains[borrow.city]
    return best


def _route_for_points(evaluation: Evaluation) -> Plan:
    """With all tickets done: the open link with the most points per turn, preferably next to the seat's own routes."""

    def value(link: int) -> float:
        best = 0.0
        for route in evaluation.open[link]:
            turns = (evaluation.missing_for(route, evaluation.hand) + 1) // 2 + 1
            if turns <= evaluation.horizon + 1:
                points = network.points[network.route_number[route.id]]
                best = max(best, (points + evaluation.extra_points(route)) / turns)
        return best * 1.1 if touched.intersection(evaluation.links.ends[link]) else best

    network = evaluation.rules.network
    touched = {city for link in evaluation.owned for city in evaluation.links.ends[link]}
    link = max(evaluation.open, key=value, default=None)
    return Plan() if link is None else Plan(frozenset([link]))


def _opening(evaluation: Evaluation, plan: Plan, options: Options) -> Action | None:
    """Buy what the plan needs most in order to be open, unless the payment would take what it needs more."""
    needs = evaluation.needs(plan.claims) if options.opening else ()
    if not needs:
        return None
    assert evaluation.openings.hint is not None, "nothing opens routes without this hint"
    short = evaluation.shortage(evaluation.hand, plan.claims)
    found: list[tuple[int, int, int, Action]] = []
    for action in options.opening:
        name = evaluation.openings.hint.opens(action)
        if name in needs:
            harm = evaluation.shortage(after(evaluation.hand, action.payment), plan.claims, {name})
            links = sum(name in evaluation.needs([link]) for link in plan.claims)
            found.append((harm, -links, sum(action.payment.values()), action))
    best = min(found, key=lambda each: each[:3], default=None)
    return best[-1] if best is not None and best[0] <= short else None


def _follow(evaluation: Evaluation, plan: Plan, options: Options, chance: float) -> Action:
    """Claim a planned link if it can be paid for, then borrow what is planned, else draw."""
    claim = _planned_claim(evaluation, plan, options)
    if claim is not None:
        return claim
    if not plan.claims or evaluation.horizon <= 3:
        cities = evaluation.sites(plan)
        borrows = [borrow for borrow in options.borrows if borrow.city in cities]
        if borrows:
            borrowed: Action = min(borrows, key=lambda borrow: _harm(evaluation, plan.claims, borrow.payment))
            return borrowed
    if sum(evaluation.hand.values()) >= HOARD and options.claims:
        return _last_action(evaluation, options) or options.claims[0]
    return _draw(evaluation, plan, options, chance)


def _planned_claim(evaluation: Evaluation, plan: Plan, options: Options) -> ClaimRoute | None:
    """The most urgent of the planned claims that can be paid, with the payment that harms the plan least."""
    network = evaluation.rules.network
    routes = evaluation.rules.board.routes
    urgency: dict[int, int] = {}
    found: list[tuple[int, tuple[int, int, int], ClaimRoute]] = []
    for claim in options.claims:
        link = evaluation.links.link_of[network.route_number[claim.route]]
        if link not in plan.claims:
            continue
        if routes[claim.route].tunnel and evaluation.horizon > 2 and not _can_pay_extra(evaluation, claim):
            continue
        if link not in urgency:
            urgency[link] = _urgency(evaluation, plan, link)
        harm = _harm(evaluation, plan.claims - {link}, claim.payment)
        found.append((12 * harm[0] - urgency[link], harm, claim))
    return min(found, key=lambda item: item[:2])[2] if found else None


def _urgency(evaluation: Evaluation, plan: Plan, link: int) -> int:
    """How much longer the path between the ends of a link becomes if another player takes it; half with two routes."""
    weights = list(evaluation.weights)
    for other in plan.claims:
        weights[other] = 0
    weights[link] = CLOSED
    first, second = evaluation.links.ends[link]
    way = evaluation.links.way(weights, [first], {second: 0})
    detour = 100 if way is None else min(way[0] - evaluation.weights[link], 100)
    return detour // 2 if len(evaluation.open[link]) > 1 else detour


def _can_pay_extra(evaluation: Evaluation, claim: ClaimRoute) -> bool:
    """Whether one card is left that could pay for a tunnel (T2); without cards, it is left to chance."""
    left = after(evaluation.hand, claim.payment)
    colors = {LOCOMOTIVE, *claim.payment}
    return not evaluation.hand or sum(evaluation.hand.values()) >= HOARD or any(left.get(color) for color in colors)


def _harm(evaluation: Evaluation, claims: Iterable[int], payment: Mapping[str, int]) -> tuple[int, int, int]:
    """How a payment harms a plan: the cards missing afterwards, then the number of cards and locomotives paid."""
    missing = evaluation.shortage(after(evaluation.hand, payment), claims)
    return missing, sum(payment.values()), payment.get(LOCOMOTIVE, 0)


def _draw(evaluation: Evaluation, plan: Plan, options: Options, chance: float) -> Action:
    """Draw the card that helps the plan most; draw blind if no face-up card is as good as a blind one may be."""
    worth = {card: _use(evaluation, plan, card) for card in DECK}
    blind = sum(worth[card] * count for card, count in DECK.items()) / sum(DECK.values())
    best: Action | None = None
    most = 0.0
    if options.blind:
        blindly: Action = options.blind[0]
        best, most = blindly, blind * options.drawn(blindly) / 2 + 0.05
    for action in options.face_up:
        # A face-up locomotive costs a second card (D2).
        value = worth.get(action.card, 0.0) - (0.9 * blind if action.card == LOCOMOTIVE else 0.0)
        if best is None or value > most:
            best, most = action, value
    if best is None and options.claims and not options.others:  # nothing but a claim can be chosen
        return _last_action(evaluation, options) or options.claims[0]
    return options.any(chance) if best is None else best


def _use(evaluation: Evaluation, plan: Plan, card: str) -> float:
    """How much one more card helps a plan: one fewer is missing, above all for a link that lacks few."""
    more = {**evaluation.hand, card: evaluation.hand.get(card, 0) + 1}
    value = float(evaluation.shortage(evaluation.hand, plan.claims) - evaluation.shortage(more, plan.claims))
    for link in sorted(plan.claims):
        for route in evaluation.open[link]:
            missing = evaluation.missing_for(route, evaluation.hand)
            if missing > evaluation.missing_for(route, more):
                value += 0.5 / missing
    return value
