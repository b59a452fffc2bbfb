"""Payments, for plugins that change what things cost or that sell things: prices, claims, and the economies of a stack."""

from ttr_rules.kernel.economy import economy_of, pays_with
from ttr_rules.kernel.prices import Prices, PursePrices
from ttr_rules.mechanics.claims import ClaimRule, route_cost

__all__ = [
    "ClaimRule",
    "Prices",
    "PursePrices",
    "economy_of",
    "pays_with",
    "route_cost",
]
