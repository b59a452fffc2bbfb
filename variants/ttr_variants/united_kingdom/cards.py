"""Train cards in the United Kingdom: more locomotives, four cards for one, no sweep (U2, U3, U5, U6, U13, U26, U27)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from attrs import evolve, frozen

from ttr_rules import Counts, Event, Refusal, State
from ttr_rules.events import PileShuffled
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    CostChange,
    Economy,
    Message,
    Price,
    PriceList,
    PriceTable,
    Transaction,
    economy_of,
    plural,
)
from ttr_rules.train_cards import CardPiles, Pool, TrainCards

from .payments import (
    BOOSTED,
    COLORS,
    FOR_LOCOMOTIVE_BOOSTED,
    LOCOMOTIVE,
    ONE_FEWER,
    Hand,
    bundle,
    lengths,
    rank,
    symbols,
)
from .technologies import BOOSTER, DIESEL, TECHNOLOGIES, Technologies, TechnologiesBoxed

CARDS_OF_A_COLOR = 12
LOCOMOTIVES = 20
DECK: Mapping[str, int] = {**dict.fromkeys(COLORS, CARDS_OF_A_COLOR), LOCOMOTIVE: LOCOMOTIVES}
HANDS_KEPT = 1000


@frozen
class LocomotiveDealt(Event):
    """A seat got the locomotive that each player starts with, in addition to the dealt cards (U3)."""

    message = ""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        piles = state.part(CardPiles)
        piles.give(seat, Counts({LOCOMOTIVE: 1}))


class BritishCards(TrainCards):
    """Train cards of which any four can replace a locomotive, wherever one may be played (U5).

    The marks of a cost say how many are needed, and whether one card fewer may be played. `mixed` allows locomotives
    among the cards that replace one (UR2).
    """

    def __init__(self, *, mixed: bool = False) -> None:
        super().__init__(DECK, sweep_at=None)
        self.mixed = mixed

    def data(self) -> Mapping[str, object]:
        return {**super().data(), "mixed": self.mixed}

    # -- set-up and the first shuffle ------------------------------------------------------------------------

    def shuffle(self, tx: Transaction) -> None:
        """Shuffle the deck without the locomotives that are set aside for the players (U3, UR1)."""
        deck = {**self.cards, LOCOMOTIVE: self.cards[LOCOMOTIVE] - tx.state.players}
        tx.emit(PileShuffled, tx.shuffled(self.in_order(deck)))

    def deal(self, tx: Transaction) -> None:
        for seat in range(tx.state.players):
            tx.emit(LocomotiveDealt, seat)
        super().deal(tx)

    def rebuild_pile(self, tx: Transaction) -> None:
        """Rebuild the pile; the first time, some advanced technologies leave the game (U26, UR17)."""
        before = tx.state.part(CardPiles).pile
        super().rebuild_pile(tx)
        if tx.state.part(CardPiles).pile is not before:
            left = tx.state.part(Technologies).left
            early = tuple([id for id, count in left.items() if count and TECHNOLOGIES[id].early])
            if early:
                tx.emit(TechnologiesBoxed, early)

    # -- payments --------------------------------------------------------------------------------------------

    def hand_of(self, cards: Sequence[int]) -> Hand:
        """These cards of each kind as a `Hand` for payments."""
        return Hand(Pool(cards[: self.wild]), cards[self.wild], self.mixed)

    def payments(self, state: State, seat: int, cost: Cost) -> Sequence[Counts]:
        return self.hand_of(self.held(state, seat)).payments(cost)

    def has_locomotive(self, state: State, seat: int) -> bool:
        """Whether a seat could have a locomotive, or the three cards that may replace one: a quick check."""
        held = self.held(state, seat)
        return held[self.wild] > 0 or sum(held) >= FOR_LOCOMOTIVE_BOOSTED

    def payments_before(self, state: State, seat: int, cost: Cost, then: Collection[Cost]) -> Sequence[Counts]:
        """The payments for a cost of only locomotives that leave enough for one of the costs `then`."""
        return self.hand_of(self.held(state, seat)).payments_before(cost, then)

    def leaves_enough(self, state: State, seat: int, payment: Counts, then: Collection[Cost]) -> bool:
        """Whether one of the costs `then` can be paid after a payment."""
        held = self.held(state, seat)
        left = self.hand_of([count - payment[kind] for kind, count in zip(self.kinds, held, strict=True)])
        return any(left.lots(cost) for cost in then)

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        return rank(payment[LOCOMOTIVE], payment.total - payment[LOCOMOTIVE])

    def price_list(self, costs: Sequence[Cost]) -> PriceList:
        return BritishPrices(self, costs)

    # -- checking a payment -----------------------------------------------------------------------

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        """Check U5: each replaced locomotive makes the payment longer; the rest must fill symbols and spaces."""
        step = bundle(cost) - 1
        for spaces in lengths(cost):
            replaced, odd = divmod(payment.total - spaces, step)
            if not odd and 0 <= replaced <= spaces:
                return self._misfit(cost, payment, spaces, replaced)
        first, *other = sorted(lengths(cost))
        asked: object = first
        for each in other:
            asked = Message("{one} or {other}", one=asked, other=each)
        one = (
            "{asked} card is asked for, or {more} more for each locomotive that {step} cards stand for, "
            "not {total} ({payment})"
        )
        many = (
            "{asked} cards are asked for, or {more} more for each locomotive that {step} cards stand for, "
            "not {total} ({payment})"
        )
        told = {"asked": asked, "more": step, "step": step + 1, "total": payment.total, "payment": payment}
        return Refusal("U5", plural(one, many, 2 if other else first, **told))

    def _misfit(self, cost: Cost, payment: Counts, spaces: int, replaced: int) -> Refusal | None:
        """Why a payment of the right size is refused, given the number of locomotives replaced by other cards."""
        colored = spaces - replaced - payment[LOCOMOTIVE]
        if colored < 0 and not self.mixed:
            return Refusal("UR2", Message("locomotives do not stand for locomotives: {payment}", payment=payment))
        plain = spaces - symbols(cost)
        if colored > plain:
            needed = symbols(cost)
            one, many = "{count} locomotive at least, not {payment}", "{count} locomotives at least, not {payment}"
            return Refusal("F1", plural(one, many, needed, payment=payment))
        if cost.color is None:
            best = max((count for card, count in payment.items() if card != LOCOMOTIVE), default=0)
        else:
            best = payment[cost.color]
        if best < colored:
            if cost.color is None:
                told = "{count} of one colour cards are needed with {payment}"
                return Refusal("C1", Message(told, count=colored, payment=payment))
            told = "{count} {color} cards are needed with {payment}"
            return Refusal("C1", Message(told, count=colored, color=cost.color, payment=payment))
        return None


def british(economy: Economy) -> BritishCards:
    """The cards of this map, beneath any layers."""
    return economy_of(economy, BritishCards)


class BritishPrices(PriceList):
    """Prices counted once per hand and cached."""

    __slots__ = ("_british", "_known")

    def __init__(self, economy: BritishCards, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._british = economy
        self._known: dict[tuple[int, ...], PriceTable] = {}

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        hand = tuple(self._british.held(state, seat))
        table = self._known.get(hand)
        if table is None:
            if len(self._known) >= HANDS_KEPT:
                self._known.clear()
            cards = self._british.hand_of(hand)
            payments = [(item, cards.payments(cost)) for item, cost in enumerate(self.costs)]
            table = PriceTable([Price(item, each) for item, each in payments if each])
            self._known[hand] = table
        return (table,)


# -- effects of technologies --------------------------------------------------------------------------------------


@cache
def marked(cost: Cost, boosted: bool, one_fewer: bool) -> Cost:
    """A cost marked for the owner of a booster (U13) or diesel power (U27)."""
    marks = (*cost.marks, *[BOOSTED] * boosted, *[ONE_FEWER] * one_fewer)
    return cost if marks == cost.marks else evolve(cost, marks=marks)


def _change(state: State, seat: int, cost: Cost) -> Cost:
    part: Technologies = state.parts[Technologies]
    owned = part.owned[seat]
    return marked(cost, BOOSTER in owned, DIESEL in owned) if owned else cost


#: U13, U27: what routes cost the owner of a booster or of diesel power.
COST_CHANGE = CostChange("technologies", _change)


def purchase_cost(state: State, seat: int, technology: str) -> Cost:
    """What a technology costs a seat: only locomotives (U9)."""
    part: Technologies = state.parts[Technologies]
    return _price(TECHNOLOGIES[technology].price, part.owns(seat, BOOSTER))


@cache
def _price(locomotives: int, boosted: bool) -> Cost:
    return marked(Cost("technology", locomotives, only_wilds=True), boosted, one_fewer=False)
