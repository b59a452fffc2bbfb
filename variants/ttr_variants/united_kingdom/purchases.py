"""Train cards, and what is bought with them: technologies, a right of way, a second claim.

The rules are U2, U3, U5, U6, U9, U13, U16, U22, U23, U26 and U27.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from ttr_rules import Action, ClaimRoute, Counts, Decision, Event, Refusal, State, Turn
from ttr_rules.actions import ClaimRule, Prices, after_claim, economy_of, pays_with, unbarred_routes
from ttr_rules.errors import PluginError
from ttr_rules.events import PileShuffled, RouteShared
from ttr_rules.language import Message, Seat
from ttr_rules.model import CARD_COLORS, Card, CardDraw, Cost, to_counts
from ttr_rules.parts import Position, Report
from ttr_rules.plugins import ActionRule, PaidRule, Rules, Transaction
from ttr_rules.train_cards import CardPiles, Lot, Pool, Reading, StandIns, TrainCards

from .technologies import (
    BOOSTER,
    DIESEL,
    RIGHT_OF_WAY,
    TECHNOLOGIES,
    WATER_TENDERS,
    BritishOptions,
    Technologies,
    TechnologiesBoxed,
    TechnologyBought,
    not_shareable,
)

COLORS = tuple(map(str, CARD_COLORS))
LOCOMOTIVE = str(Card.LOCOMOTIVE)
DECK: Mapping[str, int] = {**dict.fromkeys(COLORS, 12), LOCOMOTIVE: 20}  # U2
TECHNOLOGY = "technology"  # the kind of cost


class LocomotiveDealt(Event):
    """A seat got the locomotive that each player starts with, in addition to the dealt cards (U3)."""

    message = ""

    seat: int

    def apply(self, state: State) -> None:
        state.part(CardPiles).give(self.seat, Counts({LOCOMOTIVE: 1}))


class BritishCards(TrainCards):
    """Train cards: any four replace a locomotive, wherever one may be played (U5).

    The powers of a seat are whether it owns a booster (U13), and diesel power (U27), which serves for routes only.
    """

    position_keys = (*TrainCards.position_keys, "pile_rebuilt")

    def __init__(self, *, mixed: bool = False) -> None:
        super().__init__(DECK, sweep_at=None)
        self.mixed = mixed

    def fingerprint_data(self) -> Mapping[str, object]:
        return {**super().fingerprint_data(), "mixed": self.mixed}

    def powers(self, state: State, seat: int) -> Hashable:
        owned = state.part(Technologies).owned[seat]
        return BOOSTER in owned, DIESEL in owned

    def readings(self, cost: Cost, powers: Any) -> Sequence[Reading]:
        """Four cards, or three with a booster, replace a locomotive as often as one likes (U5, U13).

        Some pay one fewer (U27).
        """
        boosted, diesel = powers or (False, False)
        symbols = cost.spaces if cost.only_wilds else cost.wilds
        fewer = (
            diesel and cost.kind != TECHNOLOGY and cost.spaces > max(symbols, 1)
        )  # not 0 cards, and not for a symbol
        others = dict.fromkeys(self.kinds if self.mixed else self.colors, 1)
        return [
            Reading(
                Lot({color: 1}, spaces - bundles),
                Lot(others, (3 if boosted else 4) * bundles),
                wilds=None if self.mixed else spaces - bundles,
                needs_wilds=max(symbols - bundles, 0),
            )
            for spaces in range(cost.spaces, cost.spaces - 1 - fewer, -1)
            for bundles in range(spaces + 1)
            for color in ([cost.color] if cost.color else self.colors)
        ]

    def add_readings(self, more: object, powers: object = None) -> None:
        raise PluginError(
            "no plugin can add readings to the cards of the United Kingdom: derive your cards from BritishCards"
        )

    def bar_cards(self, barred: object, powers: object = None) -> None:
        raise PluginError(
            "no plugin can bar cards from the payments of the United Kingdom: override payments and refusal of a layer"
        )

    def stand_ins(self, cost: Cost, powers: Hashable) -> StandIns:
        """A cost, which always has stand-ins."""
        stand_ins = self.bill(cost, powers).stand_ins
        assert stand_ins is not None, "every reading has them"
        return stand_ins

    def stand_in_rule(self, cost: Cost, problem: str) -> str:
        return {"cards": "U5", "few_wilds": "F1", "many_wilds": "UR2"}.get(problem, "C1")

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """A locomotive counts as two cards, as drawing one costs two."""
        return payment.total + payment[LOCOMOTIVE], payment[LOCOMOTIVE]

    def shuffle(self, tx: Transaction) -> None:
        """Shuffle the deck without the locomotives that are set aside for the players (U3, UR1)."""
        deck = {**self.cards, LOCOMOTIVE: self.cards[LOCOMOTIVE] - tx.state.players}
        tx.emit(PileShuffled, tx.shuffled(self.in_order(deck)))

    def deal(self, tx: Transaction) -> None:
        for seat in range(tx.state.players):
            tx.emit(LocomotiveDealt, seat)
        super().deal(tx)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Arrange the cards. With `pile_rebuilt`, technologies sold only before the first new pile are gone (U26)."""
        if position.flag("pile_rebuilt", False, report):
            if not tx.rules.plugin(BritishOptions).advanced:
                report.add("pile_rebuilt", "leave this out, or play with united-kingdom:advanced=true (U26)")
            box_early(tx)
        super().arrange(tx, position, report)


def box_early(tx: Transaction) -> None:
    """Box the unsold technologies that are sold only until the first new pile (U26)."""
    left = tx.state.part(Technologies).left
    early = tuple([id for id, count in left.items() if count and TECHNOLOGIES[id].early])
    if early:
        tx.emit(TechnologiesBoxed, early)


# -- claims ----------------------------------------------------------------------------------------------------


def claims(state: State) -> PaidRule[Turn, ClaimRoute]:
    """The rule for claims in any turn."""
    return cast("PaidRule[Turn, ClaimRoute]", state.rules.answers[Turn].by_action[ClaimRoute])


def shareable(state: State, seat: int) -> list[int]:
    """The routes that others hold and a seat could also claim, if it can pay, by number (U16, UR8)."""
    network, own = state.rules.network, state.routes_of(seat)
    held = network.mask([route for route, owner in enumerate(state.owner) if owner >= 0])
    mine = network.mask(own)
    free = unbarred_routes(state, seat, held & network.within(state.cars[seat]) & ~mine & ~network.beside(mine))
    return [route for route in range(len(state.owner)) if free >> route & 1]


def next_costs(state: State, seat: int, technology: str) -> tuple[Prices, frozenset[int]]:
    """The possible costs of the claim required by a technology that is used up at once, as numbers in some prices."""
    if technology == RIGHT_OF_WAY:
        sharing: Any = state.rules.answers[SharedClaim].by_action[ShareRoute]
        return sharing.prices, frozenset([sharing.cost_of[route] for route in shareable(state, seat)])
    rule = claims(state)
    prices = rule.tariff(state, seat).prices
    return prices, frozenset([number for number, count in enumerate(rule.stock(state, seat)) if count])


# -- technologies ----------------------------------------------------------------------------------------------


class BuyTechnology(Action):
    """Buy a technology for its price in locomotives, or in cards that replace them (U9)."""

    message = "Buy a technology"

    technology: str
    payment: Counts

    def __init__(self, seat: int, technology: str, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, technology, to_counts(payment))


def price(technology: str) -> Cost:
    """The price of a technology: only locomotives (U9). One that is used up at once is marked."""
    card = TECHNOLOGIES[technology]
    return Cost(TECHNOLOGY, card.price, only_wilds=True, marks=(technology,) if card.at_once else ())


def count_needed(then: Collection[StandIns], cards: int, wilds: int) -> tuple[int | None, ...]:
    """The number of each color that is enough to pay one of some costs, among so many cards besides locomotives."""
    least: dict[str | None, int] = {}
    for cost in then:
        needed = cost.least(cards, wilds)
        if needed is not None:
            least[cost.color] = min(needed, least.get(cost.color, needed))
    return tuple([min([least[key] for key in (color, None) if key in least], default=None) for color in COLORS])


def payments_that_leave(price: StandIns, then: Collection[StandIns], hand: Mapping[str, int]) -> Sequence[Counts]:
    """The payments of a price out of a hand after which it can still pay one of some costs."""
    pool, wilds = Pool([hand[color] for color in COLORS]), hand[LOCOMOTIVE]
    left = [
        batch._replace(cards=rest, needs=count_needed(then, rest, wilds - batch.wilds), keeps=True)
        for batch in price.batches(wilds)
        for rest in [pool.size - batch.cards]
    ]
    return price.payments_in(pool, left)


@lru_cache(maxsize=100)  # asked for several times in a turn
def _payments_for(
    cards: BritishCards, price: Cost, powers: Hashable, hand: tuple[int, ...], prices: Prices, then: frozenset[int]
) -> Sequence[Counts]:
    costs = [cards.stand_ins(prices.costs[number], powers) for number in then]
    return payments_that_leave(cards.stand_ins(price, powers), costs, dict(zip(cards.kinds, hand, strict=True)))


class TechnologyPrices(Prices):
    """Payments for technologies: for one that is used up at once, those that leave enough for its claim (UR7, UR10)."""

    def __init__(self, economy: BritishCards, costs: Sequence[Cost]) -> None:
        super().__init__(economy, costs)
        self._cards = economy
        self._all = economy.prices(costs)
        self._at_once = [next(iter(cost.marks), None) for cost in costs]

    def payments(self, state: State, seat: int, cost: int) -> Sequence[Counts]:
        technology = self._at_once[cost]
        if technology is None:
            return self._all.payments(state, seat, cost)
        cards = self._cards
        powers, hand = cards.powers(state, seat), tuple(cards.held(state, seat))
        prices, then = next_costs(state, seat, technology)
        return _payments_for(cards, self.costs[cost], powers, hand, prices, then)

    def ways(self, state: State, seat: int, cost: int) -> int:
        ways = self._all.ways(state, seat, cost)
        return len(self.payments(state, seat, cost)) if ways and self._at_once[cost] else ways


class BuyTechnologyRule(PaidRule[Turn, BuyTechnology]):
    """Buy one technology before the action. One that is used up at once determines the action (U9, U16, U22)."""

    free = True

    def every(self, rules: Rules) -> list[tuple[str, Cost]]:
        advanced = rules.plugin(BritishOptions).advanced
        return [(card.id, price(card.id)) for card in TECHNOLOGIES.values() if advanced or not card.advanced]

    def make_prices(self, costs: Sequence[Cost]) -> Prices:
        if not pays_with(self.economy, BritishCards):
            raise PluginError(
                "technologies of the United Kingdom are bought with locomotives of its own train cards (U9)"
            )
        return TechnologyPrices(economy_of(self.economy, BritishCards), costs)

    def on_sale(self, state: State, seat: int) -> list[int]:
        part = state.part(Technologies)
        if part.bought_in == state.turn_number:
            return []
        owned = part.owned[seat]
        once = not state.rules.plugin(BritishOptions).copies
        return [n for n, id in enumerate(self.things) if part.left[id] and not (once and id in owned)]

    def no_sale(self, state: State, seat: int, thing: str) -> Refusal | None:
        part, card = state.part(Technologies), TECHNOLOGIES[thing]
        if part.bought_in == state.turn_number:
            return Refusal("U9", Message("{seat} has bought a technology in this turn already", seat=Seat(seat)))
        if not part.left[card.id]:
            if card.early and not any(card.id in owned for owned in part.owned):
                template = "{technology} left the game when the discards were shuffled"
                return Refusal("U26", Message(template, technology=card.name))
            return Refusal("U9", Message("no {technology} is left", technology=card.name))
        if card.id in part.owned[seat] and not state.rules.plugin(BritishOptions).copies:
            return Refusal("UR3", Message("{seat} owns {technology} already", seat=Seat(seat), technology=card.name))
        return None

    def payment_refusal(self, state: State, action: BuyTechnology, cost: Cost) -> Refusal | None:
        refused, technology, seat = super().payment_refusal(state, action, cost), action.technology, action.seat
        if refused is not None:
            return Refusal("U9", refused.reason)
        if not TECHNOLOGIES[technology].at_once or action.payment in self.prices.payments(
            state, seat, self.cost_of[self.item_of(state, action)]
        ):
            return None
        template = "with what is left after {payment}, {seat} could not make the claim that it is for"
        rule = "UR7" if technology == RIGHT_OF_WAY else "UR10"
        return Refusal(rule, Message(template, payment=action.payment, seat=Seat(seat)))

    def perform_code(self, tx: Transaction, seat: int, code: int) -> None:
        # Sold before it is paid for: a payment that becomes the new pile boxes what is unsold by then (U26, UR17).
        item, way = self.decode(code)
        technology, cost = self.things[item], self.cost_of[item]
        payment = self.prices.payment(tx.state, seat, cost, way)
        tx.emit(TechnologyBought, seat, technology)
        self.economy.pay(tx, seat, self.prices.costs[cost], payment)
        self.bought(tx, seat, technology)

    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        if TECHNOLOGIES[thing].at_once:
            tx.ask(SharedClaim(seat) if thing == RIGHT_OF_WAY else ExtraClaim(seat))


# -- right of way ----------------------------------------------------------------------------------------------


class SharedClaim(Decision):
    """Choose another player's route to claim too: the action of a turn in which a right of way was bought (U16)."""

    public = True
    message = "Which route of another player do you claim as well?"
    passing = "Pass"

    def pass_refusal(self, state: State) -> Refusal | None:
        """A route must be claimed if one can be paid for: always in a game (UR7), but not in sampled worlds (`determinize`)."""
        route = first_route(state, self.seat, state.rules.answers[SharedClaim].by_action[ShareRoute])
        template = "a route of another player must be claimed: {seat} can claim {route}"
        return None if route is None else Refusal("U16", Message(template, seat=Seat(self.seat), route=route))


class ShareRoute(Action):
    """Claim a route that another player holds, and pay for it like any other (U16)."""

    message = "Claim as well"

    route: str
    payment: Counts

    def __init__(self, seat: int, route: str, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, route, to_counts(payment))


class ShareRouteRule(PaidRule[SharedClaim, ShareRoute]):
    """Claim a route that another player holds, at its printed cost and points (U16).

    From then on all of them hold it.
    """

    def every(self, rules: Rules) -> list[tuple[str, Cost]]:
        return [(id, Cost.of_route(route)) for id, route in rules.board.routes.items()]

    def on_sale(self, state: State, seat: int) -> list[int]:
        return shareable(state, seat)

    def no_sale(self, state: State, seat: int, thing: str) -> Refusal | None:
        route = state.rules.network.route_number[thing]
        barred = (condition.refusal(state, seat, route) for condition in state.rules.claim_conditions)
        return not_shareable(state, seat, thing) or next(filter(None, barred), None)

    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        points = tx.rules.route_points[thing]
        tx.emit(RouteShared, seat, thing, points)
        after_claim(tx, seat, thing, points)


def first_route(state: State, seat: int, rule: Any) -> str | None:
    """A route that a seat can claim by a rule, if there is one."""
    return rule.action_of(state, seat, rule.nth(state, seat, 0)).route if rule.count(state, seat) else None


# -- thermocompressor ------------------------------------------------------------------------------------------


class ExtraClaim(Decision):
    """Choose the first or second route to claim in a turn in which a thermocompressor was bought (U22)."""

    public = True
    message = "Which route do you claim?"
    passing = "Pass"

    second: bool = False

    def pass_refusal(self, state: State) -> Refusal | None:
        """The second claim may be forgone.

        The first one, or under the other ruling both, only if none can be made (UR10).
        """
        if self.second and not state.rules.plugin(BritishOptions).second_claim_compulsory:
            return None
        template = "this claim must be made: {seat} can claim {route}"
        route = first_route(state, self.seat, claims(state))
        return None if route is None else Refusal("UR10", Message(template, seat=Seat(self.seat), route=route))


class SecondClaimDue(Event):
    """The first of two claims was made. The thermocompressor is for sale again (U22)."""

    message = ""

    seat: int

    def apply(self, state: State) -> None:
        state.part(Technologies).second_claim = False


class ExtraClaimRule(ClaimRule[ExtraClaim]):
    """Claim a route, by the rule for claims in any turn (U22)."""


# -- water tenders ---------------------------------------------------------------------------------------------


class DrawThree(CardDraw):
    """Draw three cards from the pile instead of two (U23)."""

    message = "Draw three cards from the pile"


class DrawThreeRule(ActionRule[Turn, DrawThree]):
    """Draw three cards from the pile with water tenders, or as many as there are (U23, UR12)."""

    def refusal(self, state: State, decision: Turn, action: DrawThree) -> Refusal | None:
        if WATER_TENDERS not in state.part(Technologies).owned[action.seat]:
            return Refusal("U23", Message("{seat} has no water tenders", seat=Seat(action.seat)))
        if state.part(CardPiles).pile_is_empty:
            return Refusal("D8", "draw pile and discards are empty: no train card can be taken")
        return None

    def perform(self, tx: Transaction, decision: Turn, action: DrawThree) -> None:
        for _ in range(3):
            economy_of(tx.rules.economy, BritishCards).draw(tx, action.seat)
