"""Saved games: a header that names the rules, and the events, which loading trusts unless told to verify.

Older saved games are brought to the current format first: `UPCASTS`, and `upcast` of plugins.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeAlias, cast

from attrs import NOTHING, frozen

from ttr_rules._internal.exact import exact_converter, read
from ttr_rules._internal.shuffling import CHANCE
from ttr_rules._version import __version__
from ttr_rules.errors import SaveError, TTRError
from ttr_rules.kernel.plugin import blamed, settings_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.variant import Variant
from ttr_rules.model.chance import Chance, checked_seed
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game, player_names
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.plugins.discovery import BUILT_IN, as_variant, load_plugin
from ttr_rules.reading import LONGEST_SAVE, JsonObject, is_list, is_object, read_json, to_jsonable
from ttr_rules.saves.moves import LARGEST, SavedMove, converter, first_difference, game_of_moves, read_move
from ttr_rules.text import brief


def read_document(save: object) -> JsonObject:
    """The JSON object in the result of `dumps` or `pack`. Raises `SaveError`."""
    if not isinstance(save, str | bytes | bytearray):
        raise SaveError(f"a saved game is a string, or the bytes from pack, not {brief(save)}")
    try:
        document = read_json(save if isinstance(save, str) else _unpack(bytes(save)))
    except ValueError as error:
        raise SaveError(f"not a saved game: {error}") from error
    if not isinstance(document, dict):
        raise SaveError("not a saved game: expected an object")
    return cast("JsonObject", document)


def _unpack(data: bytes) -> bytes:
    """The JSON text in bytes, packed or not. Raises `ValueError`."""
    if data.lstrip()[:1] == b"{":
        return data
    opened = zlib.decompressobj()
    try:
        text = opened.decompress(data, LONGEST_SAVE + 1)
    except zlib.error as error:
        raise ValueError("neither the JSON of one nor the bytes of a packed one, or damaged") from error
    if opened.unconsumed_tail:
        raise ValueError(f"unpacked it has more than {LONGEST_SAVE} bytes")
    if not opened.eof or opened.unused_data:
        raise ValueError("this packed game is cut short, or something follows it")
    return text


#: The plugins of a stack by name, with their options.
Stack: TypeAlias = list[tuple[str, JsonObject]]


@frozen
class Header:
    """A saved game: how it is written, the rules, the players and the seed. Its moves stand beside."""

    format: int
    library: str
    chance: int
    stack: Stack
    versions: dict[str, int]
    fingerprint: str
    players: list[str]
    seed: Any


#: Reads what has nothing of the rules in it.
PLAIN = exact_converter(LARGEST)


def load_registered(name: str) -> Variant:
    """The plugin installed under a name. Names in saved games contain no options: those are stored separately."""
    if ":" in name:
        raise SaveError(f"stack: no plugin is called {brief(name)}")
    return load_plugin(name)


def read_header(data: JsonObject) -> Header:
    """Read the header of a saved game in the current format.

    Raises `SaveError` if it is incomplete or contradicts itself.
    """
    header = read(PLAIN, {key: value for key, value in data.items() if key != "moves"}, Header, "", SaveError)
    if header.chance != CHANCE:
        raise SaveError(
            f"chance: this game was shuffled by version {header.chance}; this library shuffles by version {CHANCE}"
        )
    stack = [name for name, _ in header.stack]
    if len(set(stack)) < len(stack):
        raise SaveError(f"stack: a plugin is named twice: {brief(stack)}")
    for name in header.versions:
        if name not in stack:
            raise SaveError(f"versions: {brief(name)} is not a plugin of the stack")
    return header


def compile_stack(stack: Stack, load: Callable[[str], Variant]) -> Rules:
    """The rules of a stack, its plugins found by `load`."""
    return compile_rules(*(_plugin(name, options, load) for name, options in stack))


def _plugin(name: str, options: JsonObject, load: Callable[[str], Variant]) -> object:
    """A plugin by its name, if the options are those it has anyway, else made with them."""
    default = {name: to_jsonable(option.value) for name, option in settings_of(load(name)).items()}
    return name if default == options else load_plugin(name, options)


def _plugins(rules: Rules) -> Mapping[str, Variant]:
    """The plugins of rules by their names."""
    return {plugin.info.name: plugin for plugin in map(as_variant, rules.plugins.values())}


def check_rules(header: Header, rules: Rules, *, renewed: bool) -> None:
    """Raise `SaveError` if the rules differ from those in the header.

    A header that was migrated, `renewed`, has the fingerprint of its time, which says nothing, and none of the
    options that came later: those must have their defaults.
    """
    if not renewed and header.fingerprint != rules.fingerprint:
        raise SaveError(
            f"this game was played by different rules than {rules} has here: their fingerprints differ. If it had a board, "
            "options or plugins of its own, give them again: by loads(text, rules=...), or by naming its stack on the command line"
        )
    stack = {rules.aliases.get(name, name): chosen for name, chosen in header.stack}
    deciding = rules.contributing - BUILT_IN.keys()  # plugins that decide nothing may be missing
    if stack.keys() & deciding != set(rules.stack) & deciding:
        raise SaveError(f"stack: {brief(list(stack))} does not agree with the rules {rules}")
    for name, plugin in _plugins(rules).items():
        options = settings_of(plugin).values()
        if name in rules.contributing and (renewed or name in stack):
            # Options newer than the game.
            since = {option.name: option.default for option in options if option.default is not NOTHING}
            settings = to_jsonable(since) | stack.get(name, {})
            have = to_jsonable({option.name: option.value for option in options})
            if json.dumps(settings, sort_keys=True) != json.dumps(have, sort_keys=True):  # in which `true` is not 1
                raise SaveError(f"stack: the rules {rules} have other options of {name!r} than {brief(settings)}")


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
    document = make_header(game)
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


def make_header(game: object) -> JsonObject:
    """The header of a saved game."""
    if not isinstance(game, Game):
        raise SaveError(f"expected a game, got {brief(game)}")
    rules = game.rules
    plugins = rules.derived(_plugins)
    versions = ((name, plugins[name].info.save_version) for name in rules.stack)
    return {
        "format": FORMAT,
        "library": __version__,
        "chance": CHANCE,
        "stack": [[name, to_jsonable(rules.options[name])] for name in rules.stack],
        "versions": {name: version for name, version in versions if version != 1},
        "fingerprint": rules.fingerprint,
        "players": list(game.players),
        "seed": game.seed,
    }


def move_data(rules: Rules, move: Move) -> JsonObject:
    """One step of a history as plain data."""
    data: JsonObject = converter(rules).unstructure(SavedMove(move.action, move.chance_calls, move.events))
    return data


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
    document = read_document(text)
    missing = [key for key in ("format", "moves") if key not in document]
    if missing:
        raise SaveError(f"not a saved game: missing {', '.join(missing)}")
    if chance is not None and not isinstance(chance, Chance):
        raise SaveError(f"chance must have the methods shuffled and roll; {brief(chance)} does not")
    if rules is not None and not isinstance(rules, Rules):
        raise SaveError(f"rules are what compile_rules gives, not {brief(rules)}")
    try:
        game = _read_game(document, chance, rules)
    except SaveError:
        raise
    except TTRError as error:
        raise SaveError(str(error)) from error
    difference = first_difference(game) if verify else None
    if difference is not None:
        raise SaveError(f"moves[{difference[0]}]: {difference[1]}")
    return game


def _read_game(document: JsonObject, chance: Chance | None, rules: Rules | None) -> Game:
    load = cache(load_registered)  # finding a plugin is slow
    document, header, renewed = upcast(document, load if rules is None else rules.derived(_plugins).get)
    moves: object = document.get("moves")
    if not is_list(moves):
        raise SaveError(f"moves: expected a list, got {brief(moves)}")
    rules = rules or compile_stack(header.stack, load)
    check_rules(header, rules, renewed=renewed)
    names = player_names(header.players, rules)
    seed = None if header.seed is None else checked_seed(header.seed)
    history = [read_move(rules, move, f"moves[{number}]", names) for number, move in enumerate(moves)]
    # With a caller's chance object the seed is no longer used.
    return game_of_moves(rules, names, seed if chance is None else None, chance, history)


# -- older saved games -----------------------------------------------------------------------------------------

#: The version of the save format.
FORMAT = 1
#: For each older format, the step to the next one: a function of the whole saved game as plain data.
UPCASTS: Mapping[int, Callable[[JsonObject], JsonObject]] = {}


def upcast(document: JsonObject, find: Callable[[str], Variant | None]) -> tuple[JsonObject, Header, bool]:
    """Bring a saved game to the current format, before its moves are read.

    Also returns its header, and whether it was older.

    If so, the fingerprint is an old one. The library's own steps are `UPCASTS`. A plugin whose options, actions or
    events changed format increments its `PluginInfo.save_version` and has a method `upcast(document, version)`, which
    gets the whole saved game as plain data, with the version of this plugin that it was saved by, and returns it in the
    format of the next version. It is called once for each version in between. `find` gives the plugins by name. Raises
    `SaveError` for a format that is newer than this library or a plugin, or that cannot be migrated.
    """
    renewed = document["format"] != FORMAT
    while (form := document.get("format")) != FORMAT or type(form) is not int:
        step = UPCASTS.get(form) if type(form) is int else None
        if step is None:
            known = "format 1" if FORMAT == 1 else f"formats 1 to {FORMAT}"
            raise SaveError(f"this game was saved in format {brief(form)}; this library reads {known}")
        document = step(document)
    header = read_header(document)
    for name, _ in header.stack:
        version, plugin = header.versions.get(name, 1), find(name)
        today = 1 if plugin is None else plugin.info.save_version
        if version < 1:
            raise SaveError(f"versions.{name}: expected a whole number of at least 1, got {brief(version)}")
        if version > today:
            raise SaveError(f"this game was saved by version {version} of the plugin {name!r}; installed is {today}")
        while plugin is not None and version < today:
            document, version, renewed = _one_step(plugin, document, version), version + 1, True
    return document, read_header(document) if renewed else header, renewed


def _one_step(plugin: Variant, document: JsonObject, version: int) -> JsonObject:
    source = f"upcast of the plugin {plugin.info.name!r}"
    answer: object = blamed(source, plugin.upcast, document, version, error=SaveError, passing=())
    if not is_object(answer):
        raise SaveError(f"{source} gave {brief(answer)}: expected a saved game")
    return dict(answer)
