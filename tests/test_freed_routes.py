"""A claimed route that a plugin frees: cars, points, doubles, shares, fleets, copies, stories, saves and pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve
from helpers import arranged, rules_of

import ttr_rules as ttr
from ttr_rules.actions import claimable_routes
from ttr_rules.engine import open_routes, view_of
from ttr_rules.errors import InvalidTableError, PluginError
from ttr_rules.events import RouteFreed, RouteShared
from ttr_rules.model import Board, Components
from ttr_rules.plugins import Below, Transaction, Variant, hookimpl
from ttr_tools.render import draw_view

ROUTE, TWIN = "denver-kansas_city-black", "denver-kansas_city-orange"


class Ships(Variant, name="ships"):
    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        return Components(fleets={"train": 25, "ship": 15})


def held(players: int = 4, **more: Any) -> ttr.State:
    """Seat 0 holds a half of a double route; seat 1 has too few cars for it."""
    rest: list[Mapping[str, Any]] = [{"cars": 3}, {}, {}]
    return arranged("north-america", {"routes": [ROUTE], **more}, *rest[: players - 1]).state


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.rule("C3", "C5", "C6")
def test_it_is_open_again_with_its_twin_to_all_who_may_claim_it(players: int) -> None:
    state = held(players)
    before = arranged("north-america", *([{}, {"cars": 3}, {}, {}][:players])).state
    Transaction(state).free_route(ROUTE)
    assert state.open == before.open == open_routes(state)
    assert state.open_by_class == before.open_by_class
    bits = [state.rules.network.bits[state.rules.network.route_number[id]] for id in (ROUTE, TWIN)]
    assert all(state.open[0] & bit and not state.open[1] & bit for bit in bits)
    assert state == before


def test_cars_that_come_back_open_long_routes() -> None:
    state = held(cars=2)
    Transaction(state).free_route(ROUTE)
    assert state.cars[0] == 6
    assert state.open == open_routes(state)
    assert state.open[0] & state.rules.network.bits[state.rules.network.route_number[ROUTE]]


@pytest.mark.parametrize(("points", "left"), [(None, 0), (0, 7), (3, 4)])
def test_its_owner_loses_the_points(points: int | None, left: int) -> None:
    state = held()
    tx = Transaction(state, [])
    tx.free_route(ROUTE, points)
    assert state.scores[0] == left
    assert tx.log == [RouteFreed(0, ROUTE, 7 - left)]


def test_plugins_hear_of_it_with_its_owner() -> None:
    told: list[tuple[int, str, int]] = []

    class Listening(Variant, name="listening"):
        @hookimpl
        def on_route_freed(self, tx: Transaction, seat: int, route: ttr.Route) -> None:
            told.append((seat, route.id, tx.state.cars[seat]))

    state = arranged(ttr.compile_rules("north-america", Listening), {"routes": [ROUTE]}, {}).state
    Transaction(state).free_route(ROUTE)
    assert told == [(0, ROUTE, 45)]


@pytest.mark.rule("C5", "C6", "C3")
def test_what_is_open_whatever_the_cars() -> None:
    state = held(2)
    assert set(claimable_routes(state, 1)) < set(claimable_routes(state, 1, cars=False))
    number = state.rules.network.route_number
    few = arranged("north-america", {"routes": [ROUTE], "cars": 0}, {"cars": 0}).state
    assert claimable_routes(few, 0) == [] and len(claimable_routes(few, 0, cars=False)) == len(number) - 2
    four = held(4)  # the twin is closed to its owner alone
    assert (TWIN in claimable_routes(four, 0, cars=False), TWIN in claimable_routes(four, 1, cars=False)) == (
        False,
        True,
    )


@pytest.mark.parametrize("points", [2.5, True, "7"])
def test_points_that_are_no_number_are_refused(points: Any) -> None:
    state = held()
    before = state.copy()
    words = f"takes back {points!r} points for the route {ROUTE}: give a whole number|int or None object expected"
    with pytest.raises((PluginError, TypeError), match=words):
        Transaction(state).free_route(ROUTE, points)
    assert state == before


def test_whoever_shares_it_holds_it_no_longer() -> None:
    state = held()
    tx = Transaction(state)
    tx.emit(RouteShared, 2, ROUTE, 7)
    tx.free_route(ROUTE)
    assert not state.shared and not state.routes(0) and not state.routes(2)
    assert state.cars == [45, 3, 41, 45] and state.scores == [0, 0, 7, 0]
    assert state.open == open_routes(state)


def test_pieces_go_back_to_their_fleet() -> None:
    rules = ttr.compile_rules("europe", Ships)
    ferry = next(route.id for route in rules.board.routes.values() if "ship" in route.marks or route.ferry_locomotives)
    players = [{"name": "Ada", "routes": [ferry]}, {"name": "Bo"}]
    state = ttr.arrange(rules, {"seed": 1, "players": players}).state
    fresh = ttr.arrange(rules, {"seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]}).state
    assert state != fresh
    Transaction(state).free_route(ferry)
    assert state == fresh and state.open == fresh.open


def test_a_copy_keeps_the_route() -> None:
    state = held()
    copied = state.copy()
    Transaction(copied).free_route(ROUTE)
    assert state.owners == {ROUTE: 0} and state.open == open_routes(state)
    assert not copied.owners and copied.open == open_routes(copied)


@pytest.mark.parametrize("route", [TWIN, "denver", [], None])
def test_a_route_that_nobody_owns_cannot_be_freed(route: Any) -> None:
    state = held()
    before = state.copy()
    # Compiled code looks at the types first; in a hook, that is a PluginError too.
    words = f"frees the route {re.escape(repr(route))}, which nobody owns|str object expected"
    with pytest.raises((PluginError, TypeError), match=words):
        Transaction(state).free_route(route)
    for seat in (-1, 1):
        with pytest.raises(PluginError, match="which it does not own"):
            Transaction(state).emit(RouteFreed, seat, TWIN, 7)
    assert state == before


@pytest.mark.slow
def test_the_picture_has_no_cars_of_it_any_more() -> None:
    state, rules = held(), rules_of("north-america")
    taken = draw_view(view_of(state, "ABCD", None), rules).svg
    Transaction(state).free_route(ROUTE)
    freed = draw_view(view_of(state, "ABCD", None), rules).svg
    fresh = arranged("north-america", {}, {"cars": 3}, {}, {}).state
    assert taken != freed == draw_view(view_of(fresh, "ABCD", None), rules).svg


@pytest.mark.rule("C3")
def test_a_position_with_too_many_pieces_of_a_kind_on_routes_is_refused_by_seat_and_kind() -> None:
    class FewShips(Variant, name="few-ships"):
        """Few ships: routes marked ship take ships, of which everybody has one."""

        @hookimpl
        def board(self, below: Below[Board]) -> Board:
            return evolve(below(), routes=tuple(evolve(route, marks=("ship",)) for route in below().routes.values()))

        @hookimpl
        def components(self, below: Below[Components], board: Board) -> Components:
            return Components(fleets={"train": 40, "ship": 1})

    with pytest.raises(InvalidTableError, match=r"the routes of seat 1 take 3 more of the kind 'ship' than it has"):
        ttr.arrange(ttr.compile_rules("north-america", FewShips), {"seed": 1, "players": [{}, {"routes": [ROUTE]}]})
