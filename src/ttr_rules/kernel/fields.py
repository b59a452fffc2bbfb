"""Fields of a state or a part of it: who may see them, and copies that follow from their types.

A class declares each field once. Copying, comparing, what a seat sees and what a saved view tells follow from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast, get_args, get_origin, get_type_hints

import attrs
from attrs import field

from ttr_rules.model.cards import Counts
from ttr_rules.model.unknown import Unknown

#: The key of a field's metadata under which stands who may see it.
VISIBLE = "visible to"
EVERYBODY, OWNER, NOBODY = "everybody", "its owner", "nobody"
#: Under which stands what people call it, and whether its numbers are seats.
LABEL, SEATS = "label", "seats"


def public(
    *,
    default: Any = attrs.NOTHING,
    factory: Callable[[], Any] | None = None,
    label: str | None = None,
    seats: bool = False,
) -> Any:
    """A field of a part that everybody may see.

    `label` is what people call it where the table is shown, such as "Stations left"; "" leaves it out there. With `seats`
    the numbers in it are seats, shown by their players' names.
    """
    return field(default=default, factory=factory, metadata={VISIBLE: EVERYBODY, LABEL: label, SEATS: seats})


def secret_by_seat(
    *, default: Any = attrs.NOTHING, factory: Callable[[], Any] | None = None, label: str | None = None
) -> Any:
    """A field of a part that is a list with an entry for each seat, which that seat alone may see.

    Others see how many things the entry holds: `Unknown(count)`. `label` as for `public`.
    """
    return field(default=default, factory=factory, metadata={VISIBLE: OWNER, LABEL: label})


def counted(*, default: Any = attrs.NOTHING, factory: Callable[[], Any] | None = None, label: str | None = None) -> Any:
    """A field of a part of which everybody sees how many things it holds, and nobody which: `Unknown(count)`.

    `label` as for `public`.
    """
    return field(default=default, factory=factory, metadata={VISIBLE: NOBODY, LABEL: label})


def size_of(value: object) -> int | None:
    """How many things a value holds, for what is told of a secret; None where that is not known either.

    >>> size_of(("a", "b")), size_of(Counts(red=3)), size_of("wien")
    (2, 3, 1)
    """
    if isinstance(value, Counts):
        return value.total
    if isinstance(value, Unknown):
        return value.count
    return len(cast("Sequence[object]", value)) if isinstance(value, tuple | list | dict) else 1


def visible_fields(kind: type[Any]) -> dict[str, str]:
    """The fields of a class that are declared visible to somebody, with whom."""
    if not attrs.has(kind):
        return {}
    return {each.name: each.metadata[VISIBLE] for each in attrs.fields(kind) if VISIBLE in each.metadata}


def seen(value: object, seat: int | None) -> Any:
    """A copy of a part as `seat` sees it: what it may not see is `Unknown`. None is a spectator."""
    kind = cast(Any, type(value))
    copied = copier(kind)(value)
    visible = visible_fields(kind)
    for each in attrs.fields(kind):
        whole = getattr(copied, each.name)
        hidden: object = whole
        if each.name not in visible:
            hidden = Unknown(None)
        elif visible[each.name] == NOBODY:
            hidden = Unknown(size_of(whole))
        elif visible[each.name] == OWNER:
            hidden = [entry if owner == seat else Unknown(size_of(entry)) for owner, entry in enumerate(whole)]
        object.__setattr__(copied, each.name, hidden)
    return copied


def told(shown: object) -> dict[str, object]:
    """What a part shows, by the names of its fields; a part that shows a table, by its keys.

    >>> told({"depots": 2}), told(None)
    ({'depots': 2}, {})
    """
    if isinstance(shown, Mapping):
        return dict(cast("Mapping[str, object]", shown))
    kind: Any = type(shown)
    if not attrs.has(kind):
        return {}
    names = visible_fields(kind) or [each.name for each in attrs.fields(kind)]
    return {name: getattr(shown, name) for name in names}


@cache
def copier(kind: Any, **special: str) -> Callable[[Any], Any]:
    """A function that copies instances of an attrs class: lists, tables and sets in its fields are copied, values shared.

    It is written out field by field, as `attrs` writes its methods: a search copies states all the time. `special` gives
    the expression for a field that is copied in its own way.
    """
    hints = get_type_hints(kind)
    lines = ["def copied(self):", "    new = make(kind)"]
    for each in attrs.fields(kind):
        expression = special.get(each.name) or _expression(f"self.{each.name}", hints[each.name])
        lines.append(f"    new.{each.name} = {expression}")
    lines.append("    return new")
    names: dict[str, Any] = {"kind": kind, "make": object.__new__}
    exec("\n".join(lines), names)  # noqa: S102 (made of the names of fields alone)
    return cast("Callable[[Any], Any]", names["copied"])


def _expression(value: str, hint: Any) -> str:
    """How to copy a value of a type: two levels of containers are copied, which is all that a state has."""
    origin, inside = get_origin(hint) or hint, get_args(hint)
    if origin is list:
        deep = bool(inside) and (get_origin(inside[0]) or inside[0]) in (list, dict, set)
        return f"[each.copy() for each in {value}]" if deep else f"{value}.copy()"
    if origin is dict:
        deep = len(inside) == 2 and (get_origin(inside[1]) or inside[1]) in (list, dict, set)
        return f"{{key: each.copy() for key, each in {value}.items()}}" if deep else f"{value}.copy()"
    return f"{value}.copy()" if origin is set else value
