"""What bots of one's own are given: the cheapest claims, and plans for tickets."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Mapping, Sequence

import pytest
from attrs import evolve
from helpers import arranged, rules_of
from plugins.coins import CoinsPlugin

import ttr_rules as ttr
from ttr_rules import Board, Counts, State
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Cost
from ttr_rules.play import ticket_progress
from ttr_rules.plugins import Below, Economy, EconomyLayer, Variant, hookimpl
from ttr_rules.scores import completed
from ttr_rules.train_cards import Lot, Reading, TrainCards
from ttr_tools.bots import Bot, TicketPlan, cheapest_claims, plan_path, plan_tickets, play_game, shortage
from ttr_tools.bots.evaluation import Evaluation, Plan, evaluate
from ttr_tools.bots.links import CLOSED, RouteWeights, TicketGoal
from ttr_tools.bots.planner import card_worths

STATION = 48  #: What a station of Europe costs a bot, in tenths of a turn.


@pytest.mark.parametrize("stack", ["europe", "nordic-countries", "pennsylvania"])
def test_the_cheapest_claims_are_those_of_the_offer(stack: str) -> None:
    hand = {"red": 3, "blue": 2, "locomotive": 3}
    game = arranged(stack, {"hand": hand}, {})
    claims = cheapest_claims(game.legal_actions(0), game.rules)
    offered = next(kind for kind in game.offer(0).kinds if kind.type == "core.ClaimRoute")
    rank = game.rules.economy.payment_rank
    for purchase in offered.purchases:
        assert isinstance(purchase.cheapest, ttr.ClaimRoute)
        mine = claims.pop(purchase.cheapest.route)
        assert game.is_legal(mine) and rank(mine.payment) == rank(purchase.cheapest.payment)
    assert not claims


@pytest.mark.slow
@pytest.mark.parametrize("stack", ["europe", "north-america", "switzerland"])
def test_who_claims_what_is_planned_completes_the_tickets(stack: str) -> None:
    rules = rules_of(stack)
    planned = 0
    for seed in range(4):
        game = ttr.new_game(rules=rules, players=2, seed=seed)
        while game.played < 60:
            seat = game.to_act[0]
            game.play(Bot(seed).choose(game.view(seat), rules, game.legal_actions(seat)))
        state, view = game.state, game.view(0)
        plan = plan_tickets(view, rules)
        open_tickets = {
            each.ticket for each in ticket_progress(state, 0) if not each.completed and each.spaces is not None
        }
        assert set(plan.tickets) == open_tickets
        chosen = [min(link, key=lambda route: rules.route_cars[route]) for link in plan.links]
        assert plan.spaces == sum(rules.route_cars[route] for route in chosen)
        if plan.borrows or plan.spaces > view.cars[0]:
            continue
        mine = [id for id, owner in view.owners.items() if owner == 0]
        after = arranged(rules, {"routes": [*mine, *chosen], "tickets": list(plan.tickets)}, {})
        assert all(each.completed for each in ticket_progress(after.state, 0))
        planned += bool(plan.tickets)
    assert planned


def test_plans_for_several_paths_of_a_view_are_plans_of_their_own() -> None:
    game = ttr.new_game("north-america", players=2, seed=1)
    view = game.view(0)
    for end in ("new_orleans", "raleigh", "new_york"):
        assert plan_path(view, game.rules, "miami", end) == plan_path(game.view(0), game.rules, "miami", end)


def test_a_plan_is_made_once_for_each_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints ask for it about every action."""
    game = ttr.new_game("europe", players=2, seed=1)
    view, (first, second) = game.view(0), [*game.rules.tickets][:2]
    made: list[object] = []
    real = Evaluation.plan_for

    def plan_for(self: Evaluation, goals: Sequence[TicketGoal]) -> Plan:
        made.append(goals)
        return real(self, goals)

    monkeypatch.setattr(Evaluation, "plan_for", plan_for)
    plan = plan_tickets(view, game.rules, [first])
    assert plan is plan_tickets(view, game.rules, [first]) and len(made) == 1
    others = [
        plan_tickets(view, game.rules, [second]),
        plan_tickets(view, game.rules, [first], per_point=3),
        plan_tickets(game.view(0), game.rules, [first]),
    ]
    assert len(made) == 4 and others[2] == plan and pickle.loads(pickle.dumps(view)) == view


@pytest.mark.parametrize("stack", ["switzerland", "india", "nordic-countries"])
def test_complete_tickets_of_a_view_are_those_of_the_state(stack: str) -> None:
    """Also countries, and tickets of several places."""
    rules, found = rules_of(stack), 0
    for seed in range(1):
        game = ttr.new_game(rules=rules, players=2, seed=seed)
        play_game(game)
        for seat in (0, 1):
            plan = plan_tickets(game.view(seat), rules, [*rules.tickets])
            assert plan.complete == completed(game.state, seat, [*rules.tickets])
            assert not {*plan.complete} & {*plan.tickets}
            found += len(plan.complete)
    assert found


def test_what_is_no_view_or_state_is_refused_in_words() -> None:
    game = arranged("europe", {}, {})
    view, state, rules = game.view(0), game.state, game.rules
    wrong: list[Callable[..., object]] = [plan_tickets, lambda it, rules: plan_path(it, rules, "paris", "wien")]
    wrong.append(lambda it, rules: shortage(it, rules, Cost("single", 1)))
    for plan in wrong:
        for given in (state, game, game.view(None), "paris-wien"):
            with pytest.raises(InvalidInputError, match=r"expected the view of a seat, as game\.view\(0\), not"):
                plan(given, rules)
    ask: Callable[..., object] = completed
    with pytest.raises((InvalidInputError, TypeError), match="(?i)state.* (not|got) .*view"):
        ask(view, 0)


def test_a_plan_goes_around_what_others_hold_and_over_what_is_owned() -> None:
    straight = arranged("north-america", {"routes": ["atlanta-nashville-gray"]}, {})
    plan = plan_path(straight.view(0), straight.rules, "atlanta", "saint_louis")
    assert (
        plan is not None and plan.links == (("nashville-saint_louis-gray",),) and (plan.spaces, plan.missing) == (2, 2)
    )
    done = plan_path(straight.view(0), straight.rules, "nashville", "atlanta")
    assert done is not None and (done.links, done.spaces, done.turns) == ((), 0, 0)
    taken = arranged(
        "north-america", {"routes": ["atlanta-nashville-gray"]}, {"routes": ["nashville-saint_louis-gray"]}
    )
    around = plan_path(taken.view(0), taken.rules, "atlanta", "saint_louis")
    assert around is not None and len(around.links) > 1 and "nashville-saint_louis-gray" not in around.routes
    few = arranged("north-america", {"cars": 3}, {})
    assert plan_path(few.view(0), few.rules, "miami", "new_orleans") is None


def test_points_are_worth_a_detour() -> None:
    game = arranged("north-america", {}, {})
    short, long = (plan_path(game.view(0), game.rules, "seattle", "new_york", per_point=each) for each in (0, 3))
    assert short is not None and long is not None
    board, points = game.rules.board.routes, game.rules.board.points

    def scored(plan: TicketPlan) -> int:
        return sum(points[board[link[0]].length] for link in plan.links)

    assert short.spaces < long.spaces and scored(short) < scored(long)


def test_what_cannot_be_planned_is_told() -> None:
    game = arranged("north-america", {}, {})
    with pytest.raises(ttr.InvalidInputError, match="expected the view of a seat"):
        plan_tickets(game.view(None), game.rules)
    with pytest.raises(ttr.InvalidInputError, match="'brest-marseille' is not a ticket of north-america"):
        plan_tickets(game.view(0), game.rules, ["brest-marseille"])
    with pytest.raises(ttr.InvalidInputError, match="'paris' is not a city of the board North America"):
        plan_path(game.view(0), game.rules, "paris", "brest")


def weight(game: ttr.Game, route: str) -> int:
    """What the link of a route weighs for the first seat."""
    evaluation = evaluate(game.view(0), game.rules)
    return evaluation.weights[evaluation.links.link_of[game.rules.network.route_number[route]]]


def test_a_link_weighs_what_its_cheapest_open_route_does() -> None:
    cheap, dear = "helsinki-stockholm-yellow", "helsinki-stockholm-gray"
    both = arranged("nordic-countries", {}, {}, {})
    one = arranged("nordic-countries", {}, {"routes": [cheap]}, {})
    weights = both.rules.derived(RouteWeights())
    assert weights[cheap] < weights[dear]
    assert (weight(both, dear), weight(one, dear)) == (weights[cheap], weights[dear])


@pytest.mark.parametrize(
    ("mine", "others", "weighs"),
    [
        ({}, {}, STATION),
        ({"stations": ["Paris"]}, {}, 1),
        ({"stations": ["Kyiv", "Roma", "Wien"]}, {}, CLOSED),
        ({"stations": ["Kyiv"]}, {"stations": ["Paris"]}, STATION),
        ({"stations": ["Kyiv"]}, {"stations": ["Paris", "Zürich"]}, CLOSED),
    ],
    ids=["any station", "own station", "none left", "one city left", "no city left"],
)
def test_a_link_of_others_weighs_what_borrowing_it_takes(
    mine: dict[str, list[str]], others: dict[str, list[str]], weighs: int
) -> None:
    game = arranged("europe", mine, {"routes": ["paris-zurich-gray"], **others})
    assert weight(game, "paris-zurich-gray") == weighs


class ExchangeCards(TrainCards):
    """Three cards of one other color stand for a card of the route's; locomotives stand in as always."""

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        return [
            Reading(
                Lot({color: 1}, cost.spaces - times),
                Lot({other: 1 for other in self.colors if other != color}, 3 * times, alike=3),
                wilds=cost.spaces - times,
                needs_wilds=cost.wilds,
            )
            for times in range(cost.spaces - cost.wilds + 1)
            for color in self.colors_for(cost)
        ]


class Exchange(Variant, name="exchange"):
    """Exchange: three cards of one color stand for one of the route's."""

    @hookimpl
    def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
        return ExchangeCards()


@pytest.mark.parametrize(
    ("hand", "missing"),
    [
        ({"red": 2, "blue": 3}, 0),
        ({"red": 2, "blue": 2, "green": 2, "white": 2}, 1),
        ({"red": 1, "blue": 5}, 1),
        ({"blue": 6, "green": 3}, 0),
        ({"blue": 3, "locomotive": 1}, 1),
    ],
)
def test_plans_count_cards_that_stand_for_those_of_the_route(hand: dict[str, int], missing: int) -> None:
    game = arranged(ttr.compile_rules("north-america", Exchange), {"hand": hand}, {})
    plan = plan_path(game.view(0), game.rules, "chicago", "duluth")  # three red cards
    assert plan is not None and plan.missing == missing
    claims = cheapest_claims(game.legal_actions(0), game.rules)
    assert ("chicago-duluth-red" in claims) == (missing == 0)


def test_cards_that_stand_in_serve_one_route_of_a_plan_and_are_worth_drawing() -> None:
    hand = {"red": 2, "blue": 2, "purple": 3, "green": 1}
    game = arranged(ttr.compile_rules("north-america", Exchange), {"hand": hand}, {})
    evaluation = evaluate(game.view(0), game.rules)
    number = game.rules.network.route_number
    red, purple = (evaluation.links.link_of[number[id]] for id in ("chicago-duluth-red", "charleston-miami-purple"))
    assert [evaluation.shortages.count(hand, claims) for claims in ([red], [purple], [red, purple])] == [0, 1, 2]
    worth = card_worths(evaluation, Plan(frozenset([red, purple])))
    assert worth["red"] == worth["blue"] > worth["green"] == 0


OWN_ECONOMIES = (
    "europe",
    "europe dice",
    "nordic-countries",
    "switzerland",
    "marklin germany-tickets",
    "united-kingdom",
)


@pytest.mark.slow_cases("switzerland", "united-kingdom", "nordic-countries")
@pytest.mark.parametrize("stack", [*OWN_ECONOMIES, "coins"])
def test_nothing_is_short_exactly_if_the_economy_has_a_payment(stack: str) -> None:
    rules = ttr.compile_rules("europe", CoinsPlugin) if stack == "coins" else ttr.compile_rules(*stack.split())
    game, bot, costs = (
        ttr.new_game(rules=rules, players=2, seed=3),
        Bot(3),
        {*map(Cost.of_route, rules.board.routes.values())},
    )
    short = 0
    while game.played < 40:
        seat = game.to_act[0]
        game.play(bot.choose(game.view(seat), rules, game.legal_actions(seat)))
        if game.played % 8 == 0:
            view = game.view(seat)
            for cost in costs:
                paid = any(True for _ in rules.economy.payments(game.state, seat, cost))
                assert (shortage(view, rules, cost) == 0) == paid
                short += not paid
    assert short


@pytest.mark.parametrize(
    ("cost", "missing"),
    [
        (Cost("single", 4, "red", wilds=1), 1),
        (Cost("single", 2, wilds=2), 2),
        (Cost("single", 6, "red"), 3),
        (Cost("single", 3, "blue"), 3),
        (Cost("single", 2, only_wilds=True), 2),
    ],
)
def test_what_is_short_is_counted_in_spaces(cost: Cost, missing: int) -> None:
    game = arranged("europe", {"hand": {"red": 3}}, {})
    assert shortage(game.view(0), game.rules, cost) == missing
    with pytest.raises(ttr.InvalidInputError):
        shortage(game.view(None), game.rules, cost)


class Coins(Variant, name="coins"):
    """Everybody has one coin; a space of a double route takes one besides the cards."""

    class Layer(EconomyLayer):
        pieces = ("coin",)

        def held(self, state: State, seat: int) -> Mapping[str, int]:
            return {"coin": 1}

        def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, Counts]]:
            return [(cost, Counts(coin=cost.spaces) if cost.kind == "double" else Counts())]

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return self.Layer(below())


def test_a_shortage_of_pieces_alone_is_told_from_one_of_cards() -> None:
    rules = ttr.compile_rules("europe", Coins)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    cost, view = Cost("double", 3, "red"), game.view(0)
    assert [shortage(view, rules, cost, pieces={"coin": count}) for count in range(3)] == [2, 1, 0]
    assert shortage(view, rules, evolve(cost, color="blue"), pieces={"coin": 36}) == 3
    for pieces in ({"shell": 1}, {"coin": -1}):
        with pytest.raises(InvalidInputError):
            shortage(view, rules, cost, pieces=pieces)
