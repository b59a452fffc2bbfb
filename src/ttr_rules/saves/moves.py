"""Moves of saved games: as plain data and back, folded into a game, and played again to verify them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, zip_longest
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

import attrs
from attrs import AttrsInstance
from cattrs import Converter
from cattrs.gen import override

from ttr_rules._internal.exact import exact_converter, read, read_tagged, writer
from ttr_rules.errors import SaveError, TTRError
from ttr_rules.kernel.answers import advance, legal_actions, refusal, replay_moves
from ttr_rules.kernel.events import Event, GameBegun, PositionArranged, SeatsArranged
from ttr_rules.kernel.fields import TICKETS
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.views import problems_of_todo, view_of
from ttr_rules.mechanics.tickets import set_up
from ttr_rules.model.board import RARE_FIELDS, Cost
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.chance import Chance, SeededChance
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game
from ttr_rules.reading import MOST_COUNTED, JsonObject, is_class, is_list, is_table
from ttr_rules.text import brief, line

_TAGGED = (Action, Decision, Event)
#: The fields of events that are seats.
_SEATS = ("seat", "first_seat", "to_act")
#: The largest whole number in a saved game or an action: every language reads it exactly from JSON.
LARGEST = 2**53


def converter(rules: Rules) -> Converter:
    """The cattrs converter for the actions, decisions and events of these rules: plain data with tagged types.

    It is created once, which takes milliseconds, and cached with the rules. It reads events as they happened.
    `new_converter` makes one that also reads them as a seat saw them.
    """
    return rules.derived(new_converter)


def new_converter(rules: Rules, *, seen: bool = False, largest: int = LARGEST) -> Converter:
    """A new converter. With `seen`, it reads `Unknown` where a type allows it: `{"count": 3}`, or null for the count.

    `largest` is the largest whole number that it reads.
    """
    made = exact_converter(largest)
    tags = {kind: tag for tag, kind in rules.types.items()}
    known = {base: {tag: kind for tag, kind in rules.types.items() if issubclass(kind, base)} for base in _TAGGED}

    def write(kind: type[AttrsInstance]) -> Callable[[object], JsonObject]:
        if kind in known:
            return lambda value: made.unstructure(value, type(value))
        if kind not in tags:
            missing = "defines it" if issubclass(kind, Event) else "has an action rule for it"
            raise SaveError(f"{kind.__name__} cannot be saved: no plugin of {rules} {missing}")
        return writer(kind, made, tags[kind])

    def read_base(value: object, base: type[Action | Decision | Event]) -> object:
        return read_tagged(made, value, known[base], f"these rules have no {base.__name__.lower()}")

    def read_known(value: object, union: object) -> object:
        if seen and is_table(value) and list(value) == ["count"]:
            return made.structure(value, Unknown)
        others: Any = Union[tuple([kind for kind in get_args(union) if kind is not Unknown])]  # noqa: UP007 (made at run time)
        return made.structure(value, others)

    made.register_unstructure_hook_factory(lambda kind: is_class(kind, _TAGGED), write)
    made.register_structure_hook_func(lambda kind: kind in known, read_base)
    unions: tuple[object, ...] = (Union, UnionType)  # the two ways to write one
    made.register_structure_hook_func(lambda kind: get_origin(kind) in unions and Unknown in get_args(kind), read_known)
    rare: Any = dict.fromkeys(RARE_FIELDS, override(omit_if_default=True))
    made.register_unstructure_hook(Cost, writer(Cost, made, **rare))
    made.register_unstructure_hook(Counts, dict)
    made.register_structure_hook(Counts, _counts)
    return made


def _counts(value: object, _: object) -> Counts:
    if not isinstance(value, dict):
        raise ValueError(f"expected counts by name, got {brief(value)}")  # noqa: TRY004
    counts = cast("dict[str, int]", value)
    if any(type(count) is int and not 0 < count <= MOST_COUNTED for count in counts.values()):
        raise ValueError(f"1 to {MOST_COUNTED} of a thing are counted, not {brief(counts)}")
    return Counts(counts)


@attrs.frozen
class SavedMove:
    """A move of a saved game: the action, none for the set-up, how often chance was asked until then, and what happened."""

    action: Action | None
    chance_calls: int
    events: tuple[Event, ...]


def read_move(rules: Rules, data: object, place: str, players: tuple[str, ...]) -> Move:
    """A step of a history from plain data. Raises `SaveError` with its place."""
    move = read(converter(rules), data, SavedMove, place, SaveError)
    for where, problem in _problems(rules, move, players):
        raise SaveError(f"{place}.{where}: {problem}")
    return Move(move.action, move.events, move.chance_calls)


def _problems(rules: Rules, move: SavedMove, players: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Invalid seats and players in a move, each with where it is."""
    count = len(players)
    if move.action is not None and not _is_seat(move.action.seat, count):
        yield "action", f"a game of {count} has no seat {move.action.seat}"
    for number, event in enumerate(move.events):
        for field in attrs.fields(type(event)):
            place, value = f"events[{number}]", getattr(event, field.name)
            if isinstance(value, Decision):
                place += f".{field.name}"
                if type(value) not in rules.answers:
                    yield place, f"nobody can be asked a {type(value).__name__}"
                value = value.seat
            elif field.name not in _SEATS and not (isinstance(event, SeatsArranged) and field.name == "seats"):
                continue  # what plugins call seats may be their number
            for seat in value if is_list(value) else (value,):
                if not _is_seat(seat, count):
                    yield place, f"a game of {count} has no seat {seat}"
        if isinstance(event, GameBegun | PositionArranged) and event.players != players:
            problem = f"players: {brief(list(players))} are at the table, not {brief(list(event.players))}"
            yield f"events[{number}]", problem


def _is_seat(value: object, count: int) -> bool:
    """Return True for a value that can stand where a seat does: nothing but a number can be wrong there."""
    return not isinstance(value, int) or 0 <= value < count


def game_of_moves(
    rules: Rules, names: tuple[str, ...], seed: int | str | None, chance: Chance | None, moves: list[Move]
) -> Game:
    """The game after these moves, by folding their events. Raises `SaveError` if they are inconsistent."""
    if not moves or not moves[0].events or not isinstance(moves[0].events[0], GameBegun | PositionArranged):
        raise SaveError("moves[0]: a saved game begins with its set-up")
    source: SeededChance | Chance | None = SeededChance(seed) if chance is None and seed is not None else chance
    if source is None:
        raise SaveError("this game was played with a caller's chance object: give one to loads")
    calls = [0, *(move.chance_calls for move in moves)]
    if calls != sorted(calls):
        raise SaveError("moves: the numbers of chance calls do not rise")
    for number, move in enumerate(moves):
        if (move.action is None) != (number == 0):
            raise SaveError(f"moves[{number}]: the set-up, and nothing else, has no action")
    unfit = "the events of this game do not fit together"
    try:
        state = replay_moves(rules, len(names), source, moves)
        game = Game(state, names, seed, moves)
        game.view(None)  # a state that cannot be viewed is invalid
        contradictions = list(_contradictions(state))
    except Exception as error:  # edited events may break anything that applies them
        raise SaveError(f"{unfit}: {type(error).__name__}: {line(str(error))}") from error
    if contradictions:
        raise SaveError(f"{unfit}: {contradictions[0]}")
    return game


def _contradictions(state: State) -> Iterator[str]:
    """Describe why a state is impossible: its events may have been edited."""
    for decision in (*state.pending, *chain.from_iterable([item.pending for item in state.todo])):
        if type(decision) not in state.rules.answers or decision.seat not in range(state.players):
            yield f"{brief(decision)} is asked of nobody"
    choices: list[tuple[str, ...]] = [getattr(decision, "tickets", ()) for decision in state.pending]
    apart = [part.items_in(TICKETS) for part in state.parts.values()]
    for tickets in (*state.tickets, *state.rejects, *state.ticket_piles.values(), *choices, *apart):
        for ticket in tickets:
            if ticket not in state.rules.tickets:
                yield f"{brief(ticket)} is not a ticket of {state.rules}"
    for name in state.rules.draw_counts.piles:
        if name not in state.ticket_piles:
            yield f"there is no pile of {name} tickets"
    for part in state.parts.values():
        problem = part.validate(state.rules)
        if problem is not None:
            yield problem
    yield from problems_of_todo(state.todo, state.rules, state.players)


#: The first rule that the docstring of an event cites.
_RULE_ID = re.compile(r"\b[A-Z]{1,2}\d{1,2}\b")


def first_difference(game: Game) -> tuple[int, str] | None:
    """Find the first move whose events differ from what the rules give: its number and the difference, or None.

    The set-up is verified too. A position made by `arrange`, whose origin is not in the saved game, is accepted as it
    is, if it can be played and scored. A caller's chance object must return what it returned before.

    >>> from ttr_rules import new_game
    >>> first_difference(new_game("europe", players=2, seed=1)) is None
    True
    """
    number = 0
    try:
        state = _set_up_again(game, game.moves[0])
        for number, move in enumerate(game.moves[1:], start=1):  # noqa: B007 (where a difference is)
            _play_again(state, move)
    except _DifferenceError as difference:
        return number, str(difference)
    except Exception as error:  # noqa: BLE001 (a chance object may raise anything, and so may an impossible position)
        kind = "" if isinstance(error, TTRError) else f"{type(error).__name__}: "
        return number, f"this cannot be decided again: {kind}{line(str(error))}"
    return None


class _DifferenceError(Exception):
    """A difference between a move and what the rules give."""


def _play_again(state: State, move: Move) -> None:
    """Play a move again, which changes the state. Raises `_DifferenceError`."""
    assert move.action is not None  # only the set-up has none
    refused = refusal(state, move.action)
    if refused is not None:
        raise _DifferenceError(f"[{refused.rule}] {refused.reason}")
    log: list[Event] = []
    advance(state, move.action, log)
    _compare(log, move.events)
    if state.chance_calls != move.chance_calls:
        raise _DifferenceError(f"chance was asked {state.chance_calls} times until then, not {move.chance_calls}")


def _set_up_again(game: Game, start: Move) -> State:
    """The state after repeating the set-up. Raises `_DifferenceError`."""
    players, chance = len(game.players), game.state.chance
    begun = start.events[0]
    if isinstance(begun, PositionArranged):
        state = replay_moves(game.rules, players, chance, [start])
        for seat in range(players):  # raises if the position is impossible
            view_of(state, game.players, seat)
            len(legal_actions(state, seat))
        final_scores(state, game.players)
        return state
    assert isinstance(begun, GameBegun)  # every game begins with one of the two
    # The first seat was either drawn, or given with one chance call fewer.
    for first_seat in (None, begun.first_seat):
        fresh = State(game.rules, players, chance)
        log: list[Event] = []
        set_up(Transaction(fresh, log), game.players, first_seat)
        if fresh.chance_calls == start.chance_calls:
            _compare(log, start.events)
            return fresh
    raise _DifferenceError(f"the set-up asks chance {fresh.chance_calls} times, not {start.chance_calls}")


def _compare(decided: Sequence[Event], saved: Sequence[Event]) -> None:
    """Raise `_DifferenceError` with the first difference of two lists of events."""
    for number, (right, other) in enumerate(zip_longest(decided, saved)):
        if right is None:
            raise _DifferenceError(f"events[{number}]: by the rules nothing follows, not {other}")
        if right != other:
            problem = "is missing" if other is None else f"follows by the rules, not {other}"
            cited = _RULE_ID.search(type(right).__doc__ or "")
            raise _DifferenceError(f"events[{number}]: {f'[{cited[0]}] ' if cited else ''}{right} {problem}")
