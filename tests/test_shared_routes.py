"""A route that several seats hold: for points, tickets, paths, doubles, views and everything that reads them."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import arranged, refused, rules_of

import ttr_rules as ttr
from ttr_rules.engine import final_scores, refusal, view_of
from ttr_rules.errors import PluginError
from ttr_rules.events import CarsArranged, RouteShared
from ttr_rules.plugins import Transaction, Variant, hookimpl
from ttr_rules.scores import connected
from ttr_tools.bots.evaluation import evaluate
from ttr_tools.testing import check_variant

AMERICA = rules_of("north-america")
NAMES = ("A", "B", "C", "D")
OTHERS = "denver-kansas_city-black"
TWIN = "denver-kansas_city-orange"
OWN = "denver-santa_fe-gray"
SOUTH = "el_paso-santa_fe-gray"
PLAYERS: list[dict[str, Any]] = [
    {"routes": [OWN], "tickets": [["kansas_city", "houston"]]},
    {"routes": [OTHERS]},
    {},
    {},
]


def shared(seat: int = 0, players: int = 4) -> ttr.State:
    """Seat 0 holds a route of its own, seat 1 one that `seat` then claims as well."""
    state = arranged("north-america", *PLAYERS[:players]).state
    Transaction(state).emit(RouteShared, seat, OTHERS, 7)
    return state


def test_all_of_them_hold_it_and_pay_their_cars() -> None:
    state = shared()
    numbers = AMERICA.network.route_number
    assert state.owners == {OWN: 0, OTHERS: 1}
    assert state.shared == {numbers[OTHERS]: (0,)}
    assert state.routes_of(0) == sorted([numbers[OWN], numbers[OTHERS]])
    assert state.routes_of(1) == [numbers[OTHERS]] and state.routes_of(2) == []
    view = view_of(state, NAMES, 3)
    for seat, held in enumerate([{OWN, OTHERS}, {OTHERS}, set[str]()]):
        assert set(state.routes(seat)) == set(view.routes(seat)) == held
    assert state.cars == [45 - 2 - 4, 45 - 4, 45, 45]
    assert state.scores == [2 + 7, 7, 0, 0]
    Transaction(state).emit(RouteShared, 2, OTHERS, 7)
    assert state.shared == {numbers[OTHERS]: (0, 2)}
    assert state.shares(2, numbers[OTHERS]) and not state.shares(1, numbers[OTHERS])


@pytest.mark.parametrize(
    ("seat", "route", "problem"),
    [
        (0, OTHERS, "holds that already"),
        (1, OTHERS, "holds that already"),
        (2, TWIN, "nobody holds it"),
        (3, OTHERS, "too few cars"),
    ],
)
def test_a_route_is_shared_once_with_its_holder_and_paid_for(seat: int, route: str, problem: str) -> None:
    state = arranged("north-america", *PLAYERS[:3], {"cars": 3}).state
    Transaction(state).emit(RouteShared, 0, OTHERS, 7)
    before = state.copy()
    with pytest.raises(PluginError, match=problem):
        Transaction(state).emit(RouteShared, seat, route, 7)
    assert state == before


def test_it_counts_for_tickets_and_paths() -> None:
    state = shared()
    assert connected(state, 0, "santa_fe", "kansas_city")
    sheet = final_scores(state, NAMES)
    assert [player.longest_path.length for player in sheet.players] == [6, 4, 0, 0]
    assert sheet.players[0].bonuses == {"longest_path": 10}
    before = arranged("north-america", {"routes": [OWN], "tickets": [["denver", "el_paso"]]}, {"routes": [SOUTH]}).state
    after = before.copy()
    Transaction(after).emit(RouteShared, 0, SOUTH, 2)
    assert [final_scores(each, "AB").players[0].completed_tickets for each in (before, after)] == [0, 1]


@pytest.mark.rule("C5")
def test_the_other_half_of_a_double_is_closed_to_all_who_hold_one() -> None:
    game = arranged("north-america", *PLAYERS, to_act=2)
    claim = ttr.ClaimRoute(2, TWIN, {"orange": 4})
    twin = AMERICA.network.bits[AMERICA.network.route_number[TWIN]]
    state = game.state
    assert state.open[2] & twin and not state.open[1] & twin
    Transaction(state).emit(RouteShared, 2, OTHERS, 7)
    assert not state.open[2] & twin
    refused_now = refusal(state, claim)
    assert refused_now is not None and refused_now.rule == "C5"
    assert state.open[3] & twin
    assert refused(game, claim) == "C1"


@pytest.mark.rule("C3")
def test_routes_that_take_more_cars_than_are_left_are_closed() -> None:
    state = arranged("north-america", {"cars": 6}, {"routes": [OTHERS]}).state
    Transaction(state).emit(RouteShared, 0, OTHERS, 7)
    assert state.open[0] & ~AMERICA.network.within(2) == 0


def test_cars_that_are_arranged_open_no_half_of_a_double() -> None:
    state = shared(2)
    before = list(state.open)
    CarsArranged(2, state.cars[2]).apply(state)
    assert state.open == before


def test_a_view_shows_it_and_a_world_that_fits_the_view_has_it() -> None:
    state = shared()
    for seat in (None, 0, 1):
        view = view_of(state, NAMES, seat)
        assert view.shared == {OTHERS: (0,)}
        assert view.owners == {OWN: 0, OTHERS: 1}
    world = ttr.determinize(view_of(state, NAMES, 0), AMERICA, seed=1)
    assert world.state.shared == state.shared
    assert world.state.open == state.open
    assert view_of(arranged("north-america", {}, {}).state, ("A", "B"), 0).shared == {}


def test_a_copy_is_independent() -> None:
    state = shared()
    copied = state.copy()
    Transaction(copied).emit(RouteShared, 3, OTHERS, 7)
    assert state != copied and state == shared()


def test_bots_know_what_they_hold_with_others() -> None:
    evaluation = evaluate(view_of(shared(), NAMES, 0), AMERICA)
    assert len(evaluation.owned) == 2


class PublicRoutes(Variant, name="public-routes"):
    """Public routes: every route serves all players."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        for other in range(tx.state.players):
            if other != seat:
                tx.emit(RouteShared, other, route.id, 0, True)


@pytest.mark.slow
def test_the_kit_knows_that_a_shared_route_may_take_no_cars() -> None:
    checked = check_variant(
        "north-america",
        PublicRoutes,
        players=3,
        games=1,
        skip=["secrets", "bots", "planner", "replay", "saving", "processes"],
    )
    assert checked.games == 1


def test_a_shared_route_may_take_no_cars() -> None:
    game = arranged(
        ttr.compile_rules("north-america", PublicRoutes), {"hand": {"black": 4}}, {}, {}, draw_pile=["white"]
    )
    game.play(ttr.ClaimRoute(0, OTHERS, {"black": 4}))
    assert game.state.cars == [41, 45, 45] and all(game.state.routes(seat) == [OTHERS] for seat in range(3))
