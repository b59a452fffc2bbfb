"""With Hypothesis: games in mid-play, legal actions, and `conformance_suite`.

For `st.from_type(Route)` and its like, which work wherever the library is installed, see `registering`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, assume, given, settings, strategies as st

from ttr_rules import compile_rules
from ttr_rules.model import Action
from ttr_rules.play import Game
from ttr_tools.testing.names import stack_name
from ttr_tools.testing.play import CourseCheck
from ttr_tools.testing.runs import (
    Check,
    Run,
    StackCheck,
    Trial,
    played,
)
from ttr_tools.testing.variant import PROPERTIES, player_counts, run_checks

# -- games -----------------------------------------------------------------------------------------------------


@st.composite
def games(
    draw: st.DrawFn, *stack: object, players: int | None = None, most_actions: int = 150, over: bool = False
) -> Game:
    """Games of a stack in mid-play: any valid number of players, seeded, after up to `most_actions` random actions.

    `over=True` gives finished games. Otherwise games that end early are discarded.

    >>> from hypothesis import given
    >>> @given(games("europe", players=2))
    ... def test_somebody_is_asked(game):
    ...     assert game.to_act
    """
    compiled = compile_rules(*stack)
    box = compiled.components
    count = draw(st.integers(box.min_players, box.max_players)) if players is None else players
    actions = None if over else draw(st.integers(0, most_actions))
    game = played(rules=compiled, players=count, seed=draw(st.integers(0, 2**32)), actions=actions)
    assume(game.is_over == over)
    return game


@st.composite
def legal_actions(draw: st.DrawFn, game: Game, kind: type[Action] = Action) -> Action:
    """A legal action of one of the seats that may act in a game, of one type if given."""
    actions = [action for seat in game.to_act for action in game.legal_actions(seat) if isinstance(action, kind)]
    assume(actions)
    return actions[draw(st.integers(0, len(actions) - 1))]


# -- the suite ---------------------------------------------------------------------------------------------------


def conformance_suite(
    *stack: object,
    players: int | Sequence[int] | None = None,
    games: int = 4,
    rulings: Mapping[str, object] | None = None,
    skip: Sequence[str] = (),
) -> type[Any]:
    """Create a pytest class that checks a variant, one test per property. See `check_variant` for the arguments.

    Hypothesis draws the seeds and the numbers of players of `games` games for each property, different ones in every
    run. Needs the extra `testing`. Give the class a name that pytest collects:

    >>> TestMine = conformance_suite("europe", games=2)
    >>> [name for name in vars(TestMine) if name.startswith("test_")][:3]
    ['test_stack', 'test_course', 'test_counts']
    """

    @cache
    def trial() -> Trial:  # only when a test runs, so that a stack that cannot be compiled is a failed test
        compiled = compile_rules(*stack, rulings=rulings)
        return Trial(stack, compiled, player_counts(compiled, players))

    def rename(test: Callable[..., None], check: StackCheck | type[Check]) -> Callable[..., None]:
        # Hypothesis distinguishes tests by these, so each property gets its own.
        test.__name__ = f"test_{check.name}"
        test.__qualname__ = f"Conformance.{test.__name__}"
        test.__doc__ = check.look.__doc__ if isinstance(check, StackCheck) else check.__doc__
        return test

    def test_of_stack(check: StackCheck) -> Callable[..., None]:
        def test(self: object) -> None:
            trial().fail_for(check.find(trial()))

        return rename(test, check)

    def test_of_games(kind: type[Check]) -> Callable[..., None]:
        kinds = (kind,) if kind is CourseCheck else (CourseCheck, kind)

        def test(self: object, table: int, seed: int) -> None:
            counts = trial().players
            trial().fail_for(run_checks(Run(trial(), counts[table % len(counts)], seed), kinds))

        return settings(
            max_examples=games,
            deadline=None,
            phases=[Phase.explicit, Phase.reuse, Phase.generate],  # seeds cannot be shrunk
            suppress_health_check=[HealthCheck.too_slow],
        )(given(table=st.integers(0, 999), seed=st.integers(0, 2**32))(rename(test, kind)))

    tests: dict[str, Any] = {"__doc__": f"Properties of every variant: {stack_name(stack)}.", "__module__": __name__}
    for check in PROPERTIES:
        if check.name not in skip:
            test = test_of_stack(check) if isinstance(check, StackCheck) else test_of_games(check)
            tests[f"test_{check.name}"] = test
    return type("TestConformance", (), tests)
