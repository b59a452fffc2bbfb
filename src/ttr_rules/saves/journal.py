"""Games on disk, move by move: all games of a server in one SQLite file. A move that was played survives a crash.

Each change of a game is one transaction, which gives it a new random stamp. A `Journal` writes only if it finds the
stamp that it wrote last, so that no two write the same game, and after a failure the stamp tells whether the change is
in the file.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from threading import RLock, get_ident
from typing import NamedTuple, NoReturn

from ttr_rules.errors import GameInUseError, InvalidInputError, SaveError
from ttr_rules.kernel.events import Event
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.chance import Chance
from ttr_rules.model.decisions import Action
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game
from ttr_rules.reading import LONGEST_SAVE, JsonObject, name_problem
from ttr_rules.saves.saving import loads, make_header, move_data, written
from ttr_rules.text import brief, cut, line, reason_of

#: Marks a SQLite file as one of journals.
APPLICATION = int.from_bytes(b"TTRJ", "big")
#: The version of the tables.
VERSION = 1
TABLES = f"""
    CREATE TABLE games (id TEXT PRIMARY KEY, header TEXT NOT NULL, about TEXT NOT NULL, stamp TEXT NOT NULL);
    CREATE TABLE moves (
        game TEXT NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL, data TEXT NOT NULL,
        PRIMARY KEY (game, number)
    );
    CREATE TABLE turns (
        game TEXT NOT NULL REFERENCES games ON DELETE CASCADE, player TEXT NOT NULL, PRIMARY KEY (game, player)
    ) WITHOUT ROWID;
    CREATE INDEX turns_by_player ON turns (player);
    PRAGMA application_id = {APPLICATION};
    PRAGMA user_version = {VERSION}
"""


class File:
    """An open file of journals: one connection for all threads, which take turns."""

    def __init__(self, path: Path) -> None:
        """Open it, or make one where there is none. Raises `OSError`, `ValueError` or `sqlite3.Error`."""
        self.path = path
        self._lock = RLock()
        self._process = os.getpid()
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        self._there = path.stat()
        if not path.is_file():
            raise OSError("not a regular file")
        if 0 < self._there.st_size < 512:  # too short for SQLite, which takes it for empty
            raise ValueError("this is not a file of journals")
        self._db: sqlite3.Connection | None
        self._db = db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(db)
        except BaseException:
            db.close()
            raise

    @contextmanager
    def transaction(self, problem: str | None = None) -> Generator[sqlite3.Connection]:
        """One transaction. One that writes has a `problem`, with which its `SaveError` begins."""
        db = self._db
        if db is None:
            raise InvalidInputError("these journals are closed: open the file again")
        if os.getpid() != self._process:
            raise InvalidInputError("these journals were opened by another process: open the file again in this one")
        try:
            with self._lock:
                db.rollback()  # of what an interrupt kept from its end
                db.execute("BEGIN IMMEDIATE" if problem else "BEGIN")
                try:
                    # A move written to a file that was moved or removed would be lost.
                    if not os.path.samestat(self.path.stat(), self._there):
                        raise OSError("another file has taken the place of this one")
                    yield db
                    db.execute("COMMIT")
                finally:
                    db.rollback()
        except (sqlite3.Error, OSError, UnicodeEncodeError) as error:
            raise SaveError(f"{problem or f'{self.path}: cannot be read'}: {reason_of(error)}") from error

    def column(self, query: str, *values: str) -> tuple[str, ...]:
        """The first column of the answer to a query."""
        with self.transaction() as db:
            return tuple([value for (value,) in db.execute(query, values)])

    def close(self) -> None:
        """Close it."""
        with self._lock:
            db, self._db = self._db, None
            if db is not None:
                db.close()


def _prepare(db: sqlite3.Connection) -> None:
    """Create the tables in an empty file, and set how it is written.

    Raises `ValueError` for a file of something else.
    """
    if _is_empty(db):
        db.execute("BEGIN IMMEDIATE")
        if _is_empty(db):  # another process may have created them
            for statement in TABLES.split(";"):
                db.execute(statement)
        db.execute("COMMIT")
    ((application,),) = db.execute("PRAGMA application_id")
    ((version,),) = db.execute("PRAGMA user_version")
    if application != APPLICATION:
        raise ValueError("this is not a file of journals")
    if version != VERSION:
        raise ValueError(f"the file has version {version}; this library reads version {VERSION}")
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"):
        db.execute(f"PRAGMA {setting}")


def _is_empty(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master").fetchone() is None


#: The number of bytes that `Journals.save` returns.
SIZE = """
    SELECT length(CAST(header AS BLOB)) + 10 + (
        SELECT CAST(total(length(CAST(data AS BLOB)) + 1) AS INTEGER) FROM moves WHERE game = id
    ) FROM games WHERE id = ?
"""


def _not_copied(self: object) -> NoReturn:
    raise InvalidInputError("a journal cannot be pickled or copied: send journal.game, or open the file there again")


class Journals(AbstractContextManager["Journals"]):
    """The games in a file, which is created, readable by its owner only, if it does not exist.

    Several threads and processes may use a file. All methods raise `SaveError` if it cannot be read or written,
    `InvalidInputError` once it is closed.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder, Journals(f"{folder}/games.db") as journals:
    ...     journal = journals.begin(new_game("europe", players=["Ada", "Bo"], seed=1), "evening")
    ...     _ = journal.play(journal.game.legal_actions(0)[0])
    ...     list(journals), journals.to_act("evening"), journals.read("evening") == journal.game
    (['evening'], ('Bo',), True)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            self._file = File(Path(path).absolute())
        except (OSError, ValueError, TypeError, sqlite3.Error) as error:
            raise SaveError(f"{line(str(path))}: cannot keep journals here: {reason_of(error)}") from error
        self.path = self._file.path

    def begin(self, game: Game, id: str | None = None, about: Mapping[str, object] | None = None) -> Journal:
        """Start to keep a game with all moves so far. Without an `id` a random one of 16 characters is drawn.

        `about` is anything in JSON that belongs to the game, written in the same transaction. Raises `SaveError` for an
        id that exists, `InvalidInputError` for one that is not printable or longer than 200 characters.
        """
        make_header(game)  # raises for something that is not a game
        id, stamp = token_hex(8) if id is None else id, token_hex(8)
        problem = name_problem(id)
        if problem is not None:
            raise InvalidInputError(f"the id of a game: {problem}")
        try:
            note = json.dumps(dict(about or {}))
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidInputError(f"about: {error}") from error
        with self._file.transaction(f"{self.path}: the game could not be written") as db:
            if db.execute("SELECT 1 FROM games WHERE id = ?", (id,)).fetchone():
                raise SaveError(f"{self.path} already has a game {id}: resume it, or choose another id")
            db.execute("INSERT INTO games VALUES (?, '', ?, '')", (id, note))
            _write(db, id, stamp, game, 0)
        return Journal(self._file, id, game, _Kept(stamp, len(game.moves), current=True))

    def resume(
        self, id: str, chance: Chance | None = None, rules: Rules | None = None, *, verify: bool = False
    ) -> Journal:
        """Continue a game after its last move. `chance`, `rules` and `verify` are as for `loads`.

        The next change rewrites a game that was in an older format, or that has another chance object.
        """
        stamp, text = self._read_text(id)
        try:
            game = loads(text, chance, rules, verify=verify)
        except SaveError as error:
            raise SaveError(f"{self.path}, game {id}: {error}") from error
        current = text.startswith(f"{written(make_header(game))[:-1]},")
        return Journal(self._file, id, game, _Kept(stamp, len(game.moves), current))

    def read(self, id: str, chance: Chance | None = None, rules: Rules | None = None, *, verify: bool = False) -> Game:
        """Load a game as `loads` does, to look at it."""
        return self.resume(id, chance, rules, verify=verify).game

    def save(self, id: str) -> str:
        """The text of a game, as `dumps` writes it. The plugins of its stack need not be installed."""
        return self._read_text(id)[1]

    def about(self, id: str) -> JsonObject:
        """Get what `begin` was given about a game."""
        with self._file.transaction() as db:
            about = self._row(db, id)[1]
        try:
            return dict(json.loads(about))
        except (ValueError, TypeError, RecursionError):  # which is not quoted: it may be secret
            raise SaveError(f"{self.path}, game {id}: what was kept about it cannot be read") from None

    def remove(self, id: str) -> None:
        """Remove a game and everything about it."""
        with self._file.transaction(f"{self.path}: the game could not be removed") as db:
            self._row(db, id)
            db.execute("DELETE FROM games WHERE id = ?", (id,))

    def __iter__(self) -> Iterator[str]:
        """The ids of all games, in the order in which they were begun."""
        return iter(self._file.column("SELECT id FROM games ORDER BY rowid"))

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and bool(self._file.column("SELECT 1 FROM games WHERE id = ?", id))

    def to_act(self, id: str) -> tuple[str, ...]:
        """The names of the players who may act in a game now: none if it is over or does not exist."""
        return self._file.column("SELECT player FROM turns WHERE game = ? ORDER BY player", id)

    def waiting_for(self, player: str) -> tuple[str, ...]:
        """The ids of the games in which a player, by name, may act now."""
        return self._file.column("SELECT game FROM turns WHERE player = ? ORDER BY game", player)

    def close(self) -> None:
        """Close the file. The games in memory are unchanged."""
        self._file.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return cut(f"<Journals {self.path.name}>")

    __reduce__ = _not_copied

    def _read_text(self, id: str) -> tuple[str, str]:
        """The stamp and the text of a game, both of the same moment."""
        with self._file.transaction() as db:
            header, _, stamp = self._row(db, id)
            _check_size(db, id)
            rows = db.execute("SELECT data FROM moves WHERE game = ? ORDER BY number", (id,))
            return stamp, f'{header[:-1]},"moves":[{",".join(str(data) for (data,) in rows)}]}}'

    def _row(self, db: sqlite3.Connection, id: str) -> tuple[str, str, str]:
        """The header of a game, what is kept about it, and its stamp."""
        row = db.execute("SELECT header, about, stamp FROM games WHERE id = ?", (id,)).fetchone()
        if row is None:
            raise SaveError(f"{self.path} has no game {brief(id)}")
        header, about, stamp = map(str, row)
        return header, about, stamp


class _Kept(NamedTuple):
    """A game in the file: its stamp, the number of its moves, and whether it is written as it would be today."""

    stamp: str
    moves: int
    current: bool


class Journal:
    """A game that is saved as it is played. `Journals.begin` and `Journals.resume` make one.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder, Journals(f"{folder}/games.db") as journals:
    ...     journal = journals.begin(new_game("europe", players=2, seed=1), "evening")
    ...     _ = journal.play(journal.game.legal_actions(0)[0])
    ...     again = journals.resume("evening")
    ...     again.undo().action.seat, again.game.played
    (0, 0)
    """

    def __init__(self, file: File, id: str, game: Game, kept: _Kept) -> None:
        self.id = id
        self._file = file
        self._game = game
        self._last = game.last_move
        self._kept = kept
        self._next = kept  # after the change that is being made
        self._thread = 0  # that is playing; see `Game`

    def __repr__(self) -> str:
        return cut(f"<Journal {self.id}: {self._game!r}>")

    __reduce__ = _not_copied

    @property
    def game(self) -> Game:
        """The game of this journal: read it freely, but play and undo through the journal."""
        return self._game

    def play(self, action: Action, *, expected: int | None = None) -> Sequence[Event]:
        """Play an action, write the move, and return its events. `expected` is as for `Game.play`.

        Raises what `Game.play` raises, and `GameInUseError` while another thread plays. If the move cannot be written,
        would make the game longer than can be read, or another journal has written to the game meanwhile, the move is
        undone and a `SaveError` raised.
        """
        with self._changing():
            events = self._game.play(action, expected=expected)
            self._write(self._game, "the move could not be written")
        return events

    def undo(self) -> Move:
        """Undo the last move, in the game and in the file, and return it. See `Game.undo`.

        Raises `InvalidInputError` if there is only the set-up, and `SaveError` as `play` does.
        """
        with self._changing():
            if self._game.played:
                self._write(self._game.at(self._game.played - 1), "the move could not be undone")
            return self._game.undo()

    @contextmanager
    def _changing(self) -> Generator[None]:
        me = get_ident()
        if self._thread and self._thread != me:
            raise GameInUseError("journal")
        try:
            self._thread = me
            # Each move is an object of its own.
            if self._game.last_move is not self._last or len(self._game.moves) != self._kept.moves:
                raise InvalidInputError(
                    "journal.game differs from the file: it was played or undone directly, or a move was interrupted. Use "
                    "journal.play and journal.undo; Journals.resume continues with what is written"
                )
            try:
                yield
                self._kept, self._last = self._next, self._game.last_move
            except BaseException:
                self._follow()
                raise
        finally:
            self._thread = 0

    def _write(self, game: Game, problem: str) -> None:
        """Write the game, which has one move more or less than the file."""
        kept, self._next = self._kept, _Kept(token_hex(8), len(game.moves), current=True)
        with self._file.transaction(problem) as db:
            if db.execute("SELECT stamp FROM games WHERE id = ?", (self.id,)).fetchone() != (kept.stamp,):
                raise SaveError(f"{problem}: somebody else has written to this game: resume it")
            _write(db, self.id, self._next.stamp, game, min(kept.moves, self._next.moves) if kept.current else 0)

    def _follow(self) -> None:
        """Bring the game to where the file is, after a change that failed or was interrupted."""
        with suppress(SaveError, InvalidInputError):  # a file that cannot be read is taken to be as it was
            if self._file.column("SELECT stamp FROM games WHERE id = ?", self.id) == (self._next.stamp,):
                self._kept = self._next
        if len(self._game.moves) > self._kept.moves:
            self._game.undo()
        self._last = self._game.last_move


def _write(db: sqlite3.Connection, id: str, stamp: str, game: Game, kept: int) -> None:
    """Write a game whose first `kept` moves are already there."""
    moves = [written(move_data(game.rules, move)) for move in game.moves[kept:]]
    db.execute("DELETE FROM moves WHERE game = ? AND number >= ?", (id, kept))
    db.executemany("INSERT INTO moves VALUES (?, ?, ?)", ((id, kept + n, move) for n, move in enumerate(moves)))
    db.execute("DELETE FROM turns WHERE game = ?", (id,))
    db.executemany("INSERT INTO turns VALUES (?, ?)", ((id, game.players[seat]) for seat in game.to_act))
    db.execute("UPDATE games SET stamp = ? WHERE id = ?", (stamp, id))
    if not kept:
        db.execute("UPDATE games SET header = ? WHERE id = ?", (written(make_header(game)), id))
    _check_size(db, id)


def _check_size(db: sqlite3.Connection, id: str) -> None:
    """Raise `OSError` for a game that is too long to be read."""
    ((size,),) = db.execute(SIZE, (id,))
    if size > LONGEST_SAVE:
        raise OSError(f"the game is too long: {size} bytes (limit {LONGEST_SAVE})")
