"""The score that everybody sees during play: routes, and the terms that count at once (P1, M6)."""

from __future__ import annotations

from random import Random

import pytest

import ttr_rules as ttr
from ttr_variants.marklin.passengers import MovePassenger, TravelOn

STACK = "germany-tickets"


@pytest.mark.rule("M6", "P1")
def test_tokens_of_an_arranged_position_count_in_its_running_score() -> None:
    players = [{"tokens_taken": {"berlin": [7, 6], "ulm": [2]}}, {"tokens_taken": {"berlin": [5]}}]
    game = ttr.arrange(None, {"stack": [STACK], "seed": 1, "players": players})
    for seat in (0, 1, None):
        view = game.view(seat)
        assert (view.scores, view.route_points) == ((15, 5), (0, 0))


@pytest.mark.rule("M6", "M5", "P1")
@pytest.mark.parametrize("stack", [(STACK,), (STACK, "dice")], ids="+".join)
def test_tokens_count_as_soon_as_they_are_taken_and_never_twice(stack: tuple[str, ...]) -> None:
    taken = 0
    for seed in range(2):
        random, game = Random(seed), ttr.new_game(*stack, players=2, seed=seed)
        while game.to_act:
            choices = game.legal_actions(random.choice(game.to_act))
            moves = [each for each in choices if isinstance(each, MovePassenger | TravelOn)]
            action = random.choice(moves) if moves else choices[random.randrange(len(choices))]
            before = game.view(None)
            game.play(action)
            if moves:  # a passenger moved: no route changed hands
                view = game.view(None)
                assert view.route_points == before.route_points
                assert view.scores[action.seat] >= before.scores[action.seat]
        assert game.final_scores is not None
        for player, running in zip(game.final_scores.players, game.view(None).scores, strict=True):
            points = player.terms["tokens"].points
            assert running == player.route_points + points
            assert player.total == running + player.ticket_points + sum(player.bonuses.values())
            taken += points
    assert taken
