"""SVG elements as text."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from ttr_rules.text import printable


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
            shown = number(value) if isinstance(value, float) else printable(str(value))
            parts.append(f"{key.rstrip('_').replace('_', '-')}={quoteattr(shown)}")
    body = "".join(inner)
    return f"<{' '.join(parts)}>{body}</{name}>" if body else f"<{' '.join(parts)}/>"


def text(written: str) -> str:
    """Text for the inside of an element."""
    return escape(printable(written))


def title(written: str) -> str:
    """What is told of an element to those who do not see it, and shown when a mouse rests on it."""
    return element("title", text(written))


def lines(pieces: Iterable[str]) -> str:
    """Elements one below the other."""
    return "\n".join(pieces)


def path(points: Iterable[tuple[float, float]]) -> str:
    """A line through points, as the attribute `d`."""
    return "M" + " L".join(f"{number(x)} {number(y)}" for x, y in points)
