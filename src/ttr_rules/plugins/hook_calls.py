"""Hook calls: each hook of a stack is asked through pluggy, answers are checked, and who gave them is recorded."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar, cast

import pluggy
from attrs import frozen

from ttr_rules.errors import HookTypeError, PluginConflictError, PluginError, blamed
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.extensions import Around
from ttr_rules.kernel.hints import BotHint
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import PROJECT, Provenance
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TieBreak
from ttr_rules.kernel.variant import HOOKS, VALUES, Variant
from ttr_rules.model.board import Board
from ttr_rules.model.tickets import Components, DrawCounts, Stage, TicketDeck
from ttr_rules.plugins.discovery import BUILT_IN, info_of
from ttr_rules.plugins.resolve import Resolved, all_required, depth
from ttr_rules.text import brief

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
    """Suggest the hook that an unknown name may have meant."""
    found = get_close_matches(name[:60], HOOKS, n=1)
    return f"; did you mean {found[0]!r}?" if found else f"; there are {', '.join(HOOKS)}"


#: The type of each value, or of the items of its tuple.
VALUE_TYPES: Mapping[str, type | tuple[type]] = {
    "board": Board,
    "components": Components,
    "route_cars": Mapping,
    "route_points": Mapping,
    "ticket_deck": TicketDeck,
    "setup": (Stage,),
    "draw_counts": DrawCounts,
    "economy": Economy,
    "bonuses": (Bonus,),
    "tie_breaks": (TieBreak,),
}
#: The types of the things that each hook gives.
THING_TYPES: Mapping[str, tuple[type, ...]] = {
    "actions": (ActionRule,),
    "parts": (Part,),
    "scoring": (ScoringTerm,),
    "around": (Around,),
    "notes": (str,),
    "hints": (BotHint,),
}
#: Hooks whose things are classes.
CLASSES = (Part,)

T = TypeVar("T")
CORE = "core"
_impl = pluggy.HookimplMarker(PROJECT)


class _BelowAskedError(Exception):
    """Ends the first call of a method that adjusts: it has asked for the answer below."""


class _Handle:
    """An object registered with pluggy: functions by the names of hooks."""

    def __init__(self, functions: Mapping[str, Method]) -> None:
        vars(self).update(functions)


class HookCalls:
    """Asks each hook of a stack and records who answered; `given_by` does so for things, by `id`."""

    def __init__(self, plugins: Sequence[Resolved]) -> None:
        self.manager = pluggy.PluginManager(PROJECT)
        self.manager.add_hookspecs(Variant)
        self.requires = {each.name: info_of(each.plugin).requires for each in plugins}
        self.plugins = {each.name: each.plugin for each in plugins}
        self.provenance: list[Provenance] = []
        self.given_by: dict[int, str] = {}
        #: For each value, who returned which: the plain answer, then the result of each that adjusted it.
        self.layers: dict[str, list[tuple[str, Any]]] = {}
        self._base: frozenset[str] = frozenset()
        self._values: dict[str, list[Hook]] = {name: [] for name in VALUES}
        for each in plugins:
            try:
                self._register(each.name, hooks_of(each.plugin))
            except pluggy.PluginValidationError as error:
                raise PluginError(f"plugin {each.name!r}: {error}") from error

    def _register(self, name: str, hooks: Mapping[str, Hook]) -> None:
        """Register the things and the methods in play of a plugin; whether a value replaces is known when it is asked."""
        functions: dict[str, Method] = {}
        for key, hook in hooks.items():
            if key in VALUES:
                self._values[key].append(hook)
            else:
                functions[key] = hook.method
        self.manager.register(_Handle(functions), name)

    # -- values ----------------------------------------------------------------------------------------------

    def gives(self, hook: str) -> bool:
        """True if any plugin has a method for a value."""
        return bool(self._values[hook])

    def value(self, hook: str, *arguments: object) -> Any:
        """The answer to a value hook: the topmost that replaces, adjusted by the others, and checked.

        A method is called once to see whether it asks for the answer below: one that does not is registered as a plain
        implementation with its answer, one that does as a wrapper.
        """
        by: dict[str, list[Any]] = {}
        adjusted: list[tuple[str, Any]] = []
        unchanged: list[str] = []
        answers = [(each, *self._first_answer(hook, each, arguments)) for each in self._values[hook]]
        replaced = [each for each, _, failed in answers if failed is None]
        for each, answer, failed in answers:
            if isinstance(failed, _BelowAskedError):
                function: Method = self._adjusting(hook, each, arguments, adjusted, unchanged)
                wraps = True
            else:
                # One that fails is heard, unless a plugin that is built on it gives the answer.
                wraps = failed is not None and not any(
                    each.plugin in all_required(other.plugin, self.requires) for other in replaced
                )
                function = _failing(failed) if wraps and failed else _replacing(each.plugin, answer, failed, by)
            first, last = each.order.get("tryfirst", False), each.order.get("trylast", False)
            marked = _impl(function, wrapper=wraps, tryfirst=first, trylast=last)
            self.manager.register(_Handle({hook: marked}), f"{each.plugin} {hook}")
        self._check_conflict(hook, replaced)
        caller: Method = getattr(self.manager.hook, hook)
        found = caller(below=None, **({} if hook == "board" else {"board": arguments[0]}))
        given = [(name, answer) for name, answers in by.items() for answer in answers]
        self.layers[hook] = [*given, *adjusted]
        self.provenance.append(Provenance(hook, tuple(by), tuple(name for name, _ in adjusted), tuple(unchanged)))
        if hook == "board" and given:
            self._base = frozenset({given[0][0], *all_required(given[0][0], self.requires)})
        return found

    def default(self, hook: str, value: object) -> None:
        """Note what the core answers to a value hook where that depends on other values."""

        def answer(below: Callable[[], object], board: Board) -> object:
            return value

        self._values[hook].insert(0, Hook(CORE, answer, {}))

    def provenance_of(self, hook: str) -> str:
        """The plugin that decided a value."""
        found = next(each for each in reversed(self.provenance) if each.hook == hook)
        return [*found.by, *found.adjusted][-1]

    def _first_answer(self, hook: str, each: Hook, arguments: Sequence[object]) -> tuple[Any, Exception | None]:
        def below() -> Any:
            raise _BelowAskedError

        passing = (PluginError, _BelowAskedError)
        try:
            source = f"hook {hook!r} of plugin {each.plugin!r}"
            answer = blamed(source, each.method, below, *arguments, passing=passing)
        except passing as error:
            return None, error
        return self._checked(hook, each.plugin, answer), None

    def _adjusting(
        self,
        hook: str,
        each: Hook,
        arguments: Sequence[object],
        adjusted: list[tuple[str, Any]],
        unchanged: list[str],
    ) -> Callable[..., Generator[None, Any, Any]]:
        """A wrapper for pluggy that calls a method with the answer below, and records what became of it."""

        def wrapper() -> Generator[None, Any, Any]:
            failed: BaseException | None = None
            found: Any = None
            try:
                found = yield
            except PluginError as error:
                failed = error

            def below() -> Any:
                if failed is not None:
                    raise failed
                return found

            answer = blamed(f"hook {hook!r} of plugin {each.plugin!r}", each.method, below, *arguments)
            self._checked(hook, each.plugin, answer)
            if answer is found:
                unchanged.append(each.plugin)
            elif not (type(answer) is type(found) and answer == found):
                adjusted.append((each.plugin, answer))
            return answer

        return wrapper

    def _checked(self, hook: str, plugin: str, answer: Any) -> Any:
        wanted = VALUE_TYPES[hook]
        if isinstance(wanted, tuple):
            fits = _is_tuple_of(wanted[0], answer)
            needed = f"a tuple of {wanted[0].__name__}"
        else:
            fits = isinstance(answer, wanted)
            needed = f"a {wanted.__name__}"
        if not fits:
            raise HookTypeError(f"hook {hook!r} of plugin {plugin!r} must give {needed}, not {brief(answer)}")
        return answer

    def _check_conflict(self, hook: str, replaced: Sequence[Hook]) -> None:
        """Of two plugins that replace a value the upper must require the lower, directly or not, or be marked `tryfirst`."""
        for below, above in pairwise([each for each in replaced if each.plugin not in BUILT_IN]):
            lower, upper = below.plugin, above.plugin
            if lower not in all_required(upper, self.requires) and above.order["tryfirst"] == below.order["tryfirst"]:
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

    # -- things ----------------------------------------------------------------------------------------------

    def things(self, hook: str, **arguments: object) -> list[Any]:
        """All answers to a hook, checked: the base first, plugins of the same level by name."""
        found: list[Any] = []
        by: list[str] = []
        answering: list[tuple[str, Method]] = [
            (each.plugin_name, partial(each.function, **arguments)) for each in self._implementations(hook)
        ]
        for name, function in sorted(answering, key=lambda each: self._level(each[0])):
            listed = blamed(f"hook {hook!r} of plugin {name!r}", _listed, hook, name, function)
            if listed:
                by.append(name)
                found += listed
                self.given_by.update((id(each), name) for each in listed)
        self.provenance.append(Provenance(hook, tuple(dict.fromkeys(by))))
        return found

    # -- in play ---------------------------------------------------------------------------------------------

    def methods(self, hook: str) -> list[tuple[str, Method]]:
        """The methods that are called in a game for a hook, each with its plugin, lowest first."""
        methods: list[tuple[str, Method]] = [(each.plugin_name, each.function) for each in self._implementations(hook)]
        methods.sort(key=lambda each: self._level(each[0]))
        self.provenance.append(Provenance(hook, tuple(dict.fromkeys([plugin for plugin, _ in methods]))))
        return methods

    def method(self, plugin: str, hook: str) -> Method | None:
        """The method of a plugin for a hook that is called in play."""
        return next((each.function for each in self._implementations(hook) if each.plugin_name == plugin), None)

    def _level(self, name: str) -> tuple[bool, int, str]:
        """The core and the plugins of the map come first; then those that are built on the fewest plugins."""
        return name not in (*BUILT_IN, *self._base), depth(name, self.requires), name

    # -- the manager -------------------------------------------------------------------------------------------

    def _implementations(self, hook: str) -> list[pluggy.HookImpl]:
        caller: pluggy.HookCaller | None = getattr(self.manager.hook, hook, None)
        return [] if caller is None else caller.get_hookimpls()


def _replacing(plugin: str, answer: Any, failed: Exception | None, by: dict[str, list[Any]]) -> Callable[[], Any]:
    """A plain implementation for pluggy that gives an answer, or raises what the plugin has raised."""

    def replace() -> Any:
        if failed is not None:
            raise failed
        by[plugin] = [answer]
        return answer

    return replace


def _failing(error: Exception) -> Callable[[], Generator[None, Any, Any]]:
    """A wrapper for pluggy that raises what a plugin has raised."""

    def wrapper() -> Generator[None, Any, Any]:
        yield
        raise error

    return wrapper


def _is_tuple_of(kind: type, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in cast("tuple[object, ...]", value))


def _fits(kinds: tuple[type, ...], value: object) -> bool:
    """True if an item is of a type that the hook gives: an instance, or a class."""
    if isinstance(value, type):
        return any(kind in CLASSES and issubclass(value, kind) for kind in kinds)
    return any(kind not in CLASSES and isinstance(value, kind) for kind in kinds)


def _listed(hook: str, name: str, call: Callable[[], object]) -> list[object]:
    """The answer of a plugin to a hook for things, as a list of items of the right type."""
    kinds = THING_TYPES[hook]
    answer = call()
    needed = kinds[0].__name__
    if isinstance(answer, str) or not hasattr(answer, "__iter__"):
        raise HookTypeError(f"hook {hook!r} of plugin {name!r} must give several of {needed}, not {brief(answer)}")
    listed = list(cast("Iterable[object]", answer))
    for each in listed:
        if not _fits(kinds, each):
            raise HookTypeError(f"hook {hook!r} of plugin {name!r} must give {needed}, not {brief(each)}")
    return listed


__all__ = ["CORE", "HookCalls", "Method"]
