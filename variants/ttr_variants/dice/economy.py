"""Dice and tokens instead of train cards: the course of a turn (X3–X7, R12), and paying (X1, X4, X6, X9–X13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ttr_rules import Counts, DrawTickets, Refusal, State
from ttr_rules.actions import Prices, PursePrices
from ttr_rules.language import Message, Seat, join_commas, plural
from ttr_rules.model import Cost
from ttr_rules.parts import Position, Report
from ttr_rules.plugins import ActionRule, Economy, Part, Rules, Transaction
from ttr_rules.text import brief

from .rules import (
    DrawTicketsWithDiceRule,
    RerollRule,
    ReturnTokensRule,
    TakeTokensRule,
    could_act,
    offer_return,
    purse,
)
from .state import (
    BLANK,
    DICE,
    LONGEST,
    MAX_TOKENS,
    SAME_JOURNEY,
    STATION,
    TOKENS,
    TRAIN_DIE,
    TUNNEL,
    WILD,
    Dice,
    DiceArranged,
    DiceFound,
    DiceLaid,
    DiceOptions,
    DiceRolled,
    DiceSpent,
    LaidDiceSpent,
    LaidDiceTakenBack,
    RerollChoice,
    TokenChoice,
    TunnelDiceRolled,
    to_trade,
)

KEY = "dice"
#: More than anybody can ever have: all dice show every face, and of each kind there are as many tokens as may be held.
EVERY_FACE = Counts(dict.fromkeys(TRAIN_DIE, DICE))
EVERY_TOKEN = Counts(dict.fromkeys(TOKENS.values(), MAX_TOKENS))


class DiceEconomy(Economy):
    """Five dice per turn, and tokens for unused dice.

    A space of a single route takes a single face, a wild one or a single token, a space of a double route likewise,
    whatever its color (X1, X4, X6). All routes of a double or triple are double ones, even if the others are taken or
    closed (X13, R15). A locomotive symbol takes a wild face (X9, X12, R19). A station takes station or wild faces
    (X11).
    """

    replaces = (DrawTickets,)
    part_keys = (KEY,)
    open_purses = True

    def __init__(self, options: DiceOptions) -> None:
        self.options = options
        self.may_pass = options.dice_action_optional  # R13
        #: R14: how many faces of a tunnel die show a tunnel.
        self.tunnel_die = (TUNNEL,) * options.tunnel_faces + (BLANK,) * (6 - options.tunnel_faces)

    def fingerprint_data(self) -> Mapping[str, object]:
        return {"tunnel_die": self.tunnel_die}

    def part(self, rules: Rules, players: int) -> Part:
        return Dice.start(rules, players)

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (
            RerollRule(),
            DrawTicketsWithDiceRule(),
            TakeTokensRule(),
            ReturnTokensRule(),
        )

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
        return self.pays(purse(state, seat), cost)

    def every_payment(self, cost: Cost) -> list[Counts]:
        """All that can ever pay a cost, whatever the dice show and whoever pays."""
        return self.pays((EVERY_FACE, EVERY_TOKEN, True), cost)

    def pays(self, purse: tuple[Counts, Counts, bool], cost: Cost) -> list[Counts]:
        """The payments for a cost with unused dice and a stock of tokens: faces of its kind, wild ones and tokens, dice first.

        With `may_gain`, tokens can be gained for dice.
        """
        unused, tokens, may_gain = purse
        dice, spaces, kind = min(unused.total, DICE), self.spaces(cost), cost.kind
        payments: list[Counts] = []
        most_wild = spaces if cost.most_wilds is None else min(cost.most_wilds, spaces)
        for wild in range(self.least_wild(cost, spaces), min(unused[WILD], most_wild) + 1):
            for plain in range(min(unused[kind], spaces - wild), -1, -1):
                left = dice - wild - plain
                # Tokens gained for two unused dice are spent at once, one by one, so no seat holds too many (R11).
                limit = tokens[TOKENS[kind]] + (left // 2 if may_gain else 0) if kind in TOKENS else 0
                if left >= 0 and spaces - wild - plain <= limit:
                    payments.append(_payment(kind, plain, wild, spaces - wild - plain))
        return payments

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """Few wild faces, then few tokens."""
        return payment[WILD], sum([payment[token] for token in TOKENS.values()])

    def prices(self, costs: Sequence[Cost]) -> Prices:
        if type(self).payments is not DiceEconomy.payments:
            return Prices(self, costs)
        every = self.every_payment if type(self) is DiceEconomy else None  # a variant of it may take other payments
        return PursePrices(self, costs, purse, self.pays, every)

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
            one = "this costs at least {count} locomotive die; you paid {played}"
            many = "this costs at least {count} locomotive dice; you paid {played}"
            return Refusal("X9", plural(one, many, least_wild, played=payment[WILD]))
        if cost.most_wilds is not None and payment[WILD] > cost.most_wilds:
            if not cost.most_wilds:
                return Refusal(rule, Message("no locomotive pays for this"))
            one = "at most {count} locomotive die pays for this, not {played}"
            many = "at most {count} locomotive dice pay for this, not {played}"
            return Refusal(rule, plural(one, many, cost.most_wilds, played=payment[WILD]))
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

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(DiceSpent, seat, payment, _choose_dice(tx, seat, payment))

    # -- tunnels (X10) ---------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(DiceLaid, seat, payment, _choose_dice(tx, seat, payment))

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Commit the payment, then roll the tunnel dice: one more space of the route's kind for each tunnel (X10).

        Wild faces of the payment count toward the most that the route takes.
        """
        self.lay(tx, seat, cost, payment)
        faces = tx.roll_dice(self.tunnel_die, cost.tunnel_cards)
        tx.emit(TunnelDiceRolled, seat, faces)
        extra = faces.count(TUNNEL)
        limit = None if cost.most_wilds is None else max(cost.most_wilds - payment[WILD], 0)
        return faces, Cost(cost.kind, extra, tunnel=True, extra=True, most_wilds=limit) if extra else None

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        if extra:
            tx.emit(DiceSpent, seat, extra, _choose_dice(tx, seat, extra))
        tx.emit(LaidDiceSpent, seat)

    def take_back_laid(self, tx: Transaction, seat: int, laid: Counts) -> None:
        """If the seat declines (R17) or cannot pay, nothing is spent (R12)."""
        tx.emit(LaidDiceTakenBack, seat, self.options.tokens_after_failed_tunnel)

    # -- the course of a turn ----------------------------------------------------------------------------------

    def open_turn(self, tx: Transaction, seat: int) -> None:
        """Roll all five dice and open the re-roll decision (X3). An arranged position already has its dice."""
        dice = tx.state.part(Dice)
        if dice.set_out:
            tx.emit(DiceFound, seat, dice.faces)
            return
        faces = tx.roll_dice(TRAIN_DIE, DICE)
        tx.emit(DiceRolled, seat, faces)
        tx.ask(RerollChoice(seat, faces))

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        """Offer tokens for unused pairs (X6), then let the seat return tokens (X7)."""
        room = tx.state.part(Dice).room(seat)
        if room:
            tx.ask(TokenChoice(seat, room, passed))
        return room > 0 or offer_return(tx, seat, passed)

    def exhausted(self, state: State) -> bool:
        """True if no roll and no tokens could ever let any seat act (R4)."""
        return not any(could_act(state, seat, token) for seat in range(state.players) for token in TOKENS.values())

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Set out the dice and give all players their tokens.

        `faces` are the five dice after the re-roll. Without them the turn begins with a roll (X3). `tokens` is a table
        by player: `{Ada = {single_token = 2}}`, at most three per player (X7).
        """
        table = position.part(KEY, report)
        table.only(("faces", "tokens"), report)
        faces = table.ids("faces", dict.fromkeys(TRAIN_DIE), report)
        if faces and len(faces) != DICE and not report.problems:
            report.add(table.under("faces"), f"expected all {DICE} dice, got {len(faces)}")
        stocks = table.table("tokens", report)
        stocks.only([player.name for player in position.players], report)
        tokens: list[Counts] = []
        for player in position.players:
            stock = stocks.table(player.name, report)
            stock.only(TOKENS.values(), report)
            held = {token: stock.number(token, 0, 0, MAX_TOKENS, report) for token in TOKENS.values()}
            if sum(held.values()) > MAX_TOKENS:
                report.add(stock.place, f"a player holds {MAX_TOKENS} tokens at most, not {sum(held.values())} (X7)")
            tokens.append(Counts(held))
        if not report.problems:
            tx.emit(DiceArranged, faces, tuple(tokens))


@cache
def _payment(kind: str, plain: int, wild: int, tokens: int) -> Counts:
    """So many faces of a kind, wild ones and tokens of that kind: the same few payments stand in many tables."""
    return Counts({kind: plain, WILD: wild, **({TOKENS[kind]: tokens} if tokens else {})})


def _choose_dice(tx: Transaction, seat: int, payment: Counts) -> Counts:
    """The dice to trade for the tokens of a payment that a seat lacks."""
    dice = tx.state.part(Dice)
    return to_trade(dice.unused, dice.tokens[seat], payment)
