"""The actions that a search tries: what the planner would do, and a few others that may be better."""

from __future__ import annotations

from ttr_rules import Rules, View
from ttr_rules.model import Action, ClaimRoute, Turn
from ttr_tools.bots.evaluation import Evaluation
from ttr_tools.bots.options import Options
from ttr_tools.bots.planner import Bot
from ttr_tools.bots.turns import draw, harm_of, worth_keeping

MOST_KEEPS = 8
MOST_CLAIMS = 3
MOST_LAST_CLAIMS = 12  #: In the last round, where a playout takes no time.
FEWEST_POINTS = 4  #: A route outside the plan that scores less is not tried before the last round.
CARS_FOR_TICKETS = 12
LAST_TURNS = 6  #: With no more turns left than these, every turn is searched.


def proposals(planner: Bot, view: View, rules: Rules, options: Options, usual: Action) -> list[Action]:
    """What to try in a decision: the planner's choice first; only that where the choice matters little.

    For tickets to keep, the sets that look best; for a turn near the end, or when all tickets are done, the claims that look
    best, a draw, and new tickets. In other turns luck decides more than any one choice.
    """
    evaluation = planner.evaluation(view, rules)
    found = [usual]
    if options.keeps:
        found += sorted(options.keeps, key=lambda action: -worth_keeping(evaluation, action))[:MOST_KEEPS]
    elif isinstance(view.decision, Turn) and (evaluation.horizon <= LAST_TURNS or not planner.has_ticket_goals):
        if not view.is_last_turn:
            if options.blind or options.face_up:
                found.append(draw(evaluation, planner.plan, options, 0))
            if evaluation.cars >= CARS_FOR_TICKETS:
                found += options.tickets[:1]
        found += _claims(evaluation, planner, options)
    return list(dict.fromkeys(found))


def _claims(evaluation: Evaluation, planner: Bot, options: Options) -> list[ClaimRoute]:
    """The claims that look best: of the plan, or with many points, each with the payment that harms the plan least."""
    network, plan = evaluation.rules.network, planner.plan.claims
    best: dict[str, tuple[tuple[int, int, int], ClaimRoute]] = {}
    value: dict[str, tuple[bool, int]] = {}
    last = evaluation.view.is_last_turn
    tried = network.mask([route for route, points in enumerate(network.points) if last or points >= FEWEST_POINTS])
    for link in plan:
        tried |= planner.links.masks[link]
    for claim in options.claims_of(tried):
        route = network.route_number[claim.route]
        link = planner.links.link_of[route]
        harm = harm_of(evaluation, plan - {link}, claim.payment)
        if claim.route not in best or harm < best[claim.route][0]:
            best[claim.route] = harm, claim
            value[claim.route] = link in plan, network.points[route] - 2 * harm[0]
    order = sorted(best, key=lambda route: value[route], reverse=True)
    most = MOST_LAST_CLAIMS if evaluation.view.is_last_turn else MOST_CLAIMS
    return [best[route][1] for route in order[:most]]
