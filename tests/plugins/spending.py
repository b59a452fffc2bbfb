"""Layers that spend coins, over one whose costs depend on them."""

from __future__ import annotations

from attrs import evolve

from ttr_rules import Counts, Event, State
from ttr_rules.model import Cost
from ttr_rules.plugins import EconomyLayer, Part, Transaction, public


class Shorter(EconomyLayer):
    """A coin pays for one space, and never runs out; a route of one space still costs one card, with the coin or without."""

    pieces: tuple[str, ...] = ("coin",)
    reusable: tuple[str, ...] = ("coin",)

    def held(self, state: State, seat: int) -> dict[str, int]:
        return {"coin": 2}

    def alternatives(self, cost: Cost) -> list[tuple[Cost | None, Counts]]:
        return [(cost, Counts()), (evolve(cost, spaces=cost.spaces - 1), Counts(coin=1))]


class Bank(Part):
    coins: list[int] = public(each=3)


class CoinsLeft(Event):
    seat: int
    coins: int

    def apply(self, state: State) -> None:
        state.part(Bank).coins[self.seat] = self.coins


class RichPayMore(EconomyLayer):
    """Who has three coins pays one more space."""

    def cost(self, state: State, seat: int, cost: Cost) -> Cost:
        rich = state.part(Bank).coins[seat] == 3 and not cost.extra
        return evolve(cost, spaces=cost.spaces + 1) if rich else cost


class CoinForSpace(Shorter):
    reusable: tuple[str, ...] = ()

    def held(self, state: State, seat: int) -> dict[str, int]:
        return {"coin": state.part(Bank).coins[seat]}

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(CoinsLeft, seat, tx.state.part(Bank).coins[seat] - pieces["coin"])

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(CoinsLeft, seat, tx.state.part(Bank).coins[seat] + pieces["coin"])


class PaysItself(CoinForSpace):
    """Takes payments with a method of its own, so that they are not paid by numbers."""

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        super().pay(tx, seat, cost, payment)
