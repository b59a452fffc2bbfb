"""Saved games: a header that says which rules, and the facts. Loading folds the facts and trusts them, unless asked to verify."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast

import attrs
from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError

from ._version import __version__
from .actions import Action
from .chance import Chance, SeededChance, checked_seed
from .compile import compile_rules
from .converting import converter, exactly, told
from .errors import SaveError, TTRError, brief
from .events import Event, GameBegun, PositionArranged
from .game import Game, Move, player_names, replayed
from .limits import LONGEST_SAVE, too_deep, too_long
from .plain import plain
from .plugins import load_plugin, options_of
from .redecide import first_difference
from .rules import Rules
from .upcast import FORMAT, upcast, versions_of

#: All of a saved game but its moves.
HEADER = ("format", "library", "stack", "versions", "rulings", "fingerprint", "players", "seed")
_plain = Converter()
_plain.register_structure_hook(str, exactly(str))


# -- saving ----------------------------------------------------------------------------------------------------


def dumps(game: Game) -> str:
    """A game as JSON text, to be read by `loads`. A caller's chance object is not saved.

    Raises `InvalidInputError` for something that is no game.
    """
    document = header_of(game)
    document["moves"] = [move_data(game.rules, move) for move in game.moves]
    return written(document)


def pack(game: Game) -> bytes:
    """A game as few bytes, a tenth of the text of `dumps`, to be read by `loads` too.

    >>> from ttr_rules import loads, new_game
    >>> game = new_game("europe", players=2, seed=1)
    >>> loads(pack(game)) == game
    True
    """
    return zlib.compress(dumps(game).encode(), level=9)


def header_of(game: object) -> dict[str, Any]:
    """What a saved game says before its moves."""
    if not isinstance(game, Game):
        raise SaveError(f"a game is needed, not {brief(game)}")
    rules = game.rules
    return {
        "format": FORMAT,
        "library": __version__,
        "stack": [[name, plain(rules.options[name])] for name in rules.stack],
        "versions": versions_of(rules),
        "rulings": attrs.asdict(rules.rulings),
        "fingerprint": rules.fingerprint,
        "players": list(game.players),
        "seed": game.seed,
    }


def move_data(rules: Rules, move: Move) -> dict[str, Any]:
    """One step of a history as plain data."""
    made = converter(rules)
    return {
        "action": None if move.action is None else made.unstructure(move.action),
        "chance_calls": move.chance_calls,
        "events": [made.unstructure(event) for event in move.events],
    }


def written(data: object) -> str:
    """Plain data as JSON on one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# -- loading ---------------------------------------------------------------------------------------------------


def loads(text: str | bytes, chance: Chance | None = None, rules: Rules | None = None, *, verify: bool = False) -> Game:
    """The game that `dumps` or `pack` wrote.

    Give `chance` if the game had a caller's chance, `rules` if it was not made of installed plugins. What happened is taken as it is written. With `verify` every action is decided again, as `first_difference` tells, and a
    game that was edited or played by other rules is refused.

    Raises `SaveError` for what is no saved game of this library, with the place of the mistake.
    """
    document = _document(_text_of(text))
    missing = [key for key in ("format", "moves") if key not in document]
    if missing:
        raise SaveError(f"this is no saved game: it has no {', '.join(missing)}")
    moves = document.pop("moves")
    if not isinstance(moves, list):
        raise SaveError(f"moves: a list is needed, not {brief(moves)}")
    return game_of(document, cast("list[object]", moves), chance, rules, verify=verify)


def game_of(
    header: dict[str, Any],
    moves: Sequence[object],
    chance: Chance | None,
    rules: Rules | None,
    *,
    verify: bool,
    place: Callable[[int], str] = "moves[{}]".format,
) -> Game:
    """The game of a header and its moves, as plain data; `place` names a move in errors by its number."""
    if chance is not None and not isinstance(chance, Chance):
        raise SaveError(f"chance must have the methods shuffled and roll; {brief(chance)} has not")
    if rules is not None and not isinstance(rules, Rules):
        raise SaveError(f"rules are what compile_rules gives, not {brief(rules)}")
    try:
        game = _game_of(header, moves, chance, rules, place)
    except SaveError:
        raise
    except TTRError as error:
        raise SaveError(str(error)) from error
    difference = first_difference(game) if verify else None
    if difference is not None:
        raise SaveError(f"{place(difference[0])}: {difference[1]}")
    return game


def _game_of(
    header: dict[str, Any],
    moves: Sequence[object],
    chance: Chance | None,
    rules: Rules | None,
    place: Callable[[int], str],
) -> Game:
    load = cache(load_plugin)  # to find a plugin takes its time
    header, moves, renewed = upcast(header, moves, rules, load)
    _check_header(header)
    found = rules or _rules(header, load)
    if not renewed and header["fingerprint"] != found.fingerprint:
        raise SaveError(
            f"this game was played by other rules than {found} has here: their fingerprints differ. If it had a board, "
            "options or plugins of its own, give the compiled rules: loads(text, rules=...)"
        )
    names = player_names(_plain_structure(header["players"], list[str], "players"), found)
    seed = header["seed"] if header["seed"] is None else checked_seed(header["seed"])
    history = [_move(found, data, place(number), len(names)) for number, data in enumerate(moves)]
    return _folded(found, names, seed, chance, history, place)


def _text_of(text: object) -> str:
    if isinstance(text, str):
        found = text
    elif isinstance(text, bytes | bytearray):
        found = _unpacked(bytes(text))
    else:
        raise SaveError(f"a saved game is a text, or the bytes of pack, not {brief(text)}")
    problem = too_long(found, LONGEST_SAVE)
    if problem is not None:
        raise SaveError(f"this is no saved game: {problem}")
    return found


def _unpacked(data: bytes) -> str:
    try:
        if data.lstrip()[:1] == b"{":
            return data.decode()
        opened = zlib.decompressobj()
        text = opened.decompress(data, LONGEST_SAVE + 1)
        if opened.unconsumed_tail:
            raise SaveError(f"this is no saved game: unpacked it has more than {LONGEST_SAVE} bytes")
        if not opened.eof or opened.unused_data:
            raise SaveError("this packed game is cut short, or something follows it")
        return text.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise SaveError(f"this is no saved game: {error}") from error


def _document(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"this is no saved game: {error}") from error
    problem = too_deep(document)
    if problem is not None:
        raise SaveError(f"this is no saved game: {problem}")
    if not isinstance(document, dict):
        raise SaveError("this is no saved game: an object is needed")
    return cast("dict[str, Any]", document)


def _check_header(header: Mapping[str, Any]) -> None:
    missing = [key for key in HEADER if key not in header]
    if missing:
        raise SaveError(f"this is no saved game: it has no {', '.join(missing)}")
    unknown = sorted(set(header) - set(HEADER))
    if unknown:
        raise SaveError(f"this saved game has unknown parts: {brief(unknown)}")


def _rules(header: Mapping[str, Any], load: Callable[[str], object]) -> Rules:
    stack = _plain_structure(header["stack"], list[tuple[str, dict[str, Any]]], "stack")
    return compile_rules(*(_plugin(name, options, load) for name, options in stack), rulings=header["rulings"])


def _plugin(name: str, options: dict[str, Any], load: Callable[[str], object]) -> object:
    """A plugin by its name, if the options are those it has anyway, else made with them."""
    return name if plain(options_of(load(name))) == options else load_plugin(name, options)


def _plain_structure(data: object, kind: Any, place: str) -> Any:
    try:
        return _plain.structure(data, kind)
    except BaseValidationError as error:
        raise SaveError("; ".join(transform_error(error, path=place, format_exception=told))) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise SaveError(f"{place}: {error}") from error


@attrs.frozen
class _SavedMove:
    action: Action | None
    chance_calls: int
    events: tuple[Event, ...]


def _move(rules: Rules, data: object, place: str, players: int) -> Move:
    try:
        move = converter(rules).structure(data, _SavedMove)
    except BaseValidationError as error:
        raise SaveError("; ".join(transform_error(error, path=place, format_exception=told))) from error
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise SaveError(f"{place}: {error}") from error
    for where, thing in _with_seats(move):
        seat = getattr(thing, "seat", 0)
        if not 0 <= seat < players:
            raise SaveError(f"{place}.{where}: a game of {players} has no seat {seat}")
    return Move(move.action, move.events, move.chance_calls)


def _with_seats(move: _SavedMove) -> Iterator[tuple[str, Action | Event]]:
    if move.action is not None:
        yield "action", move.action
    for number, event in enumerate(move.events):
        yield f"events[{number}]", event


def _folded(
    rules: Rules,
    names: tuple[str, ...],
    seed: int | str | None,
    chance: Chance | None,
    moves: list[Move],
    place: Callable[[int], str],
) -> Game:
    first = place(0)
    if not moves or not moves[0].events or not isinstance(moves[0].events[0], GameBegun | PositionArranged):
        raise SaveError(f"{first}: a saved game begins with its set-up")
    if seed is None and chance is None:
        raise SaveError("this game was played with a caller's chance object: give one to loads")
    calls = [0, *(move.chance_calls for move in moves)]
    if calls != sorted(calls):
        raise SaveError("moves: the numbers of chance calls do not rise")
    source = chance if chance is not None else SeededChance(cast("int | str", seed))
    for number, move in enumerate(moves):
        if (move.action is None) != (number == 0):
            raise SaveError(f"{place(number)}: the set-up, and nothing else, has no action")
    try:
        state = replayed(rules, len(names), source, moves)
        game = Game(state, names, seed, moves)
        game.view(None)  # a state that cannot be looked at is none
    except Exception as error:  # facts that were edited may break anything that lets them happen
        raise SaveError(f"the events of this game do not fit together: {type(error).__name__}: {error}") from error
    return game
