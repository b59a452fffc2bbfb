"""Drawing train cards, as actions."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.model.decisions import Action


@frozen
class DrawBlind(Action):
    """Draw the top card of the draw pile (D1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> for _ in range(2):  # two cards make a turn
    ...     events = game.play(ttr.DrawBlind(0))
    >>> ttr.cards(game.view(0)).hand.total, game.to_act
    (2, (1,))
    """


@frozen
class DrawFaceUp(Action):
    """Take a face-up card of one color, or a locomotive (D1, D2).

    >>> import ttr_rules as ttr
    >>> row = ["red", "blue", "green", "white", "locomotive"]
    >>> position = {"stack": ["europe"], "seed": 1, "face_up": row}
    >>> game = ttr.arrange(None, {**position, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawFaceUp(0, "red"))
    >>> print(game.refusal(ttr.DrawFaceUp(0, "locomotive")))
    [D3] a face-up locomotive can only be the first card
    """

    card: str
