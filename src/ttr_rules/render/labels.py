"""Where the names of cities stand: beside their cities, and not on each other."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from ttr_rules.model.board import Board
from ttr_rules.render.letters import width_of
from ttr_rules.render.places import Places
from ttr_rules.render.ways import Way

SIZE = 12.5


@frozen
class Label:
    """The name of a city: its lines, and the box that they fill."""

    lines: tuple[str, ...]
    left: float
    top: float
    width: float
    height: float


def place_labels(board: Board, places: Places, ways: Mapping[str, Way]) -> dict[str, Label]:
    """Each name below its city."""
    found: dict[str, Label] = {}
    for city in board.cities.values():
        x, y = places.cities[city.id]
        w = width_of(city.name, SIZE, bold=True)
        found[city.id] = Label((city.name,), x - w / 2, y + 10, w, SIZE)
    return found
