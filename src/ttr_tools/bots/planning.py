"""What a bot needs, as functions: the cheapest way to pay for each route, and what its tickets still take.

They read a view and legal actions, so they reveal nothing that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from attrs import frozen

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Action, ClaimRoute
from ttr_rules.sequences import LazyActions
from ttr_rules.text import brief
from ttr_tools.bots.evaluation import Evaluation
from ttr_tools.bots.link_graph import TicketGoal
from ttr_tools.bots.weights import LinkWeights, checked_per_point


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
    found: dict[str, ClaimRoute] = {}
    for action in actions.sample() if isinstance(actions, LazyActions) else actions:
        if isinstance(action, ClaimRoute):
            known = found.get(action.route)
            if known is None or rank(action.payment) < rank(known.payment):
                found[action.route] = action
    return found


@frozen
class TicketPlan:
    """Routes that together complete some tickets, as far as they can be completed.

    `links` has a tuple for each pair of neighboring cities to connect: the ids of the routes that can be claimed there,
    of which one is enough. `borrows` are the routes of others that it uses, where the rules allow that. `tickets` are the
    tickets that the plan completes, those that are complete already left out; `spaces` is the smallest number of cars that it
    takes, `missing` how many cards the hand lacks for it (locomotives that are needed as such count twice), `turns` roughly how many turns it takes.

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

    @property
    def routes(self) -> frozenset[str]:
        """All routes of the links."""
        return frozenset(route for link in self.links for route in link)


def plan_tickets(
    view: View, rules: Rules, tickets: Collection[str] | None = None, *, per_point: float = 0
) -> TicketPlan:
    """Plan how the seat of a view could complete some tickets, by default all that it holds.

    The plan prefers routes that take few turns, and builds on the routes that the seat has. A route that the seat cannot
    claim any more is not part of it, nor is a ticket that needs one. `per_point` is how much of a turn each point of a route
    is worth, in tenths: with 3, a plan makes detours over long routes.

    Raises `InvalidInputError` for the view of a spectator, for a ticket that the rules do not know, and for a worth of points
    that cannot be.

    >>> import ttr_rules as ttr
    >>> ada = {"name": "Ada", "tickets": ["Brest-Marseille"], "hand": {"orange": 2}}
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [ada, {"name": "Bo"}]})
    >>> plan = plan_tickets(game.view(0), game.rules)
    >>> plan.links, plan.spaces, plan.missing
    ((('brest-paris-black',), ('marseille-paris-gray',)), 7, 5)
    >>> [plan_tickets(game.view(0), game.rules, [ticket]).turns for ticket in ("paris-wien", "lisboa-danzig")]
    [6, 15]
    """
    evaluation = evaluate(view, rules, per_point)
    wanted = view.tickets if tickets is None else tickets
    for ticket in wanted:
        if ticket not in rules.ticket_goals:
            raise InvalidInputError(f"{brief(ticket)} is not a ticket of {rules}")
    return _plan(evaluation, evaluation.ticket_goals(wanted))


def plan_path(view: View, rules: Rules, start: str, end: str, *, per_point: float = 0) -> TicketPlan | None:
    """Plan how the seat of a view could connect two cities, given by id; None if it cannot.

    It is a plan for a ticket of these two cities: see `plan_tickets`. Raises `InvalidInputError` for the view of a
    spectator, and for a city that is not on the board.

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


def evaluate(view: View, rules: Rules, per_point: float = 0) -> Evaluation:
    """What the planner works with: the open links of a view with their weights, the seat's hand, its horizon.

    Raises `InvalidInputError` for the view of a spectator.
    """
    if view.seat is None:
        raise InvalidInputError("expected the view of a seat; a spectator has no plans")
    return Evaluation(view, rules, LinkWeights(rules, checked_per_point(per_point)))


def _plan(evaluation: Evaluation, goals: Sequence[TicketGoal]) -> TicketPlan:
    plan = evaluation.plan_for(goals)
    network, view = evaluation.rules.network, evaluation.view
    borrows = [
        next(id for id in map(network.route_ids.__getitem__, evaluation.links.routes[link]) if id in view.owners)
        for link in sorted(plan.borrows)
    ]
    return TicketPlan(
        tuple(tuple(route.id for route in evaluation.open[link]) for link in sorted(plan.claims)),
        tuple(borrows),
        tuple(sorted(goal.ticket for goal in plan.ticket_goals)),
        evaluation.spaces(plan.claims),
        evaluation.shortages.of(evaluation.hand, plan.claims),
        evaluation.turns(plan),
    )
