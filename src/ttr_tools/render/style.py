"""The colors of a picture, light and dark, and its style sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from ttr_rules.errors import InvalidInputError
from ttr_rules.language import ENGLISH, Language, named
from ttr_rules.model import Color
from ttr_rules.text import brief

#: How a picture is colored: as the reader's system asks for, or always the same.
Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")
#: Players of which each has a color of its own; further seats begin again.
PLAYER_COLORS = 6

#: What stands in a space for its color, for those who do not tell colors apart.
LETTERS: Mapping[Color, str] = MappingProxyType(
    {
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
)


def color_letter(color: Color, language: Language = ENGLISH) -> str:
    """The letter of a color in a language, "" for gray."""
    return language.pgettext("letter", LETTERS[color]) if LETTERS[color] else ""


#: The CSS variables of a picture, by theme.
COLORS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "light": {
            "paper": "#f5f1e6",
            "ink": "#26231d",
            "soft": "#6d675a",
            "track": "#c9c1ad",
            "city": "#fffdf7",
            "glow": "#f2b705",
            "edge": "#4b463b",
            "purple": "#b784c4",
            "blue": "#6ba6d6",
            "orange": "#e99b4c",
            "white": "#fdfcf8",
            "green": "#86b35a",
            "yellow": "#ecd34f",
            "black": "#5a5752",
            "red": "#d9695f",
            "gray": "#c3beb2",
            "letter": "#1d1a15",
            "letter-on-black": "#ffffff",
            "letter-on-white": "#1d1a15",
            "wanted": "#d6006c",
            "done": "#1d7a3a",
            "missed": "#b3261e",
            "player-0": "#0b62a8",
            "player-1": "#b3261e",
            "player-2": "#1d7a3a",
            "player-3": "#8a5a00",
            "player-4": "#00707a",
            "player-5": "#7a2c8f",
            "player-text": "#ffffff",
        },
        "dark": {
            "paper": "#1f2226",
            "ink": "#eeeae0",
            "soft": "#a9a498",
            "track": "#4a4d50",
            "city": "#f3efe4",
            "glow": "#ffd54a",
            "edge": "#d4cfc2",
            "purple": "#8d5b9c",
            "blue": "#41749f",
            "orange": "#b56a1f",
            "white": "#e9e6de",
            "green": "#557f30",
            "yellow": "#9f8a15",
            "black": "#0f1012",
            "red": "#a5433b",
            "gray": "#70706c",
            "letter": "#ffffff",
            "letter-on-black": "#ffffff",
            "letter-on-white": "#1d1a15",
            "wanted": "#ff5fae",
            "done": "#74d68c",
            "missed": "#ff8a80",
            "player-0": "#6cb8ff",
            "player-1": "#ff8a80",
            "player-2": "#74d68c",
            "player-3": "#e8b54a",
            "player-4": "#5fd6e0",
            "player-5": "#d79be8",
            "player-text": "#14161a",
        },
    }
)

_SHEET = """
.ttr-map { background: var(--paper); font-family: "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif; }
.ttr-map text { fill: var(--ink); }
.ttr-map .paper { fill: var(--paper); }
.ttr-map .way { fill: none; stroke: var(--track); stroke-width: 2; }
.ttr-map .box { stroke: var(--edge); stroke-width: 1; }
.ttr-map .tunnel .box { stroke-width: 2.4; stroke-dasharray: 5 2.5; }
.ttr-map .letter, .ttr-map .note { font-weight: 700; text-anchor: middle; }
.ttr-map .letter { fill: var(--letter); }
.ttr-map .letter { font-size: 8.5px; }
.ttr-map .color-black .letter { fill: var(--letter-on-black); }
.ttr-map .color-white .letter, .ttr-map .note { fill: var(--letter-on-white); }
.ttr-map .tag { fill: var(--city); stroke: var(--edge); stroke-width: 0.6; }
.ttr-map .color-white .engine { fill: var(--letter-on-white); }
.ttr-map .engine { fill: var(--letter); }
.ttr-map .car, .ttr-map .owner-mark { display: none; }
.ttr-map .car, .ttr-map .shape { stroke: var(--paper); stroke-width: 1.2; }
.ttr-map .owner-mark { font-size: 11px; font-weight: 700; text-anchor: middle; fill: var(--player-text); }
.ttr-map .lit .way { stroke: var(--glow); stroke-width: 24; stroke-linecap: round; stroke-linejoin: round; }
.ttr-map .dot { fill: var(--city); stroke: var(--ink); stroke-width: 1.8; }
.ttr-map .wanted .dot { stroke: var(--wanted); stroke-width: 5; }
.ttr-map .leader { fill: none; stroke: var(--ink); stroke-width: 1; }
.ttr-map .label { font-size: 13.5px; font-weight: 600; }
.ttr-map .crossing .label { font-style: italic; }
.ttr-map .city-note { font-size: 11px; }
.ttr-map .label, .ttr-map .city-note { text-anchor: middle; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
.ttr-map .line { font-size: 14px; }
.ttr-map .strong { font-weight: 700; }
.ttr-map .faint { fill: var(--soft); }
.ttr-map .head { text-anchor: start; font-size: 14px; }
.ttr-map .tail { text-anchor: end; }
.ttr-map .completed { fill: var(--done); font-weight: 700; }
.ttr-map .failed { fill: var(--missed); font-weight: 700; }
.ttr-map .rule { stroke: var(--track); stroke-width: 1; }
""".strip()


def css(theme: Theme = "auto") -> str:
    """The style sheet of a picture: its variables, then what uses them, for `.ttr-map` and what is in it alone.

    In a page that switches between light and dark itself, with `data-theme` on an element around, "auto" follows the page.
    """
    if theme not in THEMES:
        raise InvalidInputError(f"a theme is {', '.join(THEMES[:-1])} or {THEMES[-1]}, not {brief(theme)}")
    own = f'.ttr-map[data-theme="{theme}"]'  # other pictures in the same page may have another one
    parts: list[str] = []
    if theme == "auto":
        parts.append(variables("light", own))
        parts.append("@media (prefers-color-scheme: dark) {\n" + variables("dark", own) + "\n}")
        parts += [variables(each, f'[data-theme="{each}"] {own}') for each in ("light", "dark")]
    else:
        parts.append(variables(theme, own))
    parts += [f".ttr-map .color-{color} .box {{ fill: var(--{color}); }}" for color in Color]
    parts.append(_SHEET)
    # Selectors are plain, as not every program that draws SVG knows those for parts of a class.
    for seat in range(PLAYER_COLORS):
        # The second for a space of a route that several hold, whose owner is nearer than that of the route.
        whose = f".ttr-map .owner-{seat} .car, .ttr-map .owner-{seat} .shape, .ttr-map .space.owner-{seat} .car"
        parts.append(f"{whose} {{ fill: var(--player-{seat}); }}")
        parts.append(f"{_within(seat, 'car', 'owner-mark')} {{ display: inline; }}")
        parts.append(f"{_within(seat, 'letter', 'note', 'tag', 'engine')} {{ display: none; }}")
    return "\n".join(parts)


def _within(seat: int, *classes: str) -> str:
    return ", ".join(f".ttr-map .owner-{seat} .{each}" for each in classes)


def plain_css(theme: Theme) -> str:
    """The style sheet without variables, for programs that do not know them; "auto" is light."""
    colors = COLORS["dark" if theme == "dark" else "light"]
    text = css("dark" if theme == "dark" else "light")
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colors[found[1]], text)


def variables(theme: str, selector: str = ".ttr-map") -> str:
    """The colors of a theme as CSS variables, for a page that switches them itself.

    >>> variables("dark", "body.night .ttr-map").splitlines()[0]
    'body.night .ttr-map {'
    """
    lines = "\n".join(f"  --{name}: {value};" for name, value in COLORS[theme].items())
    return f"{selector} {{\n{lines}\n}}"
