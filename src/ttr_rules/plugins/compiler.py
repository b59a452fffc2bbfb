"""From a stack of plugins to `Rules`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import attrs
from attrs import field, frozen

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.errors import InvalidInputError, PluginError, Refusal, blamed
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.choices import Choice, choice_rule, choice_values, with_passing
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.extensions import (
    ClaimCondition,
    CostChange,
)
from ttr_rules.kernel.hints import RouteValues, guarded_hint
from ttr_rules.kernel.map_marks import MapMarks
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import Provenance, settings_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import Bonus, ScoringTerm, TieBreak
from ttr_rules.kernel.state import State
from ttr_rules.kernel.variant import Variant
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.tickets import Components, DrawCounts, RuleFile, Setup, TicketDeck
from ttr_rules.plugins.core import default_setup
from ttr_rules.plugins.discovery import as_plugin, catalogs, info_of, rule_files, split_name
from ttr_rules.plugins.hook_calls import HookCalls, Method
from ttr_rules.plugins.resolve import Resolved, resolve
from ttr_rules.plugins.stack_checks import (
    check_components,
    check_is_complete,
    check_keys,
    check_names,
    check_numbers,
    check_options,
    check_passing,
    check_points,
    check_replacements,
    check_rules,
    check_says_what_it_answers,
    own_kinds,
    types_of,
)
from ttr_rules.text import brief
from ttr_rules.train_cards.economy import TrainCardsPlugin

#: So many answers are kept for the keys of one plugin.
MOST_KEPT = 10_000


def _same(method: Any) -> object:
    """The key by which methods compare: the plugin, which may be another object, and the function."""
    return getattr(method, "__self__", None), getattr(method, "__func__", method)


@frozen
class _Refusal:
    """A plugin's reason for not letting a seat claim a route, by the id of the route."""

    refuse: Method = field(eq=_same)

    def __call__(self, state: State, seat: int, route: str) -> Refusal | None:
        found: Refusal | None = self.refuse(state, seat, state.rules.board.routes[route])
        return found


def conditions(ask: HookCalls) -> list[ClaimCondition]:
    """The conditions of plugins on claims."""
    conditions: list[ClaimCondition] = []
    for plugin, refuse in ask.methods("claim_refusal"):
        closed, key = ask.method(plugin, "closed_routes"), ask.method(plugin, "claim_key")
        if closed is not None:
            conditions.append(ClaimCondition(plugin, _Refusal(refuse), _Numbered(closed)))
        elif key is not None:
            kept = _Kept(refuse, key)
            conditions.append(ClaimCondition(plugin, _Refusal(refuse), kept.closed, kept.lasting))
        else:
            conditions.append(ClaimCondition(plugin, _Refusal(refuse)))
    return conditions


@frozen
class _Numbered:
    """The routes that a plugin closes, which it numbers itself, as a mask."""

    closed: Callable[[State, int], Iterable[int]] = field(eq=_same)

    def __call__(self, state: State, seat: int) -> int:
        found = 0
        for route in self.closed(state, seat):
            found |= 1 << route
        return found


class _Kept:
    """The routes that a plugin closes, and those that stay closed, as masks, kept while its key is equal."""

    __slots__ = ("_kept", "key", "refuse")

    def __init__(self, refuse: Method, key: Method) -> None:
        self.refuse = refuse
        self.key = key
        self._kept: dict[tuple[int, Hashable], tuple[int, int]] = {}

    def closed(self, state: State, seat: int) -> int:
        """The routes that are closed now."""
        return self._masks(state, seat)[0]

    def lasting(self, state: State, seat: int) -> int:
        """Those that stay closed."""
        return self._masks(state, seat)[1]

    def _masks(self, state: State, seat: int) -> tuple[int, int]:
        key: Hashable = self.key(state, seat)
        known = None if key is None else self._kept.get((seat, key))
        if known is not None:
            return known
        closed = lasting = 0
        for number, route in enumerate(state.rules.board.routes.values()):
            refusal: Refusal | None = self.refuse(state, seat, route)
            if refusal is not None:
                closed |= 1 << number
                lasting |= refusal.lasting << number
        if key is not None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[seat, key] = closed, lasting
        return closed, lasting


def cost_changes(ask: HookCalls) -> list[CostChange]:
    """The changes of plugins to what claims cost."""
    return [CostChange(plugin, method, ask.method(plugin, "claim_key")) for plugin, method in ask.methods("claim_cost")]


def loans(ask: HookCalls, terms: Sequence[ScoringTerm]) -> list[tuple[str, Method]]:
    """The loans of plugins, each with the scoring term at which sheets show them: the last one of the plugin."""
    last = {ask.given_by.get(id(term), ""): term.name for term in terms}
    return [(last.get(plugin, plugin), method) for plugin, method in ask.methods("loans")]


def map_marks(ask: HookCalls) -> list[MapMarks]:
    """The marks that plugins add to pictures of the board."""
    return [
        MapMarks(plugin, method, getattr(ask.plugins[plugin], "legend", ""))
        for plugin, method in ask.methods("map_marks")
    ]


@frozen
class _Values:
    """The worth of routes, as bots ask for it."""

    method: Method = field(eq=_same)

    def __call__(self, view: View, rules: Rules) -> Mapping[str, float]:
        values: Mapping[str, float] = self.method(rules, view)
        return values


def route_values(ask: HookCalls) -> list[RouteValues]:
    """The worth of routes to bots, according to plugins."""
    hints: list[RouteValues] = []
    for plugin, method in ask.methods("route_values"):
        hints.append(RouteValues(_Values(method)))
        ask.given_by[id(hints[-1])] = plugin
    return hints


_compiled: dict[tuple[object, ...], Rules] = {}
#: The rules in use by what makes them equal but the plugins, so that a process has one object for each.
_in_use: WeakValueDictionary[tuple[object, ...], Rules] = WeakValueDictionary()
_lock = Lock()


class _CompiledRules(Rules):
    """Rules in plain Python, for what a compiled class lacks: they cannot be changed, and there can be weak references."""

    sealed = False

    def __setattr__(self, name: str, value: object) -> None:
        if self.sealed:
            raise attrs.exceptions.FrozenInstanceError
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the stack they were compiled from, which is compiled again."""
        for kind in self.types.values():
            if kind.__module__ == "__main__":  # cloudpickle pickles such a class, but not the names in its annotations
                with suppress(NameError):
                    attrs.resolve_types(kind)
        recipe = self.recipe, self.requested, self.own_board, self.more_tickets
        return _compiled_again, (*recipe, self.fingerprint, str(self))


def compile_rules(*stack: object, rulings: Mapping[str, Any] | None = None, board: Board | None = None) -> Rules:
    """Compile a stack of plugins, base first, to rules.

    A plugin is given by its installed name, with options as in "europe:tie_break=P6", as a class, or as an instance. `rulings` sets options of the plugins by name; `board` replaces the map with your own. Stacks given by
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
        return _shared(_compile(stack, board, rulings))
    names = tuple(dict.fromkeys(name for name in stack if isinstance(name, str)))
    try:
        ruled = None if rulings is None else frozenset(map(_typed, rulings.items()))
        key = (names, ruled)
        if key not in _compiled:
            _compiled[key] = _shared(_compile(names, None, rulings))
    except (TypeError, AttributeError):  # unhashable values, which no ruling has, or not a mapping
        return _shared(_compile(names, None, rulings))
    return _compiled[key]


def _shared(rules: Rules) -> Rules:
    """The rules in use that are equal to these: these, if there are none yet."""
    with _lock:
        key = rules.fingerprint, rules.requested, rules.own_board, rules.more_tickets
        known = _in_use.get(key)
        if known is not None and known == rules:
            return known
        _in_use[key] = rules
        return rules


def _compiled_again(
    recipe: tuple[object, ...],
    requested: tuple[str, ...],
    board: Board | None,
    more_tickets: tuple[Ticket, ...],
    fingerprint: str,
    title: str,
) -> Rules:
    """Compile rules that were pickled. Raises `PluginError` if they are others here."""
    known = _in_use.get((fingerprint, requested, board, more_tickets))
    if known is not None and known.recipe == recipe:
        return known
    rules = _shared(_compile(recipe, board, None, more_tickets, requested))
    if rules.fingerprint != fingerprint:
        raise PluginError(
            f"the rules {title} that were pickled are not those that the same stack makes here: their fingerprints differ. "
            "Use the same versions of the library and of the plugins on both sides"
        )
    return rules


def recompiled(rules: Rules, rulings: Mapping[str, Any]) -> Rules:
    """The same stack with other rulings."""
    return compile_rules(*rules.recipe, rulings=rulings, board=rules.own_board)


def with_tickets(rules: Rules, more: Iterable[Ticket]) -> Rules:
    """The same stack with more known tickets, for tables with tickets that are not in the decks."""
    tickets = (*rules.more_tickets, *more)
    if tickets == rules.more_tickets:
        return rules
    return _shared(_compile(rules.recipe, rules.own_board, None, tickets, rules.requested))


def _typed(ruling: tuple[str, object]) -> tuple[str, object, type[object]]:
    """A ruling by type and value: 1 equals True, but is not a boolean."""
    name, value = ruling
    return name, value, type(value)


def _compile(
    stack: Sequence[object],
    own_board: Board | None,
    rulings: Mapping[str, Any] | None,
    more_tickets: tuple[Ticket, ...] = (),
    requested: tuple[str, ...] | None = None,
    *,
    tickets: bool = True,
) -> Rules:
    """Compile a stack; `requested` are the names of its plugins where it holds what these require as well."""
    given = tuple(map(as_plugin, stack))
    resolved = resolve(given, rulings)
    ask = HookCalls(resolved)
    plugins = [(each.name, each.plugin) for each in resolved if not each.below]
    aliases = {alias: each.name for each in resolved for alias in info_of(each.plugin).aliases}
    if requested is None:
        named = [split_name(each)[0] if isinstance(each, str) else info_of(each).name for each in given]
        requested = tuple(aliases.get(name, name) for name in named)
    names = tuple(name for name, _ in plugins)
    board = _board(ask, names, own_board)
    components: Components = ask.value("components", board)
    check_components(ask, components)
    cars: Mapping[str, int] = ask.value("route_cars", board)
    points: Mapping[str, int] = ask.value("route_points", board)
    check_numbers(ask, "route_cars", board, cars)
    check_numbers(ask, "route_points", board, points)
    deck = TicketDeck({})
    setup: Setup = ()
    if tickets:
        deck = ask.value("ticket_deck", board)
        ask.default("setup", default_setup(deck))
        setup = ask.value("setup", board)
    draw_counts: DrawCounts = ask.value("draw_counts", board)
    economy: Economy = ask.value("economy", board)
    paying = [*ask.provenance[-1].by, *ask.provenance[-1].adjusted][-1]
    bonuses: Sequence[Bonus] = ask.value("bonuses", board)
    tie_breaks: Sequence[TieBreak] = ask.value("tie_breaks", board)
    rules = _CompiledRules(
        stack=names,
        requested=requested,
        options=FrozenMap({name: _values(plugin) for name, plugin in plugins}),
        plugins=FrozenMap(_by_type(each.plugin for each in resolved)),
        board=board,
        components=components,
        route_cars=cars,
        route_points=points,
        deck=deck,
        setup=setup,
        draw_counts=draw_counts,
        economy=economy,
        more_tickets=more_tickets,
    )
    for name, plugin in plugins:
        check_options(plugin, name)
    rules.aliases = FrozenMap(aliases)
    rules.recipe = given if rulings is None else tuple(plugin for _, plugin in plugins)
    rules.own_board = own_board
    rules.save_versions = FrozenMap({name: info_of(plugin).save_version for name, plugin in plugins})
    rules.upcasters = FrozenMap(dict(_upcasters(plugins)))
    rules.bonuses, rules.tie_break = tuple(bonuses), tuple(tie_breaks)
    own_rules = blamed(f"action_rules of the economy of plugin {paying!r}", lambda: list(economy.action_rules()))
    ask.given_by.update((id(rule), paying) for rule in own_rules)
    choices = own_kinds(ask, Choice.every_kind)
    more_rules = [*_action_rules(ask, rules, paying), *_choice_rules(ask, choices)]
    rules.action_rules = tuple(_with_passing(_offered(own_rules, more_rules, economy, ask), ask))
    terms: list[ScoringTerm] = ask.things("scoring", rules=rules)
    check_names(ask, bonuses, terms)
    rules.scoring_terms = tuple(terms)
    parts: list[type[Part]] = ask.things("parts", rules=rules)
    check_keys(ask, parts, economy)
    rules.part_types = tuple(parts)
    rules.part_owners = FrozenMap({kind: ask.given_by[id(kind)] for kind in parts})
    rules.around = tuple((ask.given_by[id(each)], each) for each in ask.things("around", rules=rules))
    rules.map_marks = tuple(map_marks(ask))
    rules.loans = tuple(loans(ask, terms))
    rules.on_claim = tuple(ask.methods("on_claim"))
    rules.on_game_end = tuple(ask.methods("on_game_end"))
    rules.claim_conditions = tuple(conditions(ask))
    rules.cost_changes = tuple(cost_changes(ask))
    rules.claim_points = tuple(ask.methods("claim_points"))
    rules.ticket_points = tuple(ask.methods("ticket_points"))
    rules.on_game_start = tuple(ask.methods("on_game_start"))
    rules.on_turn_start = tuple(ask.methods("on_turn_start"))
    rules.on_turn_end = tuple(ask.methods("on_turn_end"))
    rules.on_deal = tuple(ask.methods("on_deal"))
    values = choice_values(choices)
    ask.given_by.update((id(each), ask.given_by[id(each.action)]) for each in values)
    hints = (*ask.things("hints", rules=rules), *values, *route_values(ask))
    rules.bot_hints = tuple(guarded_hint(each, ask.given_by[id(each)]) for each in hints)
    rules.rule_files = (*_rule_files(resolved), *economy.rulebooks())
    rules.catalogs = tuple(dict.fromkeys(each for plugin in resolved for each in catalogs(plugin.plugin)))
    rules.types = FrozenMap(types_of(ask, dict(plugins), economy, rules.action_rules))
    rules.provenance = tuple(ask.provenance)
    rules.complete()
    if tickets:
        check_rules(rules)
        rules.notes = tuple(ask.things("notes", rules=rules))
    rules.sealed = True
    return rules


def _offered(
    own: Sequence[ActionRule[Any, Any]], more: Sequence[ActionRule[Any, Any]], economy: Economy, ask: HookCalls
) -> list[ActionRule[Any, Any]]:
    """The action rules of the economy and of the plugins, checked, without those that others replace."""
    offered = [*own, *more]
    for rule in offered:
        check_says_what_it_answers(rule, ask.given_by[id(rule)])
        check_is_complete(rule, ask.given_by[id(rule)])
    for rule in more:
        check_passing(rule, ask.given_by[id(rule)])
    check_replacements(offered, ask)
    taken = {(rule.on, rule.action) for rule in offered if rule.replaces}
    return [
        rule
        for rule in offered
        if rule.action not in economy.replaces and (rule.replaces or (rule.on, rule.action) not in taken)
    ]


def _choice_rules(ask: HookCalls, kinds: Iterable[type[Choice[Any]]]) -> list[ActionRule[Any, Any]]:
    """The rules of the choices of all plugins."""
    found: list[ActionRule[Any, Any]] = []
    for kind in kinds:
        plugin = ask.given_by[id(kind)]
        rule = blamed(f"choice {kind.__name__} of plugin {plugin!r}", choice_rule, kind)
        ask.given_by[id(rule)] = ask.given_by[id(kind.action)] = plugin
        found.append(rule)
    return found


def _with_passing(rules: list[ActionRule[Any, Any]], ask: HookCalls) -> list[ActionRule[Any, Any]]:
    """The action rules, and after those of each decision that allows it passing."""
    for last, passing in with_passing(rules):
        rules.insert(rules.index(last) + 1, passing)
        ask.given_by[id(passing)] = ask.given_by[id(last)]
    return rules


def _rule_files(resolved: Iterable[Resolved]) -> list[RuleFile]:
    """The texts of the rules of the plugins; those of train cards come with the economy, if that is what is paid with."""
    return [
        file for each in resolved if not isinstance(each.plugin, TrainCardsPlugin) for file in rule_files(each.plugin)
    ]


def _values(plugin: object) -> Mapping[str, object]:
    return FrozenMap({name: each.value for name, each in settings_of(plugin).items()})


def _by_type(plugins: Iterable[object]) -> dict[type, object]:
    """The plugins that are instances, by their classes and base classes."""
    found: dict[type, object] = {}
    for plugin in plugins:
        found.update(dict.fromkeys(type(plugin).__mro__[:-1], plugin))
    return found


def compile_without_tickets(*stack: object) -> Rules:
    """Compile a stack whose tickets may be unknown, for pictures of its board: no game can be played by these rules.

    Raises `PluginError` for plugins that are not installed, conflict, or have no board.

    >>> [marks.name for marks in compile_without_tickets("marklin").map_marks]
    ['marklin']
    """
    return _compile(stack, None, None, tickets=False)


def _board(ask: HookCalls, names: Sequence[str], own_board: Board | None) -> Board:
    if own_board is not None:
        ask.provenance.append(Provenance("board", ("the caller",)))
        check_points(own_board)
        return own_board
    if not ask.gives("board"):
        raise PluginError(f"the stack {' + '.join(names) or '()'} has no map: add a plugin with one, or give board=")
    board: Board = ask.value("board")
    check_points(board)
    return board


def _upcasters(plugins: Iterable[tuple[str, object]]) -> Iterator[tuple[str, Any]]:
    """The functions `upcast` of the plugins that have one."""
    for name, plugin in plugins:
        step: Any = getattr(plugin, "upcast", None)
        if callable(step) and getattr(type(plugin), "upcast", None) is not Variant.upcast:
            yield name, step


def _action_rules(ask: HookCalls, data: Rules, paying: str) -> list[ActionRule[Any, Any]]:
    """The action rules of all plugins; creating them asks the economy for prices, which may fail too."""
    try:
        return ask.things("actions", rules=data)
    except PluginError as error:
        raise type(error)(f"{error} (with the economy of {paying!r})") from error
