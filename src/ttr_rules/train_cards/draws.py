"""Drawing train cards: blind, face up, and the second card (D1–D8, R2, R5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ttr_rules._internal.language import Message, listed
from ttr_rules._internal.messages import brief
from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.events.course import DecisionOpened
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.model.actions import Pass
from ttr_rules.model.decisions import Decision, Turn
from ttr_rules.model.network import numbers
from ttr_rules.train_cards.actions import DrawBlind, DrawFaceUp
from ttr_rules.train_cards.decisions import SecondCard
from ttr_rules.train_cards.events import CardDrawn, FaceUpTaken
from ttr_rules.train_cards.options import CardOptions
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.row import CardRow


class DrawBlindRule(ActionRule[Decision, DrawBlind]):
    """Draw the top card, as the first or the second card (D1, D4)."""

    action = DrawBlind

    def __init__(self, economy: CardRow, on: type[Decision]) -> None:
        self.economy = economy
        self.on = on
        self._actions: dict[int, tuple[DrawBlind, ...]] = {}

    def offers(self, state: State, decision: Decision) -> Sequence[DrawBlind]:
        piles: CardPiles = state.parts[CardPiles]
        # survives >=: no more cards are drawn than the pile holds
        if piles.drawn == len(piles.pile):
            return ()
        seat = decision.seat
        if seat not in self._actions:
            self._actions[seat] = (DrawBlind(seat),)
        return self._actions[seat]

    def refusal(self, state: State, decision: Decision, action: DrawBlind) -> Refusal | None:
        if state.part(CardPiles).pile_is_empty:
            return Refusal("D8", "draw pile and discards are empty: no train card can be drawn")
        return None

    def perform(self, tx: Transaction, decision: Decision, action: DrawBlind) -> None:
        piles: CardPiles = tx.state.parts[CardPiles]
        tx.emit(CardDrawn, action.seat, self.economy.kinds[piles.pile[piles.drawn]])
        # survives >=: no more cards are drawn than the pile holds
        if piles.drawn == len(piles.pile):
            self.economy.settle(tx)
        after_card(tx, self.economy, decision, ends_draw=False)


class DrawFaceUpRule(ActionRule[Decision, DrawFaceUp]):
    """Take a face-up card, as the first or the second card (D1–D3)."""

    action = DrawFaceUp

    def __init__(self, economy: CardRow, on: type[Decision]) -> None:
        self.economy = economy
        self.on = on
        # The actions of every seat, by the card types lying face up: one bit each.
        self._actions: dict[int, tuple[tuple[DrawFaceUp, ...], ...]] = {}
        self._bits = [1 << card for card in range(len(economy.kinds))]

    def offers(self, state: State, decision: Decision) -> Sequence[DrawFaceUp]:
        piles: CardPiles = state.parts[CardPiles]
        # survives >=: no more cards are drawn than the pile holds
        # survives <=: with a card in the pile the row is open
        if piles.drawn == len(piles.pile) and not self.economy.row_is_open(state, piles):
            return ()
        kinds = 0
        bits = self._bits
        for card in piles.row:
            kinds |= bits[card]
        if kinds not in self._actions:
            barred = self.economy.wild if self.on is SecondCard and self.economy.locomotive_ends_draw else None
            cards = [self.economy.kinds[card] for card in numbers(kinds) if card != barred]
            seats = range(state.rules.components.max_players)
            self._actions[kinds] = tuple(tuple(DrawFaceUp(seat, card) for card in cards) for seat in seats)
        return self._actions[kinds][decision.seat]

    def refusal(self, state: State, decision: Decision, action: DrawFaceUp) -> Refusal | None:
        piles: CardPiles = state.parts[CardPiles]
        if not self.economy.row_is_open(state, piles):
            return Refusal("D8", "draw pile and discards are empty: no train card can be taken")
        card = self.economy.number.get(action.card)
        if card is None or card not in piles.row:
            template = "no {card} lies face up, only {row}" if piles.face_up else "no {card} lies face up, only nothing"
            return Refusal("D1", Message(template, card=brief(action.card), row=listed(piles.face_up or [""])))
        if self.on is SecondCard and card == self.economy.wild and self.economy.locomotive_ends_draw:
            return Refusal("D3", "a face-up locomotive cannot be the second card")
        return None

    def perform(self, tx: Transaction, decision: Decision, action: DrawFaceUp) -> None:
        piles: CardPiles = tx.state.parts[CardPiles]
        economy = self.economy
        kinds = economy.kinds
        card = economy.number[action.card]
        # survives >=: no more cards are drawn than the pile holds
        replacement = None if piles.drawn == len(piles.pile) else kinds[piles.pile[piles.drawn]]
        tx.emit(FaceUpTaken, action.seat, kinds[card], replacement)
        economy.settle(tx)
        after_card(tx, economy, decision, ends_draw=card == economy.wild and economy.locomotive_ends_draw)


class ForgoCardRule(ActionRule[SecondCard, Pass]):
    """Forgo the second card, if the ruling allows it (R5)."""

    on = SecondCard
    action = Pass

    def offers(self, state: State, decision: SecondCard) -> Sequence[Pass]:
        return (Pass(decision.seat),) if state.rules.plugin(CardOptions).second_card_optional else ()

    def refusal(self, state: State, decision: SecondCard, action: Pass) -> Refusal | None:
        if state.rules.plugin(CardOptions).second_card_optional:
            return None
        return Refusal("R5", "a second card must be drawn as long as there is one to take")

    def perform(self, tx: Transaction, decision: SecondCard, action: Pass) -> None:
        end_turn(tx, decision.seat)


def takeable_row(state: State, economy: CardRow, piles: CardPiles) -> bool:
    """Whether the row holds a second card to take (D3, R2)."""
    takeable = any(card != economy.wild or not economy.locomotive_ends_draw for card in piles.row)
    return takeable and economy.row_is_open(state, piles)


@cache  # one per seat
def second_card(seat: int) -> SecondCard:
    """The pending decision about a second card."""
    return SecondCard(seat)


def after_card(tx: Transaction, economy: CardRow, decision: Decision, *, ends_draw: bool) -> None:
    """Open the decision about the second card if there is one to take (R5), else end the turn."""
    seat = decision.seat
    if type(decision) is Turn and not ends_draw:
        piles: CardPiles = tx.state.parts[CardPiles]
        if piles.drawn < len(piles.pile) or takeable_row(tx.state, economy, piles):
            tx.emit(DecisionOpened, second_card(seat))
            return
    end_turn(tx, seat)
