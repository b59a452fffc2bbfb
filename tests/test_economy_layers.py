"""Economies that others adjust, in every order of the stack: what decides, what `explain` says, whose types these are."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any, ClassVar

import pytest
from attrs import evolve
from helpers import arranged, keep_all
from playing import check_choices
from plugins.coins import CoinsPlugin
from plugins.made import giving, plugin
from plugins.spending import Bank, CoinForSpace, PaysItself, RichPayMore, Shorter

import ttr_rules as ttr
from ttr_rules.actions import Prices
from ttr_rules.errors import PluginConflictError, PluginError, SaveError
from ttr_rules.model import Cost, Counts
from ttr_rules.plugins import (
    ActionRule,
    Below,
    DrawCounts,
    Economy,
    EconomyLayer,
    Rules,
    Transaction,
    Variant,
    hookimpl,
    tryfirst,
)
from ttr_rules.train_cards import TrainCards
from ttr_tools.testing.secrets import Preview
from ttr_variants.dice import DiceEconomy, Reroll, RerollChoice
from ttr_variants.marklin.cards import MarklinCards


class Steep(EconomyLayer):
    """Every route costs a space more; all else is as it is below."""

    def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + 1) if cost.kind in ("single", "double") else cost


class SteepPlugin(Variant, name="steep"):
    """Steep: every route costs a space more, whatever pays."""

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return Steep(below())


class KeepTwo(Variant, name="keep-two"):
    """Keep two: adjusts what dice adjust too."""

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
        return evolve(below(), drawn=4, keep=2)


STEEP = SteepPlugin()


def told(rules: ttr.Rules, hook: str = "economy") -> str:
    return next(line for line in rules.explain().splitlines() if line.startswith(f"{hook}: "))


def played(rules: ttr.Rules, seed: int, actions: int = 120) -> ttr.Game:
    game, random = ttr.new_game(rules=rules, players=2, seed=seed), Random(seed)
    while game.to_act and game.played < actions:
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])
    return game


# -- who decides, whatever the order --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.rule("V8")
@pytest.mark.parametrize("base", ["europe", "nordic-countries", "germany-tickets"])
def test_an_adjuster_of_the_economy_adjusts_dice_in_every_order_of_the_stack(base: str) -> None:
    compiled = [ttr.compile_rules(*stack) for stack in permutations((base, "dice", STEEP))]
    for rules in compiled:
        assert isinstance(rules.economy, Steep) and type(rules.economy.below) is DiceEconomy
        cards = "nordic-countries, train-cards" if base == "nordic-countries" else "train-cards"
        assert told(rules) == f"economy: dice (replaces {cards}) ⟵ adjusted by steep"
    assert len({rules.fingerprint for rules in compiled}) == 1
    assert len({tuple(rules.types) for rules in compiled}) == 1
    assert played(compiled[0], 3) == played(compiled[-1], 3)


@pytest.mark.slow
def test_an_adjuster_of_the_economy_adjusts_the_cards_of_a_map_in_every_order_of_the_stack() -> None:
    for stack in permutations(("germany-tickets", STEEP)):
        rules = ttr.compile_rules(*stack)
        assert isinstance(rules.economy, Steep) and type(rules.economy.below) is MarklinCards
        assert [name for name, _ in sorted(rules.types.items()) if name.startswith("steep.")] == []
        assert told(rules) == "economy: train-cards ⟵ adjusted by marklin, steep"
        game = arranged(rules, {"hand": {"passenger": 2, "locomotive_4": 1}}, {})
        assert ttr.cards(game.state).hands[0] == {"passenger": 2, "locomotive_4": 1}


def test_the_cards_of_an_adjusted_economy_are_saved_and_imagined_as_those_of_any() -> None:
    rules = ttr.compile_rules("europe", STEEP)
    game = played(rules, 2, 40)
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    world = ttr.determinize(game.view(0), rules, seed=1)
    assert world.view(0) == game.view(0)


@pytest.mark.rule("X4")
@pytest.mark.rule("S4", "R1")
@pytest.mark.parametrize("stack", [["pennsylvania"], ["pennsylvania", SteepPlugin()]], ids=["plain", "adjusted"])
def test_the_kit_keeps_the_hidden_pile_where_a_sweep_depends_on_it_with_any_layers(stack: list[object]) -> None:
    """With R1 the pile decides whether three locomotives stay: another world must have the same pile then."""
    loco = "locomotive"
    row = {"face_up": [loco, loco, loco, "red", "blue"], "draw_pile": [loco] * 4}
    game = arranged(ttr.compile_rules(*stack), *[{}] * 5, **row)
    assert Preview(game, ttr.DrawBlind(0)).drawn == {1, 2, 3}
    quiet = arranged(ttr.compile_rules(*stack), *[{}] * 5, draw_pile=[loco] * 4)
    assert Preview(quiet, ttr.DrawBlind(0)).drawn == set()


class Watched(EconomyLayer):
    """Counts how often cards are dealt; nothing that pays is changed."""

    dealt = 0

    def deal(self, tx: Transaction) -> None:
        type(self).dealt += 1
        super().deal(tx)


class Watch(Variant, name="watch"):
    """Watch: a layer that changes no payment."""

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return Watched(below())


def test_a_layer_that_changes_no_payment_has_the_prices_below() -> None:
    watched, steep, plain = (ttr.compile_rules("europe", *more) for more in ([Watch], [SteepPlugin], []))
    costs = [Cost("single", 2)]
    kinds = [type(rules.economy.prices(costs)) for rules in (watched, steep, plain)]
    assert kinds[0] is kinds[2] is not kinds[1]
    assert ttr.playout(watched, players=3, seed=1) == ttr.playout(plain, players=3, seed=1)
    assert Watched.dealt == 1


class DearTunnels(EconomyLayer):
    """What a tunnel costs extra is one card more; all other costs are as below."""

    def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + 1) if cost.extra else cost


def test_a_layer_has_the_prices_below_for_costs_that_it_does_not_change() -> None:
    rules = ttr.compile_rules("europe", plugin("dear", economy=lambda below, board: DearTunnels(below())))
    plain, extra = Cost("single", 2), Cost("single", 1, "yellow", tunnel=True, extra=True)
    below = ttr.compile_rules("europe").economy
    assert type(rules.economy.prices([plain])) is type(below.prices([plain]))
    assert type(rules.economy.prices([plain, extra])) is not type(below.prices([plain, extra]))
    players = [{"hand": {"yellow": 5}}, {}]
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["yellow", "red", "red"], "players": players})
    game.play(ttr.ClaimRoute(0, "munchen-zurich-yellow", {"yellow": 2}))
    assert [str(action.payment) for action in game.legal_actions() if isinstance(action, ttr.PayTunnel)] == ["2 yellow"]


class DearRed(EconomyLayer):
    """What a tunnel costs extra in red cards is one card more, so that it depends on a color that only play shows."""

    def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + 1) if cost.extra and cost.color == "red" else cost


def test_a_layer_may_change_extra_costs_of_one_color_alone() -> None:
    rules = ttr.compile_rules("europe", plugin("dear", economy=lambda below, board: DearRed(below())))
    players = [{"hand": {"red": 5}}, {}]
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["red", "blue", "blue"], "players": players})
    game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    assert [str(action.payment) for action in game.legal_actions() if isinstance(action, ttr.PayTunnel)] == ["2 red"]
    assert len(ttr.playout(rules, players=3, seed=1).players) == 3


class Receipts(EconomyLayer):
    """Writes down what was paid for each cost; prices and payments are those below."""

    paid: ClassVar[list[tuple[Cost, ttr.Counts]]] = []

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts) -> None:
        self.paid.append((cost, payment))
        super().pay(tx, seat, cost, payment)


class ReceiptsPlugin(Variant, name="receipts"):
    """Receipts: a layer that takes payments in a way of its own."""

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return Receipts(below())


@pytest.mark.parametrize(
    "stack", [["europe"], ["switzerland"], ["united-kingdom"], ["europe", "dice"], ["europe", STEEP]], ids=str
)
def test_a_layer_that_takes_payments_has_the_payments_below_and_is_told_the_cost(stack: list[object]) -> None:
    receipts, plain = (ttr.compile_rules(*stack, *more) for more in ([ReceiptsPlugin], []))
    costs = [Cost("single", 2)]
    assert receipts.economy.prices(costs).all_payments() == plain.economy.prices(costs).all_payments()
    Receipts.paid.clear()
    assert ttr.playout(receipts, players=2, seed=1) == ttr.playout(plain, players=2, seed=1)
    assert all(payment.total >= min(cost.spaces, 1) for cost, payment in Receipts.paid) and Receipts.paid


def test_a_claim_tells_the_layer_that_takes_the_payment_what_it_cost() -> None:
    rules = ttr.compile_rules("europe", ReceiptsPlugin)
    game = arranged(rules, {"hand": {"white": 3}}, {}, draw_pile=["red"] * 6)
    Receipts.paid.clear()
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert [(cost.spaces, cost.color, str(payment)) for cost, payment in Receipts.paid] == [(3, "white", "3 white")]


class OwnPrices(Prices):
    """Prices that take payments themselves."""

    def pay(self, tx: Transaction, seat: int, cost: int, way: int) -> None:
        self.economy.pay(tx, seat, self.costs[cost], self.payment(tx.state, seat, cost, way))


class OwnPricesCards(TrainCards):
    """Train cards with such prices."""

    def prices(self, costs: Sequence[Cost]) -> Prices:
        return OwnPrices(self, costs)


def test_a_layer_takes_payments_over_prices_that_take_them_themselves() -> None:
    rules = ttr.compile_rules("europe", plugin("own-prices", economy=giving(OwnPricesCards())), ReceiptsPlugin)
    game = arranged(rules, {"hand": {"white": 3}}, {}, draw_pile=["red"] * 6)
    Receipts.paid.clear()
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert [(cost.spaces, cost.color, str(payment)) for cost, payment in Receipts.paid] == [(3, "white", "3 white")]


@pytest.mark.parametrize("tunnel", [False, True])
def test_train_cards_refuse_what_is_not_a_card(tunnel: bool) -> None:
    state = arranged(ttr.compile_rules("europe"), {"hand": {"red": 4}}, {}).state
    tx, economy, cost = Transaction(state, []), state.rules.economy, Cost("route", 2, tunnel=tunnel)
    if tunnel:
        economy.lay(tx, 0, cost, ttr.Counts(red=2))
    with pytest.raises(PluginError, match="the economy layer that allows it must take 'coin'"):
        if tunnel:
            economy.spend_laid(tx, 0, ttr.Counts(red=1, coin=1))
        else:
            economy.pay(tx, 0, cost, ttr.Counts(red=1, coin=1))


class Tells:
    """Tells which methods are called in a tunnel."""

    asked: ClassVar[list[tuple[str, str]]] = []

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts) -> None:
        self._tell("lay", tx, seat, cost, payment)

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        entered: tuple[tuple[str, ...], Cost | None] = self._tell("enter_tunnel", tx, seat, cost, payment)
        return entered

    def spend_laid(self, tx: Transaction, seat: int, extra: ttr.Counts) -> None:
        self._tell("spend_laid", tx, seat, extra)

    def take_back_laid(self, tx: Transaction, seat: int, laid: ttr.Counts) -> None:
        self._tell("take_back_laid", tx, seat, laid)

    def _tell(self, method: str, *given: Any) -> Any:
        self.asked.append((method, str(given[-1])))
        return getattr(super(), method)(*given)


class TellingCards(Tells, TrainCards):
    pass


class TellingLayer(Tells, EconomyLayer):
    pass


class TellingBelowPrices(TellingLayer):
    """The same with the prices below."""

    def prices(self, costs: Sequence[Cost]) -> Prices:
        return self.below.prices(costs)


TELLING = {
    "cards": [plugin("telling", economy=lambda below, board: TellingCards())],
    "cards below a layer": [plugin("telling", economy=lambda below, board: Shorter(TellingCards()))],
    "layer": [plugin("telling", economy=lambda below, board: TellingLayer(below()))],
    "layer below another": [plugin("telling", economy=lambda below, board: Shorter(TellingLayer(below())))],
    "layer without prices": [plugin("telling", economy=lambda below, board: TellingBelowPrices(below()))],
}


@pytest.mark.parametrize(
    ("pile", "answers", "end"),
    [
        (["white", "blue", "green"], [], ("spend_laid", "nothing")),
        (["red", "blue", "green"], [ttr.PayTunnel(0, {"red": 1})], ("spend_laid", "1 red")),
        (["red", "blue", "green"], [ttr.AbandonTunnel(0)], ("take_back_laid", "3 red")),
    ],
    ids=["no extra", "paid", "abandoned"],
)
@pytest.mark.parametrize("plugins", TELLING.values(), ids=TELLING)
def test_the_economy_is_always_asked_what_becomes_of_a_tunnel(
    plugins: list[Any], pile: list[str], answers: list[ttr.Action], end: tuple[str, str]
) -> None:
    rules = ttr.compile_rules("europe", *plugins)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 5}}, {}], "draw_pile": pile})
    Tells.asked.clear()
    for action in (ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}), *answers):
        game.play(action)
    assert [each for each in Tells.asked if each[0] not in ("lay", "enter_tunnel")] == [end]


class Forfeit(EconomyLayer):
    """Who abandons a tunnel loses one of the cards laid down."""

    def take_back_laid(self, tx: Transaction, seat: int, laid: ttr.Counts) -> None:
        super().take_back_laid(tx, seat, ttr.Counts({kind: count - 1 for kind, count in laid.items()}))


class Generous(EconomyLayer):
    """Wrong: more than was laid down is taken back."""

    def take_back_laid(self, tx: Transaction, seat: int, laid: ttr.Counts) -> None:
        super().take_back_laid(tx, seat, ttr.Counts({kind: count + 1 for kind, count in laid.items()}))


def abandon(layer: type[EconomyLayer], complete: bool = False) -> ttr.Game:
    rules = ttr.compile_rules("europe", plugin("forfeit", economy=lambda below, board: layer(below())))
    position: dict[str, Any] = {"seed": 1, "players": [{"hand": {"red": 5}}, {}]}
    row = {"face_up": ["black"] * 5} if complete else {}
    position |= row | {"draw_pile": ["red", "blue", "green"], "draw_pile_complete": complete}
    game = ttr.arrange(rules, position)
    game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    game.play(ttr.AbandonTunnel(0))
    return game


def test_what_a_layer_does_not_give_back_from_a_tunnel_is_discarded() -> None:
    cards = ttr.cards(abandon(Forfeit).state)
    assert cards.hands[0] == ttr.Counts(red=4) and cards.discards == ("red", "red", "blue", "green")
    with pytest.raises(PluginError, match="4 red cannot be taken back from a tunnel: 3 red was laid down"):
        abandon(Generous)


def test_cards_turned_up_for_a_tunnel_are_not_in_a_pile_formed_from_what_was_lost() -> None:  # T5
    cards = ttr.cards(abandon(Forfeit, complete=True).state)
    assert cards.draw_pile == ("red",) and cards.discards == ("red", "blue", "green")


class Pennies(Economy):
    """Everything costs a penny for each space, of which everybody has enough; nothing is said about tunnels."""

    def payments(self, state: ttr.State, seat: int, cost: Cost) -> Sequence[ttr.Counts]:
        return [ttr.Counts(penny=cost.spaces)]

    def refusal(self, state: ttr.State, seat: int, cost: Cost, payment: ttr.Counts) -> ttr.Refusal | None:
        return None if payment == {"penny": cost.spaces} else ttr.Refusal("P1", "a penny for each space")

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts) -> None:
        pass


def test_an_economy_need_not_know_of_tunnels() -> None:
    rules = ttr.compile_rules("europe", plugin("pennies", ["europe"], economy=giving(Pennies())))
    game = ttr.new_game(rules=rules, players=2, seed=1)
    keep_all(game)
    seat = game.to_act[0]
    game.play(ttr.ClaimRoute(seat, "paris-zurich-gray", {"penny": 3}))
    assert game.state.owners == {"paris-zurich-gray": seat}


class LaxCards(TrainCards):
    """Any card pays for what a tunnel costs extra, but nothing says so where payments are counted."""

    def mismatch(self, cost: Cost, payment: ttr.Counts, powers: Hashable = None) -> ttr.Refusal | None:
        return None if cost.extra else super().mismatch(cost, payment, powers)


def test_a_payment_for_a_tunnel_that_was_not_counted_is_not_taken() -> None:
    rules = ttr.compile_rules("europe", plugin("lax", economy=lambda below, board: LaxCards()))
    position = {"seed": 1, "players": [{"hand": {"red": 4, "green": 1}}, {}], "draw_pile": ["red", "blue", "green"]}
    game = ttr.arrange(rules, position)
    game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    before = game.state
    with pytest.raises(PluginError, match="seat 0 may pay 1 green, but that is not among the payments"):
        game.play(ttr.PayTunnel(0, {"green": 1}))
    assert game.state == before


class Tolls(Pennies):
    """In tunnels a penny more is asked for."""

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        super().enter_tunnel(tx, seat, cost, payment)
        return (), Cost(cost.kind, 1, tunnel=True, extra=True)


@pytest.mark.parametrize(
    ("answer", "method"), [(ttr.PayTunnel(0, {"penny": 1}), "spend_laid"), (ttr.AbandonTunnel(0), "take_back_laid")]
)
def test_an_economy_that_makes_tunnels_cost_extra_says_what_becomes_of_the_payment(
    answer: ttr.Action, method: str
) -> None:
    rules = ttr.compile_rules("europe", plugin("tolls", ["europe"], economy=giving(Tolls())))
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]})
    game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"penny": 3}))
    with pytest.raises(PluginError, match=f"Tolls makes tunnels cost extra: it needs lay and {method} too"):
        game.play(answer)


def test_dice_have_the_last_word_about_the_tickets_kept() -> None:
    for stack in permutations(("europe", "dice", KeepTwo())):
        rules = ttr.compile_rules(*stack)
        assert (rules.draw_counts.drawn, rules.draw_counts.keep) == (4, 0)
        assert told(rules, "draw_counts") == "draw_counts: core ⟵ adjusted by keep-two, dice"


# -- who is said to have decided -------------------------------------------------------------------------------------


def test_an_adjuster_that_adjusted_nothing_is_not_reported() -> None:
    seen: list[Economy] = []

    def economy(below: Below[Economy], board: ttr.Board) -> Economy:
        seen.append(below())
        return seen[-1]

    idle = plugin("idle", economy=economy, draw_counts=lambda below, board: evolve(below(), drawn=3))
    for stack in permutations(("europe", "dice", idle)):
        rules = ttr.compile_rules(*stack)
        assert told(rules) == "economy: dice (replaces train-cards)"
        assert told(rules, "draw_counts") == "draw_counts: core ⟵ adjusted by dice"
        assert rules.fingerprint == ttr.compile_rules("europe", "dice").fingerprint
    assert len(seen) == 6
    assert told(ttr.compile_rules("europe", idle), "draw_counts") == "draw_counts: core"
    assert ttr.compile_rules("big-cities", idle).draw_counts.drawn == 3
    assert (
        told(ttr.compile_rules("big-cities", idle), "draw_counts")
        == "draw_counts: big-cities (replaces core) ⟵ adjusted by idle"
    )


def test_an_adjuster_that_cannot_adjust_is_an_error_that_names_it() -> None:
    def economy(below: Below[Economy], board: ttr.Board) -> Economy:
        cards = below()
        if not isinstance(cards, TrainCards):
            raise PluginError("big-hands deals train cards, and this stack has none")
        return TrainCards(cards.cards, hand=6)

    big = plugin("big-hands", economy=economy)
    assert told(ttr.compile_rules("europe", big)) == "economy: train-cards ⟵ adjusted by big-hands"
    for stack in permutations(("europe", "dice", big)):
        with pytest.raises(PluginError, match="big-hands deals train cards"):
            ttr.compile_rules(*stack)


def test_a_failure_is_reported_even_if_a_plugin_above_catches_it() -> None:
    class Broken(Variant, name="broken"):
        @hookimpl
        def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
            raise RuntimeError("out of order")

    class Spare(Variant, name="spare"):
        @hookimpl
        def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
            try:
                return below()
            except PluginError:
                return TrainCards(hand=7)

    for stack in ((Broken,), (Broken, Spare)):
        with pytest.raises(PluginError, match="hook 'economy' of plugin 'broken' failed: RuntimeError: out of order"):
            ttr.compile_rules("north-america", *stack)


class Passive(EconomyLayer):
    """Leaves all to the economy below."""


@pytest.mark.parametrize(("stack", "owner"), [(("europe",), None), (("europe", "dice"), DiceEconomy)])
def test_a_layer_that_leaves_turns_alone_is_not_asked_about_them(stack: tuple[str, ...], owner: type | None) -> None:
    rules = ttr.compile_rules(*stack, plugin("passive", economy=lambda below, board: Passive(below())))
    assert type(rules.economy) is Passive
    for method in (rules.opening, rules.closing):
        assert (None if method is None else type(getattr(method, "__self__", None))) is owner


# -- economies that stand against each other ---------------------------------------------------------------------------


class Technologies(TrainCards):
    """Train cards of somebody who never heard of passenger cards."""


class Around(Steep):
    """The same, but around train cards."""


class PassengerTechnologies(MarklinCards):
    """Train cards of somebody who did."""


def technologies(made: Callable[[], Economy], *, requires: Sequence[str] = (), first: bool = False) -> type[Variant]:
    found = plugin("technologies", requires, economy=lambda below, board: made())
    if first:
        tryfirst(found.economy)
    return found


@pytest.mark.parametrize("base", ["nordic-countries", "switzerland"])
def test_an_economy_that_would_take_the_cards_of_a_map_away_conflicts(base: str) -> None:
    for stack in permutations((base, technologies(Technologies))):
        with pytest.raises(PluginConflictError, match="and 'technologies' both replace 'economy'"):
            ttr.compile_rules(*stack)


@pytest.mark.rule("M1")
@pytest.mark.parametrize("made", [Technologies, lambda: Around(TrainCards())], ids=["subclass", "around"])
@pytest.mark.parametrize("first", [False, True])
def test_train_cards_that_are_not_those_of_the_core_cannot_be_adjusted_for_marklin(
    made: Callable[[], Economy], first: bool
) -> None:
    """Passenger cards and "+4" locomotives would be lost without a word."""
    for stack in permutations(("germany-tickets", technologies(made, first=first))):
        with pytest.raises(
            PluginError, match=r"marklin has train cards of its own \(M1\), and cannot put them into (Tech|Aro)"
        ):
            ttr.compile_rules(*stack)


@pytest.mark.rule("M1")
def test_the_cards_of_the_core_are_adjusted_for_marklin_whoever_changed_their_numbers() -> None:
    big = technologies(lambda: TrainCards(hand=6))
    for stack in permutations(("germany-tickets", big)):
        rules = ttr.compile_rules(*stack)
        assert type(rules.economy) is MarklinCards and rules.economy.hand == 6
        assert told(rules) == "economy: technologies (replaces train-cards) ⟵ adjusted by marklin"


@pytest.mark.slow
@pytest.mark.rule("M1", "V11")
def test_an_economy_that_marklin_has_nothing_to_adjust_in_is_not_said_to_be_adjusted() -> None:
    for money, name in (
        (CoinsPlugin(), "coins"),
        ("dice", "dice"),
        (technologies(PassengerTechnologies), "technologies"),
    ):
        for stack in permutations(("germany-tickets", money)):
            assert told(ttr.compile_rules(*stack)) == f"economy: {name} (replaces train-cards)"


def test_two_economies_for_any_map_conflict() -> None:
    for stack in permutations(("europe", "dice", technologies(Technologies, first=True))):
        with pytest.raises(PluginConflictError, match="'dice' and 'technologies' both replace 'economy'"):
            ttr.compile_rules(*stack)


# -- whose types these are -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("base", ["europe", "germany-tickets"])
def test_an_adjuster_of_the_economy_renames_no_types(base: str) -> None:
    plain = ttr.compile_rules(base, "dice")
    for stack in permutations((base, "dice", STEEP)):
        rules = ttr.compile_rules(*stack)
        assert dict(rules.types) == dict(plain.types)
        assert rules.types["dice.Reroll"] is Reroll
        assert ttr.to_json(rules, Reroll(0, {"single": 1})) == {"type": "dice.Reroll", "seat": 0, "dice": {"single": 1}}
        game = played(rules, 5, 40)
        assert "steep." not in ttr.dumps(game)
        assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game


class Blow(ttr.Action):
    """Blow on the dice."""


class BlowRule(ActionRule[RerollChoice, Blow]):
    on = RerollChoice
    action = Blow

    def offers(self, state: ttr.State, decision: RerollChoice) -> Sequence[Blow]:
        return (Blow(decision.seat),)

    def refusal(self, state: ttr.State, decision: RerollChoice, action: Blow) -> ttr.Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: RerollChoice, action: Blow) -> None:
        tx.ask(tx.rules.turns[action.seat])


def test_a_rule_for_the_question_of_another_plugin_does_not_rename_the_question() -> None:
    def actions(rules: Rules) -> Iterator[ActionRule[Any, Any]]:
        yield BlowRule()

    rules = ttr.compile_rules("europe", "dice", plugin("a-blow", actions=actions))
    assert rules.types["dice.RerollChoice"] is RerollChoice
    assert rules.types["a-blow.Blow"] is Blow
    assert [tag for tag, kind in rules.types.items() if kind is RerollChoice] == ["dice.RerollChoice"]


class Whistle(ttr.Decision):
    """A question that two plugins answer."""


class WhistleRule(ActionRule[Whistle, Blow]):
    on = Whistle
    action = Blow

    def offers(self, state: ttr.State, decision: Whistle) -> Sequence[Blow]:
        return (Blow(decision.seat),)

    def perform(self, tx: Transaction, decision: Whistle, action: Blow) -> None:
        tx.ask(tx.rules.turns[action.seat])


class WhistlePassRule(ActionRule[Whistle, ttr.Pass]):
    on = Whistle
    action = ttr.Pass

    def offers(self, state: ttr.State, decision: Whistle) -> Sequence[ttr.Pass]:
        return (ttr.Pass(decision.seat),)

    def perform(self, tx: Transaction, decision: Whistle, action: ttr.Pass) -> None:
        tx.ask(tx.rules.turns[action.seat])


def test_of_plugins_that_bring_the_same_type_the_one_that_wrote_it_has_it() -> None:
    """`b-author` stands in the module of the type; `a-guest`, which comes first by name, only answers it."""

    author = plugin("b-author", (), __name__, actions=lambda rules: [WhistleRule()])
    guest = plugin("a-guest", actions=lambda rules: [WhistlePassRule()])
    for stack in permutations(("north-america", author, guest)):
        rules = ttr.compile_rules(*stack)
        assert rules.types["b-author.Whistle"] is Whistle
        assert "a-guest.Whistle" not in rules.types


# -- the order of a stack means nothing --------------------------------------------------------------------------------

STACKS = (
    ("europe", "dice"),
    ("mega-europa", "dice"),
    ("nordic-countries", "dice"),
    ("germany-tickets", "dice"),
    ("europe", KeepTwo(), STEEP),
    ("big-cities", KeepTwo(), "dice", STEEP),
)


@pytest.mark.slow_cases(
    "('nordic-countries', 'dice')",
    "('europe', KeepTwo(), SteepPlugin())",
)
@pytest.mark.thorough_cases("('big-cities', KeepTwo(), 'dice', SteepPlugin())")
@pytest.mark.parametrize("stack", STACKS, ids=str)
def test_stacks_in_every_order_are_the_same_rules_to_saved_games(stack: tuple[object, ...]) -> None:
    compiled = [ttr.compile_rules(*each) for each in permutations(stack)]
    first, last = compiled[0], compiled[-1]
    game = played(first, 8, 40)
    assert ttr.dumps(played(last, 8, 40)) == ttr.dumps(game)
    for rules in compiled:
        assert (rules.stack, rules.fingerprint) == (first.stack, first.fingerprint)
        assert rules.same_as(first)
        assert rules.explain() == first.explain()
        assert ttr.loads(ttr.dumps(game), rules=rules, verify=rules is last) == game


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS[:4], ids="+".join)
def test_a_game_that_was_saved_with_its_stack_in_another_order_is_read(stack: tuple[str, ...]) -> None:
    """Saved games used to keep the order in which a stack was named."""
    rules = ttr.compile_rules(*stack)
    document = json.loads(ttr.dumps(played(rules, 9, 50)))
    for order in permutations(document["stack"]):
        old = {**document, "stack": list(order)}
        for given in (None, rules, ttr.compile_rules(*reversed(stack))):
            assert ttr.loads(json.dumps(old), rules=given).rules.same_as(rules)
    with pytest.raises(SaveError, match="fingerprints differ"):
        ttr.loads(json.dumps({**document, "fingerprint": "sha256:0123456789abcdef0123456789abcdef"}))


@pytest.mark.slow
def test_the_plugins_of_the_map_come_first_then_what_is_built_on_it() -> None:
    top = plugin("a-top", ["dice", "mega-europa"])
    other = plugin("b-other")
    for stack in permutations((top, other, "dice", "mega-europa")):
        assert ttr.compile_rules(*stack).stack == ("europe", "mega-europa", "b-other", "dice", "a-top")


def test_a_property_is_not_run_to_see_whether_a_plugin_has_a_map() -> None:
    class Moody(Variant, name="moody"):
        @property
        def mood(self) -> str:
            raise RuntimeError("not today")

    assert ttr.compile_rules("dice", Moody, "europe").stack == ("europe", "dice", "moody")


# -- passing (R4) ------------------------------------------------------------------------------------------------------


class MayPass(ActionRule[ttr.Turn, ttr.Pass]):
    """Passing is always legal."""

    def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[ttr.Pass]:
        return (ttr.Pass(decision.seat),)

    def perform(self, tx: Transaction, decision: ttr.Turn, action: ttr.Pass) -> None:
        raise NotImplementedError


@pytest.mark.rule("R4", "S8")
@pytest.mark.parametrize("stack", [("north-america",), ("europe", "dice")], ids="+".join)
def test_a_plugin_with_a_rule_of_its_own_about_passing_is_refused(stack: tuple[str, ...]) -> None:
    with pytest.raises(PluginError, match=r"MayPass of plugin 'lazy' answers Turn with Pass: .*\(R4\)"):
        ttr.compile_rules(*stack, plugin("lazy", actions=lambda rules: [MayPass()]))


@pytest.mark.rule("R4")
@pytest.mark.parametrize("layered", [False, True])
@pytest.mark.parametrize("stubborn", [False, True])
def test_an_economy_may_have_the_say_over_passing_but_who_can_do_nothing_passes(stubborn: bool, layered: bool) -> None:
    class Cards(TrainCards):
        may_pass = not stubborn

    cards = plugin("cards", economy=lambda below, board: EconomyLayer(Cards()) if layered else Cards())
    rules = ttr.compile_rules("north-america", cards)
    game = ttr.new_game(rules=rules, players=2, seed=1, first_seat=0)
    keep_all(game)
    check_choices(game, 0)
    assert game.is_legal(ttr.Pass(0)) is not stubborn
    assert (ttr.Pass(0) in game.legal_actions()) is not stubborn
    tickets = [ticket.id for ticket in rules.deck.tickets]
    stuck = arranged(rules, {"tickets": tickets}, {}, face_up=[], draw_pile=[], discards=[])
    assert list(stuck.legal_actions()) == [ttr.Pass(0)]
    assert stuck.refusal(ttr.Pass(0)) is None
    assert stuck.refusal(ttr.Pass(1)) is not None
    stuck.play(ttr.Pass(0))
    stuck.play(ttr.Pass(1))
    assert stuck.is_over


@pytest.mark.parametrize("base", ["europe", "north-america", "london"])
def test_two_ways_to_pay_that_leave_the_same_cost_are_both_counted(base: str) -> None:
    rules = ttr.compile_rules(base, plugin("shorter", economy=lambda below, board: Shorter(below())))
    hand = {"yellow": 1, "blue": 1, "locomotive": 2}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}]})
    actions, state = game.legal_actions(), game.state
    assert [actions[index] for index in range(len(actions))] == list(actions)
    prices = rules.economy.prices([Cost("single", 1), Cost("single", 2), Cost("single", 3, color="blue")])
    rows = prices.rows(state, 0, [1, 1, 1])
    assert [(row.cost, row.ways) for row in rows] == [(n, ways) for n in range(3) if (ways := prices.ways(state, 0, n))]
    for row in rows:
        taken = [prices.way_in(row, state, 0, index) for index in range(row.ways)]
        assert [prices.payment(state, 0, row.cost, way) for way in taken] == prices.payments(state, 0, row.cost)


TWO_OF_ANY = Cost("single", 2, tunnel=True, any_cards=True, extra=True)


class AnyCardsInTunnels(EconomyLayer):
    """The extra cost of a tunnel is two cards of any kind."""

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        revealed, _ = super().enter_tunnel(tx, seat, cost, payment)
        return revealed, TWO_OF_ANY


class CardsWithSuchTunnels(TrainCards):
    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        revealed, _ = super().enter_tunnel(tx, seat, cost, payment)
        return revealed, TWO_OF_ANY


@pytest.mark.rule("T2")
@pytest.mark.parametrize("layered", [True, False])
def test_an_economy_may_ask_for_any_cards_in_a_tunnel(layered: bool) -> None:
    def economy(below: Below[Economy], board: ttr.Board) -> Economy:
        return AnyCardsInTunnels(below()) if layered else CardsWithSuchTunnels()

    rules = ttr.compile_rules("europe", plugin("any-cards", economy=economy))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"purple": 2, "red": 1, "blue": 2}}, {}]})
    game.play(ttr.ClaimRoute(0, "marseille-zurich-purple", {"purple": 2}))
    actions = game.legal_actions()
    assert [actions[index] for index in range(len(actions))] == list(actions)
    assert ttr.PayTunnel(0, {"red": 1, "blue": 1}) in actions
    game.play(ttr.PayTunnel(0, {"red": 1, "blue": 1}))


@pytest.mark.parametrize("layer", [CoinForSpace, PaysItself])
def test_costs_below_are_those_of_the_moment_before_pieces_are_spent(layer: type[CoinForSpace]) -> None:
    coins = plugin("coins", economy=lambda below, board: layer(RichPayMore(below())))
    rules = ttr.compile_rules("europe", coins, plugin("bank", parts=lambda rules: (Bank,)))
    hand = {"white": 4, "red": 2, "locomotive": 2}
    game, paid = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}]}), 0
    for action in game.legal_actions():
        if isinstance(action, ttr.ClaimRoute) and "coin" in action.payment:
            copy = game.copy()
            copy.play(action)
            if not rules.board.routes[action.route].tunnel or not copy.decision(0):
                left = ttr.cards(game.state).hands[0].total - ttr.cards(copy.state).hands[0].total
                assert left == action.payment.total - 1
                paid += 1
    assert paid > 50


@pytest.mark.parametrize(
    "said",
    [
        {"player_keys": ["mail"]},
        {"part_keys": "mail"},
        {"route_rules": "X1"},
        {"card_words": None},
        {"card_words": {"mail": 1}},
    ],
)
def test_what_a_layer_adds_to_the_economy_below_is_checked(said: dict[str, object]) -> None:
    layer = type("Mail", (EconomyLayer,), said)
    with pytest.raises(PluginError, match=f"Mail.{next(iter(said))} must be .* not"):
        layer(TrainCards())


def test_a_layer_that_words_refusals_anew_lists_no_payments() -> None:
    class Blunt(EconomyLayer):
        def refusal(self, state: ttr.State, seat: int, cost: Cost, payment: ttr.Counts) -> ttr.Refusal | None:
            return super().refusal(state, seat, cost, payment) and ttr.Refusal("blunt", "no")

    rules = ttr.compile_rules("europe", plugin("blunt", economy=lambda below, board: Blunt(below())))
    costs = [Cost("single", 2, "red"), Cost("single", 3)]
    plain = ttr.compile_rules("europe").economy.prices(costs)
    assert type(rules.economy.prices(costs)) is type(plain)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    wrong = ttr.ClaimRoute(0, "frankfurt-paris-white", ttr.Counts(red=3))
    assert str(game.refusal(wrong)) == "[blunt] no"
