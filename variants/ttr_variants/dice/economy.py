"""Pay with dice and tokens instead of train cards (X1–X4, X6–X13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ttr_rules import (
    ActionRule,
    Cost,
    Counts,
    DrawTickets,
    Economy,
    Part,
    Price,
    PriceList,
    Refusal,
    Rules,
    State,
    Transaction,
)

from . import turn
from .faces import DICE, LONGEST, MAX_TOKENS, TOKENS, TRAIN_DIE, TUNNEL_DICE, WILD
from .state import Dice, DiceLaid, DiceRolled, DiceSpent, DiceTakenBack, TunnelDiceRolled


class DiceEconomy(Economy):
    """Five dice a turn, and tokens for what is left of them.

    A space of a single route takes a single face, a wild one or a single token, a space of a double route likewise
    (X4, X6); a locomotive symbol takes a wild face (X9); a station takes station or wild faces (X11).
    """

    replaces = (DrawTickets,)

    def __init__(self, tunnel_faces: int) -> None:
        self.tunnel_die = ("tunnel",) * tunnel_faces + ("blank",) * (6 - tunnel_faces)

    def part(self, rules: Rules, players: int) -> Part:
        return Dice(players)

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return turn.action_rules(self)

    # -- payments --------------------------------------------------------------------------------------------

    def spaces(self, state: State, cost: Cost) -> int:
        """The spaces to fill: those of the cost, but for a route that dice could never reach (R16)."""
        return min(cost.spaces, LONGEST) if state.rules.rulings.long_route_as_eight else cost.spaces

    def payments(self, state: State, seat: int, cost: Cost) -> list[Counts]:
        dice = state.part(Dice)
        return self.ways(cost, self.spaces(state, cost), dice.unused, dice.stock(seat), dice.may_gain)

    def ways(self, cost: Cost, spaces: int, dice: Counts, stock: Counts, may_gain: bool) -> list[Counts]:
        """Every payment for a cost: so many faces of its kind, so many wild ones, the rest in tokens.

        Tokens that the stock lacks come from unused pairs of dice in the same turn (X6, R11).
        """
        token = TOKENS.get(cost.kind)
        found: list[Counts] = []
        for wild in range(cost.wilds, min(dice[WILD], spaces) + 1):
            for plain in range(min(dice[cost.kind], spaces - wild) + 1):
                tokens = spaces - wild - plain
                if tokens and token is None:
                    continue
                pairs = (dice.total - wild - plain) // 2 if may_gain else 0
                if token is None or tokens <= stock[token] + pairs:
                    found.append(Counts({cost.kind: plain, WILD: wild, **({token: tokens} if token else {})}))
        return found

    def price_list(self, costs: Sequence[Cost]) -> PriceList:
        return DicePrices(self, costs)

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        dice = state.part(Dice)
        token = TOKENS.get(cost.kind)
        usable = {cost.kind, WILD, *([token] if token else [])}
        for name in payment:
            if name not in usable:
                return Refusal("X4", f"{name} is nothing to pay this with; {', '.join(sorted(usable))} are")
        faces = payment[cost.kind] + payment[WILD]
        for face in (cost.kind, WILD):
            if payment[face] > dice.unused[face]:
                return Refusal("X4", f"the dice show {dice.unused}, not {payment[face]} {face}")
        spaces = self.spaces(state, cost)
        if payment.total != spaces:
            return Refusal("X4", f"{spaces} spaces are to be filled, not {payment.total}")
        if payment[WILD] < cost.wilds:
            return Refusal("X9", f"{cost.wilds} locomotive dice are asked for, not {payment[WILD]}")
        if token:
            lacking = payment[token] - dice.stock(seat)[token]
            if lacking > 0 and not dice.may_gain:
                return Refusal("X7", f"seat {seat} began the turn with {MAX_TOKENS} tokens and gains none in it")
            if lacking > (dice.unused.total - faces) // 2:
                return Refusal(
                    "X6", f"seat {seat} has {dice.stock(seat)[token]} {token}s and too few unused dice for more"
                )
        return None

    def pay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.do(DiceSpent, seat, payment)

    # -- tunnels (X10) ---------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.do(DiceLaid, seat, payment)

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        self.lay(tx, seat, payment)
        faces = tuple(tx.roll(self.tunnel_die) for _ in range(TUNNEL_DICE))
        tx.do(TunnelDiceRolled, seat, faces)
        extra = faces.count("tunnel")
        return faces, Cost(cost.kind, extra, tunnel=True) if extra else None

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        if extra is None:
            tx.do(DiceTakenBack, seat, tx.rules.rulings.tokens_after_failed_tunnel)
        else:
            tx.do(DiceSpent, seat, extra)

    # -- the course of a turn ----------------------------------------------------------------------------------

    def open_turn(self, tx: Transaction, seat: int) -> None:
        """Roll all five dice (X3)."""
        faces = tuple(tx.roll(TRAIN_DIE) for _ in range(DICE))
        tx.do(DiceRolled, seat, faces)
        tx.ask(turn.RerollChoice(seat, faces))

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        """Offer tokens for unused pairs (X6), then let tokens be given back (X7)."""
        return turn.offer_tokens(tx, seat, passed) or turn.offer_return(tx, seat, passed)

    def exhausted(self, state: State) -> bool:
        """R4: only when the best roll and the best tokens would let nobody act."""
        return not any(turn.could_act(state, seat, token) for seat in range(state.players) for token in TOKENS.values())


class DicePrices(PriceList):
    """Prices looked up by the dice and tokens: few rolls differ, so the table fills quickly."""

    __slots__ = ("_dice", "_table")

    def __init__(self, economy: DiceEconomy, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._dice = economy
        self._table: dict[object, list[Price]] = {}

    def affordable(self, state: State, seat: int) -> list[Price]:
        dice = state.part(Dice)
        key = (dice.unused, dice.stock(seat), dice.may_gain, state.rules.rulings.long_route_as_eight)
        prices = self._table.get(key)
        if prices is None:
            prices = self._table[key] = super().affordable(state, seat)
        return prices
