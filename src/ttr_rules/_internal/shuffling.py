"""Shuffling by a seed: Fisher and Yates over words of 32 bits of a hash."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import shake_256
from struct import unpack
from typing import Any, Final, TypeVar

from ttr_rules._internal.native import i64

T = TypeVar("T")
#: The version of chance, which saved games name: the same seed gives the same game only within one version.
CHANCE: Final = 2


@lru_cache(maxsize=16)
def _hash_seed(seed: int | str) -> Any:
    """The hash of a seed, to which a call adds its number."""
    return shake_256(f"{'i' if isinstance(seed, int) else 's'}:{seed}:".encode(), usedforsecurity=False)


def digest(seed: int | str, call: i64, size: i64) -> bytes:
    """`size` bytes for the call with this number."""
    hasher = _hash_seed(seed).copy()
    hasher.update(str(call).encode())
    hashed: bytes = hasher.digest(size)
    return hashed


def roll(seed: int | str, call: i64, faces: Sequence[T]) -> T:
    """The face that the call with this number gives. The bias of remainders of eight bytes is below 1 in 10**16."""
    return faces[int.from_bytes(digest(seed, call, 8), "little") % len(faces)]


def roll_dice(seed: int | str, call: i64, faces: Sequence[T], count: i64) -> tuple[T, ...]:
    """The faces of several dice that the call with this number gives, a word of the hash for each."""
    sides = len(faces)
    return tuple([faces[word * sides >> 32] for word in _words(seed, call, count)])


def _words(seed: int | str, call: i64, count: i64) -> tuple[int, ...]:
    """Words of 32 bits for the call with this number."""
    words: tuple[int, ...] = unpack(f"<{count}I", digest(seed, call, 4 * count))
    return words


def shuffle(seed: int | str, call: i64, items: Sequence[T]) -> tuple[T, ...]:
    """The items in the order that the call with this number gives."""
    order: list[T] = list(items)
    last: i64 = len(order)
    word: i64
    for word in reversed(_words(seed, call, last)):
        other = word * last >> 32
        last -= 1
        order[last], order[other] = order[other], order[last]
    return tuple(order)
