"""The tag of each type of action, decision and event in saved games and JSON: its plugin and its class.

A type belongs to the plugin that added it, whatever else wraps the economy or adds rules to it in this stack. If
several plugins add the same type, it belongs to the one whose package defines it, else to the lowest in the stack.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import takewhile
from types import ModuleType
from typing import Any, TypeVar

from ttr_rules.errors import PluginError
from ttr_rules.kernel import events
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.variant import Variant
from ttr_rules.model.decisions import HiddenDecision, Pass
from ttr_rules.plugins.discovery import BUILT_IN
from ttr_rules.plugins.hook_calls import CORE, HookCalls

T = TypeVar("T")


def types_of(
    ask: HookCalls, plugins: Mapping[str, object], economy: Economy, action_rules: Sequence[ActionRule[Any, Any]]
) -> dict[str, type[Any]]:
    """Every type of action, decision and event of these rules by its tag, such as `dice.Reroll`.

    Raises `PluginError` for two types of one plugin that have the same name.
    """
    brought = _brought(ask, economy)
    event_types: list[type[Any]] = [*own_kinds(ask, Event.every)]
    for kind in event_types:
        brought.setdefault(kind, []).append(ask.given_by[id(kind)])
    for rule in action_rules:
        for kind in (rule.on, rule.action):
            brought.setdefault(kind, []).append(ask.given_by[id(rule)])
    event_types += economy.event_types()
    core = [kind for _, kind in inspect.getmembers(events, inspect.isclass) if issubclass(kind, Event)]
    kinds: list[type[Any]] = [kind for kind in core if kind is not Event]
    kinds += [Pass, HiddenDecision]  # the second is what other seats see of a decision
    kinds += [*event_types, *(kind for rule in action_rules for kind in (rule.on, rule.action))]
    found: dict[str, type[Any]] = {}
    for kind in dict.fromkeys(kinds):
        owner = _built_in(kind) or _owner(kind, brought[kind], plugins)
        if found.setdefault(f"{owner}.{kind.__name__}", kind) is not kind:
            raise PluginError(f"plugin {owner!r} has two types called {kind.__name__}")
    return found


def _brought(ask: HookCalls, economy: Economy) -> dict[type[Any], list[str]]:
    """The types of the economy, each with the plugins whose layers contain it, lowest first."""
    found: dict[type[Any], list[str]] = {}
    for plugin, layer in ask.layers["economy"]:
        for kind in ask.guarded("event_types of the economy", plugin, partial(_events_of, layer)):
            found.setdefault(kind, []).append(plugin)
        if layer is economy:
            continue  # already asked: those rules are included
        for rule in ask.guarded("action_rules of the economy", plugin, partial(_rules_of, layer)):
            for kind in (rule.on, rule.action):
                found.setdefault(kind, []).append(plugin)
    return found


def own_kinds(ask: HookCalls, every: Sequence[type[T]]) -> list[type[T]]:
    """Of all classes of a kind those of the variants of a stack: defined in their modules, or in their packages."""
    found: list[type[T]] = []
    for name, plugin in ask.plugins.items():
        if isinstance(plugin, Variant) and not type(plugin).__module__.startswith("ttr_rules."):
            mine = [kind for kind in kinds_of(type(plugin), every) if kind not in found]
            ask.given_by.update((id(kind), name) for kind in mine)
            found += mine
    return found


def events_of(plugin: type[Variant]) -> list[type[Event]]:
    """The event classes of a variant and its bases, in the order in which they were defined."""
    return kinds_of(plugin, Event.every)


def kinds_of(plugin: type[Variant], every: Sequence[type[T]]) -> list[type[T]]:
    """Of these classes those of a variant and its bases, in the order in which they were defined."""
    homes = [each.__module__ for each in plugin.__mro__ if issubclass(each, Variant) and each is not Variant]
    packages = tuple(f"{home}." for home in homes if hasattr(sys.modules.get(home), "__path__"))
    # The last of each name: attrs creates classes anew, and a notebook defines them again.
    current = {(kind.__module__, kind.__qualname__): kind for kind in every}
    return [kind for kind in current.values() if kind.__module__ in homes or kind.__module__.startswith(packages)]


def _rules_of(economy: Economy) -> list[ActionRule[Any, Any]]:
    return list(economy.action_rules())


def _events_of(economy: Economy) -> list[type[Any]]:
    return list(economy.event_types())


def _built_in(kind: type[Any]) -> str | None:
    """The plugin below every stack to which a built-in type belongs, or the core."""
    homes = (
        name for name, each in BUILT_IN.items() if kind.__module__.startswith(f"{each.__module__.rpartition('.')[0]}.")
    )
    return next(homes, CORE) if kind.__module__.startswith("ttr_rules.") else None


def _owner(kind: type[Any], by: Sequence[str], plugins: Mapping[str, object]) -> str:
    """The plugin whose module is nearest to that of a type; of equally near ones, the first."""
    return max(dict.fromkeys(by), key=lambda name: _nearness(kind, plugins.get(name)))


def _nearness(kind: type[Any], plugin: object) -> int:
    home = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    pairs = zip(kind.__module__.split("."), home.split("."), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
