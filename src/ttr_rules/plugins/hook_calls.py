"""Calling the hooks of a stack: register them with pluggy, check their answers, and record which plugins gave them."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

import attrs
import pluggy

from ttr_rules.errors import HookTypeError, PluginConflictError, PluginError
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.plugin import PROJECT, Provenance, blamed
from ttr_rules.kernel.variant import HOOKS, Variant
from ttr_rules.model.board import Board
from ttr_rules.plugins.discovery import BUILT_IN, BelowAskedError, all_required, ask_below
from ttr_rules.reading import is_class
from ttr_rules.text import brief, closest

Method: TypeAlias = Callable[..., Any]
CORE = "core"


@cache
def _return_type(hook: str) -> tuple[object, type[object], bool]:
    """The collection that a hook returns (tuple, `Iterable`, or None) and the type of the items.

    Also returns true if the items are classes.
    """
    returned: object = get_type_hints(getattr(Variant, hook))["return"]
    collection = get_origin(returned) if get_origin(returned) in (tuple, Iterable) else None
    item: Any = get_args(returned)[0] if collection else returned
    of_classes = get_origin(item) is type
    return collection, get_args(item)[0] if of_classes else get_origin(item) or item, of_classes


def _check(source: str, hook: str, answer: Any) -> Any:
    """The answer to a hook, things as a tuple. Raises `HookTypeError` for one of another type."""
    collection, kind, of_classes = _return_type(hook)
    fits = is_class if of_classes else isinstance
    alone = collection is not None and fits(answer, kind)
    things = (answer,) if collection is None else None if alone else _several(answer, only_tuple=collection is tuple)
    wrong = [answer] if things is None else [thing for thing in things if not fits(thing, kind)]
    if wrong:
        needed = "several of" if collection is Iterable else "a" if collection is None else "a tuple of"
        cure = ": write (…,), a tuple of it" if alone else _advise(wrong[0], kind, of_classes=of_classes)
        culprit = f"the class {wrong[0].__name__}" if isinstance(wrong[0], type) else brief(wrong[0])
        raise HookTypeError(f"{source} must give {needed} {kind.__name__}, not {culprit}{cure}")
    return answer if collection is None else things


def _advise(wrong: object, kind: type[object], *, of_classes: bool) -> str:
    """Advice on what to write in place of a wrong answer, if there is any."""
    if of_classes and isinstance(wrong, kind):
        return f": write {type(wrong).__name__}, the class"
    if is_class(wrong, kind):
        return f": write {wrong.__name__}()"
    if kind is Board and isinstance(wrong, str):
        return f": write load_board({brief(wrong)})"
    return ": write return …" if wrong is None else ": write below()" if wrong is ask_below else ""


def _mistake(hook: str, method: Method, arguments: Sequence[object], failure: BaseException | None) -> str:
    """The mistake in a method that failed, with advice on what to write instead, if the error shows that."""
    told = str(failure)
    _, kind, of_classes = _return_type(hook)
    if made := re.match(r"(\w+)\.__init__\(\) (?:got an unexpected keyword argument '(\w+)')?", told):
        of: Any = {kind.__name__: kind, **getattr(method, "__globals__", {})}.get(made[1])
        if of_classes and is_class(of, kind):
            return f"it must give classes, not objects: write {made[1]}"
        if made[2] and attrs.has(of):
            known = [field.alias for field in attrs.fields(of) if field.init]
            names = [f"{name}=" for name in known if closest(made[2], [name])] or known
            return f"{made[1]} has no {made[2]}: write {' or '.join(names)}"
        return ""
    fooled = isinstance(failure, TypeError | AttributeError | attrs.exceptions.NotAnAttrsClassError)
    if fooled and arguments[0] is ask_below and re.search(r"\b(function|builtin_function_or_method)\b", told):
        return "below is a function: write below()"
    return ""


def check_answer(plugin: str, hook: str, method: Method, *arguments: object) -> Any:
    """The answer of a method that is called in a game, checked."""
    return _check(f"{hook} of plugin {plugin!r}", hook, method(*arguments))


def _several(answer: Iterable[object] | None, *, only_tuple: bool) -> tuple[object, ...] | None:
    if isinstance(answer, tuple):
        return answer
    return tuple(answer) if not only_tuple and isinstance(answer, Iterable) and not isinstance(answer, str) else None


def check_hooks(plugin: Variant) -> None:
    """Raise `PluginError` for a variant with wrong marks, or with a method of other arguments than its hook."""
    name = plugin.info.name
    kind: type[Any] = type(plugin)
    for key in attrs.fields_dict(kind).keys() & set(HOOKS):
        raise PluginError(f"plugin {name!r}: {key!r} is a hook, but has a type like an option: leave that out")
    kinds = kind.__mro__[: kind.__mro__.index(Variant)]
    written = {key: value for kind in reversed(kinds) for key, value in vars(kind).items()}
    for key, value in written.items():
        marks = getattr(value, f"{PROJECT}_impl", None)
        if key not in HOOKS:
            if marks is not None:
                similar = closest(key, HOOKS)
                cure = f"; did you mean {similar!r}? If not, leave" if similar else ": leave"
                raise PluginError(f"plugin {name!r} has no hook {key!r}{cure} out @hookimpl")
            continue
        if marks is None:
            raise PluginError(f"plugin {name!r}: {key!r} is a hook: mark it @hookimpl, or call it something else")
        if not inspect.isfunction(value):
            raise PluginError(f"plugin {name!r}: {key!r} is marked as a hook but is not a method")
        methods = getattr(Variant, key), value
        needed, taken = (", ".join(inspect.signature(method).parameters) for method in methods)
        constant = taken == "self, asked"  # the function that `always` makes
        if constant and key in ("actions", "economy"):
            raise PluginError(f"plugin {name!r}: each stack needs {key} of its own: write a method in place of always")
        if not constant and taken.partition(", ")[2] != needed.partition(", ")[2]:
            raise PluginError(f"the hook {key!r} of plugin {name!r} takes ({needed}), not ({taken})")
        if marks["wrapper"] or marks["hookwrapper"]:
            raise PluginError(f"the hook {key!r} of plugin {name!r} is a wrapper: call below() instead of yield")


def _homes(plugin: Variant) -> tuple[set[str], tuple[str, ...]]:
    """The modules of a variant and of its bases.

    Also returns the prefixes of names of modules in those that are packages.
    """
    homes = {base.__module__ for base in type(plugin).__mro__ if issubclass(base, Variant) and base is not Variant}
    return homes, tuple(f"{home}." for home in homes if hasattr(sys.modules.get(home), "__path__"))


class _Manager(pluggy.PluginManager):
    """pluggy's manager, reduced to the hooks that a variant overrides: it reads none of its properties."""

    def parse_hookspec_opts(self, module_or_class: Any, name: str) -> pluggy.HookspecOpts | None:
        return super().parse_hookspec_opts(module_or_class, name) if name in HOOKS else None

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        has_it = name in HOOKS and getattr(type(plugin), name) is not getattr(Variant, name)
        return super().parse_hookimpl_opts(plugin, name) if has_it else None


class HookCalls:
    """Calls the hooks of a stack and records which plugins answered.

    `given_by` has the plugin of each thing, by `id`.
    """

    def __init__(self, plugins: Mapping[str, Variant]) -> None:
        self.manager = _Manager(PROJECT)
        self.manager.add_hookspecs(Variant)
        self.plugins = plugins
        self.provenance: list[Provenance] = []
        self.given_by: dict[int, str] = {}
        #: The answers to each value hook, with their plugins: first the one that replaces all others, then each adjusted one.
        self.layers: dict[str, list[tuple[str, Any]]] = {}
        for name, plugin in self.plugins.items():
            check_hooks(plugin)
            self.manager.register(plugin, name)
        self._homes = {name: _homes(plugin) for name, plugin in plugins.items()}

    def definers(self, kind: type[object]) -> Iterator[str]:
        """The plugins that have a type in their module or their package, or in those of one of their bases."""
        home = kind.__module__
        return (name for name, (homes, packages) in self._homes.items() if home in homes or home.startswith(packages))

    def _implementations(self, hook: str) -> list[pluggy.HookImpl]:
        """The methods of plugins for a hook, lowest first."""
        caller: pluggy.HookCaller = getattr(self.manager.hook, hook)
        return caller.get_hookimpls()

    # -- values ----------------------------------------------------------------------------------------------

    def value(self, hook: str, *board: Board, default: object = None) -> Any:
        """The checked answer to a value hook, or None for no map.

        It is the topmost one that replaces, adjusted by the others.

        Every method is first called with a `below` that ends the call. A method that asks for the answer below adjusts.
        The error of one that fails is raised, unless a plugin that is built on its plugin replaces the value. `default`
        is the answer of the core.
        """
        replacing: list[tuple[pluggy.HookImpl, Any]] = []
        adjusting: list[pluggy.HookImpl] = []
        failed: list[tuple[str, PluginError]] = []
        for method in self._implementations(hook):
            try:
                replacing.append((method, self._answer(hook, method, ask_below, *board)))
            except BelowAskedError:
                adjusting.append(method)
            except PluginError as error:
                failed.append((method.plugin_name, error))
        self._check_conflict(hook, [method for method, _ in replacing])
        for name, failure in failed:
            if not any(name in all_required(other.plugin_name, self.plugins) for other, _ in replacing):
                raise failure
        if not replacing and default is None and hook == "board":
            return None
        by, answer = (replacing[-1][0].plugin_name, replacing[-1][1]) if replacing else (CORE, default)
        self.layers[hook] = layers = [(by, answer)]
        unchanged: list[str] = []
        for method in adjusting:
            lower, data = answer, _data_of(answer)
            answer = self._answer(hook, method, _always(answer), *board)
            if answer is lower and _data_of(answer) == data:
                unchanged.append(method.plugin_name)
            elif answer is lower or not _same(answer, lower):
                layers.append((method.plugin_name, answer))
        adjusted = tuple(name for name, _ in layers[1:])
        lost = [method.plugin_name for method, other in replacing[:-1] if not _same(other, replacing[-1][1])]
        self.provenance.append(Provenance(hook, (by,), adjusted, tuple(unchanged), tuple(reversed(lost))))
        return answer

    def find_decider(self, hook: str) -> str:
        """The plugin that decided a value."""
        return self.layers[hook][-1][0]

    def _answer(self, hook: str, method: pluggy.HookImpl, *arguments: object) -> Any:
        source = f"hook {hook!r} of plugin {method.plugin_name!r}"
        try:
            return blamed(source, lambda: _check(source, hook, method.function(*arguments)))
        except PluginError as error:
            mistake = _mistake(hook, method.function, arguments, error.__cause__)
            if mistake:
                raise PluginError(f"{source}: {mistake}") from error.__cause__
            raise

    def _check_conflict(self, hook: str, replacing: Sequence[pluggy.HookImpl]) -> None:
        """Raise `PluginConflictError` for two plugins that replace a value.

        It is allowed if one requires the other, or is `tryfirst`.
        """
        for below, above in pairwise([method for method in replacing if method.plugin_name not in BUILT_IN]):
            lower, upper = below.plugin_name, above.plugin_name
            if lower not in all_required(upper, self.plugins) and above.tryfirst == below.tryfirst:
                built_on = "".join(
                    f"; {name!r} is built on {plugin!r}"
                    for plugin in (lower, upper)
                    for name in self.plugins
                    if plugin in all_required(name, self.plugins)
                )
                raise PluginConflictError(
                    f"{lower!r} and {upper!r} both replace {hook!r}, and neither is built on the other: "
                    f"use one of them{built_on}"
                )

    # -- things, and methods in play ---------------------------------------------------------------------------

    def things(self, hook: str, rules: object) -> list[Any]:
        """All answers to a hook, checked, lowest first."""
        answers: list[Any] = []
        by: list[str] = []
        for method in self._implementations(hook):
            items = self._answer(hook, method, rules)
            if items:
                by.append(method.plugin_name)
                answers += items
                self.given_by.update((id(item), method.plugin_name) for item in items)
        self.provenance.append(Provenance(hook, tuple(by)))
        return answers

    def methods(self, hook: str) -> tuple[tuple[str, Method], ...]:
        """The methods that are called in a game for a hook, each with its plugin, lowest first."""
        methods = tuple((method.plugin_name, method.function) for method in self._implementations(hook))
        self.provenance.append(Provenance(hook, tuple(name for name, _ in methods)))
        return methods


def _always(answer: object) -> Callable[[], object]:
    return lambda: answer


def _data_of(answer: object) -> object:
    """The data of an economy, which a plugin may change in place (`TrainCards.add_readings`)."""
    return answer.fingerprint_data() if isinstance(answer, Economy) else None


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other
