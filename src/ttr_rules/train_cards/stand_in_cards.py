"""Train cards that stand in for others, as any four cards may stand in for a locomotive."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from ttr_rules.errors import Refusal
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.state import State
from ttr_rules.language import Message, plural
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.economy import TrainCards
from ttr_rules.train_cards.kinds import LOCOMOTIVE
from ttr_rules.train_cards.multisets import Pool
from ttr_rules.train_cards.prices import StandInPrices
from ttr_rules.train_cards.stand_ins import Reading, StandIns, few_wilds, lots, lots_that_leave

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
