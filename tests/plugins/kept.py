"""Payments that stay with whoever paid them: two kinds of pieces at once, what tunnels cost extra, goods of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve

from ttr_rules import Action, Board, Counts, Event, Refusal, Route, State, Turn, View
from ttr_rules.actions import economy_of
from ttr_rules.hints import BotHint, RouteCosts
from ttr_rules.model import Cost
from ttr_rules.parts import KeyHelp, Position, Report
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Economy,
    EconomyLayer,
    PaidRule,
    Part,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    public,
)
from ttr_rules.train_cards import TrainCards

from .coins import COIN, Coins, CoinsGone, CoinsTaken, Purses


class Chest(Part):
    """The gold and the silver of each seat."""

    gold: list[int] = public(each=3)
    silver: list[int] = public(each=3)


class ChestSet(Event):
    seat: int
    gold: int
    silver: int

    def apply(self, state: State) -> None:
        state.part(Chest).gold[self.seat] = self.gold
        state.part(Chest).silver[self.seat] = self.silver


class TwoMetals(EconomyLayer):
    """A piece of gold pays for a space, a piece of silver for another one."""

    pieces = ("gold", "silver")

    def held(self, state: State, seat: int) -> Mapping[str, int]:
        chest = state.part(Chest)
        return {"gold": chest.gold[seat], "silver": chest.silver[seat]}

    def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, Counts]]:
        ways = [Counts(), Counts(gold=1), Counts(silver=1), Counts(gold=1, silver=1)]
        return [(evolve(cost, spaces=cost.spaces - way.total), way) for way in ways if cost.spaces > way.total]

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        self.move(tx, seat, pieces, -1)

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        self.move(tx, seat, pieces, 1)

    def move(self, tx: Transaction, seat: int, pieces: Counts, sign: int) -> None:
        chest = tx.state.part(Chest)
        tx.emit(ChestSet, seat, chest.gold[seat] + sign * pieces["gold"], chest.silver[seat] + sign * pieces["silver"])


class GoldAlone(TwoMetals):
    """Of gold and silver together, gold alone is taken."""

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        super().spend(tx, seat, Counts(gold=1) if pieces["gold"] else pieces)


class GoldAloneBack(TwoMetals):
    """Of gold and silver together, gold alone is given back."""

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        super().take_back(tx, seat, Counts(gold=1) if pieces["gold"] else pieces)


class OneTooMany(TwoMetals):
    """A piece more is taken of each kind that is paid."""

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        held = Counts(self.held(tx.state, seat))
        more = Counts({kind: min(held[kind], count + 1) for kind, count in pieces.items()})
        super().spend(tx, seat, more)


class TwiceBack(TwoMetals):
    """Silver is given back twice."""

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        super().take_back(tx, seat, pieces + Counts(silver=pieces["silver"]))


class ShownPiece(EconomyLayer):
    """A piece of gold pays for a space by payments of the layer's own, and stays."""

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        yield from super().payments(state, seat, cost)
        if self.helps(state, seat, cost):
            for payment in super().payments(state, seat, evolve(cost, spaces=cost.spaces - 1)):
                yield payment + Counts(gold=1)

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Any:
        if payment["gold"] == 1 and self.helps(state, seat, cost):
            cost, payment = evolve(cost, spaces=cost.spaces - 1), payment - Counts(gold=1)
        return super().refusal(state, seat, cost, payment)

    def helps(self, state: State, seat: int, cost: Cost) -> bool:
        return cost.spaces > 1 and not cost.tunnel and state.part(Chest).gold[seat] > 0

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        super().pay(tx, seat, cost, payment - Counts(gold=payment["gold"]))


class MetalPlugin(Variant, name="metal"):
    """Metal: a layer of this test."""

    layer: ClassVar[type[EconomyLayer]] = TwoMetals

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Chest]

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return self.layer(below())


class GoldAlonePlugin(MetalPlugin, name="gold-alone"):
    layer = GoldAlone


class GoldAloneBackPlugin(MetalPlugin, name="gold-alone-back"):
    layer = GoldAloneBack


class OneTooManyPlugin(MetalPlugin, name="one-too-many"):
    layer = OneTooMany


class TwiceBackPlugin(MetalPlugin, name="twice-back"):
    layer = TwiceBack


class ShownPiecePlugin(MetalPlugin, name="shown-piece"):
    layer = ShownPiece


class Shed(Part):
    """Engines for everybody, and how many each seat owes for."""

    engines: int = public(default=8)
    owed: list[int] = public(each=0)


class EngineTaken(Event):
    taken: int

    def apply(self, state: State) -> None:
        state.part(Shed).engines -= self.taken


class EngineOwed(Event):
    seat: int

    def apply(self, state: State) -> None:
        state.part(Shed).owed[self.seat] += 1


class SharedEngines(EconomyLayer):
    """An engine that all share pays for a space of whoever owes for fewer than three; after the claim it is owed for."""

    pieces = ("engine",)

    def held(self, state: State, seat: int) -> Mapping[str, int]:
        shed = state.part(Shed)
        return {"engine": min(shed.engines, 1) if shed.owed[seat] < 3 else 0}

    def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, Counts]]:
        rest = evolve(cost, spaces=cost.spaces - 1)
        return [(cost, Counts()), (rest, Counts(engine=1))] if cost.spaces > 1 else [(cost, Counts())]

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(EngineTaken, pieces["engine"])

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        tx.emit(EngineTaken, -pieces["engine"])


class Change(TwoMetals):
    """Whoever pays with gold gets a piece of silver."""

    def spend(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        super().spend(tx, seat, pieces)
        chest = tx.state.part(Chest)
        tx.emit(ChestSet, seat, chest.gold[seat], chest.silver[seat] + pieces["gold"])

    def take_back(self, tx: Transaction, seat: int, pieces: Counts) -> None:
        super().take_back(tx, seat, pieces)
        chest = tx.state.part(Chest)
        tx.emit(ChestSet, seat, chest.gold[seat], chest.silver[seat] - pieces["gold"])


class Renovate(Action):
    message = "Renovate"
    payment: Counts


class Renovated(Event):
    seat: int
    gold: int

    def apply(self, state: State) -> None:
        chest = state.part(Chest)
        chest.gold[self.seat] -= self.gold
        chest.silver[self.seat] += 2


class RenovateRule(ActionRule[Turn, Renovate]):
    """Two pieces of gold, the pieces of a layer, are paid by an action that has its own event; two of silver come for them."""

    takes = 2

    def offers(self, state: State, decision: Turn) -> Sequence[Renovate]:
        return [Renovate(decision.seat, Counts(gold=2))] if state.part(Chest).gold[decision.seat] >= 2 else []

    def perform(self, tx: Transaction, decision: Turn, action: Renovate) -> None:
        tx.emit(Renovated, action.seat, self.takes)


class HalfRenovateRule(RenovateRule):
    takes = 1


class Toll(Action):
    message = "Pay a toll"
    payment: Counts


class TollRule(PaidRule[Turn, Toll]):
    """Two cards, or gold in place of one, go to the discards, or the cards alone."""

    keeps_gold = False

    def every(self, rules: Rules) -> Iterable[tuple[tuple[()], Cost]]:
        return [((), Cost("toll", 2))]

    def no_sale(self, state: State, seat: int, thing: Any) -> Refusal | None:
        return Refusal("metal-toll", "there is silver enough") if state.part(Chest).silver[seat] > 5 else None

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        chest = tx.state.part(Chest)
        tx.emit(ChestSet, seat, chest.gold[seat], chest.silver[seat] + 1)

    def pay(self, tx: Transaction, seat: int, thing: Any, payment: Counts) -> None:
        if self.keeps_gold:
            cards = payment - Counts(gold=payment["gold"], silver=payment["silver"])
            economy_of(self.economy, TrainCards).pay(tx, seat, Cost("toll", cards.total), cards)
        else:
            super().pay(tx, seat, thing, payment)


class KeepsGoldRule(TollRule):
    keeps_gold = True


class ChangePlugin(MetalPlugin, name="change"):
    layer = Change


class RenovatePlugin(MetalPlugin, name="renovate"):
    rules: ClassVar[tuple[type[ActionRule[Any, Any]], ...]] = (RenovateRule, TollRule)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return [rule() for rule in self.rules]


class HalfRenovatePlugin(RenovatePlugin, name="half-renovate"):
    rules = (HalfRenovateRule,)


class KeepsGoldPlugin(RenovatePlugin, name="keeps-gold"):
    rules = (KeepsGoldRule,)


class ShedPlugin(Variant, name="shed"):
    """Shed: engines for everybody."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Shed]

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return SharedEngines(below())

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(EngineOwed, seat)


# -- economies -------------------------------------------------------------------------------------------------------


class BankPaid(Event):
    seat: int
    coins: int

    def apply(self, state: State) -> None:
        state.part(Purses).bank += self.coins


class NoExtra(Coins):
    """What a tunnel costs extra is not taken."""

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        super().spend_laid(tx, seat, Counts())


class LaidBack(Coins):
    """The coins that were laid down for a tunnel come back in any case."""

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        self.take_back_laid(tx, seat, Counts())
        if extra:
            self.pay(tx, seat, Cost("toll", 1), extra)


class DoubleBack(Coins):
    """The coins that were laid down for a tunnel come back twice."""

    def take_back_laid(self, tx: Transaction, seat: int, laid: Counts) -> None:
        super().take_back_laid(tx, seat, laid)
        tx.emit(CoinsGone, seat, -laid[COIN])


class FedBank(Coins):
    """The bank gets what is paid, and the seat keeps it."""

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(BankPaid, seat, payment[COIN])


class MisspeltKey(Coins):
    """The key `coins` of a player is read as `coin`."""

    player_keys = ("coins",)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        for player in position.players:
            tx.emit(CoinsTaken, player.seat, player.number("coin", 3, 0, 50, report))


class NegativeKey(Coins):
    """A player may have less than nothing."""

    player_keys = ("coins",)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        for player in position.players:
            coins = player.raw.get("coins", 3)
            if isinstance(coins, int) and coins < 50:
                tx.emit(CoinsTaken, player.seat, coins)
            else:
                report.add(f"{player.place}.coins", "expected a number of coins")


class Vault(Part):
    """The gold of each seat, and its silver by itself in tables."""

    gold: list[int] = public(each=10)
    more: list[dict[str, int]] = public()

    def set_up(self, tx: Transaction) -> None:
        self.more = [{"silver": 10} for _ in range(tx.state.players)]


class VaultPaid(Event):
    seat: int
    gold: int
    silver: int

    def apply(self, state: State) -> None:
        vault = state.part(Vault)
        vault.gold[self.seat] -= self.gold
        vault.more[self.seat] = {"silver": vault.more[self.seat]["silver"] - self.silver}


class TwoPurses(Coins):
    """A route costs gold for each space, and a piece of silver."""

    takes_silver = True

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        payment = Counts(gold=cost.spaces, silver=1)
        if self.refusal(state, seat, cost, payment) is None:
            yield payment

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        vault = state.part(Vault)
        if payment != Counts(gold=cost.spaces, silver=1):
            return Refusal("coins-price", f"this costs {cost.spaces} gold and a piece of silver")
        if vault.gold[seat] < cost.spaces or vault.more[seat]["silver"] < 1:
            return Refusal("coins-purse", f"seat {seat} has too little")
        return None

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(VaultPaid, seat, payment["gold"], payment["silver"] if self.takes_silver else 0)

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        self.pay(tx, seat, cost, payment)

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        self.lay(tx, seat, cost, payment)
        return (), None

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        pass


class GoldOnly(TwoPurses):
    """The silver stays."""

    takes_silver = False


class VaultPlugin(Variant, name="vault"):
    """Vault: routes cost gold and silver."""

    kind: ClassVar[type[Coins]] = TwoPurses

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Vault]

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return self.kind()


class GoldOnlyPlugin(VaultPlugin, name="gold-only"):
    kind = GoldOnly


class Noted(Coins):
    """Coins that were laid down leave the purse only when the tunnel is paid for."""

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(CoinsNoted, payment[COIN])

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        tx.emit(CoinsGone, seat, tx.state.part(Purses).laid + extra[COIN])
        tx.emit(CoinsNoted, 0)

    def take_back_laid(self, tx: Transaction, seat: int, laid: Counts) -> None:
        tx.emit(CoinsNoted, 0)

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        purses = state.part(Purses)
        if purses.coins[seat] < payment[COIN] + purses.laid:
            return Refusal("coins-purse", "too few coins")
        return super().refusal(state, seat, cost, payment)

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        laid = state.part(Purses).laid
        return [
            way for way in super().payments(state, seat, cost) if way[COIN] + laid <= state.part(Purses).coins[seat]
        ]


class ExtraAlone(Noted):
    """Only what a tunnel costs extra leaves the purse, if it costs any."""

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        if extra:
            tx.emit(CoinsGone, seat, extra[COIN])
            tx.emit(CoinsNoted, 0)
        else:
            super().spend_laid(tx, seat, extra)


class Refund(Coins):
    """A coin comes back when more than one is paid."""

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        super().pay(tx, seat, cost, payment)
        if payment[COIN] > 1:
            tx.emit(CoinsGone, seat, -1)


class CoinsNoted(Event):
    coins: int

    def apply(self, state: State) -> None:
        state.part(Purses).laid = self.coins


class CoinsPlugin(Variant, name="coins"):
    """Coins: an economy of this test."""

    kind: ClassVar[type[Coins]] = Coins

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return self.kind()


class NotedPlugin(CoinsPlugin, name="noted"):
    kind = Noted


class RefundPlugin(CoinsPlugin, name="refund"):
    kind = Refund


class ExtraAlonePlugin(CoinsPlugin, name="extra-alone"):
    kind = ExtraAlone


class NoExtraPlugin(CoinsPlugin, name="no-extra"):
    kind = NoExtra


class LaidBackPlugin(CoinsPlugin, name="laid-back"):
    kind = LaidBack


class DoubleBackPlugin(CoinsPlugin, name="double-back"):
    kind = DoubleBack


class FedBankPlugin(CoinsPlugin, name="fed-bank"):
    kind = FedBank


class MisspeltKeyPlugin(CoinsPlugin, name="misspelt-key"):
    kind = MisspeltKey


class NegativeKeyPlugin(CoinsPlugin, name="negative-key"):
    kind = NegativeKey


class MisspeltInLayer(EconomyLayer):
    """A layer has a key that it does not read."""

    player_keys = ("metal",)


class MisspeltInLayerPlugin(MetalPlugin, name="misspelt-in-layer"):
    layer = MisspeltInLayer


# -- parts -----------------------------------------------------------------------------------------------------------


class Larder(Part):
    """The food of each seat, and the cities that it fed."""

    food: list[Counts] = public(each=Counts(apple=3, bread=3), of=("apple", "bread"), label="Food")
    fed: dict[str, int] = public(seats=True, label="Fed")


class CityFed(Event):
    seat: int
    city: str
    eaten: Counts

    def apply(self, state: State) -> None:
        larder = state.part(Larder)
        larder.fed[self.city] = self.seat
        larder.food[self.seat] -= self.eaten


class FoodExchanged(Event):
    seat: int
    city: str
    left: Counts

    def apply(self, state: State) -> None:
        state.part(Larder).fed[self.city] = self.seat
        state.part(Larder).food[self.seat] = self.left


class Feed(Action):
    message = "Feed a city"
    city: str
    payment: Counts


class FeedRule(ActionRule[Turn, Feed]):
    """Two apples or two loaves feed a city that the seat reaches."""

    def offers(self, state: State, decision: Turn) -> Sequence[Feed]:
        seat, larder = decision.seat, state.part(Larder)
        cities = [city for city in state.rules.board.cities if city not in larder.fed and state.reaches(seat, city)]
        food = [Counts({kind: 2}) for kind in ("apple", "bread") if larder.food[seat][kind] >= 2]
        return [Feed(seat, city, payment) for city in cities for payment in food]

    def perform(self, tx: Transaction, decision: Turn, action: Feed) -> None:
        tx.emit(CityFed, action.seat, action.city, self.eaten(action.payment))

    def eaten(self, payment: Counts) -> Counts:
        return payment


class KeptFoodRule(FeedRule):
    """Nothing is eaten."""

    def eaten(self, payment: Counts) -> Counts:
        return Counts()


class HalfEatenRule(FeedRule):
    """Half of it is eaten."""

    def eaten(self, payment: Counts) -> Counts:
        return Counts(dict.fromkeys(payment, 1))


class ExchangeRule(FeedRule):
    """Two loaves are eaten, and for two apples a loaf comes in the same event."""

    def perform(self, tx: Transaction, decision: Turn, action: Feed) -> None:
        food = tx.state.part(Larder).food[action.seat] - action.payment
        tx.emit(FoodExchanged, action.seat, action.city, food + Counts(bread=1) if action.payment["apple"] else food)


class FeedPlugin(Variant, name="feed"):
    """Feed: food for cities."""

    rule: ClassVar[type[FeedRule]] = FeedRule

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Larder]

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return [self.rule()]


class ExchangePlugin(FeedPlugin, name="exchange"):
    rule = ExchangeRule


class KeptFoodPlugin(FeedPlugin, name="kept-food"):
    rule = KeptFoodRule


class HalfEatenPlugin(FeedPlugin, name="half-eaten"):
    rule = HalfEatenRule


# -- values of keys, and hints ---------------------------------------------------------------------------------------


class Vows(Part):
    """A number from 0 to 4 for each seat; 9 is accepted."""

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {"vow": KeyHelp("The vow of this player.", "3")}
    made: list[int] = public(each=0, label="Vow")

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        super().arrange(tx, position, report)
        for player in position.players:
            tx.emit(VowMade, player.seat, player.number("vow", 0, 0, 9, report))


class VowMade(Event):
    seat: int
    vow: int

    def apply(self, state: State) -> None:
        state.part(Vows).made[self.seat] = self.vow


class VowsPlugin(Variant, name="vows"):
    """Vows: points from a table that ends at 4."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Vows]

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return [ScoringTerm("vows", lambda state, seat: Score((0, 2, 4, 7, 11)[state.part(Vows).made[seat]]))]


class Medals(Part):
    """The medals of each seat, whose key is read wherever `reads` says."""

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {"medals": KeyHelp("The medals of this player.", "3")}
    reads: ClassVar[Callable[[Position], bool]] = lambda position: True
    keeps: ClassVar[bool] = True
    medals: list[int] = public(each=2, label="Medals")

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        super().arrange(tx, position, report)
        for player in position.players if type(self).reads(position) else ():
            medals = player.number("medals", 2, 0, 9, report)
            if self.keeps:
                tx.emit(MedalsGiven, player.seat, medals)


class MedalsGiven(Event):
    seat: int
    medals: int

    def apply(self, state: State) -> None:
        kind = next(kind for kind in state.parts if issubclass(kind, Medals))
        state.part(kind).medals[self.seat] = self.medals


class InPositions(Medals):
    reads = lambda position: not position.to_score  # noqa: E731


class InTables(Medals):
    reads = lambda position: position.to_score  # noqa: E731


class CheckedAlone(Medals):
    keeps = False


class MedalsPlugin(Variant, name="medals"):
    """Medals: points for medals."""

    part: ClassVar[type[Medals]] = Medals

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [self.part]

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return [ScoringTerm("medals", lambda state, seat: Score(state.part(self.part).medals[seat]))]


class InPositionsPlugin(MedalsPlugin, name="in-positions"):
    part = InPositions


class InTablesPlugin(MedalsPlugin, name="in-tables"):
    part = InTables


class CheckedAlonePlugin(MedalsPlugin, name="checked-alone"):
    part = CheckedAlone


class DividesPlugin(MedalsPlugin, name="divides"):
    """Divides: at the end, medals by the number of routes."""

    @hookimpl
    def on_game_end(self, tx: Transaction) -> None:
        for seat in range(tx.state.players):
            tx.emit(MedalsGiven, seat, 100 // len([*tx.state.routes(seat)]))


def one_space(view: View, rules: Rules) -> Mapping[str, Cost]:
    """A space for each route."""
    return {id: evolve(Cost.of_route(route), spaces=1, wilds=0) for id, route in rules.board.routes.items()}


class CheapHint(Variant, name="cheap-hint"):
    """Cheap hint: bots are told that each route costs one card."""

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return [RouteCosts(one_space)]


class BountyPlugin(CoinsPlugin, name="bounty"):
    """Bounty: a claim brings more coins than it costs."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(CoinsTaken, seat, min(2 * route.length, tx.state.part(Purses).bank))


#: Plugins by what is wrong with them: the property that finds it, and words of the message.
KEPT: Mapping[str, tuple[type[Variant], str, Sequence[str]]] = {
    "silver paid beside gold": (
        GoldAlonePlugin, "counts", ["still has the silver that it paid with, together with other pieces (1 gold + 1 silver)", "GoldAlone.spend does not take 1"],
    ),
    "silver laid down beside gold": (
        GoldAloneBackPlugin, "counts", ["would have 1 silver fewer than before if it laid down 1 gold + 1 silver and abandoned the tunnel", "GoldAloneBack.take_back does not give back"],
    ),
    "a piece too many": (OneTooManyPlugin, "counts", ["fewer than before if it laid down", "OneTooMany.take_back does not give back what spend takes"]),
    "silver given back twice": (TwiceBackPlugin, "counts", ["would have 1 silver more than before if it laid down", "TwiceBack.take_back"]),
    "a piece that a layer lists itself": (ShownPiecePlugin, "counts", ["still holds what it paid with: 1 gold"]),
    "what a tunnel costs extra": (NoExtraPlugin, "counts", ["after PayTunnel(", "still holds what it paid with: "]),
    "what is laid down for a tunnel": (LaidBackPlugin, "counts", ["still holds what it paid with: "]),
    "what is laid down where a tunnel costs extra": (ExtraAlonePlugin, "counts", ["after PayTunnel(", "still holds what it paid with: "]),
    "coins given back twice": (DoubleBackPlugin, "counts", ["would have more in plugins.coins.Purses.coins than before if it laid down", "take_back_laid"]),
    "what the bank gets as well": (FedBankPlugin, "counts", ["after ClaimRoute(", "still holds what it paid with: "]),
    "silver of an economy paid beside gold": (GoldOnlyPlugin, "counts", ["after ClaimRoute(", "still holds what it paid with: "]),
    "food": (KeptFoodPlugin, "counts", ["KeptFoodRule", "still holds what it paid with: 2 "]),
    "half of the food": (HalfEatenPlugin, "counts", ["HalfEatenRule", "still holds what it paid with: 2 "]),
    "a misspelt key of an economy": (MisspeltKeyPlugin, "tables", ["MisspeltKey accepts whatever is written under the key 'coins' of a player"]),
    "a misspelt key of a layer": (MisspeltInLayerPlugin, "tables", ["MisspeltInLayer accepts whatever is written under the key 'metal' of a player"]),
    "gold of a layer paid by an action": (HalfRenovatePlugin, "counts", ["after Renovate(", "HalfRenovateRule", "still holds what it paid with: 2 gold"]),
    "gold of a layer that a paid rule keeps": (KeepsGoldPlugin, "counts", ["after Toll(", "KeepsGoldRule", "still holds what it paid with: 1 "]),
    "a key for positions alone": (InPositionsPlugin, "tables", ["InPositions accepts whatever is written under the key 'medals' of a player in a table"]),
    "a key for tables alone": (InTablesPlugin, "tables", ["InTables accepts whatever is written under the key 'medals' of a player in a position"]),
    "a key that is only checked": (CheckedAlonePlugin, "tables", ["CheckedAlone reads the key 'medals' of a player, but no number that it accepts changes anything"]),
    "an end without routes": (DividesPlugin, "tables", ["a game that ends before anybody has claimed a route cannot be played to its end", "ZeroDivisionError", "in on_game_end"]),
    "a number below zero": (NegativeKeyPlugin, "tables", ["NegativeKey accepts -1 under the key 'coins' of a player, with", "Purses.coins[0] at -1: refuse it with"]),
    "a number that cannot be scored": (VowsPlugin, "tables", ["Vows fails at the key 'vow' of a player in a table if it is 5", "scoring term 'vows' of plugin 'vows'"]),
    "a cost that bots are told": (CheapHint, "offers", ["RouteCosts of plugin", "'cheap-hint'", "tells bots that", "but it costs"]),
}  # fmt: skip
#: The same without the fault, and income that is larger than what was paid.
TAKEN = (
    MetalPlugin, ChangePlugin, RenovatePlugin, ShedPlugin, CoinsPlugin, NotedPlugin, RefundPlugin, BountyPlugin, VaultPlugin, FeedPlugin, ExchangePlugin, MedalsPlugin,
)  # fmt: skip
