"""Messages that authors meet: who conflicts with whom, what would pay instead, which cost is not declared; `Around` two actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, cast

import pytest
from attrs import evolve
from helpers import arranged
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules import Action, Counts, DrawBlind, DrawFaceUp, DrawTickets, Pass, Refusal, Turn
from ttr_rules.actions import Tariff
from ttr_rules.errors import IllegalActionError, PluginConflictError, PluginError
from ttr_rules.model import Color, Cost, TicketSetup
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Economy,
    EconomyLayer,
    PaidRule,
    Part,
    Rules,
    Transaction,
    Variant,
    hookimpl,
    public,
)
from ttr_rules.train_cards import STANDARD_CARDS, Lot, Reading, TrainCards
from ttr_tools.narration.words import Names
from ttr_tools.testing.runs import Trial
from ttr_tools.testing.stack import look_at_stack
from ttr_variants.dice import Reroll, RerollChoice


class PassNow(ActionRule[Turn, Pass]):
    def offers(self, state: ttr.State, decision: Turn) -> Sequence[Pass]:
        return (Pass(decision.seat),)

    def perform(self, tx: Transaction, decision: Turn, action: Pass) -> None:
        raise NotImplementedError


class Lazy(EconomyLayer):
    def action_rules(self) -> Sequence[ActionRule[Any, Any]]:
        return (*super().action_rules(), PassNow())


class LazyVariant(Variant, name="lazy"):
    """Lazy: whatever pays, a turn may be passed."""

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return Lazy(below())


def test_an_economy_leaves_passing_to_the_library_too() -> None:
    words = r"PassNow of plugin 'lazy' answers Turn with Pass: .* implement the hook may_pass"
    with pytest.raises(PluginError, match=words):
        ttr.compile_rules("europe", "dice", LazyVariant)


class Purse(Part):
    coins: list[int] = public(each=3, key="coins")


class KeyedCards(TrainCards):
    def part(self, rules: Rules, players: int) -> Part:
        return Purse.start(rules, players)


def test_a_key_of_the_part_of_an_economy_that_nobody_reads_is_refused() -> None:
    words = "the state part Purse of plugin '.*' has the key 'coins', which nobody reads: .* player_keys or part_keys"
    with pytest.raises(PluginError, match=words):
        ttr.compile_rules("europe", plugin("keyed", economy=giving(KeyedCards())))
    KeyedCards.player_keys = ("coins",)
    ttr.compile_rules("europe", plugin("keyed", economy=giving(KeyedCards())))


class RollNothingAgain(ActionRule[RerollChoice, Reroll]):
    def offers(self, state: ttr.State, decision: RerollChoice) -> Sequence[Reroll]:
        return (Reroll(decision.seat, {}),)

    def perform(self, tx: Transaction, decision: RerollChoice, action: Reroll) -> None:
        raise NotImplementedError


def test_two_rules_for_the_same_answer_name_both_plugins() -> None:
    words = (
        r"RerollRule of plugin 'dice' and RollNothingAgain of plugin 'hasty' both answer RerollChoice with Reroll: "
        r"use one of these plugins, or let one require the other and say replaces = True in its rule"
    )
    with pytest.raises(PluginConflictError, match=words):
        ttr.compile_rules("europe", "dice", plugin("hasty", (), __name__, actions=lambda rules: (RollNothingAgain(),)))


class DrawAgain(ActionRule[Turn, DrawTickets]):
    def offers(self, state: ttr.State, decision: Turn) -> Sequence[DrawTickets]:
        return (DrawTickets(decision.seat),)

    def perform(self, tx: Transaction, decision: Turn, action: DrawTickets) -> None:
        raise NotImplementedError


def test_two_rules_of_one_file_name_the_plugins_that_give_them() -> None:
    one, other = (plugin(name, actions=lambda rules: (DrawAgain(),)) for name in ("one", "other"))
    with pytest.raises(
        PluginConflictError,
        match=r"DrawAgain of plugin 'one' both answer Turn with DrawTickets: say replaces = True in DrawAgain",
    ):
        ttr.compile_rules("europe", one)
    with pytest.raises(PluginConflictError, match="both answer Turn with DrawTickets"):
        ttr.compile_rules("europe", one, other)


GOODS = ("coal", "grain")


class Freight(TrainCards):
    """Routes of four spaces take goods, other ones cards of a color."""

    def __init__(self) -> None:
        super().__init__({**STANDARD_CARDS, **dict.fromkeys(GOODS, 14)})
        self.colors = tuple(color for color in STANDARD_CARDS if color != "locomotive")

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        if cost.spaces != 4:
            return super().readings(cost, powers)
        return [Reading(Lot({goods: 1}, cost.spaces), needs_wilds=cost.wilds) for goods in GOODS]


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("route", "payment", "words"),
    [
        ("berlin-frankfurt-black", {"black": 3}, None),
        ("berlin-frankfurt-black", {"coal": 3}, "this costs black cards, or locomotives in their place, not coal"),
        ("athina-brindisi-gray", {"red": 4}, "4 red does not pay for this; 3 coal, 1 locomotive or 3 grain, 1 locomotive would"),
        ("berlin-danzig-gray", {"coal": 3}, "3 coal does not pay for this; 4 coal or 4 grain would"),
        ("berlin-danzig-gray", {"coal": 2, "grain": 2}, "2 coal, 2 grain does not pay for this; 4 coal or 4 grain would"),
        ("berlin-danzig-gray", {"coal": 3, "locomotive": 1}, None),
    ],
)  # fmt: skip
def test_a_payment_that_is_refused_is_told_with_what_would_pay(
    route: str, payment: dict[str, int], words: str | None
) -> None:
    rules = ttr.compile_rules("europe", plugin("freight", economy=lambda below, board: Freight()))
    assert rules.board.routes["berlin-danzig-gray"].length == 4
    hand = {"red": 4, "black": 3, "coal": 4, "grain": 2, "locomotive": 1}
    game = arranged(rules, {"hand": hand}, {}, face_up=["red"] * 5)
    refusal = game.refusal(ttr.ClaimRoute(0, route, payment))
    assert (None if refusal is None else (refusal.rule, str(refusal.reason))) == (words and ("C1", words))


class BuyHut(Action):
    message = "Buy a hut"
    payment: Counts


class BuyTower(Action):
    city: str
    payment: Counts


class HutRule(PaidRule[Turn, BuyHut]):
    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [((), Cost("hut", 3)), ((), Cost("hut", 2))]

    def cost(self, state: ttr.State, seat: int, thing: Any) -> Cost:
        return Cost("hut", 4)

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        raise NotImplementedError


class TowerRule(PaidRule[Turn, BuyTower]):
    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [("paris", Cost("tower", 3)), ("paris", Cost("tower", 2))]

    def cost(self, state: ttr.State, seat: int, thing: Any) -> Cost:
        return Cost("tower", 4)

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("rule", "words"),
    [(HutRule, r"HutRule.cost gives .* for BuyHut, a cost"), (TowerRule, r"for BuyTower of 'paris', a cost that its method every does not name")],
)  # fmt: skip
def test_a_cost_that_is_not_declared_is_told_in_words(rule: Callable[[], ActionRule[Any, Any]], words: str) -> None:
    rules = ttr.compile_rules("europe", plugin("shop", actions=lambda rules: (rule(),)))
    game = arranged(rules, {"hand": {"red": 4}}, {})
    with pytest.raises(PluginError, match=words):
        game.legal_actions()


class DearTowers(PaidRule[Turn, BuyTower]):
    """Towers of which only the tariff is changed."""

    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [(city, Cost("tower", 1)) for city in ("paris", "wien")]

    def bind(self, rules: Rules) -> None:
        super().bind(rules)
        self.dear = Tariff(self.make_prices([Cost("tower", 3)]), [0, 0])

    def tariff(self, state: ttr.State, seat: int) -> Tariff:
        return self.dear

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        raise NotImplementedError


def test_what_the_tariff_of_a_rule_says_is_offered_and_taken() -> None:
    rules = ttr.compile_rules("europe", plugin("shop", actions=lambda rules: (DearTowers(),)))
    game = arranged(rules, {"hand": {"red": 3, "white": 1}}, {})
    towers = [action for action in game.legal_actions() if isinstance(action, BuyTower)]
    assert [(tower.city, tower.payment) for tower in towers] == [
        (city, ttr.Counts(red=3)) for city in ("paris", "wien")
    ]
    assert [game.refusal(tower) for tower in towers] == [None, None]
    assert game.refusal(BuyTower(0, "paris", ttr.Counts(white=1))) is not None


class PaintCity(Action):
    city: str
    color: str
    payment: ttr.Counts


class PaintRule(PaidRule[Turn, PaintCity]):
    def every(self, rules: Rules) -> Iterable[tuple[tuple[str, str], Cost]]:
        return [((city, color), Cost("paint", 1)) for city in ("paris", "wien") for color in ("red", "blue")]

    def bought(self, tx: Transaction, seat: int, thing: tuple[str, str]) -> None:
        raise NotImplementedError


def test_things_of_several_fields_are_told_in_words() -> None:
    rules = ttr.compile_rules("europe", plugin("paint", actions=lambda rules: (PaintRule(),)))
    refusal = arranged(rules, {"hand": {"red": 1}}, {}).refusal(PaintCity(0, "roma", "red", ttr.Counts(red=1)))
    things = "(paris, red), (paris, blue), (wien, red), (wien, blue)"
    assert str(refusal) == f"[S8] (roma, red) is not one of {things}"
    assert refusal is not None and "(Wien, blue)" in Names(rules, ["Ada", "Bo"]).text(refusal.reason)


class ExpressRule(PaidRule[Turn, BuyTower]):
    def __init__(self, price: Cost) -> None:
        self.price = price

    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [("paris", self.price), ("wien", self.price)]

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        """Nothing follows."""


@pytest.mark.parametrize(
    ("stack", "price", "payable"),
    [
        ("switzerland", Cost("express", 3, "red", wilds=1), False),
        ("switzerland", Cost("express", 3, "red", wilds=1, tunnel=True), True),
        ("switzerland", Cost("express", 3, only_wilds=True), True),
        ("europe", Cost("express", 3, "red", wilds=1), True),
        ("europe", Cost("express", 15, "red", only_wilds=True), False),
        ("nordic-countries", Cost("express", 3, "red", wilds=1), True),
    ],
)
def test_the_kit_names_what_can_never_be_paid_for(stack: str, price: Cost, payable: bool) -> None:
    shop = plugin("shop", actions=lambda rules: (ExpressRule(price),))
    trial = Trial((stack, shop), ttr.compile_rules(stack, shop), (2,))
    told = [*look_at_stack(trial)]
    assert payable is not any(
        "BuyTower of 'paris' is never payable on this map: no hand pays Cost" in each for each in told
    )


@pytest.mark.parametrize(("color", "told"), [("pinkish", True), ("red", False), ("gray", False), (None, False)])
def test_the_kit_names_colors_that_no_cards_have(color: str | None, told: bool) -> None:
    shop = plugin("shop", actions=lambda rules: (ExpressRule(Cost("express", 2, color)),))
    trial = Trial(("europe", shop), ttr.compile_rules("europe", shop), (2,))
    messages = [*look_at_stack(trial)]
    assert told is any(
        "BuyTower costs pinkish cards, of which there are none: the colors are " in each for each in messages
    )


def test_the_cost_of_a_gray_route_is_one_of_any_color() -> None:
    gray = next(route for route in ttr.compile_rules("europe").board.routes.values() if route.color == "gray")
    assert Cost("renovation", 2, gray.color) == Cost("renovation", 2, "gray") == Cost("renovation", 2)
    assert Cost("renovation", 2, Color.RED).color == "red"


class Stall(PaidRule[Turn, BuyTower]):
    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [(city, Cost("stall", 2, color="red")) for city in ("paris", "wien")]

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("city", "payment", "words"),
    [
        ("paris", {"red": 2}, "the payment must be Counts, not {'red': 2}"),
        ("paris", None, "the payment must be Counts, not None"),
        (
            ["paris"],
            ttr.Counts(red=2),
            "BuyTower holds ['paris'], which can change: make it a tuple, or what the field is annotated with",
        ),
        (
            (["paris"],),
            ttr.Counts(red=2),
            "BuyTower holds (['paris'],), which can change: make it a tuple, or what the field is annotated with",
        ),
    ],
)
def test_a_purchase_with_fields_of_other_types_is_refused(city: Any, payment: Any, words: str) -> None:
    game = arranged(
        ttr.compile_rules("europe", plugin("stall", actions=lambda rules: (Stall(),))), {"hand": {"red": 4}}, {}
    )
    action = BuyTower(0, city, payment)
    assert str(game.refusal(action)) == f"[S8] {words}"
    with pytest.raises(IllegalActionError, match=re.escape(words)):
        game.play(action)


def test_a_game_for_one_number_of_players_says_that_number() -> None:
    four = plugin("four", components=lambda below, board: evolve(below(), min_players=4, max_players=4))
    with pytest.raises(ttr.InvalidInputError, match=r"europe \+ four is for 4 players, not 3"):
        ttr.new_game("europe", four, players=3)


def test_an_action_that_is_not_offered_is_told_in_words() -> None:
    rules = ttr.compile_rules("europe", plugin("bank", actions=lambda rules: (BankRule(),)))
    refusal = arranged(rules, {}, {}).refusal(Bank(0, ttr.Counts(red=2, white=1, locomotive=1), True))
    told = "Bank (cards 2 red, 1 white, 1 locomotive, answer True) is not one of the legal actions of seat 0"
    assert str(refusal) == f"[S8] {told}"


class Put(Action):
    what: list[str]


class PutRule(ActionRule[Turn, Put]):
    def offers(self, state: ttr.State, decision: Turn) -> Sequence[Put]:
        return (Put(decision.seat, ["a"]),)

    def refusal(self, state: ttr.State, decision: Turn, action: Put) -> Refusal | None:
        raise TypeError("something else is wrong")

    def perform(self, tx: Transaction, decision: Turn, action: Put) -> None:
        raise NotImplementedError


class Bank(Action):
    cards: ttr.Counts
    answer: bool


class BankRule(ActionRule[Turn, Bank]):
    def offers(self, state: ttr.State, decision: Turn) -> Sequence[Bank]:
        return [Bank(decision.seat, ttr.Counts(red=number), True) for number in (1, 2)]

    def perform(self, tx: Transaction, decision: Turn, action: Bank) -> None:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Bank(0, ttr.Counts(red=2), True), None),
        (Bank(0, cast("Any", {"red": 2}), True), "the cards must be Counts, not {'red': 2}"),
        (Bank(0, ttr.Counts(red=2), cast("Any", 1)), "the answer must be bool, not 1"),
    ],
)
def test_a_value_that_only_equals_the_one_offered_is_refused(action: Bank, words: str | None) -> None:
    rules = ttr.compile_rules("europe", plugin("bank", actions=lambda rules: (BankRule(),)))
    refusal = arranged(rules, {}, {}).refusal(action)
    assert (refusal and str(refusal)) == (words and f"[S8] {words}")


class Watchtowers(Stall):
    payment_rule = "X9"

    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [("paris", Cost("watchtower", 2, only_wilds=True))]


def test_only_locomotives_for_a_purchase_cite_its_own_rule() -> None:
    rules = ttr.compile_rules("europe", plugin("towers", actions=lambda rules: (Watchtowers(),)))
    game = arranged(rules, {"hand": {"red": 2}}, {})
    refusal = game.refusal(BuyTower(0, "paris", ttr.Counts(red=2)))
    assert str(refusal) == "[X9] only locomotives can be played here, not red"


def test_another_mistake_of_a_plugin_is_not_taken_for_a_field_of_another_type() -> None:
    rules = ttr.compile_rules("europe", plugin("put", actions=lambda rules: (PutRule(),)))
    with pytest.raises((TypeError, PluginError), match="something else is wrong"):
        arranged(rules, {}, {}).refusal(Put(0, ["a"]))


def test_a_function_for_two_types_of_actions_is_given_once() -> None:
    def full(state: ttr.State, action: DrawBlind | DrawFaceUp) -> Refusal:
        return Refusal("full", "no cards")

    around = Around(DrawBlind, DrawFaceUp, refuse=full)
    assert repr(around) == "<Around DrawBlind and DrawFaceUp: refuse>"
    game = arranged(
        ttr.compile_rules("europe", plugin("full", around=lambda rules: (around,))), {}, {}, draw_pile=["red"]
    )
    assert {type(action) for action in game.legal_actions()} == {DrawTickets}
    assert game.refusal(DrawFaceUp(0, "purple")) == game.refusal(DrawBlind(0)) == Refusal("full", "no cards")


def test_an_action_that_replaces_another_is_followed_once() -> None:
    """Both are named, and the second is in place of the first: it is followed once all the same."""
    from ttr_variants.dice import DrawTicketsWithDice  # noqa: PLC0415

    followed: list[Action] = []

    def after(tx: Transaction, action: DrawTickets | DrawTicketsWithDice) -> None:
        followed.append(action)

    around = Around(DrawTickets, DrawTicketsWithDice, after=after)
    rules = ttr.compile_rules("europe", "dice", plugin("noted", around=lambda rules: (around,)))
    game = ttr.new_game(rules=rules, players=2, seed=1, first_seat=0)
    for _ in range(40):
        actions = [*game.legal_actions(game.to_act[0])]
        draws = [each for each in actions if isinstance(each, DrawTicketsWithDice)]
        game.play((draws or actions)[0])
        if draws:
            break
    assert followed == [draws[0]]


def test_a_free_action_is_one_of_a_turn() -> None:
    class FreePut(ActionRule[TicketSetup, Put]):
        free = True

        def offers(self, state: ttr.State, decision: TicketSetup) -> Sequence[Put]:
            return ()

        def perform(self, tx: Transaction, decision: TicketSetup, action: Put) -> None:
            raise NotImplementedError

    with pytest.raises(
        PluginError,
        match=r"FreePut of plugin 'put' is free, but answers TicketSetup: .*return the decision from perform$",
    ):
        ttr.compile_rules("europe", plugin("put", actions=lambda rules: (FreePut(),)))
