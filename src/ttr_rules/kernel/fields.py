"""Fields of a state or a part of it: who may see them, and how they are copied.

A class declares each field once. Copying, comparing, what a seat sees and what a saved view shows all follow from that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast

import attrs
from attrs import field

from ttr_rules.kernel.copying import copier
from ttr_rules.model.cards import Counts, Unknown

#: The key of a field's metadata that says who may see it.
VISIBLE = "visible to"
EVERYBODY, OWNER, NOBODY = "everybody", "its owner", "nobody"
#: The key for its label.
LABEL = "label"
#: The key for whether its numbers are seats.
SEATS = "seats"


def public(
    *,
    default: Any = attrs.NOTHING,
    factory: Callable[[], Any] | None = None,
    label: str | None = None,
    seats: bool = False,
) -> Any:
    """A field of a part that all players may see.

    `label` is its name where the table is shown, such as "Stations left"; "" leaves it out there. With `seats`
    its numbers are seats, shown as the names of their players.

    >>> from ttr_rules.plugins import Part
    >>> @attrs.define(eq=False)
    ... class Depots(Part):
    ...     left: list[int] = public(label="Depots left")
    >>> Depots([3, 2]).seen_by(1)
    Depots(left=[3, 2])
    """
    return field(default=default, factory=factory, metadata={VISIBLE: EVERYBODY, LABEL: label, SEATS: seats})


def secret_by_seat(
    *, default: Any = attrs.NOTHING, factory: Callable[[], Any] | None = None, label: str | None = None
) -> Any:
    """A field of a part that is a list with an entry for each seat, visible to that seat alone.

    Others see how many items the entry holds: `Unknown(count)`. `label` as for `public`.

    >>> from ttr_rules.plugins import Part
    >>> @attrs.define(eq=False)
    ... class Letters(Part):
    ...     held: list[tuple[str, ...]] = secret_by_seat()
    >>> Letters([("paris",), ("wien", "roma")]).seen_by(0)
    Letters(held=[('paris',), Unknown(count=2)])
    """
    return field(default=default, factory=factory, metadata={VISIBLE: OWNER, LABEL: label})


def counted(*, default: Any = attrs.NOTHING, factory: Callable[[], Any] | None = None, label: str | None = None) -> Any:
    """A field of a part of which all players see the number of items, but not the items: `Unknown(count)`.

    `label` as for `public`.

    >>> from ttr_rules.plugins import Part
    >>> @attrs.define(eq=False)
    ... class Bag(Part):
    ...     tokens: tuple[str, ...] = counted()
    >>> Bag(("red", "red", "blue")).seen_by(0)
    Bag(tokens=Unknown(count=3))
    """
    return field(default=default, factory=factory, metadata={VISIBLE: NOBODY, LABEL: label})


def size_of(value: object) -> int | None:
    """The number of items in a value, for showing a secret; None if the number is not known either.

    >>> size_of(("a", "b")), size_of(Counts(red=3)), size_of("wien")
    (2, 3, 1)
    """
    if isinstance(value, Counts):
        return value.total
    if isinstance(value, Unknown):
        return value.count
    return len(cast("Sequence[object]", value)) if isinstance(value, tuple | list | dict) else 1


def visible_fields(kind: type[Any]) -> dict[str, str]:
    """The fields of a class that are declared visible, each with its visibility."""
    if not attrs.has(kind):
        return {}
    return {each.name: each.metadata[VISIBLE] for each in attrs.fields(kind) if VISIBLE in each.metadata}


@cache
def copier_of(kind: Any) -> Callable[[Any], Any]:
    """The function that copies a part: `Unknown` may stand in place of its secrets. Raises `TypeError` if nothing can."""
    visible = visible_fields(kind)
    names = [each.name for each in attrs.fields(kind)] if visible else []
    hidden = [name for name in names if visible.get(name, NOBODY) == NOBODY]
    return copier(kind, hidden, [name for name in names if visible.get(name) == OWNER])


@cache
def secret_fields(kind: Any) -> Sequence[tuple[str, str | None]]:
    """The fields of a part that not everybody sees, each with its visibility; None if nobody sees even its size."""
    visible = visible_fields(kind)
    names = [each.name for each in attrs.fields(kind)]
    return [(name, visible.get(name)) for name in names if visible.get(name) != EVERYBODY]


def seen(value: object, seat: int | None) -> Any:
    """A copy of a part as `seat` sees it: what it may not see is `Unknown`. None is a spectator."""
    kind = cast(Any, type(value))
    shown = copier_of(kind)(value)
    for name, visible in secret_fields(kind):
        whole = getattr(shown, name)
        hidden: object
        if visible == OWNER:
            hidden = [entry if owner == seat else Unknown(size_of(entry)) for owner, entry in enumerate(whole)]
        else:
            hidden = Unknown(None if visible is None else size_of(whole))
        object.__setattr__(shown, name, hidden)
    return shown


def exposed_fields(exposed: object) -> dict[str, object]:
    """The fields that a part exposes, by name; the entries of a part that exposes a table, by key.

    >>> exposed_fields({"depots": 2}), exposed_fields(None)
    ({'depots': 2}, {})
    """
    if isinstance(exposed, Mapping):
        return dict(cast("Mapping[str, object]", exposed))
    kind: Any = type(exposed)
    if not attrs.has(kind):
        return {}
    names = visible_fields(kind) or [each.name for each in attrs.fields(kind)]
    return {name: getattr(exposed, name) for name in names}
