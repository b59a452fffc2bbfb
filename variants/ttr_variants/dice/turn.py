"""The course of a turn with dice: one re-roll, ticket draws, tokens for unused dice (X3–X7, R12, R13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Any

from attrs import field, frozen

from ttr_rules import Action, Counts, Decision, DrawTickets, Pass, Refusal, State, Turn
from ttr_rules.model import to_counts
from ttr_rules.plugins import (
    ActionRule,
    Message,
    NumberedRule,
    Seat,
    Transaction,
    brief,
    draw_tickets,
    end_turn,
    finish_turn,
    join_and,
)

from .events import DiceRerolled, DiceSpent, TokensReturned, TokensTaken
from .faces import DICE, MAX_TOKENS, STATION, TOKENS, TRAIN_DIE, WILD
from .options import DiceOptions
from .state import NOTHING, Dice, counted


# survives -, 4095, 4097: how many are remembered is a choice; there are few different rolls
@lru_cache(maxsize=4096)
def subsets(counts: Counts) -> tuple[Counts, ...]:
    """All subsets, including the empty and the full one, fewest first, in an order that depends only on the counts."""
    names = sorted(counts)
    taken = product(*(range(counts[name] + 1) for name in names))
    return tuple(Counts(dict(zip(names, some, strict=True))) for some in sorted(taken, key=sum))


# -- the re-roll (X3) ------------------------------------------------------------------------------------------


@frozen
class RerollChoice(Decision):
    """Which of the dice to roll once more, including none (X3)."""

    public = True
    message = "Your dice: {faces}. Which of them do you roll again?"

    faces: tuple[str, ...]


@frozen
class Reroll(Action):
    """Roll dice with these faces once more; none to keep the roll (X3)."""

    message = "Roll again"

    dice: Counts = field(converter=to_counts)


# survives -, 4095, 4097: how many are remembered is a choice
@lru_cache(maxsize=4096)
def rerolls(seat: int, dice: Counts) -> tuple[Reroll, ...]:
    """The subsets of these dice that a seat may roll again."""
    return tuple(Reroll(seat, some) for some in subsets(dice))


class RerollRule(ActionRule[RerollChoice, Reroll]):
    """Roll any of the dice again, once; of several with the same face, the leftmost ones (X3)."""

    on = RerollChoice
    action = Reroll

    def offers(self, state: State, decision: RerollChoice) -> Sequence[Reroll]:
        return rerolls(decision.seat, counted(decision.faces))

    def refusal(self, state: State, decision: RerollChoice, action: Reroll) -> Refusal | None:
        shown = counted(decision.faces)
        for face, count in action.dice.items():
            if count > shown[face]:
                wanted = Counts({face: count})
                return Refusal("X3", Message("the dice show {dice}, not {wanted}", dice=shown, wanted=wanted))
        return None

    def perform(self, tx: Transaction, decision: RerollChoice, action: Reroll) -> None:
        if action.dice:
            left = dict(action.dice.items())
            faces: list[str] = []
            for face in decision.faces:
                if left.get(face):
                    left[face] -= 1
                    faces.append(tx.roll(TRAIN_DIE))
                else:
                    faces.append(face)
            tx.emit(DiceRerolled, action.seat, action.dice, tuple(faces))
        tx.ask(tx.rules.turns[action.seat])


# -- tickets (X4) ----------------------------------------------------------------------------------------------


@frozen
class DrawTicketsWithDice(Action):
    """Draw as many tickets as station and locomotive faces are spent on them (X4)."""

    message = "Draw a ticket for each die put in"
    instead_of = DrawTickets

    payment: Counts = field(converter=to_counts)


@cache
def ways_to_draw(seat: int, stations: int, wild: int) -> tuple[DrawTicketsWithDice, ...]:
    """The ways to spend some of these station and locomotive faces."""
    ways = subsets(Counts({STATION: stations, WILD: wild}))
    return tuple(DrawTicketsWithDice(seat, dice) for dice in ways if dice)


class DrawTicketsWithDiceRule(ActionRule[Turn, DrawTicketsWithDice]):
    """Draw as many tickets as dice are spent, fewer if the pile holds fewer; keep any number (X4)."""

    on = Turn
    action = DrawTicketsWithDice

    def offers(self, state: State, decision: Turn) -> Sequence[DrawTicketsWithDice]:
        if not state.has_tickets:
            return ()
        unused = state.part(Dice).unused
        return ways_to_draw(decision.seat, unused[STATION], unused[WILD])

    def refusal(self, state: State, decision: Turn, action: DrawTicketsWithDice) -> Refusal | None:
        if not state.has_tickets:
            return Refusal("K3", "no tickets are left to draw")
        if not action.payment:
            return Refusal("X4", "one ticket at least is drawn, with a station or locomotive die put in for each")
        unused = state.part(Dice).unused
        for face, count in action.payment.items():
            if face not in (STATION, WILD) or count > unused[face]:
                template = "tickets take station and locomotive dice; the dice show {dice}"
                return Refusal("X4", Message(template, dice=unused))
        return None

    def perform(self, tx: Transaction, decision: Turn, action: DrawTicketsWithDice) -> None:
        tx.emit(DiceSpent, action.seat, action.payment, NOTHING)
        draw_tickets(tx, action.seat, action.payment.total)


# -- tokens (X6, X7) -------------------------------------------------------------------------------------------


@frozen
class TokenChoice(Decision):
    """Which tokens to take for unused dice, at most `most` (X6)."""

    public = True
    message = "Which tokens do you take for your unused dice? {most} at most."

    most: int
    passed: bool = False


@frozen
class TakeTokens(Action):
    """Take these tokens, or none, for unused dice (X6)."""

    message = "Take tokens"

    tokens: Counts = field(converter=to_counts)


@cache
def tokens_to_take(seat: int, most: int) -> tuple[TakeTokens, ...]:
    """The ways for a seat to take at most this many tokens."""
    each = Counts(dict.fromkeys(TOKENS.values(), most))
    return tuple(TakeTokens(seat, tokens) for tokens in subsets(each) if tokens.total <= most)


class TakeTokensRule(ActionRule[TokenChoice, TakeTokens]):
    """Take a token of either kind for every two unused dice, fewer or none, up to three in stock (X6, X7)."""

    on = TokenChoice
    action = TakeTokens

    def offers(self, state: State, decision: TokenChoice) -> Sequence[TakeTokens]:
        return tokens_to_take(decision.seat, decision.most)

    def refusal(self, state: State, decision: TokenChoice, action: TakeTokens) -> Refusal | None:
        for token in action.tokens:
            if token not in TOKENS.values():
                template = "there are no tokens {token}, only {tokens}"
                return Refusal("X6", Message(template, token=brief(token), tokens=join_and(TOKENS.values())))
        if action.tokens.total > decision.most:
            template = "{most} tokens can be taken at most, not {count}"
            return Refusal("X6", Message(template, most=decision.most, count=action.tokens.total))
        return None

    def perform(self, tx: Transaction, decision: TokenChoice, action: TakeTokens) -> None:
        if action.tokens:
            tx.emit(TokensTaken, action.seat, action.tokens)
        if not offer_return(tx, action.seat, decision.passed):
            finish_turn(tx, action.seat, decision.passed)


@frozen
class TokenReturn(Decision):
    """Which tokens to give back at the end of the turn, including none (X7)."""

    public = True
    message = "Do you give tokens back?"

    passed: bool = False


@frozen
class ReturnTokens(Action):
    """Give these tokens back, or none (X7)."""

    message = "Give tokens back"

    tokens: Counts = field(converter=to_counts)


# survives -, 4095, 4097: how many are remembered is a choice
@lru_cache(maxsize=4096)
def tokens_to_return(seat: int, stock: Counts) -> tuple[ReturnTokens, ...]:
    """The ways for a seat with these tokens to give some back."""
    return tuple(ReturnTokens(seat, tokens) for tokens in subsets(stock))


class ReturnTokensRule(ActionRule[TokenReturn, ReturnTokens]):
    """Give back any tokens at the end of a turn (X7)."""

    on = TokenReturn
    action = ReturnTokens

    def offers(self, state: State, decision: TokenReturn) -> Sequence[ReturnTokens]:
        return tokens_to_return(decision.seat, state.part(Dice).tokens[decision.seat])

    def refusal(self, state: State, decision: TokenReturn, action: ReturnTokens) -> Refusal | None:
        stock = state.part(Dice).tokens[decision.seat]
        for token, count in action.tokens.items():
            if count > stock[token]:
                wanted = Counts({token: count})
                template = "{seat} has {tokens}, not {wanted}"
                return Refusal("X7", Message(template, seat=Seat(decision.seat), tokens=stock, wanted=wanted))
        return None

    def perform(self, tx: Transaction, decision: TokenReturn, action: ReturnTokens) -> None:
        if action.tokens:
            tx.emit(TokensReturned, action.seat, action.tokens)
        finish_turn(tx, action.seat, decision.passed)


def offer_tokens(tx: Transaction, seat: int, passed: bool) -> bool:
    """Let a seat take tokens if it can."""
    most = tx.state.part(Dice).room(seat)
    if most:
        tx.ask(TokenChoice(seat, most, passed))
    return most > 0


def offer_return(tx: Transaction, seat: int, passed: bool) -> bool:
    """Let a seat return tokens if it has any."""
    # survives !=: no stock is below 0
    some = tx.state.part(Dice).tokens[seat].total > 0
    if some:
        tx.ask(TokenReturn(seat, passed))
    return some


# -- doing nothing (R4, R13) -----------------------------------------------------------------------------------


class ForgoActionRule(ActionRule[Turn, Pass]):
    """Take no action: only if none is possible, unless the ruling allows it. Tokens may still be taken (R13)."""

    on = Turn
    action = Pass

    def __init__(self, options: DiceOptions) -> None:
        self.optional = options.dice_action_optional

    def offers(self, state: State, decision: Turn) -> Sequence[Pass]:
        return (Pass(decision.seat),) if self.optional else ()

    def refusal(self, state: State, decision: Turn, action: Pass) -> Refusal | None:
        if self.optional or not can_act(state, decision.seat):
            return None
        return Refusal("R13", "an action must be taken as long as one is possible")

    def perform(self, tx: Transaction, decision: Turn, action: Pass) -> None:
        end_turn(tx, action.seat, passed=True)


def can_act(state: State, seat: int) -> bool:
    """Whether any action is possible with the current dice."""
    turn = state.rules.turns[seat]
    rules = [rule for rule in state.rules.answers[Turn].by_action.values() if rule.action is not Pass]
    # A numbered rule counts its actions without making them, and a hand may have hundreds of claims.
    return any(
        rule.count(state, seat) if isinstance(rule, NumberedRule) else rule.offers(state, turn) for rule in rules
    )


def could_act(state: State, seat: int, token: str) -> bool:
    """Whether the best case, five locomotives and three tokens of one kind, would let a seat act (R4)."""
    best = state.copy()
    dice = best.part(Dice)
    dice.unused = Counts({WILD: DICE})
    dice.tokens[seat] = Counts({token: MAX_TOKENS})
    return can_act(best, seat)


def action_rules(options: DiceOptions) -> Iterable[ActionRule[Any, Any]]:
    """The actions of the dice expansion."""
    return (
        RerollRule(),
        DrawTicketsWithDiceRule(),
        TakeTokensRule(),
        ReturnTokensRule(),
        ForgoActionRule(options),
    )
