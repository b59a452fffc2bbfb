"""Boards, games, views and score sheets as pictures in a notebook."""

from __future__ import annotations

from ttr_rules import FinalScores, Rules, View
from ttr_rules.model import Board
from ttr_rules.play import Game
from ttr_tools.render.drawing import draw_board, draw_position, draw_sheet, draw_view


def shown(thing: object) -> str | None:
    """The SVG of an object, None if it is shown as text: a view that has been pickled does not know its board.

    A game is shown as spectators see it.
    """
    if isinstance(thing, Board):
        return draw_board(thing).svg
    if isinstance(thing, Game):
        return draw_position(thing, paths=thing.is_over).svg
    if isinstance(thing, FinalScores):
        return draw_sheet(thing).svg
    if isinstance(thing, View) and hasattr(thing, "drawn_with"):
        rules: object = thing.drawn_with()
        return draw_view(thing, rules).svg if isinstance(rules, Rules) else None
    return None
