"""JSON for clients in any language: actions, decisions, events and views as plain data, and their JSON Schema."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import attrs
from cattrs import transform_error
from cattrs.errors import BaseValidationError

from ttr_rules._internal.jsonable import to_jsonable
from ttr_rules._internal.limits import MOST_IN_ACTION, too_deep
from ttr_rules._internal.messages import brief, first
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.kernel.events.base import Event, SeenEvent
from ttr_rules.kernel.fields import exposed_fields
from ttr_rules.kernel.offer import Offer, PaymentPage
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.view import View
from ttr_rules.model.actions import Action
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Decision
from ttr_rules.play.moves import SeenMove
from ttr_rules.play.starting import check_rules_are_compiled
from ttr_rules.saves.converters import converter, reason_for
from ttr_rules.saves.migrations import FORMAT

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: Mapping[Any, dict[str, Any]] = {
    int: {"type": "integer"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Any: {},
    object: {},
    Counts: {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
}
_TOGETHER = (Action, Decision, Event)
_OFFERS = (Offer, PaymentPage)


# -- values ----------------------------------------------------------------------------------------------------


def to_json(
    rules: Rules, thing: Action | Decision | SeenEvent | SeenMove | View | Offer | PaymentPage | FinalScores
) -> dict[str, Any]:
    """Turn an action, decision, seen event or move, view, offer, page of payments or score sheet into plain data.

    The result is suitable for `json.dumps`. What is hidden in an event is written as a number of items. Raises
    `InvalidInputError` for anything else, including an event as it happened, which holds secrets: pass
    `event.seen_by(seat)`.

    >>> from ttr_rules import DrawFaceUp, compile_rules
    >>> to_json(compile_rules("europe"), DrawFaceUp(seat=0, card="red"))
    {'type': 'train-cards.DrawFaceUp', 'seat': 0, 'card': 'red'}
    """
    check_rules_are_compiled(rules)
    if isinstance(thing, FinalScores):
        return thing.to_json()
    if isinstance(thing, View):
        return _view(rules, thing)
    made = converter(rules)
    if isinstance(thing, SeenMove):
        events = [made.unstructure(seen.event) for seen in thing.events]
        return {"number": thing.number, "seat": thing.seat, "events": events}
    if isinstance(thing, SeenEvent):
        return cast("dict[str, Any]", made.unstructure(thing.event))
    if isinstance(thing, Event):
        kind = type(cast("object", thing)).__name__
        raise InvalidInputError(
            f"{kind} is an event as it happened, which may hold secrets: pass event.seen_by(seat), or a move that "
            "game.messages(since, seat) returns; to save a game, use dumps(game)"
        )
    if not isinstance(thing, (Action, Decision, *_OFFERS)):
        raise InvalidInputError(
            f"expected an action, a decision, a seen event or move, an offer, a view or a score sheet, got {brief(thing)}"
        )
    return cast("dict[str, Any]", made.unstructure(thing))


def action_from_json(rules: Rules, data: object) -> Action:
    """Read an action sent by a client, as `to_json` writes it; whether it is legal is up to the game.

    Raises `InvalidInputError` for anything that is not an action of these rules, with the place of the mistake.

    >>> from ttr_rules import compile_rules
    >>> action_from_json(compile_rules("europe"), {"type": "train-cards.DrawFaceUp", "seat": 0, "card": "red"})
    DrawFaceUp(seat=0, card='red')
    """
    check_rules_are_compiled(rules)
    problem = too_deep(data, MOST_IN_ACTION)
    if problem is not None:
        raise InvalidInputError(f"not an action: {problem}")
    try:
        return converter(rules).structure(data, Action)
    except BaseValidationError as error:
        mistakes = transform_error(error, path="action", format_exception=reason_for)
        raise InvalidInputError("; ".join(first(mistakes))) from error
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise InvalidInputError(f"not an action: {error}") from error


def _view(rules: Rules, view: View) -> dict[str, Any]:
    made = converter(rules)
    fields = {field.name: getattr(view, field.name) for field in attrs.fields(View)}
    data = {name: to_jsonable(value) for name, value in fields.items() if name not in ("pending", "decision")}
    decision = None if view.decision is None else made.unstructure(view.decision)
    parts = {name: to_jsonable(exposed_fields(shown)) for name, shown in view.parts.items()}
    return {**data, "parts": parts, "pending": [made.unstructure(each) for each in view.pending], "decision": decision}


# -- their schema ----------------------------------------------------------------------------------------------


def json_schema(rules: Rules) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of the saved games of a stack.

    Under `$defs` are `Save`, `Action`, `Decision`, `Event` (with everything that a seat may not see as `Unknown`),
    `SeenMove`, `View`, `Offer`, `PaymentPage`, and every type of the stack, including plugins' own, by the tag in its
    `type`. Raises `PluginError` for a type with a field that JSON cannot hold.

    >>> from ttr_rules import compile_rules
    >>> schema = json_schema(compile_rules("europe"))
    >>> schema["$defs"]["train-cards.DrawFaceUp"]["required"]
    ['type', 'seat', 'card']
    """
    check_rules_are_compiled(rules)
    made = _Definitions(rules)
    for kind in _TOGETHER:
        made.add_choice(kind)
    for shown in (View, *_OFFERS):
        made.add_class(shown, shown.__name__)
    made.found["SeenMove"] = _object({
        "number": {"type": "integer", "minimum": 0},
        "seat": {"anyOf": [_PLAIN[int], _PLAIN[NoneType]]},
        "events": {"type": "array", "items": {"$ref": "#/$defs/Event"}},
    })  # fmt: skip
    made.found["Save"] = made.save()
    return {"$schema": _DRAFT, "title": f"Games of {rules}", "$ref": "#/$defs/Save", "$defs": made.found}


class _Definitions:
    """The definitions of a schema as they are found, one per class."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.found: dict[str, dict[str, Any]] = {}

    def add_choice(self, kind: type[Any]) -> None:
        """Add a choice among the types of actions, decisions or events."""
        tags = sorted(tag for tag, each in self.rules.types.items() if issubclass(each, kind))
        for tag in tags:
            self.add_class(self.rules.types[tag], tag, tag)
        self.found[kind.__name__] = {"oneOf": [{"$ref": f"#/$defs/{tag}"} for tag in tags]}

    def add_class(self, kind: type[Any], name: str, tag: str | None = None) -> dict[str, Any]:
        """Add the definition of an attrs class and return a reference to it."""
        reference = {"$ref": f"#/$defs/{name}"}
        if name in self.found:
            return reference
        properties: dict[str, Any] = {} if tag is None else {"type": {"const": tag}}
        about = (inspect.getdoc(kind) or "").partition("\n\n")[0]
        self.found[name] = {
            "type": "object",
            "description": " ".join(about.split()),
            "properties": properties,
            "required": [] if tag is None else ["type"],
            "additionalProperties": False,
        }
        hints = get_type_hints(kind)
        for field in attrs.fields(kind):
            properties[field.name] = self._of(hints[field.name], f"{name}.{field.name}")
            if field.default is attrs.NOTHING:
                self.found[name]["required"].append(field.name)
        return reference

    def _of(self, hint: Any, place: str) -> dict[str, Any]:
        if hint in _PLAIN:
            return _PLAIN[hint]
        origin, inside = get_origin(hint), get_args(hint)
        if origin in (Union, UnionType):
            return {"anyOf": [self._of(each, place) for each in inside]}
        if origin is Literal:
            return {"enum": list(inside)}
        if origin is tuple:
            return self._tuple(inside, place)
        if isinstance(origin, type) and issubclass(origin, Mapping) and inside[0] is str:
            return {"type": "object", "additionalProperties": self._of(inside[1], place)}
        if hint in _TOGETHER:
            return {"$ref": f"#/$defs/{hint.__name__}"}
        if isinstance(hint, type) and attrs.has(hint):
            return self.add_class(hint, hint.__name__)
        raise PluginError(f"{place} is a {getattr(hint, '__name__', hint)}, which JSON cannot hold")

    def _tuple(self, inside: tuple[Any, ...], place: str) -> dict[str, Any]:
        if len(inside) == 2 and inside[1] is Ellipsis:
            return {"type": "array", "items": self._of(inside[0], place)}
        each = [self._of(item, place) for item in inside]
        return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}

    def save(self) -> dict[str, Any]:
        """Describe the whole document that `dumps` writes."""
        text, number = _PLAIN[str], {"type": "integer", "minimum": 0}
        move = {
            "action": {"anyOf": [{"$ref": "#/$defs/Action"}, _PLAIN[NoneType]]},
            "chance_calls": number,
            "events": {"type": "array", "items": {"$ref": "#/$defs/Event"}},
        }
        entry = {"type": "array", "prefixItems": [text, {"type": "object"}], "items": False, "minItems": 2}
        return _object({
            "format": {"const": FORMAT},
            "library": text,
            "stack": {"type": "array", "items": entry, "minItems": 1},
            "versions": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}},
            "fingerprint": text,
            "players": {"type": "array", "items": text, "minItems": 1},
            "seed": {"anyOf": [_PLAIN[int], text, _PLAIN[NoneType]]},
            "moves": {"type": "array", "items": _object(move), "minItems": 1},
        })  # fmt: skip


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
