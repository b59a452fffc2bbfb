"""Shuffling by a seed: Fisher and Yates over words of 32 bits of a hash."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_256
from typing import Any, Final

from ttr_rules._internal.native import i64

#: The version of chance, which saved games name: the same seed gives the same game only within one version.
CHANCE: Final = 2


def digest(seed: object, call: i64, size: i64) -> bytes:
    """`size` bytes for the call with this number."""
    kind = "i" if isinstance(seed, int) else "s"
    return shake_256(f"{kind}:{seed}:{call}".encode(), usedforsecurity=False).digest(size)


def seeded(seed: object, call: i64, items: Sequence[Any]) -> tuple[Any, ...]:
    """The items in the order that the call with this number gives."""
    order: list[Any] = list(items)
    last: i64 = len(order) - 1
    words: bytes = digest(seed, call, 4 * (last + 1))
    while last > 0:
        at = 4 * last
        low: i64 = words[at] + (words[at + 1] << 8) + (words[at + 2] << 16)
        high: i64 = words[at + 3]
        other: i64 = (low + high * 16777216) * (last + 1) >> 32
        kept = order[last]
        order[last] = order[other]
        order[other] = kept
        last -= 1
    return tuple(order)
