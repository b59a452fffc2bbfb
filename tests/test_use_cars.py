"""Train cars that plugins take: never more than there are."""

from __future__ import annotations

import pytest

import ttr_rules as ttr
from ttr_rules.errors import PluginError
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


def test_cars_are_not_given_back() -> None:
    tx = Transaction(ttr.new_game("london", players=2, seed=1).state)
    with pytest.raises(PluginError, match=r"takes -9 train cars of seat 0, which has 17: look at"):
        tx.use_cars(0, -9)
    assert tx.state.cars == [17, 17]
