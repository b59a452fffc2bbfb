"""Drawing train cards: blind, face up, and the next card (D1–D8, R2, R5)."""

from __future__ import annotations

from typing import Any, ClassVar

from ttr_rules._internal.native import i64
from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import MOST_SEATS, NumberedRule, SingleActionRule
from ttr_rules.kernel.answers import Answers
from ttr_rules.kernel.effects import open_decision
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.language import Message, join_commas
from ttr_rules.model.decisions import Decision, Pass, Turn
from ttr_rules.text import brief
from ttr_rules.train_cards.effects import draw_card, take_face_up
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.row import CardRow
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import CardOptions, DrawBlind, DrawFaceUp, DrawFrom, NextCard, TakeFaceUp


class DrawBlindRule(SingleActionRule[Decision, DrawBlind]):
    """Draw the top card, as the first or a later card (D1, D4)."""

    on: ClassVar[type[object]] = Turn
    action = DrawBlind

    def __init__(self, economy: CardRow) -> None:
        self.economy = economy
        self.upkeep: RowUpkeep = economy.upkeep
        self.next = Next(economy, later=self.on is NextCard)
        self._actions: dict[int, DrawBlind] = {}

    def bind(self, rules: Rules) -> None:
        self.next.bind(rules)

    def count(self, state: State, seat: i64) -> i64:
        piles: CardPiles = state.kept[0]
        return 0 if piles.drawn == len(piles.pile) else 1

    def action_of(self, state: State, seat: i64, code: i64) -> DrawBlind:
        found = self._actions.get(seat)
        if found is None:
            found = self._actions[seat] = DrawBlind(seat)
        return found

    def refusal(self, state: State, decision: Decision, action: DrawBlind) -> Refusal | None:
        if state.part(CardPiles).pile_is_empty:
            return Refusal("D8", "draw pile and discards are empty: no train card can be drawn")
        return None

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        piles: CardPiles = tx.state.kept[0]
        card: i64 = piles.pile[piles.drawn]
        draw_card(tx, seat, card)
        if piles.drawn == len(piles.pile):
            self.upkeep.settle(tx)
        self.next.ask(tx, piles, seat)


class DrawNextBlindRule(DrawBlindRule):
    """Draw the top card as a later one (D4)."""

    on = NextCard


class DrawFaceUpRule(NumberedRule[Decision, Any]):
    """Take a face-up card, as the first or a later card (D1–D3). The codes are the kinds of cards."""

    on: ClassVar[type[object]] = Turn
    action: ClassVar[type[object]] = DrawFaceUp

    def __init__(self, economy: CardRow) -> None:
        self.economy = economy
        self.upkeep: RowUpkeep = economy.upkeep
        #: The kind that ends the draw (D2), and the one that may not be taken (D3); -1 for none.
        self.ending: i64 = -1
        self.barred: i64 = -1
        self.next = Next(economy, later=self.on is NextCard)
        self._actions: dict[int, DrawFaceUp] = {}

    def bind(self, rules: Rules) -> None:
        self.ending = self.economy.wild if rules.draw_counts.wild_ends_draw else -1
        self.barred = self.ending if self.on is NextCard else -1
        self.next.bind(rules)

    def number_of_codes(self, rules: Rules) -> int:
        return len(self.economy.kinds)

    def count(self, state: State, seat: i64) -> i64:
        piles: CardPiles = state.kept[0]
        if piles.drawn == len(piles.pile) and not self.economy.row_is_open(state, piles):
            return 0
        if self.barred >= 0 and piles.shown[self.barred]:
            return piles.lying - 1
        return piles.lying

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        piles: CardPiles = state.kept[0]
        card: i64 = 0
        for shown in piles.shown:
            if shown and card != self.barred:
                if index == 0:
                    return card
                index -= 1
            card += 1
        raise IndexError("so many kinds do not lie face up")

    def action_of(self, state: State, seat: i64, code: i64) -> DrawFaceUp:
        key = seat * len(self.economy.kinds) + code
        found = self._actions.get(key)
        if found is None:
            found = self._actions[key] = DrawFaceUp(seat, self.economy.kinds[code])
        return found

    def code_of(self, state: State, seat: i64, action: DrawFaceUp) -> i64:
        return self.economy.number[action.card]

    def refusal(self, state: State, decision: Decision, action: DrawFaceUp) -> Refusal | None:
        piles: CardPiles = state.kept[0]
        if not self.economy.row_is_open(state, piles):
            return Refusal("D8", "draw pile and discards are empty: no train card can be taken")
        given: Any = action  # a card that is no string is refused as well
        card: int | None = self.economy.number.get(given.card)
        if card is None or card not in piles.row:
            template = "no {card} lies face up, only {row}" if piles.face_up else "no {card} lies face up, only nothing"
            return Refusal("D1", Message(template, card=brief(given.card), row=join_commas(piles.face_up or [""])))
        if card == self.barred:
            return Refusal("D3", "a face-up locomotive can only be the first card")
        return None

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        piles: CardPiles = tx.state.kept[0]
        replacement: i64 = -1 if piles.drawn == len(piles.pile) else piles.pile[piles.drawn]
        self._take(tx, piles, seat, code, replacement)

    def _take(self, tx: Transaction, piles: CardPiles, seat: i64, card: i64, replacement: i64) -> None:
        """Take a face-up card, whose place the top card of a pile takes, or none for -1; then ask for the next card."""
        take_face_up(tx, seat, card, replacement)
        self.upkeep.settle(tx)
        if card == self.ending:  # D2
            end_turn(tx, seat)
        else:
            self.next.ask(tx, piles, seat)


class DrawNextFaceUpRule(DrawFaceUpRule):
    """Take a face-up card as a later one, but no locomotive that would have ended the draw (D3)."""

    on = NextCard


class DrawFromRule(DrawFaceUpRule):
    """Draw the top card of a deck, as the first or a later card (D1, D4). The codes are the decks."""

    action = DrawFrom

    def number_of_codes(self, rules: Rules) -> int:
        return len(self.economy.decks)

    def count(self, state: State, seat: i64) -> i64:
        piles: CardPiles = state.kept[0]
        return len(piles.open_decks)

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        piles: CardPiles = state.kept[0]
        return piles.open_decks[index]

    def action_of(self, state: State, seat: i64, code: i64) -> Any:
        return DrawFrom(seat, self.economy.deck_names[code])

    def code_of(self, state: State, seat: i64, action: Any) -> i64:
        return self.economy.deck_names.index(action.deck)

    def refusal(self, state: State, decision: Decision, action: Any) -> Refusal | None:
        piles: CardPiles = state.kept[0]
        names = self.economy.deck_names
        if action.deck not in names:
            template = "there is no deck {deck}, only {decks}"
            return Refusal("D1", Message(template, deck=brief(action.deck), decks=join_commas(names)))
        if piles.top_card(names.index(action.deck)) < 0:
            return Refusal("D8", Message("no card of the deck {deck} is left to draw", deck=action.deck))
        return None

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        piles: CardPiles = tx.state.kept[0]
        draw_card(tx, seat, piles.top_card(code))
        self.upkeep.settle(tx)
        self.next.ask(tx, piles, seat)


class DrawNextFromRule(DrawFromRule):
    """Draw the top card of a deck as a later one (D4)."""

    on = NextCard


class TakeFaceUpRule(DrawFaceUpRule):
    """Take a face-up card, and fill its place from a deck (D1–D3). A code is a kind of card and a deck."""

    action = TakeFaceUp

    def number_of_codes(self, rules: Rules) -> int:
        return len(self.economy.kinds) * len(self.economy.decks)

    def __init__(self, economy: CardRow) -> None:
        super().__init__(economy)
        self.decks: i64 = len(economy.decks)
        self.shared: bool = economy.shared_row

    def _filling(self, piles: CardPiles) -> list[int]:
        """The decks whose top card may take the place of any card: those with any left, if the row is shared.

        Without any, it is the card's own deck.
        """
        return piles.open_decks if self.shared else []

    def count(self, state: State, seat: i64) -> i64:
        ways: i64 = len(self._filling(state.kept[0]))
        cards = super().count(state, seat)
        return cards * ways if ways else cards

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        piles: CardPiles = state.kept[0]
        filling = self._filling(piles)
        ways: i64 = len(filling)
        if ways == 0:
            card = super().nth(state, seat, index)
            return card * self.decks + piles.deck_of(card)
        return super().nth(state, seat, index // ways) * self.decks + filling[index % ways]

    def action_of(self, state: State, seat: i64, code: i64) -> Any:
        names = self.economy.deck_names
        return TakeFaceUp(seat, self.economy.kinds[code // len(names)], names[code % len(names)])

    def code_of(self, state: State, seat: i64, action: Any) -> i64:
        names = self.economy.deck_names
        return self.economy.number[action.card] * len(names) + names.index(action.deck)

    def refusal(self, state: State, decision: Decision, action: Any) -> Refusal | None:
        refused = super().refusal(state, decision, action)
        if refused is not None:
            return refused
        piles: CardPiles = state.kept[0]
        filling = self._filling(piles) or [int(piles.deck_of(self.economy.number[action.card]))]
        names = [self.economy.deck_names[deck] for deck in filling]
        if action.deck in names:
            return None
        template = "the place of {card} is filled from {decks}, not {deck}"
        return Refusal("D1", Message(template, card=action.card, decks=join_commas(names), deck=brief(action.deck)))

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        piles: CardPiles = tx.state.kept[0]
        self._take(tx, piles, seat, code // self.decks, piles.top_card(code % self.decks))


class TakeNextFaceUpRule(TakeFaceUpRule):
    """Take a face-up card as a later one, but no locomotive that would have ended the draw (D3)."""

    on = NextCard


class ForgoCardRule(SingleActionRule[NextCard, Pass]):
    """Forgo the next card, if the ruling allows it (R5)."""

    on: ClassVar[type[object]] = NextCard
    action = Pass

    def __init__(self) -> None:
        self._allowed: i64 = 0  # 1 if the ruling allows it

    def bind(self, rules: Rules) -> None:
        self._allowed = int(rules.plugin(CardOptions).second_card_optional)

    def count(self, state: State, seat: i64) -> i64:
        return self._allowed

    def refusal(self, state: State, decision: NextCard, action: Pass) -> Refusal | None:
        if self._allowed:
            return None
        return Refusal("R5", "another card must be drawn as long as there is one to take")

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        end_turn(tx, seat)


class Next:
    """Asks for the next card, after the first one or a `later` one."""

    def __init__(self, economy: CardRow, *, later: bool) -> None:
        self.economy = economy
        self.later = later
        self._asked: i64 = -1
        # Rules of plugins that answer the question too.
        self._others: list[Any] = []
        # The answers, if plugins refuse some of them.
        self._refused: Answers | None = None
        # The questions, by seat and cards left to draw.
        self._pending: dict[int, tuple[Decision, ...]] = {}

    def bind(self, rules: Rules) -> None:
        """Look up the number of the decision, and who else answers it."""
        self._asked = rules.numbers_of.get(NextCard, -1)
        answers = rules.answers[NextCard]
        self._others = [rule for rule in answers.by_action.values() if not isinstance(rule, _DRAWING)]
        self._refused = answers if any(answers.guards) else None

    def ask(self, tx: Transaction, piles: CardPiles, seat: i64) -> None:
        """Open the decision about the next card if any is left and there is one to take (R5), else end the turn.

        A plugin's action may take the place of the card, and plugins may refuse all that is left.
        """
        before: i64 = tx.state.field(seat, 0, "left") if self.later else tx.rules.cards_drawn
        left = before - 1
        if left > 0 and self._has_answer(tx.state, piles, seat, left):
            key = MOST_SEATS * left + seat
            pending = self._pending.get(key)
            if pending is None:
                pending = self._pending[key] = (NextCard(int(seat), int(left)),)
            open_decision(tx, seat, self._asked, pending)
        else:
            end_turn(tx, seat)

    def _has_answer(self, state: State, piles: CardPiles, seat: i64, left: i64) -> bool:
        """True if there is a card to take, or a plugin's action in place of one."""
        if self._refused is not None:
            answers = self._refused
            counts = [answers.count(state, seat, which) for which in range(len(answers.rules)) if which != answers.main]
            if not any(counts):
                return False
        if piles.drawn < len(piles.pile) or self._row_has_one(state, piles):
            return True
        decision = NextCard(int(seat), int(left))
        return any(rule.offers(state, decision) for rule in self._others)

    def _row_has_one(self, state: State, piles: CardPiles) -> bool:
        """True if the row holds a next card to take (D3, R2)."""
        takeable = any(card != self.economy.wild or not state.rules.draw_counts.wild_ends_draw for card in piles.row)
        return takeable and self.economy.row_is_open(state, piles)


#: The rules of the library that answer the question about the next card.
_DRAWING = (DrawBlindRule, DrawFaceUpRule, ForgoCardRule)
