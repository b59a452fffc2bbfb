"""The state of the train-card economy: hands, the face-up row, the draw pile and the discards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, overload

from ttr_rules._internal.native import i64
from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.fields import items, places
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.view import View
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.chance import Dealer
from ttr_rules.text import cut
from ttr_rules.train_cards.multisets import hand_with
from ttr_rules.train_cards.values import SeenCards

#: The pool of fields in which plugins keep train cards apart.
POOL = "cards"


class CardPiles(Part):
    """Hands and piles of train cards. Internally, card types are numbers in the order of `kinds`.

    `hand` counts each seat's cards of each kind, and `row` is the face-up row, left to right. `pile` is the draw pile as
    it was shuffled, and `drawn` the number of its cards that are gone, so that copies can share it. `discarded` holds the
    discards, oldest first. `laid` and `revealed` are the cards on the table while a tunnel is being paid for.

    >>> import ttr_rules as ttr
    >>> piles = ttr.new_game("europe", players=2, seed=1).state.part(CardPiles)
    >>> piles.hands[0].total, len(piles.face_up), len(piles.draw_pile), piles.discards
    (4, 5, 97, ())
    """

    #: The type that `seen_by` returns.
    exposes: ClassVar[type[object]] = SeenCards

    drawn: i64
    lying: i64

    __slots__ = (
        "deck",
        "decks",
        "discarded",
        "drawn",
        "hand",
        "kinds",
        "laid",
        "laid_cards",
        "lying",
        "number",
        "pile",
        "revealed",
        "row",
        "shown",
    )  # fmt: skip

    def __init__(
        self, deck: Mapping[str, int], number: dict[str, int], players: int, of: CardPiles | None = None
    ) -> None:
        """No cards anywhere; with `of`, a copy of those piles."""
        self.deck = deck
        self.number = number
        self.decks: list[int] = []  # the number of the deck of each kind, if there are several
        if of is not None:
            self._copy(of)
            return
        self.kinds: tuple[str, ...] = tuple(number)
        self.hand: list[list[int]] = [[0] * len(number) for _ in range(players)]
        self.row: list[int] = []
        # The number of cards of each kind in the row, and the number of kinds there.
        self.shown: list[int] = [0] * len(number)
        self.lying = 0
        self.pile: tuple[int, ...] = ()
        self.drawn = 0
        self.discarded: list[int] = []
        self.laid: Counts | None = None
        self.laid_cards: list[tuple[int, int]] = []  # the same in numbers, if they were laid in this game
        self.revealed: tuple[int, ...] = ()

    def _copy(self, of: CardPiles) -> None:
        self.kinds = of.kinds
        self.hand = [hand.copy() for hand in of.hand]
        self.row = of.row.copy()
        self.shown = of.shown.copy()
        self.lying = of.lying
        self.pile = of.pile
        self.drawn = of.drawn
        self.discarded = of.discarded.copy()
        self.laid = of.laid
        self.laid_cards = of.laid_cards
        self.revealed = of.revealed

    def __repr__(self) -> str:
        hands = ", ".join(str(sum(hand)) for hand in self.hand)
        left = len(self.pile) - self.drawn
        row, gone = len(self.row), len(self.discarded)
        return cut(f"<CardPiles: {left} cards in the pile, {row} face up, {gone} discarded, hands of {hands}>")

    def copy(self) -> CardPiles:
        return CardPiles(self.deck, self.number, 0, self)

    def __reduce__(self) -> tuple[object, ...]:
        lying = self.hand, self.row, self.pile, self.drawn, self.discarded, self.laid, self.revealed
        return _piles, (self.deck, self.number, lying)

    def value(self) -> object:
        return (self.kinds, self.hand, self.row, self.pile[self.drawn :], self.discarded, self.laid, self.revealed)

    def seen_by(self, seat: int | None) -> SeenCards:
        """The row, the discards and all sizes are public; a hand is secret to its owner (S6)."""
        return SeenCards(
            face_up=self.face_up,
            discards=self.discards,
            laid=self.laid,
            revealed=self.name_cards(self.revealed),
            draw_pile_size=len(self.pile) - self.drawn,
            hand_sizes=tuple(map(sum, self.hand)),
            hand=None if seat is None else self.counts(seat),
        )

    def validate(self) -> str | None:
        if self.drawn > len(self.pile):
            return f"{self.drawn} train cards were drawn from a pile of {len(self.pile)}"
        lying = Counter([*self.row, *self.pile[self.drawn :], *self.discarded, *self.revealed])
        for card, kind in enumerate(self.kinds):
            held = [hand[card] for hand in self.hand]
            count = sum(held) + lying[card] + (self.laid or Counts())[kind]
            if min(held) < 0 or count > self.deck[kind]:
                return f"{count} {kind} cards, {min(held)} in one hand: the deck has {self.deck[kind]} (S2)"
        return None

    def box(self, rules: Rules) -> dict[str, list[str]]:
        """All train cards: those that plugins keep apart lie in fields with the pool `cards`."""
        return {POOL: [kind for kind in self.kinds for _ in range(self.deck[kind])]}

    def items_in(self, pool: str) -> list[str]:
        """The cards in hands, row and piles, and on the table."""
        if pool != POOL:
            return []
        cards = [*self.row, *self.pile[self.drawn :], *self.discarded, *self.revealed]
        for hand in self.hand:
            for card, count in enumerate(hand):
                cards += [card] * count
        return [*[self.kinds[card] for card in cards], *items(self.laid)]

    def sample_hidden(self, view: View, dealer: Dealer, rules: Rules) -> None:
        """Deal the cards not shown in the view to other hands and the draw pile; the rest are out of the game."""
        shown: Any = view.part(SeenCards)
        number = self.number
        self.lay_row([number[card] for card in shown.face_up])
        self.discarded = [number[card] for card in shown.discards]
        self.revealed = tuple(number[card] for card in shown.revealed)
        self.laid = shown.laid
        opened: dict[int, Counts] = {
            seat: lot for seat, lot in enumerate(getattr(shown, "open_hands", ())) if seat != view.seat
        }
        lots: list[Counts] = [lot for lot in (shown.laid, shown.hand, *opened.values()) if lot]
        deck = self.deck
        too_many = "this view shows more train cards than the deck has"
        stored = [place.content for part in view.parts.values() for place in places(part, POOL)]
        lots += [Counts(Counter(items(lot))) for lot in stored if not isinstance(lot, Unknown)]
        apart = sum([lot.count or 0 for lot in stored if isinstance(lot, Unknown)])
        if sum(lot.total for lot in lots) > sum(deck.values()):
            raise InvalidInputError(too_many)
        known = [0] * len(self.kinds)
        for card in (*self.row, *self.discarded, *self.revealed):
            known[card] += 1
        for name, count in [each for lot in lots for each in lot.items()]:
            known[number[name]] += count
        sizes = [0 if seat == view.seat else size for seat, size in enumerate(shown.hand_sizes)]
        for seat, lot in opened.items():
            sizes[seat] -= lot.total
        unseen = [deck[name] - known[card] for card, name in enumerate(self.kinds)]
        for seat, payment in _announced(view).items():
            held = self._hand_with(payment, seat, sizes[seat], unseen, shown, dealer)
            if held is not None:
                unseen = [count - dealt for count, dealt in zip(unseen, held, strict=True)]
                open_lot = opened.get(seat, Counts())
                opened[seat] = Counts({name: open_lot[name] + held[card] for card, name in enumerate(self.kinds)})
                sizes[seat] = 0
        pool = dealer.shuffled([card for card, count in enumerate(unseen) for _ in range(count)])
        if len(pool) < sum(sizes) + shown.draw_pile_size + apart or not self.deal_unseen(pool, apart, sizes, shown):
            raise InvalidInputError(too_many)
        for seat, lot in opened.items():
            self.give(seat, lot)
        if view.seat is not None:
            self.hand[view.seat] = [(shown.hand or Counts())[card] for card in self.kinds]
        self.drawn = 0

    def _hand_with(
        self, payment: Counts, seat: int, size: int, unseen: list[int], shown: Any, dealer: Dealer
    ) -> list[int] | None:
        """A random hand of unseen cards, by kind, that can make a payment; None if none can."""
        least = [min(payment[name], count) for name, count in zip(self.kinds, unseen, strict=True)]
        if sum(least) > size:
            return None
        hand = [0] * len(self.kinds)
        for deck, count in enumerate(self.sizes_by_deck(seat, size, shown)):
            kinds = [card for card in range(len(self.kinds)) if self.deck_of(card) == deck]
            dealt = hand_with([unseen[card] for card in kinds], [least[card] for card in kinds], count, dealer)
            if dealt is None:
                return None
            for card, number in zip(kinds, dealt, strict=True):
                hand[card] = number
        return hand

    def sizes_by_deck(self, seat: int, size: int, shown: Any) -> list[int]:
        """How many unseen cards of each deck a seat holds, by what a view shows, if it holds `size` of them."""
        return [size]

    def deal_unseen(self, cards: tuple[int, ...], apart: int, sizes: list[int], shown: Any) -> bool:
        """Deal cards, without those kept apart, to hands of these sizes and to the pile of a view; false if they do not fit."""
        cards = cards[apart:]
        for seat, size in enumerate(sizes):
            self.hand[seat] = self.counted(cards[:size])
            cards = cards[size:]
        self.pile = cards[: shown.draw_pile_size]
        return True

    def counted(self, cards: Sequence[int]) -> list[int]:
        """The number of cards of each kind."""
        return [cards.count(card) for card in range(len(self.kinds))]

    # -- decks -----------------------------------------------------------------------------------------------

    def deck_of(self, card: i64) -> i64:
        """The number of the deck that a card is of: 0, as there is one deck."""
        return 0

    def lies_open(self, card: i64) -> bool:
        """True if cards of this kind lie open in all places: no card of one deck does."""
        return False

    def top(self, deck: i64, count: i64) -> tuple[int, ...]:
        """The top cards of the draw pile of a deck: `count` of them, or all that are left."""
        return self.pile[self.drawn : self.drawn + count]

    def top_card(self, deck: i64) -> i64:
        """The top card of the draw pile of a deck, -1 if none is left."""
        return -1 if self.drawn == len(self.pile) else self.pile[self.drawn]

    def discards_of(self, deck: i64) -> list[int]:
        """The discards of a deck, oldest first; do not modify."""
        return self.discarded

    @property
    def open_decks(self) -> list[int]:
        """The decks with a card left in the draw pile; do not modify."""
        return [] if self.drawn == len(self.pile) else [0]

    # -- for readers -----------------------------------------------------------------------------------------

    @property
    def hands(self) -> tuple[Counts, ...]:
        """Each seat's cards."""
        return tuple(map(self.counts, range(len(self.hand))))

    def counts(self, seat: int) -> Counts:
        """One seat's cards."""
        return Counts(dict(zip(self.kinds, self.hand[seat], strict=True)))

    @property
    def face_up(self) -> tuple[str, ...]:
        """The face-up row, left to right."""
        return self.name_cards(self.row)

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """The draw pile, top first."""
        return self.name_cards(self.pile[self.drawn :])

    @property
    def discards(self) -> tuple[str, ...]:
        """The discards, oldest first."""
        return self.name_cards(self.discarded)

    @property
    def pile_is_empty(self) -> bool:
        """True if the draw pile is empty. Since it is rebuilt at once (D7), the discards are then empty too."""
        return self.drawn == len(self.pile)

    def take(self, seat: int, cards: Counts) -> None:
        """Take cards out of a hand to store them elsewhere. Raises `ValueError` if the hand does not hold them."""
        hand = self.hand[seat]
        for name, count in cards.items():
            if count > hand[self.number[name]]:
                raise ValueError(f"seat {seat} does not hold {count} of {name}")
            hand[self.number[name]] -= count

    def give(self, seat: int, cards: Counts) -> None:
        """Put cards that were stored elsewhere into a hand."""
        for name, count in cards.items():
            self.hand[seat][self.number[name]] += count

    def name_cards(self, cards: Sequence[int]) -> tuple[str, ...]:
        """The names of the kinds of some cards."""
        kinds = self.kinds
        return tuple([kinds[card] for card in cards])

    def number_cards(self, cards: Sequence[str]) -> tuple[int, ...]:
        """The kinds of some cards, given by name."""
        return tuple([self.number[card] for card in cards])

    def lay_row(self, row: list[int]) -> None:
        """Lay out the row."""
        self.row = row
        self.shown = [row.count(kind) for kind in range(len(self.kinds))]
        self.lying = len([count for count in self.shown if count])

    def in_numbers(self, payment: Counts) -> list[tuple[int, int]]:
        """The kinds of a payment by number, each with its count: color cards first, then locomotives."""
        return sorted([(self.number[name], count) for name, count in payment.items()])

    # -- changes -----------------------------------------------------------------------------------------------

    def take_off(self, card: i64) -> None:
        """Take a card off the top of the draw pile of its deck."""
        self.drawn += 1

    def rebuilt(self, order: tuple[int, ...]) -> None:
        """Form the draw pile from cards that lie nowhere else."""
        self.pile = order
        self.drawn = 0
        self.discarded = []

    def sweep(self) -> None:
        """Move the whole row to the discards."""
        self.discarded.extend(self.row)
        self.lay_row([])

    def spend(self, seat: i64, cards: list[tuple[int, int]]) -> None:
        """Move cards from a hand to the discards as one lot, in the order given."""
        hand = self.hand[seat]
        discarded = self.discarded
        for card, count in cards:
            held = hand[card]
            if count > held:
                raise ValueError(f"seat {seat} does not hold {count} of {self.kinds[card]}")  # an invalid event
            hand[card] = held - count
            for _ in range(count):
                discarded.append(card)

    def pick_up_laid(self, seat: i64) -> list[tuple[int, int]]:
        """Move the cards laid down back to the hand; returns them in numbers."""
        cards = self.laid_cards or self.in_numbers(self.laid or Counts())
        hand = self.hand[seat]
        for card, count in cards:
            hand[card] += count
        self.laid = None
        self.laid_cards = []
        return cards


def _announced(view: View) -> dict[int, Counts]:
    """What other seats will pay for actions that wait for an answer: they hold it."""
    payments: dict[int, Counts] = {}
    for item in view.todo:
        payment: Any = getattr(item.action, "payment", None)
        if item.hook == "before" and item.seat != view.seat and isinstance(payment, Counts):
            payments[item.seat] = payment
    return payments


def _piles(deck: Mapping[str, int], number: dict[str, int], lying: tuple[Any, ...]) -> CardPiles:
    """Piles that were pickled."""
    piles = CardPiles(deck, number, 0)
    piles.hand, row, piles.pile, piles.drawn, piles.discarded, piles.laid, piles.revealed = lying
    piles.lay_row(row)
    return piles


@overload
def cards(table: State) -> CardPiles: ...
@overload
def cards(table: View) -> SeenCards: ...
def cards(table: State | View) -> CardPiles | SeenCards:
    """Return the train cards of a state, or those visible in a view.

    Raises `TTRError` if the stack does not use train cards.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=2, seed=1912)
    >>> cards(game.view(0)).hand == cards(game.state).hands[0]
    True
    """
    return table.part(CardPiles) if isinstance(table, State) else table.part(SeenCards)
