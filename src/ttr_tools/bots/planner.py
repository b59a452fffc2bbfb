"""`Bot`, the planner: it decides from what its seat may see, and follows a plan for its tickets."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from random import Random

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Action, DrawTickets, KeepTickets, PayTunnel, checked_seed
from ttr_tools.bots.evaluation import Evaluation, Plan
from ttr_tools.bots.links import LinkGraph, LinkWeights, check_per_point, link_graph
from ttr_tools.bots.options import Options
from ttr_tools.bots.turns import draw, follow, last_action, opening, payment_harm, route_for_points, worth_keeping

CARS_FOR_MORE_TICKETS = 14
TURNS_FOR_MORE_TICKETS = 9
MOST_LOST_TICKETS = 2  #: A seat with as many that cannot be completed draws no more.


class Bot:
    """A player that completes its tickets: it plans cheap routes that connect their cities, and follows the plan.

    It decides only from its view and its legal actions. The same seed, views and actions give the same choices on every
    platform; bots with different seeds have slightly different preferences. Among actions that it does not know (those
    of plugins) a bot chooses at random; it claims routes as planned and pays as little as it can, in any economy.

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
        self._weights: LinkWeights | None = None
        self._plan = Plan()
        self._followed = Plan()
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
        self._plan = self._followed = evaluation.plan(self._plan)
        if not self._plan.claims and not evaluation.sites(self._plan):
            self._followed = route_for_points(evaluation)
        return self._followed

    @property
    def plan(self) -> Plan:
        """The plan of its last choice: for its tickets, or the route that it wants for its points."""
        return self._followed

    @property
    def has_ticket_goals(self) -> bool:
        """Tell whether something is left to do for its tickets, as far as its last choice knew."""
        return bool(self._plan.claims or self._plan.borrows)

    @property
    def links(self) -> LinkGraph:
        """The links of the board that its plan is made of."""
        assert self._weights is not None, "known after the first choice"
        return self._weights.rules.derived(link_graph)

    def evaluation(self, view: View, rules: Rules) -> Evaluation:
        """The evaluation of a view of its seat."""
        assert view.seat is not None
        if self._weights is None or not rules.same_as(self._weights.rules):
            dislike = Random(f"bot likes {self.seed!r}").random
            links = rules.derived(link_graph)
            self._weights = LinkWeights(rules, self.per_point, [int(dislike() * 3) for _ in links.ends])
            self._plan = Plan()
        return Evaluation(view, rules, self._weights)

    def answer(self, evaluation: Evaluation, options: Options, chance: float) -> Action:
        """Choose one of some options; `chance`, from 0 to below 1, decides among those that it does not know."""
        view, rules = evaluation.view, evaluation.rules
        if keeps := options.of(KeepTickets):
            return max(keeps, key=lambda action: worth_keeping(evaluation, action))
        if options.lends:
            return max(options.lends, key=lambda lend: evaluation.ticket_points(lend[1]))[0]
        self._plan = self._followed = plan = evaluation.plan(self._plan)
        valued = options.best_valued(view, rules)
        if valued:
            return min(valued, key=lambda action: payment_harm(evaluation, plan.claims, getattr(action, "payment", {})))
        bought = opening(evaluation, plan, options)
        if bought is not None:
            return bought
        if pays := options.of(PayTunnel):
            return min(pays, key=lambda action: payment_harm(evaluation, plan.claims, action.payment))
        if view.is_last_turn:
            last = last_action(evaluation, options)
            return last or (options.any(chance) if options.of(Action) else draw(evaluation, plan, options, chance))
        if plan.claims or evaluation.sites(plan):
            return follow(evaluation, plan, options, chance)
        if (
            (tickets := options.of(DrawTickets))
            and evaluation.cars >= CARS_FOR_MORE_TICKETS
            and evaluation.horizon >= TURNS_FOR_MORE_TICKETS
            and len(evaluation.ticket_goals(view.tickets)) < MOST_LOST_TICKETS
        ):
            return tickets[0]
        self._followed = plan = route_for_points(evaluation)
        return opening(evaluation, plan, options) or follow(evaluation, plan, options, chance)
