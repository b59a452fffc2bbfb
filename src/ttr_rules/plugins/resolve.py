"""The plugins of a stack: those named, those required and those below every stack, with the caller's rulings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import attrs
from attrs import frozen

from ttr_rules.errors import InvalidInputError, PluginConflictError, PluginError
from ttr_rules.kernel.plugin import options_of
from ttr_rules.kernel.variant import Variant
from ttr_rules.model.board import Board
from ttr_rules.plugins.discovery import BUILT_IN, info_of, load_plugin, ruling_value
from ttr_rules.text import brief


@frozen
class Resolved:
    """A plugin of a stack: `below` says whether it belongs below every stack and was not named."""

    name: str
    plugin: Variant
    below: bool = False


def resolve(stack: Sequence[str | Variant], rulings: Mapping[str, object] | None) -> list[Resolved]:
    """The plugins of a stack in an order that does not depend on how they are named; those below every stack come first.

    Raises `PluginError` for plugins that are not installed or conflict, `InvalidInputError` for rulings that none of
    them has.
    """
    named = _named(stack)
    found = [
        Resolved(name, named[name]) if name in named else Resolved(name, kind(), below=True)
        for name, kind in BUILT_IN.items()
    ]
    found += [Resolved(name, plugin) for name, plugin in in_order(named) if name not in BUILT_IN]
    for each in found:  # rulings that a data-only variant sets for others
        found = _ruled(found, getattr(each.plugin, "rulings", None))
    return _ruled(found, rulings)


def _named(stack: Sequence[str | Variant]) -> dict[str, Variant]:
    """The plugins that a stack names and those they require."""
    objects = {info_of(each).name: each for each in reversed(stack) if not isinstance(each, str)}
    found: dict[str, Variant] = {}
    wanted: list[str] = []

    def add(given: str | Variant) -> None:
        if isinstance(given, str) and given in found:
            return  # required, and already there
        try:
            plugin = load_plugin(given) if isinstance(given, str) else given
        except PluginError as error:
            if not wanted:
                raise
            raise type(error)(f"plugin {wanted[-1]!r} requires {given!r}: {error}") from error
        info = info_of(plugin)
        if info.name in BUILT_IN and not isinstance(plugin, BUILT_IN[info.name]):
            raise PluginConflictError(f"no plugin can be called {info.name!r}: that name is the library's own")
        if info.name in found:
            if found[info.name] is plugin or isinstance(given, str):
                return
            raise PluginConflictError(f"two plugins of this stack are called {info.name!r}")
        if info.name in wanted:
            raise PluginError(f"plugins require each other in a circle: {' → '.join([*wanted, info.name])}")
        wanted.append(info.name)
        for name in info.requires:
            add(objects.get(name, name))  # a plugin given as an object is as good as an installed one
        wanted.remove(info.name)
        found[info.name] = plugin

    for given in stack:
        add(given)
    return found


def _ruled(plugins: list[Resolved], rulings: Mapping[str, object] | None) -> list[Resolved]:
    """The plugins with the options that a caller's rulings set: by the name of the option, or `plugin.option`."""
    if rulings is None:
        return plugins
    if not isinstance(rulings, Mapping):
        raise InvalidInputError(f"rulings are a mapping such as {{'second_card_optional': True}}, not {brief(rulings)}")
    for key, value in rulings.items():
        owner, _, name = str(key).rpartition(".")
        having = [each for each in plugins if name in options_of(each.plugin) and owner in ("", each.name)]
        if len(having) != 1:
            known = sorted(option for each in plugins for option in options_of(each.plugin))
            what = f"there is no ruling {brief(key)}" if not having else f"several plugins have the option {brief(key)}"
            raise InvalidInputError(f"{what}; this stack has {', '.join(known) or 'none'}")
        plugins = [_with_option(each, name, value) if each is having[0] else each for each in plugins]
    return plugins


def _with_option(resolved: Resolved, name: str, value: object) -> Resolved:
    changed: Variant = attrs.evolve(cast("Any", resolved.plugin), **{name: ruling_value(resolved.plugin, name, value)})
    # A plugin below every stack is named from now on: saved games must record its options.
    return resolved if changed == resolved.plugin else Resolved(resolved.name, changed)


def in_order(plugins: Mapping[str, Variant]) -> list[tuple[str, Variant]]:
    """The plugins of a stack, by their names, in the order in which they decide. No two of them require each other.

    >>> from ttr_rules.plugins.discovery import load_plugin
    >>> [name for name, _ in in_order({each: load_plugin(each) for each in ("dice", "mega-europa", "europe")})]
    ['europe', 'mega-europa', 'dice']
    """
    requires = {name: info_of(plugin).requires for name, plugin in plugins.items()}
    below = {name: all_required(name, requires) for name in plugins}
    maps = {name for name, plugin in plugins.items() if _replaces_board(plugin)}
    below_maps = {each for name in maps for each in below[name]}

    def place(name: str) -> tuple[int, int, str]:
        level = 0 if name in maps | below_maps else 1 if below[name] & maps else 2
        return level, depth(name, requires), name

    found: list[str] = []
    waiting = sorted(plugins, key=place)
    while waiting:
        following = next(name for name in waiting if below[name] <= set(found))
        waiting.remove(following)
        found.append(following)
    return [(name, plugins[name]) for name in found]


def all_required(name: str, requires: Mapping[str, Iterable[str]]) -> set[str]:
    """The plugins that a plugin requires, directly or not."""
    found: set[str] = set()
    waiting = list(requires.get(name, ()))
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += requires.get(each, ())
    return found


def depth(name: str, requires: Mapping[str, Iterable[str]]) -> int:
    """The number of levels of plugins that a plugin is built on; 0 for those of the library, which lie below all."""
    return 0 if name in BUILT_IN else 1 + max((depth(each, requires) for each in requires[name]), default=0)


def _replaces_board(plugin: Variant) -> bool:
    """True if a variant gives a map of its own, rather than adjusting another's: it does not ask for the one below."""
    if type(plugin).board is Variant.board:
        return False
    asked: list[bool] = []

    def below() -> Board:
        asked.append(True)
        raise PluginError("there is no map below yet")

    try:
        plugin.board(below)
    except Exception:  # noqa: BLE001 (whatever it is is raised again where the map is asked for)
        return not asked
    return not asked
