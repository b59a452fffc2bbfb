"""Decisions about train cards."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.model.decisions import Decision


@frozen
class SecondCard(Decision):
    """Draw the second train card of the turn (D1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawBlind(0))
    >>> game.decision(0), {type(action).__name__ for action in game.legal_actions(0)} == {"DrawBlind", "DrawFaceUp"}
    (SecondCard(seat=0), True)
    """

    public = True
