"""A game on disk, a line a move: what a server writes while it is played, so that a crash loses one move at most."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from threading import get_ident
from types import TracebackType
from typing import Any, NoReturn, Self, cast

from ttr_rules._internal.limits import LONGEST_SAVE, read_file
from ttr_rules._internal.messages import brief, line, reason_of
from ttr_rules.errors import GameInUseError, InvalidInputError, SaveError
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.actions import Action
from ttr_rules.model.chance import Chance
from ttr_rules.play.game import Game
from ttr_rules.play.moves import Move
from ttr_rules.saves.linefile import LineFile, put_lines
from ttr_rules.saves.saving import game_of, header_of, move_data, written
from ttr_rules.saves.text import object_of

#: The most lines of a journal that is read. The line of a move has more than 40 bytes, so no journal that is written has more.
MOST_LINES = LONGEST_SAVE // 40


class Journal:
    """A game that is written down as it is played: a header line, then one line a move, in the form of `dumps`.

    `Journal.begin` starts one, `Journal.resume` takes one up again. A file has one journal at a time that writes it.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder:
    ...     with Journal.begin(f"{folder}/game.jsonl", new_game("europe", players=2, seed=1)) as journal:
    ...         _ = journal.play(journal.game.legal_actions(0)[0])
    ...     read_journal(f"{folder}/game.jsonl") == journal.game
    True
    """

    # survives /,: the module itself makes journals, and gives it by name
    def __init__(self, game: Game, lines: LineFile, *, new_chance: bool = False) -> None:
        self._game = game
        self._lines = lines
        self._written = game.last_move
        # The thread that is playing just now; see `Game`.
        self._thread = 0
        self._new_chance = new_chance  # whether the header has a seed that no longer decides

    @property
    def game(self) -> Game:
        """The game as it is written: look at it as you like, but play and undo with the journal."""
        return self._game

    @classmethod
    def begin(cls, path: str | os.PathLike[str], game: Game) -> Journal:
        """A new journal with all moves so far, which its owner alone may read.

        Raises `SaveError` if the file is there already or cannot be written.
        """
        header = header_of(game)
        try:
            return cls(game, put_lines(_path(path), _lines_of(header, game)))
        except (OSError, ValueError) as error:
            raise SaveError(f"{line(str(path))}: a journal cannot be begun here: {reason_of(error)}") from error

    @classmethod
    def resume(
        cls,
        path: str | os.PathLike[str],
        chance: Chance | None = None,
        rules: Rules | None = None,
        *,
        verify: bool = False,
    ) -> Journal:
        """A journal taken up again: a last line that a crash cut short is dropped, and play goes on after it.

        A journal of an older form is written anew in the form of today. `chance`, `rules` and `verify` are as for `loads`;
        the first move that is played by another chance writes the journal anew too, without the seed.
        Raises `SaveError` as `read_journal` does, and if another journal has the file open.
        """
        lines = _read(path)
        game = _game(lines, path, chance, rules, verify=verify)
        found, header = json.loads(lines[0]), header_of(game)
        if chance is not None:  # which has decided nothing yet
            header["seed"] = found.get("seed")
        new_chance = header["seed"] != game.seed
        found["library"] = header["library"]  # another version of it is no other form
        try:
            file = LineFile(_path(path).resolve(), lines)
            if found == header:
                return cls(game, file, new_chance=new_chance)
            with closing(file):
                return cls(game, put_lines(file.path, _lines_of(header, game), instead=file), new_chance=new_chance)
        except (OSError, ValueError) as error:
            raise SaveError(f"{line(str(path))}: cannot be written: {reason_of(error)}") from error

    def play(self, action: Action, *, expected: int | None = None) -> tuple[Event, ...]:
        """Play an action, write the move down, and return what happened. `expected` is as for `Game.play`.

        Raises what `Game.play` raises, `GameInUseError` while another thread plays. If the move cannot be written it is taken back, and a `SaveError` raised; so it is
        if the journal would be longer than what is read.
        """
        me = get_ident()
        if self._thread and self._thread != me:
            raise GameInUseError("journal")
        try:
            self._thread = me
            self._check()
            try:
                events = self._game.play(action, expected=expected)
                self._write()
            except BaseException:
                self._follow()
                raise
        finally:
            self._thread = 0
        return events

    def undo(self) -> Move:
        """Take the last move back, in the game and in the file, and return it. See `Game.undo`.

        Raises `InvalidInputError` when there is nothing but the set-up, and `SaveError` if the file cannot be cut.
        """
        me = get_ident()
        if self._thread and self._thread != me:
            raise GameInUseError("journal")
        try:
            self._thread = me
            return self._undo()
        finally:
            self._thread = 0

    def _undo(self) -> Move:
        self._check()
        if not self._game.played:
            return self._game.undo()  # which says that there is nothing
        move = self._game.last_move
        try:
            self._lines.drop_last()
            self._follow()
        except BaseException as error:
            self._follow()
            if not isinstance(error, OSError):
                raise
            kept = self._game.last_move is move
            message = "could not be undone" if kept else "is undone, but the disk may still contain it"
            raise SaveError(f"the move {message}: {reason_of(error)}") from error
        return move

    def _write(self) -> None:
        """Write the last move of the game down."""
        try:
            if self._new_chance:
                lines = _lines_of(header_of(self._game), self._game)
                self._lines = put_lines(self._lines.path, lines, instead=self._lines)
                self._new_chance = False
            else:
                added = _line_of(move_data(self._game.rules, self._game.last_move))
                _check_size(self._lines.size + len(added))
                self._lines.append(added)
        except OSError as error:
            raise SaveError(f"the move could not be written: {reason_of(error)}") from error
        self._written = self._game.last_move

    def _follow(self) -> None:
        """Take back what the file does not hold: whatever broke off in the middle of a move, game and file agree."""
        # survives !=: a move is written after it was played, and cut off before it is taken back: there are never more lines
        if len(self._lines) < self._game.played + 2:
            self._game.undo()
        self._written = self._game.last_move

    def _check(self) -> None:
        if self._lines.closed:
            raise InvalidInputError("this journal is closed: take it up again with Journal.resume")
        # Each move is an object of its own. The lines are those of header, set-up and actions.
        # survives <: a move is written after it was played, and cut off before it is taken back: there are never more lines
        if self._game.last_move is not self._written or len(self._lines) != self._game.played + 2:
            raise InvalidInputError(
                "the game of this journal was played or undone without it, or broken off in the middle, so the file "
                "does not agree with the game any more: use journal.play and journal.undo; Journal.resume takes up what is "
                "written"
            )

    def close(self) -> None:
        """Close the file; the game stays as it is."""
        self._lines.close()

    def __reduce__(self) -> NoReturn:
        raise InvalidInputError(
            "a journal cannot be pickled or copied, as its file has one journal at a time: send journal.game, "
            "or close the journal and resume it there"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_journal(
    path: str | os.PathLike[str], chance: Chance | None = None, rules: Rules | None = None, *, verify: bool = False
) -> Game:
    """The game of a journal, which is left alone; a last line that was cut short is passed over.

    Raises `SaveError` with the number of the line for anything else that is no journal.
    """
    return _game(_read(path), path, chance, rules, verify=verify)


# -- lines -----------------------------------------------------------------------------------------------------


def _lines_of(header: dict[str, Any], game: Game) -> list[bytes]:
    lines = list(map(_line_of, [header, *(move_data(game.rules, move) for move in game.moves)]))
    _check_size(sum(map(len, lines)))
    return lines


def _check_size(size: int) -> None:
    """Raise `OSError` for a journal that could be written, but not be read again."""
    if size > LONGEST_SAVE:
        raise OSError(f"the journal would be of {size} bytes, and {LONGEST_SAVE} at most are read")


def _line_of(data: dict[str, Any]) -> bytes:
    try:
        return f"{written(data)}\n".encode()
    except UnicodeEncodeError as error:
        raise SaveError(f"a text of this game cannot be written: {error.reason}") from error


def _path(path: object) -> Path:
    try:
        return Path(cast("str", path))
    except TypeError as error:
        raise SaveError(f"expected the path of a journal, got {brief(path)}") from error


def _read(path: object) -> list[bytes]:
    """The whole lines of a file."""
    try:
        data, problem = read_file(_path(path), LONGEST_SAVE)
    except (OSError, ValueError) as error:
        raise SaveError(f"{line(str(path))}: cannot be read: {reason_of(error)}") from error
    if problem is not None:
        raise SaveError(f"{line(str(path))}: {problem}")
    count = data.count(b"\n")
    if count > MOST_LINES:
        raise SaveError(f"{line(str(path))}: it has {count} lines, and {MOST_LINES} at most are read")
    return [each + b"\n" for each in data.split(b"\n")[:-1]]


def _object(data: bytes, place: str) -> dict[str, Any]:
    try:
        return object_of(data.removesuffix(b"\n"), place)
    except SaveError as error:
        cause = error.__cause__
        if isinstance(cause, json.JSONDecodeError):  # it would tell of a line too: of that of the line
            raise SaveError(f"{place}: this is no JSON: {cause.msg} at column {cause.colno}") from error
        raise


# survives /,: the module itself calls it, and gives what comes before by place
def _game(lines: Sequence[bytes], path: object, chance: Chance | None, rules: Rules | None, *, verify: bool) -> Game:
    place = line(str(path))
    read = [_object(each, f"{place}, line {number}") for number, each in enumerate(lines, start=1)]
    if not read:
        raise SaveError(f"{place}: the first line is missing or cut short, so this is no journal")
    if "moves" in read[0]:
        raise SaveError(f"{place}, line 1: the moves of a journal are the lines that follow")
    return game_of(read[0], read[1:], chance, rules, verify=verify, place=lambda number: f"{place}, line {number + 2}")
