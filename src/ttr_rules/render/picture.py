"""A finished picture: an SVG document that notebooks show, and that can be saved."""

from __future__ import annotations

from attrs import field, frozen

from ttr_rules.render.elements import element, text
from ttr_rules.render.style import Theme, css


@frozen
class Picture:
    """A picture: `svg` is the whole document, `width` and `height` its size in pixels at which texts are easy to read.

    >>> from ttr_maps import load
    >>> from ttr_rules.render import draw_board
    >>> draw_board(load("europe"))  # doctest: +ELLIPSIS
    <Picture Europe, ... × ...>
    """

    name: str
    svg: str = field(repr=False)
    width: float
    height: float

    def __repr__(self) -> str:
        return f"<Picture {self.name}, {self.width:.0f} × {self.height:.0f}>"

    def __str__(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg


def document(
    name: str, description: str, body: str, width: float, height: float, *, theme: Theme, ids: str, board: str | None
) -> Picture:
    """A picture around its contents: a title and a description for those who do not see it, and the colours."""
    svg = element(
        "svg",
        "\n",
        element("title", text(name), id=f"{ids}picture-title"),
        element("desc", text(description), id=f"{ids}picture-description"),
        f"\n<style>\n{css(theme)}\n</style>\n",
        element("rect", class_="paper", width=width, height=height),
        "\n",
        body,
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        class_="ttr-map",
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        height=f"{height:.0f}",
        role="img",
        aria_labelledby=f"{ids}picture-title {ids}picture-description",
        data_board=board,
        data_theme=theme,
    )
    return Picture(name, svg, width, height)
