"""The claims that are offered are made when they are read: as a sequence they must say what the list of them says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from attrs import evolve
from helpers import arranged, rules_of
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import Decision
from ttr_rules.actions import ClaimRule
from ttr_rules.engine import LegalActions, action_numbers, advance, legal_actions
from ttr_rules.errors import PluginError
from ttr_rules.events import RouteClaimed
from ttr_rules.kernel.state import open_routes, recount
from ttr_rules.model import Cost, TunnelDue
from ttr_rules.model.decisions import replace
from ttr_rules.model.network import numbers
from ttr_rules.plugins import ActionRule, Question, Transaction, Variant


def claims(game: ttr.Game, seat: int = 0) -> LegalActions:
    """The claims offered to a seat."""
    state = game.state
    state.pending = (ttr.Turn(seat),)
    actions = legal_actions(state, seat)
    assert isinstance(actions, LegalActions)
    for group in actions.groups:
        if type(group[0]) is ttr.ClaimRoute:
            assert isinstance(group, LegalActions)
            return group
    raise AssertionError("no claims are offered")


@pytest.mark.rule("C1", "C2")
def test_every_claim_has_its_place() -> None:
    offered = claims(arranged("europe", {"hand": {"red": 4, "blue": 2, "locomotive": 2}}, {}))
    listed = list(offered)
    assert len(listed) == len(offered) == len(set(listed)) > 60
    assert [offered[number] for number in range(len(listed))] == listed
    for number in (len(listed), len(listed) + 1, 10**6):
        with pytest.raises(IndexError):
            offered[number]
    assert set(offered.sample(1000)) == set(listed)
    assert set(offered.sample(1)) <= set(listed) and len(list(offered.sample(1))) < len(listed)


MANY: dict[str, int] = {"red": 6, "blue": 6, "black": 5, "locomotive": 8}


@pytest.mark.slow_cases("nordic-countries")
@pytest.mark.rule("C1", "C2", "N6")
@pytest.mark.parametrize("stack", ["europe", "nordic-countries", "germany-tickets"])
def test_claims_are_every_open_route_with_all_that_pays_for_it(stack: str) -> None:
    """Nordic's stand-ins have hundreds of ways to pay for one route."""
    ways = Counter(claim.route for claim in claims(arranged(stack, {"hand": MANY}, {})))
    taken = max(ways, key=lambda route: (ways[route], route))
    game = arranged(stack, {"hand": MANY}, {"routes": [taken]})
    offered = claims(game)
    listed = list(offered)
    economy, state, board = game.rules.economy, game.state, game.rules.board
    closed = {route.id for route in board.routes.values() if set(route.cities) == set(board.routes[taken].cities)}
    wanted = {
        ttr.ClaimRoute(0, route.id, payment)
        for route in board.routes.values()
        if route.id not in closed
        for payment in economy.payments(state, 0, Cost.of_route(route))
    }
    assert len(listed) == len(offered) == len(set(listed)) and set(listed) == wanted
    assert [offered[number] for number in range(0, len(listed), 7)] == listed[::7]
    for payment in {claim.payment for claim in listed[::29]}:
        for route in board.routes:
            claim = ttr.ClaimRoute(0, route, payment)
            assert (claim in offered) == (claim in wanted)


@pytest.mark.rule("C1", "N6")
def test_the_last_open_routes_are_offered_whatever_they_cost() -> None:
    everything = list(claims(arranged("nordic-countries", {"hand": MANY}, {})))
    game = arranged("nordic-countries", {"hand": MANY}, {})
    state, classes = game.state, game.rules.network.class_routes
    rule = game.rules.answers[ttr.Turn].by_action[ttr.ClaimRoute]
    for number, routes in enumerate(classes):
        state.open_seats = [int(route in routes) for route in range(len(state.owner))]
        state.open_by_class[0] = [len(routes) if each == number else 0 for each in range(len(classes))]
        ids = {game.rules.network.route_ids[route] for route in routes}
        assert set(rule.offers(state, ttr.Turn(0))) == {claim for claim in everything if claim.route in ids}


@pytest.mark.rule("C1", "C3")
def test_what_is_among_the_claims_is_what_the_list_holds() -> None:
    """Every route of the board with every payment of some other route."""
    game = arranged("europe", {"hand": {"red": 4, "blue": 2, "locomotive": 2}}, {"routes": ["berlin-wien-green"]})
    offered = claims(game)
    listed = set(offered)
    payments = {claim.payment for claim in listed}
    there = absent = 0
    for route in rules_of("europe").board.routes:
        for payment in payments:
            claim = ttr.ClaimRoute(0, route, payment)
            assert (claim in offered) == (claim in listed)
            assert replace(claim, seat=1) not in offered
            there, absent = there + (claim in listed), absent + (claim not in listed)
    assert there == len(listed) and absent > there
    some = Random(1).choice(sorted(listed, key=repr))
    assert replace(some, route="nowhere") not in offered
    others: tuple[object, ...] = (ttr.DrawBlind(0), "a claim")
    assert all(other not in offered for other in others)
    assert ttr.ClaimRoute(0, some.route, {"red": 40}) not in offered


def asked_after_claims(names: str) -> list[str]:
    """Who is asked, in which order, when several plugins follow a claim and each asks in turn."""
    heard: list[str] = []

    class Nod(ttr.Action):
        pass

    class Hint(ttr.Decision):
        public = True
        name: str
        route: str

    def following(name: str) -> type[Variant]:
        def ask(tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
            assert points == 2 * tx.rules.route_points[route.id]  # however late it is asked
            heard.append(name)
            return Hint(seat, name, route.id)

        return plugin(name, on_claim=ask)

    class NodRule(ActionRule[Hint, Nod]):
        on = Hint
        action = Nod

        def offers(self, state: ttr.State, decision: Hint) -> list[Nod]:
            return [Nod(decision.seat)]

        def refusal(self, state: ttr.State, decision: Hint, action: Nod) -> None:
            return None

        def perform(self, tx: Transaction, decision: Hint, action: Nod) -> None:
            """The game goes on."""

    def twice(state: ttr.State, seat: int, route: ttr.Route, points: Mapping[int, int]) -> Mapping[int, int]:
        return {seat: 2 * points[seat]}

    hints = plugin("hints", actions=lambda rules: [NodRule()], claim_points=twice)
    rules = ttr.compile_rules("europe", hints, *map(following, names))
    game = arranged(rules, {"hand": {"white": 4}}, {}, draw_pile=["red", "blue"])
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    while game.to_act == (0,):
        game.play(Nod(0))
    assert game.to_act == (1,)
    return heard


@pytest.mark.rule("M4")
@pytest.mark.parametrize("names", ["", "a", "ab", "abc"])
def test_what_follows_a_claim_asks_in_turn_and_once(names: str) -> None:
    assert asked_after_claims(names) == list(names)


@pytest.mark.rule("C3", "C5")
def test_copies_of_a_state_keep_open_routes_of_their_own() -> None:
    """Copies share what is open until one of them claims."""
    before = ttr.new_game("europe", players=3, seed=1).state
    opened, counts = before.open, [each.copy() for each in before.open_by_class]
    copies = [before.copy() for _ in range(3)]
    for number in range(60):
        for seed, state in enumerate(copies):
            actions = legal_actions(state, state.to_act[0])
            advance(state, actions[Random(f"{seed} {number}").randrange(len(actions))])
        if number % 20 == 10:
            copies.append(copies[0].copy())
    assert (before.open, before.open_by_class) == (opened, counts)
    assert all(state.open != opened for state in copies)
    for state in copies:
        assert state.open == open_routes(state)
        assert state.open_by_class == [
            [sum(mask >> route & 1 for route in routes) for routes in state.rules.network.class_routes]
            for mask in state.open
        ]


@pytest.mark.rule("C3")
@pytest.mark.parametrize("cars", [3, 5, 7])
def test_routes_that_take_more_cars_than_the_box_has_are_never_counted(cars: int) -> None:
    few = plugin("few", components=lambda below, board: evolve(below(), cars=cars))
    game = ttr.arrange(ttr.compile_rules("europe", few), {"seed": 1, "players": [{"hand": MANY}, {}, {}]})
    offered = game.legal_actions(0)
    assert len(offered) == len(list(offered))
    state = game.state
    for seat in range(3):
        counts = state.open_by_class[seat].copy()
        recount(state, seat)
        assert state.open_by_class[seat] == counts
    for seed in range(5):
        ttr.playout(game.rules, 3, seed=seed)


#: A ferry with two locomotives.
LONDON = "amsterdam-london-gray"
#: A route of four spaces.
LONG = "paris-zurich-gray"


class NextTo(Decision):
    message = "Which short route do you claim as well?"


class ClaimNextTo(ClaimRule[NextTo]):
    def route_refusal(self, state: ttr.State, seat: int, thing: str) -> ttr.Refusal | None:
        return ttr.Refusal("next-to", "too long") if state.rules.board.routes[thing].length > 2 else None


def asked_next(
    rule: type[ClaimRule[NextTo]],
    others: Sequence[type[Variant]],
    hand: Mapping[str, int],
    black: int,
    pile: Sequence[str] = (),
) -> ttr.Game:
    """A game in which a player has claimed a route and answers by a rule of its own where it claims another."""

    def ask(tx: Transaction, seat: int, route: str, points: int) -> Question | None:
        return NextTo(seat) if tx.state.round == 1 and len(tx.state.routes(seat)) == 1 else None

    def rules_for_it(rules: ttr.Rules) -> list[ActionRule[NextTo, ttr.ClaimRoute]]:
        return [rule()]

    rules = ttr.compile_rules("europe", plugin("next-to", on_claim=ask, actions=rules_for_it), *others)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}], "draw_pile": [*pile]})
    game.play(ttr.ClaimRoute(0, "brest-paris-black", {"black": black}))
    assert isinstance(game.decision(0), NextTo)
    return game


@pytest.mark.parametrize("others", [(), ("short",)])
def test_claims_that_a_subclass_refuses_are_not_offered(others: tuple[str, ...]) -> None:
    game = asked_next(ClaimNextTo, [SHORT for _ in others], MANY, 3)
    offered = list(game.legal_actions())
    assert offered and all(game.is_legal(action) for action in offered)
    lengths = {game.rules.board.routes[action.route].length for action in offered if isinstance(action, ttr.ClaimRoute)}
    assert lengths == ({2} if others else {1, 2})
    long, barred = (game.refusal(ttr.ClaimRoute(0, route, {"green": 3})) for route in (LONG, "brest-dieppe-orange"))
    assert long is not None and (long.rule, long.reason) == ("next-to", "too long")
    assert barred is not None and barred.rule == "C1"


def test_a_condition_with_a_key_is_not_asked_again_beside_a_subclass_that_refuses() -> None:
    asked: list[str] = []

    def refuse(state: ttr.State, seat: int, route: ttr.Route) -> None:
        asked.append(route.id)

    keyed = plugin("keyed", claim_refusal=refuse, claim_key=lambda state, seat: 0)
    game = asked_next(ClaimNextTo, [keyed], MANY, 3)
    list(game.legal_actions())
    asked.clear()
    list(game.copy().legal_actions())
    assert not asked


class ClaimByNoSale(ClaimRule[NextTo]):
    def no_sale(self, state: ttr.State, seat: int, thing: str) -> None:
        return None


class ClaimByBought(ClaimRule[NextTo]):
    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        raise NotImplementedError


class ClaimByTariff(ClaimRule[NextTo]):
    def tariff(self, state: ttr.State, seat: int) -> Any:
        raise NotImplementedError


class ClaimByNothing(ClaimRule[NextTo]):
    def route_refusal(self, state: ttr.State, seat: int, thing: str) -> Any:
        return "no"


class ClaimForNothing(ClaimRule[NextTo]):
    def cost(self, state: ttr.State, seat: int, thing: str) -> Any:
        return None


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (ClaimByNoSale, "ClaimByNoSale.no_sale: to refuse some claims, override route_refusal instead"),
        (ClaimByBought, "ClaimByBought.bought: what follows a claim is for the hook on_claim"),
        (ClaimByTariff, "ClaimByTariff.tariff: to change the cost of some claims, override cost instead"),
        (ClaimByNothing, "ClaimByNothing.route_refusal must give a Refusal, or None, not 'no'"),
        (ClaimForNothing, "ClaimForNothing.cost must give a Cost in place of .*, not None"),
    ],
)
def test_a_wrong_method_of_a_subclass_is_named(rule: type[ClaimRule[NextTo]], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        list(asked_next(rule, [], MANY, 3).legal_actions())


class ClaimForAny(ClaimRule[NextTo]):
    def cost(self, state: ttr.State, seat: int, thing: str) -> Cost:
        if thing == "brest-dieppe-orange":
            return Cost("free", 0)  # raised to one space
        return Cost("any", 1 + state.round, any_cards=True) if "london" in thing else super().cost(state, seat, thing)


@pytest.mark.parametrize("others", [(), ("cheaper",)])
def test_a_subclass_changes_the_cost_of_its_claims(others: tuple[str, ...]) -> None:
    game = asked_next(ClaimForAny, [CHEAPER for _ in others], {"black": 3, "red": 2, "blue": 2}, 3 - len(others))
    printed = {
        action.payment
        for action in game.at(0).legal_actions()
        if isinstance(action, ttr.ClaimRoute) and action.route == LONDON
    }
    offered = [action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute)]
    assert offered and all(game.is_legal(action) for action in offered)
    cheapest = {action.payment for action in offered if action.route == LONDON}
    assert not cheapest & printed and ttr.Counts(red=1, blue=1) in cheapest
    assert {action.payment.total for action in offered if action.route == "essen-frankfurt-green"} <= {2 - len(others)}
    assert {action.payment.total for action in offered if action.route == "brest-dieppe-orange"} == {1}
    free = game.refusal(ttr.ClaimRoute(0, "brest-dieppe-orange", {}))
    assert free is not None and free.rule == "C1"
    game.play(ttr.ClaimRoute(0, LONDON, {"red": 1, "blue": 1}))
    assert game.state.owners[LONDON] == 0 and game.to_act == (1,)


class ClaimTunnelForAny(ClaimRule[NextTo]):
    def cost(self, state: ttr.State, seat: int, thing: str) -> Cost:
        return evolve(super().cost(state, seat, thing), color=None, any_cards=True)


def test_what_a_tunnel_costs_extra_by_a_subclass_is_offered() -> None:
    hand = {"black": 3, "red": 2, "blue": 2, "white": 1}
    game = asked_next(ClaimTunnelForAny, [], hand, 3, ["locomotive", "white", "green"])
    assert not action_numbers(game.rules).fixed
    game.play(ttr.ClaimRoute(0, "marseille-zurich-purple", {"red": 1, "blue": 1}))
    due = game.decision(0)
    assert isinstance(due, TunnelDue) and (due.extra.spaces, due.extra.any_cards) == (1, True)
    assert {str(each.payment) for each in game.legal_actions() if isinstance(each, ttr.PayTunnel)} == {
        "1 red",
        "1 blue",
        "1 white",
    }
    game.play(ttr.PayTunnel(0, {"white": 1}))
    assert game.state.owner_of("marseille-zurich-purple") == 0


@pytest.mark.parametrize(
    ("route", "payment"), [("marseille-zurich-purple", "purple"), (LONG, "red"), ("brest-dieppe-orange", "orange")]
)
def test_a_hook_sees_which_decision_a_claim_answers(route: str, payment: str) -> None:
    """In a tunnel that costs extra, the rule that sold it is named."""
    answered: list[tuple[str, str]] = []

    def note(state: ttr.State, seat: int, route: ttr.Route, points: Mapping[int, int]) -> Mapping[int, int]:
        decision = state.decision(seat)
        answered.append((type(decision).__name__, decision.sold_by if isinstance(decision, TunnelDue) else ""))
        return points

    hand = {"black": 3, "red": 4, "purple": 3, "orange": 2}
    game = asked_next(ClaimAnywhere, [plugin("noting", claim_points=note)], hand, 3, [payment, "white", "green"])
    length = game.rules.board.routes[route].length
    game.play(ttr.ClaimRoute(0, route, {payment: length}))
    is_tunnel = game.rules.board.routes[route].tunnel
    if is_tunnel:
        game.play(ttr.PayTunnel(0, {payment: 1}))
    expected = ("TunnelDue", "ClaimAnywhere") if is_tunnel else ("NextTo", "")
    assert answered == [("Turn", ""), expected] and game.state.owner_of(route) == 0
    assert ttr.loads(ttr.dumps(game), rules=game.rules, verify=True) == game


class ClaimAnywhere(ClaimRule[NextTo]):
    pass


def test_two_rules_for_claims_do_not_read_the_counts_of_each_other() -> None:
    """A state has one count for each seat; here the costs of one rule are all of another kind."""

    class ClaimForTwo(ClaimRule[NextTo]):
        def cost(self, state: ttr.State, seat: int, thing: str) -> Cost:
            return evolve(super().cost(state, seat, thing), kind="double")

    game = asked_next(ClaimForTwo, [FAR_BY_MASK, CHEAPER], {"black": 3, "red": 2, "white": 4}, 2)
    state, rules = game.state, game.rules
    ours = [rules.answers[kind].by_action[ttr.ClaimRoute] for kind in (NextTo, ttr.Turn)]
    for _ in range(3):
        for rule in ours:
            assert isinstance(rule, ClaimRule) and rule.tariff(state, 0).prices
            assert rule.stock(state, 0) == rule.stock(state.copy(), 0)
            assert sum(rule.stock(state, 0)) == len(rule.on_sale(state, 0)) > 0
    counts = [rule.stock(state, 0) for rule in ours if isinstance(rule, ClaimRule)]
    assert counts[0] != counts[1]


def test_no_event_claims_a_route_that_is_owned() -> None:
    game = arranged("europe", {"routes": [["Paris", "Zürich"]]}, {})
    with pytest.raises(PluginError, match="claims paris-zurich-gray for seat 1: seat 0 owns it"):
        Transaction(game.state).emit(RouteClaimed, 1, "paris-zurich-gray", 4)


def far_from_home(state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
    """A condition that changes with every claim of a seat, and with its cars."""
    held = state.routes(seat)
    near = not held or any(state.reaches(seat, city) for city in route.cities)
    if near and (route.length < 4 or state.cars[seat] < 40):
        return None
    return ttr.Refusal("far", f"{route.id} is too far", lasting=False)


def far_routes(state: ttr.State, seat: int) -> int:
    """The mask of the routes that this condition closes."""
    closed = state.routes_apart(seat)
    if state.cars[seat] >= 40:
        closed |= sum(1 << n for n, length in enumerate(state.rules.network.lengths) if length >= 4)
    return closed


FAR = plugin("far", claim_refusal=far_from_home)
FAR_BY_MASK = plugin("far", claim_refusal=far_from_home, closed_routes=far_routes)
FAR_BY_TUPLE = plugin(
    "far", claim_refusal=far_from_home, closed_routes=lambda state, seat: tuple(numbers(far_routes(state, seat)))
)
FAR_BY_KEY = plugin(
    "far", claim_refusal=far_from_home, claim_key=lambda state, seat: (*state.routes(seat), state.cars[seat] < 40)
)
SHORT = plugin(
    "short",
    claim_refusal=lambda state, seat, route: ttr.Refusal("short", "too short") if route.length == 1 + seat else None,
    claim_key=lambda state, seat: state.round % 2,
)
CHEAPER = plugin(
    "cheaper",
    claim_cost=lambda state, seat, route, cost: evolve(cost, spaces=max(1, cost.spaces - state.round % 2)),
    claim_key=lambda state, seat: state.round % 2,
)


@pytest.mark.slow
@pytest.mark.thorough_but("key-both", "tuple-alone", "mask-cheaper", "mask-both")
@pytest.mark.parametrize(
    "others", [(), (SHORT,), (CHEAPER,), (SHORT, CHEAPER)], ids=["alone", "short", "cheaper", "both"]
)
@pytest.mark.parametrize("way", [FAR_BY_MASK, FAR_BY_TUPLE, FAR_BY_KEY], ids=["mask", "tuple", "key"])
def test_a_condition_closes_the_same_routes_however_it_is_told(way: Variant, others: tuple[Variant, ...]) -> None:
    games = [ttr.new_game("europe", each, *others, players=3, seed=7) for each in (FAR, way)]
    random = Random(7)
    while not games[0].is_over:
        seat = games[0].to_act[0]
        slow, quick = (game.legal_actions(seat) for game in games)
        assert len(slow) == len(quick)
        chosen = random.randrange(len(slow))
        assert slow[chosen] == quick[chosen]
        if len(games[0].moves) % 10 == 0:
            assert list(slow) == list(quick)
            assert games[0].view(seat).barred == games[1].view(seat).barred
        for game, actions in zip(games, (slow, quick), strict=True):
            game.play(actions[chosen])
    assert [ttr.playout(game.rules, 3, seed=1) for game in games].count(ttr.playout(games[0].rules, 3, seed=1)) == 2


def test_claims_by_others_are_subtracted_once_beside_a_condition_that_closes_nothing_that_is_open() -> None:
    closing = plugin(
        "closing",
        claim_refusal=lambda state, seat, route: None,
        closed_routes=lambda state, seat: (state.rules.network.route_number["paris-zurich-gray"],),
    )
    ada = {"name": "Ada", "routes": [["Paris", "Zürich"]], "hand": {"white": 4, "red": 4, "locomotive": 2}}
    players = [ada, {"name": "Bo", "hand": {"white": 6}}]
    game = ttr.arrange(ttr.compile_rules("europe", closing), {"seed": 1, "players": players})
    for route in ("frankfurt-paris-white", "madrid-pamplona-white"):
        for action in (ttr.DrawBlind(0), ttr.DrawBlind(0), ttr.ClaimRoute(1, route, {"white": 3})):
            game.play(action)
        assert game.legal_actions(0)
    assert len(game.legal_actions(0)) == len(list(legal_actions(game.state, 0)))


def test_a_freed_route_is_counted_again_beside_a_condition() -> None:
    """Freed, it may be claimed where the seat's own routes lead, and no longer counts as one of these."""
    hands: list[Mapping[str, object]] = [
        {"hand": {"yellow": 4, "green": 6}, "routes": [["Paris", "Zürich"]]},
        {"routes": [["Frankfurt", "München"], ["München", "Zürich"]]},
    ]
    state = arranged(ttr.compile_rules("europe", FAR_BY_MASK), *hands).state
    answers = state.rules.answers[ttr.Turn]
    for freed in ("frankfurt-munchen-purple", "munchen-zurich-yellow", "paris-zurich-gray"):
        before = sum(answers.counts(state, 0))
        Transaction(state).free_route(freed)
        assert answers.counts(state, 0) == answers.counts(state.copy(), 0)
        assert (sum(answers.counts(state, 0)) == before) == (freed == "frankfurt-munchen-purple")
    assert state.routes_apart(0) == 0
