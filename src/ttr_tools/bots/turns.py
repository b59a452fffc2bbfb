"""Choices in a turn, given a plan: claim, buy, borrow or draw; and the worth of tickets to keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from ttr_rules.model import Action, Card, ClaimRoute, KeepTickets
from ttr_rules.train_cards import DrawFaceUp
from ttr_tools.bots.evaluation import Evaluation, Plan, subtract
from ttr_tools.bots.links import CLOSED, LOCOMOTIVE
from ttr_tools.bots.options import Options

HOARD = 30  # with this many cards in hand, a route is claimed whether planned or not
DECK = {str(card): 14 if card is Card.LOCOMOTIVE else 12 for card in Card}

# -- tickets ---------------------------------------------------------------------------------------------------


def worth_keeping(evaluation: Evaluation, action: KeepTickets) -> float:
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


def last_action(evaluation: Evaluation, options: Options) -> Action | None:
    """The claim or loan that scores most immediately; None if none does."""
    network, points_now = evaluation.rules.network, evaluation.ticket_points()

    @cache
    def claim_gain(route: str) -> int:
        points = network.points[network.route_number[route]] + int(evaluation.extra_points.get(route, 0))
        return points + evaluation.ticket_points([route]) - points_now

    @cache
    def borrow_gain(city: str) -> int:
        lent = [evaluation.ticket_points([route]) for route in evaluation.foreign_routes(city)]
        return max(lent, default=points_now) - points_now - (evaluation.borrow.points if evaluation.borrow else 0)

    gains: list[tuple[int, Action]] = [(claim_gain(claim.route), claim) for claim in options.claims]
    gains += [(borrow_gain(borrow.city), borrow) for borrow in options.borrows]
    gain, action = max(gains, key=lambda pair: pair[0], default=(0, None))
    return action if gain > 0 else None


def route_for_points(evaluation: Evaluation) -> Plan:
    """With all tickets done: the open link with the most points per turn, preferably next to the seat's own routes.

    A link that the seat may claim now comes before any that waits.
    """
    network = evaluation.rules.network
    touched = {city for link in evaluation.owned for city in evaluation.links.ends[link]}
    links = [link for link in evaluation.open if link not in evaluation.waiting] or list(evaluation.open)
    routes = [(link, route) for link in links for route in evaluation.open[link]]
    lacking = evaluation.shortages.count_by_route([route for _, route in routes], evaluation.hand)
    values: list[tuple[float, int]] = []
    for (link, route), missing in zip(routes, lacking, strict=True):
        turns = (missing + 1) // 2 + 1
        if turns <= evaluation.horizon + 1:
            points = network.points[network.route_number[route.id]]
            value = (points + evaluation.extra_points.get(route.id, 0)) / turns
            values.append((value * 1.1 if touched.intersection(evaluation.links.ends[link]) else value, link))
    value, best = max(values, key=lambda pair: pair[0], default=(0.0, -1))
    if value <= 0:
        best = next(iter(links), -1)
    return Plan() if best < 0 else Plan(frozenset([best]))


def opening(evaluation: Evaluation, plan: Plan, options: Options) -> Action | None:
    """Buy what opens most of the plan, unless the payment would take what it needs more."""
    shortages, hand = evaluation.shortages, evaluation.hand
    needs = shortages.opened_by(plan.claims)
    if not needs:
        return None
    short = shortages.count(hand, plan.claims)
    opened = Counter(name for link in plan.claims for name in shortages.opened_by([link]))
    purchases: list[tuple[int, int, int, Action]] = []
    for name, action in options.openings(needs):
        harm = shortages.count(subtract(hand, action.payment), plan.claims, {name})
        purchases.append((harm, -opened[name], sum(action.payment.values()), action))
    best = min(purchases, key=lambda purchase: purchase[:3], default=None)
    return best[-1] if best is not None and best[0] <= short else None


def follow(evaluation: Evaluation, plan: Plan, options: Options, chance: float) -> Action:
    """Claim a planned link if it can be paid for, then borrow what is planned, else draw."""
    claim = planned_claim(evaluation, plan, options)
    if claim is not None:
        return claim
    if not plan.claims or evaluation.horizon <= 3:
        cities = evaluation.sites(plan)
        borrows = [borrow for borrow in options.borrows if borrow.city in cities]
        if borrows:
            borrowed: Action = min(borrows, key=lambda borrow: payment_harm(evaluation, plan.claims, borrow.payment))
            return borrowed
    if sum(evaluation.hand.values()) >= HOARD and options.claims:
        return last_action(evaluation, options) or options.claims[0]
    return draw(evaluation, plan, options, chance)


def planned_claim(evaluation: Evaluation, plan: Plan, options: Options) -> ClaimRoute | None:
    """The most urgent of the planned claims that can be paid, with the payment that harms the plan least."""
    network = evaluation.rules.network
    routes = evaluation.rules.board.routes
    urgency: dict[int, int] = {}
    claims: list[tuple[int, tuple[int, int, int], ClaimRoute]] = []
    for claim in options.claims_on(sum([evaluation.links.masks[link] for link in plan.claims])):
        link = evaluation.links.link_of[network.route_number[claim.route]]
        if routes[claim.route].tunnel and evaluation.horizon > 2 and not can_pay_extra(evaluation, claim):
            continue
        if link not in urgency:
            urgency[link] = link_urgency(evaluation, plan, link)
        harm = payment_harm(evaluation, plan.claims - {link}, claim.payment)
        claims.append((12 * harm[0] - urgency[link], harm, claim))
    return min(claims, key=lambda item: item[:2])[2] if claims else None


def link_urgency(evaluation: Evaluation, plan: Plan, link: int) -> int:
    """The detour between the ends of a link if another player takes it; half of it with two routes."""
    weights = list(evaluation.weights)
    for other in plan.claims:
        weights[other] = 0
    weights[link] = CLOSED
    first, second = evaluation.links.ends[link]
    way = evaluation.links.way(weights, [first], {second: 0})
    detour = 100 if way is None else min(way[0] - evaluation.weights[link], 100)
    return detour // 2 if len(evaluation.open[link]) > 1 else detour


def can_pay_extra(evaluation: Evaluation, claim: ClaimRoute) -> bool:
    """Tell whether one card is left that could pay for a tunnel (T2); without cards, it is left to chance."""
    left = subtract(evaluation.hand, claim.payment)
    colors = {LOCOMOTIVE, *claim.payment}
    return not evaluation.hand or sum(evaluation.hand.values()) >= HOARD or any(left.get(color) for color in colors)


def payment_harm(evaluation: Evaluation, claims: Iterable[int], payment: Mapping[str, int]) -> tuple[int, int, int]:
    """The harm of a payment to a plan: the cards missing afterwards, then the number of cards and locomotives paid."""
    missing = evaluation.shortages.count(subtract(evaluation.hand, payment), claims)
    return missing, sum(payment.values()), payment.get(LOCOMOTIVE, 0)


def draw(evaluation: Evaluation, plan: Plan, options: Options, chance: float) -> Action:
    """Draw the card that helps the plan most; draw blind if no face-up card is as good as a blind one may be."""
    worth = card_worths(evaluation, plan)
    blind = sum(worth[card] * count for card, count in DECK.items()) / sum(DECK.values())
    values: list[tuple[float, Action]] = []
    if options.blind:
        values.append((blind * options.cards_drawn(options.blind[0]) / 2 + 0.05, options.blind[0]))
    second = 0.9 * blind  # a face-up locomotive costs a second card (D2)
    values += [
        (worth.get(action.card, 0.0) - (second if action.card == LOCOMOTIVE else 0.0), action)
        for action in options.of(DrawFaceUp)
    ]
    if values:
        return max(values, key=lambda pair: pair[0])[1]
    if options.claims and not options.of(Action):  # nothing but a claim can be chosen
        return last_action(evaluation, options) or options.claims[0]
    return options.any(chance)


def card_worths(evaluation: Evaluation, plan: Plan) -> dict[str, float]:
    """The help of one more card of each type: one fewer is missing, above all for a link that lacks few."""
    hand, shortages = evaluation.hand, evaluation.shortages
    short = shortages.count(hand, plan.claims)
    wanted = [route for link in sorted(plan.claims) for route in evaluation.open[link]]
    lacking = [
        (route, cards) for route, cards in zip(wanted, shortages.count_by_route(wanted, hand), strict=True) if cards
    ]
    routes = [route for route, _ in lacking]
    colors = {route.color.value for route in wanted}
    worth: dict[str, float] = {}
    known: dict[object, float] = {}
    for card in DECK:
        held = hand.get(card, 0)
        # Colors that no planned route names are worth the same if the hand holds equally many cards of them.
        key = card if card == LOCOMOTIVE or card in colors else held
        if key not in known:
            more = {**hand, card: held + 1}
            known[key] = float(short - shortages.count(more, plan.claims))
            for (_, before), now in zip(lacking, shortages.count_by_route(routes, more), strict=True):
                if now < before:
                    known[key] += 0.5 / before
        worth[card] = known[key]
    return worth
