"""Whole games of Märklin, with cards and with dice, two to five players: what must hold after every action."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from helpers import rules_of
from hypothesis import given, settings, strategies as st
from playing import PLAYED, follow, picks, players, seeds
from plugins import coins

import ttr_rules as ttr
from ttr_rules.model import TicketMix
from ttr_tools.bots import play_game
from ttr_variants.marklin.cards import DECK
from ttr_variants.marklin.passengers import Journey, MovePassenger, Passengers, TravelOn, read_stacks

STACKS = (("germany-tickets",), ("germany-tickets", "dice"))


def check_passengers(game: ttr.Game) -> None:
    """Nobody has more than three passengers, no token is lost or made, and a passenger stands at a route of its owner."""
    state = game.state
    part = state.part(Passengers)
    board = state.rules.board
    everywhere: Counter[int] = Counter()
    for stack in (*part.city_tokens.values(), *part.taken):
        everywhere.update(stack)
    assert everywhere == Counter(token for stack in read_stacks(state.rules).values() for token in stack), "tokens (M6)"
    standing = Counter(part.standing.values())
    for seat in range(state.players):
        assert part.left[seat] >= 0
        assert part.left[seat] + standing[seat] <= 3, "passengers (M1)"
    for city, seat in part.standing.items():
        assert board.cities[city].country is None
        assert any(city in board.routes[id].cities for id, owner in state.owners.items() if owner == seat)
    for city, stack in part.city_tokens.items():
        assert list(stack) == sorted(stack, reverse=True), f"the highest lies on top in {city}"


def pick(game: ttr.Game, seat: int, random: Random) -> ttr.Action:
    """Any action, journeys a little more often, as they are few among many."""
    choices = list(game.legal_actions(seat))
    travels = [each for each in choices if isinstance(each, MovePassenger | TravelOn)]
    return random.choice(travels if travels and random.random() < 0.3 else choices)


@pytest.mark.slow
@pytest.mark.thorough_but("germany-tickets")
@pytest.mark.rule("M1", "M2", "M4", "M5", "M6", "X12", "S7", "P1")
@pytest.mark.parametrize("stack", STACKS, ids="+".join)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=picks)
def test_a_drawn_game_keeps_every_invariant(stack: tuple[str, ...], count: int, seed: int | str, choice: int) -> None:
    game = ttr.new_game(rules=rules_of(*stack), players=count, seed=seed)
    watch = follow(game, Random(choice), pick, look_every=8, look_at=(Journey, TicketMix), each=check_passengers)
    assert watch.cards == (None if "dice" in stack else DECK)
    sheet = game.final_scores
    assert sheet is not None
    for player in sheet.players:
        assert player.terms["tokens"].points == sum(game.state.part(Passengers).taken[player.seat])
        assert "longest_path" not in player.bonuses


@pytest.mark.slow
@pytest.mark.thorough_but("2-germany-tickets+dice", "5-germany-tickets")
@pytest.mark.rule("V11", "X12")
@pytest.mark.parametrize("stack", STACKS, ids="+".join)
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_bots_finish_a_game(stack: tuple[str, ...], count: int) -> None:
    game = ttr.new_game(rules=rules_of(*stack), players=count, seed=count)
    play_game(game)
    assert game.is_over
    assert ttr.loads(ttr.dumps(game)) == game


@settings(PLAYED, max_examples=6)
@given(stack=st.sampled_from(STACKS), count=players, seed=seeds)
def test_fast_playouts_end(stack: tuple[str, ...], count: int, seed: int | str) -> None:
    sheet = ttr.playout(rules_of(*stack), count, seed)
    assert sheet.winners
    assert sheet == ttr.playout(rules_of(*stack), count, seed)


@pytest.mark.rule("M5")
def test_an_economy_that_nobody_here_has_heard_of_pays_for_journeys_too() -> None:
    rules, random = ttr.compile_rules("germany-tickets", coins.CoinsPlugin()), Random(3)
    game, paid = ttr.new_game(rules=rules, players=4, seed=3), 0
    while game.to_act:
        choices = list(game.legal_actions(game.to_act[0]))
        foreign = [each for each in choices if isinstance(each, MovePassenger | TravelOn) and each.payment]
        for each in foreign:
            assert set(each.payment) == {coins.COIN}
        paid += bool(foreign)
        game.play(random.choice(foreign) if foreign else pick(game, game.to_act[0], random))
        check_passengers(game)
    assert paid, "nobody traveled on a route of somebody else"


def test_a_game_is_told_in_sentences() -> None:
    """Every fact of a game with journeys has a sentence of its own, none made of the names of its fields."""
    from ttr_tools.narration.telling import Narrator

    random = Random(5)
    game = ttr.new_game(rules=rules_of("germany-tickets"), players=["Ada", "Grace"], seed=5)
    while game.to_act:
        game.play(pick(game, game.to_act[0], random))
    narrator = Narrator(game.rules, game.players)
    text = "\n".join(line.text for line in narrator.tell(game.events))
    for told in (
        "asks for ",
        "places a passenger in",
        "sends the passenger of",
        "takes a token worth",
        "ends the journey in",
    ):
        assert told in text, told
    assert "(" not in text.replace("(4", "").split("Round 1")[0]
    assert ": passenger" not in text and "token taken" not in text
