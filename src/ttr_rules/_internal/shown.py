"""What notebooks show as a picture: they look for `_repr_svg_` on the class of an object, and an installed tool draws it."""

from __future__ import annotations

from ttr_rules._internal.tools import find_tool


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
