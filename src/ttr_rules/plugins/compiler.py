"""From a stack of plugins to frozen `Rules`."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import attrs

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules._internal.messages import brief
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.extensions import PartSpec
from ttr_rules.kernel.hints import guarded_hint
from ttr_rules.kernel.map_marks import guarded_marks
from ttr_rules.kernel.plugin import settings_of
from ttr_rules.kernel.provenance import Provenance
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.board import Board
from ttr_rules.model.components import Components
from ttr_rules.model.tickets import DrawCounts, TicketDeck
from ttr_rules.plugins.discovery import info_of, split_name
from ttr_rules.plugins.hook_calls import HookCalls
from ttr_rules.plugins.own_names import told_apart
from ttr_rules.plugins.own_parts import links_apart, parts_apart
from ttr_rules.plugins.pickling import reduced
from ttr_rules.plugins.resolve import resolve
from ttr_rules.plugins.stack_checks import (
    check_components,
    check_is_complete,
    check_numbers,
    check_passing,
    check_points,
    check_rules,
    check_says_what_it_answers,
)
from ttr_rules.plugins.type_tags import types_of

_compiled: dict[tuple[object, ...], Rules] = {}


def compile_rules(*stack: object, rulings: Mapping[str, Any] | None = None, board: Board | None = None) -> Rules:
    """Compile a stack of plugins, base first, to rules.

    A plugin is given by its installed name, with options as in "europe:tie_break=P6", as a module, or as a frozen
    instance. `rulings` sets options of the plugins by name; `board` replaces the map with your own. Stacks given by
    names are compiled once and cached.

    Raises `UnknownPluginError`, `PluginConflictError`, `HookTypeError` or another `PluginError` for a stack that
    cannot be compiled, `InvalidInputError` for rulings that do not exist.

    >>> rules = compile_rules("europe")
    >>> rules.draw_counts.drawn, len(rules.board.routes)
    (3, 101)
    >>> compile_rules("europe", rulings={"station_choice": "ask"}).options["europe"]["station_choice"]
    'ask'
    """
    if board is not None and not isinstance(board, Board):
        raise InvalidInputError(f"expected a board, as load_board gives it, got {brief(board)}")
    if board is not None or not all(isinstance(each, str) for each in stack):
        return _compile(stack, board, rulings)
    names = tuple(dict.fromkeys(name for name in stack if isinstance(name, str)))
    try:
        ruled = None if rulings is None else frozenset(map(_typed, rulings.items()))
        key = (names, ruled)
        if key not in _compiled:
            _compiled[key] = _compile(names, None, rulings)
    except (TypeError, AttributeError):  # unhashable values, which no ruling has, or not a mapping
        return _compile(names, None, rulings)
    return _compiled[key]


def _reduced(rules: Rules) -> tuple[Callable[..., Rules], tuple[object, ...]]:
    return reduced(rules, compile_rules, rules.derived(_fingerprint_here))


def _fingerprint_here(rules: Rules) -> str:
    """The fingerprint of the rules that this stack compiles to here."""
    return compile_rules(*rules.recipe, board=rules.own_board).fingerprint


copyreg.pickle(Rules, _reduced)


def recompiled(rules: Rules, rulings: Mapping[str, Any]) -> Rules:
    """The same stack with other rulings."""
    return compile_rules(*rules.recipe, rulings=rulings, board=rules.own_board)


def _typed(ruling: tuple[str, object]) -> tuple[str, object, type[object]]:
    """A ruling by type and value: 1 equals True, but is not a boolean."""
    name, value = ruling
    return name, value, type(value)


def _compile(
    stack: Sequence[object], own_board: Board | None, rulings: Mapping[str, Any] | None, *, tickets: bool = True
) -> Rules:
    resolved = resolve(stack, rulings)
    ask = HookCalls(resolved)
    plugins = [(each.name, each.plugin) for each in resolved if not each.below]
    aliases = {alias: each.name for each in resolved for alias in info_of(each.plugin).aliases}
    given = [split_name(each)[0] if isinstance(each, str) else info_of(each).name for each in stack]
    requested = tuple(aliases.get(name, name) for name in given)
    names = tuple(name for name, _ in plugins)
    board = _board(ask, names, own_board)
    components: Components = ask.value("components", board=board)
    check_components(ask, components)
    cars: Mapping[str, int] = ask.value("route_cars", board=board)
    points: Mapping[str, int] = ask.value("route_points", board=board)
    check_numbers(ask, "route_cars", board, cars)
    check_numbers(ask, "route_points", board, points)
    deck: TicketDeck = ask.value("ticket_deck", board=board) if tickets else TicketDeck({})
    setup = ask.value("setup", board=board, deck=deck) if tickets else ()
    draw_counts: DrawCounts = ask.value("draw_counts")
    economy: Economy = ask.value("economy", board=board, components=components)
    paying = [*ask.provenance[-1].by, *ask.provenance[-1].adjusted][-1]
    own_rules = ask.guarded("action_rules of the economy", paying, lambda: list(economy.action_rules()))
    ask.given_by.update((id(rule), paying) for rule in own_rules)
    more_rules = _action_rules(ask, economy, board, paying)
    offered = [*own_rules, *more_rules]
    for rule in offered:
        check_says_what_it_answers(rule, ask.given_by[id(rule)])
        check_is_complete(rule, ask.given_by[id(rule)])
    for rule in more_rules:
        check_passing(rule, ask.given_by[id(rule)])
    taken = {(rule.on, rule.action) for rule in offered if rule.replaces}
    action_rules = [
        rule
        for rule in offered
        if rule.action not in economy.replaces and (rule.replaces or (rule.on, rule.action) not in taken)
    ]
    named = told_apart(ask, ask.value("bonuses"), ask.value("tie_break"), ask.collected("scoring_terms"))
    specs: list[PartSpec] = ask.collected("state_parts")
    rules = Rules(
        stack=names,
        requested=requested,
        aliases=FrozenMap(aliases),
        recipe=tuple(stack) if rulings is None else tuple(plugin for _, plugin in plugins),
        own_board=own_board,
        options=FrozenMap({name: _values(plugin) for name, plugin in plugins}),
        plugins=FrozenMap(_by_type(each.plugin for each in resolved)),
        save_versions=FrozenMap({name: info_of(plugin).save_version for name, plugin in plugins}),
        board=board,
        components=components,
        route_cars=cars,
        route_points=points,
        deck=deck,
        setup=setup,
        draw_counts=draw_counts,
        economy=economy,
        bonuses=named.bonuses,
        tie_break=named.tie_break,
        scoring_terms=named.terms,
        ticket_links=links_apart(ask, ask.collected("ticket_links")),
        after_claims=tuple(ask.collected("after_claims")),
        endings=tuple(ask.collected("endings")),
        claim_conditions=tuple(ask.collected("claim_conditions")),
        cost_changes=tuple(ask.collected("cost_changes")),
        guards=tuple(ask.collected("guards")),
        follow_ups=tuple(ask.collected("follow_ups")),
        turn_begins=tuple(ask.collected("turn_begins")),
        turn_ends=tuple(ask.collected("turn_ends")),
        part_specs=parts_apart(ask, specs, economy),
        part_owners=FrozenMap({spec.type: ask.given_by[id(spec)] for spec in specs}),
        action_rules=tuple(action_rules),
        bot_hints=tuple(guarded_hint(each, ask.given_by[id(each)]) for each in ask.collected("bot_hints")),
        map_marks=tuple(guarded_marks(each, ask.given_by[id(each)]) for each in ask.collected("map_marks")),
        rule_files=(*ask.collected("rulebooks"), *economy.rulebooks()),
        catalogs=tuple(dict.fromkeys(ask.collected("catalogs"))),
        types=FrozenMap(types_of(ask, dict(plugins), economy, action_rules)),
        provenance=tuple(ask.provenance),
        upcasters=FrozenMap(dict(_upcasters(plugins))),
    )
    if not tickets:
        return rules
    check_rules(rules)
    more = ask.collected("problems", rules=rules)
    if more:
        raise PluginError("\n  ".join([f"the stack {rules} cannot be played:", *more]))
    notes = tuple(ask.collected("notes", rules=rules))
    return attrs.evolve(rules, notes=notes) if notes else rules


def _values(plugin: object) -> Mapping[str, object]:
    return FrozenMap({name: each.value for name, each in settings_of(plugin).items()})


def _by_type(plugins: Iterable[object]) -> dict[type, object]:
    """The plugins that are instances, by their classes and base classes."""
    found: dict[type, object] = {}
    for plugin in plugins:
        if not isinstance(plugin, ModuleType):
            found.update(dict.fromkeys(type(plugin).__mro__[:-1], plugin))
    return found


def compile_without_tickets(*stack: object) -> Rules:
    """Compile a stack whose tickets may be unknown, for pictures of its board: no game can be played by these rules.

    Raises `PluginError` for plugins that are not installed, conflict, or have no board.

    >>> [marks.name for marks in compile_without_tickets("marklin").map_marks]
    ['passengers']
    """
    return _compile(stack, None, None, tickets=False)


def _board(ask: HookCalls, names: Sequence[str], own_board: Board | None) -> Board:
    if own_board is not None:
        ask.provenance.append(Provenance("board", ("the caller",)))
        check_points(own_board)
        return own_board
    if not ask.manager.hook.board.get_hookimpls():
        raise PluginError(f"the stack {' + '.join(names) or '()'} has no map: add a plugin with one, or give board=")
    board: Board = ask.value("board")
    check_points(board)
    return board


def _upcasters(plugins: Iterable[tuple[str, object]]) -> Iterator[tuple[str, Any]]:
    """The functions `upcast` of the plugins that have one."""
    for name, plugin in plugins:
        step = getattr(plugin, "upcast", None)
        if callable(step):
            yield name, step


def _action_rules(ask: HookCalls, economy: Economy, board: Board, paying: str) -> list[ActionRule[Any, Any]]:
    """The action rules of all plugins; creating them asks the economy for prices, which may fail too."""
    try:
        return ask.collected("action_rules", economy=economy, board=board)
    except PluginError as error:
        raise type(error)(f"{error} (with the economy of {paying!r})") from error
