"""Events that set up an arranged position."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.events.base import Event, secret
from ttr_rules.kernel.open_routes import recount
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Unknown


@frozen
class PositionArranged(Event):
    """A game begins mid-way: the names of the players, and who is to act.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.events[0]
    PositionArranged(players=('Ada', 'Bo'), to_act=0)
    """

    players: tuple[str, ...]
    to_act: int

    @staticmethod
    def effect(state: State, players: tuple[str, ...], to_act: int) -> None:
        state.turn = to_act
        state.stage = len(state.rules.setup)


@frozen
class CarsArranged(Event):
    """A seat of an arranged position has this many train cars left.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "cars": 7}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> game.events[1]
    CarsArranged(seat=0, cars=7)
    """

    seat: int
    cars: int

    @staticmethod
    def effect(state: State, seat: int, cars: int) -> None:
        state.cars[seat] = cars
        recount(state, seat)


@frozen
class TicketsArranged(Event):
    """A seat of an arranged position holds these tickets.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> game.events[1].seen_by(0)
    SeenEvent(TicketsArranged(seat=0, tickets=('paris-wien',)))
    >>> game.events[1].seen_by(1)
    SeenEvent(TicketsArranged(seat=0, tickets=Unknown(count=1)))
    """

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, tickets: tuple[str, ...]) -> None:
        state.tickets[seat] += tickets
