"""Checks of a stack beyond pluggy's: conflicting rules, set-ups that the deck cannot supply."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import formatannotation, getattr_static, signature, unwrap
from string import Formatter
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import attrs

from ttr_rules._internal.native import overrides
from ttr_rules.errors import HookTypeError, PluginConflictError, PluginError
from ttr_rules.kernel import events
from ttr_rules.kernel.action_rule import ActionRule, AnyRule, ListedRule, NumberedRule
from ttr_rules.kernel.copying import copies_of
from ttr_rules.kernel.economy import Economy, EconomyLayer, pays_with
from ttr_rules.kernel.events import Event
from ttr_rules.kernel.fields import EVERYBODY, NOBODY, TICKETS, KeyHelp, PartField, hints_of, part_fields, tables_of
from ttr_rules.kernel.paid_rule import PaidRule
from ttr_rules.kernel.part import Part, boxes, keys_of
from ttr_rules.kernel.plugin import options_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import Bonus, ScoringTerm
from ttr_rules.language import join_few
from ttr_rules.model.board import Board
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.decisions import SECRET, Action, ClaimRoute, Decision, HiddenAction, HiddenDecision, Pass, Turn
from ttr_rules.model.tickets import Components
from ttr_rules.plugins.discovery import BUILT_IN
from ttr_rules.plugins.hook_calls import CORE, HookCalls
from ttr_rules.reading import is_class, is_object
from ttr_rules.sequences import once
from ttr_rules.text import brief, closest
from ttr_rules.train_cards import events as card_events
from ttr_rules.train_cards.economy import TrainCards

T = TypeVar("T")


#: Types of fields that are compared with those of an effect.
_PLAIN = (int, str, bool)

#: Types of public fields whose keys are read without a method `arrange` of the part.
_READABLE: tuple[object, ...] = (list[int], list[bool], dict[str, int], int, bool)
#: Types of tables by the ids `of`.
_TABLES: tuple[object, ...] = (dict[str, int], dict[str, bool], dict[str, str])
#: Types of fields of seats.
_SEATS: tuple[object, ...] = (int, int | None, tuple[int, ...], list[int], list[int | None], list[tuple[int, ...]])

#: Types that hold no texts.
_NO_TEXTS: tuple[object, ...] = (int, bool, float, dict)
#: Types of fields with a pool, or of their entries for a seat.
_LOTS: tuple[object, ...] = (Counts, tuple[str, ...], list[str])

#: The keys of a player that the library itself reads in tables and positions.
_CORE_KEYS = ("name", "routes", "tickets", "points_in_play", "route_points", "cars", "open_tickets")


def bonus_owner(ask: HookCalls, bonus: Bonus) -> str:
    """The plugin that brings a bonus."""
    return next(plugin for plugin, value in ask.layers["bonuses"] if bonus in value)


def check_names(ask: HookCalls, bonuses: Sequence[Bonus], terms: Sequence[ScoringTerm]) -> None:
    """Raise `PluginConflictError` for two bonuses or scoring terms of one name."""
    lines = [(bonus.name, f"plugin {bonus_owner(ask, bonus)!r}") for bonus in bonuses]
    lines += [(term.name, _giver(ask, term)) for term in terms]
    _check_once("bring", "the bonus or scoring term {!r}", lines)


def check_keys(ask: HookCalls, parts: Sequence[type[Part]], economy: Economy) -> None:
    """Raise `PluginConflictError` for a key of tables and positions that two plugins read.

    Raises `PluginError` for a key that nobody reads.
    """
    score_keys: object = economy.score_keys
    if not is_object(score_keys) or not all(isinstance(about, KeyHelp) for about in score_keys.values()):
        raise PluginError(f"{type(economy).__name__}.score_keys must be KeyHelp by key, not {brief(score_keys)}")
    for key in score_keys.keys() - {*economy.player_keys}:
        raise PluginError(
            f"{type(economy).__name__} has the score key {key!r}, which nobody reads: a key of score_keys is in player_keys, too, and `hand` "
            "is one where train cards pay"
        )
    for key, about in economy.score_keys.items():
        _check_example(f"the key {key!r} of {type(economy).__name__}.score_keys", about)
    paying = f"the economy of {ask.find_decider('economy')!r}"
    of_players = [(key, "the library") for key in _CORE_KEYS] + [(key, paying) for key in economy.player_keys]
    of_tables = [(key, paying) for key in economy.part_keys]
    for kind in parts:
        for keys, read in zip((of_players, of_tables), keys_of(kind), strict=True):
            keys += [(key, _giver(ask, kind)) for key in read]
            for key, about in read.items():
                _check_example(f"the key {key!r} of the state part {kind.__name__}", about)
    _check_once("read", "the player key {!r} of tables and positions", of_players)
    _check_once("read", "the key under parts {!r} of tables and positions", of_tables)


def _check_example(which: str, about: KeyHelp) -> None:
    """Raise `PluginError` for an example of a key that cannot be filled in or is not TOML."""
    try:
        tomllib.loads(f"value = {about.filled('Paris', ['Paris', 'Roma'])}")
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise PluginError(
            f"the example of {which} is {brief(about.example)}: it must be a value in TOML, in which {{city}}, {{route}} and "
            '{route_name} are filled in and all other braces are doubled, as in "{{red = 2}}"'
        ) from error


def _giver(ask: HookCalls, thing: object) -> str:
    return f"plugin {ask.given_by[id(thing)]!r}"


def _check_once(verb: str, what: str, named: Iterable[tuple[str, str]]) -> None:
    """Raise `PluginConflictError` for two things of one name, each given with its owner, which brings or reads it."""
    owners: dict[str, str] = {}
    for name, owner in named:
        thing = what.format(name)
        if owners.get(name) == owner:
            raise PluginConflictError(f"{owner} {verb}s two things of one name: {thing}")
        if name in owners:
            clash = f"{owners[name]} and {owner} both {verb} {thing}"
            raise PluginConflictError(f"{clash}: one of them must call it something else")
        owners[name] = owner


def check_numbers(ask: HookCalls, hook: str, board: Board, numbers: Mapping[str, int]) -> None:
    """Raise `HookTypeError` for a table without a number for each route."""
    wrong = sorted(set(board.routes) ^ set(numbers)) + [id for id, number in numbers.items() if type(number) is not int]
    if wrong:
        raise HookTypeError(
            f"hook {hook!r} must give a whole number for each route of the board; wrong is {brief(wrong[0])}; provenance: {_chain(ask, hook)}"
        )


def check_components(ask: HookCalls, box: Components) -> None:
    """Raise `PluginError` for numbers of components that contradict each other."""
    if box.min_players > box.max_players:
        problem = f"min_players must be at most max_players ({box.max_players}), not {box.min_players}"
    elif box.last_round_at is not None and box.last_round_at >= box.cars:
        problem = f"last_round_at must be less than cars ({box.cars}), not {box.last_round_at}"
    else:
        return
    raise PluginError(f"no game can be played with the components of {_chain(ask, 'components')}: {problem}")


def _chain(ask: HookCalls, hook: str) -> str:
    return ", ".join(plugin for plugin, _ in ask.layers[hook])


def check_rules(rules: Rules) -> None:
    """Raise `PluginError` for rules that cannot be played."""
    _check_parts(rules)
    for tag, kind in rules.types.items():
        if not kind.__module__.startswith("ttr_rules.") and not is_gone(kind):
            _check_type(tag, kind)
    for plugin, around in rules.around:
        # a guard reads every offered action, and there may be millions of claims
        if around.refuse is not None and ClaimRoute in around.actions:
            raise PluginError(
                f"`refuse` of plugin {plugin!r} is on ClaimRoute, and would have to read every claim with every payment: "
                "say which routes are closed in the hook claim_refusal, or close all of them by refuse_all"
            )
    problems = [*_setup_problems(rules), *shortages(rules, rules.components.min_players)]
    if problems:
        raise PluginError("\n  ".join([f"the stack {rules} cannot be played:", *problems]))


def _check_parts(rules: Rules) -> None:
    """Raise `PluginError` for two parts of one name, or one that cannot be copied."""
    named: list[tuple[str, str]] = []
    read = {*rules.economy.player_keys, *rules.economy.part_keys}
    parts = rules.new_parts(rules.components.min_players)
    for part in parts:
        kind = type(part)
        owner = rules.part_owners.get(kind)
        whose = rules.answered_by("economy") if owner is None else f"plugin {owner!r}"
        for problem in _part_problems(part):
            raise PluginError(f"the state part {kind.__name__} of {whose}: {problem}")
        unread = [key for keys in keys_of(kind) for key in keys if key not in read]
        if unread and owner is None:
            raise PluginError(
                f"the state part {kind.__name__} of {whose} has the key {unread[0]!r}, which nobody reads: an economy names its keys in "
                "player_keys or part_keys, and reads them in arrange"
            )
        named.append((kind.__name__, whose))
    _check_once("bring", "the state part {!r}", named)
    _check_pools(parts, rules)


def _check_pools(parts: Sequence[Part], rules: Rules) -> None:
    """Raise `PluginError` for a pool whose name is nearly that of a box that no field uses."""
    fields = {(part, name): declared.pool for part in map(type, parts) for name, declared in part_fields(part).items()}
    with_box = boxes(parts, rules).keys()
    for (part_type, name), pool in fields.items():
        near = closest(pool, with_box - {*fields.values()}) if pool not in ("", TICKETS, *with_box) else None
        if near is not None:
            raise PluginError(
                f"the field {name!r} of {part_type.__name__} has the pool {pool!r}, which has no box; there is a box for {near!r}, "
                "which no field uses: write the same name"
            )


def checked_layers(economy: Economy) -> Economy:
    """Return the economy as it is. Raises `PluginError` for a layer that has no economy below it."""
    layer = economy
    while isinstance(layer, EconomyLayer):
        if not hasattr(layer, "below"):
            name = type(layer).__name__
            raise PluginError(f"{name} has no economy below it: its __init__ must call super().__init__(below)")
        layer = layer.below
    return economy


def _part_problems(part: Part) -> Iterator[str]:
    """The reasons that a part cannot be copied, compared or shown, unless it has methods of its own for that. The first one counts."""
    kind = type(part)
    if not isinstance(cast("object", kind.names), Mapping):
        yield "its names are an attribute of the class: write names: ClassVar[Mapping[str, PrintedName]] = {…}"
    for name in ("player_keys", "part_keys"):
        keys: object = getattr(kind, name)
        if not isinstance(keys, Mapping):
            yield f'its {name} must be KeyHelp by key, as {{"rank": KeyHelp("The rank of this player.", "2")}}, not {brief(keys)}'
    if len(signature(kind.validate).parameters) != 2:
        yield "its validate takes the rules: write def validate(self, rules: Rules) -> str | None"
    own = {name for name in ("copy", "value", "seen_by") if getattr(kind, name) is not getattr(Part, name)}
    if "copy" in own and ("seen_by" in own or not part_fields(kind)):
        return
    if "__init__" in vars(kind) and not attrs.has(kind):
        yield "it has an __init__ of its own, so it needs copy, value and seen_by as well: or declare its fields"
    try:
        copies_of(kind)
    except TypeError as error:
        yield str(error)
    for name, declared in part_fields(kind).items():
        yield from _field_problems(part, name, declared)


def _field_problems(part: Part, name: str, declared: PartField) -> Iterator[str]:
    """The reasons that the type of a field does not fit its declaration. The first one counts."""
    kind = type(part)
    reads_keys = kind.arrange is not Part.arrange
    hint = hints_of(kind)[name]
    its = f"its field {name!r}"
    if declared.each and (get_origin(hint) or hint) is not list:
        written = formatannotation(hint)
        yield f"{its} has an entry for each seat: it is a list[{written}], not a {written}"
    entry: Any = (get_args(hint) or (None,))[0] if declared.by_seat else hint
    is_table, is_of_stores = get_origin(entry) is dict, name in tables_of(kind)
    options, all_see = declared.of or declared.locations, declared.visible == EVERYBODY
    # The items may be pairs of a key and a value, if the part reads its keys itself.
    has_pairs = is_table and all_see and reads_keys and get_args(entry)[1] not in _LOTS
    index, lot = get_args(entry) if is_table and is_of_stores else (str, entry)
    if index is not str and (declared.key or index is not int):
        needed = "texts, as a position writes them" if declared.key else "texts or whole numbers, as in JSON"
        yield f"the keys of {its} are {needed}: it is no {hint}"
    if declared.pool == TICKETS:
        wanted = "list[tuple[str, ...]]" if declared.by_seat else "tuple[str, ...]"
        if entry not in (tuple[str, ...], list[str]):
            yield f"{its} holds tickets, by id: it is a {wanted}, not a {hint}"
    elif declared.pool and is_table and not is_of_stores and not has_pairs:
        wanted = "dict[str, tuple[str, ...] | Unknown]"
        yield (
            f"{its} has a pool, so its items lie in it as Counts, or as a tuple, list or set of items; a store for "
            f"each key is a {f'list[{wanted}]' if declared.by_seat else wanted}, not a {hint}"
        )
    elif declared.pool and lot is str:
        wanted = "list[tuple[str, ...]]" if declared.each else "tuple[str, ...]"
        yield f"{its} has a pool, so it holds any number of items, perhaps none: it is a {wanted}, not a {hint}"
    if not declared.key or reads_keys or declared.pool == TICKETS:
        return
    if options and is_table and not is_of_stores:
        if not all_see or hint not in _TABLES or (declared.seats and hint != dict[str, int]):
            yield f"{its} is read as a table of numbers, truth values or texts that all see, not as a {hint}"
    elif options:
        ids: Any = lot if is_of_stores else (get_args(hint) or (hint,))[0] if declared.each else hint
        holds_other = any(each in _NO_TEXTS for each in (ids, get_origin(ids), *get_args(ids)))
        is_nested = any(each is Counts or get_args(each) for each in get_args(ids))
        if declared.seats or (is_of_stores and not (declared.of or declared.pool)) or holds_other or is_nested:
            yield (
                f"{its} has of=, so it holds texts, as a str, a tuple[str, ...] or Counts, and no seats, or stores with a pool=: "
                f"it is no {formatannotation(hint)}. To read its key in another way, write a method arrange"
            )
    elif not (
        (declared.pool and lot in _LOTS)
        or (declared.seats and declared.visible != NOBODY and hint in _SEATS)
        or (all_see and hint in _READABLE)
    ):
        lots = {Counts: "Counts()", tuple[str, ...]: "()"}
        each = lots.get(get_args(hint)[0]) if get_origin(hint) is list and not declared.each else None
        cure = f": if it has an entry for each seat, write each={each}" if each else ""
        yield (
            f"{its} has a key, but nothing reads it{cure}. The library reads numbers, true or false, and a dict[str, int] of "
            "cities if all see the field; ids and counts of them with of= or pool=; players with seats=True. For anything else "
            "write a method arrange that reads it"
        )


@once
def _check_type(tag: str, kind: type[object]) -> None:
    """Raise `PluginError` for a mistake in a plugin's type of action, decision or event."""
    fields, hints = attrs.fields_dict(kind) if attrs.has(kind) else {}, _hints(kind)
    for name, field in fields.items():
        owners, _ = field.metadata.get(SECRET, ((), True))
        for owner in owners:
            if owner not in fields:
                raise PluginError(f"{tag}.{name} is secret to {owner!r}, which is not a field of it")
        hint = hints.get(name)
        if SECRET in field.metadata and not {hint, *get_args(hint)} & {None, Unknown, object}:
            raise PluginError(f"{tag}.{name} is secret, so others see Unknown there: annotate it with | Unknown")
        if any(isinstance(value, PartField) for value in field.metadata.values()):
            raise PluginError(
                f"{tag}.{name} is declared like a field of a part: write secret(…) if others may not see it, and otherwise only the type"
            )
    if issubclass(kind, Event):
        opened: object = kind.reveals
        if opened in (Action, Decision, Part) or not (opened is None or is_class(opened, Decision | Action | Part)):
            raise PluginError(
                f"reveals of {tag} must be the class of the decision or action that it opens, such as reveals = Bid, or of the part of "
                f"which it tells something, not {brief(opened)}"
            )
        _check_effect(tag, kind)
    for use in ("message", "label") if issubclass(kind, Action) else ("message",):
        _check_message(tag, kind, list(fields), use)


def _check_message(tag: str, kind: type[object], fields: Sequence[str], use: str) -> None:
    """Raise `PluginError` for a mistake in a template, such as an unknown field. In events, `{paid}` is the payment."""
    message: object = getattr(kind, use, None)
    if message is None or use in fields:
        return
    if not isinstance(message, str):
        raise PluginError(f"the {use} of {tag} is a string with its fields in braces, not {brief(message)}")
    try:
        named = [name for _, name, _, _ in Formatter().parse(message) if name is not None]
    except ValueError as error:
        raise PluginError(f"the {use} of {tag}, {brief(message)}, cannot be read: {error}") from error
    for name in named:
        if issubclass(kind, Action) and use == "message":
            raise PluginError(
                f"the message of {tag} is the heading of a menu and has no fields, but names {{{name}}}: write a label for what stands below it"
            )
        if name not in fields and not (name == "paid" and issubclass(kind, Event)):
            has = f"it has {', '.join(fields)}" if fields else "it has no fields"
            raise PluginError(f"the {use} of {tag} names {{{name}}}, which is not a field of it; {has}")


def _check_effect(tag: str, kind: type[Event]) -> None:
    """Raise `PluginError` for wrong parameters of an event's effect, which takes the fields of the event, if they are known."""
    fields = [field.name for field in attrs.fields(kind)]
    effect: Callable[..., None] | None = kind.effect
    if effect is None:  # it has a method `apply`
        return
    try:
        taken = signature(effect).parameters.values()
    except ValueError:  # of a compiled class
        return
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in taken):
        return
    names = [parameter.name for parameter in taken]
    if names[1:] != fields or not isinstance(getattr_static(kind, "effect"), staticmethod):
        raise PluginError(
            f"the effect of {tag} takes {', '.join(names) or 'nothing'}: write def apply(self, state), or name a method of "
            f"a part that takes {', '.join(fields)}"
        )
    hints, taken_as = _hints(kind), _hints(unwrap(effect))
    for name in fields:
        mine, theirs = hints.get(name), taken_as.get(name)
        if mine in _PLAIN and theirs in _PLAIN and mine is not theirs:
            raise PluginError(
                f"the effect of {tag} takes {name} as {theirs.__name__}, but the field is a {mine.__name__}: "
                "both must be the same"
            )


#: The methods that a rule must have, by the class that declares them. Python does not check this: these classes may be
#: compiled, and then they are not abstract base classes.
_NEEDED: tuple[tuple[type[object], tuple[str, ...]], ...] = (
    (PaidRule, ("every", "bought")),
    (ListedRule, ("codes",)),
    (NumberedRule, ("number_of_codes", "count", "nth", "action_of", "code_of", "perform_code")),
    (ActionRule, ("perform",)),
)


def check_action_rules(ask: HookCalls, own: Sequence[AnyRule], more: Sequence[AnyRule]) -> None:
    """Raise `PluginError` for a mistake in the action rules of the economy, or in those of plugins."""
    for rule in (*own, *more):
        _check_rule(rule, _rule_name(ask, rule))
    pairs = Counter((rule.on, rule.action) for rule in (*own, *more))
    for rule in more:
        if rule.replaces and pairs[rule.on, rule.action] == 1:
            raise PluginError(
                f"{_rule_name(ask, rule)} has replaces = True, but no other rule answers {rule.on.__name__} with "
                f"{rule.action.__name__}: leave it out, or require the plugin whose rule it replaces"
            )


def check_answers(ask: HookCalls, rules: Iterable[AnyRule]) -> None:
    """Raise `PluginConflictError` for two rules that answer a decision with the same action."""
    answering: dict[tuple[type[Decision], type[Action]], AnyRule] = {}
    for rule in rules:
        other = answering.setdefault((rule.on, rule.action), rule)
        if other is not rule:
            authors = _author(ask, other), _author(ask, rule)
            both = f"{_rule_name(ask, other)} and {_rule_name(ask, rule)}"
            cure = "use one of these plugins, or let one require the other and say replaces = True in its rule"
            if authors[0] in BUILT_IN or authors[0] == authors[1]:
                cure = f"say replaces = True in {type(rule).__name__} if it takes the place of the other"
            raise PluginConflictError(f"{both} both answer {rule.on.__name__} with {rule.action.__name__}: {cure}")


def _rule_name(ask: HookCalls, rule: AnyRule) -> str:
    return f"{type(rule).__name__} of plugin {_author(ask, rule)!r}"


def _author(ask: HookCalls, rule: AnyRule) -> str:
    """The plugin that defines the class of a rule, else the one that gives it.

    An economy gives the rules of its layers.
    """
    return next(ask.definers(type(rule)), ask.given_by[id(rule)])


def _check_rule(rule: AnyRule, name: str) -> None:
    """Raise `PluginError` for an action rule that lacks a method, or declares wrong types or flags."""
    kind = type(rule)
    on, action = getattr(rule, "on", None), getattr(rule, "action", None)
    said = f"class {kind.__name__}(ActionRule[TheDecision, TheAction]), or these classes as `on` and `action`"
    if not is_class(on, Decision):
        raise PluginError(f"{name} does not say which decision it answers: write {said}")
    if not is_class(action, Action):
        raise PluginError(f"{name} does not say with which action: write {said}")
    if on is Turn and action is Pass:
        raise PluginError(
            f"{name} answers Turn with Pass: passing is legal only when nothing else is (R4). "
            "To let a seat pass although it could act, implement the hook may_pass"
        )
    for base in getattr(kind, "__orig_bases__", ()):
        inside = [each for each in get_args(base) if isinstance(each, type)]
        kinds = [each for each in inside if issubclass(each, Decision | Action)]
        for written, wanted in zip((on, action), kinds, strict=False) if len(kinds) == 2 else ():
            if not issubclass(written, wanted):
                raise PluginError(
                    f"{name} names {written.__name__}, but says {wanted.__name__} in brackets: write "
                    f"ActionRule[{on.__name__}, {action.__name__}], "
                    f"or on = {kinds[0].__name__}, action = {kinds[1].__name__}"
                )
    single = len(attrs.fields(action)) == 1 and overrides(rule, ActionRule, "refusal")
    for base, names in _NEEDED:
        needed = names if issubclass(kind, base) else ()
        missing = [repr(name) for name in needed if getattr(kind, name) is getattr(base, name)]
        if base is ActionRule and not (single or overrides(rule, base, "offers")):
            missing.insert(0, "'offers'")
        if missing:
            methods = f"the method{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
            raise PluginError(f"{name} lacks {methods}, which every {base.__name__} must have")
    for flag in ("free", "replaces"):
        value: object = getattr(rule, flag, False)
        if type(value) is not bool:
            raise PluginError(f"{flag} of {name} is {brief(value)}: it must be True or False")
    if rule.free and not issubclass(on, Turn):
        raise PluginError(
            f"{name} is free, but answers {on.__name__}: only an action that answers Turn can be free. "
            "To ask the same question again, return the decision from perform"
        )


def check_options(plugin: object, name: str) -> None:
    """Raise `PluginError` for an option without a type, or with values that its type does not have."""
    kind = type(plugin)
    hints = _hints(kind)
    for field in attrs.fields(kind) if attrs.has(kind) else ():
        its = f"the option {field.name!r} of plugin {name!r}"
        if field.type is None:
            raise PluginError(f"{its} has no type: write {field.name}: Literal[…] = option(…)")
        option = options_of(plugin).get(field.name)
        wanted = get_args(hints.get(field.name))
        if option is None or not wanted or not all(isinstance(value, str) for value in wanted):
            continue
        for value in option.alternatives:
            if value not in wanted:
                cure = f"Literal[{', '.join(map(repr, option.alternatives))}]"
                raise PluginError(f"{its} may be {brief(value)}, which its type does not have: write {cure}")


def _hints(kind: object) -> Mapping[str, Any]:
    """The annotations of a class, none if they use a name that does not exist."""
    try:
        return get_type_hints(kind)
    except (AttributeError, NameError, SyntaxError, TypeError):  # a name imported for type checkers only
        return {}


def _setup_problems(rules: Rules) -> Iterator[str]:
    """Tickets that lead nowhere, and set-up piles that do not exist, or no longer exist."""
    counts = Counter(ticket.id for ticket in rules.deck.tickets)
    twice = [id for id, count in counts.items() if count > 1]
    if twice:
        yield (
            f"several tickets have the same id: {join_few(twice)}; "
            "TicketDeck.beside puts tickets beside a deck under ids of their own"
        )
    lost = [ticket.id for ticket in rules.deck.tickets if not all(map(rules.board.place, ticket.places))]
    if lost:
        yield f"tickets that name places that are not on the board {rules.board.name}: {join_few(lost)}"
    piles = dict.fromkeys(rules.deck.piles)
    for number, stage in enumerate(rules.setup, start=1):
        at = f"stage {number} of the set-up"
        if not callable(getattr(stage.keep, "refusal", None)):
            yield f"{at} has keep={brief(stage.keep)}: write a rule, such as KeepAtLeast(2)"
        named = [("deals from", deal.pile) for deal in stage.deals]
        named += [("boxes", pile) for pile in stage.box_rest]
        if stage.mix is not None:
            named += [("lets seats choose from", pile) for pile in stage.mix.piles]
            if stage.deals or stage.box_rest or stage.under is not None:
                yield f"{at} has a mix: it cannot deal, box or put back anything else"
        yield from (_no_pile(f"{at} {does}", pile, piles) for does, pile in named if pile not in piles)
        piles = {pile: None for pile in piles if pile not in stage.box_rest}
        if stage.under is not None and stage.under not in piles:
            yield _no_pile(f"{at} puts tickets under", stage.under, piles)
    for pile in rules.draw_counts.piles:
        if pile not in piles:
            yield _no_pile("after the set-up tickets are drawn from", pile, piles)


def _no_pile(does: str, pile: str, piles: Iterable[str]) -> str:
    return f"{does} the pile {pile!r}; there are {', '.join(piles) or 'none'}"


def shortages(rules: Rules, players: int) -> Iterator[str]:
    """The stages of set-up that deal more tickets to this many players than there are."""
    dealt: dict[str, int] = {}
    for number, stage in enumerate(rules.setup, start=1):
        at = f"stage {number} of the set-up"
        if stage.mix is not None:
            held = sum(len(rules.deck.piles.get(pile, ())) - dealt.get(pile, 0) for pile in stage.mix.piles)
            if held < stage.mix.count * players:
                drawn = f"lets each of {players} players draw {stage.mix.count} tickets"
                yield f"{at} {drawn}, but the deck holds {held}"
        for deal in stage.deals:
            dealt[deal.pile] = dealt.get(deal.pile, 0) + deal.count
            held = len(rules.deck.piles.get(deal.pile, ()))
            if held < dealt[deal.pile] * players:
                what = f"{deal.count} {deal.pile} tickets to each of {players} players"
                yield f"{at} deals {what}, but the deck holds {held}"


def collect_types(ask: HookCalls, economy: Economy, action_rules: Sequence[AnyRule]) -> dict[str, type[object]]:
    """Every type of action, decision and event of these rules by its tag, such as `dice.Reroll`.

    A type belongs to the plugin that defines it, else to the one that brings it. Of an economy with layers, that is the
    lowest. Raises `PluginError` for two types of one plugin that have the same name.
    """
    homes = [home.__name__ for home in ((events, card_events) if pays_with(economy, TrainCards) else (events,))]
    built_in = [kind for kind in Event.every if kind.__module__ in homes]
    # The hidden ones are shown to other seats.
    kinds: list[type[object]] = [*built_in, Pass, HiddenAction, HiddenDecision, *own_kinds(ask, Event.every)]
    paying, top = ask.layers["economy"][0][0], ask.find_decider("economy")
    brought: dict[type[object], str] = {}
    for rule in action_rules:
        by = ask.given_by[id(rule)]
        for kind in (rule.on, rule.action):
            brought.setdefault(kind, paying if by == top else by)
            kinds.append(kind)
    types: dict[str, type[object]] = {}
    packages = {plugin.__module__.rpartition(".")[0]: name for name, plugin in BUILT_IN.items()}
    for kind in dict.fromkeys(kinds):
        if kind.__module__.startswith("ttr_rules."):
            owner = next((name for home, name in packages.items() if kind.__module__.startswith(f"{home}.")), CORE)
        else:
            owner = next(ask.definers(kind), brought.get(kind, paying))
        if types.setdefault(f"{owner}.{kind.__name__}", kind) is not kind:
            raise PluginError(f"plugin {owner!r} has two types called {kind.__name__}")
    return types


def own_kinds(ask: HookCalls, every: Iterable[type[T]]) -> list[type[T]]:
    """The classes in `every` that variants of the stack define, plugin by plugin in the order of their definition."""
    # The last of each name: attrs creates classes anew, and a notebook defines them again.
    waiting = list({(kind.__module__, kind.__qualname__): kind for kind in every}.values())
    by_plugin: dict[str, list[type[T]]] = {name: [] for name in ask.plugins}
    for kind in waiting:
        definer = next((name for name in ask.definers(kind) if name not in BUILT_IN), None)
        if definer is not None:
            ask.given_by[id(kind)] = definer
            by_plugin[definer].append(kind)
    return [kind for kinds in by_plugin.values() for kind in kinds]


def is_gone(kind: type[object]) -> bool:
    """True if a class no longer has a name in its module: in a notebook it was defined again, or deleted."""
    module = sys.modules.get(kind.__module__)
    if module is None or "." in kind.__qualname__:  # of a class or function
        return False
    return all(member is not kind for member in vars(module).values())
