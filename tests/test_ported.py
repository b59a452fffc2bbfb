"""Plugins of many kinds: none needs more code than its limit, and each plays as it says."""

from __future__ import annotations

import ast
from importlib import import_module
from inspect import getsource
from typing import Any

import pytest
from docs_pages import blocks
from plugins.ported import auction, fifteen, mountains, open_tickets, rails_sails, short_pay

import ttr_rules as ttr
from ttr_rules import Counts, cards
from ttr_rules.parts import Fleets
from ttr_tools.bots import play_game
from ttr_tools.testing import check_variant

#: The most lines of code of each, without imports, comments and docstrings. Those on a page of the docs have its name.
LINES = {
    "auction": 38,
    "fifteen": 4,
    "mountains": 43,
    "open_tickets": 4,
    "rails_sails": 143,
    "short_pay": 20,
    "how-to/deal-and-hide.md: ttr_goods_depots": 118,
    "how-to/house-rules.md: ttr_one_network": 10,
    "how-to/change-tickets.md: ttr_hasty": 4,
}


def source(name: str) -> str:
    page, _, module = name.rpartition(": ")
    if page:
        return next(block.text for block in blocks(page) if block.file == f"{module}.py")
    return getsource(import_module(f"plugins.ported.{name}"))


def code_lines(text: str) -> int:
    """The number of lines with code other than imports."""
    others: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (is_text or isinstance(node, ast.Import | ast.ImportFrom)):
            others.update(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(number not in others and bool(line.strip()) and line.strip()[0] != "#" for number, line in lines)


@pytest.mark.parametrize("name", LINES)
def test_a_plugin_takes_no_more_code_than_its_limit(name: str) -> None:
    assert code_lines(source(name)) <= LINES[name]


EUROPE = (auction, fifteen, mountains, open_tickets, short_pay)


def arranged(*stack: Any, hand: dict[str, int], **position: Any) -> ttr.Game:
    """A position in which seat 0 holds these cards, and seat 1 none."""
    players = [{"hand": hand}, {}]
    return ttr.arrange(ttr.compile_rules(*stack), {"seed": 1, "players": players, **position})


@pytest.mark.slow
@pytest.mark.thorough_but("stack2")
@pytest.mark.parametrize(
    "stack",
    [
        ("europe", *EUROPE),
        pytest.param(("north-america", "dice", *EUROPE[:-1]), marks=pytest.mark.thorough),
        (rails_sails, auction),
    ],
)
def test_all_that_must_hold_of_a_variant_holds(stack: tuple[Any, ...]) -> None:
    assert check_variant(*stack, players=2, games=1, skip=["processes"]).games == 1


@pytest.mark.slow
@pytest.mark.parametrize("stack", [("europe", *EUROPE), (rails_sails,)])
def test_bots_play_to_the_end_and_the_game_can_be_saved(stack: tuple[Any, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    assert rules.fingerprint == ttr.compile_rules(*reversed(stack)).fingerprint
    game = ttr.new_game(rules=rules, players=3, seed=1)
    play_game(game)
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True).final_scores == game.final_scores


@pytest.mark.slow
def test_games_of_trains_and_ships_end_with_any_number_of_players() -> None:
    rules = ttr.compile_rules(rails_sails)
    assert all(ttr.playout(rules, players, seed=1) for players in (2, 5))


def test_the_highest_bid_begins() -> None:
    game = ttr.new_game("europe", auction, players=3, seed=1, first_seat=1)
    for seat in range(3):
        game.play(game.legal_actions(seat)[0])
    for seat, bid, may_bid in ((1, 3, 11), (2, 5, 8), (0, 0, 6)):
        assert len(game.legal_actions(seat)) == may_bid
        game.play(auction.Bid(seat).choose(bid))
    assert (game.decision(2), game.view(None).scores) == (ttr.Turn(2), (0, 0, -5))


def test_mountains_take_cars_and_score() -> None:
    players = [{"hand": {"red": 4, "locomotive": 4}, "cars": 8}, {}]
    rules = ttr.compile_rules("europe", mountains)
    game = ttr.arrange(rules, {"seed": 1, "players": players, "draw_pile": ["white"] * 3})
    assert "this takes 9, 3 for mountains" in str(
        game.refusal(ttr.ClaimRoute(0, "budapest-kyiv-gray", {"red": 4, "locomotive": 2}))
    )
    game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    assert (game.state.cars[0], game.view(None).scores[0]) == (3, 8)


def test_a_card_too_few_costs_two_points() -> None:
    game = arranged("europe", short_pay, hand={"white": 3})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 2}))
    assert (cards(game.state).hands[0], game.view(None).scores[0]) == (Counts(white=1), 2)


def test_the_longest_path_is_worth_fifteen_and_tickets_lie_open() -> None:
    game = ttr.new_game("europe", fifteen, open_tickets, players=2, seed=1)
    play_game(game)
    assert game.final_scores is not None
    assert max(player.bonuses.get("longest_path", 0) for player in game.final_scores.players) == 15
    again = ttr.new_game("europe", open_tickets, players=2, seed=1)
    for seat in (0, 1):
        again.play(again.legal_actions(seat)[-1])
    assert again.view(None).open_tickets == tuple(again.state.tickets) and all(again.state.tickets)


def test_ships_take_ship_cards_and_harbours_stand_at_ports() -> None:
    harbour = Counts(train_red_port=2, ship_red_port=2)
    game = arranged(rails_sails, hand={"ship_red_port": 3, "double_ship_red": 1, "train_red_port": 2})
    game.play(ttr.ClaimRoute(0, "calgary-vancouver-gray", {"ship_red_port": 1, "double_ship_red": 1}))
    assert game.view(1).part(Fleets).left[0] == {"train": 20, "ship": 22}
    while game.to_act == (1,):
        game.play(game.legal_actions(1)[0])
    game.play(rails_sails.BuildHarbour(0, "calgary", harbour))
    assert game.view(1).part(rails_sails.Harbours).built == {"calgary": 0}
