"""Pools: the items of one box, wherever parts of the state keep them, shown or hidden.

Fields of any parts with the same `pool` hold items of the box that one part declares (`Part.box`). So they are dealt
anew, sampled and counted without code of the author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.fields import part_fields
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.pools import Place, places
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.cards import Unknown
from ttr_rules.model.chance import Dealer


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
