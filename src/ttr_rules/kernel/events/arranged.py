"""Events that set up an arranged position."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.events.base import Event, secret
from ttr_rules.kernel.open_routes import open_routes
from ttr_rules.kernel.state import State
from ttr_rules.model.unknown import Unknown


@frozen
class PositionArranged(Event):
    """A game begins mid-way: the names of the players, and who is to act."""

    players: tuple[str, ...]
    to_act: int

    @staticmethod
    def effect(state: State, players: tuple[str, ...], to_act: int) -> None:
        state.turn = to_act
        state.stage = len(state.rules.setup)


@frozen
class CarsArranged(Event):
    """A seat of an arranged position has this many train cars left."""

    seat: int
    cars: int

    @staticmethod
    def effect(state: State, seat: int, cars: int) -> None:
        state.cars[seat] = cars
        state.open[seat] = open_routes(state, seat)


@frozen
class TicketsArranged(Event):
    """A seat of an arranged position holds these tickets."""

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, tickets: tuple[str, ...]) -> None:
        state.tickets[seat] += tickets
