"""Rules that sell things: routes, and whatever plugins add."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.kernel.action_rule import NumberedRule
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, Decision

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Action)


@mypyc_attr(allow_interpreted_subclasses=True)
class PaidRule(NumberedRule[D, A]):
    """An action of this rule buys a thing and pays for it. Things are numbers; `costs[thing]` is the number of its cost.

    A subclass says what is for sale (`times`, `sold`), how an action is made and read (`made`, `thing_of`), and what
    happens (`buy`). A code is a thing and a way to pay for it.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["north-america"], "seed": 1, "players": players})
    >>> claims = game.rules.answers[ttr.Turn].by_action[ttr.ClaimRoute]
    >>> isinstance(claims, PaidRule), claims.action_of(game.state, 0, claims.nth(game.state, 0, 0)).payment
    (True, Counts(white=2))
    """

    def __init__(self, prices: Prices, costs: list[int]) -> None:
        self.prices = prices
        self.costs = costs
        self.changing = False  # whether prices depend on the position: then `prices_for` gives them
        self.dense = False  # whether codes are numbered once and for all: known with the rules of the stack
        self.first: list[int] = []
        self.things: list[int] = []
        sizes = prices.sizes()
        for thing, cost in enumerate(costs if sizes else ()):
            self.first.append(len(self.things))
            self.things += [thing] * (sizes or [])[cost]

    # -- what a subclass gives -------------------------------------------------------------------------------

    @abstractmethod
    def times(self, state: State, seat: i64) -> list[int]:
        """How many things are for sale at each cost."""
        raise NotImplementedError

    @abstractmethod
    def sold(self, state: State, seat: i64, cost: i64) -> list[int]:
        """The things that are for sale at a cost."""
        raise NotImplementedError

    @abstractmethod
    def made(self, state: State, seat: i64, thing: i64, payment: Counts) -> A:
        """The action that buys a thing."""
        raise NotImplementedError

    @abstractmethod
    def thing_of(self, state: State, action: Any) -> i64:
        """The thing that an action buys."""
        raise NotImplementedError

    @abstractmethod
    def buy(self, tx: Transaction, seat: i64, thing: i64, cost: i64, way: i64) -> None:
        """Buy a thing: `prices_for(...).pay(tx, seat, cost, way)`, then whatever follows."""
        raise NotImplementedError

    def thing(self, state: State, seat: i64, cost: i64, which: i64) -> i64:
        """One of the things for sale at a cost."""
        return self.sold(state, seat, cost)[which]

    def prices_for(self, state: State, seat: i64) -> Prices:
        """The prices for a seat at this moment."""
        return self.prices

    def fixed(self, rules: Any) -> bool:
        """Whether all codes are numbered once and for all."""
        return bool(self.first)

    # -- what follows ----------------------------------------------------------------------------------------

    def number_of_codes(self, rules: Any) -> int | None:
        self.dense = self.fixed(rules)
        return len(self.things) if self.dense else None

    def count(self, state: State, seat: i64) -> i64:
        prices = self.prices_for(state, seat) if self.changing else self.prices
        return prices.count(state, seat, self.times(state, seat))

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        prices = self.prices_for(state, seat) if self.changing else self.prices
        cost, way, which = prices.nth(state, seat, self.times(state, seat), index)
        return self._code(state, self.thing(state, seat, cost, which), way)

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        found: list[int] = []
        for cost, way in self.prices_for(state, seat).listed(state, seat, self.times(state, seat)):
            found += [self._code(state, thing, way) for thing in self.sold(state, seat, cost)]
        return found

    def _code(self, state: State, thing: i64, way: i64) -> i64:
        if self.dense:
            return self.first[thing] + way
        return thing + len(self.costs) * way

    def decoded(self, state: State, code: i64) -> tuple[i64, i64]:
        """The thing and the way to pay."""
        if self.dense:
            thing: i64 = self.things[code]
            return thing, code - self.first[thing]
        things: i64 = len(self.costs)
        return code % things, code // things

    def action_of(self, state: State, seat: i64, code: i64) -> A:
        thing, way = self.decoded(state, code)
        return self.made(state, seat, thing, self.prices_for(state, seat).payment(state, seat, self.costs[thing], way))

    def code_of(self, state: State, seat: i64, action: A) -> i64:
        given: Any = action
        thing = self.thing_of(state, action)
        prices = self.prices_for(state, seat)
        return self._code(state, thing, prices.way_of(state, seat, self.costs[thing], given.payment))

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        thing, way = self.decoded(tx.state, code)
        self.buy(tx, seat, thing, self.costs[thing], way)

    def purchases(self, state: State, seat: i64) -> Iterable[tuple[A, Sequence[Counts]]]:
        """Everything that can be paid for, with all payments for it."""
        prices = self.prices_for(state, seat)
        found: list[tuple[int, Sequence[Counts]]] = []
        for cost, here in enumerate(self.times(state, seat)):
            payments = prices.payments(state, seat, cost) if here else ()
            if payments:
                found += [(thing, payments) for thing in self.sold(state, seat, cost)]
        return [(self.made(state, seat, thing, payments[0]), payments) for thing, payments in sorted(found, key=_first)]


def _first(pair: tuple[int, Any]) -> int:
    return pair[0]
