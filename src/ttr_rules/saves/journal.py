"""A game on disk, one line per move: for servers to write during play, so that a crash loses at most one move."""

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
from ttr_rules._internal.messages import brief, cut, line, reason_of
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

#: The most lines read from a journal. The line of a move has more than 40 bytes, so no journal has more.
MOST_LINES = LONGEST_SAVE // 40


class Journal:
    """A game that is saved as it is played: a header line, then one line per move, in the format of `dumps`.

    `Journal.begin` starts one, `Journal.resume` continues one. Only one journal at a time can write to a file.

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
        # The thread that is currently playing; see `Game`.
        self._thread = 0
        self._new_chance = new_chance  # whether the header has a seed that is no longer used

    def __repr__(self) -> str:
        return cut(f"<Journal {self._lines.path.name}: {self._game!r}>")

    @property
    def game(self) -> Game:
        """The game of this journal: read it freely, but play and undo through the journal."""
        return self._game

    @classmethod
    def begin(cls, path: str | os.PathLike[str], game: Game) -> Journal:
        """Start a journal with all moves so far, readable only by its owner.

        Raises `SaveError` if the file already exists or cannot be written.
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
        """Continue a journal: a last line that a crash cut short is dropped, and play continues after it.

        A journal in an older format is rewritten in the current one. `chance`, `rules` and `verify` are as for `loads`;
        the first move played with a different chance object also rewrites the journal, without the seed.
        Raises `SaveError` as `read_journal` does, and if another journal has the file open.
        """
        lines = _read(path)
        game = _game(lines, path, chance, rules, verify=verify)
        found, header = json.loads(lines[0]), header_of(game)
        if chance is not None:  # which has not been used yet
            header["seed"] = found.get("seed")
        new_chance = header["seed"] != game.seed
        found["library"] = header["library"]  # another library version is not another format
        try:
            file = LineFile(_path(path).resolve(), lines)
            if found == header:
                return cls(game, file, new_chance=new_chance)
            with closing(file):
                return cls(game, put_lines(file.path, _lines_of(header, game), instead=file), new_chance=new_chance)
        except (OSError, ValueError) as error:
            raise SaveError(f"{line(str(path))}: cannot be written: {reason_of(error)}") from error

    def play(self, action: Action, *, expected: int | None = None) -> tuple[Event, ...]:
        """Play an action, write the move, and return its events. `expected` is as for `Game.play`.

        Raises what `Game.play` raises, and `GameInUseError` while another thread plays. If the move cannot be written,
        or the journal would become longer than can be read, the move is undone and a `SaveError` raised.
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
        """Undo the last move, in the game and in the file, and return it. See `Game.undo`.

        Raises `InvalidInputError` if there is only the set-up, and `SaveError` if the file cannot be cut.
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
            return self._game.undo()  # which raises that there is nothing to undo
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
        """Write the last move of the game."""
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
        """Undo moves that are not in the file, so that game and file agree even after an interrupted move."""
        # survives !=: a move is written after it was played, and cut off before it is taken back: there are never more lines
        if len(self._lines) < self._game.played + 2:
            self._game.undo()
        self._written = self._game.last_move

    def _check(self) -> None:
        if self._lines.closed:
            raise InvalidInputError("this journal is closed: take it up again with Journal.resume")
        # Each move is a distinct object. There is a line for the header, the set-up and each action.
        # survives <: a move is written after it was played, and cut off before it is taken back: there are never more lines
        if self._game.last_move is not self._written or len(self._lines) != self._game.played + 2:
            raise InvalidInputError(
                "the game of this journal was played or undone without it, or broken off in the middle, so the file "
                "does not agree with the game any more: use journal.play and journal.undo; Journal.resume takes up what is "
                "written"
            )

    def close(self) -> None:
        """Close the file; the game is unchanged."""
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
    """Read the game of a journal without changing it; a last line that was cut short is skipped.

    Raises `SaveError` with the number of the line for anything else that is not a journal.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder:
    ...     with Journal.begin(f"{folder}/game.jsonl", new_game("europe", players=2, seed=1)) as journal:
    ...         _ = journal.play(journal.game.legal_actions(0)[0])
    ...     read_journal(f"{folder}/game.jsonl").played
    1
    """
    return _game(_read(path), path, chance, rules, verify=verify)


# -- lines -----------------------------------------------------------------------------------------------------


def _lines_of(header: dict[str, Any], game: Game) -> list[bytes]:
    lines = list(map(_line_of, [header, *(move_data(game.rules, move) for move in game.moves)]))
    _check_size(sum(map(len, lines)))
    return lines


def _check_size(size: int) -> None:
    """Raise `OSError` for a journal that would be too long to be read again."""
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
    """The complete lines of a file."""
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
        if isinstance(cause, json.JSONDecodeError):  # it has a line number too: that within the line
            raise SaveError(f"{place}: not JSON: {cause.msg} at column {cause.colno}") from error
        raise


# survives /,: the module itself calls it, and gives what comes before by place
def _game(lines: Sequence[bytes], path: object, chance: Chance | None, rules: Rules | None, *, verify: bool) -> Game:
    place = line(str(path))
    read = [_object(each, f"{place}, line {number}") for number, each in enumerate(lines, start=1)]
    if not read:
        raise SaveError(f"{place}: the first line is missing or cut short, so this is not a journal")
    if "moves" in read[0]:
        raise SaveError(f"{place}, line 1: the moves of a journal are the lines that follow")
    return game_of(read[0], read[1:], chance, rules, verify=verify, place=lambda number: f"{place}, line {number + 2}")
