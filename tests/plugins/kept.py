"""Payments that stay with whoever paid them: two kinds of pieces at once, what tunnels cost extra, goods of a part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from attrs import evolve

from ttr_rules import Action, Board, Counts, Event, Refusal, Route, State, Turn, View
from ttr_rules.hints import BotHint, RouteCosts
from ttr_rules.model import Cost
from ttr_rules.parts import KeyHelp, Position, Report
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Economy,
    EconomyLayer,
    Part,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    public,
)

from .coins import COIN, Coins, CoinsTaken, Purses


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


class CoinsPlugin(Variant, name="coins"):
    """Coins: an economy of this test."""

    kind: ClassVar[type[Coins]] = Coins

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return self.kind()


class NoExtraPlugin(CoinsPlugin, name="no-extra"):
    kind = NoExtra


class LaidBackPlugin(CoinsPlugin, name="laid-back"):
    kind = LaidBack


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


class FeedPlugin(Variant, name="feed"):
    """Feed: food for cities."""

    rule: ClassVar[type[FeedRule]] = FeedRule

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return [Larder]

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return [self.rule()]


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
        GoldAloneBackPlugin, "counts", ["would lose the silver that it laid down, together with other pieces", "GoldAloneBack.take_back does not give 1 back"],
    ),
    "a piece that a layer lists itself": (ShownPiecePlugin, "counts", ["still holds what it paid with: Counts(gold=1)"]),
    "what a tunnel costs extra": (NoExtraPlugin, "counts", ["after PayTunnel(", "still holds what it paid with: Counts(coin="]),
    "what is laid down for a tunnel": (LaidBackPlugin, "counts", ["still holds what it paid with: Counts(coin="]),
    "what the bank gets as well": (FedBankPlugin, "counts", ["after ClaimRoute(", "still holds what it paid with: Counts(coin="]),
    "silver of an economy paid beside gold": (GoldOnlyPlugin, "counts", ["after ClaimRoute(", "still holds what it paid with: Counts(gold="]),
    "food": (KeptFoodPlugin, "counts", ["KeptFoodRule", "still holds what it paid with: Counts(", "=2)"]),
    "half of the food": (HalfEatenPlugin, "counts", ["HalfEatenRule", "still holds what it paid with: Counts(", "=2)"]),
    "a misspelt key of an economy": (MisspeltKeyPlugin, "tables", ["MisspeltKey accepts whatever is written under the key 'coins' of a player"]),
    "a misspelt key of a layer": (MisspeltInLayerPlugin, "tables", ["MisspeltInLayer accepts whatever is written under the key 'metal' of a player"]),
    "a number below zero": (NegativeKeyPlugin, "tables", ["NegativeKey accepts -1 under the key 'coins' of a player, with", "Purses.coins[0] at -1"]),
    "a number that cannot be scored": (VowsPlugin, "tables", ["Vows fails at the key 'vow' of a player in a table if it is 5", "scoring term 'vows' of plugin 'vows'"]),
    "a cost that bots are told": (CheapHint, "offers", ["RouteCosts of plugin", "'cheap-hint'", "tells bots that", "but it costs"]),
}  # fmt: skip
#: The same without the fault, and income that is larger than what was paid.
TAKEN = (MetalPlugin, ShedPlugin, CoinsPlugin, FeedPlugin, BountyPlugin, VaultPlugin)
