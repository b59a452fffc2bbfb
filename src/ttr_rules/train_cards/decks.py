"""Several decks of train cards: each has a draw pile and discards of its own (S2, D1, D7), and hands hold cards of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from ttr_rules._internal.native import i64
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.values import SeenDecks


class DeckPiles(CardPiles):
    """The piles of several decks. The kind of a card says which deck it is of.

    `pile` holds the draw piles of all decks: the top card of a deck is the first of its cards there. `discarded` has the
    discards of all. A sweep leaves the row of the decks that are `kept`. Cards of the kinds in `is_open` lie open before
    whoever holds them.
    """

    exposes: ClassVar[type[object]] = SeenDecks

    __slots__ = ("_open", "_topped", "_tops", "is_open", "kept")

    def __init__(
        self,
        deck: Mapping[str, int],
        number: dict[str, int],
        players: int,
        decks: list[int],
        kept: list[bool],
        is_open: list[bool],
        of: CardPiles | None = None,
    ) -> None:
        super().__init__(deck, number, players, of)
        self.decks = decks
        self.kept = kept
        self.is_open = is_open
        #: The places of the top cards of all decks in a pile, -1 for a deck without any, and the decks that have some.
        self._topped: tuple[int, ...] | None = None
        self._tops: list[int] = []
        self._open: list[int] = []

    def copy(self) -> DeckPiles:
        return DeckPiles(self.deck, self.number, 0, self.decks, self.kept, self.is_open, self)

    def __reduce__(self) -> tuple[object, ...]:
        lying = self.hand, self.row, self.pile, self.drawn, self.discarded, self.laid, self.revealed
        return _deck_piles, (self.deck, self.number, self.decks, self.kept, self.is_open, lying)

    def seen_by(self, seat: int | None) -> SeenDecks:
        """As with one deck; the backs of all cards are seen too, and the cards of open decks."""
        return SeenDecks(
            **attrs.asdict(super().seen_by(seat), recurse=False),
            pile_sizes=tuple(self._by_deck(self.counted(self.pile))),
            held=tuple([tuple(self._by_deck(hand)) for hand in self.hand]),
            open_hands=tuple(map(self.open_cards, range(len(self.hand)))) if True in self.is_open else (),
        )

    def open_cards(self, seat: int) -> Counts:
        """The cards before a seat that lie open."""
        held = zip(self.kinds, self.hand[seat], self.is_open, strict=True)
        return Counts({kind: count for kind, count, is_open in held if is_open})

    def _by_deck(self, counts: list[int]) -> list[int]:
        sizes: list[int] = [0] * len(self.kept)
        for card, count in enumerate(counts):
            sizes[self.decks[card]] += count
        return sizes

    def sizes_by_deck(self, seat: int, size: int, shown: Any) -> list[int]:
        is_open = dict(zip(self.decks, self.is_open, strict=True))
        held: tuple[int, ...] = shown.held[seat]
        return [0 if is_open[deck] else count for deck, count in enumerate(held)]

    def deal_unseen(self, cards: tuple[int, ...], apart: int, sizes: list[int], shown: Any) -> bool:
        # The cards left at the end are kept apart: the view implies their decks.
        dealt: list[list[int]] = [[] for _ in sizes]
        pile: list[int] = []
        is_open = dict(zip(self.decks, self.is_open, strict=True))
        for deck in range(len(self.kept)):
            unseen = [card for card in cards if self.decks[card] == deck]
            for seat, size in enumerate(sizes):
                count: int = shown.held[seat][deck] if size and not is_open[deck] else 0
                dealt[seat] += unseen[:count]
                unseen = unseen[count:]
            pile += unseen[: shown.pile_sizes[deck]]
        self.hand = [self.counted(held) for held in dealt]
        self.pile = tuple(pile)
        return [len(held) for held in dealt] == sizes and len(pile) == shown.draw_pile_size

    def deck_of(self, card: i64) -> i64:
        return self.decks[card]

    def lies_open(self, card: i64) -> bool:
        return self.is_open[card]

    def _find_tops(self) -> None:
        """Find the top cards anew if the pile has changed."""
        pile = self.pile
        if pile is self._topped:
            return
        tops: list[int] = [-1] * len(self.kept)
        missing: i64 = len(tops)
        at: i64 = 0
        for card in pile:
            deck: i64 = self.decks[card]
            if tops[deck] < 0:
                tops[deck] = at
                missing -= 1
                if missing == 0:
                    break
            at += 1
        self._topped = pile
        self._tops = tops
        self._open = [deck for deck, top in enumerate(tops) if top >= 0]

    def top(self, deck: i64, count: i64) -> tuple[int, ...]:
        self._find_tops()
        at: i64 = self._tops[deck]
        found: list[int] = []
        while 0 <= at < len(self.pile) and len(found) < count:
            card: i64 = self.pile[at]
            if self.decks[card] == deck:
                found.append(card)
            at += 1
        return tuple(found)

    def top_card(self, deck: i64) -> i64:
        self._find_tops()
        at: i64 = self._tops[deck]
        return -1 if at < 0 else self.pile[at]

    def discards_of(self, deck: i64) -> list[int]:
        return [card for card in self.discarded if self.decks[card] == deck]

    @property
    def open_decks(self) -> list[int]:
        self._find_tops()
        return self._open

    # -- effects of events --------------------------------------------------------------------------------------

    def take_off(self, card: i64) -> None:
        self._find_tops()
        deck: i64 = self.decks[card]
        tops = self._tops
        at: i64 = tops[deck]
        self.pile = self._topped = pile = self.pile[:at] + self.pile[at + 1 :]
        self.drawn = 0
        tops[deck] = -1
        for number, top in enumerate(tops):
            if top > at:
                tops[number] = top - 1
        while at < len(pile):
            if self.decks[pile[at]] == deck:
                tops[deck] = at
                return
            at += 1
        self._open = [number for number, top in enumerate(tops) if top >= 0]

    def rebuilt(self, order: tuple[int, ...]) -> None:
        if order:
            deck = self.decks[order[0]]
            self.pile += order
            self.discarded = [card for card in self.discarded if self.decks[card] != deck]

    def sweep(self) -> None:
        row = self.row
        self.discarded.extend([card for card in row if not self.kept[self.decks[card]]])
        self.lay_row([card for card in row if self.kept[self.decks[card]]])


def _deck_piles(
    deck: Mapping[str, int],
    number: dict[str, int],
    decks: list[int],
    kept: list[bool],
    is_open: list[bool],
    lying: tuple[Any, ...],
) -> DeckPiles:
    """Piles that were pickled."""
    piles = DeckPiles(deck, number, 0, decks, kept, is_open)
    piles.hand, row, piles.pile, piles.drawn, piles.discarded, piles.laid, piles.revealed = lying
    piles.lay_row(row)
    return piles
