"""Saved games: a header that says which rules, and the facts. Loading folds the facts and trusts them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

import attrs
from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from ._version import __version__
from .actions import Action
from .cards import Counts
from .chance import Chance, SeededChance, checked_seed
from .compile import compile_rules
from .decisions import Decision
from .economy import Cost
from .errors import SaveError, TTRError, brief
from .events import Event, GameBegun, PositionArranged, Unknown
from .game import Game, Move, player_names, replayed
from .limits import LONGEST_SAVE, MOST_COUNTED, too_deep, too_long
from .plain import plain
from .plugins import load_plugin, options_of
from .rules import Rules

#: The version of the form of saved games.
FORMAT = 1
_HEADER = ("format", "library", "stack", "rulings", "fingerprint", "players", "seed", "moves")
_TAGGED = (Action, Decision, Event)
_plain = Converter()


@lru_cache(maxsize=32)
def converter(rules: Rules) -> Converter:
    """The cattrs converter for the actions, decisions and events of these rules: plain data, types told by a tag."""
    made = Converter(forbid_extra_keys=True)
    tags = {kind: tag for tag, kind in rules.types.items()}
    structurers: dict[type[Any], Callable[[Any, Any], Any]] = {}

    def unstructure_tagged(kind: type[Any]) -> Callable[[Any], dict[str, Any]]:
        if kind in _TAGGED:
            return lambda value: made.unstructure(value, type(value))
        fields = make_dict_unstructure_fn(kind, made)
        if kind not in tags:
            raise SaveError(f"{kind.__name__} cannot be saved: no plugin of {rules} gives it to event_types")
        tag = tags[kind]
        return lambda value: {"type": tag, **fields(value)}

    def structure_tagged(value: Any, base: type[Any]) -> Any:
        if not isinstance(value, Mapping) or "type" not in value:
            raise ValueError(f"an object with a type is needed, not {value!r}")
        data = dict(cast("Mapping[str, Any]", value))
        tag = data.pop("type")
        kind = rules.types.get(tag) if isinstance(tag, str) else None
        if kind is None or not issubclass(kind, base):
            raise ValueError(f"these rules have no {base.__name__.lower()} of the type {tag!r}")
        if kind not in structurers:
            structurers[kind] = cast(Callable[[Any, Any], Any], make_dict_structure_fn(kind, made))
        return structurers[kind](data, kind)

    def structure_known(value: Any, union: Any) -> Any:
        known = next(kind for kind in get_args(union) if kind is not Unknown)
        return made.structure(value, known)

    made.register_unstructure_hook_factory(
        lambda kind: isinstance(kind, type) and issubclass(kind, _TAGGED), unstructure_tagged
    )
    made.register_structure_hook_func(lambda kind: kind in _TAGGED, structure_tagged)
    made.register_structure_hook_func(lambda kind: _is_union(kind) and Unknown in get_args(kind), structure_known)
    # Few costs have marks; the others are written without, as they always were.
    marks = override(omit_if_default=True)
    made.register_unstructure_hook(Cost, make_dict_unstructure_fn(Cost, made, marks=marks))
    made.register_unstructure_hook(Counts, dict)
    made.register_structure_hook(Counts, _counts)
    for kind in (str, int, bool):
        made.register_structure_hook(kind, _exactly(kind))
    return made


def _counts(value: Any, _: Any) -> Counts:
    if not isinstance(value, dict):
        raise ValueError(f"counts by name are needed, not {brief(value)}")  # noqa: TRY004
    counts = cast("dict[str, int]", value)
    if any(type(count) is int and count > MOST_COUNTED for count in counts.values()):
        raise ValueError(f"{MOST_COUNTED} of a thing at most are counted, not {brief(counts)}")
    return Counts(counts)


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)


def _exactly(kind: type[Any]) -> Callable[[Any, Any], Any]:
    def structure(value: Any, _: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"a {kind.__name__} is needed, not {value!r}")
        return value

    return structure


def dumps(game: Game) -> str:
    """A game as JSON text, to be read by `loads`. A caller's chance object is not saved."""
    made = converter(game.rules)
    document = {
        "format": FORMAT,
        "library": __version__,
        "stack": [[name, plain(game.rules.options[name])] for name in game.rules.stack],
        "rulings": attrs.asdict(game.rules.rulings),
        "fingerprint": game.rules.fingerprint,
        "players": list(game.players),
        "seed": game.seed,
        "moves": [
            {
                "action": None if move.action is None else made.unstructure(move.action),
                "chance_calls": move.chance_calls,
                "events": [made.unstructure(event) for event in move.events],
            }
            for move in game.moves
        ],
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


@attrs.frozen
class _SavedMove:
    action: Action | None
    chance_calls: int
    events: tuple[Event, ...]


def loads(text: str, chance: Chance | None = None, rules: Rules | None = None) -> Game:
    """The game that `dumps` wrote. Give `chance` if the game had a caller's chance, `rules` if it was not made of installed plugins.

    Raises `SaveError` for a text that is no saved game of this library, with the place of the mistake.
    """
    if not isinstance(text, str):
        raise SaveError(f"a saved game is a text, not {brief(text)}")
    document: Any = None
    try:
        problem = too_long(text, LONGEST_SAVE) or too_deep(document := json.loads(text))
    except (ValueError, RecursionError) as error:
        raise SaveError(f"this is no saved game: {error}") from error
    if problem is not None:
        raise SaveError(f"this is no saved game: {problem}")
    if not isinstance(document, dict):
        raise SaveError("this is no saved game: an object is needed")
    header = cast("dict[str, Any]", document)
    missing = [key for key in _HEADER if key not in header]
    if missing:
        raise SaveError(f"this is no saved game: it has no {', '.join(missing)}")
    unknown = sorted(set(header) - set(_HEADER))
    if unknown:
        raise SaveError(f"this saved game has unknown parts: {brief(unknown)}")
    if header["format"] != FORMAT:
        raise SaveError(f"this game was saved in format {header['format']!r}; this library reads format {FORMAT}")
    try:
        if rules is None:
            rules = _rules(header)
        if header["fingerprint"] != rules.fingerprint:
            raise SaveError(f"this game was played by other rules than {rules} has here: their fingerprints differ")
        made = converter(rules)
        moves = [made.structure(move, _SavedMove) for move in header["moves"]]
        names = player_names(made.structure(header["players"], list[str]), rules)
        seed = header["seed"] if header["seed"] is None else checked_seed(header["seed"])
        return _folded(
            rules, names, seed, chance, [Move(move.action, move.events, move.chance_calls) for move in moves]
        )
    except BaseValidationError as error:
        raise SaveError("; ".join(transform_error(error, path="moves"))) from error
    except TTRError as error:
        raise SaveError(str(error)) from error
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise SaveError(f"the events of this game do not fit together: {type(error).__name__} {error}") from error


def _rules(header: Mapping[str, Any]) -> Rules:
    try:
        stack = _plain.structure(header["stack"], list[tuple[str, dict[str, Any]]])
    except BaseValidationError as error:
        raise SaveError("; ".join(transform_error(error, path="stack"))) from error
    return compile_rules(*(_plugin(name, options) for name, options in stack), rulings=header["rulings"])


def _plugin(name: str, options: dict[str, Any]) -> object:
    """A plugin by its name, if the options are those it has anyway, else made with them."""
    return name if plain(options_of(load_plugin(name))) == options else load_plugin(name, options)


def _folded(
    rules: Rules, names: tuple[str, ...], seed: int | str | None, chance: Chance | None, moves: list[Move]
) -> Game:
    if not moves or not moves[0].events or not isinstance(moves[0].events[0], GameBegun | PositionArranged):
        raise SaveError("moves[0]: a saved game begins with its set-up")
    if seed is None and chance is None:
        raise SaveError("this game was played with a caller's chance object: give one to loads")
    calls = [0, *(move.chance_calls for move in moves)]
    if calls != sorted(calls):
        raise SaveError("moves: the numbers of chance calls do not rise")
    source = chance if chance is not None else SeededChance(cast("int | str", seed))
    state = replayed(rules, len(names), source, moves)
    return Game(state, names, seed, moves)
