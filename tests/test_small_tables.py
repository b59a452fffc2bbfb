"""Whole games on the maps for two and three players: what must hold after every action, for people and bots alike."""

from __future__ import annotations

from random import Random

import pytest
from helpers import rules_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playing import Watch, check_choices, check_mutants

import ttr_rules as ttr
from ttr_rules.model import Card
from ttr_tools.bots import Bot

BOARDS = ("nordic-countries", "switzerland")
PLAYED = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
players = st.integers(2, 3)
seeds = st.integers(-(2**64), 2**64)
WHOLE_DECK = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}


def next_action(game: ttr.Game, seat: int, random: Random, saving: float) -> ttr.Action:
    """A random action; with `saving`, mostly one that draws cards, so that hands grow large."""
    choices = game.legal_actions(seat)
    draws = [action for action in choices[:12] if isinstance(action, ttr.DrawBlind | ttr.DrawFaceUp)]
    if draws and random.random() < saving:
        return random.choice(draws)
    return choices[random.randrange(len(choices))]


@pytest.mark.slow_cases("nordic-countries")
@pytest.mark.rule("V9", "V10", "N1", "N2", "N3", "H1", "H2", "H3")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=st.integers(0, 2**32), saving=st.sampled_from([0.0, 0.7, 0.9]))
def test_a_random_game_keeps_every_invariant(stack: str, count: int, seed: int, choice: int, saving: float) -> None:
    game, random = ttr.new_game(rules=rules_of(stack), players=count, seed=seed), Random(choice)
    watch = Watch(game)
    assert watch.cards == WHOLE_DECK
    while game.to_act:
        assert watch.step < 5000, "this game does not end"
        watch.play(next_action(game, random.choice(game.to_act), random, saving))
    watch.end()


@pytest.mark.slow_cases("nordic-countries")
@pytest.mark.rule("N4", "N5", "N6", "H3")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=st.integers(0, 2**32), saving=st.sampled_from([0.0, 0.8, 0.95]))
def test_generator_and_validator_agree(stack: str, count: int, seed: int, choice: int, saving: float) -> None:
    """What is offered is accepted, what is not offered is refused, and refusing changes nothing."""
    game, random = ttr.new_game(rules=rules_of(stack), players=count, seed=seed), Random(choice)
    step = 0
    while game.to_act:
        for seat in game.to_act:
            check_choices(game, seat, every=step % 4 == 0)
        action = next_action(game, random.choice(game.to_act), random, saving)
        if step % 5 == 0:
            check_mutants(game, action, random)
        game.play(action)
        step += 1


@pytest.mark.slow
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds)
def test_bots_play_to_the_end(stack: str, count: int, seed: int) -> None:
    game = ttr.new_game(rules=rules_of(stack), players=count, seed=seed)
    watch = Watch(game)
    bots = [Bot(f"{seed} {seat}") for seat in range(count)]
    while game.to_act:
        assert watch.step < 2000, "this game does not end"
        seat = game.to_act[0]
        watch.play(bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))
    watch.end()
    sheet = game.final_scores
    assert sheet is not None
    assert sum(player.completed_tickets for player in sheet.players) > 0


@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=8)
@given(count=players, seed=seeds)
def test_playouts_end_and_add_up(stack: str, count: int, seed: int) -> None:
    sheet = ttr.playout(rules_of(stack), count, seed)
    assert ttr.playout(rules_of(stack), count, seed) == sheet
    for player in sheet.players:
        assert player.total == player.route_points + player.ticket_points + sum(player.bonuses.values())
        assert set(player.bonuses) <= {"most_tickets" if stack == "nordic-countries" else "longest_path"}
