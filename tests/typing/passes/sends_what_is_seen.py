"""A server that sends each seat what it may see: type checkers have nothing to say."""

from collections.abc import Iterable, Sequence
from typing import Any

import ttr_rules as ttr
from ttr_rules.events import CardDrawn, SeenEvent, Unknown


def played(game: ttr.Game, action: ttr.Action) -> dict[int, list[dict[str, Any]]]:
    events = game.play(action, expected=game.moment(action.seat))
    return {
        seat: [ttr.to_json(game.rules, event.seen_by(seat)) for event in events] for seat in range(len(game.players))
    }


def missed(game: ttr.Game, since: int, seat: int | None) -> list[dict[str, Any]]:
    return [ttr.to_json(game.rules, move) for move in game.messages(since, seat)]


def cards_drawn(events: Iterable[SeenEvent]) -> list[str | Unknown]:
    return [seen.event.card for seen in events if isinstance(seen.event, CardDrawn)]


def told(game: ttr.Game) -> Sequence[SeenEvent]:
    return [*game.events_since(None, seat=0), *game.messages(0, seat=None)[0].events]


class Bought(ttr.Event):
    """An event of a plugin that says itself what is seen of it."""

    def seen_by(self, seat: int | None) -> SeenEvent:
        return SeenEvent(self)
