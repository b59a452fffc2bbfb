"""The order of the plugins of a stack: their own, whatever the order in which they are named.

What a plugin requires comes before it. Apart from that the plugins of the map come first, then those built on it, then all
others; of these whoever is built on less; of equals, by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping

from ttr_rules.plugins.discovery import info_of


def in_order(plugins: Mapping[str, object]) -> list[tuple[str, object]]:
    """The plugins of a stack, by their names, in the order in which they decide. No two of them require each other.

    >>> from ttr_rules.plugins.discovery import load_plugin
    >>> [name for name, _ in in_order({each: load_plugin(each) for each in ("dice", "mega-europa", "europe")})]
    ['europe', 'mega-europa', 'dice']
    """
    requires = {name: _required(name, plugins) for name in plugins}
    maps = {name for name, plugin in plugins.items() if _gives_board(plugin)}
    below_maps = {each for name in maps for each in requires[name]}

    def place(name: str) -> tuple[int, int, str]:
        level = 0 if name in maps | below_maps else 1 if requires[name] & maps else 2
        return level, _depth(name, plugins), name

    found: list[str] = []
    waiting = sorted(plugins, key=place)
    while waiting:
        following = next(name for name in waiting if requires[name] <= set(found))
        waiting.remove(following)
        found.append(following)
    return [(name, plugins[name]) for name in found]


def _required(name: str, plugins: Mapping[str, object]) -> set[str]:
    """The plugins of the stack that a plugin requires, directly or not."""
    found: set[str] = set()
    waiting = list(info_of(plugins[name]).requires)
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += info_of(plugins[each]).requires
    return found


def _depth(name: str, plugins: Mapping[str, object]) -> int:
    return 1 + max((_depth(each, plugins) for each in info_of(plugins[name]).requires), default=0)


def _gives_board(plugin: object) -> bool:
    """Whether a plugin answers the hook `board` itself, not only adjusts what others answer."""
    if not inspect.isroutine(inspect.getattr_static(plugin, "board", None)):  # a property is not to run for this
        return False
    if "board" in getattr(plugin, "unanswered", ()):  # what a variant of a file says nothing about
        return False
    options = getattr(getattr(plugin, "board", None), "ttr_rules_impl", None)
    return options is not None and not options["wrapper"]
