"""Bots ask no more than they need to: what a game of theirs takes, counted in calls so that every machine says the same."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from types import FrameType
from typing import Any

import pytest
from helpers import arranged, rules_of

import ttr_rules as ttr
from ttr_tools.bots import Bot, planner, play_game
from ttr_tools.bots.links import LinkGraph
from ttr_variants import legendary_asia as asia, london
from ttr_variants.united_kingdom import hints as british
from ttr_variants.united_kingdom.purchases import BuyTechnology

#: How many times as many calls as on Europe a game of four planners may take.
AT_MOST = 3
MAPS = (
    "india", "legendary-asia", "london", "marklin germany-tickets", "new-york", "nordic-countries", "north-america",
    "pennsylvania", "switzerland", "united-kingdom", "united-kingdom:advanced=true",
)  # fmt: skip


@cache
def calls(stack: str) -> int:
    """How many functions are called in a game of four planners, or as many as can play, tables filled before."""
    rules = rules_of(*stack.split())
    players = min(4, rules.components.max_players)
    play_game(ttr.new_game(rules=rules, players=players, seed=0))
    game = ttr.new_game(rules=rules, players=players, seed=2)
    count = 0

    def called(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        play_game(game)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.slow
@pytest.mark.pure
@pytest.mark.parametrize("stack", MAPS)
def test_a_game_of_planners_takes_no_more_than_three_times_as_long_as_on_europe(stack: str) -> None:
    assert calls(stack) <= AT_MOST * calls("europe")


def counted(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Counter[str]:
    """Count the calls of a function of a module."""
    found: Counter[str] = Counter()
    function = getattr(module, name)

    def counting(*arguments: Any) -> Any:
        found[name] += 1
        return function(*arguments)

    monkeypatch.setattr(module, name, counting)
    return found


@pytest.mark.parametrize(("stack", "module"), [("london", london), ("legendary-asia", asia)])
def test_hints_build_the_network_of_a_seat_once_for_all_routes(
    monkeypatch: pytest.MonkeyPatch, stack: str, module: Any
) -> None:
    game = ttr.new_game(rules=rules_of(stack), players=2, seed=1)
    bots = [Bot(seat) for seat in range(2)]
    while game.to_act:
        seat = game.to_act[0]
        view, actions = game.view(seat), game.legal_actions(seat)
        with monkeypatch.context() as patched:
            built = counted(patched, module, "networks")
            action = bots[seat].choose(view, game.rules, actions)
        assert built["networks"] <= 1
        game.play(action)


@pytest.mark.pure
def test_claims_of_routes_that_a_bot_does_not_plan_are_not_created(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = {"purple": 6, "blue": 6, "orange": 6, "white": 6, "locomotive": 6}
    game = arranged("nordic-countries", {"tickets": ["helsinki-bergen"], "hand": hand}, {}, draw_pile=["red"] * 9)
    actions = game.legal_actions(0)
    assert len(actions) > 4000
    created = counted(monkeypatch, planner, "with_payment")
    Bot(1).choose(game.view(0), game.rules, actions)
    assert 0 < created["with_payment"] < 500


def test_what_a_right_of_way_is_worth_is_found_once_for_all_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = dict.fromkeys(("purple", "blue", "orange", "white", "red", "locomotive"), 4)
    tickets = ["london-brighton", "dublin-cork", "aberdeen-glasgow"]
    rules = rules_of("united-kingdom:advanced=true")
    owned = [id for id in rules.board.routes if "london" in id][:3]
    game = arranged(rules, {"tickets": tickets, "hand": hand}, {"routes": owned}, draw_pile=["green"] * 9)
    joined = counted(monkeypatch, british, "is_complete")
    Bot(1).choose(game.view(0), rules, game.legal_actions(0))
    assert joined["is_complete"] <= len(tickets) * (len(owned) + 1)


@pytest.mark.slow
def test_the_worth_of_a_technology_is_asked_once_for_payments_that_are_equally_cheap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand = dict.fromkeys(("purple", "blue", "orange", "white", "red", "locomotive"), 4)
    rules = rules_of("united-kingdom:advanced=true")
    game = arranged(rules, {"tickets": ["london-brighton"], "hand": hand}, {}, draw_pile=["green"] * 9)
    actions = [action for action in game.legal_actions(0) if isinstance(action, BuyTechnology)]
    ways = {(action.technology, action.payment["locomotive"], action.payment.total) for action in actions}
    assert len(actions) > 10 * len(ways)
    asked = counted(monkeypatch, british, "gain")
    Bot(1).choose(game.view(0), rules, game.legal_actions(0))
    assert asked["gain"] <= len(ways)


def test_a_plan_is_not_made_again_when_it_buys_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Licenses are bought in rounds: what a plan buys may open a better one, and most plans buy nothing new."""
    rules = rules_of("united-kingdom")
    game = arranged(rules, {"tickets": ["london-brighton", "dublin-cork"]}, {}, draw_pile=["green"] * 9)
    evaluation = Bot(1).evaluation(game.view(0), rules)
    joined = counted(monkeypatch, LinkGraph, "join")
    plan = evaluation.plan_for(evaluation.ticket_goals(game.view(0).tickets))
    assert evaluation.shortages.purchases_for(plan.claims) and joined["join"] <= 2
