"""Payments with cards as numbers: listed in tables, or found for each hand if there are too many."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod
from typing import Final

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.kernel.prices import Prices, Row
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.sequences import keep
from ttr_rules.train_cards.bills import Bill, CardEconomy
from ttr_rules.train_cards.effects import spend_cards
from ttr_rules.train_cards.multisets import Pool
from ttr_rules.train_cards.piles import CardPiles, Cards
from ttr_rules.train_cards.readings import PackedHand
from ttr_rules.train_cards.stand_ins import Combination
from ttr_rules.train_cards.tunnels import TunnelCost, Tunnels
from ttr_rules.train_cards.upkeep import RowUpkeep

#: The most shapes of hands, numbers of cards of a group, and sets of powers that are cached.
SHAPES_KEPT = 1000
NUMBERS_KEPT = 2000
POWERS_KEPT = 100
#: The most kinds in a group, kinds of cards that pay together; the payments of larger groups are found for each hand.
MOST_KINDS = 6

NO_ROWS: Final[list[Row]] = []


def groups_of(bills: Sequence[Bill]) -> tuple[list[list[int]], set[int]]:
    """Groups of kinds such that each payment takes cards of one group and wild ones, and the costs that do not fit.

    In Europe each color is a group. If blue ships and blue double ships pay for blue sea routes together, they are one group.
    """
    groups: list[set[int]] = []
    grouped: set[frozenset[int]] = set()  # the sets of kinds that are within one of the groups
    failed: set[int] = set()
    listed = [cost for cost, bill in enumerate(bills) if bill.all_payments is not None]
    for cost in sorted(listed, key=lambda cost: max(map(len, bills[cost].together), default=0)):
        merged = groups
        for kinds in bills[cost].together - grouped:
            apart = [group for group in merged if group.isdisjoint(kinds)]
            merged = [*apart, set(kinds).union(*[group for group in merged if group not in apart])]
        if max(map(len, merged), default=0) > MOST_KINDS:
            failed.add(cost)
        else:
            groups = merged
            grouped |= bills[cost].together
    return sorted([sorted(group) for group in groups if group]), failed


class ListedCosts:
    """The payments with cards of one group of kinds and wild cards, for costs whose payments are listed.

    The rows depend only on how many of these cards are held. In Europe each color is a group: the rows of three red cards
    and one locomotive have the numbers 0 (three red cards) and 1 (two, and the locomotive) for a red route of three spaces,
    and so on for all costs that red cards can pay.
    """

    def __init__(
        self, bills: list[Bill], costs: list[int], group: list[int], wilds: list[int], deck: list[int]
    ) -> None:
        self._bills = bills
        self._costs = costs
        self._group = group
        self._wilds = [kind for kind in wilds if kind not in group]
        self._deck = deck
        #: Each cost with its payments and their numbers, in this order, listed when they are first needed.
        self._payments: list[tuple[int, list[tuple[int, Cards]]]] = []
        #: The rows by one number for the cards of the group and the wild ones.
        self._rows: dict[int, list[Row]] = {}

    def rows(self, hand: list[int]) -> list[Row]:
        """The rows of a hand, cached. Do not modify them."""
        number: i64 = 0
        kind: i64
        for kind in self._group:
            number = number * (self._deck[kind] + 1) + hand[kind]
        if number == 0:
            return NO_ROWS
        for kind in self._wilds:
            number = number * (self._deck[kind] + 1) + hand[kind]
        rows = self._rows.get(number)
        return keep(self._rows, number, self.make_rows(hand), NUMBERS_KEPT) if rows is None else rows

    def make_rows(self, hand: list[int]) -> list[Row]:
        """The rows of a hand, not cached."""
        if not self._payments:
            bills, group = self._bills, self._group
            paid = [[pair for kind in group for pair in bills[cost].by_kind.get(kind, ())] for cost in self._costs]
            self._payments = [(cost, sorted(ways)) for cost, ways in zip(self._costs, paid, strict=True) if ways]
        rows: list[Row] = []
        for cost, ways in self._payments:
            numbers = [way for way, cards in ways if all(count <= hand[kind] for kind, count in cards)]
            if numbers:
                rows.append(Row(cost, len(numbers), numbers))
        return rows


class CountedCosts:
    """Costs with too many payments for tables: those out of a hand are counted.

    Those with stand-ins are counted once for all hands of one shape: three red and one blue card pay for a gray ferry in as
    many ways as one red and three blue ones. In the same way, costs with the same combinations, such as ferries that differ
    only in their color, are counted together: how many cards of the color are held is all that matters.
    """

    def __init__(self, bills: list[Bill], costs: list[int], economy: CardEconomy) -> None:
        number: dict[str, int] = economy.number
        self._bills = bills
        self._costs = costs
        self._names: tuple[str, ...] = economy.kinds
        self._colors: list[int] = [number[color] for color in economy.colors]
        self._wild: int = economy.wild
        self._wilds: tuple[str, ...] = economy.wilds
        #: The different lists of combinations, and for each cost the number of its list; -1 if it has none.
        self._combinations: list[list[Combination]] = []
        self._list_of: list[int] = [-1] * len(bills)
        #: For each cost, the kind that it asks for; -1 for any.
        self._color_of: list[int] = [-1] * len(bills)
        for cost in costs:
            stand_ins = bills[cost].stand_ins
            if stand_ins is not None and stand_ins.pooled == economy.colors and not bills[cost].barred:
                if stand_ins.combinations not in self._combinations:
                    self._combinations.append(stand_ins.combinations)
                self._list_of[cost] = self._combinations.index(stand_ins.combinations)
                if stand_ins.color is not None:
                    self._color_of[cost] = number[stand_ins.color]
        #: By shape, the numbers of cards of all colors in order: a pool, and the numbers of payments by `_count`'s arguments.
        self._shapes: dict[tuple[int, ...], tuple[Pool, dict[tuple[int, int, int], int]]] = {}

    def rows(self, hand: list[int]) -> list[Row]:
        """The rows of a hand."""
        rows: list[Row] = []
        colors = tuple(sorted([hand[kind] for kind in self._colors]))
        shape = self._shapes.get(colors)
        if shape is None:
            shape = keep(self._shapes, colors, (Pool(colors), dict[tuple[int, int, int], int]()), SHAPES_KEPT)
        pool, counted = shape
        wilds: i64 = hand[self._wild]
        packed: PackedHand | None = None
        for cost in self._costs:
            which = self._list_of[cost]
            ways: i64
            if which >= 0:
                color = self._color_of[cost]
                held = hand[color] if color >= 0 else -1
                key = (which, held, int(wilds))
                cached = counted.get(key)
                if cached is None:
                    cached = counted[key] = _count(pool, self._combinations[which], held, wilds)
                ways = cached
            else:
                packed = packed or PackedHand(dict(zip(self._names, hand, strict=True)), self._wilds)
                ways = self._bills[cost].number_of_payments(packed)
            if ways:
                rows.append(Row(cost, ways, None))
        return rows


def _count(pool: Pool, combinations: list[Combination], held: i64, wilds: i64) -> i64:
    """The number of payments with `held` cards of the color that is needed (-1 for any color) and `wilds` wild cards."""
    total: i64 = 0
    for some in combinations:
        if some.wilds <= wilds:
            total += pool.count_with(some.cards, held, some.needed)
    return total


class HandCache:
    """A hand, with the rows that are in no table and the counted payments. A state caches it until the hand changes."""

    def __init__(self, hand: list[int], rows: list[list[Row]]) -> None:
        self.hand = hand
        self.rows = rows
        self.payments: dict[int, Sequence[Counts]] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class CardPrices(Prices):
    """Prices that are paid with train cards, as an economy reads costs with some powers: rows of a hand are in tables.

    Listed payments are created once, and their index in the list is their number. The number of one that is only counted is
    its index among the payments out of the hand, so it is valid until the hand changes.

    On most maps a payment takes cards of one kind and locomotives. Then the payments with cards of a kind depend only on how
    many of it and how many locomotives are held, and there is a table: in Europe, a hand of three red cards and one
    locomotive has the rows of `_tables[1][red][3]`, and those of `_tables[1][locomotive][1]` for one locomotive by itself.
    In Märklin, where wild cards are of two kinds, the first index stands for the numbers of both.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"red": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> prices = CardPrices(game.rules.economy, [Cost("single", 3, color="red"), Cost("single", 1)])
    >>> for cost, way in prices.listed(game.state, 0, [1, 1]):
    ...     print(f"cost {cost}: {prices.payment(game.state, 0, cost, way)}")
    cost 0: 3 red
    cost 0: 2 red, 1 locomotive
    cost 1: 1 red
    cost 1: 1 locomotive

    Where several kinds pay together, as ships and double ships of a color, there are no tables; nor are there for costs whose
    payments are counted, as in the United Kingdom. The rows that are in no table are found when a hand is first seen, and
    cached until it changes.
    """

    _wild: i64

    def __init__(self, economy: CardEconomy, costs: Sequence[Cost], powers: Hashable = None) -> None:
        super().__init__(economy, costs)
        self._upkeep: RowUpkeep = economy.upkeep
        self._tunnels: Tunnels = economy.tunnels
        self._tunnel_costs: list[TunnelCost] = [TunnelCost(cost, economy.number, economy.wild) for cost in costs]
        #: True if payments, and payments laid down, need not call the economy.
        self._plain_pay: bool = economy.inherits("pay")
        self._plain_tunnels: bool = economy.inherits("lay", "enter_tunnel")
        #: For each cost, one thing for sale at that cost.
        self._single: list[list[int]] = [[int(n == cost) for n in range(len(costs))] for cost in range(len(costs))]
        deck: list[int] = list(economy.cards.values())
        wilds: list[int] = [economy.number[kind] for kind in economy.wilds]
        self._wilds = wilds
        self._more_wilds: list[tuple[int, int]] = [(kind, deck[kind] + 1) for kind in wilds[1:]]
        self.bills: list[Bill] = [economy.bill(cost, powers) for cost in costs]
        #: True for what tunnels cost extra, if plugins' readings pay it in other ways for each color.
        self._unnumbered: bool = bool(economy.more_readings) and any(cost.extra for cost in costs)
        self._names: tuple[str, ...] = economy.kinds
        self._wild = economy.wild
        groups, failed = groups_of(self.bills)
        #: The costs whose payments are counted; and by cost, all payments in a table in the order of their numbers.
        self.counted: list[int] = [n for n, bill in enumerate(self.bills) if n in failed or bill.all_payments is None]
        self.in_tables: list[list[Counts]] = [
            [] if n in failed else bill.all_payments or [] for n, bill in enumerate(self.bills)
        ]
        self.in_numbers: list[list[Cards]] = [bill.in_numbers for bill in self.bills]  # found sooner than by bill
        tables = prod([deck[kind] + 1 for kind in wilds])
        #: True if listed payments are in tables; and if there are rows in no table. In Europe only the first is true.
        self._tabled = tables <= NUMBERS_KEPT and all(len(group) == 1 for group in groups)
        self._untabled = not self._tabled or bool(self.counted)
        listed = [cost for cost, payments in enumerate(self.in_tables) if payments]
        by_kind = [wilds if kind in wilds else [kind] for kind in range(len(deck))]
        self._groups: list[ListedCosts] = [
            ListedCosts(self.bills, listed, group, wilds, deck)
            for group in (by_kind if self._tabled else [*groups, wilds])
        ]
        #: By the number of wild cards, the kind, and the number of its cards.
        self._tables: list[list[list[list[Row] | None]]] = [
            [[None] * (count + 1) for count in deck] for _ in range(tables if self._tabled else 0)
        ]
        self._counted_costs = CountedCosts(self.bills, self.counted, economy)

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        return None if self.counted or self._unnumbered else self.in_tables

    # -- ways to pay as numbers ------------------------------------------------------------------------------

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        if cost in self.counted:
            return self._list_counted(state, seat, cost)
        listed = self.in_tables[cost]
        return [listed[way] for row in self.rows(state, seat, []) if row.cost == cost for way in row.numbers or ()]

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        return self.count(state, seat, self._single[cost])

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        return index if cost in self.counted else self.bills[cost].number_of[self.payments(state, seat, cost)[index]]

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        return self._list_counted(state, seat, cost)[way] if cost in self.counted else self.in_tables[cost][way]

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        if cost in self.counted:
            return self._list_counted(state, seat, cost).index(payment)
        return self.bills[cost].number_of[payment]

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        if cost in self.counted or not self._plain_pay:
            super().pay(tx, seat, cost, way)
        else:
            cards = self.in_numbers[cost][way]
            spend_cards(tx, seat, self.in_tables[cost][way], cards)
            if cards:
                self._upkeep.settle(tx)

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        if not self._plain_tunnels or cost in self.counted:
            return super().enter_tunnel(tx, seat, cost, way)
        payment, cards = self.in_tables[cost][way], self.in_numbers[cost][way]
        return self._tunnels.enter(tx, seat, self._tunnel_costs[cost], payment, cards)

    # -- for mechanics ---------------------------------------------------------------------------------------

    def count(self, state: State, seat: i64, stock: list[int]) -> i64:
        piles: CardPiles = state.kept[0]
        hand: list[int] = piles.hand[seat]
        pairs: i64 = 0
        if self._untabled:
            for rows_here in self._find_cache(state, seat, hand).rows:
                for row in rows_here:
                    pairs += row.ways * stock[row.cost]
        if self._tabled:
            tables = self._select_tables(hand) if self._more_wilds else self._tables[hand[self._wild]]
            kind: i64 = 0
            for cards in hand:
                if cards:
                    rows = tables[kind][cards]
                    if rows is None:
                        rows = self._fill(kind, hand)
                    for row in rows:  # most time is spent here, and most costs have nothing for sale
                        things: i64 = stock[row.cost]
                        if things:
                            pairs += row.ways * things
                kind += 1
        return pairs

    def nth(self, state: State, seat: i64, stock: list[int], index: i64) -> tuple[i64, i64, i64]:
        if self._untabled:
            return super().nth(state, seat, stock, index)
        piles: CardPiles = state.kept[0]
        hand: list[int] = piles.hand[seat]
        tables = self._select_tables(hand)
        kind: i64 = 0
        for cards in hand:  # in the order of `rows`, but for every claim of a playout no list is made
            if cards:
                rows = tables[kind][cards]
                if rows is None:
                    rows = self._fill(kind, hand)
                for row in rows:
                    if stock[row.cost]:
                        pairs: i64 = row.ways * stock[row.cost]
                        if index < pairs:
                            return self._pair(row, state, seat, stock, index)
                        index -= pairs
            kind += 1
        raise IndexError("no such payment")

    def rows(self, state: State, seat: i64, stock: list[int]) -> list[Row]:
        piles: CardPiles = state.kept[0]
        hand: list[int] = piles.hand[seat]
        rows: list[Row] = []
        if self._untabled:
            for some in self._find_cache(state, seat, hand).rows:
                rows += some
        if self._tabled:
            tables = self._select_tables(hand)
            kind: i64 = 0
            for cards in hand:
                if cards:
                    known = tables[kind][cards]
                    rows += self._fill(kind, hand) if known is None else known
                kind += 1
        return rows

    # -- rows ------------------------------------------------------------------------------------------------

    def _select_tables(self, hand: list[int]) -> list[list[list[Row] | None]]:
        """The tables for the wild cards of a hand."""
        number: i64 = hand[self._wild]
        for kind, counts in self._more_wilds:
            number = number * counts + hand[kind]
        return self._tables[number]

    def _fill(self, kind: i64, hand: list[int]) -> list[Row]:
        """Make the rows that a table has for a hand.

        Those of wild cards by themselves stand at the first wild kind held.
        """
        held = hand.copy()  # another thread may change the hand
        before = self._wilds[: self._wilds.index(kind)] if kind in self._wilds else []
        rows = NO_ROWS if any(held[wild] for wild in before) else self._groups[kind].make_rows(held)
        self._select_tables(held)[kind][held[kind]] = rows
        return rows

    def _find_cache(self, state: State, seat: i64, hand: list[int]) -> HandCache:
        """The cache for a hand, which is needed several times for each action."""
        cached = state.cached(self, seat)
        cache: HandCache | None = cached.value
        if cache is None or cache.hand != hand:
            held = hand.copy()  # another thread may change the hand
            rows = [self._counted_costs.rows(held)] if self.counted else []
            rows += [] if self._tabled else [group.rows(held) for group in self._groups]
            cached.value = cache = HandCache(held, rows)
        return cache

    def _list_counted(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        """The payments for a counted cost."""
        piles: CardPiles = state.kept[0]
        cache = self._find_cache(state, seat, piles.hand[seat])
        payments = cache.payments.get(cost)
        if payments is None:
            held = dict(zip(self._names, cache.hand, strict=True))
            payments = cache.payments[cost] = self.bills[cost].payments(held)
        return payments


@mypyc_attr(allow_interpreted_subclasses=True)
class PowerPrices(Prices):
    """Prices that are paid with train cards where the readings of costs depend on the powers of seats."""

    def __init__(self, economy: CardEconomy, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._card_economy = economy
        self._by_powers: dict[Hashable, CardPrices] = {}

    def _now(self, state: State, seat: i64) -> CardPrices:
        """The prices for the powers of a seat."""
        powers: Hashable = self._card_economy.all_powers(state, seat)
        prices = self._by_powers.get(powers)
        if prices is None:
            prices = keep(self._by_powers, powers, CardPrices(self._card_economy, self.costs, powers), POWERS_KEPT)
        return prices

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        return self._now(state, seat).payments(state, seat, cost)

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        return self._now(state, seat).ways(state, seat, cost)

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        return self._now(state, seat).way(state, seat, cost, index)

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        return self._now(state, seat).payment(state, seat, cost, way)

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        return self._now(state, seat).way_of(state, seat, cost, payment)

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        self._now(tx.state, seat).pay(tx, seat, cost, way)

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        return self._now(tx.state, seat).enter_tunnel(tx, seat, cost, way)

    def rows(self, state: State, seat: i64, stock: list[int]) -> list[Row]:
        return self._now(state, seat).rows(state, seat, stock)

    def count(self, state: State, seat: i64, stock: list[int]) -> i64:
        return self._now(state, seat).count(state, seat, stock)
