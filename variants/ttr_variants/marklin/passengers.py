"""Märklin's passengers and tokens: state, events, tables, decisions and actions, points (M1, M4–M8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from attrs import frozen

from ttr_rules import (
    Action,
    Counts,
    Decision,
    Event,
    InvalidInputError,
    State,
)
from ttr_rules.boards import read_extra
from ttr_rules.language import marked
from ttr_rules.model import to_counts
from ttr_rules.parts import KeyHelp, PlayerEntry, Position, Report
from ttr_rules.plugins import (
    Choice,
    Part,
    Rules,
    Score,
    ScoringTerm,
    TieBreak,
    Transaction,
    public,
)
from ttr_rules.reading import is_list
from ttr_rules.text import brief

PASSENGERS_EACH = 3
NOTHING = Counts()


@frozen
class Stack:
    """The tokens of a city in a map file, top first. A country has none (M6)."""

    city: str
    tokens: tuple[int, ...]
    color: str = ""


def read_stacks(rules: Rules) -> dict[str, tuple[int, ...]]:
    """The stack of tokens of each city, top first, from the map's `extra.tokens` (M6), if it has any."""
    board = rules.board
    rows = read_extra(board, "tokens", list[Stack])
    stacks = {row.city: row.tokens for row in rows}
    for city, tokens in [(row.city, row.tokens) for row in rows]:
        once = stacks[city] is tokens and city in board.cities and board.cities[city].country is None
        if not once or min(tokens, default=1) < 1:
            raise InvalidInputError(f"extra.tokens of the board {board.name}: {brief(city)} cannot have {tokens}")
    return stacks


class Passengers(Part):
    """The places of passengers and the tokens of each seat, all of it public.

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
        part.city_tokens = rules.derived(read_stacks).copy()
        return part

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Read `passengers`, `passengers_gone` and `tokens_taken` of the players.

        `tokens_taken` is a table of cities with the values taken there, or, if nobody remembers the cities, a list of
        values. Those come from the first cities, in the order of the map, that still have them.
        """
        for player in position.players:
            _passengers(tx, player, report)
        by_city = [player for player in position.players if not is_list(player.raw.get("tokens_taken"))]
        for player in by_city:
            for city, values in player.by_location("tokens_taken", report).items():
                for value in values if is_list(values) else [values]:
                    _token(tx, player, city, value, report)
        for player in position.players:
            if player not in by_city:
                for _, value in player.entries("tokens_taken", report):
                    _token(tx, player, None, value, report)

    def place(self, seat: int, city: str) -> None:
        """Put a passenger into a city (M4)."""
        self.standing[city] = seat
        self.left[seat] -= 1

    def set_out(self, seat: int, city: str) -> None:
        """Take the passenger of a city along on its journey (M5)."""
        del self.standing[city]

    def take_token(self, seat: int, city: str, points: int) -> None:
        """Give a seat the first token of a city that is worth so much: in a game the top one (M5)."""
        stack = list(self.city_tokens[city])
        stack.remove(points)
        self.city_tokens[city] = tuple(stack)
        self.taken[seat] += (points,)


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
    """A journey ended, and the passenger left the game (M5)."""

    message = "{seat} ends the journey in {city}"

    seat: int
    city: str


# -- tables -----------------------------------------------------------------------------------------------------


def _passengers(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    board, part = tx.rules.board, tx.state.part(Passengers)
    ends = {city for id, seat in tx.state.owners.items() if seat == player.seat for city in board.routes[id].cities}
    cities: list[str] = []
    for place, city in player.locations("passengers", report):
        if board.cities[city].country is not None:
            report.add(place, f"{city} is a country: no passenger can stand there (M7)")
        elif city in part.standing or city in cities:
            report.add(place, f"a passenger stands in {city} already (M4)")
        elif city not in ends:
            report.add(place, f"no route of {player.name} ends in {city} (M4)")
        else:
            cities.append(city)
    gone = player.number("passengers_gone", 0, 0, PASSENGERS_EACH, report)
    if len(cities) + gone > PASSENGERS_EACH:
        report.add(f"{player.place}.passengers", f"a player has {PASSENGERS_EACH} passengers only (M1)")
        return
    for city in cities:
        tx.emit(PassengerPlaced, player.seat, city)
    if gone:
        tx.put_number(part, "left", player.seat, PASSENGERS_EACH - len(cities) - gone)


def _token(tx: Transaction, player: PlayerEntry, city: str | None, value: object, report: Report) -> None:
    stacks = tx.state.part(Passengers).city_tokens
    place = f"{player.place}.tokens_taken"
    where = [id for id in ([city] if city is not None else stacks) if value in stacks.get(id, ())]
    if type(value) is int and where:
        tx.emit(TokenTaken, player.seat, where[0], value)
    elif city is not None:
        report.add(f"{place}.{city}", f"{city} has no token {brief(value)} left (M6)")
    else:
        report.add(place, f"no token {brief(value)} is left (M6)")


class PlacePassenger(Action):
    """Place a passenger in a city of the route just claimed (M4)."""

    message = "Place a passenger in"

    city: str


class PassengerPlacing(Choice[str]):
    """Choose one of these cities of the route just claimed for a passenger, or none (M4)."""

    action = PlacePassenger
    public = True
    message = "You claimed {route}. Do you place a passenger in one of its cities?"
    passing = marked("Place no passenger")

    route: str
    cities: tuple[str, ...]

    def options(self, state: State) -> Sequence[str]:
        return self.cities

    def chosen(self, tx: Transaction, option: str) -> None:
        tx.emit(PassengerPlaced, self.seat, option)


class Journey(Decision):
    """Choose the next stop of a passenger, or its end (M5): the cities and routes it has visited, in order."""

    public = True
    message = "Your passenger has been to {cities}. Where does it go on to?"

    cities: tuple[str, ...]
    routes: tuple[str, ...]


class MovePassenger(Action):
    """Send the passenger that stands in a city along a first route (M5). A route of another player has a `payment`."""

    message = "Send a passenger on a journey"

    city: str
    route: str
    payment: Counts

    def __init__(self, seat: int, city: str, route: str, payment: Mapping[str, int] = NOTHING) -> None:
        self.__attrs_init__(seat, city, route, to_counts(payment))


class TravelOn(Action):
    """Go on along a route (M5). A route of another player has a `payment`."""

    message = "Travel on"

    route: str
    payment: Counts

    def __init__(self, seat: int, route: str, payment: Mapping[str, int] = NOTHING) -> None:
        self.__attrs_init__(seat, route, to_counts(payment))


class EndJourney(Action):
    """Stop where the passenger is, and take it out of the game (M5)."""

    message = "End the journey here"


# -- scores ----------------------------------------------------------------------------------------------------


def _tokens(state: State, seat: int) -> Score:
    taken = state.part(Passengers).taken[seat]
    return Score(sum(taken), len(taken))


#: The worth of the tokens (M6), from the moment they are taken.
TOKENS = ScoringTerm("tokens", _tokens, running=True)
#: The second tie-break (M8).
MORE_TOKENS = TieBreak("more points in tokens", lambda state, players, player: player.terms["tokens"].points)
