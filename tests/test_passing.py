"""Passing by choice, where a plugin lets a seat: no step toward a deadlock, which forced passes still are (R4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from helpers import all_but, arranged, happened, keep_all
from playing import check_choices
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.errors import Refusal
from ttr_rules.events import GameEnded, PassChosen, TurnEnded
from ttr_rules.plugins import Around, Choice, Transaction, points_in_play
from ttr_rules.train_cards import CardPiles
from ttr_tools.bots import Bot
from ttr_tools.narration import Narrator
from ttr_tools.testing import check_variant

PATIENT = plugin("patient", may_pass=lambda state, seat: seat == 0)
NOTHING: Mapping[str, Any] = {"face_up": [], "draw_pile": [], "discards": []}


def stuck(*stack: object, **players: Mapping[str, Any]) -> ttr.Game:
    """A position without cards and tickets to draw."""
    rules = ttr.compile_rules("north-america", *stack)
    everything = {"tickets": [ticket.id for ticket in rules.deck.tickets]}
    return arranged(rules, {**everything, **players.get("first", {})}, players.get("second", {}), **NOTHING)


@pytest.mark.rule("R4")
def test_who_may_pass_does_so_beside_all_that_is_legal_and_nobody_else() -> None:
    game = arranged(ttr.compile_rules("europe", PATIENT), {"hand": {"red": 3}}, {})
    check_choices(game, 0)
    assert [*game.legal_actions()].count(ttr.Pass(0)) == 1 and len(game.legal_actions()) > 5
    events = game.play(ttr.Pass(0))
    assert events[:2] == (PassChosen(0), TurnEnded(0, passed=False)) and game.to_act == (1,)
    refusal = game.refusal(ttr.Pass(1))
    assert refusal is not None and refusal.rule == "R4"
    check_choices(game, 1)


def test_a_game_with_passes_by_choice_is_saved_and_verified() -> None:
    game = ttr.new_game("europe", plugin("lazy", may_pass=lambda state, seat: True), players=2, seed=1)
    keep_all(game)
    for _ in range(4):
        game.play(ttr.Pass(game.to_act[0]))
    assert len(happened(game.events, PassChosen)) == 4
    assert ttr.loads(ttr.dumps(game), rules=game.rules, verify=True) == game


@pytest.mark.rule("R4")
def test_rounds_of_passes_by_choice_end_no_game() -> None:
    game = arranged(ttr.compile_rules("europe", plugin("lazy", may_pass=lambda state, seat: True)), {}, {})
    for turn in range(10):
        game.play(ttr.Pass(turn % 2))
    assert game.to_act == (0,) and game.state.passes == 0


@pytest.mark.rule("R4")
def test_a_pass_that_is_forced_is_a_step_toward_a_deadlock_whatever_plugins_allow() -> None:
    game = stuck(PATIENT)
    assert list(game.legal_actions()) == [ttr.Pass(0)]
    assert happened(game.play(ttr.Pass(0)), TurnEnded) == [TurnEnded(0, passed=True)]
    assert happened(game.play(ttr.Pass(1)), GameEnded) == [GameEnded("deadlock")]


@pytest.mark.rule("R4", "S6")
def test_a_pass_does_not_tell_whether_its_seat_could_have_paid_for_something() -> None:
    """Without anything to draw, only the hand says whether a seat could act, so a pass that it chooses counts as well."""
    games = [stuck(PATIENT, first={"hand": {color: 6}} if color else {}) for color in ("red", "blue", "")]
    assert [len(game.legal_actions()) > 1 for game in games] == [True, True, False]
    seen = [[event.seen_by(None) for event in game.play(ttr.Pass(0))] for game in games]
    assert seen[0] == seen[1] == seen[2] and games[0].view(None).passes == 1
    assert happened(games[0].play(ttr.Pass(1)), GameEnded) == [GameEnded("deadlock")]


@pytest.mark.slow
def test_the_kit_finds_no_leak_in_a_pass_by_choice() -> None:
    def is_full(state: ttr.State, seat: int) -> bool:
        return state.has_part(CardPiles) and state.part(CardPiles).counts(seat).total >= 8

    def full_hand(state: ttr.State, action: ttr.DrawBlind | ttr.DrawFaceUp) -> ttr.Refusal | None:
        begins = isinstance(state.decision(action.seat), ttr.Turn)
        return ttr.Refusal("hand-limit", "eight cards are enough") if begins and is_full(state, action.seat) else None

    draws = Around(ttr.DrawBlind, ttr.DrawFaceUp, refuse=full_hand)
    limit = plugin("limit", around=lambda rules: (draws,), may_pass=is_full)
    assert check_variant("north-america", limit, players=2, games=1, seed=3, skip=all_but("secrets")).games == 1


@pytest.mark.rule("R4", "R13")
@pytest.mark.parametrize("optional", [False, True])
def test_with_dice_a_pass_is_offered_once_whoever_allows_it(optional: bool) -> None:
    rules = ttr.compile_rules("europe", "dice", PATIENT, rulings={"dice_action_optional": optional})
    game = ttr.new_game(rules=rules, players=2, seed=1, first_seat=0)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    while not isinstance(game.decision(0), ttr.Turn):
        game.play(game.legal_actions(0)[0])
    check_choices(game, 0)
    assert [*game.legal_actions(0)].count(ttr.Pass(0)) == 1 and ttr.Pass(0) in game.legal_actions(0)
    assert game.play(ttr.Pass(0))[0] == PassChosen(0), "everybody sees what the dice could pay for"
    while game.to_act == (0,):
        game.play(game.legal_actions(0)[0])
    assert happened(game.events, TurnEnded) == [TurnEnded(0, passed=False)]


@pytest.mark.rule("R4")
@pytest.mark.parametrize("dice", ["dice", "dice:dice_action_optional=true"])
def test_with_dice_what_is_refused_is_not_offered(dice: str) -> None:
    lazy = plugin("lazy", may_pass=lambda state, seat: True)
    assert check_variant("new-york", dice, lazy, players=2, games=1, seed=3, skip=all_but("refusals")).games == 1


class Alms(Choice[int]):
    """Asked before a pass."""

    public = True

    def options(self, state: ttr.State) -> list[int]:
        return [1, 2]

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.score(self.seat, option, "alms")


def after(tx: Transaction, action: ttr.Pass) -> None:
    tx.score(action.seat, 10, "alms")


def test_something_may_come_before_a_pass_and_follow_it() -> None:
    alms = plugin(
        "alms",
        (),
        __name__,
        may_pass=lambda state, seat: True,
        around=lambda rules: (Around(ttr.Pass, before=lambda tx, action: Alms(action.seat), after=after),),
        scoring=lambda rules: (points_in_play("alms", "Alms"),),
    )
    game = arranged(ttr.compile_rules("europe", alms), {}, {})
    game.play(ttr.Pass(0))
    game.play(Alms(0).choose(2))
    assert game.view(None).scores == (12, 0) and game.to_act == (1,)
    forced = stuck(alms)
    forced.play(ttr.Pass(0))
    forced.play(Alms(0).choose(1))
    assert forced.view(None).scores == (11, 0) and forced.state.passes == 1


@pytest.mark.slow
def test_a_bot_claims_rather_than_passes() -> None:
    game = stuck(PATIENT, first={"hand": {"red": 12, "blue": 12}})
    for seed in range(5):
        assert isinstance(Bot(seed).choose(game.view(0), game.rules, game.legal_actions(0)), ttr.ClaimRoute)


def test_a_pass_by_choice_is_told() -> None:
    game = arranged(ttr.compile_rules("europe", PATIENT), {}, {})
    narrator = Narrator(game.rules, ["Ada", "Bo"])
    assert [line.text for line in narrator.tell(game.play(ttr.Pass(0)))][0] == "Ada passes."


def test_what_follows_a_pass_knows_whether_the_seat_had_to() -> None:
    known: list[bool] = []

    def note(tx: Transaction, action: ttr.Pass) -> None:
        known.append(tx.state.passed)

    noting = plugin("noting", around=lambda rules: (Around(ttr.Pass, after=note),))
    game = arranged(ttr.compile_rules("europe", PATIENT, noting), {}, {})
    game.play(ttr.Pass(0))
    stuck(noting).play(ttr.Pass(0))
    assert known == [False, True]


def test_the_draw_ends_where_the_second_card_is_refused() -> None:
    def full(state: ttr.State, action: ttr.DrawBlind | ttr.DrawFaceUp) -> Refusal | None:
        return Refusal("X1", "five are enough") if state.part(CardPiles).counts(action.seat).total >= 5 else None

    limit = plugin("limit", around=lambda rules: (Around(ttr.DrawBlind, ttr.DrawFaceUp, refuse=full),))
    position = {"seed": 1, "players": [{"hand": {"red": 4}}, {"hand": {"red": 3}}]}
    game = ttr.arrange(ttr.compile_rules("north-america", limit), position)
    game.play(ttr.DrawBlind(0))
    assert game.to_act == (1,), "nothing more may be drawn"
    game.play(ttr.DrawBlind(1))
    assert game.to_act == (1,) and len(game.legal_actions()) > 1
