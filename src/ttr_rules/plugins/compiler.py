"""Compiling a stack of plugins to `Rules`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TypeAlias, cast
from weakref import WeakKeyDictionary, ref

import attrs
from attrs import AttrsInstance, frozen

from ttr_rules.errors import HookTypeError, InvalidInputError, PluginConflictError, PluginError
from ttr_rules.kernel.action_rule import AnyRule
from ttr_rules.kernel.choices import AnyChoice, Choice, choice_rule, choice_values, with_passing
from ttr_rules.kernel.economy import pays_with
from ttr_rules.kernel.extensions import ClaimCondition, CostChange, car_condition
from ttr_rules.kernel.hints import ActionValue, BotHint, MapMarks, RouteValues, guard_hint
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import Provenance, blamed, settings_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import Bonus, ScoringTerm
from ttr_rules.kernel.variant import Variant
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.decisions import ClaimRoute
from ttr_rules.model.tickets import Components
from ttr_rules.plugins.core import default_setup
from ttr_rules.plugins.discovery import as_variant, catalogs, read_name, resolve, rule_files
from ttr_rules.plugins.hook_calls import HookCalls, check_answer
from ttr_rules.plugins.stack_checks import (
    bonus_owner,
    check_action_rules,
    check_answers,
    check_components,
    check_keys,
    check_names,
    check_numbers,
    check_options,
    check_rules,
    checked_layers,
    collect_types,
    is_gone,
    own_kinds,
)
from ttr_rules.sequences import FrozenMap, keep
from ttr_rules.text import brief
from ttr_rules.train_cards.economy import TrainCards, TrainCardsPlugin

#: Hooks whose methods are attributes of `Rules`, each with the name of its plugin.
METHODS = (
    "on_deal", "on_game_start", "on_round_start", "on_turn_start", "on_claim", "on_route_freed", "on_turn_end", "on_pile_rebuilt",
    "on_row_changed", "on_last_round", "on_game_end", "claim_points", "menu_points", "ticket_points", "path_length", "may_pass", "goes_on",
    "acts_again", "next_seat", "card_refusal", "cards_drawn", "may_stop_drawing", "tickets_drawn", "tickets_kept", "tickets_put_back",
)  # fmt: skip

#: The input of the compiler: a stack; the plugins that were asked for by name, if the stack also holds those that they
#: require; the caller's own board; and more known tickets.
Recipe: TypeAlias = tuple[tuple[object, ...], tuple[str, ...] | None, Board | None, tuple[Ticket, ...]]

#: The most stacks that are cached under the names typed for them, as these can be spelled in endless ways.
MOST_STACKS = 500
_compiled: dict[tuple[object, ...], Rules] = {}
#: The rules in use, so that a process has one object for all that are equal.
_in_use: WeakKeyDictionary[Rules, ref[Rules]] = WeakKeyDictionary()
_lock = Lock()


class _CompiledRules(Rules):
    """Rules as a class in plain Python, so that they can be made immutable and have weak references to them."""

    sealed = False

    def __setattr__(self, name: str, value: object) -> None:
        if self.sealed:
            raise attrs.exceptions.FrozenInstanceError
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as the stack they were compiled from, which is compiled again."""
        for kind in self.types.values():
            if kind.__module__ == "__main__":  # cloudpickle pickles such a class, but not the names in its annotations
                with suppress(NameError):
                    attrs.resolve_types(cast("type[AttrsInstance]", kind))
        return _recompile, (_make_recipe(self), self.fingerprint, str(self))


def compile_rules(*stack: object, rulings: Mapping[str, object] | None = None, board: Board | None = None) -> Rules:
    """Compile a stack of plugins, base first, to rules.

    A plugin is given by its installed name, with options as in "europe:tie_break=P6", as a class, or as an instance.
    `rulings` sets options of the plugins by name. `board` replaces the map with your own. Stacks given by names alone
    are compiled once and cached.

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
    if board is not None or rulings is not None or not all(isinstance(plugin, str) for plugin in stack):
        return _share(_compile((stack, None, board, ()), rulings))
    names = tuple(dict.fromkeys(stack))
    rules = _compiled.get(names)
    if rules is None:
        rules = keep(_compiled, names, _share(_compile((names, None, None, ()))), MOST_STACKS)
    return rules


def _share(rules: Rules) -> Rules:
    """Return the rules in use that are equal to these, or else these."""
    with _lock:
        return _in_use.setdefault(rules, ref(rules))() or rules


def _make_recipe(rules: Rules) -> Recipe:
    return rules.recipe, rules.requested, rules.own_board, rules.more_tickets


def _recompile(recipe: Recipe, fingerprint: str, title: str) -> Rules:
    """Compile rules that were pickled. Raises `PluginError` if the result differs from them."""
    with _lock:
        for known in list(_in_use):
            if known.fingerprint == fingerprint and _make_recipe(known) == recipe:
                return known
    rules = _share(_compile(recipe))
    if rules.fingerprint != fingerprint:
        raise PluginError(
            f"the rules {title} that were pickled are not those that the same stack makes here: their fingerprints differ. "
            "Use the same versions of the library and of the plugins on both sides"
        )
    return rules


def with_tickets(rules: Rules, more: Iterable[Ticket]) -> Rules:
    """The same stack with more known tickets, for tables with tickets that are not in the decks."""
    tickets = (*rules.more_tickets, *more)
    if tickets == rules.more_tickets:
        return rules
    return _share(_compile((*_make_recipe(rules)[:3], tickets)))


def _compile(recipe: Recipe, rulings: Mapping[str, object] | None = None) -> Rules:
    """Compile a stack."""
    stack, requested, own_board, more_tickets = recipe
    named = tuple(plugin if isinstance(plugin, str) else as_variant(plugin) for plugin in stack)
    every, below = resolve(named, rulings)
    ask = HookCalls(every)
    plugins = {name: plugin for name, plugin in every.items() if name not in below}
    aliases = {alias: name for name, plugin in every.items() for alias in plugin.info.aliases}
    if requested is None:
        requested = tuple(aliases.get(name, name) for name in map(read_name, named))
    rules = _ask_values(ask, plugins, own_board, requested, more_tickets)
    for name, plugin in plugins.items():
        check_options(plugin, name)
    rules.aliases = FrozenMap(aliases)
    rules.recipe = named if rulings is None else tuple(plugins.values())
    rules.own_board = own_board
    choices = own_kinds(ask, Choice.every_kind)
    rules.action_rules = tuple(_action_rules(ask, rules, choices))
    terms: list[ScoringTerm] = ask.things("scoring", rules)
    rules.scoring_terms = tuple(_scoring_terms(ask, rules.bonuses, terms))
    rules.score_owners = FrozenMap(
        {bonus.name: bonus_owner(ask, bonus) for bonus in rules.bonuses}
        | {term.name: ask.given_by[id(term)] for term in rules.scoring_terms}
    )
    rules.claim_cars = ask.methods("claim_cars")  # a part keeps them
    parts: list[type[Part]] = ask.things("parts", rules)
    rules.part_types = tuple(parts)
    rules.part_owners = FrozenMap({kind: ask.given_by[id(kind)] for kind in parts})
    rules.around = tuple((ask.given_by[id(around)], around) for around in ask.things("around", rules))
    rules.map_marks = tuple(MapMarks(name, marks, every[name].legend) for name, marks in ask.methods("map_marks"))
    keys, closed = dict(ask.methods("claim_key")), dict(ask.methods("closed_routes"))
    rules.claim_conditions = tuple(
        ClaimCondition(name, refuse, keys.get(name), closed.get(name)) for name, refuse in ask.methods("claim_refusal")
    )
    if rules.claim_cars:
        if rules.components.fleets:
            raise PluginError(
                f"claim_cars of plugin {rules.claim_cars[0][0]!r}: a game with fleets does not count train cars"
            )
        rules.claim_conditions += (car_condition(rules.claim_cars, keys),)
    rules.cost_changes = tuple(CostChange(name, cost, keys.get(name)) for name, cost in ask.methods("claim_cost"))
    for hook in METHODS:
        setattr(rules, hook, ask.methods(hook))
    for hook in ("loans", "ticket_routes", "never_hidden"):
        checked = [(plugin, partial(check_answer, plugin, hook, method)) for plugin, method in ask.methods(hook)]
        setattr(rules, hook, tuple(checked))
    # Sheets show the loans of a plugin at its last scoring term.
    last = {ask.given_by[id(term)]: term.name for term in terms}
    rules.loans = tuple([(last.get(plugin, plugin), loans) for plugin, loans in rules.loans])
    rules.bot_hints = tuple(_hints(ask, rules, choices))
    # The rules of train cards belong to the stack only if it pays with them.
    paid = pays_with(rules.economy, TrainCards)
    texts = [plugin for plugin in every.values() if paid or not isinstance(plugin, TrainCardsPlugin)]
    rules.rule_files = tuple(file for plugin in texts for file in rule_files(plugin))
    rules.catalogs = tuple(dict.fromkeys(catalog for plugin in every.values() for catalog in catalogs(plugin)))
    rules.types = FrozenMap(collect_types(ask, rules.economy, rules.action_rules))
    rules.provenance = tuple(ask.provenance)
    rules.complete()
    check_rules(rules)
    check_keys(ask, parts, rules.economy)
    replacing = [f"{ask.given_by[id(term)]} replaces the scoring term {term.name!r}" for term in terms if term.replaces]
    rules.notes = (*replacing, *ask.things("notes", rules))
    rules.sealed = True
    return rules


def _ask_values(
    ask: HookCalls,
    plugins: Mapping[str, Variant],
    own_board: Board | None,
    requested: tuple[str, ...],
    more_tickets: tuple[Ticket, ...],
) -> _CompiledRules:
    """Rules with the values of all plugins."""
    board: Board | None = own_board or ask.value("board")
    if board is None:
        raise PluginError(f"the stack {' + '.join(plugins) or '()'} has no map: add a plugin with one, or give board=")
    if own_board is not None:
        ask.provenance.append(Provenance("board", ("the caller",)))
    components: Components = ask.value("components", board)
    check_components(ask, components)
    cars, points = ask.value("route_cars", board), ask.value("route_points", board)
    check_numbers(ask, "route_cars", board, cars)
    check_numbers(ask, "route_points", board, points)
    deck = ask.value("ticket_deck", board)
    rules = _CompiledRules(
        stack=tuple(plugins),
        options=FrozenMap({name: _setting_values(plugin) for name, plugin in plugins.items()}),
        plugins=FrozenMap(_by_type(ask.plugins.values())),
        board=board,
        components=components,
        route_cars=cars,
        route_points=points,
        deck=deck,
        setup=ask.value("setup", board, default=default_setup(deck)),
        draw_counts=ask.value("draw_counts", board),
        economy=checked_layers(ask.value("economy", board)),
        requested=requested,
        more_tickets=more_tickets,
    )
    rules.bonuses, rules.tie_break = ask.value("bonuses", board), ask.value("tie_breaks", board)
    return rules


def _setting_values(plugin: Variant) -> Mapping[str, object]:
    return FrozenMap({name: setting.value for name, setting in settings_of(plugin).items()})


def _action_rules(ask: HookCalls, rules: Rules, choices: Iterable[type[AnyChoice]]) -> list[AnyRule]:
    """The action rules of the economy and of the plugins, checked, without those that others replace."""
    economy, paying = rules.economy, ask.find_decider("economy")
    own = blamed(f"action_rules of the economy of plugin {paying!r}", lambda: list(economy.action_rules()))
    ask.given_by.update((id(rule), paying) for rule in own)
    try:
        more: list[AnyRule] = ask.things("actions", rules)
    except HookTypeError:
        raise
    except PluginError as error:  # creating them asks the economy for prices, which may fail too
        raise type(error)(f"{error} (with the economy of {paying!r})") from error
    for kind in choices:
        plugin = ask.given_by[id(kind)]
        try:
            rule = blamed(f"choice {kind.__name__} of plugin {plugin!r}", choice_rule, kind)
        except PluginError:
            if is_gone(kind):
                continue
            raise
        ask.given_by[id(rule)] = ask.given_by[id(kind.action)] = plugin
        more.append(rule)
    check_action_rules(ask, own, more)
    taken = {(rule.on, rule.action) for rule in (*own, *more) if rule.replaces}
    playable = [rule for rule in (*own, *more) if rule.action not in economy.replaces]
    rules_in_force = [rule for rule in playable if rule.replaces or (rule.on, rule.action) not in taken]
    check_answers(ask, rules_in_force)
    for last, passing in with_passing(rules_in_force):
        rules_in_force.insert(rules_in_force.index(last) + 1, passing)
        ask.given_by[id(passing)] = ask.given_by[id(last)]
    return rules_in_force


def _scoring_terms(ask: HookCalls, bonuses: Sequence[Bonus], terms: Iterable[ScoringTerm]) -> Iterator[ScoringTerm]:
    """The scoring terms of the plugins, checked. Those that replace others take their places."""
    usual = [term for term in terms if not term.replaces]
    others = {term.name: term for term in terms if term.replaces}
    check_names(ask, bonuses, usual)
    bringing = {term.name: ask.given_by[id(term)] for term in usual}
    for term in terms:
        plugin, last = ask.given_by[id(term)], others.get(term.name, term)
        if term.replaces and term is not last:
            both = f"plugin {plugin!r} and plugin {ask.given_by[id(last)]!r}"
            raise PluginConflictError(f"{both} both replace the scoring term {term.name!r}: use one of them")
        if term.replaces and bringing.get(term.name, plugin) == plugin:
            raise PluginError(
                f"the scoring term {term.name!r} of plugin {plugin!r} has replaces=True, but no other plugin of the stack brings a term of "
                "this name: leave it out, or require the plugin whose term it replaces"
            )
    return (others.get(term.name, term) for term in usual)


def _hints(ask: HookCalls, rules: Rules, choices: Iterable[type[AnyChoice]]) -> Iterator[BotHint]:
    """The hints of plugins, guarded: those of the hook `hints`, and the values of choices and of routes."""
    for hint in ask.things("hints", rules):
        plugin = ask.given_by[id(hint)]
        if isinstance(hint, ActionValue) and hint.action is ClaimRoute:
            raise PluginError(
                f"plugin {plugin!r} gives an ActionValue of ClaimRoute, but bots plan their claims: say what routes are "
                "worth with the hook route_values, and what they cost with RouteCosts"
            )
        yield guard_hint(hint, plugin)
    for hint, method in choice_values(choices).items():
        yield guard_hint(hint, ask.given_by[id(hint.action)], method)
    for plugin, _ in ask.methods("route_values"):
        yield guard_hint(RouteValues(_RouteValues(ask.plugins[plugin])), plugin)


@frozen
class _RouteValues:
    """The hook `route_values` of a plugin with the arguments of a hint. Unlike a function, it can be compared."""

    plugin: Variant

    def __call__(self, view: View, rules: Rules) -> Mapping[str, float]:
        return self.plugin.route_values(rules, view)


def _by_type(plugins: Iterable[object]) -> dict[type, object]:
    """The plugins that are instances, by their classes and base classes."""
    return {kind: plugin for plugin in plugins for kind in type(plugin).__mro__[:-1]}
