"""The longest continuous path (P3): known networks, and random ones against a plain search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from sys import getrecursionlimit
from typing import Any

import pytest
from hypothesis import given, strategies as st

import ttr_maps
import ttr_rules.graph.frontier
import ttr_rules.graph.lengths
from ttr_rules.errors import InvalidInputError
from ttr_rules.graph.frontier import _plan_from, closing_plan, connected_parts, longest_chosen
from ttr_rules.graph.lengths import (
    STEPS as ENOUGH_STEPS,
    STEPS_TO_ROUTES,
    Edge,
    longest_length,
    longest_routes,
    longest_trail,
)
from ttr_rules.graph.paths import LongestPath, longest_path, shortest_path
from ttr_rules.model.board import Board, City, Route

pytestmark = pytest.mark.rule("P3")


def longest_trail_length(edges: Sequence[Edge]) -> int:
    return longest_trail(edges)[0]


def search(edges: Sequence[Edge], steps: int) -> int:
    """A longest path as a packed set, found with so many steps of the search."""
    first, second, lengths = ([edge[part] for edge in edges] for part in range(3))
    return longest_routes(first, second, lengths, steps)


def length_alone(edges: Sequence[Edge], steps: int = ENOUGH_STEPS) -> int:
    """The length as a score sheet counts it, which does not look for the routes."""
    first, second, lengths = ([edge[part] for edge in edges] for part in range(3))
    return longest_length(list(range(len(edges))), first, second, lengths, 1 + max([0, *first, *second]), steps)


# -- the oracle: every walk, one step at a time ----------------------------------------------------------


def longest_by_walking(edges: Sequence[Edge], through: int | None = None) -> int:
    """The longest path, or the longest through a city, found by trying every walk from every city."""
    seen: set[tuple[int, frozenset[int]]] = set()
    best = 0
    walks = [(city, frozenset[int](), 0) for edge in edges for city in edge[:2]]
    while walks:
        city, used, length = walks.pop()
        if (city, used) in seen:
            continue
        seen.add((city, used))
        if through is None or any(through in edges[index][:2] for index in used):
            best = max(best, length)
        for index, (first, second, cars) in enumerate(edges):
            if index not in used and city in (first, second):
                walks.append((first + second - city, used | {index}, length + cars))
    return best


def is_path(edges: Sequence[Edge], trail: Sequence[int]) -> bool:
    """Whether the edges can be traveled in this order, none of them twice."""
    places = {city for index in trail[:1] for city in edges[index][:2]}
    for number, index in enumerate(trail):
        first, second, _ = edges[index]
        places = {second for _ in [0] if first in places} | {first for _ in [0] if second in places}
        if number == 0:
            places = {first, second}
    return bool(places) == bool(trail) and len(set(trail)) == len(trail)


def edges_of(packed: int, count: int) -> list[int]:
    return [index for index in range(count) if packed >> index & 1]


@st.composite
def networks(draw: st.DrawFn, max_cities: int = 8, max_edges: int = 11) -> list[Edge]:
    """Small networks with parallel routes, several parts and any tangle."""
    cities = draw(st.integers(2, max_cities))
    city = st.integers(0, cities - 1)
    pair = st.tuples(city, city).filter(lambda ends: ends[0] != ends[1])
    return [(*ends, cars) for ends, cars in draw(st.lists(st.tuples(pair, st.integers(1, 8)), max_size=max_edges))]


def tangles(count: int) -> Iterator[list[Edge]]:
    """Random networks, most of them in one part with many cycles."""
    random = Random(count)
    for _ in range(count):
        cities = random.randint(5, 8)
        routes = random.randint(cities + 1, 13)
        yield [(*random.sample(range(cities), 2), random.randint(1, 5)) for _ in range(routes)]  # type: ignore[misc]


# -- known networks --------------------------------------------------------------------------------------

NETWORKS: dict[str, tuple[list[Edge], int]] = {
    "nothing": ([], 0),
    "one route": ([(0, 1, 6)], 6),
    "a line": ([(0, 1, 1), (1, 2, 2), (2, 3, 3)], 6),
    "a fork: branches do not count": ([(0, 1, 2), (1, 2, 3), (1, 3, 4)], 7),
    "a star with two long arms": ([(0, 1, 1), (0, 2, 6), (0, 3, 4), (0, 4, 2)], 10),
    "a tree whose longest way passes off the first city": (
        [(0, 1, 1), (1, 2, 5), (1, 3, 1), (3, 4, 6), (3, 5, 2)],
        12,
    ),
    "a loop": ([(0, 1, 2), (1, 2, 2), (2, 0, 3)], 7),
    "a loop with a tail": ([(0, 1, 2), (1, 2, 2), (2, 0, 3), (0, 3, 4)], 11),
    "a loop with two tails at one city": ([(0, 1, 2), (1, 2, 2), (2, 0, 3), (0, 3, 4), (0, 4, 4)], 15),
    "a loop with three tails": ([(0, 1, 2), (1, 2, 2), (2, 0, 3), (0, 3, 4), (1, 4, 4), (2, 5, 1)], 13),
    "a figure eight": ([(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 3, 2), (3, 4, 2), (4, 0, 2)], 9),
    "two loops on a bridge": (
        [(0, 1, 1), (1, 2, 1), (2, 0, 1), (0, 3, 4), (3, 4, 2), (4, 5, 2), (5, 3, 2)],
        13,
    ),
    "theta: three ways between two cities": ([(0, 1, 2), (0, 2, 1), (2, 1, 1), (0, 3, 3), (3, 1, 3)], 10),
    "five ways between two cities, with tails": (
        [(0, 1, 2), (0, 1, 2), (0, 1, 1), (0, 2, 1), (2, 1, 1), (0, 3, 3), (1, 4, 5), (0, 5, 1)],
        14,
    ),
    "both routes of a double": ([(0, 1, 4), (0, 1, 4)], 8),
    "a double with tails": ([(0, 1, 4), (0, 1, 4), (0, 2, 1), (1, 3, 2)], 10),
    "a triple": ([(0, 1, 2), (0, 1, 2), (0, 1, 2)], 6),
    "two parts": ([(0, 1, 3), (2, 3, 2), (3, 4, 2)], 4),
    "the part with the greater total is the shorter": ([(0, 1, 3), (0, 2, 3), (0, 3, 3), (4, 5, 7)], 7),
    "the part with the greater total is a tree, the other a tangle": (
        [(4, 5, 4), (4, 6, 4), (4, 7, 4), (0, 1, 2), (0, 2, 2), (0, 3, 2), (1, 2, 2), (1, 3, 1), (2, 3, 1)],
        9,
    ),
    "the part with the same total is longer than the tangle can be": (
        [(0, 1, 2), (0, 2, 2), (0, 3, 2), (1, 2, 2), (1, 3, 2), (2, 3, 2), (4, 5, 6), (4, 6, 5), (4, 7, 1)],
        11,
    ),
    "a loop with two tails, and 2 of 16 cars to be left out": (
        [(0, 1, 2), (1, 2, 3), (2, 0, 1), (0, 3, 5), (1, 4, 5)],
        14,
    ),
    "two parts, each tangled": (
        [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 2, 1), (2, 3, 1), (3, 1, 1)]
        + [(4, 5, 2), (4, 6, 2), (4, 7, 2), (5, 6, 1), (6, 7, 1), (7, 5, 1)],
        8,
    ),
    "four cities, each joined to each": (
        [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 2, 1), (1, 3, 1), (2, 3, 1)],
        5,
    ),
    "two parts, each of four cities joined to each": (
        [(a + part, b + part, 1) for part in (0, 4) for a in range(4) for b in range(a)],
        5,
    ),
    "five cities, each joined to each": ([(a, b, 1) for a in range(5) for b in range(a)], 10),
    "cities with high numbers": ([(70, 900, 3), (900, 12345, 4)], 7),
}


@pytest.mark.parametrize("budget", [0, 1, 2, 7, STEPS_TO_ROUTES])
@pytest.mark.parametrize("name", NETWORKS)
def test_known_networks(name: str, budget: int) -> None:
    edges, length = NETWORKS[name]
    assert search(edges, budget) >> len(edges) == length


@pytest.mark.parametrize("steps", [0, 1, 2, 7, ENOUGH_STEPS])
@pytest.mark.parametrize("name", NETWORKS)
def test_the_lengths_of_known_networks(name: str, steps: int) -> None:
    edges, length = NETWORKS[name]
    assert length_alone(edges, steps) == length


@pytest.mark.parametrize("name", NETWORKS)
def test_known_networks_in_order_of_travel(name: str) -> None:
    edges, length = NETWORKS[name]
    found, trail, cities = longest_trail(edges)
    assert found == length == longest_trail_length(edges) == sum(edges[index][2] for index in trail)
    assert is_path(edges, trail)
    assert all({*cities[at : at + 2]} == {*edges[index][:2]} for at, index in enumerate(trail))
    assert len(cities) == len(trail) + bool(trail)


def test_a_circuit_uses_every_route() -> None:
    edges = [(a, b, 1) for a in range(7) for b in range(a)]
    length, trail, _ = longest_trail(edges)
    assert length == 21
    assert sorted(trail) == list(range(21))
    assert is_path(edges, trail)


def test_an_open_path_starts_and_ends_at_odd_cities() -> None:
    edges = [(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]
    _, trail, _ = longest_trail(edges)
    assert 3 in edges[trail[0]] or 3 in edges[trail[-1]]


def test_the_oracle_of_this_file_knows_a_path() -> None:
    edges = [(0, 1, 1), (1, 2, 1), (1, 3, 1), (4, 5, 1)]
    assert is_path(edges, [0, 1]) and is_path(edges, [2, 0]) and is_path(edges, [])
    assert not is_path(edges, [0, 1, 2])  # a branch
    assert not is_path(edges, [0, 3])  # a gap
    assert not is_path(edges, [0, 0])  # one route twice


# -- random networks -------------------------------------------------------------------------------------


@given(networks())
def test_against_walking(edges: list[Edge]) -> None:
    length, trail, _ = longest_trail(edges)
    assert length == longest_by_walking(edges)
    assert length == longest_trail_length(edges) == sum(edges[index][2] for index in trail)
    assert is_path(edges, trail)


@given(networks(), st.integers(0, 12))
def test_the_frontier_against_walking(edges: list[Edge], budget: int) -> None:
    packed = search(edges, budget)
    assert packed >> len(edges) == longest_by_walking(edges)
    assert packed >> len(edges) == sum(edges[index][2] for index in edges_of(packed, len(edges)))


@given(networks(), st.integers(0, 12))
def test_the_length_alone_against_walking(edges: list[Edge], steps: int) -> None:
    assert length_alone(edges) == length_alone(edges, steps) == longest_by_walking(edges)


@given(networks(max_cities=12, max_edges=26))
def test_the_length_alone_against_the_routes(edges: list[Edge]) -> None:
    assert length_alone(edges) == length_alone(edges, 100_000) == longest_trail_length(edges)


@given(networks(max_cities=7, max_edges=26))
def test_the_frontier_against_the_search_alone(edges: list[Edge]) -> None:
    frontier = search(edges, 0)
    assert frontier >> len(edges) == search(edges, 20_000) >> len(edges)
    assert frontier >> len(edges) == sum(edges[index][2] for index in edges_of(frontier, len(edges)))


@given(networks(), st.randoms(use_true_random=False))
def test_the_order_of_routes_and_the_names_of_cities_do_not_matter(edges: list[Edge], random: Random) -> None:
    names = list(range(20))
    random.shuffle(names)
    other = [(names[second], names[first], cars) for first, second, cars in edges]
    random.shuffle(other)
    assert longest_trail_length(other) == longest_trail_length(edges)


def test_the_frontier_against_walking_through_tangles() -> None:
    for edges in tangles(50):
        packed = search(edges, 0)
        assert packed >> len(edges) == longest_by_walking(edges)
        chosen = [edges[index] for index in edges_of(packed, len(edges))]
        assert longest_trail_length(chosen) == packed >> len(edges)


@pytest.mark.pure
def test_the_search_alone_ends_most_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> int:
        raise AssertionError("the frontier was asked")

    monkeypatch.setattr(ttr_rules.graph.lengths, "longest_chosen", never)
    for edges, length in NETWORKS.values():
        assert longest_trail_length(edges) == length
    with pytest.raises(AssertionError, match="the frontier was asked"):
        search(NETWORKS["a loop with three tails"][0], 3)


# -- a network too tangled for the search ----------------------------------------------------------------

GRID: list[Edge] = [
    *((row * 5 + column, row * 5 + column + 1, 2) for row in range(4) for column in range(4)),
    *((row * 5 + column, row * 5 + column + 5, 3) for row in range(3) for column in range(5)),
]


def test_a_grid() -> None:
    # 77 cars. Ten cities of the rim are odd, and eight of them must drop a route. A route between
    # neighbors serves two of them: one of 2 cars on each long side, one of 3 cars on each short side.
    length, trail, _ = longest_trail(GRID)
    assert is_path(GRID, trail)
    assert length == sum(GRID[index][2] for index in trail) == 67
    assert search(GRID, 0) >> len(GRID) == length == length_alone(GRID)


def test_the_frontier_keeps_what_is_known_unless_it_finds_a_longer_path() -> None:
    edges = NETWORKS["a loop with three tails"][0]
    shift = len(edges)
    around = around_of(edges)
    assert longest_chosen(around, shift, 13 << shift) == 13 << shift
    assert longest_chosen(around, shift, 0) == longest_chosen(around, shift, 12 << shift)
    plan, width = closing_plan(around)
    assert len(plan) == 6 and width == 3
    assert sorted(route for _, routes in plan for _, route in routes) == sorted(
        cars << shift | 1 << index for index, (_, _, cars) in enumerate(edges)
    )


# -- how much is looked at ---------------------------------------------------------------------------------
# The shortcuts change no result, only the work. It is counted here as the code does it; less is as good: then the
# numbers are to be written anew.


#: The steps to the length alone, in each network whose core needs any.
LENGTH_STEPS = {
    "a loop with three tails": 5,
    "five ways between two cities, with tails": 7,
    "the part with the greater total is a tree, the other a tangle": 5,
    "a loop with two tails, and 2 of 16 cars to be left out": 5,
    "two parts, each tangled": 11,
    "four cities, each joined to each": 6,
    "two parts, each of four cities joined to each": 6,
}


@pytest.mark.pure
def test_the_length_alone_is_found_without_the_search_for_the_routes(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> int:
        raise AssertionError("the routes were searched")

    monkeypatch.setattr(ttr_rules.graph.lengths, "longest_routes", never)
    for edges, length in NETWORKS.values():
        assert length_alone(edges) == length
    for name, steps in LENGTH_STEPS.items():
        edges, length = NETWORKS[name]
        assert length_alone(edges, steps + 1) == length
        with pytest.raises(AssertionError, match="the routes were searched"):
            length_alone(edges, steps)


def around_of(edges: Sequence[Edge]) -> dict[int, list[tuple[int, int, int]]]:
    around: dict[int, list[tuple[int, int, int]]] = {}
    for index, (first, second, cars) in enumerate(edges):
        around.setdefault(first, []).append((second, cars << len(edges) | 1 << index, 1 << index))
        around.setdefault(second, []).append((first, cars << len(edges) | 1 << index, 1 << index))
    return around


@pytest.mark.pure
@pytest.mark.parametrize(
    ("name", "known", "count"),
    [("grid", 0, 2408), ("grid", 66, 805), ("grid", 67, 609), ("tails", 0, 24), ("tails", 12, 12), ("tails", 13, 10)],
)
def test_the_frontier_keeps_few_choices(name: str, known: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    edges = {"grid": GRID, "tails": NETWORKS["a loop with three tails"][0]}[name]
    decide = ttr_rules.graph.frontier._decide
    kept = 0

    def counted(states: Any, *arguments: Any) -> Any:
        nonlocal kept
        kept += sum(map(len, states.values()))
        return decide(states, *arguments)

    monkeypatch.setattr(ttr_rules.graph.frontier, "_decide", counted)
    longest_chosen(around_of(edges), len(edges), known << len(edges))
    assert kept == count


def test_the_frontier_keeps_a_known_path_of_the_greatest_length() -> None:
    for edges in tangles(100):
        around = around_of(edges)
        if len(connected_parts(around)) == 1:
            known = search(edges, 20_000) >> len(edges) << len(edges)
            assert longest_chosen(around, len(edges), known) == known


def test_the_city_that_brings_the_fewest_cities_and_has_the_fewest_routes_is_closed_next() -> None:
    for edges in tangles(100):
        around = around_of(edges)
        if len(connected_parts(around)) > 1:
            continue
        frontier: set[int] = set()
        closed: set[int] = set()

        def undecided(city: int, closed: set[int] = closed, around: Any = around) -> set[int]:
            return {route for other, route, _ in around[city] if other not in closed}

        def cost(city: int, frontier: set[int] = frontier, closed: set[int] = closed, around: Any = around) -> Any:
            new = [other for other, _, _ in around[city] if other not in frontier and other not in closed]
            return len(new), len(undecided(city))

        start = next(iter(around))
        for _, routes in _plan_from(start, around, None)[1]:
            choice = frontier or {start}
            decided = {route for _, route in routes}
            city, least = min(((city, cost(city)) for city in choice if undecided(city) == decided), key=lambda c: c[1])
            assert least == min(map(cost, choice))
            frontier |= {other for other, _, _ in around[city] if other not in closed}
            frontier.discard(city)
            closed.add(city)
        assert closed == around.keys()


def states_of(plan: Sequence[tuple[int, Sequence[tuple[int, int]]]]) -> int:
    """What a plan costs: three states for each slot in use, multiplied, at every route that is decided."""
    states = 0
    used: set[int] = set()
    for slot, routes in plan:
        used.add(slot)
        for other, _ in routes:
            used.add(other)
            states += 3 ** len(used)
        used.remove(slot)
    return states


def test_the_order_of_closing_is_the_cheapest_of_those_from_all_cities() -> None:
    saved = 0
    for edges in [GRID, *tangles(100)]:
        around = around_of(edges)
        if len(connected_parts(around)) > 1:
            continue
        plans = [_plan_from(start, around, None) for start in around]
        assert [states for states, _, _ in plans] == [states_of(plan) for _, plan, _ in plans]
        least = min(plans, key=lambda each: each[0])  # of equal ones the first
        assert closing_plan(around) == least[1:]
        assert least[2] == 1 + max(slot for slot, _ in least[1])
        saved += plans[0][0] - least[0]
    assert saved > 0


def test_an_order_of_closing_is_given_up_when_it_costs_too_much() -> None:
    around = around_of(GRID)
    states, plan, _ = _plan_from(0, around, None)
    assert _plan_from(0, around, states)[1] == plan
    for least in (states - 1, states // 2, 1):
        cost, given_up, _ = _plan_from(0, around, least)
        assert cost > least >= states_of(given_up)
        assert given_up == plan[: len(given_up)] != plan


def test_labels_are_the_lowest_slots_of_what_is_joined() -> None:
    joined, without = ttr_rules.graph.frontier._join, ttr_rules.graph.frontier._vacate
    assert joined("....", 2, 1) == joined("....", 1, 2) == ".bb."
    assert joined(".bb.", 3, 0) == joined(".bb.", 0, 3) == "abba"
    assert joined("abba", 0, 2) == joined("abba", 2, 3) == "aaaa"
    assert joined(".b.b", 2, 3) == ".bbb" and joined(".b.b", 0, 3) == "aa.a"
    assert joined("." * 12, 11, 9) == ".........j.j"
    assert without("abab", 0) == ".bcb" and without("abab", 1) == "a.ad" and without("abab", 3) == "aba."
    assert without("aaaa", 0) == ".bbb" and without("aaaa", 2) == "aa.a"
    assert without(".b..", 1) == "...."


def test_a_path_may_leave_out_a_city_when_all_others_are_on_it() -> None:
    assert ttr_rules.graph.frontier._close({"aa.": {0: 5}}, 2) == ({"aa.": {0: 5}}, 0)


# -- on a board ------------------------------------------------------------------------------------------


def board_of(*routes: tuple[str, str, int], twice: bool = False) -> Board:
    names = sorted({city for first, second, _ in routes for city in (first, second)})
    halves = ("", "-b") if twice else ("",)
    return Board(
        "test",
        "Test",
        tuple(City(name, name.title()) for name in names),
        tuple(
            Route(f"{first}-{second}{half}", (first, second), cars) for first, second, cars in routes for half in halves
        ),
        dict.fromkeys(range(1, 10), 0),
    )


BOARD = board_of(("ada", "bree", 2), ("ada", "cole", 3), ("bree", "cole", 1), ("cole", "dunn", 4), ("eve", "fay", 6))


def test_path_on_a_board() -> None:
    assert longest_path(BOARD, BOARD.routes) == LongestPath(10, ("bree-cole", "ada-bree", "ada-cole", "cole-dunn"))
    assert longest_path(BOARD, ["eve-fay", "ada-bree"]) == LongestPath(6, ("eve-fay",))


def test_no_routes_no_path() -> None:
    assert longest_path(BOARD, []) == LongestPath(0, ())


def test_an_id_given_twice_counts_once() -> None:
    assert longest_path(BOARD, ["ada-bree", "ada-bree"]) == LongestPath(2, ("ada-bree",))


def test_unknown_routes_are_named() -> None:
    with pytest.raises(InvalidInputError, match="no route 'nowhere', 'zero' on the board Test"):
        longest_path(BOARD, ["zero", "ada-bree", "nowhere"])


def test_both_halves_of_a_double_route() -> None:
    board = board_of(("ada", "bree", 2), ("bree", "cole", 3), twice=True)
    path = longest_path(board, board.routes)
    assert path.length == 10
    assert sorted(path.routes) == sorted(board.routes)


@given(st.permutations(list(BOARD.routes)))
def test_the_order_given_does_not_matter(ids: list[str]) -> None:
    assert longest_path(BOARD, iter(ids)) == longest_path(BOARD, sorted(BOARD.routes))


def test_equal_paths_are_told_apart_always_in_the_same_way() -> None:
    star = board_of(*(("hub", f"rim{number}", 2) for number in range(6)))
    paths = {longest_path(star, ids) for ids in (star.routes, reversed(list(star.routes)), set(star.routes))}
    assert len(paths) == 1
    assert paths.pop().length == 4


def test_a_path_may_be_longer_than_python_calls_deep() -> None:
    """Between four cities, each with an odd number of routes: one route stays apart from the path through all others."""
    edges = [(*pair, 1) for pair in combinations(range(4), 2) for _ in range(201)]
    assert length_alone(edges) == longest_trail_length(edges) == len(edges) - 1 > getrecursionlimit()


@given(networks(), st.integers(0, 7))
def test_the_longest_path_through_a_city(edges: list[Edge], city: int) -> None:
    edges = list({edge[:2]: edge for edge in edges}.values())
    board = board_of(*[(f"c{first}", f"c{second}", length) for first, second, length in edges], ("c8", "c9", 1))
    ids = [id for id in board.routes if "c9" not in id]
    if f"c{city}" not in board.cities:
        with pytest.raises(InvalidInputError, match=f"no city 'c{city}' on the board Test"):
            longest_path(board, ids, through=f"c{city}")
        return
    path = longest_path(board, ids, through=f"c{city}")
    assert path.length == longest_by_walking(edges, city) == sum(board.routes[id].length for id in path.routes)
    assert len({*path.routes}) == len(path.routes) == max(len(path.cities) - 1, 0)
    assert f"c{city}" in path.cities or not path.routes


@given(st.integers(0, 2**32), st.sampled_from(["europe", "north_america", "india"]))
def test_no_way_is_shorter_than_the_shortest(seed: int, name: str) -> None:
    """It is compared with the distances that follow from going over every route again and again."""
    random = Random(seed)
    board = ttr_maps.load(name)
    spaces = {id: random.randrange(4) for id in board.routes if random.random() < 0.5}
    starts, ends = random.sample(sorted(board.cities), 2), random.sample(sorted(board.cities), 2)
    far = dict.fromkeys(starts, 0)
    for _ in board.cities:
        for id, length in spaces.items():
            one, other = board.routes[id].cities
            for city, near in ((one, other), (other, one)):
                if near in far:
                    far[city] = min(far.get(city, 10**6), far[near] + length)
    expected = min((far[city] for city in ends if city in far), default=None)
    found = shortest_path(board, spaces, starts, ends)
    assert (None if found is None else found[0]) == expected
    if found is not None:
        length, routes = found
        assert sum(spaces[id] for id in routes) == length
        assert any(follow(board, start, routes) in ends for start in starts)


def follow(board: Board, city: str, routes: Sequence[str]) -> str | None:
    """The end of a way that begins in a city, or None if it does not."""
    for id in routes:
        if city not in board.routes[id].cities:
            return None
        city = board.routes[id].other_end(city)
    return city


def test_a_shortest_path_is_over_routes_and_cities_of_the_board() -> None:
    for spaces, end in (({"ada-zoe": 1}, "cole"), ({"ada-bree": -1}, "cole"), ({"ada-bree": 1}, "zoe")):
        with pytest.raises(InvalidInputError):
            shortest_path(BOARD, spaces, ["ada"], [end])
    assert shortest_path(BOARD, {}, ["ada"], ["ada"]) == (0, ())
