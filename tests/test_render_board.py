"""Pictures of boards: sound SVG with the ids that others rely on, every route with its spaces, and the owners of routes."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import ttr_maps
import ttr_rules as ttr
from ttr_rules.render import draw_board, draw_position

SVG = "{http://www.w3.org/2000/svg}"


def by_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in root.iter() if name in each.get("class", "").split()]


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
        assert f"{route.length} space" in title and str(route.color) in title
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
