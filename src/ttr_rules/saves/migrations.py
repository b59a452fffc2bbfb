"""Older saved games: brought to the current format step by step, before anything else is read.

The library's own steps are `UPCASTS`. A plugin whose options, actions or events changed format increments its
`PluginInfo.save_version` and has a function

    def upcast(document: dict[str, Any], version: int) -> dict[str, Any]: ...

which gets the whole saved game as plain data, with the version of this plugin it was saved by, and returns it in the
format of the next version. It is called once for each version in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from ttr_rules.errors import SaveError, blamed
from ttr_rules.kernel.rules import Rules, Upcaster
from ttr_rules.plugins.discovery import info_of
from ttr_rules.reading import JsonObject
from ttr_rules.text import brief

#: The version of the save format.
FORMAT = 1
#: For each older format, the step to the next one: a function of the whole saved game as plain data.
UPCASTS: Mapping[int, Callable[[JsonObject], JsonObject]] = {}


def upcast(
    header: JsonObject, moves: Sequence[object], rules: Rules | None, load: Callable[[str], object]
) -> tuple[JsonObject, Sequence[object], bool]:
    """Bring a header and moves to the current format; also returns whether they were older.

    If so, the fingerprint is an old one. Without `rules` the plugins are those that `load` finds by name. Raises `SaveError` for a format that is newer than this library or a plugin, or that cannot be migrated.
    """
    document: JsonObject = {**header, "moves": moves}
    older = document.get("format") != FORMAT
    while (form := document.get("format")) != FORMAT or type(form) is not int:
        step = UPCASTS.get(form) if type(form) is int else None
        if step is None:
            known = "format 1" if FORMAT == 1 else f"formats 1 to {FORMAT}"
            raise SaveError(f"this game was saved in format {brief(form)}; this library reads {known}")
        document = step(document)
    document, renewed = _by_plugins(document, rules, load)
    moves = document.pop("moves", None)
    if not isinstance(moves, list):
        raise SaveError(f"moves: expected a list, got {brief(moves)}")
    return document, moves, renewed or older


def _by_plugins(document: JsonObject, rules: Rules | None, load: Callable[[str], object]) -> tuple[JsonObject, bool]:
    versions = document.get("versions", {})  # whether there are any is checked with the rest of the header
    if not isinstance(versions, dict):
        raise SaveError(f"versions: expected an object, got {brief(versions)}")
    saved = cast("dict[str, object]", versions)
    renewed = False
    for name in _names(document.get("stack")):
        version = saved.get(name, 1)
        today, step = _today(name, rules, load)
        if type(version) is not int or version < 1:
            raise SaveError(f"versions.{name}: expected a whole number of at least 1, got {brief(version)}")
        if version > today:
            raise SaveError(f"this game was saved by version {version} of the plugin {name!r}; installed is {today}")
        for older in range(version, today):
            document = _one_step(name, step, document, older)
            renewed = True
    return document, renewed


def _today(name: str, rules: Rules | None, load: Callable[[str], object]) -> tuple[int, Upcaster | None]:
    """The current version of a plugin, and its `upcast`: of the plugin in `rules`, if given."""
    if rules is not None:
        return rules.save_versions.get(name, 1), rules.upcasters.get(name)
    plugin = load(name)
    return info_of(plugin).save_version, getattr(plugin, "upcast", None)


def _names(stack: object) -> list[str]:
    entries = cast("list[object]", stack) if isinstance(stack, list) else []
    pairs = [cast("list[object]", entry) for entry in entries if isinstance(entry, list) and entry]
    return list(dict.fromkeys(pair[0] for pair in pairs if isinstance(pair[0], str)))


def _one_step(name: str, step: Upcaster | None, document: JsonObject, version: int) -> JsonObject:
    source = f"upcast of the plugin {name!r}"
    if step is None:
        raise SaveError(f"there is no {source}, which brings older saved games up to date")
    answer = blamed(source, step, document, version, error=SaveError, passing=())
    if not isinstance(answer, dict):
        raise SaveError(f"{source} gave {brief(answer)}: expected a saved game")
    return cast("JsonObject", answer)
