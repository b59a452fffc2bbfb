"""The routes that stations lend (B3–B5, R8): known tables, and random ones against every possible choice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest
from hypothesis import given, strategies as st

from ttr_rules.graph.lending import NOWHERE, Goal, LendingSearch, best_lending, components, points_of

Link = tuple[int, int]
Option = tuple[str, int, int]

CITIES = 9


def lend(links: Sequence[Link], goals: Sequence[Goal], options: Sequence[Sequence[Option]]) -> tuple[str | None, ...]:
    """The choice for a player whose own routes are some links."""
    return best_lending(components(links, CITIES), goals, options)


def ticket(points: int, first: int, second: int) -> Goal:
    return ((points, ((first,), (second,))),)


def worth(goal: Goal, labels: list[int]) -> tuple[int, bool]:
    """The points of a ticket by the words of P2: its best value whose places are all in one network."""
    reached = [
        points for points, places in goal if set.intersection(*({labels[city] for city in place} for place in places))
    ]
    return (max(reached), True) if reached else (-goal[-1][0], False)


def best_by_trying(
    links: Sequence[Link], goals: Sequence[Goal], options: Sequence[Sequence[Option]]
) -> tuple[str | None, ...]:
    """The best choice by the words of R8: every combination is scored in full."""

    def rank(combination: tuple[Option | None, ...]) -> tuple[int, int, list[str]]:
        lent = [option for option in combination if option is not None]
        labels = components([*links, *((first, second) for _, first, second in lent)], CITIES)
        worths = [worth(goal, labels) for goal in goals]
        return -sum(points for points, _ in worths), -sum(done for _, done in worths), [route for route, _, _ in lent]

    choices: list[Sequence[Option | None]] = [station or [None] for station in options]
    best = min(product(*choices), key=rank)
    return tuple(option and option[0] for option in best)


pairs = st.tuples(st.integers(0, CITIES - 1), st.integers(0, CITIES - 1)).filter(lambda ends: ends[0] != ends[1])


places = st.lists(st.integers(0, CITIES - 1), min_size=1, max_size=3, unique=True)


@st.composite
def goals(draw: st.DrawFn) -> Goal:
    """Mostly ordinary tickets, some with several values, with countries, with several places or with an own penalty."""
    if draw(st.booleans()):
        return ticket(draw(st.integers(0, 12)), *draw(pairs))
    values = sorted(draw(st.lists(st.integers(0, 12), min_size=1, max_size=3)), reverse=True)
    goal = tuple((points, draw(st.lists(places, min_size=2, max_size=4))) for points in values)
    return (*goal, (draw(st.integers(0, 12)), NOWHERE)) if draw(st.booleans()) else goal


@st.composite
def stations(draw: st.DrawFn) -> list[Option]:
    """The routes of one city, sorted by id; some of them doubles."""
    city = draw(st.integers(0, CITIES - 1))
    ends = draw(st.lists(st.integers(0, CITIES - 1).filter(lambda end: end != city), max_size=5))
    ids = draw(st.lists(st.sampled_from("abcdefghij"), min_size=len(ends), max_size=len(ends), unique=True))
    return [(route, city, end) for route, end in zip(sorted(ids), ends, strict=True)]


# -- components ------------------------------------------------------------------------------------------


@pytest.mark.rule("P2")
@given(st.lists(pairs))
def test_labels_are_the_smallest_city_that_can_be_reached(links: list[Link]) -> None:
    labels = components(links, CITIES)
    for city in range(CITIES):
        reached = {city}
        for _ in range(CITIES):
            reached |= {end for link in links if reached & set(link) for end in link}
        assert labels[city] == min(reached)


@pytest.mark.rule("P2")
def test_labels_without_links() -> None:
    assert components([], 3) == [0, 1, 2]
    assert components([], 0) == []


@pytest.mark.rule("P2")
def test_an_ordinary_ticket_adds_or_subtracts_its_value() -> None:
    labels = components([(0, 1), (1, 2)], 4)
    assert points_of([ticket(8, 0, 2)], labels) == (8, (True,))
    assert points_of([ticket(8, 0, 3)], labels) == (-8, (False,))


@pytest.mark.rule("H5")
def test_the_best_value_reached_counts_or_the_lowest_is_lost() -> None:
    goal: Goal = ((12, ((0,), (1, 2))), (7, ((0,), (3,))), (5, ((0,), (4, 5))))
    assert points_of([goal], components([(0, 2), (0, 4)], 6)) == (12, (True,))
    assert points_of([goal], components([(0, 5), (0, 3)], 6)) == (7, (True,))
    assert points_of([goal], components([(0, 5)], 6)) == (5, (True,))
    assert points_of([goal], components([(1, 5)], 6)) == (-5, (False,))


@pytest.mark.rule("P2", "H5")
def test_points_of_all_tickets() -> None:
    labels = components([(0, 1)], 3)
    assert points_of([ticket(4, 0, 1), ticket(9, 0, 2), ticket(0, 1, 0)], labels) == (-5, (True, False, True))
    assert points_of([], labels) == (0, ())


# -- known tables ----------------------------------------------------------------------------------------


@pytest.mark.rule("B3")
def test_a_station_lends_the_route_that_completes_the_ticket() -> None:
    options = [[("a", 1, 2), ("b", 1, 3), ("c", 1, 4)]]
    assert lend([(0, 1), (3, 5)], [ticket(8, 0, 5)], options) == ("b",)


@pytest.mark.rule("B4")
def test_one_route_serves_all_tickets() -> None:
    # Each ticket by itself would like another route; together the two tickets by "c" are worth most.
    tickets = [ticket(9, 0, 2), ticket(5, 0, 3), ticket(6, 1, 3)]
    assert lend([(0, 1)], tickets, [[("a", 1, 2), ("c", 1, 3)]]) == ("c",)


@pytest.mark.rule("B4")
def test_several_stations_work_together_and_may_lend_one_route() -> None:
    assert lend([], [ticket(8, 0, 2)], [[("a", 0, 3), ("b", 0, 1)], [("c", 2, 1), ("d", 2, 3)]]) == (
        "a",
        "d",
    )
    shared = [[("a", 0, 4), ("m", 0, 1)], [("b", 1, 5), ("m", 0, 1)]]
    assert lend([], [ticket(8, 0, 1)], shared) == ("a", "m")


@pytest.mark.rule("B4")
def test_four_stations_work_together_in_any_order_of_the_cities() -> None:
    # From 1 by 3 and 0 to 6, where "z" would join 1 and 0 as well, but leave the ticket to 2.
    options = [[("y", 0, 2), ("z", 0, 1)], [("b", 3, 0)], [("c", 1, 3)], [("d", 6, 7), ("e", 6, 0)]]
    for first in (options[0], options[0][::-1]):
        assert lend([], [ticket(8, 1, 6), ticket(8, 0, 2)], [first, *options[1:]]) == ("y", "b", "c", "e")


@pytest.mark.rule("B5")
def test_a_station_without_routes_to_lend_lends_nothing() -> None:
    assert lend([(0, 1)], [ticket(8, 0, 2)], [[], [("a", 1, 2)], []]) == (None, "a", None)
    assert lend([(0, 1)], [ticket(8, 0, 2)], [[], []]) == (None, None)
    assert lend([(0, 1)], [ticket(8, 0, 2)], []) == ()


@pytest.mark.rule("B3", "R8")
def test_a_station_always_lends_if_it_can() -> None:
    assert lend([], [], [[("a", 1, 2), ("b", 1, 3)], [("c", 0, 1)]]) == ("a", "c")
    assert lend([(1, 2)], [ticket(8, 1, 2)], [[("a", 1, 2), ("b", 1, 3)]]) == ("a",)


@pytest.mark.rule("R8")
def test_points_come_before_the_number_of_tickets() -> None:
    tickets = [ticket(9, 0, 1), ticket(4, 0, 2), ticket(4, 3, 2)]
    assert lend([(0, 3)], tickets, [[("one", 0, 1), ("two", 0, 2)]]) == ("one",)


@pytest.mark.rule("R8")
def test_of_equal_points_the_most_tickets() -> None:
    tickets = [ticket(8, 0, 1), ticket(4, 0, 2), ticket(4, 3, 2)]
    assert lend([(0, 3)], tickets, [[("a-one", 0, 1), ("b-two", 0, 2)]]) == ("b-two",)
    # A ticket that is worth nothing is a ticket all the same.
    assert lend([], [ticket(0, 0, 2)], [[("a", 0, 1), ("b", 0, 2)]]) == ("b",)


@pytest.mark.rule("R8")
def test_of_equal_choices_the_first_by_route_ids_in_the_order_of_the_stations() -> None:
    options = [[("p", 0, 1), ("q", 0, 1), ("r", 0, 2)], [("a", 3, 1), ("b", 3, 2)]]
    assert lend([], [ticket(8, 0, 3)], options) == ("p", "a")
    assert lend([], [ticket(8, 0, 3)], options[::-1]) == ("a", "p")


@pytest.mark.rule("R8")
def test_many_tickets_do_not_outweigh_a_point() -> None:
    tickets = [ticket(0, 0, 2)] * 40 + [ticket(1, 0, 1)]
    assert lend([], tickets, [[("many", 0, 2), ("point", 0, 1)]]) == ("point",)


@pytest.mark.rule("H5", "R8")
def test_a_ticket_to_a_country_is_raised_to_a_better_value() -> None:
    goal: Goal = ((10, ((0,), (4, 5))), (6, ((0,), (2,))), (3, ((0,), (1,))))
    # Reached already for 3; "x" makes it 6, "y" makes it 10. Another ticket by "x" gains 6.
    options = [[("x", 0, 2), ("y", 0, 5)]]
    assert lend([(0, 1)], [goal], options) == ("y",)
    assert lend([(0, 1)], [goal, ticket(3, 1, 2)], options) == ("x",)


@pytest.mark.rule("R8")
def test_a_route_that_cannot_matter_is_lent_only_if_nothing_can() -> None:
    options = [[("a", 0, 4), ("b", 0, 5), ("c", 0, 1)], [("d", 2, 6), ("e", 2, 1)]]
    assert lend([], [ticket(8, 0, 2)], options) == ("c", "e")
    assert lend([], [ticket(8, 0, 7)], options) == ("a", "d")
    assert lend([], [ticket(8, 2, 1)], options) == ("a", "e")
    # City 4 has no ticket, but the other station can go on from there.
    assert lend([], [ticket(8, 0, 2)], [options[0], [("d", 2, 4), ("e", 2, 6)]]) == ("a", "d")


# -- how the choice is found -----------------------------------------------------------------------------


def test_what_a_ticket_would_gain_stands_in_a_table_or_in_a_list_of_open_tickets() -> None:
    labels = components([(4, 5)], 10)
    search = LendingSearch([[("a", 0, 1), ("b", 0, 2)], [("c", 2, 1), ("d", 4, 6)]], labels, 11)
    assert search.number == {0: 0, 1: 1, 2: 2, 4: 3, 6: 4}
    search.add(ticket(7, 4, 5), labels)  # reached already
    search.add(ticket(7, 0, 3), labels)  # no route goes to 3
    search.add(ticket(7, 0, 9), labels)  # nor to 9
    search.add(((9, ((0, 1), (9, 3))), (4, ((1,), (3,))), (2, ((0,), (1,), (3,)))), labels)
    assert search.most == 0 and search.open_tickets == [] and not any(map(any, search.table))
    search.add(ticket(7, 1, 2), labels)  # from -7 to 7, and a ticket more
    assert search.table[1][2] == search.table[2][1] == 155 and sum(map(sum, search.table)) == 310
    search.add(((12, ((0,), (6, 9, 3))), (5, ((4,), (5,))), (3, ((0,), (1,)))), labels)  # from 5 to 12
    assert search.table[0][4] == search.table[4][0] == 77 and sum(map(sum, search.table)) == 464
    assert search.most == 232 and search.open_tickets == []
    search.add(((12, ((0, 9), (6, 1))), (5, ((9, 4), (3, 5)))), labels)  # two cities for a place
    search.add(((6, ((0,), (2,))), (2, ((1,), (2,)))), labels)  # two values, from -2
    assert search.open_tickets == [[(77, [[0], [4, 1]])], [(89, [[0], [2]]), (45, [[1], [2]])]]
    assert search.most == 232 + 77 + 89 and sum(map(sum, search.table)) == 464
    search.add(((5, ((4,), (2,), (5,))),), labels)  # three places, two of which are joined already
    assert search.table[2][3] == search.table[3][2] == 111 and len(search.open_tickets) == 2
    search.add(((5, ((0,), (2,), (5,))), (3, NOWHERE)), labels)  # three places, from -3
    assert search.open_tickets[2:] == [[(89, [[0], [2], [3]])]]


def test_routes_that_merge_the_same_groups_are_tried_once() -> None:
    labels = components([(1, 2)], 14)
    search = LendingSearch(
        [
            [("a", 13, 5)],
            [("b", 0, 1), ("c", 2, 0), ("d", 0, 3), ("e", 0, 4)],
            [("f", 9, 10), ("g", 9, 11), ("h", 9, 5), ("i", 9, 4)],
            [("j", 1, 2), ("k", 1, 6), ("l", 1, 4)],
        ],
        labels,
        10,
    )
    search.add(ticket(5, 0, 4), labels)
    search.add(((3, ((5,), (4, 3))),), labels)

    kept = [" ".join(route for route, _, _ in merges) for merges in search.merges]
    assert kept == ["a", "b d e", "f g h i", "j k l"]  # "c" is as good as "b"


class Tried(list[str]):
    """The routes chosen, which counts how often one was put in."""

    put = 0

    def __setitem__(self, place: object, route: object) -> None:
        self.put += 1
        super().__setitem__(place, route)  # type: ignore[call-overload]


@pytest.mark.pure
@pytest.mark.parametrize(
    ("tickets", "count", "best"),
    [
        ([ticket(8, 0, 1)], 2, ["a", "d"]),  # the first of the first station does it: one route of the second is enough
        ([ticket(8, 0, 3)], 4, ["a", "f"]),
        ([ticket(8, 0, 3), ticket(8, 2, 5)], 12, ["a", "f"]),
        ([((8, ((0,), (3, 5))),)], 3, ["a", "e"]),
        ([], 0, ["a", "d"]),
    ],
)
def test_no_more_is_tried_when_nothing_is_left_to_gain(tickets: list[Goal], count: int, best: list[str]) -> None:
    labels = components([], 7)
    stations = [[("a", 0, 1), ("b", 0, 2), ("c", 0, 4)], [("d", 1, 4), ("e", 1, 5), ("f", 1, 3)]]
    search = LendingSearch(stations, labels, 10)
    for each in tickets:
        search.add(each, labels)
    search.chosen = tried = Tried(search.chosen)
    assert search.best() == best
    assert tried.put == count


# -- every table -----------------------------------------------------------------------------------------


@pytest.mark.rule("B3", "B4", "B5", "R8")
@given(
    st.lists(pairs, max_size=6),
    st.lists(pairs.flatmap(lambda ends: st.integers(0, 12).map(lambda points: ticket(points, *ends))), max_size=8),
    st.lists(stations(), max_size=3),
)
def test_ordinary_tickets_against_trying(links: list[Link], tickets: list[Goal], options: list[list[Option]]) -> None:
    assert lend(links, tickets, options) == best_by_trying(links, tickets, options)


@pytest.mark.slow
@pytest.mark.rule("B4", "H5", "R8")
@given(st.lists(pairs, max_size=5), st.lists(goals(), max_size=6), st.lists(stations(), max_size=3))
def test_all_kinds_of_tickets_against_trying(
    links: list[Link], tickets: list[Goal], options: list[list[Option]]
) -> None:
    assert lend(links, tickets, options) == best_by_trying(links, tickets, options)


@pytest.mark.rule("B4", "H5", "R8")
def test_tables_with_many_equal_choices_against_trying() -> None:
    random = Random(3)

    def pair() -> tuple[int, int]:
        first, second = random.sample(range(6), 2)
        return first, second

    for _ in range(400):
        links = [pair() for _ in range(random.randint(0, 3))]
        tickets: list[Goal] = [
            tuple(
                (points, [random.sample(range(6), random.randint(1, 2)) for _ in range(random.choice((2, 2, 3)))])
                for points in sorted(values, reverse=True)
            )
            for values in (random.sample(range(5), random.randint(1, 3)) for _ in range(random.randint(1, 5)))
        ]
        options = []
        for _ in range(random.randint(1, 3)):
            city = random.randrange(6)
            ends = [random.choice([end for end in range(6) if end != city]) for _ in range(random.randint(1, 4))]
            ids = sorted(random.sample("abcdefgh", len(ends)))
            options.append([(route, city, end) for route, end in zip(ids, ends, strict=True)])
        assert lend(links, tickets, options) == best_by_trying(links, tickets, options)
