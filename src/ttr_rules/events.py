"""Facts: what happened, with all that chance did. Folding them rebuilds a state.

Each fact has one `effect`, a function of the state and the fact's fields, and nothing else changes a state. The
engine applies effects through `Transaction.do` and makes the event objects only for those who keep them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, cast

import attrs
from attrs import field, frozen

from .cards import Counts
from .decisions import Decision, TicketChoice, TicketSetup, TunnelDue
from .economy import Cost
from .piles import CardPiles
from .state import FREE

if TYPE_CHECKING:
    from .state import State

_SECRET = "secret"


@frozen
class Unknown:
    """What stands in an event for something that a seat may not see; `count` is None where even the number is secret.

    >>> Unknown(4)
    Unknown(count=4)
    """

    count: int | None = None


def secret(owner: str | None = None, *, counted: bool = True) -> Any:
    """A field of an event that only one seat may see: the one in the field `owner`; nobody if there is none.

    With `counted=False` not even the number is told.
    """
    return field(metadata={_SECRET: (owner, counted)})


@frozen
class Event:
    """A fact. Plugins add their own: a frozen attrs class with an `effect`."""

    #: Changes a state as this fact does: a static method that takes the state, then the fields in their order.
    effect: ClassVar[Callable[..., None]]

    def apply(self, state: State) -> None:
        """Change `state` as this fact does."""
        type(self).effect(state, *(getattr(self, name.name) for name in attrs.fields(type(self))))

    def seen_by(self, seat: int | None) -> Event:
        """This fact as `seat` may see it; None is a spectator, who sees no secrets."""
        hidden: dict[str, Unknown] = {}
        for attribute in attrs.fields(type(self)):
            if _SECRET not in attribute.metadata:
                continue
            owner, counted = attribute.metadata[_SECRET]
            if owner is None or seat is None or getattr(self, owner) != seat:
                hidden[attribute.name] = Unknown(_size(getattr(self, attribute.name)) if counted else None)
        return attrs.evolve(self, **hidden) if hidden else self


def _size(value: object) -> int | None:
    if isinstance(value, Counts):
        return value.total
    if isinstance(value, Unknown):
        return value.count
    return len(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else 1


# -- set-up --------------------------------------------------------------------------------------------------


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
class TicketsDealt(Event):
    """A seat was dealt tickets at set-up and is asked which to keep (S7)."""

    seat: int
    stage: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, stage: int, tickets: tuple[str, ...]) -> None:
        for name, pile in state.ticket_piles.items():
            taken = [ticket for ticket in tickets if ticket in pile]
            if taken:
                state.ticket_piles[name] = tuple(ticket for ticket in pile if ticket not in taken)
        state.asked = (*state.asked, TicketSetup(seat, tickets, stage))


@frozen
class TicketsBoxed(Event):
    """The tickets left in a pile went to the box, unseen."""

    pile: str

    @staticmethod
    def effect(state: State, pile: str) -> None:
        del state.ticket_piles[pile]


@frozen
class TicketsChosen(Event):
    """A seat chose among its first tickets; how many it kept is secret until all have chosen (S7)."""

    seat: int
    kept: tuple[str, ...] | Unknown = secret("seat", counted=False)
    rejected: tuple[str, ...] | Unknown = secret("seat", counted=False)

    @staticmethod
    def effect(state: State, seat: int, kept: tuple[str, ...], rejected: tuple[str, ...]) -> None:
        state.tickets[seat] += kept
        state.rejects[seat] = rejected
        state.asked = tuple(decision for decision in state.asked if decision.seat != seat)


@frozen
class SetupRevealed(Event):
    """All have chosen: how many tickets each seat holds now is public (S7)."""

    held: tuple[int, ...]

    @staticmethod
    def effect(state: State, held: tuple[int, ...]) -> None:
        state.rejects = [()] * state.players
        state.stage += 1


# -- train cards ---------------------------------------------------------------------------------------------


@frozen
class PileShuffled(Event):
    """The draw pile was made: at set-up from the whole deck, later from all discards (D7). Its order is secret."""

    order: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, order: tuple[str, ...]) -> None:
        piles = state.part(CardPiles)
        piles.pile = tuple(map(piles.number.__getitem__, order))
        piles.drawn = 0
        piles.discarded = []


@frozen
class CardsDealt(Event):
    """A seat got cards from the top of the pile at set-up (S3)."""

    seat: int
    cards: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, cards: tuple[str, ...]) -> None:
        piles = state.part(CardPiles)
        for card in cards:
            piles.hand[seat][piles.number[card]] += 1
        piles.drawn += len(cards)


@frozen
class CardsTurnedUp(Event):
    """Cards from the top of the pile were added to the face-up row, at its right end."""

    cards: tuple[str, ...]

    @staticmethod
    def effect(state: State, cards: tuple[str, ...]) -> None:
        piles = state.part(CardPiles)
        piles.row += [piles.number[card] for card in cards]
        piles.drawn += len(cards)


@frozen
class RowSwept(Event):
    """Too many locomotives: the whole row was discarded (S4)."""

    cards: tuple[str, ...]

    @staticmethod
    def effect(state: State, cards: tuple[str, ...]) -> None:
        piles = state.part(CardPiles)
        piles.discarded += piles.row
        piles.row = []


@frozen
class CardDrawn(Event):
    """A seat drew the top card of the pile (D1)."""

    seat: int
    card: str | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, card: str) -> None:
        piles = state.part(CardPiles)
        piles.hand[seat][piles.number[card]] += 1
        piles.drawn += 1


@frozen
class FaceUpTaken(Event):
    """A seat took a face-up card; `replacement` was turned up in its place, None if the pile was empty (D1)."""

    seat: int
    card: str
    replacement: str | None

    @staticmethod
    def effect(state: State, seat: int, card: str, replacement: str | None) -> None:
        piles = state.part(CardPiles)
        number = piles.number[card]
        piles.hand[seat][number] += 1
        slot = piles.row.index(number)
        if replacement is None:
            del piles.row[slot]
        else:
            piles.row[slot] = piles.number[replacement]
            piles.drawn += 1


@frozen
class CardsSpent(Event):
    """A seat played cards from its hand; they are discarded (C4)."""

    seat: int
    payment: Counts

    @staticmethod
    def effect(state: State, seat: int, payment: Counts) -> None:
        state.part(CardPiles).spend(seat, payment)


@frozen
class CardsLaid(Event):
    """A seat laid cards down for a tunnel (T1)."""

    seat: int
    payment: Counts

    @staticmethod
    def effect(state: State, seat: int, payment: Counts) -> None:
        state.part(CardPiles).lay(seat, payment)


@frozen
class CardRevealed(Event):
    """A card from the top of the pile was turned up for a tunnel (T1)."""

    card: str

    @staticmethod
    def effect(state: State, card: str) -> None:
        piles = state.part(CardPiles)
        piles.revealed = (*piles.revealed, piles.number[card])
        piles.drawn += 1


@frozen
class LaidSpent(Event):
    """What was laid down for a tunnel was spent, together with `extra` from the hand (T2)."""

    seat: int
    extra: Counts

    @staticmethod
    def effect(state: State, seat: int, extra: Counts) -> None:
        piles = state.part(CardPiles)
        laid = piles.laid or Counts()
        piles.take_back(seat)
        piles.spend(seat, Counts({card: laid[card] + extra[card] for card in piles.kinds}))


@frozen
class LaidTakenBack(Event):
    """The cards laid down for a tunnel went back to the hand (T4)."""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.part(CardPiles).take_back(seat)


@frozen
class RevealedDiscarded(Event):
    """The cards turned up for a tunnel were discarded (T5)."""

    @staticmethod
    def effect(state: State) -> None:
        piles = state.part(CardPiles)
        piles.discarded += piles.revealed
        piles.revealed = ()


# -- routes, tunnels, tickets --------------------------------------------------------------------------------


@frozen
class RouteClaimed(Event):
    """A seat claimed a route and scored its points (C4)."""

    seat: int
    route: str
    points: int

    @staticmethod
    def effect(state: State, seat: int, route: str, points: int) -> None:
        network = state.rules.network
        number = network.route_number[route]
        state.owner[number] = seat
        state.cars[seat] -= network.lengths[number]
        state.scores[seat] += points
        closed = network.bits[number]
        twins = network.twins[number]
        if twins and state.players < state.rules.components.doubles_from:
            closed |= twins  # C6: closed for everybody
        still = ~closed
        state.open = [mask & still for mask in state.open]
        # C5: closed for the owner; C3: so is every route longer than the cars left.
        state.open[seat] &= ~twins & network.within(state.cars[seat])


@frozen
class TunnelEntered(Event):
    """A tunnel asks for more: its player must pay `extra` or give it up (T2)."""

    seat: int
    route: str
    laid: Counts
    revealed: tuple[str, ...]
    extra: Cost

    @staticmethod
    def effect(state: State, seat: int, route: str, laid: Counts, revealed: tuple[str, ...], extra: Cost) -> None:
        state.asked = (TunnelDue(seat, route, laid, revealed, extra),)


@frozen
class TunnelAbandoned(Event):
    """A seat gave a tunnel up (T4)."""

    seat: int
    route: str

    @staticmethod
    def effect(state: State, seat: int, route: str) -> None:
        pass


@frozen
class TicketsDrawn(Event):
    """A seat drew tickets from the top of the pile and is asked which to keep (K1)."""

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, tickets: tuple[str, ...]) -> None:
        pile = state.rules.draw_counts.pile
        state.ticket_piles[pile] = state.ticket_piles[pile][len(tickets) :]
        state.asked = (TicketChoice(seat, tickets),)


@frozen
class TicketsKept(Event):
    """A seat kept some of the tickets it had drawn (K1)."""

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, tickets: tuple[str, ...]) -> None:
        state.tickets[seat] += tickets


@frozen
class TicketsReturned(Event):
    """Tickets that were not kept went under a pile (K2). What and in which order is secret."""

    pile: str
    tickets: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, pile: str, tickets: tuple[str, ...]) -> None:
        state.ticket_piles[pile] = state.ticket_piles.get(pile, ()) + tickets


# -- the course of a game ------------------------------------------------------------------------------------


@frozen
class TurnBegun(Event):
    """A seat's turn began (S5)."""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.turn = seat
        state.asked = (state.rules.turns[seat],)


@frozen
class Asked(Event):
    """A seat is asked something more."""

    decision: Decision

    @staticmethod
    def effect(state: State, decision: Decision) -> None:
        state.asked = (decision,)


@frozen
class TurnEnded(Event):
    """A seat's turn ended; `passed` if it had to pass (R4)."""

    seat: int
    passed: bool

    @staticmethod
    def effect(state: State, seat: int, passed: bool) -> None:
        state.passes = state.passes + 1 if passed else 0
        if state.turns_left:
            state.turns_left -= 1


@frozen
class LastRoundBegun(Event):
    """The last round begins: `turns_left` turns remain (E1)."""

    turns_left: int

    @staticmethod
    def effect(state: State, turns_left: int) -> None:
        state.turns_left = turns_left


@frozen
class GameEnded(Event):
    """The game is over; what every seat held is revealed (P2). `reason` is "last round" or "deadlock" (R4)."""

    reason: str

    @staticmethod
    def effect(state: State, reason: str) -> None:
        state.asked = ()


# -- positions that were arranged ----------------------------------------------------------------------------


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
