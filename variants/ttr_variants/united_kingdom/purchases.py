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
    join_commas,
    not_barred,
    route_cost,
)

from .advanced import ExtraClaim
from .cards import british, purchase_cost
from .options import BritishOptions
from .right_of_way import SharedClaim, shareable
from .state import Technologies, TechnologyBought
from .technologies import RIGHT_OF_WAY, TECHNOLOGIES, Technology


def next_costs(state: State, seat: int, technology: str) -> Collection[Cost]:
    """The possible costs of the claim required by a technology that is used up at once."""
    if technology == RIGHT_OF_WAY:
        routes = shareable(state, seat)
    else:
        claimable = not_barred(state, seat, state.open[seat])
        routes = [id for number, id in enumerate(state.rules.network.route_ids) if claimable >> number & 1]
    return dict.fromkeys(route_cost(state, seat, id) for id in routes)


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
        part, seat = state.part(Technologies), decision.seat
        payments: dict[object, Sequence[Counts]] = {}
        things: list[tuple[str, Sequence[Counts]]] = []
        for id in part.left:
            if self._unavailable(state, seat, TECHNOLOGIES[id]) is None:
                cost = purchase_cost(state, seat, id)
                key = id if TECHNOLOGIES[id].at_once else cost
                if key not in payments:
                    payments[key] = self._payments(state, seat, TECHNOLOGIES[id], cost)
                things.append((id, payments[key]))
        return PaidActions(BuyTechnology, seat, things)

    def _payments(self, state: State, seat: int, card: Technology, cost: Cost) -> Sequence[Counts]:
        payments = british(self.economy).payments(state, seat, cost)
        if not payments or not card.at_once:
            return payments
        hand = british(self.economy).held(state, seat)
        return british(self.economy).payments_that_leave(hand, cost, next_costs(state, seat, card.id))

    def refusal(self, state: State, decision: Turn, action: BuyTechnology) -> Refusal | None:
        part, seat = state.part(Technologies), action.seat
        card = TECHNOLOGIES.get(action.technology)
        if card is None or card.id not in part.left:
            there = join_commas([TECHNOLOGIES[id].name for id, left in part.left.items() if left] or [""])
            template = "no technology {technology} is for sale, only {others}"
            return Refusal("U9", Message(template, technology=brief(action.technology), others=there))
        unavailable = self._unavailable(state, seat, card)
        if unavailable is not None:
            return unavailable
        refused = self.economy.refusal(state, seat, purchase_cost(state, seat, card.id), action.payment)
        if refused is not None:
            return Refusal("U9", refused.reason)
        if not card.at_once:
            return None
        cards = british(self.economy)
        left = [held - action.payment[kind] for kind, held in zip(cards.kinds, cards.held(state, seat), strict=True)]
        if any(cards.payments_from(left, cost) for cost in next_costs(state, seat, card.id)):
            return None
        if card.id == RIGHT_OF_WAY:
            rule, template = "UR7", "with what is left after {payment}, {seat} could claim no route of another player"
        else:
            rule, template = "UR10", "with what is left after {payment}, {seat} could claim no route"
        return Refusal(rule, Message(template, payment=action.payment, seat=Seat(seat)))

    def _unavailable(self, state: State, seat: int, card: Technology) -> Refusal | None:
        """Why a seat cannot buy a technology at all."""
        part = state.part(Technologies)
        if part.bought_in == state.turn_number:
            return Refusal("U9", Message("{seat} has bought a technology in this turn already", seat=Seat(seat)))
        if not part.left[card.id]:
            if card.early and not any(card.id in owned for owned in part.owned):
                template = "{technology} left the game when the discards were shuffled"
                return Refusal("U26", Message(template, technology=card.name))
            return Refusal("U9", Message("no {technology} is left", technology=card.name))
        if part.owns(seat, card.id) and not state.rules.plugin(BritishOptions).copies:
            return Refusal("UR3", Message("{seat} owns {technology} already", seat=Seat(seat), technology=card.name))
        return None

    def perform(self, tx: Transaction, decision: Turn, action: BuyTechnology) -> None:
        # Sold before it is paid for: a payment that becomes the new pile boxes what is unsold by then (U26, UR17).
        TechnologyBought.effect(tx.state, action.seat, action.technology)
        self.economy.pay(tx, action.seat, action.payment)
        tx.record(TechnologyBought, (action.seat, action.technology))
        if TECHNOLOGIES[action.technology].at_once:
            kind = SharedClaim if action.technology == RIGHT_OF_WAY else ExtraClaim
            tx.ask(kind(action.seat))
