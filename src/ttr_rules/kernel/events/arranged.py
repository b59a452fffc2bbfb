"""Facts that put an arranged position on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from ttr_rules.kernel.events.base import Event, Unknown, secret
from ttr_rules.kernel.state import FREE
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.piles import CardPiles

if TYPE_CHECKING:
    from ttr_rules.kernel.state import State


@frozen
class PositionArranged(Event):
    """A game begins in the middle: the names of the players, and who is to act."""

    players: tuple[str, ...]
    to_act: int

    @staticmethod
    def effect(state: State, players: tuple[str, ...], to_act: int) -> None:
        state.turn = to_act
        state.stage = len(state.rules.setup)


@frozen
class HandArranged(Event):
    """A seat of an arranged position holds these train cards."""

    seat: int
    hand: Counts | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, hand: Counts) -> None:
        piles = state.part(CardPiles)
        for card, count in hand.items():
            piles.hand[seat][piles.number[card]] += count


@frozen
class CardsArranged(Event):
    """The row, the draw pile and the discards of an arranged position."""

    face_up: tuple[str, ...]
    discards: tuple[str, ...]
    order: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, face_up: tuple[str, ...], discards: tuple[str, ...], order: tuple[str, ...]) -> None:
        piles = state.part(CardPiles)
        number = piles.number
        piles.row = [number[card] for card in face_up]
        piles.discarded = [number[card] for card in discards]
        piles.pile = tuple(number[card] for card in order)
        piles.drawn = 0


@frozen
class CarsArranged(Event):
    """A seat of an arranged position has this many train cars left."""

    seat: int
    cars: int

    @staticmethod
    def effect(state: State, seat: int, cars: int) -> None:
        state.cars[seat] = cars
        network = state.rules.network
        twins = 0
        taken = 0
        for route, owner in enumerate(state.owner):
            if owner != FREE:
                taken |= network.bits[route]
                if owner == seat or state.players < state.rules.components.doubles_from:
                    twins |= network.twins[route]
        state.open[seat] = network.within(cars) & ~(taken | twins)


@frozen
class TicketsArranged(Event):
    """A seat of an arranged position holds these tickets."""

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, tickets: tuple[str, ...]) -> None:
        state.tickets[seat] += tickets
