"""Events of the train-card economy."""

from __future__ import annotations

from ttr_rules.kernel.events import Event
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.decisions import secret
from ttr_rules.train_cards.piles import CardPiles


class PileShuffled(Event):
    """The draw pile was formed: at set-up from the whole deck, later from all discards (D7). Its order is secret.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> next(event.seen_by(0) for event in game.events if isinstance(event, PileShuffled))
    SeenEvent(PileShuffled(order=Unknown(count=110)))
    """

    order: tuple[str, ...] | Unknown = secret()


class DeckShuffled(PileShuffled):
    """The draw pile of one of several decks was formed (D7): everybody sees which one.

    >>> DeckShuffled(("ship", "double_ship"), "ship").seen_by(0)
    SeenEvent(DeckShuffled(order=Unknown(count=2), deck='ship'))
    """

    deck: str


class CardsDealt(Event):
    """A seat was dealt cards from the top of the pile at set-up (S3).

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> [event.seen_by(0).event.cards for event in game.events if isinstance(event, CardsDealt)]
    [('white', 'orange', 'black', 'yellow'), Unknown(count=4)]
    """

    seat: int
    cards: tuple[str, ...] | Unknown = secret("seat")


class CardsTurnedUp(Event):
    """Cards from the top of the pile were added to the face-up row, at its right end.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> next(event for event in game.events if isinstance(event, CardsTurnedUp))
    CardsTurnedUp(cards=('red', 'green', 'yellow', 'orange', 'purple'))
    """

    cards: tuple[str, ...]


class RowSwept(Event):
    """Too many locomotives: the whole row was discarded (S4).

    >>> import ttr_rules as ttr
    >>> row = ["locomotive", "locomotive", "red", "blue", "green"]
    >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "draw_pile": ["locomotive"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> [event for event in game.play(ttr.DrawFaceUp(0, "red")) if isinstance(event, RowSwept)]
    [RowSwept(cards=('locomotive', 'locomotive', 'locomotive', 'blue', 'green'))]
    """

    cards: tuple[str, ...]


class CardDrawn(Event):
    """A seat drew the top card of the pile (D1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> drawn = game.play(ttr.DrawBlind(0))[0]
    >>> drawn, drawn.seen_by(1)
    (CardDrawn(seat=0, card='green'), SeenEvent(CardDrawn(seat=0, card=Unknown(count=1))))
    """

    seat: int
    card: str | Unknown = secret("seat")


class DeckCardDrawn(CardDrawn):
    """A seat drew the top card of one of several decks, unless its cards lie open (D1): everybody sees the deck.

    >>> DeckCardDrawn(0, "double_ship", "ship").seen_by(1)
    SeenEvent(DeckCardDrawn(seat=0, card=Unknown(count=1), deck='ship'))
    """

    deck: str


class FaceUpTaken(Event):
    """A seat took a face-up card. `replacement` was turned up in its place, None if the pile was empty (D1).

    >>> import ttr_rules as ttr
    >>> row = ["red", "blue", "green", "white", "black"]
    >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "draw_pile": ["yellow"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.play(ttr.DrawFaceUp(0, "red"))[0]
    FaceUpTaken(seat=0, card='red', replacement='yellow')
    """

    seat: int
    card: str
    replacement: str | None


class CardsSpent(Event):
    """A seat played cards from its hand. They are discarded (C4).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))[0]
    CardsSpent(seat=0, payment=Counts(white=3))
    >>> ttr.cards(game.state).discards[-3:]
    ('white', 'white', 'white')
    """

    seat: int
    payment: Counts


class CardsDiscarded(Event):
    """A seat discarded cards from its hand, for nothing.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.actions import economy_of
    >>> from ttr_rules.plugins import Transaction
    >>> from ttr_rules.train_cards import TrainCards
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state, [])
    >>> economy_of(tx.rules.economy, TrainCards).discard(tx, 0, Counts(white=2))
    >>> tx.log
    [CardsDiscarded(seat=0, cards=Counts(white=2))]
    """

    seat: int
    cards: Counts


class HandArranged(Event):
    """A seat of an arranged position holds these train cards.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> next(event.seen_by(1) for event in game.events if isinstance(event, HandArranged))
    SeenEvent(HandArranged(seat=0, hand=Unknown(count=3)))
    """

    seat: int
    hand: Counts | Unknown = secret("seat")

    effect = CardPiles.give


class CardsGiven(Event):
    """A seat gave cards from its hand to another one. Only these two know which.

    >>> gift = CardsGiven(0, 1, Counts(red=1))
    >>> gift.seen_by(1).event.cards, gift.seen_by(2).event.cards
    (Counts(red=1), Unknown(count=1))
    """

    message = "{seat} gives {other_seat} {cards:card}"

    seat: int
    other_seat: int
    cards: Counts | Unknown = secret("seat", "other_seat")

    effect = CardPiles.hand_over


class CardExchanged(Event):
    """A seat laid a card from its hand into the row, and took the face-up card in whose place it lies.

    >>> import ttr_rules as ttr
    >>> row = ["red", "blue", "green", "white", "black"]
    >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "players": [{"hand": {"yellow": 1}}, {}]}
    >>> state = ttr.arrange(None, position).state
    >>> CardExchanged(0, "yellow", "blue").apply(state)
    >>> ttr.cards(state).face_up, ttr.cards(state).hands[0]
    (('red', 'yellow', 'green', 'white', 'black'), Counts(blue=1))
    """

    message = "{seat} exchanges {card:card} for {face_up:card}"

    seat: int
    card: str
    face_up: str

    effect = CardPiles.exchange


class FaceUpCleared(Event):
    """A face-up card was discarded, or put under the draw pile of its deck, where everybody knows it.

    `replacement` was turned up in its place, None if no card was left.

    >>> import ttr_rules as ttr
    >>> row = ["red", "blue", "green", "white", "black"]
    >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "draw_pile": ["yellow"], "players": [{}, {}]}
    >>> state = ttr.arrange(None, position).state
    >>> FaceUpCleared("blue", "yellow", True).apply(state)
    >>> ttr.cards(state).face_up, ttr.cards(state).draw_pile[-1]
    (('red', 'yellow', 'green', 'white', 'black'), 'blue')
    """

    message = "{card:card} leaves the row"

    card: str
    replacement: str | None
    under_pile: bool

    @staticmethod
    def effect(state: State, card: str, replacement: str | None, under_pile: bool) -> None:
        state.part(CardPiles).clear(card, replacement, under_pile=under_pile)


class RowReordered(Event):
    """The face-up row was laid in another order.

    >>> import ttr_rules as ttr
    >>> row = ["red", "blue", "green", "white", "black"]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "face_up": row, "players": [{}, {}]}).state
    >>> RowReordered(("blue", "green", "white", "black", "red")).apply(state)
    >>> ttr.cards(state).face_up[0]
    'blue'
    """

    message = ""

    cards: tuple[str, ...]

    effect = CardPiles.reorder_row


class CardsLookedAt(Event):
    """A seat looked at the top cards of the draw pile of a deck, "train" for the only one.

    >>> CardsLookedAt(0, ("red", "blue"), "train").seen_by(1)
    SeenEvent(CardsLookedAt(seat=0, cards=Unknown(count=2), deck='train'))
    """

    message = "{seat} looks at {cards:card}"

    seat: int
    cards: tuple[str, ...] | Unknown = secret("seat")
    deck: str

    effect = CardPiles.look


class CardsReordered(Event):
    """A seat laid the top cards of the draw pile of a deck in another order, some of them under the pile.

    >>> CardsReordered(0, ("red",), ("blue",), "train").seen_by(1)
    SeenEvent(CardsReordered(seat=0, top=Unknown(count=1), bottom=Unknown(count=1), deck='train'))
    """

    message = "{seat} lays the top cards of the pile in another order"

    seat: int
    top: tuple[str, ...] | Unknown = secret("seat")
    bottom: tuple[str, ...] | Unknown = secret("seat")
    deck: str

    effect = CardPiles.reorder


class CardsArranged(Event):
    """The row, the draw pile and the discards of an arranged position.

    >>> import ttr_rules as ttr
    >>> row = ["red", "blue", "green", "white", "black"]
    >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "discards": ["red"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> arranged = next(event for event in game.events if isinstance(event, CardsArranged))
    >>> arranged.face_up, arranged.discards, arranged.seen_by(0).event.order
    (('red', 'blue', 'green', 'white', 'black'), ('red',), Unknown(count=104))
    """

    face_up: tuple[str, ...]
    discards: tuple[str, ...]
    order: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, face_up: tuple[str, ...], discards: tuple[str, ...], order: tuple[str, ...]) -> None:
        piles = state.part(CardPiles)
        piles.lay_row([*piles.number_cards(face_up)])
        piles.discarded = [*piles.number_cards(discards)]
        piles.lay_piles(piles.number_cards(order))


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


class CardsRevealed(Event):
    """Cards from the top of the pile were turned up for a tunnel (T1).

    >>> import ttr_rules as ttr
    >>> position = {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]})
    >>> game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))[1]
    CardsRevealed(cards=('red', 'blue', 'green'))
    """

    cards: tuple[str, ...]


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


class RevealedDiscarded(Event):
    """The cards turned up for a tunnel were discarded (T5).

    >>> import ttr_rules as ttr
    >>> position = {"stack": ["europe"], "seed": 1, "draw_pile": ["black", "blue", "green"]}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]})
    >>> events = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> RevealedDiscarded() in events, ttr.cards(game.state).discards
    (True, ('red', 'red', 'red', 'black', 'blue', 'green'))
    """


# -- decks whose cards lie open ----------------------------------------------------------------------------------


class OpenCardsDealt(CardsDealt):
    """A seat was dealt cards of decks whose cards lie open (S3).

    >>> OpenCardsDealt(0, ("forest",)).seen_by(1)
    SeenEvent(OpenCardsDealt(seat=0, cards=('forest',)))
    """

    cards: tuple[str, ...]


class OpenCardDrawn(CardDrawn):
    """A seat drew the top card of a deck whose cards lie open (D1).

    >>> OpenCardDrawn(0, "forest").seen_by(1)
    SeenEvent(OpenCardDrawn(seat=0, card='forest'))
    """

    card: str


class OpenCardsGiven(CardsGiven):
    """A seat gave cards that lie open to another one.

    >>> OpenCardsGiven(0, 1, Counts(forest=1)).seen_by(2)
    SeenEvent(OpenCardsGiven(seat=0, other_seat=1, cards=Counts(forest=1)))
    """

    cards: Counts


class OpenHandArranged(HandArranged):
    """A seat of an arranged position holds these cards, which lie open.

    >>> OpenHandArranged(0, Counts(forest=2)).seen_by(1)
    SeenEvent(OpenHandArranged(seat=0, hand=Counts(forest=2)))
    """

    hand: Counts
