"""Games: set up, played, arranged from any position, scored. Built on compiled rules.

`starting` sets a game up (S1–S7), `game` plays it, `moves` is its history; `progress` says what tickets miss;
`positions` arranges positions and scores tables, which `tables`, `table_tickets` and `score_files` read and explain.
"""

from typing import TYPE_CHECKING

from ttr_rules._internal.lazy import lazily

if TYPE_CHECKING:
    from ttr_rules.kernel.offer import Offer, OfferedKind, PaymentPage, Purchase
    from ttr_rules.play.game import Game
    from ttr_rules.play.moves import Move, SeenMove
    from ttr_rules.play.playouts import playout
    from ttr_rules.play.positions import arrange, score
    from ttr_rules.play.progress import TicketProgress, ticket_progress
    from ttr_rules.play.starting import new_game
else:
    __getattr__, __dir__ = lazily(__name__)

__all__ = [
    "Game",
    "Move",
    "Offer",
    "OfferedKind",
    "PaymentPage",
    "Purchase",
    "SeenMove",
    "TicketProgress",
    "arrange",
    "new_game",
    "playout",
    "score",
    "ticket_progress",
]
