"""Short pay: a route may be claimed with one card too few; that costs two points."""

from collections.abc import Iterable

from attrs import evolve

from ttr_rules import Board, Counts, Refusal, State
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    Below,
    Economy,
    EconomyLayer,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    points_in_play,
)


def short(cost: Cost) -> Cost:
    return evolve(cost, spaces=cost.spaces - 1) if cost.kind in ("single", "double") and cost.spaces > 1 else cost


class ShortPayments(EconomyLayer):
    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        less = short(cost)
        more = super().payments(state, seat, less) if less != cost else ()
        return (*super().payments(state, seat, cost), *more)

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        return super().refusal(state, seat, cost, payment) and super().refusal(state, seat, short(cost), payment)

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        if super().refusal(tx.state, seat, cost, payment):
            tx.score(seat, -2, "short_pay")
        super().pay(tx, seat, cost, payment)


class ShortPay(Variant, name="short-pay"):
    """Short pay: one card too few for a route costs two points."""

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return ShortPayments(below())

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("short_pay", "Short pay"),)
