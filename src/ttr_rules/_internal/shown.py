"""What notebooks show as a picture: the one place where something below asks for a package above it.

Notebooks look for `_repr_svg_` on the class of an object. Boards, views, games and score sheets have it from here; drawing
itself is the business of `ttr_rules.render`, which is imported when a notebook asks for the first time.
"""

from __future__ import annotations

from importlib import import_module
from typing import cast


class Shown:
    """An object that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """The picture, for notebooks; None if there is nothing to draw it from."""
        return cast("str | None", import_module("ttr_rules.render.notebook").shown(self))
