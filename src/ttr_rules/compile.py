"""From a stack of plugins to frozen `Rules`: every hook is called once, and what does not fit is an error."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, cast, get_args, get_type_hints

import attrs
import pluggy

from . import defaults, events, hooks
from .actions import Pass
from .board import Board
from .economy import Economy
from .engine import ActionRule
from .errors import HookTypeError, InvalidInputError, PluginConflictError, PluginError, brief
from .events import Event
from .plugins import info_of, load_plugin, options_of
from .rules import Answered, Components, Ending, PartSpec, Rules, Rulings
from .scores import Bonus, ScoringTerm, TicketLink, TieBreak
from .tickets import DrawCounts, Stage, TicketDeck

#: The type that each value hook returns, or that the members of its tuple have.
VALUES: Mapping[str, type | tuple[type]] = {
    "board": Board,
    "components": Components,
    "ticket_deck": TicketDeck,
    "setup": (Stage,),
    "draw_counts": DrawCounts,
    "economy": Economy,
    "rulings": Rulings,
    "bonuses": (Bonus,),
    "tie_break": (TieBreak,),
}
#: The type of what each collecting hook returns several of.
COLLECTED: Mapping[str, type] = {
    "action_rules": ActionRule,
    "state_parts": PartSpec,
    "event_types": type,
    "scoring_terms": ScoringTerm,
    "ticket_links": TicketLink,
    "endings": Ending,
    "problems": str,
}

_cache: dict[object, Rules] = {}


def compile_rules(
    *stack: object,
    rulings: Rulings | Mapping[str, Any] | None = None,
    board: Board | None = None,
) -> Rules:
    """Compile a stack of plugins, base first, to rules.

    A plugin is given by its installed name, as a module, or as a frozen instance. `rulings` overrides those of
    the stack, as a whole or, given as a mapping, field by field; `board` plays the stack on a map of one's own.

    Raises `UnknownPluginError`, `PluginConflictError`, `HookTypeError` or another `PluginError` for a stack that
    cannot be, `InvalidInputError` for rulings that do not exist.

    >>> rules = compile_rules("europe")
    >>> rules.draw_counts.drawn, len(rules.board.routes)
    (3, 101)
    """
    try:
        key = (stack, rulings if not isinstance(rulings, Mapping) else tuple(sorted(rulings.items())), id(board))
        cached = _cache.get(key) if all(isinstance(each, str) for each in stack) and board is None else None
    except TypeError:
        key, cached = None, None
    if cached is None:
        cached = _compile(_resolve(stack), rulings, board)
        if key is not None and board is None and all(isinstance(each, str) for each in stack):
            _cache[key] = cached
    return cached


def _resolve(stack: Sequence[object]) -> list[tuple[str, object]]:
    """The plugins of a stack with those they require, each before the first that needs it."""
    found: dict[str, object] = {}
    wanted: list[str] = []

    def add(given: object) -> None:
        if isinstance(given, str) and given in found:
            return
        plugin = load_plugin(given) if isinstance(given, str) else given
        info = info_of(plugin)
        if info.name in found:
            if found[info.name] is plugin or isinstance(given, str):
                return
            raise PluginConflictError(f"two plugins of this stack are called {info.name!r}")
        if info.name in wanted:
            raise PluginError(f"plugins require each other in a circle: {' → '.join([*wanted, info.name])}")
        wanted.append(info.name)
        for name in info.requires:
            # A plugin that is given further on as an object of its own serves as well as an installed one.
            given_here = next((p for p in stack if not isinstance(p, str) and info_of(p).name == name), name)
            add(given_here)
        wanted.remove(info.name)
        found[info.name] = plugin

    for given in stack:
        add(given)
    return list(found.items())


class _Asker:
    """Calls each hook once and keeps who answered."""

    def __init__(self, plugins: list[tuple[str, object]]) -> None:
        self.manager = pluggy.PluginManager(hooks.PROJECT)
        self.manager.add_hookspecs(hooks)
        self.names = [name for name, _ in plugins]
        self.requires = {name: info_of(plugin).requires for name, plugin in plugins}
        self.answered: list[Answered] = []
        self.given_by: dict[int, str] = {}
        for name, plugin in [("core", cast(object, defaults)), *plugins]:
            try:
                self.manager.register(plugin, name)
            except pluggy.PluginValidationError as error:
                raise PluginError(f"plugin {name!r}: {error}") from error
        try:
            self.manager.check_pending()
        except pluggy.PluginValidationError as error:
            raise PluginError(f"there is no such hook: {error}") from error

    def value(self, hook: str, **arguments: object) -> Any:
        """The answer to a value hook, checked."""
        self._check_conflict(hook)
        answer = self._call(hook, arguments)
        wanted = VALUES[hook]
        if isinstance(wanted, tuple):
            fits = isinstance(answer, tuple) and all(
                isinstance(each, wanted) for each in cast("tuple[object, ...]", answer)
            )
            name = f"a tuple of {wanted[0].__name__}"
        else:
            fits = isinstance(answer, wanted)
            name = f"a {wanted.__name__}"
        if not fits:
            raise HookTypeError(f"hook {hook!r} must give {name}, not {answer!r}; asked: {self._chain(hook)}")
        return cast(Any, answer)

    def collected(self, hook: str, **arguments: object) -> list[Any]:
        """All answers to a collecting hook, checked: the base first, plugins on a level by name.

        So the order of a stack means nothing to what is collected.
        """
        by: list[str] = []
        found: list[Any] = []
        for implementation in sorted(self._caller(hook).get_hookimpls(), key=lambda i: self._level(i.plugin_name)):
            values = {name: arguments[name] for name in implementation.argnames}
            if implementation.wrapper or implementation.hookwrapper:
                raise PluginError(
                    f"hook {hook!r} of plugin {implementation.plugin_name!r} collects: it cannot be wrapped"
                )
            answer = self._guarded(hook, implementation.plugin_name, partial(implementation.function, **values))
            if answer is None:
                continue
            if isinstance(answer, str) or not isinstance(answer, Iterable):
                raise HookTypeError(
                    f"hook {hook!r} of plugin {implementation.plugin_name!r} must give several {COLLECTED[hook].__name__}, not {answer!r}"
                )
            listed = list(cast("Iterable[object]", answer))
            for each in listed:
                if not isinstance(each, COLLECTED[hook]):
                    raise HookTypeError(
                        f"hook {hook!r} of plugin {implementation.plugin_name!r} must give {COLLECTED[hook].__name__}s, not {each!r}"
                    )
            if listed:
                by.append(implementation.plugin_name)
                found += listed
                self.given_by.update((id(each), implementation.plugin_name) for each in listed)
        self.answered.append(Answered(hook, tuple(by)))
        return found

    def _caller(self, hook: str) -> pluggy.HookCaller:
        return cast(pluggy.HookCaller, getattr(self.manager.hook, hook))

    def _call(self, hook: str, arguments: dict[str, object]) -> object:
        plain = [i for i in self._caller(hook).get_hookimpls() if not i.wrapper and not i.hookwrapper]
        wrappers = tuple(i.plugin_name for i in self._caller(hook).get_hookimpls() if i.wrapper or i.hookwrapper)
        answer = self._guarded(hook, ", ".join(self._chain(hook)), lambda: self._caller(hook)(**arguments))
        self.answered.append(Answered(hook, (plain[-1].plugin_name,) if plain else (), wrappers))
        return answer

    def _guarded(self, hook: str, who: str, call: Callable[[], object]) -> object:
        try:
            return call()
        except PluginError:
            raise
        except Exception as error:
            raise PluginError(f"hook {hook!r} failed in {who}: {type(error).__name__}: {error}") from error

    def _chain(self, hook: str) -> list[str]:
        return [implementation.plugin_name for implementation in reversed(self._caller(hook).get_hookimpls())]

    def _check_conflict(self, hook: str) -> None:
        """Of two plugins that replace a value the upper must require the lower, directly or not."""
        plain = [i.plugin_name for i in self._caller(hook).get_hookimpls() if not i.wrapper and i.plugin_name != "core"]
        for lower, upper in pairwise(plain):
            if lower not in self._required(upper):
                raise PluginConflictError(
                    f"{lower!r} and {upper!r} both decide {hook!r}, and neither is built on the other: use one of them"
                )

    def _level(self, name: str) -> tuple[int, str]:
        """How far a plugin is from the core: one more than what it requires."""
        if name == "core":
            return 0, name
        return 1 + max((self._level(each)[0] for each in self.requires[name]), default=0), name

    def _required(self, name: str) -> set[str]:
        found: set[str] = set()
        waiting = list(self.requires.get(name, ()))
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self.requires.get(each, ())
        return found


def _compile(
    plugins: list[tuple[str, object]], rulings: Rulings | Mapping[str, Any] | None, own_board: Board | None
) -> Rules:
    ask = _Asker(plugins)
    board: Board
    if own_board is not None:
        board = own_board
        ask.answered.append(Answered("board", ("the caller",)))
    elif not ask.manager.hook.board.get_hookimpls():
        raise PluginError(
            f"the stack {' + '.join(ask.names) or '()'} has no map: add a plugin with a board, or give board="
        )
    else:
        board = ask.value("board")
    components: Components = ask.value("components", board=board)
    deck: TicketDeck = ask.value("ticket_deck", board=board)
    setup = ask.value("setup", board=board, deck=deck)
    draw_counts: DrawCounts = ask.value("draw_counts")
    economy: Economy = ask.value("economy", board=board, components=components)
    offered = [*economy.action_rules(), *ask.collected("action_rules", economy=economy, board=board)]
    action_rules = [rule for rule in offered if rule.action not in economy.replaces]
    rules = Rules(
        stack=tuple(name for name, _ in plugins),
        options={name: options_of(plugin) for name, plugin in plugins},
        board=board,
        components=components,
        deck=deck,
        setup=setup,
        draw_counts=draw_counts,
        economy=economy,
        rulings=merged_rulings(ask.value("rulings"), rulings),
        bonuses=ask.value("bonuses"),
        tie_break=ask.value("tie_break"),
        scoring_terms=tuple(ask.collected("scoring_terms")),
        ticket_links=tuple(ask.collected("ticket_links")),
        endings=tuple(ask.collected("endings")),
        part_specs=tuple(ask.collected("state_parts")),
        action_rules=tuple(action_rules),
        types=_types(ask, action_rules),
        answered=(),
    )
    object.__setattr__(rules, "answered", tuple(ask.answered))
    _check(rules)
    more = ask.collected("problems", rules=rules)
    if more:
        raise PluginError("\n  ".join([f"the stack {rules} cannot be played:", *more]))
    return rules


def _types(ask: _Asker, action_rules: list[ActionRule[Any, Any]]) -> dict[str, type[Any]]:
    """Every type of action, decision and event of these rules under its tag in saved games: plugin and class."""
    found: dict[str, type[Any]] = {}

    def add(kind: type[Any], plugin: str) -> None:
        owner = "core" if kind.__module__.startswith("ttr_rules.") else plugin
        tag = f"{owner}.{kind.__name__}"
        if found.setdefault(tag, kind) is not kind:
            raise PluginError(f"plugin {plugin!r} has two types called {kind.__name__}")

    for _, kind in inspect.getmembers(events, inspect.isclass):
        if issubclass(kind, Event) and kind is not Event:
            add(kind, "core")
    add(Pass, "core")
    for kind in ask.collected("event_types"):
        add(kind, ask.given_by[id(kind)])
    paying = next(answer.by[0] for answer in ask.answered if answer.hook == "economy")
    for rule in action_rules:
        plugin = ask.given_by.get(id(rule), paying)
        add(rule.on, plugin)
        add(rule.action, plugin)
    return found


def merged_rulings(default: Rulings, given: Rulings | Mapping[str, Any] | None) -> Rulings:
    """The rulings of a stack with those of a caller: all of them, or field by field.

    Raises `InvalidInputError` for a ruling or a value that does not exist.
    """
    if given is None or isinstance(given, Rulings):
        return default if given is None else given
    known = {field.name for field in attrs.fields(Rulings)}
    for name in given:
        if name not in known:
            raise InvalidInputError(f"there is no ruling {name!r}; there are {', '.join(sorted(known))}")
    merged = {**attrs.asdict(default), **given}
    hints = get_type_hints(Rulings)
    for name, value in merged.items():
        allowed = get_args(hints[name]) or (True, False)
        if not any(value is one or (isinstance(value, str) and value == one) for one in allowed):
            raise InvalidInputError(f"the ruling {name!r} is {' or '.join(map(repr, allowed))}, not {brief(value)}")
    return Rulings(**merged)


def _check(rules: Rules) -> None:
    """What pluggy does not check: one rule a pair of decision and action, one part a type, piles that are there."""
    pairs: set[tuple[object, object]] = set()
    for rule in rules.action_rules:
        pair = (rule.on, rule.action)
        if pair in pairs:
            raise PluginConflictError(
                f"two rules of the stack {rules} answer {rule.on.__name__} with {rule.action.__name__}"
            )
        pairs.add(pair)
    types = [spec.type for spec in rules.part_specs]
    for kind in types:
        if types.count(kind) > 1:
            raise PluginConflictError(f"two plugins of the stack {rules} keep a part {kind.__name__}")
    most = rules.components.max_players
    dealt: dict[str, int] = {}
    for number, stage in enumerate(rules.setup):
        for deal in stage.deals:
            dealt[deal.pile] = dealt.get(deal.pile, 0) + deal.count
            there = len(rules.deck.piles.get(deal.pile, ()))
            if there < dealt[deal.pile] * rules.components.min_players:
                raise PluginError(
                    f"stage {number + 1} of the set-up of {rules} deals {deal.count} {deal.pile} tickets to each player, "
                    f"but the deck holds {there} (for up to {most} players)"
                )
