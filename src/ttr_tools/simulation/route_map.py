"""The board with each route colored by how often it was claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from attrs import evolve

from ttr_rules.model import Board
from ttr_tools.extras import extra
from ttr_tools.render import Picture, draw_board
from ttr_tools.simulation.statistics import route_rates
from ttr_tools.simulation.tables import Tables

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

#: The colors of the shares from 0 to 1, by their name in matplotlib: they differ in brightness too.
COLORS = "YlGnBu"
_SVG = "http://www.w3.org/2000/svg"
#: The height of the legend below the board, and the sizes in it.
_LEGEND, _BAR, _STEPS = 64.0, 14.0, 50


def draw_routes(tables: Tables, board: Board) -> Picture:
    """Draw the board with each route colored by the share of games in which it was claimed; its title has the numbers.

    Raises `MissingExtraError` without the extra `data`.

    >>> from ttr_maps import load
    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "planner"], games=2, seed=1))
    >>> "claimed in 100% of 2 games" in draw_routes(tables, load("london")).svg
    True
    """
    with extra("data"):
        from matplotlib import colormaps
    colors = colormaps[COLORS]
    rows = {row["route"]: row for row in route_rates(tables, board.routes).iter_rows(named=True)}
    games = next((row["games"] for row in rows.values()), 0)
    picture = draw_board(board, theme="light", about=f"How often each route was claimed in {games} games.")
    ET.register_namespace("", _SVG)
    root = ET.fromstring(picture.svg)  # noqa: S314 (our own picture)
    for group in root.iterfind(f".//{{{_SVG}}}g[@data-name]"):
        row = rows[group.attrib["data-name"]]
        color = _hex(colors, row["rate"])
        for box in group.iterfind(f".//{{{_SVG}}}rect[@class='box']"):
            box.set("style", f"fill: {color}")
        for letter in group.iterfind(f".//{{{_SVG}}}text[@class='letter']"):
            letter.text = ""  # of the route's own color, which is not shown
        title = group.find(f"{{{_SVG}}}title")
        assert title is not None, "every route has a title"
        when = "" if row["turn"] is None else f", on average in turn {row['turn']:.0f} of its owner"
        title.text = f"{title.text}; claimed in {row['rate']:.0%} of {games} games{when}"
    _add_legend(root, picture, colors, games)
    height = picture.height + _LEGEND
    return evolve(picture, name=f"{picture.name}: routes", svg=ET.tostring(root, encoding="unicode"), height=height)


def _hex(colors: Colormap, share: float) -> str:
    """The color of a share."""
    red, green, blue, _ = colors(share)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def _add_legend(root: ET.Element, picture: Picture, colors: Colormap, games: int) -> None:
    """Make room below the board, and explain the colors there."""
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    root.set("viewBox", f"{left:g} {top:g} {width:g} {height + _LEGEND:g}")
    root.set("height", f"{picture.height + _LEGEND:.0f}")
    paper = {
        "class": "paper",
        "x": f"{left:g}",
        "y": f"{top + height:g}",
        "width": f"{width:g}",
        "height": f"{_LEGEND:g}",
    }
    legend = ET.SubElement(root, "g", {"class": "legend"})
    ET.SubElement(legend, "rect", paper)
    start, wide = left + width / 4, width / 2
    y = top + height + 22
    _text(legend, start + wide / 2, y - 8, f"Share of {games} games in which the route was claimed")
    for step in range(_STEPS):
        place = {"x": f"{start + wide * step / _STEPS:g}", "y": f"{y:g}"}
        size = {"width": f"{wide / _STEPS + 0.5:g}", "height": f"{_BAR:g}"}
        ET.SubElement(legend, "rect", {**place, **size, "fill": _hex(colors, step / (_STEPS - 1))})
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        _text(legend, start + wide * share, y + _BAR + 16, f"{share:.0%}")


def _text(parent: ET.Element, x: float, y: float, text: str) -> None:
    place = {"class": "label", "x": f"{x:g}", "y": f"{y:g}", "text-anchor": "middle"}
    ET.SubElement(parent, "text", place).text = text
