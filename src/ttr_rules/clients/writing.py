"""What clients may get, as plain data."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

from ttr_rules.clients.boards import BoardInfo
from ttr_rules.clients.converting import MESSAGES, client_converter
from ttr_rules.clients.messages import ServerMessage
from ttr_rules.clients.requests import ClientMessage
from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.events.base import Event, SeenEvent
from ttr_rules.kernel.offer import Offer, PaymentPage
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.view import View
from ttr_rules.model.actions import Action
from ttr_rules.model.decisions import Decision
from ttr_rules.play.moves import SeenMove
from ttr_rules.play.starting import check_rules_are_compiled
from ttr_rules.text import brief

#: What `to_json` writes.
Writable: TypeAlias = (
    Action | Decision | SeenEvent | SeenMove | View | Offer | PaymentPage | FinalScores | BoardInfo | ServerMessage | ClientMessage
)  # fmt: skip
_WRITTEN = (Action, Decision, SeenEvent, SeenMove, View, Offer, PaymentPage, FinalScores, BoardInfo, *MESSAGES)


def to_json(rules: Rules, thing: Writable) -> dict[str, Any]:
    """Turn a message, or something that a message holds, into plain data: an action, a view, a seen event, an offer.

    The result is suitable for `json.dumps`. What is hidden in an event or a view is written as a number of items.
    Raises `InvalidInputError` for anything else, including an event as it happened, which holds secrets: pass
    `event.seen_by(seat)`.

    >>> from ttr_rules import DrawFaceUp, compile_rules
    >>> to_json(compile_rules("europe"), DrawFaceUp(seat=0, card="red"))
    {'type': 'train-cards.DrawFaceUp', 'seat': 0, 'card': 'red'}
    """
    check_rules_are_compiled(rules)
    given: object = thing
    if isinstance(given, Event):
        raise InvalidInputError(
            f"{type(given).__name__} is an event as it happened, which may hold secrets: pass event.seen_by(seat), or a move that "
            "game.messages(since, seat) returns; to save a game, use dumps(game)"
        )
    if not isinstance(given, _WRITTEN):
        raise InvalidInputError(
            "expected a message, an action, a decision, a seen event or move, an offer, a view, a board or a score sheet, "
            f"got {brief(given)}"
        )
    return cast("dict[str, Any]", client_converter(rules).unstructure(given))
