"""An economy without cards: everything is paid for in coins.

A turn may be spent on earning (a roll says how much) as long as the bank holds coins. Spaces of a double route and
of ferries cost more, stations twice as much, a tunnel an extra toll by a roll. Who begins a turn without a coin finds one;
who ends a turn rich is asked what to give away. Coins that were spent or given away never come back, so that
every game ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ttr_rules import Action, Board, Counts, Decision, Event, Refusal, State, Turn
from ttr_rules.actions import finish_turn
from ttr_rules.model import Cost
from ttr_rules.plugins import ActionRule, Below, Economy, Part, Rules, Transaction, Variant, hookimpl, public

COIN = "coin"
START = 3
BANK_EACH = 55
RICH = 12
WAGES = (2, 3, 4, 5)
TOLLS = ("free", "one", "two")


class Purses(Part):
    """The coins of each seat, what the bank still holds, and the coins laid down for a tunnel; all of it public."""

    coins: list[int] = public()
    bank: int = public(default=0)
    laid: int = public(default=0)


class Earn(Action):
    """Take a wage from the bank instead of doing anything else."""


class Donation(Decision):
    """How many coins a rich seat gives away at the end of its turn."""


class Donate(Action):
    """Give away so many coins."""

    coins: int


class CoinsTaken(Event):
    """A seat took coins from the bank."""

    seat: int
    coins: int

    def apply(self, state: State) -> None:
        purses = state.part(Purses)
        purses.bank -= self.coins
        purses.coins[self.seat] += self.coins


class CoinsGone(Event):
    """Coins of a seat left the game."""

    seat: int
    coins: int

    def apply(self, state: State) -> None:
        state.part(Purses).coins[self.seat] -= self.coins


class CoinsLaid(Event):
    """A seat laid coins down for a tunnel."""

    seat: int
    coins: int

    def apply(self, state: State) -> None:
        purses = state.part(Purses)
        purses.coins[self.seat] -= self.coins
        purses.laid = self.coins


class CoinsCleared(Event):
    """The coins on the table are gone, or back with their seat."""

    seat: int
    back: bool

    def apply(self, state: State) -> None:
        purses = state.part(Purses)
        if self.back:
            purses.coins[self.seat] += purses.laid
        purses.laid = 0


def price(cost: Cost) -> int:
    """What a cost comes to in coins."""
    if cost.kind == "station":
        return 2 * cost.spaces
    return cost.spaces + cost.wilds + (cost.kind == "double")


class EarnRule(ActionRule[Turn, Earn]):
    def offers(self, state: State, decision: Turn) -> Sequence[Earn]:
        return (Earn(decision.seat),) if state.part(Purses).bank else ()

    def refusal(self, state: State, decision: Turn, action: Earn) -> Refusal | None:
        return None if state.part(Purses).bank > 0 else Refusal("coins-bank", "the bank is empty")

    def perform(self, tx: Transaction, decision: Turn, action: Earn) -> None:
        take(tx, action.seat, tx.roll(WAGES))


class DonateRule(ActionRule[Donation, Donate]):
    def offers(self, state: State, decision: Donation) -> Sequence[Donate]:
        return [Donate(decision.seat, coins) for coins in range(4)]

    def refusal(self, state: State, decision: Donation, action: Donate) -> Refusal | None:
        if type(action.coins) is int and 0 <= action.coins <= 3:
            return None
        return Refusal("coins-gift", f"0 to 3 coins can be given away, not {action.coins!r}")

    def perform(self, tx: Transaction, decision: Donation, action: Donate) -> None:
        if action.coins:
            tx.emit(CoinsGone, action.seat, action.coins)
        finish_turn(tx, action.seat)


def take(tx: Transaction, seat: int, coins: int) -> None:
    tx.emit(CoinsTaken, seat, min(coins, tx.state.part(Purses).bank))


class Coins(Economy):
    """Coins: one way to pay for anything, or none."""

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        asked = price(cost)
        if state.part(Purses).coins[seat] >= asked:
            yield Counts({COIN: asked})

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        if set(payment) - {COIN}:
            return Refusal("coins-only", f"only coins are money, not {payment}")
        if payment[COIN] != price(cost):
            return Refusal("coins-price", f"this costs {price(cost)} coins, not {payment[COIN]}")
        if payment[COIN] > state.part(Purses).coins[seat]:
            return Refusal("coins-purse", f"seat {seat} has {state.part(Purses).coins[seat]} coins only")
        return None

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(CoinsGone, seat, payment[COIN])

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(CoinsLaid, seat, payment[COIN])

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        self.lay(tx, seat, cost, payment)
        face = tx.roll(TOLLS)
        toll = TOLLS.index(face)
        return (face,), Cost("toll", toll, tunnel=True) if toll else None

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        tx.emit(CoinsCleared, seat, False)
        if extra:
            tx.emit(CoinsGone, seat, extra[COIN])

    def take_back_laid(self, tx: Transaction, seat: int, laid: Counts) -> None:
        tx.emit(CoinsCleared, seat, True)

    def deal(self, tx: Transaction) -> None:
        for seat in range(tx.state.players):
            take(tx, seat, START)

    def open_turn(self, tx: Transaction, seat: int) -> None:
        purses = tx.state.part(Purses)
        if purses.bank and not purses.coins[seat]:
            take(tx, seat, 1)

    def close_turn(self, tx: Transaction, seat: int, passed: bool) -> bool:
        if passed or tx.state.part(Purses).coins[seat] < RICH:
            return False
        tx.ask(Donation(seat))
        return True

    def exhausted(self, state: State) -> bool:
        return not state.part(Purses).bank

    def part(self, rules: Rules, players: int) -> Part:
        return Purses(coins=[0] * players, bank=BANK_EACH * players)

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (EarnRule(), DonateRule())


class CoinsPlugin(Variant, name="coins"):
    """Coins: everything is paid for in coins."""

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return Coins()
