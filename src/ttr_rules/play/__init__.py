"""Games: setting them up, playing them, arranging positions and scoring tables. Built on compiled rules.

`game` sets a game up (S1–S7) and plays it, and `course` keeps its state and history. `progress` tells how close tickets
are to completion. `tables` arranges positions and scores tables that people wrote down.
"""

from ttr_rules.kernel.offer import (
    LARGEST_PAGE as LARGEST_PAGE,
    Offer as Offer,
    OfferedKind as OfferedKind,
    PaymentPage as PaymentPage,
    Purchase as Purchase,
)
from ttr_rules.kernel.scores import SheetWords as SheetWords
from ttr_rules.play.course import Move as Move
from ttr_rules.play.game import Game as Game, SeenMove as SeenMove, new_game as new_game, playout as playout
from ttr_rules.play.progress import TicketProgress as TicketProgress, ticket_progress as ticket_progress
from ttr_rules.play.tables import (
    POINTS_IN_PLAY as POINTS_IN_PLAY,
    ROUTE_POINTS as ROUTE_POINTS,
    arrange as arrange,
    score as score,
    stack_of as stack_of,
)
