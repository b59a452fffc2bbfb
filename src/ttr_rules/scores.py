"""Scores: the common bonuses and tie-breaks, details of a line on the score sheet, loans."""

from ttr_rules.kernel.player_score import Detail as Detail, TicketScore as TicketScore
from ttr_rules.kernel.scores import (
    LONGER_PATH as LONGER_PATH,
    LONGEST_PATH as LONGEST_PATH,
    MORE_TICKETS as MORE_TICKETS,
    MOST_TICKETS as MOST_TICKETS,
    PATH_HOLDER as PATH_HOLDER,
    TIE_BREAK_P5 as TIE_BREAK_P5,
    Loan as Loan,
    by_rank as by_rank,
)
from ttr_rules.kernel.scoring import completed as completed, connected as connected, running_scores as running_scores
