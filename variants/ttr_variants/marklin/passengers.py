"""Placing a passenger after a claim, and what tokens are worth at the end (M4, M6–M8)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules import Action, Decision, Pass, Refusal, State
from ttr_rules.plugins import (
    ActionRule,
    AfterClaim,
    Message,
    PassRule,
    PlayerScore,
    ScoringTerm,
    Seat,
    Term,
    TieBreak,
    Transaction,
    after_claim,
    brief,
    marked,
)

from .state import PassengerPlaced, Passengers


@frozen
class PassengerPlacing(Decision):
    """Whether to put a passenger into one of these cities of the route just claimed (M4)."""

    public = True
    message = "You claimed {route}. Do you put a passenger into one of its cities?"
    passing = marked("Put no passenger")

    route: str
    cities: tuple[str, ...]


@frozen
class PlacePassenger(Action):
    """Put a passenger into a city of the route just claimed (M4)."""

    message = "Put a passenger into"

    city: str


def ask_placing(tx: Transaction, seat: int, route: str) -> bool:
    """Open the placing decision after a claim if the seat has a passenger and one of the cities has room (M4, M7)."""
    part = tx.state.part(Passengers)
    board = tx.rules.board
    if not part.left[seat]:
        return False
    cities = tuple(
        [
            city
            for city in board.routes[route].cities
            if board.cities[city].country is None and city not in part.standing
        ]
    )
    if not cities:
        return False
    tx.ask(PassengerPlacing(seat, route, cities))
    return True


#: Called after every claim.
PLACING = AfterClaim("passengers", ask_placing)


class PlacePassengerRule(ActionRule[PassengerPlacing, PlacePassenger]):
    """Put a passenger into an unoccupied city of the route just claimed (M4), never into a country (M7)."""

    on = PassengerPlacing
    action = PlacePassenger

    def offers(self, state: State, decision: PassengerPlacing) -> Sequence[PlacePassenger]:
        return [PlacePassenger(decision.seat, city) for city in decision.cities]

    def refusal(self, state: State, decision: PassengerPlacing, action: PlacePassenger) -> Refusal | None:
        board = state.rules.board
        route = board.routes[decision.route]
        if action.city not in route.cities:
            template = "a passenger goes to {first} or {second} now, not to {city}"
            first, second = route.cities
            return Refusal("M4", Message(template, first=first, second=second, city=brief(action.city)))
        if board.cities[action.city].country is not None:
            return Refusal("M7", Message("{city} is a country: no passenger can stand there", city=action.city))
        standing = state.part(Passengers).standing
        if action.city in standing:
            template, owner = "a passenger of {seat} stands in {city} already", Seat(standing[action.city])
            return Refusal("M4", Message(template, seat=owner, city=action.city))
        return None

    def perform(self, tx: Transaction, decision: PassengerPlacing, action: PlacePassenger) -> None:
        tx.emit(PassengerPlaced, action.seat, action.city)
        after_claim(tx, action.seat, decision.route, PLACING)


class KeepPassengerRule(PassRule[PassengerPlacing]):
    """Place no passenger (M4)."""

    on = PassengerPlacing

    def perform(self, tx: Transaction, decision: PassengerPlacing, action: Pass) -> None:
        after_claim(tx, action.seat, decision.route, PLACING)


# -- scores ----------------------------------------------------------------------------------------------------


def _tokens(state: State, seat: int) -> Term:
    taken = state.part(Passengers).taken[seat]
    return Term(sum(taken), len(taken))


def _token_points(player: PlayerScore) -> int:
    return player.terms["tokens"].points


#: What the tokens are worth (M6), from the moment they are taken.
TOKENS = ScoringTerm("tokens", _tokens, running=True)
#: The second tie-break (M8).
MORE_TOKENS = TieBreak("more points in tokens", _token_points)
