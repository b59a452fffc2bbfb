"""The JSON Schema of a stack: of its saved games, and of all that a server and its clients send each other."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence, Set as AbstractSet
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import attrs

from ttr_rules._internal.shuffling import CHANCE
from ttr_rules.clients.converting import (
    CLIENT,
    OF_CARDS,
    PAID,
    SERVER,
    card_kinds,
    expose_parts,
    pays_with_cards,
    resolve_fields,
)
from ttr_rules.clients.messages import PROTOCOL, BoardInfo
from ttr_rules.errors import PluginError
from ttr_rules.kernel.events import Event, SeenEvent
from ttr_rules.kernel.offer import Offer, PaymentPage
from ttr_rules.kernel.player_score import Score
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores, PlayerSheet, Sheet
from ttr_rules.kernel.view import View
from ttr_rules.model.board import RARE_FIELDS, Cost
from ttr_rules.model.cards import Color, Counts
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.play.game import SeenMove, check_rules_are_compiled
from ttr_rules.reading import MOST_COUNTED, JsonObject, is_class
from ttr_rules.saves.moves import LARGEST, SavedMove
from ttr_rules.saves.saving import FORMAT, Header

#: The draft that most generators of code read.
_DRAFT = "http://json-schema.org/draft-07/schema#"
_COUNT = {"type": "integer", "minimum": 1, "maximum": MOST_COUNTED}
#: Clients read numbers that every language holds exactly. Those in parts of plugins may be larger, as masks are.
_NUMBER = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
_LARGE_NUMBER = {"type": "integer"}
_PLAIN: Mapping[object, JsonObject] = {
    int: _NUMBER,
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
    object: {},
    Counts: {"type": "object", "additionalProperties": _COUNT},
}
_TOGETHER = (Action, Decision, Event)
_SHOWN = (SeenMove, View, Offer, PaymentPage, FinalScores, BoardInfo)
#: Fields that are not written if they have their defaults. All others are, except in what clients may send as well.
_LEFT_OUT: Mapping[type[object], tuple[str, ...]] = {
    Cost: RARE_FIELDS,
    Score: ("details",),
    PlayerSheet: ("bonus_details",),
}


def json_schema(rules: Rules) -> JsonObject:
    """A JSON Schema (draft 7) of the saved games of a stack, and of everything that a client meets.

    Under `definitions` are `Save`, `ServerMessage` and `ClientMessage` with every message, and their contents, such as
    `Action`, `Decision`, `Event` (with everything that a seat may not see as `Unknown`), `View` with the fields of its parts,
    `Offer`, `FinalScores`, `BoardInfo`, `Color` and `Card`. Every type of the stack, including plugins' own, is there by the
    tag in its `type`. Raises `PluginError` for a type with a field that JSON cannot hold.

    >>> from ttr_rules import compile_rules
    >>> schema = json_schema(compile_rules("europe"))
    >>> schema["definitions"]["train-cards.DrawFaceUp"]["required"]
    ['type', 'seat', 'card']
    """
    made = _Definitions(rules)
    return {"$schema": _DRAFT, "title": f"Games of {rules}", **made.add_save(), "definitions": made.found}


def client_schema(rules: Rules) -> JsonObject:
    """The same as `json_schema` without saved games, for generators of code.

    A document that fits it is a message, of a server or of a client.

    >>> from ttr_rules import compile_rules
    >>> schema = client_schema(compile_rules("europe"))
    >>> schema["anyOf"]
    [{'$ref': '#/definitions/ServerMessage'}, {'$ref': '#/definitions/ClientMessage'}]
    >>> schema["definitions"]["Color"]["enum"]
    ['purple', 'blue', 'orange', 'white', 'green', 'yellow', 'black', 'red', 'gray']
    """
    made = _Definitions(rules)
    either = [_reference("ServerMessage"), _reference("ClientMessage")]
    about = f"What a server of {rules} and its clients send each other: version {PROTOCOL} of the messages."
    return {"$schema": _DRAFT, "title": "Message", "description": about, "anyOf": either, "definitions": made.found}


class _Definitions:
    """The definitions of a schema as they are found, one per class."""

    def __init__(self, rules: Rules) -> None:
        check_rules_are_compiled(rules)
        self.rules = rules
        self.found: dict[str, JsonObject] = {}
        self._names: dict[type[object], str] = {}
        self._plain = _PLAIN
        self._in_parts = False
        self._of_cards = self._card_definitions(card_kinds(rules))
        self._payment = self._of_cards[Counts] if pays_with_cards(rules) else _PLAIN[Counts]
        for base in _TOGETHER:
            tags = sorted(tag for tag, kind in rules.types.items() if issubclass(kind, base))
            self.found[base.__name__] = {"oneOf": [self._add_class(rules.types[tag], tag, tag) for tag in tags]}
        for shown in (Color, *_SHOWN):
            self._describe(shown, shown.__name__)
        for name, kinds in (("ServerMessage", SERVER), ("ClientMessage", CLIENT)):
            self.found[name] = {"oneOf": [self._add_class(kind, kind.__name__, kind.type) for kind in kinds]}

    def _card_definitions(self, kinds: Sequence[str]) -> Mapping[object, JsonObject]:
        """The schemas of a name and a count in the types of cards."""
        if not kinds:
            return _PLAIN
        counts = {"type": "object", "properties": dict.fromkeys(kinds, _COUNT), "additionalProperties": False}
        self.found["Card"] = {"description": "A kind of train card.", "enum": list(kinds)}
        self.found["CardCounts"] = {"description": "How many train cards of each kind.", **counts}
        return {**_PLAIN, str: _reference("Card"), Counts: _reference("CardCounts")}

    def _add_class(self, kind: type[object], name: str, tag: str | None = None) -> JsonObject:
        """Add the definition of an attrs class and return a reference to it."""
        if kind in self._names:
            return _reference(self._names[kind])
        while name in self.found:  # of another class
            name += "_"
        self._names[kind] = name
        properties: JsonObject = {} if tag is None else {"type": {"const": tag}}
        self.found[name] = {
            "type": "object",
            "description": _summary(kind),
            "properties": properties,
            "required": [] if tag is None else ["type"],
            "additionalProperties": False,
        }
        always = not issubclass(kind, (*_TOGETHER, *CLIENT))
        around, self._plain = self._plain, self._of_cards if kind in OF_CARDS else _PLAIN
        for field in attrs.fields(resolve_fields(kind)):
            if kind is View and field.name == "parts":
                properties[field.name] = self._parts()
            elif field.name in PAID and field.type is Counts:
                properties[field.name] = self._payment
            elif field.name == "deck" and kind in OF_CARDS:
                properties[field.name] = _PLAIN[str]
            else:
                properties[field.name] = self._describe(field.type, f"{name}.{field.name}")
            if field.default is attrs.NOTHING or (always and field.name not in _LEFT_OUT.get(kind, ())):
                self.found[name]["required"].append(field.name)
        self._plain = around
        return _reference(name)

    def _parts(self) -> JsonObject:
        """The parts of a view by their names."""
        parts = expose_parts(self.rules)
        self._in_parts = True
        properties = {
            name: {"type": "object"} if part.shape is None else self._add_class(part.shape, part.kind.__name__)
            for name, part in parts.items()
        }
        self._in_parts = False
        required = [name for name, part in parts.items() if part.always]
        about = "What the parts of a state show. A number may be larger than 2**53, such as a mask of routes."
        shape = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        self.found["Parts"] = {"description": about, **shape}
        return _reference("Parts")

    def _describe(self, hint: object, place: str) -> JsonObject:
        hint = getattr(hint, "__supertype__", hint)  # a NewType
        hint = getattr(hint, "__value__", hint)  # a type alias
        hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
        if hint is int and self._in_parts:
            return _LARGE_NUMBER
        if hint in self._plain:
            return self._plain[hint]
        origin, inside = get_origin(hint), get_args(hint)
        if origin in (Union, UnionType):
            return {"anyOf": [self._describe(kind, place) for kind in inside]}
        if origin is Literal:
            return {"enum": list(inside)}
        if origin is tuple and inside[1:] != (Ellipsis,):
            items, count = [self._describe(item, place) for item in inside], len(inside)
            return {"type": "array", "items": items, "additionalItems": False, "minItems": count, "maxItems": count}
        if is_class(origin, Mapping):
            keys = {"propertyNames": {"pattern": "^-?[0-9]+$"}} if inside[0] is int else {}  # numbers as text
            return {"type": "object", **keys, "additionalProperties": self._describe(inside[1], place)}
        if is_class(origin, Sequence | AbstractSet):
            return {"type": "array", "items": self._describe(inside[0], place)}
        if hint is SeenEvent:
            return _reference("Event")
        if isinstance(hint, type) and issubclass(hint, Enum):
            self.found[hint.__name__] = {"description": _summary(hint), "enum": [member.value for member in hint]}
        if isinstance(hint, type) and (issubclass(hint, Enum) or hint in _TOGETHER):
            return _reference(hint.__name__)
        if hint is FinalScores:
            return self._add_class(Sheet, "FinalScores")
        if isinstance(hint, type) and attrs.has(hint):
            return self._add_class(hint, hint.__name__)
        raise PluginError(f"{place} is a {getattr(hint, '__name__', hint)}, which JSON cannot hold")

    def add_save(self) -> JsonObject:
        """Add the definition of a whole saved game, as `dumps` writes it, and return a reference to it."""
        reference = self._add_class(Header, "Save")
        save = self.found["Save"]
        save["properties"] |= {
            "format": {"const": FORMAT},
            "chance": {"const": CHANCE},
            "seed": {"anyOf": [_LARGE_NUMBER, _PLAIN[str], _PLAIN[NoneType]]},
            "moves": {"type": "array", "items": self._add_class(SavedMove, "Move"), "minItems": 1},
        }
        save["required"].append("moves")
        return reference


def _reference(name: str) -> JsonObject:
    return {"$ref": f"#/definitions/{name}"}


def _summary(kind: type[object]) -> str:
    return " ".join((inspect.getdoc(kind) or "").partition("\n\n")[0].split())
