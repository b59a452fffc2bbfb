"""Moves as plain data and back: actions, decisions and events by one cattrs converter for each `Rules`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

import attrs
from attrs import has
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from ttr_rules._internal.exact import Hook, be_exact, read
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
    made = Converter(forbid_extra_keys=True, unstruct_collection_overrides={tuple: list})
    kinds: dict[Any, type[Any]] = dict(rules.types)
    tags = {kind: tag for tag, kind in kinds.items()}
    structurers: dict[type[Any], Hook] = {}

    def unstructure_tagged(kind: type[Any]) -> Callable[[Any], JsonObject]:
        if kind in _TAGGED:
            return lambda value: made.unstructure(value, type(value))
        fields = make_dict_unstructure_fn(kind, made)
        if kind not in tags:
            missing = "gives it to event_types" if issubclass(kind, Event) else "has an action rule for it"
            raise SaveError(f"{kind.__name__} cannot be saved: no plugin of {rules} {missing}")
        tag = tags[kind]
        return lambda value: {"type": tag, **fields(value)}

    def structure_tagged(value: Any, base: type[Any]) -> Any:
        if not isinstance(value, dict) or "type" not in value:
            raise ValueError(f"expected an object with a type, got {brief(cast('object', value))}")
        data = cast("JsonObject", value).copy()
        tag = data.pop("type")
        kind = kinds.get(tag) if isinstance(tag, str) else None
        if kind is None or not issubclass(kind, base):
            raise ValueError(f"these rules have no {base.__name__.lower()} of the type {brief(tag)}")
        structure = structurers.get(kind)
        if structure is None:
            structure = structurers[kind] = cast(Hook, make_dict_structure_fn(kind, made))
        return structure(data, kind)

    def structure_known(value: Any, union: Any) -> Any:
        if seen and isinstance(value, dict) and cast("JsonObject", value).keys() == {"count"}:
            return made.structure(value, Unknown)
        known: Any = Union[tuple([kind for kind in get_args(union) if kind is not Unknown])]  # noqa: UP007 (made at run time)
        return made.structure(value, known)

    def read_object(kind: type[Any]) -> Hook:
        return object_reader(kind, made)

    def structure_perhaps(value: object, _: object) -> object:
        return None if value is None else structure_tagged(value, Action)

    made.register_unstructure_hook_factory(
        lambda kind: isinstance(kind, type) and issubclass(kind, _TAGGED), unstructure_tagged
    )
    made.register_structure_hook_factory(has, read_object)
    made.register_structure_hook_func(lambda kind: kind in _TAGGED, structure_tagged)
    made.register_structure_hook_func(lambda kind: _is_union(kind) and Unknown in get_args(kind), structure_known)
    made.register_structure_hook_func(lambda kind: kind == (Action | None), structure_perhaps)
    # Few costs have marks; the others are written without the field, as before it existed.
    marks = override(omit_if_default=True)
    made.register_unstructure_hook(Cost, make_dict_unstructure_fn(Cost, made, marks=marks))
    made.register_unstructure_hook(Counts, dict)
    made.register_structure_hook(Counts, _counts)
    be_exact(made, largest)
    return made


def object_reader(kind: type[Any], made: Converter, **overrides: object) -> Hook:
    """A structure hook for an attrs class that says so if it gets no object."""
    make: Any = make_dict_structure_fn  # its overrides are typed as if they were its own arguments
    read: Hook = make(kind, made, **overrides)

    def structure(value: object, _: object) -> object:
        if not is_table(value):
            raise ValueError(f"expected an object, got {brief(value)}")
        return read(value, kind)

    return structure


def _counts(value: object, _: object) -> Counts:
    if not isinstance(value, dict):
        raise ValueError(f"expected counts by name, got {brief(value)}")  # noqa: TRY004
    counts = cast("dict[str, int]", value)
    if any(type(count) is int and not 0 < count <= MOST_COUNTED for count in counts.values()):
        raise ValueError(f"1 to {MOST_COUNTED} of a thing are counted, not {brief(counts)}")
    return Counts(counts)


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


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
