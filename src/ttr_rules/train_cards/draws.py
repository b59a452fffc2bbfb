"""Drawing train cards: blind, face up, and the next card (D1–D8, R2, R5)."""

from __future__ import annotations

from typing import ClassVar, Final, TypeVar

from ttr_rules._internal.native import as_given, i64
from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import NumberedRule, SingleActionRule
from ttr_rules.kernel.answers import Answers, RuleEntry
from ttr_rules.kernel.effects import open_decision
from ttr_rules.kernel.extensions import any_says_yes, cards_drawn
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import FieldOf, State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.language import Message, join_commas
from ttr_rules.model.decisions import Action, Decision, Pass, Turn
from ttr_rules.text import brief
from ttr_rules.train_cards.bills import CardEconomy
from ttr_rules.train_cards.effects import draw_card, take_face_up, tell_row
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import CardOptions, DrawBlind, DrawFaceUp, DrawFrom, NextCard, TakeFaceUp

A = TypeVar("A", bound=Action)
F = TypeVar("F", DrawFaceUp, TakeFaceUp)
LEFT: Final = FieldOf(NextCard, "left")
OF_DRAW: Final = FieldOf(NextCard, "of_draw")


class Draw:
    """A draw of cards: how many are left to take, and the question for the next one.

    Rules of several types have one each. Python finds the attributes of a type that a piece of code always meets five times
    as fast as those of several types, so what rules need for each action is here.
    """

    def __init__(self, economy: CardEconomy, rules: Rules, later: bool) -> None:
        self.economy = economy
        self.upkeep: RowUpkeep = economy.upkeep
        self.wild: i64 = economy.wild
        self.decks: i64 = len(economy.decks)
        #: True if any deck with a card left may fill a place in the row. Otherwise the deck of the card does.
        self.shared: bool = economy.shared_row
        #: True if the cards are later ones of a draw.
        self.later = later
        #: The cards of a draw; 0 if these are later ones or plugins change their number.
        self.cards: i64 = 0 if later or rules.cards_drawn else rules.draw_counts.cards
        #: The cards of a draw that a face-up locomotive counts as (D2).
        self.wild_cards: i64 = rules.draw_counts.wild_cards
        self.asked: i64 = rules.numbers_of.get(NextCard, -1)
        answers = rules.answers[NextCard]
        #: The answers to the question for the next card that do not end the draw.
        self.taking: list[RuleEntry] = [
            entry for entry in answers.entries if entry is not answers.passing and type(entry.rule) is not ForgoCardRule
        ]
        added = any(not isinstance(entry.rule, CardRule) for entry in self.taking)
        #: All answers to it, if plugins add, replace or refuse some.
        self.answers: Answers | None = answers if added or answers.guarded else None

    def left(self, state: State, seat: i64) -> i64:
        """The number of cards that are left to take."""
        if self.later:
            left: i64 = state.field(seat, LEFT)
            return left
        return cards_drawn(state, seat)

    def barred(self, state: State, seat: i64, piles: CardPiles) -> i64:
        """The kind in the row that may not be taken, or -1: locomotives that count as more cards than are left (D3)."""
        if piles.shown[self.wild] and self.left(state, seat) < self.wild_cards:
            return self.wild
        return -1

    def go_on(self, tx: Transaction, piles: CardPiles, seat: i64, left: i64) -> None:
        """Ask for the next card if one of those left can be taken (R5), otherwise end the turn."""
        if left > 1:
            fields: tuple[int, bool] = (left - 1, not self.later or tx.state.field(seat, OF_DRAW))
            if (self.answers is None and piles.left) or self._has_answer(tx.state, piles, seat, fields):
                open_decision(tx, seat, self.asked, fields)
                return
        end_turn(tx, seat)

    def _has_answer(self, state: State, piles: CardPiles, seat: i64, fields: tuple[int, bool]) -> bool:
        """True if there is a card to take from the row, or anything in its place.

        Plugins may add, refuse or replace all.
        """
        if self.answers is None:  # a card in the row that may be taken when so many are left to take (D3, R2)
            takeable = any(card != self.wild or fields[0] >= self.wild_cards for card in piles.row)
            return takeable and self.economy.row_is_open(state, piles)
        state.ask_by_fields(seat, self.asked, fields)  # plugins see the question whose answers they may refuse
        counts = [entry.legal.count(state, seat) for entry in self.taking]
        return any(counts)


class CardRule(NumberedRule[Decision, A]):
    """Draw or take a card, as the first or a later one, then ask for the next card if there is another.

    By default it draws the top card of a deck. The codes are the decks.
    """

    on: ClassVar[type[object]] = Turn
    ends_itself = True
    fixed_codes: bool = True

    def __init__(self, economy: CardEconomy) -> None:
        self.economy = economy

    def bind(self, rules: Rules) -> None:
        self.draw = Draw(self.economy, rules, self.on is NextCard)

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        draw = self.draw
        left = draw.cards or draw.left(tx.state, seat)
        piles: CardPiles = tx.state.kept[0]
        draw_card(tx, seat, piles.top_card(code))
        if piles.top_card(code) < 0:
            draw.upkeep.settle(tx)
        draw.go_on(tx, piles, seat, left)


class DrawBlindRule(CardRule[DrawBlind]):
    """Draw the top card, as the first or a later card (D1, D4)."""

    action = DrawBlind

    def number_of_codes(self, rules: Rules) -> int:
        return 1

    def count(self, state: State, seat: i64) -> i64:
        piles: CardPiles = state.kept[0]
        return 0 if piles.left == 0 else 1

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        return 0

    def action_of(self, state: State, seat: i64, code: i64) -> DrawBlind:
        return DrawBlind(seat)

    def code_of(self, state: State, seat: i64, action: DrawBlind) -> i64:
        return 0

    def refusal(self, state: State, decision: Decision, action: DrawBlind) -> Refusal | None:
        if state.part(CardPiles).pile_is_empty:
            return Refusal("D8", "draw pile and discards are empty: no train card can be drawn")
        return None


class DrawNextBlindRule(DrawBlindRule):
    """Draw the top card as a later one (D4)."""

    on = NextCard


class DrawFromRule(CardRule[DrawFrom]):
    """Draw the top card of a deck, as the first or a later card (D1, D4)."""

    action = DrawFrom

    def number_of_codes(self, rules: Rules) -> int:
        return len(self.economy.decks)

    def count(self, state: State, seat: i64) -> i64:
        piles: CardPiles = state.kept[0]
        return len(piles.open_decks)

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        piles: CardPiles = state.kept[0]
        return piles.open_decks[index]

    def action_of(self, state: State, seat: i64, code: i64) -> DrawFrom:
        return DrawFrom(seat, self.economy.deck_names[code])

    def code_of(self, state: State, seat: i64, action: DrawFrom) -> i64:
        return self.economy.deck_names.index(action.deck)

    def refusal(self, state: State, decision: Decision, action: DrawFrom) -> Refusal | None:
        piles: CardPiles = state.kept[0]
        names = self.economy.deck_names
        deck = as_given(action, "deck")
        if deck not in names:
            template = "there is no deck {deck}, only {decks}"
            return Refusal("D1", Message(template, deck=brief(deck), decks=join_commas(names)))
        if piles.top_card(names.index(action.deck)) < 0:
            return Refusal("D8", Message("no card of the deck {deck} is left to draw", deck=action.deck))
        return None


class DrawNextFromRule(DrawFromRule):
    """Draw the top card of a deck as a later one (D4)."""

    on = NextCard


class FaceUpRule(CardRule[F]):
    """Take a face-up card, as the first or a later card (D1–D3). A code combines a kind and the deck that fills its place."""

    def number_of_codes(self, rules: Rules) -> int:
        return len(self.economy.kinds) * len(self.economy.decks)

    def count(self, state: State, seat: i64) -> i64:
        piles: CardPiles = state.kept[0]
        if piles.left == 0 and not self.economy.row_is_open(state, piles):
            return 0
        draw = self.draw
        kinds = piles.lying
        if draw.later and draw.barred(state, seat, piles) >= 0:
            kinds -= 1
        return kinds * len(piles.open_decks) if draw.shared and piles.left else kinds

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        draw = self.draw
        piles: CardPiles = state.kept[0]
        deck: i64 = -1  # that of the card
        if draw.shared and piles.left:
            filling = piles.open_decks
            deck = filling[index % len(filling)]
            index //= len(filling)
        barred: i64 = -1
        if draw.later:
            barred = draw.barred(state, seat, piles)
        card: i64 = 0
        for shown in piles.shown:
            if shown and card != barred:
                if index == 0:
                    break
                index -= 1
            card += 1
        else:
            raise IndexError("fewer kinds lie face up")
        if deck < 0:
            deck = piles.deck_of[card]
        return card * draw.decks + deck

    def refusal(self, state: State, decision: Decision, action: F) -> Refusal | None:
        piles: CardPiles = state.kept[0]
        if not self.economy.row_is_open(state, piles):
            return Refusal("D8", "draw pile and discards are empty: no train card can be taken")
        named = as_given(action, "card")
        card = self.economy.number.get(named) if isinstance(named, str) else None
        if card is None or card not in piles.row:
            template = "no {card} lies face up, only {row}"
            if not piles.row:
                template = "no {card} lies face up: the row is empty"
            return Refusal("D1", Message(template, card=brief(named), row=join_commas(piles.face_up)))
        draw = self.draw
        if draw.later and card == draw.barred(state, decision.seat, piles):
            if draw.wild_cards >= state.rules.draw_counts.cards:
                return Refusal("D3", "a face-up locomotive can only be the first card")
            template = "a face-up locomotive counts as {number} cards, more than are left to draw"
            return Refusal("D3", Message(template, number=int(draw.wild_cards)))
        return None

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        """Take the card, fill its place from a pile, and ask for the next card."""
        draw = self.draw
        left = draw.cards or draw.left(tx.state, seat)
        piles: CardPiles = tx.state.kept[0]
        card = code // draw.decks
        place = take_face_up(tx, seat, card, piles.top_card(code % draw.decks))
        if tx.rules.on_row_changed:
            tell_row(tx, int(seat), (int(place),))
        draw.upkeep.settle(tx)
        if card == draw.wild:
            left -= draw.wild_cards - 1  # D2
        draw.go_on(tx, piles, seat, left)


class DrawFaceUpRule(FaceUpRule[DrawFaceUp]):
    """Take a face-up card of the only deck (D1–D3)."""

    action = DrawFaceUp

    def action_of(self, state: State, seat: i64, code: i64) -> DrawFaceUp:
        return DrawFaceUp(seat, self.economy.kinds[code])

    def code_of(self, state: State, seat: i64, action: DrawFaceUp) -> i64:
        return self.economy.number[action.card]


class DrawNextFaceUpRule(DrawFaceUpRule):
    """Take a face-up card as a later one, except a locomotive that counts as more cards than are left (D3)."""

    on = NextCard


class TakeFaceUpRule(FaceUpRule[TakeFaceUp]):
    """Take a face-up card, and fill its place from one of several decks (D1–D3)."""

    action = TakeFaceUp

    def action_of(self, state: State, seat: i64, code: i64) -> TakeFaceUp:
        names = self.economy.deck_names
        return TakeFaceUp(seat, self.economy.kinds[code // len(names)], names[code % len(names)])

    def code_of(self, state: State, seat: i64, action: TakeFaceUp) -> i64:
        return self.economy.number[action.card] * self.draw.decks + self.economy.deck_names.index(action.deck)

    def refusal(self, state: State, decision: Decision, action: TakeFaceUp) -> Refusal | None:
        refused = super().refusal(state, decision, action)
        if refused is not None:
            return refused
        piles: CardPiles = state.kept[0]
        filling = (piles.open_decks if self.draw.shared else []) or [piles.deck_of[self.economy.number[action.card]]]
        names = [self.economy.deck_names[deck] for deck in filling]
        named = as_given(action, "deck")
        if named in names:
            return None
        template = "the place of {card} is filled from {decks}, not {deck}"
        return Refusal("D1", Message(template, card=action.card, decks=join_commas(names), deck=brief(named)))


class TakeNextFaceUpRule(TakeFaceUpRule):
    """Take a face-up card as a later one, except a locomotive that counts as more cards than are left (D3)."""

    on = NextCard


class ForgoCardRule(SingleActionRule[NextCard, Pass]):
    """Forgo the next card, if the ruling (R5) or a plugin allows it."""

    on: ClassVar[type[object]] = NextCard
    action = Pass
    ends_itself = True

    def __init__(self) -> None:
        self._allowed: i64 = 0  # 1 if the ruling allows it

    def bind(self, rules: Rules) -> None:
        self._allowed = int(rules.plugin(CardOptions).second_card_optional)

    def count(self, state: State, seat: i64) -> i64:
        if self._allowed or not state.rules.may_stop_drawing:
            return self._allowed
        return 1 if any_says_yes("may_stop_drawing", state.rules.may_stop_drawing, state, int(seat)) else 0

    def refusal(self, state: State, decision: NextCard, action: Pass) -> Refusal | None:
        if self.count(state, decision.seat):
            return None
        return Refusal("R5", "another card must be drawn as long as there is one to take")

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        end_turn(tx, seat)
