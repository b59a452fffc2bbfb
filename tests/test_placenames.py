"""Names of places: one resolver for score files, positions, tickets and boards, in whatever way people write."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from helpers import arranged, rules_of

import ttr_maps
import ttr_rules as ttr
from ttr_rules.boards import make_tickets, read_tickets
from ttr_rules.errors import InvalidTableError, MapError
from ttr_rules.model.board import plain, spellings

EUROPE, MARKLIN, SWISS = (ttr_maps.load(name) for name in ("europe", "marklin", "switzerland"))
BOARDS = {name: ttr_maps.load(name) for name in ttr_maps.NAMES}


def sheet(stack: str, *players: dict[str, Any]) -> ttr.FinalScores:
    return ttr.score(rules_of(stack), {"players": [*players, *[{}] * (2 - len(players))]})


def problems(stack: str, **player: Any) -> tuple[str, ...]:
    with pytest.raises(InvalidTableError) as caught:
        sheet(stack, player)
    return caught.value.problems


# -- one rule ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "id", "names"),
    [
        ("europe", "zurich", ["zurich", "Zürich", "ZÜRICH", "Zurich", "Zuerich", "zu\u0308rich", " Zürich "]),
        ("europe", "munchen", ["München", "Munchen", "Muenchen", "Munich", "MUNICH"]),
        ("europe", "kobenhavn", ["København", "Kobenhavn", "Koebenhavn", "Copenhagen", "Kopenhagen"]),
        ("europe", "roma", ["Roma", "Rome", "Rom"]),
        ("europe", "kyiv", ["Kyïv", "Kyiv", "Kiev", "Kiew"]),
        ("europe", "petrograd", ["St. Petersburg", "St Petersburg", "Saint Petersburg", "petrograd"]),
        ("europe", "constantinople", ["Istanbul", "İstanbul"]),
        ("europe", "smyrna", ["Izmir", "İzmir"]),
        ("europe", "danzig", ["Gdansk", "Gdańsk"]),
        ("switzerland", "geneve", ["geneve", "Genève", "Geneva", "Genf"]),
        ("switzerland", "st_gallen", ["St. Gallen", "st gallen", "St Gallen", "Sankt Gallen"]),
        ("switzerland", "la_chaux_de_fonds", ["La Chaux-de-Fonds", "la chaux de fonds"]),
        ("marklin", "koln", ["Köln", "Koeln", "Cologne"]),
        ("nordic_countries", "arhus", ["Århus", "Aarhus", "arhus"]),
        ("nordic_countries", "tromso", ["Tromsø", "Tromso", "Tromsoe"]),
        ("north_america", "saint_louis", ["Saint Louis", "St. Louis", "st louis"]),
        ("marklin", "country_denmark", ["Dänemark", "Daenemark", "Denmark", "danemark", "country_denmark"]),
        ("marklin", "country_netherlands", ["Niederlande", "Netherlands", "The Netherlands", "Holland"]),
        ("switzerland", "country_austria", ["Österreich", "Oesterreich", "Austria"]),
        ("switzerland", "country_italy", ["Italia", "Italy", "Italien"]),
        ("india", "calcutta", ["Calcutta", "Kolkata"]),
        ("legendary_asia", "peking", ["Peking", "Beijing"]),
        ("london", "st_paul_s", ["St Paul's", "St. Pauls", "Saint Paul's"]),
        ("pennsylvania", "scranton_wilkes_barre", ["Scranton / Wilkes Barre", "Scranton", "Wilkes-Barre"]),
        ("pennsylvania", "country_ontario", ["Ontario"]),
        ("united_kingdom", "londonderry", ["Londonderry", "Derry"]),
        ("united_kingdom", "country_france", ["France", "Frankreich"]),
    ],
)
def test_a_place_goes_by_many_names(board: str, id: str, names: list[str]) -> None:
    assert [BOARDS[board].find_place(name) for name in names] == [id] * len(names)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_place_is_found_by_each_of_its_names_however_they_are_typed(board: ttr.Board) -> None:
    countries = {city.country for city in board.cities.values() if city.country is not None}
    for id in (*board.cities, *countries):
        names = [id, *board.aliases.get(id, ())]
        crossing = id in board.cities and board.cities[id].country is not None
        for name in [*names, *([] if crossing else [board.place_name(id)])]:
            for form in (name, name.upper(), plain(name), *spellings(name)):
                assert board.find_place(form) == id, form


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(
        ttr.InvalidInputError, match=r"^no city 'Amsterdm' on the board Europe; did you mean Amsterdam\?$"
    ):
        EUROPE.find_place("Amsterdm")
    with pytest.raises(ttr.InvalidInputError, match=r"did you mean Roma\?$"):
        EUROPE.find_place("Romme")
    with pytest.raises(ttr.InvalidInputError, match=r"^no city 'Atlantis' on the board Europe$"):
        EUROPE.find_place("Atlantis")
    for text in ("", "   ", "?!", "x" * 10_000, "\ud800"):
        with pytest.raises(ttr.InvalidInputError):
            EUROPE.find_place(text)


def toy(**more: Any) -> dict[str, Any]:
    cities = [
        {"id": "halle_1", "name": "Halle"},
        {"id": "halle_2", "name": "Halle"},
        {"id": "north", "name": "France (north)", "country": "country_france"},
        {"id": "south", "name": "France (south)", "country": "country_france"},
    ]
    routes = [{"cities": ["halle_1", "halle_2"], "length": 1, "color": "red"}]
    routes += [{"cities": ["halle_1", each], "length": 1, "color": "gray"} for each in ("north", "south")]
    return {"id": "toy", "name": "Toy", "points": {1: 1}, "cities": cities, "routes": routes, **more}


def test_a_name_of_several_places_must_be_said_by_its_id() -> None:
    board = ttr.load_board(toy(aliases={"country_france": ["France"]}))
    with pytest.raises(
        ttr.InvalidInputError, match="'halle' may mean halle_1 or halle_2 on the board Toy: give the id"
    ):
        board.find_place("halle")
    assert board.find_place("Halle 2") == "halle_2"
    assert board.find_place("France") == "country_france" and board.find_place("France (North)") == "north"
    assert board.place_name("country_france") == "France (north) / France (south)"
    assert len(board.routes_between("halle_1", "country_france")) == 2


@pytest.mark.parametrize(
    ("aliases", "problem"),
    [
        ({"atlantis": ["Atlantis"]}, "aliases.atlantis: unknown city or country 'atlantis'"),
        ({"halle_1": ["France (north)"]}, "aliases.halle_1: 'France (north)' is also a name of north"),
        ({"halle_1": ["HALLE"]}, "aliases.halle_1: 'HALLE' is also a name of halle_2"),
        ({"halle_1": ["Old"], "halle_2": ["óld"]}, "aliases.halle_2: 'óld' is also a name of halle_1"),
        ({"halle_1": ["?"]}, "aliases.halle_1: '?' is not a valid name of a place"),
        ({"halle_1": ["a\n"]}, "aliases.halle_1: 'a\\n' is not a valid name of a place"),
        ({"halle_1": "Old"}, "aliases.halle_1: expected a list, got 'Old'"),
        (["Old"], "aliases: expected a table, got ['Old']"),
    ],
)
def test_aliases_of_a_map_that_cannot_be(aliases: Any, problem: str) -> None:
    with pytest.raises(MapError) as caught:
        ttr.load_board(toy(aliases=aliases))
    assert caught.value.problems == (problem,)


def test_aliases_are_no_part_of_the_rules() -> None:
    """A map with more names is the same map: saved games of the one are games of the other."""
    other = evolve(EUROPE, aliases={"roma": ("Town of seven hills",)})
    assert other.find_place("town of seven hills") == "roma" and other.names.find("Rome") is None
    assert ttr.compile_rules("europe", board=other).fingerprint == ttr.compile_rules("europe", board=EUROPE).fingerprint


# -- routes --------------------------------------------------------------------------------------------------------


@pytest.mark.slow_cases("switzerland")
@pytest.mark.parametrize("board", [MARKLIN, SWISS], ids=["marklin", "switzerland"])
def test_every_crossing_is_named_by_its_city_and_the_country_as_printed(board: ttr.Board) -> None:
    stack = "germany-tickets" if board is MARKLIN else "switzerland"
    crossings = [route for route in board.routes.values() if any(board.cities[city].country for city in route.cities)]
    assert len(crossings) == (14 if board is MARKLIN else 17)
    for route in crossings:
        (city,) = (end for end in route.cities if board.cities[end].country is None)
        country = board.cities[route.other_end(city)].country
        assert country is not None
        for name in (board.place_name(country), *board.aliases[country]):
            scores = sheet(stack, {"routes": [[board.place_name(city), name, str(route.color)]]})
            assert scores.players[0].longest_path.routes == (route.id,)


def test_any_free_crossing_of_a_country_is_taken() -> None:
    written = [["Kreuzlingen", "Deutschland"]] * 2
    assert sheet("switzerland", {"routes": written}).players[0].route_points == 2
    found = problems("switzerland", routes=[*written, ["Kreuzlingen", "Germany"]])
    assert len(found) == 1 and "is claimed already" in found[0]


@pytest.mark.parametrize(
    "written",
    [
        "Paris–Zürich",
        "Zürich — Paris",
        "paris-zurich",
        "Paris - Zurich (gray)",
        "paris-zurich-gray",
        ["Paris", "Zürich", "Grey"],  # codespell:ignore grey
    ],
    ids=str,
)
def test_a_route_may_be_written_as_the_sheet_prints_it(written: object) -> None:
    scores = sheet("europe", {"routes": [written]})
    assert scores.players[0].longest_path.routes == ("paris-zurich-gray",)


def test_a_route_that_is_none_says_what_is_wrong_with_it() -> None:
    assert problems("europe", routes=[["Pariss", "Zürich"]]) == (
        "players[0].routes[0]: no city 'Pariss' on the board Europe; did you mean Paris?",
    )
    assert problems("europe", routes=["paris-zurich-grau"]) == (
        "players[0].routes[0]: no route 'paris-zurich-grau' on the board Europe; did you mean paris-zurich-gray?",
    )


# -- tickets -------------------------------------------------------------------------------------------------------


def named(board: ttr.Board, place: str) -> list[str]:
    return [board.place_name(place), *board.aliases.get(place, ()), place]


@pytest.mark.slow
@pytest.mark.slow_cases("germany-tickets")
@pytest.mark.parametrize("stack", ["germany-tickets", "switzerland"])
def test_country_tickets_are_accepted_as_printed(stack: str) -> None:
    rules = rules_of(stack)
    board = rules.board
    countries = [
        ticket for ticket in rules.tickets.values() if any(place not in board.cities for place in ticket.places)
    ]
    assert len(countries) == (17 if stack == "germany-tickets" else 12)
    for ticket in countries:
        start, *goals = [named(board, place) for place in ticket.places]
        forms: list[object] = []
        for number in range(3):
            first, others = start[number % len(start)], [goal[number % len(goal)] for goal in goals]
            forms += [[first, *others], [first, others[0]], [first, others[0], ticket.points]]
            forms += [[first, dict(zip(others, [points for _, points in ticket.goals], strict=True))]]
            forms += [f"{first}–{others[0]}"]
        for written in forms:
            (found,) = sheet(stack, {"tickets": [written]}).players[0].tickets
            assert found.signed == -ticket.penalty and found.cities == ticket.cities, written


def test_one_goal_is_enough_to_name_a_ticket_to_several_countries() -> None:
    for written in (
        ["Bern", "France"],
        ["Bern", "Frankreich", 5],
        ["Deutschland", "Bern"],
        ["Bern", "Italia", "Austria"],
    ):
        (found,) = sheet("switzerland", {"tickets": [written]}).players[0].tickets
        assert found.cities[0] == "bern", written
    assert (
        "worth 11 to Österreich, 8 to Italia, 6 to Deutschland, 5 to France, not 9"
        in problems("switzerland", tickets=[["Bern", "France", 9]])[0]
    )
    copies = {"tickets": [["Austria", "France"]] * 2}
    assert len(sheet("switzerland", copies).players[0].tickets) == 2
    assert "the deck has 2 of it" in problems("switzerland", tickets=[["Austria", "France"]] * 3)[0]


def test_a_ticket_to_several_places_that_no_deck_holds_is_written_as_a_table() -> None:
    (found,) = sheet("switzerland", {"tickets": [["Genf", {"Austria": 20, "Italy": 9}]]}).players[0].tickets
    assert found.signed == -9
    for written, problem in {
        (("Genf", "Austria", "Italy")): "give its places as a table with points",
        (("Genf", "countries")): "give its places as a table with points",
        (("countries", "countries")): "no city 'countries'",
    }.items():
        assert problem in problems("switzerland", tickets=[list(written)])[0]
    for table, problem in (
        ({}, "leads to one place at least"),
        ({"Austria": 0}, "whole number above 0"),
        ({"Austria": 3, "Österreich": 3}, "country_austria is already there"),
        ({"Atlantis": 3}, "no city 'Atlantis'"),
        ({"Genève": 3}, "not one with itself"),
    ):
        assert problem in problems("switzerland", tickets=[["Genf", table]])[0]


def test_names_of_tickets_that_a_caller_gives() -> None:
    rows = read_tickets([["Munich", "Denmark", 9, "short"], ["Koeln", "Schweiz", 8, "short"]])
    rows += read_tickets([{"cities": ["Ulm"], "alternatives": {"Holland": 9, "Dänemark": 5}, "kind": "short"}])
    made = make_tickets(MARKLIN, rows, set="mine", kinds=("short",))
    assert [ticket.places for ticket in made] == [
        ("munchen", "country_denmark"), ("koln", "country_switzerland"), ("ulm", "country_netherlands", "country_denmark"),
    ]  # fmt: skip


# -- what variants read --------------------------------------------------------------------------------------------


def test_stations_passengers_and_positions_go_by_the_same_names() -> None:
    mine = {"routes": [["Rome", "Venice"]], "stations": ["Munich"], "lends": {"Muenchen": ["Munich", "Vienna"]}}
    scores = sheet("europe", mine, {"routes": [["Wien", "München"]]})
    assert scores.players[0].lends == {"munchen": "munchen-wien-orange"}
    assert problems("europe", stations=["Rom", "Roma", "Rume", 5]) == (
        "players[0].stations[2]: no city 'Rume' on the board Europe; did you mean Roma?",
        "players[0].stations[3]: expected the name of a city, got 5",
        "players[0].stations[1]: roma has a station already (B1)",
    )
    found = problems("germany-tickets", routes=[["Kiel", "Denmark"]], passengers=["Denmark"])
    assert found == ("players[0].passengers[0]: Dänemark is a country: expected a city",)
    game = arranged("europe", {"routes": [["Rome", "Venice"]], "tickets": [["Rome", "Izmir"]]}, {})
    assert game.state.owners == {"roma-venezia-black": 0} and game.state.tickets[0] == ("roma-smyrna",)
