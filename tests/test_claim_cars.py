"""The train cars of a claim, where plugins change their number by seat (`claim_cars`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from helpers import arranged
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import claim_cars, claimable_routes
from ttr_rules.errors import PluginError
from ttr_rules.events import RouteCarsChanged, RouteShared
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


def routes_to_claim(game: ttr.Game, seat: int) -> set[str]:
    return {action.route for action in game.legal_actions(seat) if isinstance(action, ttr.ClaimRoute)}


@pytest.mark.parametrize("variant", [Branches, Keyless])
def test_routes_are_offered_and_counted_exactly_where_the_cars_are_enough(variant: type[Variant]) -> None:
    rules = ttr.compile_rules("europe", variant)
    hand = {"locomotive": 14}  # pays for everything
    for cars in (40, 3, 1, 40):  # the same rules, whose caches know the numbers before
        for routes in ([], [WHITE], [WHITE, GREEN]):
            game = ttr.arrange(
                rules, {"seed": 1, "players": [{"hand": hand, "routes": routes, "cars": cars}, {}, {}, {}]}
            )
            free = claimable_routes(game.state, 0, cars=False)
            wanted = {id for id in free if claim_cars(game.state, 0, id) <= cars}
            assert routes_to_claim(game, 0) == wanted == {*claimable_routes(game.state, 0)}
            assert {*free} - wanted == {*game.view(0).barred}


def test_without_a_key_nothing_is_remembered_between_games() -> None:
    class Rising(Variant, name="rising"):
        @hookimpl
        def claim_cars(self, state: ttr.State, seat: int, route: ttr.Route, cars: int) -> int:
            return 1 if state.scores[1 - seat] else 40

        @hookimpl
        def claim_key(self, state: ttr.State, seat: int) -> None:
            return None

    rules = ttr.compile_rules("europe", Rising)
    players: list[dict[str, Any]] = [{"hand": {"white": 3}, "cars": 30}, {}]
    assert not routes_to_claim(ttr.arrange(rules, {"seed": 1, "players": players}), 0)
    players[1] = {"routes": [GREEN]}
    assert WHITE in routes_to_claim(ttr.arrange(rules, {"seed": 1, "players": players}), 0)


def test_nobody_has_fewer_than_no_cars_if_paying_changes_the_number() -> None:
    def by_hand(state: ttr.State, seat: int, route: ttr.Route, cars: int) -> int:
        return 1 if ttr.cards(state).hands[seat].total >= 3 else cars

    rules = ttr.compile_rules("europe", plugin("by-hand", claim_cars=by_hand))
    game = arranged(rules, {"hand": {"white": 3}, "cars": 1}, {}, draw_pile=["red"])
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    assert game.state.cars == [0, 45]


def test_a_tunnel_takes_the_cars_when_it_is_claimed() -> None:
    game = arranged(RULES, {"hand": {"purple": 4}, "cars": 4}, {}, draw_pile=["purple", "red", "white", "red"])
    tunnel = "marseille-zurich-purple"  # 2 spaces
    game.play(ttr.ClaimRoute(0, tunnel, {"purple": 2}))
    assert game.state.cars[0] == 4 and not game.state.part(CarsOnRoutes).on
    game.play(ttr.PayTunnel(0, {"purple": 1}))
    assert game.state.cars[0] == 0 and game.state.part(CarsOnRoutes).on == {tunnel: 4}


def test_whoever_shares_a_route_has_the_usual_number_on_it() -> None:
    rules = ttr.compile_rules("europe", plugin("one", claim_cars=lambda state, seat, route, cars: 1))
    game = arranged(rules, {"hand": {"white": 3}}, {}, draw_pile=["red"])
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    state = game.state
    tx = Transaction(state, [])
    tx.emit(RouteShared, 1, WHITE, 4)
    assert state.cars == [44, 42]
    with pytest.raises(PluginError, match="returns 1 train cars to seat 1, of which 0 were removed"):
        tx.return_cars(1, 1)


def test_a_position_makes_no_train_cars() -> None:
    state = started(routes=[WHITE], cars=45).state
    tx = Transaction(state, [])
    tx.return_cars(0, 0)
    tx.free_route(WHITE)
    assert state.cars == [45, 45]


def test_games_with_the_hook_are_saved_and_go_on() -> None:
    game = ttr.new_game(rules=RULES, players=3, seed=4)
    for _ in range(60):
        game.play(game.legal_actions(game.to_act[0])[-1])
    assert ttr.loads(ttr.dumps(game), rules=RULES) == game and game.state.part(CarsOnRoutes).on


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


@pytest.mark.thorough
def test_the_kit_finds_nothing_wrong() -> None:
    check_variant("europe", Branches, players=3, games=1, skip=["processes"])
