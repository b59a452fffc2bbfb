"""Readings: the ways to read a cost, each with lots of cards that fill its spaces, and the payments out of a hand (C1, C2, F1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from ttr_rules.errors import PluginError
from ttr_rules.model.cards import Counts
from ttr_rules.text import brief

#: More wild cards than any deck has.
MANY = 1 << 20
#: The most ways to fill lots that are tried.
MOST_TRIED = 1_000_000


def _check(kind: str, numbers: Iterable[tuple[str, object, int]]) -> None:
    """Raise `PluginError` for a number that is not whole or too small. `numbers` holds names, values and least values."""
    for name, number, least in numbers:
        if type(number) is not int or number < least:
            raise PluginError(f"{name!r} of a {kind} is {brief(number)}: it is a whole number of at least {least}")


class Lot:
    """Cards that fill some spaces of a cost: `worth` is the number of spaces that a card fills, by kind.

    Wild cards fill the spaces that are left, as far as the reading allows. Cards may be worth up to `spare` more than the
    spaces, if none of them could be left out. With `alike`, cards of a kind count only in twos, threes and so on.
    Raises `PluginError` for a worth or an `alike` below 1, for negative numbers, and for numbers that are not whole.

    >>> Lot({"red": 1}, 3), Lot({"ship": 1, "double_ship": 2}, 3, spare=1)
    (Lot({'red': 1}, 3), Lot({'ship': 1, 'double_ship': 2}, 3, spare=1))
    >>> two_pairs = Reading(Lot({"red": 1, "blue": 1}, 4, alike=2), wilds=0)
    >>> [str(payment) for payment in two_pairs.payments({"red": 4, "blue": 3, "locomotive": 1})]
    ['2 red, 2 blue', '4 red']
    """

    def __init__(self, worth: Mapping[str, int], spaces: int, *, spare: int = 0, alike: int = 1) -> None:
        filled = [(name, number, 1) for name, number in worth.items()]
        _check("Lot", (*filled, ("alike", alike, 1), ("spaces", spaces, 0), ("spare", spare, 0)))
        self.worth: Mapping[str, int] = dict(worth)
        self.spaces = spaces
        self.spare = spare
        self.alike = alike

    @cached_property
    def text(self) -> str:
        """The same text for equal lots."""
        return repr(self)

    def __repr__(self) -> str:
        more = f", spare={self.spare}" if self.spare else ""
        more += f", alike={self.alike}" if self.alike > 1 else ""
        return f"Lot({self.worth}, {self.spaces}{more})"


class Reading:
    """One way to read a cost: cards fill every lot, among them at least `needs_wilds` and at most `wilds` wild cards.

    `wilds` of None sets no limit. With `wilds=0` the lots are filled without wild cards. Locomotives that a lot names
    itself are not counted here. If any four cards stand for a locomotive, two red spaces of a ferry with one symbol
    have these readings:

    >>> proper = Reading(Lot({"red": 1}, 2), needs_wilds=1)
    >>> replaced = Reading(Lot({"red": 1}, 1), Lot(dict.fromkeys(["red", "blue", "green"], 1), 4))
    >>> [str(payment) for payment in proper.payments({"red": 3, "locomotive": 1})]
    ['1 red, 1 locomotive']
    """

    def __init__(self, *lots: Lot, wilds: int | None = None, needs_wilds: int = 0) -> None:
        _check("Reading", (("needs_wilds", needs_wilds, 0), ("wilds", 0 if wilds is None else wilds, 0)))
        self.lots = lots
        self.wilds = wilds
        self.needs_wilds = needs_wilds

    @cached_property
    def least(self) -> int:
        """The fewest cards that fill the lots."""
        return sum([-(-lot.spaces // max(lot.worth.values(), default=1)) for lot in self.lots])

    def __repr__(self) -> str:
        more = "" if self.wilds is None else f", wilds={self.wilds}"
        more += f", needs_wilds={self.needs_wilds}" if self.needs_wilds else ""
        return f"Reading({', '.join(map(repr, self.lots))}{more})"

    def size(self, hand: Mapping[str, int]) -> int:
        """An upper limit for the number of ways to choose cards for the lots."""
        return prod([min(hand.get(kind, 0), lot.spaces + lot.spare) + 1 for lot in self.lots for kind in lot.worth])

    def payments(self, hand: Mapping[str, int], wilds: Sequence[str] = ("locomotive",)) -> Iterator[Counts]:
        """The payments out of a hand, possibly repeated, by trying all ways. Cards of the first wild kind stand in."""
        return self._fill(0, hand, {}, 0, wilds)

    def takes(self, payment: Counts, wilds: Sequence[str] = ("locomotive",)) -> bool:
        """True if these cards and no others fill the lots, found by trying all ways."""
        few = payment.total <= sum([lot.spaces + lot.spare for lot in self.lots])
        return few and payment in self._fill(0, payment, {}, 0, wilds, whole=True)

    def _fill(
        self,
        number: int,
        hand: Mapping[str, int],
        taken: dict[str, int],
        stood: int,
        wilds: Sequence[str],
        *,
        whole: bool = False,
    ) -> Iterator[Counts]:
        """The payments with these cards for the lots before `number`.

        `whole` omits most of those that do not take the whole hand.
        """
        if number == len(self.lots):
            wild, *others = wilds
            count = stood + sum([taken.get(kind, 0) for kind in others])
            paid = {**taken, wild: taken.get(wild, 0) + stood}
            if self.needs_wilds <= count <= (count if self.wilds is None else self.wilds) and paid[wild] <= hand.get(
                wild, 0
            ):
                yield Counts({kind: paid[kind] for kind in hand if paid.get(kind)})
            return
        lot = self.lots[number]
        kinds = [kind for kind in lot.worth if hand.get(kind)]
        choices: list[Sequence[int]] = []
        for kind in kinds:
            left = hand[kind] - taken.get(kind, 0)
            counts: Sequence[int] = range(0, min(left, (lot.spaces + lot.spare) // lot.worth[kind]) + 1, lot.alike)
            if whole and number == len(self.lots) - 1 and kind != wilds[0]:  # nothing else takes what is left
                counts = [left] if left in counts else []
            choices.append(counts)
        for used in product(*choices):
            cards = {kind: count for kind, count in zip(kinds, used, strict=True) if count}
            over = sum([count * lot.worth[kind] for kind, count in cards.items()]) - lot.spaces
            if over <= lot.spare and (over <= 0 or over < min([lot.worth[kind] for kind in cards])):
                more = {**taken, **{kind: taken.get(kind, 0) + count for kind, count in cards.items()}}
                yield from self._fill(number + 1, hand, more, stood + max(-over, 0), wilds, whole=whole)


class PackedHand:
    """A hand and its payments as numbers, with some bits for the count of each kind: lots of cards are added as numbers.

    The first of these bits is a guard. It is set in `_most`, and stays set if a payment with no more cards than the hand is
    taken from it.
    """

    def __init__(self, hand: Mapping[str, int], wilds: Sequence[str]) -> None:
        bits = max(hand.values(), default=0).bit_length() + 1
        self.cards = hand
        self._wilds = wilds
        self._one = {kind: 1 << bits * number for number, kind in enumerate(hand)}
        self._all = (1 << bits - 1) - 1  # the bits of one kind
        self._guards = sum(self._one.values()) << bits - 1
        self._most = self._guards + sum([self._one[kind] * count for kind, count in hand.items()])
        self._fillings: dict[tuple[str, int], list[tuple[int, int]]] = {}

    def unpack(self, payment: int) -> Counts:
        """A payment as counts."""
        return Counts({kind: payment // one & self._all for kind, one in self._one.items()})

    def _count(self, payment: int, kinds: Iterable[str]) -> int:
        """The number of cards of some kinds in a payment."""
        return sum([payment // self._one[kind] & self._all for kind in kinds if kind in self._one])

    def find_payments(self, readings: Iterable[Reading], cost: object, most: int = MANY) -> set[int]:
        """The payments by any of some readings, with at most `most` wild cards.

        Raises `PluginError` if there are too many ways to fill the lots. It names `cost`.
        """
        packed = set[int]()
        held, guards, cards = self._most, self._guards, sum(self.cards.values())
        wild, *others = self._wilds
        wilds_held = min(self.cards.get(wild, 0), most)
        for reading in readings:
            if reading.least > cards:
                continue
            limit = MANY if reading.wilds is None else reading.wilds
            may_stand = min(limit, wilds_held)
            ways = [(0, may_stand)]  # cards, and how many more wild cards may stand in
            for lot in reading.lots:
                fillings = self._fillings.get((lot.text, may_stand))
                if fillings is None:
                    fillings = self._fillings[lot.text, may_stand] = self._fill(lot, may_stand, cost)
                if not fillings:
                    ways = []
                    break
                if len(ways) * len(fillings) > MOST_TRIED:
                    raise _too_many(cost)
                ways = [
                    (paid + more, left - lacking)
                    for more, lacking in fillings
                    for paid, left in ways
                    if lacking <= left and (held - paid - more) & guards == guards
                ]
            for paid, left in ways:
                stood = may_stand - left
                payment = paid + stood * self._one[wild] if stood else paid
                counted = stood + self._count(payment, others) if others else stood
                if reading.needs_wilds <= counted <= limit and (held - payment) & guards == guards:
                    packed.add(payment)
        return packed if most == MANY else {paid for paid in packed if self._count(paid, self._wilds) <= most}

    def _fill(self, lot: Lot, wilds: int, cost: object) -> list[tuple[int, int]]:
        """The cards that fill a lot, as numbers, each with the number of spaces left for at most `wilds` wild cards."""
        most = lot.spaces + lot.spare
        kinds = [(kind, worth, min(self.cards.get(kind, 0), most // worth)) for kind, worth in lot.worth.items()]
        later = sum([worth * count for _, worth, count in kinds])  # the spaces that the kinds from here on can fill
        ways = [(0, lot.spaces, 0)] if lot.spaces - later <= wilds else []  # cards, spaces left, and the least worth
        for kind, worth, count in kinds:
            if not count:
                continue
            one = self._one[kind]
            later -= worth * count
            if len(ways) * (count // lot.alike + 1) > MOST_TRIED:
                raise _too_many(cost)
            ways = [
                (paid + used * one, left - used * worth, min(worth, least or worth) if used else least)
                for paid, left, least in ways
                for used in range(0, min(count, (left + lot.spare) // worth) + 1, lot.alike)
                if left - used * worth - later <= wilds
            ]
        # Cards may be worth more than the spaces only if none of them could be left out.
        return [(paid, max(left, 0)) for paid, left, least in ways if left >= 0 or -left < least]


def _too_many(cost: object) -> PluginError:
    return PluginError(
        f"a hand can pay {cost} in too many ways: let the readings take fewer kinds of cards, or more cards of a kind "
        "(alike), or write an economy whose payments are LazyPayments"
    )
