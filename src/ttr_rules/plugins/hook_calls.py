"""Hook calls: the hooks of a stack are registered with pluggy, asked once, checked, and who answered is recorded."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar, cast

import pluggy

from ttr_rules.errors import HookTypeError, PluginConflictError, PluginError, blamed
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.extensions import Around
from ttr_rules.kernel.hints import BotHint
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import PROJECT, Provenance
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TieBreak
from ttr_rules.kernel.variant import HOOKS, Variant
from ttr_rules.model.board import Board
from ttr_rules.model.tickets import Components, DrawCounts, Stage, TicketDeck
from ttr_rules.plugins.discovery import BUILT_IN, BelowAskedError, Resolved, all_required, ask_below, info_of
from ttr_rules.text import brief

T = TypeVar("T")
Method: TypeAlias = Callable[..., Any]
CORE = "core"

#: The type of each value; of those that are tuples, and of hooks for things, the type of the items.
TYPES: Mapping[str, type[object]] = {
    "board": Board,
    "components": Components,
    "route_cars": Mapping,
    "route_points": Mapping,
    "ticket_deck": TicketDeck,
    "setup": Stage,
    "draw_counts": DrawCounts,
    "economy": Economy,
    "bonuses": Bonus,
    "tie_breaks": TieBreak,
    "actions": ActionRule,
    "parts": Part,
    "scoring": ScoringTerm,
    "around": Around,
    "notes": str,
    "hints": BotHint,
}
TUPLES = ("setup", "bonuses", "tie_breaks")


def check_hooks(plugin: Variant) -> None:
    """Raise `PluginError` for a variant with wrong marks, or with other arguments than those of a hook."""
    name = plugin.info.name
    kinds = type(plugin).__mro__[: type(plugin).__mro__.index(Variant)]
    written = {key: value for kind in reversed(kinds) for key, value in vars(kind).items()}
    for key, value in written.items():
        marks = getattr(value, f"{PROJECT}_impl", None)
        if key not in HOOKS:
            if marks is not None:
                raise PluginError(f"plugin {name!r} has no hook {key!r} to implement{near(key)}")
            continue
        if marks is None:
            raise PluginError(f"plugin {name!r}: {key!r} is a hook: mark it @hookimpl, or call it something else")
        if not inspect.isfunction(value):
            raise PluginError(f"plugin {name!r}: {key!r} is marked as a hook but is not a method")
        needed, taken = (", ".join(inspect.signature(each).parameters) for each in (getattr(Variant, key), value))
        if taken.partition(", ")[2] != needed.partition(", ")[2]:
            raise PluginError(f"the hook {key!r} of plugin {name!r} takes ({needed}), not ({taken})")
        if marks["wrapper"] or marks["hookwrapper"]:
            raise PluginError(f"the hook {key!r} of plugin {name!r} is a wrapper: call below() instead of yield")


def near(name: str) -> str:
    """Suggest the hook that an unknown name may have meant."""
    similar = get_close_matches(name[:60], HOOKS, n=1)
    return f"; did you mean {similar[0]!r}?" if similar else f"; there are {', '.join(HOOKS)}"


class _Manager(pluggy.PluginManager):
    """pluggy's manager; of a variant it looks at the hooks alone, not at properties."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        return super().parse_hookimpl_opts(plugin, name) if name in HOOKS else None


class HookCalls:
    """Asks each hook of a stack and records who answered; `given_by` does so for things, by `id`."""

    def __init__(self, plugins: Sequence[Resolved]) -> None:
        self.manager = _Manager(PROJECT)
        self.manager.add_hookspecs(Variant)
        self.plugins = {resolved.name: resolved.plugin for resolved in plugins}
        self.requires = {name: info_of(plugin).requires for name, plugin in self.plugins.items()}
        self.provenance: list[Provenance] = []
        self.given_by: dict[int, str] = {}
        #: For each value, who returned which: the answer that replaces all others, then the result of each that adjusted it.
        self.layers: dict[str, list[tuple[str, Any]]] = {}
        for name, plugin in self.plugins.items():
            check_hooks(plugin)
            self.manager.register(plugin, name)

    def _implementations(self, hook: str) -> list[pluggy.HookImpl]:
        """The methods of plugins for a hook, lowest first."""
        caller: pluggy.HookCaller = getattr(self.manager.hook, hook)
        return caller.get_hookimpls()

    # -- values ----------------------------------------------------------------------------------------------

    def value(self, hook: str, *board: Board, default: object = None) -> Any:
        """The answer to a value hook: the topmost that replaces, adjusted by the others, and checked; None for no map.

        Every method is called once with a `below` that ends it: one that asks for the answer below adjusts. One that
        fails is heard, unless a plugin that is built on it gives the answer. `default` is what the core gives.
        """
        replacing: list[tuple[pluggy.HookImpl, Any]] = []
        above: list[tuple[pluggy.HookImpl, PluginError | None]] = []
        for method in self._implementations(hook):
            try:
                replacing.append((method, self._answer(hook, method, ask_below, *board)))
            except BelowAskedError:
                above.append((method, None))
            except PluginError as error:
                above.append((method, error))
        self._check_conflict(hook, [method for method, _ in replacing])
        if not replacing and default is None and hook == "board":
            return None
        by, answer = CORE, default
        if replacing:
            by, answer = replacing[-1][0].plugin_name, replacing[-1][1]
        self.layers[hook] = layers = [(by, answer)]
        unchanged: list[str] = []
        failure: PluginError | None = None
        for method, failed in above:
            name, lower = method.plugin_name, answer
            if failed is not None:
                if not any(name in all_required(other.plugin_name, self.requires) for other, _ in replacing):
                    failure = failed
                continue
            try:
                answer = self._answer(hook, method, _below(lower, failure), *board)
                failure = None
            except PluginError as again:
                failure = again
            if answer is lower:
                unchanged.append(name)
            elif not _same(answer, lower):
                layers.append((name, answer))
        if failure is not None:
            raise failure
        adjusted = tuple(name for name, _ in layers[1:])
        replaced = tuple(
            other.plugin_name for other, lost in reversed(replacing[:-1]) if not _same(lost, replacing[-1][1])
        )
        self.provenance.append(Provenance(hook, (by,), adjusted, tuple(unchanged), replaced))
        return answer

    def provenance_of(self, hook: str) -> str:
        """The plugin that decided a value."""
        return self.layers[hook][-1][0]

    def _answer(self, hook: str, method: pluggy.HookImpl, *arguments: object) -> Any:
        source = f"hook {hook!r} of plugin {method.plugin_name!r}"
        answer = blamed(source, method.function, *arguments)
        kind = TYPES[hook]
        if hook in TUPLES:
            fits, needed = _is_tuple_of(kind, answer), f"a tuple of {kind.__name__}"
        else:
            fits, needed = isinstance(answer, kind), f"a {kind.__name__}"
        if not fits:
            raise HookTypeError(f"{source} must give {needed}, not {brief(answer)}")
        return answer

    def _check_conflict(self, hook: str, replacing: Sequence[pluggy.HookImpl]) -> None:
        """Of two plugins that replace a value the upper must require the lower, directly or not, or be marked `tryfirst`."""
        for below, above in pairwise([method for method in replacing if method.plugin_name not in BUILT_IN]):
            lower, upper = below.plugin_name, above.plugin_name
            if lower not in all_required(upper, self.requires) and above.tryfirst == below.tryfirst:
                built_on = "".join(
                    f"; {name!r} is built on {each!r}"
                    for each in (lower, upper)
                    for name in self.requires
                    if each in all_required(name, self.requires)
                )
                raise PluginConflictError(
                    f"{lower!r} and {upper!r} both replace {hook!r}, and neither is built on the other: use one of them"
                    f"{built_on}"
                )

    # -- things, and methods in play ---------------------------------------------------------------------------

    def things(self, hook: str, rules: object) -> list[Any]:
        """All answers to a hook, checked, lowest first."""
        found: list[Any] = []
        by: list[str] = []
        for method in self._implementations(hook):
            name = method.plugin_name
            source = f"hook {hook!r} of plugin {name!r}"
            items = blamed(source, _items, source, TYPES[hook], method.function, rules)
            if items:
                by.append(name)
                found += items
                self.given_by.update((id(item), name) for item in items)
        self.provenance.append(Provenance(hook, tuple(by)))
        return found

    def methods(self, hook: str) -> tuple[tuple[str, Method], ...]:
        """The methods that are called in a game for a hook, each with its plugin, lowest first."""
        methods = tuple((method.plugin_name, method.function) for method in self._implementations(hook))
        self.provenance.append(Provenance(hook, tuple(name for name, _ in methods)))
        return methods

    def method(self, plugin: str, hook: str) -> Method | None:
        """The method of a plugin for a hook that is called in play."""
        return next((each.function for each in self._implementations(hook) if each.plugin_name == plugin), None)


def _below(answer: object, failure: PluginError | None) -> Callable[[], Any]:
    """The answer of the plugins below, for a method that adjusts it; their failure is raised when it is asked for."""

    def below() -> object:
        if failure is not None:
            raise failure
        return answer

    return below


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _is_tuple_of(kind: type[object], value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, kind) for item in cast("tuple[object, ...]", value))


def _is_class_of(kind: type[object], value: object) -> bool:
    return isinstance(value, type) and issubclass(value, kind)


def _items(source: str, kind: type[object], method: Method, rules: object) -> list[object]:
    """The answer of a method for things as a list; of parts these are classes."""
    answer = method(rules)
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        raise HookTypeError(f"{source} must give several of {kind.__name__}, not {brief(answer)}")
    items = list(cast("Iterable[object]", answer))
    for item in items:
        if not (_is_class_of(kind, item) if kind is Part else isinstance(item, kind)):
            raise HookTypeError(f"{source} must give {kind.__name__}, not {brief(item)}")
    return items


__all__ = ["CORE", "HookCalls", "Method"]
