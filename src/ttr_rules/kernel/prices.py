"""Prices: what the costs of one mechanic can be paid with. Costs and ways to pay are numbers; payments are made at the edge."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import ClassVar, Protocol, TypeVar

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts

P = TypeVar("P", bound=Hashable)


class Payer(Protocol):
    """The economy that takes payments: see `Economy`."""

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Lay down a payment and resolve the tunnel."""
        ...

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        """Leave it again."""
        ...

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        """Every distinct payment for `cost` that `seat` could make now, in a stable order."""
        ...

    def pay(self, tx: Transaction, seat: int, payment: Counts, cost: Cost) -> None:
        """Take a payment for a cost. It has already been checked."""
        ...


class Row:
    """One cost that can be paid: the numbers of the ways to pay it; None where they have none."""

    __slots__ = ("cost", "numbers", "ways")
    cost: i64
    ways: i64

    def __init__(self, cost: i64, ways: i64, numbers: list[int] | None) -> None:
        self.cost = cost
        self.ways = ways
        self.numbers = numbers

    def __reduce__(self) -> tuple[object, ...]:
        return Row, (self.cost, self.ways, self.numbers)


@mypyc_attr(allow_interpreted_subclasses=True)
class Prices:
    """Possible payments for each of a list of costs.

    A cost is an index into `costs`. A way to pay it is a number too: `sizes` says how many there can ever be of each
    cost, None if they cannot be numbered once and for all; then a way is an index among those that are possible now.

    A mechanic asks `count` and `nth` with `times`: how many things it offers at each cost. This default asks the
    economy about each cost in turn.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.model import Cost
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> prices = Prices(game.rules.economy, [Cost("single", 3, color="white"), Cost("single", 1)])
    >>> prices.ways(game.state, 0, 0), prices.count(game.state, 0, [5, 2])
    (2, 14)
    """

    #: True in a class that overrides `pay`, `enter_tunnel` or `leave_tunnel` and leaves it to the `payer` where that is not
    #: its own economy. Over any other such class a layer that takes payments has prices of its own.
    heeds_payer: ClassVar[bool] = False

    def __init__(self, economy: Payer, costs: Sequence[Cost]) -> None:
        self.economy = economy
        #: The economy that takes payments: `economy`, or the highest layer over it that takes them in its own way.
        self.payer = economy
        self.costs = tuple(costs)
        self.tunnels: list[bool] = [cost.tunnel for cost in costs]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.costs)} costs>"

    def every(self) -> Sequence[Sequence[Counts]] | None:
        """All payments that each cost can ever have, by their numbers; None if they have no fixed numbers."""
        return None

    def sizes(self) -> list[int] | None:
        """The number of ways in which each cost can ever be paid; None if they have no fixed numbers."""
        every = self.every()
        return None if every is None else [len(ways) for ways in every]

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        """The payments for a cost that are possible now."""
        found = self.economy.payments(state, seat, self.costs[cost])
        return found if isinstance(found, Sequence) else tuple(found)

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        """The number of payments that are possible now."""
        return len(self.payments(state, seat, cost))

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        """The number of one of the payments that are possible now."""
        return index

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        """The payment that a way to pay stands for."""
        return self.payments(state, seat, cost)[way]

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        """The number of a payment."""
        return self.payments(state, seat, cost).index(payment)

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        """Take a payment."""
        self.payer.pay(tx, seat, self.payment(tx.state, seat, cost, way), self.costs[cost])

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        """Lay down a payment and let chance speak: what was turned up, and what it costs more."""
        return self.payer.enter_tunnel(tx, seat, self.costs[cost], self.payment(tx.state, seat, cost, way))

    def leave_tunnel(self, tx: Transaction, seat: i64, extra: Counts | None) -> None:
        """Spend what was laid down, together with `extra`, or take it back for None."""
        self.payer.leave_tunnel(tx, seat, extra)

    # -- for mechanics ---------------------------------------------------------------------------------------

    def rows(self, state: State, seat: i64, times: list[int]) -> list[Row]:
        """The costs that can be paid now, in the order of `nth`: at least those that something has."""
        rows: list[Row] = []
        cost: i64 = 0
        for here in times:
            ways = self.ways(state, seat, cost) if here else 0
            if ways:
                rows.append(Row(cost, ways, None))
            cost += 1
        return rows

    def count(self, state: State, seat: i64, times: list[int]) -> i64:
        """The number of pairs of a thing and a way to pay for it."""
        total: i64 = 0
        for row in self.rows(state, seat, times):
            total += row.ways * times[row.cost]
        return total

    def nth(self, state: State, seat: i64, times: list[int], index: i64) -> tuple[i64, i64, i64]:
        """One of these pairs: the cost, the way to pay it, and which of the things with this cost."""
        for row in self.rows(state, seat, times):
            here: i64 = times[row.cost]
            if index < row.ways * here:
                return row.cost, self.way_in(row, state, seat, index // here), index % here
            index -= row.ways * here
        raise IndexError("no such payment")

    def listed(self, state: State, seat: i64, times: list[int]) -> list[tuple[int, int]]:
        """Each cost that something has with each way to pay it, in the order of `nth`."""
        rows = [row for row in self.rows(state, seat, times) if times[row.cost]]
        return [
            (int(row.cost), int(self.way_in(row, state, seat, index))) for row in rows for index in range(int(row.ways))
        ]

    def way_in(self, row: Row, state: State, seat: i64, index: i64) -> i64:
        """The number of one of the ways of a row."""
        numbers = row.numbers
        return self.way(state, seat, row.cost, index) if numbers is None else numbers[index]


class Purse:
    """The payments out of one purse for each cost, and their numbers."""

    __slots__ = ("payments", "rows", "ways")

    def __init__(self, payments: list[Sequence[Counts]], ways: list[list[int]]) -> None:
        self.payments = payments
        self.ways = ways
        self.rows = [Row(cost, len(numbers), numbers) for cost, numbers in enumerate(ways) if numbers]

    def __reduce__(self) -> tuple[object, ...]:
        return Purse, (self.payments, self.ways)


@mypyc_attr(allow_interpreted_subclasses=True)
class PursePrices(Prices):
    """Prices that depend on a purse only: on what a seat holds, as any value that can be a key.

    `purse(state, seat)` gives it, `pays(purse, cost)` the payments out of it; with `every(cost)`, all that a cost can
    ever have, the ways to pay have fixed numbers. What a purse can pay is kept for the next time.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.model import Cost
    >>> game = ttr.new_game("north-america", players=2, seed=1)
    >>> def purse(state, seat):
    ...     return state.cars[seat]
    >>> def pays(cars, cost):
    ...     return [Counts(car=cost.spaces)] if cars >= cost.spaces else []
    >>> prices = PursePrices(game.rules.economy, [Cost("depot", 40), Cost("depot", 50)], purse, pays)
    >>> prices.count(game.state, 0, [3, 3])
    3
    """

    def __init__(
        self,
        economy: Payer,
        costs: Sequence[Cost],
        purse: Callable[[State, int], P],
        pays: Callable[[P, Cost], Sequence[Counts]],
        every: Callable[[Cost], Sequence[Counts]] | None = None,
        keep: int = 1_000,
    ) -> None:
        super().__init__(economy, costs)
        self._purse: Callable[[State, int], Hashable] = purse
        self._pays: Callable[..., Sequence[Counts]] = pays
        self._keep = keep
        self._every: list[Sequence[Counts]] | None = None if every is None else [every(cost) for cost in costs]
        self._numbers: list[dict[Counts, int]] = [
            {payment: number for number, payment in enumerate(ways)} for ways in self._every or ()
        ]
        self._known: dict[object, Purse] = {}

    def every(self) -> Sequence[Sequence[Counts]] | None:
        return self._every

    def _in(self, state: State, seat: i64) -> Purse:
        value = self._purse(state, seat)
        memo: tuple[object, Purse] | None = state.memo.get(self)
        if memo is not None and value == memo[0]:  # a purse is looked into several times for each action
            return memo[1]
        purse = self._known.get(value)
        if purse is None:
            if len(self._known) >= self._keep:
                self._known.clear()
            payments = [self._pays(value, cost) for cost in self.costs]
            if self._every is None:
                ways = [list(range(len(each))) for each in payments]
            else:
                ways = [[numbers[way] for way in each] for numbers, each in zip(self._numbers, payments, strict=True)]
            purse = self._known[value] = Purse(payments, ways)
        state.memo[self] = value, purse
        return purse

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        return self._in(state, seat).payments[cost]

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        return len(self._in(state, seat).ways[cost])

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        return self._in(state, seat).ways[cost][index]

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        return self._in(state, seat).payments[cost][way] if self._every is None else self._every[cost][way]

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        if self._every is None:
            return self._in(state, seat).payments[cost].index(payment)
        return self._numbers[cost][payment]

    def rows(self, state: State, seat: i64, times: list[int]) -> list[Row]:
        return self._in(state, seat).rows


__all__ = ["Prices", "PursePrices", "Row"]
