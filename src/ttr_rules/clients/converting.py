"""The cattrs converter for all that clients get and send: actions, seen events, views, messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import GenericAlias, UnionType
from typing import Any, Union, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from ttr_rules._internal.exact import entries
from ttr_rules.clients.exposed import exposed_parts
from ttr_rules.clients.messages import Actions, ServerMessage, StackEntry
from ttr_rules.clients.requests import ClientMessage
from ttr_rules.clients.sheets import read_sheet
from ttr_rules.kernel.events.base import Event, SeenEvent
from ttr_rules.kernel.fields import exposed_fields
from ttr_rules.kernel.offer import Offer, OfferedKind, PaymentPage, Purchase
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.view import View
from ttr_rules.reading import MOST_ROWS, is_table, to_jsonable
from ttr_rules.saves.converters import LARGEST, new_converter, object_reader
from ttr_rules.text import brief

SERVER: tuple[type[Any], ...] = get_args(ServerMessage)
CLIENT: tuple[type[Any], ...] = get_args(ClientMessage)
#: The largest whole number that a part of a view may show: a mask with a bit for each route of the largest map.
LARGEST_IN_PARTS = 2**MOST_ROWS
#: Counts of legal actions and payments, innermost first. Of more than `LARGEST` this number is written: no client reads so many.
_TOTALS: Mapping[type[Any], tuple[str, ...]] = {
    Purchase: ("payments",),
    OfferedKind: ("total", "first"),
    Offer: ("total",),
    PaymentPage: ("total",),
    Actions: ("total",),
}
_NUMBER = re.compile("-?[0-9]{1,20}")
#: Every class of messages.
MESSAGES = (*SERVER, *CLIENT)


def client_converter(rules: Rules) -> Converter:
    """The cattrs converter for what clients of a game with these rules get and send; created once."""
    return rules.derived(_client_converter)


def _client_converter(rules: Rules) -> Converter:
    made = new_converter(rules, seen=True)

    def read_event(value: Any, _: Any) -> SeenEvent:
        return SeenEvent(made.structure(value, Event))

    def read_scores(value: Any, _: Any) -> FinalScores:
        return read_sheet(value, rules, made)

    made.register_structure_hook(float, _number)
    made.register_unstructure_hook(SeenEvent, lambda seen: made.unstructure(seen.event))
    made.register_structure_hook(SeenEvent, read_event)
    made.register_unstructure_hook(FinalScores, FinalScores.to_json)
    made.register_structure_hook(FinalScores, read_scores)
    made.register_unstructure_hook(View, partial(_view, made))
    in_parts = _for_parts(rules)
    parts = override(struct_hook=partial(_read_parts, rules, in_parts))
    made.register_structure_hook(View, object_reader(View, made, parts=parts))
    options = override(unstruct_hook=to_jsonable, struct_hook=_read_options)
    made.register_unstructure_hook(StackEntry, make_dict_unstructure_fn(StackEntry, made, options=options))
    made.register_structure_hook(StackEntry, object_reader(StackEntry, made, options=options))
    for kind in _TOTALS:
        made.register_unstructure_hook(kind, _fields_of(kind, made))
    for kind in MESSAGES:
        made.register_unstructure_hook(kind, _writer(kind, made))
    made.register_structure_hook_func(_is_message, partial(_read_message, made))
    return made


def _fields_of(kind: type[Any], made: Converter) -> Callable[[Any], dict[str, Any]]:
    """What writes the fields of a class."""
    make: Any = make_dict_unstructure_fn  # its overrides are typed as if they were its own arguments
    limited = dict.fromkeys(_TOTALS.get(kind, ()), override(unstruct_hook=_at_most_the_largest))
    found: Callable[[Any], dict[str, Any]] = make(kind, made, **limited)
    return found


def _at_most_the_largest(count: int) -> int:
    return min(count, LARGEST)


def _for_parts(rules: Rules) -> Converter:
    """A converter for what parts show: also masks, sets, which JSON has as lists, and numbers as keys, which are text."""
    made = new_converter(rules, seen=True, largest=LARGEST_IN_PARTS)

    def of_set(kind: Any) -> Callable[[Any, Any], Any]:
        whole: Any = get_origin(kind)
        listed: Any = GenericAlias(list, get_args(kind))
        return lambda value, _: whole(made.structure(value, listed))

    def by_number(kind: Any) -> Callable[[Any, Any], Any]:
        by_text: Any = GenericAlias(dict, (str, get_args(kind)[1]))
        return lambda value, _: {_key(key): each for key, each in made.structure(value, by_text).items()}

    made.register_structure_hook_factory(_is_set, of_set)
    made.register_structure_hook_factory(_is_by_number, by_number)
    return made


def _is_set(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin in (set, frozenset)


def _is_by_number(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin in (dict, Mapping) and get_args(kind)[0] is int


def _key(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"expected a whole number as key, got {brief(text)}")
    return int(text)


def _view(made: Converter, view: View) -> dict[str, Any]:
    fields = {field.name: getattr(view, field.name) for field in attrs.fields(View)}
    data = {name: to_jsonable(value) for name, value in fields.items() if name not in ("pending", "decision")}
    decision = None if view.decision is None else made.unstructure(view.decision)
    parts = {name: to_jsonable(exposed_fields(shown)) for name, shown in view.parts.items()}
    return {**data, "parts": parts, "pending": [made.unstructure(each) for each in view.pending], "decision": decision}


def _read_parts(rules: Rules, made: Converter, value: Any, _: Any) -> dict[str, object]:
    known = exposed_parts(rules)
    given = _table(value)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ValueError(f"these rules have no part {brief(unknown[0])}")
    missing = [name for name, part in known.items() if part.always and name not in given]
    if missing:
        raise ValueError(f"missing {', '.join(missing)}")

    def read(name: str) -> tuple[str, object]:
        part = known[name]
        return name, _table(given[name]) if part.shape is None else part.rebuilt(
            made.structure(given[name], part.shape)
        )

    return dict(entries(given, map(read, given), dict, most_wrong=1))


def _number(value: Any, _: Any) -> float:
    if type(value) not in (int, float) or not -LARGEST <= value <= LARGEST:  # also what is not a number
        raise ValueError(f"expected a number, got {brief(value)}")
    return float(value)


def _read_options(value: Any, _: Any) -> dict[str, Any]:
    return dict(_table(value))


def _table(value: object) -> Mapping[str, Any]:
    if not is_table(value) or not all(isinstance(key, str) for key in value):
        raise ValueError(f"expected an object, got {brief(value)}")
    return value


# -- messages ----------------------------------------------------------------------------------------------------


def _writer(kind: type[Any], made: Converter) -> Callable[[Any], dict[str, Any]]:
    fields = _fields_of(kind, made)
    return lambda message: {"type": kind.type, **fields(message)}


def _is_message(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType) and set(get_args(kind)) in (set(SERVER), set(CLIENT))


def _read_message(made: Converter, value: Any, union: Any) -> Any:
    data = dict(_table(value))
    known: dict[str, type[Any]] = {kind.type: kind for kind in get_args(union)}
    tag = data.pop("type", None)
    kind = known.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise ValueError(f"a message has one of these types: {', '.join(known)}; not {brief(tag)}")
    return made.structure(data, kind)
