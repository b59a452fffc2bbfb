"""From a stack of plugins to frozen `Rules`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs

from ttr_rules.errors import InvalidInputError, PluginConflictError, PluginError, brief
from ttr_rules.kernel import events
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.engine import ActionRule
from ttr_rules.kernel.events import Event
from ttr_rules.kernel.rules import Components, Provenance, Rules, Rulings
from ttr_rules.model.actions import Pass
from ttr_rules.model.board import Board
from ttr_rules.model.decisions import HiddenDecision
from ttr_rules.model.tickets import DrawCounts, TicketDeck
from ttr_rules.plugins.discovery import info_of, load_plugin, options_of, split_name
from ttr_rules.plugins.hook_calls import CORE, HookCalls
from ttr_rules.plugins.stack_checks import check_points, check_rules, check_says_what_it_answers

_compiled: dict[tuple[str, ...], Rules] = {}
_ruled: dict[tuple[tuple[str, ...], Rulings], Rules] = {}


def compile_rules(
    *stack: object,
    rulings: Rulings | Mapping[str, Any] | None = None,
    board: Board | None = None,
) -> Rules:
    """Compile a stack of plugins, base first, to rules.

    A plugin is given by its installed name, as a module, or as a frozen instance. `rulings` overrides those of
    the stack, as a whole or, given as a mapping, field by field; `board` plays the stack on a map of one's own.
    Stacks of names are compiled once and kept.

    Raises `UnknownPluginError`, `PluginConflictError`, `HookTypeError` or another `PluginError` for a stack that
    cannot be, `InvalidInputError` for rulings that do not exist.

    >>> rules = compile_rules("europe")
    >>> rules.draw_counts.drawn, len(rules.board.routes)
    (3, 101)
    """
    if board is not None and not isinstance(board, Board):
        raise InvalidInputError(f"a board is needed, as load_board gives it, not {brief(board)}")
    names = tuple(dict.fromkeys(name for name in stack if isinstance(name, str)))
    if board is not None or not all(isinstance(each, str) for each in stack):
        rules = _compile(stack, board)
        return _with_rulings(rules, merged_rulings(rules.rulings, rulings))
    if names not in _compiled:
        _compiled[names] = _compile(names, None)
    rules = _compiled[names]
    merged = merged_rulings(rules.rulings, rulings)
    if merged == rules.rulings:
        return rules
    if (names, merged) not in _ruled:
        _ruled[names, merged] = _with_rulings(rules, merged)
    return _ruled[names, merged]


def _with_rulings(rules: Rules, rulings: Rulings) -> Rules:
    return rules if rulings == rules.rulings else attrs.evolve(rules, rulings=rulings)


def merged_rulings(default: Rulings, given: Rulings | Mapping[str, Any] | None) -> Rulings:
    """The rulings of a stack with those of a caller: all of them, or field by field.

    Raises `InvalidInputError` for a ruling or a value that does not exist.
    """
    if given is None:
        return default
    if isinstance(given, Rulings):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"rulings are `Rulings` or a mapping of some of them, not {brief(given)}")
    known = [field.name for field in attrs.fields(Rulings)]
    for name in given:
        if name not in known:
            raise InvalidInputError(f"there is no ruling {brief(name)}; there are {', '.join(known)}")
    return attrs.evolve(default, **given)


def _resolve(stack: Sequence[object]) -> list[tuple[str, object]]:
    """The plugins of a stack with those they require, each before the first that needs it."""
    objects = {info_of(each).name: each for each in reversed(stack) if not isinstance(each, str)}
    found: dict[str, object] = {}
    wanted: list[str] = []

    def add(given: object) -> None:
        if isinstance(given, str) and given in found:
            return  # required, and there already
        try:
            plugin = load_plugin(given) if isinstance(given, str) else given
        except PluginError as error:
            if not wanted:
                raise
            raise type(error)(f"plugin {wanted[-1]!r} requires {given!r}: {error}") from error
        info = info_of(plugin)
        if info.name == CORE:
            raise PluginConflictError(f"no plugin can be called {CORE!r}: that is the library's own")
        if info.name in found:
            if found[info.name] is plugin or isinstance(given, str):
                return
            raise PluginConflictError(f"two plugins of this stack are called {info.name!r}")
        if info.name in wanted:
            raise PluginError(f"plugins require each other in a circle: {' → '.join([*wanted, info.name])}")
        wanted.append(info.name)
        for name in info.requires:
            add(objects.get(name, name))  # one that is given as an object serves as well as an installed one
        wanted.remove(info.name)
        found[info.name] = plugin

    for given in stack:
        add(given)
    return list(found.items())


def _compile(stack: Sequence[object], own_board: Board | None) -> Rules:
    plugins = _resolve(stack)
    ask = HookCalls(plugins)
    asked_for = tuple(split_name(each)[0] if isinstance(each, str) else info_of(each).name for each in stack)
    names = tuple(name for name, _ in plugins)
    board: Board
    if own_board is not None:
        board = own_board
        ask.provenance.append(Provenance("board", ("the caller",)))
    elif not ask.manager.hook.board.get_hookimpls():
        raise PluginError(f"the stack {' + '.join(names) or '()'} has no map: add a plugin with one, or give board=")
    else:
        board = ask.value("board")
    check_points(board)
    components: Components = ask.value("components", board=board)
    deck: TicketDeck = ask.value("ticket_deck", board=board)
    setup = ask.value("setup", board=board, deck=deck)
    draw_counts: DrawCounts = ask.value("draw_counts")
    economy: Economy = ask.value("economy", board=board, components=components)
    paying = [*ask.provenance[-1].by, *ask.provenance[-1].adjusted][-1]
    own_rules = ask.guarded("action_rules of the economy", paying, lambda: list(economy.action_rules()))
    ask.given_by.update((id(rule), paying) for rule in own_rules)
    offered = [*own_rules, *_action_rules(ask, economy, board, paying)]
    for rule in offered:
        check_says_what_it_answers(rule, ask.given_by[id(rule)])
    action_rules = [rule for rule in offered if rule.action not in economy.replaces]
    rules = Rules(
        stack=names,
        asked_for=asked_for,
        options=MappingProxyType({name: options_of(plugin) for name, plugin in plugins}),
        save_versions=MappingProxyType({name: info_of(plugin).save_version for name, plugin in plugins}),
        board=board,
        components=components,
        deck=deck,
        setup=setup,
        draw_counts=draw_counts,
        economy=economy,
        rulings=ask.value("rulings"),
        bonuses=ask.value("bonuses"),
        tie_break=ask.value("tie_break"),
        scoring_terms=tuple(ask.collected("scoring_terms")),
        ticket_links=tuple(ask.collected("ticket_links")),
        after_claims=tuple(ask.collected("after_claims")),
        endings=tuple(ask.collected("endings")),
        part_specs=tuple(ask.collected("state_parts")),
        action_rules=tuple(action_rules),
        types=MappingProxyType(_types(ask, action_rules)),
        provenance=tuple(ask.provenance),
        upcasters=MappingProxyType(dict(_upcasters(plugins))),
    )
    check_rules(rules)
    more = ask.collected("problems", rules=rules)
    if more:
        raise PluginError("\n  ".join([f"the stack {rules} cannot be played:", *more]))
    return rules


def _upcasters(plugins: Iterable[tuple[str, object]]) -> Iterator[tuple[str, Any]]:
    """The functions `upcast` of the plugins that have one."""
    for name, plugin in plugins:
        step = getattr(plugin, "upcast", None)
        if callable(step):
            yield name, step


def _action_rules(ask: HookCalls, economy: Economy, board: Board, paying: str) -> list[ActionRule[Any, Any]]:
    """The action rules of all plugins; in making them they ask the economy for prices, which may fail too."""
    try:
        return ask.collected("action_rules", economy=economy, board=board)
    except PluginError as error:
        raise type(error)(f"{error} (with the economy of {paying!r})") from error


def _types(ask: HookCalls, action_rules: Sequence[ActionRule[Any, Any]]) -> dict[str, type[Any]]:
    """Every type of action, decision and event of these rules under its tag in saved games: plugin and class."""
    found: dict[str, type[Any]] = {}

    def add(kind: type[Any], plugin: str) -> None:
        owner = CORE if kind.__module__.startswith("ttr_rules.") else plugin
        tag = f"{owner}.{kind.__name__}"
        if found.setdefault(tag, kind) is not kind:
            raise PluginError(f"plugin {plugin!r} has two types called {kind.__name__}")

    for _, kind in inspect.getmembers(events, inspect.isclass):
        if issubclass(kind, Event) and kind is not Event:
            add(kind, CORE)
    add(Pass, CORE)
    add(HiddenDecision, CORE)  # what others see of a decision
    for kind in ask.collected("event_types"):
        add(kind, ask.given_by[id(kind)])
    for rule in action_rules:
        plugin = ask.given_by[id(rule)]
        add(rule.on, plugin)
        add(rule.action, plugin)
    return found
