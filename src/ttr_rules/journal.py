"""A game on disk, a line a move: what a server writes while it is played, so that a crash loses one move at most."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, cast

from .actions import Action
from .chance import Chance
from .errors import InvalidInputError, SaveError
from .events import Event
from .game import Game
from .limits import LONGEST_SAVE, read_file, too_deep
from .rules import Rules
from .serial import game_of, header_of, move_data, written


class Journal:
    """A game that is written down as it is played: a header line, then one line a move, in the form of `dumps`.

    `Journal.begin` starts one, `Journal.resume` takes one up again. One process at a time may write a journal.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder:
    ...     with Journal.begin(f"{folder}/game.jsonl", new_game("europe", players=2, seed=1)) as journal:
    ...         _ = journal.play(journal.game.legal_actions(0)[0])
    ...     read_journal(f"{folder}/game.jsonl") == journal.game
    True
    """

    def __init__(self, game: Game, file: BinaryIO) -> None:
        self.game = game
        self._file = file

    @classmethod
    def begin(cls, path: str | os.PathLike[str], game: Game) -> Journal:
        """A new journal with all moves so far. Raises `SaveError` if the file is there already or cannot be written."""
        lines = [header_of(game), *(move_data(game.rules, move) for move in game.moves)]
        try:
            file = Path(path).open("xb")  # noqa: SIM115 (it stays open while the game is played)
        except OSError as error:
            raise SaveError(f"{os.fspath(path)}: a journal cannot be begun here: {error.strerror or error}") from error
        journal = cls(game, file)
        journal._append("".join(f"{written(line)}\n" for line in lines))
        return journal

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

        `chance`, `rules` and `verify` are as for `loads`. Raises `SaveError` as `read_journal` does.
        """
        data = _read(path)
        whole = data.rfind(b"\n") + 1
        game = _game(data[:whole], os.fspath(path), chance, rules, verify=verify)
        try:
            file = Path(path).open("r+b")  # noqa: SIM115
            file.truncate(whole)
            file.seek(whole)
        except OSError as error:
            raise SaveError(f"{os.fspath(path)}: cannot be written: {error.strerror or error}") from error
        return cls(game, file)

    def play(self, action: Action) -> tuple[Event, ...]:
        """Play an action, write the move down, and return what happened.

        Raises what `Game.play` raises. If the move cannot be written it is taken back, and a `SaveError` raised.
        """
        if self._file.closed:
            raise InvalidInputError("this journal is closed: take it up again with Journal.resume")
        events = self.game.play(action)
        end = self._file.tell()
        try:
            self._append(f"{written(move_data(self.game.rules, self.game.last_move))}\n")
        except SaveError:
            self.game.undo()
            self._file.truncate(end)
            self._file.seek(end)
            raise
        return events

    def _append(self, text: str) -> None:
        try:
            self._file.write(text.encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise SaveError(f"the move could not be written: {error.strerror or error}") from error

    def close(self) -> None:
        """Close the file; the game stays as it is."""
        self._file.close()

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
    data = _read(path)
    return _game(data[: data.rfind(b"\n") + 1], os.fspath(path), chance, rules, verify=verify)


def _read(path: str | os.PathLike[str]) -> bytes:
    try:
        data, problem = read_file(Path(path), LONGEST_SAVE)
    except (OSError, ValueError) as error:
        raise SaveError(f"{os.fspath(path)}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if problem is not None:
        raise SaveError(f"{os.fspath(path)}: {problem}")
    return data


def _game(data: bytes, path: str, chance: Chance | None, rules: Rules | None, *, verify: bool) -> Game:
    lines = [_line(line, f"{path}, line {number}") for number, line in enumerate(data.splitlines(), start=1)]
    if not lines:
        raise SaveError(f"{path}: the first line is missing or cut short, so this is no journal")
    return game_of(lines[0], lines[1:], chance, rules, verify=verify, place=lambda number: f"{path}, line {number + 2}")


def _line(line: bytes, place: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{place}: {error}") from error
    problem = too_deep(found)
    if problem is not None:
        raise SaveError(f"{place}: {problem}")
    if not isinstance(found, dict):
        raise SaveError(f"{place}: an object is needed")
    return cast("dict[str, Any]", found)
