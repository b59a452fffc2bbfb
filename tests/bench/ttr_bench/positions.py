"""Slow positions: the worst that a search found (`tests/bench/search_slow.py`), kept in `slow_positions.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, frozen

from ttr_rules.model.board import Board
from ttr_rules.model.cards import Color
from ttr_rules.play.game import Game
from ttr_rules.play.tables import arrange
from ttr_rules.plugins import Rules
from ttr_rules.plugins.compiler import compile_rules

FILE = "slow_positions.json"


@frozen
class Position:
    """A slow position: `what` is slow in it ("longest path", "stations", "payments"), for the first player.

    `table` is what `arrange` takes. With a `ferry` the longest ferry of the map becomes
    a gray one of so many spaces and locomotive symbols.
    """

    what: str
    title: str
    table: Mapping[str, Any]
    ferry: tuple[int, int] | None = None

    def game(self) -> Game:
        """The position as a game."""
        if self.ferry is None:
            return arrange(None, self.table)
        return arrange(_ferry_rules(tuple(self.table["stack"]), self.ferry), self.table)


@cache
def _ferry_rules(stack: tuple[str, ...], ferry: tuple[int, int]) -> Rules:
    """The stack on its own map, whose longest ferry is made longer yet and gray."""
    board = compile_rules(*stack).board
    spaces, locomotives = ferry
    old = max((route for route in board.routes.values() if route.ferry_locomotives), key=lambda route: route.length)
    new = evolve(old, length=spaces, ferry_locomotives=locomotives, color=Color.GRAY)
    routes = tuple(new if route is old else route for route in board.routes.values())
    cities = tuple(board.cities.values())
    points = {**board.points, spaces: 2 * spaces}
    return compile_rules(*stack, board=Board(board.id, board.name, cities, routes, points, board.tickets, board.extra))


def slow_positions() -> Sequence[Position]:
    """The positions of the file."""
    return read(Path(__file__).with_name(FILE).read_text(encoding="utf-8"))


def read(text: str) -> list[Position]:
    """The positions of a text that `write` made."""
    return [
        Position(each["what"], each["title"], each["table"], tuple(each["ferry"]) if "ferry" in each else None)
        for each in json.loads(text)
    ]


def write(positions: Sequence[Position]) -> str:
    """Positions as JSON."""
    rows = [asdict(each, filter=lambda _, value: value is not None) for each in positions]
    return json.dumps(rows, indent=1) + "\n"
