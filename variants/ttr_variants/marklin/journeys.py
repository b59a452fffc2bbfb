"""Journeys: a passenger travels route by route and takes tokens (M5, M7, X12).

**Moves.** A journey is played route by route: `MovePassenger` names the passenger by its city and the
first route, `TravelOn` the next one, `EndJourney` stops. So every journey that the rules allow is possible, no list of
whole journeys is ever needed (there can be millions), and each answer is one of few. Nothing hidden is revealed on the
way and nobody else acts, so announcing the whole journey at once would make no difference.

**Costs.** A player's own route costs nothing. A route of another player costs `PASSAGE`: one space of the kind
"passenger" that bears a locomotive symbol; every further one on the same journey costs the same, with a mark that says
so. Train cards pay each with a passenger card (M5), dice with a wild one each or one for all (X12, R19), another
economy with whatever it has.

**The end.** As long as a claimed route leads on, the player has a decision, able to pay or not, so that having
one reveals nothing about the player's hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from ttr_rules import Action, Counts, Decision, Refusal, State, Turn
from ttr_rules.model import Cost, to_counts
from ttr_rules.plugins import FREE, ActionRule, Economy, Message, Question, Rules, Seat, Transaction, brief

from .state import PassengerArrived, Passengers, PassengerSetOut, PassengerTravelled, TokenTaken

#: What traveling on a route of another player costs (M5, X12).
PASSAGE = Cost(kind="passenger", spaces=1, wilds=1)
#: The cost if the same journey has already used a route of another player (R19).
FURTHER_PASSAGE = evolve(PASSAGE, marks=("same_journey",))
PASSAGES = (PASSAGE, FURTHER_PASSAGE)
NOTHING = Counts()


@frozen
class Journey(Decision):
    """Where a passenger goes on to, or whether it stops (M5): the cities and routes it has visited, in order."""

    public = True
    message = "Your passenger has been to {cities}. Where does it go on to?"

    cities: tuple[str, ...]
    routes: tuple[str, ...]


@frozen
class MovePassenger(Action):
    """Send the passenger that stands in a city along a first route (M5); `payment` for a route of another player."""

    message = "Send a passenger on a journey"

    city: str
    route: str
    payment: Counts = field(default=NOTHING, converter=to_counts)


@frozen
class TravelOn(Action):
    """Go on along a route (M5); `payment` for a route of another player."""

    message = "Travel on"

    route: str
    payment: Counts = field(default=NOTHING, converter=to_counts)


@frozen
class EndJourney(Action):
    """Stop where the passenger is; it leaves the game (M5)."""

    message = "End the journey here"


def routes_onward(rules: Rules) -> Mapping[str, Sequence[tuple[int, str]]]:
    """The routes, by number and id, on which passengers leave each city: none into a country (M7)."""
    network, board = rules.network, rules.board
    return {
        city: [
            (route, id)
            for route in network.routes_at[number]
            if board.cities[board.routes[id := network.route_ids[route]].other_end(city)].country is None
        ]
        for city, number in network.city_number.items()
    }


def ways_on(state: State, city: str, used: Sequence[str]) -> list[tuple[int, str]]:
    """The claimed routes that lead on from a city, excluding those used: number and id of each."""
    owner = state.owner
    return [
        (route, id) for route, id in state.rules.derived(routes_onward)[city] if owner[route] != FREE and id not in used
    ]


def passage(state: State, seat: int, used: Sequence[str]) -> Cost:
    """What one more route of another player costs a passenger that has traveled on these routes."""
    number = state.rules.network.route_number
    return FURTHER_PASSAGE if any(state.owner[number[route]] != seat for route in used) else PASSAGE


class _Travel:
    """The common base of the first and later steps of a journey."""

    def __init__(self, economy: Economy) -> None:
        self.economy = economy
        self.prices = economy.prices(PASSAGES)

    def steps(self, state: State, seat: int, city: str, used: Sequence[str]) -> list[tuple[str, Sequence[Counts]]]:
        """Every route that leads on, with the ways to pay for it."""
        found: list[tuple[str, Sequence[Counts]]] = []
        payments: Sequence[Counts] | None = None
        for route, id in ways_on(state, city, used):
            if state.owner[route] == seat:
                found.append((id, (NOTHING,)))
                continue
            if payments is None:
                payments = self.payments(state, seat, used)
            found.append((id, payments))
        return found

    def payments(self, state: State, seat: int, used: Sequence[str]) -> list[Counts]:
        """The ways to pay for one more route of another player."""
        return list(self.prices.payments(state, seat, PASSAGES.index(passage(state, seat, used))))

    def refused(
        self, state: State, seat: int, city: str, used: Sequence[str], route: str, payment: Counts
    ) -> Refusal | None:
        """Why a passenger of a seat cannot go from a city along a route; None if it can."""
        board = state.rules.board
        if route not in board.routes:
            template = "there is no route {route} on the board {board}"
            return Refusal("M5", Message(template, route=brief(route), board=board.name))
        if city not in board.routes[route].cities:
            template = "{route} does not begin in {city}, where the passenger is"
            return Refusal("M5", Message(template, route=route, city=city))
        if route in used:
            return Refusal("M5", Message("the passenger has traveled on {route} already", route=route))
        there = board.routes[route].other_end(city)
        if board.cities[there].country is not None:
            return Refusal("M7", Message("{city} is a country: no passenger goes there", city=there))
        owner = state.owners.get(route)
        if owner is None:
            return Refusal("M5", Message("nobody has claimed {route}", route=route))
        if owner == seat:
            own = Message("{route} is the player's own and costs nothing", route=route)
            return Refusal("M5", own) if payment else None
        refused = self.economy.refusal(state, seat, passage(state, seat, used), payment)
        if refused is None:
            return None
        reason = refused.reason if isinstance(refused.reason, Message) else Message(refused.reason)
        return Refusal(
            "M5", Message("{route} belongs to {seat}: {reason}", route=route, seat=Seat(owner), reason=reason)
        )

    def go(
        self, tx: Transaction, seat: int, cities: tuple[str, ...], used: tuple[str, ...], route: str, payment: Counts
    ) -> Question:
        """Pay, travel, take the token of a city not passed before, and continue if a claimed route leads on."""
        if payment:
            self.economy.pay(tx, seat, payment)
        there = tx.rules.board.routes[route].other_end(cities[-1])
        tx.emit(PassengerTravelled, seat, route, there)
        stack = tx.state.part(Passengers).city_tokens.get(there)
        if stack and there not in cities:
            tx.emit(TokenTaken, seat, there, stack[0])
        journey = Journey(seat, (*cities, there), (*used, route))
        if ways_on(tx.state, there, journey.routes):
            return journey
        arrive(tx, journey)
        return ()


def arrive(tx: Transaction, journey: Journey) -> None:
    """End the journey: the passenger leaves the game."""
    tx.emit(PassengerArrived, journey.seat, journey.cities[-1])


class MovePassengerRule(_Travel, ActionRule[Turn, MovePassenger]):
    """Send one passenger on its journey (M5)."""

    on = Turn
    action = MovePassenger

    def offers(self, state: State, decision: Turn) -> Sequence[MovePassenger]:
        seat = decision.seat
        return [
            MovePassenger(seat, city, route, payment)
            for city in state.part(Passengers).of(seat)
            for route, payments in self.steps(state, seat, city, ())
            for payment in payments
        ]

    def count(self, state: State, seat: int) -> int:
        standing = state.part(Passengers).standing
        cities = [city for city, owner in standing.items() if owner == seat]
        return sum([len(payments) for city in cities for _, payments in self.steps(state, seat, city, ())])

    def refusal(self, state: State, decision: Turn, action: MovePassenger) -> Refusal | None:
        standing = state.part(Passengers).standing
        if standing.get(action.city) != action.seat:
            template = "no passenger of {seat} stands in {city}"
            return Refusal("M5", Message(template, seat=Seat(action.seat), city=brief(action.city)))
        return self.refused(state, action.seat, action.city, (), action.route, action.payment)

    def perform(self, tx: Transaction, decision: Turn, action: MovePassenger) -> Question:
        tx.emit(PassengerSetOut, action.seat, action.city)
        return self.go(tx, action.seat, (action.city,), (), action.route, action.payment)


class TravelOnRule(_Travel, ActionRule[Journey, TravelOn]):
    """Go on along a route that the passenger has not traveled on (M5)."""

    on = Journey
    action = TravelOn

    def offers(self, state: State, decision: Journey) -> Sequence[TravelOn]:
        steps = self.steps(state, decision.seat, decision.cities[-1], decision.routes)
        return [TravelOn(decision.seat, route, payment) for route, payments in steps for payment in payments]

    def refusal(self, state: State, decision: Journey, action: TravelOn) -> Refusal | None:
        here = decision.cities[-1]
        return self.refused(state, action.seat, here, decision.routes, action.route, action.payment)

    def perform(self, tx: Transaction, decision: Journey, action: TravelOn) -> Question:
        return self.go(tx, action.seat, decision.cities, decision.routes, action.route, action.payment)


class EndJourneyRule(ActionRule[Journey, EndJourney]):
    """Stop the passenger, which is allowed anywhere (M5)."""

    on = Journey
    action = EndJourney

    def offers(self, state: State, decision: Journey) -> Sequence[EndJourney]:
        return (EndJourney(decision.seat),)

    def refusal(self, state: State, decision: Journey, action: EndJourney) -> Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: Journey, action: EndJourney) -> None:
        arrive(tx, decision)
