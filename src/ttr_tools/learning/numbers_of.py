"""What plugins show, as numbers: entries of fixed places for fields, and hashed ones for what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, cast
from zlib import crc32

import attrs

from ttr_rules.fields import SEATS, exposed_fields
from ttr_rules.model import Unknown


def squash(value: float, scale: float) -> float:
    """Any number as one between -1 and 1, in the same order: `scale` becomes a half.

    >>> squash(0, 10), squash(10, 10), squash(-30, 10)
    (0.0, 0.5, -0.75)
    """
    return value / (scale + abs(value))


@lru_cache(maxsize=100_000)
def bucket(key: str, buckets: int) -> int:
    """The bucket of a key: the same on every machine.

    >>> bucket("built.wien", 32) == bucket("built.wien", 32) < 32
    True
    """
    return crc32(key.encode()) % buckets


def size(value: object) -> float:
    """One number for what a field holds: a number as it is, of anything else how much there is.

    >>> from ttr_rules.model import Counts
    >>> size(3), size(Counts(red=2, blue=1)), size(("a", "b")), size(Unknown(4)), size(None), size("paris")
    (3.0, 3.0, 2.0, 4.0, 0.0, 1.0)
    """
    if value is None:
        return 0.0
    if isinstance(value, bool | int | float):
        return float(value)
    if isinstance(value, Unknown):
        return float(value.count or 0)
    if isinstance(value, Mapping):
        held = list(cast("Mapping[object, object]", value).values())
        counts = [each for each in held if isinstance(each, int) and not isinstance(each, bool)]
        return float(sum(counts)) if held and len(counts) == len(held) else float(len(held))
    if isinstance(value, str):
        return 1.0
    if isinstance(value, list | tuple | AbstractSet):
        return float(len(cast("Sized", value)))
    return 1.0


def atoms(value: object, key: str, turned: Turned) -> Iterator[tuple[str, float]]:
    """Everything that a value holds, as keys and numbers: `built.wien.seat+1` and 1, `left.red` and 3.

    >>> list(atoms({"wien": [2, ("red",)]}, "depots", Turned(seat=0, players=3)))
    [('depots.wien', 2.0), ('depots.wien.red', 1.0)]
    >>> list(atoms({"wien": 0}, "depots", Turned(seat=1, players=3, seats=True)))
    [('depots.wien.seat+2', 1.0)]
    """
    if value is None:
        return
    if isinstance(value, int | float):
        if turned.seats and type(value) is int:
            yield f"{key}.seat+{turned.place(value)}", 1.0
        else:
            yield key, float(value)
    elif isinstance(value, str):
        yield f"{key}.{value}", 1.0
    elif isinstance(value, Unknown):
        yield key, float(value.count or 0)
    elif isinstance(value, Mapping):
        for name, inner in cast("Mapping[object, object]", value).items():
            yield from atoms(inner, f"{key}.{name}", turned)
    elif isinstance(value, list | tuple | AbstractSet):
        for inner in cast("Iterable[object]", value):
            yield from atoms(inner, key, turned)
    else:
        for name, inner in exposed_fields(value).items():
            yield from atoms(inner, f"{key}.{name}", turned)


@attrs.frozen
class Turned:
    """How a seat counts the others: itself is 0, the next one 1. With `seats`, whole numbers are seats."""

    seat: int
    players: int
    seats: bool = False

    def place(self, seat: int) -> int:
        """How far a seat is from this one, clockwise."""
        return (seat - self.seat) % self.players


def holds_seats(exposed: object, name: str) -> bool:
    """Whether the numbers in a field are seats, as its declaration says."""
    kind: Any = type(exposed)
    if not attrs.has(kind):
        return False
    field = attrs.fields_dict(kind).get(name)
    return field is not None and bool(field.metadata.get(SEATS))
