"""Märklin's passengers and tokens: the state and the events that change it (M1, M4–M6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeGuard

from attrs import define, field, frozen

from ttr_rules import Board, Event, InvalidInputError, State
from ttr_rules.plugins import KeyHelp, Part, PlayerEntry, Position, Report, Rules, Transaction, brief, public

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


@define(eq=False, repr=False)
class Passengers(Part):
    """Where passengers stand, and who has which tokens; all of it is public.

    `standing` maps cities to the seats whose passenger stands there; `left` counts those not yet placed, by seat;
    `city_tokens` are the stacks of the cities, top first; `taken` the tokens of each seat in the order taken.
    """

    player_keys = ("passengers", "passengers_gone", "tokens_taken")
    key_help: ClassVar[Mapping[str, KeyHelp]] = {
        "passengers": KeyHelp("The cities where passengers of this player stand.", "[{city}]"),
        "passengers_gone": KeyHelp("How many passengers of this player have traveled and left the game.", "1"),
        "tokens_taken": KeyHelp(
            "The values of the tokens that this player took; or a table of the cities where they were taken.", "[2, 3]"
        ),
    }

    city_tokens: dict[str, tuple[int, ...]] = public(factory=dict, label="City tokens")
    left: list[int] = public(factory=list, label="Passengers left")
    taken: list[tuple[int, ...]] = public(factory=list, label="Tokens")
    standing: dict[str, int] = public(factory=dict, label="Passengers", seats=True)

    @classmethod
    def start(cls, rules: Rules, players: int) -> Passengers:
        return cls(stacks_of(rules.board), [PASSENGERS_EACH] * players, [()] * players)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        arrange_passengers(tx, position, report)

    def value(self) -> object:
        return (sorted(self.standing.items()), self.left, self.city_tokens, self.taken)

    def of(self, seat: int) -> list[str]:
        """The cities where passengers of `seat` stand, in the order of their ids."""
        return sorted([city for city, owner in self.standing.items() if owner == seat])


# -- events -----------------------------------------------------------------------------------------------------


@frozen
class PassengerPlaced(Event):
    """A seat put a passenger into a city (M4)."""

    message = "{seat} places a passenger in {city}"

    seat: int
    city: str

    @staticmethod
    def effect(state: State, seat: int, city: str) -> None:
        part = state.part(Passengers)
        part.standing[city] = seat
        part.left[seat] -= 1


@frozen
class PassengerSetOut(Event):
    """The passenger of a city began its one journey (M5)."""

    message = "{seat} sends the passenger of {city} on a journey"

    seat: int
    city: str

    @staticmethod
    def effect(state: State, seat: int, city: str) -> None:
        del state.part(Passengers).standing[city]


@frozen
class PassengerTravelled(Event):
    """A passenger went along a route to a city (M5)."""

    message = "{seat} goes on to {city}{paid}"

    seat: int
    route: str
    city: str

    @staticmethod
    def effect(state: State, seat: int, route: str, city: str) -> None:
        pass


@frozen
class TokenTaken(Event):
    """A seat took the top token of a city (M5)."""

    message = "{seat} takes a token worth {points}"

    seat: int
    city: str
    points: int

    @staticmethod
    def effect(state: State, seat: int, city: str, points: int) -> None:
        part = state.part(Passengers)
        part.city_tokens[city] = part.city_tokens[city][1:]
        part.taken[seat] += (points,)


@frozen
class PassengerArrived(Event):
    """A journey ended; the passenger left the game (M5)."""

    message = "{seat} ends the journey in {city}"

    seat: int
    city: str

    @staticmethod
    def effect(state: State, seat: int, city: str) -> None:
        pass


@frozen
class PassengersArranged(Event):
    """Passengers of a seat stand in these cities of an arranged position; `gone` have traveled."""

    message = "{seat} has passengers in {cities}, and {gone} gone"

    seat: int
    cities: tuple[str, ...]
    gone: int

    @staticmethod
    def effect(state: State, seat: int, cities: tuple[str, ...], gone: int) -> None:
        part = state.part(Passengers)
        part.standing.update(dict.fromkeys(cities, seat))
        part.left[seat] -= len(cities) + gone


@frozen
class TokensArranged(Event):
    """A seat of an arranged position has these tokens, by the city they come from."""

    message = "{seat} has taken tokens: {tokens}"

    seat: int
    tokens: Mapping[str, tuple[int, ...]] = field(hash=False)

    @staticmethod
    def effect(state: State, seat: int, tokens: Mapping[str, tuple[int, ...]]) -> None:
        part = state.part(Passengers)
        for city, values in tokens.items():
            stack = list(part.city_tokens[city])
            for value in values:
                stack.remove(value)
            part.city_tokens[city] = tuple(stack)
            part.taken[seat] += values


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
