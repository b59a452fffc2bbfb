"""Train cars that plugins take: never more than there are."""

from __future__ import annotations

import pytest

import ttr_rules as ttr
from ttr_rules.errors import PluginError
from ttr_rules.events import RouteShared
from ttr_rules.plugins import Transaction, Variant, hookimpl


class Wasteful(Variant, name="wasteful"):
    """Wasteful: a claim takes five more cars."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        tx.use_cars(seat, 5)


@pytest.mark.parametrize("cars", [6, 5])
def test_more_cars_than_there_are_cannot_be_taken(cars: int) -> None:
    rules = ttr.compile_rules("north-america", Wasteful)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 1}, "cars": cars}, {}]})
    claim = ttr.ClaimRoute(0, "atlanta-nashville-gray", {"red": 1})
    if cars == 6:
        game.play(claim)
        assert game.state.cars[0] == 0
        return
    with pytest.raises(PluginError, match=r"takes 5 train cars of seat 0 after ClaimRoute, which has 4: look at"):
        game.play(claim)
    assert game.state.cars[0] == 5, "the game is as it was"


def test_cars_that_were_removed_are_given_back_and_open_long_routes_again() -> None:
    rules = ttr.compile_rules("london")
    tx = Transaction(ttr.arrange(rules, {"seed": 1, "players": [{}, {}]}).state, [])
    before = tx.state.copy()
    tx.use_cars(0, 15)
    assert tx.state.open[0] != before.open[0]
    tx.return_cars(0, 15)
    assert tx.state == before and tx.state.open == before.open
    tx.use_cars(0, 3)
    for cars in (4, -1):
        with pytest.raises(PluginError, match=f"returns {cars} train cars to seat 0, of which 3 were removed"):
            tx.return_cars(0, cars)


def test_cars_on_routes_are_not_given_back() -> None:
    players = [{"routes": [["Paris", "Zürich"]]}, {}]
    tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state)
    with pytest.raises(PluginError, match="returns 1 train cars to seat 0, of which 0 were removed"):
        tx.return_cars(0, 1)


@pytest.mark.parametrize("free", [False, True])
def test_cars_on_shared_routes_are_not_given_back(free: bool) -> None:
    players = [{"routes": [["Paris", "Zürich"]]}, {}]
    tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state)
    tx.emit(RouteShared, 1, "paris-zurich-gray", 4, free)
    with pytest.raises(PluginError, match="returns 3 train cars to seat 1, of which"):
        tx.return_cars(1, 3)


@pytest.mark.parametrize("seat", [5, -1])
def test_cars_are_given_back_to_a_seat_at_the_table(seat: int) -> None:
    tx = Transaction(ttr.new_game("europe", players=2, seed=1).state)
    tx.use_cars(0, 3)
    with pytest.raises(PluginError, match=f"returns train cars to seat {seat}: the seats are 0 to 1"):
        tx.return_cars(seat, 1)
    assert tx.state.cars == [42, 45]


def test_cars_are_not_given_back_by_a_negative_number() -> None:
    tx = Transaction(ttr.new_game("london", players=2, seed=1).state)
    with pytest.raises(
        PluginError, match=r"takes -9 train cars of seat 0, which has 17: tx.return_cars gives cars back"
    ):
        tx.use_cars(0, -9)
    assert tx.state.cars == [17, 17]
