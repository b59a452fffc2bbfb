"""Moves as plain data and back: actions, decisions and events by one cattrs converter for each `Rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

import attrs
from attrs import AttrsInstance
from cattrs import Converter
from cattrs.gen import override

from ttr_rules._internal.exact import be_exact, read, read_tagged, writer
from ttr_rules.errors import SaveError
from ttr_rules.kernel.answers import replayed
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.events.setup import GameBegun, PositionArranged
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.chance import Chance, SeededChance
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game
from ttr_rules.reading import MOST_COUNTED, JsonObject, is_table
from ttr_rules.text import brief, line

_TAGGED = (Action, Decision, Event)
#: The largest whole number in a saved game or an action: every language reads it exactly from JSON.
LARGEST = 2**53


def converter(rules: Rules) -> Converter:
    """The cattrs converter for the actions, decisions and events of these rules: plain data with tagged types.

    It is created once, which takes milliseconds, and cached with the rules. It reads events as they happened;
    `new_converter` makes one that also reads them as a seat saw them.
    """
    return rules.derived(_converter)


def _converter(rules: Rules) -> Converter:
    return new_converter(rules, seen=False)


def new_converter(rules: Rules, *, seen: bool, largest: int = LARGEST) -> Converter:
    """A new converter; with `seen`, it reads `Unknown` where a type allows it: `{"count": 3}`, or null for the count.

    `largest` is the largest whole number that it reads.
    """
    made = Converter(unstruct_collection_overrides={tuple: list})
    tags = {kind: tag for tag, kind in rules.types.items()}
    known = {base: {tag: kind for tag, kind in rules.types.items() if issubclass(kind, base)} for base in _TAGGED}

    def write_tagged(kind: type[AttrsInstance]) -> Callable[[object], JsonObject]:
        if kind in known:
            return lambda value: made.unstructure(value, type(value))
        if kind not in tags:
            missing = "gives it to event_types" if issubclass(kind, Event) else "has an action rule for it"
            raise SaveError(f"{kind.__name__} cannot be saved: no plugin of {rules} {missing}")
        return writer(kind, made, tags[kind])

    def read_base(value: object, base: type[Action | Decision | Event]) -> object:
        return read_tagged(made, value, known[base], f"these rules have no {base.__name__.lower()}")

    def read_perhaps(value: object, _: object) -> object:
        return None if value is None else read_base(value, Action)

    def read_known(value: object, union: object) -> object:
        if seen and is_table(value) and list(value) == ["count"]:
            return made.structure(value, Unknown)
        others: Any = Union[tuple([kind for kind in get_args(union) if kind is not Unknown])]  # noqa: UP007 (made at run time)
        return made.structure(value, others)

    be_exact(made, largest)
    made.register_unstructure_hook_factory(
        lambda kind: isinstance(kind, type) and issubclass(kind, _TAGGED), write_tagged
    )
    made.register_structure_hook_func(lambda kind: kind in known, read_base)
    made.register_structure_hook_func(lambda kind: Unknown in get_args(kind) and is_union(kind), read_known)
    made.register_structure_hook_func(lambda kind: kind == (Action | None), read_perhaps)
    # Few costs have marks; the others are written without the field, as before it existed.
    made.register_unstructure_hook(Cost, writer(Cost, made, marks=override(omit_if_default=True)))
    made.register_unstructure_hook(Counts, dict)
    made.register_structure_hook(Counts, _counts)
    return made


def is_union(kind: object) -> bool:
    """Return True for a union of types, however it is written."""
    return get_origin(kind) in (Union, UnionType)


def _counts(value: object, _: object) -> Counts:
    if not isinstance(value, dict):
        raise ValueError(f"expected counts by name, got {brief(value)}")  # noqa: TRY004
    counts = cast("dict[str, int]", value)
    if any(type(count) is int and not 0 < count <= MOST_COUNTED for count in counts.values()):
        raise ValueError(f"1 to {MOST_COUNTED} of a thing are counted, not {brief(counts)}")
    return Counts(counts)


@attrs.frozen
class _SavedMove:
    action: Action | None
    chance_calls: int
    events: tuple[Event, ...]


def move_of(rules: Rules, data: object, place: str, players: tuple[str, ...]) -> Move:
    """A step of a history from plain data. Raises `SaveError` with its place."""
    move = read(converter(rules), data, _SavedMove, place, SaveError)
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
    """Return True for a value that can stand where a seat does: nothing but a number can be wrong there."""
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
        game = Game(state, names, seed, moves)
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
    """Describe why a state is impossible: its events may have been edited."""
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
