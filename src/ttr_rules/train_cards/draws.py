"""Drawing train cards: blind, face up, and the second card (D1–D8, R2, R5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttr_rules.errors import Refusal, brief
from ttr_rules.kernel.engine import ActionRule
from ttr_rules.kernel.events import CardDrawn, FaceUpTaken
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.model.actions import DrawBlind, DrawFaceUp, Pass
from ttr_rules.model.decisions import Decision, SecondCard
from ttr_rules.model.network import numbers
from ttr_rules.train_cards.piles import CardPiles

if TYPE_CHECKING:
    from ttr_rules.train_cards.economy import TrainCards


class DrawBlindRule(ActionRule[Decision, DrawBlind]):
    """Draw the top card, as the first or the second card (D1, D4)."""

    action = DrawBlind

    def __init__(self, economy: TrainCards, on: type[Decision]) -> None:
        self.economy = economy
        self.on = on
        self._actions: dict[int, tuple[DrawBlind, ...]] = {}

    def offers(self, state: State, decision: Decision) -> Sequence[DrawBlind]:
        piles: CardPiles = state.parts[CardPiles]
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
        if piles.drawn == len(piles.pile):
            self.economy.settle(tx)
        self.economy.after_card(tx, decision, ends_draw=False)


class DrawFaceUpRule(ActionRule[Decision, DrawFaceUp]):
    """Take a face-up card, as the first or the second card (D1–D3)."""

    action = DrawFaceUp

    def __init__(self, economy: TrainCards, on: type[Decision]) -> None:
        self.economy = economy
        self.on = on
        # The actions of every seat, by the kinds of card that lie face up: a bit for each.
        self._actions: dict[int, tuple[tuple[DrawFaceUp, ...], ...]] = {}
        self._bits = [1 << card for card in range(len(economy.kinds))]

    def offers(self, state: State, decision: Decision) -> Sequence[DrawFaceUp]:
        piles: CardPiles = state.parts[CardPiles]
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
        card = self.economy.number.get(action.card) if isinstance(action.card, str) else None
        if card is None or card not in piles.row:
            return Refusal("D1", f"no {brief(action.card)} lies face up, only {', '.join(piles.face_up) or 'nothing'}")
        if self.on is SecondCard and card == self.economy.wild and self.economy.locomotive_ends_draw:
            return Refusal("D3", "a face-up locomotive cannot be the second card")
        return None

    def perform(self, tx: Transaction, decision: Decision, action: DrawFaceUp) -> None:
        piles: CardPiles = tx.state.parts[CardPiles]
        economy = self.economy
        kinds = economy.kinds
        card = economy.number[action.card]
        replacement = None if piles.drawn == len(piles.pile) else kinds[piles.pile[piles.drawn]]
        tx.emit(FaceUpTaken, action.seat, kinds[card], replacement)
        economy.settle(tx)
        economy.after_card(tx, decision, card == economy.wild and economy.locomotive_ends_draw)


class ForgoCardRule(ActionRule[SecondCard, Pass]):
    """R5: the second card may be forgone, if the ruling says so."""

    on = SecondCard
    action = Pass

    def offers(self, state: State, decision: SecondCard) -> Sequence[Pass]:
        return (Pass(decision.seat),) if state.rules.rulings.second_card_optional else ()

    def refusal(self, state: State, decision: SecondCard, action: Pass) -> Refusal | None:
        if state.rules.rulings.second_card_optional:
            return None
        return Refusal("R5", "a second card must be drawn as long as there is one to take")

    def perform(self, tx: Transaction, decision: SecondCard, action: Pass) -> None:
        end_turn(tx, decision.seat)
