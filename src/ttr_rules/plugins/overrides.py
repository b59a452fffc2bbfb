"""The hooks that a variant overrides, checked against `Variant`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias

from attrs import frozen

from ttr_rules.errors import PluginError
from ttr_rules.kernel.plugin import PROJECT
from ttr_rules.kernel.variant import HOOKS, Variant

Method: TypeAlias = Callable[..., Any]


@frozen
class Hook:
    """A hook of a plugin: its method, and how it is marked."""

    plugin: str
    method: Method
    order: Mapping[str, bool]


def hooks_of(plugin: Variant) -> dict[str, Hook]:
    """The hooks that a variant overrides. Raises `PluginError` for marks and arguments that are wrong."""
    name = plugin.info.name
    kinds = type(plugin).__mro__[: type(plugin).__mro__.index(Variant)]
    written = {key: value for kind in reversed(kinds) for key, value in vars(kind).items()}
    found: dict[str, Hook] = {}
    for key, value in written.items():
        marks = getattr(value, f"{PROJECT}_impl", None)
        if marks is not None and key not in HOOKS:
            raise PluginError(f"plugin {name!r} has no hook {key!r} to implement{near(key)}")
        if marks is not None and not inspect.isfunction(value):
            raise PluginError(f"plugin {name!r}: {key!r} is marked as a hook but is not a method")
        if key not in HOOKS:
            continue
        if marks is None:
            raise PluginError(f"plugin {name!r}: {key!r} is a hook: mark it @hookimpl, or call it something else")
        expected, given = _arguments(getattr(Variant, key)), _arguments(value)
        if given != expected:
            raise PluginError(
                f"the hook {key!r} of plugin {name!r} takes (self, {', '.join(expected)}), not (self, {', '.join(given)})"
            )
        if marks["wrapper"] or marks["hookwrapper"]:
            raise PluginError(f"the hook {key!r} of plugin {name!r} is a wrapper: call below() instead of yield")
        order = {each: bool(marks[each]) for each in ("tryfirst", "trylast")}
        found[key] = Hook(name, getattr(plugin, key), order)
    return found


def _arguments(function: Method) -> list[str]:
    return list(inspect.signature(function).parameters)[1:]


def near(name: str) -> str:
    """What a hook that there is not may have meant."""
    found = get_close_matches(name[:60], HOOKS, n=1)
    return f"; did you mean {found[0]!r}?" if found else f"; there are {', '.join(HOOKS)}"
