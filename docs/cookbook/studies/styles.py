"""Four ways to play, after the four agents of the published studies, each from what is described of it; in code of our own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import ttr_rules as ttr
from ttr_tools.bots import TicketPlan, cheapest_claims, plan_tickets

SPARE_CARS = 8


class Style:
    """What the four have in common: keep tickets, plan for them, claim what is planned, else draw what it needs."""

    keeps_all: ClassVar[bool] = False  # of its first tickets
    draws_tickets: ClassVar[bool] = False
    per_point: ClassVar[float] = 0
    longest_first: ClassVar[bool] = True  # when a route is claimed for its points

    def __init__(self, seed: int | str) -> None:
        self.seed = seed  # nothing is left to chance

    def plan(self, view: ttr.View, rules: ttr.Rules) -> TicketPlan:
        return plan_tickets(view, rules, per_point=self.per_point)

    def choose(self, view: ttr.View, rules: ttr.Rules, actions: Sequence[ttr.Action]) -> ttr.Action:
        keeps = [action for action in actions if isinstance(action, ttr.KeepTickets)]
        if keeps:
            return self.keep(view, rules, keeps)
        plan = self.plan(view, rules)
        more = [action for action in actions if isinstance(action, ttr.DrawTickets)]
        if self.draws_tickets and more and self.wants_tickets(plan, view.cars[view.seat or 0]):
            return more[0]
        claims = cheapest_claims(actions, rules)
        length = {route: rules.board.routes[route].length for route in claims}
        wanted = (
            [claim for route, claim in claims.items() if route in plan.routes]
            if plan.links
            else self.for_points(claims, length)
        )
        if wanted:
            return max(wanted, key=lambda claim: length[claim.route])
        return self.draw(rules, plan, actions) or next(iter(claims.values()), actions[0])

    def keep(self, view: ttr.View, rules: ttr.Rules, keeps: Sequence[ttr.KeepTickets]) -> ttr.KeepTickets:
        """All first tickets, or those that bring most for a turn."""
        if self.keeps_all and not view.tickets:
            return max(keeps, key=lambda action: len(action.tickets))

        def worth(action: ttr.KeepTickets) -> float:
            plan = plan_tickets(view, rules, [*view.tickets, *action.tickets], per_point=self.per_point)
            points = sum(rules.tickets[id].points * (1 if id in plan.tickets else -1) for id in action.tickets)
            fits = plan.spaces <= view.cars[action.seat]
            return points / (plan.turns + 1) if fits else -float(plan.spaces)

        return max(keeps, key=worth)

    def wants_tickets(self, plan: TicketPlan, cars: int) -> bool:
        """Whether to draw more tickets."""
        return not plan.links and cars > SPARE_CARS

    def for_points(self, claims: dict[str, ttr.ClaimRoute], length: dict[str, int]) -> list[ttr.ClaimRoute]:
        """What to claim when no ticket needs anything."""
        if self.longest_first:
            return [claim for route, claim in claims.items() if length[route] >= 5]
        return [min(claims.values(), key=lambda claim: length[claim.route])] if claims else []

    def draw(self, rules: ttr.Rules, plan: TicketPlan, actions: Sequence[ttr.Action]) -> ttr.Action | None:
        """A face-up card of a color that the plan needs, or one from the pile."""
        colors = {rules.board.routes[route].color for route in plan.routes}
        for action in actions:
            if isinstance(action, ttr.DrawFaceUp) and action.card in colors:
                return action
        return next((action for action in actions if isinstance(action, ttr.DrawBlind)), None)


class Hungry(Style):
    """Takes as many tickets as its cars allow, and then looks for routes that complete them together."""

    draws_tickets = True

    def wants_tickets(self, plan: TicketPlan, cars: int) -> bool:
        return plan.spaces < cars - SPARE_CARS


class Path(Style):
    """Keeps its first tickets, goes the shortest way for them, and draws no others; then takes short routes."""

    keeps_all = True
    longest_first = False


class OneStepThinker(Style):
    """Keeps its first tickets and thinks of one at a time, the most valuable; when all are done it draws more."""

    keeps_all = True
    draws_tickets = True

    def plan(self, view: ttr.View, rules: ttr.Rules) -> TicketPlan:
        plans = [plan_tickets(view, rules, [id]) for id in view.tickets]
        todo = [plan for plan in plans if plan.tickets]
        return max(todo, key=lambda plan: rules.tickets[plan.tickets[0]].points, default=plan_tickets(view, rules, []))


class LongRouteJunkie(Style):
    """Connects its first tickets by long routes, draws no others, and then takes the longest routes."""

    per_point = 4


STYLES = (Hungry, LongRouteJunkie, OneStepThinker, Path)
