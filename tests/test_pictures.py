"""The pictures of the docs: the imports are all found, boxes stand above what they use, and the SVG is sound."""

from __future__ import annotations

import importlib
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.installed_tree

EXTENSIONS = Path(__file__).parent.parent / "docs" / "_ext"
SVG = "{http://www.w3.org/2000/svg}"
GRAPH = {"top": {"left", "right", "base"}, "left": {"base"}, "right": {"middle"}, "middle": {"base"}, "base": set()}


@pytest.fixture(scope="module")
def ext() -> Iterator[dict[str, ModuleType]]:
    """The modules that draw."""
    sys.path.insert(0, str(EXTENSIONS))
    try:
        yield {name: importlib.import_module(name) for name in ("packages", "layers", "drawing", "pictures")}
    finally:
        sys.path.remove(str(EXTENSIONS))


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def test_every_kind_of_import_is_found(ext: dict[str, ModuleType], tmp_path: Path) -> None:
    root = write(
        tmp_path / "lib",
        {
            "__init__.py": "from .low import thing as stuff\nfrom lib.mid.deep import other",
            "low.py": '"""What is below. It needs nothing."""',
            "mid/__init__.py": '"""In the middle."""',
            "mid/deep.py": "def function():\n    from ..low import thing",
            "high/__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import lib.mid.deep",
            "facade/__init__.py": "from lib import stuff, unknown",
            "siblings/__init__.py": "from . import one",
            "siblings/one.py": "from .. import low\nfrom .two import three",
            "siblings/two.py": "import os",
        },
    )
    other = write(tmp_path / "plug", {"__init__.py": "from lib import other"})
    found = ext["packages"].packages([root], other)
    assert {name: set(each.uses) for name, each in found.items()} == {
        "low": set(),
        "mid": {"low"},
        "high": {"mid"},
        "facade": {"low"},
        "siblings": {"low"},
        "plug": {"mid"},
    }
    assert found["low"].purpose == "What is below"
    assert found["siblings"].modules == ("one", "two")


def test_circles_are_found_and_stand_together(ext: dict[str, ModuleType]) -> None:
    circles = ext["layers"].circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}})
    assert circles == [{"b", "c"}, {"a"}, {"d"}]


def test_arrows_that_follow_from_others_are_left_out(ext: dict[str, ModuleType]) -> None:
    essential = {**GRAPH, "top": {"left", "right"}}
    assert ext["layers"].essential(GRAPH) == essential


@pytest.mark.parametrize("width", [1, 2, 4])
def test_everything_stands_above_what_it_uses(ext: dict[str, ModuleType], width: int) -> None:
    rows = ext["layers"].rows(GRAPH, width)
    level = {name: number for number, row in enumerate(rows) for name in row}
    assert level.keys() == GRAPH.keys() and max(map(len, rows)) <= width
    assert all(level[name] > level[used] for name, targets in GRAPH.items() for used in targets)


def test_neighbors_keep_their_distance_and_nothing_moves_without_need(ext: dict[str, ModuleType]) -> None:
    spread, space = ext["layers"].spread, ext["layers"].SPACE
    widths = {"a": 10.0, "b": 20.0, "c": 10.0}
    assert spread("abc", [0, 100, 200], widths) == {"a": 0, "b": 100, "c": 200}
    close = spread("abc", [0, 0, 500], widths)
    assert close["b"] - close["a"] == 15 + space and close["a"] + close["b"] == 0 and close["c"] == 500


def test_packages_that_use_each_other_are_one_box(ext: dict[str, ModuleType]) -> None:
    package = ext["packages"].Package
    found = {
        "a": package("a", "First", (), frozenset({"b"})),
        "b": package("b", "Second", (), frozenset({"a"})),
        "c": package("c", "Third & last", (), frozenset({"a"})),
    }
    picture = ET.fromstring(ext["pictures"].package_picture(found))
    assert [each.text for each in picture.iter(f"{SVG}text")] == ["2 in a circle", "c"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["packages", "action", "stack"])
def test_pictures_are_sound(ext: dict[str, ModuleType], name: str) -> None:
    picture = ET.fromstring(ext["pictures"].pictures()[name])
    _, _, width, height = map(float, picture.attrib["viewBox"].split())
    assert picture.attrib["role"] == "img" and picture.attrib["aria-label"]
    boxes = [
        tuple(float(each.attrib[key]) for key in ("x", "y", "width", "height")) for each in picture.iter(f"{SVG}rect")
    ]
    assert len(boxes) >= 4
    assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in boxes)
    for (x, y, w, h), (other_x, other_y, other_w, other_h) in combinations(boxes, 2):
        assert x + w <= other_x or other_x + other_w <= x or y + h <= other_y or other_y + other_h <= y


@pytest.mark.slow
def test_the_picture_has_every_package(ext: dict[str, ModuleType]) -> None:
    found = ext["pictures"].all_packages()
    picture = ET.fromstring(ext["pictures"].package_picture(found))
    words = " ".join(each.text or "" for each in [*picture.iter(f"{SVG}text"), *picture.iter(f"{SVG}title")])
    assert {"cli", "testing", "ttr_variants", "ttr_maps"} <= set(found)
    assert [name for name in found if name not in words] == []


def test_a_picture_names_nothing_that_is_gone(ext: dict[str, ModuleType]) -> None:
    assert ext["pictures"].named("Game.play", "ActionRule.perform") == ("Game.play", "ActionRule.perform")
    with pytest.raises(LookupError, match=r"Game\.fly, which is not there"):
        ext["pictures"].named("Game.fly")
