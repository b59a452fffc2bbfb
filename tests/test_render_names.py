"""Names on pictures of boards: they lie on no space, and no two of them read as one. Measured on what is drawn."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from helpers import overlap
from test_render_board import BOARDS, SVG, by_class

import ttr_rules as ttr
from ttr_tools.render import draw_board
from ttr_tools.render.labels import NOTE, SIZE
from ttr_tools.render.layout import Box
from ttr_tools.render.svg import text_width

Point = tuple[float, float]
#: How far letters reach above and below their line, in sizes of the font, and how wide a space between two words is.
ABOVE, BELOW, BLANK = 0.73, 0.21, 0.28 * SIZE
#: How deep two spaces may lie in each other where there is no room: a corner of one.
CORNER = 5.0
QUICK = ("europe", "london")
#: The boards that are fullest. All others than these and the quick ones are drawn every night.
FULL = ("united_kingdom", "marklin")


def speed(name: str, lang: str = "en") -> list[pytest.MarkDecorator]:
    """How a picture is marked."""
    if name in QUICK:
        return [] if lang == "en" else [pytest.mark.slow]
    return [pytest.mark.slow if name in FULL else pytest.mark.thorough]


NAMED = [pytest.param(name, marks=speed(name)) for name in BOARDS]
PICTURES = [
    pytest.param(name, lang, marks=speed(name, lang))
    for name, lang in [*((name, "en") for name in BOARDS), ("europe", "de"), ("marklin", "de")]
]


@cache
def picture(name: str, lang: str) -> ET.Element:
    return ET.fromstring(draw_board(ttr.compile_rules(*BOARDS[name]), lang=lang).svg)


def numbers(written: str | None) -> list[float]:
    return [float(each) for each in re.findall(r"-?[\d.]+", written or "")]


def names(root: ET.Element) -> dict[str, list[Box]]:
    """What the texts of each city fill."""
    found: dict[str, list[Box]] = {}
    for city in by_class(root, "city"):
        boxes = found[city.get("data-city", "")] = []
        for text in city.iter(f"{SVG}text"):
            bold = text.get("class") == "label"
            size = SIZE if bold else NOTE
            width = text_width(text.text or "", size, bold=bold)
            x, y = float(text.get("x", "")), float(text.get("y", ""))
            boxes.append(Box(x - width / 2, y - ABOVE * size, width, (ABOVE + BELOW) * size))
    return found


def corners(box: Box) -> list[Point]:
    right, bottom = box.left + box.width, box.top + box.height
    return [(box.left, box.top), (right, box.top), (right, bottom), (box.left, bottom)]


def spaces(root: ET.Element) -> Iterator[tuple[str, list[Point]]]:
    """The corners of each space, with the id of its route."""
    for route in by_class(root, "route"):
        for space in by_class(route, "space"):
            x, y, angle = numbers(space.get("transform"))
            box = by_class(space, "box")[0]
            half, thick = float(box.get("width", "")) / 2, float(box.get("height", "")) / 2
            along, down = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            yield (
                route.get("data-name", ""),
                [
                    (x + along * a * half - down * b * thick, y + down * a * half + along * b * thick)
                    for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
                ],
            )


def depth(one: Sequence[Point], two: Sequence[Point]) -> float:
    """How deep two rectangles lie in each other; negative if they do not touch."""
    least = math.inf
    for a, b in [(each[number], each[number + 1]) for each in (one, two) for number in (0, 1)]:
        far = math.dist(a, b)
        axis = ((b[0] - a[0]) / far, (b[1] - a[1]) / far)
        first, second = ([x * axis[0] + y * axis[1] for x, y in each] for each in (one, two))
        least = min(least, min(max(first), max(second)) - max(min(first), min(second)))
    return least


def leaders(root: ET.Element) -> Iterator[tuple[str, Point, Point]]:
    for city in by_class(root, "city"):
        for line in by_class(city, "leader"):
            x, y, to_x, to_y = numbers(line.get("d"))
            yield city.get("data-city", ""), (x, y), (to_x, to_y)


def test_rectangles_are_measured() -> None:
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert depth(square, [(x + 1.5, y) for x, y in square]) == pytest.approx(0.5)
    assert depth(square, [(x + 3, y) for x, y in square]) == pytest.approx(-1)


@pytest.mark.parametrize(("name", "lang"), PICTURES)
def test_names_lie_on_no_space(name: str, lang: str) -> None:
    root = picture(name, lang)
    drawn = list(spaces(root))
    assert [
        (city, route)
        for city, boxes in names(root).items()
        for box in boxes
        for route, space in drawn
        if depth(corners(box), space) > 0
    ] == []


@pytest.mark.parametrize(("name", "lang"), PICTURES)
def test_no_two_names_read_as_one(name: str, lang: str) -> None:
    """Between two names is more room than between two words, and than between two lines of a name."""
    root = picture(name, lang)
    for (one, boxes), (two, others) in combinations(names(root).items(), 2):
        for box in boxes:
            wider = Box(box.left - 2 * BLANK, box.top - 5, box.width + 4 * BLANK, box.height + 10)
            assert not any(overlap(wider, other) for other in others), f"{one} and {two}"


@pytest.mark.parametrize(("name", "lang"), PICTURES)
def test_a_name_is_beside_its_city_or_a_line_leads_to_it(name: str, lang: str) -> None:
    root = picture(name, lang)
    lines = {city: (start, end) for city, start, end in leaders(root)}
    boxes = names(root)
    for city in by_class(root, "city"):
        id = city.get("data-city", "")
        dot = by_class(city, "dot")[0]
        middle = (float(dot.get("cx", "")), float(dot.get("cy", "")))
        start, end = lines.get(id, (middle, middle))
        assert start == middle
        assert min(distance(end, box) for box in boxes[id]) <= (9 if id in lines else 28), id
        for other, texts in boxes.items():
            if other != id and id in lines:
                steps = [(start[0] + (end[0] - start[0]) * n / 50, start[1] + (end[1] - start[1]) * n / 50) for n in range(51)]  # fmt: skip
                assert all(distance(point, box) > 0 for point in steps for box in texts), f"from {id} across {other}"


@pytest.mark.parametrize(("name", "lang"), PICTURES)
def test_lines_to_names_run_over_no_routes_of_other_cities(name: str, lang: str) -> None:
    """Two do, where there is no room at all."""
    root = picture(name, lang)
    cities = {id: route.cities for id, route in ttr.compile_rules(*BOARDS[name]).board.routes.items()}
    drawn = list(spaces(root))
    crossed: set[str] = set()
    for city, start, end in leaders(root):
        for n in range(101):
            x, y = start[0] + (end[0] - start[0]) * n / 100, start[1] + (end[1] - start[1]) * n / 100
            dot = corners(Box(x - 0.5, y - 0.5, 1.0, 1.0))
            near = [(route, space) for route, space in drawn if math.dist(space[0], (x, y)) < 80]
            crossed |= {city for route, space in near if city not in cities[route] and depth(space, dot) > 0.5}
    no_room = {"new_york": {"empire_state_building"}, "united_kingdom": {"northampton"}}
    assert crossed == no_room.get(name, set())


@pytest.mark.parametrize("name", NAMED)
def test_texts_are_as_wide_as_measured_in_every_font(name: str) -> None:
    root = picture(name, "en")
    fitted = [text for kind in ("label", "city-note", "note", "line") for text in by_class(root, kind)]
    assert fitted
    for text in fitted:
        size = {"label": SIZE, "city-note": NOTE, "line": 14.0}.get((text.get("class") or "").split()[0])
        size = size or float(text.get("font-size", ""))
        bold = text.get("class") in ("label", "note")
        width = text_width((text.text or "").strip(), size, bold=bold)
        assert float(text.get("textLength", "")) == pytest.approx(width, abs=0.2)
        assert text.get("lengthAdjust") == "spacingAndGlyphs"


def distance(point: Point, box: Box) -> float:
    x, y = point
    return math.hypot(max(box.left - x, 0, x - box.left - box.width), max(box.top - y, 0, y - box.top - box.height))


@pytest.mark.parametrize("name", NAMED)
def test_spaces_of_routes_do_not_lie_on_each_other(name: str) -> None:
    drawn = list(spaces(picture(name, "en")))
    assert [
        (one, two)
        for (one, space), (two, other) in combinations(drawn, 2)
        if one != two and math.dist(space[0], other[0]) < 150 and depth(space, other) > CORNER
    ] == []


# -- notes on routes -----------------------------------------------------------------------------------------------


def test_companies_are_on_tags_and_cannot_be_taken_for_colors() -> None:
    root = picture("pennsylvania", "en")
    codes = {each.text or "" for each in by_class(root, "note")}
    letters = {each.text for each in by_class(root, "letter")}
    assert len(codes) == 9 and not codes & letters and all(len(code) == 2 for code in codes)
    for space in by_class(root, "space"):
        assert len(by_class(space, "tag")) == len(by_class(space, "note"))
    legend = " ".join(" ".join(by_class(root, "panel")[0].itertext()).split())
    companies = ttr.compile_rules("pennsylvania").board.extra["companies"]
    assert {f"{each['short'][:2].upper()} {each['name']}" for each in companies} == {
        f"{code} {each['name']}" for code in codes for each in companies if f"{code} {each['name']}" in legend
    }


@pytest.mark.slow
def test_what_shares_a_space_has_room_and_can_be_read() -> None:
    for name in ("pennsylvania", "legendary_asia", "nordic_countries", "united_kingdom"):
        for space in by_class(picture(name, "en"), "space"):
            half = float(by_class(space, "box")[0].get("width", "")) / 2
            ends: list[tuple[float, float]] = []
            for tag in by_class(space, "tag"):
                left, width = float(tag.get("x", "")), float(tag.get("width", ""))
                ends.append((left, left + width))
            for letter in by_class(space, "letter") + by_class(space, "engine"):
                moved = re.search(r"translate\((-?[\d.]+)", letter.get("transform", ""))
                middle = float(moved[1]) if moved else 0.0
                ends.append((middle - 3, middle + 3))
            ends.sort()
            assert all(one[1] <= two[0] + 0.3 for one, two in combinations(ends, 2)), (name, ends)
            assert all(-half <= left and right <= half for left, right in ends)
            assert all(float(note.get("font-size", "")) >= 5 for note in by_class(space, "note")), name
