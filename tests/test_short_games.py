"""Whole games of London and New York, with every number of players: what must hold after every action."""

from __future__ import annotations

from random import Random

import pytest
from helpers import rules_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playing import Watch, check_choices, check_mutants

import ttr_rules as ttr
from ttr_tools.testing import check_variant

MAPS = ("london", "new-york")
PLAYED = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.slow_cases("3-london", "4-london", "4-new-york")
@pytest.mark.rule("O1", "O3", "O4", "W1", "W2", "W3")
@pytest.mark.parametrize("map", MAPS)
@pytest.mark.parametrize("players", [2, 3, 4])
@settings(PLAYED, max_examples=2)
@given(seed=st.integers(0, 2**64), choice=st.integers(0, 2**32))
def test_a_random_game_keeps_every_invariant(map: str, players: int, seed: int, choice: int) -> None:
    game, random = ttr.new_game(rules=rules_of(map), players=players, seed=seed), Random(choice)
    watch = Watch(game)
    assert watch.cards is not None and watch.cards.total() == 44
    while game.to_act:
        seat = random.choice(game.to_act)
        choices = game.legal_actions(seat)
        action = choices[random.randrange(len(choices))]
        if watch.step % 8 == 0:
            check_choices(game, seat)
            check_mutants(game, action, random)
        watch.play(action)
    watch.end()


@pytest.mark.slow
@pytest.mark.parametrize("stack", [*((map,) for map in MAPS), *((map, "dice") for map in MAPS)], ids="+".join)
def test_they_keep_what_every_variant_must(stack: tuple[str, ...]) -> None:
    """With three players; with the fewest and the most `test_stacks.py` checks them."""
    assert check_variant(*stack, players=3, games=1).games == 1
