"""Right of way: the claim of a route that others hold; which they then hold jointly (U16, UR7, UR8)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from ttr_rules import Action, Counts, Decision, Pass, Refusal, State
from ttr_rules.events import RouteShared
from ttr_rules.model import to_counts
from ttr_rules.plugins import (
    FREE,
    ActionRule,
    Economy,
    Message,
    PaidActions,
    Seat,
    Transaction,
    after_claim,
    brief,
    end_turn,
    not_barred,
    route_cost,
    tables_of,
)

from .cards import british


def held_by_others(state: State, seat: int) -> int:
    """The mask of the routes that only others hold and that C5 leaves open to a seat (U16)."""
    network = state.rules.network
    own = network.mask(state.routes_of(seat))
    taken = network.mask([route for route, owner in enumerate(state.owner) if owner != FREE])
    return taken & ~own & ~network.beside(own)


def shareable(state: State, seat: int) -> int:
    """The mask of the routes that others hold and a seat could also claim, if it can pay (U16, UR8)."""
    return not_barred(state, seat, held_by_others(state, seat) & state.rules.network.within(state.cars[seat]))


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
        ids = [id for number, id in enumerate(state.rules.network.route_ids) if routes >> number & 1]
        cards = british(self.economy)
        return PaidActions(
            ShareRoute, seat, [(id, cards.payments(state, seat, route_cost(state, seat, id))) for id in ids]
        )

    def refusal(self, state: State, decision: SharedClaim, action: ShareRoute) -> Refusal | None:
        network, seat = state.rules.network, action.seat
        route = network.route_number.get(action.route)
        if route is None:
            told = "there is no route {route} on the board {board}"
            return Refusal("C3", Message(told, route=brief(action.route), board=state.rules.board.name))
        own = state.routes_of(seat)
        if action.route not in state.owners or route in own:
            told = "{route} is not held by others alone: a right of way leads along their routes"
            return Refusal("U16", Message(told, route=action.route))
        if not held_by_others(state, seat) >> route & 1:
            told = "{seat} holds the other half of the double route {route}"
            return Refusal("C5", Message(told, seat=Seat(seat), route=action.route))
        if network.cars[route] > state.cars[seat]:
            cars, left = network.cars[route], state.cars[seat]
            told = "{route} takes {cars} train cars, {seat} has {left}"
            return Refusal("C3", Message(told, route=action.route, cars=cars, seat=Seat(seat), left=left))
        for condition in tables_of(state).claim_conditions:
            refused = condition.refusal(state, seat, action.route)
            if refused is not None:
                return refused
        return self.economy.refusal(state, seat, route_cost(state, seat, action.route), action.payment)

    def perform(self, tx: Transaction, decision: SharedClaim, action: ShareRoute) -> None:
        network = tx.rules.network
        self.economy.pay(tx, action.seat, action.payment)
        route = network.route_number[action.route]
        tx.emit(RouteShared, action.seat, network.route_ids[route], network.points[route])
        after_claim(tx, action.seat, network.route_ids[route])


class ForgoShareRule(ActionRule[SharedClaim, Pass]):
    """Pass if no such route can be paid for: never in a game (UR7), only in sampled worlds (`determinize`)."""

    on = SharedClaim
    action = Pass

    def __init__(self, economy: Economy) -> None:
        self._share = ShareRouteRule(economy)

    def offers(self, state: State, decision: SharedClaim) -> Sequence[Pass]:
        return () if self.refusal(state, decision, Pass(decision.seat)) else (Pass(decision.seat),)

    def refusal(self, state: State, decision: SharedClaim, action: Pass) -> Refusal | None:
        claims = self._share.offers(state, decision)
        if not len(claims):
            return None
        told = "a route of another player must be claimed: {seat} can claim {route}"
        return Refusal("U16", Message(told, seat=Seat(decision.seat), route=claims[0].route))

    def perform(self, tx: Transaction, decision: SharedClaim, action: Pass) -> None:
        end_turn(tx, action.seat)
