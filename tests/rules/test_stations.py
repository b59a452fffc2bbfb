"""Stations: B1 to B6, and ruling R8 both ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from helpers import COLORS, arranged, happened, legal, play, refused, rules_of, whole

import ttr_rules as ttr
from ttr_rules.errors import InvalidTableError
from ttr_rules.events import CardsSpent, GameEnded
from ttr_rules.graph import LongestPath
from ttr_rules.model import TicketChoice
from ttr_rules.scores import TicketScore
from ttr_variants.europe import (
    FEWER_STATIONS,
    BuildStation,
    LendRoutes,
    RoutesLent,
    StationBuilt,
    StationLinks,
    Stations,
)

EUROPE = rules_of("europe")
ASK = ttr.compile_rules("europe", rulings={"station_choice": "ask"})
CITIES = set(EUROPE.board.cities)
LOCO = "locomotive"
#: Cities far from where the tests happen, for stations that only cost.
FAR = ["cadiz", "erzurum", "moskva"]


def built(number: int) -> dict[str, Any]:
    """The entry of a player who has built so many stations."""
    return {"stations": FAR[:number]}


def sheet(*players: Mapping[str, Any], rules: ttr.Rules = EUROPE) -> tuple[ttr.PlayerScore, ...]:
    """The score sheet of a finished table."""
    names = [{"name": "ABCDE"[seat], **player} for seat, player in enumerate(players)]
    return ttr.score(rules, {"players": names}).players


# -- B1: where and how many ------------------------------------------------------------------------------------------


@pytest.mark.rule("B1")
def test_in_any_city_connected_or_not() -> None:
    game = arranged("europe", {"hand": {"red": 1}, "routes": ["berlin-wien-green"]}, {})
    actions = legal(game, BuildStation)
    assert len(actions) == len(CITIES) == 47
    assert {action.city for action in actions} == CITIES
    assert {action.payment for action in actions} == {ttr.Counts(red=1)}


@pytest.mark.rule("B1", "B2")
def test_building_takes_the_card_and_ends_the_turn() -> None:
    game = arranged("europe", {"hand": {"red": 2, LOCO: 1}}, {}, draw_pile=["red"], discards=["blue"])
    events = game.play(BuildStation(0, "wien", {"red": 1}))
    assert happened(events, StationBuilt) == [StationBuilt(0, "wien")]
    assert happened(events, CardsSpent) == [CardsSpent(0, ttr.Counts(red=1))]
    state = game.state
    assert state.part(Stations).built == {"wien": 0}
    assert ttr.cards(state).hands[0] == {"red": 1, LOCO: 1}
    assert ttr.cards(state).discards == ("blue", "red")
    assert (state.scores, state.cars) == ([0, 0], [45, 45])
    assert state.to_act == (1,)
    assert refused(game, BuildStation(0, "berlin", {"red": 1})) == "S5"


@pytest.mark.rule("B1")
@pytest.mark.parametrize("owner", [0, 1])
def test_not_in_a_city_with_a_station(owner: int) -> None:
    players: list[dict[str, Any]] = [{}, {}]
    players[owner]["stations"] = ["wien"]
    players[0]["hand"] = {"red": 2}
    game = arranged("europe", *players)
    payment = {"red": 2 if owner == 0 else 1}
    assert refused(game, BuildStation(0, "wien", payment)) == "B1"
    assert {action.city for action in legal(game, BuildStation)} == CITIES - {"wien"}


@pytest.mark.rule("B1")
def test_three_a_game() -> None:
    hand = {"red": 12, LOCO: 6}
    game = arranged("europe", {"hand": hand, **built(2)}, {}, draw_pile=["blue"] * 5)
    game.play(BuildStation(0, "wien", {"red": 3}))
    play(game, ttr.DrawBlind(1), ttr.DrawBlind(1))
    assert legal(game, BuildStation) == []
    for cards in range(1, 5):
        assert refused(game, BuildStation(0, "berlin", {"red": cards})) == "B1"
    assert Counter(game.state.part(Stations).built.values()) == {0: 3}


@pytest.mark.rule("B1", "B2")
def test_what_is_among_the_stations_offered_is_what_the_list_holds() -> None:
    game = arranged("europe", {"hand": {"red": 2, "blue": 1, LOCO: 1}, **built(1)}, {"stations": ["wien"]})
    offered = game.legal_actions()
    listed = legal(game, BuildStation)
    there = 0
    for city in (*CITIES, "atlantis", None, ["wien"]):
        for payment in ({"red": 2}, {"red": 1, LOCO: 1}, {"blue": 2}, {"red": 1}, {LOCO: 2}, {}):
            action = BuildStation(0, city, payment)  # type: ignore[arg-type]
            assert (action in offered) == (action in listed)
            assert BuildStation(1, city, payment) not in offered  # type: ignore[arg-type]
            there += action in offered
    assert there == 2 * (len(CITIES) - 2)


@pytest.mark.rule("B1", "S8")
def test_one_a_turn() -> None:
    game = arranged("europe", {"hand": {"red": 12}}, {}, draw_pile=["blue"] * 9)
    for number, city in enumerate(["wien", "berlin", "roma"], 1):
        game.play(BuildStation(0, city, {"red": number}))
        assert game.to_act == (1,)
        play(game, ttr.DrawBlind(1), ttr.DrawBlind(1))
    assert game.state.part(Stations).built == {"wien": 0, "berlin": 0, "roma": 0}
    assert ttr.cards(game.state).hands[0] == {"red": 6}


@pytest.mark.rule("B1")
@pytest.mark.parametrize("city", ["atlantis", "", "Wien", None, 3, "berlin-wien-green"])
def test_an_unknown_city_is_refused(city: object) -> None:
    game = arranged("europe", {"hand": {"red": 1}}, {})
    assert refused(game, BuildStation(0, city, {"red": 1})) == "S8"  # type: ignore[arg-type]
    assert "is not one of amsterdam, angora, " in str(game.refusal(BuildStation(0, city, {"red": 1})))  # type: ignore[arg-type]


@pytest.mark.rule("B1")
def test_every_player_has_three() -> None:
    players: list[dict[str, Any]] = [{"hand": {"red": 1}}, {"stations": FAR}]
    game = arranged("europe", *players)
    assert {action.city for action in legal(game, BuildStation)} == CITIES - set(FAR)


@pytest.mark.rule("B1")
def test_stations_belong_to_europe() -> None:
    game = arranged("north-america", {"hand": {"red": 1}}, {})
    assert refused(game, BuildStation(0, "denver", {"red": 1})) == "S8"


# -- B2: what it costs ----------------------------------------------------------------------------------------------


@pytest.mark.rule("B2")
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    "hand",
    [
        {},
        {LOCO: 1},
        {"red": 1, "blue": 1},
        {"red": 2, LOCO: 1},
        {"red": 3, "blue": 2, "green": 1, LOCO: 2},
        {LOCO: 4},
        dict.fromkeys(COLORS, 1),
    ],
    ids=str,
)
def test_the_nth_costs_n_cards_of_one_color(number: int, hand: dict[str, int]) -> None:
    game = arranged("europe", {"hand": hand, **built(number - 1)}, {})
    held = sorted(Counter(hand).elements())
    ways = {ttr.Counts(Counter(pick)) for pick in set(combinations(held, number)) if len(set(pick) - {LOCO}) <= 1}
    free = CITIES - set(FAR[: number - 1])
    actions = legal(game, BuildStation)
    assert len(actions) == len(set(actions))
    assert {(action.city, action.payment) for action in actions} == set(product(free, ways))
    for size in range(5):
        for pick in set(combinations(held, size)):
            action = BuildStation(0, "wien", Counter(pick))
            assert (game.refusal(action) is None) is (action.payment in ways)


@pytest.mark.rule("B2")
@pytest.mark.parametrize(
    ("number", "payment"),
    [
        (1, {}),
        (1, {"red": 2}),
        (1, {"white": 1}),
        (1, {"pink": 1}),
        (2, {"red": 1}),
        (2, {"red": 3}),
        (2, {"red": 1, "blue": 1}),
        (2, {LOCO: 2}),
        (3, {"red": 2}),
        (3, {"red": 2, "blue": 1}),
        (3, {"red": 1, "blue": 1, LOCO: 1}),
        (3, {"blue": 2, LOCO: 2}),
    ],
)
def test_payments_that_are_refused(number: int, payment: dict[str, int]) -> None:
    game = arranged("europe", {"hand": {"red": 3, "blue": 2, LOCO: 1}, **built(number - 1)}, {})
    assert refused(game, BuildStation(0, "wien", payment)) == "B2"


@pytest.mark.rule("B2")
def test_the_price_counts_ones_own_stations_only() -> None:
    game = arranged("europe", {"hand": {"red": 1}}, {"stations": FAR}, draw_pile=["blue"])
    game.play(BuildStation(0, "wien", {"red": 1}))
    assert game.state.part(Stations).built["wien"] == 0


@pytest.mark.rule("B2")
def test_locomotives_stand_in_and_are_discarded_last() -> None:
    game = arranged("europe", {"hand": {"red": 1, LOCO: 2}, **built(2)}, {}, draw_pile=["blue"])
    game.play(BuildStation(0, "wien", {LOCO: 2, "red": 1}))
    assert ttr.cards(game.state).discards == ("red", LOCO, LOCO)
    assert ttr.cards(game.state).hands[0] == {}


# -- B3, B5: what a station lends ------------------------------------------------------------------------------------


@pytest.mark.rule("B3", "P2")
def test_a_lent_route_completes_a_ticket() -> None:
    mine = {"routes": ["frankfurt-paris-white", "berlin-frankfurt-red"], "tickets": [["paris", "wien"]]}
    theirs = {"routes": ["berlin-wien-green"]}
    without, _ = sheet(mine, theirs)
    assert (without.ticket_points, without.lends) == (-8, {})
    for city in ("berlin", "wien"):
        player, other = sheet({**mine, "stations": [city]}, theirs)
        assert player.lends == {city: "berlin-wien-green"}
        assert player.tickets == (TicketScore(("paris", "wien"), 8, completed=True, id="paris-wien"),)
        assert other.lends == {}


@pytest.mark.rule("B3")
def test_only_a_route_that_ends_in_the_city() -> None:
    mine = {"routes": ["frankfurt-paris-white"], "tickets": [["paris", "wien"]], "stations": ["frankfurt"]}
    # The route that would help joins Berlin and Wien; the station lends the one that ends in Frankfurt.
    player, _ = sheet(mine, {"routes": ["berlin-wien-green", "berlin-frankfurt-red"]})
    assert player.lends == {"frankfurt": "berlin-frankfurt-red"}
    assert player.ticket_points == -8


@pytest.mark.rule("B3")
def test_one_route_a_station() -> None:
    mine = {"tickets": [["berlin", "wien", 5], ["berlin", "danzig", 4]], "stations": ["berlin"]}
    player, _ = sheet(mine, {"routes": ["berlin-wien-green", "berlin-danzig-gray"]})
    assert player.lends == {"berlin": "berlin-wien-green"}
    assert [ticket.completed for ticket in player.tickets] == [True, False]
    assert player.ticket_points == 5 - 4


@pytest.mark.rule("B3")
def test_three_stations_lend_three_routes_one_after_the_other() -> None:
    chain = ["berlin-wien-green", "warszawa-wien-blue", "warszawa-wilno-red"]
    mine = {"tickets": [["berlin", "wilno", 9]], "stations": ["berlin", "warszawa", "wilno"]}
    player, *_ = sheet(mine, {"routes": chain[:2]}, {"routes": chain[2:]})
    assert player.lends == {"berlin": chain[0], "warszawa": chain[1], "wilno": chain[2]}
    assert player.ticket_points == 9


@pytest.mark.rule("B3")
def test_the_station_of_another_player_is_of_no_use() -> None:
    mine = {"routes": ["berlin-frankfurt-red"], "tickets": [["frankfurt", "wien", 6]]}
    player, other = sheet(mine, {"routes": ["berlin-wien-green"], "stations": ["berlin"]})
    assert player.ticket_points == -6
    assert player.lends == {}
    assert other.lends == {"berlin": "berlin-frankfurt-red"}


@pytest.mark.rule("B3", "P2")
def test_the_lender_keeps_its_route() -> None:
    theirs = {"routes": ["berlin-wien-green"], "tickets": [["berlin", "wien", 6]]}
    _, other = sheet({"stations": ["wien"], "tickets": [["wien", "berlin", 7]]}, theirs)
    assert other.ticket_points == 6


@pytest.mark.rule("B4")
def test_several_stations_of_several_players_may_pick_the_same_route() -> None:
    ticket = [["berlin", "wien", 5]]
    players = sheet(
        {"stations": ["berlin"], "tickets": ticket},
        {"stations": ["wien"], "tickets": [["wien", "berlin", 4]]},
        {"routes": ["berlin-wien-green"]},
    )
    assert [player.lends for player in players] == [
        {"berlin": "berlin-wien-green"},
        {"wien": "berlin-wien-green"},
        {},
    ]
    assert [player.ticket_points for player in players] == [5, 4, 0]


@pytest.mark.rule("B4")
def test_two_stations_of_one_player_may_pick_the_same_route() -> None:
    player, _ = sheet(
        {"stations": ["berlin", "wien"], "tickets": [["berlin", "wien", 5]]}, {"routes": ["berlin-wien-green"]}
    )
    assert player.lends == {"berlin": "berlin-wien-green", "wien": "berlin-wien-green"}


@pytest.mark.rule("B4")
def test_the_same_route_serves_all_tickets() -> None:
    mine = {
        "routes": ["frankfurt-paris-white", "berlin-frankfurt-red"],
        "stations": ["wien"],
        "tickets": [["paris", "wien"], ["wien", "frankfurt", 5], ["berlin", "wien", 3]],
    }
    player, _ = sheet(mine, {"routes": ["berlin-wien-green"]})
    assert player.ticket_points == 8 + 5 + 3


@pytest.mark.rule("B5")
def test_an_unclaimed_route_lends_nothing() -> None:
    mine = {"stations": ["berlin"], "tickets": [["berlin", "wien", 5]]}
    player, _ = sheet(mine, {"routes": ["warszawa-wien-blue"]})
    assert player.lends == {}
    assert player.ticket_points == -5


@pytest.mark.rule("B3")
def test_an_own_route_is_not_lent() -> None:
    player, _ = sheet({"stations": ["berlin"], "routes": ["berlin-wien-green"]}, {})
    assert player.lends == {}


@pytest.mark.rule("B3", "P3")
def test_lent_routes_do_not_count_for_the_longest_path() -> None:
    mine = {
        "routes": ["berlin-frankfurt-red", "warszawa-wien-blue"],
        "stations": ["berlin"],
        "tickets": [["frankfurt", "warszawa", 9]],
    }
    player, other = sheet(mine, {"routes": ["berlin-wien-green", "kharkov-rostov-green"]})
    assert player.lends == {"berlin": "berlin-wien-green"}
    assert player.ticket_points == 9
    assert player.longest_path == LongestPath(4, ("warszawa-wien-blue",))
    assert player.route_points == 4 + 7
    assert other.longest_path.length == 3


@pytest.mark.rule("B3", "C5")
def test_the_other_half_of_ones_own_double_may_be_lent() -> None:
    mine = {"routes": ["edinburgh-london-black"], "stations": ["edinburgh"]}
    player, *_ = sheet(mine, {"routes": ["edinburgh-london-orange"]}, {}, {})
    assert player.lends == {"edinburgh": "edinburgh-london-orange"}
    assert player.longest_path.length == 4


@pytest.mark.rule("B3")
def test_of_a_double_with_one_half_ones_own_only_the_other_can_be_chosen() -> None:
    mine = {"routes": ["edinburgh-london-black"], "stations": ["edinburgh"]}
    table: list[Mapping[str, Any]] = [mine, {"routes": ["edinburgh-london-orange"]}, {}, {}]
    table[0] = {**mine, "lends": {"edinburgh": "edinburgh-london-orange"}}
    assert sheet(*table)[0].lends == {"edinburgh": "edinburgh-london-orange"}
    table[0] = {**mine, "lends": {"edinburgh": "edinburgh-london-black"}}
    with pytest.raises(InvalidTableError) as caught:
        sheet(*table)
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].startswith("players[0].lends.edinburgh: ")


# -- B6 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("B6")
@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_four_points_for_every_station_not_built(number: int) -> None:
    player, other = sheet(built(number), {})
    assert (player.terms["stations"].count, player.terms["stations"].points) == (3 - number, 4 * (3 - number))
    assert player.total == 4 * (3 - number)
    assert (other.terms["stations"].count, other.terms["stations"].points, other.total) == (3, 12, 12)


@pytest.mark.rule("B6")
def test_points_for_stations_come_at_the_end() -> None:
    game = arranged("europe", {"hand": {"red": 1}}, {}, turns_left=1, draw_pile=["blue"])
    game.play(BuildStation(0, "wien", {"red": 1}))
    assert game.state.scores == [0, 0]
    scores = game.final_scores
    assert scores is not None
    assert [player.terms["stations"].points for player in scores.players] == [8, 12]


@pytest.mark.rule("B6")
def test_no_stations_no_points() -> None:
    players = sheet({}, {}, rules=rules_of("north-america"))
    player, _ = players
    assert (player.terms, player.total) == ({}, 0)
    assert FEWER_STATIONS.key(ttr.new_game("north-america", players=2, seed=1).state, players, player) == 0
    written = ttr.score(rules_of("north-america"), {"players": [{}, {}]}).to_json()["players"][0]
    assert (written["terms"], written["lends"]) == ({}, {})


# -- R8: the best choice -----------------------------------------------------------------------------------------------


@pytest.mark.rule("R8")
def test_best_is_most_ticket_points() -> None:
    """One ticket of 9 beats two of 2: points first."""
    mine = {
        "routes": ["berlin-frankfurt-red", "berlin-essen-blue"],
        "stations": ["berlin"],
        "tickets": [["essen", "danzig", 2], ["frankfurt", "danzig", 2], ["essen", "wien", 9]],
    }
    player, _ = sheet(mine, {"routes": ["berlin-danzig-gray", "berlin-wien-green"]})
    assert player.lends == {"berlin": "berlin-wien-green"}
    assert player.ticket_points == 9 - 4


@pytest.mark.rule("R8")
def test_of_equal_points_most_completed_tickets() -> None:
    """One of 6 or two of 3 are the same points, as 6 - 6 is both: two tickets are better."""
    mine = {
        "routes": ["berlin-frankfurt-red", "berlin-essen-blue"],
        "stations": ["berlin"],
        "tickets": [["essen", "danzig", 6], ["essen", "wien", 3], ["frankfurt", "wien", 3]],
    }
    player, _ = sheet(mine, {"routes": ["berlin-danzig-gray", "berlin-wien-green"]})
    assert player.lends == {"berlin": "berlin-wien-green"}
    assert (player.ticket_points, player.completed_tickets) == (0, 2)


@pytest.mark.rule("R8")
def test_of_equal_choices_the_first_by_route_id() -> None:
    mine = {"stations": ["berlin"], "tickets": [["berlin", "danzig", 4], ["berlin", "wien", 4]]}
    routes = ["berlin-wien-green", "berlin-danzig-gray"]
    for order in (routes, routes[::-1]):
        player, _ = sheet(mine, {"routes": order})
        assert player.lends == {"berlin": "berlin-danzig-gray"}


@pytest.mark.rule("R8")
def test_without_tickets_the_first_by_route_id() -> None:
    routes = ["warszawa-wien-blue", "berlin-wien-green", "wien-zagrab-gray"]
    player, _ = sheet({"stations": ["wien"]}, {"routes": routes})
    assert player.lends == {"wien": "berlin-wien-green"}


@pytest.mark.rule("R8")
def test_two_stations_must_be_chosen_together() -> None:
    """Greedy choice would let Berlin lend the route for the ticket of 5; together both give 12."""
    mine = {
        "stations": ["berlin", "wien"],
        "tickets": [["berlin", "danzig", 5], ["berlin", "zagrab", 12]],
    }
    theirs = {"routes": ["berlin-danzig-gray", "berlin-wien-green", "wien-zagrab-gray"]}
    player, _ = sheet(mine, theirs)
    assert player.lends == {"berlin": "berlin-wien-green", "wien": "wien-zagrab-gray"}
    assert player.ticket_points == 12 - 5


def best_by_brute_force(
    owners: dict[str, int], stations: list[str], tickets: list[tuple[list[str], int]]
) -> tuple[int, int, dict[str, str]]:
    """Points, completed tickets and lends of the best choice of seat 0: R8 word for word."""
    routes = EUROPE.board.routes
    own = [routes[id].cities for id, seat in owners.items() if seat == 0]
    lenders = [
        (city, sorted(id for id, seat in owners.items() if seat != 0 and city in routes[id].cities))
        for city in sorted(stations)
    ]
    lenders = [(city, ids) for city, ids in lenders if ids]

    def reached(links: list[tuple[str, str]], start: str) -> set[str]:
        seen = {start}
        while more := {b for link in links for a, b in (link, link[::-1]) if a in seen} - seen:
            seen |= more
        return seen

    found = []
    for choice in product(*(ids for _, ids in lenders)):
        links = own + [routes[id].cities for id in choice]
        done = [reached(links, places[0]).issuperset(places) for places, _ in tickets]
        points = sum(value if ok else -value for (_, value), ok in zip(tickets, done, strict=True))
        found.append((-points, -sum(done), choice))
    points, done_count, choice = min(found)
    return -points, -done_count, dict(zip((city for city, _ in lenders), choice, strict=True))


@pytest.mark.rule("R8", "B3", "B4", "B5", "P2")
@pytest.mark.parametrize(
    "seed", [seed if seed < 20 else pytest.param(seed, marks=pytest.mark.slow) for seed in range(60)]
)
def test_the_best_choice_agrees_with_brute_force(seed: int) -> None:
    chance = Random(seed)
    players = chance.choice([2, 3, 4, 5])
    board = EUROPE.board
    # Few cities, so that routes of several players meet.
    home = set(chance.sample(sorted(CITIES), 1))
    while len(home) < 14:
        home |= {city for route in board.routes.values() if home & set(route.cities) for city in route.cities}
    owners: dict[str, int] = {}
    groups: dict[tuple[str, ...], list[int]] = {}
    for route in board.routes.values():
        holders = groups.setdefault(tuple(sorted(route.cities)), [])
        seat = chance.randrange(players)
        if not set(route.cities) <= home or chance.random() < 0.15:
            continue
        if seat in holders or (holders and players < 4):
            continue
        if sum(board.routes[id].length for id, owner in owners.items() if owner == seat) + route.length > 45:
            continue
        holders.append(seat)
        owners[route.id] = seat
    stations = chance.sample(sorted(home), 3)
    named = [chance.sample(sorted(home), count) for count in (2, 2, 2, 3, 4)]
    known = {frozenset(ticket.cities) for ticket in EUROPE.tickets.values()}
    tickets = [(places, chance.randrange(1, 5)) for places in named if frozenset(places) not in known]
    table: list[dict[str, Any]] = [
        {"routes": [id for id, owner in owners.items() if owner == seat]} for seat in range(players)
    ]
    table[0] |= {"stations": stations, "tickets": [[*places, value] for places, value in tickets]}
    points, completed, lends = best_by_brute_force(owners, stations, tickets)
    player = sheet(*table)[0]
    assert (player.ticket_points, player.completed_tickets, player.lends) == (points, completed, lends)


@pytest.mark.rule("R8")
def test_by_default_nobody_is_asked() -> None:
    players = [{"stations": ["wien"]}, {"routes": ["berlin-wien-green"]}]
    game = arranged("europe", *players, turns_left=1, draw_pile=["red"] * 3)
    events = play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert game.is_over
    assert game.final_scores is not None
    assert game.final_scores.players[0].lends == {"wien": "berlin-wien-green"}
    assert not happened(events, RoutesLent)


# -- R8: the owners are asked ---------------------------------------------------------------------------------------------

NETWORK = ["berlin-wien-green", "warszawa-wien-blue", "berlin-danzig-gray"]


def last_turn(*players: dict[str, Any], to_act: int = 0, rules: ttr.Rules = ASK) -> ttr.Game:
    """A game in which one turn was left, just played by the seat `to_act`."""
    game = arranged(rules, *players, turns_left=1, to_act="ABCDE"[to_act], draw_pile=["red"] * 3)
    assert game.decision(to_act) == ttr.Turn(to_act)
    play(game, ttr.DrawBlind(to_act), ttr.DrawBlind(to_act))
    return game


@pytest.mark.rule("R8", "B4")
def test_the_owners_are_asked_in_seat_order_after_the_last_turn() -> None:
    game = last_turn(
        {"stations": ["wien"], "tickets": [["paris", "wien"]]},
        {"stations": ["berlin"]},
        {"routes": NETWORK},
        to_act=1,
    )
    assert list(game.to_act) == [0]
    assert game.decision(0) == StationLinks(0, {"wien": ("berlin-wien-green", "warszawa-wien-blue")})
    assert game.legal_actions(1) == ()
    assert refused(game, LendRoutes(1, {"berlin": "berlin-wien-green"})) == "S5"
    events = game.play(LendRoutes(0, {"wien": "warszawa-wien-blue"}))
    assert happened(events, RoutesLent) == [RoutesLent(0, {"wien": "warszawa-wien-blue"})]
    assert not happened(events, GameEnded)
    assert list(game.to_act) == [1]
    events = game.play(LendRoutes(1, {"berlin": "berlin-wien-green"}))
    assert [event.reason for event in happened(events, GameEnded)] == ["last round"]
    assert game.is_over
    scores = game.final_scores
    assert scores is not None
    assert [player.lends for player in scores.players] == [
        {"wien": "warszawa-wien-blue"},
        {"berlin": "berlin-wien-green"},
        {},
    ]


@pytest.mark.rule("R8", "B4")
def test_the_owners_word_holds_even_when_another_choice_is_better() -> None:
    mine = {
        "stations": ["wien"],
        "tickets": ["paris-wien"],
        "routes": ["berlin-frankfurt-red", "frankfurt-paris-white"],
    }
    choices = {"berlin-wien-green": 8, "warszawa-wien-blue": -8}
    for route, points in choices.items():
        game = last_turn(mine, {"routes": NETWORK})
        game.play(LendRoutes(0, {"wien": route}))
        assert game.final_scores is not None
        assert game.final_scores.players[0].ticket_points == points
        assert game.final_scores.players[0].lends == {"wien": route}


@pytest.mark.rule("R8", "B3", "B4")
def test_every_choice_is_legal_also_the_same_route_twice() -> None:
    game = last_turn({"stations": ["wien", "berlin"]}, {"routes": NETWORK})
    expected = {
        (("berlin", one), ("wien", other))
        for one in ("berlin-danzig-gray", "berlin-wien-green")
        for other in ("berlin-wien-green", "warszawa-wien-blue")
    }
    actions = legal(game, LendRoutes)
    assert len(actions) == 4
    assert {tuple(sorted(action.lends.items())) for action in actions} == expected
    assert list(game.legal_actions()) == actions
    game.play(LendRoutes(0, {"wien": "berlin-wien-green", "berlin": "berlin-wien-green"}))
    assert game.is_over


@pytest.mark.rule("B3", "B4", "B5", "R8")
@pytest.mark.parametrize(
    ("lends", "rule"),
    [
        ({"wien": "berlin-wien-green"}, "B4"),
        ({}, "B4"),
        ({"wien": "berlin-wien-green", "berlin": "warszawa-wien-blue"}, "B3"),
        ({"wien": "wien-zagrab-gray", "berlin": "berlin-wien-green"}, "B3"),
        ({"wien": "munchen-wien-orange", "berlin": "berlin-wien-green"}, "B3"),
        ({"wien": "nowhere", "berlin": "berlin-wien-green"}, "B3"),
        ({"wien": "berlin-wien-green", "berlin": "berlin-wien-green", "paris": "brest-paris-black"}, "B3"),
        ({"wien": "berlin-wien-green", "berlin": "berlin-wien-green", "atlantis": "x"}, "B3"),
    ],
    ids=str,
)
def test_choices_that_are_refused(lends: dict[str, str], rule: str) -> None:
    mine = {"stations": ["wien", "berlin"], "routes": ["wien-zagrab-gray"]}
    game = last_turn(mine, {"routes": NETWORK}, {"stations": ["paris"]})
    assert refused(game, LendRoutes(0, lends)) == rule


@pytest.mark.rule("R8", "S8")
def test_nothing_else_answers_the_question() -> None:
    game = last_turn({"stations": ["wien"], "hand": {"red": 5}}, {"routes": NETWORK})
    for action in (ttr.DrawTickets(0), ttr.Pass(0), BuildStation(0, "roma", {"red": 2}), ttr.DrawFaceUp(0, "blue")):
        assert refused(game, action) == "S8"
    with pytest.raises(ttr.InvalidInputError):
        LendRoutes(0, ["berlin-wien-green"])  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError):
        LendRoutes(0, {"wien": 3})  # type: ignore[dict-item]


@pytest.mark.rule("R8", "B5")
def test_a_station_that_can_lend_nothing_is_not_asked_about() -> None:
    game = last_turn({"stations": ["roma"]}, {"stations": ["wien", "paris"]}, {"routes": NETWORK})
    assert game.to_act == (1,)
    assert game.decision(1) == StationLinks(1, {"wien": ("berlin-wien-green", "warszawa-wien-blue")})
    game.play(LendRoutes(1, {"wien": "berlin-wien-green"}))
    assert game.is_over
    game = last_turn({"stations": ["roma"]}, {"routes": NETWORK})
    assert game.is_over


@pytest.mark.rule("R8")
def test_the_question_does_not_come_before_the_last_turn() -> None:
    players = [{"stations": ["wien"]}, {"routes": NETWORK}]
    game = arranged(ASK, *players, turns_left=2, draw_pile=["red"] * 5)
    play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert game.decision(1) == ttr.Turn(1)
    play(game, ttr.DrawBlind(1), ttr.DrawBlind(1))
    assert isinstance(game.decision(0), StationLinks)


@pytest.mark.rule("R8", "R4")
def test_the_owners_are_asked_after_a_deadlock_too() -> None:
    players = [{"stations": ["wien"]}, {"routes": NETWORK}]
    game = arranged(ASK, *[{**player, "cars": 3} for player in players], face_up=[])
    # Nobody can draw cards or claim; the tickets are drawn until none is left.
    while game.state.ticket_pile:
        seat = game.to_act[0]
        game.play(ttr.DrawTickets(seat))
        decision = game.decision(seat)
        assert isinstance(decision, TicketChoice)
        game.play(ttr.KeepTickets(seat, decision.tickets))
    while isinstance(game.decision(game.to_act[0]), ttr.Turn):
        game.play(ttr.Pass(game.to_act[0]))
    assert game.to_act == (0,)
    events = game.play(LendRoutes(0, {"wien": "berlin-wien-green"}))
    assert [event.reason for event in happened(events, GameEnded)] == ["deadlock"]


@pytest.mark.rule("R8")
def test_a_choice_that_was_arranged_settles_that_station_only() -> None:
    settled = {"stations": ["wien"], "lends": {"wien": "warszawa-wien-blue"}}
    game = last_turn({**settled, "stations": ["wien", "berlin"]}, {"routes": NETWORK})
    decision = game.decision(0)
    assert isinstance(decision, StationLinks)
    assert decision.options["berlin"] == ("berlin-danzig-gray", "berlin-wien-green")
    # Nothing is left to ask when all of them are settled.
    assert last_turn(settled, {"routes": NETWORK}).is_over


@pytest.mark.rule("R8", "P2")
def test_all_tickets_are_revealed_before_the_owners_choose() -> None:
    tickets = ["paris-wien", "berlin-roma"]
    game = last_turn({"stations": ["wien"]}, {"routes": NETWORK, "tickets": tickets})
    shown = whole(game.view(0))
    assert all(ticket in shown for ticket in tickets)


@pytest.mark.rule("R8")
def test_a_game_that_asks_can_be_saved_in_the_middle_of_asking() -> None:
    players = [{"name": "A", "stations": ["wien"]}, {"name": "B", "routes": NETWORK}]
    game = ttr.arrange(ASK, {"players": players, "turns_left": 1, "seed": 3})
    play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    again = ttr.loads(ttr.dumps(game))
    assert again == game
    assert again.decision(0) == game.decision(0)
    for each in (game, again):
        each.play(LendRoutes(0, {"wien": "warszawa-wien-blue"}))
    assert again == game
    assert ttr.loads(ttr.dumps(game)).final_scores == game.final_scores


@pytest.mark.rule("B1")
@pytest.mark.parametrize(
    ("built", "left", "possible"),
    [(0, 3, True), (2, 1, True), (3, 0, True), (1, 1, False), (2, 2, False), (4, -1, False)],
)
def test_stations_built_and_left_are_three_together(built: int, left: int, possible: bool) -> None:
    part = Stations(built=dict.fromkeys(("berlin", "paris", "wien", "roma")[:built], 1), left=[3, left], lends={})
    told = part.validate(rules_of("europe"))
    assert told is None if possible else "seat 1 has" in str(told) and "(B1)" in str(told)


def test_stations_are_equal_if_they_were_built_in_the_same_order() -> None:
    first = Stations(built={"berlin": 0, "paris": 1}, left=[2, 2], lends={})
    assert first == first.copy()
    assert first != Stations(built={"paris": 1, "berlin": 0}, left=[2, 2], lends={})


@pytest.mark.rule("B1")
def test_stations_are_counted_by_cities_and_ways_to_pay() -> None:
    game = arranged("europe", {"hand": {"red": 1, "blue": 1, "locomotive": 1}}, {"stations": ["berlin"]})
    (kind,) = [each for each in game.offer(0).kinds if each.type == "europe.BuildStation"]
    assert kind.total == len(legal(game, BuildStation)) == 3 * (len(game.rules.board.cities) - 1)
