"""Whole games with dice over every base, and over a board of one's own: what must hold after every action."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from helpers import rules_of
from hypothesis import given, settings
from playing import PLAYED, follow, picks, players

import ttr_rules as ttr
from ttr_rules.engine import advance, legal_actions
from ttr_rules.errors import PluginConflictError
from ttr_rules.events import GameEnded, RouteClaimed
from ttr_rules.model import TicketSetup, TunnelDue
from ttr_tools.bots import Bot, play_game
from ttr_variants.dice import (
    DicePlugin,
    DrawTicketsWithDice,
    Reroll,
    ReturnTokens,
    TakeTokens,
)
from ttr_variants.dice.state import (
    Dice,
    DiceRerolled,
    DiceRolled,
    LaidDiceTakenBack,
    TokensReturned,
    TokensTaken,
    count_faces,
)

BASES = ("north-america", "europe", "europa-1912", "mega-europa", "big-cities", "own board")
TOKENS_EACH = 15

RING = "abcdefghij"
#: Ten cities in a ring with roads across; a triple, ferries, tunnels single and double, and a route too long for dice.
OWN: dict[str, Any] = {
    "id": "ring",
    "name": "Ring",
    "points": {length: 2 * length - 1 for length in range(1, 10)},
    "cities": [{"id": city, "name": city.upper(), "x": 0.1 * n, "y": 0.5} for n, city in enumerate(RING)],
    "routes": [
        *({"cities": [a, b], "length": 1 + n % 4, "color": "gray"} for n, (a, b) in enumerate(zip(RING, RING[1:]))),
        *({"cities": ["a", "c"], "length": 2, "color": color, "double_group": "ac"} for color in ("red", "blue", "green")),
        *({"cities": ["c", "f"], "length": 3, "color": "gray", "tunnel": True, "double_group": "cf"} for _ in range(2)),
        *({"cities": ["d", "h"], "length": 4, "color": "gray", "ferry_locomotives": 2, "double_group": "dh"} for _ in "12"),
        {"cities": ["b", "g"], "length": 4, "color": "black", "tunnel": True},
        {"cities": ["e", "j"], "length": 2, "color": "gray", "ferry_locomotives": 1},
        {"cities": ["b", "i"], "length": 9, "color": "white"},
    ],
    "tickets": [
        *({"cities": [RING[n], RING[n + 3]], "points": 5 + n} for n in range(7)),
        *({"cities": [RING[n], RING[n + 5]], "points": 7 + n} for n in range(5)),
        *({"cities": [RING[n], RING[n + 2]], "points": 2 + n} for n in range(8)),
        *({"cities": [RING[n % 3], RING[7 + n % 3]], "points": 15 + n, "kind": "long"} for n in range(6)),
    ],
}  # fmt: skip


def stacked(base: str, **rulings: object) -> ttr.Rules:
    if base == "own board":
        return ttr.compile_rules("europe", "dice", board=OWN_BOARD, rulings=rulings or None)
    return ttr.compile_rules(base, "dice", rulings=rulings) if rulings else rules_of(base, "dice")


OWN_BOARD = ttr.load_board(OWN)


def check_dice(state: ttr.State) -> None:
    """No more than five dice and three tokens; the supply is never short; a tunnel is open exactly while it is due."""
    dice = state.part(Dice)
    shown = count_faces(dice.faces)
    assert len(dice.faces) in (0, 5)
    assert all(count <= shown[face] for face, count in dice.unused.items())
    assert set(dice.faces) <= {"single", "double", "station", "locomotive"}
    for held in dice.tokens:
        assert held.total <= 3, "more than three tokens (X7)"
        assert set(held) <= {"single_token", "double_token"}
    for token in ("single_token", "double_token"):
        assert sum(held[token] for held in dice.tokens) <= TOKENS_EACH, "the supply is short (X2)"
    assert (dice.held is not None) == any(isinstance(decision, TunnelDue) for decision in state.pending)
    assert not dice.set_out


def strangers(state: ttr.State, seat: int, random: Random) -> Iterator[ttr.Action]:
    """Actions of the expansion, most of them no answer to what is asked."""
    faces, tokens = ("single", "double", "station", "locomotive"), ("single_token", "double_token")
    some = {random.choice(faces): random.randint(0, 3)}
    more = {random.choice(tokens): random.randint(0, 3)}
    yield from (Reroll(seat, {}), Reroll(seat, some), DrawTicketsWithDice(seat, some), DrawTicketsWithDice(seat, {}))
    yield from (TakeTokens(seat, {}), TakeTokens(seat, more), ReturnTokens(seat, {}), ReturnTokens(seat, more))
    yield ttr.Pass(seat)


# -- every base --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("own board", "europe")
@pytest.mark.rule("V8", "X2", "X6", "X7", "P1", "S1", "E1", "R4", "K2")
@pytest.mark.parametrize("base", BASES)
@settings(PLAYED, max_examples=1)
@given(count=players, seed=picks, choice=picks)
def test_a_drawn_game_keeps_every_invariant(base: str, count: int, seed: int, choice: int) -> None:
    random = Random(choice)

    def look(game: ttr.Game) -> None:
        check_dice(game.state)
        if game.to_act and game.played % 7 == 0:
            seat = random.choice(game.to_act)
            listed = list(game.legal_actions(seat))
            for action in strangers(game.state, seat, random):
                assert (game.refusal(action) is None) == (action in listed), action

    follow(ttr.new_game(rules=stacked(base), players=count, seed=seed), random, look_every=7, each=look)


@pytest.mark.slow_cases("5-europa-1912", "5-mega-europa", "5-big-cities", "5-north-america")
@pytest.mark.rule("V8", "X2", "X7", "E1", "R4")
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("count", [2, 5])
def test_games_of_any_number_of_players_end(base: str, count: int) -> None:
    rules = stacked(base)
    kinds: set[type[ttr.Event]] = set()
    for seed in range(3):
        assert ttr.playout(rules, count, seed).winners
        game, random = ttr.new_game(rules=rules, players=count, seed=seed), Random(seed)
        state, events = game.state, list(game.events)
        while state.pending:
            choices = legal_actions(state, state.to_act[0])
            advance(state, choices[random.randrange(len(choices))], events)
            check_dice(state)
        kinds.update(type(event) for event in events)
        assert isinstance(events[-1], GameEnded)
    assert {DiceRolled, DiceRerolled, RouteClaimed, TokensTaken, TokensReturned} <= kinds
    assert LaidDiceTakenBack in kinds or base == "north-america"


@pytest.mark.slow
@pytest.mark.thorough_but("europe-long_route_as_eight", "europe-tokens_after_failed_tunnel")
@pytest.mark.rule("R12", "R13", "R16", "R19", "R4")
@pytest.mark.parametrize(
    ("base", "ruling"),
    [
        ("own board", "tokens_after_failed_tunnel"),
        ("europe", "tokens_after_failed_tunnel"),
        ("europe", "dice_action_optional"),
        ("europe", "long_route_as_eight"),
        ("germany-tickets", "one_wild_a_journey"),
    ],
)
def test_a_game_with_another_ruling_keeps_every_invariant(base: str, ruling: str) -> None:
    game = ttr.new_game(rules=stacked(base, **{ruling: True}), players=3, seed=5)
    follow(game, Random(1), look_every=10, each=lambda game: check_dice(game.state))


@pytest.mark.slow
@pytest.mark.thorough_but("mega-europa")
@pytest.mark.rule("V3", "V4", "V5", "S7")
@pytest.mark.parametrize("base", ["europa-1912", "mega-europa", "big-cities"])
@settings(PLAYED, max_examples=1)
@given(count=players, seed=picks, choice=picks)
def test_a_drawn_game_of_a_variant_with_cards_keeps_every_invariant(
    base: str, count: int, seed: int, choice: int
) -> None:
    game = ttr.new_game(rules=rules_of(base), players=count, seed=seed)
    follow(game, Random(choice), look_every=7, look_at=(TicketSetup,))


# -- neither knows the other --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("europe", "europa-1912")
@pytest.mark.rule("V8")
@pytest.mark.parametrize("base", BASES[:-1])
def test_the_order_of_the_stack_means_nothing(base: str) -> None:
    games = [
        ttr.new_game(*stack, players=3, seed=9, first_seat=1)
        for stack in ((base, "dice"), ("dice", base), (DicePlugin(), base), (base, "dice", base))
    ]
    random = Random(2)
    while games[0].to_act:
        seat = games[0].to_act[0]
        listed = list(games[0].legal_actions(seat))
        action = random.choice(listed)
        for game in games:
            assert list(game.legal_actions(seat)) == listed
            game.play(action)
    for game in games[1:]:
        assert game.events == games[0].events
        assert game.final_scores == games[0].final_scores


@pytest.mark.rule("V8")
def test_two_dice_plugins_are_one_too_many() -> None:
    with pytest.raises(PluginConflictError):
        ttr.compile_rules("europe", DicePlugin(tunnel_faces=1), DicePlugin(tunnel_faces=2))


# -- bots ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("own board", "europe")
@pytest.mark.parametrize("base", BASES)
def test_bots_play_with_dice(base: str) -> None:
    games = []
    for _ in range(2):
        game = ttr.new_game(rules=stacked(base), players=4, seed=1)
        play_game(game)
        games.append(game)
    assert games[0].is_over
    assert games[0] == games[1]


@pytest.mark.slow
def test_bots_complete_tickets_with_dice() -> None:
    done = held = 0
    for seed in range(3):
        game = ttr.new_game(rules=stacked("europe"), players=4, seed=seed)
        play_game(game, [Bot(f"{seed} {seat}") for seat in range(4)])
        assert game.final_scores is not None
        for player in game.final_scores.players:
            done += player.completed_tickets
            held += len(player.tickets)
    assert done / held >= 0.6
