"""What views show of each part of the state: its fields with their types, for the schema and for reading views."""

from __future__ import annotations

from collections.abc import Mapping
from types import GenericAlias
from typing import Any, Union, cast, get_args, get_type_hints

import attrs
from attrs import field, frozen

from ttr_rules.errors import PluginError
from ttr_rules.kernel.fields import EVERYBODY, OWNER, visible_fields
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.unknown import Unknown

_LOOKED_UP = "import it outside of TYPE_CHECKING, at the top of the module"


@frozen
class ExposedPart:
    """A part as views show it: the class of what they hold, and its shape, an attrs class of the fields that they show.

    Without a shape it is a table of anything. `always` says whether every view has it. A shape is made from its `part`, and
    made again from it when an `ExposedPart` is unpickled.
    """

    part: type[Part]
    kind: type[Any]
    shape: type[Any] | None = field(eq=False)
    always: bool

    def __reduce__(self) -> tuple[Any, ...]:
        return _exposed, (self.part,)

    def rebuilt(self, shown: Any) -> Any:
        """What a view holds, from an instance of the shape. What the class declares to nobody is unknown."""
        if self.kind is self.shape:
            return shown
        kind: Any = self.kind
        made = kind.__new__(kind)
        for each in attrs.fields(kind):
            object.__setattr__(made, each.name, getattr(shown, each.name, Unknown(None)))
        return made


def exposed_parts(rules: Rules) -> Mapping[str, ExposedPart]:
    """What views of these rules show of each part, by its name in `View.parts`. Raises `PluginError` for unknown types."""
    return rules.derived(_exposed_parts)


def _exposed_parts(rules: Rules) -> dict[str, ExposedPart]:
    found = {name: _exposed(kind) for kind, name in rules.part_names.items()}
    return {name: each for name, each in found.items() if each is not None}


def _exposed(kind: type[Part]) -> ExposedPart | None:
    """What views show of a part; None if nothing."""
    if kind.seen_by is Part.seen_by:
        return ExposedPart(kind, kind, _shape(kind), always=True) if visible_fields(kind) else None
    # Compiled methods have no annotations: such a class says what it shows.
    returned: Any = getattr(kind, "exposes", None) or _hints(kind.seen_by, kind)["return"]
    kinds = [each for each in get_args(returned) or (returned,) if each is not type(None)]
    always = len(get_args(returned) or (returned,)) == len(kinds)
    shown: Any = kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) and attrs.has(kinds[0]) else kind
    if visible_fields(shown):
        return ExposedPart(kind, shown, _shape(shown), always)
    if shown is kind:
        return ExposedPart(kind, dict, None, always=False)
    return ExposedPart(kind, shown, resolved(shown), always)


def _shape(kind: type[Any]) -> type[Any]:
    """An attrs class with the visible fields of a part, each with the type that a view shows of it."""
    hints = _hints(kind, kind)
    fields: dict[str, Any] = {}
    for name, visibility in visible_fields(kind).items():
        hint: Any = hints[name]
        if visibility == OWNER:
            inside = get_args(hint)
            hint = cast("Any", GenericAlias(list, (_or_unknown(inside[0]),))) if inside else hint
        elif visibility != EVERYBODY:
            hint = _or_unknown(hint)
        fields[name] = attrs.field(type=hint)
    made = attrs.make_class(kind.__name__, fields, frozen=True)
    made.__doc__ = kind.__doc__
    return cast("type[Any]", made)


def _or_unknown(hint: Any) -> Any:
    return Union[hint, Unknown]  # noqa: UP007 (made at run time)


def resolved(kind: type[Any]) -> type[Any]:
    """An attrs class whose fields have their types, rather than the names of their types. Raises `PluginError`."""
    try:
        return attrs.resolve_types(kind)
    except NameError as error:
        raise PluginError(f"{kind.__name__}: {error}; {_LOOKED_UP}") from error


def _hints(thing: Any, kind: type[Any]) -> dict[str, Any]:
    try:
        return get_type_hints(thing, include_extras=True)
    except NameError as error:
        raise PluginError(f"{kind.__name__}: {error}; {_LOOKED_UP}") from error
