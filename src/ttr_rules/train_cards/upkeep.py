"""Paying with train cards, and what follows when they have moved: the row is filled and swept (S4, D5, R1, R3, T1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.events import CardsSpent, CardsTurnedUp, RowSwept
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.tunnel_events import CardsLaid, CardsRevealed, LaidSpent, LaidTakenBack, RevealedDiscarded

MAX_SWEEPS = 10  # R1
TUNNEL_CARDS = 3  # T1


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

    def __reduce__(self) -> tuple[Any, ...]:
        return RowUpkeep, (self.rebuilds, self.kinds, self.row, self.sweep_at or None, tuple(self.sweeping))

    # -- paying ----------------------------------------------------------------------------------------------

    def pay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        """Discard a payment from a hand."""
        piles: CardPiles = tx.state.parts[CardPiles]
        piles.spend(seat, payment)
        if tx.log is not None:
            tx.record(CardsSpent, (seat, payment))
        self.settle(tx)

    def reveal(self, tx: Transaction, seat: int, payment: Counts) -> tuple[str, ...]:
        """Lay a payment on the table and turn up cards against it (T1, T6)."""
        piles: CardPiles = tx.state.parts[CardPiles]
        piles.lay(seat, payment)
        if tx.log is not None:
            tx.record(CardsLaid, (seat, payment))
        revealed: tuple[str, ...] = ()
        # survives !=: no more cards are turned up than are asked for, and none drawn beyond the pile
        while len(revealed) < TUNNEL_CARDS and piles.drawn < len(piles.pile):
            # survives ^: with three cards the two are the same
            top = piles.pile[piles.drawn : piles.drawn + TUNNEL_CARDS - len(revealed)]
            turned_up = tuple([self.kinds[card] for card in top])
            piles.reveal(top)
            if tx.log is not None:
                tx.record(CardsRevealed, (turned_up,))
            revealed += turned_up
            if piles.drawn == len(piles.pile):
                self.rebuilds.rebuild_pile(tx)
        return revealed

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        """Spend the cards on the table together with `extra`, or take them back for None (T4, T5)."""
        piles: CardPiles = tx.state.parts[CardPiles]
        if extra is None:
            piles.take_back(seat)
            if tx.log is not None:
                tx.record(LaidTakenBack, (seat,))
        else:
            piles.spend_laid(seat, extra)
            if tx.log is not None:
                tx.record(LaidSpent, (seat, extra))
            self.settle(tx)
        if piles.revealed:
            piles.discard_revealed()
            if tx.log is not None:
                tx.record(RevealedDiscarded, ())
            self.settle(tx)

    # -- the row ---------------------------------------------------------------------------------------------

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
        if piles.pile_is_empty or not any(piles.row.count(kind) >= at for kind in self.sweeping):
            return False
        lying: Sequence[int] = (*piles.pile[piles.drawn :], *piles.discarded, *piles.row)
        counts = [lying.count(kind) for kind in self.sweeping]
        return len(lying) - sum(counts) + sum([min(count, at - 1) for count in counts]) >= self.row
