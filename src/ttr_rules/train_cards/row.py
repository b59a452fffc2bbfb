"""Train cards on the table: the kinds of a deck, the face-up row and the piles (S2, S3, D7, D8, R2)."""

from __future__ import annotations

from collections.abc import Mapping

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.cards import Card
from ttr_rules.train_cards.events import PileShuffled
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import CardOptions

#: The 110 train cards of the base games (S2).
STANDARD_CARDS: Mapping[str, int] = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}
LOCOMOTIVE: str = Card.LOCOMOTIVE


class CardKinds(Economy):
    """A deck of train cards: `cards` says how many of each kind. Internally, kinds are numbers in that order."""

    #: The kinds of wild cards, the locomotive first.
    wilds: tuple[str, ...] = (LOCOMOTIVE,)

    def __init__(self, cards: Mapping[str, int]) -> None:
        self.cards = FrozenMap(dict(cards))
        self.kinds: tuple[str, ...] = tuple(str(kind) for kind in cards)
        self.number: dict[str, int] = {kind: number for number, kind in enumerate(self.kinds)}
        self.colors: tuple[str, ...] = tuple(kind for kind in self.kinds if kind != LOCOMOTIVE)
        self.wild = self.number[LOCOMOTIVE]
        self.wild_kinds: tuple[int, ...] = tuple(self.number[kind] for kind in self.wilds)

    def in_order(self, cards: Mapping[str, int]) -> list[str]:
        """Cards in the order in which they are passed to the shuffle: by kind, the locomotives last."""
        return [kind for kind in self.kinds for _ in range(cards[kind])]


class CardRow(CardKinds):
    """The cards on the table: hands are dealt from the draw pile, the row is filled from it and swept.

    `hand` is the number of cards dealt to each seat, `row` the number of face-up cards. A row with `sweep_at` of the
    `sweepers` is swept (S4), None for never.
    """

    #: The card types of which `sweep_at` in the row cause a sweep.
    sweepers: tuple[str, ...] = (LOCOMOTIVE,)

    def __init__(self, cards: Mapping[str, int], hand: int, row: int, sweep_at: int | None) -> None:
        super().__init__(cards)
        self.hand = hand
        self.row = row
        self.sweep_at = sweep_at
        self._deck: list[int] = []  # in the order in which it is shuffled
        self._sweeping = tuple(self.number[kind] for kind in self.sweepers)
        self.upkeep = RowUpkeep(self, self.kinds, row, sweep_at, self._sweeping)

    def part(self, rules: Rules, players: int) -> Part:
        return CardPiles(self.cards, self.number, players)

    def shuffle(self, tx: Transaction) -> None:
        """Shuffle the whole deck."""
        if not self._deck:
            self._deck = [self.number[kind] for kind in self.in_order(self.cards)]
        self.upkeep.shuffle(tx, self._deck)

    def deal(self, tx: Transaction) -> None:
        """Deal the hands (S3), then the row, checking S4 when it is full."""
        self.upkeep.deal(tx, self.hand)
        self.settle(tx)

    def rebuild_pile(self, tx: Transaction) -> None:
        """Rebuild an empty pile at once from the discards, if there are any (D7)."""
        piles = tx.state.part(CardPiles)
        if piles.drawn == len(piles.pile) and piles.discarded:
            piles.rebuilt(tx.shuffled_numbers(piles.discarded, self.kinds))
            if tx.log is not None:
                tx.record(PileShuffled, (tuple([self.kinds[card] for card in piles.pile]),))

    @property
    def rebuilds_plainly(self) -> bool:
        """True if nothing else happens when the pile is rebuilt."""
        return type(self).rebuild_pile is CardRow.rebuild_pile

    def settle(self, tx: Transaction) -> None:
        """After cards have moved, rebuild the pile, fill the row (R3) and sweep it (S4, D5, R1)."""
        self.upkeep.settle(tx)

    def invites_sweep(self, piles: CardPiles) -> bool:
        """True if the row holds enough cards for a sweep (S4), before R1 is applied."""
        at = self.sweep_at
        return at is not None and any(piles.row.count(kind) >= at for kind in self._sweeping)

    def can_draw(self, state: State, seat: int) -> bool:
        piles = state.part(CardPiles)
        return not piles.pile_is_empty or (bool(piles.row) and self.row_is_open(state, piles))

    def row_is_open(self, state: State, piles: CardPiles) -> bool:
        """True if the row may be drawn from: not with the draw pile empty, unless the ruling allows it (D8, R2)."""
        return not piles.pile_is_empty or state.rules.derived(_stays_open)


def _stays_open(rules: Rules) -> bool:
    """True if cards may be taken from the row while the draw pile is empty (R2)."""
    return rules.plugin(CardOptions).face_up_when_exhausted
