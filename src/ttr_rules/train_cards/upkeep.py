"""What follows when train cards have moved: the pile is rebuilt, the row filled and swept (S4, D5, D7, R1, R3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules.kernel.transaction import Transaction
from ttr_rules.train_cards.events import CardsTurnedUp, RowSwept
from ttr_rules.train_cards.piles import CardPiles

MAX_SWEEPS = 10  # R1


class RowUpkeep:
    """Keeps a row of `row` cards full, and sweeps it while it shows `sweep_at` of one of the kinds `sweeping`.

    `rebuilds` is the economy, which says how an empty pile is rebuilt: `rebuild_pile(tx)`. Kinds of cards are numbers.
    """

    __slots__ = ("kinds", "rebuilds", "row", "sweep_at", "sweeping")

    def __init__(
        self, rebuilds: Any, kinds: tuple[str, ...], row: int, sweep_at: int | None, sweeping: tuple[int, ...]
    ) -> None:
        self.rebuilds = rebuilds
        self.kinds = kinds
        self.row = row
        self.sweep_at = sweep_at or 0
        self.sweeping: list[int] = [] if sweep_at is None else list(sweeping)

    def settle(self, tx: Transaction) -> None:
        """After cards have moved, rebuild the pile, fill the row (R3) and sweep it (S4, D5, R1)."""
        piles: CardPiles = tx.state.parts[CardPiles]
        # survives <=: what rebuilds the pile looks itself whether it is empty
        # survives >=: no more cards are drawn than the pile holds
        if piles.drawn == len(piles.pile):
            self.rebuilds.rebuild_pile(tx)
        # survives !=: the row holds no more cards than it has room for
        # survives <=: what fills the row looks itself whether it is full
        if len(piles.row) < self.row:
            self._fill_row(tx, piles)
        for kind in self.sweeping:
            if piles.row.count(kind) >= self.sweep_at:
                self._sweep(tx, piles)
                return

    def _fill_row(self, tx: Transaction, piles: CardPiles) -> None:
        """Turn up cards until the row is full or nothing is left."""
        # survives !=: the row holds no more cards than it has room for
        while len(piles.row) < self.row and piles.drawn < len(piles.pile):
            top = piles.pile[piles.drawn : piles.drawn + self.row - len(piles.row)]
            piles.turn_up(top)
            if tx.log is not None:
                tx.record(CardsTurnedUp, (tuple([self.kinds[card] for card in top]),))
            if piles.drawn == len(piles.pile):
                self.rebuilds.rebuild_pile(tx)

    def _sweep(self, tx: Transaction, piles: CardPiles) -> None:
        """Sweep and refill the row until it may stay (S4), or it has been swept too often (R1)."""
        sweeps = 0
        # survives !=: sweeps are counted one by one
        while self._must_sweep(piles) and sweeps < MAX_SWEEPS:
            tx.emit(RowSwept, piles.face_up)
            sweeps += 1
            self._fill_row(tx, piles)

    def _must_sweep(self, piles: CardPiles) -> bool:
        """Whether S4 applies under R1: a card must be left, and enough others to end the sweeping."""
        at = self.sweep_at
        # survives and: nothing invites a sweep where there is none; and where there is no pile, a row with too many locomotives has too few other cards
        if piles.pile_is_empty or not any([piles.row.count(kind) >= at for kind in self.sweeping]):
            return False
        lying: Sequence[int] = (*piles.pile[piles.drawn :], *piles.discarded, *piles.row)
        counts = [lying.count(kind) for kind in self.sweeping]
        return len(lying) - sum(counts) + sum([min(count, at - 1) for count in counts]) >= self.row
