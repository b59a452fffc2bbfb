"""Shuffling by a seed: Fisher and Yates over words of 32 bits of a hash."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import shake_256
from typing import Any, Final, TypeVar

from ttr_rules._internal.native import i64

T = TypeVar("T")
#: The version of chance, which saved games name: the same seed gives the same game only within one version.
CHANCE: Final = 2


@lru_cache(maxsize=16)
def _seeded(seed: int | str) -> Any:
    """The hash of a seed, to which a call adds its number."""
    return shake_256(f"{'i' if isinstance(seed, int) else 's'}:{seed}:".encode(), usedforsecurity=False)


def digest(seed: int | str, call: i64, size: i64) -> bytes:
    """`size` bytes for the call with this number."""
    found = _seeded(seed).copy()
    found.update(str(call).encode())
    hashed: bytes = found.digest(size)
    return hashed


def rolled(seed: int | str, call: i64, faces: Sequence[T]) -> T:
    """The face that the call with this number gives. The bias of remainders of eight bytes is below 1 in 10**16."""
    return faces[int.from_bytes(digest(seed, call, 8), "little") % len(faces)]


def rolled_together(seed: int | str, call: i64, faces: Sequence[T], count: i64) -> tuple[T, ...]:
    """The faces of several dice that the call with this number gives, a word of the hash for each."""
    hashed, sides = digest(seed, call, 4 * count), len(faces)
    return tuple([faces[_word(hashed, number) * sides >> 32] for number in range(count)])


def _word(hashed: bytes, number: i64) -> i64:
    """A word of 32 bits out of a hash."""
    at: i64 = 4 * number
    return i64(hashed[at]) | i64(hashed[at + 1]) << 8 | i64(hashed[at + 2]) << 16 | i64(hashed[at + 3]) << 24


def seeded(seed: int | str, call: i64, items: Sequence[T]) -> tuple[T, ...]:
    """The items in the order that the call with this number gives."""
    order: list[T] = list(items)
    hashed = digest(seed, call, 4 * len(order))
    last: i64
    for last in range(len(order) - 1, 0, -1):
        other = _word(hashed, last) * (last + 1) >> 32
        order[last], order[other] = order[other], order[last]
    return tuple(order)
