"""The upkeep of the draw piles and of the row: dealing, rebuilding, filling and sweeping (S3, S4, D5, D7, R1, R3)."""

from __future__ import annotations

from typing import Final, Protocol

from ttr_rules._internal.native import i64
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.train_cards.effects import deal_cards, extend_row, form_pile, sweep_row, tell_row
from ttr_rules.train_cards.piles import CardPiles

MAX_SWEEPS: Final = 10  # R1


class TableEconomy(Protocol):
    """The members of `TrainCards` that the upkeep and tunnels need."""

    shared_row: bool
    tunnel_deck: int
    colors: tuple[str, ...]
    wilds: tuple[str, ...]

    def rebuild_pile(self, tx: Transaction, deck: int) -> None: ...


class RowUpkeep:
    """Fills the row with `rows` cards of each deck, and sweeps it while it shows `sweep_at` of one of the kinds `sweeping`.

    Kinds of cards are numbers.
    """

    __slots__ = ("economy", "kinds", "row", "rows", "several", "sweep_at", "sweeping")

    def __init__(
        self,
        economy: TableEconomy,
        kinds: tuple[str, ...],
        rows: list[int],
        sweep_at: int | None,
        sweeping: tuple[int, ...],
    ) -> None:
        self.economy = economy
        self.kinds = kinds
        self.rows = rows
        self.row = sum(rows)
        self.several = len(rows) > 1
        self.sweep_at = sweep_at or 0
        self.sweeping: list[int] = [] if sweep_at is None else list(sweeping)

    def __reduce__(self) -> tuple[object, ...]:  # its economy may have no attributes yet when this is unpickled
        return RowUpkeep, (self.economy, self.kinds, self.rows, self.sweep_at or None, tuple(self.sweeping))

    # -- set-up ----------------------------------------------------------------------------------------------

    def shuffle(self, tx: Transaction, cards: list[int]) -> None:
        """Form the draw pile of a deck from new cards or its discards."""
        form_pile(tx, tx.shuffled_numbers(cards, self.kinds))

    def deal(self, tx: Transaction, cards: list[int]) -> None:
        """Deal the hands (S3): `cards` has the number for each deck."""
        piles: CardPiles = tx.state.kept[0]
        for seat in range(tx.state.players):
            top: list[int] = []
            for deck, count in enumerate(cards):
                top += piles.top(deck, count)
            closed = [card for card in top if not piles.is_open[card]]
            opened = [card for card in top if piles.is_open[card]]
            if closed or not opened:
                deal_cards(tx, seat, tuple(closed))
            if opened:
                deal_cards(tx, seat, tuple(opened))

    def rebuild(self, tx: Transaction, piles: CardPiles) -> None:
        """Rebuild each pile that is empty (D7), as the economy does."""
        for deck in range(len(self.rows)):
            if piles.top_card(deck) < 0 and piles.discards_of(deck):
                self.economy.rebuild_pile(tx, deck)

    # -- the row ---------------------------------------------------------------------------------------------

    def settle(self, tx: Transaction) -> None:
        """After cards have moved, rebuild the pile, fill the row (R3) and sweep it (S4, D5, R1)."""
        piles: CardPiles = tx.state.kept[0]
        if piles.left == 0 or self.several:
            self.rebuild(tx, piles)
        if len(piles.row) < self.row:
            self._fill_row(tx, piles)
        for kind in self.sweeping:
            if piles.shown[kind] >= self.sweep_at:
                self._sweep(tx, piles)
                return

    def _fill_row(self, tx: Transaction, piles: CardPiles) -> None:
        """Turn up cards until the row is full or nothing is left."""
        for deck, size in enumerate(self.rows):
            self._fill_from(tx, piles, deck, size)
        if self.economy.shared_row:
            for deck in range(len(self.rows)):
                self._fill_from(tx, piles, deck, self.row)

    def _fill_from(self, tx: Transaction, piles: CardPiles, deck: i64, size: i64) -> None:
        """Turn up cards of a deck until `size` of them lie in the row, or the row is full."""
        while len(piles.row) < self.row:
            lying = len([card for card in piles.row if piles.deck_of[card] == deck])
            top = piles.top(deck, max(min(self.row - len(piles.row), size - lying), 0))
            if not top:
                return
            extend_row(tx, top)
            self.rebuild(tx, piles)

    def _sweep(self, tx: Transaction, piles: CardPiles) -> None:
        """Sweep and refill the row until it may stay (S4), or it has been swept too often (R1).

        A row that was swept ten times stays until `settle` is called again: when the row or the discards have changed,
        or the pile by a reshuffle.
        """
        sweeps = 0
        while self._must_sweep(piles) and sweeps < MAX_SWEEPS:
            self.replace_row(tx)
            sweeps += 1

    def replace_row(self, tx: Transaction, rebuild: bool = False) -> None:
        """Discard the row and turn up new cards, with `rebuild` from rebuilt piles if they are empty."""
        piles: CardPiles = tx.state.kept[0]
        swept = range(len(piles.row))
        sweep_row(tx)
        if rebuild:
            self.rebuild(tx, piles)
        self._fill_row(tx, piles)
        tell_row(tx, None, swept)

    def _must_sweep(self, piles: CardPiles) -> bool:
        """True if the row must be swept (S4): only if a card is left and there are enough others to end the sweeping (R1)."""
        if piles.left == 0 or not any(piles.shown[kind] >= self.sweep_at for kind in self.sweeping):
            return False
        most = sum([piles.decks.cards[self.kinds[kind]] for kind in self.sweeping])
        if len(piles.row) + len(piles.discarded) + piles.left >= self.row + most:
            return True  # enough others, even if all cards that could be swept are among them: nearly always so
        cards = [*piles.row, *piles.discarded, *piles.undrawn]
        counts = [cards.count(kind) for kind in self.sweeping]
        return len(cards) - sum(counts) + sum([min(count, self.sweep_at - 1) for count in counts]) >= self.row
