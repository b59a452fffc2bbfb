"""For action rules of your own: what pays for what they sell, numbers in place of actions, draws, the end of a turn.

The bases `ActionRule` and `PaidRule` are in `ttr_rules.plugins`.
"""

from ttr_rules._internal.native import i64
from ttr_rules.kernel.action_rule import ListedRule, NumberedRule, SingleActionRule
from ttr_rules.kernel.economy import LazyPayments, cheapest_first, economy_layers, economy_of, pays_with
from ttr_rules.kernel.extensions import cards_drawn
from ttr_rules.kernel.prices import Prices, PursePrices
from ttr_rules.kernel.state import FREE
from ttr_rules.kernel.turn import after_claim, end_turn, finish_turn
from ttr_rules.mechanics.claims import ClaimRule, not_barred, route_cost
from ttr_rules.mechanics.ticket_mix import draw_tickets

__all__ = [
    "FREE",
    "ClaimRule",
    "LazyPayments",
    "ListedRule",
    "NumberedRule",
    "Prices",
    "PursePrices",
    "SingleActionRule",
    "after_claim",
    "cards_drawn",
    "cheapest_first",
    "draw_tickets",
    "economy_layers",
    "economy_of",
    "end_turn",
    "finish_turn",
    "i64",
    "not_barred",
    "pays_with",
    "route_cost",
]
