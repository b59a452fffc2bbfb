"""Payments with cards as numbers: listed in tables, or counted if they are too many."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
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
from ttr_rules.train_cards.multisets import Pool
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.upkeep import Cards, RowUpkeep

#: The bits for each kind of card in the number of a payment that is in no table.
PACKED = 5
MOST_PACKED = (1 << PACKED) - 1
#: The bits of the largest number.
MOST_BITS = 62
#: The most shapes of hands, numbers of groups of several kinds, and sets of powers that are cached.
SHAPES_KEPT = 1000
NUMBERS_KEPT = 500
POWERS_KEPT = 100
#: The most kinds in a group, kinds of cards that pay together; larger groups have no tables.
MOST_KINDS = 6


#: The result of a search past the last row.
NO_ROW: Final = Row(-1, 0, [])
#: More pairs of a thing and a way to pay for it than there can be.
TOO_MANY: Final = 1 << 60


def groups_of(bills: Sequence[Bill]) -> tuple[list[list[int]], set[int]]:
    """Groups of kinds such that each payment takes cards of one group and wild ones; and the costs for which this fails."""
    groups: list[set[int]] = []
    grouped: set[frozenset[int]] = set()  # what is within one of the groups
    failed: set[int] = set()
    listed = [cost for cost, bill in enumerate(bills) if bill.every is not None]
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


class SpecialHand:
    """The payments out of a hand for costs without tables. A state caches it until the hand changes."""

    def __init__(self, hand: list[int]) -> None:
        self.hand = hand
        self.rows: list[Row] | None = None
        self.payments: dict[int, Sequence[Counts]] = {}


class Tables:
    """The payments with cards for some costs, as an economy reads them with some powers.

    For each number of wild cards and each group of kinds that pay together there is a table. Its index is the cards of the
    group that are held, and an entry lists the costs that these can pay, as rows. Entries are computed when a hand first
    needs them. For a group of one kind the index is the number of cards; for a larger group, one number combines the cards
    of all its kinds.
    """

    _wild: i64
    _width: i64
    _simple: bool
    _small: bool
    _several: bool
    _plain: bool

    def __init__(self, economy: CardEconomy, costs: Sequence[Cost], powers: Hashable) -> None:
        number: dict[str, int] = economy.number
        self.bills: list[Bill] = [economy.bill(cost, powers) for cost in costs]
        self._names: tuple[str, ...] = economy.kinds
        self._wild = economy.wild
        wilds: list[int] = [number[kind] for kind in economy.wilds]
        groups, failed = groups_of(self.bills)
        #: By cost: all payments in a table, in the order of their numbers; and the numbers by payment.
        self.every: list[list[Counts]] = [[] if n in failed else bill.every or [] for n, bill in enumerate(self.bills)]
        self.numbers: list[dict[Counts, int]] = [bill.numbers for bill in self.bills]
        self.cards: list[list[Cards]] = [bill.in_numbers for bill in self.bills]
        #: The costs whose payments are counted.
        self.special: list[int] = [n for n, bill in enumerate(self.bills) if n in failed or bill.every is None]
        self._simple = all(len(group) == 1 for group in groups)
        #: The groups of kinds, and the payments of each with their costs and numbers, listed when they are first needed.
        self._groups = groups = [[kind] for kind in range(len(self._names))] if self._simple else [*groups, wilds]
        self._payments: list[list[tuple[int, int, Cards]] | None] = [None for _ in groups]
        self._several = len(wilds) > 1
        #: True if the index of each group is the number of its cards in the hand.
        self._plain = self._simple and not self._several
        deck: list[int] = [economy.cards[kind] for kind in self._names]
        #: The group of each kind, and the share of one card in the number of its group.
        self._group_of: list[int] = [0] * len(deck)
        self._share_of: list[int] = [0] * len(deck)
        for number_of_group, group in enumerate(groups):
            for kind, share in _shares(group, deck):
                self._group_of[kind] = number_of_group
                self._share_of[kind] = share
        self._wild_shares = _shares(wilds, deck)
        # Large numbers of groups are replaced by small ones, assigned when such cards are first seen.
        largest = max([prod([deck[kind] + 1 for kind in group]) for group in groups], default=0)
        self._small = self._simple or largest <= NUMBERS_KEPT
        self._seen: list[dict[int, int]] = [{0: 0} for _ in groups]
        self._unused: list[Iterator[int]] = [iter(range(1, 1_000_000_000)) for _ in groups]
        self._width = max(deck) + 1 + self._several if self._simple else min(largest, NUMBERS_KEPT)
        self._rows: list[list[list[list[Row] | None]]] = [
            [[None] * self._width for _ in groups] for _ in range(prod([deck[kind] + 1 for kind in wilds]))
        ]
        # Counted costs: the kind that each asks for, -1 for any, and the number of its pattern.
        self._shapes: dict[tuple[int, ...], Pool] = {}
        self._colors: list[int] = [number[color] for color in economy.colors]
        self._kinds: list[int] = [-1 if bill.color is None else number[bill.color] for bill in self.bills]
        patterns = [bill.counted for bill in self.bills]
        self._patterns: list[int] = [patterns.index(pattern) if pattern else -1 for pattern in patterns]

    # -- the rows of a hand ----------------------------------------------------------------------------------

    def find(self, state: State, seat: i64, times: list[int], index: i64) -> tuple[Row, i64]:
        """Find a pair of a thing and a way to pay for it by its index. Returns its row, and its index in the row.

        For an index past the last pair, returns `NO_ROW` and the number of pairs.
        """
        piles: CardPiles = state.kept[0]
        hand: list[int] = piles.hand[seat]
        passed: i64 = 0
        if self.special:
            for row in self._special_rows(state, seat, hand):
                things: i64 = times[row.cost]
                passed += row.ways * things
                if passed > index:
                    return row, index + row.ways * things - passed
        wild: i64 = hand[self._wild]
        if self._several:
            wild = _number(self._wild_shares, hand)
        held = hand if self._plain else self._held(hand)
        tables = self._rows[wild]
        group: i64 = 0
        for cards in held:
            here: i64 = cards
            if here:
                rows = tables[group][here]
                if rows is None:
                    rows = self._make_rows(group, hand)
                for row in rows:  # most time is spent here, and most costs have nothing for sale
                    things = times[row.cost]
                    if things:
                        passed += row.ways * things
                        if passed > index:
                            return row, index + row.ways * things - passed
            group += 1
        return NO_ROW, passed

    def rows(self, state: State, seat: i64) -> list[Row]:
        """All rows of a hand."""
        piles: CardPiles = state.kept[0]
        hand: list[int] = piles.hand[seat]
        rows_of_hand = self._special_rows(state, seat, hand).copy() if self.special else []
        tables = self._rows[_number(self._wild_shares, hand)]
        for group, cards in enumerate(self._held(hand)):
            if cards:
                rows = tables[group][cards]
                rows_of_hand += self._make_rows(group, hand) if rows is None else rows
        return rows_of_hand

    def _held(self, hand: list[int]) -> list[int]:
        """The index of each group in its tables, one small number for the cards held; 0 if they pay nothing by themselves."""
        if self._simple:
            held = hand.copy()
            if self._several:  # the group of the first wild kind has the payments with the others, too
                held[self._wild] += 1
            return held
        numbers: list[int] = [0] * len(self._seen)
        kind: i64 = 0
        for cards in hand:
            count: i64 = cards
            if count:
                group: i64 = self._group_of[kind]
                numbers[group] += count * self._share_of[kind]
            kind += 1
        return numbers if self._small else self._assign_numbers(numbers)

    def _assign_numbers(self, numbers: list[int]) -> list[int]:
        """The small numbers in place of large ones. When they run out, the largest stands for all further cards."""
        small_numbers: list[int] = []
        last: i64 = self._width - 1
        for number, seen, unused in zip(numbers, self._seen, self._unused, strict=True):
            small = seen.get(number)
            if small is None:  # each number is assigned once, also with several threads
                small = seen.setdefault(number, min(next(unused), last)) if len(seen) < last else last
            small_numbers.append(small)
        return small_numbers

    def _make_rows(self, group: i64, hand: list[int]) -> list[Row]:
        """The rows of the costs that the cards of a group can pay, with wild cards."""
        hand = hand.copy()  # another thread may change it
        rows: list[Row] = []
        payments = self._payments[group]
        if payments is None:
            payments = self._payments[group] = self._list_payments(self._groups[group])
        for cost, way, cards in payments:
            for kind, count in cards:
                if count > hand[kind]:
                    break
            else:
                if not rows or rows[-1].cost != cost:
                    rows.append(Row(cost, 0, []))
                row = rows[-1]
                row.ways += 1
                if row.numbers is not None:
                    row.numbers.append(way)
        index = self._held(hand)[group]
        if self._small or index < self._width - 1:
            self._rows[_number(self._wild_shares, hand)][group][index] = rows
        return rows

    def _list_payments(self, group: list[int]) -> list[tuple[int, int, Cards]]:
        """The payments of a group with their costs and numbers, in this order."""
        payments: list[tuple[int, int, Cards]] = []
        for cost, bill in enumerate(self.bills):
            if self.every[cost]:
                ways = [pair for kind in group for pair in bill.by_kind.get(kind, ())]
                payments += [(cost, way, cards) for way, cards in (ways if len(group) == 1 else sorted(ways))]
        return payments

    def _special_rows(self, state: State, seat: i64, hand: list[int]) -> list[Row]:
        """The rows of counted costs; do not modify."""
        special = self._special_hand(state, seat, hand)
        if special.rows is None:
            special.rows = self._count_rows(special.hand)
        return special.rows

    def _special_hand(self, state: State, seat: i64, hand: list[int]) -> SpecialHand:
        """The cached payments out of a hand, which are needed several times for each action."""
        found = state.found(self, seat)
        special: SpecialHand | None = found.thing
        if special is None or special.hand != hand:
            found.thing = special = SpecialHand(hand.copy())
        return special

    def _count_rows(self, held: list[int]) -> list[Row]:
        rows: list[Row] = []
        colors = tuple(sorted([held[kind] for kind in self._colors]))
        shape = self._shapes.get(colors)
        if shape is None:
            shape = keep(self._shapes, colors, Pool(colors), SHAPES_KEPT)
        wilds: i64 = held[self._wild]
        for cost in self.special:
            pattern: i64 = self._patterns[cost]
            ways: i64
            if pattern >= 0:
                kind: i64 = self._kinds[cost]
                of_color: i64 = -1
                if kind >= 0:
                    of_color = held[kind]
                key = (pattern << 16) + (of_color + 1 << 8) + wilds
                cached = shape.known.get(key)
                if cached is None:
                    cached = shape.known[key] = _count_payments(shape, self.bills[cost].counted, of_color, wilds)
                ways = cached
            else:
                ways = self.bills[cost].number_of_payments(dict(zip(self._names, held, strict=True)))
            if ways:
                rows.append(Row(cost, ways, None))
        return rows

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        """The payments for a cost that has no table."""
        piles: CardPiles = state.kept[0]
        special = self._special_hand(state, seat, piles.hand[seat])
        payments = special.payments.get(cost)
        if payments is None:
            held = dict(zip(self._names, special.hand, strict=True))
            payments = special.payments[cost] = self.bills[cost].counted_payments(held)
        return payments


def _shares(group: Sequence[int], deck: Sequence[int]) -> list[tuple[int, int]]:
    """The factor of each kind in the number that stands for the cards held of a group."""
    shares: list[tuple[int, int]] = []
    share = 1
    for kind in group:
        shares.append((kind, share))
        share *= deck[kind] + 1
    return shares


def _number(shares: list[tuple[int, int]], hand: list[int]) -> i64:
    number: i64 = 0
    for kind, share in shares:
        number += hand[kind] * share
    return number


def _count_payments(shape: Pool, counted: list[tuple[int, int, int]], held: i64, wilds: i64) -> i64:
    """The number of payments with `held` cards of the color asked for (-1 for any color) and `wilds` wild cards."""
    total: i64 = 0
    for wild, cards, needed in counted:
        if wild <= wilds:
            total += shape.count_with(cards, held, needed)
    return total


@mypyc_attr(allow_interpreted_subclasses=True)
class CardPrices(Prices):
    """Prices that are paid with train cards, by the readings of the economy.

    Payments in tables are created once, and their index there is their number. Payments with stand-ins are counted by the
    shape of the hand, other long lists of payments by a diagram. The number of such a payment packs the counts of all
    kinds, or, if there are too many kinds, is its index among the payments out of the hand.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> prices = CardPrices(game.rules.economy, [Cost("single", 3, color="white")])
    >>> [prices.payment(game.state, 0, cost, way) for cost, way in prices.listed(game.state, 0, [1])]
    [Counts(white=3), Counts(white=2, locomotive=1)]
    """

    def __init__(self, economy: CardEconomy, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._upkeep: RowUpkeep = economy.upkeep
        self._names: tuple[str, ...] = economy.kinds
        #: True if the counts of all kinds fit into one number.
        self._packs: bool = PACKED * len(economy.kinds) <= MOST_BITS
        #: True if payments, and tunnels, need not call the economy; true if readings depend on the seat.
        self._plain_pay: bool = economy.leaves("pay")
        self._plain_tunnels: bool = economy.leaves("lay", "enter_tunnel", "leave_tunnel")
        self._powered: bool = not economy.leaves("powers")
        self._by_powers: dict[Hashable, Tables] = {}
        #: For each cost, one thing for sale at that cost.
        self._single: list[list[int]] = [[int(n == cost) for n in range(len(costs))] for cost in range(len(costs))]
        self._only: Tables | None = None if self._powered else Tables(economy, costs, None)

    def tables(self, state: State, seat: i64) -> Tables:
        """The tables for the powers of a seat."""
        fixed = self._only
        if fixed is not None:
            return fixed
        powers: Hashable = self._cards.powers(state, seat)
        tables = self._by_powers.get(powers)
        if tables is None:
            tables = keep(self._by_powers, powers, Tables(self._cards, self.costs, powers), POWERS_KEPT)
        return tables

    def rows(self, state: State, seat: i64, stock: list[int]) -> list[Row]:
        return self.tables(state, seat).rows(state, seat)

    def every(self) -> Sequence[Sequence[Counts]] | None:
        only = self._only
        return None if only is None or only.special else only.every

    # -- ways to pay as numbers ------------------------------------------------------------------------------

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        tables = self.tables(state, seat)
        if cost in tables.special:
            return tables.payments(state, seat, cost)
        every = tables.every[cost]
        return [every[way] for row in self.rows(state, seat, []) if row.cost == cost for way in row.numbers or ()]

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        return self.count(state, seat, self._single[cost])

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        payments = self.payments(state, seat, cost)
        return self._number(self.tables(state, seat), cost, payments[index], index)

    def _number(self, tables: Tables, cost: i64, payment: Counts, index: i64) -> i64:
        if cost not in tables.special:
            return tables.numbers[cost][payment]
        if not self._packs:
            return index
        number: dict[str, int] = self._cards.number
        packed = 0
        for kind, count in payment.items():
            packed |= count << PACKED * number[kind]
        return packed

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        tables = self.tables(state, seat)
        if cost not in tables.special:
            return tables.every[cost][way]
        if not self._packs:
            return self.payments(state, seat, cost)[way]
        packed: int = way
        return Counts({kind: packed >> PACKED * number & MOST_PACKED for number, kind in enumerate(self._names)})

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        tables = self.tables(state, seat)
        indexed = cost in tables.special and not self._packs
        index = self.payments(state, seat, cost).index(payment) if indexed else -1
        return self._number(tables, cost, payment, index)

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        tables = self.tables(tx.state, seat)
        if cost in tables.special or not self._plain_pay:
            super().pay(tx, seat, cost, way)
        else:
            self._upkeep.pay(tx, seat, tables.every[cost][way], tables.cards[cost][way])

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        tables = self.tables(tx.state, seat)
        if not self._plain_tunnels or cost in tables.special:
            return super().enter_tunnel(tx, seat, cost, way)
        payment, cards = tables.every[cost][way], tables.cards[cost][way]
        return self._upkeep.enter_tunnel(tx, seat, self.costs[cost], payment, cards)

    def leave_tunnel(self, tx: Transaction, seat: i64, extra: Counts | None) -> None:
        if self._plain_tunnels:
            self._upkeep.leave_tunnel(tx, seat, extra)
        else:
            super().leave_tunnel(tx, seat, extra)

    # -- for mechanics ---------------------------------------------------------------------------------------

    def count(self, state: State, seat: i64, stock: list[int]) -> i64:
        tables = self._only or self.tables(state, seat)
        _, pairs = tables.find(state, seat, stock, TOO_MANY)
        return pairs

    def nth(self, state: State, seat: i64, stock: list[int], index: i64) -> tuple[i64, i64, i64]:
        row, index = self.tables(state, seat).find(state, seat, stock, index)
        if row is NO_ROW:
            raise IndexError("no such payment")
        here: i64 = stock[row.cost]
        return row.cost, self.way_in(row, state, seat, index // here), index % here
