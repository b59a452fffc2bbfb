"""Saved games: a header that names the rules, and the events, which loading trusts unless told to verify."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from ttr_rules._internal.shuffling import CHANCE
from ttr_rules._version import __version__
from ttr_rules.errors import SaveError, TTRError
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.chance import Chance, checked_seed
from ttr_rules.play.game import Game
from ttr_rules.play.moves import Move
from ttr_rules.play.starting import player_names
from ttr_rules.reading import to_jsonable
from ttr_rules.saves.converters import converter
from ttr_rules.saves.header import check_header, check_rules, registered, rules_in, structured
from ttr_rules.saves.migrations import FORMAT, upcast, versions_of
from ttr_rules.saves.moves import game_of_moves, move_of
from ttr_rules.saves.text import object_of, text_of
from ttr_rules.saves.verify import first_difference
from ttr_rules.text import brief

# -- saving ----------------------------------------------------------------------------------------------------


def dumps(game: Game) -> str:
    """Write a game as JSON text, to be read by `loads`. A caller's chance object is not saved.

    Raises `SaveError` for something that is not a game.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> text = dumps(game)
    >>> loads(text) == game
    True
    """
    document = header_of(game)
    document["moves"] = [move_data(game.rules, move) for move in game.moves]
    return written(document)


def pack(game: Game) -> bytes:
    """Write a game as compressed bytes, a tenth of the size of `dumps`, also to be read by `loads`.

    >>> from ttr_rules import loads, new_game
    >>> game = new_game("europe", players=2, seed=1)
    >>> loads(pack(game)) == game
    True
    """
    return zlib.compress(dumps(game).encode(), level=9)


def header_of(game: object) -> dict[str, Any]:
    """The header of a saved game."""
    if not isinstance(game, Game):
        raise SaveError(f"expected a game, got {brief(game)}")
    rules = game.rules
    return {
        "format": FORMAT,
        "library": __version__,
        "chance": CHANCE,
        "stack": [[name, to_jsonable(rules.options[name])] for name in rules.stack],
        "versions": versions_of(rules),
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
    """Load a game written by `dumps` or `pack`.

    Give `chance` if the game had a caller's chance, `rules` if it was not made of installed plugins. The events are
    trusted as written. With `verify` every action is checked against the rules, as in `first_difference`, and a game
    that was edited or played by different rules is refused. A position made by `arrange` has no origin that could be
    verified: `game.events[0]` shows whether a game begins with one.

    Raises `SaveError` for anything that is not a saved game of this library, with the place of the mistake.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> loads(dumps(game), verify=True) == game
    True
    >>> loads("[]")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.SaveError: not a saved game: expected an object
    """
    document = object_of(text_of(text))
    missing = [key for key in ("format", "moves") if key not in document]
    if missing:
        raise SaveError(f"not a saved game: missing {', '.join(missing)}")
    moves = document.pop("moves")
    if not isinstance(moves, list):
        raise SaveError(f"moves: expected a list, got {brief(moves)}")
    if chance is not None and not isinstance(chance, Chance):
        raise SaveError(f"chance must have the methods shuffled and roll; {brief(chance)} does not")
    if rules is not None and not isinstance(rules, Rules):
        raise SaveError(f"rules are what compile_rules gives, not {brief(rules)}")
    try:
        game = _game_of(document, cast("list[object]", moves), chance, rules)
    except SaveError:
        raise
    except TTRError as error:
        raise SaveError(str(error)) from error
    difference = first_difference(game) if verify else None
    if difference is not None:
        raise SaveError(f"moves[{difference[0]}]: {difference[1]}")
    return game


def _game_of(header: dict[str, Any], moves: Sequence[object], chance: Chance | None, rules: Rules | None) -> Game:
    load = cache(registered)  # finding a plugin is slow
    header, moves, renewed = upcast(header, moves, rules, load)
    check_header(header)
    found = rules or rules_in(header, load)
    check_rules(header, found, renewed=renewed)
    names = player_names(structured(header["players"], list[str], "players"), found)
    seed = None if header["seed"] is None else checked_seed(header["seed"])
    history = [move_of(found, data, f"moves[{number}]", names) for number, data in enumerate(moves)]
    # With a caller's chance object the seed is no longer used.
    return game_of_moves(found, names, seed if chance is None else None, chance, history)
