"""Drawing train cards, as actions."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.model.actions import Action


@frozen
class DrawBlind(Action):
    """Draw the top card of the draw pile (D1)."""


@frozen
class DrawFaceUp(Action):
    """Take a face-up card of one colour, or a locomotive (D1, D2)."""

    card: str
