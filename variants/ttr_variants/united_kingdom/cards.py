"""Train cards in the United Kingdom: more locomotives, four cards for one, no sweep (U2, U3, U5, U6, U13, U26, U27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from attrs import evolve, frozen

from ttr_rules import Counts, Event, State
from ttr_rules.events import PileShuffled
from ttr_rules.model import CARD_COLORS, Card, Cost
from ttr_rules.plugins import Economy, Position, Report, Transaction, brief, economy_of
from ttr_rules.train_cards import CardPiles, Reading, StandInCards

from .state import Technologies, TechnologiesBoxed
from .technologies import BOOSTER, DIESEL, TECHNOLOGIES

COLORS = tuple(map(str, CARD_COLORS))
LOCOMOTIVE = str(Card.LOCOMOTIVE)
DECK: Mapping[str, int] = {**dict.fromkeys(COLORS, 12), LOCOMOTIVE: 20}  # U2
#: Marks of a cost for a seat that owns a booster (U13), or diesel power (U27).
BOOSTED, ONE_FEWER = "boosted", "one_fewer"


@cache
def readings(cost: Cost, mixed: bool) -> tuple[Reading, ...]:
    """The ways to read a cost: four cards, or three with a booster, replace a locomotive as often as one likes (U5).

    `mixed` allows locomotives among the cards that replace one (UR2).
    """
    symbols = cost.spaces if cost.only_wilds else cost.wilds
    bundle = 3 if BOOSTED in cost.marks else 4
    fewer = ONE_FEWER in cost.marks and cost.spaces > max(symbols, 1)  # not 0 cards, and not for a symbol (U27)
    return tuple(
        Reading(
            cards=spaces + (bundle - 1) * bundles,
            wilds=max(symbols - bundles, 0),
            least=spaces - bundles,
            most_wilds=None if mixed else spaces - bundles,
        )
        for spaces in range(cost.spaces, cost.spaces - 1 - fewer, -1)
        for bundles in range(spaces + 1)
    )


@frozen
class LocomotiveDealt(Event):
    """A seat got the locomotive that each player starts with, in addition to the dealt cards (U3)."""

    message = ""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.part(CardPiles).give(seat, Counts({LOCOMOTIVE: 1}))


class BritishCards(StandInCards):
    """Train cards of which any four can replace a locomotive, wherever one may be played (U5)."""

    position_keys = (*StandInCards.position_keys, "pile_rebuilt")

    def __init__(self, *, mixed: bool = False) -> None:
        super().__init__(DECK, sweep_at=None)
        self.mixed = mixed

    def data(self) -> Mapping[str, object]:
        return {**super().data(), "mixed": self.mixed}

    def readings(self, cost: Cost) -> Sequence[Reading]:
        return readings(cost, self.mixed)

    def stand_in_rule(self, cost: Cost, problem: str) -> str:
        return {"cards": "U5", "few_wilds": "F1", "many_wilds": "UR2"}.get(problem, "C1")

    def rank(self, wilds: int, cards: int) -> tuple[int, ...]:
        """A locomotive counts as two cards, as drawing one costs two."""
        return 2 * wilds + cards, wilds

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
            box_early(tx)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Arrange the cards. With `pile_rebuilt`, the technologies sold only before the first new pile are gone (U26)."""
        rebuilt = position.raw.get("pile_rebuilt", False)
        if not isinstance(rebuilt, bool):
            report.add("pile_rebuilt", f"expected true or false, got {brief(rebuilt)}")
        elif rebuilt:
            box_early(tx)
        super().arrange(tx, position, report)


def box_early(tx: Transaction) -> None:
    """Box the unsold technologies that are sold only until the first new pile (U26)."""
    left = tx.state.part(Technologies).left
    early = tuple([id for id, count in left.items() if count and TECHNOLOGIES[id].early])
    if early:
        tx.emit(TechnologiesBoxed, early)


def british(economy: Economy) -> BritishCards:
    """The cards of this map, beneath any layers."""
    return economy_of(economy, BritishCards)


# -- effects of technologies --------------------------------------------------------------------------------------


@cache
def _marked(cost: Cost, boosted: bool, one_fewer: bool) -> Cost:
    return evolve(cost, marks=(*cost.marks, *[BOOSTED] * boosted, *[ONE_FEWER] * one_fewer))


def claim_cost(state: State, seat: int, cost: Cost) -> Cost:
    """What routes cost the owner of a booster or of diesel power (U13, U27)."""
    part: Technologies = state.part(Technologies)
    owned = part.owned[seat]
    boosted, one_fewer = BOOSTER in owned, DIESEL in owned
    return _marked(cost, boosted, one_fewer) if boosted or one_fewer else cost


def purchase_cost(state: State, seat: int, technology: str) -> Cost:
    """What a technology costs a seat: only locomotives (U9)."""
    cost = Cost("technology", TECHNOLOGIES[technology].price, only_wilds=True)
    return _marked(cost, state.part(Technologies).owns(seat, BOOSTER), one_fewer=False)
