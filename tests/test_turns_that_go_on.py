"""Turns with several actions (`acts_again`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from helpers import arranged
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.errors import PluginError
from ttr_rules.events import TurnBegun, TurnContinued, TurnEnded
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Choice,
    Confirm,
    Cost,
    Part,
    Rules,
    Transaction,
    Variant,
    hookimpl,
    public,
)
from ttr_rules.train_cards import TrainCards
from ttr_tools.narration import narrate
from ttr_tools.testing import check_variant
from ttr_variants.europe.stations import BuildStation

WHITE = "frankfurt-paris-white"
ENDED: list[bool] = []


class Actions(Part):
    taken: int = public(default=0, per_turn=True)
    kept: list[bool] = public(each=False)


class ActionTaken(ttr.Event):
    message = ""

    def apply(self, state: ttr.State) -> None:
        state.part(Actions).taken += 1


class Keep(Confirm):
    """Keep an action for the next turn?"""

    message = "Do you keep an action?"
    passing = "Keep nothing"

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.emit(ActionKept, self.seat)


class ActionKept(ttr.Event):
    seat: int

    def apply(self, state: ttr.State) -> None:
        state.part(Actions).kept[self.seat] = True


class Three(Variant, name="three-actions"):
    """Three actions a turn; whoever passes may keep one."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Actions,)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(ttr.Action, on=ttr.Turn, after=self.count), Around(ttr.Pass, on=ttr.Turn, after=self.keep))

    def count(self, tx: Transaction, action: ttr.Action) -> None:
        tx.emit(ActionTaken)
        ENDED.append(tx.ends_turn)

    def keep(self, tx: Transaction, action: ttr.Pass) -> Keep | None:
        return Keep(action.seat) if tx.state.part(Actions).taken < 3 else None

    @hookimpl
    def may_pass(self, state: ttr.State, seat: int) -> bool:
        return state.part(Actions).taken > 0

    @hookimpl
    def acts_again(self, state: ttr.State, seat: int) -> bool:
        return state.part(Actions).taken < 3


RULES = ttr.compile_rules("europe", Three)


@pytest.fixture(autouse=True)
def _forget() -> None:
    ENDED.clear()


def test_a_seat_acts_again_in_the_same_turn() -> None:
    game = arranged(RULES, {"hand": {"white": 3, "red": 1}}, {}, draw_pile=["red"] * 9)
    events = [*game.play(ttr.ClaimRoute(0, WHITE, {"white": 3})), *game.play(ttr.DrawBlind(0))]
    assert TurnContinued(0) in events and not any(isinstance(event, TurnBegun | TurnEnded) for event in events)
    assert game.to_act == (0,) and game.state.turn_number == 1
    game.play(ttr.DrawBlind(0))  # the second card of the draw
    assert ENDED == [False, False]
    assert game.to_act == (0,) and game.state.part(Actions).taken == 2
    last = game.play(BuildStation(0, "paris", {"red": 1}))
    assert [type(event) for event in last[-2:]] == [TurnEnded, TurnBegun] and game.to_act == (1,)
    assert ENDED == [False, False, True] and game.state.part(Actions).taken == 0 and game.state.turn_number == 2
    assert narrate(game, None, seat=None)[2:] == (
        "A claims Frankfurt–Paris (white) for 4 points with three white cards, draws two cards from the pile and builds a station in Paris with a red card.",
    )


def test_a_pass_ends_the_turn_even_after_a_question_that_follows_it() -> None:
    game = arranged(RULES, {"hand": {"white": 3}}, {}, draw_pile=["red"] * 9)
    assert not game.is_legal(ttr.Pass(0))
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    game.play(ttr.Pass(0))
    decision = game.decision(0)
    assert isinstance(decision, Keep) and game.to_act == (0,)
    game.play(decision.choose(True))
    assert game.to_act == (1,) and game.state.part(Actions).kept == [True, False] and game.state.passes == 0


def test_an_abandoned_tunnel_is_an_action() -> None:
    game = arranged(RULES, {"hand": {"purple": 2}}, {}, draw_pile=["purple", "red", "white", "red"])
    game.play(ttr.ClaimRoute(0, "marseille-zurich-purple", {"purple": 2}))
    game.play(ttr.AbandonTunnel(0))
    assert game.to_act == (0,) and game.state.turn_number == 1 and game.state.part(Actions).taken == 1


def test_a_granted_turn_comes_after_all_actions_of_this_one() -> None:
    def grant(tx: Transaction, action: ttr.ClaimRoute) -> None:
        tx.grant_turn(action.seat)

    granting = plugin("granting", around=lambda rules: [Around(ttr.ClaimRoute, after=grant)])
    rules = ttr.compile_rules("europe", Three, granting)
    game = arranged(rules, {"hand": {"white": 3, "red": 1}}, {}, draw_pile=["red"] * 9)
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    game.play(BuildStation(0, "paris", {"red": 1}))
    assert game.state.turn_number == 1
    for _ in range(2):
        game.play(ttr.DrawBlind(0))
    assert game.to_act == (0,) and game.state.turn_number == 2 and game.state.part(Actions).taken == 0


@pytest.mark.rule("E1")
def test_the_last_round_begins_when_the_whole_turn_is_over() -> None:
    game = arranged(RULES, {"hand": {"white": 3}, "cars": 4}, {}, draw_pile=["red"] * 9)
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    for _ in range(4):
        assert not game.state.turns_left
        game.play(ttr.DrawBlind(0))
    assert game.to_act == (1,) and game.state.turns_left == 2


class Once(Three, name="once"):
    """Three actions a turn, but nothing may be done after the first one."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        kinds = (ttr.ClaimRoute, ttr.DrawBlind, ttr.DrawFaceUp, ttr.DrawTickets)
        count = Around(ttr.Action, on=ttr.Turn, after=self.count)
        return [count, *[Around(kind, on=ttr.Turn, refuse_all=self.tired) for kind in kinds]]

    def tired(self, state: ttr.State, seat: int, kind: type[ttr.Action]) -> ttr.Refusal | None:
        return ttr.Refusal("once-1", "that is enough") if state.part(Actions).taken else None


@pytest.mark.rule("R4")
def test_a_pass_in_a_turn_with_an_action_is_not_one_of_a_row_of_passes() -> None:
    rules = ttr.compile_rules("north-america", Once)
    tickets = [ticket.id for ticket in rules.deck.tickets]
    position = {"seed": 1, "face_up": [], "draw_pile": [], "draw_pile_complete": True}
    game = ttr.arrange(rules, {**position, "players": [{"tickets": tickets, "hand": {"locomotive": 1}}, {}]})
    game.play(ttr.ClaimRoute(0, "dallas-houston-gray-1", {"locomotive": 1}))
    assert game.state.passes == -1 and game.view(None).passes == -1
    assert [*game.legal_actions(0)] == [ttr.Pass(0)]
    game.play(ttr.Pass(0))
    assert game.to_act == (1,) and game.state.passes == 0


class Bow(ttr.Action):
    message = "Bow"


class BowRule(ActionRule[ttr.Turn, Bow]):
    free = True

    def refusal(self, state: ttr.State, decision: ttr.Turn, action: Bow) -> ttr.Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Bow) -> None: ...


def test_actions_taken_are_counted_without_free_ones() -> None:
    three = plugin(
        "three",
        acts_again=lambda state, seat: state.actions_taken < 2,
        actions=lambda rules: [BowRule()],
        may_pass=lambda state, seat: True,
    )
    row = ["locomotive", "red", "red", "blue", "blue"]
    table = {"seed": 1, "face_up": row, "players": [{"hand": {"white": 8}}, {}]}
    game = ttr.arrange(ttr.compile_rules("europe", three), table)
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    assert (game.state.actions_taken, game.view(1).actions_taken) == (1, 1)
    game.play(Bow(0))
    assert game.to_act == (0,) and game.state.actions_taken == 1
    game.play(ttr.DrawFaceUp(0, "locomotive"))
    assert game.to_act == (0,) and game.state.actions_taken == 2
    assert ttr.loads(ttr.dumps(game), rules=game.rules).state.actions_taken == 2
    game.play(ttr.Pass(0))
    assert game.to_act == (1,) and (game.state.actions_taken, game.state.passes) == (0, 0)


@pytest.mark.rule("R4")
def test_a_round_of_passes_ends_the_game() -> None:
    rules = ttr.compile_rules("north-america", Three)
    tickets = [ticket.id for ticket in rules.deck.tickets]
    game = arranged(rules, {"tickets": tickets}, {}, face_up=[], draw_pile=[])
    for seat in (0, 1):
        assert [*game.legal_actions(seat)] == [ttr.Pass(seat)]
        game.play(ttr.Pass(seat))
        assert isinstance(game.decision(seat), Keep)
        game.play(ttr.Pass(seat))
    assert not game.to_act


class Overtime(Part):
    asked: bool = public(default=False, per_turn=True)
    paid: bool = public(default=False, per_turn=True)


class OvertimeAnswered(ttr.Event):
    message = ""
    paid: bool

    def apply(self, state: ttr.State) -> None:
        overtime = state.part(Overtime)
        overtime.asked, overtime.paid = True, self.paid


class WorkOn(Choice[ttr.Counts]):
    """Which four cards of a color buy a second action."""

    message = "Do you pay four cards for another action?"
    passing = "No"

    def options(self, state: ttr.State) -> Sequence[ttr.Counts]:
        return [*state.rules.economy.payments(state, self.seat, Cost("overtime", 4))]

    def chosen(self, tx: Transaction, option: ttr.Counts) -> None:
        tx.emit(OvertimeAnswered, True)
        economy_of(tx.rules.economy, TrainCards).discard(tx, self.seat, option)

    def on_pass(self, tx: Transaction) -> None:
        tx.emit(OvertimeAnswered, False)


class PaidOvertime(Variant, name="paid-overtime"):
    """Paid overtime: four cards of a color buy a second action."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Overtime,)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(ttr.Action, on=ttr.Turn, after=self.second),)

    def second(self, tx: Transaction, action: ttr.Action) -> None:
        if tx.state.part(Overtime).paid:
            tx.emit(OvertimeAnswered, False)

    @hookimpl
    def acts_again(self, state: ttr.State, seat: int) -> bool | ttr.Decision:
        overtime = state.part(Overtime)
        return overtime.paid if overtime.asked else WorkOn(seat)


@pytest.mark.parametrize("cards", ["red", "blue"])
def test_the_seat_may_be_asked_whether_it_acts_again(cards: str) -> None:
    rules = ttr.compile_rules("europe", PaidOvertime)
    game = arranged(rules, {"hand": {"white": 3, "red": 4}}, {}, draw_pile=["red"] * 4)
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    decision = game.decision(0)
    assert isinstance(decision, WorkOn) and game.state.turn_number == 1
    if cards == "red":
        game.play(decision.choose(ttr.Counts(red=4)))
        assert isinstance(game.decision(0), ttr.Turn) and game.state.turn_number == 1
        game.play(ttr.DrawBlind(0))
        game.play(ttr.DrawBlind(0))
    else:
        game.play(ttr.Pass(0))
    assert game.to_act == (1,) and game.state.turn_number == 2 and game.state.passes == 0


def test_playouts_and_saves_go_on_as_games_do() -> None:
    game = ttr.new_game(rules=RULES, players=3, seed=2)
    for _ in range(50):
        game.play(game.legal_actions(game.to_act[0])[0])
        assert ttr.loads(ttr.dumps(game), rules=RULES) == game
    assert len(ttr.playout(RULES, players=3, seed=5).players) == 3


@pytest.mark.parametrize("wrong", [None, 1, "yes"])
def test_a_wrong_answer_is_named(wrong: Any) -> None:
    class Wrong(Variant, name="wrong"):
        @hookimpl
        def acts_again(self, state: ttr.State, seat: int) -> bool:
            return wrong  # type: ignore[no-any-return]

    game = arranged(ttr.compile_rules("europe", Wrong), {"hand": {"white": 3}}, {}, draw_pile=["red"])
    with pytest.raises(PluginError, match="acts_again of plugin 'wrong' must give True, False, or a question"):
        game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))


@pytest.mark.thorough
def test_the_kit_finds_nothing_wrong_with_a_question_about_it() -> None:
    check_variant("europe", PaidOvertime, players=2, games=1, skip=["processes", "planner"])


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("stack", [("europe",), ("north-america", "dice")], ids="+".join)
def test_the_kit_finds_nothing_wrong(stack: tuple[str, ...]) -> None:
    check_variant(*stack, Three, players=2, games=1, skip=["processes"])
