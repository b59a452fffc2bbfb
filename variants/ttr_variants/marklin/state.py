"""Märklin's passengers and tokens: the state and the events that change it (M1, M4–M6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import define, field, frozen

from ttr_rules import Board, Event, InvalidInputError, State
from ttr_rules.plugins import GameData, Part, events_in, public

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

    city_tokens: dict[str, tuple[int, ...]] = public(factory=dict, label="City tokens")
    left: list[int] = public(factory=list, label="Passengers left")
    taken: list[tuple[int, ...]] = public(factory=list, label="Tokens")
    standing: dict[str, int] = public(factory=dict, label="Passengers", seats=True)

    def value(self) -> object:
        return (sorted(self.standing.items()), self.left, self.city_tokens, self.taken)

    def of(self, seat: int) -> list[str]:
        """The cities where passengers of `seat` stand, in the order of their ids."""
        return sorted([city for city, owner in self.standing.items() if owner == seat])


def start(rules: GameData, players: int) -> Part:
    """The passengers at the start of a game."""
    return Passengers(stacks_of(rules.board), [PASSENGERS_EACH] * players, [()] * players)


# -- events -----------------------------------------------------------------------------------------------------


@frozen
class PassengerPlaced(Event):
    """A seat put a passenger into a city (M4)."""

    message = "{seat} puts a passenger into {city}"

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

    message = "{seat} goes on to {city}"

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
    """Passengers of a seat stand in these cities of an arranged position; `gone` have travelled."""

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


EVENTS = events_in(globals())
