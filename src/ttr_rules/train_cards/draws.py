"""Drawing train cards: blind, face up, and the second card (D1–D8, R2, R5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar

from ttr_rules._internal.language import Message, listed
from ttr_rules._internal.messages import brief
from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import NumberedRule
from ttr_rules.kernel.data import GameData
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

#: Enough bits for a seat.
SEAT_BITS = 8


class DrawBlindRule(NumberedRule[Decision, DrawBlind]):
    """Draw the top card, as the first or the second card (D1, D4). The only code is 0."""

    on: ClassVar[type[Any]] = Turn
    action = DrawBlind

    def __init__(self, economy: CardRow) -> None:
        self.economy = economy
        self.kinds = economy.kinds
        self.upkeep = economy.upkeep
        self._actions: dict[int, DrawBlind] = {}

    def number_of_codes(self, rules: GameData) -> int:
        return 1

    def count(self, state: State, decision: Decision) -> int:
        piles: CardPiles = state.parts[CardPiles]
        # survives >=: no more cards are drawn than the pile holds
        return 0 if piles.drawn == len(piles.pile) else 1

    def nth(self, state: State, decision: Decision, index: int) -> int:
        return 0

    def offers(self, state: State, decision: Decision) -> Sequence[DrawBlind]:
        return (self.action_of(state, decision, 0),) if self.count(state, decision) else ()

    def action_of(self, state: State, decision: Decision, code: int) -> DrawBlind:
        found = self._actions.get(decision.seat)
        if found is None:
            found = self._actions[decision.seat] = DrawBlind(decision.seat)
        return found

    def code_of(self, state: State, decision: Decision, action: DrawBlind) -> int:
        return 0

    def refusal(self, state: State, decision: Decision, action: DrawBlind) -> Refusal | None:
        if state.part(CardPiles).pile_is_empty:
            return Refusal("D8", "draw pile and discards are empty: no train card can be drawn")
        return None

    def perform_code(self, tx: Transaction, decision: Decision, code: int) -> None:
        piles: CardPiles = tx.state.parts[CardPiles]
        seat = decision.seat
        card = piles.pile[piles.drawn]
        piles.draw(seat, card)
        if tx.log is not None:
            tx.record(CardDrawn, (seat, self.kinds[card]))
        # survives >=: no more cards are drawn than the pile holds
        if piles.drawn == len(piles.pile):
            self.upkeep.settle(tx)
        self.after_card(tx, piles, seat)

    def after_card(self, tx: Transaction, piles: CardPiles, seat: int) -> None:
        """Open the decision about the second card."""
        ask_for_second(tx, self.economy, piles, seat)


class DrawSecondBlindRule(DrawBlindRule):
    """Draw the top card as the second one (D4)."""

    on = SecondCard

    def after_card(self, tx: Transaction, piles: CardPiles, seat: int) -> None:
        end_turn(tx, seat)


class DrawFaceUpRule(NumberedRule[Decision, DrawFaceUp]):
    """Take a face-up card, as the first or the second card (D1–D3). The codes are the kinds of cards."""

    on: ClassVar[type[Any]] = Turn
    action = DrawFaceUp

    def __init__(self, economy: CardRow) -> None:
        self.economy = economy
        self.kinds = economy.kinds
        self.upkeep = economy.upkeep
        self._bits = [1 << card for card in range(len(economy.kinds))]
        # The kinds to take, by the kinds lying face up: one bit each.
        self._takeable: dict[int, tuple[int, ...]] = {}
        self._actions: dict[int, DrawFaceUp] = {}
        # All actions, by the kinds lying face up and the seat.
        self._offered: dict[int, tuple[DrawFaceUp, ...]] = {}
        #: The kind that ends the draw (D2), -1 for none.
        self.ending = economy.wild if economy.locomotive_ends_draw else -1
        #: The kind that may not be taken (D3), -1 for none.
        self.barred = -1

    def number_of_codes(self, rules: GameData) -> int:
        return len(self.kinds)

    def lying(self, state: State) -> int:
        """The kinds lying face up, a bit for each; none while the row is closed."""
        piles: CardPiles = state.parts[CardPiles]
        # survives >=: no more cards are drawn than the pile holds
        # survives <=: with a card in the pile the row is open
        if piles.drawn == len(piles.pile) and not self.economy.row_is_open(state, piles):
            return 0
        found = 0
        for card in piles.row:
            found |= self._bits[card]
        return found

    def takeable(self, state: State) -> tuple[int, ...]:
        """The kinds that may be taken now."""
        lying = self.lying(state)
        found = self._takeable.get(lying)
        if found is None:
            found = self._takeable[lying] = tuple([card for card in numbers(lying) if card != self.barred])
        return found

    def count(self, state: State, decision: Decision) -> int:
        return len(self.takeable(state))

    def nth(self, state: State, decision: Decision, index: int) -> int:
        return self.takeable(state)[index]

    def codes(self, state: State, decision: Decision) -> Sequence[int]:
        return self.takeable(state)

    def offers(self, state: State, decision: Decision) -> Sequence[DrawFaceUp]:
        key = self.lying(state) << SEAT_BITS | decision.seat
        found = self._offered.get(key)
        if found is None:
            takeable = self.takeable(state)
            found = self._offered[key] = tuple([self.action_of(state, decision, card) for card in takeable])
        return found

    def action_of(self, state: State, decision: Decision, code: int) -> DrawFaceUp:
        seat = decision.seat
        key = seat * len(self.kinds) + code
        found = self._actions.get(key)
        if found is None:
            found = self._actions[key] = DrawFaceUp(seat, self.kinds[code])
        return found

    def code_of(self, state: State, decision: Decision, action: DrawFaceUp) -> int:
        return self.economy.number[action.card]

    def refusal(self, state: State, decision: Decision, action: DrawFaceUp) -> Refusal | None:
        piles: CardPiles = state.parts[CardPiles]
        if not self.economy.row_is_open(state, piles):
            return Refusal("D8", "draw pile and discards are empty: no train card can be taken")
        given: Any = action  # a card that is no string is refused as well
        card: int | None = self.economy.number.get(given.card)
        if card is None or card not in piles.row:
            template = "no {card} lies face up, only {row}" if piles.face_up else "no {card} lies face up, only nothing"
            return Refusal("D1", Message(template, card=brief(given.card), row=listed(piles.face_up or [""])))
        if card == self.barred:
            return Refusal("D3", "a face-up locomotive cannot be the second card")
        return None

    def perform_code(self, tx: Transaction, decision: Decision, code: int) -> None:
        piles: CardPiles = tx.state.parts[CardPiles]
        seat = decision.seat
        kinds = self.kinds
        # survives >=: no more cards are drawn than the pile holds
        replacement = -1 if piles.drawn == len(piles.pile) else piles.pile[piles.drawn]
        piles.take_face_up(seat, code, replacement)
        if tx.log is not None:
            tx.record(FaceUpTaken, (seat, kinds[code], None if replacement < 0 else kinds[replacement]))
        self.upkeep.settle(tx)
        self.after_card(tx, piles, seat, code)

    def after_card(self, tx: Transaction, piles: CardPiles, seat: int, card: int) -> None:
        """Open the decision about the second card, unless this one ended the draw (D2)."""
        if card == self.ending:
            end_turn(tx, seat)
        else:
            ask_for_second(tx, self.economy, piles, seat)


class DrawSecondFaceUpRule(DrawFaceUpRule):
    """Take a face-up card as the second one, but no locomotive (D3)."""

    on = SecondCard

    def __init__(self, economy: CardRow) -> None:
        super().__init__(economy)
        self.barred = self.ending

    def after_card(self, tx: Transaction, piles: CardPiles, seat: int, card: int) -> None:
        end_turn(tx, seat)


class ForgoCardRule(NumberedRule[SecondCard, Pass]):
    """Forgo the second card, if the ruling allows it (R5). The only code is 0."""

    on: ClassVar[type[Any]] = SecondCard
    action = Pass

    def __init__(self) -> None:
        self._allowed: bool | None = None  # the ruling, once it is known

    def number_of_codes(self, rules: GameData) -> int:
        return 1

    def allowed(self, state: State) -> bool:
        """Whether the ruling allows it."""
        if self._allowed is None:
            self._allowed = state.rules.plugin(CardOptions).second_card_optional
        return self._allowed

    def count(self, state: State, decision: SecondCard) -> int:
        return 1 if self.allowed(state) else 0

    def nth(self, state: State, decision: SecondCard, index: int) -> int:
        return 0

    def action_of(self, state: State, decision: SecondCard, code: int) -> Pass:
        return Pass(decision.seat)

    def code_of(self, state: State, decision: SecondCard, action: Pass) -> int:
        return 0

    def refusal(self, state: State, decision: SecondCard, action: Pass) -> Refusal | None:
        if self.allowed(state):
            return None
        return Refusal("R5", "a second card must be drawn as long as there is one to take")

    def perform_code(self, tx: Transaction, decision: SecondCard, code: int) -> None:
        end_turn(tx, decision.seat)


def takeable_row(state: State, economy: CardRow, piles: CardPiles) -> bool:
    """Whether the row holds a second card to take (D3, R2)."""
    takeable = any(card != economy.wild or not economy.locomotive_ends_draw for card in piles.row)
    return takeable and economy.row_is_open(state, piles)


@cache  # one per seat
def second_card(seat: int) -> SecondCard:
    """The pending decision about a second card."""
    return SecondCard(seat)


def ask_for_second(tx: Transaction, economy: CardRow, piles: CardPiles, seat: int) -> None:
    """Open the decision about the second card if there is one to take (R5), else end the turn."""
    if piles.drawn < len(piles.pile) or takeable_row(tx.state, economy, piles):
        tx.ask(second_card(seat))
    else:
        end_turn(tx, seat)
