"""Pools: the items of one box, wherever parts of the state keep them, shown or hidden.

Fields of any parts with the same `pool` hold items of the box that one part declares (`Part.box`). So they are dealt
anew, sampled and counted without code of the author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, get_args, get_origin

from attrs import frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.fields import hints_of, part_fields
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.chance import Dealer

if TYPE_CHECKING:
    from ttr_rules.kernel.part import Part
    from ttr_rules.kernel.rules import Rules


@frozen
class Place:
    """One place of items: a field of a part, or the entry of a seat in it."""

    part: Any
    field: str
    seat: int | None

    @property
    def content(self) -> Any:
        """What lies here; `Unknown` if it has yet to be dealt."""
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
        table: Mapping[Any, Iterable[Any]] = content
        return [(key, item) for key, inside in table.items() for item in inside]
    if isinstance(content, Unknown) or content is None:
        return []
    some: Any = content
    return list(some)


def boxes(parts: Iterable[Part], rules: Rules) -> dict[str, list[Any]]:
    """The items of each box, by pool."""
    found: dict[str, list[Any]] = {}
    for part in parts:
        for pool, inside in part.box(rules).items():
            found.setdefault(pool, []).extend(inside)
    return found


def missing(parts: Iterable[Part], rules: Rules) -> Mapping[str, Mapping[Any, int]]:
    """By pool, the items of the box that are nowhere (above 0), or more often than in the box (below 0).

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> missing(state.parts.values(), state.rules)
    {'cards': {}}
    """
    parts = list(parts)
    found: dict[str, dict[Any, int]] = {}
    for pool, inside in boxes(parts, rules).items():
        left = Counter(inside)
        for part in parts:
            left.subtract(part.items_in(pool))
        found[pool] = {item: count for item, count in left.items() if count}
    return found


def deal_pools(parts: Iterable[Part], rules: Rules, dealer: Dealer) -> None:
    """Deal what is nowhere in view to the places that are still `Unknown`, every way equally likely.

    Raises `InvalidInputError` if a box has too few items for that. A pool without a box is left as it is.
    """
    parts = list(parts)
    unknown: dict[str, list[Place]] = {}
    for part in parts:
        for pool in {declared.pool: None for declared in part_fields(type(part)).values() if declared.pool}:
            lots = [place for place in places(part, pool) if isinstance(place.content, Unknown)]
            unknown.setdefault(pool, []).extend(lots)
    full = boxes(parts, rules) if any(unknown.values()) else {}
    for pool, lots in unknown.items():
        left = Counter(full.get(pool, ()))
        for part in parts if lots and left else ():
            left.subtract(part.items_in(pool))
        rest = list(dealer.shuffled([item for item in left for _ in range(left[item])]))
        wanted = sum(place.content.count or 0 for place in lots)
        if wanted and pool not in full:
            continue
        if min(left.values(), default=0) < 0 or len(rest) < wanted:
            raise InvalidInputError(f"inconsistent view: it shows more {pool} than there are")
        for place in lots:
            count = place.content.count or 0
            place.put(rest[:count])
            rest = rest[count:]
