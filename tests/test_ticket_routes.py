"""The hook `ticket_routes`: routes of others that serve for tickets, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.errors import PluginError
from ttr_rules.hints import BotHint, TicketRoutes
from ttr_rules.play import ticket_progress
from ttr_rules.plugins import Rules, Variant, hookimpl
from ttr_rules.scores import Loan, completed
from ttr_tools.bots import Bot, plan_path, plan_tickets
from ttr_tools.testing import check_variant


class Alliance(Variant, name="alliance"):
    """Alliance: for tickets, everybody uses the routes of the next player."""

    @hookimpl
    def ticket_routes(self, state: ttr.State | ttr.View, seat: int) -> Iterable[str]:
        players = state.players if isinstance(state, ttr.State) else len(state.players)
        return state.routes((seat + 1) % players)

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (TicketRoutes.of_hook(self.ticket_routes),)


ADA = {"name": "Ada", "routes": ["Paris-Dieppe"], "tickets": ["Brest-Marseille"]}
BO = {"name": "Bo", "routes": ["Brest-Dieppe", "Paris-Marseille"], "tickets": ["Brest-Marseille"]}
RULES = ttr.compile_rules("europe", Alliance)


@pytest.mark.rule("P2", "P3")
def test_tickets_are_completed_over_them_and_paths_are_not_longer() -> None:
    ada, bo = ttr.score(RULES, {"players": [ADA, {**BO, "tickets": []}]}).players
    assert (ada.completed_tickets, ada.ticket_points, ada.path_length) == (1, 7, 1)
    assert bo.path_length == 4 and bo.bonuses == {"longest_path": 10}
    alone = ttr.score(None, {"stack": ["europe"], "players": [ADA, {**BO, "tickets": []}]}).players[0]
    assert (alone.completed_tickets, alone.ticket_points) == (0, -7)


def test_progress_counts_them() -> None:
    position = {"seed": 1, "players": [{**ADA, "tickets": ["Brest-Marseille"]}, {"routes": ["Brest-Dieppe"]}]}
    progress = ticket_progress(ttr.arrange(RULES, position).state, 0)[0]
    assert (progress.spaces, progress.missing) == (4, ("marseille-paris-gray",))


def test_tickets_that_they_complete_are_completed() -> None:
    game = ttr.arrange(RULES, {"seed": 1, "players": [ADA, {**BO, "tickets": []}]})
    assert completed(game.state, 0) == ("brest-marseille",)
    assert ticket_progress(game.state, 0)[0].completed


@pytest.mark.rule("P2")
def test_the_routes_that_complete_a_ticket_are_found_by_leaving_some_out() -> None:
    state = ttr.arrange(RULES, {"seed": 1, "players": [ADA, {**BO, "tickets": []}]}).state
    own, others = state.routes(0), state.routes(1)
    assert completed(state, 0, routes=[*own, *others]) == ("brest-marseille",)
    assert completed(state, 0, routes=own) == completed(state, 0, routes=others) == completed(state, 0, routes=[]) == ()
    for wrong, named in (([*own, "paris-roma"], "'paris-roma'"), (own[0], f"'{own[0]}'")):
        for seat in (0, 1):  # with and without a ticket
            with pytest.raises(
                ttr.InvalidInputError, match=f"routes are ids of routes on the board Europe, not {named}"
            ):
                completed(state, seat, routes=wrong)


@pytest.mark.rule("C5")
def test_the_other_half_of_a_double_stays_open() -> None:
    players = [{"hand": {"white": 3}}, {"routes": [["Frankfurt", "Paris", "orange"]]}, {}, {}]
    game = ttr.arrange(RULES, {"seed": 1, "players": players})
    assert game.is_legal(ttr.ClaimRoute(0, "frankfurt-paris-white", ttr.Counts(white=3)))


def test_loans_are_found_besides() -> None:
    def loans(state: ttr.State, seat: int) -> Iterable[Loan]:
        return (Loan("paris", ("marseille-paris-gray",)),) if seat == 0 else ()

    rules = ttr.compile_rules("europe", Alliance, plugin("guests", loans=loans))
    players = [ADA, {"routes": ["Brest-Dieppe"]}, {"routes": ["Paris-Marseille"]}]
    ada = ttr.score(rules, {"players": players}).players[0]
    assert ada.completed_tickets == 1 and dict(ada.lends) == {"paris": "marseille-paris-gray"}
    assert ada.needed_loans == ("paris",)


def test_a_route_that_is_none_is_told() -> None:
    rules = ttr.compile_rules("europe", plugin("wrong", ticket_routes=lambda state, seat: ["nowhere"]))
    with pytest.raises(PluginError, match="ticket_routes of plugin 'wrong' must give ids of routes, not 'nowhere'"):
        ttr.score(rules, {"players": [ADA, {}]})


def test_bots_plan_through_them() -> None:
    players = [{**ADA, "routes": [], "hand": {"black": 3}}, {"routes": [["Paris", "Marseille"]]}]
    position = {"seed": 1, "face_up": ["black"] * 5, "players": players}
    game = ttr.arrange(RULES, position)
    plan = plan_tickets(game.view(0), RULES)
    assert (plan.links, plan.borrows, plan.missing) == ((("brest-paris-black",),), (), 0)
    claim = Bot(1).choose(game.view(0), RULES, game.legal_actions(0))
    assert isinstance(claim, ttr.ClaimRoute) and claim.route == "brest-paris-black"
    alone = plan_tickets(ttr.arrange(ttr.compile_rules("europe"), position).view(0), ttr.compile_rules("europe"))
    assert alone.spaces > 3 and "marseille-paris-gray" not in alone.routes


def test_bots_claim_the_other_half_of_a_double_for_no_ticket() -> None:
    players = [{}, {"routes": [["Frankfurt", "Paris", "orange"]]}, {}, {}]
    game = ttr.arrange(RULES, {"seed": 1, "players": players})
    plan = plan_path(game.view(0), RULES, "frankfurt", "dieppe")
    assert plan is not None and plan.links == (("dieppe-paris-purple",),)


@pytest.mark.thorough
def test_a_variant_with_partners_is_sound() -> None:
    assert check_variant("europe", Alliance, players=3, games=1, skip=["processes"]).games == 1
