"""Hook calls: each hook of a stack is called once, answers are checked, and their provenance is recorded."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar, cast

import pluggy

from ttr_rules._internal.catalogs import Catalog
from ttr_rules._internal.messages import brief
from ttr_rules.errors import HookTypeError, PluginConflictError, PluginError
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.extensions import (
    AfterClaim,
    ClaimCondition,
    CostChange,
    Ending,
    FollowUp,
    Guard,
    PartSpec,
    TurnHook,
)
from ttr_rules.kernel.hints import BotHint
from ttr_rules.kernel.map_marks import MapMarks
from ttr_rules.kernel.plugin import PROJECT
from ttr_rules.kernel.provenance import Provenance
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TicketLink, TieBreak
from ttr_rules.model.board import Board
from ttr_rules.model.components import Components
from ttr_rules.model.rulebook import RuleFile
from ttr_rules.model.tickets import DrawCounts, Stage, TicketDeck
from ttr_rules.plugins import hooks
from ttr_rules.plugins.discovery import BUILT_IN, info_of
from ttr_rules.plugins.resolve import Resolved
from ttr_rules.plugins.stack_order import all_required, depth

#: The type that each value hook returns, or of the items of its tuple.
VALUES: Mapping[str, type | tuple[type]] = {
    "board": Board,
    "components": Components,
    "route_cars": Mapping,
    "route_points": Mapping,
    "ticket_deck": TicketDeck,
    "setup": (Stage,),
    "draw_counts": DrawCounts,
    "economy": Economy,
    "bonuses": (Bonus,),
    "tie_break": (TieBreak,),
}
#: The item type of each collecting hook.
COLLECTED: Mapping[str, type] = {
    "action_rules": ActionRule,
    "state_parts": PartSpec,
    "event_types": Event,
    "scoring_terms": ScoringTerm,
    "ticket_links": TicketLink,
    "after_claims": AfterClaim,
    "endings": Ending,
    "claim_conditions": ClaimCondition,
    "cost_changes": CostChange,
    "guards": Guard,
    "follow_ups": FollowUp,
    "turn_begins": TurnHook,
    "turn_ends": TurnHook,
    "problems": str,
    "notes": str,
    "rulebooks": RuleFile,
    "bot_hints": BotHint,
    "map_marks": MapMarks,
    "catalogs": Catalog,
}

T = TypeVar("T")
CORE = "core"


class _Handle:
    """Stands for a plugin in the manager, which tells plugins apart by `==` and hash: some have neither."""

    def __init__(self, plugin: object) -> None:
        unanswered: Collection[str] = getattr(plugin, "unanswered", ())  # hooks for which a variant file has no content
        for name in sorted({*dir(plugin)}.difference(unanswered)):
            static = inspect.getattr_static(plugin, name, None)  # do not run properties
            if inspect.isroutine(static) and hasattr(getattr(plugin, name), f"{PROJECT}_impl"):
                setattr(self, name, getattr(plugin, name))
            elif hasattr(static, f"{PROJECT}_impl"):
                raise PluginError(f"{name!r} is marked as a hook but is not callable")
            options = getattr(getattr(self, name, None), f"{PROJECT}_impl", None)
            if options and options["hookwrapper"]:
                raise PluginError(f"{name!r} is marked hookwrapper=True, an older form: use wrapper=True")


class _WrongHookError(PluginError):
    """A hook that does not exist, or an argument that it does not have."""


def _check_hooks(plugin: str, handle: _Handle) -> None:
    """Raise `PluginError` for a function marked as a hook that there is not, or that takes what the hook does not give."""
    known = [*VALUES, *COLLECTED]
    for name, function in vars(handle).items():
        if name not in known:
            raise _WrongHookError(f"plugin {plugin!r} has no hook {name!r} to implement{_near(name, known)}")
        given = list(inspect.signature(getattr(hooks, name)).parameters)
        for argument, parameter in inspect.signature(function).parameters.items():
            required = parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
            if required and parameter.kind is not parameter.VAR_KEYWORD and argument not in given:
                takes = f"it may take {', '.join(given)}" if given else "it takes none"
                raise _WrongHookError(
                    f"the hook {name!r} of plugin {plugin!r} has an argument {argument!r} that the hook does not give: {takes}"
                )


def _near(name: str, known: Sequence[str]) -> str:
    near = get_close_matches(name[:60], known, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"


class HookCalls:
    """Calls each hook of a stack once and records who answered; `given_by` does so for collected items, by `id`."""

    def __init__(self, plugins: Sequence[Resolved]) -> None:
        self.manager = pluggy.PluginManager(PROJECT)
        self.manager.add_hookspecs(hooks)
        self.requires = {each.name: info_of(each.plugin).requires for each in plugins}
        self.provenance: list[Provenance] = []
        self.given_by: dict[int, str] = {}
        #: For each value hook, who returned which value: the plain answer, then the result of each wrapper.
        self.layers: dict[str, list[tuple[str, Any]]] = {}
        self._base: frozenset[str] = frozenset()
        for each in plugins:
            try:
                handle = _Handle(each.plugin)
                _check_hooks(each.name, handle)
                self.manager.register(handle, each.name)
            except _WrongHookError:
                raise
            except (pluggy.PluginValidationError, PluginError) as error:
                raise PluginError(f"plugin {each.name!r}: {error}") from error

    # -- values ----------------------------------------------------------------------------------------------

    def value(self, hook: str, **arguments: object) -> Any:
        """The answer to a value hook: the topmost plain one, adjusted by the wrappers and checked."""
        self._check_conflict(hook)
        given: list[tuple[str, Any]] = []
        adjusted: list[tuple[str, Any]] = []
        unchanged: list[str] = []
        # The manager does not say whose answer it took (the one that was not None), nor which wrapper changed it.
        for implementation in self._plain(hook):
            setattr(implementation, "function", _noting(implementation, given))  # noqa: B010
        for implementation in self._wrappers(hook):
            setattr(implementation, "function", _watching(implementation, adjusted, unchanged))  # noqa: B010
        chain = ", ".join(reversed([each.plugin_name for each in self._all(hook)]))
        answer: Any = self.guarded(f"hook {hook!r}", chain, lambda: self._caller(hook)(**arguments))
        self.layers[hook] = [*given, *adjusted]
        self.provenance.append(
            Provenance(hook, tuple(name for name, _ in given), tuple(name for name, _ in adjusted), tuple(unchanged))
        )
        if hook == "board" and given:
            self._base = frozenset({given[0][0], *all_required(given[0][0], self.requires)})
        wanted = VALUES[hook]
        if isinstance(wanted, tuple):
            fits = _is_tuple_of(wanted[0], answer)
            needed = f"a tuple of {wanted[0].__name__}"
        else:
            fits = isinstance(answer, wanted)
            needed = f"a {wanted.__name__}"
        if not fits:
            raise HookTypeError(f"hook {hook!r} must give {needed}, not {brief(answer)}; provenance: {chain}")
        return answer

    def _check_conflict(self, hook: str) -> None:
        """Of two plugins that replace a value the upper must require the lower, directly or not, or be marked `tryfirst`."""
        plain = [each for each in self._plain(hook) if each.plugin_name not in BUILT_IN]
        for below, above in pairwise(plain):
            lower, upper = below.plugin_name, above.plugin_name
            if lower not in all_required(upper, self.requires) and above.tryfirst == below.tryfirst:
                built_on = "".join(
                    f"; {name!r} is built on {each!r}"
                    for each in (lower, upper)
                    for name in self.requires
                    if each in all_required(name, self.requires)
                )
                raise PluginConflictError(
                    f"{lower!r} and {upper!r} both decide {hook!r}, and neither is built on the other: use one of them"
                    f"{built_on}"
                )

    # -- collections -----------------------------------------------------------------------------------------

    def collected(self, hook: str, **arguments: object) -> list[Any]:
        """All answers to a collecting hook, checked: the base first, plugins of the same level by name.

        So the order in which a stack is named does not matter.
        """
        by: list[str] = []
        found: list[Any] = []
        for implementation in sorted(self._all(hook), key=lambda each: self._level(each.plugin_name)):
            name = implementation.plugin_name
            if implementation.wrapper:
                raise PluginError(f"hook {hook!r} of plugin {name!r} collects: it cannot be wrapped")
            values = {each: arguments[each] for each in implementation.argnames}
            call = partial(_listed, hook, name, partial(implementation.function, **values))
            listed = self.guarded(f"hook {hook!r}", name, call)
            if listed:
                by.append(name)
                found += listed
                self.given_by.update((id(each), name) for each in listed)
        self.provenance.append(Provenance(hook, tuple(by)))
        return found

    def _level(self, name: str) -> tuple[bool, int, str]:
        """The core and the plugins of the map come first; then those that are built on the fewest plugins."""
        return name not in (*BUILT_IN, *self._base), depth(name, self.requires), name

    # -- the manager -------------------------------------------------------------------------------------------

    def guarded(self, what: str, who: str, call: Callable[[], T]) -> T:
        """Call into a plugin; whatever it raises becomes a `PluginError` that names it."""
        try:
            return call()
        except PluginError:
            raise
        except Exception as error:
            raise PluginError(f"{what} failed in {who}: {type(error).__name__}: {error}") from error

    def _caller(self, hook: str) -> pluggy.HookCaller:
        return cast(pluggy.HookCaller, getattr(self.manager.hook, hook))

    def _all(self, hook: str) -> list[pluggy.HookImpl]:
        return self._caller(hook).get_hookimpls()

    def _plain(self, hook: str) -> list[pluggy.HookImpl]:
        return [each for each in self._all(hook) if not each.wrapper]

    def _wrappers(self, hook: str) -> list[pluggy.HookImpl]:
        return [each for each in self._all(hook) if each.wrapper]


def _is_tuple_of(kind: type, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in cast("tuple[object, ...]", value))


def _fits(kind: type, value: object) -> bool:
    """Whether an item is what the hook collects: an instance, or a type of event."""
    return (isinstance(value, type) and issubclass(value, Event)) if kind is Event else isinstance(value, kind)


def _noting(implementation: pluggy.HookImpl, given: list[tuple[str, Any]]) -> Callable[..., object]:
    """Wrap a hook function so that it records its plugin's name and its answer, if it has one."""
    function = implementation.function

    def noted(*arguments: object) -> object:
        answer = function(*arguments)
        if answer is not None:
            given.append((implementation.plugin_name, answer))
        return answer

    return noted


def _watching(
    implementation: pluggy.HookImpl, adjusted: list[tuple[str, Any]], unchanged: list[str]
) -> Callable[..., object]:
    """Wrap a wrapper so that it records its plugin's name and its answer, if it differs from the answer below."""
    function, name = implementation.function, implementation.plugin_name

    def watched(*arguments: object) -> Generator[None, object, object]:
        wrapper = cast("Generator[object, object, object]", function(*arguments))
        if next(wrapper, wrapper) is wrapper:
            raise RuntimeError(f"the wrapper of plugin {name!r} does not yield, which asks for the answer from below")
        below: object = None  # the answer if those below fail
        try:
            below = yield
        except BaseException as error:  # noqa: BLE001 (passed on to the wrapper, which may still answer)
            following = partial(wrapper.throw, error)
        else:
            following = partial(wrapper.send, below)
        try:
            following()
        except StopIteration as stop:
            if stop.value is not below and not (type(stop.value) is type(below) and stop.value == below):
                adjusted.append((name, stop.value))
            elif stop.value is below:
                unchanged.append(name)
            return cast("object", stop.value)
        raise RuntimeError(f"the wrapper of plugin {name!r} yields twice")

    return watched


def _listed(hook: str, name: str, call: Callable[[], object]) -> list[object]:
    """What a plugin returns from a collecting hook, as a list of items of the right type."""
    kind = COLLECTED[hook]
    answer = call()
    if answer is None:
        return []
    if isinstance(answer, str) or not hasattr(answer, "__iter__"):
        raise HookTypeError(
            f"hook {hook!r} of plugin {name!r} must give several of {kind.__name__}, not {brief(answer)}"
        )
    listed = list(cast("Iterable[object]", answer))
    for each in listed:
        if not _fits(kind, each):
            raise HookTypeError(f"hook {hook!r} of plugin {name!r} must give {kind.__name__}, not {brief(each)}")
    return listed
