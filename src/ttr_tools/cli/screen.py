"""The terminal of a game with people: line-based input and output, and clearing the screen after showing a hand."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache

from rich.console import Console
from rich.text import Text

from ttr_rules.language import ENGLISH, Language, named
from ttr_rules.model import Card
from ttr_rules.text import printable

#: How much of the typed text is echoed in messages.
LONGEST = 40
#: The width of lists, if the terminal is wide enough.
WIDTH = 78

_STYLES: Mapping[str, str] = {
    "purple": "magenta",
    "blue": "bright_blue",
    "orange": "dark_orange",
    "white": "bold white",
    "green": "green",
    "yellow": "yellow",
    "black": "reverse",
    "red": "red",
    "locomotive": "bold cyan",
}


@cache
def _styles(language: Language) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """The names of the cards in a language, and their styles."""
    styles = {language.name(card): _STYLES[card] for card in Card}
    return re.compile(rf"\b({'|'.join(map(re.escape, styles))})\b"), styles


#: What may be typed, in English and in the language of the screen.
QUIT = named("q quit exit", "answer")
HELP = named("help", "answer")
YES = named("y yes", "answer")
NO = named("n no", "answer")


class Quit(Exception):  # noqa: N818 (not an error)
    """The person ends the game, `wanted`, or the input has ended."""

    def __init__(self, *, wanted: bool = False) -> None:
        super().__init__()
        self.wanted = wanted


def painted(text: str, language: Language = ENGLISH) -> Text:
    """A text with the names of colors in color, if the terminal supports it."""
    painted = Text(text)
    names, styles = _styles(language)
    for found in names.finditer(text):
        painted.stylize(styles[found[1]], *found.span())
    return painted


class Screen:
    """A console that is written to and read from, line by line, in one language."""

    def __init__(self, console: Console, language: Language = ENGLISH) -> None:
        self.console = console
        self.language = language
        self.hidden = False
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
        """Print a text, wrapped between words on a terminal; lines after the first are indented."""
        text = Text(text) if isinstance(text, str) else text
        if not self.console.is_terminal:
            self.console.print(text, soft_wrap=True)
            return
        lines = text.wrap(self.console, max(self.console.width - indent, 20))
        for number, line in enumerate(lines):
            self.console.print(Text(" " * indent if number else "") + line)

    def ask(self, prompt: str) -> str:
        """Read one line from the person. Raises `Quit` at the end of the input and for `q`."""
        self.console.file.flush()
        try:
            typed = input(f"{printable(prompt)}> ").strip()
        except (EOFError, RuntimeError) as error:  # RuntimeError: there is no input at all
            self.say()
            raise Quit from error
        if not self._typist:
            self.say(printable(typed if len(typed) <= LONGEST else f"{typed[:LONGEST]}…"))
        if self.means(typed, QUIT):
            raise Quit(wanted=True)
        return typed

    def means(self, typed: str, words: str) -> bool:
        """Whether one of these words was typed, in English or in the language of the screen."""
        return typed.casefold() in (*words.split(), *self.language.pgettext("answer", words).split())

    def private(self) -> None:
        """Show what follows without leaving a trace: on the alternate screen, or on a cleared one."""
        self.hidden = True
        self.console.set_alt_screen(True)
        self.clear()

    def public(self) -> None:
        """Clear what was shown since `private`."""
        if self.hidden:
            self.hidden = False
            self.clear()
            self.console.set_alt_screen(False)

    def clear(self) -> None:
        """Clear a terminal; in a pipe, print a separating line."""
        if self.console.is_terminal:
            self.console.clear()
        else:
            self.console.print("-" * 40)
