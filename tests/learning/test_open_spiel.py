"""The game of OpenSpiel passes OpenSpiel's own tests."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from official import STACKS

import ttr_rules as ttr
from ttr_rules.errors import InvalidInputError

if os.environ.get("TTR_LEARNING") != "required":
    pytest.importorskip("pyspiel")

import pyspiel
from open_spiel.python import observation

from ttr_tools.learning import spiel

SOME = [("london",), ("europe", "dice")]
TRIED = [stack for number, stack in enumerate(STACKS) if stack in SOME or number % 4 > 1]


def loaded(stack: tuple[str, ...], **options: object) -> Any:
    """A game by its name and its parameters."""
    given = "".join(f",{name}={value}" for name, value in options.items())
    return pyspiel.load_game(f"ttr_rules(stack={'+'.join(stack)}{given})")


@pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, id="+".join(stack), marks=() if stack in SOME else pytest.mark.thorough) for stack in TRIED],
)
def test_openspiel_finds_nothing_wrong(stack: tuple[str, ...]) -> None:
    """A game with serialization, copies, masks and observations of every state."""
    pyspiel.random_sim_test(loaded(stack, deals=50), num_sims=1, serialize=False, verbose=False)


def test_states_are_serialized_and_observed() -> None:
    game = loaded(("london",), players=3)
    observer = observation.make_observation(game)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state = game.new_initial_state()
    state.apply_action(11)
    while not state.is_terminal():
        player = state.current_player()
        observer.set_from(state, player)
        assert np.array_equal(observer.tensor, state.table.observation(player))
        actions = state.legal_actions()
        assert len({state.action_to_string(player, action) for action in actions}) == len(actions)
        state.apply_action(actions[len(actions) // 2])
    assert sum(state.returns()) == pytest.approx(0) and max(state.returns()) > 0
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    assert again.returns() == state.returns() and again.history() == state.history()


def test_a_deal_is_the_game_of_its_seed() -> None:
    state = loaded(("europe",)).new_initial_state()
    assert state.chance_outcomes()[:2] == [(0, 0.0001), (1, 0.0001)] and len(state.chance_outcomes()) == 10_000
    state.apply_action(5)
    assert state.table.state == ttr.new_game("europe", players=2, seed=5).state
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert state.table.state == ttr.new_game("europe", players=2, seed=5).state != copy.table.state


def test_games_that_cannot_be_are_refused() -> None:
    for params, message in (
        ({"deals": 0}, "deals is a whole number of at least 1, not 0"),
        ({"players": 7}, "is for 2 to 5 players, not 7"),
        ({"stack": "atlantis"}, "atlantis"),
    ):
        with pytest.raises(ttr.TTRError, match=message):
            spiel.SpielGame(params)
    with pytest.raises(InvalidInputError, match="what one seat sees at the moment"):
        spiel.SpielGame().make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    with pytest.raises(InvalidInputError, match="an observer has no parameters, such as color"):
        spiel.SpielGame().make_py_observer(params={"color": 1})
