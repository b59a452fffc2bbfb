"""Train cards on the table: the decks, the face-up row and the piles (S2, S3, D7, D8, R2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ttr_rules.errors import PluginError
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.cards import Card
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards.diagrams import Diagram
from ttr_rules.train_cards.piles import CardPiles, DeckPiles
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import (
    CardDeck,
    CardOptions,
    Decks,
    DrawBlind,
    DrawFaceUp,
    DrawFrom,
    NextCard,
    TakeFaceUp,
)

#: The 110 train cards of the base games (S2).
STANDARD_CARDS: Mapping[str, int] = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}
LOCOMOTIVE: str = Card.LOCOMOTIVE
DRAWING = (DrawBlind, DrawFaceUp, DrawFrom, TakeFaceUp)


class CardRow(Economy):
    """The cards on the table: hands are dealt from the draw pile, the row is filled from it and swept.

    `cards` says how many of each kind there are. Internally, kinds are numbers in that order.
    Each of the `decks` says how many cards are dealt to each seat and how many lie face up. A kind of card is in one deck
    only; there need not be locomotives. With a `shared_row` the seat that takes a card from it chooses the deck whose top
    card takes its place. A row with `sweep_at` of the `sweepers` is swept (S4), None for never.
    """

    #: The kinds of wild cards, the locomotive first.
    wilds: tuple[str, ...] = (LOCOMOTIVE,)
    #: The kinds of cards that cause a sweep: `sweep_at` of one of them in the row.
    sweepers: tuple[str, ...] = (LOCOMOTIVE,)
    #: The number of the deck whose cards tunnels turn up (T1).
    tunnel_deck: int = 0

    def __init__(self, decks: Sequence[CardDeck], sweep_at: int | None, shared_row: bool) -> None:
        cards: dict[str, int] = {}
        for deck in decks:
            for kind in sorted({*cards} & {*deck.cards}):
                raise PluginError(
                    f"{kind!r} is in two decks, and a card shows its deck by its kind: "
                    f"give the deck {deck.name!r} kinds of its own, such as '{deck.name}_{kind}'"
                )
            cards.update(deck.cards)
        cards.setdefault(LOCOMOTIVE, 0)
        self.cards = FrozenMap(cards)
        self.kinds: tuple[str, ...] = tuple(str(kind) for kind in cards)
        self.number: dict[str, int] = {kind: number for number, kind in enumerate(self.kinds)}
        self.colors: tuple[str, ...] = tuple(kind for kind in self.kinds if kind != LOCOMOTIVE)
        self.wild = self.number[LOCOMOTIVE]
        self.decks = tuple(decks)
        self.deck_names = [deck.name for deck in decks]
        self.hand = sum(deck.hand for deck in decks)
        self.row = sum(deck.row for deck in decks)
        self.sweep_at = sweep_at
        self.shared_row = shared_row
        #: The number of the deck of each kind.
        self.deck_of = [next((n for n, deck in enumerate(decks) if kind in deck.cards), 0) for kind in self.kinds]
        #: For each kind, true if its cards lie open before whoever holds them.
        self.is_open = [self.decks[deck].open for deck in self.deck_of]
        self._diagram: Diagram | None = None
        self._cards: list[list[int]] = []  # of each deck, in the order in which they are shuffled
        self._sweeping = tuple(self.number[kind] for kind in self.sweepers)
        self.upkeep = RowUpkeep(self, self.kinds, [deck.row for deck in decks], sweep_at, self._sweeping)

    @property
    def diagram(self) -> Diagram:
        """The diagram that counts payments which are too many to list."""
        if self._diagram is None:
            self._diagram = Diagram(self.cards, self.wilds)
        return self._diagram

    def part(self, rules: Rules, players: int) -> Part:
        swept = {self.deck_of[kind] for kind in self._sweeping}
        kept = [not self.shared_row and deck not in swept for deck in range(len(self.decks))]
        kind = CardPiles if len(self.decks) == 1 and not self.decks[0].open else DeckPiles
        return kind(Decks(self.cards, self.number, self.deck_of, kept, self.is_open), players)

    def in_order(self, cards: Mapping[str, int]) -> list[str]:
        """Cards in the order in which they are passed to the shuffle: by kind."""
        return [kind for kind in self.kinds for _ in range(cards[kind])]

    def shuffle(self, tx: Transaction) -> None:
        """Shuffle each deck."""
        if not self._cards:
            ordered = [self.number[kind] for kind in self.in_order(self.cards)]
            self._cards = [[card for card in ordered if self.deck_of[card] == n] for n in range(len(self.decks))]
        for cards in self._cards:
            self.upkeep.shuffle(tx, cards)

    def deal(self, tx: Transaction) -> None:
        """Deal the hands (S3), then the row, checking S4 when it is full."""
        self.upkeep.deal(tx, [deck.hand for deck in self.decks])
        self.settle(tx)

    def rebuild_pile(self, tx: Transaction, deck: int) -> None:
        """Rebuild the empty pile of a deck at once from its discards, if there are any (D7)."""
        discarded = tx.state.part(CardPiles).discards_of(deck)
        if discarded:
            self.upkeep.shuffle(tx, discarded)

    def first_row(self, pile: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
        """The row that the top cards of a draw pile make, and the pile without them."""
        row = [card for deck in self.decks for card in [each for each in pile if each in deck.cards][: deck.row]]
        left = list(pile)
        for card in row:
            left.remove(card)
        return row, tuple(left)

    def settle(self, tx: Transaction) -> None:
        """After cards have moved, rebuild the pile, fill the row (R3) and sweep it (S4, D5, R1)."""
        self.upkeep.settle(tx)

    def invites_sweep(self, piles: CardPiles) -> bool:
        """True if the row holds enough cards for a sweep (S4), before R1 is applied."""
        at = self.sweep_at
        return at is not None and any(piles.row.count(kind) >= at for kind in self._sweeping)

    def can_draw(self, state: State, seat: int) -> bool:
        answers = state.rules.answers[NextCard]
        return any(answers.count(state, seat, n) for n, rule in enumerate(answers.rules) if rule.action in DRAWING)

    def row_is_open(self, state: State, piles: CardPiles) -> bool:
        """True if the row may be drawn from: not with the draw pile empty, unless the ruling allows it (D8, R2)."""
        return not piles.pile_is_empty or state.rules.derived(_stays_open)


def _stays_open(rules: Rules) -> bool:
    """True if cards may be taken from the row while the draw pile is empty (R2)."""
    return rules.plugin(CardOptions).face_up_when_exhausted
