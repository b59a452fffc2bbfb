"""Values of train cards: decks, options, actions, decisions, and the cards as seats see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from attrs import field, frozen

from ttr_rules.kernel.plugin import option
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import CardDraw, Decision
from ttr_rules.text import cut


@frozen
class CardDeck:
    """A deck of train cards with a draw pile and discards of its own. Each seat is dealt `hand` cards, and `row` lie face up.

    With `open`, cards in hands lie open, so everybody sees which ones are dealt and drawn.

    >>> CardDeck("ship", {"ship": 30, "double_ship": 10}, hand=7, row=3).name
    'ship'
    """

    name: str
    cards: Mapping[str, int]
    hand: int = 4
    row: int = 5
    open: bool = False


class Decks(NamedTuple):
    """The kinds of cards, by number, and their decks, with an entry of `names` and `spared` for each deck."""

    cards: Mapping[str, int]
    kinds: tuple[str, ...]
    number: dict[str, int]
    names: list[str]
    deck_of: list[int]
    spared: list[bool]
    is_open: list[bool]


@frozen
class CardOptions:
    """The rulings on open cases about train cards.

    >>> CardOptions().second_card_optional
    False
    """

    face_up_when_exhausted: bool = option(
        False, True, rule="R2", meaning="with draw pile and discards empty, face-up cards may still be taken"
    )
    second_card_optional: bool = option(
        False, True, rule="R5", meaning="a player may pass on the second card although one could be drawn"
    )


class DrawBlind(CardDraw):
    """Draw the top card of the draw pile (D1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> for _ in range(2):  # two cards make a turn
    ...     events = game.play(ttr.DrawBlind(0))
    >>> ttr.cards(game.view(0)).hand.total, game.to_act
    (2, (1,))
    """


class DrawFrom(CardDraw):
    """Draw the top card of one of several decks (D1). The card is the seat's secret, but everybody sees its deck.

    >>> DrawFrom(0, "ship")
    DrawFrom(seat=0, deck='ship')
    """

    instead_of = DrawBlind
    message = "Draw a card from a pile"

    deck: str


class DrawFaceUp(CardDraw):
    """Take a face-up card of one color, or a locomotive (D1, D2).

    >>> import ttr_rules as ttr
    >>> row = ["red", "blue", "green", "white", "locomotive"]
    >>> position = {"stack": ["europe"], "seed": 1, "face_up": row}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawFaceUp(0, "red"))
    >>> print(game.refusal(ttr.DrawFaceUp(0, "locomotive")))
    [D3] a face-up locomotive can only be the first card
    """

    card: str


class TakeFaceUp(CardDraw):
    """Take a face-up card when there are several decks (D1, D2): the top card of `deck` takes its place.

    >>> TakeFaceUp(0, "red", "ship")
    TakeFaceUp(seat=0, card='red', deck='ship')
    """

    instead_of = DrawFaceUp
    message = "Take a face-up card"

    card: str
    deck: str


class NextCard(Decision):
    """Draw another train card: `left` of them, this one included (D1).

    `of_draw` is true for the later cards of the draw that began in this turn, and false for cards that a plugin grants,
    unless the plugin sets it.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawBlind(0))
    >>> game.decision(0), {type(action).__name__ for action in game.legal_actions(0)} == {"DrawBlind", "DrawFaceUp"}
    (NextCard(seat=0, left=1, of_draw=True), True)
    """

    public = True
    one_at_a_time = True

    left: int = 1
    of_draw: bool = False


@frozen
class LookedAtCard:
    """A card in a draw pile that some `seats` have looked at (`TrainCards.look`), as a view shows it.

    `deck` is the name of its deck, "train" for the only one, and `place` its place in the pile, 0 on top. Everybody sees
    which cards were looked at. `card` is None for those who have not.

    >>> LookedAtCard("train", 0, (1,), None)
    LookedAtCard(deck='train', place=0, seats=(1,), card=None)
    """

    deck: str
    place: int
    seats: tuple[int, ...]
    card: str | None


@frozen(repr=False)
class SeenCards:
    """The train cards as a seat sees them (S6).

    Everybody sees the `face_up` row, the `discards`, the cards on the table for a tunnel (`laid`, `revealed`), and the
    sizes of the draw pile and of every hand. `hand` is the seat's own, None for a spectator. `looked_at` are the cards of
    draw piles that a seat has looked at, () in most games.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> seen = ttr.cards(game.view(0))
    >>> seen.hand.total, seen.hand_sizes, len(seen.face_up), seen.draw_pile_size
    (4, (4, 4), 5, 97)
    >>> ttr.cards(game.view(None)).hand is None
    True
    """

    face_up: tuple[str, ...]
    discards: tuple[str, ...]
    laid: Counts | None
    revealed: tuple[str, ...]
    draw_pile_size: int
    hand_sizes: tuple[int, ...]
    hand: Counts | None
    looked_at: tuple[LookedAtCard, ...] = field(default=(), kw_only=True)

    def __repr__(self) -> str:
        row = ", ".join(self.face_up) or "nothing"
        own = "" if self.hand is None else f", own hand {self.hand}"
        sizes = ", ".join(map(str, self.hand_sizes))
        return cut(f"<{type(self).__name__}: {row} face up, {self.draw_pile_size} in the pile, hands of {sizes}{own}>")


@frozen(repr=False)
class SeenDecks(SeenCards):
    """The train cards of several decks as a seat sees them. The back of a card shows its deck.

    `pile_sizes` are the cards left in each draw pile. `held` has the number of cards of each deck in each hand, by
    seat. `open_hands` are the cards of open decks before each seat, () if no deck is open.

    >>> SeenDecks(("red", "ship"), (), None, (), 7, (1, 2), None, pile_sizes=(5, 2), held=((1, 0), (1, 1)))
    <SeenDecks: red, ship face up, 7 in the pile, hands of 1, 2>
    """

    pile_sizes: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    open_hands: tuple[Counts, ...] = ()
