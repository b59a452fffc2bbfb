"""Games: set up, played, arranged from any position, scored. Built on compiled rules.

`game` sets a game up (S1–S7) and plays it, and `course` keeps its state and history. `progress` tells how far tickets
are completed. `tables` arranges positions and scores tables that people wrote down.
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_rules.kernel.offer import LARGEST_PAGE, Offer, OfferedKind, PaymentPage, Purchase
    from ttr_rules.kernel.scores import SheetWords
    from ttr_rules.play.course import Move
    from ttr_rules.play.game import Game, SeenMove, new_game, playout
    from ttr_rules.play.progress import TicketProgress, ticket_progress
    from ttr_rules.play.tables import POINTS_IN_PLAY, ROUTE_POINTS, arrange, score, stack_of, terms_in_play
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "ttr_rules.kernel.offer": "LARGEST_PAGE Offer OfferedKind PaymentPage Purchase",
            "ttr_rules.kernel.scores": "SheetWords",
            "ttr_rules.play.course": "Move",
            "ttr_rules.play.game": "Game SeenMove new_game playout",
            "ttr_rules.play.progress": "TicketProgress ticket_progress",
            "ttr_rules.play.tables": "POINTS_IN_PLAY ROUTE_POINTS arrange score stack_of terms_in_play",
        },
    )

__all__ = [
    "LARGEST_PAGE",
    "POINTS_IN_PLAY",
    "ROUTE_POINTS",
    "Game",
    "Move",
    "Offer",
    "OfferedKind",
    "PaymentPage",
    "Purchase",
    "SeenMove",
    "SheetWords",
    "TicketProgress",
    "arrange",
    "new_game",
    "playout",
    "score",
    "stack_of",
    "terms_in_play",
    "ticket_progress",
]
