"""Märklin's passengers by the rules: placing one, and its journey, route by route (M4, M5, M7, X12).

**Moves.** A journey is played route by route: `MovePassenger` names the passenger by its city and the
first route, `TravelOn` the next one, `EndJourney` stops. So every journey that the rules allow is possible, no list of
whole journeys is ever needed (there can be millions), and each answer is one of few. Nothing hidden is revealed on the
way and nobody else acts, so announcing the whole journey at once would make no difference.

**Costs.** A player's own route costs nothing. A route of another player costs `PASSAGE`: one space of the kind
"passenger" that bears a locomotive symbol. Every further one on the same journey costs the same, with a mark that says
so. Train cards pay each with a passenger card (M5), dice with a wild one each or one for all (X12, R19), another
economy with whatever it has.

**The end.** As long as a claimed route leads on, the player has a decision, able to pay or not, so that having
one reveals nothing about the player's hand.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar

from attrs import evolve

from ttr_rules import Action, Counts, Decision, Refusal, State, Turn
from ttr_rules.actions import FREE, ListedRule, Prices, i64
from ttr_rules.language import Message, Seat
from ttr_rules.model import Cost
from ttr_rules.plugins import ActionRule, Question, Rules, Transaction
from ttr_rules.text import brief

from .passengers import (
    NOTHING,
    EndJourney,
    Journey,
    MovePassenger,
    PassengerArrived,
    Passengers,
    PassengerSetOut,
    PassengerTravelled,
    TokenTaken,
    TravelOn,
)

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Action)

#: The cost of traveling on a route of another player (M5, X12).
PASSAGE = Cost(kind="passenger", spaces=1, wilds=1)
#: The cost if the same journey has already used a route of another player (R19).
FURTHER_PASSAGE = evolve(PASSAGE, marks=("same_journey",))
PASSAGES = (PASSAGE, FURTHER_PASSAGE)


class Ride:
    """A route as a passenger travels it, from one of its cities to the other."""

    number: i64
    route: i64

    def __init__(self, number: i64, city: str, route: i64, id: str, there: str) -> None:
        self.number = number
        self.city = city
        self.route = route
        self.id = id
        self.there = there


class RideRule(ListedRule[D, A]):
    """A step of a journey (M5).

    A code is a ride, and a way to pay for it. The first is that of a player's own route, for nothing.
    """

    def bind(self, rules: Rules) -> None:
        board, network = rules.board, rules.network
        self.prices: Prices = rules.economy.prices(PASSAGES)
        self.every: list[Ride] = []
        #: The rides from each city: none into a country (M7).
        self.onward: dict[str, list[Ride]] = {city: [] for city in board.cities}
        for city, number in network.city_number.items():
            for route in network.routes_at[number]:
                id = network.route_ids[route]
                end = board.routes[id].other_end(city)
                if board.cities[end].country is None:
                    self.every.append(Ride(len(self.every), city, route, id, end))
                    self.onward[city].append(self.every[-1])

    @abstractmethod
    def starts(self, state: State, seat: i64) -> tuple[Sequence[str], tuple[str, ...]]:
        """The cities to go on from, and the routes that the passenger has traveled on."""
        raise NotImplementedError

    @abstractmethod
    def make(self, seat: i64, ride: Ride, payment: Counts) -> A:
        """The action for a ride."""
        raise NotImplementedError

    def rides(self, state: State, cities: Sequence[str], used: tuple[str, ...]) -> list[Ride]:
        """The rides on claimed routes from some cities, except on those used."""
        owner = state.owner
        return [
            ride for city in cities for ride in self.onward[city] if owner[ride.route] != FREE and ride.id not in used
        ]

    def passage(self, state: State, seat: i64, used: tuple[str, ...]) -> i64:
        """The number in `PASSAGES` of what another player's route costs a passenger that has traveled on these."""
        for id in used:
            if state.owner[state.rules.network.route_number[id]] != seat:
                return 1
        return 0

    def number_of_codes(self, rules: Rules) -> int | None:
        sizes = self.prices.sizes()
        return None if sizes is None else len(self.every) * (1 + max(sizes))

    def count(self, state: State, seat: i64) -> i64:
        cities, used = self.starts(state, seat)
        rides = self.rides(state, cities, used)
        free = len([ride for ride in rides if state.owner[ride.route] == seat])
        if free == len(rides):
            return free
        return free + (len(rides) - free) * self.prices.ways(state, seat, self.passage(state, seat, used))

    def codes(self, state: State, seat: i64) -> list[int]:
        cities, used = self.starts(state, seat)
        rides = self.rides(state, cities, used)
        if not rides:
            return []
        cost = self.passage(state, seat, used)
        ways = [self.prices.way(state, seat, cost, n) for n in range(self.prices.ways(state, seat, cost))]
        return [self._code(ride, way) for ride in rides for way in ((-1,) if state.owner[ride.route] == seat else ways)]

    def _code(self, ride: Ride, way: i64) -> i64:
        return ride.number + len(self.every) * (1 + way)

    def action_of(self, state: State, seat: i64, code: i64) -> A:
        way: i64 = code // len(self.every) - 1
        payment = NOTHING
        if way >= 0:
            payment = self.prices.payment(state, seat, self.passage(state, seat, self.starts(state, seat)[1]), way)
        return self.make(seat, self.every[code % len(self.every)], payment)

    def code_of(self, state: State, seat: i64, action: A) -> i64:
        return self.codes(state, seat)[self.offers(state, state.asked_of(seat)).index(action)]

    def ride_refusal(
        self, state: State, seat: int, city: str, used: tuple[str, ...], route: str, payment: Counts
    ) -> Refusal | None:
        """The reason that a passenger of a seat cannot go from a city along a route, or None if it can."""
        if route not in [ride.id for ride in self.rides(state, (city,), used)]:
            template = (
                "from {city} a passenger goes along a claimed route that it has not used, to a city: not along {route}"
            )
            return Refusal("M5", Message(template, city=city, route=brief(route)))
        owner = state.owners[route]
        if owner == seat:
            own = Message("{route} is the player's own and costs nothing", route=route)
            return Refusal("M5", own) if payment else None
        refused = state.rules.economy.refusal(state, seat, PASSAGES[self.passage(state, seat, used)], payment)
        if refused is None:
            return None
        reason = refused.reason if isinstance(refused.reason, Message) else Message(refused.reason)
        return Refusal(
            "M5", Message("{route} belongs to {seat}: {reason}", route=route, seat=Seat(owner), reason=reason)
        )

    def go(self, tx: Transaction, seat: i64, code: i64, cities: tuple[str, ...], used: tuple[str, ...]) -> Question:
        """Pay, travel, take the token of a city not passed before, and continue if a claimed route leads on."""
        state = tx.state
        ride = self.every[code % len(self.every)]
        way: i64 = code // len(self.every) - 1
        if way >= 0:
            cost = self.passage(state, seat, used)
            if self.prices.payment(state, seat, cost, way).total:
                self.prices.pay(tx, seat, cost, way)
        tx.emit(PassengerTravelled, seat, ride.id, ride.there)
        stack: tuple[int, ...] = state.part(Passengers).city_tokens.get(ride.there, ())
        if stack and ride.there not in cities:
            tx.emit(TokenTaken, seat, ride.there, stack[0])
        used = (*used, ride.id)
        if self.rides(state, (ride.there,), used):
            return Journey(seat, (*cities, ride.there), used)
        tx.emit(PassengerArrived, seat, ride.there)
        return ()


class MovePassengerRule(RideRule[Turn, MovePassenger]):
    """Send one passenger on its journey (M5)."""

    def starts(self, state: State, seat: i64) -> tuple[Sequence[str], tuple[str, ...]]:
        standing: dict[str, int] = state.part(Passengers).standing
        return sorted([city for city, owner in standing.items() if owner == seat]), ()

    def make(self, seat: i64, ride: Ride, payment: Counts) -> MovePassenger:
        return MovePassenger(seat, ride.city, ride.id, payment)

    def refusal(self, state: State, decision: Turn, action: MovePassenger) -> Refusal | None:
        if state.part(Passengers).standing.get(action.city) != action.seat:
            template = "no passenger of {seat} stands in {city}"
            return Refusal("M5", Message(template, seat=Seat(action.seat), city=brief(action.city)))
        return self.ride_refusal(state, action.seat, action.city, (), action.route, action.payment)

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> Question:
        city = self.every[code % len(self.every)].city
        tx.emit(PassengerSetOut, seat, city)
        return self.go(tx, seat, code, (city,), ())


class TravelOnRule(RideRule[Journey, TravelOn]):
    """Go on along a route that the passenger has not traveled on (M5)."""

    def starts(self, state: State, seat: i64) -> tuple[Sequence[str], tuple[str, ...]]:
        journey: Journey = state.asked_of(seat)
        return journey.cities[-1:], journey.routes

    def make(self, seat: i64, ride: Ride, payment: Counts) -> TravelOn:
        return TravelOn(seat, ride.id, payment)

    def refusal(self, state: State, decision: Journey, action: TravelOn) -> Refusal | None:
        here = decision.cities[-1]
        return self.ride_refusal(state, action.seat, here, decision.routes, action.route, action.payment)

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> Question:
        journey: Journey = tx.state.asked_of(seat)
        return self.go(tx, seat, code, journey.cities, journey.routes)


class EndJourneyRule(ActionRule[Journey, EndJourney]):
    """Stop the passenger, which is allowed anywhere (M5), and take it out of the game."""

    def refusal(self, state: State, decision: Journey, action: EndJourney) -> Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: Journey, action: EndJourney) -> None:
        tx.emit(PassengerArrived, action.seat, decision.cities[-1])
