"""The course of a turn, for economies and rules that end it themselves or draw tickets in it."""

from ttr_rules.kernel.turn import after_claim, end_turn, finish_turn
from ttr_rules.mechanics.ticket_mix import draw_tickets

__all__ = [
    "after_claim",
    "draw_tickets",
    "end_turn",
    "finish_turn",
]
