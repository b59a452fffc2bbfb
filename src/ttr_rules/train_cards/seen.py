"""The train cards as a seat sees them."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.model.cards import Counts
from ttr_rules.text import cut


@frozen(repr=False)
class SeenCards:
    """The train cards as a seat sees them (S6).

    Public: the `face_up` row, the `discards`, the cards on the table for a tunnel (`laid`, `revealed`), the sizes of
    the draw pile and of every hand. `hand` is the seat's own; None for a spectator.

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

    def __repr__(self) -> str:
        row = ", ".join(self.face_up) or "nothing"
        own = "" if self.hand is None else f", own hand {self.hand}"
        sizes = ", ".join(map(str, self.hand_sizes))
        return cut(f"<SeenCards: {row} face up, {self.draw_pile_size} in the pile, hands of {sizes}{own}>")
