"""The moves of a saved game: read one by one, then folded into a game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, cast

import attrs
from cattrs import transform_error
from cattrs.errors import BaseValidationError

from ttr_rules.errors import SaveError
from ttr_rules.kernel.events.arranged import PositionArranged
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.events.setup import GameBegun
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.model.actions import Action
from ttr_rules.model.chance import Chance, SeededChance
from ttr_rules.model.decisions import Decision
from ttr_rules.play.game import Game
from ttr_rules.play.moves import Move, replayed
from ttr_rules.saves.converters import converter, reason_for
from ttr_rules.text import brief, first, line


@attrs.frozen
class _SavedMove:
    action: Action | None
    chance_calls: int
    events: tuple[Event, ...]


def move_of(rules: Rules, data: object, place: str, players: tuple[str, ...]) -> Move:
    """A step of a history from plain data. Raises `SaveError` with its place."""
    if not isinstance(data, dict):
        raise SaveError(f"{place}: expected an object, got {brief(data)}")
    try:
        move = converter(rules).structure(data, _SavedMove)
    except BaseValidationError as error:
        raise SaveError("; ".join(first(transform_error(error, path=place, format_exception=reason_for)))) from error
    for where, problem in _problems(rules, move, players):
        raise SaveError(f"{place}.{where}: {problem}")
    return Move(move.action, move.events, move.chance_calls)


def _problems(rules: Rules, move: _SavedMove, players: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Invalid seats and players in a move, each with where it is."""
    count = len(players)
    if move.action is not None and not _is_seat(move.action.seat, count):
        yield "action", f"a game of {count} has no seat {move.action.seat}"
    for number, event in enumerate(move.events):
        kind: Any = type(event)
        seats, others = _fields(kind)
        for name in seats:
            seat: object = getattr(event, name)
            if not _is_seat(seat, count):
                yield f"events[{number}]", f"a game of {count} has no seat {seat}"
        for name in others:
            value: object = getattr(event, name)
            if isinstance(value, Decision):
                where = f"events[{number}].{name}"
                if not _is_seat(value.seat, count):
                    yield where, f"a game of {count} has no seat {value.seat}"
                if type(value) not in rules.answers:
                    yield where, f"nobody can be asked a {type(value).__name__}"
        if isinstance(event, GameBegun | PositionArranged) and event.players != players:
            yield (
                f"events[{number}]",
                f"players: {brief(list(players))} are at the table, not {brief(list(event.players))}",
            )


def _is_seat(value: object, count: int) -> bool:
    """Whether a value can stand where a seat does: nothing but a number can be wrong there."""
    return not isinstance(value, int) or 0 <= value < count


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of an event that are seats, and the others."""
    names = [field.name for field in attrs.fields(kind)]
    seats = tuple(name for name in names if name in ("seat", "first_seat", "to_act"))
    return seats, tuple(name for name in names if name not in seats)


def game_of_moves(
    rules: Rules,
    names: tuple[str, ...],
    seed: int | str | None,
    chance: Chance | None,
    moves: list[Move],
) -> Game:
    """The game after these moves, by folding their events. Raises `SaveError` if they are inconsistent."""
    if not moves or not moves[0].events or not isinstance(moves[0].events[0], GameBegun | PositionArranged):
        raise SaveError("moves[0]: a saved game begins with its set-up")
    if seed is None and chance is None:
        raise SaveError("this game was played with a caller's chance object: give one to loads")
    calls = [0, *(move.chance_calls for move in moves)]
    if calls != sorted(calls):
        raise SaveError("moves: the numbers of chance calls do not rise")
    source = chance if chance is not None else SeededChance(cast("int | str", seed))
    for number, move in enumerate(moves):
        if (move.action is None) != (number == 0):
            raise SaveError(f"moves[{number}]: the set-up, and nothing else, has no action")
    try:
        state = replayed(rules, len(names), source, moves)
        game = Game(rules, state, names, seed, moves)
        game.view(None)  # a state that cannot be viewed is invalid
        found = list(_impossible(state))
    except Exception as error:  # edited events may break anything that applies them
        raise SaveError(
            f"the events of this game do not fit together: {type(error).__name__}: {line(str(error))}"
        ) from error
    if found:
        raise SaveError(f"the events of this game do not fit together: {found[0]}")
    return game


def _impossible(state: State) -> Iterator[str]:
    """What is impossible about a state: its events may have been edited."""
    choices = [cast("tuple[str, ...]", getattr(decision, "tickets", ())) for decision in state.pending]
    for tickets in (*state.tickets, *state.rejects, *state.ticket_piles.values(), *choices):
        for ticket in tickets:
            if ticket not in state.rules.tickets:
                yield f"{brief(ticket)} is no ticket of {state.rules}"
    for name in state.rules.draw_counts.piles:
        if name not in state.ticket_piles:
            yield f"there is no pile of {name} tickets"
    for part in state.parts.values():
        problem = part.validate()
        if problem is not None:
            yield problem
