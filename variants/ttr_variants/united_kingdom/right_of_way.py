"""Right of way: the claim of a route that others hold, which they then hold jointly (U16, UR7, UR8)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from ttr_rules import Action, Counts, Decision, Pass, Refusal, State
from ttr_rules.events import RouteShared
from ttr_rules.model import to_counts
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    Message,
    PaidActions,
    PassRule,
    Seat,
    Transaction,
    after_claim,
    brief,
    not_barred,
    route_cost,
)


def not_shareable(state: State, seat: int, route: str) -> Refusal | None:
    """Why a right of way does not allow a seat to claim a route, whatever it can pay (U16, UR8)."""
    network, own = state.rules.network, state.routes_of(seat)
    number = network.route_number[route]
    if route not in state.owners or number in own:
        template = "{route} is not held by others alone: a right of way leads along their routes"
        return Refusal("U16", Message(template, route=route))
    if network.beside(network.mask(own)) >> number & 1:
        template = "{seat} holds the other half of the double route {route}"
        return Refusal("C5", Message(template, seat=Seat(seat), route=route))
    if network.cars[number] > state.cars[seat]:
        template = "{route} takes {cars} train cars, {seat} has {left}"
        cars, left = network.cars[number], state.cars[seat]
        return Refusal("C3", Message(template, route=route, cars=cars, seat=Seat(seat), left=left))
    return None


def shareable(state: State, seat: int) -> Sequence[str]:
    """The routes that others hold and a seat could also claim, if it can pay."""
    network = state.rules.network
    open_routes = network.mask(
        [network.route_number[route] for route in state.owners if not_shareable(state, seat, route) is None]
    )
    allowed = not_barred(state, seat, open_routes)
    return [route for number, route in enumerate(network.route_ids) if allowed >> number & 1]


@frozen
class SharedClaim(Decision):
    """Which route of another player to claim as well: the action of a turn in which a right of way was bought (U16)."""

    public = True
    message = "Which route of another player do you claim as well?"


@frozen
class ShareRoute(Action):
    """Claim a route that another player holds, and pay for it like any other (U16)."""

    message = "Claim as well"

    route: str
    payment: Counts = field(converter=to_counts)


class ShareRouteRule(ActionRule[SharedClaim, ShareRoute]):
    """Claim a route that at least one other player holds; from now on all of them hold it (U16)."""

    on = SharedClaim
    action = ShareRoute

    def __init__(self, economy: Economy) -> None:
        self.economy = economy

    def offers(self, state: State, decision: SharedClaim) -> Sequence[ShareRoute]:
        seat = decision.seat
        routes = shareable(state, seat)
        payments = [self.economy.payments(state, seat, route_cost(state, seat, id)) for id in routes]
        return PaidActions(ShareRoute, seat, zip(routes, payments, strict=True))

    def refusal(self, state: State, decision: SharedClaim, action: ShareRoute) -> Refusal | None:
        seat, route = action.seat, action.route
        if route not in state.rules.board.routes:
            template = "there is no route {route} on the board {board}"
            return Refusal("C3", Message(template, route=brief(route), board=state.rules.board.name))
        barred = (condition.refusal(state, seat, route) for condition in state.rules.claim_conditions)
        refused = not_shareable(state, seat, route) or next(filter(None, barred), None)
        return refused or self.economy.refusal(state, seat, route_cost(state, seat, route), action.payment)

    def perform(self, tx: Transaction, decision: SharedClaim, action: ShareRoute) -> None:
        self.economy.pay(tx, action.seat, action.payment)
        tx.emit(RouteShared, action.seat, action.route, tx.rules.route_points[action.route])
        after_claim(tx, action.seat, action.route)


class ForgoShareRule(PassRule[SharedClaim]):
    """Pass if no such route can be paid for: never in a game (UR7), only in sampled worlds (`determinize`)."""

    on = SharedClaim

    def refusal(self, state: State, decision: SharedClaim, action: Pass) -> Refusal | None:
        claims = state.rules.answers[SharedClaim].by_action[ShareRoute].offers(state, decision)
        if not len(claims):
            return None
        template = "a route of another player must be claimed: {seat} can claim {route}"
        return Refusal("U16", Message(template, seat=Seat(decision.seat), route=claims[0].route))
