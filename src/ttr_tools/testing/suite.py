"""`conformance_suite`: what `check_variant` checks, as a pytest class with a test for each property."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ttr_rules import Rules
from ttr_rules.plugins import compile_rules
from ttr_tools.testing import check_bots, check_stack
from ttr_tools.testing.check_play import CourseCheck
from ttr_tools.testing.game_run import Check, GameRun
from ttr_tools.testing.names import stack_name
from ttr_tools.testing.problems import VariantError
from ttr_tools.testing.variant import CHECKS, player_counts, run


def make_suite(
    stack: Sequence[object],
    players: int | Sequence[int] | None,
    games: int,
    rulings: Mapping[str, Any] | None,
    skip: Sequence[str],
) -> type[Any]:
    """The class that `conformance_suite` returns."""
    compiled: list[Rules] = []

    def rules() -> Rules:
        if not compiled:  # only when a test runs, so that a stack that cannot be compiled is a failed test
            compiled.append(compile_rules(*stack, rulings=rulings))
        return compiled[0]

    def test_stack(self: object) -> None:
        found = check_stack.stack_problems(stack, rules(), player_counts(rules(), players), rulings)
        if found:
            raise VariantError(" + ".join(rules().stack), found)

    def test_bots(self: object) -> None:
        found = check_bots.bot_problems(stack, rules(), player_counts(rules(), players)[0], seed=1)
        if found:
            raise VariantError(" + ".join(rules().stack), found)

    def test_planner(self: object) -> None:
        found = check_bots.planner_problems(rules(), player_counts(rules(), players)[0], seed=1)
        if found:
            raise VariantError(" + ".join(rules().stack), found)

    def test_of(kind: type[Check]) -> Callable[..., None]:
        kinds = (kind,) if kind is CourseCheck else (CourseCheck, kind)

        def test(self: object, table: int, seed: int) -> None:
            counts = player_counts(rules(), players)
            game_run = GameRun(stack, rules(), counts[table % len(counts)], seed)
            found = run(game_run, kinds)
            if found:
                raise VariantError(" + ".join(rules().stack), found)

        # Hypothesis distinguishes tests by these, so each property gets its own.
        test.__name__ = f"test_{kind.name}"
        test.__qualname__ = f"Conformance.{test.__name__}"
        test.__doc__ = kind.claim
        drawn = given(table=st.integers(0, 999), seed=st.integers(0, 2**32))(test)
        return settings(
            max_examples=games,
            deadline=None,
            phases=[Phase.explicit, Phase.reuse, Phase.generate],  # seeds cannot be shrunk
            suppress_health_check=[HealthCheck.too_slow],
        )(drawn)

    tests: dict[str, Any] = {"__doc__": f"What every variant must keep: {stack_name(stack)}.", "__module__": __name__}
    if check_stack.NAME not in skip:
        test_stack.__doc__ = check_stack.CLAIM
        tests["test_stack"] = test_stack
    for kind in CHECKS:
        if kind.name not in skip:
            tests[f"test_{kind.name}"] = test_of(kind)
    if check_bots.NAME not in skip:
        test_bots.__doc__ = check_bots.CLAIM
        tests["test_bots"] = test_bots
    if check_bots.PLANNER not in skip:
        test_planner.__doc__ = check_bots.PLANNER_CLAIM
        tests["test_planner"] = test_planner
    return type("TestConformance", (), tests)
