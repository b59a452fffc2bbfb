"""Whole games of London and New York, with every number of players: what must hold after every action."""

from __future__ import annotations

from random import Random

import pytest
from helpers import rules_of
from hypothesis import given, settings
from playing import PLAYED, follow, picks, seeds

import ttr_rules as ttr

MAPS = ("london", "new-york")


@pytest.mark.slow_cases("3-london", "4-london", "4-new-york")
@pytest.mark.rule("O1", "O3", "O4", "W1", "W2", "W3")
@pytest.mark.parametrize("map", MAPS)
@pytest.mark.parametrize("players", [2, 3, 4])
@settings(PLAYED, max_examples=2)
@given(seed=seeds, choice=picks)
def test_a_random_game_keeps_every_invariant(map: str, players: int, seed: int | str, choice: int) -> None:
    watch = follow(ttr.new_game(rules=rules_of(map), players=players, seed=seed), Random(choice), look_every=8)
    assert watch.cards is not None and watch.cards.total() == 44
