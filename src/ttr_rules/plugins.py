"""Finding plugins: installed ones by entry point, others as the objects they are."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType, ModuleType
from typing import Any

import attrs
from attrs import frozen

from .errors import PluginError, UnknownPluginError, brief
from .rules import PluginInfo

#: The entry-point group under which plugins are installed.
GROUP = "ttr_rules.plugins"


@frozen
class Installed:
    """A plugin that is installed: its name, what it says of itself, and the distribution it came with.

    `problem` is set, and `info` missing, when it cannot be loaded.
    """

    name: str
    distribution: str
    version: str
    info: PluginInfo | None
    problem: str | None = None


def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def installed() -> tuple[Installed, ...]:
    """All installed plugins by name. One that cannot be loaded is listed with its problem."""
    result: list[Installed] = []
    for name, point in sorted(_found().items()):
        distribution = point.dist.name if point.dist is not None else "?"
        version = point.dist.version if point.dist is not None else "?"
        try:
            info, problem = info_of(load_plugin(name)), None
        except PluginError as error:
            info, problem = None, str(error)
        result.append(Installed(name, distribution, version, info, problem))
    return tuple(result)


def load_plugin(name: str, options: Mapping[str, Any] | None = None) -> object:
    """The plugin installed under a name, made with `options` if there are any.

    Raises `UnknownPluginError` if there is none, `PluginError` if it cannot be loaded or takes no options.
    """
    known = _found()
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.7)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownPluginError(
            f"no plugin {name!r} is installed; {hint}installed: {', '.join(sorted(known)) or 'none'}"
        )
    try:
        plugin = _made(known[name].load(), options or {})
        info_of(plugin)
    except (Exception, SystemExit) as error:
        kind = "" if isinstance(error, PluginError) else f"{type(error).__name__}: "
        raise PluginError(f"plugin {name!r} ({known[name].value}) cannot be loaded: {kind}{error}") from error
    return plugin


def _made(plugin: object, options: Mapping[str, Any]) -> object:
    """A plugin from what an entry point names: a module or an instance as it is, a class or a factory called."""
    if callable(plugin) and not isinstance(plugin, ModuleType):
        return plugin(**options)
    if options:
        raise PluginError("it takes no options")
    return plugin


def info_of(plugin: object) -> PluginInfo:
    """What a plugin says of itself. Raises `PluginError` for something that is no plugin."""
    info = getattr(plugin, "info", None)
    if not isinstance(info, PluginInfo):
        raise PluginError(f"{brief(plugin)} is no plugin: it has no `info = PluginInfo(...)`")
    return info


def options_of(plugin: object) -> Mapping[str, Any]:
    """The options that a plugin instance was made with: its attrs fields."""
    kind: type[Any] = type(plugin)
    if isinstance(plugin, ModuleType) or not attrs.has(kind):
        return MappingProxyType({})
    return MappingProxyType({field.name: getattr(plugin, field.name) for field in attrs.fields(kind) if field.init})
