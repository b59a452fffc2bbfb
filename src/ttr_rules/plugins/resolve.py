"""The plugins of a stack: those named, those required and those below every stack, with the caller's rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import frozen

from ttr_rules.errors import InvalidInputError, PluginConflictError, PluginError
from ttr_rules.kernel.plugin import options_of
from ttr_rules.kernel.variant import Variant
from ttr_rules.plugins.discovery import BUILT_IN, info_of, load_plugin, ruling_value
from ttr_rules.plugins.stack_order import in_order
from ttr_rules.text import brief


@frozen
class Resolved:
    """A plugin of a stack: `below` says whether it belongs below every stack and was not named."""

    name: str
    plugin: Variant
    below: bool = False


def resolve(stack: Sequence[str | Variant], rulings: Mapping[str, Any] | None) -> list[Resolved]:
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


def _ruled(plugins: list[Resolved], rulings: Mapping[str, Any] | None) -> list[Resolved]:
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
    plugin: Any = resolved.plugin
    changed = attrs.evolve(plugin, **{name: ruling_value(plugin, name, value)})
    # A plugin below every stack is named from now on: saved games must record its options.
    return resolved if changed == plugin else Resolved(resolved.name, changed)
