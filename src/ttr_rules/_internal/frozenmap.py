"""An immutable mapping, for values that are kept: actions, events, score sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from ttr_rules._internal.guards import is_table

K = TypeVar("K")
V = TypeVar("V")


class FrozenMap(Mapping[K, V]):
    """A mapping that cannot be changed; hashable if its values are; equal to any mapping with the same items.

    >>> lends = FrozenMap({"berlin": "berlin-wien-green"})
    >>> lends["berlin"], lends == {"berlin": "berlin-wien-green"}
    ('berlin-wien-green', True)
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        if isinstance(items, FrozenMap):  # it never changes, so its items can be shared
            self._items: dict[K, V] = items._items  # noqa: SLF001 (of this class)
        else:
            self._items = dict(items or {})

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if is_table(other):
            return self._items == dict(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)
