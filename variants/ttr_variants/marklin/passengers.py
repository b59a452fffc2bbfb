"""Märklin's passengers and tokens (M1, M4–M8, X12): a passenger travels route by route and takes tokens.

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
from typing import Any, ClassVar, TypeGuard

from attrs import evolve, field

from ttr_rules import (
    Action,
    Board,
    Counts,
    Decision,
    Event,
    InvalidInputError,
    PlayerScore,
    Refusal,
    Route,
    State,
    Turn,
)
from ttr_rules.language import Message, Seat, marked
from ttr_rules.model import Cost, to_counts
from ttr_rules.numbers import FREE
from ttr_rules.parts import KeyHelp, PlayerEntry, Position, Report
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    Part,
    Question,
    Rules,
    ScoringTerm,
    Term,
    TieBreak,
    Transaction,
    public,
)
from ttr_rules.text import brief

PASSENGERS_EACH = 3


def stacks_of(board: Board) -> dict[str, tuple[int, ...]]:
    """The stack of tokens of each city, top first, from the map's `extra.tokens` (M6); empty without any.

    Raises `InvalidInputError` for rows that are not of the form `{city = "berlin", tokens = [7, 6]}`.
    """
    found: dict[str, tuple[int, ...]] = {}
    rows: Any = board.extra.get("tokens", ())
    for number, row in enumerate(rows):
        try:
            city, tokens = row["city"], tuple(row["tokens"])
            good = board.cities[city].country is None and all(type(token) is int and token > 0 for token in tokens)
        except (KeyError, TypeError):
            city, tokens, good = "", (), False
        if not good or city in found:
            raise InvalidInputError(
                f"extra.tokens[{number}] of the board {board.name}: expected a city that is no border crossing, once, "
                f"and the values of its tokens, got {row!r}"
            )
        found[city] = tokens
    return found


class Passengers(Part):
    """The places of passengers and the tokens of each seat; all of it is public.

    `standing` maps cities to the seats whose passenger stands there, and `left` counts those not yet placed, by seat.
    `city_tokens` are the stacks of the cities, top first, and `taken` the tokens of each seat in the order taken.
    """

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {
        "passengers": KeyHelp("The cities where passengers of this player stand.", "[{city}]"),
        "passengers_gone": KeyHelp("How many passengers of this player have traveled and left the game.", "1"),
        "tokens_taken": KeyHelp(
            "The values of the tokens that this player took; or a table of the cities where they were taken.", "[2, 3]"
        ),
    }

    city_tokens: dict[str, tuple[int, ...]] = public(label="City tokens")
    left: list[int] = public(each=PASSENGERS_EACH, label="Passengers left")
    taken: list[tuple[int, ...]] = public(each=(), label="Tokens")
    standing: dict[str, int] = public(label="Passengers", seats=True)

    @classmethod
    def start(cls, rules: Rules, players: int) -> Passengers:
        part = super().start(rules, players)
        part.city_tokens = stacks_of(rules.board)
        return part

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        arrange_passengers(tx, position, report)

    def place(self, seat: int, city: str) -> None:
        """Put a passenger into a city (M4)."""
        self.standing[city] = seat
        self.left[seat] -= 1

    def set_out(self, seat: int, city: str) -> None:
        """Take the passenger of a city along on its journey (M5)."""
        del self.standing[city]

    def take_token(self, seat: int, city: str, points: int) -> None:
        """Give a seat the top token of a city (M5)."""
        self.city_tokens[city] = self.city_tokens[city][1:]
        self.taken[seat] += (points,)

    def of(self, seat: int) -> list[str]:
        """The cities where passengers of `seat` stand, in the order of their ids."""
        return sorted([city for city, owner in self.standing.items() if owner == seat])


# -- events -----------------------------------------------------------------------------------------------------


class PassengerPlaced(Event):
    """A seat put a passenger into a city (M4)."""

    message = "{seat} places a passenger in {city}"

    seat: int
    city: str

    effect = Passengers.place


class PassengerSetOut(Event):
    """The passenger of a city began its one journey (M5)."""

    message = "{seat} sends the passenger of {city} on a journey"

    seat: int
    city: str

    effect = Passengers.set_out


class PassengerTravelled(Event):
    """A passenger went along a route to a city (M5)."""

    message = "{seat} goes on to {city}{paid}"

    seat: int
    route: str
    city: str


class TokenTaken(Event):
    """A seat took the top token of a city (M5)."""

    message = "{seat} takes a token worth {points}"

    seat: int
    city: str
    points: int

    effect = Passengers.take_token


class PassengerArrived(Event):
    """A journey ended; the passenger left the game (M5)."""

    message = "{seat} ends the journey in {city}"

    seat: int
    city: str


class PassengersArranged(Event):
    """Passengers of a seat stand in these cities of an arranged position; `gone` have traveled."""

    message = "{seat} has passengers in {cities}, and {gone} gone"

    seat: int
    cities: tuple[str, ...]
    gone: int

    def apply(self, state: State) -> None:
        part = state.part(Passengers)
        part.standing.update(dict.fromkeys(self.cities, self.seat))
        part.left[self.seat] -= len(self.cities) + self.gone


class TokensArranged(Event):
    """A seat of an arranged position has these tokens, by the city they come from."""

    message = "{seat} has taken tokens: {tokens}"

    seat: int
    tokens: Mapping[str, tuple[int, ...]] = field(hash=False)

    def apply(self, state: State) -> None:
        part = state.part(Passengers)
        for city, values in self.tokens.items():
            stack = list(part.city_tokens[city])
            for value in values:
                stack.remove(value)
            part.city_tokens[city] = tuple(stack)
            part.taken[self.seat] += values


# -- tables -----------------------------------------------------------------------------------------------------


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def arrange_passengers(tx: Transaction, position: Position, report: Report) -> None:
    """Read `passengers`, `passengers_gone` and `tokens_taken` of the players.

    `tokens_taken` is a table of cities with the values taken there, or, if nobody remembers the cities, a list of
    values; those come from the first cities, in the order of the map, that still have them.
    """
    for player in position.players:
        _passengers(tx, player, report)
    by_city = [player for player in position.players if not _is_list(player.raw.get("tokens_taken"))]
    for player in by_city:
        for city, values in player.by_city("tokens_taken", report).items():
            for value in values if _is_list(values) else [values]:
                _token(tx, player, city, value, report)
    for player in position.players:
        if player not in by_city:
            for _, value in player.entries("tokens_taken", report):
                _token(tx, player, None, value, report)


def _passengers(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    board, part = tx.rules.board, tx.state.part(Passengers)
    ends = {city for id, seat in tx.state.owners.items() if seat == player.seat for city in board.routes[id].cities}
    cities: list[str] = []
    for place, city in player.cities("passengers", report):
        if board.cities[city].country is not None:
            report.add(place, f"{city} is a country: no passenger can stand there (M7)")
        elif city in part.standing or city in cities:
            report.add(place, f"a passenger stands in {city} already (M4)")
        elif city not in ends:
            report.add(place, f"no route of {player.name} ends in {city} (M4)")
        else:
            cities.append(city)
    gone = player.raw.get("passengers_gone", 0)
    if type(gone) is not int or gone < 0:
        report.add(f"{player.place}.passengers_gone", f"expected a number of passengers, got {brief(gone)}")
    elif len(cities) + gone > PASSENGERS_EACH:
        report.add(f"{player.place}.passengers", f"a player has {PASSENGERS_EACH} passengers only (M1)")
    elif cities or gone:
        tx.emit(PassengersArranged, player.seat, tuple(cities), gone)


def _token(tx: Transaction, player: PlayerEntry, city: str | None, value: object, report: Report) -> None:
    stacks = tx.state.part(Passengers).city_tokens
    place = f"{player.place}.tokens_taken"
    where = [each for each in ([city] if city is not None else stacks) if value in stacks.get(each, ())]
    if type(value) is int and where:
        tx.emit(TokensArranged, player.seat, {where[0]: (value,)})
    elif city is not None:
        report.add(f"{place}.{city}", f"{city} has no token {brief(value)} left (M6)")
    else:
        report.add(place, f"no token {brief(value)} is left (M6)")


class PassengerPlacing(Decision):
    """Choose one of these cities of the route just claimed for a passenger, or none (M4)."""

    public = True
    message = "You claimed {route}. Do you place a passenger in one of its cities?"
    passing = marked("Place no passenger")

    route: str
    cities: tuple[str, ...]


class PlacePassenger(Action):
    """Place a passenger in a city of the route just claimed (M4)."""

    message = "Place a passenger in"

    city: str


def stops(rules: Rules) -> Mapping[str, Sequence[str]]:
    """The ends of each route where passengers may be: those that are not countries (M7)."""
    board = rules.board
    return {
        id: [city for city in route.cities if board.cities[city].country is None] for id, route in board.routes.items()
    }


def placing(state: State, seat: int, route: Route) -> Question:
    """The decision after a claim, if the seat has a passenger and one of the cities has room (M4, M7)."""
    part = state.part(Passengers)
    if not part.left[seat]:
        return ()
    cities = [city for city in state.rules.derived(stops)[route.id] if city not in part.standing]
    return PassengerPlacing(seat, route.id, tuple(cities)) if cities else ()


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


#: The worth of the tokens (M6), from the moment they are taken.
TOKENS = ScoringTerm("tokens", _tokens, running=True)
#: The second tie-break (M8).
MORE_TOKENS = TieBreak("more points in tokens", _token_points)


#: The cost of traveling on a route of another player (M5, X12).
PASSAGE = Cost(kind="passenger", spaces=1, wilds=1)
#: The cost if the same journey has already used a route of another player (R19).
FURTHER_PASSAGE = evolve(PASSAGE, marks=("same_journey",))
PASSAGES = (PASSAGE, FURTHER_PASSAGE)
NOTHING = Counts()


class Journey(Decision):
    """Choose the next stop of a passenger, or its end (M5): the cities and routes it has visited, in order."""

    public = True
    message = "Your passenger has been to {cities}. Where does it go on to?"

    cities: tuple[str, ...]
    routes: tuple[str, ...]


class MovePassenger(Action):
    """Send the passenger that stands in a city along a first route (M5); `payment` for a route of another player."""

    message = "Send a passenger on a journey"

    city: str
    route: str
    payment: Counts

    def __init__(self, seat: int, city: str, route: str, payment: Mapping[str, int] = NOTHING) -> None:
        self.__attrs_init__(seat, city, route, to_counts(payment))


class TravelOn(Action):
    """Go on along a route (M5); `payment` for a route of another player."""

    message = "Travel on"

    route: str
    payment: Counts

    def __init__(self, seat: int, route: str, payment: Mapping[str, int] = NOTHING) -> None:
        self.__attrs_init__(seat, route, to_counts(payment))


class EndJourney(Action):
    """Stop where the passenger is; it leaves the game (M5)."""

    message = "End the journey here"


def routes_onward(rules: Rules) -> Mapping[str, Sequence[tuple[int, str]]]:
    """The routes, by number and id, on which passengers leave each city: none into a country (M7)."""
    network, ends = rules.network, rules.derived(stops)
    return {
        city: [(route, id) for route in network.routes_at[number] if {*ends[id := network.route_ids[route]]} - {city}]
        for city, number in network.city_number.items()
    }


def ways_on(state: State, city: str, used: Sequence[str]) -> list[tuple[int, str]]:
    """The claimed routes that lead on from a city, excluding those used: number and id of each."""
    owner = state.owner
    return [
        (route, id) for route, id in state.rules.derived(routes_onward)[city] if owner[route] != FREE and id not in used
    ]


def passage(state: State, seat: int, used: Sequence[str]) -> int:
    """The number in `PASSAGES` of the cost of another player's route, for a passenger that has traveled on `used`."""
    number = state.rules.network.route_number
    return 1 if used and any(state.owner[number[route]] != seat for route in used) else 0


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
                payments = self.prices.payments(state, seat, passage(state, seat, used))
            found.append((id, payments))
        return found

    def number(self, state: State, seat: int, cities: Sequence[str], used: Sequence[str]) -> int:
        """The number of routes that lead on from any of some cities, counted once for each way to pay for them."""
        onward, owner = state.rules.derived(routes_onward), state.owner
        owners = [owner[route] for city in cities for route, id in onward[city] if id not in used]
        own = owners.count(seat)
        others = len(owners) - owners.count(FREE) - own
        return own + (others * self.prices.ways(state, seat, passage(state, seat, used)) if others else 0)

    def refused(
        self, state: State, seat: int, city: str, used: Sequence[str], route: str, payment: Counts
    ) -> Refusal | None:
        """The reason that a passenger of a seat cannot go from a city along a route; None if it can."""
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
        refused = self.economy.refusal(state, seat, PASSAGES[passage(state, seat, used)], payment)
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
            self.economy.pay(tx, seat, payment, PASSAGES[passage(tx.state, seat, used)])
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
        if seat not in standing.values():
            return 0
        return self.number(state, seat, [city for city, owner in standing.items() if owner == seat], ())

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

    def count(self, state: State, seat: int) -> int:
        decision: Journey = state.asked_of(seat)
        return self.number(state, seat, decision.cities[-1:], decision.routes)

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
