"""What cards can pay, counted by the cards held: a row of prices for each kind and number of cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.multisets import Shape
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.upkeep import RowUpkeep

#: The bits of a payment for each kind of card, where it is its own number.
PACKED = 5
MOST_PACKED = (1 << PACKED) - 1
#: How many shapes of hands are kept.
SHAPES_KEPT = 1000


class Row:
    """One cost that some cards can pay: the numbers of the ways to pay it."""

    __slots__ = ("cost", "numbers", "ways")
    cost: i64
    ways: i64

    def __init__(self, cost: i64, numbers: list[int]) -> None:
        self.cost = cost
        self.numbers = numbers
        self.ways = len(numbers)

    def __reduce__(self) -> tuple[Any, ...]:
        return Row, (self.cost, self.numbers)


@mypyc_attr(allow_interpreted_subclasses=True)
class CardPrices(Prices):
    """Prices that are paid with cards of one kind, and with wild cards of one or several kinds.

    The economy says what a cost takes: `ways_with(cost, kind, held, wilds)` gives the payments with at least one card of
    a kind, or, for the first wild kind, those with wild cards alone; `wilds` are the wild cards held, kind by kind
    (`wild_kinds`). Each payment is made once; after that a hand is a few rows of numbers.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> prices = CardPrices(game.rules.economy, [Cost("single", 3, color="white")])
    >>> [prices.payment(game.state, 0, cost, way) for cost, way in prices.listed(game.state, 0, [1])]
    [Counts(white=3), Counts(white=2, locomotive=1)]
    """

    _wild: i64
    _always: i64
    _kinds: i64
    _width: i64

    def __init__(self, economy: Any, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._wild = economy.wild
        deck: list[int] = [economy.cards[kind] for kind in economy.kinds]
        # More kinds of wild cards, each with its share in the number of wild cards that are held.
        self._strides: list[tuple[int, int]] = []
        wild_kinds: tuple[int, ...] = economy.wild_kinds
        stride = deck[wild_kinds[0]] + 1
        for kind in wild_kinds[1:]:
            self._strides.append((kind, stride))
            stride *= deck[kind] + 1
        self._always = economy.wild if self._strides else -1
        self._upkeep: RowUpkeep = economy.upkeep
        #: Whether payments and tunnels may go past the economy.
        self._plain_pay: bool = economy.leaves("pay")
        self._plain_tunnels: bool = economy.leaves("lay", "enter_tunnel", "leave_tunnel")
        self._names: tuple[str, ...] = economy.kinds
        self._all: list[list[Counts]] = [
            [way for kind, count in enumerate(deck) for way in self._ways(cost, kind, count, stride - 1)]
            for cost in costs
        ]
        self._numbers: list[dict[Counts, int]] = [{way: n for n, way in enumerate(ways)} for ways in self._all]
        self._lots: list[list[int]] = [[self._lot(way) for way in ways] for ways in self._all]
        # By the wild cards held, then by kind and number of cards: made when a hand first needs them.
        self._kinds = len(deck)
        self._width = max(deck) + 1
        self._rows: list[list[Row] | None] = [None] * (stride * self._kinds * self._width)
        # For each cost in how many ways the same cards pay it, -1 for not known yet.
        self._counts: list[list[int]] = [[-1] * len(self._rows) for _ in costs]

    def _ways(self, cost: Cost, kind: int, held: int, wild: int) -> Sequence[Counts]:
        wilds: list[int] = []
        for _, stride in reversed(self._strides):
            count, wild = divmod(wild, stride)
            wilds.insert(0, count)
        found: Sequence[Counts] = self._cards.ways_with(cost, self._names[kind], held, (wild, *wilds))
        return found

    def _wilds(self, hand: list[int]) -> i64:
        """The wild cards of a hand as one number."""
        found: i64 = hand[self._wild]
        for kind, stride in self._strides:
            found += hand[kind] * stride
        return found

    def _lot(self, payment: Counts) -> int:
        """A payment as one number: a kind, how many cards of it, how many wild ones; -1 if it has more kinds."""
        plain = [
            (self._cards.number[kind], count)
            for kind, count in payment.items()
            if self._cards.number[kind] != self._wild
        ]
        if len(plain) > 1:
            return -1
        kind, count = plain[0] if plain else (0, 0)
        return kind << 12 | count << 6 | payment[self._names[self._wild]]

    def _made(self, kind: i64, held: i64, wild: i64) -> list[Row]:
        """The costs that some cards of a kind can pay, with wild ones."""
        rows: list[Row] = []
        for cost in range(len(self.costs)):
            ways = self._ways(self.costs[cost], int(kind), int(held), int(wild))
            if ways:
                rows.append(Row(cost, [self._numbers[cost][way] for way in ways]))
        at = (wild * self._kinds + kind) * self._width + held
        self._rows[at] = rows
        for counts in self._counts:
            counts[at] = 0
        for row in rows:
            self._counts[row.cost][at] = int(row.ways)
        return rows

    # -- ways to pay as numbers ------------------------------------------------------------------------------

    def every(self) -> Sequence[Sequence[Counts]] | None:
        return self._all

    def _only(self, cost: i64) -> list[int]:
        times = [0] * len(self.costs)
        times[cost] = 1
        return times

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        return tuple([self._all[cost][way] for _, way in self.listed(state, seat, self._only(cost))])

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        piles: CardPiles = state.kept[0]
        hand = piles.hand[seat]
        always = self._always
        wild: i64 = hand[self._wild]
        if always >= 0:
            wild = self._wilds(hand)
        width = self._width
        counts = self._counts[cost]
        at = wild * self._kinds * width
        total: i64 = 0
        kind: i64 = 0
        for cards in hand:
            held: i64 = cards
            if held or kind == always:
                here: i64 = counts[at + held]
                if here < 0:
                    self._made(kind, held, wild)
                    here = counts[at + held]
                total += here
            kind += 1
            at += width
        return total

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        return self.nth(state, seat, self._only(cost), index)[1]

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        return self._all[cost][way]

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        return self._numbers[cost][payment]

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        lot: i64 = self._lots[cost][way]
        if lot < 0 or tx.log is not None or not self._plain_pay:
            self.economy.pay(tx, seat, self._all[cost][way])
        else:
            self._upkeep.pay_lot(tx, seat, lot)

    def enter_tunnel(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> tuple[tuple[str, ...], Cost | None]:
        if not self._plain_tunnels:
            return super().enter_tunnel(tx, seat, cost, way)
        return self._upkeep.enter_tunnel(tx, seat, self.costs[cost].kind, self._all[cost][way], self._lots[cost][way])

    def leave_tunnel(self, tx: Transaction, seat: i64, extra: Counts | None) -> None:
        if self._plain_tunnels:
            self._upkeep.leave_tunnel(tx, seat, extra)
        else:
            super().leave_tunnel(tx, seat, extra)

    # -- for mechanics ---------------------------------------------------------------------------------------

    def count(self, state: State, seat: i64, times: list[int]) -> i64:
        piles: CardPiles = state.kept[0]
        hand = piles.hand[seat]
        always = self._always
        wild: i64 = hand[self._wild]
        if always >= 0:
            wild = self._wilds(hand)
        width = self._width
        table = self._rows
        at = wild * self._kinds * width
        total: i64 = 0
        kind: i64 = 0
        for cards in hand:
            held: i64 = cards
            if held or kind == always:
                rows = table[at + held]
                if rows is None:
                    rows = self._made(kind, held, wild)
                for row in rows:
                    total += row.ways * times[row.cost]
            kind += 1
            at += width
        return total

    def nth(self, state: State, seat: i64, times: list[int], index: i64) -> tuple[i64, i64, i64]:
        piles: CardPiles = state.kept[0]
        hand = piles.hand[seat]
        always = self._always
        wild: i64 = hand[self._wild]
        if always >= 0:
            wild = self._wilds(hand)
        width = self._width
        at = wild * self._kinds * width
        kind: i64 = 0
        for cards in hand:
            held: i64 = cards
            if held or kind == always:
                rows = self._rows[at + held]
                if rows is None:
                    rows = self._made(kind, held, wild)
                for row in rows:
                    here: i64 = times[row.cost]
                    size = row.ways * here
                    if index < size:
                        return row.cost, row.numbers[index // here], index % here
                    index -= size
            kind += 1
            at += width
        raise IndexError("no such payment")

    def listed(self, state: State, seat: i64, times: list[int]) -> list[tuple[int, int]]:
        piles: CardPiles = state.kept[0]
        hand = piles.hand[seat]
        wild = self._wilds(hand)
        found: list[tuple[int, int]] = []
        for kind, held in enumerate(hand):
            if held or kind == self._always:
                rows = self._rows[(wild * self._kinds + kind) * self._width + held]
                for row in self._made(kind, held, wild) if rows is None else rows:
                    if times[row.cost]:
                        found += [(int(row.cost), way) for way in row.numbers]
        return found


@mypyc_attr(allow_interpreted_subclasses=True)
class StandInPrices(CardPrices):
    """Prices of train cards of which some stand in for others (`StandInCards`).

    What such a cost can be paid with is counted by the shape of the hand. A way to pay it is the payment itself, some
    bits for each kind of card, so that it means the same in every position. Costs that nothing stands in for are looked
    up as all others.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 1, "locomotive": 4}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["united-kingdom"], "seed": 1, "players": players})
    >>> prices = StandInPrices(game.rules.economy, [Cost("single", 1, color="white")])
    >>> [str(way) for way in prices.payments(game.state, 0, 0)]
    ['1 white', '1 locomotive']
    """

    def __init__(self, economy: Any, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._special = [number for number, cost in enumerate(costs) if economy.readings(cost)]
        self._plain = len(self._special) < len(costs)
        # Of each cost: the kind that it asks for, -1 for any, and the number of its pattern, -1 for none.
        self._kind_of: list[int] = [-1 if cost.color is None else economy.number[cost.color] for cost in costs]
        self._pattern_of: list[int] = [-1] * len(costs)
        self._patterns: list[list[tuple[int, int, int, int]]] = []
        for number in self._special:
            pattern = _pattern(economy.readings(costs[number]))
            if pattern not in self._patterns:
                self._patterns.append(pattern)
            self._pattern_of[number] = self._patterns.index(pattern)
        self._shapes: dict[tuple[int, ...], Shape] = {}
        self._last: tuple[list[int], Shape] = [], Shape(())

    def every(self) -> Sequence[Sequence[Counts]] | None:
        return None if self._special else super().every()

    def _shape(self, hand: list[int]) -> Shape:
        """The shape of the colored cards of a hand."""
        last, shape = self._last
        if last == hand:
            return shape
        held = tuple(sorted(hand[: self._wild]))
        known = self._shapes.get(held)
        if known is None:
            if len(self._shapes) >= SHAPES_KEPT:
                self._shapes.clear()
            known = self._shapes[held] = Shape(held)
        self._last = hand.copy(), known
        return known

    def ways(self, state: State, seat: i64, cost: i64) -> i64:
        number: i64 = self._pattern_of[cost]
        if number < 0:
            return super().ways(state, seat, cost)
        piles: CardPiles = state.kept[0]
        hand = piles.hand[seat]
        shape = self._shape(hand)
        wilds: i64 = hand[self._wild]
        kind: i64 = self._kind_of[cost]
        held: i64 = -1
        if kind >= 0:
            held = hand[kind]
        key = (number << 16) + (held + 1 << 8) + wilds
        known = shape.ways.get(key)
        if known is None:
            known = shape.ways[key] = _count(shape, self._patterns[number], held, wilds)
        return known

    def payments(self, state: State, seat: i64, cost: i64) -> Sequence[Counts]:
        if self._pattern_of[cost] < 0:
            return super().payments(state, seat, cost)
        found: Sequence[Counts] = self._cards.payments(state, seat, self.costs[cost])
        return found

    def way(self, state: State, seat: i64, cost: i64, index: i64) -> i64:
        if self._pattern_of[cost] < 0:
            return super().way(state, seat, cost, index)
        return self._packed(self.payments(state, seat, cost)[index])

    def _packed(self, payment: Counts) -> i64:
        number: dict[str, int] = self._cards.number
        found = 0
        for kind, count in payment.items():
            found |= count << PACKED * number[kind]
        return found

    def payment(self, state: State, seat: i64, cost: i64, way: i64) -> Counts:
        if self._pattern_of[cost] < 0:
            return super().payment(state, seat, cost, way)
        packed: int = way
        return Counts({kind: packed >> PACKED * number & MOST_PACKED for number, kind in enumerate(self._names)})

    def way_of(self, state: State, seat: i64, cost: i64, payment: Counts) -> i64:
        return super().way_of(state, seat, cost, payment) if self._pattern_of[cost] < 0 else self._packed(payment)

    def pay(self, tx: Transaction, seat: i64, cost: i64, way: i64) -> None:
        if self._pattern_of[cost] < 0:
            super().pay(tx, seat, cost, way)
        else:
            self.economy.pay(tx, seat, self.payment(tx.state, seat, cost, way))

    def count(self, state: State, seat: i64, times: list[int]) -> i64:
        total: i64 = super().count(state, seat, times) if self._plain else 0
        for cost in self._special:
            sold: i64 = times[cost]
            if sold:
                total += sold * self.ways(state, seat, cost)
        return total

    def nth(self, state: State, seat: i64, times: list[int], index: i64) -> tuple[i64, i64, i64]:
        for cost in self._special:
            sold: i64 = times[cost]
            if sold:
                size = sold * self.ways(state, seat, cost)
                if index < size:
                    return cost, self.way(state, seat, cost, index // sold), index % sold
                index -= size
        return super().nth(state, seat, times, index)

    def listed(self, state: State, seat: i64, times: list[int]) -> list[tuple[int, int]]:
        special = [
            (cost, int(self._packed(payment)))
            for cost in self._special
            if times[cost]
            for payment in self.payments(state, seat, cost)
        ]
        return special + super().listed(state, seat, times)


def _pattern(readings: Sequence[Any]) -> list[tuple[int, int, int, int]]:
    """Readings of a cost as numbers: cards, locomotives at least and at most, and how many of one color at least.

    That number falls by one for each locomotive; where locomotives do not count as cards of the color, it is higher by
    those, with a reading for each number of locomotives.
    """
    found: list[tuple[int, int, int, int]] = []
    for reading in readings:
        most = reading.cards if reading.most_wilds is None else min(reading.most_wilds, reading.cards)
        if reading.joined:
            found.append((reading.cards, reading.wilds, most, reading.least))
        else:
            found += [(reading.cards, wilds, wilds, reading.least + wilds) for wilds in range(reading.wilds, most + 1)]
    return found


def _count(shape: Shape, pattern: list[tuple[int, int, int, int]], held: i64, wilds: i64) -> i64:
    """The number of payments that a pattern allows, with so many cards of the color asked for, -1 for any color."""
    total: i64 = 0
    for cards, least, most, needed in pattern:
        wild: i64 = least
        while wild <= most and wild <= wilds:
            total += shape.count(cards - wild, held, needed - wild)
            wild += 1
    return total
