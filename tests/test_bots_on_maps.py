"""Bots on the maps with rules of their own: they beat chance by far, and use what the map offers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers import arranged, rules_of

import ttr_rules as ttr
from ttr_tools.bots import Bot, play_game
from ttr_tools.bots.evaluation import evaluate
from ttr_tools.bots.links import link_graph
from ttr_tools.testing.runs import Picks
from ttr_variants.legendary_asia import PER_CITY, POINTS, LegendaryAsia, crosses
from ttr_variants.united_kingdom import BuyTechnology

GAMES = 2


class ByChance:
    """A player that takes any legal action, rare kinds as often as common ones every other time."""

    def __init__(self, seed: int) -> None:
        self._picks = Picks(seed)

    def choose(self, view: ttr.View, rules: ttr.Rules, actions: Sequence[ttr.Action]) -> ttr.Action:
        return self._picks.action(actions)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stack", "points"),
    [
        ("india", 80),
        ("legendary-asia", 80),
        ("pennsylvania", 120),
        ("united-kingdom", 60),
        ("london", 20),
        ("new-york", 20),
    ],
)
def test_a_bot_beats_two_that_play_by_chance(stack: str, points: int) -> None:
    totals: list[int] = []
    for seed in range(GAMES):
        game = ttr.new_game(rules=rules_of(stack), players=3, seed=seed)
        play_game(game, [Bot(seed), ByChance(seed), ByChance(seed + GAMES)])
        assert game.final_scores is not None
        first, *others = game.final_scores.players
        assert first.rank == 1 and first.total > 10 + max(player.total for player in others)
        totals.append(first.total)
    assert sum(totals) / GAMES >= points


@pytest.mark.rule("L7")
def test_bots_cross_mountains() -> None:
    game = ttr.new_game(rules=rules_of("legendary-asia"), players=3, seed=1)
    play_game(game)
    assert game.final_scores is not None
    assert all(player.terms["mountains"].points >= 2 for player in game.final_scores.players)
    assert sum(player.terms["mountains"].points for player in game.final_scores.players) >= 30


@pytest.mark.rule("L12")
def test_a_route_that_enlarges_the_largest_network_is_worth_more() -> None:
    rules = rules_of("legendary-asia")
    mine = {"routes": [["karachi", "shiraz"], ["agra", "karachi"], ["mandalay", "rangoon"]]}
    routes, first = rules.board.routes, "karachi-rawalpindi-black"
    values, early = (LegendaryAsia().route_values(rules, arranged(rules, each, {}).view(0)) for each in (mine, {}))
    network = {id: values[id] - POINTS * crosses(route) for id, route in routes.items()}
    assert network[first] == PER_CITY
    assert all(network[id] == 0 for id, route in routes.items() if set(route.cities) == {"kobe", "taipei"})
    assert network[next(id for id, route in routes.items() if "mandalay" in route.cities)] == 0
    assert early[first] - POINTS * crosses(routes[first]) == 2 * PER_CITY


@pytest.mark.rule("Y6")
def test_bots_take_shares() -> None:
    game = ttr.new_game(rules=rules_of("pennsylvania"), players=3, seed=1)
    play_game(game)
    assert game.final_scores is not None
    assert all(player.terms["shares"].count >= 6 for player in game.final_scores.players)
    assert sum(player.terms["shares"].points for player in game.final_scores.players) >= 90


@pytest.mark.rule("L8")
def test_bots_reckon_with_all_cars_that_a_route_takes() -> None:
    rules = rules_of("legendary-asia")
    links = rules.derived(link_graph)
    link = links.link_of[rules.network.route_number["karachi-shiraz-blue"]]
    for cars, spaces in ((4, [4]), (3, [])):
        view = arranged(rules, {"cars": cars}, {}).view(0)
        outlook = evaluate(view, rules)
        assert [outlook.spaces([each]) for each in outlook.open if each == link] == spaces


@pytest.mark.rule("U10")
def test_bots_wait_for_a_technology_before_they_draw_more_tickets() -> None:
    rules = rules_of("united-kingdom")
    waiting = {"tickets": [["aberdeen", "glasgow"], ["dublin", "cork"]], "hand": {"red": 2}}
    done = {"tickets": [["london", "brighton"]], "routes": [["london", "brighton"]], "hand": {"red": 2}}
    for player, draws in ((waiting, False), (done, True), ({**done, "cars": 11}, False)):
        game = arranged(rules, player, {}, draw_pile=["red"] * 9)
        action = Bot(1).choose(game.view(0), rules, game.legal_actions(0))
        assert isinstance(action, ttr.DrawTickets) == draws
    able = arranged(rules, {**waiting, "hand": {"locomotive": 1}}, {}, draw_pile=["red"] * 9)
    action = Bot(1).choose(able.view(0), rules, able.legal_actions(0))
    assert isinstance(action, BuyTechnology)
    assert action.technology in ("scotland_concession", "ireland_france_concession")
