"""The header of a saved game, and the rules that it names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from attrs import NOTHING
from cattrs import Converter, transform_error
from cattrs.errors import BaseValidationError

from ttr_rules._internal.exact import be_exact
from ttr_rules._internal.shuffling import CHANCE
from ttr_rules.errors import SaveError
from ttr_rules.kernel.plugin import Option, settings_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.plugins.discovery import BUILT_IN, info_of, load_plugin
from ttr_rules.reading import to_jsonable, too_deep
from ttr_rules.saves.converters import LARGEST, reason_for
from ttr_rules.text import brief, first

#: The keys of a saved game except its moves.
HEADER = ("format", "library", "chance", "stack", "versions", "fingerprint", "players", "seed")
_Stack = list[tuple[str, dict[str, Any]]]
_plain = Converter()
be_exact(_plain, LARGEST, most_wrong=1)


def registered(name: str) -> object:
    """The plugin installed under a name. Names in saved games contain no options: those are stored separately."""
    if ":" in name:
        raise SaveError(f"stack: no plugin is called {brief(name)}")
    return load_plugin(name)


def check_header(header: Mapping[str, Any]) -> None:
    """Raise `SaveError` for parts that are missing or unknown, or that nothing else checks."""
    missing = [key for key in HEADER if key not in header]
    if missing:
        raise SaveError(f"not a saved game: missing {', '.join(missing)}")
    unknown = sorted(set(header) - set(HEADER))
    if unknown:
        raise SaveError(f"this saved game has unknown parts: {brief(unknown)}")
    structured(header["library"], str, "library")
    if header["chance"] != CHANCE or type(header["chance"]) is not int:
        raise SaveError(
            f"chance: this game was shuffled by version {brief(header['chance'])}; this library shuffles by version {CHANCE}"
        )
    stack = [name for name, _ in structured(header["stack"], _Stack, "stack")]
    if len(set(stack)) < len(stack):
        raise SaveError(f"stack: a plugin is named twice: {brief(stack)}")
    if too_deep(header["versions"], len(stack)):
        raise SaveError("versions: more than one for each plugin of the stack")
    for name in structured(header["versions"], dict[str, int], "versions"):
        if name not in stack:
            raise SaveError(f"versions: {brief(name)} is not a plugin of the stack")


def rules_in(header: Mapping[str, Any], load: Callable[[str], object]) -> Rules:
    """The rules of the stack, with the options, that a header names."""
    stack = structured(header["stack"], _Stack, "stack")
    return compile_rules(*(_plugin(name, options, load) for name, options in stack))


def _plugin(name: str, options: dict[str, Any], load: Callable[[str], object]) -> object:
    """A plugin by its name, if the options are those it has anyway, else made with them."""
    default = {name: to_jsonable(each.value) for name, each in settings_of(load(name)).items()}
    return name if default == options else load_plugin(name, options)


def check_rules(header: Mapping[str, Any], rules: Rules, *, renewed: bool) -> None:
    """Raise `SaveError` if the rules differ from those in the header.

    A header that was migrated, `renewed`, has the fingerprint of its time, which says nothing, and none of the
    options that came later: those must have their defaults.
    """
    if not renewed and header["fingerprint"] != rules.fingerprint:
        raise SaveError(
            f"this game was played by different rules than {rules} has here: their fingerprints differ. If it had a board, "
            "options or plugins of its own, give the compiled rules: loads(text, rules=...)"
        )
    stack = {rules.aliases.get(name, name): given for name, given in structured(header["stack"], _Stack, "stack")}
    deciding = rules.contributing - BUILT_IN.keys()  # plugins that decide nothing may be missing
    if stack.keys() & deciding != set(rules.stack) & deciding:
        raise SaveError(f"stack: {brief(list(stack))} does not agree with the rules {rules}")
    for name, options in _options_in(rules).items():
        if renewed or name in stack:  # an option newer than the game had its default
            since = {each.name: to_jsonable(each.default) for each in options.values() if each.default is not NOTHING}
            stack[name] = since | stack.get(name, {})
    for name, given in stack.items():
        played = {each.name: each.value for each in _options_in(rules).get(name, {}).values()}
        if name in rules.contributing and not _same(given, to_jsonable(rules.options.get(name, played))):
            raise SaveError(f"stack: the rules {rules} have other options of {name!r} than {brief(given)}")


def _options_in(rules: Rules) -> dict[str, Mapping[str, Option]]:
    """The options of the plugins of a stack that are instances, by name, and of those below every stack."""
    return {info_of(plugin).name: settings_of(plugin) for plugin in rules.plugins.values()}


def _same(one: object, other: object) -> bool:
    """Whether two values are the same in JSON, where `true` is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def structured(data: object, kind: Any, place: str) -> Any:
    """Plain data as a value of a type; raises `SaveError` with the place of any mismatch."""
    try:
        return _plain.structure(data, kind)
    except BaseValidationError as error:
        raise SaveError("; ".join(first(transform_error(error, path=place, format_exception=reason_for)))) from error
    except (ValueError, AttributeError) as error:
        raise SaveError(f"{place}: {reason_for(error, kind)}") from error
