"""Scores: P1 to P6, R6, R7, and tables to score with every mistake in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import pytest
from helpers import arranged, play, rules_of
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.errors import InvalidTableError, PluginConflictError, UnknownPluginError
from ttr_rules.graph import LongestPath
from ttr_rules.scores import TicketScore, connected
from ttr_variants.europe import TIE_BREAK_P6, Stations

EUROPE = rules_of("europe")
AMERICA = rules_of("north-america")
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}


P6 = ttr.compile_rules("europe", plugin("first-edition", ["europe"], tie_breaks=giving(TIE_BREAK_P6)))


def sheet(*players: Mapping[str, Any], rules: ttr.Rules = EUROPE) -> ttr.FinalScores:
    """The score sheet of a finished table; names are A, B, C … unless given."""
    return ttr.score(rules, {"players": [{"name": "ABCDE"[n], **each} for n, each in enumerate(players)]})


def first(*players: Mapping[str, Any], rules: ttr.Rules = EUROPE) -> ttr.PlayerScore:
    """What the first player of a table scores."""
    return sheet(*players, rules=rules).players[0]


def problems(table: object, rules: ttr.Rules | None = EUROPE) -> tuple[str, ...]:
    """The mistakes found in a table; it must have some."""
    with pytest.raises(InvalidTableError) as caught:
        ttr.score(rules, table)  # type: ignore[arg-type]
    assert isinstance(caught.value, ttr.TTRError)
    assert all(problem in str(caught.value) for problem in caught.value.problems[:20])
    return caught.value.problems


def places(found: Iterable[str]) -> list[str]:
    """The places of mistakes."""
    return sorted(problem.split(":")[0] for problem in found)


# -- P1: routes --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P1", "C4")
@pytest.mark.parametrize("stack", ["europe", "north-america"])
def test_every_route_scores_by_its_length(stack: str) -> None:
    rules = rules_of(stack)
    for route in rules.board.routes.values():
        player = first({"routes": [route.id]}, {}, rules=rules)
        assert player.route_points == POINTS[route.length]
        assert player.longest_path == LongestPath(route.length, (route.id,))


@pytest.mark.rule("P1", "P2", "P3", "P4", "B6")
@pytest.mark.parametrize(("stack", "players"), [("europe", 2), ("europe", 4), ("north-america", 3)])
def test_a_played_game_scores_as_its_table_does(stack: str, players: int) -> None:
    """Points counted along the way, recounted from the board, and scored as a table: all agree (P1)."""
    chance = Random(f"{stack}{players}")
    game = ttr.new_game(stack, players=players, seed=players)
    while not game.is_over:
        actions = game.legal_actions(game.to_act[0])
        claims = [n for n, action in enumerate(actions) if isinstance(action, ttr.ClaimRoute)]
        game.play(
            actions[chance.choice(claims) if claims and chance.random() < 0.7 else chance.randrange(len(actions))]
        )
    state, board = game.state, game.rules.board
    owned = [[id for id, seat in state.owners.items() if seat == each] for each in range(players)]
    for seat in range(players):
        assert state.scores[seat] == sum(POINTS[board.routes[id].length] for id in owned[seat])
        assert state.cars[seat] == 45 - sum(board.routes[id].length for id in owned[seat])
    table: list[dict[str, Any]] = [
        {"name": game.players[seat], "routes": owned[seat], "tickets": list(state.tickets[seat])}
        for seat in range(players)
    ]
    if stack == "europe":
        for seat in range(players):
            table[seat]["stations"] = [city for city, owner in state.part(Stations).built.items() if owner == seat]
    assert ttr.score(game.rules, {"players": table}) == game.final_scores


@pytest.mark.rule("P1")
def test_scores_in_play_are_those_of_the_routes() -> None:
    game = arranged("europe", {"routes": ["petrograd-stockholm-gray", "budapest-wien-red"]}, {})
    assert game.state.scores == [22, 0]
    assert game.final_scores is None


# -- P2: tickets ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("P2")
def test_completed_tickets_add_and_failed_ones_subtract() -> None:
    player = first({"routes": ["frankfurt-paris-white", "essen-frankfurt-green"], "tickets": TICKETS}, {})
    assert player.tickets == (
        TicketScore(("essen", "paris"), 4, completed=True, id="essen-paris"),
        TicketScore(("paris", "wien"), 8, completed=False, id="paris-wien"),
        TicketScore(("brest", "petrograd"), 20, completed=False, id="brest-petrograd"),
        TicketScore(("frankfurt", "paris"), 3, completed=True, id="frankfurt-paris"),
    )
    assert [ticket.signed for ticket in player.tickets] == [4, -8, -20, 3]
    assert player.ticket_points == -21
    assert player.completed_tickets == 2
    assert player.total == 4 + 2 - 21 + 12 + 10


TICKETS = [["essen", "paris", 4], ["paris", "wien"], ["brest", "petrograd"], ["frankfurt", "paris", 3]]


@pytest.mark.rule("P2")
def test_routes_of_others_complete_nothing() -> None:
    tickets = [["paris", "essen", 4]]
    mine = {"routes": ["frankfurt-paris-white"], "tickets": tickets}
    assert first(mine, {"routes": ["essen-frankfurt-green"]}).ticket_points == -4


@pytest.mark.rule("P2")
def test_totals_may_be_negative() -> None:
    scores = sheet({"tickets": ["seattle-new_york", "los_angeles-new_york"]}, {}, rules=AMERICA)
    assert [player.total for player in scores.players] == [-43, 0]
    assert [player.rank for player in scores.players] == [2, 1]
    assert scores.winners == ("B",)
    scores = sheet({"tickets": ["brest-petrograd"]}, {"tickets": ["palermo-moskva", "paris-wien"]})
    assert [player.total for player in scores.players] == [12 - 20, 12 - 28]
    assert scores.winners == ("A",)


@pytest.mark.rule("P2")
def test_a_ticket_needs_the_two_cities_joined_by_any_way_round() -> None:
    around = [
        "frankfurt-paris-white",
        "bruxelles-frankfurt-blue",
        "amsterdam-bruxelles-black",
        "amsterdam-essen-yellow",
    ]
    player = first({"routes": around, "tickets": [["paris", "essen", 9]]}, {})
    assert player.ticket_points == 9
    for gone in range(4):
        fewer = around[:gone] + around[gone + 1 :]
        assert first({"routes": fewer, "tickets": [["paris", "essen", 9]]}, {}).ticket_points == -9


# -- P3, R6: the longest path ------------------------------------------------------------------------------------------------


def longest_by_brute_force(board: ttr.Board, ids: Iterable[str]) -> int:
    """Every walk that uses no route twice, one step after the other."""
    routes = [board.routes[id] for id in ids]

    def onward(city: str, left: tuple[ttr.Route, ...]) -> int:
        return max(
            (
                route.length + onward(route.other_end(city), tuple(r for r in left if r is not route))
                for route in left
                if city in route.cities
            ),
            default=0,
        )

    return max((onward(city, tuple(routes)) for route in routes for city in route.cities), default=0)


LOOP = ["budapest-wien-red", "wien-zagrab-gray", "budapest-zagrab-orange"]  # 1 + 2 + 2


@pytest.mark.rule("P3")
@pytest.mark.parametrize(
    ("routes", "length"),
    [
        (["berlin-wien-green"], 3),
        (["berlin-wien-green", "warszawa-wien-blue"], 7),
        (["berlin-wien-green", "warszawa-wien-blue", "munchen-wien-orange"], 7),  # a star: no branches
        (LOOP, 5),
        ([*LOOP, "berlin-wien-green"], 8),  # round the loop, then off
        ([*LOOP, "berlin-wien-green", "warszawa-wien-blue"], 12),  # in, round, and out again
        ([*LOOP, "berlin-wien-green", "warszawa-wien-blue", "munchen-wien-orange"], 12),
        # In at one city, out at another: round the loop, or a part of it and out, are the same length.
        ([*LOOP, "berlin-wien-green", "venezia-zagrab-gray"], 8),
        ([*LOOP, "warszawa-wien-blue", "sarajevo-zagrab-red"], 4 + 1 + 2 + 3),
        (["berlin-wien-green", "kharkov-rostov-green"], 3),  # not connected
        (["kharkov-rostov-green", "berlin-wien-green", "warszawa-wien-blue"], 7),
    ],
)
def test_the_longest_path(routes: list[str], length: int) -> None:
    assert longest_by_brute_force(EUROPE.board, routes) == length
    path = first({"routes": routes}, {}).longest_path
    assert path.length == length
    assert_travelled(path)


def assert_travelled(path: LongestPath) -> None:
    """The routes are in order of travel, none twice, and as long as is said."""
    routes = [EUROPE.board.routes[id] for id in path.routes]
    assert len(set(path.routes)) == len(routes)
    assert sum(route.length for route in routes) == path.length
    ends = set(routes[0].cities)
    for route in routes[1:]:
        assert ends & set(route.cities)
        ends = {route.other_end(city) for city in ends & set(route.cities)}


@pytest.mark.rule("P3")
@pytest.mark.parametrize("seed", range(25))
def test_the_longest_path_agrees_with_brute_force(seed: int) -> None:
    chance = Random(seed)
    cities = {chance.choice(sorted(EUROPE.board.cities))}
    chosen: dict[frozenset[str], str] = {}
    for _ in range(9):
        near = [r for r in EUROPE.board.routes.values() if cities & set(r.cities) and frozenset(r.cities) not in chosen]
        route = chance.choice(near)
        chosen[frozenset(route.cities)] = route.id
        cities |= set(route.cities)
    routes = list(chosen.values())
    path = first({"routes": routes}, {}).longest_path
    assert path.length == longest_by_brute_force(EUROPE.board, routes)
    assert_travelled(path)


@pytest.mark.rule("P3")
def test_ten_points_for_the_longest_path_alone() -> None:
    scores = sheet({"routes": ["berlin-wien-green"]}, {"routes": ["barcelona-marseille-gray"]}, {})
    assert [player.bonuses for player in scores.players] == [{}, {"longest_path": 10}, {}]
    assert [player.total for player in scores.players] == [4 + 12, 7 + 12 + 10, 12]


@pytest.mark.rule("P3")
def test_ten_points_for_every_player_tied() -> None:
    routes = [["berlin-wien-green"], ["kyiv-smolensk-red"], ["danzig-warszawa-gray"], ["frankfurt-paris-white"]]
    scores = sheet(*[{"routes": each} for each in routes])
    assert [player.bonuses.get("longest_path") for player in scores.players] == [10, 10, None, 10]


@pytest.mark.rule("P3")
def test_cars_count_and_not_routes() -> None:
    short = ["bruxelles-dieppe-green", "bruxelles-frankfurt-blue", "frankfurt-munchen-purple"]  # 2 + 2 + 2
    scores = sheet({"routes": short}, {"routes": ["petrograd-stockholm-gray"]})
    assert [player.longest_path.length for player in scores.players] == [6, 8]
    assert [bool(player.bonuses) for player in scores.players] == [False, True]


@pytest.mark.rule("R6", "P3")
@pytest.mark.parametrize("stack", ["europe", "north-america"])
def test_without_any_route_nobody_gets_the_bonus(stack: str) -> None:
    scores = sheet({}, {}, {}, rules=rules_of(stack))
    for player in scores.players:
        assert player.bonuses == {}
        assert player.longest_path == LongestPath(0, ())
        assert player.total == (12 if stack == "europe" else 0)


# -- P4 to P6, R7: who wins --------------------------------------------------------------------------------------------------


@pytest.mark.rule("P4")
def test_most_points_wins() -> None:
    scores = sheet({"routes": ["berlin-wien-green"]}, {"routes": ["petrograd-stockholm-gray"]}, {})
    assert scores.winners == ("B",)
    assert [player.rank for player in scores.players] == [2, 1, 3]


@pytest.mark.rule("P5")
@pytest.mark.parametrize("rules", [EUROPE, P6], ids=["P5", "P6"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_tie_goes_to_more_completed_tickets(rules: ttr.Rules, swapped: bool) -> None:
    """B has the longest path and fewer stations; A has one completed ticket more, and both 26 points."""
    a = {"routes": ["berlin-wien-green"], "tickets": [["wien", "berlin", 14]], "stations": ["roma"]}
    b = {"routes": ["barcelona-marseille-gray"], "tickets": [["roma", "riga", 3]]}
    pair = [{**a, "name": "Ada"}, {**b, "name": "Bea"}]
    scores = sheet(*(pair[::-1] if swapped else pair), rules=rules)
    assert {player.total for player in scores.players} == {26}
    assert scores.winners == ("Ada",)
    assert sorted(player.rank for player in scores.players) == [1, 2]


@pytest.mark.rule("P5")
@pytest.mark.parametrize("swapped", [False, True])
def test_then_to_the_holder_of_the_longest_path(swapped: bool) -> None:
    a = {"name": "Ada", "routes": ["barcelona-marseille-gray"], "tickets": [["barcelona", "marseille", 1]]}
    b = {
        "name": "Bea",
        "routes": ["berlin-wien-green", "kyiv-smolensk-red"],
        "tickets": [["berlin", "wien", 10]],
    }
    scores = sheet(*([b, a] if swapped else [a, b]))
    assert {player.total for player in scores.players} == {30}
    assert {player.completed_tickets for player in scores.players} == {1}
    assert scores.winners == ("Ada",)


@pytest.mark.rule("P5", "P6")
@pytest.mark.parametrize(("rules", "winner"), [(EUROPE, "Ada"), (P6, "Bea")], ids=["P5", "P6"])
def test_fewer_stations_come_before_the_longest_path_in_the_first_edition_only(rules: ttr.Rules, winner: str) -> None:
    a = {
        "name": "Ada",
        "routes": ["barcelona-marseille-gray"],
        "stations": ["roma"],
        "tickets": [["barcelona", "marseille", 1], ["roma", "riga", 1]],
    }
    b = {
        "name": "Bea",
        "routes": ["berlin-wien-green", "kyiv-smolensk-red"],
        "tickets": [["berlin", "wien", 5]],
    }
    scores = sheet(a, b, rules=rules)
    assert [player.total for player in scores.players] == [25, 25]
    assert [player.completed_tickets for player in scores.players] == [1, 1]
    assert [player.terms["stations"].count for player in scores.players] == [2, 3]
    assert [bool(player.bonuses) for player in scores.players] == [True, False]
    assert scores.winners == (winner,)


@pytest.mark.rule("P6")
def test_the_longest_path_is_last_in_the_first_edition() -> None:
    a = {"name": "Ada", "routes": ["barcelona-marseille-gray"], "tickets": [["barcelona", "marseille", 1]]}
    b = {
        "name": "Bea",
        "routes": ["berlin-wien-green", "kyiv-smolensk-red"],
        "tickets": [["berlin", "wien", 10]],
    }
    assert sheet(b, a, rules=P6).winners == ("Ada",)


@pytest.mark.rule("R7")
@pytest.mark.parametrize("rules", [EUROPE, P6], ids=["P5", "P6"])
def test_what_nothing_parts_is_a_shared_victory(rules: ttr.Rules) -> None:
    scores = sheet(
        {"routes": ["berlin-wien-green"]},
        {"routes": ["danzig-warszawa-gray"]},
        {"routes": ["kyiv-smolensk-red"]},
        {"routes": ["kyiv-wilno-gray"]},
        {},
        rules=rules,
    )
    assert scores.winners == ("A", "C")
    assert [player.rank for player in scores.players] == [1, 3, 1, 3, 5]


@pytest.mark.rule("R7", "P5")
def test_an_empty_table_is_a_shared_victory_of_all() -> None:
    scores = sheet({}, {}, {}, rules=AMERICA)
    assert scores.winners == ("A", "B", "C")
    assert [player.rank for player in scores.players] == [1, 1, 1]


@pytest.mark.rule("P4", "P5")
def test_a_played_game_is_ranked_the_same_way() -> None:
    players = [{"stations": ["roma"], "routes": ["barcelona-marseille-gray"]}, {"routes": ["berlin-wien-green"]}]
    players[1]["tickets"] = ["paris-wien"]
    game = arranged(P6, *players, turns_left=1, draw_pile=["red"] * 3)
    play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert game.final_scores is not None
    assert [player.rank for player in game.final_scores.players] == [1, 2]
    assert [player.total for player in game.final_scores.players] == [25, 8]


# -- a question of plugins ---------------------------------------------------------------------------------------------------------


def test_cities_are_connected_by_the_routes_of_one_seat() -> None:
    mine = {"routes": ["frankfurt-paris-white", "essen-frankfurt-green", "berlin-wien-green"]}
    game = arranged("europe", mine, {"routes": ["berlin-essen-blue", "palermo-smyrna-gray"]})
    for first, second in (("essen", "paris"), ("berlin", "wien"), ("roma", "roma")):
        assert connected(game.state, 0, first, second) and connected(game.state, 0, second, first)
    for first, second in (("paris", "wien"), ("berlin", "essen"), ("paris", "roma"), ("palermo", "smyrna")):
        assert not connected(game.state, 0, first, second) and not connected(game.state, 0, second, first)
    assert connected(game.state, 1, "smyrna", "palermo") and not connected(game.state, 1, "paris", "essen")


@pytest.mark.parametrize("cities", [("atlantis", "paris"), ("paris", "atlantis")])
def test_no_city_is_connected_with_one_that_the_board_has_not(cities: tuple[str, str]) -> None:
    game = arranged("europe", {}, {})
    with pytest.raises(ttr.InvalidInputError, match="no city 'atlantis' on the board Europe"):
        connected(game.state, 0, *cities)


# -- the table and its sheet -------------------------------------------------------------------------------------------------------

ADA: dict[str, Any] = {
    "name": "Ada",
    "routes": ["frankfurt-paris-white", ["wien", "zagrab"], ["london", "edinburgh", "black"]],
    "stations": ["berlin"],
    "tickets": [["paris", "wien"]],
}
ISAMBARD: dict[str, Any] = {"name": "Isambard", "routes": ["berlin-wien-green"], "stations": [], "tickets": []}
TABLE: dict[str, Any] = {"stack": ["europe"], "players": [ADA, ISAMBARD]}


@pytest.mark.rule("P1", "P2", "P3", "P4", "B3", "B6")
@pytest.mark.parametrize("rules", [None, EUROPE], ids=["stack", "rules"])
def test_the_sheet_as_plain_data(rules: ttr.Rules | None) -> None:
    scores = ttr.score(rules, TABLE)
    expected = {
        "players": [
            {
                "name": "Ada",
                "route_points": 4 + 2 + 7,
                "tickets": [
                    {"id": "paris-wien", "cities": ["paris", "wien"], "goals": [], "points": 8, "completed": False}
                ],
                "ticket_points": -8,
                "lends": {"berlin": "berlin-wien-green"},
                "needed_loans": [],
                "longest_path": {
                    "length": 4,
                    "routes": ["edinburgh-london-black"],
                    "cities": ["edinburgh", "london"],
                },
                "bonuses": {"longest_path": 10},
                "terms": {"stations": {"points": 8, "count": 2}},
                "total": 23,
                "rank": 1,
            },
            {
                "name": "Isambard",
                "route_points": 4,
                "tickets": [],
                "ticket_points": 0,
                "lends": {},
                "needed_loans": [],
                "longest_path": {"length": 3, "routes": ["berlin-wien-green"], "cities": ["berlin", "wien"]},
                "bonuses": {},
                "terms": {"stations": {"points": 12, "count": 3}},
                "total": 16,
                "rank": 2,
            },
        ],
        "winners": ["Ada"],
    }
    assert scores.to_json() == expected
    assert json.loads(json.dumps(scores.to_json())) == expected
    player = scores.players[0]
    for key in scores.to_json()["players"][0]:
        assert hasattr(player, key)
    assert (player.terms["stations"].count, player.terms["stations"].points) == (2, 8)


@pytest.mark.rule("P1", "P2", "P3", "B6")
def test_every_point_has_its_origin() -> None:
    scores = sheet(
        {"routes": [*LOOP, "berlin-wien-green"], "tickets": [["paris", "wien"], ["berlin", "budapest", 6]]},
        {"routes": ["barcelona-marseille-gray"], "stations": ["wien", "roma"], "tickets": [["wien", "berlin", 3]]},
    )
    for player in scores.players:
        bonus = sum(player.bonuses.values())
        assert player.total == player.route_points + player.ticket_points + player.terms["stations"].points + bonus
        assert player.ticket_points == sum(t.points if t.completed else -t.points for t in player.tickets)
    a, b = scores.players
    assert (a.route_points, a.ticket_points, a.terms["stations"].points, a.total) == (1 + 2 + 2 + 4, -2, 12, 29)
    assert (b.route_points, b.ticket_points, b.terms["stations"].points, b.total) == (7, 3, 4, 14)


def test_everything_but_the_players_may_be_left_out() -> None:
    assert ttr.score(EUROPE, {"players": [{}, {}]}).to_json()["players"][1]["name"] == "Player 2"
    assert ttr.score(None, {"stack": "europe", "players": [{}, {}]}).winners == ("Player 1", "Player 2")
    assert ttr.score(None, {"stack": ("europe",), "players": ({}, {})}).winners == ("Player 1", "Player 2")


@pytest.mark.parametrize(
    "written",
    [
        "frankfurt-paris-white",
        "paris-frankfurt-white",
        ["frankfurt", "paris", "white"],
        ["paris", "frankfurt", "white"],
        ("Paris", "Frankfurt", "white"),
    ],
    ids=str,
)
def test_a_route_is_written_in_several_ways(written: object) -> None:
    assert first({"routes": [written]}, {}).longest_path.routes == ("frankfurt-paris-white",)


@pytest.mark.parametrize(
    "written", [["marseille", "zurich"], ["zurich", "marseille"], ["Zürich", "Marseille"]], ids=str
)
def test_cities_come_in_either_order_and_by_either_name(written: list[str]) -> None:
    assert first({"routes": [written]}, {}).longest_path.routes == ("marseille-zurich-purple",)


@pytest.mark.parametrize(
    "written",
    [["paris", "wien"], ["wien", "paris"], ["Wien", "Paris"], "paris-wien", "wien-paris", ["paris", "wien", 8]],
    ids=str,
)
def test_a_ticket_is_written_in_several_ways(written: object) -> None:
    player = first({"tickets": [written]}, {})
    assert player.tickets == (TicketScore(("paris", "wien"), 8, completed=False, id="paris-wien"),)


@pytest.mark.rule("C5", "C6")
def test_a_double_without_color_is_the_first_half_that_is_free() -> None:
    vague = {"routes": [["london", "dieppe"]]}
    paths = [player.longest_path.routes for player in sheet(vague, vague, {}, {}).players]
    assert paths == [("dieppe-london-gray-1",), ("dieppe-london-gray-2",), (), ()]
    # What somebody names exactly is not given away, wherever it stands.
    exact = {"routes": ["dieppe-london-gray-1"]}
    paths = [player.longest_path.routes for player in sheet(vague, exact, {}, {}).players]
    assert paths == [("dieppe-london-gray-2",), ("dieppe-london-gray-1",), (), ()]


@pytest.mark.rule("C5", "C6")
def test_the_color_of_two_gray_halves_says_no_more_than_none() -> None:
    vague = {"routes": [["dieppe", "london", "gray"]]}
    paths = [player.longest_path.routes for player in sheet(vague, vague, {}, {}).players]
    assert paths == [("dieppe-london-gray-1",), ("dieppe-london-gray-2",), (), ()]


@pytest.mark.rule("B3")
def test_a_double_that_is_lent_without_color_is_the_half_that_can_be_lent() -> None:
    for half in ("black", "orange"):
        lender = {"routes": [f"edinburgh-london-{half}"]}
        player = first({"stations": ["london"], "lends": {"london": ["london", "edinburgh"]}}, lender)
        assert player.lends == {"london": f"edinburgh-london-{half}"}


@pytest.mark.rule("P2")
def test_tickets_that_the_deck_does_not_hold_come_with_their_points() -> None:
    mine = {"routes": ["berlin-wien-green"], "tickets": [["wien", "berlin", 9], ["roma", "Riga", 13]]}
    player = first(mine, {"tickets": [["wien", "berlin", 2]]})
    assert player.tickets == (
        TicketScore(("wien", "berlin"), 9, completed=True, id="wien-berlin"),
        TicketScore(("roma", "riga"), 13, completed=False, id="roma-riga"),
    )
    assert "wien-berlin" not in EUROPE.tickets


@pytest.mark.rule("B3", "R8")
def test_lends_that_are_given_are_taken() -> None:
    mine = {
        "routes": ["frankfurt-paris-white", "berlin-frankfurt-red"],
        "stations": ["wien"],
        "tickets": [["paris", "wien"]],
        "lends": {"Wien": ["wien", "warszawa"]},
    }
    player = first(mine, {"routes": ["berlin-wien-green", "warszawa-wien-blue"]})
    assert player.lends == {"wien": "warszawa-wien-blue"}
    assert player.ticket_points == -8


def test_rulings_of_a_table_are_read() -> None:
    table = {**TABLE, "rulings": {"station_choice": "ask"}}
    assert ttr.score(None, table) == ttr.score(None, TABLE)
    assert len(problems({**TABLE, "rulings": {"station_choice": "never"}})) == 1
    assert len(problems({**TABLE, "rulings": {"no_such": True}})) == 1
    assert len(problems({**TABLE, "rulings": {"face_up_when_exhausted": 1}})) == 1


# -- mistakes ----------------------------------------------------------------------------------------------------------------------

RAILS = ["petrograd-stockholm-gray", "budapest-kyiv-gray", "palermo-smyrna-gray", "barcelona-marseille-gray"]  # 24
RAILS += ["bucuresti-kyiv-gray", "kharkov-kyiv-gray", "kharkov-moskva-gray", "berlin-danzig-gray"]  # 40
RAILS += ["edinburgh-london-black", "brest-pamplona-purple", "rostov-sevastopol-gray"]  # 52
RAILS += ["athina-sarajevo-green", "marseille-roma-gray", "petrograd-wilno-blue"]  # 64

MISTAKES: dict[str, tuple[list[dict[str, Any]], str]] = {
    "unknown route": ([{"routes": ["berlin-wien-red"]}, {}], "players[0].routes[0]"),
    "unknown color": ([{"routes": [["berlin", "wien", "red"]]}, {}], "players[0].routes[0]"),
    "unknown city in a route": ([{"routes": [["berlin", "atlantis"]]}, {}], "players[0].routes[0]"),
    "no route there": ([{}, {"routes": ["berlin-wien-green", ["wien", "venezia"]]}], "players[1].routes[1]"),
    "a city alone": ([{"routes": [["berlin"]]}, {}], "players[0].routes[0]"),
    "four words": ([{"routes": [["berlin", "wien", "green", "1"]]}, {}], "players[0].routes[0]"),
    "an empty route": ([{"routes": [[]]}, {}], "players[0].routes[0]"),
    "a number for a route": ([{"routes": [7]}, {}], "players[0].routes[0]"),
    "a number in a route": ([{"routes": [["berlin", 7]]}, {}], "players[0].routes[0]"),
    "a table for a route": ([{"routes": [{"id": "berlin-wien-green"}]}, {}], "players[0].routes[0]"),
    "a route of two players": (
        [{"routes": ["berlin-wien-green"]}, {"routes": [["wien", "berlin"]]}],
        "players[1].routes[0]",
    ),
    "a route twice": ([{"routes": ["berlin-wien-green"] * 2}, {}], "players[0].routes[1]"),
    "both halves": (
        [{"routes": ["frankfurt-paris-white", "frankfurt-paris-orange"]}, {}, {}, {}],
        "players[0].routes[1]",
    ),
    "both halves, no colors": ([{"routes": [["frankfurt", "paris"]] * 2}, {}, {}, {}], "players[0].routes[1]"),
    "a closed double": (
        [{"routes": ["frankfurt-paris-white"]}, {"routes": ["frankfurt-paris-orange"]}, {}],
        "players[1].routes[0]",
    ),
    "a closed double, no color": (
        [{"routes": ["frankfurt-paris-white"]}, {"routes": [["frankfurt", "paris"]]}],
        "players[1].routes[0]",
    ),
    "a few cars too many": ([{"routes": RAILS[:10]}, {}], "players[0].routes"),
    "many cars too many": ([{"routes": RAILS}, {}], "players[0].routes"),
    "unknown city of a station": ([{"stations": ["atlantis"]}, {}], "players[0].stations[0]"),
    "a number for a city": ([{"stations": ["wien", 5]}, {}], "players[0].stations[1]"),
    "two stations in a city": ([{"stations": ["wien"]}, {"stations": ["wien"]}], "players[1].stations[0]"),
    "a station twice": ([{"stations": ["wien", "Wien"]}, {}], "players[0].stations[1]"),
    "four stations": ([{"stations": ["wien", "roma", "riga", "brest"]}, {}], "players[0].stations[3]"),
    "unknown ticket": ([{"tickets": ["wien-atlantis"]}, {}], "players[0].tickets[0]"),
    "unknown city of a ticket": ([{"tickets": [["wien", "atlantis", 5]]}, {}], "players[0].tickets[0]"),
    "a ticket that needs points": ([{"tickets": [["wien", "berlin"]]}, {}], "players[0].tickets[0]"),
    "a ticket with other points": ([{"tickets": [["wien", "paris", 9]]}, {}], "players[0].tickets[0]"),
    "a ticket to itself": ([{"tickets": [["wien", "wien", 9]]}, {}], "players[0].tickets[0]"),
    "a ticket of two players": (
        [{"tickets": ["paris-wien"]}, {"tickets": [["wien", "paris"]]}],
        "players[1].tickets[0]",
    ),
    "a ticket twice": ([{"tickets": ["paris-wien", "paris-wien"]}, {}], "players[0].tickets[1]"),
    "points that are none": ([{"tickets": [["wien", "berlin", "5"]]}, {}], "players[0].tickets[0]"),
    "points of 0": ([{"tickets": [["wien", "berlin", 0]]}, {}], "players[0].tickets[0]"),
    "negative points": ([{"tickets": [["wien", "berlin", -5]]}, {}], "players[0].tickets[0]"),
    "half points": ([{"tickets": [["wien", "berlin", 2.5]]}, {}], "players[0].tickets[0]"),
    "points that are true": ([{"tickets": [["wien", "berlin", True]]}, {}], "players[0].tickets[0]"),
    "a city for a ticket": ([{"tickets": [["wien"]]}, {}], "players[0].tickets[0]"),
    "a number for a ticket": ([{"tickets": [5]}, {}], "players[0].tickets[0]"),
    "numbers for cities": ([{"tickets": [[5, 6]]}, {}], "players[0].tickets[0]"),
    "lends an own route": (
        [{"routes": ["berlin-wien-green"], "stations": ["wien"], "lends": {"wien": "berlin-wien-green"}}, {}],
        "players[0].lends.wien",
    ),
    "lends an unclaimed route": (
        [{"stations": ["wien"], "lends": {"wien": "berlin-wien-green"}}, {}],
        "players[0].lends.wien",
    ),
    "lends a route elsewhere": (
        [{"stations": ["wien"], "lends": {"wien": "berlin-danzig-gray"}}, {"routes": ["berlin-danzig-gray"]}],
        "players[0].lends.wien",
    ),
    "lends without a station": (
        [{"lends": {"wien": "berlin-wien-green"}}, {"routes": ["berlin-wien-green"]}],
        "players[0].lends.wien",
    ),
    "lends by the station of another": (
        [{"lends": {"wien": "berlin-wien-green"}}, {"stations": ["wien"]}, {"routes": ["berlin-wien-green"]}],
        "players[0].lends.wien",
    ),
    "lends an unknown route": ([{"stations": ["wien"], "lends": {"wien": "x"}}, {}], "players[0].lends.wien"),
    "lends a number": ([{"stations": ["wien"], "lends": {"wien": 3}}, {}], "players[0].lends.wien"),
    "unknown key": ([{"ticket": []}, {}], "players[0]"),
    "a key of a running game": ([{"hand": {}}, {}], "players[0]"),
    "the same name": ([{"name": "Ada"}, {"name": "Ada"}], "players[1].name"),
    "the name a player gets": ([{"name": "Player 2"}, {}], "players[1].name"),
    "no name": ([{"name": " "}, {}], "players[0].name"),
    "a number for a name": ([{"name": 5}, {}], "players[0].name"),
    "one player": ([{}], "players"),
    "six players": ([{}] * 6, "players"),
    "nobody": ([], "players"),
    "a text for a player": (["Ada", {}], "players[0]"),  # type: ignore[list-item]
    "nothing for a player": ([None, {}], "players[0]"),  # type: ignore[list-item]
    **{
        f"{key} of another type: {value!r}": ([{}, {key: value}], f"players[1].{key}")
        for key in ("routes", "stations", "tickets", "lends")
        for value in (None, 5, True, 2.5, "wien", ["wien"] if key == "lends" else {"wien": "wien"})
    },
}


@pytest.mark.rule("C3", "C5", "C6", "B1", "B3", "S1", "P2")
@pytest.mark.parametrize("mistake", list(MISTAKES))
def test_a_mistake_is_reported_with_its_place(mistake: str) -> None:
    players, place = MISTAKES[mistake]
    found = problems({"players": players})
    assert places(found) == [place], found


@pytest.mark.rule("C3")
def test_45_cars_are_enough_for_45_spaces_and_no_more() -> None:
    routes = [*RAILS[:8], "berlin-wien-green", "moskva-smolensk-orange"]
    assert sum(EUROPE.board.routes[id].length for id in routes) == 45
    assert first({"routes": routes}, {}).route_points == 21 + 15 + 15 + 5 * 7 + 4 + 2
    (found,) = problems({"players": [{"routes": [*routes, "budapest-wien-red"]}, {}]})
    assert found.startswith("players[0].routes: ")
    assert "46" in found


def test_every_mistake_is_reported_at_once() -> None:
    players = [
        {
            "name": "Ada",
            "color": "red",
            "routes": [*RAILS, "frankfurt-paris-white", "berlin-atlantis", ["wien", "nowhere"]],
            "stations": ["wien", "roma", "riga", "brest", 7],
            "tickets": ["atlantis-wien", ["wien", "paris", 5], ["berlin", "wien"]],
            "lends": {"wien": "munchen-wien-orange", "paris": "frankfurt-paris-white"},
        },
        {
            "name": "Ada",
            "routes": ["frankfurt-paris-orange", "kharkov-kyiv-gray", 5],
            "stations": ["wien", "atlantis"],
            "tickets": {"paris": "wien"},
            "lends": [],
        },
        "Isambard",
        {"name": None, "routes": None},
        {"routes": ["petrograd-stockholm-gray"]},
        {},
    ]
    found = problems({"stack": ["north-america"], "plyers": [], "rulings": {"R9": 1}, "players": players})
    assert len([problem for problem in found if "'plyers'" in problem]) == 1
    assert places(problem for problem in found if "'plyers'" not in problem) == sorted(
        [
            "stack",
            "rulings",
            "players",
            "players[0]",
            f"players[0].routes[{len(RAILS) + 1}]",
            f"players[0].routes[{len(RAILS) + 2}]",
            "players[0].routes",
            "players[0].stations[3]",
            "players[0].stations[4]",
            "players[0].tickets[0]",
            "players[0].tickets[1]",
            "players[0].tickets[2]",
            "players[0].lends.wien",
            "players[0].lends.paris",
            "players[1].name",
            "players[1].routes[1]",
            "players[1].routes[2]",
            "players[1].stations[0]",
            "players[1].stations[1]",
            "players[1].tickets",
            "players[1].lends",
            "players[2]",
            "players[3].name",
            "players[3].routes",
            "players[4].routes[0]",
        ]
    )


@pytest.mark.parametrize("table", [None, 5, "europe", [], [TABLE], True, b"x"], ids=str)
def test_what_is_no_table(table: object) -> None:
    for rules in (None, EUROPE):
        assert len(problems(table, rules)) == 1


@pytest.mark.parametrize("key", ["players", "rulings"])
@pytest.mark.parametrize("value", [None, 5, "x", True, 2.5])
def test_wrong_types_at_the_top(key: str, value: object) -> None:
    found = problems({**TABLE, key: value})
    assert key in places(found)


@pytest.mark.parametrize("stack", [None, 5, [], {}, [5], ["europe", None], True, ""])
def test_a_stack_that_is_none(stack: object) -> None:
    with pytest.raises(ttr.TTRError):
        ttr.score(None, {**TABLE, "stack": stack})
    with pytest.raises(ttr.TTRError):
        ttr.score(None, {"players": [{}, {}]})


def test_a_stack_of_unknown_or_conflicting_plugins() -> None:
    with pytest.raises(UnknownPluginError):
        ttr.score(None, {**TABLE, "stack": ["atlantis"]})
    with pytest.raises(PluginConflictError):
        ttr.score(None, {**TABLE, "stack": ["europe", "north-america"]})


@pytest.mark.parametrize("stack", [5, [], ["north-america"], ["europe", "north-america"], ["atlantis"], "x"], ids=str)
def test_a_stack_that_is_not_that_of_the_rules(stack: object) -> None:
    assert places(problems({**TABLE, "stack": stack})) == ["stack"]


def test_a_bad_stack_does_not_hide_the_other_mistakes() -> None:
    for stack in (5, ["north-america"]):
        players = [{"routes": ["x"]}, {"stations": ["y"]}]
        found = problems({"stack": stack, "players": players})
        assert places(found) == ["players[0].routes[0]", "players[1].stations[0]", "stack"]


def test_stations_are_no_key_of_north_america() -> None:
    assert places(problems({"players": [{"stations": []}, {}]}, AMERICA)) == ["players[0]"]


def test_a_near_miss_is_guessed() -> None:
    (found,) = problems({"players": [{"station": ["wien"]}, {}]})
    assert "'stations'" in found


def test_the_table_is_left_as_it_was() -> None:
    before = json.dumps(TABLE)
    ttr.score(None, TABLE)
    assert json.dumps(TABLE) == before


def test_scoring_twice_gives_the_same_and_leaves_the_rules_alone() -> None:
    known = Counter(EUROPE.tickets)
    mine = {"tickets": [["wien", "berlin", 9]]}
    assert sheet(mine, {}) == sheet(mine, {})
    assert Counter(EUROPE.tickets) == known
    with pytest.raises(InvalidTableError):
        sheet({"tickets": [["wien", "berlin"]]}, {})
