"""A finished picture: an SVG document that notebooks show, and that can be saved."""

from __future__ import annotations

from attrs import field, frozen

from ttr_rules.render.elements import element, number, text
from ttr_rules.render.labels import Box
from ttr_rules.render.style import Theme, css


@frozen
class Picture:
    """A picture: `svg` is the whole document, `width` and `height` its size in pixels at which texts are easy to read.

    >>> from ttr_maps import load
    >>> from ttr_rules.render import draw_board
    >>> draw_board(load("europe"))  # doctest: +ELLIPSIS
    <Picture Board Europe, ... × ...>
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
    name: str, description: str, body: str, frame: Box, *, theme: Theme, ids: str, board: str | None
) -> Picture:
    """A picture around its contents: a title and a description for those who do not see it, and the colours."""
    svg = element(
        "svg",
        "\n",
        element("title", text(name), id=f"{ids}picture-title"),
        element("desc", text(description), id=f"{ids}picture-description"),
        f"\n<style>\n{css(theme)}\n</style>\n",
        element("rect", class_="paper", x=frame.left, y=frame.top, width=frame.width, height=frame.height),
        "\n",
        body,
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        class_="ttr-map",
        viewBox=" ".join(map(number, (frame.left, frame.top, frame.width, frame.height))),
        width=f"{frame.width:.0f}",
        height=f"{frame.height:.0f}",
        role="img",
        aria_labelledby=f"{ids}picture-title {ids}picture-description",
        data_board=board,
        data_theme=theme,
    )
    return Picture(name, svg, frame.width, frame.height)
