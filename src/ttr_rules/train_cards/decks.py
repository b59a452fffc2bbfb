"""Several decks of train cards: each has a draw pile and discards of its own (S2, D1, D7), and hands hold cards of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from ttr_rules._internal.native import i64
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.values import SeenDecks


class DeckPiles(CardPiles):
    """The piles of several decks. The kind of a card says which deck it is of.

    `pile` holds the draw piles of all decks: the top card of a deck is the first of its cards there. `discarded` has the
    discards of all. A sweep leaves the row of the decks that are `kept`.
    """

    exposes: ClassVar[type[object]] = SeenDecks

    __slots__ = ("kept",)

    def __init__(
        self,
        deck: Mapping[str, int],
        number: dict[str, int],
        players: int,
        decks: list[int],
        kept: list[bool],
        of: CardPiles | None = None,
    ) -> None:
        super().__init__(deck, number, players, of)
        self.decks = decks
        self.kept = kept

    def copy(self) -> DeckPiles:
        return DeckPiles(self.deck, self.number, 0, self.decks, self.kept, self)

    def __reduce__(self) -> tuple[object, ...]:
        lying = self.hand, self.row, self.pile, self.drawn, self.discarded, self.laid, self.revealed
        return _deck_piles, (self.deck, self.number, self.decks, self.kept, lying)

    def seen_by(self, seat: int | None) -> SeenDecks:
        """As with one deck; the backs of all cards are seen too."""
        return SeenDecks(
            **attrs.asdict(super().seen_by(seat), recurse=False),
            pile_sizes=tuple(self._by_deck(self.counted(self.pile))),
            held=tuple([tuple(self._by_deck(hand)) for hand in self.hand]),
        )

    def _by_deck(self, counts: list[int]) -> list[int]:
        sizes: list[int] = [0] * len(self.kept)
        for card, count in enumerate(counts):
            sizes[self.decks[card]] += count
        return sizes

    def deal_unseen(self, cards: tuple[int, ...], apart: int, sizes: list[int], shown: Any) -> bool:
        # The cards left at the end are kept apart: the view implies their decks.
        dealt: list[list[int]] = [[] for _ in sizes]
        pile: list[int] = []
        for deck in range(len(self.kept)):
            unseen = [card for card in cards if self.decks[card] == deck]
            for seat, size in enumerate(sizes):
                count: int = shown.held[seat][deck] if size else 0
                dealt[seat] += unseen[:count]
                unseen = unseen[count:]
            pile += unseen[: shown.pile_sizes[deck]]
        self.hand = [self.counted(held) for held in dealt]
        self.pile = tuple(pile)
        return [len(held) for held in dealt] == sizes and len(pile) == shown.draw_pile_size

    def deck_of(self, card: i64) -> i64:
        return self.decks[card]

    def top(self, deck: i64, count: i64) -> tuple[int, ...]:
        found: list[int] = []
        for card in self.pile:
            if len(found) >= count:
                break
            if self.decks[card] == deck:
                found.append(card)
        return tuple(found)

    # -- effects of events --------------------------------------------------------------------------------------

    def take_off(self, card: i64) -> None:
        deck = self.decks[card]
        at: i64 = 0
        for other in self.pile:
            if self.decks[other] == deck:
                break
            at += 1
        self.pile = self.pile[:at] + self.pile[at + 1 :]
        self.drawn = 0

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
    deck: Mapping[str, int], number: dict[str, int], decks: list[int], kept: list[bool], lying: tuple[Any, ...]
) -> DeckPiles:
    """Piles that were pickled."""
    piles = DeckPiles(deck, number, 0, decks, kept)
    piles.hand, row, piles.pile, piles.drawn, piles.discarded, piles.laid, piles.revealed = lying
    piles.lay_row(row)
    return piles
