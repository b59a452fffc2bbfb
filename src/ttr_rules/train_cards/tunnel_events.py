"""Events of train cards that are laid down and turned up for a tunnel."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.piles import CardPiles


@frozen
class CardsLaid(Event):
    """A seat laid cards down for a tunnel (T1).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red"], "players": players})
    >>> game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))[0]
    CardsLaid(seat=0, payment=Counts(red=3))
    >>> ttr.cards(game.state).laid
    Counts(red=3)
    """

    seat: int
    payment: Counts

    @staticmethod
    def effect(state: State, seat: int, payment: Counts) -> None:
        piles: CardPiles = state.kept[0]
        piles.lay(seat, payment)


@frozen
class CardsRevealed(Event):
    """Cards from the top of the pile were turned up for a tunnel (T1).

    >>> import ttr_rules as ttr
    >>> position = {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]})
    >>> game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))[1]
    CardsRevealed(cards=('red', 'blue', 'green'))
    """

    cards: tuple[str, ...]

    @staticmethod
    def effect(state: State, cards: tuple[str, ...]) -> None:
        piles: CardPiles = state.kept[0]
        piles.reveal(tuple([piles.number[card] for card in cards]))


@frozen
class LaidSpent(Event):
    """The cards laid down for a tunnel were spent, together with `extra` from the hand (T2).

    >>> import ttr_rules as ttr
    >>> position = {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> game.play(ttr.PayTunnel(0, {"red": 1}))[0]
    LaidSpent(seat=0, extra=Counts(red=1))
    """

    seat: int
    extra: Counts

    @staticmethod
    def effect(state: State, seat: int, extra: Counts) -> None:
        piles: CardPiles = state.kept[0]
        piles.spend_laid(seat, extra)


@frozen
class LaidTakenBack(Event):
    """The cards laid down for a tunnel returned to the hand (T4).

    >>> import ttr_rules as ttr
    >>> position = {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> game.play(ttr.AbandonTunnel(0))[:2]
    (TunnelAbandoned(seat=0, route='paris-zurich-gray'), LaidTakenBack(seat=0))
    """

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.part(CardPiles).take_back(seat)


@frozen
class RevealedDiscarded(Event):
    """The cards turned up for a tunnel were discarded (T5).

    >>> import ttr_rules as ttr
    >>> position = {"stack": ["europe"], "seed": 1, "draw_pile": ["black", "blue", "green"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]})
    >>> events = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> RevealedDiscarded() in events, ttr.cards(game.state).discards
    (True, ('red', 'red', 'red', 'black', 'blue', 'green'))
    """

    @staticmethod
    def effect(state: State) -> None:
        piles: CardPiles = state.kept[0]
        piles.discard_revealed()
