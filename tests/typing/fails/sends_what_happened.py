"""A server that sends what happened, secrets and all. A line that type checkers must find ends in `# mistake`."""

from collections.abc import Iterable
from typing import Any

from ttr_rules.events import SeenEvent
import ttr_rules as ttr


def played(game: ttr.Game, action: ttr.Action) -> list[dict[str, Any]]:
    return [ttr.to_json(game.rules, event) for event in game.play(action)]  # mistake


def missed(game: ttr.Game) -> list[dict[str, Any]]:
    found = [ttr.to_json(game.rules, event) for event in game.events]  # mistake
    for move in game.moves:
        found.append(ttr.to_json(game.rules, move))  # mistake
    found.append(ttr.to_json(game.rules, game.messages(0, 1)[0].events[0].event))  # mistake
    return found


def send(events: Iterable[SeenEvent]) -> None: ...


def forwarded(game: ttr.Game, action: ttr.Action) -> None:
    send(game.play(action))  # mistake
    send(game.last_move.events)  # mistake
    send(game.events)  # mistake


def mixed_up(game: ttr.Game) -> tuple[ttr.Event, ...]:
    return game.events_since(None, seat=0)  # mistake


class Bought(ttr.Event):
    def seen_by(self, seat: int | None) -> ttr.Event:  # mistake
        return self
