"""Bills: the payments for a cost, from its readings (C1, C2, F1).

All of them are listed for tables. If there are too many, those out of a hand are listed; or, if any four cards stand in for a
locomotive, counted and picked without a list.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple, cast

from ttr_rules.errors import PluginError
from ttr_rules.kernel.economy import Economy, LazyPayments, cheapest_first
from ttr_rules.kernel.state import State
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.multisets import Place, Pool
from ttr_rules.train_cards.piles import CardPiles, Cards
from ttr_rules.train_cards.readings import MANY, PackedHand, Reading
from ttr_rules.train_cards.tunnels import Tunnels
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import CardDeck

#: The payments for a cost out of the whole deck are not listed if there may be more than this.
MOST_LISTED = 5000
#: The most hands that are cached: payments are needed several times in a turn.
HANDS_KEPT = 8
#: The most payments that are given as examples.
EXAMPLES = 3


class Batch(NamedTuple):
    """Payments with the same numbers of wild and other cards, from a place of their pool on.

    With `keeps`, the chosen cards stay in the hand, and `cards` is the number of those that are not paid.

    >>> from ttr_rules.train_cards import Pool
    >>> hand = Pool((3, 2))
    >>> Batch(wilds=1, cards=4, start=hand.start(4), size=hand.count(4)).size  # two and two, or three and one
    2
    """

    wilds: int
    cards: int
    start: Place
    size: int
    keeps: bool = False


class StandIns(LazyPayments):
    """The payments of some batches out of a pool: a sequence that creates payments as they are read.

    `kinds` are the kinds of the pool, then the wild one. `rank` orders payments by price.

    >>> from ttr_rules.train_cards import Pool
    >>> hand = Pool((3, 2))
    >>> four = Batch(wilds=0, cards=4, start=hand.start(4), size=hand.count(4))
    >>> payments = StandIns(hand, [four], ("red", "blue", "locomotive"), lambda payment: (0,))
    >>> [str(payment) for payment in payments]
    ['2 red, 2 blue', '3 red, 1 blue']
    """

    __slots__ = ("_batches", "_kinds", "_pool", "_rank")

    def __init__(
        self,
        pool: Pool,
        batches: Sequence[Batch],
        kinds: tuple[str, ...],
        rank: Callable[[Counts], tuple[int, ...]],
    ) -> None:
        self._size = sum([batch.size for batch in batches])
        self._pool = pool
        self._batches = batches
        self._kinds = kinds
        self._rank = rank

    def nth(self, index: int) -> Counts:
        for batch in self._batches:
            if index < batch.size:
                return self._payment(batch, self._choice(batch.start, index))
            index -= batch.size
        raise IndexError("no such payment")

    def _choice(self, place: Place, index: int) -> list[int]:
        """A choice by its index among those from a place on."""
        chosen: list[int] = []
        for _ in self._pool.most:
            for count, after, ways in self._pool.steps(place):
                if index < ways:
                    chosen.append(count)
                    place = after
                    break
                index -= ways
        return chosen

    def __iter__(self) -> Iterator[Counts]:
        kinds = len(self._pool.most)
        for batch in self._batches:
            todo: list[tuple[tuple[int, ...], Place]] = [((), batch.start)]
            while todo:
                chosen, place = todo.pop()
                if len(chosen) == kinds:
                    yield self._payment(batch, chosen)
                else:
                    todo += [((*chosen, count), after) for count, after, _ in reversed(self._pool.steps(place))]

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The index of a payment. Raises `ValueError` if it is not one of these."""
        payment = Counts.of(cast("Mapping[str, int]", value)) if isinstance(value, Mapping) else Counts()
        *paid, wilds = [payment[kind] for kind in self._kinds]
        before = 0
        for batch in self._batches if sum(paid) + wilds == payment.total else ():
            counts = self._other(paid) if batch.keeps else paid
            if batch.wilds == wilds and batch.cards == sum(counts):
                at = self._index_of(counts, batch.start)
                if at is not None and before + at in range(*slice(start, stop).indices(len(self))):
                    return before + at
            before += batch.size
        raise ValueError(f"{value!r} is not one of these payments")

    def _index_of(self, chosen: Sequence[int], place: Place) -> int | None:
        """The index of a choice among those from a place on; None if it is not one of them."""
        index = 0
        for wanted in chosen:
            for count, after, ways in self._pool.steps(place):
                if count == wanted:
                    place = after
                    break
                index += ways
            else:
                return None
        return index

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True

    def cheapest_first(self) -> StandIns:
        """The payments by the rank of their batch, which depends only on the numbers of wild and other cards."""
        color, wild, held = self._kinds[0], self._kinds[-1], sum(self._pool.most)
        ranked = sorted(
            self._batches,
            key=lambda batch: self._rank(
                Counts({color: held - batch.cards if batch.keeps else batch.cards, wild: batch.wilds})
            ),
        )
        return StandIns(self._pool, ranked, self._kinds, self._rank)

    def __eq__(self, other: object) -> bool:
        made = cast("Any", other)
        if type(other) is type(self) and (self._pool.most, self._batches) == (made._pool.most, made._batches):
            return True  # quick, as it creates no payment
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _other(self, counts: Sequence[int]) -> list[int]:
        """The cards of the hand without these."""
        return [most - count for most, count in zip(self._pool.most, counts, strict=True)]

    def _payment(self, batch: Batch, counts: Sequence[int]) -> Counts:
        paid = self._other(counts) if batch.keeps else counts
        return Counts(dict(zip(self._kinds, (*paid, batch.wilds), strict=True)))


@lru_cache(maxsize=HANDS_KEPT)
def _pool(cards: tuple[int, ...]) -> Pool:
    """The cards of a hand that are not wild, shared by all costs."""
    return Pool(cards)


class StandIn(NamedTuple):
    """A reading in which `proper` cards are of one color, and `others` are any cards, which stand in for other ones.

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
        """The number of cards of the color to pay with these wild cards; None if these are too few or too many."""
        stood = wilds if self.wilds is None else min(wilds, self.wilds)
        if stood < self.needs_wilds or wilds > stood + (self.others if self.mixed else 0):
            return None
        return max(self.proper - stood, 0)


class CardEconomy(Economy):
    """The attributes of `TrainCards` that bills, prices and draws need."""

    #: The deck: the number of cards of each kind; the kinds; and the number that stands for each kind.
    cards: Mapping[str, int]
    kinds: tuple[str, ...]
    number: dict[str, int]
    colors: tuple[str, ...]
    #: The kinds of wild cards, the locomotive first, and the number that stands for the locomotive.
    wilds: tuple[str, ...]
    wild: int
    decks: tuple[CardDeck, ...]
    deck_names: list[str]
    shared_row: bool
    upkeep: RowUpkeep
    tunnels: Tunnels

    def wilds_in(self, payment: Counts) -> int:
        """The number of wild cards in a payment."""
        return sum([payment[kind] for kind in self.wilds])

    @abstractmethod
    def powers(self, state: State, seat: int) -> Hashable:
        """The powers of a seat now: everything that the readings of a cost depend on besides the cost."""

    @abstractmethod
    def bill(self, cost: Cost, powers: Hashable = None) -> Bill:
        """The bill for a cost, for a seat with these powers."""

    @abstractmethod
    def row_is_open(self, state: State, piles: CardPiles) -> bool:
        """True if cards may be taken from the row: not if the draw pile is empty, unless the ruling allows it (D8, R2)."""

    @abstractmethod
    def inherits(self, *methods: str) -> bool:
        """True if a subclass overrides none of these methods. Tables cannot stand in for an overridden method."""


class Bill:
    """The payments for a cost, as an economy reads it.

    `every` lists all possible payments; it is None if there are too many. `stand_ins` are the readings in which cards of any
    of the `pooled` kinds stand in for others. `pattern` lists the possible numbers of wild cards and of other cards in them,
    each with the number of cards that must be of one color.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import TrainCards
    >>> from ttr_rules.actions import economy_of
    >>> cards = economy_of(ttr.compile_rules("europe").economy, TrainCards)
    >>> [str(payment) for payment in cards.bill(Cost("single", 2, color="red")).every]
    ['2 red', '1 red, 1 locomotive', '2 locomotive']

    In the Nordic Countries any three cards stand in for the locomotive of a ferry. Two red spaces, one of them with a
    locomotive, take two cards, or one red card and three of any kind:

    >>> ferry = economy_of(ttr.compile_rules("nordic-countries").economy, TrainCards).bill(Cost("single", 2, "red", wilds=1))
    >>> [(reading.proper, reading.others) for reading in ferry.stand_ins]
    [(2, 0), (1, 3)]
    >>> ferry.pattern[:4]  # a locomotive and a red card; two locomotives; four cards, one of them red; a locomotive and any three
    [(1, 1, 1), (2, 0, 0), (0, 4, 1), (1, 3, 0)]
    """

    def __init__(self, cost: Cost, readings: Sequence[Reading], cards: CardEconomy) -> None:
        unknown = {kind for reading in readings for lot in reading.lots for kind in lot.worth} - {*cards.kinds}
        if unknown:
            raise PluginError(
                f"a Lot for {cost} takes {', '.join(map(repr, sorted(unknown)))}: the cards are {', '.join(cards.kinds)}"
            )
        self.cost = cost
        self.readings = readings
        self.cards = cards
        self.wild = cards.wilds[0]
        #: The most wild cards that pay.
        self.most = MANY if cost.most_wilds is None else cost.most_wilds
        self.color: str | None = None
        self.pooled: tuple[str, ...] = ()
        self.stand_ins = self._read_stand_ins()
        self.pattern = [
            (wilds, reading.cards - wilds, needed)
            for reading in self.stand_ins
            for wilds in range(min(reading.cards, self.most) + 1)
            if (needed := reading.needed(wilds)) is not None
        ]
        self.every: list[Counts] | None = None
        if not self.stand_ins and sum([reading.size(cards.cards) for reading in readings]) <= MOST_LISTED:
            last = len(cards.kinds)
            first = {kind: last if kind in cards.wilds else number for kind, number in cards.number.items()}
            every = self.payments(cards.cards)
            self.every = sorted(every, key=lambda payment: min([first[kind] for kind in payment], default=last))
        #: The number of each listed payment, and the payments as numbers of cards by the number of their kind.
        self.number_of: dict[Counts, int] = {payment: way for way, payment in enumerate(self.every or ())}
        self.in_numbers: list[Cards] = [
            sorted([(cards.number[kind], count) for kind, count in payment.items()]) for payment in self.every or ()
        ]
        #: The kinds of cards that pay together, without the wild ones, and the payments by the first of these kinds.
        self.together: set[frozenset[int]] = set()
        self.by_kind: dict[int, list[tuple[int, Cards]]] = {}
        wilds = {cards.number[kind] for kind in cards.wilds}
        for way, paid in enumerate(self.in_numbers):
            plain = [kind for kind, _ in paid if kind not in wilds]
            self.together.add(frozenset(plain))
            self.by_kind.setdefault(plain[0] if plain else cards.wild, []).append((way, paid))
        #: True if each reading takes cards of one color, and wild ones.
        self.of_one_color = all(
            len(reading.lots) == 1 and not lot.spare and lot.alike == 1 and {*lot.worth.values()} <= {1}
            for reading in readings
            for lot in reading.lots[:1]
        )
        self._least: dict[tuple[int, int], int | None] = {}

    def __repr__(self) -> str:
        return f"<Bill of {self.cost}>"

    def _read_stand_ins(self) -> list[StandIn]:
        """The readings as `StandIn`, if all have that form for the same kinds and different numbers of cards; else none."""
        kinds_of: dict[StandIn, list[str]] = {}
        pools: set[frozenset[str]] = set()
        worth: Mapping[str, int] = {}
        limited = self.most < MANY
        for reading in self.readings:
            if len(reading.lots) != 2 or any(lot.spare or lot.alike > 1 for lot in reading.lots):
                return []
            proper, others = reading.lots
            if [*proper.worth.values()] != [1]:
                return []
            if others.worth != worth:  # nearly always the same
                worth = others.worth
                if {*worth.values()} != {1}:
                    return []
                pools.add(frozenset(worth) - {self.wild})
            mixed = self.wild in others.worth
            as_numbers = StandIn(proper.spaces, others.spaces, mixed, reading.needs_wilds, reading.wilds)
            kinds_of.setdefault(as_numbers, []).extend(proper.worth)
            limited |= bool(reading.needs_wilds) or reading.wilds is not None
        if len(pools) != 1 or len({tuple(kinds) for kinds in kinds_of.values()}) != 1:
            return []
        (pool,), kinds = pools, next(iter(kinds_of.values()))
        if (
            not {*kinds, *self.cards.colors} <= pool
            or len(kinds) not in (1, len(pool))
            or (limited and not pool.isdisjoint(self.cards.wilds))
            or len({stand_in.cards for stand_in in kinds_of}) < len(kinds_of)
        ):
            return []
        self.pooled = tuple([kind for kind in self.cards.kinds if kind in pool])
        self.color = kinds[0] if len(kinds) == 1 else None
        return [*kinds_of]

    def payments(self, hand: Mapping[str, int]) -> Sequence[Counts]:
        """The payments out of a hand. Those with stand-ins are found when they are read; others that are not in `every` come cheapest first."""
        if self.every is not None:
            return [payment for payment in self.every if all(count <= hand[kind] for kind, count in payment.items())]
        if self.stand_ins:
            pool = _pool(tuple([hand[kind] for kind in self.pooled]))
            return self.payments_in(pool, self.batches(pool, hand[self.wild]))
        return self._list_payments(hand, self.readings)

    def number_of_payments(self, hand: PackedHand) -> int:
        """The number of payments out of a hand."""
        if self.stand_ins:
            return len(self.payments(hand.cards))
        return len(hand.find_payments(self.readings, self.cost, self.most))

    def payments_in(self, pool: Pool, batches: Sequence[Batch]) -> StandIns:
        """The payments of some batches out of a pool."""
        return StandIns(pool, batches, (*self.pooled, self.wild), self.cards.payment_rank)

    def examples(self) -> list[Counts]:
        """A few payments: the cheapest one with stand-ins, else one for each of several readings, with few wild cards."""
        deck, wilds = self.cards.cards, self.cards.wilds
        if self.stand_ins:
            return [*islice(cheapest_first(self.payments(deck), self.cards.payment_rank), 1)]
        found: dict[Counts, None] = {}
        for reading in self.readings:
            for number in range(1, len(deck) + 1):  # of as few kinds as possible
                plain = [kind for lot in reading.lots for kind in [*lot.worth][:number] if kind not in wilds]
                few = self._list_payments({kind: deck[kind] for kind in (*plain, *wilds)}, [reading])
                if few:
                    found[few[0]] = None
                    break
            if len(found) == EXAMPLES:
                break
        return [*found]

    def _list_payments(self, hand: Mapping[str, int], readings: Sequence[Reading]) -> list[Counts]:
        """The payments by some readings, the cheapest first."""
        packed, rank, kinds = PackedHand(hand, self.cards.wilds), self.cards.payment_rank, self.cards.kinds
        payments = map(packed.unpack, packed.find_payments(readings, self.cost, self.most))
        return sorted(payments, key=lambda paid: (rank(paid), paid[self.wild], [paid[kind] for kind in kinds]))

    def batches(self, pool: Pool, wilds: int) -> list[Batch]:
        """The payments out of a pool with at most `wilds` wild cards, by the numbers of both."""
        batches: list[Batch] = []
        for wild, cards, needed in self.pattern:
            if wild <= wilds:
                needs = tuple([needed if self.color in (None, color) else None for color in self.pooled])
                place = pool.start(cards, needs if needed else None)
                size = pool.count(cards, place[2])
                if size:
                    batches.append(Batch(wild, cards, place, size))
        return batches

    def least(self, cards: int, wilds: int) -> int | None:
        """The fewest of `cards` cards that must be of the color, with `wilds` wild cards; None if they are never enough."""
        if (cards, wilds) not in self._least:
            enough = [needed for wild, others, needed in self.pattern if wild <= wilds and others <= cards]
            self._least[cards, wilds] = min(enough, default=None)
        return self._least[cards, wilds]
