"""Legendary Asia: L1 to L14, and the rulings LR1 to LR3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from helpers import arranged, happened, keep_all, legal, play, refused, rules_of

import ttr_rules as ttr
from ttr_rules.errors import InvalidInputError
from ttr_rules.events import LastRoundBegun, RouteClaimed, TicketsReturned
from ttr_rules.hints import RouteValues
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_rules.plugins import Score
from ttr_rules.scores import Detail
from ttr_variants.legendary_asia import PER_CITY, LegendaryAsia, MountainsCrossed

ASIA = rules_of("legendary-asia")


def sheet(*players: Mapping[str, object], rules: ttr.Rules = ASIA) -> tuple[ttr.PlayerScore, ...]:
    """The scores of players with these routes and tickets."""
    table = {"players": [{"name": "ABCDE"[n], **each} for n, each in enumerate(players)]}
    return ttr.score(rules, table).players


def claimed(route: str, hand: dict[str, int], **player: Any) -> tuple[ttr.Game, Sequence[ttr.Event]]:
    """The first seat claims a route with its whole hand: the game after it, and what happened."""
    game = arranged("legendary-asia", {"hand": hand, **player}, {}, draw_pile=["red"])
    return game, game.play(ttr.ClaimRoute(0, route, hand))


# -- set-up and tickets -------------------------------------------------------------------------------------------


@pytest.mark.rule("L1", "L2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players_with_one_long_and_three_regular_tickets(players: int) -> None:
    game = ttr.new_game(rules=ASIA, players=players, seed=1)
    assert game.state.cars == [45] * players
    cards = ttr.cards(game.state)
    assert sum(hand.total for hand in cards.hands) + len(cards.draw_pile) + len(cards.face_up) == 110
    assert {name: len(pile) for name, pile in ASIA.deck.piles.items()} == {"long": 6, "regular": 30}
    for seat in range(players):
        choice = game.decision(seat)
        assert isinstance(choice, TicketSetup)
        assert [ASIA.tickets[ticket].kind for ticket in choice.tickets] == ["long", "regular", "regular", "regular"]
    assert "long" not in game.state.ticket_piles, "the long ones not dealt are in the box"


@pytest.mark.rule("L1")
@pytest.mark.parametrize("players", [1, 6])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(InvalidInputError, match="2 to 5"):
        ttr.new_game(rules=ASIA, players=players, seed=1)


@pytest.mark.rule("L2")
def test_two_tickets_are_kept_in_any_mix() -> None:
    game = ttr.new_game(rules=ASIA, players=2, seed=1, first_seat=0)
    choice = game.decision(0)
    assert isinstance(choice, TicketSetup)
    long, *regular = choice.tickets
    assert refused(game, ttr.KeepTickets(0, [long])) == "L2"
    assert len(legal(game, ttr.KeepTickets, 0)) == 2**4 - 4 - 1
    assert game.is_legal(ttr.KeepTickets(0, [long, regular[2]]))
    assert game.is_legal(ttr.KeepTickets(0, regular[:2]))


def refuse_two_each(rules: ttr.Rules) -> tuple[ttr.Game, list[tuple[str, ...]], Sequence[ttr.Event]]:
    """Each of two seats refuses its long ticket and a regular one: the game, what was dealt, what happened."""
    game = ttr.new_game(rules=rules, players=2, seed=1, first_seat=0)
    dealt = [choice.tickets for choice in map(game.decision, (0, 1)) if isinstance(choice, TicketSetup)]
    events = play(game, *[ttr.KeepTickets(seat, tickets[1:3]) for seat, tickets in enumerate(dealt)])
    return game, dealt, events


@pytest.mark.rule("L3", "LR1")
def test_tickets_refused_at_set_up_leave_the_game() -> None:
    game, dealt, events = refuse_two_each(ASIA)
    assert not happened(events, TicketsReturned)
    assert len(game.state.ticket_pile) == 30 - 6
    assert not {ticket for tickets in dealt for ticket in tickets} & set(game.state.ticket_pile)


@pytest.mark.rule("LR1")
def test_a_ruling_puts_regular_tickets_under_the_pile_and_long_ones_in_the_box_all_the_same() -> None:
    assert not LegendaryAsia().refused_under_deck
    game, dealt, events = refuse_two_each(rules_of("legendary-asia:refused_under_deck=true"))
    assert [event.pile for event in happened(events, TicketsReturned)] == ["regular"]
    assert game.state.ticket_pile[-2:] == (dealt[0][3], dealt[1][3])
    assert len(game.state.ticket_pile) == 30 - 4
    assert all(game.rules.tickets[ticket].kind == "regular" for ticket in game.state.ticket_pile)
    assert "long" not in game.state.ticket_piles


@pytest.mark.rule("L3")
def test_tickets_drawn_in_play_are_regular_and_go_back_under_the_pile() -> None:
    game = ttr.new_game(rules=ASIA, players=2, seed=1, first_seat=0)
    keep_all(game)
    before = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    choice = game.decision(0)
    assert isinstance(choice, TicketChoice) and choice.tickets == before[:3]
    assert {ASIA.tickets[ticket].kind for ticket in before} == {"regular"}
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    game.play(ttr.KeepTickets(0, before[:1]))
    assert game.state.ticket_pile == (*before[3:], *before[1:3])


# -- doubles and ferries ------------------------------------------------------------------------------------------


@pytest.mark.rule("L4")
def test_with_three_players_one_of_a_double_closes_the_other_and_with_four_not() -> None:
    tables: list[dict[str, Any]] = [{"hand": {"white": 2}}, {"routes": ["chita-irkutsk-white"]}, {}, {}]
    assert (
        refused(arranged("legendary-asia", *tables[:3]), ttr.ClaimRoute(0, "chita-irkutsk-gray", {"white": 2})) == "C6"
    )
    four = arranged("legendary-asia", *tables)
    assert four.is_legal(ttr.ClaimRoute(0, "chita-irkutsk-gray", {"white": 2})), "the neighbor's color, too"
    own = arranged("legendary-asia", {**tables[0], **tables[1]}, {}, {}, {})
    assert refused(own, ttr.ClaimRoute(0, "chita-irkutsk-gray", {"white": 2})) == "C5"


@pytest.mark.rule("L4")
@pytest.mark.parametrize("color", ["white", "red"])
def test_a_gray_route_beside_a_colored_one_takes_any_color(color: str) -> None:
    game = arranged("legendary-asia", {"hand": {color: 2}}, {})
    routes = {claim.route for claim in legal(game, ttr.ClaimRoute)}
    assert "chita-irkutsk-gray" in routes
    assert ("chita-irkutsk-white" in routes) == (color == "white")


@pytest.mark.rule("L5")
def test_a_colored_ferry_takes_its_color_and_a_locomotive() -> None:
    ferries = [route for route in ASIA.board.routes.values() if route.ferry_locomotives]
    assert len(ferries) == 15 and {route.ferry_locomotives for route in ferries} == {1}
    assert sum(route.color != "gray" for route in ferries) == 8
    assert not any("cross" in route.marks for route in ferries)
    game = arranged("legendary-asia", {"hand": {"blue": 5, "white": 5, "locomotive": 2}}, {})
    assert refused(game, ttr.ClaimRoute(0, "kobe-taipei-blue", {"blue": 5})) == "F1"
    assert refused(game, ttr.ClaimRoute(0, "kobe-taipei-blue", {"white": 4, "locomotive": 1})) == "C1"
    assert [claim.payment for claim in legal(game, ttr.ClaimRoute) if claim.route == "kobe-taipei-blue"] == [
        {"blue": 4, "locomotive": 1},
        {"blue": 3, "locomotive": 2},
    ]


# -- mountains ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("L6", "L7", "L9", "L11")
@pytest.mark.parametrize(
    ("route", "hand", "cars", "points", "crossing"),
    [
        ("peking-ulan_bator-red", {"red": 3}, 4, 4, 2),
        ("karachi-shiraz-blue", {"blue": 2}, 4, 2, 4),
        ("mandalay-rangoon-gray", {"green": 1}, 2, 1, 2),
        ("chita-irkutsk-gray", {"green": 2}, 2, 2, 0),
        ("chita-irkutsk-white", {"white": 2}, 3, 2, 2),
    ],
)
def test_a_mountain_route_takes_a_car_for_each_cross_and_scores_two_for_it(
    route: str, hand: dict[str, int], cars: int, points: int, crossing: int
) -> None:
    game, events = claimed(route, hand)
    assert game.state.cars == [45 - cars, 45]
    assert [event.points for event in happened(events, RouteClaimed)] == [points]
    crossed = [MountainsCrossed(0, route, crossing // 2, crossing)] if crossing else []
    assert happened(events, MountainsCrossed) == crossed
    assert game.view(1).scores == (points + crossing, 0), "at once, and for everybody to see"
    assert not ttr.cards(game.state).hands[0], "no more cards are played"


@pytest.mark.rule("L6")
def test_the_crosses_of_the_map() -> None:
    found = [route.marks.count("cross") for route in ASIA.board.routes.values()]
    assert (found.count(0), found.count(1), found.count(2)) == (69, 23, 8)
    assert all(set(route.marks) <= {"cross"} for route in ASIA.board.routes.values())


@pytest.mark.rule("L8", "L10")
def test_a_mountain_route_needs_cars_for_its_crosses_too() -> None:
    hand = {"blue": 2}
    game = arranged("legendary-asia", {"hand": hand, "cars": 3}, {}, draw_pile=["red"])
    claim = ttr.ClaimRoute(0, "karachi-shiraz-blue", hand)
    assert str(game.refusal(claim)) == "[C3] karachi-shiraz-blue takes 4 train cars; seat 0 has 3"
    short = arranged("legendary-asia", {"hand": {"red": 2}, "cars": 1}, {})
    assert refused(short, ttr.ClaimRoute(0, "agra-karachi-red", {"red": 2})) == "C3"
    game = arranged("legendary-asia", {"hand": hand, "cars": 4}, {}, draw_pile=["red"])
    assert happened(game.play(claim), LastRoundBegun)
    assert game.state.cars[0] == 0


@pytest.mark.rule("L10")
@pytest.mark.parametrize(
    ("route", "hand", "begun"), [("chita-irkutsk-white", {"white": 2}, 1), ("chita-irkutsk-gray", {"red": 2}, 0)]
)
def test_cars_in_the_crossing_count_as_used_for_the_last_round(route: str, hand: dict[str, int], begun: int) -> None:
    _, events = claimed(route, hand, cars=5)
    assert len(happened(events, LastRoundBegun)) == begun


@pytest.mark.rule("L10")
def test_cars_in_the_crossing_join_nothing() -> None:
    player = sheet(
        {"routes": ["karachi-shiraz-blue", "mandalay-rangoon-gray"], "tickets": [["karachi", "rangoon", 3]]}, {}
    )[0]
    assert not player.tickets[0].completed
    assert player.longest_path.length == 2, "its spaces alone"
    assert player.terms["network"].count == 2


@pytest.mark.rule("L9")
def test_each_route_of_a_double_has_its_own_crosses() -> None:
    crosses = {id: route.marks.count("cross") for id, route in ASIA.board.routes.items()}
    assert (crosses["chita-irkutsk-gray"], crosses["chita-irkutsk-white"]) == (0, 1)
    assert (crosses["karachi-shiraz-blue"], crosses["karachi-shiraz-purple"]) == (2, 2)
    assert ASIA.route_cars["chita-irkutsk-gray"] == 2 and ASIA.route_cars["chita-irkutsk-white"] == 3


@pytest.mark.rule("L11")
def test_points_by_length() -> None:
    assert ASIA.board.points == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
    assert sheet({"routes": ["dihua-peking-gray"]}, {})[0].route_points == 15


@pytest.mark.rule("L7")
def test_a_scored_table_has_the_points_of_the_crossing() -> None:
    first, second = sheet(
        {"routes": [["Karachi", "Shiraz", "purple"], ["Mandalay", "Rangoon"]]}, {"routes": [["Agra", "Bombay"]]}
    )
    assert first.terms["mountains"] == Score(
        6, 2, (Detail("karachi-shiraz-purple", 4), Detail("mandalay-rangoon-gray", 2))
    )
    assert second.terms["mountains"] == Score(0, 0)
    assert first.total == 2 + 1 + 6 + 10


# -- bonus and ties -----------------------------------------------------------------------------------------------

#: A triangle with a branch, and a longer way with fewer cities.
TRIANGLE = [["Agra", "Karachi"], ["Karachi", "Rawalpindi"], ["Rawalpindi", "Agra"], ["Agra", "Bombay"]]


@pytest.mark.rule("L12")
def test_the_largest_network_counts_cities_with_branches_and_loops() -> None:
    first, second = sheet({"routes": TRIANGLE}, {"routes": [["Dihua", "Peking"], ["Khabarovsk", "Peking"]]})
    assert (first.terms["network"], second.terms["network"]) == (Score(0, 4), Score(0, 3))
    assert (first.bonuses, second.bonuses) == ({"asian_explorer": 10}, {})
    assert second.longest_path.length > first.longest_path.length


@pytest.mark.rule("L12")
def test_only_the_largest_of_several_networks_counts_and_all_tied_get_the_points() -> None:
    two = [["Dihua", "Peking"], ["Moscow", "Perm"]]
    first, second, third = sheet({"routes": two}, {"routes": [["Kobe", "Taipei"]]}, {"routes": TRIANGLE[:2]})
    assert [player.terms["network"].count for player in (first, second, third)] == [2, 2, 3]
    assert [player.bonuses for player in (first, second, third)] == [{}, {}, {"asian_explorer": 10}]
    joined = [["Chita", "Khabarovsk"], ["Khabarovsk", "Peking"]]  # of two networks a third route makes one
    parts = [
        ["Dihua", "Peking"],
        ["Chita", "Irkutsk", "gray"],
        ["Chita", "Ulan Bator"],
        ["Peking", "Ulan Bator", "red"],
    ]
    first, second = sheet({"routes": parts}, {"routes": [*joined, *two[1:]]})
    assert (first.terms["network"].count, second.terms["network"].count) == (5, 3)
    first, second = sheet({"routes": two[:1]}, {"routes": two[1:]})
    assert first.bonuses == second.bonuses == {"asian_explorer": 10}


@pytest.mark.rule("LR3")
def test_nobody_explores_without_a_route() -> None:
    assert [player.bonuses for player in sheet({}, {})] == [{}, {}]


@pytest.mark.rule("L13")
def test_nothing_for_the_longest_path_and_the_most_tickets() -> None:
    done = {"routes": TRIANGLE[:1], "tickets": [["Agra", "Karachi", 2]]}
    longer = {"routes": [["Dihua", "Peking"], ["Kobe", "Taipei"]]}
    assert [set(player.bonuses) for player in sheet(done, longer)] == [{"asian_explorer"}, {"asian_explorer"}]


def tied(first: Mapping[str, object], second: Mapping[str, object], rules: ttr.Rules = ASIA) -> tuple[int, int]:
    """The ranks of two players who have equal points."""
    one, other = sheet(first, second, rules=rules)
    assert one.total == other.total
    return one.rank, other.rank


@pytest.mark.rule("L14")
def test_completed_tickets_break_a_tie_then_mountain_routes() -> None:
    ticket = {"routes": [["Agra", "Bombay"]], "tickets": [["Agra", "Bombay", 2]]}
    mountain = {"routes": [["Agra", "Kathmandu"]]}
    assert tied(mountain, ticket) == (2, 1)
    two_crosses = {"routes": [["Karachi", "Shiraz"], ["Chita", "Ulan Bator"]]}
    two_routes = {"routes": [["Agra", "Kathmandu"], ["Ankara", "Tbilisi"]]}
    assert tied(two_crosses, two_routes) == (2, 1)


@pytest.mark.rule("LR2")
def test_a_ruling_counts_the_cars_in_the_crossing() -> None:
    assert LegendaryAsia().mountain_tie == "routes"
    cars = rules_of("legendary-asia:mountain_tie=cars")
    two_crosses = {"routes": [["Karachi", "Shiraz"], ["Chita", "Ulan Bator"]]}
    two_routes = {"routes": [["Agra", "Kathmandu"], ["Ankara", "Tbilisi"]]}
    assert tied(two_crosses, two_routes, rules=cars) == (1, 1)
    one_cross = {"routes": [["Agra", "Kathmandu"], ["Chita", "Ulan Bator"]]}
    assert tied(one_cross, {"routes": [["Karachi", "Shiraz"]]}) == (1, 1)
    assert tied(one_cross, {"routes": [["Karachi", "Shiraz"]]}, rules=cars) == (2, 1)


def test_bots_see_what_crosses_are_worth() -> None:
    game = arranged("legendary-asia", {}, {})
    (hint,) = (each for each in ASIA.bot_hints if isinstance(each, RouteValues))
    cities = 2 * PER_CITY  # that the first route connects
    for id, value in {"karachi-shiraz-blue": 4, "mandalay-rangoon-gray": 2, "agra-bombay-orange": 0}.items():
        assert hint.values(game.view(0), ASIA)[id] == value + cities
