"""The actions of the dice expansion by the rules, in numbers: re-rolls, tickets, tokens (X3–X7)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, ClassVar, Final, TypeVar

from ttr_rules import Action, Counts, Decision, Pass, Refusal, State, Turn
from ttr_rules.actions import FieldOf, ListedRule, NumberedRule, draw_tickets, finish_turn, i64, tickets_drawn
from ttr_rules.language import Message, Seat, join_and
from ttr_rules.plugins import Rules, Transaction
from ttr_rules.text import brief

from .state import (
    DICE,
    MAX_TOKENS,
    NOTHING,
    STATION,
    TOKENS,
    TRAIN_DIE,
    WILD,
    Dice,
    DiceRerolled,
    DiceSpent,
    DrawTicketsWithDice,
    Reroll,
    RerollChoice,
    ReturnTokens,
    TakeTokens,
    TokenChoice,
    TokenReturn,
    TokensReturned,
    TokensTaken,
    count_faces,
    stock,
)

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Action)
FACES: Final = FieldOf(RerollChoice, "faces")
MOST: Final = FieldOf(TokenChoice, "most")
CHOICE_PASSED: Final = FieldOf(TokenChoice, "passed")
RETURN_PASSED: Final = FieldOf(TokenReturn, "passed")


@cache
def selections(kinds: Sequence[str], most: int) -> list[Counts]:
    """All ways to name at most so many things of these kinds, fewest first."""
    ways = [
        dict(zip(kinds, some, strict=True)) for some in product(range(most + 1), repeat=len(kinds)) if sum(some) <= most
    ]
    return [Counts(way) for way in sorted(ways, key=lambda way: sum(way.values()))]


class SelectionRule(ListedRule[D, A]):
    """An action that names some of what is there: dice by their faces, or tokens.

    The codes are all selections, fewest first.
    """

    #: What is named, in alphabetical order, how much of it at most, and the field of the action that names it.
    kinds: ClassVar[tuple[str, ...]] = tuple(sorted({*TRAIN_DIE}))
    most: ClassVar[int] = DICE
    names: ClassVar[str]

    def __init__(self) -> None:
        self.every: list[Counts] = selections(self.kinds, self.most)
        self._numbers: dict[Counts, int] = {some: code for code, some in enumerate(self.every)}
        self._codes: dict[tuple[Counts, int], list[int]] = {}

    def some_of(self, supply: Counts, most: i64 = DICE) -> list[int]:
        """The codes of the selections from a supply, of at most so many things."""
        key = (supply, int(most))
        codes = self._codes.get(key)
        if codes is None:
            codes = self._codes[key] = [
                code for code, some in enumerate(self.every) if some.total <= most and some.within(supply)
            ]
        return codes

    def number_of_codes(self, rules: Rules) -> int:
        return len(self.every)

    def action_of(self, state: State, seat: i64, code: i64) -> A:
        action: A = self.action(seat, self.every[code])
        return action

    def code_of(self, state: State, seat: i64, action: A) -> i64:
        return self._numbers[getattr(action, self.names)]


class RerollRule(SelectionRule[RerollChoice, Reroll]):
    """Roll any of the dice again, once. Of several with the same face, the leftmost ones roll (X3)."""

    names = "dice"

    def codes(self, state: State, seat: i64) -> list[int]:
        return self.some_of(count_faces(state.field(seat, FACES)))

    def refusal(self, state: State, decision: RerollChoice, action: Reroll) -> Refusal | None:
        shown = count_faces(decision.faces)
        if action.dice.within(shown):
            return None
        return Refusal("X3", Message("the dice show {dice}, not {wanted}", dice=shown, wanted=action.dice))

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        again = self.every[code]
        if code:
            before: tuple[str, ...] = tx.state.field(seat, FACES)
            rolled = iter(tx.roll_dice(TRAIN_DIE, again.total))
            left = dict(again.items())
            faces: list[str] = []
            for face in before:
                if left.get(face, 0):
                    left[face] -= 1
                    face = next(rolled)
                faces.append(face)
            tx.emit(DiceRerolled, seat, again, tuple(faces))
        tx.ask(tx.rules.turns[seat])


class DrawTicketsWithDiceRule(SelectionRule[Turn, DrawTicketsWithDice]):
    """Draw as many tickets as dice are spent, fewer if the pile holds fewer, and keep any number (X4)."""

    kinds = (WILD, STATION)
    names = "payment"

    def codes(self, state: State, seat: i64) -> list[int]:
        return self.some_of(state.part(Dice).unused)[1:] if state.has_tickets else []

    def refusal(self, state: State, decision: Turn, action: DrawTicketsWithDice) -> Refusal | None:
        if not state.has_tickets:
            return Refusal("K3", "no tickets are left to draw")
        if not action.payment:
            return Refusal("X4", "one ticket at least is drawn, with a station or locomotive die put in for each")
        unused = state.part(Dice).unused
        if action.payment.within({face: unused[face] for face in self.kinds}):
            return None
        template = "tickets take station and locomotive dice; the dice show {dice}"
        return Refusal("X4", Message(template, dice=unused))

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        payment = self.every[code]
        tx.emit(DiceSpent, seat, payment, NOTHING)
        draw_tickets(tx, seat, tickets_drawn(tx.state, int(seat), payment.total))


class TokenRule(SelectionRule[D, A]):
    """An action that names tokens."""

    kinds = tuple(sorted(TOKENS.values()))
    most = MAX_TOKENS
    names = "tokens"


class TakeTokensRule(TokenRule[TokenChoice, TakeTokens]):
    """Take a token of either kind for every two unused dice, fewer or none, up to three in stock (X6, X7)."""

    def codes(self, state: State, seat: i64) -> list[int]:
        return self.some_of(stock(MAX_TOKENS, MAX_TOKENS), state.field(seat, MOST))

    def refusal(self, state: State, decision: TokenChoice, action: TakeTokens) -> Refusal | None:
        for token in action.tokens:
            if token not in self.kinds:
                template = "there are no tokens {token}, only {tokens}"
                return Refusal("X6", Message(template, token=brief(token), tokens=join_and(TOKENS.values())))
        if action.tokens.total > decision.most:
            template = "{most} tokens can be taken at most, not {count}"
            return Refusal("X6", Message(template, most=decision.most, count=action.tokens.total))
        return None

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        passed: bool = tx.state.field(seat, CHOICE_PASSED)
        if code:
            tx.emit(TokensTaken, seat, self.every[code])
        if not offer_return(tx, seat, passed):
            finish_turn(tx, seat, passed)


class ReturnTokensRule(TokenRule[TokenReturn, ReturnTokens]):
    """Give back any tokens at the end of a turn (X7)."""

    def codes(self, state: State, seat: i64) -> list[int]:
        return self.some_of(state.part(Dice).tokens[seat])

    def refusal(self, state: State, decision: TokenReturn, action: ReturnTokens) -> Refusal | None:
        held = state.part(Dice).tokens[decision.seat]
        if action.tokens.within(held):
            return None
        template = "{seat} has {tokens}, not {wanted}"
        return Refusal("X7", Message(template, seat=Seat(decision.seat), tokens=held, wanted=action.tokens))

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        passed: bool = tx.state.field(seat, RETURN_PASSED)
        if code:
            tx.emit(TokensReturned, seat, self.every[code])
        finish_turn(tx, seat, passed)


def offer_return(tx: Transaction, seat: i64, passed: bool) -> bool:
    """Let a seat return tokens if it has any (X7)."""
    some: bool = tx.state.part(Dice).tokens[seat].total > 0
    if some:
        tx.ask(TokenReturn(seat, passed))
    return some


def can_act(state: State, seat: i64) -> bool:
    """True if any action is possible with the current dice."""
    rules: list[Any] = [rule for kind, rule in state.rules.answers[Turn].by_action.items() if kind is not Pass]
    # A numbered rule counts its actions without making them, and a hand may have hundreds of claims. The others may be
    # asked about a turn that is not pending.
    return any(
        rule.count(state, seat) if isinstance(rule, NumberedRule) else rule.offers(state, state.rules.turns[seat])
        for rule in rules
    )


def could_act(state: State, seat: i64, token: str) -> bool:
    """True if the best case, five locomotives and three tokens of one kind, would let a seat act (R4)."""
    best = state.copy()
    dice = best.part(Dice)
    dice.unused = Counts({WILD: DICE})
    dice.tokens[seat] = Counts({token: MAX_TOKENS})
    return can_act(best, seat)


def purse(state: State, seat: int) -> tuple[Counts, Counts, bool]:
    """All that the payments of a seat depend on."""
    dice = state.part(Dice)
    return dice.unused, dice.tokens[seat], dice.may_gain
