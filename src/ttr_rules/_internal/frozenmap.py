"""An immutable mapping, for frozen values: actions, events, score sheets."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from itertools import islice
from typing import Self, TypeVar, cast

from ttr_rules._internal.messages import cut

K = TypeVar("K")
V = TypeVar("V")
#: The repr of a longer mapping shows only the first entries.
_MOST_SHOWN = 6
_LONGEST_REPR = 95


class FrozenMap(Mapping[K, V]):
    """A mapping that cannot be changed; hashable if its values are; equal to any mapping with the same items.

    Unlike Python's mapping proxies it can be pickled and copied.

    >>> lends = FrozenMap({"berlin": "berlin-wien-green"})
    >>> lends["berlin"], lends == {"berlin": "berlin-wien-green"}
    ('berlin-wien-green', True)
    """

    __slots__ = ("_hash", "_items")

    def __init__(self, items: Mapping[K, V] | None = None) -> None:
        if isinstance(items, FrozenMap):  # it is immutable, so its items can be shared
            self._items: dict[K, V] = items._items  # noqa: SLF001 (of this class)
        else:
            self._items = dict(items or {})
        self._hash: int | None = None

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def keys(self) -> KeysView[K]:
        """The keys."""
        return self._items.keys()

    def values(self) -> ValuesView[V]:
        """The values, in the order of the keys."""
        return self._items.values()

    def items(self) -> ItemsView[K, V]:
        """The pairs of key and value."""
        return self._items.items()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, FrozenMap):
            return self._items == cast("FrozenMap[object, object]", other)._items
        if isinstance(other, Mapping):
            return self._items == dict(cast("Mapping[object, object]", other))
        return NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._items.items()))
        return self._hash

    def __repr__(self) -> str:
        shown: list[str] = []
        for key, value in islice(self._items.items(), _MOST_SHOWN):
            shown.append(cut(f"{key!r}: {value!r}", _LONGEST_REPR))
            if sum(map(len, shown)) > _LONGEST_REPR:
                shown = shown[:-1] or shown
                break
        more = len(self._items) - len(shown)
        return f"{{{', '.join([*shown, *([f'… {more} more'] if more else [])])}}}"

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[dict[K, V]]]:
        return type(self), (self._items,)
