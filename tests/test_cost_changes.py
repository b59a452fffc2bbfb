"""Costs that plugins change: what is offered is accepted, however low they go."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, cast

import pytest
from attrs import evolve
from dicing import claim, rolled
from helpers import arranged, rules_of, unused_rules
from plugins.made import plugin as made

import ttr_rules as ttr
from ttr_rules import Event
from ttr_rules.actions import ClaimRule, Prices, route_cost
from ttr_rules.engine import action_numbers
from ttr_rules.errors import PluginError
from ttr_rules.events import RoutePointsScored
from ttr_rules.model import CARD_COLORS, Cost, Dealer, TunnelDue, Unknown
from ttr_rules.model.board import changed_cost
from ttr_rules.plugins import (
    Around,
    Below,
    Economy,
    EconomyLayer,
    Part,
    Transaction,
    Variant,
    by_seat,
    hookimpl,
    public,
)
from ttr_tools.testing import check_variant
from ttr_variants.united_kingdom.purchases import next_costs
from ttr_variants.united_kingdom.technologies import RIGHT_OF_WAY

TUNNEL = "marseille-zurich-purple"  # two spaces
FERRY = "amsterdam-london-gray"  # two spaces, two locomotives
HELD = ["brighton-dover-purple", "bristol-reading-white"]
Change = Callable[[Cost], Any]

CHANGES: dict[str, Change] = {
    "one less": lambda cost: evolve(cost, spaces=cost.spaces - 1),
    "three less": lambda cost: evolve(cost, spaces=cost.spaces - 3),
    "nothing": lambda cost: evolve(cost, spaces=0, wilds=0),
    "more symbols": lambda cost: evolve(cost, wilds=cost.wilds + 1),
    "fewer symbols": lambda cost: evolve(cost, spaces=cost.spaces - 1, wilds=cost.wilds - 1),
    "one locomotive": lambda cost: evolve(cost, most_wilds=1),
    "one locomotive and nothing else": lambda cost: evolve(cost, only_wilds=True, most_wilds=1),
}


class Changed(Variant, name="changed"):
    """Changed: claims cost something else."""

    change: Change

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        changed: Cost = self.change(cost)
        return changed


class Keyed(Changed, name="keyed"):
    """Keyed: the same, said to be always the same."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return 0


class Colored(Variant, name="colored"):
    """Colored: each gray route has a color of its own, the one after that of the last turn."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        number = state.rules.network.route_number[route.id] + state.turn_number
        return cost if cost.color else evolve(cost, color=str(CARD_COLORS[number % len(CARD_COLORS)]))


class ColoredByKey(Colored, name="colored-by-key"):
    """Colored by key: the same, kept by turn."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return state.turn_number


class Layered(Variant, name="layered"):
    """Layered: everything costs something else."""

    change: Change

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        change = self.change

        class Layer(EconomyLayer):
            def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
                changed: Cost = change(cost)
                return changed

        return Layer(below())


class Night(Variant, name="night"):
    """Night trains: some routes have costs of another kind, by the number of cars left."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        number = state.rules.network.route_number[route.id] + state.cars[seat]
        return evolve(cost, kind=cost.kind if number % 9 else "night")


class NightByKey(Night, name="night-by-key"):
    """Night by key: the same, kept by the number of cars left."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return state.cars[seat]


class Stuck(Colored, name="stuck"):
    """Stuck: the same, with a key that leaves out the turn."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return 0


class NightByLayer(Variant, name="night-by-layer"):
    """Night by layer: the same for all that is paid for."""

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return NightLayer(below())


class NightLayer(EconomyLayer):
    def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
        return evolve(cost, kind=f"night {state.cars[seat] % (2 + cost.spaces)}")


@pytest.fixture
def often_switching() -> Iterator[None]:
    """Threads take turns after a millionth of a second."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


NIGHT = (Night, NightByKey, NightByLayer)


@pytest.mark.slow_cases("more symbols-Layered", "fewer symbols-Changed")
@pytest.mark.parametrize("plugin", [Changed, Layered])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_offers_and_refusals_agree_about_every_ferry_and_tunnel(
    plugin: type[Changed | Layered], change: Change
) -> None:
    rules = ttr.compile_rules("europe", plugin(change=change))
    for hand in ({"locomotive": 1}, {"locomotive": 2}, {"locomotive": 4, "red": 3, "blue": 1}, {}):
        game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}]})
        offered = [action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute)]
        assert all(game.refusal(action) is None for action in offered)
        assert all(action.payment.total for action in offered)
        assert all(game.refusal(ttr.ClaimRoute(0, route, {})) is not None for route in game.rules.board.routes)


@pytest.mark.parametrize("plugin", [Changed, Layered])
def test_a_ferry_keeps_its_symbols(plugin: type[Changed | Layered]) -> None:
    rules = ttr.compile_rules("europe", plugin(change=CHANGES["one less"]))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"locomotive": 2}}, {}]})
    refused = game.refusal(ttr.ClaimRoute(0, FERRY, {"locomotive": 1}))
    assert refused is not None and refused.rule == "C1"
    game.play(ttr.ClaimRoute(0, FERRY, {"locomotive": 2}))


@pytest.mark.parametrize("plugin", [Changed, Layered])
def test_locomotives_pay_for_every_space_if_nothing_else_does(plugin: type[Changed | Layered]) -> None:
    rules = ttr.compile_rules("europe", plugin(change=CHANGES["one locomotive and nothing else"]))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"locomotive": 3}}, {}]})
    game.play(ttr.ClaimRoute(0, "berlin-frankfurt-black", {"locomotive": 3}))
    assert changed_cost(Cost("single", 3), Cost("single", 3, only_wilds=True, most_wilds=1), "it").most_wilds == 3
    mixed = Cost("single", 3, only_wilds=True, any_cards=True, most_wilds=1)
    assert changed_cost(Cost("single", 3), mixed, "it") is mixed
    extra = Cost("single", 2, tunnel=True, only_wilds=True, extra=True, most_wilds=0)
    assert changed_cost(evolve(extra, spaces=3), extra, "it") is extra, (
        "a tunnel takes no more locomotives than it allows"
    )


@pytest.mark.parametrize("economy", [(), ("dice",)], ids=["cards", "dice"])
@pytest.mark.parametrize(
    "numbers", [{"spaces": 1.5}, {"wilds": None}, {"wilds": True}, {"most_wilds": "2"}, {"tunnel_cards": 3.0}], ids=str
)
def test_costs_are_whole_numbers(economy: tuple[str, ...], numbers: dict[str, Any]) -> None:
    game = ttr.new_game("europe", *economy, Changed(change=lambda cost: evolve(cost, **numbers)), players=2, seed=1)
    ((name, number),) = numbers.items()
    told = f"claim_cost of plugin 'changed' gives a Cost with {name}={number!r}, which is not a whole number"
    with pytest.raises(PluginError, match=re.escape(told)):
        route_cost(game.state, 0, FERRY)


def test_what_a_route_costs_is_what_is_paid() -> None:
    state = ttr.new_game("europe", Changed(change=CHANGES["three less"]), players=2, seed=1).state
    assert route_cost(state, 0, FERRY).spaces == 2
    assert route_cost(state, 0, "dieppe-paris-purple").spaces == 1


@pytest.mark.slow
@pytest.mark.parametrize("plugin", [Colored, ColoredByKey])
@pytest.mark.parametrize("economy", [(), ("dice",)], ids=["cards", "dice"])
def test_each_route_can_have_a_cost_of_its_own(plugin: type[Colored], economy: tuple[str, ...]) -> None:
    rules = ttr.compile_rules("europe", *economy, plugin)
    game = ttr.new_game(rules=rules, players=2, seed=3)
    gray = [route.id for route in rules.board.routes.values() if route.color == "gray"]
    for step in range(60):
        seat = game.to_act[0]
        legal, state = game.legal_actions(seat), game.state
        claims = [action for action in legal if isinstance(action, ttr.ClaimRoute)]
        paying = {id: list(rules.economy.payments(state, seat, route_cost(state, seat, id))) for id in gray}
        open_to_seat = {action.route for action in claims}
        assert all(game.refusal(action) is None for action in claims)
        assert {(action.route, action.payment) for action in claims if action.route in paying} == {
            (id, payment) for id in open_to_seat & set(paying) for payment in paying[id]
        }
        numbers = action_numbers(rules)
        assert [numbers.number(state, action) for action in legal] == numbers.legal(state, seat)
        game.play((claims or legal)[step % len(claims or legal)])
    assert len({route_cost(game.state, 0, id).color for id in gray}) > 5


def play_through(rules: ttr.Rules, seed: int) -> list[list[ttr.Action]]:
    """Return what was legal at each of 80 steps of a game in which routes are claimed whenever that is legal."""
    game, random = ttr.new_game(rules=rules, players=2, seed=seed), Random(seed)
    offered: list[list[ttr.Action]] = []
    while len(offered) < 80:
        legal = list(game.legal_actions(game.to_act[0]))
        claims = [action for action in legal if isinstance(action, ttr.ClaimRoute)]
        game.play(random.choice(claims or legal))
        offered.append(legal)
    return offered


@pytest.mark.slow
@pytest.mark.parametrize("plugin", NIGHT)
def test_the_order_of_legal_actions_does_not_depend_on_earlier_games(plugin: type[Variant]) -> None:
    used, new = unused_rules("europe", plugin), unused_rules("europe", plugin)
    for seed in (1, 2):
        play_through(used, seed)
    assert play_through(used, 3) == play_through(new, 3)


@pytest.mark.slow
@pytest.mark.usefixtures("often_switching")
@pytest.mark.parametrize("plugin", NIGHT)
def test_costs_are_changed_in_several_threads(plugin: type[Variant]) -> None:
    shared = unused_rules("europe", plugin)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda seed: play_through(shared, seed), [1, 2, 1, 2]))
    assert found[:2] == found[2:] == [play_through(unused_rules("europe", plugin), seed) for seed in (1, 2)]


class DearerAtLargeTables(Variant, name="dearer-at-large-tables"):
    """Dearer at large tables: each route costs a card more with more than two players."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + (state.players > 2))

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
        return ttr.Refusal("long", "too long") if route.length + state.players > 8 else None

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return 0


def test_a_key_holds_for_one_number_of_players() -> None:
    rules = unused_rules("europe", DearerAtLargeTables)

    def claims(players: int) -> list[ttr.Action]:
        seats = [{"hand": {"red": 8}}, *[{}] * (players - 1)]
        game = ttr.arrange(rules, {"seed": 1, "players": seats})
        actions = [action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute)]
        assert all(game.refusal(action) is None for action in actions)
        assert all(
            action.payment.total == rules.board.routes[action.route].length + (players > 2) for action in actions
        )
        assert {rules.board.routes[action.route].length for action in actions} <= {*range(1, 9 - players)}
        return [*actions]

    small, large = claims(2), claims(4)
    assert len(small) > len(large) > 0
    assert claims(2) == small


def test_the_claim_that_a_technology_requires_has_the_price_of_the_moment() -> None:
    rules = ttr.compile_rules(
        "united-kingdom:advanced=true", Keyed(change=lambda cost: evolve(cost, spaces=cost.spaces + 1))
    )
    ttr.playout(rules, 2, seed=1)


def test_a_right_of_way_has_the_printed_price() -> None:
    """Whatever claims cost in a turn."""
    rules = ttr.compile_rules("united-kingdom", Changed(change=lambda cost: evolve(cost, spaces=1, color=None)))
    state = arranged(rules, {}, {"routes": HELD}).state
    prices, numbers = next_costs(state, 0, RIGHT_OF_WAY)
    held = [rules.board.routes[id] for id in HELD]
    assert {prices.costs[number] for number in numbers} == {Cost.of_route(route) for route in held}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_claims_and_tunnels_are_numbered_as_ever_if_costs_never_change(change: Change) -> None:
    rules = ttr.compile_rules("europe", Changed(change=change))
    numbers = action_numbers(rules)
    assert numbers.fixed
    hand = {"hand": {"purple": 4, "red": 2, "locomotive": 5}}
    game = ttr.arrange(rules, {"seed": 1, "players": [hand, {}], "draw_pile": ["purple", "locomotive", "red"]})

    def check() -> list[ttr.Action]:
        legal, state = list(game.legal_actions()), game.state
        assert [numbers.number(state, action) for action in legal] == numbers.legal(state, 0)
        assert [numbers.action(state, 0, number) for number in numbers.legal(state, 0)] == legal
        assert all(game.refusal(action) is None for action in legal)
        return legal

    game.play(next(each for each in check() if isinstance(each, ttr.ClaimRoute) and each.route == TUNNEL))
    assert isinstance(game.decision(0), TunnelDue)
    check()


def test_a_tunnel_that_is_paid_like_something_else_has_numbers_too() -> None:
    rules = ttr.compile_rules("europe", "dice", Changed(change=lambda cost: evolve(cost, kind="station")))
    game = rolled(rules, "ttttw", {}, {}, chance=["tunnel", "blank", "blank"])
    game.play(claim("marseille-zurich-purple", station=2))
    numbers, state, legal = action_numbers(rules), game.state, game.legal_actions()
    assert action_numbers(rules_of("europe")).fixed and not numbers.fixed
    paid = [ttr.PayTunnel(0, {"station": 1}), ttr.PayTunnel(0, {"locomotive": 1})]
    assert list(legal) == [*paid, ttr.AbandonTunnel(0)]
    known = numbers.legal(state, 0)
    assert [numbers.action(state, 0, number) for number in known] == list(legal)
    assert [numbers.nth(state, 0, index) for index in range(3)] == known
    assert [numbers.number(state, action) for action in legal] == known
    numbers.perform(state, 0, known[1])
    game.play(paid[1])
    assert game.state == state


@pytest.mark.parametrize(
    ("plugin", "message"),
    [(Changed, "claim_cost of plugin 'changed' must give a Cost"), (Layered, r"Layer\.cost must give a Cost")],
)
def test_what_gives_no_cost_is_named(plugin: type[Changed | Layered], message: str) -> None:
    game = ttr.arrange(ttr.compile_rules("europe", plugin(change=lambda cost: None)), {"seed": 1, "players": [{}, {}]})
    with pytest.raises(PluginError, match=message):
        list(game.legal_actions())


@pytest.mark.slow
@pytest.mark.thorough_but("Layered-stack1")
@pytest.mark.parametrize(
    ("plugin", "stack"),
    [
        (Keyed, ("nordic-countries",)),
        (Layered, ("north-america",)),
        (Changed, ("nordic-countries", "dice")),
        (ColoredByKey, ("europe",)),
    ],
)
def test_the_kit_finds_nothing(plugin: type[Variant], stack: tuple[str, ...]) -> None:
    made = plugin(change=CHANGES["three less"]) if issubclass(plugin, Changed | Layered) else plugin
    check_variant(*stack, made, players=2, games=1, skip=["processes"])


def test_a_claim_at_a_cost_that_a_key_has_hidden_is_refused_in_words() -> None:
    rules = ttr.compile_rules("europe", Stuck)
    hand = dict.fromkeys(CARD_COLORS, 3)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {"hand": hand}]})
    for seat in (0, 0, 1, 1):
        assert game.legal_actions(seat)  # the first of these keeps the costs of the first turn
        game.play(ttr.DrawBlind(seat))
    route = rules.board.routes["paris-zurich-gray"]
    color = Colored().claim_cost(game.state, 0, route, Cost.of_route(route)).color
    claim = ttr.ClaimRoute(0, route.id, {str(color): route.length})
    assert game.refusal(claim) is None
    before = game.state
    with pytest.raises(
        PluginError, match=r"may pay .*, but that is not among the payments that are counted.* a claim_key may"
    ):
        game.play(claim)
    assert game.state == before


class Coins(EconomyLayer):
    """Three or four coins, each for a space of a route."""

    pieces = ("coin",)

    def held(self, state: ttr.State, seat: int) -> dict[str, int]:
        return {"coin": 9}

    def alternatives(self, cost: Cost) -> list[tuple[Cost | None, ttr.Counts]]:
        rests = [(evolve(cost, spaces=cost.spaces - n) if cost.spaces > n else None, n) for n in (0, 3, 4)]
        return [(rest, ttr.Counts(coin=n)) for rest, n in rests if n <= cost.spaces]


class DearerLater(Variant, name="dearer-later"):
    """Everything costs one more once somebody has scored, which the key leaves out; coins pay."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + any(state.scores))

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return 0

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return Coins(below())


@pytest.mark.parametrize("payment", [{"coin": 3, "orange": 1}, {"coin": 4}, {"orange": 4}])
def test_a_payment_with_pieces_at_a_hidden_cost_is_refused_in_words(payment: dict[str, int]) -> None:
    rules = ttr.compile_rules("europe", DearerLater)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"white": 3}}, {"hand": {"orange": 5}}, {}, {}]})
    assert rules.answers[ttr.Turn].by_action[ttr.ClaimRoute].count(game.state, 1)  # at the first costs
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    claim_of_other = ttr.ClaimRoute(1, "frankfurt-paris-orange", payment)
    before = game.state
    with pytest.raises(PluginError, match="but that is not among the payments that are counted"):
        game.play(claim_of_other)
    assert game.state == before


def test_costs_are_not_asked_for_again_for_each_action() -> None:
    asked = 0

    def dearer(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        nonlocal asked
        asked += 1
        return evolve(cost, any_cards=state.round > 0)

    rules = ttr.compile_rules("europe", made("dearer", claim_cost=dearer))
    hand = {"red": 2, "blue": 2, "white": 1}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}]})
    asked = 0
    assert 300 < len(list(game.legal_actions(0))) < 1000
    routes = len(rules.board.routes)
    assert asked <= 2 * routes, "the answers for an arranged game are cached, too"
    asked = 0
    assert game.offer(0).total > 300
    assert asked <= 60 * routes
    game.play(game.legal_actions(0)[0])
    game.undo()
    asked = 0
    assert len(list(game.legal_actions(0))) > 300
    assert asked <= 2 * routes


def swallowing(state: ttr.State, seat: int, cost: Cost) -> Cost:
    try:
        return evolve(cost, spaces=cost.spaces + state.round)
    except Exception:  # noqa: BLE001 (as a plugin may)
        return cost


#: Costs that depend on the position or the seat, whichever way they look at it.
def swallowing_type_errors(more: Callable[[], int], cost: Cost) -> Cost:
    try:
        return evolve(cost, spaces=cost.spaces + more())
    except Exception:
        return cost


LOOKS: dict[str, Callable[[ttr.State, int, Cost], Cost]] = {
    "reads": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + state.round),
    "swallows errors": swallowing,
    "type": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + isinstance(state, ttr.State)),
    "library": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + len(ttr.cards(state).hands) // 2),
    "attribute": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + getattr(state, "round", 0)),
    "seat": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + (seat == 0)),
    "truth": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + (not seat)),
    "index": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + (1, 0)[seat]),
    "table": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + {0: 1}.get(seat, 0)),
    "text": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + (f"{seat}" == "0")),
    "number": lambda state, seat, cost: evolve(cost, spaces=cost.spaces + max(1 - seat, 0)),
    "remainder": lambda state, seat, cost: swallowing_type_errors(lambda: 1 - seat % 2, cost),
    "order": lambda state, seat, cost: swallowing_type_errors(lambda: int(seat < 1), cost),
}


def by_claims(change: Callable[[ttr.State, int, Cost], Cost]) -> type[Variant]:
    return made("dearer", claim_cost=lambda state, seat, route, cost: change(state, seat, cost))


def by_layer(change: Callable[[ttr.State, int, Cost], Cost]) -> type[Variant]:
    class Layer(EconomyLayer):
        def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
            return change(state, seat, cost)

    return made("dearer", economy=lambda below, board: Layer(below()))


@pytest.mark.parametrize("plugin", [by_claims, by_layer])
@pytest.mark.parametrize("change", LOOKS.values(), ids=LOOKS)
def test_costs_that_depend_on_the_position_or_the_seat_are_those_of_the_moment(
    plugin: Callable[..., type[Variant]], change: Callable[[ttr.State, int, Cost], Cost]
) -> None:
    rules = ttr.compile_rules("europe", plugin(change))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"purple": 5}}, {}]})
    paid = {
        action.payment.total
        for action in game.legal_actions()
        if isinstance(action, ttr.ClaimRoute) and action.route == "berlin-warszawa-purple"
    }
    assert paid == {5}


@pytest.mark.parametrize("plugin", [by_claims, by_layer])
def test_costs_that_depend_on_neither_are_asked_for_once(plugin: Callable[..., type[Variant]]) -> None:
    asked: list[Cost] = []

    def dearer(state: ttr.State, seat: int, cost: Cost) -> Cost:
        asked.append(cost)
        return evolve(cost, spaces=cost.spaces + 1) if cost.spaces < 3 else cost

    rules = ttr.compile_rules("north-america", plugin(dearer))
    before = len(asked)
    assert before
    ttr.playout(rules, 2, seed=1)
    assert len(asked) == before


def test_costs_kept_for_a_moment_are_never_those_of_an_earlier_one() -> None:
    """Asked in the middle of actions too, when a claim, a card or the turn has just changed something."""
    seen: set[int] = set()

    def dearer(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        moment = state.cars[seat] + state.turn_number + sum(ttr.cards(state).hands[seat].values())
        return evolve(cost, spaces=1 + moment % 5)

    def look(tx: Transaction, *_given: object) -> None:
        claims = cast("ClaimRule[ttr.Turn]", tx.rules.answers[ttr.Turn].by_action[ttr.ClaimRoute])
        for seat in range(tx.state.players):
            tariff = claims.tariff(tx.state, seat)
            claims.count(tx.state, seat)
            now = route_cost(tx.state, seat, tx.rules.network.route_ids[0])
            assert tariff.prices.costs[tariff.cost_of[0]] == now
            seen.add(now.spaces)

    hooks = dict.fromkeys(["on_turn_start", "on_turn_end", "on_claim"], look)
    around = [Around(kind, before=look, after=look) for kind in (ttr.ClaimRoute, ttr.DrawBlind, ttr.DrawFaceUp)]
    for more in ({}, {"around": lambda rules: around}):
        ttr.playout(ttr.compile_rules("london", made("dearer", claim_cost=dearer, **hooks, **more)), 2, seed=1)
    assert seen == {1, 2, 3, 4, 5}


@pytest.mark.pure  # methods of compiled classes cannot be replaced
@pytest.mark.parametrize("stack", [("europe",), ("europe", "dice"), ("united-kingdom",), ("pennsylvania",)])
def test_whatever_happens_is_counted_as_a_change(stack: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[tuple[ttr.State, int]] = []
    note = Transaction.note

    def compared(tx: Transaction, kind: Any, values: tuple[object, ...]) -> None:
        assert not noted or tx.state is not noted[-1][0] or tx.state.version > noted[-1][1], kind
        noted.append((tx.state, tx.state.version))
        note(tx, kind, values)

    game, random = ttr.new_game(*stack, players=2, seed=4), Random(4)
    monkeypatch.setattr(Transaction, "note", compared)
    while not game.is_over:
        game.play(random.choice(game.legal_actions(game.to_act[0])))
    assert len(noted) > 300


def test_what_plugins_say_of_each_seat_is_asked_once_between_two_actions() -> None:
    asked = 0

    def dearer(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        nonlocal asked
        asked += 1
        return evolve(cost, spaces=cost.spaces + state.round)

    rules = ttr.compile_rules("europe", made("dearer", claim_cost=dearer))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 2}}, {"hand": {"blue": 2}}]})
    state = game.state
    ttr.engine.advance(state, ttr.engine.legal_actions(state, 0)[0])
    asked, claims = 0, rules.answers[ttr.Turn].by_action[ttr.ClaimRoute]
    for seat in (0, 1) * 5:
        claims.count(state, seat)
    assert asked == 2 * len(rules.board.routes)


class Receipts(Prices):
    """Prices that note what is paid."""

    noted: list[Cost]

    def pay(self, tx: Transaction, seat: int, cost: int, way: int) -> None:
        self.noted.append(self.costs[cost])
        super().pay(tx, seat, cost, way)


class Noting(EconomyLayer):
    """A layer whose prices are made over the economy below."""

    def __init__(self, below: Economy) -> None:
        super().__init__(below)
        self.noted: list[Cost] = []

    def prices(self, costs: Sequence[Cost]) -> Prices:
        receipts = Receipts(self.below, costs)
        receipts.noted = self.noted
        return receipts


def test_changed_costs_have_the_prices_of_the_topmost_layer() -> None:
    def dearer(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + 1) if state.round > 0 else cost

    noting = made("noting", economy=lambda below, board: Noting(below()))
    rules = ttr.compile_rules("europe", noting, made("dearer", claim_cost=dearer))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"white": 4}}, {}]})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 4}))
    economy = rules.economy
    assert isinstance(economy, Noting) and [cost.spaces for cost in economy.noted] == [4]


def count_claims(state: ttr.State, seat: int) -> int:
    return state.rules.answers[ttr.Turn].by_action[ttr.ClaimRoute].count(state, seat)


class Toll(Part):
    """What every route costs more, and what looks have found."""

    level: int = public(default=0)
    found: int = public(default=0)
    secret: list[int | Unknown] = by_seat(each=1)

    def redeal(self, view: ttr.View, dealer: Dealer, world: ttr.State) -> None:
        count_claims(world, 0)
        self.secret = [1] * world.players


class Echo(Part):
    """A part that is dealt after the toll, by what a seat may claim then."""

    heard: list[int | Unknown] = by_seat(each=0)

    def redeal(self, view: ttr.View, dealer: Dealer, world: ttr.State) -> None:
        self.heard = [count_claims(world, 0) if isinstance(heard, Unknown) else heard for heard in self.heard]


class Looked(Event):
    """A seat looked at what it may claim, and then every route rose by one."""

    seat: int

    def apply(self, state: ttr.State) -> None:
        toll = state.part(Toll)
        toll.found = count_claims(state, self.seat)
        toll.level += 1


class Turns(Part):
    """A part that looks when a turn begins, before another one begins its turn."""

    found: int = public(default=0)
    looked: bool = public(default=False, per_turn=True)

    def begin_turn(self, state: ttr.State) -> None:
        super().begin_turn(state)
        self.found = count_claims(state, state.turn)


class Rises(Part):
    """A part of which each turn begins anew."""

    more: int = public(default=0, per_turn=True)

    def rise(self) -> None:
        self.more += 1


class Rose(Event):
    """The routes cost more until the next turn begins."""

    effect = Rises.rise


def dearer_by_toll(**hooks: Any) -> ttr.Rules:
    def dearer(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        toll = state.part(Toll)
        secret = toll.secret[seat]
        more = 0 if isinstance(secret, Unknown) else secret
        return evolve(cost, spaces=cost.spaces + toll.level + state.part(Rises).more + more)

    parts = made("toll", parts=lambda rules: (Toll, Echo, Turns, Rises), claim_cost=dearer, **hooks)
    return ttr.compile_rules("europe", parts)


def toll_game(rules: ttr.Rules) -> ttr.Game:
    hands = [{"hand": {"red": 5, "white": 4, "locomotive": 3}}, {"hand": {"blue": 5, "green": 4}}]
    return ttr.arrange(rules, {"seed": 1, "players": hands})


def test_an_effect_that_looks_before_it_changes_something_leaves_no_old_costs() -> None:
    def look(tx: Transaction, seat: int) -> None:
        for _ in range(2):
            tx.emit(Looked, seat)

    game = toll_game(dearer_by_toll(on_turn_end=look))
    game.play(ttr.DrawTickets(0))
    game.play(game.legal_actions()[0])
    assert game.state.part(Toll).level == 2
    assert [count_claims(game.state, seat) for seat in (0, 1)] == [
        count_claims(game.state.copy(), seat) for seat in (0, 1)
    ]
    before = game.state.copy()
    game.play(ttr.DrawTickets(1))
    game.undo()  # by the events of the moves before
    assert game.state == before


def test_a_part_that_looks_when_a_turn_begins_leaves_no_old_costs() -> None:
    game = toll_game(dearer_by_toll(on_turn_end=lambda tx, seat: tx.emit(Rose)))
    game.play(ttr.DrawTickets(0))
    game.play(game.legal_actions()[0])
    assert game.state.part(Rises).more == 0
    assert count_claims(game.state, 1) > game.state.part(Turns).found > 0
    assert len(game.legal_actions()) == len(ttr.engine.legal_actions(game.state, 1))  # a copy remembers nothing


def test_a_part_that_looks_while_it_is_dealt_leaves_no_old_costs() -> None:
    game = toll_game(dearer_by_toll())
    world = ttr.determinize(game.view(1), game.rules, seed=1)
    assert world.state.part(Echo).heard[0] == count_claims(world.state.copy(), 0)
    assert len(world.legal_actions(0)) == len(ttr.engine.legal_actions(world.state.copy(), 0))


def test_an_event_applied_by_hand_leaves_no_old_costs_to_the_next_move() -> None:
    state = toll_game(dearer_by_toll()).state
    Transaction(state).emit(Looked, 0)
    assert count_claims(state, 0) == count_claims(state.copy(), 0) < state.part(Toll).found
    Looked(0).apply(state)
    claims = [each for each in ttr.engine.legal_actions(state.copy(), 0) if isinstance(each, ttr.ClaimRoute)]
    claim = next(each for each in claims if not state.rules.board.routes[each.route].tunnel)
    ttr.engine.advance(state, claim)
    assert claim.route in state.routes(0)


def test_a_claim_that_a_plugin_made_dearer_just_before_it_is_decided_again() -> None:
    def seen(state: ttr.State) -> int:
        return state.scores[0]

    def dearer(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + seen(state))

    def charge(tx: Transaction, action: ttr.ClaimRoute) -> None:
        if not seen(tx.state):
            tx.emit(RoutePointsScored, action.seat, 1)

    plugin = made("dearer", claim_cost=dearer, around=lambda rules: [Around(ttr.ClaimRoute, before=charge)])
    rules = ttr.compile_rules("north-america", plugin)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    claim = next(a for a in game.legal_actions(0) if isinstance(a, ttr.ClaimRoute) and a.payment["red"] == 2)
    game.play(claim)
    assert (game.state.scores[0], game.to_act) == (1, (0,))
    dear = ttr.ClaimRoute(0, claim.route, {"red": 3})
    assert game.refusal(claim) is not None and dear in game.legal_actions(0)
    game.play(dear)
    assert game.to_act == (1,)
