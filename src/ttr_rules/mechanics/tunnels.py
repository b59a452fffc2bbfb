"""The extra cost of a tunnel: pay it, or take back the cards laid down (T4, T8).

The economy turns up cards or rolls dice, and decides what that costs: see `Economy.enter_tunnel`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ttr_rules._internal.native import i64, overrides
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import ActionRule, SingleActionRule
from ttr_rules.kernel.economy import Economy, EconomyLayer, economy_layers
from ttr_rules.kernel.paid_rule import PaidRule
from ttr_rules.kernel.prices import MOST_LISTS, Prices
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import FieldOf, State
from ttr_rules.kernel.transaction import Transaction, abandon_tunnel
from ttr_rules.kernel.turn import end_turn, handle_answer
from ttr_rules.mechanics.claims import ClaimRule, claim_and_end_turn
from ttr_rules.model.board import MOST_EXTRA, Cost
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import AbandonTunnel, PayTunnel, Question, TunnelDue
from ttr_rules.sequences import keep

#: The kinds of route that a cost may be for.
KINDS = ("single", "double")
ROUTE: Final = FieldOf(TunnelDue, "route")
LAID: Final = FieldOf(TunnelDue, "laid")
EXTRA: Final = FieldOf(TunnelDue, "extra")


class PayTunnelRule(ActionRule[TunnelDue, PayTunnel]):
    """Pay the extra cost of a tunnel. It takes no cars and scores nothing (T8). If a rule of a plugin sold the route (`sold_by`), it does the rest.

    A code is the number of a payment among all those of any color for up to `MOST_EXTRA` cards. If these cannot be numbered,
    or costs of claims change, tunnels are paid in another way or a plugin changes their effect, so that there may be others, it
    is the index among the payments that are possible now.
    """

    on = TunnelDue
    action = PayTunnel
    ends_itself = True

    def bind(self, rules: Rules) -> None:
        self.economy: Economy = rules.economy
        self._prices: dict[Cost, Prices] = {}  # of every extra cost that has come up
        costs = [Cost(kind, spaces, tunnel=True, extra=True) for kind in KINDS for spaces in range(1, MOST_EXTRA + 1)]
        entering = [rule for rule in rules.action_rules if isinstance(rule, PaidRule) and rule.enters_tunnels]
        selling = [rule for rule in entering if not isinstance(rule, ClaimRule)]
        #: What carries out a purchase that is not a claim, by the name of the rule that sells it.
        self._bought: dict[str, Callable[[Transaction, int, str], Question | None]] = {
            rule.sold_by: rule.bought for rule in selling
        }
        others = [rule.sold_by for rule in entering if rule not in selling]
        if len(self._bought) < len(selling) or not self._bought.keys().isdisjoint(others):
            raise PluginError(f"two rules that enter tunnels have the same name: {', '.join(self._bought)}")
        unnumberable = any(map(_changes_tunnels, economy_layers(self.economy))) or any(
            # Claims at other costs may lead to extra costs that are not among `costs`.
            rule.changes_costs(rules) or any(_varies(cost) for _, cost in rule.every(rules))
            for rule in entering
        )
        listed = None if unnumberable else self.economy.prices(costs).all_payments()
        #: All payments, if they are numbered once and for all; their index is their number.
        self._every: list[Counts] = list(dict.fromkeys([payment for ways in listed or () for payment in ways]))
        self._number_of: dict[Counts, int] = {payment: number for number, payment in enumerate(self._every)}

    def _due(self, state: State, seat: i64) -> Prices:
        """The prices of the one cost that a seat has to pay now."""
        cost: Cost = state.field(seat, EXTRA)
        prices = self._prices.get(cost)
        if prices is None:
            prices = self.economy.prices([cost])
            if self._every:
                self._check_numbers(cost, prices)
            keep(self._prices, cost, prices, MOST_LISTS)
        return prices

    def _check_numbers(self, cost: Cost, prices: Prices) -> None:
        """Raise `PluginError` for an extra cost with a payment that has no number."""
        listed = prices.all_payments()
        if listed is None or not self._number_of.keys() >= {*listed[0]}:
            raise PluginError(
                f"{type(self.economy).__name__} makes a tunnel cost {cost}, which is paid in other ways than extra costs without "
                "a color, by which actions are numbered: let all_payments of its prices give None for costs that are extra"
            )

    def _payments(self, state: State, seat: i64) -> Sequence[Counts]:
        """The payments that are possible now."""
        return self._due(state, seat).payments(state, seat, 0)

    def number_of_codes(self, rules: Rules) -> int | None:
        return len(self._every) or None

    def count(self, state: State, seat: i64) -> i64:
        return self._due(state, seat).ways(state, seat, 0)

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        return self._number_of[self._payments(state, seat)[index]] if self._every else index

    def action_of(self, state: State, seat: i64, code: i64) -> PayTunnel:
        return PayTunnel(seat, (self._every or self._payments(state, seat))[code])

    def code_of(self, state: State, seat: i64, action: PayTunnel) -> i64:
        return self._number_of[action.payment] if self._every else self._payments(state, seat).index(action.payment)

    def offers(self, state: State, decision: TunnelDue) -> Sequence[PayTunnel]:
        return [PayTunnel(decision.seat, payment) for payment in self._payments(state, decision.seat)]

    def refusal(self, state: State, decision: TunnelDue, action: PayTunnel) -> Refusal | None:
        economy = self.economy
        return economy.refusal_under(economy.tunnel_rule, state, action.seat, decision.extra, action.payment)

    def perform(self, tx: Transaction, decision: TunnelDue, action: PayTunnel) -> None:
        seat, route = decision.seat, decision.route
        self._due(tx.state, seat).checked_way_of(tx.state, seat, 0, action.payment)
        self.economy.spend_laid(tx, seat, action.payment)
        bought = self._bought.get(decision.sold_by)
        if bought is None:  # a claim ends the turn itself (`ends_itself`)
            claim_and_end_turn(tx, seat, tx.rules.network.route_number[route])
        else:
            handle_answer(tx, decision, False, bought(tx, seat, route))


def _varies(cost: Cost) -> bool:
    """True for a tunnel whose extra cost is paid in other ways than that of a printed one."""
    return cost.tunnel and (cost.kind not in KINDS or cost.any_cards or bool(cost.colors))


def _changes_tunnels(economy: Economy) -> bool:
    """True if prices of printed costs say too little about extra costs.

    That is so if a layer may change these, depending on their color, too, or if a class overrides `enter_tunnel` but not
    `prices`.
    """
    if isinstance(economy, EconomyLayer) and overrides(economy, EconomyLayer, "cost"):
        return True
    kind = next(kind for kind in type(economy).__mro__ if "enter_tunnel" in vars(kind))
    return "prices" not in vars(kind)


class AbandonTunnelRule(SingleActionRule[TunnelDue, AbandonTunnel]):
    """Take back the payment and claim nothing (T4). Always legal, so that it gives nothing away (R10)."""

    on = TunnelDue
    action = AbandonTunnel
    ends_itself = True

    def refusal(self, state: State, decision: TunnelDue, action: AbandonTunnel) -> Refusal | None:
        return None

    def count(self, state: State, seat: i64) -> i64:
        return 1

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        state = tx.state  # random games do it often, and need no decision for it
        abandon_tunnel(tx, seat, state.field(seat, ROUTE), state.field(seat, LAID))
        end_turn(tx, seat)
