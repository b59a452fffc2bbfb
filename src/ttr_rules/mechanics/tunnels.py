"""What a tunnel costs beyond the route: pay the extra cost, or take back what was laid down (T4, T8).

What chance turns up, and what that costs, is up to the economy: see `Economy.enter_tunnel`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import ActionRule, SingleActionRule
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.events.play import TunnelAbandoned
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.mechanics.claims import claim
from ttr_rules.model.actions import AbandonTunnel, PayTunnel
from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost
from ttr_rules.model.decisions import TunnelDue

#: The most cards that a tunnel is expected to cost extra; the rules of all maps say three at most.
MOST_EXTRA = 6
#: The kinds of route that a cost may be for.
KINDS = ("single", "double")


class PayTunnelRule(ActionRule[TunnelDue, PayTunnel]):
    """Pay the extra cost of a tunnel. It takes no cars and scores nothing (T8).

    A code is one of the payments of any colour for up to `MOST_EXTRA` cards, where these can be numbered: not if a plugin
    changes costs, as it may change what they are for. Else it is the index among the payments that are possible now.
    """

    on = TunnelDue
    action = PayTunnel

    def __init__(self, economy: Economy) -> None:
        self.economy = economy
        costs = [Cost(kind, spaces, tunnel=True) for kind in KINDS for spaces in range(1, MOST_EXTRA + 1)]
        every = economy.price_list(costs).all_payments()
        self._ways = list(dict.fromkeys([payment for ways in every or () for payment in ways]))
        self._numbers = {payment: number for number, payment in enumerate(self._ways)}

    def _numbered(self, rules: GameData) -> list[Counts]:
        """All payments, where they can be numbered."""
        return [] if rules.course.cost_changes else self._ways

    def number_of_codes(self, rules: GameData) -> int | None:
        return len(self._numbered(rules)) or None

    def count(self, state: State, decision: TunnelDue) -> int:
        return len(self._payments(state, decision))

    def nth(self, state: State, decision: TunnelDue, index: int) -> int:
        return self._numbers[self._payments(state, decision)[index]] if self._numbered(state.rules) else index

    def _payments(self, state: State, decision: TunnelDue) -> Sequence[Counts]:
        """The payments that are possible now."""
        payments: Any = self.economy.payments(state, decision.seat, decision.extra)
        found: Sequence[Counts] = payments if hasattr(payments, "__len__") else tuple(payments)
        return found

    def action_of(self, state: State, decision: TunnelDue, code: int) -> PayTunnel:
        ways = self._numbered(state.rules) or self._payments(state, decision)
        return PayTunnel(decision.seat, ways[code])

    def code_of(self, state: State, decision: TunnelDue, action: PayTunnel) -> int:
        if self._numbered(state.rules):
            return self._numbers[action.payment]
        return self.offers(state, decision).index(action)

    def offers(self, state: State, decision: TunnelDue) -> Sequence[PayTunnel]:
        return [PayTunnel(decision.seat, payment) for payment in self._payments(state, decision)]

    def refusal(self, state: State, decision: TunnelDue, action: PayTunnel) -> Refusal | None:
        economy = self.economy
        return economy.refusal_under(economy.tunnel_rule, state, action.seat, decision.extra, action.payment)

    def perform(self, tx: Transaction, decision: TunnelDue, action: PayTunnel) -> None:
        self._pay(tx, decision, action.payment)

    def perform_code(self, tx: Transaction, decision: TunnelDue, code: int) -> None:
        ways = self._numbered(tx.rules) or self._payments(tx.state, decision)
        self._pay(tx, decision, ways[code])

    def _pay(self, tx: Transaction, decision: TunnelDue, payment: Counts) -> None:
        self.economy.leave_tunnel(tx, decision.seat, payment)
        claim(tx, decision.seat, tx.rules.network.route_number[decision.route])


class AbandonTunnelRule(SingleActionRule[TunnelDue, AbandonTunnel]):
    """Take back what was laid down and claim nothing (T4). Always possible, so that it gives nothing away (R10)."""

    on = TunnelDue
    action = AbandonTunnel

    def __init__(self, economy: Economy) -> None:
        self.economy = economy

    def refusal(self, state: State, decision: TunnelDue, action: AbandonTunnel) -> Refusal | None:
        return None

    def count(self, state: State, decision: TunnelDue) -> int:
        return 1

    def perform(self, tx: Transaction, decision: TunnelDue, action: AbandonTunnel) -> None:
        self.perform_code(tx, decision, 0)

    def perform_code(self, tx: Transaction, decision: TunnelDue, code: int) -> None:
        tx.emit(TunnelAbandoned, decision.seat, decision.route)
        self.economy.leave_tunnel(tx, decision.seat, None)
        end_turn(tx, decision.seat)
