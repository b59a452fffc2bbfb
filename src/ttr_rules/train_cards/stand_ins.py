"""Cards that stand in for others, as any four cards may stand in for a locomotive: counted and picked without listing."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal, TypeAlias, cast

from attrs import frozen

from ttr_rules.errors import Refusal
from ttr_rules.kernel.payments import LazyPayments
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.state import State
from ttr_rules.language import Message, plural
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import CARD_COLORS, Counts
from ttr_rules.train_cards.economy import TrainCards
from ttr_rules.train_cards.multisets import Needs, Pool
from ttr_rules.train_cards.prices import StandInPrices
from ttr_rules.train_cards.row import LOCOMOTIVE

COLORS = tuple(map(str, CARD_COLORS))


@frozen
class Reading:
    """One way to read a cost: `cards` in all, with at least `wilds` and at most `most_wilds` locomotives.

    At least `least` of the cards are of the required color; with `joined`, locomotives count toward these. All others
    may be anything. Where any four cards stand for a locomotive, two spaces of a ferry with one symbol can be read as

    >>> proper, replaced = Reading(2, wilds=1, least=2), Reading(2 + 3, wilds=0, least=1)
    """

    cards: int
    wilds: int
    least: int
    joined: bool = True
    most_wilds: int | None = None

    def least_of_color(self, cards: int, wilds: int) -> int | None:
        """How many of so many cards, besides some locomotives, must be of the color; None if it is never enough.

        >>> Reading(5, wilds=0, least=1).least_of_color(4, wilds=0), Reading(2, wilds=1, least=2).least_of_color(4, 1)
        (None, 1)
        """
        most = min(wilds, self.cards if self.most_wilds is None else self.most_wilds, self.cards)
        if not self.joined:
            most = min(most, self.cards - self.least)
        if most < self.wilds or self.cards - most > cards:
            return None
        return max(self.least - most, 0) if self.joined else self.least


@frozen
class Lot:
    """Payments with the same numbers of locomotives and colored cards that meet the requirement.

    With `keeps`, the required cards must stay in the hand: `needs` applies to the `cards` that are not paid.

    >>> hand = Pool((3, 0, 0, 0, 0, 0, 0, 2))  # 3 purple, 2 red
    >>> lot, = lots([Reading(4, wilds=0, least=0)], hand, 0, None)
    >>> lot.size, lot.paid(hand), [str(payment) for payment in StandIns(hand, [lot])]
    (2, 4, ['2 purple, 2 red', '3 purple, 1 red'])
    """

    wilds: int
    cards: int
    needs: Needs
    size: int
    keeps: bool = False

    def paid(self, pool: Pool) -> int:
        """The number of colored cards that are paid."""
        return pool.size - self.cards if self.keeps else self.cards

    def colors(self, counts: Sequence[int], pool: Pool) -> tuple[int, ...]:
        """The cards paid for one of the multisets of this lot; its own inverse."""
        return tuple([most - kept for most, kept in zip(pool.most, counts, strict=True)]) if self.keeps else (*counts,)


@cache
def at_least(count: int, color: str | None) -> Needs:
    """Require at least a number of cards of a color, or of any one color for None.

    >>> at_least(2, "blue"), at_least(0, "blue")
    ((None, 2, None, None, None, None, None, None), None)
    """
    return tuple([count if color in (None, each) else None for each in COLORS]) if count > 0 else None


def lots(readings: Sequence[Reading], pool: Pool, wilds: int, color: str | None) -> list[Lot]:
    """The payments that readings of a cost allow, with this many locomotives besides the colors of a pool.

    No payment is in two lots if no two readings have the same number of cards.

    >>> hand = Pool((3, 0, 0, 0, 0, 0, 0, 2))
    >>> four_for_one = [Reading(1, wilds=0, least=1), Reading(4, wilds=0, least=0, most_wilds=0)]
    >>> [(lot.wilds, lot.cards, lot.size) for lot in lots(four_for_one, hand, 1, "purple")]
    [(0, 1, 1), (1, 0, 1), (0, 4, 2)]
    """
    found: list[Lot] = []
    total = wilds + pool.size
    for reading in readings:
        if reading.cards > total:
            continue
        most = reading.cards if reading.most_wilds is None else reading.most_wilds
        for wild in range(reading.wilds, min(wilds, reading.cards, most) + 1):
            cards = reading.cards - wild
            needs = at_least(reading.least - wild if reading.joined else reading.least, color)
            size = pool.count(cards, needs)
            if size:
                found.append(Lot(wild, cards, needs, size))
    return found


def lots_that_leave(
    found: Iterable[Lot], pool: Pool, wilds: int, then: Collection[tuple[str | None, Sequence[Reading]]]
) -> list[Lot]:
    """Of lots of locomotives and any cards, the payments that leave enough for one of several costs.

    `then` holds, for each cost, its color and its readings.

    >>> hand = Pool((0, 0, 0, 0, 0, 0, 2, 4))
    >>> four_for_one = lots([Reading(4, wilds=0, least=0)], hand, 0, None)
    >>> [lot.size for lot in four_for_one], [
    ...     lot.size for lot in lots_that_leave(four_for_one, hand, 0, [("red", [Reading(2, wilds=0, least=2)])])]
    ([3], [1])
    """
    left: list[Lot] = []
    for lot in found:
        rest = pool.size - lot.cards
        least: dict[str | None, int] = {}
        for color, readings in then:
            needed = [each.least_of_color(rest, wilds - lot.wilds) for each in readings]
            enough = [count for count in needed if count is not None]
            if enough:
                least[color] = min(least.get(color, pool.size), *enough)
                if not least[color]:
                    break  # whatever is left is enough
        if not least:
            continue
        both = [[least[each] for each in (color, None) if each in least] for color in COLORS]
        needs = tuple([min(each) if each else None for each in both]) if min(least.values()) > 0 else None
        size = pool.count(rest, needs)
        if size:
            left.append(Lot(lot.wilds, rest, needs, size, keeps=True))
    return left


def few_wilds(wilds: int, cards: int) -> tuple[int, ...]:
    """Rank payments by few locomotives, then few other cards."""
    return wilds, cards


class StandIns(LazyPayments):
    """The payments of some lots out of a pool: a sequence that creates each payment when it is read.

    `rank` gets the locomotives and the other cards of a payment, and gives the order of the lots by price.

    >>> hand = Pool((3, 0, 0, 0, 0, 0, 0, 2))
    >>> payments = StandIns(hand, lots([Reading(4, wilds=0, least=0)], hand, 0, None))
    >>> list(payments)
    [Counts(purple=2, red=2), Counts(purple=3, red=1)]
    """

    __slots__ = ("_lots", "_pool", "_rank")

    def __init__(
        self, pool: Pool, lots: Sequence[Lot], rank: Callable[[int, int], tuple[int, ...]] = few_wilds
    ) -> None:
        self._size = sum([lot.size for lot in lots])
        self._pool = pool
        self._lots = lots
        self._rank = rank

    def nth(self, index: int) -> Counts:
        for lot in self._lots:
            if index < lot.size:
                return self._payment(lot, self._pool.nth(index, lot.cards, lot.needs))
            index -= lot.size
        raise IndexError("no such payment")

    def __iter__(self) -> Iterator[Counts]:
        for lot in self._lots:
            for counts in self._pool.each(lot.cards, lot.needs):
                yield self._payment(lot, counts)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The index of a payment. Raises `ValueError` if it is not one of these."""
        payment = Counts.of(cast("Mapping[str, int]", value)) if isinstance(value, Mapping) else Counts()
        paid = tuple([payment[color] for color in COLORS])
        wilds, cards = payment[LOCOMOTIVE], sum(paid)
        before = 0
        for lot in self._lots if cards + wilds == payment.total else ():
            if lot.wilds == wilds and lot.paid(self._pool) == cards:
                counts = lot.colors(paid, self._pool)
                found = before + self._pool.index(counts, lot.needs) if self._pool.has(counts, lot.needs) else -1
                if found in range(*slice(start, stop).indices(len(self))):
                    return found
            before += lot.size
        raise ValueError(f"{value!r} is not one of these payments")

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True

    def cheapest_first(self) -> StandIns:
        """The payments by the rank of their lot: all payments of a lot have the same rank."""
        ranked = sorted(self._lots, key=lambda lot: self._rank(lot.wilds, lot.paid(self._pool)))
        return StandIns(self._pool, ranked, self._rank)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StandIns) and (self._pool.most, self._lots) == (other._pool.most, other._lots):
            return True  # fast: creates no payment
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _payment(self, lot: Lot, counts: tuple[int, ...]) -> Counts:
        colors = lot.colors(counts, self._pool)
        return Counts({**dict(zip(COLORS, colors, strict=True)), LOCOMOTIVE: lot.wilds})


#: What can be wrong with a payment: how many cards, too few or too many locomotives, or too few of the color.
Problem: TypeAlias = Literal["cards", "few_wilds", "many_wilds", "color"]
#: Prices are asked for several times in a turn. More hands would cost more in memory and collection than they save.
HANDS_KEPT = 8


class StandInCards(TrainCards):
    """Train cards of which some stand in for others: a subclass says how each cost may be read.

    Payments are counted and found without listing them: with stand-ins there can be millions.

    >>> from ttr_rules.model import Cost
    >>> class ThreeForOne(StandInCards):
    ...     def readings(self, cost):
    ...         return [Reading(cost.spaces + 2 * n, wilds=0, least=cost.spaces - n) for n in range(cost.spaces + 1)]
    >>> cards = ThreeForOne()
    >>> hand = [{"red": 2, "blue": 1}.get(kind, 0) for kind in cards.kinds]
    >>> list(cards.payments_from(hand, Cost("single", 1, "red")))
    [Counts(red=1), Counts(blue=1, red=2)]
    >>> print(cards.mismatch(Cost("single", 1, "red"), Counts(blue=1)))
    [C1] 1 red cards are needed with 1 blue
    """

    @abstractmethod
    def readings(self, cost: Cost) -> Sequence[Reading]:
        """The ways to read a cost, no two of them with the same number of cards; none if nothing may stand in."""

    def stand_in_rule(self, cost: Cost, problem: Problem) -> str:
        """The rule that refuses a payment with this problem."""
        return {"cards": "C1", "few_wilds": "F1", "many_wilds": "C2", "color": "C1"}[problem]

    def rank(self, wilds: int, cards: int) -> tuple[int, ...]:
        """The rank of payments with so many locomotives and other cards: few locomotives come first."""
        return few_wilds(wilds, cards)

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        return self.rank(payment[LOCOMOTIVE], payment.total - payment[LOCOMOTIVE])

    # -- payments --------------------------------------------------------------------------------------------

    def ways_with_color(self, cost: Cost, color: str, held: int, wild: int) -> tuple[Counts, ...]:
        return () if self.readings(cost) else super().ways_with_color(cost, color, held, wild)

    def ways_with_locomotives(self, cost: Cost, wild: int) -> tuple[Counts, ...]:
        return () if self.readings(cost) else super().ways_with_locomotives(cost, wild)

    def payments(self, state: State, seat: int, cost: Cost) -> Sequence[Counts]:
        if not self.readings(cost):
            return super().payments(state, seat, cost)
        return self.payments_from(self.held(state, seat), cost)

    def payments_from(self, hand: Sequence[int], cost: Cost) -> Sequence[Counts]:
        """The payments for a cost out of a hand: how many cards of each kind."""
        pool = _pool(tuple(hand[: self.wild]))
        return StandIns(pool, lots(self._readings(cost), pool, hand[self.wild], cost.color), self.rank)

    def payments_that_leave(self, hand: Sequence[int], cost: Cost, then: Collection[Cost]) -> Sequence[Counts]:
        """The payments for a cost of only locomotives after which the hand can still pay one of the costs `then`."""
        pool, wilds = _pool(tuple(hand[: self.wild])), hand[self.wild]
        found = lots(self._readings(cost), pool, wilds, cost.color)
        left = lots_that_leave(found, pool, wilds, [(each.color, self._readings(each)) for each in then])
        return StandIns(pool, left, self.rank)

    def prices(self, costs: Sequence[Cost]) -> Prices:
        plain = type(self).payments is StandInCards.payments and self.leaves("held")
        return StandInPrices(self, costs) if plain else Prices(self, costs)

    def _readings(self, cost: Cost) -> Sequence[Reading]:
        """The ways to read any cost: if nothing stands in, the ordinary one."""
        wilds = cost.spaces if cost.only_wilds else cost.wilds
        return self.readings(cost) or (Reading(cost.spaces, wilds, cost.spaces, most_wilds=self.wild_spaces(cost)),)

    # -- checking a payment ----------------------------------------------------------------------------------

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        readings = self.readings(cost)
        if not readings:
            return super().mismatch(cost, payment)
        reading = next((each for each in readings if each.cards == payment.total), None)
        if reading is None:
            sizes: object = ""
            for size in sorted(each.cards for each in readings):
                sizes = Message("{one} or {other}", one=sizes, other=size) if sizes else str(size)
            template = "{sizes} cards pay for this, not {total} ({payment})"
            message = Message(template, sizes=sizes, total=payment.total, payment=payment)
            return Refusal(self.stand_in_rule(cost, "cards"), message)
        wilds = payment[LOCOMOTIVE]
        if wilds < reading.wilds:
            one = "{count} locomotive is needed among {total} cards, not {payment}"
            many = "{count} locomotives are needed among {total} cards, not {payment}"
            message = plural(one, many, reading.wilds, total=payment.total, payment=payment)
            return Refusal(self.stand_in_rule(cost, "few_wilds"), message)
        if reading.most_wilds is not None and wilds > reading.most_wilds:
            message = Message("locomotives do not stand for locomotives: {payment}", payment=payment)
            return Refusal(self.stand_in_rule(cost, "many_wilds"), message)
        least = reading.least - wilds if reading.joined else reading.least
        colors = self.colors if cost.color is None else (cost.color,)
        if max(payment[color] for color in colors) >= least:
            return None
        template = "{count} {color} cards are needed with {payment}"
        if cost.color is None:
            template = "{count} cards of one color are needed with {payment}"
        message = Message(template, count=least, color=cost.color, payment=payment)
        return Refusal(self.stand_in_rule(cost, "color"), message)


@lru_cache(maxsize=HANDS_KEPT)
def _pool(colors: tuple[int, ...]) -> Pool:
    """The colored cards of a hand: every cost is counted out of the same ones."""
    return Pool(colors)
