"""India: I1 to I9, and the rulings IR1 and IR2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from helpers import arranged, happened, keep_all, legal, refused, rules_of
from hypothesis import example, given, strategies as st

import ttr_rules as ttr
from ttr_rules.errors import InvalidInputError
from ttr_rules.events import RouteClaimed, TicketsReturned
from ttr_rules.hints import RouteValues
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_rules.plugins import Score
from ttr_rules.scores import Detail
from ttr_variants.india import India, joined_twice, missing

INDIA = rules_of("india")
APART = rules_of("india:disjoint_cities=true")
#: Three ways around Guntakal: a ring in the west, one in the south, and one that leads on from there to the east.
WEST = [
    "bombay-mormugau-green",
    "guntakal-mormugau-red",
    "bombay-poona-blue",
    "poona-wadi-orange",
    "guntakal-wadi-black",
]
SOUTH = ["bezwada-guntakal-blue", "guntakal-madras-white", "bezwada-madras-red"]


def sheet(*players: Mapping[str, object], rules: ttr.Rules = INDIA) -> tuple[ttr.PlayerScore, ...]:
    """The scores of players with these routes and tickets."""
    table = {"players": [{"name": "ABCD"[n], **each} for n, each in enumerate(players)]}
    return ttr.score(rules, table).players


def route(first: str, second: str) -> str:
    """The first route between two cities."""
    return INDIA.board.routes_between(first, second)[0].id


def mandala(routes: list[str], *tickets: Sequence[object], rules: ttr.Rules = INDIA) -> Score:
    """What the mandala brings for these routes and tickets."""
    return sheet({"routes": routes, "tickets": [list(each) for each in tickets]}, {}, rules=rules)[0].terms["mandala"]


# -- players, doubles, tickets ------------------------------------------------------------------------------------


@pytest.mark.rule("I1", "I3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_players_with_forty_five_cars_and_four_tickets_each(players: int) -> None:
    game = ttr.new_game(rules=INDIA, players=players, seed=1)
    assert game.state.cars == [45] * players
    cards = ttr.cards(game.state)
    assert sum(hand.total for hand in cards.hands) + len(cards.draw_pile) + len(cards.face_up) == 110
    assert {name: len(pile) for name, pile in INDIA.deck.piles.items()} == {"regular": 58}
    assert all(
        len(choice.tickets) == 4 for choice in map(game.decision, range(players)) if isinstance(choice, TicketSetup)
    )
    assert len(game.state.ticket_pile) == 58 - 4 * players


@pytest.mark.rule("I1")
@pytest.mark.parametrize("players", [1, 5])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(InvalidInputError, match="2 to 4"):
        ttr.new_game(rules=INDIA, players=players, seed=1)


@pytest.mark.rule("I2")
@pytest.mark.parametrize(
    ("players", "route", "hand"),
    [(2, "agra-bhopal-red", {"red": 1}), (3, "calicut-quilon-gray-1", {"red": 1, "locomotive": 1})],
)
def test_with_two_or_three_players_one_of_a_double_closes_the_other(
    players: int, route: str, hand: dict[str, int]
) -> None:
    others = {"agra-bhopal-red": "agra-bhopal-purple", "calicut-quilon-gray-1": "calicut-quilon-gray-2"}
    game = arranged("india", {"hand": hand}, {"routes": [others[route]]}, *[{}] * (players - 2))
    assert refused(game, ttr.ClaimRoute(0, route, hand)) == "C6"


@pytest.mark.rule("I2")
def test_four_players_use_both_of_a_double_but_never_one_player() -> None:
    tables: list[dict[str, Any]] = [{"hand": {"red": 1}}, {"routes": ["agra-bhopal-purple"]}, {}, {}]
    game = arranged("india", *tables)
    game.play(ttr.ClaimRoute(0, "agra-bhopal-red", {"red": 1}))
    assert game.state.owners == {"agra-bhopal-red": 0, "agra-bhopal-purple": 1}
    game = arranged("india", {"hand": {"red": 1}, "routes": ["agra-bhopal-purple"]}, {}, {}, {})
    assert refused(game, ttr.ClaimRoute(0, "agra-bhopal-red", {"red": 1})) == "C5"


@pytest.mark.rule("I3")
def test_of_the_first_tickets_two_are_kept_and_the_others_go_under_the_pile() -> None:
    game = ttr.new_game(rules=INDIA, players=2, seed=1, first_seat=0)
    first = game.decision(0)
    assert isinstance(first, TicketSetup)
    assert refused(game, ttr.KeepTickets(0, first.tickets[:1])) == "I3"
    assert len(legal(game, ttr.KeepTickets, 0)) == 2**4 - 4 - 1
    game.play(ttr.KeepTickets(0, first.tickets[:2]))
    keep_all(game)
    assert game.state.ticket_pile[-2:] == first.tickets[2:]


@pytest.mark.rule("I3")
def test_of_three_tickets_drawn_in_play_one_is_kept_and_the_others_go_under_the_pile() -> None:
    game = arranged("india", {}, {})
    before = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    choice = game.decision(0)
    assert isinstance(choice, TicketChoice) and choice.tickets == before[:3]
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    events = game.play(ttr.KeepTickets(0, before[:1]))
    assert happened(events, TicketsReturned)
    assert game.state.ticket_pile == (*before[3:], *before[1:3])


# -- routes -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("I4")
def test_ferries_are_gray_with_one_or_two_symbols() -> None:
    ferries = [route for route in INDIA.board.routes.values() if route.ferry_locomotives]
    assert {(route.color, route.length, route.ferry_locomotives) for route in ferries} == {
        ("gray", 2, 1),
        ("gray", 6, 2),
        ("gray", 8, 2),
    }
    assert len(ferries) == 8


@pytest.mark.rule("I4", "I5")
def test_calcutta_madras_takes_six_of_a_color_and_two_locomotives() -> None:
    game = arranged("india", {"hand": {"blue": 7, "red": 1, "locomotive": 3}}, {}, draw_pile=["red"])
    ferry = "calcutta-madras-gray"
    assert refused(game, ttr.ClaimRoute(0, ferry, {"blue": 7, "locomotive": 1})) == "F1"
    assert refused(game, ttr.ClaimRoute(0, ferry, {"blue": 5, "red": 1, "locomotive": 2})) == "C1"
    ways = [claim.payment for claim in legal(game, ttr.ClaimRoute) if claim.route == ferry]
    assert ways == [{"blue": 6, "locomotive": 2}, {"blue": 5, "locomotive": 3}]
    (claimed,) = happened(game.play(ttr.ClaimRoute(0, ferry, {"blue": 6, "locomotive": 2})), RouteClaimed)
    assert claimed.points == 21 and game.state.cars[0] == 37


@pytest.mark.rule("I5")
def test_points_by_length() -> None:
    assert INDIA.board.points == {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21}
    assert sheet({"routes": [["calcutta", "madras"], ["bombay", "calicut"]]}, {})[0].route_points == 21 + 15


# -- bonus and ties -----------------------------------------------------------------------------------------------


@pytest.mark.rule("I6")
def test_ten_points_for_the_longest_path_to_all_tied_and_none_for_the_most_tickets() -> None:
    first, second = sheet(
        {"routes": ["bezwada-madras-red", "bezwada-guntakal-blue"], "tickets": [["bombay", "bezwada"]]},
        {"routes": ["guntakal-mormugau-red", "bombay-mormugau-green"]},
    )
    assert first.longest_path.length == second.longest_path.length == 3
    assert first.bonuses == second.bonuses == {"longest_path": 10}
    done = {"routes": ["bezwada-guntakal-blue"], "tickets": [["bezwada", "guntakal", 2]]}
    most, longest = sheet(done, {"routes": ["calcutta-madras-gray"]})
    assert (most.completed_tickets, most.bonuses, longest.bonuses) == (1, {}, {"longest_path": 10})


@pytest.mark.rule("I9")
def test_more_completed_tickets_break_a_tie_and_then_the_longest_path() -> None:
    joined = {"routes": ["bezwada-guntakal-blue"], "tickets": [["bezwada", "guntakal", 2]]}
    apart = {"routes": ["guntakal-madras-white", "agra-katni-green"]}
    first, second = sheet(joined, apart)
    assert (first.total, first.rank, second.total, second.rank) == (14, 1, 14, 2)
    longest = {"routes": ["guntakal-madras-white", "bezwada-madras-red"], "tickets": [["agra", "quilon", 11]]}
    first, second = sheet({"routes": ["agra-katni-green"]}, longest)
    assert (first.total, first.rank, second.total, second.rank) == (2, 2, 2, 1)


# -- the mandala --------------------------------------------------------------------------------------------------


@pytest.mark.rule("I7")
def test_two_paths_may_pass_the_same_city_but_not_use_the_same_route() -> None:
    ticket = ("bombay", "bezwada")
    assert mandala([*WEST, *SOUTH], ticket) == Score(5, 1, (Detail("bombay-bezwada", 5),))
    assert mandala([*WEST, "bezwada-guntakal-blue"], ticket) == Score(0, 0)
    assert mandala([*WEST[:2], *SOUTH], ticket) == Score(0, 0), "completed once only"
    assert mandala([*WEST], ticket) == Score(0, 0), "not completed"


@pytest.mark.rule("I7")
def test_routes_of_others_do_not_count() -> None:
    mine = {"routes": [*WEST[:2], "bezwada-guntakal-blue"], "tickets": [["bombay", "bezwada"]]}
    first, second = sheet(mine, {"routes": [*WEST[2:], *SOUTH[1:]]})
    assert first.terms["mandala"] == second.terms["mandala"] == Score(0, 0)
    assert first.tickets[0].completed
    mine = {"routes": [*WEST, *SOUTH], "tickets": [["bombay", "bezwada"]]}
    assert [player.terms["mandala"].points for player in sheet({"routes": ["calcutta-madras-gray"]}, mine)] == [0, 5]


#: A ring through the middle of the map, and the tickets between cities on it.
RING = [
    ["delhi", "agra"], ["agra", "bhopal"], ["bhopal", "khandwa"], ["khandwa", "ratiam"], ["ratiam", "jaipur"], ["jaipur", "delhi"],
]  # fmt: skip


@pytest.mark.rule("I8", "IR2")
@pytest.mark.parametrize(("count", "points"), [(1, 5), (2, 10), (3, 20), (4, 30), (5, 40), (6, 40), (7, 40)])
def test_the_mandala_by_the_number_of_tickets(count: int, points: int) -> None:
    """The first and the second bring five each, the next three ten each, more bring nothing, whatever they are worth."""
    cities = [city for city, _ in RING]
    pairs = list(combinations(cities, 2))[:count]
    tickets = [(first, second, 3 + number) for number, (first, second) in enumerate(pairs)]
    routes = [route(*pair) for pair in RING]
    found = mandala(routes, *tickets)
    assert (found.points, found.count) == (points, count)
    assert [detail.points for detail in found.details] == [5, 5, 10, 10, 10, 0, 0][:count]
    player = sheet({"routes": routes, "tickets": tickets}, {})[0]
    assert player.ticket_points == sum(points for *_, points in tickets)
    assert player.total == player.route_points + player.ticket_points + points + 10


@pytest.mark.rule("IR1")
def test_a_ruling_keeps_the_two_paths_apart_but_for_their_ends() -> None:
    assert not India().disjoint_cities
    ticket = ("bombay", "bezwada")
    assert mandala([*WEST, *SOUTH], ticket, rules=APART) == Score(0, 0)
    assert mandala(WEST, ["bombay", "guntakal", 4], rules=APART).points == 5


@pytest.mark.rule("IR2")
def test_paths_of_equal_length_and_of_the_longest_path_count() -> None:
    square = [["agra", "delhi"], ["delhi", "jaipur"], ["agra", "jaipur"]]
    found = sheet({"routes": square, "tickets": [["agra", "delhi", 2], ["delhi", "jaipur", 2]]}, {})[0]
    assert found.terms["mandala"].points == 10 and set(found.longest_path.routes) == {route(*pair) for pair in square}


@pytest.mark.rule("I7", "I8")
@pytest.mark.parametrize(
    ("mine", "other", "cars", "worth"),
    [
        (WEST[:-1], [], 30, {"guntakal-wadi-black": 4, "guntakal-wadi-purple": 4}),
        (WEST[:-1], [], 0, {}),
        (
            WEST[:-2],
            WEST[-2:-1],
            30,
            {"mormugau-poona-gray": 1, "mormugau-wadi-gray": 2, "guntakal-wadi-black": 1, "guntakal-wadi-purple": 1},
        ),
        (WEST[:-2], WEST[-2:-1], 3, {}),
        (WEST, [], 30, {}),
        (WEST[:1], [], 30, {}),
    ],
)
def test_bots_see_what_a_route_brings_towards_the_mandala(
    mine: list[str], other: list[str], cars: int, worth: dict[str, int]
) -> None:
    """Its part of the five points of a ticket, by its cars; nothing if there are not the cars or a path is still missing."""
    tables = ({"routes": [*mine, *SOUTH], "tickets": [["bombay", "bezwada"]], "cars": cars}, {"routes": other})
    game = arranged("india", *tables)
    (hint,) = INDIA.bot_hints
    assert isinstance(hint, RouteValues)
    values = hint.values(game.view(0), INDIA)
    assert {id: value for id, value in values.items() if value and id not in game.state.owners} == worth


# -- the algorithm ------------------------------------------------------------------------------------------------


def simple_paths(
    links: list[tuple[int, int]], start: int, end: int, used: tuple[int, ...] = ()
) -> list[tuple[int, ...]]:
    """Every path that uses no link twice, by the numbers of its links: slowly, for the tests."""
    found = [used] if start == end else []
    for number, link in enumerate(links):
        if number not in used and start in link:
            found += simple_paths(links, link[0] + link[1] - start, end, (*used, number))
    return found


@pytest.mark.rule("I7", "IR1")
@example([(0, 2), (2, 3), (0, 4), (4, 3), (3, 1), (3, 5), (5, 1)])  # the second city on the way is on every way
@example([(0, 2), (2, 3), (3, 1), (0, 4), (4, 3), (2, 5), (5, 1)])  # a shortest path takes a link from both of the two
@example([(0, 5), (0, 5), (5, 1), (5, 1)])  # twice, but always by way of one city
@example([(0, 1), (1, 0)])
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda link: link[0] != link[1]), max_size=8))
def test_two_paths_are_found_exactly_where_there_are_two(links: list[tuple[int, int]]) -> None:
    """Against every pair of paths that there is, on small maps with doubles."""
    paths = simple_paths(links, 0, 1)
    apart = [(first, second) for first, second in combinations(paths, 2) if not set(first) & set(second)]
    assert joined_twice(links, 0, 1) == bool(apart)

    def between(path: tuple[int, ...]) -> set[int]:
        return {city for number in path for city in links[number]} - {0, 1}

    strictly = [each for each in apart if not between(each[0]) & between(each[1])]
    assert joined_twice(links, 0, 1, disjoint_cities=True) == bool(strictly)
    renamed = [(5 - first, 5 - second) for first, second in links]  # whatever the numbers of the two cities
    assert joined_twice(renamed, 5, 4, disjoint_cities=True) == bool(strictly)


@given(
    links=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 3)).filter(lambda link: link[0] != link[1]),
        max_size=8,
    ),
)
def test_what_is_missing_for_a_second_path_takes_the_fewest_cars(links: list[tuple[int, int, int]]) -> None:
    """Against every choice of free links; those that take no cars are one's own."""
    ends, cars = [link[:2] for link in links], [link[2] for link in links]
    own = [each for each, count in enumerate(cars) if not count]
    free = [each for each, count in enumerate(cars) if count]
    some = [chosen for size in range(len(free) + 1) for chosen in combinations(free, size)]
    enough = [chosen for chosen in some if joined_twice([ends[each] for each in (*own, *chosen)], 0, 1)]
    found = missing(ends, cars, own, set(free), 0, 1)
    if not enough or not simple_paths([ends[each] for each in own], 0, 1):
        assert found is None
    else:
        assert found is not None and set(found) in map(set, enough)
        assert sum(cars[each] for each in found) == min(sum(cars[each] for each in chosen) for chosen in enough)
