"""Prices: the payments for the costs of one mechanic, as numbers. Payments are created only when they are read or made.

`Economy.prices` makes them, for a list of costs. `Prices` asks the economy about each cost. `CardPrices` (in
`train_cards.prices`) looks up in tables what a hand can pay for; `PursePrices` caches the payments of each purse: the value on which alone they depend. `LayerPrices`
are those of an `EconomyLayer`: they find the costs that are left to pay below, and ask the prices of the economy below.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.errors import PluginError
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.sequences import keep
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.economy import Economy, EconomyLayer

P = TypeVar("P", bound=Hashable)
#: The most combinations of pieces for which a layer caches what a seat with them can pay.
MOST_KEPT: Final = 1000
#: The most lists of changed costs whose prices are cached.
MOST_LISTS: Final = 200


class Row:
    """A cost that can be paid now, with the number of ways to pay it and, if these have numbers, their list."""

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
    """The costs that are not the printed ones, each after its index: a key for all of them that is hashed quickly."""
    changes: list[object] = []
    for number, cost in enumerate(costs):
        if cost is not printed[number]:
            changes.append(number)
            changes.append(cost)
    return tuple(changes)


@mypyc_attr(allow_interpreted_subclasses=True)
class Prices:
    """Possible payments for each of a list of costs.

    A cost is an index into `costs`, and a way to pay it is a number, too. If the ways have fixed numbers, `sizes` is how
    many there are of each cost; otherwise a way is an index among those that are possible now.

    A mechanic calls `count` and `nth` with `times`, the number of things for sale at each cost.

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

    def every(self) -> Sequence[Sequence[Counts]] | None:
        """All possible payments for each cost, in the order of their numbers; None without fixed numbers."""
        return None

    def sizes(self) -> list[int] | None:
        """The number of possible payments for each cost; None without fixed numbers."""
        every = self.every()
        return None if every is None else [len(ways) for ways in every]

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
        """The number of a payment."""
        return self.payments(state, seat, cost).index(payment)

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        """Take a payment."""
        self.economy.pay(tx, seat, self.payment(tx.state, seat, cost, way), self.costs[cost])

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        """Lay down a payment and resolve the tunnel: what was turned up, and the extra cost or None."""
        return self.economy.enter_tunnel(tx, seat, self.costs[cost], self.payment(tx.state, seat, cost, way))

    def leave_tunnel(self, tx: Transaction, seat: i64, extra: Counts | None) -> None:
        """Spend what was laid down, together with `extra`, or take it back for None."""
        self.economy.leave_tunnel(tx, seat, extra)

    # -- for mechanics ---------------------------------------------------------------------------------------

    def rows(self, state: State, seat: i64, times: list[int]) -> list[Row]:
        """The costs that can be paid now, in the order of `nth`. Costs of which `times` is 0 may be left out."""
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
        """One of these pairs: the cost, the way to pay it, and the index among the things with this cost."""
        for row in self.rows(state, seat, times):
            things: i64 = times[row.cost]
            if index < row.ways * things:
                return row.cost, self.way_in(row, state, seat, index // things), index % things
            index -= row.ways * things
        raise IndexError("no such payment")

    def listed(self, state: State, seat: i64, times: list[int]) -> list[tuple[int, int]]:
        """Each cost of something with each way to pay it, in the order of `nth`."""
        rows = [row for row in self.rows(state, seat, times) if times[row.cost]]
        return [
            (int(row.cost), int(self.way_in(row, state, seat, index))) for row in rows for index in range(int(row.ways))
        ]

    def way_in(self, row: Row, state: State, seat: i64, index: i64) -> i64:
        """The number of one of the ways of a row."""
        numbers = row.numbers
        return self.way(state, seat, row.cost, index) if numbers is None else numbers[index]


class Share(NamedTuple):
    """One of the `ways` to pay a cost with pieces of a layer: the cost then left below as a number, or -1, and the pieces."""

    cost: int
    way: int
    ways: int
    below: int
    pieces: Counts

    def code(self, way: int) -> int:
        """The share and a way to pay below, as one number."""
        return way * self.ways + self.way

    def is_held(self, held: Mapping[str, int]) -> bool:
        """True if the pieces are among those held."""
        return self.pieces.within(held)


class Shares:
    """The shares that a seat can pay, by the cost below; `alone` are those with nothing to pay below."""

    __slots__ = ("alone", "below", "costs", "gone", "moved", "prices")

    def __init__(self, shares: list[Share], costs: int, prices: Prices) -> None:
        self.costs = costs
        self.prices = prices
        self.below: list[list[Share]] = [[] for _ in prices.costs]
        self.alone: list[Share] = []
        for share in shares:
            (self.alone if share.below < 0 else self.below[share.below]).append(share)
        #: One share of each cost may keep its number below; `moved` are all others, `gone` the costs without such a share.
        kept: set[int] = set()
        self.moved: list[tuple[int, int]] = []
        for share in chain.from_iterable(self.below):
            if share.cost == share.below and share.cost not in kept:
                kept.add(share.cost)
            else:
                self.moved.append((share.cost, share.below))
        self.gone = [cost for cost in range(min(costs, len(prices.costs))) if cost not in kept]

    def __reduce__(self) -> tuple[object, ...]:
        return Shares, ([*self.alone, *chain.from_iterable(self.below)], self.costs, self.prices)

    def times_below(self, times: list[int]) -> list[int]:
        """The number of things at each cost below, from the numbers at each cost of the layer."""
        costs = len(self.below)
        counts = times[:costs] + [0] * (costs - len(times))
        for cost in self.gone:
            counts[cost] = 0
        for cost, below in self.moved:
            counts[below] += times[cost]
        return counts


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


class Sharing:
    """The costs of a layer with all their shares, and the prices of what is left to pay below."""

    __slots__ = ("held", "prices", "shares")

    def __init__(self, layer: EconomyLayer, costs: tuple[Cost, ...]) -> None:
        ways = [layer.ways(cost) for cost in costs]
        left = [rest for some in ways for rest, _ in some if rest is not None]
        numbers = {cost: number for number, cost in enumerate(dict.fromkeys([*costs, *left]))}
        self.prices: Prices = layer.below.prices(list(numbers))
        self.shares: list[list[Share]] = [
            [
                Share(cost, way, len(some), -1 if rest is None else numbers[rest], pieces)
                for way, (rest, pieces) in enumerate(some)
            ]
            for cost, some in enumerate(ways)
        ]
        #: The shares that can be paid, by the pieces held.
        self.held: dict[tuple[int, ...], Shares] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class LayerPrices(Prices):
    """Prices of a layer that changes costs or takes pieces: one call of the prices below serves all its costs.

    A way to pay combines the way below with the number of the share.

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

    def __init__(self, layer: EconomyLayer, costs: Sequence[Cost], *, changing: bool, paying: bool) -> None:
        super().__init__(layer, costs)
        self.layer = layer
        #: True if the layer may change costs.
        self.changing = changing
        #: True if the layer takes payments in its own way.
        self.paying = paying
        self._known: dict[tuple[object, ...], Sharing] = {}
        fixed = layer.fixed_costs(self.costs)
        #: The sharing of all costs, if it is always the same.
        self._fixed: Sharing | None = None if fixed is None else Sharing(layer, fixed)

    def every(self) -> Sequence[Sequence[Counts]] | None:
        """The payments of the prices below, if the layer changes neither costs nor payments."""
        same = [[Share(number, 0, 1, number, Counts())] for number in range(len(self.costs))]
        fixed = None if self.changing else self._fixed
        return None if fixed is None or fixed.shares != same else fixed.prices.every()

    # -- shares ----------------------------------------------------------------------------------------------

    def _sharing(self, state: State, seat: i64) -> Sharing:
        """The sharing of all costs now. Each list has prices of its own, so that their order does not depend on earlier games."""
        if self._fixed is not None:
            return self._fixed
        found = state.found(self, seat)
        holds = found.changes == state.changes
        sharing: Sharing | None = found.thing
        if sharing is not None and holds:
            return sharing
        costs = [self.layer.changed(state, seat, printed) for printed in self.costs]
        key = changes_in(costs, self.costs)
        sharing = self._known.get(key)
        if sharing is None:
            sharing = keep(self._known, key, Sharing(self.layer, tuple(costs)), MOST_LISTS)
        found.keep(sharing, state.changes)
        return sharing

    def _shares_of(self, state: State, seat: i64, number: i64) -> tuple[Prices, list[Share]]:
        """The prices below, and all shares of one cost."""
        sharing = self._sharing(state, seat)
        return sharing.prices, sharing.shares[number]

    def _payable_of(self, state: State, seat: i64, number: i64) -> tuple[Prices, list[Share]]:
        """The prices below, and the shares of one cost that a seat can pay now."""
        below, shares = self._shares_of(state, seat, number)
        if len(shares) == 1 and not shares[0].pieces:
            return below, shares
        held = held_pieces(self.layer, state, seat)
        return below, [share for share in shares if share.is_held(held)]

    def _payable(self, state: State, seat: i64) -> Shares:
        """The shares of all costs that a seat can pay now."""
        held = held_pieces(self.layer, state, seat)
        sharing = self._sharing(state, seat)
        key = tuple([held.get(kind, 0) for kind in self.layer.pieces])
        shares = sharing.held.get(key)
        if shares is None:
            payable = [share for some in sharing.shares for share in some if share.is_held(held)]
            shares = keep(sharing.held, key, Shares(payable, len(self.costs), sharing.prices), MOST_KEPT)
        return shares

    def _times(self, state: State, seat: i64, shares: Shares, times: list[int]) -> list[int]:
        """The number of things at each cost below; cached until `times` changes."""
        found = state.found(shares, seat)
        last: tuple[list[int], list[int]] | None = found.thing
        if last is None or last[0] != times:
            found.thing = last = times.copy(), shares.times_below(times)
        return last[1]

    # -- one cost --------------------------------------------------------------------------------------------

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        below, shares = self._payable_of(state, seat, cost)
        return self.layer.join(
            [
                ([Counts()] if share.below < 0 else below.payments(state, seat, share.below), share.pieces)
                for share in shares
            ]
        )

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        below, shares = self._payable_of(state, seat, cost)
        total: i64 = 0
        for share in shares:
            total += 1 if share.below < 0 else below.ways(state, seat, share.below)
        return total

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        below, shares = self._payable_of(state, seat, cost)
        for share in shares:
            ways: i64 = 1 if share.below < 0 else below.ways(state, seat, share.below)
            if index < ways:
                return share.code(0 if share.below < 0 else below.way(state, seat, share.below, index))
            index -= ways
        raise IndexError("no such payment")

    def _share(self, state: State, seat: i64, cost: i64, code: i64) -> tuple[Prices, Share, i64]:
        """The prices below, and the share and the way below that a way to pay stands for."""
        below, shares = self._shares_of(state, seat, cost)
        return below, shares[code % len(shares)], code // len(shares)

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        below, share, way = self._share(state, seat, cost, way)
        if share.below < 0:
            return share.pieces
        payment = below.payment(state, seat, share.below, way)
        return Counts({**payment, **share.pieces}) if share.pieces else payment

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        pieces, rest = self.layer.split(payment)
        below, shares = self._shares_of(state, seat, cost)
        share = next(share for share in shares if share.pieces == pieces)
        return share.code(0 if share.below < 0 else below.way_of(state, seat, share.below, rest))

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        below, share, way_below = self._share(tx.state, seat, cost, way)
        if self.paying or share.below < 0:
            super().pay(tx, seat, cost, way)
            return
        below.pay(tx, seat, share.below, way_below)  # first, as costs below may depend on the pieces
        if share.pieces:
            self.layer.spend(tx, seat, share.pieces)

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        below, share, way_below = self._share(tx.state, seat, cost, way)
        if self.paying or share.below < 0:
            return super().enter_tunnel(tx, seat, cost, way)
        entered = below.enter_tunnel(tx, seat, share.below, way_below)
        if share.pieces:
            self.layer.spend(tx, seat, share.pieces)
        return entered

    # -- for mechanics ---------------------------------------------------------------------------------------

    def count(self, state: State, seat: i64, times: list[int]) -> i64:
        shares = self._payable(state, seat)
        total = shares.prices.count(state, seat, self._times(state, seat, shares, times))
        for share in shares.alone:
            total += times[share.cost]
        return total

    def nth(self, state: State, seat: i64, times: list[int], index: i64) -> tuple[i64, i64, i64]:
        shares = self._payable(state, seat)
        for share in shares.alone:
            here: i64 = times[share.cost]
            if index < here:
                return share.cost, share.code(0), index
            index -= here
        below, way, which = shares.prices.nth(state, seat, self._times(state, seat, shares, times), index)
        for share in shares.below[below]:
            here = times[share.cost]
            if which < here:
                return share.cost, share.code(way), which
            which -= here
        raise IndexError("no such payment")

    def listed(self, state: State, seat: i64, times: list[int]) -> list[tuple[int, int]]:
        shares = self._payable(state, seat)
        listed = [(share.cost, share.code(0)) for share in shares.alone if times[share.cost]]
        for below, way in shares.prices.listed(state, seat, self._times(state, seat, shares, times)):
            listed += [(share.cost, share.code(way)) for share in shares.below[below] if times[share.cost]]
        return listed


class Purse:
    """The payments of one purse for each cost, and their numbers."""

    __slots__ = ("payments", "rows", "ways")

    def __init__(self, payments: list[Sequence[Counts]], ways: list[list[int]]) -> None:
        self.payments = payments
        self.ways = ways
        self.rows = [Row(cost, len(numbers), numbers) for cost, numbers in enumerate(ways) if numbers]

    def __reduce__(self) -> tuple[object, ...]:
        return Purse, (self.payments, self.ways)


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
        keep: int = 1_000,
    ) -> None:
        super().__init__(economy, costs)
        self._purse: Callable[[State, int], Hashable] = purse
        self._pays: Callable[..., Sequence[Counts]] = pays
        self._most = keep
        self._every: list[Sequence[Counts]] | None = None if every is None else [every(cost) for cost in costs]
        self._numbers: list[dict[Counts, int]] = [
            {payment: number for number, payment in enumerate(ways)} for ways in self._every or ()
        ]
        self._known: dict[object, Purse] = {}

    def every(self) -> Sequence[Sequence[Counts]] | None:
        return self._every

    def _in(self, state: State, seat: i64) -> Purse:
        value = self._purse(state, seat)
        found = state.found(self, seat)
        last: tuple[object, Purse] | None = found.thing
        if last is not None and value == last[0]:  # each action asks several times
            return last[1]
        purse = self._known.get(value)
        if purse is None:
            payments = [self._pays(value, cost) for cost in self.costs]
            if self._every is None:
                ways = [list(range(len(listed))) for listed in payments]
            else:
                ways = [
                    [numbers[way] for way in listed] for numbers, listed in zip(self._numbers, payments, strict=True)
                ]
            purse = keep(self._known, value, Purse(payments, ways), self._most)
        found.thing = value, purse
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


__all__ = ["LayerPrices", "Prices", "PursePrices", "Row"]
