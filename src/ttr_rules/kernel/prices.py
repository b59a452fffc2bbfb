"""Prices: the payments for the costs of one mechanic, as numbers. Payments are created only when they are read or made.

`Economy.prices` makes them, for a list of costs. `Prices` asks the economy about each cost. `CardPrices` (in
`train_cards.prices`) looks up in tables which costs a hand can pay. `PursePrices` caches the payments of each purse, the only
value on which they depend. `LayerPrices` are those of an `EconomyLayer`: they find the costs that are left to pay below, and
ask the prices of the economy below.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.errors import PluginError
from ttr_rules.kernel.events import PiecesSpent
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.sequences import keep
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.economy import Economy, EconomyLayer

P = TypeVar("P", bound=Hashable)
#: The most combinations of pieces, or purses, whose payments are cached.
MOST_KEPT: Final = 1000
#: The most lists of changed costs whose prices are cached.
MOST_LISTS: Final = 200


class Row:
    """A row of a table of prices: a cost that can be paid now, the number of ways to pay it and, if these have numbers, their list.

    Rows are shared. Do not modify them.
    """

    __slots__ = ("cost", "numbers", "ways")
    cost: i64
    ways: i64

    def __init__(self, cost: i64, ways: i64, numbers: list[int] | None) -> None:
        self.cost = cost
        self.ways = ways
        self.numbers = numbers

    def __reduce__(self) -> tuple[object, ...]:
        return Row, (self.cost, self.ways, self.numbers)


def changes_in(costs: Sequence[Cost], printed: Sequence[Cost]) -> tuple[object, ...]:
    """The costs that are not the printed ones, each after its index: a key for all of them that can be hashed quickly."""
    changes: list[object] = []
    for number, cost in enumerate(costs):
        if cost is not printed[number]:
            changes.append(number)
            changes.append(cost)
    return tuple(changes)


@mypyc_attr(allow_interpreted_subclasses=True)
class Prices:
    """Possible payments for each of a list of costs.

    A cost is an index into `costs`. A *way* to pay it is the number of a payment. Payments may have fixed numbers, from 0 for
    each cost: `sizes` says how many there are. Otherwise the numbers need not follow each other, and hold only until what the
    seat has changes.

    A mechanic calls `count` and `nth` with `stock`, the number of things for sale at each cost.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.model import Cost
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> prices = Prices(game.rules.economy, [Cost("single", 3, color="white"), Cost("single", 1)])
    >>> prices.ways(game.state, 0, 0), prices.count(game.state, 0, [5, 2])
    (2, 14)
    """

    def __init__(self, economy: Economy, costs: Sequence[Cost]) -> None:
        self.economy = economy
        self.costs = tuple(costs)
        self.tunnels: list[bool] = [cost.tunnel for cost in costs]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.costs)} costs>"

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        """All possible payments for each cost, in the order of their numbers, or None without fixed numbers."""
        return None

    def sizes(self) -> list[int] | None:
        """The number of possible payments for each cost, or None without fixed numbers."""
        listed = self.all_payments()
        return None if listed is None else [len(payments) for payments in listed]

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        """The payments for a cost that are possible now."""
        payments = self.economy.payments(state, seat, self.costs[cost])
        return payments if isinstance(payments, Sequence) else tuple(payments)

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
        """The number that `payment` turns into this payment. Raises `ValueError` or `KeyError` for any other payment.

        What a seat pays is known by this number alone from here on.
        """
        return self.payments(state, seat, cost).index(payment)

    def checked_way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        """The number of a payment that was not refused. Raises `PluginError` if it was not counted."""
        try:
            return self.way_of(state, seat, cost, payment)
        except (KeyError, ValueError) as error:
            raise PluginError(
                f"seat {seat} may pay {payment}, but that is not among the payments that are counted, for {self.costs[cost]}: a "
                "claim_key may leave out something that costs depend on, or the methods payments and refusal of "
                f"{type(self.economy).__name__} may differ"
            ) from error

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        """Take a payment."""
        self.economy.pay(tx, seat, self.costs[cost], self.payment(tx.state, seat, cost, way))

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        """Lay down a payment and resolve the tunnel. Returns the cards or faces that came up, and any extra cost."""
        return self.economy.enter_tunnel(tx, seat, self.costs[cost], self.payment(tx.state, seat, cost, way))

    # -- for mechanics ---------------------------------------------------------------------------------------

    def rows(self, state: State, seat: i64, stock: list[int]) -> list[Row]:
        """The costs that can be paid now. Costs of which `stock` is 0 may be left out."""
        rows: list[Row] = []
        cost: i64 = 0
        for here in stock:
            ways = self.ways(state, seat, cost) if here else 0
            if ways:
                rows.append(Row(cost, ways, None))
            cost += 1
        return rows

    def count(self, state: State, seat: i64, stock: list[int]) -> i64:
        """The number of pairs of a thing and a way to pay for it."""
        total: i64 = 0
        for row in self.rows(state, seat, stock):
            total += row.ways * stock[row.cost]
        return total

    def nth(self, state: State, seat: i64, stock: list[int], index: i64) -> tuple[i64, i64, i64]:
        """One of the pairs that `count` counts: the cost, the way to pay it, and the index among the things with this cost."""
        for row in self.rows(state, seat, stock):
            if stock[row.cost]:
                pairs: i64 = row.ways * stock[row.cost]
                if index < pairs:
                    return self._pair(row, state, seat, stock, index)
                index -= pairs
        raise IndexError("no such payment")

    def _pair(self, row: Row, state: State, seat: i64, stock: list[int], index: i64) -> tuple[i64, i64, i64]:
        """One of the pairs of a row, as in `nth`."""
        things: i64 = stock[row.cost]
        return row.cost, self.way_in(row, state, seat, index // things), index % things

    def listed(self, state: State, seat: i64, stock: list[int]) -> list[tuple[int, int]]:
        """Each cost of a thing in `stock` with each way to pay it, in the order of `nth`."""
        rows = [row for row in self.rows(state, seat, stock) if stock[row.cost]]
        return [
            (int(row.cost), int(self.way_in(row, state, seat, index))) for row in rows for index in range(int(row.ways))
        ]

    def way_in(self, row: Row, state: State, seat: i64, index: i64) -> i64:
        """The number of one of the ways of a row."""
        numbers = row.numbers
        return self.way(state, seat, row.cost, index) if numbers is None else numbers[index]


class Split(NamedTuple):
    """A cost split into the `pieces` that a layer takes and a cost that is left to pay below.

    Costs are numbers. `below` is -1 if nothing is left. This is the split with a `number` among all `splits` of the
    cost.
    """

    cost: int
    number: int
    splits: int
    below: int
    pieces: Counts

    def way(self, way_below: int) -> int:
        """The way to pay that combines this split with a way to pay below."""
        return way_below * self.splits + self.number


class PayableSplits:
    """The splits that a seat can pay, by the cost below. `paid_in_full` are those with nothing to pay below.

    With costs of one space (number 0) and two (number 1), a coin that pays one space, and a seat that has a coin, cost 0 is left
    as it is or paid in full, and cost 1 is left as it is or becomes cost 0. So there are as many things at cost 0 below as at
    costs 0 and 1 together:

    >>> import ttr_rules as ttr
    >>> coin = Counts(coin=1)
    >>> splits = [Split(0, 0, 2, 0, Counts()), Split(0, 1, 2, -1, coin), Split(1, 0, 2, 1, Counts()), Split(1, 1, 2, 0, coin)]
    >>> below = ttr.compile_rules("europe").economy.prices([Cost("single", 1), Cost("single", 2)])
    >>> payable = PayableSplits(splits, below)
    >>> payable.changed, payable.added, payable.stock_below([5, 3])
    ([], [(1, 0)], [8, 3])
    """

    __slots__ = ("added", "below", "changed", "paid_in_full", "prices")

    def __init__(self, splits: list[Split], prices: Prices) -> None:
        self.prices = prices
        self.below: list[list[Split]] = [[] for _ in prices.costs]
        self.paid_in_full: list[Split] = []
        for split in splits:
            (self.paid_in_full if split.below < 0 else self.below[split.below]).append(split)
        #: For `stock_below`: the costs that no split leaves as they are, and all other splits, as a cost and the cost below.
        self.changed: list[int] = []
        self.added: list[tuple[int, int]] = []
        for below, here in enumerate(self.below):
            costs = [split.cost for split in here]
            if below in costs:
                costs.remove(below)
            else:
                self.changed.append(below)
            self.added += [(cost, below) for cost in costs]

    def __reduce__(self) -> tuple[object, ...]:
        return PayableSplits, ([*self.paid_in_full, *chain.from_iterable(self.below)], self.prices)

    def stock_below(self, stock: list[int]) -> list[int]:
        """The number of things at each cost below, from the numbers at each cost of the layer."""
        costs = len(self.below)
        counts = stock[:costs] + [0] * (costs - len(stock))
        for cost in self.changed:
            counts[cost] = 0
        for cost, below in self.added:
            counts[below] += stock[cost]
        return counts


def add_pieces(payment: Counts, pieces: Counts) -> Counts:
    """A payment together with the pieces of a layer."""
    return Counts({**payment, **pieces}) if pieces else payment


def spend_pieces(tx: Transaction, layer: EconomyLayer, seat: int, pieces: Counts) -> None:
    """Let a layer take the pieces, if any, from a seat that pays or lays them."""
    if pieces:
        tx.emit(PiecesSpent, seat, pieces)
        taken = layer.without_reusable(pieces)
        if taken:
            layer.spend(tx, seat, taken)


def held_pieces(layer: EconomyLayer, state: State, seat: int) -> Mapping[str, int]:
    """The pieces that a seat may pay with now. Raises `PluginError` for anything but numbers of the layer's pieces."""
    held = layer.held(state, seat)
    get: Callable[..., object] | None = getattr(held, "get", None)  # untyped: checked below
    for kind in layer.pieces:
        if get is None or not isinstance(get(kind, 0), int):
            raise PluginError(
                f"{type(layer).__name__}.held must give how many of each of its pieces a seat has, not {brief(held)}"
            )
    return held


class Splits:
    """The costs of a layer with all their splits, and the prices of the costs left to pay below."""

    __slots__ = ("by_cost", "payable", "prices")

    def __init__(self, layer: EconomyLayer, costs: tuple[Cost, ...]) -> None:
        alternatives = [layer.checked_alternatives(cost) for cost in costs]
        left = [rest for some in alternatives for rest, _ in some if rest is not None]
        numbers = {cost: number for number, cost in enumerate(dict.fromkeys([*costs, *left]))}
        self.prices: Prices = layer.below.prices(list(numbers))
        self.by_cost: list[list[Split]] = [
            [
                Split(cost, number, len(some), -1 if rest is None else numbers[rest], pieces)
                for number, (rest, pieces) in enumerate(some)
            ]
            for cost, some in enumerate(alternatives)
        ]
        #: The splits that can be paid, by the pieces held.
        self.payable: dict[tuple[int, ...], PayableSplits] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class LayerPrices(Prices):
    """Prices of a layer that changes costs or takes pieces: one call of the prices below serves all its costs.

    A way to pay combines a split with a way to pay below.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import EconomyLayer
    >>> class Coins(EconomyLayer):
    ...     pieces = ("coin",)
    ...     def held(self, state, seat):
    ...         return {"coin": 5}
    ...     def alternatives(self, cost):
    ...         return [(cost, Counts()), (None, Counts(coin=cost.spaces))]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"white": 3}}, {}]})
    >>> prices = Coins(game.rules.economy).prices([Cost("single", 2), Cost("single", 6)])
    >>> [prices.payment(game.state, 0, cost, way) for cost, way in prices.listed(game.state, 0, [1, 1])]
    [Counts(coin=2), Counts(white=2)]
    """

    def __init__(
        self, layer: EconomyLayer, costs: Sequence[Cost], constant: tuple[Cost, ...] | None, *, paying: bool
    ) -> None:
        super().__init__(layer, costs)
        self.layer = layer
        #: True if the layer may change costs: `constant` has what becomes of them, or None if that depends on the position.
        self.changing = constant != tuple(costs)
        #: True if the layer takes payments in its own way.
        self.paying = paying
        self._known: dict[tuple[object, ...], Splits] = {}
        #: The splits of all costs, if they are always the same.
        self._constant: Splits | None = None if constant is None else Splits(layer, constant)

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        """The payments of the prices below, if the layer changes neither costs nor payments."""
        same = [[Split(number, 0, 1, number, Counts())] for number in range(len(self.costs))]
        constant = None if self.changing else self._constant
        return None if constant is None or constant.by_cost != same else constant.prices.all_payments()

    # -- splits ----------------------------------------------------------------------------------------------

    def _splits(self, state: State, seat: i64) -> Splits:
        """The splits of all costs now. Each list has prices of its own, so that their order does not depend on earlier games."""
        if self._constant is not None:
            return self._constant
        cached, version = state.cached(self, seat), state.version
        holds = cached.version == version
        splits: Splits | None = cached.value
        if splits is not None and holds:
            return splits
        costs = [self.layer.changed(state, seat, printed) for printed in self.costs]
        key = changes_in(costs, self.costs)
        splits = self._known.get(key)
        if splits is None:
            splits = keep(self._known, key, Splits(self.layer, tuple(costs)), MOST_LISTS)
        cached.put(splits, version)
        return splits

    def _select_splits(self, state: State, seat: i64, number: i64) -> tuple[Prices, list[Split]]:
        """The prices below, and all splits of one cost, payable or not: a way to pay is numbered among all of them.

        So it keeps its meaning when the pieces held change, as they do while it is paid.
        """
        splits = self._splits(state, seat)
        return splits.prices, splits.by_cost[number]

    def _select_payable(self, state: State, seat: i64, number: i64) -> tuple[Prices, list[Split]]:
        """The prices below, and the splits of one cost that a seat can pay now."""
        below, splits = self._select_splits(state, seat, number)
        if len(splits) == 1 and not splits[0].pieces:
            return below, splits
        held = held_pieces(self.layer, state, seat)
        return below, [split for split in splits if split.pieces.within(held)]

    def _payable(self, state: State, seat: i64) -> PayableSplits:
        """The splits of all costs that a seat can pay now."""
        held = held_pieces(self.layer, state, seat)
        splits = self._splits(state, seat)
        key = tuple([held.get(kind, 0) for kind in self.layer.pieces])
        payable = splits.payable.get(key)
        if payable is None:
            held_splits = [split for some in splits.by_cost for split in some if split.pieces.within(held)]
            payable = keep(splits.payable, key, PayableSplits(held_splits, splits.prices), MOST_KEPT)
        return payable

    # -- one cost --------------------------------------------------------------------------------------------

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        below, splits = self._select_payable(state, seat, cost)
        total: i64 = 0
        for split in splits:
            total += 1 if split.below < 0 else below.ways(state, seat, split.below)
        return total

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        below, splits = self._select_payable(state, seat, cost)
        for split in splits:
            ways: i64 = 1 if split.below < 0 else below.ways(state, seat, split.below)
            if index < ways:
                return split.way(0 if split.below < 0 else below.way(state, seat, split.below, index))
            index -= ways
        raise IndexError("no such payment")

    def _split(self, state: State, seat: i64, cost: i64, way: i64) -> tuple[Prices, Split, i64]:
        """The prices below, and the split and the way below that a way to pay stands for."""
        below, splits = self._select_splits(state, seat, cost)
        return below, splits[way % len(splits)], way // len(splits)

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        below, split, way = self._split(state, seat, cost, way)
        if split.below < 0:
            return split.pieces
        return add_pieces(below.payment(state, seat, split.below, way), split.pieces)

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        pieces, rest = self.layer.split(payment)
        below, splits = self._select_splits(state, seat, cost)
        for split in splits:
            if split.pieces == pieces and (split.below >= 0 or not rest):
                return split.way(0 if split.below < 0 else below.way_of(state, seat, split.below, rest))
        raise ValueError(f"{payment!r} is not one of these payments")

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        below, split, way_below = self._split(tx.state, seat, cost, way)
        if self.paying or split.below < 0:
            super().pay(tx, seat, cost, way)
            return
        below.pay(tx, seat, split.below, way_below)  # first, as costs below may depend on the pieces
        spend_pieces(tx, self.layer, seat, split.pieces)

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        below, split, way_below = self._split(tx.state, seat, cost, way)
        if self.paying or split.below < 0:
            return super().enter_tunnel(tx, seat, cost, way)
        entered = below.enter_tunnel(tx, seat, split.below, way_below)
        spend_pieces(tx, self.layer, seat, split.pieces)
        return entered

    # -- for mechanics ---------------------------------------------------------------------------------------

    def rows(self, state: State, seat: i64, stock: list[int]) -> list[Row]:
        payable = self._payable(state, seat)
        ways = [0] * len(stock)
        for split in payable.paid_in_full:
            ways[split.cost] += 1
        for row in payable.prices.rows(state, seat, payable.stock_below(stock)):
            for split in payable.below[row.cost]:
                ways[split.cost] += row.ways
        return [Row(cost, ways[cost], None) for cost, here in enumerate(stock) if here and ways[cost]]

    def count(self, state: State, seat: i64, stock: list[int]) -> i64:
        payable = self._payable(state, seat)
        total = payable.prices.count(state, seat, payable.stock_below(stock))
        for split in payable.paid_in_full:
            total += stock[split.cost]
        return total

    def nth(self, state: State, seat: i64, stock: list[int], index: i64) -> tuple[i64, i64, i64]:
        payable = self._payable(state, seat)
        for split in payable.paid_in_full:
            here: i64 = stock[split.cost]
            if index < here:
                return split.cost, split.way(0), index
            index -= here
        below, way, which = payable.prices.nth(state, seat, payable.stock_below(stock), index)
        for split in payable.below[below]:
            here = stock[split.cost]
            if which < here:
                return split.cost, split.way(way), which
            which -= here
        raise IndexError("no such payment")

    def listed(self, state: State, seat: i64, stock: list[int]) -> list[tuple[int, int]]:
        payable = self._payable(state, seat)
        listed = [(split.cost, split.way(0)) for split in payable.paid_in_full if stock[split.cost]]
        for below, way in payable.prices.listed(state, seat, payable.stock_below(stock)):
            listed += [(split.cost, split.way(way)) for split in payable.below[below] if stock[split.cost]]
        return listed


class Purse(NamedTuple):
    """The payments of one purse for each cost, and the rows of those costs that have any."""

    payments: list[Sequence[Counts]]
    rows: list[Row]


@mypyc_attr(allow_interpreted_subclasses=True)
class PursePrices(Prices):
    """Prices that depend only on a purse, a hashable value for the things that a seat holds.

    `purse(state, seat)` returns it, and `pays(purse, cost)` the payments out of it, which are cached. With `every(cost)`,
    all possible payments for a cost, the ways to pay have fixed numbers.

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
        economy: Economy,
        costs: Sequence[Cost],
        purse: Callable[[State, int], P],
        pays: Callable[[P, Cost], Sequence[Counts]],
        every: Callable[[Cost], Sequence[Counts]] | None = None,
    ) -> None:
        super().__init__(economy, costs)
        self._purse: Callable[[State, int], Hashable] = purse
        self._pays: Callable[..., Sequence[Counts]] = pays
        self._every: list[Sequence[Counts]] | None = None if every is None else [every(cost) for cost in costs]
        self._number_of: list[dict[Counts, int]] = [
            {payment: number for number, payment in enumerate(payments)} for payments in self._every or ()
        ]
        self._known: dict[object, Purse] = {}

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        return self._every

    def _find_purse(self, state: State, seat: i64) -> Purse:
        value = self._purse(state, seat)
        cached = state.cached(self, seat)
        last: tuple[object, Purse] | None = cached.value
        if last is not None and value == last[0]:  # each action asks several times
            return last[1]
        purse = self._known.get(value)
        if purse is None:
            payments = [self._pays(value, cost) for cost in self.costs]
            rows: list[Row] = []
            for cost, listed in enumerate(payments):
                numbers = None if self._every is None else [self._number_of[cost][payment] for payment in listed]
                if listed:
                    rows.append(Row(cost, len(listed), numbers))
            purse = keep(self._known, value, Purse(payments, rows), MOST_KEPT)
        cached.value = value, purse
        return purse

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        return self._find_purse(state, seat).payments[cost]

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        return index if self._every is None else self._number_of[cost][self.payments(state, seat, cost)[index]]

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        return self._find_purse(state, seat).payments[cost][way] if self._every is None else self._every[cost][way]

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        if self._every is None:
            return self._find_purse(state, seat).payments[cost].index(payment)
        return self._number_of[cost][payment]

    def rows(self, state: State, seat: i64, stock: list[int]) -> list[Row]:
        return self._find_purse(state, seat).rows


__all__ = ["LayerPrices", "Prices", "PursePrices", "Row"]
