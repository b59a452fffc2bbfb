"""Containers: mappings for frozen values, sequences that create members as they are read, caches that stay small."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from functools import cache
from itertools import islice
from typing import Self, TypeVar, cast, overload

from ttr_rules.text import cut

K = TypeVar("K")
V = TypeVar("V")
F = TypeVar("F", bound=Callable[..., object])


def once(function: F) -> F:
    """A function that is called once for the same arguments, such as a class, which type checkers do not take for hashable."""
    return cast("F", cache(function))


def keep(cache: dict[K, V], key: K, value: V, most: int) -> V:
    """Put a value into a cache, which is emptied first if it has `most` entries. Returns the value.

    >>> cache = {1: "a", 2: "b"}
    >>> keep(cache, 3, "c", most=2), cache
    ('c', {3: 'c'})
    """
    if len(cache) >= most:
        cache.clear()
    cache[key] = value
    return value


class FrozenMap(Mapping[K, V]):
    """A mapping that cannot be changed, equal to any mapping with the same items, and hashable if its values are.

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
        return cut(repr(self._items))

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[dict[K, V]]]:
        return type(self), (self._items,)


T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: The number of members that the repr of a sequence shows.
SHOWN = 3
#: A slice that skips more than this many members for each one it takes fetches its members one by one.
SKIPPED = 8


class LazySequence(Sequence[T_co]):
    """A read-only sequence, equal to any sequence of the same members.

    A subclass sets `_size` and gives `nth` and, for speed, `__iter__`. It is not hashable, because every member
    would have to be created. Convert it to a tuple if you need a hash.

    >>> class Squares(LazySequence[int]):
    ...     def nth(self, index: int) -> int:
    ...         return index**2
    >>> Squares(1_000_000)
    <Squares of 1000000: 0, 1, 4, …>
    """

    __slots__ = ("_size",)

    def __init__(self, size: int) -> None:
        self._size = size

    @abstractmethod
    def nth(self, index: int) -> T_co:
        """The member with this index, from 0 to below the length."""

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T_co]: ...
    def __getitem__(self, index: int | slice) -> T_co | Sequence[T_co]:
        if isinstance(index, slice):
            wanted = range(*index.indices(self._size))
            if wanted.step > 0 and wanted.stop <= SKIPPED * len(wanted):
                return tuple(islice(self, wanted.start, wanted.stop, wanted.step))
            return tuple(map(self.nth, wanted))
        if index < 0:
            index += self._size
        if not 0 <= index < self._size:
            raise IndexError(f"there are {self._size} members, none with the index {index}")
        return self.nth(index)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Sequence) and not isinstance(other, str | bytes):
            members = cast("Sequence[object]", other)
            pairs = zip(self, members, strict=False)
            return len(members) == self._size and all(one is other or one == other for one, other in pairs)
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        members = [repr(self.nth(index)) for index in range(min(self._size, SHOWN))]
        if len(members) < self._size:
            members.append("…")
        return cut(f"<{type(self).__name__} of {self._size}: {', '.join(members)}>")


def spread(members: Sequence[T], most: int) -> Iterator[T]:
    """All members in order, or, if there are more than `most`, that many spread over the sequence.

    >>> list(spread(range(10), 5)), list(spread(range(4), 5))
    ([0, 2, 4, 6, 8], [0, 1, 2, 3])
    """
    size = len(members)
    return iter(members) if size <= most else (members[index * size // most] for index in range(most))


def up_to(members: Iterable[T], most: int) -> list[T] | None:
    """All members in a list, or None if there are more than `most`.

    >>> up_to(iter("abc"), 3), up_to(iter("abc"), 2)
    (['a', 'b', 'c'], None)
    """
    first = list(islice(members, most + 1))
    return first if len(first) <= most else None


__all__ = ["FrozenMap", "LazySequence", "spread"]
