"""The order of the plugins of a stack, which does not depend on the order in which they are named.

What a plugin requires comes before it. Apart from that, the plugins of the map come first, then those built on it, then
all others, sorted by how little they are built on, then by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ttr_rules.errors import PluginError
from ttr_rules.kernel.variant import Variant
from ttr_rules.model.board import Board
from ttr_rules.plugins.discovery import BUILT_IN, info_of


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
    """How many levels of plugins a plugin is built on; 0 for those of the library, which lie below all."""
    return 0 if name in BUILT_IN else 1 + max((depth(each, requires) for each in requires[name]), default=0)


def _replaces_board(plugin: Variant) -> bool:
    """Whether a variant gives a map of its own, rather than adjusting another's: it does not ask for the one below."""
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
