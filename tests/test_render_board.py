"""Pictures of boards: sound SVG with the ids that others rely on, every route with its spaces, and the owners of routes."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from helpers import overlap

import ttr_maps
import ttr_rules as ttr
from ttr_rules.language import language
from ttr_rules.model import Board, City, Color, Route
from ttr_tools.render import draw_board, draw_position, lay_out
from ttr_tools.render.labels import SIZE
from ttr_tools.render.layout import Box, bundles, place_cities
from ttr_tools.render.scene import make_scene
from ttr_tools.render.svg import COLORS, LETTERS, PLAYER_COLORS, color_letter, css, text_width

SVG = "{http://www.w3.org/2000/svg}"


#: Boards whose plan takes longest; a quicker board has each of their features.
SLOW = ("united_kingdom", "legendary_asia", "marklin", "pennsylvania", "india")


def by_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


@pytest.mark.slow_cases("marklin", "switzerland", "london")
@pytest.mark.thorough_but("marklin", "switzerland", "london", "new_york")
@pytest.mark.parametrize("name", ttr_maps.NAMES)
def test_every_board_is_sound_and_every_route_has_its_spaces(name: str) -> None:
    board = ttr_maps.load(name)
    root = ET.fromstring(draw_board(board).svg)
    assert (root.tag, root.get("role"), root.get("data-board")) == (f"{SVG}svg", "img", board.id)
    told = {each.get("id"): each.text for each in root if each.get("id")}
    assert all(told[id] for id in root.get("aria-labelledby", "").split())
    routes = by_class(root, "route")
    assert [each.get("data-name") for each in routes] == list(board.routes)
    for number, drawn in enumerate(routes):
        route = board.routes[drawn.get("data-name", "")]
        assert drawn.get("id") == f"route-{number}" and drawn.get("data-route") == str(number)
        assert len(by_class(drawn, "space")) == len(by_class(drawn, "box")) == route.length
        assert len(by_class(drawn, "engine")) == route.ferry_locomotives
        kinds = drawn.get("class", "").split()
        assert f"color-{route.color}" in kinds and ("tunnel" in kinds) == route.tunnel
        title = drawn.findtext(f"{SVG}title") or ""
        assert all(board.place_name(city) in title for city in route.cities)
        assert f"{route.length} {route.color}" in title
    assert {each.get("data-city") for each in by_class(root, "city")} == set(board.cities)


def test_ids_are_not_used_twice_and_can_be_told_apart() -> None:
    board = ttr_maps.load("europe")
    both = [ET.fromstring(draw_board(board, ids=ids).svg) for ids in ("", "left-")]
    ids = [[each.get("id") for each in root.iter() if each.get("id")] for root in both]
    assert len(ids[0]) > 140 and len(set(ids[0])) == len(ids[0])
    assert [f"left-{id}" for id in ids[0]] == ids[1]


def test_owners_are_shown() -> None:
    players = [
        {"name": "Ada", "routes": ["london-dieppe-gray-1"]},
        {"name": "Bo & Co", "routes": [["Paris", "Dieppe"]]},
    ]
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    root = ET.fromstring(draw_position(game).svg)
    owned = {each.get("data-name"): each for each in by_class(root, "route") if each.get("data-owner")}
    assert {name: each.get("data-owner") for name, each in owned.items()} == {
        name: str(seat) for name, seat in game.view(None).owners.items()
    }
    for seat, (name, each) in enumerate(sorted(owned.items(), key=lambda item: item[1].get("data-owner", ""))):
        assert f"owner-{seat}" in each.get("class", "").split()
        assert [mark.text for mark in by_class(each, "owner-mark")] == [str(seat + 1)]
        assert game.players[seat] in (each.findtext(f"{SVG}title") or ""), name


# -- names, positions, proportions --------------------------------------------------------------------------------

#: A stack for each official board.
BOARDS = {
    "north_america": ["north-america"], "europe": ["europe"], "nordic_countries": ["nordic-countries"], "switzerland": ["switzerland"],
    "marklin": ["germany-tickets"], "india": ["india"], "legendary_asia": ["legendary-asia"], "london": ["london"], "new_york": ["new-york"],
    "pennsylvania": ["pennsylvania"], "united_kingdom": ["united-kingdom"],
}  # fmt: skip


def test_there_is_a_stack_for_each_board() -> None:
    assert set(BOARDS) == set(ttr_maps.NAMES)


@pytest.mark.slow
@pytest.mark.thorough_but("united_kingdom", "new_york")
@pytest.mark.parametrize("name", BOARDS)
def test_names_do_not_cover_each_other_or_cities_and_nothing_is_cut_off(name: str) -> None:
    rules = ttr.compile_rules(*BOARDS[name])
    scene = make_scene(rules.board, rules)
    boxes = {id: label.box for id, label in scene.plan.labels.items()}
    assert set(boxes) == set(rules.board.cities)
    for one, two in combinations(boxes, 2):
        assert not overlap(boxes[one], boxes[two]), f"{one} and {two}"
    frame = scene.plan.frame
    for id, box in boxes.items():
        for other, (x, y) in scene.plan.cities.items():
            assert not overlap(box, Box(x - 5, y - 5, 10, 10)), f"{id} on {other}"
        assert overlap(box, frame) == pytest.approx(box.width * box.height), id
    for id, way in scene.plan.ways.items():
        for space in way.spaces:
            assert frame.left < space.x < frame.left + frame.width, id
            assert frame.top < space.y < frame.top + frame.height, id
            assert space.length >= 10, f"the spaces of {id} are too short to see"


@pytest.mark.slow_cases(*SLOW, "north_america", "switzerland", "london")
@pytest.mark.parametrize("name", ttr_maps.NAMES)
def test_a_name_is_as_wide_as_its_box_says(name: str) -> None:
    plan = make_scene(ttr_maps.load(name)).plan
    for id, label in plan.labels.items():
        assert label.box.width >= max(text_width(line, SIZE, bold=True) for line in label.lines), id


def test_spaces_follow_the_way_in_the_order_of_the_cities_and_do_not_touch() -> None:
    board = ttr_maps.load("europe")
    plan = make_scene(board).plan
    for id, route in board.routes.items():
        first, last = (plan.cities[city] for city in route.cities)
        spaces = plan.ways[id].spaces
        assert math.dist((spaces[0].x, spaces[0].y), first) <= math.dist((spaces[0].x, spaces[0].y), last) + 1
        for one, next in pairwise(spaces):
            assert math.dist((one.x, one.y), (next.x, next.y)) >= one.length, id


@pytest.mark.slow
def test_parallel_routes_lie_side_by_side() -> None:
    for name in ttr_maps.NAMES:
        plan = make_scene(ttr_maps.load(name)).plan
        for bundle in bundles(ttr_maps.load(name), plan.cities):
            for one, two in combinations(bundle.routes, 2):
                if one.length == two.length and one.cities == two.cities:
                    for a, b in zip(plan.ways[one.id].spaces, plan.ways[two.id].spaces, strict=True):
                        assert 12.5 <= math.dist((a.x, a.y), (b.x, b.y)) <= 40, f"{one.id}, {two.id}"


@pytest.mark.slow_cases(*SLOW, "north_america", "switzerland", "london")
@pytest.mark.parametrize("name", ttr_maps.NAMES)
def test_the_layout_for_clients_is_that_of_the_picture(name: str) -> None:
    board = ttr_maps.load(name)
    layout, root = lay_out(board), ET.fromstring(draw_board(board).svg)
    at = {city.id: (city.x, city.y) for city in layout.cities}
    dots = {city.get("data-city"): by_class(city, "dot")[0] for city in by_class(root, "city")}
    assert at == {id: (float(dot.get("cx", "")), float(dot.get("cy", ""))) for id, dot in dots.items()}
    assert [route.id for route in layout.routes] == list(board.routes)
    for route, drawn in zip(layout.routes, by_class(root, "route"), strict=True):
        line = route.line
        assert (line[0], line[-1]) == tuple(at[city] for city in board.routes[route.id].cities)
        points = re.findall(r"(-?[0-9.]+) (-?[0-9.]+)", by_class(drawn, "way")[0].get("d", ""))
        assert list(line) == [(float(x), float(y)) for x, y in points]
        for space, shown in zip(route.spaces, by_class(drawn, "space"), strict=True):
            x, y, angle = map(float, re.findall(r"-?[0-9.]+", shown.get("transform", "")))
            assert (space.x, space.y) == (x, y) and min((space.angle - angle) % 180, (angle - space.angle) % 180) < 0.11
            assert (float(by_class(shown, "box")[0].get("width", "")), layout.space_width) == (space.length, 12.0)
    middles = [(space.x, space.y) for route in layout.routes for space in route.spaces]
    assert len(set(middles)) == len(middles), "the spaces of double routes lie apart"
    for x, y in (*at.values(), *middles, *(point for route in layout.routes for point in route.line)):
        assert layout.left <= x <= layout.left + layout.width and layout.top <= y <= layout.top + layout.height


@pytest.mark.slow_cases("india-False", "marklin-False")
@pytest.mark.parametrize(
    ("name", "wide"),
    [("europe", True), ("north_america", True), ("india", False), ("marklin", False), ("nordic_countries", False)],
)
def test_proportions_are_those_of_the_printed_boards(name: str, wide: bool) -> None:
    frame = make_scene(ttr_maps.load(name)).plan.frame
    assert (1.2 < frame.width / frame.height < 2.1) if wide else (1.1 < frame.height / frame.width < 1.8)


def ring(count: int) -> Board:
    cities = tuple(City(f"c{number}", f"City {number}") for number in range(count))
    routes = [Route(f"r{a}", (f"c{a}", f"c{(a + 1) % count}"), 1 + a % 3) for a in range(count)]
    return Board("ring", "Ring", cities, tuple(routes), {1: 1, 2: 2, 3: 4})


def test_the_cities_of_a_board_without_positions_stand_in_a_circle() -> None:
    board = ring(9)
    cities = place_cities(board)
    middle = [sum(axis) / 9 for axis in zip(*cities.values(), strict=True)]
    assert len({round(math.dist(city, middle)) for city in cities.values()}) == 1
    assert len({round(math.dist(cities[f"c{number}"], cities[f"c{(number + 1) % 9}"])) for number in range(9)}) == 1
    assert draw_board(board).svg == draw_board(ring(9)).svg


@pytest.mark.parametrize("board", [
    Board("one", "One", (City("a", "A"),), (), {}),
    Board("two", "Two", (City("a", "A"), City("b", "B")), (Route("a-b", ("a", "b"), 1),), {1: 1}),
    Board("apart", "Apart", (City("a", "A"), City("b", "B"), City("c", "C")), (Route("a-b", ("a", "b"), 2),), {2: 2}),
    Board("same", "Same", (City("a", "A", 0.5, 0.5), City("b", "B", 0.5, 0.5), City("c", "C", 0.6, 0.5)), (Route("a-b", ("a", "b"), 1),), {1: 1}),
    Board("odd", "<Odd & \x00 names>", (City("a", "<A> & “B”", 0.1, 0.1), City("b", "東京 " * 9, 0.9, 0.9)), (Route("a-b", ("a", "b"), 9),), {9: 9}),
], ids=lambda board: board.id)  # fmt: skip
def test_odd_boards_are_drawn_too(board: Board) -> None:
    root = ET.fromstring(draw_board(board).svg)
    assert len(by_class(root, "city")) == len(board.cities)
    assert len(by_class(root, "space")) == sum(route.length for route in board.routes.values())


@pytest.mark.slow
def test_the_same_board_gives_the_same_picture_in_every_process() -> None:
    program = "import ttr_maps; from ttr_tools.render import draw_board; print(draw_board(ttr_maps.load('london')).svg)"
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True, encoding="utf-8", check=True, timeout=60, env={**os.environ, "PYTHONHASHSEED": other, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.stdout.rstrip("\n") == draw_board(ttr_maps.load("london")).svg


# -- colors and themes -------------------------------------------------------------------------------------------


def test_themes_have_the_same_colors_and_every_variable_is_defined() -> None:
    svg = draw_board(ttr_maps.load("europe")).svg
    assert set(COLORS["light"]) == set(COLORS["dark"])
    assert set(re.findall(r"var\(--([\w-]+)\)", svg)) <= set(COLORS["light"])
    assert "prefers-color-scheme: dark" in svg and COLORS["dark"]["paper"] in svg
    for theme in ("light", "dark"):
        fixed = draw_board(ttr_maps.load("europe"), theme=theme).svg
        other = "dark" if theme == "light" else "light"
        assert "prefers-color-scheme" not in fixed and COLORS[other]["paper"] not in fixed
    with pytest.raises(ttr.InvalidInputError, match="a theme is auto, light or dark, not 'sepia'"):
        draw_board(ttr_maps.load("europe"), theme="sepia")  # type: ignore[arg-type]


def test_the_style_sheet_reaches_nothing_else_on_a_page() -> None:
    sheet = re.sub(r"@media [^{]*\{(.*?)\n\}\n", r"\1", css("auto"), flags=re.DOTALL)
    selectors = [each.strip() for rule in re.findall(r"([^{}]+)\{[^{}]*\}", sheet) for each in rule.split(",")]
    assert len(selectors) > 60
    assert all(re.match(r"(\[data-theme=\"\w+\"\] )?\.ttr-map\b", each) for each in selectors)


def test_pictures_of_different_themes_do_not_color_each_other_in_a_page() -> None:
    for theme in ("auto", "light", "dark"):
        setting = re.findall(r"([^{}]+)\{[^{}]*--paper: ", css(theme))
        assert setting and all(each.strip().endswith(f'.ttr-map[data-theme="{theme}"]') for each in setting)


def luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_stand_out_from_what_is_behind_them(theme: str) -> None:
    """As WCAG asks for: 4.5 for texts, 3 for the few bold letters and for what is not text."""
    colors = COLORS[theme]
    for ink in ("ink", "soft", "done", "missed"):
        assert contrast(colors[ink], colors["paper"]) >= 4.5, ink
    for seat in range(PLAYER_COLORS):
        assert contrast(colors["player-text"], colors[f"player-{seat}"]) >= 4.5, seat
        assert contrast(colors[f"player-{seat}"], colors["paper"]) >= 3, seat
    for color in LETTERS:
        letter = {"black": "letter-on-black", "white": "letter-on-white"}.get(str(color), "letter")
        assert contrast(colors[letter], colors[str(color)]) >= 3, color


def test_german_letters_are_those_of_german_names() -> None:
    german = language("de")
    letters = {color: color_letter(color, german) for color in Color if color is not Color.GRAY}
    assert len(set(letters.values())) == len(letters)
    assert all(letter.lower() in german.name(color) for color, letter in letters.items())
    drawn = ET.fromstring(draw_board(ttr_maps.load("london"), lang="de").svg)
    assert {each.text for each in by_class(drawn, "letter")} <= set(letters.values())
    assert "S schwarz" in "".join("".join(each.itertext()) for each in by_class(drawn, "panel"))


def test_every_color_but_gray_has_a_letter_of_its_own() -> None:
    letters = [LETTERS[color] for color in Color if color is not Color.GRAY]
    assert len(set(letters)) == len(letters) == 8 and not LETTERS[Color.GRAY]
    board = ttr_maps.load("nordic_countries")
    for drawn in by_class(ET.fromstring(draw_board(board).svg), "route"):
        color = board.routes[drawn.get("data-name", "")].color
        assert [each.text for each in by_class(drawn, "letter")] == ([LETTERS[color]] if LETTERS[color] else []), (
            drawn.get("data-name")
        )
