"""Refusals of card payments are decided without the lists and counts of payments, so that each checks the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import pytest
from helpers import arranged
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.model import Cost
from ttr_rules.train_cards import Bill, Lot, Reading, TrainCards
from ttr_variants.nordic_countries import NordicCards

LOCO = "locomotive"
WHITE = "frankfurt-paris-white"  # 3 spaces
FERRY = "dieppe-london-gray-1"  # 2 spaces, one of them with a locomotive


class OneColor(TrainCards):
    """Bills of its own, so that no other test gets broken ones."""


class Mixed(TrainCards):
    """White and red cards pay together."""

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        return [Reading(Lot({"white": 1, "red": 1}, cost.spaces), needs_wilds=cost.wilds)]


class StandIns(NordicCards):
    """Any three cards stand in for the locomotive of a ferry."""


@pytest.fixture
def _without_one_locomotive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bills list and count no payment with just one locomotive."""
    create, listed = Bill.__init__, Bill._list_payments

    def counting(self: Bill, *values: Any) -> None:
        create(self, *values)
        if self.stand_ins is not None:
            self.stand_ins.combinations = [some for some in self.stand_ins.combinations if some.wilds != 1]

    def listing(self: Bill, *values: Any) -> list[ttr.Counts]:
        return [payment for payment in listed(self, *values) if payment[LOCO] != 1]

    monkeypatch.setattr(Bill, "__init__", counting)
    monkeypatch.setattr(Bill, "_list_payments", listing)


@pytest.mark.usefixtures("_without_one_locomotive")
@pytest.mark.parametrize(
    ("kind", "route", "paid", "wrong"),
    [
        (OneColor, WHITE, {"white": 2, LOCO: 1}, {"white": 1, "red": 1, LOCO: 1}),
        (OneColor, FERRY, {"red": 1, LOCO: 1}, {"red": 2}),
        (Mixed, WHITE, {"white": 1, "red": 1, LOCO: 1}, {"white": 1, "blue": 1, LOCO: 1}),
        (Mixed, FERRY, {"red": 1, LOCO: 1}, {"blue": 1, LOCO: 1}),
        (StandIns, FERRY, {"red": 1, LOCO: 1}, {"red": 1, "white": 1, LOCO: 1}),
    ],
)
def test_a_payment_that_is_not_counted_is_not_refused_for_that(
    kind: type[TrainCards], route: str, paid: dict[str, int], wrong: dict[str, int]
) -> None:
    rules = ttr.compile_rules("europe", plugin("own", economy=giving(kind())))
    hand = {"white": 4, "red": 4, "blue": 4, LOCO: 2}
    game = arranged(rules, {"hand": hand}, {})
    claims = {
        action.payment
        for action in game.legal_actions(0)
        if isinstance(action, ttr.ClaimRoute) and action.route == route
    }
    assert claims and not any(payment[LOCO] == 1 for payment in claims)
    assert game.refusal(ttr.ClaimRoute(0, route, paid)) is None
    assert game.refusal(ttr.ClaimRoute(0, route, wrong)) is not None
