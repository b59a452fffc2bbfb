"""Rulings for cases that the rules of the United Kingdom leave open, and the advanced technologies."""

from __future__ import annotations

from typing import Literal

from ttr_rules.plugins import Variant, option


class BritishOptions(Variant):
    """The options of the map, by the rulings that they decide.

    >>> BritishOptions(advanced=True).copies
    False
    """

    advanced: bool = option(False, True, rule="U21", meaning="the six advanced technology cards are in the game")
    substitute_with_locomotives: bool = option(
        False, True, rule="UR2", meaning="the cards that stand for a locomotive may be locomotives themselves"
    )
    copies: bool = option(False, True, rule="UR3", meaning="a player may own several copies of a technology")
    ties_fail: bool = option(
        False, True, rule="UR4", meaning="who is tied for most has not the most: risky contracts, equalising beam"
    )
    unequal_double: bool = option(False, True, rule="UR5", meaning="Penzance–Plymouth is a double")
    new_york_ferry: bool = option(True, False, rule="UR6", meaning="New York is a ferry for steam turbines")
    second_claim_compulsory: bool = option(
        False, True, rule="UR10", meaning="the second claim of a thermocompressor must be made if it can be"
    )
    tie_break: Literal["tickets", "path"] = option(
        "tickets",
        "path",
        rule="U19",
        meaning="with equal points and tickets the victory is shared, or the longer path wins",
    )
