"""Bills: the payments for a cost, from its readings (C1, C2, F1).

They are listed in tables. If there are too many, as when any four cards stand in for a locomotive, they are counted and
picked without a list.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

from ttr_rules.errors import PluginError
from ttr_rules.kernel.economy import Economy, LazyPayments
from ttr_rules.kernel.state import State
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.multisets import Place, Pool
from ttr_rules.train_cards.piles import CardPiles, Cards
from ttr_rules.train_cards.readings import MANY, Diagram, FilledLots, Left, Node, Reading
from ttr_rules.train_cards.tunnels import Tunnels
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import CardDeck

#: The payments for a cost are counted, not listed, if there are more than this.
MOST_LISTED = 5000
#: The most hands that are cached: payments are needed several times in a turn.
HANDS_KEPT = 8
#: A position while choosing kind by kind.
P = TypeVar("P")


class Supply(Protocol[P]):
    """The cards of a hand without the wild ones, from which payments are chosen kind by kind."""

    @property
    def most(self) -> tuple[int, ...]:
        """The number of cards of each kind."""
        ...

    def steps(self, place: P, /) -> list[tuple[int, P, int]]:
        """Each possible number of cards of the next kind, the place that it leads to, and the number of choices from there."""
        ...


class Batch(NamedTuple, Generic[P]):
    """Payments with the same numbers of wild and other cards, from a place of their supply on.

    With `keeps`, the chosen cards stay in the hand, and `cards` is the number of those that are not paid.

    >>> from ttr_rules.train_cards import Pool
    >>> hand = Pool((3, 2))
    >>> Batch(wilds=1, cards=4, start=hand.start(4), size=hand.count(4)).size  # two and two, or three and one
    2
    """

    wilds: int
    cards: int
    start: P
    size: int
    keeps: bool = False


class StandIns(LazyPayments, Generic[P]):
    """The payments of some batches out of a supply: a sequence that creates payments as they are read.

    `kinds` are the kinds of the supply, then the wild one. `rank` orders payments by price.

    >>> from ttr_rules.train_cards import Pool
    >>> hand = Pool((3, 2))
    >>> four = Batch(wilds=0, cards=4, start=hand.start(4), size=hand.count(4))
    >>> payments = StandIns(hand, [four], ("red", "blue", "locomotive"), lambda payment: (0,))
    >>> [str(payment) for payment in payments]
    ['2 red, 2 blue', '3 red, 1 blue']
    """

    __slots__ = ("_batches", "_kinds", "_rank", "_supply")

    def __init__(
        self,
        supply: Supply[P],
        batches: Sequence[Batch[P]],
        kinds: tuple[str, ...],
        rank: Callable[[Counts], tuple[int, ...]],
    ) -> None:
        self._size = sum([batch.size for batch in batches])
        self._supply = supply
        self._batches = batches
        self._kinds = kinds
        self._rank = rank

    def nth(self, index: int) -> Counts:
        for batch in self._batches:
            if index < batch.size:
                return self._payment(batch, self._choice(batch.start, index))
            index -= batch.size
        raise IndexError("no such payment")

    def _choice(self, place: P, index: int) -> list[int]:
        """A choice by its index among those from a place on."""
        chosen: list[int] = []
        for _ in self._supply.most:
            for count, after, ways in self._supply.steps(place):
                if index < ways:
                    chosen.append(count)
                    place = after
                    break
                index -= ways
        return chosen

    def __iter__(self) -> Iterator[Counts]:
        kinds = len(self._supply.most)
        for batch in self._batches:
            todo: list[tuple[tuple[int, ...], P]] = [((), batch.start)]
            while todo:
                chosen, place = todo.pop()
                if len(chosen) == kinds:
                    yield self._payment(batch, chosen)
                else:
                    todo += [((*chosen, count), after) for count, after, _ in reversed(self._supply.steps(place))]

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

    def _index_of(self, chosen: Sequence[int], place: P) -> int | None:
        """The index of a choice among those from a place on; None if it is not one of them."""
        index = 0
        for wanted in chosen:
            for count, after, ways in self._supply.steps(place):
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

    def cheapest_first(self) -> StandIns[P]:
        """The payments by the rank of their batch, which depends only on the numbers of wild and other cards."""
        color, wild, held = self._kinds[0], self._kinds[-1], sum(self._supply.most)
        ranked = sorted(
            self._batches,
            key=lambda batch: self._rank(
                Counts({color: held - batch.cards if batch.keeps else batch.cards, wild: batch.wilds})
            ),
        )
        return StandIns(self._supply, ranked, self._kinds, self._rank)

    def __eq__(self, other: object) -> bool:
        made = cast("Any", other)
        if type(other) is type(self) and (self._supply.most, self._batches) == (made._supply.most, made._batches):
            return True  # quick, as it creates no payment
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _other(self, counts: Sequence[int]) -> list[int]:
        """The cards of the hand without these."""
        return [most - count for most, count in zip(self._supply.most, counts, strict=True)]

    def _payment(self, batch: Batch[P], counts: Sequence[int]) -> Counts:
        paid = self._other(counts) if batch.keeps else counts
        return Counts(dict(zip(self._kinds, (*paid, batch.wilds), strict=True)))


@lru_cache(maxsize=HANDS_KEPT)
def _pool(colors: tuple[int, ...]) -> Pool:
    """The colored cards of a hand, shared by all costs."""
    return Pool(colors)


class StandIn(NamedTuple):
    """A reading in which `proper` cards are of one color, and `others` are any cards that stand in for other ones.

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

    @cached_property
    def diagram(self) -> Diagram:
        """The diagram for payments that are too many to list."""
        return Diagram(self.cards, self.wilds)

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
    def leaves(self, *methods: str) -> bool:
        """True if a subclass overrides none of these methods. Tables cannot stand in for an overridden method."""


class Bill:
    """The payments for a cost, as an economy reads it.

    `every` lists all possible payments; it is None if there are too many. `stand_ins` are the readings in which any cards
    stand in for others. `counted` lists the possible numbers of wild cards and of other cards in them, each with the number
    of cards that must be of one color.

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
    >>> ferry.counted[:4]  # a locomotive and a red card; two locomotives; four cards, one of them red; a locomotive and any three
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
        self.stand_ins = self._read_stand_ins(cards.colors)
        self.counted = [
            (wilds, reading.cards - wilds, needed)
            for reading in self.stand_ins
            for wilds in range(min(reading.cards, self.most) + 1)
            if (needed := reading.needed(wilds)) is not None
        ]
        self.every: list[Counts] | None = None
        if not self.stand_ins and self._are_few(cards.cards):
            self.every = self._list_payments(cards.cards)
        #: The number of each listed payment, and the payments as numbers of cards by the number of their kind.
        self.numbers: dict[Counts, int] = {payment: way for way, payment in enumerate(self.every or ())}
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
        #: The readings for the diagram, and its first nodes by the number of wild cards.
        self._left: list[Left] | None = None
        self._starts: dict[int, list[tuple[int, Node]]] = {}
        self._least: dict[tuple[int, int], int | None] = {}

    def __repr__(self) -> str:
        return f"<Bill of {self.cost}>"

    def _are_few(self, cards: Mapping[str, int]) -> bool:
        """True if the payments out of all these cards can be listed."""
        most = MOST_LISTED
        for reading in self.readings:
            most -= reading.size(cards)
            if most < 0:
                return False
        return True

    def _read_stand_ins(self, colors: Sequence[str]) -> list[StandIn]:
        """The readings as `StandIn`, if all have that form for the same colors and different numbers of cards; else none."""
        colors_of: dict[StandIn, list[str]] = {}
        any_cards = [dict.fromkeys(colors, 1), dict.fromkeys([*colors, self.wild], 1)]
        for reading in self.readings:
            if len(reading.lots) != 2 or any(lot.spare or lot.alike > 1 for lot in reading.lots):
                return []
            proper, others = reading.lots
            if others.worth not in any_cards or [*proper.worth.values()] != [1]:
                return []
            mixed = self.wild in others.worth
            as_numbers = StandIn(proper.spaces, others.spaces, mixed, reading.needs_wilds, reading.wilds)
            colors_of.setdefault(as_numbers, []).extend(proper.worth)
        color_sets = {tuple(kinds) for kinds in colors_of.values()}
        color_set, *_ = [*color_sets, ()]
        if (
            len(color_sets) != 1
            or len({stand_in.cards for stand_in in colors_of}) < len(colors_of)
            or not set(color_set) <= set(colors)
        ):
            return []
        if len(color_set) not in (1, len(colors)):
            return []
        self.color = color_set[0] if len(color_set) == 1 else None
        return [*colors_of]

    def payments(self, hand: Mapping[str, int]) -> Sequence[Counts]:
        """The payments out of a hand."""
        if self.every is not None:
            return [payment for payment in self.every if all(count <= hand[kind] for kind, count in payment.items())]
        return self.counted_payments(hand)

    def counted_payments(self, hand: Mapping[str, int]) -> LazyPayments:
        """The payments out of a hand, which are counted and not listed."""
        if self.stand_ins:
            pool = _pool(tuple([hand[color] for color in self.cards.colors]))
            return self.payments_in(pool, self.batches(pool, hand[self.wild]))
        kinds = self.cards.diagram.kinds
        lots = FilledLots(self.cards.diagram, tuple([hand[kind] for kind in kinds]))
        batches = [
            Batch(wilds, cards, place, size)
            for wilds, cards, node in self._nodes(hand)
            for place, size in lots.starts(node)
        ]
        # By the first kind that is paid, then the cheapest first.
        rank = self.cards.payment_rank
        cheapest = {batch: rank(Counts({kinds[0]: batch.cards, self.wild: batch.wilds})) for batch in batches}
        batches.sort(key=lambda batch: (batch.start[0], cheapest[batch], batch.wilds))
        return StandIns(lots, batches, (*kinds, self.wild), rank)

    def number_of_payments(self, hand: Mapping[str, int]) -> int:
        """The number of payments out of a hand."""
        if self.stand_ins:
            return len(self.counted_payments(hand))
        held = tuple([hand[kind] for kind in self.cards.diagram.kinds])
        return sum([node.ways(held) for _, _, node in self._nodes(hand)])

    def _nodes(self, hand: Mapping[str, int]) -> Iterator[tuple[int, int, Node]]:
        """The first nodes for the numbers of wild and of other cards in a hand."""
        held = sum(hand.values()) - hand[self.wild]
        for wilds in range(hand[self.wild] + 1):
            for cards, node in self._first_nodes(wilds):
                if cards <= held:
                    yield wilds, cards, node

    def _first_nodes(self, wilds: int) -> list[tuple[int, Node]]:
        """The first nodes of payments with a number of wild cards, by the number of other cards."""
        if wilds not in self._starts:
            if self._left is None:
                self._left = self.cards.diagram.read(self.readings)
            self._starts[wilds] = self.cards.diagram.starts(self._left, wilds, self.most)
        return self._starts[wilds]

    def payments_in(self, pool: Pool, batches: Sequence[Batch[Place]]) -> StandIns[Place]:
        """The payments of some batches out of a pool."""
        return StandIns(pool, batches, (*self.cards.colors, self.wild), self.cards.payment_rank)

    def _list_payments(self, hand: Mapping[str, int]) -> list[Counts]:
        """All payments, by their first kind of card, those of wild cards only last; then the cheapest first."""
        payments = {payment for reading in self.readings for payment in reading.payments(hand, self.cards.wilds)}
        return sorted([payment for payment in payments if self.cards.wilds_in(payment) <= self.most], key=self._place)

    def _place(self, payment: Counts) -> tuple[object, ...]:
        cards = self.cards
        kinds = [cards.number[kind] for kind in payment if kind not in cards.wilds]
        held = [payment[kind] for kind in cards.kinds]
        return min(kinds, default=len(held)), cards.payment_rank(payment), payment[self.wild], held

    def batches(self, pool: Pool, wilds: int) -> list[Batch[Place]]:
        """The payments out of a pool with at most `wilds` wild cards, by the numbers of both."""
        batches: list[Batch[Place]] = []
        for wild, cards, needed in self.counted:
            if wild <= wilds:
                needs = tuple([needed if self.color in (None, color) else None for color in self.cards.colors])
                place = pool.start(cards, needs if needed else None)
                size = pool.count(cards, place[2])
                if size:
                    batches.append(Batch(wild, cards, place, size))
        return batches

    def least(self, cards: int, wilds: int) -> int | None:
        """The fewest of `cards` cards that must be of the color, with `wilds` wild cards; None if they are never enough."""
        if (cards, wilds) not in self._least:
            enough = [needed for wild, others, needed in self.counted if wild <= wilds and others <= cards]
            self._least[cards, wilds] = min(enough, default=None)
        return self._least[cards, wilds]
