"""Plugins whose faults random games seldom show: in unusual positions, in another process, or in what nobody compares."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from attrs import evolve

from ttr_rules import Action, Board, Counts, DrawTickets, Event, Pass, Refusal, Route, Rules, State, Turn, View
from ttr_rules.actions import economy_of
from ttr_rules.events import Unknown
from ttr_rules.hints import ActionValue, BotHint, CityPiece, MapMark, RouteCosts
from ttr_rules.model import Cost, Dealer
from ttr_rules.parts import KeyHelp, Position, Report
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Bonus,
    Choice,
    Confirm,
    Economy,
    EconomyLayer,
    Part,
    Question,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    points_in_play,
    public,
    secret,
)
from ttr_rules.scores import Detail, completed
from ttr_rules.train_cards import CardPiles, TrainCards

from . import coins, made
from .faulty import Store, StoreChoice, StoreRule, few_cars
from .giving import Giving
from .shown import Shown
from .spending import Bank, CoinForSpace, CoinsLeft

PRICE = 7


def plugin(name: str, **hooks: Callable[..., object]) -> type[Variant]:
    """A plugin with these hooks, for short games."""
    return made.plugin(name, (), __name__, **{"components": few_cars, **hooks})


# -- coins and what they buy -----------------------------------------------------------------------------------------


class Coins(Part):
    """The coins of each seat, and what it bought."""

    purse: list[int] = public(each=1)
    bought: list[int] = public(each=0)


class CoinsWon(Event):
    message = "{seat} gets coins"
    seat: int
    coins: int

    def apply(self, state: State) -> None:
        state.part(Coins).purse[self.seat] += self.coins


class Buy(Action):
    message = "Buy"


class ThingBought(Event):
    message = "{seat} buys something"
    seat: int
    price: int

    def apply(self, state: State) -> None:
        state.part(Coins).purse[self.seat] -= self.price
        state.part(Coins).bought[self.seat] += 1


class BuyRule(ActionRule[Turn, Buy]):
    """Something is sold; `offered_from` and `refused_below` are the prices that its two methods know."""

    def __init__(self, offered_from: int = PRICE, refused_below: int = PRICE) -> None:
        self.offered_from, self.refused_below = offered_from, refused_below

    def offers(self, state: State, decision: Turn) -> Sequence[Buy]:
        return [Buy(decision.seat)] if state.part(Coins).purse[decision.seat] >= self.offered_from else ()

    def refusal(self, state: State, decision: Turn, action: Buy) -> Refusal | None:
        poor = state.part(Coins).purse[decision.seat] < self.refused_below
        return Refusal("shop", "it costs more") if poor else None

    def perform(self, tx: Transaction, decision: Turn, action: Buy) -> None:
        tx.emit(ThingBought, action.seat, PRICE)


def win_coins(tx: Transaction, seat: int, route: Route, points: int) -> None:
    tx.emit(CoinsWon, seat, 2 * route.length)  # odd numbers of coins are rare


def shop(rule: BuyRule) -> type[Variant]:
    return plugin("shop", parts=lambda rules: [Coins], actions=lambda rules: [rule], on_claim=win_coins)


# -- free actions, extra turns ---------------------------------------------------------------------------------------


class Wave(Action):
    message = "Wave"


class WaveRule(ActionRule[Turn, Wave]):
    """Waving is free; with `limit` only so often."""

    free = True

    def __init__(self, limit: int | None = None) -> None:
        self.limit = limit

    def offers(self, state: State, decision: Turn) -> Sequence[Wave]:
        waved = state.part(Coins).bought[decision.seat]
        return [Wave(decision.seat)] if self.limit is None or waved < self.limit else ()

    def perform(self, tx: Transaction, decision: Turn, action: Wave) -> Question | None:
        tx.emit(ThingBought, action.seat, 0)
        return None


class Greeting(Choice[str]):
    """How do you wave?"""

    public = True
    message = "How do you wave?"

    def options(self, state: State) -> Sequence[str]:
        return ("slowly", "wildly")

    def chosen(self, tx: Transaction, option: str) -> None:
        pass


class WaveAndAskRule(WaveRule):
    """Waving asks how, and the turn goes on."""

    def perform(self, tx: Transaction, decision: Turn, action: Wave) -> Greeting:
        super().perform(tx, decision, action)
        return Greeting(action.seat)


def waving(rule: WaveRule) -> type[Variant]:
    return plugin("waving", parts=lambda rules: [Coins], actions=lambda rules: [rule])


def again_if_rich(tx: Transaction, seat: int) -> None:
    if sum(tx.state.part(CardPiles).hand[seat]) > 15:
        tx.grant_turn(seat)


def again_with(cars: int) -> Callable[[Transaction, int], None]:
    """A hook that grants a turn while so many train cars are left."""

    def again_if_late(tx: Transaction, seat: int) -> None:
        if tx.state.cars[seat] == cars:
            tx.grant_turn(seat)

    return again_if_late


# -- cards that vanish, payments that stay ---------------------------------------------------------------------------


def lock_blind(event: Callable[[int, str], Event]) -> Callable[[Transaction, int, Route, int], None]:
    def lock(tx: Transaction, seat: int, route: Route, points: int) -> None:
        economy_of(tx.rules.economy, TrainCards).draw(tx, seat, into=partial(event, seat))

    return lock


class Bags(Part):
    bag: list[tuple[str, ...] | Unknown] = by_seat(pool="cards")


class PutInBag(Event):
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(CardPiles).take(self.seat, Counts({known(self.card): 1}))
        bags = state.part(Bags).bag
        bags[self.seat] = (*known(bags[self.seat]), known(self.card))


class PutAside(Choice[str]):
    """All choose a card in secret, and put it aside together."""

    public = sealed = secret_answer = True
    message = "Which card do you put aside?"

    def options(self, state: State) -> Sequence[str]:
        return [*state.part(CardPiles).counts(self.seat)]

    def all_chosen(self, tx: Transaction, answers: Mapping[int, str]) -> None:
        for seat, card in sorted(answers.items()):
            tx.emit(PutInBag, seat, card)


def put_aside(tx: Transaction) -> Question:
    return [PutAside(seat) for seat in range(tx.state.players)]


def bagging() -> type[Variant]:
    return plugin("bags", parts=lambda rules: [Bags], on_game_start=put_aside)


class AnotherTurn(Confirm):
    """Asked when a turn begins: whoever says yes has another one."""

    public = True

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.grant_turn(self.seat)


SHARED: list[list[str]] = [[], [], [], [], []]


class Diary(Part):
    lines: list[list[str]] = public(each=[])

    @classmethod
    def start(cls, rules: Rules, players: int) -> Diary:
        return cls(lines=SHARED[:players])


class Portents(Part):
    omen: list[int | Unknown] = by_seat(each=1)

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        self.omen = [1 + dealer.below(6) if isinstance(omen, Unknown) else omen for omen in self.omen]


class OmenTold(Event):
    """It names another part than the one that hides what it tells."""

    reveals = CardPiles
    seat: int
    omen: int

    def apply(self, state: State) -> None:
        state.part(Portents).omen[self.seat] = self.omen


class TicketTold(Event):
    reveals = CardPiles
    seat: int
    ticket: str

    def apply(self, state: State) -> None:
        """Nothing happens."""


class Routes(Event):
    routes: list[str]

    def apply(self, state: State) -> None:
        """Nothing happens."""


class Debts(Part):
    """Coins that may be owed."""

    coins: list[int] = public(each=0)


class CoinOwed(Event):
    seat: int

    def apply(self, state: State) -> None:
        state.part(Debts).coins[self.seat] -= 1


class Borrow(Action):
    message = "Borrow a coin"


class BorrowRule(ActionRule[Turn, Borrow]):
    def offers(self, state: State, decision: Turn) -> Sequence[Borrow]:
        return [Borrow(decision.seat)] if state.part(Debts).coins[decision.seat] > -3 else ()

    def perform(self, tx: Transaction, decision: Turn, action: Borrow) -> None:
        tx.emit(CoinOwed, action.seat)


class Wells(Part):
    """Two required keys that must agree."""

    drawn: list[int] = public(each=0, key="drawn", help="Buckets drawn.", required=True, example="1")
    left: int = public(default=20, key="left", help="Buckets left.", required=True, example="18")

    def validate(self, rules: Rules) -> str | None:
        return None if sum(self.drawn) + self.left == 20 else "there are twenty buckets"


class CardLost(Event):
    message = "{seat} puts a card aside"
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        piles = state.part(CardPiles)
        piles.hand[self.seat][piles.number[known(self.card)]] -= 1


class CardFound(Event):
    message = "{seat} finds a card"
    seat: int

    def apply(self, state: State) -> None:
        state.part(CardPiles).hand[self.seat][0] += 1


class LoseRule(StoreRule):
    def perform(self, tx: Transaction, decision: StoreChoice, action: Store) -> None:
        tx.emit(CardLost, action.seat, action.card)


def ask_to_lose(tx: Transaction, seat: int) -> Question:
    return StoreChoice(seat) if sum(tx.state.part(CardPiles).hand[seat]) >= 5 else ()


def find_card(tx: Transaction, seat: int, route: Route, points: int) -> None:
    tx.emit(CardFound, seat)


def find_if_long(tx: Transaction, seat: int, route: Route, points: int) -> None:
    if route.length == 6:
        tx.state.part(Coins).purse[seat] += 1


class Generous(EconomyLayer):
    """Who pays with more than three cards keeps them."""

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        if payment.total <= 3:
            super().pay(tx, seat, cost, payment)


class ForgetsGems(CoinForSpace):
    """A coin or a gem stands for a card, and `spend` takes coins alone."""

    pieces = ("coin", "gem")

    def held(self, state: State, seat: int) -> dict[str, int]:
        return {**super().held(state, seat), "gem": 2}

    def alternatives(self, cost: Cost) -> list[tuple[Cost | None, Counts]]:
        return [*super().alternatives(cost), (evolve(cost, spaces=cost.spaces - 1), Counts(gem=1))]

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        if pieces["coin"]:
            super().spend(tx, seat, pieces)


class KeepsGems(ForgetsGems):
    """A gem is shown, and stays with the seat."""

    reusable = ("gem",)


def paying(layer: type[EconomyLayer]) -> type[Variant]:
    """A plugin with this layer, of the module of its event."""
    module = CoinForSpace.__module__
    return made.plugin(
        "purses",
        (),
        module,
        components=few_cars,
        parts=made.giving([Bank, Tokens]),
        economy=lambda below, board: layer(below()),
    )


def generous(below: Below[Economy], board: Board) -> Economy:
    return Generous(below())


# -- the order of a set ----------------------------------------------------------------------------------------------


class Visit(Action):
    message = "Visit a city"
    city: str


class VisitRule(ActionRule[Turn, Visit]):
    """Lists cities as a set has them, which is another order in another process."""

    free = True
    in_order = False

    def offers(self, state: State, decision: Turn) -> Sequence[Visit]:
        if state.part(Coins).bought[decision.seat] >= 2:
            return ()
        cities = {city for route in state.rules.board.routes.values() for city in route.cities}
        return [Visit(decision.seat, city) for city in (sorted(cities) if self.in_order else cities)]

    def perform(self, tx: Transaction, decision: Turn, action: Visit) -> None:
        tx.emit(ThingBought, action.seat, 0)


class SortedVisitRule(VisitRule):
    in_order = True


class Visits(Variant, name="visits"):
    """Visits: cities in any order."""

    rule: ClassVar[type[VisitRule]] = VisitRule

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Coins]

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return [self.rule()]


class VisitsInOrder(Visits, name="visits-in-order"):
    """Visits in order: cities in one order."""

    rule = SortedVisitRule


class Hashed(Variant, name="hashed"):
    """Hashed: a route is worth what the hash of a text says."""

    @hookimpl
    def route_points(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {**below(), next(iter(board.routes)): hash("points") % 10**6}


# -- what an event hides ---------------------------------------------------------------------------------------------


class Bids(Part):
    """What each seat bid, in secret, but everybody sees it."""

    bids: list[int] = public(each=0)


class SealedBids(Part):
    """What each seat bid, in secret."""

    bids: list[tuple[int, ...]] = by_seat(each=(0,))

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        lots: list[Any] = list(self.bids)
        self.bids = [(dealer.below(6),) if isinstance(lot, Unknown) else lot for lot in lots]


class BidPlaced(Event):
    message = "{seat} bids"
    seat: int
    points: int | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        if Bids in state.parts:
            state.part(Bids).bids[self.seat] = known(self.points)
        else:
            state.part(SealedBids).bids[self.seat] = (known(self.points),)


def bid(tx: Transaction, seat: int, route: Route, points: int) -> None:
    tx.emit(BidPlaced, seat, tx.shuffled((1, 2, 3, 4, 5))[0])


def bidding(part: type[Part]) -> type[Variant]:
    return plugin("bidding", parts=lambda rules: [part], on_claim=bid)


class TipMade(Event):
    message = "{seat} makes a tip"
    seat: int
    tip: int | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Tips).made[self.seat] = (known(self.tip),)


class Tips(Part):
    """The tips of each seat, and those that all have seen."""

    made: list[tuple[int, ...] | Unknown] = by_seat(each=())
    opened: tuple[int, ...] = public()
    hand: tuple[str, ...] = public()

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        self.made = [
            ((dealer.below(3),) if tip.count else ()) if isinstance(tip, Unknown) else tip for tip in self.made
        ]


class Tip(Choice[int]):
    """A tip that all give at once; opened when `early` says, by an event that may say that it opens them."""

    public = True
    concurrent = True
    opens: ClassVar[Callable[[Transaction, Tip], None]]

    def options(self, state: State) -> Sequence[int]:
        return range(3)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.emit(TipMade, self.seat, option)
        type(self).opens(tx, self)


class TipsTold(Event):
    message = "The tips are {tips}"
    tips: tuple[int, ...]
    hand: tuple[str, ...] = ()

    def apply(self, state: State) -> None:
        part = state.part(Tips)
        part.made, part.opened, part.hand = [()] * len(part.made), self.tips, self.hand


class TipsOpened(TipsTold):
    reveals = Tip


def tips_made(tx: Transaction) -> tuple[int, ...]:
    return tuple([tip for made in tx.state.part(Tips).made for tip in known(made)])


def with_the_last(kind: type[TipsTold]) -> Callable[[Transaction, Tip], None]:
    def opens(tx: Transaction, tip: Tip) -> None:
        if tx.state.to_act == (tip.seat,):
            tx.emit(kind, tips_made(tx))

    return opens


def with_the_first(tx: Transaction, tip: Tip) -> None:
    tx.emit(TipsOpened, tips_made(tx))


def with_a_hand(tx: Transaction, tip: Tip) -> None:
    if tx.state.to_act == (tip.seat,):
        hand = tx.state.part(CardPiles).counts((tip.seat + 1) % tx.state.players)
        tx.emit(TipsOpened, tips_made(tx), tuple(hand))


class TipShown(Event):
    message = "{seat} shows a tip, {tip}"
    seat: int
    tip: int

    def apply(self, state: State) -> None:
        state.part(Tips).hand += (f"{self.seat} {self.tip}",)


def by_and_by(tx: Transaction, tip: Tip) -> None:
    """All see each tip at once, although an event opens them in the end."""
    tx.emit(TipShown, tip.seat, known(tx.state.part(Tips).made[tip.seat])[0])
    with_the_last(TipsOpened)(tx, tip)


def tipping(opens: Callable[[Transaction, Tip], None]) -> type[Variant]:
    """Before the first turn, and after claims, all give a tip at once."""

    def before_all(tx: Transaction) -> Question:
        return [Tip(seat) for seat in range(tx.state.players)]

    def after_a_claim(tx: Transaction, seat: int, route: Route, points: int) -> Question:
        return before_all(tx)

    Tip.opens = staticmethod(opens)
    return plugin("tipping", parts=lambda rules: [Tips], on_game_start=before_all, on_claim=after_a_claim)


# -- tables ----------------------------------------------------------------------------------------------------------


class Tables(Coins):
    """Coins that a table states."""

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {"coins": KeyHelp("The coins of this player.", "3")}

    @classmethod
    def start(cls, rules: Rules, players: int) -> Tables:
        return cls(purse=[1] * players, bought=[0] * players)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        for player in position.players:
            coins: Any = player.raw.get("coins", 0)
            if self.checked(coins):
                tx.emit(CoinsStated, player.seat, coins)
            else:
                report.add(f"{player.place}.coins", "expected a number of coins")

    @staticmethod
    def checked(coins: object) -> bool:
        return type(coins) is int and 0 <= coins < 100


class TrustingTables(Tables):
    """Whatever a table says is taken for a number of coins."""

    @staticmethod
    def checked(coins: object) -> bool:
        return True


class CoinsStated(Event):
    message = "{seat} has coins"
    seat: int
    coins: int

    def apply(self, state: State) -> None:
        part: Any = next(part for kind, part in state.parts.items() if issubclass(kind, Tables))
        part.purse[self.seat] = 1 + self.coins


# -- bots, keys ------------------------------------------------------------------------------------------------------


def own_or_open(state: State, seat: int, route: Route) -> Refusal | None:
    """Routes to a city that another seat has reached are closed, as long as this seat has many cars."""
    cities = {city for owned in state.routes_of((seat + 1) % state.players) for city in state.rules.network.ends[owned]}
    closed = state.cars[seat] > 5 and cities & set(state.rules.network.ends[state.rules.network.route_number[route.id]])
    return Refusal("crowd", "somebody is there", lasting=False) if closed else None


def dearer_later(state: State | View, seat: int, route: Route, cost: Cost) -> Cost:
    return evolve(cost, spaces=cost.spaces + state.turn_number % 2)


def nothing_for_short(state: State | View, seat: int, route: Route, cost: Cost) -> Cost:
    return evolve(cost, spaces=0) if route.length == 2 else cost


def written_out(view: View, rules: Rules) -> dict[str, Cost]:
    routes = rules.board.routes.values()
    return {route.id: nothing_for_short(view, 0, route, Cost.of_route(route)) for route in routes}


def key_of_cars(state: State, seat: int) -> object:
    return state.cars[seat]


def whole_key(state: State, seat: int) -> object:
    return state.cars[seat], tuple(state.owner)


def one_network(lasting: bool) -> Callable[[State, int, Route], Refusal | None]:
    """After its first route, a seat may claim only what touches a route of its own; that does not last."""

    def refuse(state: State, seat: int, route: Route) -> Refusal | None:
        network = state.rules.network
        reached = {city for own in state.routes_of(seat) for city in network.ends[own]}
        if not reached or reached.intersection(network.ends[network.route_number[route.id]]):
            return None
        return Refusal("one-network", "it touches no route of yours", lasting=lasting)

    return refuse


def own_routes(state: State, seat: int) -> object:
    return tuple(state.routes_of(seat))


def hoarding(points: float) -> Iterable[BotHint]:
    """A hint that says what tickets are worth."""
    return [ActionValue(DrawTickets, lambda view, rules, action: points)]


class Dig(Action):
    message = "Dig for three points"


class DigRule(ActionRule[Turn, Dig]):
    """Three points in place of another action, in the first 70 rounds."""

    def offers(self, state: State, decision: Turn) -> Sequence[Dig]:
        return [Dig(decision.seat)] if state.round <= 70 else ()

    def perform(self, tx: Transaction, decision: Turn, action: Dig) -> None:
        tx.score(action.seat, 3, "digs")


def digging(worth: float) -> type[Variant]:
    return plugin(
        "dig",
        actions=lambda rules: [DigRule()],
        scoring=lambda rules: [points_in_play("digs", "Digs")],
        hints=lambda rules: [ActionValue(Dig, lambda view, rules, action: worth)],
    )


class CardBurnt(Event):
    message = "{seat} burns a card"
    seat: int
    card: str | Unknown = secret()

    def apply(self, state: State) -> None:
        state.part(CardPiles).draw(known(self.card))


def burn(tx: Transaction, seat: int, route: Route, points: int) -> None:
    """The top card is lost after a long claim."""
    if route.length == 6:
        economy_of(tx.rules.economy, TrainCards).draw(tx, seat, into=lambda card: CardBurnt(seat, card))


class CardRotten(Event):
    message = "{seat} loses a card"
    seat: int
    card: str

    def apply(self, state: State) -> None:
        state.part(CardPiles).take(self.seat, Counts({self.card: 1}))


def rot(tx: Transaction, seat: int) -> None:
    """One of ten cards of a kind is lost."""
    for card, count in tx.state.part(CardPiles).counts(seat).items():
        if count >= 10:
            tx.emit(CardRotten, seat, card)


class Wink(Action):
    message = "Wink"


class WinkRule(ActionRule[Turn, Wink]):
    """It asks for the action of the turn again, in the last round."""

    def offers(self, state: State, decision: Turn) -> Sequence[Wink]:
        return [Wink(decision.seat)] if state.turns_left else ()

    def perform(self, tx: Transaction, decision: Turn, action: Wink) -> Question:
        return Turn(action.seat)


class Ransom(Action):
    message = "Discard three locomotives"


class RansomRule(ActionRule[Turn, Ransom]):
    def offers(self, state: State, decision: Turn) -> Sequence[Ransom]:
        return [Ransom(decision.seat)] if state.part(CardPiles).counts(decision.seat)["locomotive"] > 3 else ()

    def refusal(self, state: State, decision: Turn, action: Ransom) -> Refusal | None:
        has_three = state.part(CardPiles).counts(action.seat)["locomotive"] >= 3
        return None if has_three else Refusal("ransom", "three locomotives are asked for")

    def perform(self, tx: Transaction, decision: Turn, action: Ransom) -> None:
        economy_of(tx.rules.economy, TrainCards).discard(tx, action.seat, Counts(locomotive=3))


class RestRule(ActionRule[Turn, Wink]):
    """With few cars a seat may rest, and has the turn again."""

    def refusal(self, state: State, decision: Turn, action: Wink) -> Refusal | None:
        return None if state.cars[action.seat] <= 6 else Refusal("rest", "there is no time to rest")

    def perform(self, tx: Transaction, decision: Turn, action: Wink) -> None:
        tx.grant_turn(action.seat)


class DozeRule(ActionRule[Turn, Wink]):
    """It costs nothing, and with many cards or few cars the turn is kept after it (`keep_dozing`)."""

    def refusal(self, state: State, decision: Turn, action: Wink) -> Refusal | None:
        return None if _dozes(state, action.seat) else Refusal("doze", "there is no time to doze")

    def perform(self, tx: Transaction, decision: Turn, action: Wink) -> None:
        """Nothing changes."""


def _dozes(state: State, seat: int) -> bool:
    return state.part(CardPiles).hand_sizes[seat] >= 12 or state.cars[seat] <= 6


def keep_dozing(state: State, seat: int, following: int) -> int:
    return seat if _dozes(state, seat) else following


class Nag(Confirm):
    """It is asked again for as long as it is declined."""

    public = True
    message = "Do you pay a point?"
    passing = "No"

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.score(self.seat, -1, "nag")

    def on_pass(self, tx: Transaction) -> Question:
        return Nag(self.seat)


class Sort(Choice[str]):
    """Only one of its options ends it."""

    public = True
    message = "What do you do with the post?"

    def options(self, state: State) -> Sequence[str]:
        return "read", "sort", "send"

    def chosen(self, tx: Transaction, option: str) -> Question:
        return () if option == "send" else Sort(self.seat)


class PassOn(Choice[str]):
    """A parcel goes to the next seat for as long as nobody keeps it."""

    public = True
    message = "Do you keep the parcel?"

    def options(self, state: State) -> Sequence[str]:
        return "keep", "pass on"

    def chosen(self, tx: Transaction, option: str) -> Question:
        return PassOn((self.seat + 1) % tx.state.players) if option == "pass on" else ()


class Burn(Action):
    message = "Burn six cards"
    card: str


class BurnRule(ActionRule[Turn, Burn]):
    def offers(self, state: State, decision: Turn) -> Sequence[Burn]:
        hand = state.part(CardPiles).counts(decision.seat)
        return [Burn(decision.seat, card) for card in hand if hand[card] > 6]

    def refusal(self, state: State, decision: Turn, action: Burn) -> Refusal | None:
        few = state.part(CardPiles).counts(action.seat)[action.card] < 6
        return Refusal("burn", "six cards are needed") if few else None

    def perform(self, tx: Transaction, decision: Turn, action: Burn) -> None:
        economy_of(tx.rules.economy, TrainCards).discard(tx, action.seat, Counts({action.card: 6}))


class Prize(Part):
    city: str = public()


class PrizeDrawn(Event):
    city: str

    def apply(self, state: State) -> None:
        state.part(Prize).city = self.city


class Prizes(Variant, name="prizes"):
    """Prizes: in the last round a city is drawn, in the order of a set."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Prize]

    @hookimpl
    def on_last_round(self, tx: Transaction) -> None:
        cities = {city for id in tx.state.owners for city in tx.rules.board.routes[id].cities}
        tx.emit(PrizeDrawn, tx.roll(list(cities)))


class Omens(Variant, name="omens"):
    """Omens: points by the hash of a text."""

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return [ScoringTerm("omens", lambda state, seat: Score(hash(f"omen {seat}") % 1000))]


class PaysNothing(CoinForSpace):
    """The coins that are left are as many as before."""

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(CoinsLeft, seat, tx.state.part(Bank).coins[seat])


class PaysLess(CoinForSpace):
    """The last coin stays."""

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(CoinsLeft, seat, max(tx.state.part(Bank).coins[seat] - pieces["coin"], 1))


class GetsCoins(CoinForSpace):
    """Who pays a coin gets one."""

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(CoinsLeft, seat, tx.state.part(Bank).coins[seat] + pieces["coin"])


class Tokens(Part):
    """A token of each seat, and how many coins it has spent."""

    has: list[bool] = public(each=True)
    spent: list[int] = public(each=0)


class TokenPaid(Event):
    seat: int
    has: bool
    spent: int

    def apply(self, state: State) -> None:
        state.part(Tokens).has[self.seat] = self.has
        state.part(Tokens).spent[self.seat] = self.spent


class KeepsToken(CoinForSpace):
    """A token pays for a space, and the seat has it as before."""

    def held(self, state: State, seat: int) -> dict[str, int]:
        return {"coin": int(state.part(Tokens).has[seat])}

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(TokenPaid, seat, True, 0)


class CountsOnce(CoinForSpace):
    """Each seat has four coins, of which the first alone is counted."""

    def held(self, state: State, seat: int) -> dict[str, int]:
        return {"coin": 4 - state.part(Tokens).spent[seat]}

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(TokenPaid, seat, True, 1)


class SameBack(CoinForSpace):
    """The coins that are left are as many as before when a tunnel is abandoned."""

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(CoinsLeft, seat, tx.state.part(Bank).coins[seat])


class Keepers(KeepsGems):
    """A coin is not given back if the tunnel is abandoned."""

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        pass


class Levels(Part):
    level: list[int] = public(each=0, key="level", help="The level of this player.")


def flag_long(rules: Rules, view: View | None) -> Iterable[MapMark]:
    """Marks beside long routes, in a city that does not exist."""
    held = [] if view is None else [id for id in view.owners if rules.board.routes[id].length >= 6]
    return [CityPiece(id.upper(), 0, "house", "Flag") for id in held]


def flip(tx: Transaction, seat: int, route: Route, points: int) -> None:
    if route.length >= 6:
        tx.score(seat, next(FLIPS), "flips")


#: It goes on wherever the game is.
FLIPS = itertools.count()


class Another(Confirm):
    """At the end of a turn its seat may have another one."""

    public = True
    message = "Another turn?"
    passing = "No"

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.grant_turn(self.seat)


class TwoForSpace(CoinForSpace):
    """Two coins pay for one space."""

    def alternatives(self, cost: Cost) -> list[tuple[Cost | None, Counts]]:
        return [(cost, Counts()), (evolve(cost, spaces=cost.spaces - 1), Counts(coin=2))]


class OneOfTwo(TwoForSpace):
    """Whoever pays with two coins loses one."""

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        super().spend(tx, seat, Counts(coin=1))


class Feast(Choice[str]):
    """A city, in the order of a set, after a long claim."""

    public = True
    message = "Where is the feast?"

    def options(self, state: State) -> Sequence[str]:
        return list({city for id in state.owners for city in state.rules.board.routes[id].cities})

    def chosen(self, tx: Transaction, option: str) -> None:
        pass


class Feasts(Variant, name="feasts"):
    """Feasts: after a claim of five spaces or more."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:
        return Feast(seat) if route.length >= 5 else ()


class TicketTorn(Event):
    seat: int
    ticket: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.take_ticket(known(self.ticket))


def tear(tx: Transaction, seat: int, route: Route, points: int) -> None:
    """A ticket is lost after a claim of six spaces."""
    if route.length >= 6:
        for ticket in tx.state.tickets[seat][:1]:
            tx.emit(TicketTorn, seat, ticket)


class AtMostTwo(TwoForSpace):
    """At most two coins pay for a claim."""

    def held(self, state: State, seat: int) -> dict[str, int]:
        return {"coin": min(2, state.part(Bank).coins[seat])}


def poorest(state: State, ended: int, seat: int) -> int:
    """The seat with the fewest points for routes, even the same one again."""
    return state.scores.index(min(state.scores))


class Work(Action):
    message = "Work"


class WorkRule(ActionRule[Turn, Work]):
    def refusal(self, state: State, decision: Turn, action: Work) -> Refusal | None:
        return None if state.round <= 4 else Refusal("work", "it is too late")

    def perform(self, tx: Transaction, decision: Turn, action: Work) -> None:
        tx.emit(ThingBought, action.seat, 0)


class Said(Part):
    rich: list[bool] = public(each=False)


class ShowOff(Confirm):
    """Who has two locomotives may say so."""

    public = True
    message = "Do you show off?"

    def chosen(self, tx: Transaction, option: bool) -> None:
        pass


class RichSaid(Event):
    reveals = ShowOff
    seat: int
    rich: bool

    def apply(self, state: State) -> None:
        state.part(Said).rich[self.seat] = self.rich


def ask_the_rich(tx: Transaction, seat: int) -> Question:
    """The question tells who is rich, and the event before it says so."""
    rich = tx.state.part(CardPiles).counts(seat)["locomotive"] >= 2
    tx.emit(RichSaid, seat, rich)
    return ShowOff(seat) if rich else ()


def ask_the_rich_alone(tx: Transaction, seat: int) -> Question:
    return ShowOff(seat) if tx.state.part(CardPiles).counts(seat)["locomotive"] >= 2 else ()


# -- nothing left in hand, and what is hidden in piles and bags --------------------------------------------------------


def lose_card(tx: Transaction, seat: int) -> None:
    """A random card leaves a hand, which fails without one."""
    hand = tx.state.part(CardPiles).counts(seat)
    card = tx.shuffled([card for card in hand for _ in range(hand[card])])[0]
    economy_of(tx.rules.economy, TrainCards).discard(tx, seat, Counts({card: 1}))


def lose_after_long(tx: Transaction, seat: int, route: Route, points: int) -> None:
    if route.length >= 5:
        lose_card(tx, seat)


def lose_at_end(tx: Transaction) -> None:
    for seat in range(tx.state.players):
        lose_card(tx, seat)


class Warehouse(Part):
    """The top card of the pile lies here, for all to see, and a letter out of a bag."""

    kept: list[tuple[str, ...]] = public(each=(), pool="cards")
    letters: list[tuple[str, ...]] = public(each=(), pool="letters")
    bag: tuple[str, ...] | Unknown = hidden(default=("a", "b", "c", "d", "e", "f"), pool="letters")

    def box(self, rules: Rules) -> Mapping[str, Iterable[object]]:
        return {"letters": ("a", "b", "c", "d", "e", "f")}


class CardKept(Event):
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(CardPiles).draw(known(self.card))
        state.part(Warehouse).kept[self.seat] += (known(self.card),)


class LetterDrawn(Event):
    seat: int
    letter: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        house = state.part(Warehouse)
        house.bag = tuple(letter for letter in known(house.bag) if letter != self.letter)
        house.letters[self.seat] += (known(self.letter),)


class Safe(Part):
    """The top card of the pile lies here, and nobody sees it."""

    kept: tuple[str, ...] | Unknown = hidden(default=(), pool="cards")


class Laid(Part):
    """Cards that each seat has laid aside, which it alone sees, and what everybody is shown of them."""

    cards: list[tuple[str, ...] | Unknown] = by_seat(each=(), pool="cards")
    shown: list[str] = public(each="")


class CardLaid(Event):
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        laid = state.part(Laid).cards
        state.part(CardPiles).draw(known(self.card))
        laid[self.seat] = (*known(laid[self.seat]), known(self.card))


class CardLaidUnseen(CardLaid):
    """As if its seat did not see it."""

    card: str | Unknown = secret()


class FirstShown(Event):
    seat: int
    card: str

    def apply(self, state: State) -> None:
        state.part(Laid).shown[self.seat] = self.card


def lay_aside(kind: type[CardLaid] = CardLaid) -> Callable[[Transaction, int, Route, int], None]:
    """After a claim the top card is laid aside."""

    def lay(tx: Transaction, seat: int, route: Route, points: int) -> None:
        economy_of(tx.rules.economy, TrainCards).draw(tx, seat, into=lambda card: kind(seat, card))

    return lay


def show_first(tx: Transaction, seat: int) -> None:
    """At the end of a turn everybody is told the first of several cards laid aside."""
    laid = known(tx.state.part(Laid).cards[seat])
    if len(laid) > 1:
        tx.emit(FirstShown, seat, laid[0])


def score_locomotives(tx: Transaction, seat: int) -> None:
    if "locomotive" in known(tx.state.part(Laid).cards[seat]):
        tx.score(seat, 1, "laid")


class OpenPile(Part):
    """A pile that everybody sees, although it is shuffled in secret."""

    pile: tuple[str, ...] = public(pool="letters")

    def box(self, rules: Rules) -> Mapping[str, Iterable[object]]:
        return {"letters": ("a", "b", "b", "c")}


class PileShuffled(Event):
    pile: tuple[str, ...] | Unknown = secret()

    def apply(self, state: State) -> None:
        state.part(OpenPile).pile = known(self.pile)


class UnpaidCoins(coins.Coins):
    """Nothing is taken."""

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        """Nothing happens."""


class ShortCoins(coins.Coins):
    """A coin less than the payment is taken."""

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(coins.CoinsGone, seat, max(payment["coin"] - 1, 1))


class FreeTunnels(coins.Coins):
    """A tunnel takes nothing."""

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        return (), None


class Pawn(Part):
    standing: list[bool] = public(each=True)


class PawnMoved(Event):
    message = "{seat} moves the pawn"
    seat: int
    standing: bool

    def apply(self, state: State) -> None:
        state.part(Pawn).standing[self.seat] = self.standing


class LayDown(Action):
    message = "Lay the pawn down"


class StandUp(Action):
    message = "Stand the pawn up"


class LayDownRule(ActionRule[Turn, LayDown]):
    free = True

    def refusal(self, state: State, decision: Turn, action: LayDown) -> Refusal | None:
        return None if state.part(Pawn).standing[action.seat] else Refusal("pawn", "the pawn lies")

    def perform(self, tx: Transaction, decision: Turn, action: LayDown) -> None:
        tx.emit(PawnMoved, action.seat, False)


class StandUpRule(ActionRule[Turn, StandUp]):
    free = True

    def refusal(self, state: State, decision: Turn, action: StandUp) -> Refusal | None:
        return Refusal("pawn", "the pawn stands") if state.part(Pawn).standing[action.seat] else None

    def perform(self, tx: Transaction, decision: Turn, action: StandUp) -> None:
        tx.emit(PawnMoved, action.seat, True)


class Vows(Part):
    """Its key is read under another name."""

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {
        "vow": KeyHelp("The tickets that this player means to complete.", "3")
    }
    made: list[int] = public(each=0)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        super().arrange(tx, position, report)
        for player in position.players:
            tx.emit(VowMade, player.seat, player.number("vows", 0, 0, 9, report))


class VowMade(Event):
    seat: int
    vow: int

    def apply(self, state: State) -> None:
        state.part(Vows).made[self.seat] = self.vow


class Medals(Part):
    held: list[int] = public(each=0, key="medals", help="The medals of this player.")


class MedalWon(Event):
    message = "{seat} wins a medal"
    seat: int

    def apply(self, state: State) -> None:
        state.part(Medals).held[self.seat] += 1


def award(tx: Transaction, seat: int, route: Route, points: int) -> None:
    """The first six medals score more and more; nobody has thought of a seventh."""
    tx.emit(MedalWon, seat)
    tx.score(seat, (0, 1, 1, 2, 2, 3, 3)[tx.state.part(Medals).held[seat]], "medals")


class Visitors(Part):
    cities: tuple[str, ...] = public(default=())


class CitiesVisited(Event):
    cities: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.part(Visitors).cities = tuple({*state.part(Visitors).cities, *self.cities})


def visited_cities(state: State, seat: int) -> Score:
    """The cities at the routes of a seat, in the order of a set."""
    cities = {city for id in state.routes(seat) for city in state.rules.board.routes[id].cities}
    return Score(len(cities), details=[Detail(city, 1) for city in cities])


class CardLocked(Event):
    card: str

    def apply(self, state: State) -> None:
        state.part(CardPiles).draw(self.card)
        state.part(Safe).kept = (*known(state.part(Safe).kept), self.card)


def lock_top_card(tx: Transaction, seat: int, route: Route, points: int) -> None:
    economy_of(tx.rules.economy, TrainCards).draw(tx, seat, into=CardLocked)


class CardLockedBlind(Event):
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(CardPiles).draw(known(self.card))
        state.part(Safe).kept = (*known(state.part(Safe).kept), known(self.card))


class CardSeenOnce(CardLockedBlind):
    reveals = Safe


class TicketGiven(Event):
    """A ticket off the pile, that its new owner sees, but the event tells the seat that gives it."""

    seat: int
    other_seat: int
    ticket: str | Unknown = secret("other_seat")

    def apply(self, state: State) -> None:
        state.part(Gifts).tickets[self.seat] += (state.take_ticket(known(self.ticket)),)


class Gifts(Part):
    tickets: list[tuple[str, ...]] = by_seat(each=(), pool="tickets")


def give_top_ticket(tx: Transaction, seat: int, route: Route, points: int) -> None:
    if tx.state.ticket_pile:
        tx.emit(TicketGiven, (seat + 1) % tx.state.players, seat, tx.state.ticket_pile[0])


def rest_with_nothing(tx: Transaction, action: Pass) -> None:
    if not tx.state.part(CardPiles).hand_sizes[action.seat]:
        tx.score(action.seat, 1, "idle")


class CarLost(Event):
    seat: int

    def apply(self, state: State) -> None:
        state.cars[self.seat] -= 1


def keep_top_card(tx: Transaction, seat: int, route: Route, points: int) -> None:
    economy_of(tx.rules.economy, TrainCards).draw(tx, seat, into=lambda card: CardKept(seat, card))


def draw_letter(tx: Transaction, seat: int, route: Route, points: int) -> None:
    for letter in tx.shuffled(known(tx.state.part(Warehouse).bag))[:1]:
        tx.emit(LetterDrawn, seat, letter)


def one_less_if_completed(state: State, seat: int, count: int) -> int:
    return count - 1 if completed(state, seat) else count


def cars_beside_others(state: State, seat: int, route: Route, cars: int) -> int:
    routes = state.rules.board.routes
    return cars + any(owner != seat and {*routes[id].cities} & {*route.cities} for id, owner in state.owners.items())


def rested(tx: Transaction, action: Pass) -> None:
    tx.score(action.seat, len(tx.state.routes(action.seat)), "rest")


class Tolls(Choice[int]):
    """Not all its options are among `every`."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return range(4)

    @classmethod
    def every(cls, rules: Rules) -> Sequence[int]:
        return range(3)

    def chosen(self, tx: Transaction, option: int) -> None: ...


class BestCity(Variant, name="best-city"):
    """Best city: at the end the first of the cities that a player reaches in a set scores."""

    @hookimpl
    def on_game_end(self, tx: Transaction) -> None:
        for seat in range(tx.state.players):
            for city in [*{city for id in tx.state.routes(seat) for city in tx.rules.board.routes[id].cities}][:1]:
                tx.score(seat, [*tx.rules.board.cities].index(city), "city")

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("city"),)


class BusiestCity(Variant, name="busiest-city"):
    """Busiest city: the city with the most claimed routes scores, and a set decides between cities that have as many."""

    @hookimpl
    def on_game_end(self, tx: Transaction) -> None:
        routes = [tx.rules.board.routes[id] for id in tx.state.owners]
        busiest = max(set(tx.rules.board.cities), key=lambda city: sum(city in route.cities for route in routes))
        for seat in range(tx.state.players):
            if tx.state.reaches(seat, busiest):
                tx.score(seat, 5, "busiest")

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("busiest"),)


class Journeys(Variant, name="journeys"):
    """Journeys: the cities at claimed routes are listed in the order of a set."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Visitors]

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(CitiesVisited, route.cities)


class Cities(Variant, name="cities"):
    """Cities: a point for each city, told in the order of a set."""

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return [ScoringTerm("cities", visited_cities)]


UNUSUAL: dict[str, tuple[Callable[[], type[Variant]], str, list[str]]] = {
    "a card that is lost after a long claim": (
        lambda: plugin("losing", on_claim=lose_after_long),
        "margins", ["holds nothing but what it pays, and the others hold nothing", "ClaimRoute(", "cannot be played: IndexError"],
    ),
    "a card that is lost at the end": (
        lambda: plugin("losing", on_game_end=lose_at_end), "margins", ["holds nothing but what it pays", "IndexError"],
    ),
    "a card off the pile that the event hides and the part shows": (
        lambda: plugin("warehouse", parts=lambda rules: [Warehouse], on_claim=keep_top_card),
        "secrets", ["CardKept hides 'card' from", "sees it in the state afterwards", "'kept' of Warehouse.seen_by"],
    ),
    "a card off the pile that the event tells and the part hides": (
        lambda: plugin("safe", parts=lambda rules: [Safe], on_claim=lock_top_card),
        "secrets", ["CardLocked tells", "'card', which it cannot know, as the state hides it"],
    ),
    "a card off the pile that the event tells its seat, and that nobody sees": (
        lambda: plugin("safe", parts=lambda rules: [Safe], on_claim=lock_blind(CardLockedBlind)),
        "secrets", ["CardLockedBlind tells", "'card', which it cannot know, as the state hides it", "reveals = ", "if they see it only now"],
    ),
    "free actions that undo each other": (
        lambda: plugin("pawn", parts=lambda rules: [Pawn], actions=lambda rules: [LayDownRule(), StandUpRule()]),
        "course", ["LayDown and StandUp are free and can be repeated without end: 200 of them"],
    ),
    "a key that nobody reads": (
        lambda: plugin("vows", parts=lambda rules: [Vows]),
        "tables", ["plugins.unusual.Vows accepts whatever is written under the key 'vow' of a player"],
    ),
    "coins that are not taken": (
        lambda: plugin("free", economy=lambda below, board: UnpaidCoins()),
        "counts", ["still holds what it paid with", "Let an event take it, in pay of plugins.unusual.UnpaidCoins"],
    ),
    "a coin less than was paid": (
        lambda: plugin("short", economy=lambda below, board: ShortCoins()),
        "counts", ["still holds what it paid with", "3 coin. Let an event take it, in pay of plugins.unusual.ShortCoins"],
    ),
    "a card laid aside that everybody is told at the end of a turn": (
        lambda: plugin("laid", parts=lambda rules: [Laid], on_claim=lay_aside(), on_turn_end=show_first),
        "secrets", ["FirstShown tells", "what it cannot know"],
    ),
    "points for a card laid aside": (
        lambda: plugin(
            "laid", parts=lambda rules: [Laid], on_claim=lay_aside(), on_turn_end=score_locomotives,
            scoring=lambda rules: [points_in_play("laid")],
        ),
        "secrets", ["tells", "what it cannot know"],
    ),
    "a card that the event hides from the seat that sees it": (
        lambda: plugin("laid", parts=lambda rules: [Laid], on_claim=lay_aside(CardLaidUnseen)),
        "secrets", ["CardLaidUnseen hides 'card' from seat", "sees it in the state afterwards: 'cards' of Laid.seen_by"],
    ),
    "a pile in a secret order that everybody sees": (
        lambda: plugin(
            "letters", parts=lambda rules: [OpenPile], on_deal=lambda tx: tx.emit(PileShuffled, tx.shuffled(("a", "b", "b", "c"))),
        ),
        "secrets", ["PileShuffled hides 'pile' from", "sees it in the state afterwards: 'pile' of OpenPile.seen_by"],
    ),
    "passes that grant another turn, with few cars": (
        lambda: plugin(
            "naps", may_pass=lambda state, seat: state.cars[seat] < 8,
            around=lambda rules: [Around(Pass, on=Turn, after=lambda tx, action: tx.grant_turn(action.seat) if tx.state.cars[action.seat] < 8 else None)],
        ),
        "course", ["Pass can be repeated without end", "in extra turns of seat"],
    ),
    "actions without end, with few cars": (
        lambda: plugin("rush", acts_again=lambda state, seat: state.cars[seat] < 6),
        "course", ["a turn does not end", "acts_again of 'rush' was True 31 times"],
    ),
    "more of a key than a rule has thought of": (
        lambda: plugin("medals", parts=lambda rules: [Medals], on_claim=award, scoring=lambda rules: [points_in_play("medals")]),
        "course", ["which is legal, cannot be played: ", "IndexError: tuple index out of range (in award, unusual.py line"],
    ),
    "a car more than a claim says": (
        lambda: plugin("brakes", on_claim=lambda tx, seat, route, points: tx.use_cars(seat, 1)),
        "margins", ["holds nothing but what it pays and its last cars", "cannot be played", "look at tx.state.cars[seat]"],
    ),
    "what all see in the order of a set": (
        lambda: Journeys, "processes", ["in another process, what all see of Visitors is in another order"],
    ),
    "details of scores in the order of a set": (
        lambda: Cities, "processes", ["in another process, the final scores for", "differ"],
    ),
    "a ticket that the event tells another seat than the part": (
        lambda: plugin("gifts", parts=lambda rules: [Gifts], on_claim=give_top_ticket),
        "secrets", ["TicketGiven hides 'ticket' from seat", "sees it in the state afterwards: 'tickets' of Gifts.seen_by"],
    ),
    "passes that are paid with an empty hand": (
        lambda: plugin(
            "idle", may_pass=lambda state, seat: not state.part(CardPiles).hand_sizes[seat],
            around=lambda rules: [Around(Pass, on=Turn, after=rest_with_nothing)],
            scoring=lambda rules: [points_in_play("idle")],
        ),
        "ending", ["all hands are empty, nobody claims a route and everybody passes who may", "does not end, and is paid"],
    ),
    "points in the menu that tell of the tickets of others": (
        lambda: plugin("nosy", menu_points=lambda state, seat, route, points: points + sum(map(len, state.tickets[1 - seat]))),
        "secrets", ["menu_points tells", "what it cannot know"],
    ),
    "a question at the start of a turn that grants another one": (
        lambda: plugin("again", on_turn_start=lambda tx, seat: AnotherTurn(seat) if tx.state.turn_number > 6 else None),
        "ending", ["can keep the turn: ChooseAnotherTurn has given it 41 extra turns"],
    ),
    "a part that begins with the same list in every game": (
        lambda: plugin("diary", parts=lambda rules: [Diary]), "copies", ["Diary.start begins 'lines' with the same list or table in every game"],
    ),
    "an event that names another part than the one it tells of": (
        lambda: plugin(
            "portents", parts=lambda rules: [Portents],
            on_claim=lambda tx, seat, route, points: tx.emit(OmenTold, seat, tx.roll((1, 2, 3, 4, 5, 6))),
        ),
        "secrets", ["OmenTold tells", "'omen', which it cannot know, as the state hides it"],
    ),
    "a ticket that an event tells in the name of train cards": (
        lambda: plugin(
            "rumors", on_claim=lambda tx, seat, route, points: tx.emit(TicketTold, seat, sorted(tx.state.tickets[seat])[0])
            if tx.state.tickets[seat] else None,
        ),
        "secrets", ["TicketTold tells", "what it cannot know"],
    ),
    "an event with a list": (
        lambda: plugin("routes", on_claim=lambda tx, seat, route, points: tx.emit(Routes, [route.id])),
        "values", ["Routes cannot be hashed"],
    ),
    "a train car more than there is": (
        lambda: plugin(
            "losing", on_claim=lambda tx, seat, route, points: None if tx.state.cars[seat] else tx.emit(CarLost, seat)
        ),
        "counts", ["more was taken than there was", "tx.use_cars takes no more than are left"],
    ),
    "a letter out of a bag that the event hides and the part shows": (
        lambda: plugin("warehouse", parts=lambda rules: [Warehouse], on_claim=draw_letter),
        "secrets", ["LetterDrawn hides 'letter' from", "sees it in the state afterwards", "'letters' of Warehouse.seen_by"],
    ),
    "a draw that tells of completed tickets": (
        lambda: made.plugin("less", tickets_drawn=one_less_if_completed), "secrets", ["TicketsDrawn tells", "what it cannot know"],
    ),
    "a key that forgets what train cars depend on": (
        lambda: made.plugin("beside", claim_cars=cars_beside_others, claim_key=own_routes),
        "offers", ["claim_cars of 'beside' says two things of", "train cars, and then"],
    ),
    "points for passing with routes held": (
        lambda: made.plugin(
            "resting", may_pass=lambda state, seat: True, around=lambda rules: [Around(Pass, on=Turn, after=rested)],
            scoring=lambda rules: [points_in_play("rest")],
        ),
        "ending", ["if nobody claims a route after 100 actions and everybody passes", "does not end, and is paid"],
    ),
    "an option that is not among all": (
        lambda: plugin("tolls", on_claim=lambda tx, seat, route, points: Tolls(seat)),
        "numbers", ["Tolls.every does not list 3, which is among its options", "PluginError"],
    ),
    "a tie at the end by the order of a set": (
        lambda: BestCity, "processes", ["in another process", "has other effects in PointsScored"],
    ),
    "a tie that is rare at the end by the order of a set": (
        lambda: BusiestCity, "processes", ["in another process", "has other effects in PointsScored"],
    ),
    "a price off by one in the offers": (
        lambda: shop(BuyRule(offered_from=PRICE + 1)), "margins", ["where plugins.unusual.Coins.purse[", "] is 7, plugins.unusual.BuyRule: refusal lets Buy("],
    ),
    "a price off by one in the refusal": (
        lambda: shop(BuyRule(refused_below=PRICE + 1)), "margins", ["BuyRule: offers lists Buy(", "purse[", "] is 7"],
    ),
    "a price that is not there": (
        lambda: shop(BuyRule(PRICE - 1, PRICE - 1)), "margins", ["more was taken than there was", "] is 6, plugins.unusual.BuyRule offers Buy("],
    ),
    "a free action without limit": (
        lambda: waving(WaveRule()), "course", ["WaveRule is free and can be repeated without end", "200 times in one turn"],
    ),
    "a free action without limit that asks a question": (
        lambda: waving(WaveAndAskRule()), "course", ["WaveAndAskRule is free and can be repeated without end", "100 times in one turn"],
    ),
    "extra turns while a hand is large": (
        lambda: plugin("rich", on_turn_end=again_if_rich), "course", ["a turn does not end", "extra turns in succession"],
    ),
    **{
        f"extra turns with {cars} cars": (
            partial(plugin, "late", on_turn_end=again_with(cars)),
            "course", ["a turn does not end", "extra turns in succession"],
        )
        for cars in (1, 2, 3, 4, 5, 6)
    },
    "a question that only some are asked": (
        lambda: plugin("rich", on_turn_end=ask_the_rich_alone), "secrets", ["tells", "what it cannot know"],
    ),
    "extra turns for the asking": (
        lambda: plugin("another", on_turn_end=lambda tx, seat: Another(seat)),
        "course", ["Another is asked again and again", "by one seat in extra turns. Limit how often tx.grant_turn is called"],
    ),
    **{
        f"{layer.__name__} in a layer": (
            partial(paying, layer), "counts", ["still has the coin that it paid with", f"{layer.__name__}.spend does not take 1"],
        )
        for layer in (PaysNothing, PaysLess, GetsCoins, KeepsToken, CountsOnce)
    },
    "one of two coins that are paid": (
        lambda: paying(OneOfTwo), "counts", ["still has the coin that it paid with", "OneOfTwo.spend does not take 2"],
    ),
    "options in the order of a set after a long claim": (
        lambda: Feasts, "processes", ["FeastChoiceRule: in another process", "offers lists ChooseFeast in another order"],
    ),
    "a ticket that vanishes after a claim of six": (
        lambda: plugin("tearing", on_claim=tear), "counts", ["of the pool 'tickets' is nowhere"],
    ),
    "rests without end, with few cars": (
        lambda: plugin("resting", actions=lambda rules: [RestRule()]),
        "course", ["RestRule can be repeated without end", "in extra turns of seat", "Limit how often tx.grant_turn is called"],
    ),
    "the next turn without end, with many cards or few cars": (
        lambda: plugin("dozing", actions=lambda rules: [DozeRule()], next_seat=keep_dozing),
        "course", ["DozeRule can be repeated without end", "in turns that next_seat of 'dozing' gave seat", "give the turn to another seat"],
    ),
    "a question that is asked until it is accepted": (
        lambda: plugin("nagging", on_claim=lambda tx, seat, route, points: Nag(seat), scoring=lambda rules: [points_in_play("nag")]),
        "course", ["Nag is asked again and again", "Pass was played 200 times"],
    ),
    "a question with options that change nothing": (
        lambda: plugin("sorting", on_claim=lambda tx, seat, route, points: Sort(seat)),
        "course", ["Sort is asked again and again", "ChooseSort was played 200 times"],
    ),
    "a question that goes round the seats without end": (
        lambda: plugin("parcel", on_claim=lambda tx, seat, route, points: PassOn(seat)),
        "course", ["PassOn is asked again and again", "ChoosePassOn was played 200 times in answer to it by 2 seats"],
    ),
    "turns that go on while there is anything to do": (
        lambda: plugin("longer", acts_again=lambda state, seat: True),
        "course", ["a turn does not end", "acts_again of 'longer' was True"],
    ),
    "a price of six cards off by one": (
        lambda: plugin("burns", actions=lambda rules: [BurnRule()]),
        "margins", ["where seat", "holds 6", "BurnRule: refusal lets Burn("],
    ),
    "a deadlock that is always denied": (
        lambda: plugin("hoping", goes_on=lambda state: True), "ending", ["goes_on of plugin 'hoping' is still True after"],
    ),
    "a prize drawn from a set in the last round": (
        lambda: Prizes, "processes", ["in another process", "has other effects"],
    ),
    "points by the hash of a text": (
        lambda: Omens, "processes", ["in another process, the final scores for", "differ"],
    ),
    "a level that is too high for its table": (
        lambda: plugin("levels", parts=lambda rules: [Levels], scoring=lambda rules: [
            ScoringTerm("levels", lambda state, seat: Score((0, 1, 3)[state.part(Levels).level[seat]]))
        ]),
        "tables", ["Levels fails at the key 'level'", "if it is 999"],
    ),
    "a mark in no city, beside long routes": (
        lambda: plugin("flags", map_marks=flag_long), "pictures", ["is not a city"],
    ),
    "a bonus that needs a route": (
        lambda: plugin("first", bonuses=lambda below, board: (*below(), Bonus("first", 1, lambda state, players: [min(state.owners.values())]))),
        "tables", ["a table in which nobody has anything yet cannot be scored"],
    ),
    "points from outside the game": (
        lambda: plugin("flips", on_claim=flip, scoring=lambda rules: [points_in_play("flips")]),
        "events", ["has other effects when it is played once more in the same position"],
    ),
    "a coin without an event after a claim of six spaces": (
        lambda: plugin("finding", parts=lambda rules: [Coins], on_claim=find_if_long),
        "events", ["after ClaimRoute(", "when its events are folded", "tx.emit(Event", "Coins"],
    ),
    "a card that vanishes": (
        lambda: plugin("losing", actions=lambda rules: [LoseRule(CardLost)], on_turn_end=ask_to_lose),  # type: ignore[arg-type]
        "counts", ["1 × ", "of the pool 'cards' is nowhere", "goes into another one with pool=\"cards\""],
    ),
    "a card that only vanishes after a long claim": (
        lambda: made.plugin("burning", (), __name__, on_claim=burn),
        "bots", ["after a game between bots, 1 × ", "of the pool 'cards' is nowhere"],
    ),
    "a card that only vanishes from ten of a kind": (
        lambda: plugin("rotting", on_turn_end=rot), "counts", ["1 × ", "of the pool 'cards' is nowhere"],
    ),
    "a turn that is asked again without limit": (
        lambda: plugin("winking", actions=lambda rules: [WinkRule()]),
        "course", ["WinkRule is free and can be repeated without end", "200 times in one turn"],
    ),
    "a price in locomotives off by one": (
        lambda: plugin("ransom", actions=lambda rules: [RansomRule()]),
        "margins", ["where seat", "holds 3 locomotive cards", "RansomRule: refusal lets Ransom("],
    ),
    "a card from nowhere": (
        lambda: plugin("finding", on_claim=find_card), "counts", ["more than the box of the pool 'cards' has: what comes into a field is taken out of another"],
    ),
    "a payment that stays": (
        lambda: plugin("generous", economy=generous), "counts", ["still holds what it paid with", "economy.pay(tx, seat, cost, payment)"],
    ),
    "a piece that the layer never takes": (
        lambda: paying(ForgetsGems), "counts", ["still has the gem that it paid with", "ForgetsGems.spend does not take 1", "reusable = ('gem',)"],
    ),
    "a view that shows what its event hides": (
        lambda: bidding(Bids), "secrets", ["BidPlaced hides 'points'", "sees it in the state afterwards", "Bids"],
    ),
    "answers opened before all have answered": (
        lambda: tipping(with_the_first), "secrets", ["unusual.TipsOpened tells", "emit it with the last answer to Tip"],
    ),
    "answers opened without a word": (
        lambda: tipping(with_the_last(TipsTold)), "secrets", ["TipsTold tells", "or write reveals = Tip if it opens what all have answered"],
    ),
    "answers that all see before they are opened": (
        lambda: tipping(by_and_by), "secrets", ["TipShown tells", "what it cannot know"],
    ),
    "a hand opened with the answers": (
        lambda: tipping(with_a_hand), "secrets", ["TipsOpened tells", "what it cannot know"],
    ),
    "offers in the order of a set": (
        lambda: Visits, "processes", ["VisitRule: in another process, offers lists Visit in another order", "Sort the items of a set"],
    ),
    "a table taken as it is": (
        lambda: plugin("tables", parts=lambda rules: [TrustingTables]), "tables", ["at the key 'coins' of a player", "TrustingTables"],
    ),
    "a key that forgets": (
        lambda: plugin("crowd", claim_refusal=own_or_open, claim_key=key_of_cars), "offers", ["says two things of", "Put everything that this depends on into claim_key"],
    ),
    "a key that forgets what a cost depends on": (
        lambda: plugin("rush", claim_cost=dearer_later, claim_key=key_of_cars), "offers", ["claim_cost of 'rush' says two things of", "put everything that it depends on into claim_key"],
    ),
    "a hint that tells other costs": (
        lambda: plugin("rush", claim_cost=dearer_later, hints=lambda rules: (RouteCosts(lambda view, rules: {}),)),
        "offers", ["RouteCosts of 'rush' tells bots that", "write one function for states and views"],
    ),
    "a refusal that lasts by mistake": (
        lambda: made.plugin("network", claim_refusal=one_network(lasting=True), claim_key=own_routes),
        "planner", ["if it gives up none of the closed routes", "claim_refusal of 'network' made it play worse", "return Refusal(…, lasting=False)"],
    ),
    "a hint that promises too much": (
        lambda: plugin("hoard", hints=lambda rules: hoarding(5)),
        "planner", ["without that: the ActionValue of DrawTickets of 'hoard' made it play worse", "promise neither more nor fewer points than its action or route brings"],
    ),
    "a hint that puts off the end": (
        lambda: digging(9), "planner", ["games between bots take", "rounds, and", "with the ActionValue of Dig of 'dig', they put off the end"],
    ),
    "an option that is worth less than it says": (
        lambda: Giving, "planner", ["without that: Gift.worth of 'giving' made it play worse"],
    ),
}  # fmt: skip

SOUND: dict[str, Callable[[], type[Variant]]] = {
    "a shop": lambda: shop(BuyRule()),
    "waving three times": lambda: waving(WaveRule(3)),
    "waving three times, with a question": lambda: waving(WaveAndAskRule(3)),
    "sealed bids": lambda: bidding(SealedBids),
    "coins that may be owed": lambda: plugin(
        "debts", parts=lambda rules: [Debts], actions=lambda rules: [BorrowRule()]
    ),
    "required keys that must agree": lambda: plugin("wells", parts=lambda rules: [Wells]),
    "a card seen once": lambda: plugin("safe", parts=lambda rules: [Safe], on_claim=lock_blind(CardSeenOnce)),
    "a piece that stays with the seat": lambda: paying(KeepsGems),
    "at most two coins": lambda: paying(AtMostTwo),
    "the poorest seat has the next turn": lambda: plugin(
        "working", parts=lambda rules: [Coins], actions=lambda rules: [WorkRule()], next_seat=poorest
    ),
    "a question announced to all": lambda: plugin("rich", parts=lambda rules: [Said], on_turn_end=ask_the_rich),
    "answers opened with the last": lambda: tipping(with_the_last(TipsOpened)),
    "tables that are checked": lambda: plugin("tables", parts=lambda rules: [Tables]),
    "cities in order": lambda: VisitsInOrder,
    "a refusal that does not last": lambda: made.plugin(
        "network", claim_refusal=one_network(lasting=False), claim_key=own_routes
    ),
    "a hint that promises nothing": lambda: plugin("calm", hints=lambda rules: hoarding(0)),
    "a hint that says what digging is worth": lambda: digging(0),
    "a hint that tells the costs": lambda: plugin(
        "rush", claim_cost=dearer_later, hints=lambda rules: (RouteCosts.of_hook(dearer_later),)
    ),
    "a hint that is written by hand, with no spaces at all": lambda: plugin(
        "gift", claim_cost=nothing_for_short, hints=lambda rules: (RouteCosts(written_out),)
    ),
    "completed tickets that count in play": lambda: Shown,
    "a whole key": lambda: plugin("crowd", claim_refusal=own_or_open, claim_key=whole_key),
}
