"""The score sheet in a terminal: the lines of `ttr_tools.narration.sheet`, in color."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ttr_rules import FinalScores
from ttr_rules.language import SOURCE
from ttr_tools.narration.sheet import WIDTH, sheet_lines

#: The colors of the players on a terminal, seat by seat.
PLAYER_STYLES = ("bold cyan", "bold magenta", "bold yellow", "bold green", "bold blue")
_STYLES = {"completed": "green", "failed": "red", "total": "bold"}


def style_of(seat: int) -> str:
    """The style in which the player of a seat is shown."""
    return PLAYER_STYLES[seat % len(PLAYER_STYLES)]


def print_sheet(console: Console, scores: FinalScores, lang: str = SOURCE) -> None:
    """Print the whole score sheet in a language, as wide as the console allows."""
    words = scores.words.in_language(lang)
    for line in sheet_lines(scores.players, words, scores.ties, min(WIDTH, console.width)):
        text = Text.assemble(*((piece, _style(role)) for piece, role in line))
        text.rstrip()
        console.print(text, soft_wrap=True)


def _style(role: str) -> str:
    return style_of(int(role.removeprefix("seat "))) if role.startswith("seat ") else _STYLES.get(role, "")
