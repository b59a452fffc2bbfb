"""Maps of one's own: what is read, and every mistake reported with its place, all at once."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from ttr_rules.boards import load_board
from ttr_rules.errors import InvalidInputError, MapError
from ttr_rules.model.board import Board, City, Route, Ticket
from ttr_rules.model.cards import Color

BOARD = """
id = "toy"
name = "Toy Land"
points = {1 = 1, 2 = 2, 3 = 4}
unequal_doubles = ["odd"]

cities = [
  {id = "ada", name = "Ada", x = 0.1, y = 0.2},
  {id = "bree", name = "Brée", x = 0.5, y = 1},
  {id = "cole", name = "Cole", x = 0.9, y = 0.2},
  {id = "far_1", name = "Far", x = 0.0, y = 0.0, country = "country_far"},
  {id = "far_2", name = "Far", x = 1.0, y = 0.0, country = "country_far"},
  {id = "out_1", name = "Out", x = 1.0, y = 0.5, country = "country_out"},
]

routes = [
  {cities = ["ada", "bree"], length = 2, color = "gray", double_group = "ada-bree"},
  {cities = ["ada", "bree"], length = 2, color = "gray", double_group = "ada-bree"},
  {cities = ["bree", "cole"], length = 2, color = "red", tunnel = true, double_group = "odd"},
  {cities = ["cole", "bree"], length = 3, color = "blue", ferry_locomotives = 1, double_group = "odd"},
  {cities = ["ada", "far_1"], length = 1, color = "black"},
  {cities = ["far_2", "cole"], length = 1, color = "white", id = "pass"},
  {cities = ["cole", "out_1"], length = 1, color = "gray"},
]
"""
TICKETS = """
tickets = [
  {cities = ["ada", "cole"], points = 4},
  {cities = ["ada", "cole"], points = 4, kind = "long", set = "more", logos = ["star", "moon"]},
  {cities = ["bree", "country_far"], points = 3},
  {cities = ["bree"], alternatives = {country_far = 3, country_out = 5}},
  {cities = ["bree", "country_out"], points = 5, alternatives = {country_far = 5, country_out = 5}},
  {cities = ["country_out", "country_far"], points = 2, id = "across"},
  {cities = ["ada", "country_far", "bree"], points = 6, in_order = 8, penalty = 0},
]
[extra]
anything = [1, "two"]
"""
VALID: dict[str, Any] = tomllib.loads(BOARD + TICKETS)


def problems_of(source: Any) -> tuple[str, ...]:
    with pytest.raises(MapError) as caught:
        load_board(source)
    assert isinstance(caught.value, InvalidInputError)
    for problem in caught.value.problems[:20]:
        assert problem in str(caught.value)
    assert len(set(caught.value.problems)) == len(caught.value.problems)
    return caught.value.problems


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    document = copy.deepcopy(VALID)
    change(document)
    return document


def test_everything_a_map_can_say() -> None:
    board = load_board(VALID)
    assert (board.id, board.name, dict(board.points)) == ("toy", "Toy Land", {1: 1, 2: 2, 3: 4})
    assert board.cities["bree"] == City("bree", "Brée", 0.5, 1.0)
    assert isinstance(board.cities["bree"].y, float)
    assert board.cities["far_2"] == City("far_2", "Far", 1.0, 0.0, "country_far")
    assert list(board.routes) == [
        "ada-bree-gray-1",
        "ada-bree-gray-2",
        "bree-cole-red",
        "cole-bree-blue",
        "ada-far_1-black",
        "pass",
        "cole-out_1-gray",
    ]
    assert board.routes["bree-cole-red"] == Route(
        "bree-cole-red", ("bree", "cole"), 2, Color.RED, tunnel=True, double_group="odd"
    )
    assert board.routes["cole-bree-blue"] == Route(
        "cole-bree-blue", ("cole", "bree"), 3, Color.BLUE, ferry_locomotives=1, double_group="odd"
    )
    out, far = ("country_out", 5), ("country_far", 3)
    assert board.tickets == (
        Ticket("ada-cole", ("ada", "cole"), 4),
        Ticket("ada-cole-2", ("ada", "cole"), 4, "long", "more", frozenset({"star", "moon"})),
        Ticket("bree-country_far", ("bree", "country_far"), 3),
        Ticket("bree-countries", ("bree", "country_out"), 5, alternatives=(out, far)),
        Ticket("bree-countries-2", ("bree", "country_out"), 5, alternatives=(out, ("country_far", 5))),
        Ticket("across", ("country_out", "country_far"), 2),
        Ticket("ada-country_far-bree", ("ada", "country_far", "bree"), 6, in_order=8, penalty=0),
    )
    assert [ticket.penalty for ticket in board.tickets] == [4, 4, 3, 3, 5, 2, 0]
    assert board.place("country_far") == ("far_1", "far_2")


def test_what_may_be_left_out() -> None:
    document = {
        "id": "least",
        "name": "Least",
        "points": {1: 1},
        "cities": ({"id": "ada", "name": "Ada"}, {"id": "bree", "name": "Bree", "country": None}),
        "routes": [{"cities": ("ada", "bree"), "length": 1, "color": Color.RED}],
    }
    board = load_board(document)
    assert board.tickets == ()
    assert board.cities["ada"] == City("ada", "Ada", 0.0, 0.0, None)
    assert type(board.routes["ada-bree-red"].color) is Color


def test_the_given_mapping_is_left_alone() -> None:
    document = copy.deepcopy(VALID)
    load_board(document)
    assert document == VALID


# --- where a map comes from ------------------------------------------------------------------------


def same(first: Board, second: Board) -> bool:
    return all(
        getattr(first, field) == getattr(second, field)
        for field in ("id", "name", "cities", "routes", "points", "tickets")
    )


def test_sources(tmp_path: Path) -> None:
    whole = tmp_path / "whole.toml"
    whole.write_text(BOARD + TICKETS, encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "board.toml").write_text(BOARD, encoding="utf-8")
    (folder / "tickets.toml").write_text(TICKETS, encoding="utf-8-sig", newline="\r\n")
    expected = load_board(VALID)
    sources: list[Any] = [
        whole,
        str(whole),
        (folder / "board.toml", str(folder / "tickets.toml")),
        [tomllib.loads(BOARD), folder / "tickets.toml"],
    ]
    for source in sources:
        assert same(load_board(source), expected)


def test_parts_are_put_together() -> None:
    parts: list[dict[str, Any]] = [
        {"id": "toy", "name": "Toy", "points": {"1": 1}, "extra": {"a": 1}},
        {"id": "toy", "points": {2: 2}, "cities": VALID["cities"][:2], "extra": {"a": 2}},
        {"routes": VALID["routes"][:1], "unequal_doubles": []},
        {"routes": VALID["routes"][1:2]},
    ]
    board = load_board(parts)
    assert list(board.routes) == ["ada-bree-gray-1", "ada-bree-gray-2"]
    assert board.points == {1: 1, 2: 2}
    parts[2]["id"] = "other"
    parts[3]["points"] = {"2": 3}
    assert problems_of(parts) == (
        "part 3: id: 'other', but another part of the map has 'toy'",
        "part 4: points.2: given twice",
    )


def test_places_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    tickets = tmp_path / "tickets.toml"
    files = [tmp_path / "board.toml", tickets]
    tickets.write_text('tickets = [{cities = ["ada", "coel"], points = "4"}]', encoding="utf-8")
    assert problems_of(files) == ("tickets.toml: tickets[0].points: expected a whole number, got '4'",)
    tickets.write_text('tickets = [{cities = ["ada", "coel"], points = 4}]', encoding="utf-8")
    assert problems_of(files) == ("tickets.toml: tickets[0].cities: unknown city or country 'coel', perhaps cole",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id = ", "not TOML: Invalid value"),
        (b"id = 1\nid = 2", "not TOML: Cannot overwrite a value"),
        (b"id = " + b"9" * 5000, "not TOML: "),
        (b"id = " + b"[" * 100_000, "not TOML: "),
        (b'id = "\xff"', "not UTF-8 at byte 7"),
        (b"\x00", "not TOML: "),
    ],
)
def test_files_that_are_no_toml(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "map.toml"
    path.write_bytes(content)
    (problem,) = problems_of(path)
    assert problem.startswith(f"{path}: {message}")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (problem,) = problems_of(tmp_path / "nowhere.toml")
    assert "nowhere.toml: cannot be read: No such file" in problem
    assert problems_of(tmp_path) == (f"{tmp_path}: cannot be read: Is a directory",)
    assert len(problems_of("x\0y")) == 1
    assert len(problems_of("x" * 10_000)) == 1
    assert problems_of([]) == ("no source at all",)
    assert problems_of(7) == ("expected a file or a mapping, got 7",)
    assert problems_of([VALID, None]) == ("part 2: expected a file or a mapping, got None",)


def test_a_path_that_is_none() -> None:
    class Odd:
        def __fspath__(self) -> bytes:
            return b"map.toml"

    (problem,) = problems_of(Odd())
    assert "Odd object" in problem


def test_a_missing_file_hides_no_mistakes_of_form_and_makes_none_up(tmp_path: Path) -> None:
    tickets = [{"cities": ["ada", "cole"], "points": 0}]
    routes = [{"cities": ["ada", "bree"], "length": 0, "color": "red", "double_group": "main"}]
    gone, *rest = problems_of([tmp_path / "board.toml", {"tickets": tickets, "routes": routes}])
    assert "board.toml" in gone
    assert rest == [], "what the rows say is checked when all are there"
    routes[0]["length"] = "1"
    gone, wrong = problems_of([tmp_path / "board.toml", {"tickets": tickets, "routes": routes}])
    assert "board.toml" in gone and wrong == "part 2: routes[0].length: expected a whole number, got '1'"


# --- mistakes --------------------------------------------------------------------------------------


def city(index: int, **fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda document: document["cities"][index].update(fields)


def route(index: int, **fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda document: document["routes"][index].update(fields)


def ticket(index: int, **fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda document: document["tickets"][index].update(fields)


def top(**fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda document: document.update(fields)


def without(*path: Any) -> Callable[[dict[str, Any]], object]:
    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        del document[path[-1]]

    return change


def added(key: str, **fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda document: document[key].append(fields)


MISTAKES: list[tuple[Callable[[dict[str, Any]], object], list[str]]] = [
    # The document.
    (
        top(color="red", **{"2": 3}),
        ["unknown key '2'; known keys: id, name", "unknown key 'color'; known keys: id, name"],
    ),
    (without("id"), ["id: missing"]),
    (without("name"), ["name: missing"]),
    (without("points"), ["points: missing; a table"]),
    (without("cities"), ["cities: there are none", "routes[0].cities: unknown city 'ada'"]),
    (without("routes"), ["routes: there are none", "unequal_doubles[0]: unknown double_group 'odd'"]),
    (top(id=3), ["id: expected a string, got 3"]),
    (top(id=" "), ["id: empty"]),
    (
        top(id="Toy Land"),
        ["id: 'Toy Land' is not an id; ids consist of a-z, 0-9 and _, joined by single hyphens"],
    ),
    (top(name=""), ["name: empty"]),
    (top(name="Toy\nLand"), ["name: control characters"]),
    (top(points=[1, 2]), ["points: expected a table, got [1, 2]"]),
    (top(points={}), ["points: empty"]),
    (top(points={1: 1, 2: 2, 3: 4, "0": 1}), ["points.0: not a route length"]),
    (top(points={1: 1, 2: 2, 3: 4, 4.5: 1}), ["points[4.5]: expected a whole number as key, got 4.5"]),
    (
        top(points={True: 1, 2: 2, 3: 4}),
        ["points[True]: expected a whole number as key, got True"],
    ),
    (top(points={1: 1, 2: 2, 3: 4, "3": 4}), ["points: two of the keys mean the same"]),
    (
        top(points={1: 1, 2: "2", 3: -4}),
        ["points[2]: expected a whole number, got '2'"],
    ),
    (top(cities={}), ["cities: expected a list, got {}"]),
    (top(routes="ada-bree"), ["routes: expected a list, got 'ada-bree'"]),
    (top(tickets=None), ["tickets: expected a list, got None"]),
    (top(extra=1), ["extra: expected a table, got 1"]),
    (
        top(unequal_doubles="odd"),
        ["unequal_doubles: expected a list, got 'odd'"],
    ),
    (top(unequal_doubles=["odd", 1]), ["unequal_doubles[1]: expected a string, got 1"]),
    (top(unequal_doubles=["odd", "ood"]), ["unequal_doubles[1]: unknown double_group 'ood', perhaps odd"]),
    # Cities.
    (lambda d: d["cities"].__setitem__(0, "ada"), ["cities[0]: expected a table, got 'ada'"]),
    (without("cities", 0, "id"), ["cities[0].id: missing"]),
    (without("cities", 0, "name"), ["cities[0].name: missing"]),
    (city(0, nation="x"), ["cities[0]: unknown key 'nation'"]),
    (city(0, id=7), ["cities[0].id: expected a string, got 7"]),
    (added("cities", id="ada", name="Ada"), ["cities[6].id: 'ada' is taken by cities[0]"]),
    (city(0, id="a-da"), ["cities[0].id: 'a-da' is not an id; ids consist of a-z, 0-9 and _"]),
    (city(0, id=""), ["cities[0].id: '' is not an id"]),
    (city(0, name="  "), ["cities[0].name: empty"]),
    (city(0, name="A\x00da"), ["cities[0].name: control characters"]),
    (city(0, name="\ud800"), ["cities[0].name: control characters"]),
    (city(0, name=None), ["cities[0].name: expected a string, got None"]),
    (city(0, x=float("nan")), ["cities[0].x: expected a number, got nan"]),
    (city(0, y=float("inf")), ["cities[0].y: expected a number, got inf"]),
    (city(0, y=True), ["cities[0].y: expected a number, got True"]),
    (city(0, y="0.5"), ["cities[0].y: expected a number, got '0.5'"]),
    (city(0, x=10**5000), ["cities[0].x: expected a number, got a value of type int"]),
    (
        city(0, x=-0.5, y=1.5),
        ["cities[0].x: expected a fraction of the picture", "cities[0].y: expected a fraction of the picture"],
    ),
    (city(3, country="Far Land"), ["cities[3].country: 'Far Land' is not an id"]),
    (city(5, country="ada"), ["cities[5].country: 'ada' is the id of a city"]),
    (city(5, country=False), ["cities[5].country: expected a string, got False"]),
    (added("cities", id="dell", name="Dell"), ["cities[6]: no route reaches dell"]),
    # Routes.
    (without("routes", 4, "color"), ["routes[4].color: missing"]),
    (without("routes", 4, "length"), ["routes[4].length: missing"]),
    (route(4, lenght=1, at=2), ["routes[4]: unknown key 'at'", "routes[4]: unknown key 'lenght'"]),
    (lambda d: d["routes"].__setitem__(4, [1]), ["routes[4]: expected a table, got [1]"]),
    (route(4, cities=["ada"]), ["routes[4].cities: expected a list of 2, got one of 1"]),
    (route(4, cities=["ada", "bree", "cole"]), ["routes[4].cities: expected a list of 2, got one of 3"]),
    (route(4, cities="ab"), ["routes[4].cities: expected a list, got 'ab'"]),
    (route(4, cities=["ada", 5]), ["routes[4].cities[1]: expected a string, got 5"]),
    (route(4, cities=["aad", "far_1"]), ["routes[4].cities: unknown city 'aad', perhaps ada"]),
    (route(4, cities=["ada", "country_far"]), ["routes[4].cities: unknown city 'country_far'"]),
    (
        added("routes", cities=["ada", "ada"], length=1, color="red"),
        ["routes[7].cities: from 'ada' to itself"],
    ),
    (route(4, length=0), ["routes[4].length: expected at least 1, got 0"]),
    (route(4, length=-2), ["routes[4].length: expected at least 1, got -2"]),
    (route(4, length=9), ["routes[4].length: no points are given for the length 9"]),
    (route(4, length=True), ["routes[4].length: expected a whole number, got True"]),
    (route(4, length="1"), ["routes[4].length: expected a whole number, got '1'"]),
    (route(4, length=1.5), ["routes[4].length: expected a whole number, got 1.5"]),
    (route(4, length=1.0), ["routes[4].length: expected a whole number, got 1.0"]),
    (route(4, length=10**5000), ["routes[4].length: expected a whole number of at most 1000000"]),
    (
        route(4, color="pink"),
        ["routes[4].color: unknown color 'pink'; there are purple, blue, orange, white, green, "],
    ),
    (route(4, color=object()), ["routes[4].color: expected a string, got <object obj"]),
    (route(4, color=3), ["routes[4].color: expected a string, got 3"]),
    (route(4, id=""), ["routes[4].id: '' is not an id"]),
    (route(4, tunnel=1), ["routes[4].tunnel: expected true or false, got 1"]),
    (route(4, ferry_locomotives=-1), ["routes[4].ferry_locomotives: expected at least 0, got -1"]),
    (route(4, ferry_locomotives=2), ["routes[4].ferry_locomotives: 2 on a route of length 1"]),
    (route(4, id="pass"), ["routes[5].id: 'pass' is taken by routes[4]"]),
    (route(4, id="bree-cole-red"), ["routes[4].id: 'bree-cole-red' is taken by routes[2]"]),
    (route(4, id="The Pass"), ["routes[4].id: 'The Pass' is not an id"]),
    # Doubles.
    (route(4, double_group="x"), ["routes[4].double_group: no other route is in 'x'"]),
    (
        route(4, double_group="ada-bree"),
        ["routes[4].double_group: 'ada-bree' joins other cities at routes[0]"],
    ),
    (
        route(1, length=3),
        ["routes[1].length: 3 is not the length 2 of routes[0] in 'ada-bree'; unequal_doubles does"],
    ),
    (without("unequal_doubles"), ["routes[3].length: 3 is not the length 2 of routes[2] in 'odd'"]),
    (top(no_doubles=["ada-bree"]), ["no_doubles[0]: 'ada-bree' does not name two cities joined by several routes"]),
    (top(no_doubles=["ada-far_1"]), ["no_doubles[0]: 'ada-far_1' does not name"]),
    (top(no_doubles=[3]), ["no_doubles[0]: expected a string, got 3"]),
    (
        lambda d: [d["routes"][index].pop("double_group") for index in (0, 1)],
        [
            "routes[0].double_group: missing, though it runs beside routes[1]",
            "routes[1].double_group: missing",
        ],
    ),
    (
        added("routes", cities=["bree", "ada"], length=2, color="red"),
        ["routes[7].double_group: parallel routes must share one (routes[0], routes[1])"],
    ),
    (
        lambda d: [added("routes", cities=["bree", "ada"], length=2, color=c, double_group="b")(d) for c in "pq"],
        [f"routes[{index}].double_group: parallel routes must share one" for index in (0, 1, 7, 8)]
        + [f"routes[{index}].color: unknown" for index in (7, 8)],
    ),
    (
        lambda d: [route(index, double_group="A b")(d) for index in (0, 1)],
        ["routes[0].double_group: 'A b' is not an id"],
    ),
    # The board as a whole.
    (
        lambda d: (
            d["cities"].extend({"id": id, "name": id} for id in ("dell", "east")),
            d["routes"].append({"cities": ["dell", "east"], "length": 1, "color": "red"}),
        ),
        ["routes: cut off from the rest of the board: dell, east"],
    ),
    # Tickets.
    (without("tickets", 0, "points"), ["tickets[0].points: missing"]),
    (without("tickets", 0, "cities"), ["tickets[0].cities: missing"]),
    (ticket(0, cities=["ada"]), ["tickets[0]: expected two to 8 cities, got 1"]),
    (ticket(0, cities=["ada"] * 9), ["tickets[0]: expected two to 8 cities, got 9"]),
    (ticket(3, cities=[]), ["tickets[3]: expected one or two cities, got 0"]),
    (ticket(0, cities=["ada", "atlantis"]), ["tickets[0].cities: unknown city or country 'atlantis'"]),
    (ticket(0, cities=["ada", "ada"]), ["tickets[0]: from 'ada' to itself"]),
    (ticket(0, cities=["far_1", "country_far"]), ["tickets[0]: from 'far_1' to itself"]),
    (ticket(6, cities=["ada", "bree", "ada"]), ["tickets[6]: from 'ada' to itself"]),
    (ticket(6, cities=["ada", "far_1", "country_far"]), ["tickets[6]: from 'far_1' to itself"]),
    (ticket(6, in_order=6), ["tickets[6].in_order: expected more than the points, which are 6, got 6"]),
    (
        ticket(0, in_order=9),
        ["tickets[0].in_order: only a ticket of three and more cities, without alternatives, has an order"],
    ),
    (
        ticket(3, in_order=9),
        ["tickets[3].in_order: only a ticket of three and more cities, without alternatives, has an order"],
    ),
    (ticket(6, penalty=-1), ["tickets[6].penalty: expected at least 0, got -1"]),
    (ticket(0, points=0), ["tickets[0].points: expected at least 1, got 0"]),
    (ticket(0, points=-3), ["tickets[0].points: expected at least 1, got -3"]),
    (ticket(0, points=True), ["tickets[0].points: expected a whole number, got True"]),
    (ticket(0, value=3), ["tickets[0]: unknown key 'value'"]),
    (ticket(0, kind="huge"), ["tickets[0].kind: unknown kind 'huge'; there are regular, long, short"]),
    (ticket(0, set="My Set"), ["tickets[0].set: 'My Set' is not an id"]),
    (ticket(0, logos=["ok", ""]), ["tickets[0].logos: '' is not an id"]),
    (ticket(0, logos="star"), ["tickets[0].logos: expected a list, got 'star'"]),
    (ticket(0, logos=[1]), ["tickets[0].logos[0]: expected a string, got 1"]),
    (ticket(0, id="a b"), ["tickets[0].id: 'a b' is not an id"]),
    (ticket(0, id="across"), ["tickets[5].id: 'across' is taken by tickets[0]"]),
    (ticket(3, alternatives=[]), ["tickets[3].alternatives: expected a table, got []"]),
    (ticket(3, alternatives={}), ["tickets[3]: expected two to 8 cities, got 1"]),
    (
        ticket(3, alternatives={"country_far": "3"}),
        ["tickets[3].alternatives.country_far: expected a whole number"],
    ),
    (
        ticket(3, alternatives={"country_far": 3, "x": 4}),
        ["tickets[3].alternatives: unknown city or country 'x'"],
    ),
    (ticket(3, alternatives={"country_far": 3, "bree": 4}), ["tickets[3]: from 'bree' to itself"]),
    (
        ticket(3, alternatives={"country_far": 3, "ada": 0}),
        ["tickets[3].alternatives: expected at least 1 for 'ada'"],
    ),
    (ticket(4, points=6), ["tickets[4].points: 6, but the best of the alternatives is 5"]),
    (ticket(4, cities=["bree", "ada"]), ["tickets[4].cities: 'ada' is not the best of the alternatives"]),
]


@pytest.mark.parametrize(("change", "starts"), MISTAKES)
def test_each_mistake_is_reported_with_its_place(change: Callable[[dict[str, Any]], object], starts: list[str]) -> None:
    problems = problems_of(changed(change))
    for start in starts:
        assert any(problem.startswith(start) for problem in problems), (start, problems)
    places = {start.split(":")[0] for start in starts}
    if not places & {"cities", "routes", "cities[0].id", "cities[5].country"}:  # those make others wrong too
        assert len(problems) == len(starts), problems


@pytest.mark.rule("H4")
def test_a_border_crossing_ends_one_route() -> None:
    extra = {"cities": ["far_1", "bree"], "length": 1, "color": "red"}
    (problem,) = problems_of(changed(lambda document: document["routes"].append(extra)))
    assert problem == ("cities[3]: a border crossing is the end of one route or of one double, far_1 of 2")


@pytest.mark.rule("H4")
def test_a_border_crossing_may_end_a_double() -> None:
    document = changed(lambda document: None)
    (row,) = [row for row in document["routes"] if "far_1" in row["cities"]]
    row["double_group"] = "far"
    document["routes"].append({**row, "color": "red" if row["color"] == "blue" else "blue"})
    board = load_board(document)
    assert sum("far_1" in route.cities for route in board.routes.values()) == 2


def test_all_mistakes_at_once() -> None:
    def change(document: dict[str, Any]) -> None:
        document["title"] = "Toy"
        document["points"]["2"] = 2.5
        document["cities"][0]["x"] = "left"
        document["tickets"][3]["alternatives"] = {"ada": "many", 3: 4}

    def say(document: dict[str, Any]) -> None:
        document["routes"][2]["cities"] = ["bree", "coal"]
        document["routes"][4]["length"] = 0
        document["routes"][6]["color"] = "brown"
        document["tickets"][0]["points"] = None
        document["tickets"][2]["cities"] = ["bree", "nowhere"]

    assert [problem.split(":")[0] for problem in problems_of(changed(change))] == [
        "points.2",
        "cities[0].x",
        "tickets[3].alternatives.ada",
        "tickets[3].alternatives[3]",
        "unknown key 'title'; known keys",
    ]
    assert [problem.split(":")[0] for problem in problems_of(changed(say))] == [
        "routes[2].cities",
        "routes[4].length",
        "routes[6].color",
        "routes[3].double_group",
        "tickets[0].points",
        "tickets[2].cities",
    ]


def test_the_message_names_the_map_and_counts() -> None:
    with pytest.raises(MapError, match=r"\Amap toy: 1 problem\n  name: empty\Z"):
        load_board({**VALID, "name": ""})
    with pytest.raises(MapError, match=r"\Amap: 5 problems\n"):
        load_board({})
    with pytest.raises(MapError, match=r"\Amap: 1 problem\n"):
        load_board({**VALID, "id": "to\ny"})
    with pytest.raises(MapError, match=r"\Amap nowhere.toml: 1 problem\n"):
        load_board("nowhere.toml")


# --- whatever is handed over -----------------------------------------------------------------------

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(10**400, 10**401)
    | st.floats()
    | st.text(st.characters(codec=None), max_size=8)
    | st.sampled_from(["ada", "bree", "cole", "country_far", "odd", "red", "gray"])
    | st.dates()
)
keys = (
    st.sampled_from([*VALID, *VALID["cities"][3], *VALID["routes"][2], *VALID["tickets"][1], "alternatives", "1"])
    | st.text(max_size=3)
    | st.integers(0, 5)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6),
    max_leaves=25,
)


def board_or_map_error(source: Any) -> None:
    try:
        board = load_board(source)
    except MapError as error:
        assert error.problems
        assert all(isinstance(problem, str) for problem in error.problems)
    else:
        assert isinstance(board, Board)
        assert len(board.routes) == len(source["routes"])
        for route in board.routes.values():
            assert set(route.cities) <= set(board.cities)
            assert route.length in board.points
        assert len({ticket.id for ticket in board.tickets}) == len(board.tickets)


@given(st.dictionaries(keys, values, max_size=8) | values.filter(lambda value: not isinstance(value, str)))
def test_any_value_is_a_board_or_a_map_error(source: Any) -> None:
    board_or_map_error(source)


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    entries: Any = ()
    if hasattr(value, "items"):
        entries = value.items()
    elif hasattr(value, "append"):
        entries = enumerate(value)
    for key, entry in entries:
        found += spots(entry, (*path, key))
    return found


@pytest.mark.slow
@given(st.data())
def test_a_spoilt_map_is_a_board_or_a_map_error(data: st.DataObject) -> None:
    document = copy.deepcopy(VALID)
    for _ in range(data.draw(st.integers(1, 3))):
        *path, last = data.draw(st.sampled_from(spots(document)))
        table: Any = document
        for step in path:
            table = table[step]
        match data.draw(st.sampled_from(["replace", "delete", "copy", "add"])):
            case "replace":
                table[last] = data.draw(values)
            case "delete":
                del table[last]
            case "copy" if hasattr(table, "append"):
                table.append(copy.deepcopy(table[last]))
            case _:
                if isinstance(table, dict):
                    table[data.draw(keys)] = data.draw(values)
        if not spots(document):
            break
    board_or_map_error(document)


@given(st.binary(max_size=60))
def test_any_file_is_a_map_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("maps") / "map.toml"
    path.write_bytes(content)
    with pytest.raises(MapError):
        load_board(path)


@pytest.mark.rule("C5")
@pytest.mark.parametrize("name", ["ada-bree", "bree-ada"])
def test_routes_between_two_cities_that_are_no_double(name: str) -> None:
    document = copy.deepcopy(VALID)
    document["routes"][0] = {"cities": ["ada", "bree"], "length": 3, "color": "red"}
    del document["routes"][1]["double_group"]
    assert len(problems_of(document)) == 2
    document["no_doubles"] = [name]
    board = load_board(document)
    assert [route.double_group for route in board.routes_between("ada", "bree")] == [None, None]


@pytest.mark.rule("H4")
def test_a_border_crossing_may_be_the_end_of_a_double() -> None:
    document = copy.deepcopy(VALID)
    document["routes"][4] |= {"double_group": "far"}
    document["routes"].append({"cities": ["far_1", "ada"], "length": 1, "color": "red", "double_group": "far"})
    assert len(load_board(document).routes) == 8
    document["routes"][-1]["cities"] = ["far_1", "bree"]
    assert "far_1 of 2" not in str(problems_of(document))
    del document["routes"][-1]["double_group"], document["routes"][4]["double_group"]
    assert any("far_1 of 2" in problem for problem in problems_of(document))
