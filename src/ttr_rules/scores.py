"""Scores: the common bonuses and tie-breaks, details of a line on the score sheet, loans."""

from ttr_rules.kernel.player_score import Detail, TicketScore
from ttr_rules.kernel.scores import (
    LONGER_PATH,
    LONGEST_PATH,
    MORE_TICKETS,
    MOST_TICKETS,
    PATH_HOLDER,
    TIE_BREAK_P5,
    Loan,
    by_rank,
)
from ttr_rules.kernel.scoring import completed, connected, running_scores

__all__ = [
    "LONGER_PATH",
    "LONGEST_PATH",
    "MORE_TICKETS",
    "MOST_TICKETS",
    "PATH_HOLDER",
    "TIE_BREAK_P5",
    "Detail",
    "Loan",
    "TicketScore",
    "by_rank",
    "completed",
    "connected",
    "running_scores",
]
