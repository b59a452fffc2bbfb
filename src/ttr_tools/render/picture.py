"""A finished picture: an SVG document that notebooks show, and that can be saved."""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.text import reason_of
from ttr_tools.extras import extra
from ttr_tools.render.elements import element, number, text
from ttr_tools.render.names import Box
from ttr_tools.render.style import Theme, css, plain_css

#: What files can be, by the end of their name.
FORMATS = (".svg", ".png", ".html")
_STYLE = "<style>", "</style>"
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ margin: 0; background: {paper}; }}
{night}main {{ overflow-x: auto; }}
svg {{ display: block; width: 100%; height: auto; min-width: {least}px; max-width: {most}px; margin: 0 auto; }}
</style>
</head>
<body>
<main tabindex="0" aria-label="{title}">
{svg}
</main>
</body>
</html>
"""


@frozen
class Picture:
    """A picture: `svg` is the whole document, `width` and `height` its size in pixels at which texts are easy to read.

    >>> from ttr_maps import load
    >>> from ttr_tools.render import draw_board
    >>> draw_board(load("europe"))  # doctest: +ELLIPSIS
    <Picture Board Europe, ... × ...>
    """

    name: str
    svg: str = field(repr=False)
    width: float
    height: float
    theme: Theme = "auto"

    def __repr__(self) -> str:
        return f"<Picture {self.name}, {self.width:.0f} × {self.height:.0f}>"

    def __str__(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    @property
    def least_width(self) -> int:
        """The smallest width in pixels at which names can still be read: a page should rather scroll than make it smaller."""
        return round(0.66 * self.width)

    def html(self) -> str:
        """A page with the picture, as wide as the window; on a small screen it scrolls, so that names can be read."""
        dark, light = _paper("dark"), _paper("light")
        night = f"@media (prefers-color-scheme: dark) {{ body {{ background: {dark}; }} }}\n"
        return _PAGE.format(
            title=text(self.name).replace('"', "&quot;"),
            svg=self.svg,
            paper=dark if self.theme == "dark" else light,
            night=night if self.theme == "auto" else "",
            least=self.least_width,
            most=round(1.6 * self.width),
        )

    def png(self, *, scale: float = 2.0) -> bytes:
        """The picture as PNG, `scale` pixels for each of its own; the theme "auto" is light.

        Needs the extra `pictures`, and a font of the machine for the texts: Helvetica, Arial, Liberation Sans or DejaVu Sans. Raises `InvalidInputError` if it is not installed, and for a scale that is too large.
        """
        if not 0.05 <= scale <= 10:
            raise InvalidInputError(f"the scale of a picture is 0.05 to 10, not {scale}")
        with extra("pictures"):
            import resvg_py
        before, _, rest = self.svg.partition(_STYLE[0])
        after = rest.partition(_STYLE[1])[2]
        plain = f"{before}{_STYLE[0]}\n{plain_css(self.theme)}\n{_STYLE[1]}{after}"
        return bytes(resvg_py.svg_to_bytes(svg_string=plain, zoom=scale, sans_serif_family="DejaVu Sans"))

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: SVG, PNG or a page, according to the end of its name.

        Raises `InvalidInputError` for any other name, and for a file that cannot be written.
        """
        file = Path(path)
        kind = file.suffix.lower()
        if kind not in FORMATS:
            raise InvalidInputError(
                f"a picture is a file whose name ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not {file.name}"
            )
        made = self.png() if kind == ".png" else (self.html() if kind == ".html" else self.svg + "\n").encode()
        try:
            file.write_bytes(made)
        except (OSError, ValueError) as error:
            raise InvalidInputError(f"{file} cannot be written: {reason_of(error)}") from error


def _paper(theme: Theme) -> str:
    """The color of the background."""
    return plain_css(theme).partition(".ttr-map .paper { fill: ")[2].partition(";")[0]


def document(
    name: str, description: str, body: str, frame: Box, *, theme: Theme, ids: str, board: str | None
) -> Picture:
    """A picture around its contents: a title and a description for those who do not see it, and the colors."""
    svg = element(
        "svg",
        "\n",
        element("title", text(name), id=f"{ids}picture-title"),
        element("desc", text(description), id=f"{ids}picture-description"),
        f"\n{_STYLE[0]}\n{css(theme)}\n{_STYLE[1]}\n",
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
    return Picture(name, svg, frame.width, frame.height, theme)
