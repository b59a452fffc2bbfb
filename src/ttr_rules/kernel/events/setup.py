"""Events of set-up."""

from __future__ import annotations

from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.state import State, recount
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.decisions import TicketMix
from ttr_rules.model.values import secret


class GameBegun(Event):
    """A game begins: the names of the players, seat by seat, and who starts (S5).

    >>> import ttr_rules as ttr
    >>> ttr.new_game("europe", players=["Ada", "Bo"], seed=1).events[0]
    GameBegun(players=('Ada', 'Bo'), first_seat=1)
    """

    players: tuple[str, ...]
    first_seat: int

    @staticmethod
    def effect(state: State, players: tuple[str, ...], first_seat: int) -> None:
        state.turn = first_seat


class TicketsShuffled(Event):
    """A pile of tickets was shuffled; its order is secret.

    >>> import ttr_rules as ttr
    >>> events = ttr.new_game("europe", players=2, seed=1).events
    >>> [event.seen_by(0).event.order for event in events if isinstance(event, TicketsShuffled)]
    [Unknown(count=6), Unknown(count=40)]
    """

    pile: str
    order: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, pile: str, order: tuple[str, ...]) -> None:
        state.ticket_piles[pile] = order


class MixAsked(Event):
    """Each seat must choose how many tickets of each pile to be dealt, `count` in all.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("germany-tickets", players=2, seed=1)
    >>> game.events[-1], game.decision(1)
    (MixAsked(stage=0, count=4), TicketMix(seat=1, count=4, stage=0))
    """

    stage: int
    count: int

    @staticmethod
    def effect(state: State, stage: int, count: int) -> None:
        state.pending = tuple(TicketMix(seat, count, stage) for seat in range(state.players))


class MixAnnounced(Event):
    """A seat announced how many tickets it will draw from each pile.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("germany-tickets", players=2, seed=1)
    >>> from ttr_rules.model import AnnounceMix
    >>> game.play(AnnounceMix(0, {"short": 3, "long": 1}))[0]
    MixAnnounced(seat=0, mix=Counts(short=3, long=1))
    """

    seat: int
    mix: Counts

    @staticmethod
    def effect(state: State, seat: int, mix: Counts) -> None:
        state.pending = tuple(decision for decision in state.pending if decision.seat != seat)


class TicketsDealt(Event):
    """A seat was dealt tickets at set-up and must choose which to keep (S7).

    >>> import ttr_rules as ttr
    >>> events = ttr.new_game("europe", players=2, seed=1).events
    >>> [event.seen_by(1).event.tickets for event in events if isinstance(event, TicketsDealt)]
    [Unknown(count=4), ('edinburgh-athina', 'rostov-erzurum', 'warszawa-smolensk', 'essen-kyiv')]
    """

    seat: int
    stage: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, stage: int, tickets: tuple[str, ...]) -> None:
        state.tickets_dealt(seat, tickets)


class TicketsBoxed(Event):
    """The tickets left in a pile went to the box, unseen.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> game.events[-1], list(game.state.ticket_piles)
    (TicketsBoxed(pile='long'), ['regular'])
    """

    pile: str

    @staticmethod
    def effect(state: State, pile: str) -> None:
        del state.ticket_piles[pile]


class TicketsChosen(Event):
    """A seat chose from its first tickets; how many it kept is secret until all have chosen (S7).

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> chosen, = game.play(game.legal_actions(0)[0])
    >>> len(chosen.kept), len(chosen.rejected), chosen.seen_by(1)
    (2, 2, SeenEvent(TicketsChosen(seat=0, kept=Unknown(count=None), rejected=Unknown(count=None))))
    """

    seat: int
    kept: tuple[str, ...] | Unknown = secret("seat", counted=False)
    rejected: tuple[str, ...] | Unknown = secret("seat", counted=False)

    effect = State.tickets_chosen


class SetupRevealed(Event):
    """All have chosen: the number of tickets each seat holds becomes public, unless another stage follows (S7).

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> events = [event for seat in (0, 1) for event in game.play(game.legal_actions(seat)[0])]
    >>> next(event for event in events if isinstance(event, SetupRevealed))
    SetupRevealed(held=(2, 2))
    """

    held: tuple[int, ...]

    effect = State.set_up_revealed


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


class NumberArranged(Event):
    """A seat of an arranged position has this number in a field of a part; 0 or 1 where that is false or true.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> NumberArranged(0, "Stations", "left", 1).apply(state)
    >>> from ttr_variants.europe import Stations
    >>> state.part(Stations).left
    [1, 3]
    """

    seat: int
    part: str
    field: str
    number: int

    @staticmethod
    def effect(state: State, seat: int, part: str, field: str, number: int) -> None:
        entries = getattr(_part(state, part), field)
        entries[seat] = type(entries[seat])(number)  # 0 and 1 are false and true


class CitiesArranged(Event):
    """A seat of an arranged position has these cities in a field of a part.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> CitiesArranged(0, "Stations", "built", ("paris",)).apply(state)
    >>> from ttr_variants.europe import Stations
    >>> state.part(Stations).built
    {'paris': 0}
    """

    seat: int
    part: str
    field: str
    cities: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, part: str, field: str, cities: tuple[str, ...]) -> None:
        getattr(_part(state, part), field).update(dict.fromkeys(cities, seat))


def _part(state: State, name: str) -> object:
    """The part of a state with a name."""
    names = state.rules.part_names
    return next(part for kind, part in state.parts.items() if names[kind] == name)
