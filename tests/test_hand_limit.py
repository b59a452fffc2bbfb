"""The hook `card_refusal`: whoever draws follows it, whichever plugin's action it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from plugins.made import giving, plugin
from test_decks import TwoDecks

import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.errors import PluginError
from ttr_rules.model import CardDraw
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Question,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    points_in_play,
)
from ttr_rules.scores import running_scores
from ttr_rules.train_cards import CardPiles, DrawFrom, NextCard, TakeFaceUp, TrainCards
from ttr_tools.bots import Bot, play_game
from ttr_tools.testing import check_variant
from ttr_variants.united_kingdom import DrawThree

LIMIT = 6


def held(game: ttr.Game, seat: int = 0) -> int:
    return ttr.cards(game.state).hands[seat].total


class HandLimit(Variant, name="hand-limit"):
    """Hand limit: six cards are enough."""

    @hookimpl
    def card_refusal(self, state: ttr.State, seat: int) -> ttr.Refusal | None:
        full = state.part(CardPiles).counts(seat).total >= LIMIT
        return ttr.Refusal("hand-limit", "six cards are enough") if full else None


class DrawFive(CardDraw):
    """Draw five cards."""


class DrawFiveRule(ActionRule[ttr.Turn, DrawFive]):
    def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[DrawFive]:
        return (DrawFive(decision.seat),)

    def perform(self, tx: Transaction, decision: ttr.Turn, action: DrawFive) -> None:
        cards = economy_of(tx.rules.economy, TrainCards)
        for _ in range(3):
            cards.draw(tx, action.seat)
        cards.take_face_up(tx, action.seat, *tx.state.part(CardPiles).face_up[:2])


class Five(Variant, name="five"):
    """Five: five cards in one turn."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (DrawFiveRule(),)


class OneMore(Variant, name="one-more"):
    """One more: a third card of each draw."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(ttr.DrawBlind, ttr.DrawFaceUp, after=self.more),)

    def more(self, tx: Transaction, action: ttr.DrawBlind | ttr.DrawFaceUp) -> Question:
        more = tx.ends_turn and tx.rules.economy.can_draw(tx.state, action.seat)
        return NextCard(action.seat, 1) if more else ()


def position(*stack: Any, hand: int, **more: object) -> ttr.Game:
    rules = ttr.compile_rules(*stack, HandLimit)
    return ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": hand}, **more}, {}]})


@pytest.mark.parametrize(("hand", "drawn"), [(3, 3), (4, 2), (5, 1)])
def test_a_draw_ends_with_the_card_that_fills_the_hand(hand: int, drawn: int) -> None:
    game = position("europe", OneMore, hand=hand)
    while game.to_act == (0,):
        game.play(ttr.DrawBlind(0))
    assert held(game) == hand + drawn


def test_a_full_hand_draws_and_takes_nothing() -> None:
    game = position("europe", Five, hand=LIMIT)
    for action in (ttr.DrawBlind(0), ttr.DrawFaceUp(0, ttr.cards(game.state).face_up[0]), DrawFive(0)):
        assert str(game.refusal(action)) == "[hand-limit] six cards are enough"
        assert action not in game.legal_actions(0)
    assert not game.rules.economy.can_draw(game.state, 0) and game.rules.economy.can_draw(game.state, 1)


@pytest.mark.parametrize(("hand", "after"), [(0, 5), (2, 6), (5, 6)])
def test_what_a_plugin_draws_follows_it(hand: int, after: int) -> None:
    game = position("europe", Five, hand=hand)
    game.play(DrawFive(0))
    assert held(game) == after


@pytest.mark.rule("U23")
@pytest.mark.parametrize(("hand", "after"), [(2, 5), (4, 6), (6, None)])
def test_water_tenders_follow_it(hand: int, after: int | None) -> None:
    game = position("united-kingdom:advanced=true", hand=hand, technologies=["water_tenders"])
    if after is None:
        assert str(game.refusal(DrawThree(0))) == "[hand-limit] six cards are enough"
    else:
        game.play(DrawThree(0))
        assert held(game) == after


def test_several_decks_follow_it() -> None:
    game = position("north-america", plugin("two", economy=giving(TwoDecks(True))), hand=5)
    game.play(DrawFrom(0, "ship"))
    assert game.to_act == (1,) and held(game) == LIMIT
    game = position("north-america", plugin("two", economy=giving(TwoDecks(True))), hand=6)
    assert not [each for each in game.legal_actions(0) if isinstance(each, DrawFrom | TakeFaceUp)]


@pytest.mark.rule("R4")
def test_who_can_do_nothing_passes_and_the_game_ends() -> None:
    rules = ttr.compile_rules("north-america", HandLimit)
    game = ttr.new_game(rules=rules, players=2, seed=1)
    while not game.is_over:
        legal = game.legal_actions(game.to_act[0])
        drawing = [action for action in legal if isinstance(action, CardDraw)]
        game.play(drawing[0] if drawing else legal[-1])
        assert max(held(game, 0), held(game, 1)) <= LIMIT
    assert any(isinstance(event, ttr.events.TurnEnded) and event.passed for event in game.events)


@pytest.mark.parametrize("answer", [False, True, 6, "six cards are enough", ()])
def test_another_answer_is_told_with_its_plugin(answer: Any) -> None:
    rules = ttr.compile_rules("europe", plugin("vague", card_refusal=giving(answer)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]})
    message = "card_refusal of plugin 'vague' must give a Refusal, or None, not"
    for ask in (
        lambda: list(game.legal_actions(0)),
        lambda: game.refusal(ttr.DrawBlind(0)),
        lambda: game.play(ttr.DrawBlind(0)),
    ):
        with pytest.raises(PluginError, match=message):
            ask()


@pytest.mark.parametrize("first", [True, False])
def test_of_two_limits_the_first_that_refuses_is_told(first: bool) -> None:
    five = plugin(
        "five-cards",
        card_refusal=lambda state, seat: (
            ttr.Refusal("five", "five") if ttr.cards(state).hands[seat].total >= 5 else None
        ),
    )
    rules = ttr.compile_rules("europe", *((five, HandLimit) if first else (HandLimit, five)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 5}}, {"hand": {"red": 6}}]})
    assert str(game.refusal(ttr.DrawBlind(0))) == "[five] five"
    game.play(next(action for action in game.legal_actions(0) if not isinstance(action, CardDraw)))
    assert not any(isinstance(action, CardDraw) for action in game.legal_actions(0))


def test_with_dice_nobody_is_asked() -> None:
    assert ttr.playout(ttr.compile_rules("europe", "dice", HandLimit), players=2, seed=1).players


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("stack", [("europe",), ("united-kingdom",), ("europe", "dice")], ids="+".join)
def test_a_variant_with_a_hand_limit_is_sound(stack: tuple[str, ...]) -> None:
    assert check_variant(*stack, HandLimit, OneMore, players=2, games=1, skip=["processes", "planner"]).games == 1


def test_a_bot_with_a_full_hand_keeps_what_its_plan_needs() -> None:
    """The blue cards would pay for a long route now; its ticket needs six of them."""
    planned = {"tickets": ["Portland-Phoenix"], "routes": [["Salt Lake City", "Denver"], ["Denver", "Phoenix"]]}
    rules = ttr.compile_rules("north-america", HandLimit)
    hand = {"blue": 4, "red": 2}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand, **planned}, {}]})
    chosen = Bot(seed=1).choose(game.view(0), rules, game.legal_actions(0))
    assert isinstance(chosen, ttr.ClaimRoute) and chosen.payment == {"red": 2}


@pytest.mark.slow
def test_bots_score_well_with_a_hand_limit() -> None:
    def full(state: ttr.State, seat: int) -> ttr.Refusal | None:
        return ttr.Refusal("twelve", "enough") if state.part(CardPiles).counts(seat).total >= 12 else None

    rules = ttr.compile_rules("north-america", plugin("twelve", card_refusal=full))
    totals: list[int] = []
    for seed in range(6):
        game = ttr.new_game(rules=rules, players=3, seed=seed)
        play_game(game)
        assert game.final_scores is not None
        totals += [player.total for player in game.final_scores.players]
    assert sum(totals) / len(totals) > 90


class Counted(Variant, name="counted"):
    """Counted: every action that draws train cards is followed, whichever plugin it belongs to."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(CardDraw, on=ttr.Turn, after=lambda tx, action: tx.score(action.seat, 1, "draws")),)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("draws"),)


@pytest.mark.parametrize(
    ("rules", "player", "action"),
    [
        (ttr.compile_rules("europe", Counted), {}, ttr.DrawBlind(0)),
        (
            ttr.compile_rules("north-america", plugin("two-decks", economy=giving(TwoDecks(False))), Counted),
            {},
            DrawFrom(0, "train"),
        ),
        (ttr.compile_rules("europe", Five, Counted), {}, DrawFive(0)),
        (ttr.compile_rules("united-kingdom:advanced=true", Counted), {"technologies": ["water_tenders"]}, DrawThree(0)),
    ],
    ids=["blind", "one of several decks", "of a plugin", "water tenders"],
)
def test_whoever_draws_is_followed(rules: Rules, player: dict[str, object], action: ttr.Action) -> None:
    game = ttr.arrange(rules, {"seed": 1, "players": [player, {}]})
    game.play(action)
    assert running_scores(game.state)[0] == 1
    game = ttr.arrange(rules, {"seed": 1, "players": [player, {}]})
    game.play(ttr.DrawTickets(0))
    assert running_scores(game.state)[0] == 0


def test_with_dice_nobody_draws() -> None:
    game = ttr.new_game("europe", "dice", Counted, players=2, seed=1)
    play_game(game)
    assert [player.terms["draws"].points for player in (game.final_scores.players if game.final_scores else ())] == [
        0,
        0,
    ]
