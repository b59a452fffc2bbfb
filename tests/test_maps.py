"""The maps that come with the library: totals of boards and decks, and a few rows by name."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import ttr_maps
from ttr_maps import NAMES, load
from ttr_rules.boards import load_board
from ttr_rules.errors import InvalidInputError
from ttr_rules.model.board import Board, Route, Ticket
from ttr_rules.model.cards import Color


def toml(*names: str) -> Any:
    return tomllib.loads(files("ttr_maps").joinpath(*names).read_text(encoding="utf-8"))


def pair(route: Route) -> frozenset[str]:
    return frozenset(route.cities)


def groups(board: Board) -> dict[str, list[Route]]:
    found: dict[str, list[Route]] = {}
    for route in board.routes.values():
        if route.double_group is not None:
            found.setdefault(route.double_group, []).append(route)
    return found


def shortest(board: Board, start: str, end: str) -> int:
    """The length of the shortest way between two places, crosses of mountains included.

    Nothing passes through a border crossing.
    """
    goals = set(board.place(end))
    lengths: dict[str, int] = dict.fromkeys(board.place(start), 0)
    todo = list(lengths)
    while todo:
        todo.sort(key=lambda city: -lengths[city])
        city = todo.pop()
        if city in goals:
            return lengths[city]
        if lengths[city] and board.cities[city].country is not None:
            continue
        for route in board.routes.values():
            if city in route.cities:
                other, length = route.other_end(city), lengths[city] + route.length + route.marks.count("cross")
                if length < lengths.get(other, 10**6):
                    lengths[other] = length
                    todo.append(other)
    raise AssertionError(f"no way from {start} to {end}")


TOTALS: dict[str, dict[str, Any]] = {
    "north_america": {
        "name": "North America",
        "cities": 36,
        "crossings": {},
        "routes": 100,
        "pairs": 78,
        "groups": 22,
        "triples": 0,
        "gray_doubles": 10,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {},
        "spaces": 309,
        "lengths": {1: 9, 2: 36, 3: 20, 4: 16, 5: 10, 6: 9},
        "colors": {"gray": 44},
        "other_colors": 7,
        "spaces_by_color": dict.fromkeys(["purple", "blue", "orange", "white", "green", "yellow", "black", "red"], 27)
        | {"gray": 93},
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15},
        "tickets": {("north_america", "regular"): 30},
        "ticket_points": 349,
    },
    "europe": {
        "name": "Europe",
        "cities": 47,
        "crossings": {},
        "routes": 101,
        "pairs": 90,
        "groups": 11,
        "triples": 0,
        "gray_doubles": 2,
        "tunnels": 18,
        "tunnel_spaces": 55,
        "ferries": {1: 9, 2: 4},
        "spaces": 300,
        "lengths": {1: 4, 2: 35, 3: 30, 4: 29, 6: 2, 8: 1},
        "colors": {"gray": 37},
        "other_colors": 8,
        "spaces_by_color": {
            "purple": 22,
            "blue": 23,
            "orange": 22,
            "white": 22,
            "green": 23,
            "yellow": 22,
            "black": 22,
            "red": 22,
            "gray": 122,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21},
        "tickets": {
            ("europe", "long"): 6,
            ("europe", "regular"): 40,
            ("europa_1912", "long"): 6,
            ("europa_1912", "regular"): 49,
        },
        "ticket_points": 1087,
    },
    "nordic_countries": {
        "name": "Nordic Countries",
        "cities": 39,
        "crossings": {},
        "routes": 81,
        "pairs": 67,
        "groups": 14,
        "triples": 0,
        "gray_doubles": 1,
        "tunnels": 10,
        "tunnel_spaces": None,
        "ferries": 24,
        "ferry_locomotives": 30,
        "spaces": 207,
        "lengths": {1: 17, 2: 28, 3: 20, 4: 11, 5: 3, 6: 1, 9: 1},
        "spaces_by_color": {
            "purple": 21,
            "blue": 21,
            "orange": 23,
            "white": 20,
            "green": 22,
            "yellow": 21,
            "black": 21,
            "red": 21,
            "gray": 37,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 9: 27},
        "tickets": {("nordic_countries", "regular"): 46},
        "ticket_points": 460,
    },
    "switzerland": {
        "name": "Switzerland",
        "cities": 34,
        "crossings": {"country_austria": 3, "country_france": 4, "country_italy": 5, "country_germany": 5},
        "routes": 88,
        "pairs": 76,
        "groups": 12,
        "triples": 0,
        "tunnels": 42,
        "tunnel_spaces": None,
        "ferries": {},
        "spaces": 205,
        "lengths": {1: 31, 2: 21, 3: 18, 4: 14, 5: 2, 6: 2},
        "spaces_by_color": {
            "purple": 18,
            "blue": 19,
            "orange": 19,
            "white": 18,
            "green": 20,
            "yellow": 18,
            "black": 19,
            "red": 18,
            "gray": 56,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15},
        "tickets": {("switzerland", "regular"): 46},
        "ticket_points": 414,
    },
    "marklin": {
        "name": "Märklin",
        "cities": 35,
        "crossings": {
            "country_denmark": 2,
            "country_france": 3,
            "country_netherlands": 3,
            "country_austria": 3,
            "country_switzerland": 3,
        },
        "routes": 110,
        "pairs": 85,
        "groups": 23,
        "triples": 2,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {},
        "spaces": 313,
        "lengths": {1: 23, 2: 30, 3: 25, 4: 17, 5: 8, 6: 2, 7: 5},
        "spaces_by_color": {
            "purple": 28,
            "blue": 28,
            "orange": 27,
            "white": 27,
            "green": 28,
            "yellow": 27,
            "black": 28,
            "red": 28,
            "gray": 92,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18},
        "tickets": {("germany_2017", "short"): 55, ("germany_2017", "long"): 34},
        "ticket_points": 941,
    },
    "india": {
        "name": "India",
        "cities": 39,
        "crossings": {},
        "routes": 108,
        "pairs": 80,
        "groups": 28,
        "triples": 0,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {1: 4, 2: 4},
        "spaces": 238,
        "lengths": {1: 31, 2: 47, 3: 17, 4: 9, 6: 3, 8: 1},
        "spaces_by_color": dict.fromkeys(["purple", "blue", "orange", "white", "green", "yellow", "black", "red"], 20)
        | {"gray": 78},
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21},
        "tickets": {("india", "regular"): 58},
        "ticket_points": 473,
    },
    "legendary_asia": {
        "name": "Legendary Asia",
        "cities": 39,
        "crossings": {},
        "routes": 100,
        "pairs": 70,
        "groups": 30,
        "triples": 0,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {1: 15},
        "spaces": 268,
        "lengths": {1: 13, 2: 37, 3: 31, 4: 8, 5: 10, 6: 1},
        "spaces_by_color": dict.fromkeys(["purple", "blue", "orange", "white", "green", "yellow", "black", "red"], 25)
        | {"gray": 68},
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15},
        "tickets": {("legendary_asia", "long"): 6, ("legendary_asia", "regular"): 30},
        "ticket_points": 339,
    },
    "london": {
        "name": "London",
        "cities": 17,
        "crossings": {},
        "routes": 44,
        "pairs": 35,
        "groups": 9,
        "triples": 0,
        "gray_doubles": 4,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {},
        "spaces": 95,
        "lengths": {1: 15, 2: 12, 3: 12, 4: 5},
        "spaces_by_color": {
            "purple": 11,
            "blue": 11,
            "orange": 11,
            "green": 11,
            "yellow": 11,
            "black": 12,
            "gray": 28,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7},
        "tickets": {("london", "regular"): 20},
        "ticket_points": 108,
    },
    "new_york": {
        "name": "New York",
        "cities": 15,
        "crossings": {},
        "routes": 41,
        "pairs": 30,
        "groups": 11,
        "triples": 0,
        "gray_doubles": 2,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {},
        "spaces": 84,
        "lengths": {1: 9, 2: 22, 3: 9, 4: 1},
        "spaces_by_color": {
            "purple": 11,
            "blue": 11,
            "orange": 10,
            "green": 11,
            "black": 10,
            "red": 11,
            "gray": 20,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7},
        "tickets": {("new_york", "regular"): 18},
        "ticket_points": 92,
    },
    "pennsylvania": {
        "name": "Pennsylvania",
        "cities": 34,
        "crossings": {"country_ontario": 2},
        "routes": 95,
        "pairs": 71,
        "groups": 24,
        "triples": 0,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {1: 2, 2: 2},
        "spaces": 322,
        "lengths": {1: 9, 2: 23, 3: 21, 4: 19, 5: 11, 6: 11, 7: 1},
        "spaces_by_color": {
            "purple": 34,
            "blue": 33,
            "orange": 33,
            "white": 36,
            "green": 36,
            "yellow": 29,
            "black": 35,
            "red": 33,
            "gray": 53,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18},
        "tickets": {("pennsylvania", "regular"): 50},
        "ticket_points": 508,
    },
    "united_kingdom": {
        "name": "United Kingdom",
        "cities": 47,
        "crossings": {"country_france": 2},
        "routes": 125,
        "pairs": 106,
        "groups": 18,
        "triples": 0,
        "gray_doubles": 2,
        "tunnels": 0,
        "tunnel_spaces": 0,
        "ferries": {1: 27, 2: 2, 3: 1},
        "spaces": 274,
        "lengths": {1: 47, 2: 38, 3: 25, 4: 6, 5: 6, 6: 2, 10: 1},
        "spaces_by_color": {
            "purple": 19,
            "blue": 19,
            "orange": 19,
            "white": 18,
            "green": 19,
            "yellow": 18,
            "black": 19,
            "red": 18,
            "gray": 125,
        },
        "points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 10: 40},
        "tickets": {("united_kingdom", "regular"): 57},
        "ticket_points": 382,
    },
}


def test_names() -> None:
    assert NAMES == tuple(sorted(TOTALS))
    folders = {folder.name for folder in files("ttr_maps").iterdir() if folder.is_dir()}
    assert folders - {"__pycache__"} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_totals_of_the_board(name: str) -> None:
    board, expected = load(name), TOTALS[name]
    routes = board.routes.values()
    assert (board.id, board.name) == (name, expected["name"])
    assert sum(city.country is None for city in board.cities.values()) == expected["cities"]
    crossings = Counter(city.country for city in board.cities.values() if city.country is not None)
    assert crossings == expected["crossings"]
    assert len(routes) == expected["routes"]
    assert len({pair(route) for route in routes}) == expected["pairs"]
    sizes = Counter(len(members) for members in groups(board).values())
    assert sizes == +Counter({2: expected["groups"] - expected["triples"], 3: expected["triples"]})
    if "gray_doubles" in expected:
        gray = [all(route.color == "gray" for route in members) for members in groups(board).values()]
        assert sum(gray) == expected["gray_doubles"]
    assert sum(route.tunnel for route in routes) == expected["tunnels"]
    if expected["tunnel_spaces"] is not None:
        assert sum(route.length for route in routes if route.tunnel) == expected["tunnel_spaces"]
    ferries = Counter(route.ferry_locomotives for route in routes if route.ferry_locomotives)
    if isinstance(expected["ferries"], dict):
        assert ferries == expected["ferries"]
    else:
        assert (ferries.total(), sum(ferries.elements())) == (
            expected["ferries"],
            expected["ferry_locomotives"],
        )
    assert not any(route.tunnel and route.ferry_locomotives for route in routes)
    assert sum(route.length for route in routes) == expected["spaces"]
    assert Counter(route.length for route in routes) == expected["lengths"]
    assert board.points == expected["points"]


@pytest.mark.parametrize("name", NAMES)
def test_totals_by_color(name: str) -> None:
    board, expected = load(name), TOTALS[name]
    spaces: Counter[str] = Counter()
    for route in board.routes.values():
        spaces[route.color] += route.length
    assert spaces == expected["spaces_by_color"]
    if "colors" in expected:
        counts = Counter(route.color for route in board.routes.values())
        assert counts == {color: expected["colors"].get(color, expected["other_colors"]) for color in Color}


@pytest.mark.parametrize("name", NAMES)
def test_totals_of_the_tickets(name: str) -> None:
    tickets, expected = load(name).tickets, TOTALS[name]
    assert Counter((ticket.set, ticket.kind) for ticket in tickets) == expected["tickets"]
    assert sum(ticket.points for ticket in tickets) == expected["ticket_points"]


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_unique_and_readable(name: str) -> None:
    board = load(name)
    assert len({ticket.id for ticket in board.tickets}) == len(board.tickets)
    for id, route in board.routes.items():
        stem = "-".join([*route.cities, route.color])
        same = [
            other.id for other in board.routes.values() if (other.cities, other.color) == (route.cities, route.color)
        ]
        numbered = [f"{stem}-{number + 1}" for number in range(len(same))]
        assert id == route.id
        assert same == (numbered if len(same) > 1 else [stem])
    for ticket in board.tickets:
        start, end = ticket.cities
        assert ticket.id.removesuffix("-2") == f"{start}-{'countries' if ticket.alternatives else end}"
        assert board.place(start)
        assert all(board.place(goal) for goal, _ in ticket.goals)


@pytest.mark.parametrize("name", NAMES)
def test_parallel_routes_are_doubles(name: str) -> None:
    for group, members in groups(load(name)).items():
        assert {"-".join(sorted(route.cities)) for route in members} == {group}
        if name != "nordic_countries":
            assert len({(route.length, route.tunnel, route.ferry_locomotives) for route in members}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_files_are_in_the_form_that_load_board_reads(name: str) -> None:
    folder = Path(str(files("ttr_maps"))) / name
    board = load_board(sorted(folder.glob("*.toml")))
    assert list(board.routes.values()) == list(load(name).routes.values())
    assert board.tickets == load(name).tickets
    for file in folder.glob("*.toml"):
        assert file.read_text(encoding="utf-8").startswith("# ")
        assert b"\r" not in file.read_bytes()


def test_routes_by_id() -> None:
    europe = load("europe")
    assert list(europe.routes)[:3] == [
        "amsterdam-bruxelles-black",
        "amsterdam-essen-yellow",
        "amsterdam-frankfurt-white",
    ]
    assert europe.routes["frankfurt-paris-white"].double_group == "frankfurt-paris"
    assert europe.routes["frankfurt-paris-orange"].double_group == "frankfurt-paris"
    assert europe.routes["dieppe-london-gray-1"].ferry_locomotives == 1
    assert europe.routes["dieppe-london-gray-2"].ferry_locomotives == 1
    assert "dieppe-london-gray" not in europe.routes
    assert europe.routes["petrograd-stockholm-gray"].length == 8
    assert europe.routes["petrograd-stockholm-gray"].tunnel
    two = {pair(route) for route in europe.routes.values() if route.ferry_locomotives == 2}
    assert two == {
        frozenset({"amsterdam", "london"}),
        frozenset({"constantinople", "sevastopol"}),
        frozenset({"erzurum", "sevastopol"}),
        frozenset({"palermo", "smyrna"}),
    }
    assert load("north_america").routes["denver-salt_lake_city-red"].length == 3
    assert "marseille-zurich-purple" in europe.routes
    assert load("marklin").routes["dortmund-dusseldorf-gray-3"].length == 1
    assert load("nordic_countries").routes["lieksa-murmansk-gray"].length == 9


def test_unequal_doubles_of_the_nordic_countries() -> None:
    board = load("nordic_countries")
    unequal = {group for group, both in groups(board).items() if len({route.length for route in both}) > 1}
    assert unequal == {"kristiansand-stavanger", "mo_i_rana-trondheim"}
    helsinki = groups(board)["helsinki-stockholm"]
    assert sorted((route.length, route.ferry_locomotives) for route in helsinki) == [(4, 1), (4, 2)]


def test_names_as_printed() -> None:
    europe = {city.id: city.name for city in load("europe").cities.values()}
    for id, printed in {
        "athina": "Athína",
        "cadiz": "Cádiz",
        "kobenhavn": "København",
        "kyiv": "Kyïv",
        "munchen": "München",
        "zagrab": "Zágráb",
        "zurich": "Zürich",
        "bucuresti": "Bucuresti",
    }.items():
        assert europe[id] == printed
    assert load("north_america").cities["montreal"].name == "Montréal"
    assert load("north_america").cities["sault_st_marie"].name == "Sault St. Marie"
    assert load("nordic_countries").cities["alborg"].name == "Ålborg"
    assert load("switzerland").cities["zurich"].name == "Zürich"
    assert load("switzerland").cities["country_austria_1"].name == "Österreich"
    assert load("marklin").cities["koln"].name == "Köln"


BIG_CITIES = {"angora", "athina", "berlin", "london", "madrid", "moskva", "paris", "roma", "wien"}


def test_big_city_tickets() -> None:
    europe = load("europe").tickets
    marked = [ticket for ticket in europe if "big_city" in ticket.logos]
    assert Counter(ticket.set for ticket in marked) == {"europe": 15, "europa_1912": 30}
    assert marked == [ticket for ticket in europe if ticket.kind == "regular" and BIG_CITIES & set(ticket.cities)]
    assert {logo for ticket in europe for logo in ticket.logos} == {"big_city"}
    both = {frozenset(ticket.cities) for ticket in marked if BIG_CITIES >= set(ticket.cities)}
    assert len(both) == 36
    assert not any(ticket.logos for name in NAMES if name != "europe" for ticket in load(name).tickets)


def test_tickets_by_id() -> None:
    europe = {ticket.id: ticket for ticket in load("europe").tickets}
    assert next(iter(europe)) == "brest-petrograd"
    assert europe["brest-petrograd"] == Ticket("brest-petrograd", ("brest", "petrograd"), 20, "long", "europe")
    assert europe["paris-angora"].points == 17
    assert europe["stockholm-wien"].points == 11
    assert europe["edinburgh-athina"].kind == "long"
    assert [ticket.set for ticket in europe.values()] == ["europe"] * 46 + ["europa_1912"] * 55
    america = {ticket.id: ticket.points for ticket in load("north_america").tickets}
    assert america["seattle-new_york"] == 22
    assert america["los_angeles-miami"] == 20
    assert america["sault_st_marie-oklahoma_city"] == 9


@pytest.mark.rule("H5")
def test_swiss_tickets_to_countries() -> None:
    tickets = {ticket.id: ticket for ticket in load("switzerland").tickets}
    assert sum(bool(ticket.alternatives) for ticket in tickets.values()) == 12
    bern = tickets["bern-countries"]
    assert bern.cities == ("bern", "country_austria")
    assert (bern.points, bern.penalty) == (11, 5)
    assert bern.goals == (
        ("country_austria", 11),
        ("country_italy", 8),
        ("country_germany", 6),
        ("country_france", 5),
    )
    for country in ("austria", "france", "germany", "italy"):
        first, second = (tickets[f"country_{country}-countries{copy}"] for copy in ("", "-2"))
        assert first.goals == second.goals
        assert len(first.goals) == 3


@pytest.mark.rule("H4", "M7")
@pytest.mark.parametrize("name", ["switzerland", "marklin"])
def test_border_crossings_end_one_route(name: str) -> None:
    board = load(name)
    ends = Counter(city for route in board.routes.values() for city in route.cities)
    for city in board.cities.values():
        assert (city.country is not None) == city.id.startswith("country_")
        if city.country is not None:
            assert ends[city.id] == 1
            assert city.id.startswith(f"{city.country}_")
            assert city.id in board.place(city.country)


@pytest.mark.parametrize(
    ("name", "equal", "all_values"),
    [
        ("north_america", 25, 30),
        ("europe", 93, 101),
        ("nordic_countries", 46, 46),
        ("switzerland", 34 + 31, 34 + 40),
        ("marklin", 88, 89),
        ("india", 58, 58),
        ("legendary_asia", 36, 36),
        ("london", 20, 20),
        ("united_kingdom", 20, 57),
        ("new_york", 18, 18),
        ("pennsylvania", 49, 50),
    ],
)
def test_most_tickets_are_worth_their_shortest_way(name: str, equal: int, all_values: int) -> None:
    board = load(name)
    values = [
        points == shortest(board, ticket.cities[0], goal) for ticket in board.tickets for goal, points in ticket.goals
    ]
    assert (sum(values), len(values)) == (equal, all_values)


def test_tokens_of_marklin() -> None:
    tokens = toml("marklin", "tokens.toml")["extra"]["tokens"]
    board = load("marklin")
    assert [row["city"] for row in tokens] == [city.id for city in board.cities.values() if city.country is None]
    stacks = {"black": [7, 6, 5, 4], "red": [4, 3, 2], "yellow": [3, 2, 1], "white": [2]}
    assert all(row["tokens"] == stacks[row["color"]] for row in tokens)
    assert Counter(row["color"] for row in tokens) == {"black": 1, "red": 6, "yellow": 12, "white": 16}
    assert sum(len(row["tokens"]) for row in tokens) == 74


def test_load_gives_the_same_board_again() -> None:
    assert load("europe") is load("europe")


@pytest.mark.parametrize("name", ["atlantis", "", "../europe", "Europe", None, ["europe"]])
def test_unknown_map(name: Any) -> None:
    with pytest.raises(InvalidInputError, match="comes with ttr_maps; there are europe, india, legendary_asia, london"):
        load(name)


@pytest.mark.installed_tree
def test_the_example_in_the_readme_is_a_map() -> None:
    readme = Path(__file__).parent.parent / "maps" / "README.md"
    example = readme.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    board = load_board(tomllib.loads(example))
    assert list(board.routes) == ["ada-bree-red", "ada-bree-gray", "bree-south_1-gray"]
    assert [ticket.id for ticket in board.tickets] == ["ada-bree", "ada-countries"]


def test_the_package_says_what_it_offers() -> None:
    assert ttr_maps.__all__ == ["NAMES", "load"]
