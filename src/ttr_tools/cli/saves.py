"""Saved games and journals: reading and resuming them, saving unfinished games of people, and `ttr-rules export`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from ttr_rules import Rules, installed
from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.language import Language
from ttr_rules.play import Game
from ttr_rules.reading import LONGEST_SAVE, decode, read_file
from ttr_rules.saves import Journal, Journals, dumps, loads
from ttr_rules.text import joined, printable, reason_of
from ttr_tools.cli.options import Problem, Stack, blame, command, is_variant_file
from ttr_tools.cli.terminal import NO, YES, Quit, Screen

#: The first bytes of an SQLite file.
_SQLITE = b"SQLite format 3\0"


def offer_to_save(screen: Screen, game: Game, people: Sequence[str], beside: Sequence[str] = ()) -> None:
    """Ask for the name of a file and write the game to it; nothing is written without a name.

    `beside` as for `resume_command`.
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
        problem = _write_new(name, dumps(game), screen.language, replace=name == before)
        if problem is None:
            screen.say(say("Saved. To go on: {command}", command=resume_command(name, people, beside)))
            return
        screen.say(printable(problem))
        before = name


def _write_new(name: str, text: str, language: Language, *, replace: bool) -> str | None:
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
    with ExitStack() as files:
        return resume(file, files, rules)[0]


def named_game(stack: Stack) -> Game | None:
    """The game of a save or journal named at the end of a stack, played with the plugins before it; None for a mere stack."""
    *plugins, last = stack.names
    if is_variant_file(last) or not split_file(last)[0].is_file() or last in {plugin.name for plugin in installed()}:
        return None
    return saved_game(last, Stack(tuple(plugins)).rules() if plugins else None)


def resume(file: str, files: ExitStack, rules: Rules | None = None) -> tuple[Game, Journal | None]:
    """Load a game to go on with it; one of a journal, `FILE` or `FILE#GAME`, goes on there until `files` is closed.

    Raises `Problem` as `saved_game` does.
    """
    with blame(file, "cannot be read"):
        path, id = split_file(file)
        data, problem = read_file(path, 4 * LONGEST_SAVE)
        text = decode(data) if data.lstrip().startswith((b"{", b"\xef\xbb\xbf")) else data
    if data.startswith(_SQLITE):
        journals = files.enter_context(Journals(path))
        journal = journals.resume(_only_game(journals, file) if id is None else id, rules=rules)
        return journal.game, journal
    if problem is not None or id is not None:
        raise Problem(f"{file}: {problem or 'this is no journal, so there are no games to choose from by #'}")
    try:
        return loads(text, rules=rules), None
    except SaveError as error:
        expected = "" if isinstance(text, str) else "expected a saved game, as JSON or packed, or a journal; "
        raise Problem(
            f"{file}: {expected}{str(error).removeprefix('not a saved game: ') if expected else error}"
        ) from error


def begin_journal(file: str, game: Game, files: ExitStack) -> tuple[str, Journal]:
    """Begin a journal in `FILE` or `FILE#GAME`, until `files` is closed; also returns what it is called."""
    path, id = split_file(file)
    journals = files.enter_context(Journals(path))
    alone = not list(journals)
    journal = journals.begin(game, id)
    return file if alone or id is not None else f"{file}#{journal.id}", journal


def split_file(file: str) -> tuple[Path, str | None]:
    """The path of a file, and the id of a game after `#`, unless that is part of the name of a file."""
    whole = Path(file).expanduser()
    name, mark, id = file.rpartition("#")
    return (whole, None) if not mark or whole.exists() else (Path(name).expanduser(), id)


def _only_game(journals: Journals, file: str) -> str:
    ids = list(journals)
    if len(ids) == 1:
        return ids[0]
    if not ids:
        raise Problem(f"{file} has no games yet")
    lines = "".join(f"\n  {file}#{id}: {_turn(journals.to_act(id))}" for id in ids)
    raise Problem(f"{file} has {len(ids)} games; say which one:{lines}")


def _turn(players: Sequence[str]) -> str:
    return f"{joined(players)} to act" if players else "over"


@command()
@click.argument("file", metavar="JOURNAL")
def export(file: str) -> None:
    """Write a game of a journal as a saved game.

    JOURNAL is FILE or FILE#GAME; its game goes to the standard output, as the JSON of a saved game.

    The journal stays as it is, and may be in use meanwhile. The variants that the game is played with need not be installed.

    Examples:
      ttr-rules export evening.db > evening.json
      ttr-rules export games.db#7f3a > game.json     one of several games

    """
    path, id = split_file(file)
    if not path.is_file():
        raise Problem(f"{file}: there is no such file")
    with Journals(path) as journals:
        click.echo(journals.save(_only_game(journals, file) if id is None else id))


def resume_command(file: str, people: Sequence[str], beside: Sequence[str] = ()) -> str:
    """The command that goes on with a game.

    `beside` is what it needs in addition: the language, and the stack if some of its variants are files.
    Without `people`, bots play every seat.
    """
    persons = [part for person in people for part in ("--human", person)] or ["--bots"]
    return printable(shlex.join(["ttr-rules", "play", *beside, "--resume", file, *persons]))


def find_seats(game: Game, people: Sequence[str]) -> list[int]:
    """The seats of the people who resume a saved game. Raises `InvalidInputError` for a person who is not in it."""
    for person in people:
        if person not in game.players:
            raise InvalidInputError(f"--human names {person}; those who play are {', '.join(game.players)}")
    return [seat for seat, name in enumerate(game.players) if name in people]
