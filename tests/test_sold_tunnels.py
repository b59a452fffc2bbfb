"""Tunnels for things that plugins sell: cards are turned up, the extra cost is paid or the purchase abandoned, as for a claim."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import pytest
from plugins.made import plugin
from plugins.spending import Shorter

import ttr_rules as ttr
from ttr_rules import Action, Decision, Event, Refusal
from ttr_rules.engine import advance
from ttr_rules.errors import PluginError
from ttr_rules.events import TurnEnded
from ttr_rules.model import Cost, Counts, TunnelDue
from ttr_rules.plugins import (
    ActionRule,
    PaidRule,
    Part,
    Question,
    Rules,
    Transaction,
    Variant,
    hookimpl,
    public,
)
from ttr_tools.narration import narrate
from ttr_tools.testing import check_variant

TUNNEL = "paris-zurich-gray"  # three spaces
EASY = {"seed": 1, "players": [{"name": "Ada", "hand": {"red": 5}}, {"name": "Bo"}]}


class Bullets(Part):
    laid: dict[str, int] = public(seats=True, label="Bullet routes")


class BulletLaid(Event):
    message = "{seat} lays a bullet route on {route}"
    seat: int
    route: str

    def apply(self, state: ttr.State) -> None:
        state.part(Bullets).laid[self.route] = self.seat


class LayBullet(Action):
    message = "Lay a bullet route"
    route: str
    payment: Counts


class LayBulletRule(PaidRule[ttr.Turn, LayBullet]):
    """A route is paid for, but no cars are put on it, and it stays open."""

    enters_tunnels = True

    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [(route.id, Cost.of_route(route)) for route in rules.board.routes.values()]

    def no_sale(self, state: ttr.State, seat: int, thing: str) -> Refusal | None:
        if thing in state.part(Bullets).laid or state.owner_of(thing) is not None:
            return Refusal("bullets", "no bullet route can be laid there")
        return None

    def bought(self, tx: Transaction, seat: int, thing: str) -> Question | None:
        tx.emit(BulletLaid, seat, thing)
        return None


class BulletsVariant(Variant, name="bullets"):
    """Bullet routes: a route is paid for, but takes no cars."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Bullets,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (LayBulletRule(),)


def entered(pile: list[str], *more: Any, stack: tuple[Any, ...] = ("europe", BulletsVariant)) -> ttr.Game:
    """A game in which a bullet route was paid for in a tunnel."""
    game = ttr.arrange(ttr.compile_rules(*stack, *more), {**EASY, "draw_pile": pile})
    assert game.refusal(LayBullet(0, TUNNEL, Counts(red=3))) is None
    game.play(LayBullet(0, TUNNEL, Counts(red=3)))
    return game


def test_without_an_extra_cost_a_tunnel_is_bought_at_once() -> None:
    game = entered(["blue", "white", "green"])
    assert game.state.part(Bullets).laid == {TUNNEL: 0} and game.to_act == (1,)
    assert ttr.cards(game.state).hands[0] == Counts(red=2)
    assert [*ttr.cards(game.state).discards] == ["red"] * 3 + ["blue", "white", "green"]
    told = "Ada lays a bullet route on Paris–Zürich with three red cards (blue, white and green turned up, nothing more due)."
    assert told in narrate(game, 0, seat=None)


def test_what_is_due_is_paid_and_the_thing_is_bought() -> None:
    game = entered(["red", "white", "green"])
    due = game.decision(0)
    assert isinstance(due, TunnelDue)
    assert (due.route, due.laid, due.extra.spaces, due.sold_by) == (TUNNEL, Counts(red=3), 1, "LayBulletRule")
    assert game.view(1).pending == (due,) and not game.state.part(Bullets).laid
    saved = ttr.loads(ttr.dumps(game), rules=game.rules)
    assert saved == game and saved.decision(0) == due
    for one in (game, saved):
        assert [*one.legal_actions()] == [ttr.PayTunnel(0, {"red": 1}), ttr.AbandonTunnel(0)]
        one.play(ttr.PayTunnel(0, {"red": 1}))
        assert one.state.part(Bullets).laid == {TUNNEL: 0} and one.to_act == (1,)
        assert ttr.cards(one.state).hands[0] == Counts(red=1)
        assert not one.state.owners and one.state.cars == [45, 45]
    assert narrate(game, 0, seat=None)[-1] == "Ada adds a red card and lays a bullet route on Paris–Zürich."


def test_what_was_laid_down_is_taken_back() -> None:
    game = entered(["red", "white", "green"])
    game.play(ttr.AbandonTunnel(0))
    assert not game.state.part(Bullets).laid and game.to_act == (1,)
    assert ttr.cards(game.state).hands[0] == Counts(red=5)
    assert narrate(game, 0, seat=None)[-1] == "Ada abandons the tunnel and takes back the cards."


def test_claims_in_tunnels_stay_claims() -> None:
    game = ttr.arrange(ttr.compile_rules("europe", BulletsVariant), {**EASY, "draw_pile": ["red", "white", "green"]})
    game.play(ttr.ClaimRoute(0, TUNNEL, {"red": 3}))
    game.play(ttr.PayTunnel(0, {"red": 1}))
    assert game.state.owners == {TUNNEL: 0} and not game.state.part(Bullets).laid


def test_a_layer_and_a_plan_without_events_do_the_same() -> None:
    game = entered(["red", "white", "green"], plugin("shorter", economy=lambda below, board: Shorter(below())))
    state = game.state
    advance(state, ttr.PayTunnel(0, {"red": 1}))
    game.play(ttr.PayTunnel(0, {"red": 1}))
    assert state == game.state and state.part(Bullets).laid == {TUNNEL: 0}


class Flag(Decision):
    message = "Which flag?"


class Raise(Action):
    message = "Raise a flag"


class RaiseRule(ActionRule[Flag, Raise]):
    def offers(self, state: ttr.State, decision: Flag) -> list[Raise]:
        return [Raise(decision.seat)]

    def perform(self, tx: Transaction, decision: Flag, action: Raise) -> None:
        """Nothing follows."""


class AskingRule(LayBulletRule):
    def bought(self, tx: Transaction, seat: int, thing: str) -> Question | None:
        super().bought(tx, seat, thing)
        return Flag(seat)


@pytest.mark.parametrize("card", ["red", "blue"])
def test_a_question_that_follows_is_asked(card: str) -> None:
    asking = plugin("asking", parts=lambda rules: (Bullets,), actions=lambda rules: (AskingRule(), RaiseRule()))
    game = entered([card, "white", "green"], stack=("europe", asking))
    if card == "red":
        game.play(ttr.PayTunnel(0, {"red": 1}))
    assert isinstance(game.decision(0), Flag) and game.state.turn_number == 1
    game.play(Raise(0))
    assert game.to_act == (1,) and game.state.turn_number == 2


class AskingOthersRule(LayBulletRule):
    def bought(self, tx: Transaction, seat: int, thing: str) -> Question | None:
        super().bought(tx, seat, thing)
        return Flag(1 - seat)


@pytest.mark.parametrize("card", ["red", "blue"])
def test_the_turn_of_the_buyer_ends_after_a_question_to_somebody_else(card: str) -> None:
    asking = plugin("asking", parts=lambda rules: (Bullets,), actions=lambda rules: (AskingOthersRule(), RaiseRule()))
    game = entered([card, "white", "green"], stack=("europe", asking))
    if card == "red":
        game.play(ttr.PayTunnel(0, {"red": 1}))
    events = game.play(Raise(1))
    assert TurnEnded(0, passed=False) in events and game.to_act == (1,) and game.state.turn_number == 2


@pytest.mark.parametrize("stack", [("europe",), ("europe", "dice"), ("switzerland",)], ids=str)
def test_games_with_such_tunnels_are_played_to_the_end(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack, BulletsVariant)
    assert ttr.playout(rules, 3, seed=1) == ttr.playout(rules, 3, seed=1)


@pytest.mark.thorough
def test_the_kit_finds_nothing() -> None:
    check_variant("europe", BulletsVariant, players=3, games=1, skip=["processes"])


class FreeRule(LayBulletRule):
    free = True


class CityRule(LayBulletRule):
    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [(city, Cost("depot", 2, tunnel=True)) for city in rules.board.cities]


@pytest.mark.parametrize("rule", [FreeRule, CityRule])
def test_what_cannot_be_sold_in_tunnels_is_refused(rule: type[LayBulletRule]) -> None:
    with pytest.raises(
        PluginError, match=f"{rule.__name__} enters tunnels: it must sell routes, by id, and not be free"
    ):
        ttr.compile_rules("europe", plugin("wrong", actions=lambda rules: (rule(),)))
