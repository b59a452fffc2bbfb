"""Buying a technology before the action of the turn (U9), and the claims that must then be possible (UR7, UR10)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import field, frozen

from ttr_rules import Action, Counts, Refusal, State, Turn
from ttr_rules.model import Cost, to_counts
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    Message,
    PaidActions,
    Seat,
    Transaction,
    brief,
    not_barred,
    route_cost,
)

from .advanced import ExtraClaim
from .cards import british, purchase_cost
from .options import BritishOptions
from .right_of_way import SharedClaim, shareable
from .technologies import RIGHT_OF_WAY, TECHNOLOGIES, THERMOCOMPRESSOR, Technologies, Technology, TechnologyBought


def next_costs(state: State, seat: int, technology: str) -> Collection[Cost]:
    """The possible costs of the claim required by a technology that is used up at once."""
    network = state.rules.network
    shared = technology == RIGHT_OF_WAY
    routes = shareable(state, seat) if shared else not_barred(state, seat, state.open[seat])
    ids = [id for number, id in enumerate(network.route_ids) if routes >> number & 1]
    return dict.fromkeys(route_cost(state, seat, id) for id in ids)


@frozen
class BuyTechnology(Action):
    """Buy a technology for its price in locomotives, or in cards that replace them (U9)."""

    message = "Buy a technology"

    technology: str
    payment: Counts = field(converter=to_counts)


class BuyTechnologyRule(ActionRule[Turn, BuyTechnology]):
    """Buy one technology before the action; one that is used up at once determines the action (U9, U16, U22)."""

    on = Turn
    action = BuyTechnology
    free = True

    def __init__(self, economy: Economy) -> None:
        self.economy = economy

    def offers(self, state: State, decision: Turn) -> Sequence[BuyTechnology]:
        part: Technologies = state.parts[Technologies]
        seat = decision.seat
        if part.bought_in == state.turn_number or not british(self.economy).has_locomotive(state, seat):
            return ()
        known: dict[Cost, Sequence[Counts]] = {}
        things: list[tuple[str, Sequence[Counts]]] = []
        for id in part.left:
            if self._unavailable(state, seat, TECHNOLOGIES[id]) is not None:
                continue
            cost = purchase_cost(state, seat, id)
            if cost not in known:
                known[cost] = british(self.economy).payments(state, seat, cost)
            payments = known[cost]
            if len(payments) and TECHNOLOGIES[id].at_once:
                payments = british(self.economy).payments_before(state, seat, cost, next_costs(state, seat, id))
            things.append((id, payments))
        return PaidActions(BuyTechnology, seat, things)

    def refusal(self, state: State, decision: Turn, action: BuyTechnology) -> Refusal | None:
        part = state.part(Technologies)
        seat = action.seat
        if part.bought_in == state.turn_number:
            return Refusal("U9", Message("{seat} has bought a technology in this turn already", seat=Seat(seat)))
        card = TECHNOLOGIES.get(action.technology)
        if card is None or card.id not in part.left:
            there = ", ".join(id for id, left in part.left.items() if left)
            told = "no technology {technology} is for sale, only {others}"
            return Refusal("U9", Message(told, technology=brief(action.technology), others=there))
        unavailable = self._unavailable(state, seat, card)
        if unavailable is not None:
            return unavailable
        refused = self.economy.refusal(state, seat, purchase_cost(state, seat, card.id), action.payment)
        if refused is not None:
            return Refusal("U9", refused.reason)
        if card.at_once:
            return self._no_claim(state, seat, card, action.payment)
        return None

    def _unavailable(self, state: State, seat: int, card: Technology) -> Refusal | None:
        """Why a seat cannot buy a technology at all."""
        part: Technologies = state.parts[Technologies]
        if not part.left[card.id]:
            if card.early and not any(map(card.id.__eq__, sum(part.owned, ()))):
                told = "{technology} left the game when the discards were shuffled"
                return Refusal("U26", Message(told, technology=card.name))
            return Refusal("U9", Message("no {technology} is left", technology=card.name))
        if part.owns(seat, card.id) and not state.rules.plugin(BritishOptions).copies:
            return Refusal("UR3", Message("{seat} owns {technology} already", seat=Seat(seat), technology=card.name))
        return None

    def _no_claim(self, state: State, seat: int, card: Technology, payment: Counts) -> Refusal | None:
        """Why a payment for a technology that is used up at once is refused: no claim could follow (UR7, UR10)."""
        if british(self.economy).leaves_enough(state, seat, payment, next_costs(state, seat, card.id)):
            return None
        if card.id == RIGHT_OF_WAY:
            rule, told = "UR7", "with what is left after {payment}, {seat} could claim no route of another player"
        else:
            rule, told = "UR10", "with what is left after {payment}, {seat} could claim no route"
        return Refusal(rule, Message(told, payment=payment, seat=Seat(seat)))

    def perform(self, tx: Transaction, decision: Turn, action: BuyTechnology) -> None:
        self.economy.pay(tx, action.seat, action.payment)
        tx.emit(TechnologyBought, action.seat, action.technology)
        if action.technology == RIGHT_OF_WAY:
            tx.ask(SharedClaim(action.seat))
        elif action.technology == THERMOCOMPRESSOR:
            tx.ask(ExtraClaim(action.seat))
