"""Pay with dice and tokens instead of train cards (X1–X13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ttr_rules import Counts, DrawTickets, Refusal, State
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    Message,
    Part,
    Position,
    Prices,
    PursePrices,
    Report,
    Rules,
    Seat,
    Transaction,
    brief,
    join_commas,
)

from . import turn
from .arrange import KEY, arrange_dice
from .events import DiceFound, DiceLaid, DiceRolled, DiceSpent, LaidDiceSpent, LaidDiceTakenBack, TunnelDiceRolled
from .faces import BLANK, DICE, LONGEST, MAX_TOKENS, SAME_JOURNEY, STATION, TOKENS, TRAIN_DIE, TUNNEL, TUNNEL_DICE, WILD
from .options import DiceOptions
from .state import NOTHING, Dice


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
        return Dice([NOTHING] * players)

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return turn.action_rules(self.options)

    # -- payments --------------------------------------------------------------------------------------------

    def spaces(self, cost: Cost) -> int:
        """The spaces to fill: those of the cost, unless an option allows fewer (R16, R19)."""
        options = self.options
        if options.one_wild_a_journey and SAME_JOURNEY in cost.marks:
            return 0
        return min(cost.spaces, LONGEST) if options.long_route_as_eight else cost.spaces

    def least_wild(self, cost: Cost, spaces: int) -> int:
        """How many of the spaces to fill take a wild face."""
        return spaces if cost.only_wilds or not spaces else cost.wilds

    def payments(self, state: State, seat: int, cost: Cost) -> list[Counts]:
        return self.pays(_held(state, seat), cost)

    def pays(self, held: tuple[Counts, Counts, bool], cost: Cost) -> list[Counts]:
        """The payments for a cost with unused dice and a stock of tokens; with `may_gain`, tokens can be gained for dice."""
        unused, tokens_held, may_gain = held
        token = TOKENS.get(cost.kind)
        stock = tokens_held[token] if token else 0
        found: list[Counts] = []
        for plain, wild, tokens in self._ways(cost, unused[cost.kind], unused[WILD]):
            # Tokens gained for two unused dice are spent at once, one by one, so no seat holds too many (R11).
            gained = (unused.total - wild - plain) // 2 if token and may_gain else 0
            if tokens <= stock + gained:
                found.append(_payment(cost.kind, plain, wild, tokens))
        return found

    def every_payment(self, cost: Cost) -> list[Counts]:
        """All that can ever pay a cost, whatever the dice show and whoever pays."""
        found: list[Counts] = []
        for plain, wild, tokens in self._ways(cost, DICE, DICE):
            others = DICE - plain - wild
            # survives /: there is no half token
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
        """Why the tokens of a payment are not available: from the stock, then for unused dice (X6, X7)."""
        stock = dice.tokens[seat][token]
        lacking = payment[token] - stock
        if lacking > 0 and not dice.may_gain:
            template = "{seat} began the turn with {count} tokens and gains none in it"
            return Refusal("X7", Message(template, seat=Seat(seat), count=MAX_TOKENS))
        left = dice.unused.total - (payment.total - payment[token])
        if lacking > left // 2:
            template = "{seat} has {stock} of {count} tokens, and {dice} more dice for others"
            return Refusal("X6", Message(template, seat=Seat(seat), stock=stock, count=payment[token], dice=left))
        return None

    def pay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.emit(DiceSpent, seat, payment, tx.state.part(Dice).trade(seat, payment))

    # -- tunnels (X10) ---------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.emit(DiceLaid, seat, payment, tx.state.part(Dice).trade(seat, payment))

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Commit the payment, then roll the tunnel dice: one more space of the route's kind for each tunnel (X10)."""
        self.lay(tx, seat, payment)
        faces = tuple(tx.roll(self.tunnel_die) for _ in range(TUNNEL_DICE))
        tx.emit(TunnelDiceRolled, seat, faces)
        extra = faces.count(TUNNEL)
        return faces, Cost(cost.kind, extra, tunnel=True) if extra else None

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        """Pay the extra cost; if the seat declines (R17) or cannot, nothing is spent (R12)."""
        if extra is None:
            tx.emit(LaidDiceTakenBack, seat, self.options.tokens_after_failed_tunnel)
            return
        if extra:
            self.pay(tx, seat, extra)
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
        tx.ask(turn.RerollChoice(seat, faces))

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        """Offer tokens for unused pairs (X6), then let the seat return tokens (X7)."""
        return turn.offer_tokens(tx, seat, passed) or turn.offer_return(tx, seat, passed)

    def exhausted(self, state: State) -> bool:
        """Whether no roll and no tokens could ever let any seat act (R4)."""
        return not any(turn.could_act(state, seat, token) for seat in range(state.players) for token in TOKENS.values())

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
