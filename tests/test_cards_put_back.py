"""Train cards that go back on top of their draw pile, and payments that go to another player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from helpers import arranged

import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.events import OpenCardsGiven, Unknown, secret
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    ActionRule,
    Confirm,
    PaidRule,
    Part,
    Rules,
    Transaction,
    Variant,
    by_seat,
    hookimpl,
    public,
)
from ttr_rules.train_cards import CardPiles, TrainCards
from ttr_tools.testing import check_variant


class Bag(Part):
    cards: list[tuple[str, ...] | Unknown] = by_seat(pool="cards")
    looks: list[int] = public(each=2)


class Look(ttr.Action):
    message = "Turn the two top cards round"


class LookedAt(ttr.Event):
    message = ""
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        assert isinstance(self.card, str)
        state.part(CardPiles).draw(self.card)
        bag = state.part(Bag).cards[self.seat]
        assert isinstance(bag, tuple)
        state.part(Bag).cards[self.seat] = (*bag, self.card)


class PutBack(ttr.Event):
    message = ""
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        bag = state.part(Bag).cards[self.seat]
        assert isinstance(self.card, str) and isinstance(bag, tuple)
        cards = list(bag)
        cards.remove(self.card)
        state.part(Bag).cards[self.seat] = tuple(cards)
        state.part(CardPiles).put_back(self.card)


class Looked(ttr.Event):
    seat: int

    def apply(self, state: ttr.State) -> None:
        state.part(Bag).looks[self.seat] -= 1


class LookRule(ActionRule[ttr.Turn, Look]):
    def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[Look]:
        enough = len(ttr.cards(state).draw_pile) >= 2 and state.part(Bag).looks[decision.seat]
        return [Look(decision.seat)] if enough else []

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Look) -> None:
        tx.emit(Looked, action.seat)
        top = ttr.cards(tx.state).draw_pile[:2]
        for card in top:
            tx.emit(LookedAt, action.seat, card)
        for card in top:
            tx.emit(PutBack, action.seat, card)


class Toll(ttr.Action):
    other_seat: int
    payment: ttr.Counts


class TollPaid(ttr.Event):
    seat: int


class TollRule(PaidRule[ttr.Turn, Toll]):
    """Pay another player two cards of a color."""

    def every(self, rules: Rules) -> Iterable[tuple[int, Cost]]:
        return [(seat, Cost("toll", 2)) for seat in range(rules.components.max_players)]

    def no_sale(self, state: ttr.State, seat: int, thing: int) -> ttr.Refusal | None:
        return ttr.Refusal("toll-1", "nobody is there") if thing == seat or thing >= state.players else None

    def pay(self, tx: Transaction, seat: int, thing: int, payment: ttr.Counts) -> None:
        economy_of(tx.rules.economy, TrainCards).give(tx, seat, thing, payment, openly=True)

    def bought(self, tx: Transaction, seat: int, thing: int) -> None:
        tx.emit(TollPaid, seat)


class Looking(Variant, name="looking"):
    """Looking: whoever looks at the two top cards of the pile turns them round. Tolls are paid to others."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Bag,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (LookRule(), TollRule())


RULES = ttr.compile_rules("europe", Looking)


def test_cards_that_were_put_back_come_up_in_that_order() -> None:
    game = arranged(RULES, {}, {}, draw_pile=["red", "blue", "white", "green", "black"])
    game.play(Look(0))
    assert ttr.cards(game.state).draw_pile == ("blue", "red", "white", "green", "black")
    game.play(ttr.DrawBlind(1))
    game.play(ttr.DrawBlind(1))
    assert ttr.cards(game.state).hands[1] == {"blue": 1, "red": 1}
    game.play(Look(0))
    assert ttr.cards(game.state).draw_pile == ("green", "white", "black")


def test_a_payment_goes_to_another_player_and_everybody_sees_it() -> None:
    game = arranged(RULES, {"hand": {"red": 2, "locomotive": 1}}, {}, {})
    tolls = [action for action in game.legal_actions(0) if isinstance(action, Toll)]
    assert {(toll.other_seat, str(toll.payment)) for toll in tolls} == {
        (other, paid) for other in (1, 2) for paid in ("2 red", "1 red, 1 locomotive")
    }
    events = game.play(Toll(0, 2, ttr.Counts(red=1, locomotive=1)))
    assert events[0] == OpenCardsGiven(0, 2, ttr.Counts(red=1, locomotive=1)) == events[0].seen_by(1).event
    assert [dict(hand) for hand in ttr.cards(game.state).hands] == [{"red": 1}, {}, {"red": 1, "locomotive": 1}]
    assert not ttr.cards(game.state).discards


class Gift(Confirm):
    """Whether the next player gives a random card to whoever has claimed a route."""

    public = True
    message = "Do you give a card?"
    passing = "No"
    to_seat: int

    def chosen(self, tx: Transaction, option: bool) -> None:
        hand = [*Counter(ttr.cards(tx.state).hands[self.seat]).elements()]
        for card in tx.shuffled(hand)[:1]:
            economy_of(tx.rules.economy, TrainCards).give(tx, self.seat, self.to_seat, ttr.Counts({card: 1}))


class Gifts(Variant, name="gifts"):
    """Gifts: a claim may bring a card of the next player."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Gift:
        return Gift((seat + 1) % tx.state.players, seat)


@pytest.mark.slow
def test_whoever_is_given_a_random_card_may_know_it() -> None:
    check_variant("north-america", Gifts, players=3, games=3, skip=["processes", "planner"])


@pytest.mark.thorough
def test_the_kit_finds_nothing_wrong() -> None:
    check_variant("europe", Looking, players=3, games=1, skip=["processes"])


def test_the_pile_is_laid_anew_with_cards_that_were_put_aside() -> None:
    piles = ttr.new_game("europe", players=2, seed=1).state.part(CardPiles)
    card, left = piles.draw_pile[0], piles.left
    piles.draw(card)
    piles.look(0, piles.draw_pile[:2], "train")
    for wrong in (piles.draw_pile[1:], (*piles.draw_pile, "coal")):
        with pytest.raises(ValueError, match="the new pile must hold all cards of the old one"):
            piles.lay_draw_pile(wrong)
    piles.lay_draw_pile([*reversed(piles.draw_pile), card])
    assert (piles.draw_pile[-1], piles.left) == (card, left) and not piles.seen_by(0).looked_at
