"""Whole games on the maps for two and three players: what must hold after every action, for people and bots alike."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from helpers import rules_of
from hypothesis import given, settings, strategies as st
from playing import PLAYED, Watch, any_action, follow, picks, seeds

import ttr_rules as ttr
from ttr_rules.model import Card
from ttr_tools.bots import Bot

BOARDS = ("nordic-countries", "switzerland")
players = st.integers(2, 3)
WHOLE_DECK = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}


def mostly_drawing(saving: float) -> Callable[[ttr.Game, int, Random], ttr.Action]:
    """Choose by chance; with `saving`, mostly an action that draws cards, so that hands grow large."""

    def pick(game: ttr.Game, seat: int, random: Random) -> ttr.Action:
        draws = [
            action for action in game.legal_actions(seat)[:12] if isinstance(action, ttr.DrawBlind | ttr.DrawFaceUp)
        ]
        return random.choice(draws) if draws and random.random() < saving else any_action(game, seat, random)

    return pick


@pytest.mark.slow
@pytest.mark.thorough_but("switzerland")
@pytest.mark.rule("V9", "V10", "N1", "N2", "N3", "N4", "N5", "N6", "H1", "H2", "H3")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=picks, saving=st.sampled_from([0.0, 0.7, 0.9, 0.95]))
def test_a_random_game_keeps_every_invariant(
    stack: str, count: int, seed: int | str, choice: int, saving: float
) -> None:
    game = ttr.new_game(rules=rules_of(stack), players=count, seed=seed)
    assert follow(game, Random(choice), mostly_drawing(saving), look_every=4).cards == WHOLE_DECK


@pytest.mark.slow
@pytest.mark.thorough_but("switzerland")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds)
def test_bots_play_to_the_end(stack: str, count: int, seed: int | str) -> None:
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
def test_playouts_end_and_add_up(stack: str, count: int, seed: int | str) -> None:
    sheet = ttr.playout(rules_of(stack), count, seed)
    assert ttr.playout(rules_of(stack), count, seed) == sheet
    for player in sheet.players:
        assert player.total == player.route_points + player.ticket_points + sum(player.bonuses.values())
        assert set(player.bonuses) <= {"most_tickets" if stack == "nordic-countries" else "longest_path"}
