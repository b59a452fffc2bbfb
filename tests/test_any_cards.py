"""Costs that any cards pay, cards of several colors, or few locomotives: every combination out of a hand, with every economy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from attrs import evolve
from helpers import all_but
from hypothesis import given, settings, strategies as st
from playing import check_choices
from plugins.made import giving, plugin
from test_decks import TwoDecks

import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.events import TunnelEntered
from ttr_rules.model import Cost, TunnelDue
from ttr_rules.model.board import changed_cost
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Economy,
    EconomyLayer,
    PaidRule,
    Rules,
    Transaction,
    Variant,
    hookimpl,
)
from ttr_rules.train_cards import Lot, Reading, TrainCards
from ttr_tools.narration.words import route_facts
from ttr_tools.testing import check_variant

ANY_FOUR = Cost("card_loan", 4, any_cards=True)
ANY_WITH_WILD = evolve(ANY_FOUR, wilds=1)


class Repay(ttr.Action):
    payment: ttr.Counts


class Repaid(ttr.Event):
    seat: int


class RepayRule(PaidRule[ttr.Turn, Repay]):
    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        return [((), ANY_FOUR)]

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        tx.emit(Repaid, seat)


class AnyFour(Variant, name="any-four"):
    """Any four: four cards of any kinds are given back."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (RepayRule(),)


class Dearer(EconomyLayer):
    def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + 1)


def pages(game: ttr.Game, **payment: int) -> list[ttr.Counts]:
    """All payments in place of one, the cheapest first."""
    actions = game.payments(Repay(0, ttr.Counts(payment))).actions
    return [action.payment for action in actions if isinstance(action, Repay)]


STACKS: dict[str, Sequence[Any]] = {
    "one deck": ("europe",),
    "any three for a locomotive": ("nordic-countries",),
    "wild cards of two kinds": ("marklin", "germany-tickets"),
    "stand-ins and powers": ("united-kingdom",),
    "two decks": ("north-america", plugin("two", economy=giving(TwoDecks(False)))),
    "no locomotives": ("north-america", plugin("no-wilds", economy=giving(TrainCards({"red": 40, "blue": 40})))),
    "locomotives alone": ("north-america", plugin("only-wilds", economy=giving(TrainCards({"locomotive": 90})))),
}
RULES = {name: ttr.compile_rules(*stack, AnyFour) for name, stack in STACKS.items()}


@pytest.mark.slow_cases("stand-ins and powers", "wild cards of two kinds", "any three for a locomotive", "two decks")
@pytest.mark.parametrize("name", STACKS)
@given(data=st.data())
def test_every_combination_out_of_a_hand_pays(name: str, data: st.DataObject) -> None:
    rules = RULES[name]
    cards = economy_of(rules.economy, TrainCards)
    counts = {kind: st.integers(0, min(3, count)) for kind, count in cards.cards.items()}
    held = {kind: count for kind, count in data.draw(st.fixed_dictionaries(counts)).items() if count}
    few = dict(list(held.items())[:4])
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": few}, {}]})
    for cost in (ANY_FOUR, ANY_WITH_WILD):
        wanted = {
            ttr.Counts(dict(zip(few, some, strict=True)))
            for some in product(*[range(count + 1) for count in few.values()])
            if sum(some) == 4 and sum(dict(zip(few, some, strict=True)).get(w, 0) for w in cards.wilds) >= cost.wilds
        }
        payments = [*rules.economy.payments(game.state, 0, cost)]
        assert len(payments) == len(wanted) and {*payments} == wanted
        for some in product(*[range(count + 1) for count in few.values()]):
            payment = ttr.Counts(dict(zip(few, some, strict=True)))
            assert (rules.economy.refusal(game.state, 0, cost, payment) is None) == (payment in wanted)
    legal = [action.payment for action in game.legal_actions(0) if isinstance(action, Repay)]
    assert {*legal} == {*rules.economy.payments(game.state, 0, ANY_FOUR)}


def test_claims_keep_their_tables_and_the_offer_groups_the_payments() -> None:
    rules = RULES["one deck"]
    claims = rules.answers[ttr.Turn].by_action[ttr.ClaimRoute]
    assert claims.number_of_codes(rules) == ttr.compile_rules("europe").answers[ttr.Turn].by_action[
        ttr.ClaimRoute
    ].number_of_codes(rules)
    hand = {"red": 3, "blue": 2, "locomotive": 1}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"name": "Ada", "hand": hand}, {"name": "Bo"}]})
    payments = pages(game, red=3, blue=1)
    assert [str(each) for each in payments] == [
        "1 blue, 3 red",
        "2 blue, 2 red",
        "3 red, 1 locomotive",
        "1 blue, 2 red, 1 locomotive",
        "2 blue, 1 red, 1 locomotive",
    ]
    game.play(Repay(0, payments[-1]))
    assert ttr.cards(game.state).hands[0] == {"red": 2}


@pytest.mark.parametrize(
    ("cost", "payment", "refused"),
    [
        (ANY_FOUR, {"red": 3}, "[C1] this costs 4 cards of any kind; you paid 3 (3 red)"),
        (ANY_FOUR, {"white": 4}, "[C1] seat 0 does not hold 4 white; the payment was 4 white"),
        (ANY_WITH_WILD, {"red": 2, "blue": 2}, "[F1] this costs at least 1 locomotive; you paid 0"),
    ],
)
@pytest.mark.parametrize("name", ["one deck", "any three for a locomotive", "stand-ins and powers"])
def test_what_does_not_pay_is_refused_in_the_same_words_everywhere(
    name: str, cost: Cost, payment: dict[str, int], refused: str
) -> None:
    players = [{"hand": {"red": 3, "blue": 2, "locomotive": 1}}, {}]
    game = ttr.arrange(RULES[name], {"seed": 1, "players": players})
    assert str(game.rules.economy.refusal(game.state, 0, cost, ttr.Counts(payment))) == refused


LIMITED = (
    Cost("single", 3),
    Cost("double", 4, "red"),
    Cost("single", 4, wilds=1, marks=("four_for_one",)),
    Cost("single", 2, tunnel=True, only_wilds=True),
    ANY_WITH_WILD,
)


@pytest.mark.slow_cases("wild cards of two kinds", "any three for a locomotive", "two decks")
@pytest.mark.rule("C2")
@pytest.mark.parametrize("name", STACKS)
@settings(max_examples=20)
@given(data=st.data(), cost=st.sampled_from(LIMITED), most=st.integers(0, 3))
def test_what_few_locomotives_pay_is_paid_by_nothing_else(
    name: str, data: st.DataObject, cost: Cost, most: int
) -> None:
    economy = economy_of(RULES[name].economy, TrainCards)
    kinds = [*dict.fromkeys([*economy.kinds[:2], *economy.wilds])]
    held = {kind: data.draw(st.integers(0, min(4, economy.cards[kind]))) for kind in kinds}
    state = ttr.arrange(RULES[name], {"seed": 1, "players": [{"hand": held}, {}]}).state
    few = evolve(cost, most_wilds=most)
    free = [*economy.payments(state, 0, cost)]
    allowed = {payment for payment in free if sum([payment[kind] for kind in economy.wilds]) <= most}
    paying, prices = [*economy.payments(state, 0, few)], economy.prices([few])
    assert len(paying) == len(allowed) == prices.ways(state, 0, 0) and {*paying} == allowed
    assert {prices.payment(state, 0, 0, prices.way(state, 0, 0, n)) for n in range(len(allowed))} == allowed
    assert all((economy.refusal(state, 0, few, payment) is None) == (payment in allowed) for payment in free)


@pytest.mark.parametrize(
    ("name", "cost", "refused"),
    [
        ("one deck", Cost("single", 4, "red"), "at most 1 locomotive pays for this, not 2; 4 red would do"),
        (
            "any three for a locomotive",
            Cost("single", 4, "red", wilds=1),
            "at most 1 locomotive pays for this, not 2; 6 red would do",
        ),
        ("stand-ins and powers", ANY_FOUR, "at most 1 locomotive pays for this, not 2; 4 red would do"),
        ("one deck", Cost("single", 2, only_wilds=True), "at most 1 locomotive pays for this, not 2"),
    ],
)
def test_a_refusal_says_how_many_locomotives_pay_and_what_would_do(name: str, cost: Cost, refused: str) -> None:
    game = ttr.arrange(RULES[name], {"seed": 1, "players": [{"hand": {"red": 2, "locomotive": 2}}, {}]})
    payment = ttr.Counts(red=0 if cost.only_wilds else 2, locomotive=2)
    refusal = game.rules.economy.refusal(game.state, 0, evolve(cost, most_wilds=1), payment)
    assert str(refusal) == f"[C2] {refused}"


def test_a_layer_changes_it_like_any_other_cost() -> None:
    rules = ttr.compile_rules("europe", AnyFour, plugin("dearer", economy=lambda below, board: Dearer(below())))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 3, "blue": 2}}, {}]})
    assert [str(each) for each in pages(game, red=3, blue=2)] == ["2 blue, 3 red"]


class Motley(Variant, name="motley"):
    """Motley: any cards claim a route."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, any_cards=True)


@pytest.mark.rule("T2")
def test_a_tunnel_entered_with_any_cards_takes_any_more() -> None:
    rules = ttr.compile_rules("europe", Motley)
    players = [{"name": "Ada", "hand": {"red": 2, "blue": 1, "white": 2}}, {"name": "Bo"}]
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["red", "blue", "green"], "players": players})
    events = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 2, "blue": 1}))
    entered = next(event for event in events if isinstance(event, TunnelEntered))
    assert entered.extra == Cost("single", 2, tunnel=True, any_cards=True, extra=True)
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    game.play(ttr.PayTunnel(0, {"white": 2}))
    assert game.state.owners == {"paris-zurich-gray": 0}


class Pass(Variant, name="pass"):
    """Mountain pass: two locomotives at most pay for a route."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, most_wilds=2)


@pytest.mark.rule("T2")
@pytest.mark.parametrize(
    ("laid", "extra"),
    [
        ({"red": 2, "locomotive": 1}, Cost("single", 1, "red", tunnel=True, extra=True, most_wilds=1)),
        ({"red": 1, "locomotive": 2}, Cost("single", 1, "red", tunnel=True, extra=True, most_wilds=0)),
    ],
)
def test_locomotives_laid_down_for_a_tunnel_count(laid: dict[str, int], extra: Cost) -> None:
    rules = ttr.compile_rules("europe", Pass)
    players = [{"name": "Ada", "hand": {"red": 3, "locomotive": 3}}, {"name": "Bo"}]
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["locomotive", "blue", "green"], "players": players})
    assert game.refusal(ttr.ClaimRoute(0, "paris-zurich-gray", {"locomotive": 3})) is not None
    events = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", laid))
    assert next(event.extra for event in events if isinstance(event, TunnelEntered)) == extra
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    assert game.is_legal(ttr.PayTunnel(0, {"locomotive": 1})) == bool(extra.most_wilds)
    assert ttr.PayTunnel(0, {"red": 1}) in game.legal_actions(0)


def test_a_tunnel_for_which_no_locomotive_is_left_is_taken_back() -> None:
    rules = ttr.compile_rules("europe", Pass)
    players = [{"name": "Ada", "hand": {"red": 2, "locomotive": 3}}, {"name": "Bo"}]
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["locomotive", "blue", "green"], "players": players})
    game.play(ttr.ClaimRoute(0, "angora-constantinople-gray", {"locomotive": 2}))
    assert [*game.legal_actions(0)] == [ttr.AbandonTunnel(0)]
    assert str(game.refusal(ttr.PayTunnel(0, {"locomotive": 1}))) == "[T2] no locomotive pays for this"


def test_dice_know_no_colors_and_take_it_as_any_other_cost() -> None:
    plain, motley = (ttr.compile_rules("europe", "dice", *more) for more in ((), (Motley,)))
    assert ttr.playout(motley, players=3, seed=1) == ttr.playout(plain, players=3, seed=1)


def test_a_cost_shows_it_only_where_it_matters() -> None:
    assert repr(Cost("station", 1)) == (
        "Cost(kind='station', spaces=1, color=None, wilds=0, tunnel=False, only_wilds=False, marks=())"
    )
    assert repr(ANY_FOUR).endswith("marks=(), any_cards=True)")
    assert repr(evolve(ANY_FOUR, most_wilds=0)).endswith("any_cards=True, most_wilds=0)")


@pytest.mark.slow
def test_variants_with_such_costs_are_sound() -> None:
    check_variant("europe", AnyFour, players=2, games=1, skip=["processes"])
    # On other maps: that what is paid is offered, numbered, counted and saved as it should be.
    others = all_but(
        "course", "counts", "values", "events", "offers", "refusals", "numbers", "margins", "saving", "replay"
    )
    check_variant("united-kingdom", Pass, players=2, games=1, skip=others)
    check_variant("nordic-countries", "dice", Pass, players=2, games=1, skip=others)
    # On larger maps there are too many payments to look at all.
    check_variant("new-york", Motley, players=2, games=1, skip=["processes"])


@pytest.mark.parametrize("stack", ["europe", "nordic-countries", "switzerland", "germany-tickets"])
def test_a_purchase_for_locomotives_alone_is_paid_with_them_on_every_map(stack: str) -> None:
    game = ttr.arrange(None, {"stack": [stack], "seed": 1, "players": [{"hand": {"locomotive": 2}}, {}]})
    economy, cost = game.rules.economy, Cost("insurance", 1, only_wilds=True)
    assert list(economy.payments(game.state, 0, cost)) == [ttr.Counts(locomotive=1)]
    assert economy.refusal(game.state, 0, cost, ttr.Counts(locomotive=1)) is None


# -- cards of several colors -------------------------------------------------------------------------------------------

TWO_AND_ONE = Cost("order", 3, colors={"red": 2, "blue": 1})
ORDERS = (TWO_AND_ONE, evolve(TWO_AND_ONE, spaces=4), evolve(TWO_AND_ONE, most_wilds=1), evolve(TWO_AND_ONE, wilds=1))


def fills(cost: Cost, payment: ttr.Counts, wilds: int) -> bool:
    """Try all ways to let wild cards replace others."""
    lacking = sum(max(count - payment[color], 0) for color, count in cost.colors.items())
    played = payment["locomotive"]
    return payment.total == cost.spaces and lacking <= played and cost.wilds <= played <= wilds


@pytest.mark.parametrize("stack", [("europe",), ("switzerland",), ("nordic-countries",), ("united-kingdom",)], ids=str)
@pytest.mark.parametrize("cost", ORDERS, ids=str)
def test_cards_of_several_colors_pay_with_wild_cards_as_on_the_map(stack: tuple[str, ...], cost: Cost) -> None:
    hand = {"red": 3, "blue": 2, "white": 1, "locomotive": 2}
    game = ttr.arrange(None, {"stack": stack, "seed": 1, "players": [{"hand": hand}, {}]})
    economy = game.rules.economy
    combinations = [
        ttr.Counts(dict(zip(hand, some, strict=True))) for some in product(*[range(n + 1) for n in hand.values()])
    ]
    wanted = {payment for payment in combinations if fills(cost, payment, economy.wild_spaces(cost))}
    payments = [*economy.payments(game.state, 0, cost)]
    assert len(payments) == len(wanted) and {*payments} == wanted
    assert {payment for payment in combinations if economy.refusal(game.state, 0, cost, payment) is None} == wanted
    assert bool(wanted) == (stack != ("switzerland",) or not cost.wilds)  # no locomotive pays there


@pytest.mark.parametrize(
    ("cost", "payment", "refused"),
    [
        (TWO_AND_ONE, {"red": 3}, "[C1] this costs 2 red and 1 blue, or locomotives in their place; you paid 3 red"),
        (ORDERS[1], {"red": 4}, "[C1] this costs 2 red and 1 blue and 1 other card, or locomotives in their place; you paid 4 red"),
        (ORDERS[2], {"red": 1, "locomotive": 2}, "[C2] at most 1 locomotive pays for this, not 2; 2 red, 1 blue would do"),
        (ORDERS[3], {"red": 2, "blue": 1}, "[F1] this costs at least 1 locomotive; you paid 0"),
        (evolve(ORDERS[1], wilds=1), {"red": 3, "blue": 1}, "[F1] this costs at least 1 locomotive; you paid 0"),
        (evolve(TWO_AND_ONE, most_wilds=0), {"red": 3}, "[C1] this costs 2 red and 1 blue; you paid 3 red"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_colors(cost: Cost, payment: dict[str, int], refused: str) -> None:
    game = ttr.arrange(
        None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 4, "blue": 2, "locomotive": 2}}, {}]}
    )
    assert str(game.rules.economy.refusal(game.state, 0, cost, ttr.Counts(payment))) == refused


class TwoColors(Variant, name="two-colors"):
    """Two colors: gray routes of two and more spaces take a red card, and cards of any kinds."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, colors={"red": 1}) if route.color == "gray" and route.length > 1 else cost

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return 0


def test_a_route_takes_several_colors_and_so_does_its_tunnel() -> None:
    rules = ttr.compile_rules("europe", TwoColors)
    players = [{"hand": {"red": 2, "blue": 1, "white": 2, "locomotive": 1}}, {}]
    position = {"seed": 1, "players": players, "draw_pile": ["white", "red", "green", "black", "black"]}
    game = ttr.arrange(rules, {**position, "face_up": ["black"] * 5})
    tunnel = "paris-zurich-gray"
    assert not game.is_legal(ttr.ClaimRoute(0, tunnel, {"white": 2, "blue": 1}))
    game.play(ttr.ClaimRoute(0, tunnel, {"white": 2, "red": 1}))
    decision = game.decision(0)
    assert isinstance(decision, TunnelDue) and decision.extra == Cost(
        "single", 2, tunnel=True, any_cards=True, extra=True
    )
    game.play(ttr.PayTunnel(0, {"blue": 1, "locomotive": 1}))
    assert game.state.owners == {tunnel: 0} and ttr.cards(game.state).hands[0] == {"red": 1}


def test_a_cost_has_a_space_for_each_of_its_colors() -> None:
    fewer = changed_cost(TWO_AND_ONE, evolve(TWO_AND_ONE, spaces=1), "a test")
    assert fewer is not TWO_AND_ONE and fewer == TWO_AND_ONE
    assert changed_cost(TWO_AND_ONE, evolve(TWO_AND_ONE, only_wilds=True, most_wilds=1), "it").most_wilds == 1
    assert repr(TWO_AND_ONE).endswith("colors=Counts(red=2, blue=1))")


@pytest.mark.thorough
@pytest.mark.thorough_but("europe")
@pytest.mark.parametrize("stack", [("europe",), ("nordic-countries",), ("europe", "dice")], ids="+".join)
def test_the_kit_finds_nothing_wrong_with_routes_of_several_colors(stack: tuple[str, ...]) -> None:
    check_variant(*stack, TwoColors, players=2, games=1, skip=["processes"])


# -- readings of several plugins ---------------------------------------------------------------------------------------


def pair_of(color: str) -> type[Variant]:
    """A plugin: two cards of a color stand for one of any other color."""

    def pairs(cost: Cost, readings: Sequence[Reading]) -> Sequence[Reading]:
        return [Reading(Lot({color: 1}, 2 * cost.spaces), wilds=0)] if cost.color not in (None, color) else []

    class Pairs(Variant, name=f"{color}-pairs"):
        @hookimpl
        def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
            economy = below()
            economy_of(economy, TrainCards).add_readings(pairs)
            return economy

    return Pairs


@pytest.mark.parametrize("stack", ["europe", "switzerland", "marklin", "nordic-countries"])
def test_plugins_add_readings_to_the_cards_of_any_map(stack: str) -> None:
    rules = ttr.compile_rules(
        stack, *(["germany-tickets"] if stack == "marklin" else []), pair_of("white"), pair_of("black")
    )
    cost = Cost("single", 1, "red")
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"white": 2, "black": 2, "red": 1}}, {}]})
    combinations = [ttr.Counts({"white": w, "black": b, "red": r}) for w, b, r in product(range(3), range(3), range(2))]
    wanted = [{"red": 1}, {"white": 2}, {"black": 2}]
    assert sorted(map(str, rules.economy.payments(game.state, 0, cost))) == sorted(
        str(ttr.Counts(each)) for each in wanted
    )
    allowed = [each for each in combinations if rules.economy.refusal(game.state, 0, cost, each) is None]
    assert len(allowed) == 3 and all(each in wanted for each in allowed)
    plain = economy_of(ttr.compile_rules("europe").economy, TrainCards).bill(cost).all_payments
    assert plain == [ttr.Counts(red=1), ttr.Counts(locomotive=1)]  # other stacks read as before
    assert all(len(ttr.playout(rules, players=2, seed=seed).players) == 2 for seed in range(3))
    (changed,) = [answer for answer in rules.provenance if answer.hook == "economy"]
    assert not changed.unchanged and {"white-pairs", "black-pairs"} <= {*changed.adjusted}


def doubled_with(color: str, powers: Callable[[ttr.State, int], int]) -> type[Variant]:
    """So many cards of a color that a seat has the power to pay also pay one space of red."""

    def some(cost: Cost, readings: Sequence[Reading], count: int) -> Sequence[Reading]:
        return [Reading(Lot({color: 1}, count))] if count and cost == Cost("single", 1, "red") else ()

    def add(below: Below[Economy], board: ttr.Board) -> Economy:
        economy = below()
        economy_of(economy, TrainCards).add_readings(some, powers)
        return economy

    return plugin(color, economy=add)


def test_added_readings_may_depend_on_the_seat() -> None:
    def routes_held(state: ttr.State, seat: int) -> int:
        return len(state.routes(seat))

    stack = (
        "europe",
        doubled_with("white", routes_held),
        pair_of("black"),
        doubled_with("blue", cars_lost),
    )
    rules = ttr.compile_rules(*stack)
    routes = [route.id for route in rules.board.routes.values() if route.length == 2]
    hand = {"red": 1, "white": 3, "black": 2, "blue": 6}
    players = [{"hand": hand, "routes": routes[:1]}, {"hand": hand, "routes": routes[1:4]}]
    game = ttr.arrange(rules, {"seed": 1, "players": players})
    cost = Cost("single", 1, "red")
    economy = rules.economy
    wanted = [
        [{"red": 1}, {"white": 1}, {"black": 2}, {"blue": 2}],
        [{"red": 1}, {"white": 3}, {"black": 2}, {"blue": 6}],
    ]
    for seat in (0, 1):
        payments = [*economy.payments(game.state, seat, cost)]
        assert len(payments) == 4 and all(payment in payments for payment in wanted[seat])
        assert all(economy.refusal(game.state, seat, cost, payment) is None for payment in payments)
    for seat, payment in ((0, {"white": 3}), (1, {"white": 1}), (1, {"blue": 2})):
        assert economy.refusal(game.state, seat, cost, ttr.Counts(payment)) is not None
    assert all(len(ttr.playout(rules, players=2, seed=seed).players) == 2 for seed in range(3))
    check_choices(game, game.to_act[0])


def cars_lost(state: ttr.State, seat: int) -> int:
    return state.rules.components.cars - state.cars[seat]


def struck(state: ttr.State, seat: int) -> str:
    """In odd rounds red, for the first seat blue."""
    return "" if state.round % 2 == 0 else "red" if seat else "blue"


def bar_struck(cost: Cost, color: str) -> Mapping[str, ttr.Refusal]:
    return {color: ttr.Refusal("strike-1", f"{color} is on strike")} if color and cost.kind != "free" else {}


def strike(below: Below[Economy], board: ttr.Board) -> Economy:
    economy = below()
    economy_of(economy, TrainCards).bar_cards(bar_struck, struck)
    return economy


class Filtering(EconomyLayer):
    """The same as a layer that lists payments."""

    def payments(self, state: ttr.State, seat: int, cost: Cost) -> Iterable[ttr.Counts]:
        barred = bar_struck(cost, struck(state, seat))
        return [payment for payment in super().payments(state, seat, cost) if not {*payment} & {*barred}]


STRUCK_COSTS = (
    Cost("single", 2, "red"), Cost("single", 3), Cost("double", 2, wilds=1), Cost("single", 1, "red", tunnel=True, extra=True),
    Cost("loan", 3, any_cards=True), Cost("order", 2, colors={"red": 1}), Cost("free", 2, "red"), Cost("shed", 1, only_wilds=True),
)  # fmt: skip


@pytest.mark.parametrize("stack", ["europe", "switzerland", "marklin", "nordic-countries", "india"])
def test_barred_cards_pay_for_nothing_on_any_map(stack: str) -> None:
    base = (stack, *(["germany-tickets"] if stack == "marklin" else []), pair_of("black"))
    rules = ttr.compile_rules(*base, plugin("strike", economy=strike))
    other = ttr.compile_rules(*base, plugin("filter", economy=lambda below, board: Filtering(below())))
    hand = {"red": 3, "blue": 2, "white": 1, "black": 2, "locomotive": 2}
    for number in (1, 2):
        position = {"seed": 1, "round": number, "players": [{"hand": hand}, {"hand": hand}]}
        game, same = ttr.arrange(rules, position), ttr.arrange(other, position)
        for seat, cost in product((0, 1), STRUCK_COSTS):
            wanted = sorted(map(str, other.economy.payments(same.state, seat, cost)))
            assert sorted(map(str, rules.economy.payments(game.state, seat, cost))) == wanted, (number, seat, cost)
            for payment in ttr.compile_rules(*base).economy.payments(game.state, seat, cost):
                refused = rules.economy.refusal(game.state, seat, cost, payment)
                assert (refused is None) is (str(payment) in wanted) and (refused is None or refused.rule == "strike-1")
        check_choices(game, game.to_act[0])
        legal = {action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute)}
        assert legal == {action for action in same.legal_actions() if isinstance(action, ttr.ClaimRoute)}
    assert all(len(ttr.playout(rules, players=2, seed=seed).players) == 2 for seed in range(3))


def test_only_colors_of_the_deck_are_barred() -> None:
    for kind in ("locomotive", "pinkish"):
        cards = TrainCards()
        cards.bar_cards(lambda cost, powers, kind=kind: {kind: ttr.Refusal("x", "no")})  # type: ignore[misc]
        rules = ttr.compile_rules("europe", plugin("cards", economy=lambda below, board, cards=cards: cards))
        with pytest.raises(PluginError, match=f"bars '{kind}': the colors are purple"):
            ttr.new_game(rules=rules, players=2, seed=1).rules.economy.payments(
                ttr.new_game("europe", players=2, seed=1).state, 0, Cost("single", 1)
            )
    with pytest.raises(
        PluginError, match="bar_cards takes functions: the kinds barred from a cost, and powers of a seat"
    ):
        TrainCards().bar_cards(3)  # type: ignore[call-overload]
    with pytest.raises(PluginError, match="no plugin can bar cards from the payments of the United Kingdom"):
        ttr.compile_rules("united-kingdom", plugin("strike", economy=strike))


def test_powers_of_added_readings_are_a_function() -> None:
    with pytest.raises(
        PluginError, match="add_readings takes functions: readings of a cost, and powers of a seat, not"
    ):
        TrainCards().add_readings(lambda cost, readings, powers: (), 3)  # type: ignore[call-overload]


@pytest.mark.rule("T2")
def test_added_readings_pay_what_a_tunnel_costs_extra() -> None:
    rules = ttr.compile_rules("europe", pair_of("white"))
    players = [{"hand": {"purple": 3, "white": 4}}, {}]
    position = {"seed": 1, "players": players, "draw_pile": ["purple", "purple", "red"], "face_up": ["black"] * 5}
    game = ttr.arrange(rules, position)
    game.play(ttr.ClaimRoute(0, "marseille-zurich-purple", {"purple": 2}))
    extra = [action.payment for action in game.legal_actions(0) if isinstance(action, ttr.PayTunnel)]
    assert extra == [{"white": 4}]
    game.play(ttr.PayTunnel(0, {"white": 4}))
    assert game.state.owners == {"marseille-zurich-purple": 0}


def test_the_united_kingdom_takes_no_added_readings() -> None:
    with pytest.raises(PluginError, match="no plugin can add readings to the cards of the United Kingdom"):
        ttr.compile_rules("united-kingdom", pair_of("white"))


@pytest.mark.parametrize("color", ["pink", "locomotive"])
def test_a_cost_names_colors_of_the_deck(color: str) -> None:
    cards = economy_of(ttr.compile_rules("europe").economy, TrainCards)
    with pytest.raises(PluginError, match=f"asks for {color}: the colors are purple, "):
        cards.bill(Cost("order", 2, colors={color: 1}))


def test_a_route_that_takes_several_colors_is_described() -> None:
    board = ttr.compile_rules("europe").board
    cost = Cost("single", 3, colors={"red": 1}, tunnel=True)
    assert route_facts(board.routes["paris-zurich-gray"], board, cost=cost)[1:] == ["1 red", "2 gray", "tunnel"]


@pytest.mark.parametrize(
    ("most", "reason"),
    [
        (0, "the cards must be of one color, not red and blue"),
        (1, "the cards must be of one color, not red and blue; locomotives stand in"),
    ],
)
def test_a_refusal_mentions_locomotives_only_where_some_may_pay(most: int, reason: str) -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"red": 1, "blue": 1}}, {}]})
    refused = game.rules.economy.refusal(game.state, 0, Cost("order", 2, most_wilds=most), ttr.Counts(red=1, blue=1))
    assert refused is not None and refused.reason == reason


def test_counts_are_added_and_subtracted() -> None:
    held = ttr.Counts(red=2, blue=1)
    assert held + {"blue": 2, "white": 1} == {"red": 2, "blue": 3, "white": 1} and held - ttr.Counts(red=2) == {
        "blue": 1
    }
    assert held - {} == held + ttr.Counts() == held and (held - held).total == 0
    for wrong in ({"white": 1}, {"red": 3}):
        with pytest.raises(InvalidInputError, match="cannot count"):
            held - wrong  # noqa: B018
    for odd in ({"red": -1}, {"red": True}):
        with pytest.raises(InvalidInputError, match="cannot count"):
            held + odd  # noqa: B018
    for other in (None, 3, ["red"], "red"):
        with pytest.raises(TypeError, match="unsupported operand"):
            held + other  # type: ignore[operator]  # noqa: B018
        with pytest.raises(TypeError, match="unsupported operand"):
            held - other  # type: ignore[operator]  # noqa: B018
