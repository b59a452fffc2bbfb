"""Light playouts: the rest of a game in one world, each seat following a plan with little thought."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from ttr_rules import Rules, State
from ttr_rules.engine import advance, final_scores, legal_actions, view_of
from ttr_rules.hints import ActionValue, DrawHint, OpeningHint
from ttr_rules.model import Action, Card, ClaimRoute, Color, Counts, Route, Turn
from ttr_rules.plugins import route_cost
from ttr_rules.sequences import LazyPayments, cheapest_first
from ttr_rules.train_cards import CardPiles, DrawBlind, DrawFaceUp, NextCard
from ttr_tools.bots.evaluation import Plan
from ttr_tools.bots.planner import Bot

LOCOMOTIVE: str = Card.LOCOMOTIVE
READ = 8  #: How many legal actions are looked through for draws: an economy lists them first.
IN_TURNS = (ActionValue, DrawHint, OpeningHint)  #: The hints about what to do in a turn: that is left to the planner.
PATIENCE = 8  #: After so many cards drawn for a plan in vain, the planner is asked again.


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
        """What the seat does."""
        legal = legal_actions(state, self.seat)
        if len(legal) == 1:
            return legal[0]
        kind = type(state.decision(self.seat))
        if state.turns_left or not (kind is Turn or kind is NextCard):
            return self.planner.choose(view_of(state, names, self.seat), self.rules, legal)
        if not self._can_follow(state) or self._drawn >= PATIENCE:
            self._drawn = 0
            view = view_of(state, names, self.seat)
            if self._hinted:
                action = self.planner.choose(view, self.rules, legal)
                self._follow(self.planner.plan)
                return action
            plan = self.planner.replan(view, self.rules)
            self._follow(plan)
            if plan.borrows:
                return self.planner.choose(view, self.rules, legal)
        quick = self._claim(state, legal) if kind is Turn else None
        if quick is None:
            self._drawn += 1
            quick = self._draw(state, legal)
        return quick or self.planner.choose(view_of(state, names, self.seat), self.rules, legal)

    def _follow(self, plan: Plan) -> None:
        self._links = [self.planner.links.routes[link] for link in sorted(plan.claims)]

    def _can_follow(self, state: State) -> bool:
        """Whether something of the plan is left to be claimed, and all of it still can be."""
        owner, mask = state.owner, state.open[self.seat]
        self._links = [link for link in self._links if not any(owner[route] == self.seat for route in link)]
        return bool(self._links) and all(any(mask >> route & 1 for route in link) for link in self._links)

    def _routes(self, state: State) -> list[list[Route]]:
        """The open routes of each link."""
        ids, routes, mask = self.rules.network.route_ids, self.rules.board.routes, state.open[self.seat]
        return [[routes[ids[number]] for number in link if mask >> number & 1] for link in self._links]

    def _claim(self, state: State, legal: Sequence[Action]) -> Action | None:
        """A claim of the plan with its cheapest payment; the longest route first."""
        economy = self.rules.economy
        hand = self._hand(state)
        found: list[tuple[int, Route]] = [
            (-route.length, route)
            for link in self._routes(state)
            for route in link
            if hand is None or _missing(route, hand) <= 0
        ]
        for _, route in sorted(found, key=lambda pair: pair[0]):
            payments = economy.payments(state, self.seat, route_cost(state, self.seat, route.id))
            ways = payments if isinstance(payments, LazyPayments) else tuple(payments)
            if ways:
                claim = ClaimRoute(self.seat, route.id, cheapest_first(ways, economy.payment_rank)[0])
                if claim in legal:
                    return claim
        return None

    def _hand(self, state: State) -> Counts | None:
        piles = state.parts.get(CardPiles)
        return None if piles is None else piles.counts(self.seat)

    def _draw(self, state: State, legal: Sequence[Action]) -> Action | None:
        """Take the face-up card that the plan needs most, or draw blind."""
        hand = self._hand(state)
        if hand is None:
            return None
        needs: dict[str, float] = {}
        for link in self._routes(state):
            for route in link:
                missing = _missing(route, hand)
                if missing > 0:
                    color = route.color if route.color is not Color.GRAY else _most(hand)
                    needs[color] = needs.get(color, 0.0) + 1 / missing
        best: Action | None = None
        most = 0.0
        for action in islice(legal, READ):
            if isinstance(action, DrawFaceUp):
                value = needs.get(action.card, 0.0)
                if value > most:
                    best, most = action, value
            elif isinstance(action, DrawBlind) and best is None:
                best = action
        return best


def _most(hand: Counts) -> str:
    """The color of which a hand has most."""
    colors = [card for card in hand if card != LOCOMOTIVE]
    return max(colors, key=lambda card: hand[card], default=LOCOMOTIVE)


def _missing(route: Route, hand: Counts) -> int:
    """Roughly how many cards a hand lacks for a route."""
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
