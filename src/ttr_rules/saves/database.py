"""The SQLite file of journals: its tables, and transactions that are done as a whole or not at all."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.text import reason_of

T = TypeVar("T")

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
        self._db: sqlite3.Connection | None = None
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        self._there = path.stat()
        if not path.is_file():
            raise OSError("it is no regular file")
        if 0 < self._there.st_size < 512:  # too short for SQLite, which takes it for empty
            raise ValueError("this is not a file of journals")
        db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _prepare(db)
        except BaseException:
            db.close()
            raise
        self._db = db

    def do(self, job: Callable[[sqlite3.Connection], T], problem: str | None = None) -> T:
        """Do a job in one transaction; one that writes has a `problem`, with which its `SaveError` begins."""
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
                    # What is written to a file that was moved or removed would be lost.
                    if not os.path.samestat(self.path.stat(), self._there):
                        raise OSError("another file has taken the place of this one")
                    result = job(db)
                    db.execute("COMMIT")
                finally:
                    db.rollback()
        except (sqlite3.Error, OSError, UnicodeEncodeError) as error:
            raise SaveError(f"{problem or f'{self.path}: cannot be read'}: {reason_of(error)}") from error
        return result

    def column(self, query: str, *values: str) -> tuple[Any, ...]:
        """The first column of the answer to a query."""
        return self.do(lambda db: tuple(value for (value,) in db.execute(query, values)))

    def close(self) -> None:
        """Close it."""
        with self._lock:
            db, self._db = self._db, None
            if db is not None:
                db.close()


def _prepare(db: sqlite3.Connection) -> None:
    """Create the tables in an empty file, and set how it is written. Raises `ValueError` for a file of something else."""
    if _is_empty(db):
        db.execute("BEGIN IMMEDIATE")
        if _is_empty(db):  # nobody was faster
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
    ((tables,),) = db.execute("SELECT count(*) FROM sqlite_master")
    return not tables
