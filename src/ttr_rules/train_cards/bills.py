"""Bills: the payments for a cost, from its readings (C1, C2, F1).

There are three ways to find them. All payments out of the deck are listed in `Bill.all_payments`, for tables, if they are not too many.
Where any cards stand in for others, those out of a hand are counted and picked without a list (`stand_ins`). Otherwise those
out of a hand are listed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from ttr_rules.errors import PluginError
from ttr_rules.kernel.economy import Economy, cheapest_first
from ttr_rules.kernel.state import State
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.piles import CardPiles, Cards
from ttr_rules.train_cards.readings import MANY, PackedHand, Reading
from ttr_rules.train_cards.stand_ins import find_stand_ins
from ttr_rules.train_cards.tunnels import Tunnels
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import CardDeck

#: The payments for a cost out of the whole deck are not listed if there may be more than this.
MOST_LISTED = 5000
#: A function that adds readings of a cost to those before.
MoreReadings: TypeAlias = Callable[[Cost, Sequence[Reading]], Sequence[Reading]]
#: A function that gives the powers of a seat, on which readings of a plugin depend.
PowersOf: TypeAlias = Callable[[State, int], Hashable]
#: The most payments that are given as examples.
EXAMPLES = 3


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
    #: The readings that plugins add (`TrainCards.add_readings`), each with the index of the powers that they depend on, -1 for none.
    more_readings: list[tuple[Callable[..., Sequence[Reading]], int]]

    def wilds_in(self, payment: Counts) -> int:
        """The number of wild cards in a payment."""
        return sum([payment[kind] for kind in self.wilds])

    @abstractmethod
    def all_powers(self, state: State, seat: int) -> Hashable:
        """The powers of a seat now: everything that bills depend on besides the cost."""

    @abstractmethod
    def bill(self, cost: Cost, powers: Hashable = None) -> Bill:
        """The bill for a cost, for a seat with these powers."""

    @abstractmethod
    def row_is_open(self, state: State, piles: CardPiles) -> bool:
        """True if cards may be taken from the row: not if the draw pile is empty, unless the ruling allows it (D8, R2)."""

    @abstractmethod
    def inherits(self, *methods: str) -> bool:
        """True if a subclass overrides none of these methods. Tables cannot stand in for an overridden method."""


class AllPowers(NamedTuple):
    """The powers of a seat that the readings of an economy depend on, and those that plugins added."""

    own: Hashable
    added: tuple[Hashable, ...]


class Bill:
    """The payments for a cost, as an economy reads it.

    `all_payments` lists all that the deck can make, or is None if there are too many. `stand_ins` finds the payments of
    a cost in which cards stand in for others, and is None for other costs. Cards that are `barred` do not pay.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.train_cards import TrainCards
    >>> from ttr_rules.actions import economy_of
    >>> cards = economy_of(ttr.compile_rules("europe").economy, TrainCards)
    >>> [str(payment) for payment in cards.bill(Cost("single", 2, color="red")).all_payments]
    ['2 red', '1 red, 1 locomotive', '2 locomotive']
    """

    def __init__(
        self, cost: Cost, readings: Sequence[Reading], cards: CardEconomy, barred: Collection[str] = ()
    ) -> None:
        unknown = {kind for reading in readings for lot in reading.lots for kind in lot.worth} - {*cards.kinds}
        if unknown:
            raise PluginError(
                f"a Lot for {cost} takes {', '.join(map(repr, sorted(unknown)))}: the cards are {', '.join(cards.kinds)}"
            )
        self.cost = cost
        self.readings = readings
        self.cards = cards
        self.barred = frozenset(barred)
        self.wild = cards.wilds[0]
        #: The most wild cards that pay.
        self.most = MANY if cost.most_wilds is None else cost.most_wilds
        self.stand_ins = find_stand_ins(readings, self.most, cards.kinds, cards.colors, cards.wilds, cards.payment_rank)
        self.all_payments: list[Counts] | None = None
        if not self.stand_ins and sum([reading.size(cards.cards) for reading in readings]) <= MOST_LISTED:
            last = len(cards.kinds)
            first = {kind: last if kind in cards.wilds else number for kind, number in cards.number.items()}
            self.all_payments = sorted(
                self.payments(cards.cards), key=lambda payment: min([first[kind] for kind in payment], default=last)
            )
        #: The number of each listed payment, and the payments as numbers of cards by the number of their kind.
        self.number_of: dict[Counts, int] = {payment: way for way, payment in enumerate(self.all_payments or ())}
        self.in_numbers: list[Cards] = [
            sorted([(cards.number[kind], count) for kind, count in payment.items()])
            for payment in self.all_payments or ()
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

    def __repr__(self) -> str:
        return f"<Bill of {self.cost}>"

    def payments(self, hand: Mapping[str, int]) -> Sequence[Counts]:
        """The payments out of a hand.

        Those with stand-ins are created when they are read. Others that are not listed in `all_payments` come cheapest
        first.
        """
        hand = self._without_barred(hand)
        if self.all_payments is not None:
            return [
                payment for payment in self.all_payments if all(count <= hand[kind] for kind, count in payment.items())
            ]
        if self.stand_ins:
            return self.stand_ins.payments(hand)
        return self._list_payments(hand, self.readings)

    def number_of_payments(self, hand: PackedHand) -> int:
        """The number of payments out of a hand."""
        if self.stand_ins or self.barred:
            return len(self.payments(hand.cards))
        return len(hand.find_payments(self.readings, self.cost, self.most))

    def _without_barred(self, hand: Mapping[str, int]) -> Mapping[str, int]:
        """The cards of a hand that may pay."""
        return {kind: 0 if kind in self.barred else count for kind, count in hand.items()} if self.barred else hand

    def examples(self) -> list[Counts]:
        """A few payments: the cheapest one with stand-ins, else one for each of several readings, with few wild cards."""
        deck, wilds = self._without_barred(self.cards.cards), self.cards.wilds
        if self.stand_ins:
            return [*islice(cheapest_first(self.payments(deck), self.cards.payment_rank), 1)]
        payments: dict[Counts, None] = {}
        for reading in self.readings:
            for number in range(1, len(deck) + 1):  # of as few kinds as possible
                plain = [kind for lot in reading.lots for kind in [*lot.worth][:number] if kind not in wilds]
                few = self._list_payments({kind: deck[kind] for kind in (*plain, *wilds)}, [reading])
                if few:
                    payments[few[0]] = None
                    break
            if len(payments) == EXAMPLES:
                break
        return [*payments]

    def _list_payments(self, hand: Mapping[str, int], readings: Sequence[Reading]) -> list[Counts]:
        """The payments by some readings, the cheapest first."""
        packed, rank, kinds = PackedHand(hand, self.cards.wilds), self.cards.payment_rank, self.cards.kinds
        payments = map(packed.unpack, packed.find_payments(readings, self.cost, self.most))
        return sorted(payments, key=lambda paid: (rank(paid), paid[self.wild], [paid[kind] for kind in kinds]))
