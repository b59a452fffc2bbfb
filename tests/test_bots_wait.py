"""Bots plan through routes that they may not claim yet, and take those for lost that they may never claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from helpers import all_but, arranged

import ttr_rules as ttr
from ttr_rules import Action, Turn
from ttr_rules.hints import ActionValue
from ttr_rules.kernel.views import barred
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Bonus,
    Part,
    Rules,
    Transaction,
    Variant,
    hookimpl,
    option,
    public,
    tryfirst,
)
from ttr_tools.bots import Bot, play_game
from ttr_tools.bots.evaluation import Plan, evaluate, plan_path, plan_tickets
from ttr_tools.bots.planner import route_for_points
from ttr_tools.testing import VariantError, check_variant, conformance_suite
from ttr_variants.united_kingdom import Technologies


class OneNetwork(Variant, name="one-network"):
    """One network: after their first route, players may claim only what touches a route of theirs."""

    lasting: bool = option(False, True)

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
        routes, ids = state.rules.board.routes, state.rules.network.route_ids
        reached = {city for own in state.routes_of(seat) for city in routes[ids[own]].cities}
        if not reached or reached.intersection(route.cities):
            return None
        return ttr.Refusal("one-network", f"{route.id} touches no route of seat {seat}", self.lasting)


class NoTunnels(Variant, name="no-tunnels"):
    """No tunnels: tunnels are closed, for now or for ever."""

    lasting: bool = option(False, True)

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
        return ttr.Refusal("X1", "no tunnels", self.lasting) if route.tunnel else None


class Permits(Part):
    """Who has a permit."""

    holders: list[int] = public(label="Permits", seats=True)


class TakePermit(ttr.Action):
    """Take a permit instead of doing anything else."""


class PermitTaken(ttr.Event):
    """A seat took a permit."""

    seat: int

    def apply(self, state: ttr.State) -> None:
        state.part(Permits).holders.append(self.seat)


class TakePermitRule(ActionRule[ttr.Turn, TakePermit]):
    on, action = ttr.Turn, TakePermit

    def refusal(self, state: ttr.State, decision: ttr.Turn, action: TakePermit) -> ttr.Refusal | None:
        return ttr.Refusal("X2", "one is enough") if action.seat in state.part(Permits).holders else None

    def perform(self, tx: Transaction, decision: ttr.Turn, action: TakePermit) -> None:
        tx.emit(PermitTaken, action.seat)


class NoWayWithoutPermit(Variant, name="permits"):
    """Permits: every claim takes a permit, and no hint tells bots so."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Permits,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (TakePermitRule(),)

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
        return None if seat in state.part(Permits).holders else ttr.Refusal("X2", "no permit")


def one_network(board: str, **mine: object) -> ttr.Game:
    """A position on a board where every claim must touch a route of the same player."""
    return arranged(ttr.compile_rules(board, OneNetwork), mine, {})


# -- what a view says --------------------------------------------------------------------------------------------


def test_a_refusal_lasts_unless_it_says_otherwise() -> None:
    assert ttr.Refusal("C5", "so").lasting
    assert not ttr.Refusal("C5", "so", lasting=False).lasting


@pytest.mark.parametrize("lasting", [False, True])
def test_a_view_says_of_each_barred_route_whether_that_lasts(lasting: bool) -> None:
    rules = ttr.compile_rules("north-america", OneNetwork(lasting=lasting))
    game = arranged(rules, {"routes": ["denver-santa_fe-gray"]}, {})
    view = game.view(0)
    assert "boston-montreal-gray-1" in view.barred and "phoenix-santa_fe-gray" not in view.barred
    assert set(view.barred.values()) == {lasting}
    assert game.view(1).barred == game.view(None).barred == {}
    assert ttr.view_from_json(rules, ttr.to_json(rules, view)) == view


def test_what_one_plugin_closes_for_ever_stays_closed_though_another_closes_it_for_now() -> None:
    for plugins in ([OneNetwork, NoTunnels(lasting=True)], [NoTunnels(lasting=True), OneNetwork]):
        rules = ttr.compile_rules("europe", *plugins)
        view = arranged(rules, {"routes": ["dieppe-paris-purple"]}, {}).view(0)
        routes = rules.board.routes
        assert {id for id, lasting in view.barred.items() if lasting} == {id for id in routes if routes[id].tunnel}
        assert not view.barred["berlin-warszawa-purple"]


@pytest.mark.rule("U10")
def test_a_route_is_lost_once_a_technology_that_it_needs_is_sold_out() -> None:
    state = arranged("united-kingdom", {}, {}).state
    assert barred(state, 0)["edinburgh-newcastle-green"] is False
    state.part(Technologies).left["mechanical_stoker"] = 0
    lasting = barred(state, 0)
    assert lasting["edinburgh-newcastle-green"] and not lasting["edinburgh-glasgow-black"]


# -- plans -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lasting", [False, True])
def test_a_plan_leads_through_what_is_closed_for_now_alone(lasting: bool) -> None:
    game = arranged(ttr.compile_rules("europe", NoTunnels(lasting=lasting)), {}, {})
    plan = plan_path(game.view(0), game.rules, "zurich", "venezia")
    assert (plan is None) == lasting


def test_where_claims_must_touch_own_routes_a_plan_extends_them() -> None:
    game = one_network("north-america", routes=["denver-santa_fe-gray"], tickets=["chicago-new_orleans"])
    plan = plan_tickets(game.view(0), game.rules)
    reached, left = {"denver", "santa_fe"}, set(plan.links)
    while more := {link for link in left if reached.intersection(game.rules.board.routes[link[0]].cities)}:
        left -= more
        reached.update(city for link in more for city in game.rules.board.routes[link[0]].cities)
    assert not left and {"chicago", "new_orleans"} <= reached
    free = arranged("north-america", {"routes": ["denver-santa_fe-gray"], "tickets": ["chicago-new_orleans"]}, {})
    assert plan_tickets(free.view(0), free.rules).spaces < plan.spaces


def test_a_plan_from_before_the_first_claim_is_joined_to_it() -> None:
    before = one_network("north-america", tickets=["chicago-new_orleans"])
    after = one_network("north-america", tickets=["chicago-new_orleans"], routes=["calgary-vancouver-gray"])
    plan = evaluate(before.view(0), before.rules).plan(Plan())
    evaluation = evaluate(after.view(0), after.rules)
    assert evaluation.extends and plan.claims
    assert plan.claims < evaluation.plan(Plan(plan.claims, serving=evaluation.owned, tickets=plan.tickets)).claims


def test_for_points_a_bot_takes_what_it_may_claim_now() -> None:
    game = one_network("north-america", routes=["atlanta-nashville-gray"], hand={"red": 6, "blue": 2})
    evaluation = evaluate(game.view(0), game.rules)
    (link,) = route_for_points(evaluation).claims
    assert link not in evaluation.waiting
    closed = arranged(ttr.compile_rules("europe", NoTunnels()), {}, {})
    evaluation = evaluate(closed.view(0), closed.rules)
    assert evaluation.waiting and not evaluation.extends


def test_a_ticket_that_takes_too_many_cars_costs_no_other_ticket() -> None:
    tickets = ["los_angeles-new_york", "dallas-new_york"]
    game = arranged("north-america", {"tickets": tickets, "cars": 12}, {})
    evaluation = evaluate(game.view(0), game.rules)
    assert [goal.ticket for goal in evaluation.plan(Plan()).ticket_goals] == ["dallas-new_york"]


# -- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("europe")
@pytest.mark.parametrize("board", ["north-america", "europe"])
def test_where_claims_must_touch_own_routes_bots_play_as_well_as_elsewhere(board: str) -> None:
    totals: list[int] = []
    for seed in range(4):
        game = ttr.new_game(board, OneNetwork, players=2, seed=seed)
        play_game(game)
        assert game.final_scores is not None
        totals += [player.total for player in game.final_scores.players]
        assert all(len(held) <= 9 for held in game.state.tickets)
    assert sum(totals) / len(totals) > 90


# -- what the kit says -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_kit_finds_bots_that_a_variant_leaves_helpless() -> None:
    message = r"\[planner\] in 4 games the planner scores -?\d+ points.* lasting=False; or skip the property 'planner'"
    with pytest.raises(VariantError, match=message) as caught:
        check_variant("north-america", NoWayWithoutPermit, players=2, games=1, skip=all_but("planner"))
    (problem,) = caught.value.problems
    assert (problem.players, problem.seed) == (2, 1)


@pytest.mark.slow
def test_the_kit_and_its_suite_find_no_more_bots_helpless_than_there_are() -> None:
    with pytest.raises(VariantError, match=r"\[planner\]"):
        conformance_suite("north-america", NoWayWithoutPermit, players=2)().test_planner()
    report = check_variant("north-america", OneNetwork, players=2, games=1, skip=all_but("planner"))
    assert report.checks == ("planner",)


class ShortRoutesOnly(Variant, name="short-routes-only"):
    """Short routes only: nobody ever completes a ticket, and all end far below zero."""

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
        return ttr.Refusal("X3", "one space only") if route.length > 1 else None


@pytest.mark.slow
def test_hints_are_not_to_blame_for_points_below_zero_that_stay_the_same_without_them() -> None:
    with pytest.raises(
        VariantError,
        match=r"in 4 games the planner scores -\d+ points, and a player who acts at random in its place -\d+:",
    ):
        check_variant("europe", ShortRoutesOnly, players=2, games=1, skip=all_but("planner"))


class Team(Variant, name="team"):
    """Team: everybody also scores what the others score."""

    @tryfirst
    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: ttr.Board) -> tuple[Bonus, ...]:
        return (*below(), Bonus("team", awards=self.points_of_others))

    def points_of_others(self, state: ttr.State, players: Sequence[ttr.PlayerScore]) -> dict[int, int]:
        return {player.seat: sum(other.total for other in players if other is not player) for player in players}


@pytest.mark.slow
def test_the_kit_takes_no_bot_for_helpless_because_others_share_its_points() -> None:
    report = check_variant("north-america", Team, players=2, games=1, skip=all_but("planner"))
    assert report.checks == ("planner",)


class Stop(Action):
    pass


class StopRule(ActionRule[Turn, Stop]):
    def offers(self, state: ttr.State, decision: Turn) -> Sequence[Stop]:
        return (Stop(decision.seat),)

    def perform(self, tx: Transaction, decision: Turn, action: Stop) -> None:
        tx.begin_last_round("{seat} has had enough", turns=0)


class StopVariant(Variant, name="stop"):
    """Stop: whoever has a turn may end the game, and who plays at random soon does."""

    worth: float = option(-10.0)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[StopRule]:
        return (StopRule(),)

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[ActionValue]:
        return (ActionValue(Stop, lambda view, rules, action: self.worth),)


@pytest.mark.slow
def test_hints_are_not_to_blame_for_others_who_end_the_game_at_random() -> None:
    report = check_variant("north-america", StopVariant, players=2, games=1, skip=all_but("planner"))
    assert report.checks == ("planner",)
    with pytest.raises(VariantError, match=r"\[planner\] in 4 games"):
        check_variant("north-america", StopVariant(worth=10.0), players=2, games=1, skip=all_but("planner"))


def test_the_author_may_declare_that_bots_cannot_play_it() -> None:
    suite = conformance_suite("north-america", NoWayWithoutPermit, players=2, skip=["planner"])
    assert not hasattr(suite, "test_planner") and hasattr(suite, "test_bots")
    report = check_variant(
        "north-america", NoWayWithoutPermit, players=2, games=1, skip=[*all_but("planner"), "planner"]
    )
    assert report.skipped[-1] == "planner" and "not checked: planner" in str(report)


class Siege(Variant, name="siege"):
    """Siege: no route at Berlin may be claimed for now, and nobody knows until when."""

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
        return ttr.Refusal("X1", "Berlin is besieged", lasting=False) if "berlin" in route.cities else None


@pytest.mark.parametrize(("whites", "expected"), [(4, ttr.DrawBlind | ttr.DrawFaceUp), (9, ttr.ClaimRoute)])
def test_bots_do_not_wait_for_ever_for_what_is_closed_for_now(whites: int, expected: Any) -> None:
    rules = ttr.compile_rules("europe", Siege)
    routes = [["roma", "venezia"], ["venezia", "munchen"], ["munchen", "frankfurt"]]
    ada = {"routes": routes, "tickets": [["berlin", "roma"]], "hand": {"white": whites}}
    game = ttr.arrange(rules, {"seed": 1, "players": [ada, {"tickets": []}]})
    assert isinstance(Bot(0).choose(game.view(0), rules, game.legal_actions(0)), expected)
