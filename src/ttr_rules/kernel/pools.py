"""The places in parts of the state that hold items of a pool, and the items there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast, get_args, get_origin

from attrs import frozen

from ttr_rules.kernel.fields import hints_of, part_fields
from ttr_rules.model.cards import Counts, Unknown


@frozen
class Place:
    """One place of items: a field of a part, or the entry of a seat in it."""

    part: Any
    field: str
    seat: int | None

    @property
    def content(self) -> Any:
        """The value here; `Unknown` if it has yet to be dealt."""
        value = getattr(self.part, self.field)
        return value if self.seat is None else value[self.seat]

    def put(self, items: Iterable[Any]) -> None:
        """Put items here, in a value of the type of the field."""
        hint = hints_of(type(self.part))[self.field]
        if self.seat is not None:
            hint = get_args(hint)[0]
        kind: Any = get_origin(hint) or hint
        new = Counts(Counter(items)) if kind is Counts else kind(items)
        if self.seat is None:
            setattr(self.part, self.field, new)
        else:
            getattr(self.part, self.field)[self.seat] = new


def places(part: object, pool: str) -> Iterator[Place]:
    """The places of a part, or of what a view shows of it, that hold items of a pool."""
    for name, declared in part_fields(type(part)).items():
        if declared.pool != pool:
            continue
        value = getattr(part, name)
        if declared.by_seat and not isinstance(value, Unknown):
            yield from (Place(part, name, seat) for seat in range(len(value)))
        else:
            yield Place(part, name, None)


def items(content: object) -> list[Any]:
    """The items of a value: those of a list or tuple, kinds as often as `Counts` says; in a table, each with its key.

    >>> items(Counts(red=2)), items(("a", "b")), items({"prr": (1, 2)})
    (['red', 'red'], ['a', 'b'], [('prr', 1), ('prr', 2)])
    """
    if isinstance(content, Counts):
        return [name for name, count in content.items() for _ in range(count)]
    if isinstance(content, Mapping):
        table = cast("Mapping[Any, Iterable[Any]]", content)
        return [(key, item) for key, inside in table.items() for item in inside]
    if isinstance(content, Unknown) or content is None:
        return []
    some: Any = content
    return list(some)
