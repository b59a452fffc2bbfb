"""A terminal for people: lines in and out, colors, hiding a hand, and numbered menus to choose an action from."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Protocol

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ttr_rules import FinalScores
from ttr_rules.language import ENGLISH, SOURCE, Language, named
from ttr_rules.model import Action, Card, plain
from ttr_rules.text import printable
from ttr_rules.train_cards import DrawBlind, DrawFaceUp
from ttr_tools.narration.menus import SEARCHED, Choice, LongList
from ttr_tools.narration.sheet import WIDTH as SHEET_WIDTH, sheet_lines
from ttr_tools.narration.telling import Line
from ttr_tools.narration.words import Names, filter_words

#: The width of lists, if the terminal is wide enough.
WIDTH = 78
#: The number of lines of a list that are shown at once.
PAGE = 16
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


@cache
def _words_in_color(language: Language) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """The names of the cards in a language, and their styles."""
    styles = {language.name(card): CARD_STYLES[card] for card in Card}
    return re.compile(rf"\b({'|'.join(map(re.escape, styles))})\b"), styles


def paint(text: str, language: Language = ENGLISH) -> Text:
    """A text with the names of colors in color, if the terminal supports it."""
    painted = Text(text)
    names, styles = _words_in_color(language)
    for name in names.finditer(text):
        painted.stylize(styles[name[1]], *name.span())
    return painted


def print_sheet(console: Console, scores: FinalScores, lang: str = SOURCE) -> None:
    """Print the whole score sheet in a language, as wide as the console allows."""
    words = scores.words.in_language(lang)
    for line in sheet_lines(scores.players, words, scores.ties, min(SHEET_WIDTH, console.width)):
        text = Text.assemble(*((piece, _sheet_style(role)) for piece, role in line))
        text.rstrip()
        console.print(text, soft_wrap=True)


def _sheet_style(role: str) -> str:
    seat = role.removeprefix("seat ")
    return player_style(int(seat)) if seat != role else _SHEET_STYLES.get(role, "")


def make_table(
    columns: Sequence[str], rows: Iterable[Sequence[str | Text]], right: Collection[str] = (), title: str = ""
) -> Table:
    """A table with a line below its head, the columns named in `right` aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), title_justify="left")
    table.title = Text(title) if title else None
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return table


def print_table(console: Console, table: Table, width: int = WIDTH) -> None:
    """Print a table below a blank line, no wider than this, without trailing blanks."""
    with console.capture() as captured:
        console.print(table, width=min(width, console.width))
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
    """The person ends the game, `wanted`, or the input has ended."""

    def __init__(self, *, wanted: bool = False) -> None:
        super().__init__()
        self.wanted = wanted


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

    def tell(self, line: Line, names: Names) -> None:
        """Print a line of a story, with its player's name in the player's color."""
        text = Text(line.text)
        if line.heading:
            self.say()
            text.stylize("dim")
        elif line.seat is not None and line.text.startswith(names.player(line.seat)):
            text.stylize(player_style(line.seat), 0, len(names.player(line.seat)))
        self.say(text)

    def ask(self, prompt: str) -> str:
        """Read one line from the person. Raises `Quit` at the end of the input and for `q`."""
        self.console.file.flush()
        try:
            typed = input(f"{printable(prompt)}> ").strip()
        except (EOFError, RuntimeError) as error:  # RuntimeError: there is no input at all
            self.say()
            raise Quit from error
        if not self._typist:
            self.say(_echo(typed))
        if self.means(typed, QUIT):
            raise Quit(wanted=True)
        return typed

    def means(self, typed: str, words: str) -> bool:
        """Tell whether one of these words was typed, in English or in the language of the screen."""
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


def _echo(typed: str) -> str:
    return printable(typed if len(typed) <= _LONGEST else f"{typed[:_LONGEST]}…")


# -- the prompt ----------------------------------------------------------------------------------------------------

MANUAL = """\
number      choose that entry; you are asked to confirm it, unless it only draws
            a card
0, Enter    go back, or show all choices again
any text    show only the choices that contain it: a city, a color, a route, a
            kind of action; with several words, those that contain them all, as
            in: claim paris red
+  -        next and previous page of a long list
/           the routes that are claimed; /paris: the routes of a city, who holds
            them and what else is there; /*: routes with special marks;
            /shares or another label: all that the table shows under it
/tickets    what your tickets still miss
?           this help
q           stop here; you can save the game and continue later"""

#: Actions played without confirmation: a wrong card is a minor mistake.
_AT_ONCE = (DrawBlind, DrawFaceUp)


class Question(Protocol):
    """What a person has to decide: their name, the question, its menu, and the letters of tickets to keep, if it is about these."""

    name: str
    text: str
    menu: Choice
    letters: dict[str, str]

    def show(self) -> None:
        """Print the status, before every prompt."""

    def look(self, wanted: str) -> None:
        """Answer `/wanted`."""

    def keep(self, tickets: Sequence[str]) -> Action | str:
        """The action that keeps some tickets, or the reason why they cannot be kept."""
        ...


class Prompt:
    """Prompts until one of the actions is chosen.

    `_path` are the menus from the first to the current one, `_matches` the entries that a filter left of it.
    """

    def __init__(self, screen: Screen, question: Question) -> None:
        self._screen = screen
        self._question = question
        self._path = [question.menu]
        self._matches: list[Choice] | None = None
        self._page = 0
        self._gettext = screen.language.gettext
        self._ngettext = screen.language.ngettext

    def answer(self) -> Action:
        """The action that the person chooses. Raises `Quit`."""
        self._question.show()
        self._list()
        while True:
            action = self._read(self._screen.ask(self._question.name))
            if action is not None:
                return action

    @property
    def _entries(self) -> Sequence[Choice]:
        return self._path[-1].children if self._matches is None else self._matches

    def _read(self, typed: str) -> Action | None:
        if re.fullmatch(r"[0-9]{1,9}", typed) and int(typed):
            return self._choose(int(typed))
        if not typed or re.fullmatch(r"0{1,9}", typed):
            self._back()
        elif typed == "?" or self._screen.means(typed, HELP):
            self._screen.say(self._gettext(MANUAL))
            self._question.show()
            self._list()
        elif typed in ("+", "-"):
            self._turn_page(1 if typed == "+" else -1)
        elif typed.startswith("/"):
            self._question.look(typed[1:].strip())
        else:
            return self._search(typed)
        return None

    def _choose(self, number: int) -> Action | None:
        last = len(self._entries)
        if number <= last:
            return self._take(self._entries[number - 1], str(number))
        self._screen.say(self._ngettext("Only {count} is there.", "The numbers go from 1 to {count}.", last))
        return None

    def _take(self, entry: Choice, typed: str = "") -> Action | None:
        """Take an entry: an action immediately or after confirmation, or a submenu."""
        if entry.children:
            self._path.append(entry)
            self._list_from_start()
            return None
        return entry.action if isinstance(entry.action, _AT_ONCE) or self._confirm(entry, typed) else None

    def _confirm(self, entry: Choice, before: str) -> bool:
        """Ask until the person answers yes, perhaps by what they typed before, or no."""
        whole = ": ".join([menu.label for menu in self._path if menu.label] + [entry.label])
        text = self._gettext("{choice}? Enter or y to confirm, 0 to go back.", choice=whole)
        while True:
            self._screen.say(paint(text, self._screen.language))
            typed = self._screen.ask(self._question.name)
            if typed in ("", before) or self._screen.means(typed, YES):
                return True
            if typed == "0" or self._screen.means(typed, NO):
                self._list()
                return False
            if typed.startswith("/"):
                self._question.look(typed[1:].strip())

    def _back(self) -> None:
        if self._matches is None and len(self._path) > 1:
            self._path.pop()
        elif self._matches is None:
            self._question.show()
        self._list_from_start()

    def _turn_page(self, by: int) -> None:
        pages = -(-len(self._entries) // self._layout()[0])
        if 0 <= self._page + by < pages:
            self._page += by
            self._list()
        else:
            self._screen.say(self._gettext("There is no other page that way."))

    def _search(self, typed: str) -> Action | None:
        """Take tickets by their letters, or filter the list."""
        words = re.findall(r"\S+", plain(typed).replace(",", " "))
        kept = self._keep(words)
        if kept is None:
            matches = list(self._path[-1].search(filter_words(typed, self._screen.language)))
            if not matches and len(words) == 1:
                kept = self._keep(words[0])
            if kept is None:
                return self._filter(typed, matches)
        if isinstance(kept, str):
            self._screen.say(f"{kept[:1].upper()}{kept[1:]}.")
            return None
        return self._take(kept)

    def _keep(self, letters: Sequence[str]) -> Choice | str | None:
        """The tickets with these letters as an entry, or why they cannot be kept; None if they are not letters."""
        tickets = self._question.letters
        if not tickets or not all(letter in tickets for letter in letters):
            return None
        kept = list(dict.fromkeys(letters))
        action = self._question.keep([tickets[letter] for letter in kept])
        return action if isinstance(action, str) else Choice(" ".join(sorted(kept)), action)

    def _filter(self, typed: str, matches: list[Choice]) -> Action | None:
        if not matches:
            template = "Nothing here has “{text}”{more}. Type a number, part of a name, 0 to go back, or ? for help."
            if len(self._path) == 1:
                template = "Nothing here has “{text}”{more}. Type a number, part of a name, or ? for help."
            self._screen.say(self._gettext(template, text=_echo(typed), more=self._limit()))
        elif len(matches) == 1 and matches[0].children:
            return self._take(matches[0])
        else:
            self._list_from_start(matches)
        return None

    def _limit(self) -> str:
        """The hint that a list is too long to be searched completely, if it is."""
        if not self._path[-1].is_long:
            return ""
        return self._gettext("; of long lists the first {count} entries are searched", count=SEARCHED)

    # -- the list ----------------------------------------------------------------------------------------------

    def _layout(self) -> tuple[int, int, int]:
        """The number of entries on a page, the number of columns, and their width."""
        entries = self._entries
        measured = entries[:PAGE] if isinstance(entries, LongList) else entries
        width = max(cell_len(entry.summary) for entry in measured) + len(str(len(entries))) + 5
        columns = max(1, min(self._screen.width // width, -(-len(entries) // 6)))
        return PAGE * columns, columns, width

    def _list_from_start(self, matches: list[Choice] | None = None) -> None:
        self._matches, self._page = matches, 0
        self._list()

    def _list(self) -> None:
        entries = self._entries
        size, columns, width = self._layout()
        first = self._page * size
        page = range(first, min(first + size, len(entries)))
        self._screen.say(Text(self._heading(), style="bold"))
        digits = len(str(len(entries)))
        lines = -(-len(page) // columns)
        for line in range(lines):
            text = Text()
            for index in page[line::lines]:
                text.append(" " * ((index - first) // lines * width - cell_len(text.plain)))
                text.append(f" {index + 1:{digits}}  ", style="bold")
                text.append(paint(entries[index].summary, self._screen.language))
            self._screen.say(text, indent=digits + 3)
        more = self._more(len(entries), page)
        if more:
            self._screen.say(Text(more, style="dim"))

    def _heading(self) -> str:
        if self._matches is None:
            return self._question.text if len(self._path) == 1 else f"{self._path[-1].label}:"
        heading = self._ngettext("{number} choice found:", "{number} choices found:", len(self._matches))
        return heading[:1].upper() + heading[1:]

    def _more(self, count: int, page: range) -> str:
        parts: list[str] = []
        if len(page) < count:
            template = "{first}–{last} of {count}; + and - turn the page, part of a name narrows the list"
            parts.append(self._gettext(template, first=page[0] + 1, last=page[-1] + 1, count=count))
        if self._matches is not None:
            parts.append(self._gettext("0  show all again") + self._limit())
        elif len(self._path) > 1:
            parts.append(self._gettext("0  back"))
        return " " + "; ".join(parts) if parts else ""
