"""Prompts a person in the terminal: a numbered list, a filter over it, and hints for input that is not understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from attrs import field, frozen
from rich.cells import cell_len
from rich.text import Text

from ttr_rules.model import Action, plain
from ttr_rules.text import printable
from ttr_rules.train_cards import DrawBlind, DrawFaceUp
from ttr_tools.cli.choices import SEARCHED, Choice, LongList, summary
from ttr_tools.cli.screen import HELP, LONGEST, NO, YES, Screen, painted
from ttr_tools.narration.labels import wanted_words

#: How many lines of a list are shown at once.
PAGE = 16

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
/map        the whole board; /tickets: what your tickets still miss
?           this help
q           stop here; you can save the game and continue later"""

#: Actions played without confirmation: a wrong card is a minor mistake.
_AT_ONCE = (DrawBlind, DrawFaceUp)


@frozen
class Question:
    """A prompt for a person: their name, the question, its menu, and what else may be typed.

    `show` prints the status before every prompt, `look` answers `/…`. `letters` are those of tickets, and `refused`
    says why some tickets cannot be kept.
    """

    name: str
    text: str
    menu: Choice
    show: Callable[[], None]
    look: Callable[[str], None]
    letters: Mapping[str, str] = field(factory=dict[str, str])
    keep: Callable[[Sequence[str]], Action | str] | None = None


class Prompt:
    """Prompts until one of the actions is chosen."""

    def __init__(self, screen: Screen, question: Question) -> None:
        self._screen = screen
        self._question = question
        self._path = [question.menu]
        self._found: list[Choice] | None = None
        self._page = 0
        self._unsure: tuple[str, Choice] | None = None
        self._gettext = screen.language.gettext
        self._counted = screen.language.ngettext

    def answer(self) -> Action:
        """The action that the person chooses. Raises `Quit`."""
        self._question.show()
        self._list()
        while True:
            action = self._typed(self._screen.ask(self._question.name))
            if action is not None:
                return action

    @property
    def _entries(self) -> Sequence[Choice]:
        return self._path[-1].children if self._found is None else self._found

    def _typed(self, typed: str) -> Action | None:
        if self._unsure is not None:
            return self._confirmed(typed)
        if re.fullmatch(r"[0-9]{1,9}", typed):
            return self._number(int(typed))
        if not typed:
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
            return self._text(typed)
        return None

    def _number(self, number: int) -> Action | None:
        entries = self._entries
        if not number:
            self._back()
        elif number > len(entries):
            last = len(entries)
            self._hint(self._counted("Only {count} is there.", "The numbers go from 1 to {count}.", last))
        else:
            return self._take(entries[number - 1], number)
        return None

    def _take(self, entry: Choice, number: int = 0) -> Action | None:
        """Take an entry: an action immediately or after confirmation, or a submenu."""
        if entry.children:
            self._path.append(entry)
            self._found, self._page = None, 0
            self._list()
        elif not isinstance(entry.action, _AT_ONCE):
            self._unsure = (str(number or ""), entry)
            self._ask_back(entry)
            return None
        return entry.action

    def _ask_back(self, entry: Choice) -> None:
        whole = ": ".join([menu.label for menu in self._path if menu.label] + [entry.label])
        text = self._gettext("{choice}? Enter or y to confirm, 0 to go back.", choice=whole)
        self._screen.say(painted(text, self._screen.language))

    def _confirmed(self, typed: str) -> Action | None:
        """The action to be confirmed, if the person confirms it; anything other than yes or no asks again."""
        assert self._unsure is not None, "something was asked about"
        number, entry = self._unsure
        if typed in ("", number) or self._screen.means(typed, YES):
            self._unsure = None
            return entry.action
        if typed == "0" or self._screen.means(typed, NO):
            self._unsure = None
            self._list()
            return None
        if typed.startswith("/"):
            self._question.look(typed[1:].strip())
        self._ask_back(entry)
        return None

    def _back(self) -> None:
        if self._found is not None:
            self._found = None
        elif len(self._path) > 1:
            self._path.pop()
        else:
            self._question.show()
        self._page = 0
        self._list()

    def _turn_page(self, by: int) -> None:
        pages = -(-len(self._entries) // self._layout()[0])
        if 0 <= self._page + by < pages:
            self._page += by
            self._list()
        else:
            self._hint(self._gettext("There is no other page that way."))

    def _text(self, typed: str) -> Action | None:
        """Handle letters of tickets, or a filter."""
        letters = re.findall(r"\S+", plain(typed).replace(",", " "))
        chosen = self._letters(letters)
        if chosen is None:
            found = list(self._path[-1].found(wanted_words(typed, self._screen.language)))
            if not found and len(letters) == 1:
                chosen = self._letters(list(letters[0]))
            if chosen is None:
                return self._filtered(typed, found)
        if isinstance(chosen, str):
            self._hint(f"{chosen[:1].upper()}{chosen[1:]}.")
            return None
        return self._take(chosen)

    def _letters(self, letters: Sequence[str]) -> Choice | str | None:
        """The tickets with these letters as an entry, or why they cannot be kept; None if they are no letters."""
        known = self._question.letters
        if self._question.keep is None or not all(letter in known for letter in letters):
            return None
        kept = list(dict.fromkeys(letters))
        action = self._question.keep([known[letter] for letter in kept])
        return action if isinstance(action, str) else Choice(" ".join(sorted(kept)), action)

    def _filtered(self, typed: str, found: list[Choice]) -> Action | None:
        if not found:
            what = printable(typed if len(typed) <= LONGEST else f"{typed[:LONGEST]}…")
            if len(self._path) == 1:
                template = "Nothing here has “{text}”{more}. Type a number, part of a name, or ? for help."
            else:
                template = (
                    "Nothing here has “{text}”{more}. Type a number, part of a name, 0 to go back, or ? for help."
                )
            self._hint(self._gettext(template, text=what, more=self._unsearched()))
        elif len(found) == 1 and found[0].children:
            self._found = None
            return self._take(found[0])
        else:
            self._found, self._page = found, 0
            self._list()
        return None

    def _unsearched(self) -> str:
        """The hint that a list is too long to be searched completely, if it is."""
        if not self._path[-1].is_long:
            return ""
        return self._gettext("; of long lists the first {count} entries are searched", count=SEARCHED)

    def _hint(self, text: str) -> None:
        self._screen.say(text)

    # -- the list ----------------------------------------------------------------------------------------------

    def _layout(self) -> tuple[int, int, int]:
        """How many entries a page has, in how many columns, and their width."""
        entries = self._entries
        measured = entries[:PAGE] if isinstance(entries, LongList) else entries
        width = max(cell_len(summary(entry)) for entry in measured) + len(str(len(entries))) + 5
        columns = max(1, min(self._screen.width // width, -(-len(entries) // 6)))
        return PAGE * columns, columns, width

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
                text.append(painted(summary(entries[index]), self._screen.language))
            self._screen.say(text, indent=digits + 3)
        more = self._more(len(entries), page)
        if more:
            self._screen.say(Text(more, style="dim"))

    def _heading(self) -> str:
        heading = self._question.text if len(self._path) == 1 else f"{self._path[-1].label}:"
        if self._found is None:
            return heading
        found = self._counted("{number} choice found:", "{number} choices found:", len(self._found))
        return found[:1].upper() + found[1:]

    def _more(self, count: int, page: range) -> str:
        parts: list[str] = []
        if len(page) < count:
            template = "{first}–{last} of {count}; + and - turn the page, part of a name narrows the list"
            parts.append(self._gettext(template, first=page[0] + 1, last=page[-1] + 1, count=count))
        if self._found is not None:
            parts.append(self._gettext("0  show all again") + self._unsearched())
        elif len(self._path) > 1:
            parts.append(self._gettext("0  back"))
        return " " + "; ".join(parts) if parts else ""
