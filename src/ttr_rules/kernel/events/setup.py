"""Events of set-up."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.events.base import Event, secret
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Decision, TicketMix, TicketSetup
from ttr_rules.model.unknown import Unknown


@frozen
class GameBegun(Event):
    """A game begins: the names of the players, seat by seat, and who starts (S5)."""

    players: tuple[str, ...]
    first_seat: int

    @staticmethod
    def effect(state: State, players: tuple[str, ...], first_seat: int) -> None:
        state.turn = first_seat


@frozen
class TicketsShuffled(Event):
    """A pile of tickets was shuffled; its order is secret."""

    pile: str
    order: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, pile: str, order: tuple[str, ...]) -> None:
        state.ticket_piles[pile] = order


@frozen
class MixAsked(Event):
    """Each seat must choose how many tickets of each pile to be dealt, `count` in all."""

    stage: int
    count: int

    @staticmethod
    def effect(state: State, stage: int, count: int) -> None:
        state.pending = tuple(TicketMix(seat, count, stage) for seat in range(state.players))


@frozen
class MixAnnounced(Event):
    """A seat announced how many tickets it will draw from each pile."""

    seat: int
    mix: Counts

    @staticmethod
    def effect(state: State, seat: int, mix: Counts) -> None:
        state.pending = tuple(decision for decision in state.pending if decision.seat != seat)


def _seat_of(decision: Decision) -> int:
    return decision.seat


@frozen
class TicketsDealt(Event):
    """A seat was dealt tickets at set-up and must choose which to keep (S7)."""

    seat: int
    stage: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, stage: int, tickets: tuple[str, ...]) -> None:
        for name, pile in state.ticket_piles.items():
            taken = [ticket for ticket in tickets if ticket in pile]
            if taken:
                state.ticket_piles[name] = tuple(ticket for ticket in pile if ticket not in taken)
        state.pending = tuple(sorted((*state.pending, TicketSetup(seat, tickets, stage)), key=_seat_of))


@frozen
class TicketsBoxed(Event):
    """The tickets left in a pile went to the box, unseen."""

    pile: str

    @staticmethod
    def effect(state: State, pile: str) -> None:
        del state.ticket_piles[pile]


@frozen
class TicketsChosen(Event):
    """A seat chose from its first tickets; how many it kept is secret until all have chosen (S7)."""

    seat: int
    kept: tuple[str, ...] | Unknown = secret("seat", counted=False)
    rejected: tuple[str, ...] | Unknown = secret("seat", counted=False)

    @staticmethod
    def effect(state: State, seat: int, kept: tuple[str, ...], rejected: tuple[str, ...]) -> None:
        state.tickets[seat] += kept
        state.rejects[seat] = rejected
        state.pending = tuple(decision for decision in state.pending if decision.seat != seat)


@frozen
class SetupRevealed(Event):
    """All have chosen: the number of tickets each seat holds becomes public, unless another stage follows (S7)."""

    held: tuple[int, ...]

    @staticmethod
    def effect(state: State, held: tuple[int, ...]) -> None:
        state.rejects = [()] * state.players
        state.first_tickets = held
        state.stage += 1
