"""A terminal for people: lines in and out, colors, tables, and hiding a hand."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ttr_rules import FinalScores
from ttr_rules.language import ENGLISH, SOURCE, Language, named
from ttr_rules.model import Card
from ttr_rules.text import printable
from ttr_tools.narration.sheet import Role, sheet_lines
from ttr_tools.narration.telling import Line
from ttr_tools.narration.words import Names

#: The width of lists, if the terminal is wide enough.
WIDTH = 78
#: The width that the first column of a table keeps if it needs it, and the gap between columns.
_FIRST, _GAP = 16, 2
#: The number of typed characters that messages repeat.
_LONGEST = 40

# -- colors --------------------------------------------------------------------------------------------------------

_PLAYER_STYLES = ("bold cyan", "bold magenta", "bold yellow", "bold green", "bold blue")
_SHEET_STYLES = {"completed": "green", "failed": "red", "total": "bold"}
#: The styles of the names of cards.
CARD_STYLES: Mapping[str, str] = {
    Card.PURPLE: "magenta",
    Card.BLUE: "bright_blue",
    Card.ORANGE: "dark_orange",
    Card.WHITE: "bold white",
    Card.GREEN: "green",
    Card.YELLOW: "yellow",
    Card.BLACK: "reverse",
    Card.RED: "red",
    Card.LOCOMOTIVE: "bold cyan",
}


def player_style(seat: int) -> str:
    """The style in which the player of a seat is shown."""
    return _PLAYER_STYLES[seat % len(_PLAYER_STYLES)]


def paint(text: str, language: Language = ENGLISH) -> Text:
    """A text with the names of colors in color, if the terminal supports it."""
    painted = Text(text)
    for card, style in CARD_STYLES.items():
        painted.highlight_regex(rf"\b{re.escape(language.name(card))}\b", style)
    return painted


def print_sheet(console: Console, scores: FinalScores, lang: str = SOURCE) -> None:
    """Print the whole score sheet in a language, as wide as the console allows."""
    for line in sheet_lines(scores, lang, console.width):
        text = Text.assemble(*((piece, _sheet_style(role)) for piece, role in line))
        text.rstrip()
        console.print(text, soft_wrap=True)


def _sheet_style(role: Role) -> str:
    return player_style(role) if isinstance(role, int) else _SHEET_STYLES.get(role, "")


class _Column:
    """A column of a table: its head and cells, the width that it asks for, and the least that it can do with."""

    def __init__(self, head: str, cells: Sequence[str | Text], *, right: bool) -> None:
        self.head, self.cells, self.right = head, cells, right
        texts = [head, *map(str, cells)]
        whole = texts if right else [head]  # they break between words only
        self.width = max(cell_len(line) for text in texts for line in text.split("\n"))
        self.least = max((cell_len(word) for text in whole for word in text.split()), default=0)


def print_table(
    console: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[str | Text]],
    right: Collection[str] = (),
    title: str = "",
    width: int = WIDTH,
) -> None:
    """Print a blank line and a table of at most `width` columns of text.

    The columns named in `right` are aligned to the right. Their cells and all heads break between words only. Columns
    that have no room beside the others go into another table below, with the first column again.
    """
    width = min(width, console.width)
    first, *others = [_Column(head, cells, right=head in right) for head, *cells in zip(columns, *rows, strict=True)]
    first.least = min(first.width, _FIRST)
    while True:
        shown, others = [first, *others[:1]], others[1:]
        while others and _room(column.least for column in (*shown, others[0])) <= width:
            shown.append(others.pop(0))
        _print_columns(console, shown, title, width)
        if not others:
            return


def _room(widths: Iterable[int]) -> int:
    """The width of a table with columns of these widths."""
    return sum(width + _GAP for width in widths) - _GAP


def _print_columns(console: Console, columns: Sequence[_Column], title: str, width: int) -> None:
    """Print columns side by side. The widest are the first to become narrower, none below its least width."""
    widths = [column.width for column in columns]
    while _room(widths) > width and (wide := [n for n, column in enumerate(columns) if widths[n] > column.least]):
        widths[max(wide, key=widths.__getitem__)] -= 1
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), title_justify="left")
    table.title = Text(title) if title else None
    for column, room in zip(columns, widths, strict=True):
        table.add_column(column.head, justify="right" if column.right else "left", overflow="fold", width=room)
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    with console.capture() as captured:
        console.print(table, width=width)
    console.print()
    for line in captured.get().splitlines():
        console.print(Text.from_ansi(line.rstrip()), soft_wrap=True)


# -- the screen ----------------------------------------------------------------------------------------------------

#: Words that may be typed, in English and in the language of the screen.
QUIT = named("q quit exit", "answer")
HELP = named("help", "answer")
YES = named("y yes", "answer")
NO = named("n no", "answer")


class Quit(Exception):  # noqa: N818 (not an error)
    """The person ends the game."""


class InputEnded(Quit):
    """Nobody can be asked any more."""


class Screen:
    """A console that is written to and read from, line by line, in one language."""

    def __init__(self, console: Console, language: Language = ENGLISH) -> None:
        self.console = console
        self.language = language
        stdin: object = sys.stdin  # None where there is no input at all
        self._typist = isinstance(stdin, io.IOBase) and stdin.isatty()
        if isinstance(stdin, io.TextIOWrapper):
            stdin.reconfigure(errors="replace")
        if self._typist and console.is_terminal:
            with suppress(ImportError):
                import readline  # noqa: F401  # pyright: ignore[reportUnusedImport]

    @property
    def width(self) -> int:
        """The number of characters in a line."""
        return min(WIDTH, self.console.width) if self.console.is_terminal else WIDTH

    def say(self, text: str | Text = "", indent: int = 0) -> None:
        """Print a text, wrapped between words on a terminal. Lines after the first are indented."""
        text = Text(text) if isinstance(text, str) else text
        if not self.console.is_terminal:
            self.console.print(text, soft_wrap=True)
            return
        first = text.wrap(self.console, self.console.width)[0]
        self.console.print(first)
        if rest := text.plain[len(first.plain) :].lstrip(" ").removeprefix("\n"):
            for line in text[-len(rest) :].wrap(self.console, max(self.console.width - indent, 20)):
                self.console.print(Text(" " * indent) + line)

    def tell(self, story: Iterable[Line], names: Names) -> None:
        """Print the lines of a story, with their players' names in the players' colors."""
        for line in story:
            text = Text(line.text)
            if line.heading:
                self.say()
                text.stylize("dim")
            elif line.seat is not None and line.text.startswith(names.player(line.seat)):
                text.stylize(player_style(line.seat), 0, len(names.player(line.seat)))
            self.say(text)

    def ask(self, prompt: str) -> str:
        """Read one line from the person. Raises `InputEnded` at the end of the input, `Quit` for `q`."""
        self.console.file.flush()
        try:
            typed = input(f"{printable(prompt)}> ").strip()
        except (EOFError, RuntimeError) as error:  # RuntimeError: there is no input at all
            self.say()
            raise InputEnded from error
        if not self._typist:
            self.say(echo(typed))
        if self.means(typed, QUIT):
            raise Quit
        return typed

    def means(self, typed: str, words: str) -> bool:
        """Tell whether one of these words was typed, in English or in the language of the screen."""
        return typed.casefold() in (*words.split(), *self.language.pgettext("answer", words).split())

    def private(self) -> None:
        """Show what follows without leaving a trace: on the alternate screen, or on a cleared one."""
        self.console.set_alt_screen(True)
        self.clear()

    def public(self) -> None:
        """Clear what was shown since `private`."""
        self.clear()
        self.console.set_alt_screen(False)

    def clear(self) -> None:
        """Clear a terminal, or print a separating line in a pipe."""
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.console.print("-" * 40)


def echo(typed: str) -> str:
    """The text that somebody typed, as messages repeat it."""
    return printable(typed if len(typed) <= _LONGEST else f"{typed[:_LONGEST]}…")
