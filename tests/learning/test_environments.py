"""The environments pass the tests of PettingZoo and Gymnasium, on every official stack and those of third parties."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from official import STACKS
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from ttr_rules.engine import final_scores
from ttr_rules.errors import InvalidInputError
from ttr_tools.learning import NumberedGame, SeatEnv, SeatsEnv, env

#: One stack for each way to play. The others are slow: PettingZoo tries half of them, OpenSpiel the other half.
SOME = [("london",), ("europe", "dice")]
TRIED = [stack for number, stack in enumerate(STACKS) if stack in SOME or number % 4 < 2]


@contextmanager
def known_warnings() -> Iterator[None]:
    """PettingZoo warns of observations that are dictionaries with a mask, as those of its own classic games are."""
    with warnings.catch_warnings():
        for text in ("Observation space for each agent probably should be", "Observation is not a NumPy array"):
            warnings.filterwarnings("ignore", text, UserWarning)
        yield


@pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, id="+".join(stack), marks=() if stack in SOME else pytest.mark.thorough) for stack in TRIED],
)
def test_pettingzoo_finds_nothing_wrong(stack: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with known_warnings():
        api_test(env(*stack), num_cycles=60)
        seed_test(lambda: env(*stack), num_cycles=30)
    render_test(lambda render_mode: env(*stack, render_mode=render_mode))
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoo_makes_it_a_parallel_environment() -> None:
    game = turn_based_aec_to_parallel(env("europe", players=3))
    observations, _ = game.reset(seed=1)
    rewards: dict[str, float] = {}
    while game.agents:
        actions = {agent: game.action_space(agent).sample(seen["action_mask"]) for agent, seen in observations.items()}
        observations, rewards, *_ = game.step(actions)
    assert len(rewards) == 3 and sum(rewards.values()) == pytest.approx(0)


@pytest.mark.slow
def test_pettingzoo_finds_nothing_wrong_in_many_games_of_many() -> None:
    with known_warnings():
        api_test(env("north-america", players=5), num_cycles=3000)


def test_gymnasium_finds_nothing_wrong() -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*the environment not having a spec", UserWarning)
        check_env(SeatEnv("london"))


def test_a_registered_environment_has_all_its_ways_to_render() -> None:
    gymnasium.register("ttr-rules/London-v0", lambda **options: SeatEnv("london", **options))
    try:
        made = gymnasium.make("ttr-rules/London-v0", render_mode="ansi")
        check_env(made.unwrapped)
        made.reset(seed=1)
        assert "Player 1: " in str(made.render())
    finally:
        gymnasium.registry.pop("ttr-rules/London-v0")


def played(game: Any, seed: int) -> dict[str, float]:
    """A whole game of random choices, and the rewards."""
    rewards = dict[str, float]()
    game.reset(seed=seed)
    random = np.random.default_rng(seed)
    for agent in game.agent_iter():
        seen, reward, termination, truncation, _ = game.last()
        rewards[agent] = reward
        over = termination or truncation
        assert over != seen["action_mask"].any()
        game.step(None if over else int(random.choice(np.flatnonzero(seen["action_mask"]))))
    return rewards


def test_rewards_are_those_of_the_final_scores() -> None:
    game = env("london", players=3)
    rewards = list(played(game, seed=4).values())
    assert sum(rewards) == pytest.approx(0)
    table: NumberedGame = game.unwrapped.table
    scores = final_scores(table.state, table.names)
    assert [reward > 0 for reward in rewards] == [player.name in scores.winners for player in scores.players]
    leads = list(played(env("london", players=3, reward="lead"), seed=4).values())
    totals = [player.total for player in scores.players]
    for seat in range(3):
        assert leads[seat] == (totals[seat] - max(totals[:seat] + totals[seat + 1 :])) / 100


def test_the_games_of_a_seed_are_the_same_and_follow_each_other() -> None:
    one, two = env("london"), env("london")
    assert played(one, 7) == played(two, 7)
    one.reset(), two.reset()
    assert np.array_equal(one.last()[0]["observation"], two.last()[0]["observation"])
    first = one.last()[0]["observation"]
    one.reset()
    assert not np.array_equal(first, one.last()[0]["observation"])


def test_nobody_is_shown_what_another_chose_at_set_up() -> None:
    """The second agent observes the same whatever the first has kept, in the same game."""
    seen = []
    for index in (0, -1):
        game = SeatsEnv("europe")
        game.reset(seed=3)
        agent = game.agent_selection
        choices = np.flatnonzero(game.observe(agent)["action_mask"])
        game.step(int(choices[index]))
        assert game.agent_selection != agent
        seen.append(game.observe(game.agent_selection)["observation"])
    assert np.array_equal(seen[0], seen[1])


def test_illegal_actions_lose_and_raise_without_wrappers(capsys: pytest.CaptureFixture[str]) -> None:
    game = env("london")
    game.reset(seed=1)
    agent = game.agent_selection
    illegal = int(np.flatnonzero(game.last()[0]["action_mask"] == 0)[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game.step(illegal)
    assert game.terminations[agent] and game.rewards[agent] == -1
    raw = SeatsEnv("london")
    raw.reset(seed=1)
    with pytest.raises(InvalidInputError, match="choice 0 is not legal for seat 0 now: 3 others are"):
        raw.step(0)
    seat = SeatEnv("london")
    _, info = seat.reset(seed=1)
    _, reward, over, _, info = seat.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, over, info["illegal"]) == (-1, True, True)
    with pytest.raises(InvalidInputError, match="the game is over: call reset"):
        seat.step(0)


def test_bots_play_the_other_seats() -> None:
    game = SeatEnv("london", players=3, opponents=["planner", "random"], seat=1, reward="lead")
    _, info = game.reset(seed=2)
    over, random = False, np.random.default_rng(1)
    while not over:
        assert game.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        _, reward, over, _, info = game.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
    assert reward < 0, "the planner beats random choices"
    seats = {SeatEnv("london").reset(seed=seed)[1]["seat"] for seed in range(8)}
    assert seats == {0, 1}


def test_options_that_cannot_be_are_refused() -> None:
    for options, message in (
        ({"render_mode": "rgb_array"}, "render_mode is None or one of human, ansi, svg, not 'rgb_array'"),
        ({"reward": "fun"}, "the reward is 'win' or 'lead', not 'fun'"),
        ({"players": 9}, "is for 2 to 4 players, not 9"),
        ({"slots": 0}, "the number of slots is a whole number of at least 1, not 0"),
    ):
        for make in (env, SeatEnv):
            with pytest.raises(InvalidInputError, match=message):
                make("london", **options)
    with pytest.raises(InvalidInputError, match="there are 2 other seats, not 1"):
        SeatEnv("london", players=3, opponents=["random"])
    with pytest.raises(InvalidInputError, match="the seat is None or one of 0 to 1, not 2"):
        SeatEnv("london", seat=2)
    with pytest.raises(InvalidInputError, match="call reset first"):
        SeatsEnv("london").observe("player_0")
    shown = SeatsEnv("london")
    shown.reset(seed=1)
    with pytest.raises(InvalidInputError, match="say how to render"):
        shown.render()
