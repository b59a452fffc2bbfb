"""What a page is told of a moment does not depend on what its seat cannot know: deal that again, and nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from helpers import rules_of
from official import every_map

import ttr_rules as ttr
from ttr_rules.engine import view_of
from ttr_tools.narration import Names
from ttr_tools.narration.menus import offer_words
from ttr_tools.replay import label_moments, snapshot


def told(game: ttr.Game, seat: int | None, names: Names) -> list[Any]:
    """Everything in words but the story, which is made of events as the seat sees them."""
    shown = snapshot(game.state, game.players, seat, names)
    return [shown, label_moments([shown], names), None if seat is None else offer_words(game, seat, names)]


@pytest.mark.slow_cases("germany-tickets", "united-kingdom", "nordic-countries")
@every_map
def test_a_page_is_told_nothing_that_its_seat_cannot_know(stack: tuple[str, ...]) -> None:
    rules = rules_of(*stack)
    game = ttr.new_game(rules=rules, players=rules.components.min_players, seed=5)
    names, chance = Names(rules, game.players), Random(2)
    compared = 0
    while game.to_act and game.played < 90:
        if game.played in (0, 1, 25, 60):
            for seat in (*game.to_act[:1], None):
                for seed in range(2):
                    world = ttr.determinize(game.view(seat), rules, seed)
                    assert told(world, seat, names) == told(game, seat, names)
                    compared += world.view(1 - (seat or 0)) != game.view(1 - (seat or 0))
        actions = game.legal_actions(game.to_act[0])
        game.play(actions[chance.randrange(len(actions))])
    assert compared, "the worlds are different"


def test_a_page_that_is_told_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(state: ttr.State, players: Sequence[str], seat: int | None) -> ttr.View:
        return view_of(state, players, 0 if seat is None else seat)

    monkeypatch.setattr("ttr_tools.replay.view_of", too_much)
    with pytest.raises(AssertionError):
        test_a_page_is_told_nothing_that_its_seat_cannot_know(("europe",))
