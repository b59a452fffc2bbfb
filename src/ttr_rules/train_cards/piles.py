"""The state of the train-card economy: hands, the face-up row, the draw piles and the discards (S2, D1, D7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import ClassVar, TypeAlias, overload

import attrs

from ttr_rules._internal.native import i64
from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.fields import items, places
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.view import View
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.chance import Dealer
from ttr_rules.model.decisions import ToDo
from ttr_rules.text import brief, cut
from ttr_rules.train_cards.multisets import hand_with
from ttr_rules.train_cards.values import Decks, LookedAtCard, SeenCards, SeenDecks

#: The pool of fields in which plugins keep train cards.
POOL = "cards"
#: The seats that have looked at cards of draw piles, as masks, by the deck and the height of the card in its pile.
Looked: TypeAlias = dict[tuple[int, int], int]
#: A payment in numbers: pairs of a kind and a count. It is shared; do not modify.
Cards: TypeAlias = list[tuple[int, int]]


class CardPiles(Part):
    """Hands and piles of train cards, in `State.kept[0]`. Internally, card types are numbers in the order of `kinds`.

    `hand` counts each seat's cards of each kind, and `row` is the face-up row, left to right. Each deck has a pile in
    `piles`, as it was shuffled. `drawn` is the number of its cards that are gone, so that copies can share the pile.
    `left` is the number of cards in all draw piles. `discarded` holds the discards of all decks, oldest first. `laid`
    and `revealed` are the cards on the table while a tunnel is being paid for. `TunnelDue.laid` is the same payment
    with the pieces of layers, which are not here.

    `newest` is the card that was drawn or taken last, -1 if none was. Like the order of the piles, it is not shown to anybody.

    `looked` has the seats that have looked at a card of a draw pile, as a mask, by its deck and its height: the number of
    cards from the bottom of the pile up to it, which stays the same while the pile is drawn from. Entries above the pile
    are of cards that are gone. The table is shared by copies: it is replaced, never modified.

    By kind, `deck_of` is the number of the deck, and `is_open` is true if cards in hands lie open. By deck, `spared` is true
    if a sweep leaves its cards in the row.

    >>> import ttr_rules as ttr
    >>> piles = ttr.new_game("europe", players=2, seed=1).state.part(CardPiles)
    >>> piles.hands[0].total, len(piles.face_up), len(piles.draw_pile), piles.discards
    (4, 5, 97, ())
    """

    #: The type that `seen_by` returns.
    exposes: ClassVar[type[object]] = SeenCards

    left: i64
    lying: i64
    newest: i64

    __slots__ = (
        "deck_of", "decks", "discarded", "drawn", "hand", "is_open", "kinds", "laid", "laid_cards", "left", "looked", "lying", "newest",
        "number", "piles", "revealed", "row", "shown", "spared",
    )  # fmt: skip

    def __init__(self, decks: Decks, players: int, of: CardPiles | None = None) -> None:
        """Empty piles, or with `of` a copy of those."""
        self.decks = decks
        self.kinds = decks.kinds
        self.number = decks.number
        self.deck_of = decks.deck_of
        self.spared = decks.spared
        self.is_open = decks.is_open
        if of is not None:
            self._copy(of)
            return
        self.hand: list[list[int]] = [[0] * len(self.kinds) for _ in range(players)]
        self.row: list[int] = []
        # The number of cards of each kind in the row, and the number of kinds in it.
        self.shown: list[int] = [0] * len(self.kinds)
        self.lying = 0
        self.piles: list[tuple[int, ...]] = [()] * len(self.spared)
        self.drawn: list[int] = [0] * len(self.spared)
        self.left = 0
        self.discarded: list[int] = []
        self.laid: Counts | None = None
        self.laid_cards: Cards = []  # the same in numbers
        self.revealed: tuple[int, ...] = ()
        self.looked: Looked = {}
        self.newest = -1

    def _copy(self, of: CardPiles) -> None:
        self.hand = [hand.copy() for hand in of.hand]
        self.row = of.row.copy()
        self.shown = of.shown.copy()
        self.lying = of.lying
        self.piles = of.piles.copy()
        self.drawn = of.drawn.copy()
        self.left = of.left
        self.discarded = of.discarded.copy()
        self.laid = of.laid
        self.laid_cards = of.laid_cards
        self.revealed = of.revealed
        self.looked = of.looked
        self.newest = of.newest

    def __repr__(self) -> str:
        hands = ", ".join(str(sum(hand)) for hand in self.hand)
        row, gone = len(self.row), len(self.discarded)
        return cut(f"<CardPiles: {self.left} cards in the pile, {row} face up, {gone} discarded, hands of {hands}>")

    def copy(self) -> CardPiles:
        return CardPiles(self.decks, 0, self)

    def __reduce__(self) -> tuple[object, ...]:
        lying = self.hand, self.row, self.undrawn, self.discarded, self.laid, self.revealed, self.looked
        return _piles, (type(self), self.decks, *lying)

    def value(self) -> object:
        looked = [(deck, place, seats) for deck, place, seats, _ in self._looked_now()]
        return (self.kinds, self.hand, self.row, self.undrawn, self.discarded, self.laid, self.revealed, looked)

    def seen_by(self, seat: int | None) -> SeenCards:
        """The row, the discards and all sizes are public. A hand is secret to its owner (S6)."""
        return SeenCards(
            face_up=self.face_up,
            discards=self.discards,
            laid=self.laid,
            revealed=self.name_cards(self.revealed),
            draw_pile_size=self.left,
            hand_sizes=self.hand_sizes,
            hand=None if seat is None else self.counts(seat),
            looked_at=tuple([self._looked_at(seat, *found) for found in self._looked_now()]) if self.looked else (),
        )

    def _looked_now(self) -> list[tuple[int, int, int, int]]:
        """The cards that seats have looked at and that are still in a pile: deck, place from the top, mask of seats, card."""
        found: list[tuple[int, int, int, int]] = []
        for (deck, height), seats in sorted(self.looked.items(), key=lambda item: (item[0][0], -item[0][1])):
            place = self.size(deck) - height
            if place >= 0:
                found.append((deck, place, seats, self.piles[deck][self.drawn[deck] + place]))
        return found

    def _looked_at(self, seat: int | None, deck: int, place: int, seats: int, card: int) -> LookedAtCard:
        looking = tuple([other for other in range(len(self.hand)) if seats >> other & 1])
        return LookedAtCard(self.decks.names[deck], place, looking, self.kinds[card] if seat in looking else None)

    def validate(self, rules: Rules) -> str | None:
        for pile, drawn in zip(self.piles, self.drawn, strict=True):
            if drawn > len(pile):
                return f"{drawn} train cards were drawn from a pile of {len(pile)}"
        lying = Counter([*self.row, *self.undrawn, *self.discarded, *self.revealed])
        for card, kind in enumerate(self.kinds):
            held = [hand[card] for hand in self.hand]
            count = sum(held) + lying[card] + (self.laid or Counts())[kind]
            if min(held) < 0 or count > self.decks.cards[kind]:
                return f"{count} {kind} cards, {min(held)} in one hand: the deck has {self.decks.cards[kind]} (S2)"
        return None

    def box(self, rules: Rules) -> dict[str, list[str]]:
        """All train cards, with those that plugins keep in fields with the pool `cards`."""
        return {POOL: [kind for kind in self.kinds for _ in range(self.decks.cards[kind])]}

    def items_in(self, pool: str) -> list[str]:
        """The cards in hands, row and piles, and on the table."""
        if pool != POOL:
            return []
        cards = [*self.row, *self.undrawn, *self.discarded, *self.revealed]
        for hand in self.hand:
            for card, count in enumerate(hand):
                cards += [card] * count
        return [*[self.kinds[card] for card in cards], *items(self.laid)]

    def sample_hidden(self, view: View, dealer: Dealer, rules: Rules) -> None:
        """Deal the cards that the view does not show to other hands and the draw pile."""
        shown = view.part(SeenCards)
        number = self.number
        self.lay_row([number[card] for card in shown.face_up])
        self.discarded = [number[card] for card in shown.discards]
        self.revealed = tuple(number[card] for card in shown.revealed)
        self.lay_down(shown.laid)
        open_hands = shown.open_hands if isinstance(shown, SeenDecks) else ()
        opened = {seat: lot for seat, lot in enumerate(open_hands) if seat != view.seat}
        lots: list[Counts] = [lot for lot in (shown.laid, shown.hand, *opened.values()) if lot]
        deck = self.decks.cards
        too_many = "this view shows more train cards than the deck has"
        stored = [place.content for part in view.parts.values() for place in places(part, POOL)]
        lots += [Counts(Counter(items(lot))) for lot in stored if not isinstance(lot, Unknown)]
        apart = sum([lot.count or 0 for lot in stored if isinstance(lot, Unknown)])
        if sum(lot.total for lot in lots) > sum(deck.values()):
            raise InvalidInputError(too_many)
        known = [0] * len(self.kinds)
        on_piles = self._find_looked_at(shown)
        for card in (*self.row, *self.discarded, *self.revealed, *on_piles.values()):
            known[card] += 1
        for name, count in [item for lot in lots for item in lot.items()]:
            known[number[name]] += count
        sizes = [0 if seat == view.seat else size for seat, size in enumerate(shown.hand_sizes)]
        for seat, lot in opened.items():
            sizes[seat] -= lot.total
        unseen = [deck[name] - known[card] for card, name in enumerate(self.kinds)]
        if min(unseen) < 0:
            raise InvalidInputError(too_many)
        for seat, payment in announced_payments(view.todo, view.seat).items():
            open_lot = opened.get(seat, Counts())
            hidden = Counts({name: max(0, count - open_lot[name]) for name, count in payment.items()})
            held = self._hand_with(hidden, seat, sizes[seat], unseen, shown, dealer)
            if held is not None:
                unseen = [count - dealt for count, dealt in zip(unseen, held, strict=True)]
                opened[seat] = Counts({name: open_lot[name] + held[card] for card, name in enumerate(self.kinds)})
                sizes[seat] = 0
        pool = dealer.shuffled([card for card, count in enumerate(unseen) for _ in range(count)])
        dealt = sum(sizes) + shown.draw_pile_size - len(on_piles) + apart
        if len(pool) < dealt or not self._deal_unseen(pool, sizes, shown, on_piles):
            raise InvalidInputError(too_many)
        for seat, lot in opened.items():
            self.give(seat, lot)
        if view.seat is not None:
            self.hand[view.seat] = [(shown.hand or Counts())[card] for card in self.kinds]

    def _hand_with(
        self, payment: Counts, seat: int, size: int, unseen: list[int], shown: SeenCards, dealer: Dealer
    ) -> list[int] | None:
        """A random hand of unseen cards, by kind, that contains a payment, or None if there is none."""
        least = [min(payment[name], count) for name, count in zip(self.kinds, unseen, strict=True)]
        if sum(least) > size:
            return None
        hand = [0] * len(self.kinds)
        for deck, count in enumerate(self._unseen_by_deck(seat, shown)):
            kinds = [card for card in range(len(self.kinds)) if self.deck_of[card] == deck]
            dealt = hand_with([unseen[card] for card in kinds], [least[card] for card in kinds], count, dealer)
            if dealt is None:
                return None
            for card, number in zip(kinds, dealt, strict=True):
                hand[card] = number
        return hand

    def _unseen_by_deck(self, seat: int, shown: SeenCards) -> list[int]:
        """The number of cards of each deck in a hand that do not lie open, from what a view shows."""
        if not isinstance(shown, SeenDecks):
            return [shown.hand_sizes[seat]]
        is_open = dict(zip(self.deck_of, self.is_open, strict=True))
        return [0 if is_open[deck] else count for deck, count in enumerate(shown.held[seat])]

    def _find_looked_at(self, shown: SeenCards) -> dict[tuple[int, int], int]:
        """Note who has looked at cards of the piles in a view. Returns those that it names, by deck and place."""
        named: dict[tuple[int, int], int] = {}
        self.looked = {}
        for looked in shown.looked_at:
            deck = self.decks.names.index(looked.deck)
            height = _pile_sizes(shown)[deck] - looked.place
            if height < 1 or looked.place < 0 or (looked.card and self.deck_of[self.number[looked.card]] != deck):
                raise InvalidInputError(f"this view shows a card that lies in no draw pile: {looked}")
            if not all(0 <= seat < len(self.hand) for seat in looked.seats):
                raise InvalidInputError(
                    f"this view shows a card that seats who are not at the table have looked at: {looked}"
                )
            self.looked[deck, height] = self._mask(*looked.seats)
            if looked.card is not None:
                named[deck, looked.place] = self.number[looked.card]
        return named

    def _deal_unseen(
        self, cards: tuple[int, ...], sizes: list[int], shown: SeenCards, on_piles: Mapping[tuple[int, int], int]
    ) -> bool:
        """Deal cards to hands of these sizes and to the piles of a view. Returns false if there are too few.

        `on_piles` are the cards that lie in known places of the piles. The cards left at the end belong to fields of plugins.
        """
        dealt: list[list[int]] = [[] for _ in sizes]
        pile: list[int] = []
        for deck, left in enumerate(_pile_sizes(shown)):
            unseen = [card for card in cards if self.deck_of[card] == deck]
            for seat, size in enumerate(sizes):
                count = self._unseen_by_deck(seat, shown)[deck] if size else 0
                dealt[seat] += unseen[:count]
                unseen = unseen[count:]
            rest = iter(unseen)
            for place in range(left):
                card = on_piles.get((deck, place), -1)
                pile += [card] if card >= 0 else [*islice(rest, 1)]
        self.hand = [self.count_kinds(held) for held in dealt]
        self.lay_piles(pile)
        return [len(held) for held in dealt] == sizes and len(pile) == shown.draw_pile_size

    def count_kinds(self, cards: Sequence[int]) -> list[int]:
        """The number of cards of each kind."""
        return [cards.count(card) for card in range(len(self.kinds))]

    # -- decks -----------------------------------------------------------------------------------------------

    def top(self, deck: i64, count: i64) -> tuple[int, ...]:
        """The top cards of the draw pile of a deck: `count` of them, or all that are left."""
        drawn: i64 = self.drawn[deck]
        return self.piles[deck][drawn : drawn + count]

    def top_card(self, deck: i64) -> i64:
        """The top card of the draw pile of a deck, -1 if none is left."""
        pile = self.piles[deck]
        drawn: i64 = self.drawn[deck]
        if drawn == len(pile):
            return -1
        return pile[drawn]

    def discards_of(self, deck: i64) -> list[int]:
        """The discards of a deck, oldest first. Do not modify the result."""
        if len(self.piles) == 1:
            return self.discarded
        return [card for card in self.discarded if self.deck_of[card] == deck]

    @property
    def open_decks(self) -> list[int]:
        """The decks with a card left in the draw pile."""
        return [deck for deck, pile in enumerate(self.piles) if self.drawn[deck] < len(pile)]

    @property
    def undrawn(self) -> tuple[int, ...]:
        """The cards of the draw piles, of each deck top first."""
        cards: list[int] = []
        for pile, drawn in zip(self.piles, self.drawn, strict=True):
            cards += pile[drawn:]
        return tuple(cards)

    # -- for readers -----------------------------------------------------------------------------------------

    @property
    def hands(self) -> tuple[Counts, ...]:
        """Each seat's cards."""
        return tuple(map(self.counts, range(len(self.hand))))

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The number of each seat's cards, under the same name as in views."""
        return tuple(map(sum, self.hand))

    def counts(self, seat: int) -> Counts:
        """One seat's cards."""
        return Counts(dict(zip(self.kinds, self.hand[seat], strict=True)))

    @property
    def face_up(self) -> tuple[str, ...]:
        """The face-up row, left to right."""
        return self.name_cards(self.row)

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """The draw pile, top first. With several decks one pile after the other."""
        return self.name_cards(self.undrawn)

    @property
    def discards(self) -> tuple[str, ...]:
        """The discards, oldest first."""
        return self.name_cards(self.discarded)

    @property
    def pile_is_empty(self) -> bool:
        """True if the draw pile is empty. It is rebuilt at once (D7), so the discards are then empty, too."""
        return self.left == 0

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

    def hand_over(self, seat: int, other_seat: int, cards: Counts) -> None:
        """Move cards from one hand to another: the effect of `CardsGiven`."""
        self.take(seat, cards)
        self.give(other_seat, cards)

    def exchange(self, seat: int, card: str, face_up: str) -> None:
        """Lay a card from a hand in the place of a face-up card, which goes to the hand: the effect of `CardExchanged`."""
        row = self.row.copy()
        row[row.index(self.number[face_up])] = self.number[card]
        self.take(seat, Counts({card: 1}))
        self.lay_row(row)
        self.give(seat, Counts({face_up: 1}))

    def reorder_row(self, cards: tuple[str, ...]) -> None:
        """Lay the row in another order: the effect of `RowReordered`. Raises `ValueError` for other cards than those in it."""
        row = list(self.number_cards(cards))
        if sorted(row) != sorted(self.row):
            raise ValueError(f"the row is {', '.join(self.face_up)}, not {', '.join(cards)}")
        self.lay_row(row)

    def clear(self, card: str, replacement: str | None, *, under_pile: bool) -> None:
        """Take a face-up card out of the row, and lay the top card of its deck in its place: the effect of `FaceUpCleared`.

        Raises `ValueError` if the replacement does not lie on top.
        """
        number = self.number[card]
        deck, row = self.deck_of[number], self.row.copy()
        place = row.index(number)
        if replacement is None:
            del row[place]
        else:
            self.draw(replacement)
            row[place] = self.number[replacement]
        self.lay_row(row)
        if under_pile:
            self._lay_under(deck, (number,), self._mask(*range(len(self.hand))))
        else:
            self.discarded.append(number)

    def draw(self, card: str) -> None:
        """Take a card off the top of its draw pile to store it elsewhere: in the effect of an event for `TrainCards.draw`.

        Raises `ValueError` if it does not lie on top.
        """
        number: i64 = self.number.get(card, -1)
        if number < 0 or self.top_card(self.deck_of[number]) != number:
            raise ValueError(f"{brief(card)} is not the top card of a draw pile")
        take_off(self, (number,))

    def put_back(self, card: str, *seats: int) -> None:
        """Put a card that was stored elsewhere on top of the draw pile of its deck: in the effect of an event, as `draw`.

        `seats` are those who know the card: their views then show it on the pile. Raises `ValueError` for a kind that is not in
        the deck, and for a seat that is not at the table.
        """
        number, known_by = self.number.get(card, -1), self._mask(*seats)
        if number < 0:
            raise ValueError(f"{brief(card)} is no train card of this game")
        self._lay_on_top(self.deck_of[number], (number,), known_by)

    @property
    def newest_card(self) -> str:
        """The kind of the card that was drawn or taken face up last, by any seat, or "" if none was.

        It is meant for `Around(CardDraw, after=…)`, which is called after each card. Others may not know a card that was drawn
        blind: an event about it hides it from them.

        >>> import ttr_rules as ttr
        >>> game = ttr.new_game("europe", players=2, seed=1)
        >>> game.state.part(CardPiles).newest_card
        ''
        """
        return "" if self.newest < 0 else self.kinds[self.newest]

    def take_out(self, cards: Counts) -> None:
        """Take cards out of the draw piles, wherever they lie, to store them elsewhere: in the effect of an event.

        The layer of an economy that lays cards aside before the deal emits it in `shuffle`. Nobody knows the cards of the
        piles then. Raises `ValueError` for more cards of a kind than lie there.
        """
        pile = [*reversed(self.draw_pile)]  # those at the bottom come first
        here = Counts(Counter(pile))
        if not cards.within(here):
            raise ValueError(f"{cards} do not lie in the draw piles: {here}")
        for card in items(cards):
            pile.remove(card)
        self.lay_piles(self.number_cards(pile[::-1]))
        self.looked = {}

    def lay_draw_pile(self, cards: Sequence[str]) -> None:
        """Lay the draw pile anew, top first, with more cards that were stored elsewhere: in the effect of an event.

        Nobody knows its cards then. With several decks each card goes into the pile of its deck. Raises `ValueError` if a card of
        the pile is missing, and for a kind that is not in the deck.
        """
        left = Counter(self.draw_pile) - Counter(cards)
        if left or not {*cards} <= self.number.keys():
            raise ValueError(
                f"the new pile must hold all cards of the old one, and other train cards; {brief(dict(left))} are missing"
            )
        self.lay_piles(self.number_cards(cards))
        self.looked = {}

    def discard_stored(self, cards: Counts) -> None:
        """Put cards that were stored elsewhere on the discards. Call it in the effect of an event, then call `TrainCards.settle`.

        Raises `ValueError` for a kind that is not in the deck.
        """
        if wrong := [card for card in cards if card not in self.number]:
            raise ValueError(f"{brief(wrong[0])} is no train card of this game")
        for card, count in cards.items():
            self.discarded += [self.number[card]] * count

    def take_laid(self, cards: Counts) -> None:
        """Take some of the cards laid down for a tunnel off the table to store them elsewhere: in the effect of an event.

        Raises `ValueError` for cards that do not lie there.
        """
        laid = self.laid or Counts()
        if not cards.within(laid):
            raise ValueError(f"{cards} cannot be taken off the table: {laid or 'nothing'} was laid down")
        self.lay_down(laid - cards)

    def look(self, seat: int, cards: tuple[str, ...], deck: str) -> None:
        """Let a seat look at the top cards of a deck: the effect of `CardsLookedAt`.

        Raises `ValueError` if other cards lie there, and for a seat that is not at the table.
        """
        number, known_by = self.decks.names.index(deck), self._mask(seat)
        if self.top(number, len(cards)) != self.number_cards(cards):
            raise ValueError(f"{', '.join(cards)} are not the top cards of the pile")
        size = self.size(number)
        tops = [(number, size - place) for place in range(len(cards))]
        self.looked = self.looked | {top: self.looked.get(top, 0) | known_by for top in tops}

    def reorder(self, seat: int, top: tuple[str, ...], bottom: tuple[str, ...], deck: str) -> None:
        """Let a seat lay the top cards of a deck in another order, some under the pile: the effect of `CardsReordered`.

        Raises `ValueError` if other cards lie on top, and for a seat that is not at the table.
        """
        number, known_by = self.decks.names.index(deck), self._mask(seat)
        moved = self.number_cards((*top, *bottom))
        if sorted(moved) != sorted(self.top(number, len(moved))):
            raise ValueError(f"{', '.join((*top, *bottom))} are not the top cards of the pile")
        take_off(self, moved)
        self._lay_under(number, moved[len(top) :], known_by)
        self._lay_on_top(number, moved[: len(top)], known_by)

    def knows(self, seat: int, deck: int, count: int) -> bool:
        """True if a seat has looked at each of the top cards of a deck."""
        size = self.size(deck)
        return all(self.looked.get((deck, size - place), 0) >> seat & 1 for place in range(count))

    def _lay_on_top(self, deck: int, cards: tuple[int, ...], seats: int) -> None:
        """Lay cards on the draw pile of a deck. Only the seats in a mask know them."""
        self.piles[deck] = (*cards, *self.piles[deck][self.drawn[deck] :])
        self.drawn[deck] = 0
        self.left += len(cards)
        size = self.size(deck)
        tops = {(deck, size - place): seats for place in range(len(cards))}
        self.looked = {at: by for at, by in {**self.looked, **tops}.items() if by}

    def _lay_under(self, deck: int, cards: tuple[int, ...], seats: int) -> None:
        """Lay cards under the draw pile of a deck. Only the seats in a mask know them."""
        self.piles[deck] = (*self.piles[deck], *cards)
        self.left += len(cards)
        raised = {(here, height + len(cards) * (here == deck)): by for (here, height), by in self.looked.items()}
        self.looked = raised | {(deck, height): seats for height in range(1, len(cards) + 1)}

    def _mask(self, *seats: int) -> int:
        """A mask of seats. Raises `ValueError` for one that is not at the table."""
        if wrong := [seat for seat in seats if not 0 <= seat < len(self.hand)]:
            raise ValueError(f"there is no seat {wrong[0]}: the seats are 0 to {len(self.hand) - 1}")
        return sum([1 << seat for seat in {*seats}])

    def size(self, deck: int) -> int:
        """The number of cards in the draw pile of a deck."""
        return len(self.piles[deck]) - self.drawn[deck]

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
        self.lying = len(set(row))

    def lay_piles(self, cards: Sequence[int]) -> None:
        """Replace the draw piles by these cards, top first, each in the pile of its deck."""
        self.piles = [tuple([card for card in cards if self.deck_of[card] == deck]) for deck in range(len(self.spared))]
        self.drawn = [0] * len(self.piles)
        self.left = len(cards)

    def lay_down(self, payment: Counts | None) -> None:
        """Put a payment on the table."""
        self.laid = payment
        self.laid_cards = [] if payment is None else self.in_numbers(payment)

    def in_numbers(self, payment: Counts) -> Cards:
        """A payment as pairs of a kind, as a number, and a count, by number."""
        return sorted([(self.number[name], count) for name, count in payment.items()])

    # -- changes -----------------------------------------------------------------------------------------------

    def rebuild(self, order: tuple[int, ...]) -> None:
        """Form the draw pile of a deck from new cards or its discards."""
        if order:
            deck: i64 = self.deck_of[order[0]]
            drawn: i64 = self.drawn[deck]
            self.left += len(order) + drawn - len(self.piles[deck])
            self.piles[deck] = order
            self.drawn[deck] = 0
            if self.looked:
                self.looked = {place: seats for place, seats in self.looked.items() if place[0] != deck}
            discarded: list[int] = []
            if len(self.piles) > 1:
                discarded = [card for card in self.discarded if self.deck_of[card] != deck]
            self.discarded = discarded

    def sweep(self) -> None:
        """Move the row to the discards, except cards of decks that are `spared`."""
        row = self.row
        self.discarded.extend([card for card in row if not self.spared[self.deck_of[card]]])
        self.lay_row([card for card in row if self.spared[self.deck_of[card]]])

    def spend(self, seat: i64, cards: Cards) -> None:
        """Move cards from a hand to the discards, in this order."""
        hand = self.hand[seat]
        discarded = self.discarded
        for card, count in cards:
            held = hand[card]
            if count > held:
                raise ValueError(f"seat {seat} does not hold {count} of {self.kinds[card]}")  # an invalid event
            hand[card] = held - count
            for _card in range(count):  # compiled, `_` would be an object
                discarded.append(card)

    def pick_up_laid(self, seat: i64) -> Cards:
        """Move the cards laid down back to the hand. Returns them in numbers."""
        cards = self.laid_cards
        hand = self.hand[seat]
        for card, count in cards:
            hand[card] += count
        self.lay_down(None)
        return cards


def take_off(piles: CardPiles, cards: tuple[int, ...]) -> None:
    """Take cards off the top of the draw piles of their decks."""
    for card in cards:
        deck: i64 = piles.deck_of[card]
        drawn: i64 = piles.drawn[deck]
        piles.drawn[deck] = drawn + 1  # compiled, `+= 1` would make objects
    piles.left -= len(cards)


def _pile_sizes(shown: SeenCards) -> tuple[int, ...]:
    """The sizes of the draw piles of a view, by deck."""
    return shown.pile_sizes if isinstance(shown, SeenDecks) else (shown.draw_pile_size,)


def announced_payments(todo: Iterable[ToDo], seat: int | None) -> dict[int, Counts]:
    """The cards that seats other than `seat` must hold, because an action with this payment waits for an answer."""
    payments: dict[int, Counts] = {}
    for item in todo:
        payment: object = getattr(item.action, "payment", None)
        if item.hook == "before" and item.seat != seat and isinstance(payment, Counts):
            before = payments.get(item.seat, Counts())
            payments[item.seat] = Counts({card: max(payment[card], before[card]) for card in {**before, **payment}})
    return payments


def _piles(
    kind: type[CardPiles],
    decks: Decks,
    hand: list[list[int]],
    row: list[int],
    undrawn: tuple[int, ...],
    discarded: list[int],
    laid: Counts | None,
    revealed: tuple[int, ...],
    looked: Looked,
) -> CardPiles:
    """Restore pickled piles."""
    piles = kind(decks, 0)
    piles.hand = hand
    piles.lay_row(row)
    piles.lay_piles(undrawn)
    piles.lay_down(laid)
    piles.discarded, piles.revealed, piles.looked = discarded, revealed, looked
    return piles


class DeckPiles(CardPiles):
    """The piles of several decks, or of a deck whose cards lie open: views show more of them."""

    exposes: ClassVar[type[object]] = SeenDecks

    __slots__ = ()

    # Without this, `Part` would make an `__init__` from its fields.
    def __init__(self, decks: Decks, players: int, of: CardPiles | None = None) -> None:
        super().__init__(decks, players, of)

    def copy(self) -> DeckPiles:
        return DeckPiles(self.decks, 0, self)

    def seen_by(self, seat: int | None) -> SeenDecks:
        """As with one deck, and in addition the decks of all cards, by their backs, and the cards of open decks."""
        return SeenDecks(
            **attrs.asdict(super().seen_by(seat), recurse=False),
            pile_sizes=tuple(map(self.size, range(len(self.piles)))),
            held=tuple([tuple(self._by_deck(hand)) for hand in self.hand]),
            open_hands=tuple(map(self.open_cards, range(len(self.hand)))) if True in self.is_open else (),
        )

    def open_cards(self, seat: int) -> Counts:
        """The cards of a hand that lie open."""
        held = zip(self.kinds, self.hand[seat], self.is_open, strict=True)
        return Counts({kind: count for kind, count, is_open in held if is_open})

    def _by_deck(self, counts: list[int]) -> list[int]:
        sizes: list[int] = [0] * len(self.spared)
        for card, count in enumerate(counts):
            sizes[self.deck_of[card]] += count
        return sizes


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
