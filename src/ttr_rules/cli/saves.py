"""Saving unfinished games of people to a file, and resuming them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ttr_rules._internal.language import Language
from ttr_rules._internal.limits import LONGEST_SAVE, read_file
from ttr_rules._internal.messages import reason_of
from ttr_rules._internal.wording import printable
from ttr_rules.cli.screen import NO, YES, Quit, Screen
from ttr_rules.cli.terminal import Problem
from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.kernel.rules import Rules
from ttr_rules.play.game import Game
from ttr_rules.saves.saving import dumps, loads


def offer_to_save(screen: Screen, game: Game, people: Sequence[str], beside: Sequence[str] = ()) -> None:
    """Ask for the name of a file and write the game to it; nothing is written without a name.

    `beside` is what the command to resume needs in addition to the file: the stack and `--with` of variants that are
    not installed.
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
            persons = [part for person in people for part in ("--human", person)]
            again = shlex.join(["ttr-rules", "play", *beside, "--resume", name, *persons])
            screen.say(printable(say("Saved. To go on: {command}", command=again)))
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
        told = "{file} cannot be written: {reason}. Type another name."
        return language.gettext(told, file=name, reason=reason_of(error))
    return None


def resumed(file: str, rules: Rules | None = None) -> Game:
    """Load a saved game, with the given rules or those of installed plugins. Raises `Problem` if it is not one."""
    try:
        data, problem = read_file(Path(file).expanduser(), 4 * LONGEST_SAVE)
        if problem is not None:
            raise Problem(f"{file}: {problem}")
        text = data.decode("utf-8-sig") if data.lstrip().startswith((b"{", b"\xef\xbb\xbf")) else data
        return loads(text, rules=rules)
    except SaveError as error:
        raise Problem(f"{file}: {error}") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise Problem(f"{file} cannot be read: {reason_of(error)}") from error


def seats_of(game: Game, people: Sequence[str]) -> list[int]:
    """The seats of the people who resume a saved game. Raises `InvalidInputError` for a person who is not in it."""
    for person in people:
        if person not in game.players:
            raise InvalidInputError(f"--human names {person}; those who play are {', '.join(game.players)}")
    return [seat for seat, name in enumerate(game.players) if name in people]
