"""Tools that an installed package adds to the rules from above: entry points of the group `ttr_rules.tools`, by name.

- `command`: what `python -m ttr_rules` runs.
- `sheet`: a score sheet as text, which `print` shows.
- `picture`: a board, view, game or score sheet as SVG, which notebooks show; None for anything else.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

GROUP = "ttr_rules.tools"


@cache
def find_tool(name: str) -> Any:
    """The function that is installed under this name; None if there is none."""
    for point in entry_points(group=GROUP, name=name):
        return point.load()
    return None


class Shown:
    """An object that notebooks show as a picture, if a tool for pictures is installed."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """The picture, for notebooks; None if there is nothing to draw it from."""
        return picture(self)


def picture(shown: object) -> str | None:
    """The picture of something, for notebooks; None if there is nothing to draw it from."""
    draw = find_tool("picture")
    found: str | None = None if draw is None else draw(shown)
    return found
