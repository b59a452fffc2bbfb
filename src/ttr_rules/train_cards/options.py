"""Rulings about train cards for cases that the rulebooks leave open."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.plugin import option


@frozen
class CardOptions:
    """How open cases about train cards are decided.

    >>> CardOptions().second_card_optional
    False
    """

    face_up_when_exhausted: bool = option(
        False, True, rule="R2", meaning="with draw pile and discards empty, face-up cards may still be taken"
    )
    second_card_optional: bool = option(
        False, True, rule="R5", meaning="a player may pass on the second card although one could be drawn"
    )
