"""The train cars of a claim, where plugins change their number by seat (`claim_cars`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers import arranged
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import claim_cars
from ttr_rules.errors import PluginError
from ttr_rules.events import RouteCarsChanged
from ttr_rules.model import Components
from ttr_rules.parts import CarsOnRoutes
from ttr_rules.plugins import Transaction, Variant, hookimpl
from ttr_tools.narration import Narrator
from ttr_tools.testing import check_variant

WHITE = "frankfurt-paris-white"  # 3 spaces
GREEN = "berlin-wien-green"  # 3 spaces


class Branches(Variant, name="branches"):
    """Branches: a claim beside a route of one's own takes a train car less, any other claim two more."""

    @hookimpl
    def claim_cars(self, state: ttr.State, seat: int, route: ttr.Route, cars: int) -> int:
        routes = state.rules.board.routes
        beside = any({*routes[id].cities} & {*route.cities} for id in state.routes(seat))
        return max(cars - 1, 1) if beside else cars + 2

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> tuple[str, ...]:
        return tuple(state.routes(seat))


class Keyless(Branches, name="keyless"):
    """Branches whose answers nothing caches."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> None:  # type: ignore[override]
        return None


RULES = ttr.compile_rules("europe", Branches)


def started(**player: Any) -> ttr.Game:
    return arranged(RULES, {"hand": {"white": 4, "green": 4, "red": 4}, **player}, {}, draw_pile=["red"])


@pytest.mark.parametrize(("cars", "may"), [(5, True), (4, False), (0, False)])
def test_a_claim_takes_as_many_cars_as_plugins_say_and_not_without_them(cars: int, may: bool) -> None:
    game = started(cars=cars)
    claim = ttr.ClaimRoute(0, WHITE, {"white": 3})
    assert claim_cars(game.state, 0, WHITE) == 5 and game.is_legal(claim) == may
    assert (claim in game.legal_actions(0)) == may and (WHITE in game.view(0).barred) != may
    if not may:
        assert str(game.refusal(claim)) == f"[C3] {WHITE} takes 5 train cars; seat 0 has {cars}"
        return
    events = game.play(claim)
    assert RouteCarsChanged(0, WHITE, 5) in events and game.state.cars == [0, 45]
    told = [line.text for line in Narrator(game.rules, game.players, None, "en").tell(events)]
    assert told[0] == "A claims Frankfurt–Paris (white) for 4 points with three white cards, with five cars."


def test_fewer_cars_are_enough_for_a_route_that_usually_takes_more() -> None:
    game = started(routes=[WHITE], cars=2)
    game.play(ttr.ClaimRoute(0, "amsterdam-frankfurt-white", {"white": 2}))
    assert game.state.cars[0] == 1 and game.state.part(CarsOnRoutes).on == {"amsterdam-frankfurt-white": 1}
    assert game.view(1).part(CarsOnRoutes).on == {"amsterdam-frankfurt-white": 1}


def test_whoever_frees_a_route_gets_the_cars_back_that_are_on_it() -> None:
    game = started()
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    state = game.state
    tx = Transaction(state, [])
    tx.use_cars(0, 1)
    tx.free_route(WHITE)
    assert state.cars[0] == 44 and not state.part(CarsOnRoutes).on
    tx.return_cars(0, 1)
    assert state.cars[0] == 45
    with pytest.raises(PluginError, match="returns 1 train cars to seat 0, of which 0 were removed"):
        tx.return_cars(0, 1)


def test_cars_on_a_route_were_not_removed_from_the_game() -> None:
    game = started()
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    with pytest.raises(PluginError, match="returns 1 train cars to seat 0, of which 0 were removed"):
        Transaction(game.state, []).return_cars(0, 1)


@pytest.mark.rule("E1")
def test_the_last_round_follows_from_the_cars_that_are_left() -> None:
    game = started(cars=7)
    game.play(ttr.ClaimRoute(0, GREEN, {"green": 3}))
    assert game.state.cars[0] == 2 and game.state.turns_left


def test_a_position_may_say_how_many_cars_are_left() -> None:
    many = ["brest-dieppe-orange", "brest-paris-black", "dieppe-paris-purple", "brest-pamplona-purple"]
    game = started(routes=many, cars=40)  # 10 spaces
    assert game.state.cars[0] == 40
    long = [id for id, route in RULES.board.routes.items() if route.length >= 4 and not route.double_group]
    table = {"players": [{"routes": long}, {}]}
    usual = sum(RULES.route_cars[id] for id in long)
    assert usual > 45 and ttr.score(RULES, table).players[0].total > 0


def test_every_count_of_claims_agrees_with_the_list() -> None:
    for rules in (RULES, ttr.compile_rules("europe", Keyless)):
        game = ttr.new_game(rules=rules, players=3, seed=4)
        copies = [ttr.playout(rules, players=3, seed=seed) for seed in range(2)]
        assert all(scores.players for scores in copies)
        for _ in range(60):
            if not game.to_act:
                break
            actions = game.legal_actions(game.to_act[0])
            assert all(game.is_legal(action) for action in actions)
            game.play(actions[len(actions) // 2])
    assert ttr.playout(RULES, players=3, seed=1).winners == ttr.playout(rules, players=3, seed=1).winners
    assert ttr.loads(ttr.dumps(game), rules=rules) == game


@pytest.mark.parametrize("wrong", [None, -1, 1.0, "3"])
def test_a_wrong_answer_is_named(wrong: Any) -> None:
    rules = ttr.compile_rules("europe", plugin("wrong", claim_cars=lambda state, seat, route, cars: wrong))
    game = arranged(rules, {"hand": {"white": 3}}, {})
    with pytest.raises(PluginError, match="claim_cars of plugin 'wrong' must give a number of train cars, at least 0"):
        game.legal_actions()


def test_plugins_change_the_number_one_after_the_other_and_fleets_have_none() -> None:
    def more(state: ttr.State, seat: int, route: ttr.Route, cars: int) -> int:
        return cars + 1

    def twice(state: ttr.State, seat: int, route: ttr.Route, cars: int) -> int:
        return cars * 2

    changes: dict[str, Callable[..., int]] = {"a-more": more, "b-twice": twice}
    rules = ttr.compile_rules("europe", *[plugin(name, claim_cars=change) for name, change in changes.items()])
    state = ttr.new_game(rules=rules, players=2, seed=1).state
    assert claim_cars(state, 0, WHITE) == 8  # in the order of the stack
    ships = plugin("ships", components=lambda below, board: Components(fleets={"train": 25, "ship": 15}))
    with pytest.raises(
        PluginError, match="claim_cars of plugin 'a-more': a game with fleets does not count train cars"
    ):
        ttr.compile_rules("europe", plugin("a-more", claim_cars=more), ships)


@pytest.mark.slow
def test_the_kit_finds_nothing_wrong() -> None:
    check_variant("europe", Branches, players=3, games=1, skip=["processes"])
