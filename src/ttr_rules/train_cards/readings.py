"""Readings: the ways to read a cost, and the payments that they allow (C1, C2, F1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.multisets import Pool
from ttr_rules.train_cards.row import CardRow
from ttr_rules.train_cards.stand_ins import Batch, StandIns

#: A cost with more payments than this is not listed in tables: they are looked for in each hand.
MOST_LISTED = 5000
#: Payments are asked for several times in a turn. More hands would cost more in memory and collection than they save.
HANDS_KEPT = 8


class Lot:
    """Cards that fill some spaces of a cost: `worth` says which kinds serve, and how many spaces a card of each fills.

    Wild cards fill the spaces that are left. Cards may be worth up to `spare` more than the spaces, if none of them could
    be left out.

    >>> Lot({"red": 1}, 3), Lot({"ship": 1, "double_ship": 2}, 3, spare=1)
    (Lot({'red': 1}, 3), Lot({'ship': 1, 'double_ship': 2}, 3, spare=1))
    """

    def __init__(self, worth: Mapping[str, int], spaces: int, *, spare: int = 0) -> None:
        self.worth: Mapping[str, int] = dict(worth)
        self.spaces = spaces
        self.spare = spare

    def __repr__(self) -> str:
        return f"Lot({self.worth}, {self.spaces}{f', spare={self.spare}' if self.spare else ''})"


class Reading:
    """One way to read a cost: every lot is filled, by at least `needs_wilds` and at most `wilds` wild cards among others.

    `wilds` of None sets no limit. Where any four cards stand for a locomotive, two red spaces of a ferry with one symbol
    can be read as

    >>> proper = Reading(Lot({"red": 1}, 2), needs_wilds=1)
    >>> replaced = Reading(Lot({"red": 1}, 1), Lot(dict.fromkeys(["red", "blue", "green"], 1), 4))
    >>> [str(payment) for payment in proper.payments({"red": 3, "locomotive": 1})]
    ['1 red, 1 locomotive']
    """

    def __init__(self, *lots: Lot, wilds: int | None = None, needs_wilds: int = 0) -> None:
        self.lots = lots
        self.wilds = wilds
        self.needs_wilds = needs_wilds

    def __repr__(self) -> str:
        more = "" if self.wilds is None else f", wilds={self.wilds}"
        more += f", needs_wilds={self.needs_wilds}" if self.needs_wilds else ""
        return f"Reading({', '.join(map(repr, self.lots))}{more})"

    def size(self, hand: Mapping[str, int]) -> int:
        """At most so many ways to choose cards for the lots are tried."""
        sizes = [min(hand.get(kind, 0), lot.spaces + lot.spare) + 1 for lot in self.lots for kind in lot.worth]
        found = 1
        for size in sizes:
            found *= size
        return found

    def payments(self, hand: Mapping[str, int], wilds: Sequence[str] = ("locomotive",)) -> Iterator[Counts]:
        """The payments out of a hand, found by trying; one may come more than once. Cards of the first wild kind stand in."""
        return self._fill(0, hand, {}, 0, wilds)

    def _fill(
        self, number: int, hand: Mapping[str, int], taken: dict[str, int], stood: int, wilds: Sequence[str]
    ) -> Iterator[Counts]:
        if number == len(self.lots):
            wild, *others = wilds
            count = stood + sum([taken.get(kind, 0) for kind in others])
            paid = {**taken, wild: taken.get(wild, 0) + stood}
            if self.needs_wilds <= count <= (count if self.wilds is None else self.wilds) and paid[wild] <= hand.get(
                wild, 0
            ):
                yield _counts(tuple([(kind, paid[kind]) for kind in hand if paid.get(kind)]))
            return
        lot = self.lots[number]
        kinds = [kind for kind in lot.worth if hand.get(kind)]
        left = [hand[kind] - taken.get(kind, 0) for kind in kinds]
        for used in product(
            *[
                range(min(n, (lot.spaces + lot.spare) // lot.worth[kind]) + 1)
                for kind, n in zip(kinds, left, strict=True)
            ]
        ):
            cards = {kind: count for kind, count in zip(kinds, used, strict=True) if count}
            over = sum([count * lot.worth[kind] for kind, count in cards.items()]) - lot.spaces
            if over <= lot.spare and (over <= 0 or over < min([lot.worth[kind] for kind in cards])):
                more = {**taken, **{kind: taken.get(kind, 0) + count for kind, count in cards.items()}}
                yield from self._fill(number + 1, hand, more, stood + max(-over, 0), wilds)


@lru_cache(maxsize=HANDS_KEPT)
def _pool(colors: tuple[int, ...]) -> Pool:
    """The colored cards of a hand: the payments for all costs are counted out of the same ones."""
    return Pool(colors)


@cache
def _counts(cards: tuple[tuple[str, int], ...]) -> Counts:
    """The same few hundred payments stand in the tables of many hands."""
    return Counts(dict(cards))


class StandIn(NamedTuple):
    """A reading whose first lot takes one color, and whose second any cards: `proper` and `others` of them.

    With `mixed`, wild cards may be among the others.
    """

    proper: int
    others: int
    mixed: bool
    needs_wilds: int
    wilds: int | None

    @property
    def cards(self) -> int:
        """The number of cards paid."""
        return self.proper + self.others

    def needed(self, wilds: int) -> int | None:
        """The number of cards of the color to pay with this many wild cards; None for too few or too many."""
        stood = wilds if self.wilds is None else min(wilds, self.wilds)
        if stood < self.needs_wilds or wilds > stood + (self.others if self.mixed else 0):
            return None
        return max(self.proper - stood, 0)


class Bill:
    """A cost as an economy reads it: what pays for it is in tables, counted, or looked for in each hand.

    `every` lists all payments there can ever be, None if they are too many. `stand_ins` are the readings in which any cards
    stand in for others, smallest first, `counted` the numbers of wild cards, of other cards, and of those of one color that
    they ask for.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import TrainCards
    >>> from ttr_rules.payments import economy_of
    >>> cards = economy_of(ttr.compile_rules("europe").economy, TrainCards)
    >>> [str(payment) for payment in cards.bill(Cost("single", 2, color="red")).every]
    ['2 red', '1 red, 1 locomotive', '2 locomotive']
    """

    def __init__(self, cost: Cost, readings: Sequence[Reading], cards: CardRow) -> None:
        self.cost = cost
        self.readings = readings
        self.cards = cards
        self.wild = cards.wilds[0]
        self.color: str | None = None
        self.stand_ins = self._as_stand_ins(cards.colors)
        self.counted = [
            (wilds, reading.cards - wilds, needed)
            for reading in self.stand_ins
            for wilds in range(reading.cards + 1)
            if (needed := reading.needed(wilds)) is not None
        ]
        self.every: list[Counts] | None = None
        if not self.stand_ins and sum([reading.size(cards.cards) for reading in readings]) <= MOST_LISTED:
            self.every = self._tried(cards.cards)
        self._all = frozenset(self.every or ())
        self._least: dict[tuple[int, int], int | None] = {}

    def __repr__(self) -> str:
        return f"<Bill of {self.cost}>"

    def _as_stand_ins(self, colors: Sequence[str]) -> list[StandIn]:
        """The readings by numbers, if all are of that form for the same colors, and no two for the same number of cards."""
        found: dict[StandIn, list[str]] = {}
        any_cards = [dict.fromkeys(colors, 1), dict.fromkeys([*colors, self.wild], 1)]
        for reading in self.readings:
            proper, *others = reading.lots
            if len(others) != 1 or others[0].worth not in any_cards or len(proper.worth) != 1:
                return []
            mixed = self.wild in others[0].worth
            as_numbers = StandIn(proper.spaces, others[0].spaces, mixed, reading.needs_wilds, reading.wilds)
            found.setdefault(as_numbers, []).extend(proper.worth)
        served = {tuple(kinds) for kinds in found.values()}
        one, *_ = [*served, ()]
        if len(served) != 1 or len({each.cards for each in found}) < len(found) or not set(one) <= set(colors):
            return []
        if len(one) not in (1, len(colors)):
            return []
        self.color = one[0] if len(one) == 1 else None
        return [*found]

    def pays(self, payment: Counts) -> bool:
        """True if this is a payment, whatever the hand."""
        if self.every is not None:
            return payment in self._all
        if not self.stand_ins:
            return any(payment in [*reading.payments(payment, self.cards.wilds)] for reading in self.readings)
        colors = self.cards.colors if self.color is None else (self.color,)
        of_color = max([payment[color] for color in colors])
        needed = [each.needed(payment[self.wild]) for each in self.stand_ins if each.cards == payment.total]
        known = payment.total == sum([payment[kind] for kind in (*self.cards.colors, self.wild)])
        return known and any(least is not None and least <= of_color for least in needed)

    def payments(self, hand: Mapping[str, int]) -> Sequence[Counts]:
        """The payments out of a hand."""
        if self.every is not None:
            return [payment for payment in self.every if all(count <= hand[kind] for kind, count in payment.items())]
        if not self.stand_ins:
            return self._tried(hand)
        pool = _pool(tuple([hand[color] for color in self.cards.colors]))
        return self.stand_ins_of(pool, self.batches(pool, hand[self.wild]))

    def stand_ins_of(self, pool: Pool, batches: Sequence[Batch]) -> StandIns:
        """The payments of some batches out of a pool."""
        return StandIns(pool, batches, (*self.cards.colors, self.wild), self.cards.payment_rank)

    def _tried(self, hand: Mapping[str, int]) -> list[Counts]:
        """All payments: by the first kind of card, those with nothing but wild cards last; then the cheapest first."""
        found = {payment for reading in self.readings for payment in reading.payments(hand, self.cards.wilds)}
        return sorted(found, key=self._place)

    def _place(self, payment: Counts) -> tuple[object, ...]:
        cards = self.cards
        kinds = [cards.number[kind] for kind in payment if kind not in cards.wilds]
        held = [payment[kind] for kind in cards.kinds]
        return min(kinds, default=len(held)), cards.payment_rank(payment), payment[self.wild], held

    def batches(self, pool: Pool, wilds: int) -> list[Batch]:
        """The payments with so many wild cards and the cards of a pool at most, by the numbers of both."""
        found: list[Batch] = []
        for wild, cards, needed in self.counted:
            if wild <= wilds:
                needs = tuple([needed if self.color in (None, color) else None for color in self.cards.colors])
                size = pool.count(cards, needs if needed else None)
                if size:
                    found.append(Batch(wild, cards, needs if needed else None, size))
        return found

    def least(self, cards: int, wilds: int) -> int | None:
        """The fewest of `cards` that must be of the color, besides `wilds` wild cards; None if it is never enough."""
        if (cards, wilds) not in self._least:
            enough = [needed for wild, others, needed in self.counted if wild <= wilds and others <= cards]
            self._least[cards, wilds] = min(enough, default=None)
        return self._least[cards, wilds]
