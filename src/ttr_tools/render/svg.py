"""SVG as text: elements, the width of texts, colors and style, and finished pictures that can be saved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal
from unicodedata import combining, east_asian_width, normalize
from xml.sax.saxutils import escape, quoteattr

from attrs import field, frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.language import ENGLISH, Language, named
from ttr_rules.model import Color
from ttr_rules.reading import read_toml
from ttr_rules.text import brief, printable, reason_of
from ttr_tools.extras import extra
from ttr_tools.render.layout import Box


def number(value: float) -> str:
    """A coordinate, short and the same everywhere.

    >>> number(12.0), number(-0.04), number(3.14159)
    ('12', '0', '3.1')
    """
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def element(name: str, *inner: str, **attributes: object) -> str:
    """An element: numbers are rounded, `_` in names of attributes stands for a dash, None leaves one out.

    >>> element("g", element("title", text("A & B")), class_="city", data_city="ada")
    '<g class="city" data-city="ada"><title>A &amp; B</title></g>'
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            written = number(value) if isinstance(value, float) else printable(str(value))
            parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(written)}")
    body = "".join(inner)
    return f"<{' '.join(parts)}>{body}</{name}>" if body else f"<{' '.join(parts)}/>"


def text(written: str) -> str:
    """Text for the inside of an element."""
    return escape(printable(written))


def title(written: str) -> str:
    """A title: read aloud to those who do not see the element, and shown when a mouse rests on it."""
    return element("title", text(written))


def group(name: str, elements: Iterable[str]) -> str:
    """Elements of one class, each on a line of its own."""
    return element("g", "\n", "\n".join(elements), "\n", class_=name)


def path(points: Iterable[tuple[float, float]]) -> str:
    """A line through points, as the attribute `d`."""
    return "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)


def _read(name: str) -> str:
    """A file of this package."""
    return files("ttr_tools.render").joinpath(name).read_text(encoding="utf-8")


# -- the width of texts -----------------------------------------------------------------------------------------------


@cache
def _widths() -> Mapping[str, int]:
    """The widths of letters in thousandths of the size of the font, of those that are not as wide as most."""
    return {letter: int(width) for width, letters in read_toml(_read("widths.toml")).items() for letter in letters}


_USUAL = 556


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a line of text in a font of this size.

    >>> round(text_width("Paris", 10)), round(text_width("東京", 10))
    (23, 20)
    """
    total, widths = 0, _widths()
    for letter in normalize("NFD", text):
        if not combining(letter):
            total += 1000 if east_asian_width(letter) in "WF" else widths.get(letter, _USUAL)
    return total * size * (1.06 if bold else 1.0) / 1000


def text_line(written: str, size: float, *, bold: bool = False, **attributes: object) -> str:
    """A line of text that is as wide as `text_width` says, whichever font the reader has.

    >>> text_line("Paris", 10, x=5.0)
    '<text textLength="22.8" lengthAdjust="spacingAndGlyphs" x="5">Paris</text>'
    """
    width = text_width(written.strip(), size, bold=bold)
    return element("text", text(written), textLength=width, lengthAdjust="spacingAndGlyphs", **attributes)


# -- colors and style -------------------------------------------------------------------------------------------------


#: The colors of a picture: as the reader's system asks for, or always the same.
Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")
#: The number of players with a color of their own; further seats begin again.
PLAYER_COLORS = 6

#: The letters in spaces for their colors, for those who do not tell colors apart.
LETTERS: Mapping[Color, str] = {
    Color.PURPLE: named("P", "letter"),
    Color.BLUE: named("B", "letter"),
    Color.ORANGE: named("O", "letter"),
    Color.WHITE: named("W", "letter"),
    Color.GREEN: named("G", "letter"),
    Color.YELLOW: named("Y", "letter"),
    Color.BLACK: named("K", "letter"),
    Color.RED: named("R", "letter"),
    Color.GRAY: "",
}


def color_letter(color: Color, language: Language = ENGLISH) -> str:
    """The letter of a color in a language, "" for gray."""
    return language.pgettext("letter", LETTERS[color]) if LETTERS[color] else ""


#: The CSS variables of a picture, by theme.
COLORS: Mapping[str, Mapping[str, str]] = read_toml(_read("colors.toml"))


def css(theme: Theme = "auto") -> str:
    """The style sheet of a picture: its variables, then what uses them, for `.ttr-map` and what is in it alone.

    In a page that switches between light and dark itself, with `data-theme` on an element around, "auto" follows the page.
    """
    if theme not in THEMES:
        raise InvalidInputError(f"a theme is {', '.join(THEMES[:-1])} or {THEMES[-1]}, not {brief(theme)}")
    own = f'.ttr-map[data-theme="{theme}"]'  # other pictures in the same page may have another one
    parts = [variables("light" if theme == "auto" else theme, own)]
    if theme == "auto":
        parts.append("@media (prefers-color-scheme: dark) {\n" + variables("dark", own) + "\n}")
        parts += [variables(name, f'[data-theme="{name}"] {own}') for name in ("light", "dark")]
    return "\n".join([*parts, _read("style.css").rstrip()])


def variables(theme: str, selector: str = ".ttr-map") -> str:
    """The colors of a theme as CSS variables, for a page that switches them itself.

    >>> variables("dark", "body.night .ttr-map").splitlines()[0]
    'body.night .ttr-map {'
    """
    lines = "\n".join(f"  --{name}: {value};" for name, value in COLORS[theme].items())
    return f"{selector} {{\n{lines}\n}}"


# -- pictures ---------------------------------------------------------------------------------------------------------


#: The ends of the names of files.
FORMATS = (".svg", ".png")


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

    def png(self, *, scale: float = 2.0) -> bytes:
        """The picture as PNG, `scale` pixels for each of its own. The theme "auto" is light.

        Needs the extra `pictures`, and a font of the machine for the texts: Helvetica, Arial, Liberation Sans or DejaVu Sans.
        Raises `MissingExtraError` without the extra, and `InvalidInputError` for a scale that is out of range.
        """
        if not 0.05 <= scale <= 10:
            raise InvalidInputError(f"the scale of a picture is 0.05 to 10, not {scale}")
        with extra("pictures"):
            import resvg_py
        colors = COLORS["dark" if self.theme == "dark" else "light"]  # resvg knows no variables
        plain = re.sub(r"var\(--([\w-]+)\)", lambda name: colors.get(name[1], name[0]), self.svg)
        drawn = resvg_py.svg_to_bytes(
            svg_string=plain, zoom=scale, sans_serif_family="DejaVu Sans", monospace_family="DejaVu Sans Mono"
        )
        return bytes(drawn)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: SVG or PNG, according to the end of its name.

        Raises `InvalidInputError` for any other name, and for a file that cannot be written.
        """
        file = Path(path)
        if (kind := file.suffix.lower()) not in FORMATS:
            raise InvalidInputError(f"a picture is a file whose name ends in {' or '.join(FORMATS)}, not {file.name}")
        data = self.png() if kind == ".png" else f"{self.svg}\n".encode()
        try:
            file.write_bytes(data)
        except (OSError, ValueError) as error:
            raise InvalidInputError(f"{file} cannot be written: {reason_of(error)}") from error


def document(
    name: str, about: str, body: str, box: Box, board: str | None, theme: Theme = "auto", ids: str = "", lang: str = ""
) -> Picture:
    """A picture around its contents, which are in the language `lang`: a title and a description, and the colors."""
    svg = element(
        "svg",
        "\n",
        element("title", text(name), id=f"{ids}picture-title"),
        element("desc", text(about), id=f"{ids}picture-description"),
        f"\n<style>\n{css(theme)}\n</style>\n",
        element("rect", class_="paper", x=box.left, y=box.top, width=box.width, height=box.height),
        "\n",
        body,
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        class_="ttr-map",
        viewBox=" ".join(map(number, (box.left, box.top, box.width, box.height))),
        width=f"{box.width:.0f}",
        height=f"{box.height:.0f}",
        role="img",
        aria_labelledby=f"{ids}picture-title {ids}picture-description",
        data_board=board,
        data_theme=theme,
    )
    return Picture(name, svg, box.width, box.height, theme)
