"""Dice and tokens instead of train cards: the course of a turn (X3–X7, R12, R13), and paying (X1, X4, X6, X9–X13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Any

from ttr_rules import Action, Counts, Decision, DrawTickets, Pass, Refusal, State, Turn
from ttr_rules.language import Message, Seat, join_and, join_commas
from ttr_rules.model import Cost, to_counts
from ttr_rules.numbers import NumberedRule
from ttr_rules.parts import Position, Report
from ttr_rules.payments import Prices, PursePrices
from ttr_rules.plugins import ActionRule, Economy, Part, Rules, Transaction
from ttr_rules.text import brief
from ttr_rules.turns import draw_tickets, end_turn, finish_turn

from .state import (
    BLANK,
    DICE,
    KEY,
    LONGEST,
    MAX_TOKENS,
    NOTHING,
    SAME_JOURNEY,
    STATION,
    TOKENS,
    TRAIN_DIE,
    TUNNEL,
    TUNNEL_DICE,
    WILD,
    Dice,
    DiceFound,
    DiceLaid,
    DiceOptions,
    DiceRerolled,
    DiceRolled,
    DiceSpent,
    LaidDiceSpent,
    LaidDiceTakenBack,
    TokensReturned,
    TokensTaken,
    TunnelDiceRolled,
    arrange_dice,
    counted,
    stock,
)


@lru_cache(maxsize=4096)
def subsets(counts: Counts) -> tuple[Counts, ...]:
    """All subsets, including the empty and the full one, fewest first, in an order that depends only on the counts."""
    names = sorted(counts)
    taken = product(*(range(counts[name] + 1) for name in names))
    return tuple(Counts(dict(zip(names, some, strict=True))) for some in sorted(taken, key=sum))


@lru_cache(maxsize=4096)
def some_of(action: Callable[[int, Counts], Any], seat: int, supply: Counts, most: int = DICE) -> tuple[Any, ...]:
    """The actions of a seat that name some of a supply, from none to `most`, fewest first."""
    return tuple(action(seat, some) for some in subsets(supply) if some.total <= most)


# -- the re-roll (X3) ------------------------------------------------------------------------------------------


class RerollChoice(Decision):
    """Choose the dice to roll once more, or none (X3)."""

    public = True
    message = "Your dice: {faces}. Which of them do you roll again?"

    faces: tuple[str, ...]


class Reroll(Action):
    """Roll dice with these faces once more; none to keep the roll (X3)."""

    message = "Roll again"

    dice: Counts

    def __init__(self, seat: int, dice: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(dice))


class RerollRule(ActionRule[RerollChoice, Reroll]):
    """Roll any of the dice again, once; of several with the same face, the leftmost ones (X3)."""

    on = RerollChoice
    action = Reroll

    def offers(self, state: State, decision: RerollChoice) -> Sequence[Reroll]:
        return some_of(Reroll, decision.seat, counted(decision.faces))

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


class DrawTicketsWithDice(Action):
    """Draw as many tickets as station and locomotive faces are spent on them (X4)."""

    message = "Draw a ticket for each die put in"
    instead_of = DrawTickets

    payment: Counts

    def __init__(self, seat: int, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(payment))


@lru_cache(maxsize=4096)
def ways_to_draw(seat: int, unused: Counts) -> tuple[DrawTicketsWithDice, ...]:
    """The ways to spend station and locomotive faces on tickets."""
    return some_of(DrawTicketsWithDice, seat, Counts({STATION: unused[STATION], WILD: unused[WILD]}))[1:]


class DrawTicketsWithDiceRule(ActionRule[Turn, DrawTicketsWithDice]):
    """Draw as many tickets as dice are spent, fewer if the pile holds fewer; keep any number (X4)."""

    on = Turn
    action = DrawTicketsWithDice

    def offers(self, state: State, decision: Turn) -> Sequence[DrawTicketsWithDice]:
        if not state.has_tickets:
            return ()
        return ways_to_draw(decision.seat, state.part(Dice).unused)

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


class TokenChoice(Decision):
    """Choose the tokens to take for unused dice, at most `most` (X6)."""

    public = True
    message = "Which tokens do you take for your unused dice? {most} at most."

    most: int
    passed: bool = False


class TakeTokens(Action):
    """Take these tokens, or none, for unused dice (X6)."""

    message = "Take tokens"

    tokens: Counts

    def __init__(self, seat: int, tokens: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(tokens))


class TakeTokensRule(ActionRule[TokenChoice, TakeTokens]):
    """Take a token of either kind for every two unused dice, fewer or none, up to three in stock (X6, X7)."""

    on = TokenChoice
    action = TakeTokens

    def offers(self, state: State, decision: TokenChoice) -> Sequence[TakeTokens]:
        return some_of(TakeTokens, decision.seat, stock(decision.most, decision.most), decision.most)

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


class TokenReturn(Decision):
    """Choose the tokens to give back at the end of the turn, or none (X7)."""

    public = True
    message = "Do you give tokens back?"

    passed: bool = False


class ReturnTokens(Action):
    """Give these tokens back, or none (X7)."""

    message = "Give tokens back"

    tokens: Counts

    def __init__(self, seat: int, tokens: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(tokens))


class ReturnTokensRule(ActionRule[TokenReturn, ReturnTokens]):
    """Give back any tokens at the end of a turn (X7)."""

    on = TokenReturn
    action = ReturnTokens

    def offers(self, state: State, decision: TokenReturn) -> Sequence[ReturnTokens]:
        return some_of(ReturnTokens, decision.seat, state.part(Dice).tokens[decision.seat])

    def refusal(self, state: State, decision: TokenReturn, action: ReturnTokens) -> Refusal | None:
        held = state.part(Dice).tokens[decision.seat]
        for token, count in action.tokens.items():
            if count > held[token]:
                wanted = Counts({token: count})
                template = "{seat} has {tokens}, not {wanted}"
                return Refusal("X7", Message(template, seat=Seat(decision.seat), tokens=held, wanted=wanted))
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
    """True if any action is possible with the current dice."""
    turn = state.rules.turns[seat]
    rules = [rule for rule in state.rules.answers[Turn].by_action.values() if rule.action is not Pass]
    # A numbered rule counts its actions without making them, and a hand may have hundreds of claims. The others may be
    # asked about a turn that is not pending.
    return any(
        rule.count(state, seat) if isinstance(rule, NumberedRule) else rule.offers(state, turn) for rule in rules
    )


def could_act(state: State, seat: int, token: str) -> bool:
    """True if the best case, five locomotives and three tokens of one kind, would let a seat act (R4)."""
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


class DiceEconomy(Economy):
    """Five dice per turn, and tokens for unused dice.

    A space of a single route takes a single face, a wild one or a single token, a space of a double route likewise,
    whatever its color (X1, X4, X6). All routes of a double or triple are double ones, even if the others are taken or
    closed (X13, R15). A locomotive symbol takes a wild face (X9, X12, R19); a station takes station or wild faces
    (X11).
    """

    replaces = (DrawTickets,)
    part_keys = (KEY,)

    def __init__(self, options: DiceOptions) -> None:
        self.options = options
        #: R14: how many faces of a tunnel die show a tunnel.
        self.tunnel_die = (TUNNEL,) * options.tunnel_faces + (BLANK,) * (6 - options.tunnel_faces)

    def data(self) -> Mapping[str, object]:
        return {"tunnel_die": self.tunnel_die}

    def part(self, rules: Rules, players: int) -> Part:
        return Dice.start(rules, players)

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return action_rules(self.options)

    # -- payments --------------------------------------------------------------------------------------------

    def spaces(self, cost: Cost) -> int:
        """The spaces to fill: those of the cost, unless an option allows fewer (R16, R19)."""
        options = self.options
        if options.one_wild_a_journey and SAME_JOURNEY in cost.marks:
            return 0
        return min(cost.spaces, LONGEST) if options.long_route_as_eight else cost.spaces

    def least_wild(self, cost: Cost, spaces: int) -> int:
        """The number of spaces to fill that take a wild face."""
        return spaces if cost.only_wilds or not spaces else cost.wilds

    def payments(self, state: State, seat: int, cost: Cost) -> list[Counts]:
        return self.pays(_held(state, seat), cost)

    def pays(self, held: tuple[Counts, Counts, bool], cost: Cost) -> list[Counts]:
        """The payments for a cost with unused dice and a stock of tokens; with `may_gain`, tokens can be gained for dice."""
        unused, tokens_held, may_gain = held
        token = TOKENS.get(cost.kind)
        held_of_kind = tokens_held[token] if token else 0
        found: list[Counts] = []
        for plain, wild, tokens in self._ways(cost, unused[cost.kind], unused[WILD]):
            # Tokens gained for two unused dice are spent at once, one by one, so no seat holds too many (R11).
            gained = (unused.total - wild - plain) // 2 if token and may_gain else 0
            if tokens <= held_of_kind + gained:
                found.append(_payment(cost.kind, plain, wild, tokens))
        return found

    def every_payment(self, cost: Cost) -> list[Counts]:
        """All that can ever pay a cost, whatever the dice show and whoever pays."""
        found: list[Counts] = []
        for plain, wild, tokens in self._ways(cost, DICE, DICE):
            others = DICE - plain - wild
            most = MAX_TOKENS + others // 2 if cost.kind in TOKENS else 0
            if others >= 0 and tokens <= most:
                found.append(_payment(cost.kind, plain, wild, tokens))
        return found

    def _ways(self, cost: Cost, most_plain: int, most_wild: int) -> Iterable[tuple[int, int, int]]:
        """The ways to fill the spaces of a cost with faces of its kind, wild ones and tokens, dice before tokens."""
        spaces = self.spaces(cost)
        least_wild = self.least_wild(cost, spaces)
        for wild in range(least_wild, min(most_wild, spaces) + 1):
            for plain in range(min(most_plain, spaces - wild), -1, -1):
                yield plain, wild, spaces - wild - plain

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """Few wild faces, then few tokens."""
        return payment[WILD], sum([payment[token] for token in TOKENS.values()])

    def prices(self, costs: Sequence[Cost]) -> Prices:
        if type(self).payments is not DiceEconomy.payments:
            return Prices(self, costs)
        every = self.every_payment if type(self) is DiceEconomy else None  # a variant of it may take other payments
        return PursePrices(self, costs, _held, self.pays, every)

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        dice = state.part(Dice)
        rule = "X11" if cost.kind == STATION else "X4" if dice.held is None else "X10"
        token = TOKENS.get(cost.kind)
        kinds = (cost.kind, WILD, token) if token else (cost.kind, WILD)
        for name in payment:
            if name not in kinds:
                template = "{given} cannot pay for this, only {kinds} can"
                return Refusal(rule, Message(template, given=brief(name), kinds=join_commas(kinds)))
        for face in (cost.kind, WILD):
            if payment[face] > dice.unused[face]:
                template = "the dice left show {dice}, not {count} {face}"
                return Refusal(rule, Message(template, dice=dice.unused, count=payment[face], face=face))
        spaces = self.spaces(cost)
        if spaces > LONGEST:
            template = "{count} spaces are more than five dice and three tokens can fill"
            return Refusal("R16", Message(template, count=spaces))
        if payment.total != spaces:
            template = "{count} spaces are to be filled, not {filled}"
            return Refusal(rule, Message(template, count=spaces, filled=payment.total))
        least_wild = self.least_wild(cost, spaces)
        if payment[WILD] < least_wild:
            template = "{least} locomotive dice at least are asked for, not {count}"
            return Refusal("X9", Message(template, least=least_wild, count=payment[WILD]))
        return self._token_refusal(dice, seat, token, payment) if token else None

    def _token_refusal(self, dice: Dice, seat: int, token: str, payment: Counts) -> Refusal | None:
        """The reason that the tokens of a payment are not available: from the stock, then for unused dice (X6, X7)."""
        held = dice.tokens[seat][token]
        lacking = payment[token] - held
        if lacking > 0 and not dice.may_gain:
            template = "{seat} began the turn with {count} tokens and gains none in it"
            return Refusal("X7", Message(template, seat=Seat(seat), count=MAX_TOKENS))
        left = dice.unused.total - (payment.total - payment[token])
        if lacking > left // 2:
            template = "{seat} has {stock} of {count} tokens, and {dice} more dice for others"
            return Refusal("X6", Message(template, seat=Seat(seat), stock=held, count=payment[token], dice=left))
        return None

    def pay(self, tx: Transaction, seat: int, payment: Counts, cost: Cost) -> None:
        tx.emit(DiceSpent, seat, payment, tx.state.part(Dice).trade(seat, payment))

    # -- tunnels (X10) ---------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, payment: Counts, cost: Cost) -> None:
        tx.emit(DiceLaid, seat, payment, tx.state.part(Dice).trade(seat, payment))

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Commit the payment, then roll the tunnel dice: one more space of the route's kind for each tunnel (X10)."""
        self.lay(tx, seat, payment, cost)
        faces = tuple([tx.roll(self.tunnel_die) for _ in range(TUNNEL_DICE)])
        tx.emit(TunnelDiceRolled, seat, faces)
        extra = faces.count(TUNNEL)
        return faces, Cost(cost.kind, extra, tunnel=True) if extra else None

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        """Pay the extra cost; if the seat declines (R17) or cannot, nothing is spent (R12)."""
        if extra is None:
            tx.emit(LaidDiceTakenBack, seat, self.options.tokens_after_failed_tunnel)
            return
        if extra:
            tx.emit(DiceSpent, seat, extra, tx.state.part(Dice).trade(seat, extra))
        tx.emit(LaidDiceSpent, seat)

    # -- the course of a turn ----------------------------------------------------------------------------------

    def open_turn(self, tx: Transaction, seat: int) -> None:
        """Roll all five dice and open the re-roll decision (X3); an arranged position already has its dice."""
        dice = tx.state.part(Dice)
        if dice.set_out:
            tx.emit(DiceFound, seat, dice.faces)
            return
        faces = tuple([tx.roll(TRAIN_DIE) for _ in range(DICE)])
        tx.emit(DiceRolled, seat, faces)
        tx.ask(RerollChoice(seat, faces))

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        """Offer tokens for unused pairs (X6), then let the seat return tokens (X7)."""
        return offer_tokens(tx, seat, passed) or offer_return(tx, seat, passed)

    def exhausted(self, state: State) -> bool:
        """True if no roll and no tokens could ever let any seat act (R4)."""
        return not any(could_act(state, seat, token) for seat in range(state.players) for token in TOKENS.values())

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        arrange_dice(tx, position, report)


@cache
def _payment(kind: str, plain: int, wild: int, tokens: int) -> Counts:
    """So many faces of a kind, wild ones and tokens of that kind: the same few payments stand in many tables."""
    return Counts({kind: plain, WILD: wild, **({TOKENS[kind]: tokens} if tokens else {})})


def _held(state: State, seat: int) -> tuple[Counts, Counts, bool]:
    """All that the payments of a seat depend on."""
    dice = state.part(Dice)
    return dice.unused, dice.tokens[seat], dice.may_gain
