"""Placing a passenger after a claim, and what tokens are worth at the end (M4, M6–M8)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules import Action, Decision, Refusal, Route, State
from ttr_rules.plugins import (
    ActionRule,
    Message,
    PlayerScore,
    Question,
    ScoringTerm,
    Seat,
    Term,
    TieBreak,
    Transaction,
    brief,
    marked,
)

from .state import PassengerPlaced, Passengers


@frozen
class PassengerPlacing(Decision):
    """Whether to place a passenger in one of these cities of the route just claimed (M4)."""

    public = True
    message = "You claimed {route}. Do you place a passenger in one of its cities?"
    passing = marked("Place no passenger")

    route: str
    cities: tuple[str, ...]


@frozen
class PlacePassenger(Action):
    """Place a passenger in a city of the route just claimed (M4)."""

    message = "Place a passenger in"

    city: str


def placing(state: State, seat: int, route: Route) -> Question:
    """The decision after a claim, if the seat has a passenger and one of the cities has room (M4, M7)."""
    part = state.part(Passengers)
    board = state.rules.board
    if not part.left[seat]:
        return ()
    there = [city for city in route.cities if board.cities[city].country is None and city not in part.standing]
    return PassengerPlacing(seat, route.id, tuple(there)) if there else ()


class PlacePassengerRule(ActionRule[PassengerPlacing, PlacePassenger]):
    """Place a passenger in an unoccupied city of the route just claimed (M4), never into a country (M7)."""

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


# -- scores ----------------------------------------------------------------------------------------------------


def _tokens(state: State, seat: int) -> Term:
    taken = state.part(Passengers).taken[seat]
    return Term(sum(taken), len(taken))


def _token_points(player: PlayerScore) -> int:
    tokens: Term = player.terms["tokens"]
    return tokens.points


#: What the tokens are worth (M6), from the moment they are taken.
TOKENS = ScoringTerm("tokens", _tokens, running=True)
#: The second tie-break (M8).
MORE_TOKENS = TieBreak("more points in tokens", _token_points)
