"""`SearchBot`: a search that tries its best actions in sampled worlds, by light playouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import sqrt
from statistics import fmean, pstdev
from typing import TypeAlias

from ttr_rules import Rules, State, View
from ttr_rules.actions import LazyPayments, cheapest_first, route_cost
from ttr_rules.engine import advance, final_scores, legal_actions, view_of
from ttr_rules.errors import InvalidInputError
from ttr_rules.hidden import determinize
from ttr_rules.hints import ActionValue, DrawHint, OpeningHint
from ttr_rules.model import Action, ClaimRoute, Color, Counts, DrawTickets, KeepTickets, Route, Turn, checked_seed
from ttr_rules.text import brief
from ttr_rules.train_cards import CardPiles, DrawBlind, DrawFaceUp, DrawFrom, NextCard, TakeFaceUp
from ttr_tools.bots.evaluation import Evaluation
from ttr_tools.bots.links import LOCOMOTIVE, link_graph
from ttr_tools.bots.planner import Bot, Options, draw, least_held, payment_harm, worth_keeping

WIN = 10.0  #: The worth of winning besides the points, and the cost of losing.
PER_POINT = 3  #: The worth of a route's points to its planner; see `Bot`.
MOST_KEEPS = 8
MOST_CLAIMS = 3
MOST_LAST_CLAIMS = 12  #: In the last round, where a playout takes no time.
FEWEST_POINTS = 4  #: A route outside the plan that scores less is not tried before the last round.
CARS_FOR_TICKETS = 12
LAST_TURNS = 6  #: With no more turns left than these, every turn is searched.
READ = 8  #: The number of legal actions that are searched for draws: an economy lists them first.
IN_TURNS = (ActionValue, DrawHint, OpeningHint)  #: The hints about a turn: those are left to the planner.
PATIENCE = 8  #: After so many cards drawn for a plan in vain, the planner is asked again.

#: An action that is tried, and the lead of the seat at the end of each playout. Actions of plugins may not be hashable.
Tried: TypeAlias = tuple[Action, list[float]]


class SearchBot:
    """A player that tries its best actions in worlds that fit its view, and takes the one that did best.

    The actions are those that the planner would take, and a few others. All are tried in the same worlds (see
    `determinize`), in which every seat follows a plan to the end of the game. After each round the worse half drops
    out. As luck is most of a single result, another action than the planner's must have been better by more than luck
    explains. For tickets to keep, on which most depends, half as much is enough.

    `iterations` is the number of playouts for a choice that it searches. More make it stronger and slower. Its time
    depends on nothing else. The same seed, views and actions give the same choices.

    Raises `InvalidInputError`, a `ValueError`, for a seed that is neither a whole number nor a string, or a number of
    iterations below 1.

    >>> from ttr_rules import new_game
    >>> game = new_game("north-america", players=2, seed=7)
    >>> bot = SearchBot(seed=7, iterations=4)
    >>> game.is_legal(bot.choose(game.view(0), game.rules, game.legal_actions(0)))
    True
    """

    def __init__(self, seed: int | str, iterations: int = 100) -> None:
        self.seed = checked_seed(seed)
        if type(iterations) is not int or iterations < 1:
            raise InvalidInputError(f"iterations is a whole number of at least 1, not {brief(iterations)}")
        self.iterations = iterations
        checked_seed(f"{seed!r} {10**9} {10**9} 9")  # a text may be too long to add numbers
        self._planner = Bot(f"search {seed!r}", PER_POINT)
        self._choices = 0

    def __repr__(self) -> str:
        return f"SearchBot({self.seed!r}, iterations={self.iterations})"

    def choose(self, view: View, rules: Rules, actions: Sequence[Action]) -> Action:
        """Choose one of the legal `actions` of the seat that the view belongs to.

        Raises `InvalidInputError` if there is no action to choose, or for a spectator's view.
        """
        usual = self._planner.choose(view, rules, actions)
        self._choices += 1
        if len(actions) == 1:
            return usual
        others = propose(self._planner, view, rules, Options(actions, rules), usual)
        return self._race(view, rules, usual, others) if others else usual

    def _race(self, view: View, rules: Rules, usual: Action, others: Sequence[Action]) -> Action:
        """Try all actions, then the better half of the others, and so on. The usual one stays to the end."""
        first: Tried = usual, []
        rest: list[Tried] = [(action, []) for action in others]
        rounds = len(others).bit_length()
        for _ in range(rounds):
            for _ in range(max(self.iterations // rounds // (len(rest) + 1), 1)):
                tried = [first, *rest]
                seed = f"{self.seed!r} {self._choices} {len(first[1])}"
                found = self._try(view, rules, [action for action, _ in tried], seed)
                for (_, leads), lead in zip(tried, found, strict=True):
                    leads.append(lead)
            rest = sorted(rest, key=lambda one: -fmean(one[1]))[: (len(rest) + 1) // 2]
        (best, leads), usual_leads = rest[0], first[1]
        luck = error_of_lead(leads, usual_leads) * (0.5 if isinstance(usual, KeepTickets) else 1)
        return best if fmean(leads) - fmean(usual_leads) > luck else usual

    def _try(self, view: View, rules: Rules, actions: Sequence[Action], seed: str) -> Iterator[float]:
        """Try actions in one world: the lead of the seat at the end of each playout."""
        seat = view.seat
        assert seat is not None, "the planner refuses the view of a spectator"
        world = determinize(view, rules, seed)
        for action in actions:
            seeds = [self._planner.seed if other == seat else f"{seed} {other}" for other in range(len(world.players))]
            planners = [Bot(each, PER_POINT) for each in seeds]
            totals = play_out(rules, world.state, world.players, action, planners)
            lead = totals[seat] - max((total for other, total in enumerate(totals) if other != seat), default=0)
            yield lead + (WIN if lead > 0 else -WIN if lead < 0 else 0.0)


def error_of_lead(one: Sequence[float], two: Sequence[float]) -> float:
    """The standard error of the difference of two means. Both are of the same worlds, one perhaps of more."""
    leads = [a - b for a, b in zip(one, two, strict=False)]
    return pstdev(leads) / sqrt(len(leads))


# -- actions to try ---------------------------------------------------------------------------------------------------


def propose(planner: Bot, view: View, rules: Rules, options: Options, usual: Action) -> list[Action]:
    """The actions to try in a decision besides the planner's choice, none where the choice matters little.

    For tickets to keep, these are the sets that look best. For a turn near the end, or when all tickets are done, these
    are the claims that look best, a draw, and new tickets. In other turns luck decides more than any one choice.
    """
    evaluation = planner.evaluation(view, rules)
    tried: list[Action] = []
    if keeps := options.of(KeepTickets):
        tried += sorted(keeps, key=lambda action: -worth_keeping(evaluation, action))[:MOST_KEEPS]
    elif isinstance(view.decision, Turn) and (evaluation.horizon <= LAST_TURNS or not planner.has_ticket_goals):
        if not view.is_last_turn:
            if options.blind or options.of(DrawFaceUp):
                tried.append(draw(evaluation, planner.plan, options, 0))
            if evaluation.cars >= CARS_FOR_TICKETS:
                tried += options.of(DrawTickets)[:1]
        tried += _claims(evaluation, planner, options)
    return [action for action in dict.fromkeys(tried) if action != usual]


def _claims(evaluation: Evaluation, planner: Bot, options: Options) -> list[ClaimRoute]:
    """The claims that look best: of the plan, or with many points, each with the payment that harms the plan least."""
    network, links, plan = evaluation.rules.network, evaluation.links, planner.plan.claims
    best: dict[str, tuple[tuple[int, int, int], tuple[bool, int], ClaimRoute]] = {}
    last = evaluation.view.is_last_turn
    tried = network.mask([route for route, points in enumerate(network.points) if last or points >= FEWEST_POINTS])
    for link in plan:
        tried |= links.masks[link]
    for claim in options.claims_on(tried):
        route = network.route_number[claim.route]
        link = links.link_of[route]
        harm = payment_harm(evaluation, plan - {link}, claim.payment)
        if claim.route not in best or harm < best[claim.route][0]:
            best[claim.route] = harm, (link in plan, network.points[route] - 2 * harm[0]), claim
    order = sorted(best.values(), key=lambda found: found[1], reverse=True)
    return [claim for *_, claim in order[: MOST_LAST_CLAIMS if last else MOST_CLAIMS]]


# -- playouts ---------------------------------------------------------------------------------------------------------


class Follower:
    """A seat of a playout: it follows the plan of a planner, and asks it again when that is done or has failed."""

    def __init__(self, seat: int, rules: Rules, planner: Bot) -> None:
        self.seat = seat
        self.rules = rules
        self.planner = planner
        self._links: list[tuple[int, ...]] = []  # the routes of each link of the plan
        self._drawn = 0
        self._hinted = any(isinstance(hint, IN_TURNS) for hint in rules.bot_hints)

    def action(self, state: State, names: Sequence[str]) -> Action:
        """Choose an action of the seat."""
        legal = legal_actions(state, self.seat)
        if len(legal) == 1:
            return legal[0]
        kind = type(state.decision(self.seat))
        if state.turns_left or not (kind is Turn or kind is NextCard):
            return self.planner.choose(view_of(state, names, self.seat), self.rules, legal)
        if not self._can_follow(state) or self._drawn >= PATIENCE:
            self._drawn = 0
            view = view_of(state, names, self.seat)
            hinted = self.planner.choose(view, self.rules, legal) if self._hinted else None
            plan = self.planner.plan if hinted else self.planner.replan(view, self.rules)
            links = self.rules.derived(link_graph)
            self._links = [links.routes[link] for link in sorted(plan.claims)]
            if hinted or plan.borrows:
                return hinted or self.planner.choose(view, self.rules, legal)
        quick = self._claim(state, legal) if kind is Turn else None
        if quick is None:
            self._drawn += 1
            quick = self._draw(state, legal)
        return quick or self.planner.choose(view_of(state, names, self.seat), self.rules, legal)

    def _can_follow(self, state: State) -> bool:
        """Tell whether something of the plan is left to be claimed, and all of it still can be."""
        owner, seat, open_seats = state.owner, self.seat, state.open_seats
        self._links = [link for link in self._links if not any(owner[route] == seat for route in link)]
        return bool(self._links) and all(any(open_seats[route] >> seat & 1 for route in link) for link in self._links)

    def _routes(self, state: State) -> list[Route]:
        """The open routes of all links."""
        ids, routes, open_seats = self.rules.network.route_ids, self.rules.board.routes, state.open_seats
        return [routes[ids[number]] for link in self._links for number in link if open_seats[number] >> self.seat & 1]

    def _claim(self, state: State, legal: Sequence[Action]) -> Action | None:
        """A claim of the plan, the longest route first, with its cheapest payment."""
        economy = self.rules.economy
        hand = self._hand(state)
        affordable = [route for route in self._routes(state) if hand is None or _missing(route, hand) <= 0]
        for route in sorted(affordable, key=lambda route: -route.length):
            payments = economy.payments(state, self.seat, route_cost(state, self.seat, route.id))
            ways = payments if isinstance(payments, LazyPayments) else tuple(payments)
            if ways:
                claim = ClaimRoute(self.seat, route.id, cheapest_first(ways, economy.payment_rank)[0])
                if claim in legal:
                    return claim
        return None

    def _hand(self, state: State) -> Counts | None:
        return state.part(CardPiles).counts(self.seat) if state.has_part(CardPiles) else None

    def _draw(self, state: State, legal: Sequence[Action]) -> Action | None:
        """Take the face-up card that the plan needs most, or draw blind."""
        hand = self._hand(state)
        if hand is None:
            return None
        needs: dict[str, float] = {}
        for route in self._routes(state):
            if (missing := _missing(route, hand)) > 0:
                color = route.color if route.color is not Color.GRAY else _most(hand)
                needs[color] = needs.get(color, 0.0) + 1 / missing
        draws = list(islice(legal, READ))
        face_up = [action for action in draws if isinstance(action, DrawFaceUp | TakeFaceUp) and action.card in needs]
        blind = [action for action in draws if isinstance(action, DrawBlind | DrawFrom)]
        best = max(face_up, key=lambda action: needs[action.card], default=None)
        return best or next(iter(least_held(blind, state.rules, hand)), None)


def _most(hand: Counts) -> str:
    """The most frequent color of a hand."""
    return max((card for card in hand if card != LOCOMOTIVE), key=hand.__getitem__, default=LOCOMOTIVE)


def _missing(route: Route, hand: Counts) -> int:
    """Roughly the number of cards that a hand lacks for a route."""
    color = _most(hand) if route.color is Color.GRAY else route.color
    wild = hand[LOCOMOTIVE]
    held = hand[color] if color != LOCOMOTIVE else 0
    return max(route.length - held - wild, route.ferry_locomotives - wild)


def play_out(rules: Rules, state: State, names: Sequence[str], first: Action, planners: Sequence[Bot]) -> list[int]:
    """Play an action and then the rest of the game, in place, and return the total of each seat.

    >>> from ttr_rules import new_game
    >>> game = new_game("north-america", players=2, seed=1)
    >>> totals = play_out(game.rules, game.state, game.players, game.legal_actions(0)[0], [Bot(0), Bot(1)])
    >>> len(totals), game.played
    (2, 0)
    """
    followers = [Follower(seat, rules, planner) for seat, planner in enumerate(planners)]
    advance(state, first)
    while state.pending:
        advance(state, followers[state.pending[0].seat].action(state, names))
    return [player.total for player in final_scores(state, names).players]
