"""Pickling of rules: what they were compiled from is pickled, and compiled again when loaded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import TypeAlias
from weakref import WeakValueDictionary

from attrs import frozen, resolve_types

from ttr_rules._internal.messages import brief, line
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.board import Board, Ticket
from ttr_rules.plugins.discovery import info_of


@frozen
class ImportedModule:
    """A plugin that is a module: it is imported by name when loaded."""

    module: str
    plugin: str

    def load(self) -> ModuleType:
        """Import the module. Raises `PluginError` if there is none, or if it is not the plugin."""
        try:
            module = import_module(self.module)
            found = info_of(module).name
        except Exception as error:
            raise PluginError(
                f"the plugin {self.plugin!r} is the module {self.module!r}, which cannot be used here: {line(str(error))}"
            ) from error
        if found != self.plugin:
            raise PluginError(f"the module {self.module!r} is the plugin {found!r} here, not {self.plugin!r}")
        return module


#: A plugin as it is pickled: an installed one by its name and options, a module, or an instance.
Ingredient: TypeAlias = str | ImportedModule | object


def reduced(
    rules: Rules, compile: Callable[..., Rules], made_here: str
) -> tuple[Callable[..., Rules], tuple[object, ...]]:
    """How rules are pickled: what they were compiled from, and `compile` to do so again.

    `made_here` is the fingerprint of the rules this compiles to now. Raises `InvalidInputError` for a module that
    cannot be imported, and for rules that were changed after they were compiled.
    """
    stack = tuple(map(_sent, rules.recipe))
    for kind in rules.types.values():
        if kind.__module__ == "__main__":  # cloudpickle pickles such a class, but not the names in its annotations
            with suppress(NameError):
                resolve_types(kind)
    if made_here != rules.fingerprint:
        raise InvalidInputError(
            f"the rules {rules} cannot be pickled: they were not made by compile_rules, but changed afterwards. "
            "Write the change as a plugin and compile it with the others"
        )
    return compiled_again, (compile, stack, rules.own_board, rules.more_tickets, rules.fingerprint, str(rules))


def _sent(given: object) -> Ingredient:
    """A plugin of a stack as it is pickled."""
    if not isinstance(given, ModuleType):
        return given
    name = info_of(given).name
    if sys.modules.get(given.__name__) is not given:
        raise InvalidInputError(
            f"rules with the plugin {name!r} cannot be pickled: it is a module that cannot be imported as "
            f"{brief(given.__name__)}. Put it in a file that both sides can import, or write it as a class and give an instance"
        )
    return ImportedModule(given.__name__, name)


#: Unpickled rules still in use, with their stack, by fingerprint: games with the same rules share them.
_arrived: WeakValueDictionary[str, Rules] = WeakValueDictionary()


def compiled_again(
    compile: Callable[..., Rules],
    stack: Sequence[Ingredient],
    board: Board | None,
    more_tickets: tuple[Ticket, ...],
    fingerprint: str,
    title: str,
) -> Rules:
    """Compile unpickled rules. Raises `PluginError` if they differ from those that were pickled."""
    plugins = [each.load() if isinstance(each, ImportedModule) else each for each in stack]
    known = _arrived.get(fingerprint)
    if known is not None and known.more_tickets == more_tickets and _same(known, plugins):
        return known
    rules = compile(*plugins, board=board)
    if rules.fingerprint != fingerprint:
        raise PluginError(
            f"the rules {title} that were pickled are not those that the same stack makes here: their fingerprints differ. "
            "Use the same versions of the library and of the plugins on both sides"
        )
    if more_tickets:
        rules = rules.with_tickets(more_tickets)
    _arrived[fingerprint] = rules
    return rules


def _same(rules: Rules, stack: list[object]) -> bool:
    """Whether rules were compiled from equal plugins; a custom board is covered by the fingerprint."""
    try:
        return list(rules.recipe) == stack
    except Exception:  # noqa: BLE001 (plugins may compare in any way)
        return False
