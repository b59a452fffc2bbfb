"""For authors of variants: checks, strategies, and tools that show what the rules do.

`check_variant`, `perft` and `playthrough` need only the library. `conformance_suite` and the strategies of
`ttr_tools.testing.strategies` need the extra `testing` (pytest and Hypothesis).

>>> print(check_variant("london", players=2, games=1, skip=["secrets"]))
london: 1 game, 58 actions, 20 properties hold
  not checked: secrets
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ttr_tools.testing.new_variant import write_variant
from ttr_tools.testing.playthroughs import divide, perft, playthrough
from ttr_tools.testing.runs import Problem, VariantError, VariantReport, played
from ttr_tools.testing.variant import check_variant, property_names


def conformance_suite(
    *stack: object,
    players: int | Sequence[int] | None = None,
    games: int = 4,
    rulings: Mapping[str, object] | None = None,
    skip: Sequence[str] = (),
) -> type[Any]:
    """Create a pytest class that checks a variant, one test per property; see `check_variant` for the arguments.

    Hypothesis draws the seeds and the numbers of players of `games` games for each property, different ones in every
    run. Needs the extra `testing`. Give the class a name that pytest collects:

    >>> TestMine = conformance_suite("europe", games=2)
    >>> [name for name in vars(TestMine) if name.startswith("test_")][:3]
    ['test_stack', 'test_course', 'test_counts']
    """
    from ttr_tools.testing.strategies import make_suite

    return make_suite(stack, players, games, rulings, skip)


__all__ = [
    "Problem",
    "VariantError",
    "VariantReport",
    "check_variant",
    "conformance_suite",
    "divide",
    "perft",
    "played",
    "playthrough",
    "property_names",
    "write_variant",
]
