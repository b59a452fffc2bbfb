"""Decisions about train cards."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.model.decisions import Decision


@frozen
class NextCard(Decision):
    """Draw another train card: `left` of them, this one included (D1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawBlind(0))
    >>> game.decision(0), {type(action).__name__ for action in game.legal_actions(0)} == {"DrawBlind", "DrawFaceUp"}
    (NextCard(seat=0, left=1), True)
    """

    public = True

    left: int = 1
