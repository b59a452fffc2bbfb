"""Saving unfinished games of people to a file, and reading saved games and journals."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from ttr_rules._internal.language import Language
from ttr_rules._internal.limits import LONGEST_SAVE, read_file
from ttr_rules._internal.messages import reason_of
from ttr_rules._internal.wording import printable
from ttr_rules.cli.screen import NO, YES, Quit, Screen
from ttr_rules.cli.terminal import Problem
from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.kernel.rules import Rules
from ttr_rules.play.game import Game
from ttr_rules.saves.journal import Journal, read_journal
from ttr_rules.saves.saving import dumps, loads

T = TypeVar("T")


def offer_to_save(screen: Screen, game: Game, people: Sequence[str], beside: Sequence[str] = ()) -> None:
    """Ask for the name of a file and write the game to it; nothing is written without a name.

    `beside` as for `how_to_resume`.
    """
    say = screen.language.gettext
    screen.say(say("Save the game, to go on later? Type the name of a file, or press Enter to end without saving."))
    before = ""
    while True:
        try:
            name = screen.ask(say("File"))
        except Quit:
            return
        if not name or screen.means(name, NO):
            return
        if screen.means(name, YES):
            screen.say(say("Under which name? Type the name of a file, such as game.json."))
            continue
        problem = _written(name, dumps(game), screen.language, replace=name == before)
        if problem is None:
            screen.say(say("Saved. To go on: {command}", command=how_to_resume(name, people, beside)))
            return
        screen.say(printable(problem))
        before = name


def _written(name: str, text: str, language: Language, *, replace: bool) -> str | None:
    """Write a file; returns the problem if it cannot be written."""
    try:
        with Path(name).expanduser().open("w" if replace else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return language.gettext("{file} already exists. Type it again to replace it, or another name.", file=name)
    except (OSError, ValueError, RuntimeError) as error:  # also invalid names of files or home folders
        template = "{file} cannot be written: {reason}. Type another name."
        return language.gettext(template, file=name, reason=reason_of(error))
    return None


def saved_game(file: str, rules: Rules | None = None) -> Game:
    """The game of a save, packed or not, or of a journal, which stays as it is. Raises `Problem` if it is neither.

    `rules` are those of variants that are not installed.
    """
    return _read(file, lambda text: loads(text, rules=rules), lambda path: read_journal(path, rules=rules))


def resumed(file: str, rules: Rules | None = None) -> tuple[Game, Journal | None]:
    """Load a game to go on with it; one of a journal goes on in its file. Raises `Problem` as `saved_game` does."""

    def journal(path: Path) -> tuple[Game, Journal | None]:
        found = Journal.resume(path, rules=rules)
        return found.game, found

    return _read(file, lambda text: (loads(text, rules=rules), None), journal)


def how_to_resume(file: str, people: Sequence[str], beside: Sequence[str] = ()) -> str:
    """The command that goes on with a game.

    `beside` is what it needs in addition: the language, the stack and `--with` of variants that are not installed.
    Without `people`, bots play every seat.
    """
    persons = [part for person in people for part in ("--human", person)] or ["--bots"]
    return printable(shlex.join(["ttr-rules", "play", *beside, "--resume", file, *persons]))


def _read(file: str, save: Callable[[str | bytes], T], journal: Callable[[Path], T]) -> T:
    try:
        path = Path(file).expanduser()
        data, problem = read_file(path, 4 * LONGEST_SAVE)
        if problem is not None:
            raise Problem(f"{file}: {problem}")
        if is_journal(data):
            return journal(path)
        return save(data.decode("utf-8-sig") if data.lstrip().startswith((b"{", b"\xef\xbb\xbf")) else data)
    except SaveError as error:
        said = str(error)
        raise Problem(said if said.startswith(file) else f"{file}: {said}") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise Problem(f"{file} cannot be read: {reason_of(error)}") from error


def is_journal(data: bytes) -> bool:
    """Whether these are the bytes of a journal: its first line is a header, without moves.

    >>> is_journal(b'{"format": 3, "stack": []}'), is_journal(b'{"format": 3, "stack": [], "moves": []}')
    (True, False)
    """
    try:
        header: object = json.loads(data.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and "format" in header and "moves" not in header


def seats_of(game: Game, people: Sequence[str]) -> list[int]:
    """The seats of the people who resume a saved game. Raises `InvalidInputError` for a person who is not in it."""
    for person in people:
        if person not in game.players:
            raise InvalidInputError(f"--human names {person}; those who play are {', '.join(game.players)}")
    return [seat for seat, name in enumerate(game.players) if name in people]
