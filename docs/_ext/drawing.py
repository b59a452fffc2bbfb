"""Boxes, arrows and text as SVG that follows the colors of the page, light or dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from attrs import field, frozen

Point = tuple[float, float]

#: With fallbacks, so that a picture can also be looked at by itself.
STYLE = """
.box { fill: var(--color-background-secondary, #f4f6f8); stroke: var(--color-foreground-border, #8a8f98); }
.strong { stroke: var(--color-brand-primary, #0f5c5c); stroke-width: 1.6; }
.faint { fill: none; stroke-dasharray: 4 3; }
.line { fill: none; stroke: var(--color-foreground-secondary, #5a5c63); stroke-width: 1.3; }
.dashed { stroke-dasharray: 5 4; }
.head, .dot { fill: var(--color-foreground-secondary, #5a5c63); }
.mark { fill: var(--color-brand-primary, #0f5c5c); }
.ring { fill: var(--color-background-primary, #fff); stroke: var(--color-brand-primary, #0f5c5c); stroke-width: 2; }
text { fill: var(--color-foreground-primary, #111); font-size: 14px; }
.small { fill: var(--color-foreground-secondary, #5a5c63); font-size: 12px; }
.name { font-family: var(--font-stack--monospace, monospace); font-size: 13px; }
.bold { font-weight: 600; }
""".strip()
LINE = 17


@frozen
class Box:
    """A rectangle by its top left corner; arrows are tied to the middle of a side."""

    x: float
    y: float
    width: float
    height: float

    @property
    def top(self) -> Point:
        return self.x + self.width / 2, self.y

    @property
    def bottom(self) -> Point:
        return self.x + self.width / 2, self.y + self.height

    @property
    def left(self) -> Point:
        return self.x, self.y + self.height / 2

    @property
    def right(self) -> Point:
        return self.x + self.width, self.y + self.height / 2


@frozen
class Drawing:
    """A picture that is put together from pieces; `title` is what those hear who do not see it."""

    name: str
    title: str
    pieces: list[str] = field(factory=list)

    def text(self, at: Point, text: str, *classes: str, anchor: str = "middle", turned: float = 0) -> None:
        """A line of text."""
        turn = f' transform="rotate({turned:g} {at[0]:g} {at[1]:g})"' if turned else ""
        self.pieces.append(
            f'<text x="{at[0]:g}" y="{at[1]:g}" text-anchor="{anchor}" class="{" ".join(classes)}"{turn}>{escape(text)}</text>'
        )

    def box(self, box: Box, title: str, *lines: str, style: str = "", font: str = "bold", hint: str = "") -> Box:
        """A box with a title, and small lines below it."""
        tip = f"<title>{escape(hint)}</title>" if hint else ""
        self.pieces.append(
            f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="6" class="box {style}">{tip}</rect>'
        )
        middle = box.x + box.width / 2
        first = box.y + box.height / 2 + 5 - LINE * len(lines) / 2
        self.text((middle, first), title, font)
        for number, line in enumerate(lines, 1):
            self.text((middle, first + LINE * number), line, "small")
        return box

    def line(self, path: str, *classes: str, head: bool = True) -> None:
        """A line along an SVG path, with an arrow's head unless said otherwise."""
        marker = f' marker-end="url(#{self.name}-head)"' if head else ""
        self.pieces.append(f'<path d="{path}" class="{" ".join(("line", *classes))}"{marker}/>')

    def arrow(self, start: Point, end: Point, *classes: str) -> None:
        """A straight arrow."""
        self.line(f"M {start[0]:g} {start[1]:g} L {end[0]:g} {end[1]:g}", *classes)

    def falling(self, points: Sequence[Point]) -> None:
        """A smooth arrow down through some points."""
        (x, y), *rest = points
        parts = [f"M {x:g} {y:g}"]
        for next_x, next_y in rest:
            bend = (next_y - y) / 2
            parts.append(f"C {x:g} {y + bend:g} {next_x:g} {next_y - bend:g} {next_x:g} {next_y:g}")
            x, y = next_x, next_y
        self.line(" ".join(parts))

    def dot(self, at: Point, style: str) -> None:
        """A filled mark or a ring."""
        self.pieces.append(f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="6" class="{style}"/>')

    def svg(self, width: float, height: float) -> str:
        """The whole picture."""
        style = STYLE.replace("\n", "\n  ")
        # Rules of one picture must not reach into another on the same page, or into the page.
        style = "\n".join(f"  #{self.name} {line.strip()}" for line in style.splitlines())
        inner = "\n".join(f"  {piece}" for piece in self.pieces)
        return (
            f'<svg id="{self.name}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
            f'aria-label="{escape(self.title)}" style="width: 100%; max-width: {width:g}px; height: auto; '
            f'font-family: var(--font-stack, sans-serif)">\n<style>\n{style}\n</style>\n'
            f'  <defs><marker id="{self.name}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M 0 0 L 8 4 L 0 8 z" class="head"/></marker></defs>\n{inner}\n</svg>\n'
        )
