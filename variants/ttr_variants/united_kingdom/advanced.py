"""Advanced technologies that are actions: two claims in a turn, and drawing three cards (U22, U23)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules import Action, ClaimRoute, Decision, Event, Pass, Refusal, State, Turn
from ttr_rules.events import CardDrawn
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    Message,
    PassRule,
    Question,
    Seat,
    SingleActionRule,
    Transaction,
)
from ttr_rules.train_cards import CardPiles

from .cards import british
from .options import BritishOptions
from .state import Technologies
from .technologies import WATER_TENDERS

# -- thermocompressor ------------------------------------------------------------------------------------------


@frozen
class ExtraClaim(Decision):
    """Which route to claim, first or second, in a turn in which a thermocompressor was bought (U22)."""

    public = True
    message = "Which route do you claim?"

    second: bool = False


@frozen
class SecondClaimDue(Event):
    """The first of two claims was made; the thermocompressor is for sale again (U22)."""

    message = ""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.part(Technologies).second_claim = False


class ExtraClaimRule(ActionRule[ExtraClaim, ClaimRoute]):
    """Claim a route, by the rule for claims in any turn (U22)."""

    on = ExtraClaim
    action = ClaimRoute

    def offers(self, state: State, decision: ExtraClaim) -> Sequence[ClaimRoute]:
        return _claims(state).offers(state, Turn(decision.seat))

    def refusal(self, state: State, decision: ExtraClaim, action: ClaimRoute) -> Refusal | None:
        return _claims(state).refusal(state, Turn(decision.seat), action)

    def perform(self, tx: Transaction, decision: ExtraClaim, action: ClaimRoute) -> None:
        _claims(tx.state).perform(tx, Turn(decision.seat), action)


def _claims(state: State) -> ActionRule[Turn, ClaimRoute]:
    rule: ActionRule[Turn, ClaimRoute] = state.rules.answers[Turn].by_action[ClaimRoute]
    return rule


class ForgoClaimRule(PassRule[ExtraClaim]):
    """Forgo the second claim; for the first one, or under the other ruling, only if none can be made (UR10)."""

    on = ExtraClaim

    def refusal(self, state: State, decision: ExtraClaim, action: Pass) -> Refusal | None:
        if decision.second and not state.rules.plugin(BritishOptions).second_claim_compulsory:
            return None
        claims = _claims(state).offers(state, Turn(decision.seat))
        if not len(claims):
            return None
        template = "the first claim must be made: {seat} can claim {route}"
        if decision.second:
            template = "the second claim must be made: {seat} can claim {route}"
        return Refusal("UR10", Message(template, seat=Seat(decision.seat), route=claims[0].route))


def second_claim(tx: Transaction, seat: int) -> Question:
    """The second claim, if one is due, whether or not the seat can make it, so that nothing is given away (U22, UR11)."""
    if not tx.state.part(Technologies).second_claim:
        return ()
    tx.emit(SecondClaimDue, seat)
    return ExtraClaim(seat, second=True)


# -- water tenders ---------------------------------------------------------------------------------------------


@frozen
class DrawThree(Action):
    """Draw three cards from the pile instead of two (U23)."""

    message = "Draw three cards from the pile"


class DrawThreeRule(SingleActionRule[Turn, DrawThree]):
    """Draw three cards from the pile with water tenders, or as many as there are (U23, UR12)."""

    on = Turn
    action = DrawThree

    def __init__(self, economy: Economy) -> None:
        self.economy = economy

    def refusal(self, state: State, decision: Turn, action: DrawThree) -> Refusal | None:
        if not state.part(Technologies).owns(action.seat, WATER_TENDERS):
            return Refusal("U23", Message("{seat} has no water tenders", seat=Seat(action.seat)))
        if state.part(CardPiles).pile_is_empty:
            return Refusal("D8", "draw pile and discards are empty: no train card can be taken")
        return None

    def perform(self, tx: Transaction, decision: Turn, action: DrawThree) -> None:
        cards, piles = british(self.economy), tx.state.part(CardPiles)
        for _ in range(3):
            if not piles.pile_is_empty:
                tx.emit(CardDrawn, action.seat, cards.kinds[piles.pile[piles.drawn]])
                cards.settle(tx)
