"""Decisions about train cards."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.model.decisions import Decision


@frozen
class SecondCard(Decision):
    """Draw the second train card of the turn (D1)."""

    public = True
