"""A file written line by line: it holds only complete lines, even on a full disk or after a crash.

Of many such files only the most recently used are open. One that is closed meanwhile has no lock; when reopened it must
the same file with the same content, so that writes by others are noticed.

All functions raise `OSError`, or `ValueError` for an invalid path; except after `drop_last` the lines are then
unchanged.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from threading import RLock
from typing import BinaryIO, NoReturn, cast

from ttr_rules.saves.open_files import FILES

_WRITTEN = "somebody else has written to the file"
_ELSEWHERE = "the file was moved or removed, or another one has taken its place"
_TAKEN = "another journal has the file open"


class LineFile:
    """Lines on disk: each is on disk when `append` returns. Nobody else may write to the file meanwhile.

    If `append` or `drop_last` is interrupted, `len` says whether the line is there.
    """

    def __init__(self, path: Path, lines: Sequence[bytes]) -> None:
        """Take the file with these lines, including their line ends; an incomplete line after them is dropped."""
        self.path = path.absolute()
        self.busy = RLock()
        self.used = FILES.now()
        # survives 1, -1: a journal keeps its first line
        self._ends = [0, *accumulate(map(len, lines))]
        # survives True: the file is cut to its lines a moment later
        self._torn = False  # whether the file may have bytes besides those of the lines
        self._closed = False
        self._content = b""  # a hash of the file's content when it was left idle
        self._file = _open(path)
        try:
            self._there = os.fstat(self._file.fileno())
            if any(isinstance(other, LineFile) and other.rests_in(self._there) for other in FILES.all()):
                _refuse(_TAKEN)
            _lock(self._file)
            _compare(self._file.read(), b"".join(lines))
            self._cut()
        except BaseException:
            self._file.close()
            raise
        FILES.add(self)
        FILES.make_room(self)

    @property
    def size(self) -> int:
        """The size of the lines in bytes."""
        return self._ends[-1]

    @property
    def closed(self) -> bool:
        """Whether the file is closed for good."""
        return self._closed

    @property
    def is_open(self) -> bool:
        """Whether there is an open descriptor: an idle file may have none."""
        return not self._file.closed

    def __len__(self) -> int:
        """The number of lines."""
        return len(self._ends) - 1

    def append(self, line: bytes) -> None:
        """Write a line, including its line end, through to the disk."""
        with self.busy:
            self.prepare()
            self._torn = True
            try:
                _write_all(self._file, line)
                os.fsync(self._file.fileno())
                self._ends.append(self.size + len(line))
                self._torn = False
            except BaseException:
                with suppress(OSError):  # otherwise it is cut before the next line is written
                    self._cut()
                raise

    def drop_last(self) -> None:
        """Remove the last line. If the disk fails, `OSError` is raised, and there is still one line fewer."""
        with self.busy:
            self.prepare()
            self._torn = True
            try:
                self._ends.pop()
                self._cut()
                os.fsync(self._file.fileno())
            except BaseException:
                with suppress(OSError):
                    self._cut()
                raise

    def close(self) -> None:
        """Close the file; it may already be closed."""
        with self.busy:
            self.end()

    def end(self) -> None:
        """Close the file for good; the caller holds `busy`."""
        self._closed = True
        if self.is_open:
            if self._torn:
                with suppress(OSError):
                    self._cut()
            _unlock(self._file)
            self._file.close()

    def rest(self) -> None:
        """Close the file until the next change; the caller holds `busy`. Raises `OSError` if it cannot be repaired."""
        if self._torn:
            self._cut()
        self._file.seek(0)
        self._content = _hash(self._file.read())
        _unlock(self._file)
        self._file.close()

    def rests_in(self, there: os.stat_result) -> bool:
        """Whether this is an idle file without a descriptor, and the one described by `there`."""
        return not self._closed and not self.is_open and os.path.samestat(there, self._there) and self._is_there()

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(self.path.stat(), self._there)
        except (FileNotFoundError, NotADirectoryError):
            return False

    def prepare(self) -> None:
        """Seek to the end for the next change; the caller holds `busy`. Raises `OSError` if it was moved or changed."""
        if not self._is_there():
            raise OSError(_ELSEWHERE)
        self.used = FILES.now()
        if not self.is_open:
            self._wake()
        if self._torn:
            self._cut()
        if self._file.seek(0, os.SEEK_END) != self.size:
            raise OSError(_WRITTEN)

    def _wake(self) -> None:
        """Open the file again after idling."""
        file = _open(self.path)
        try:
            if not os.path.samestat(os.fstat(file.fileno()), self._there):
                _refuse(_ELSEWHERE)
            _lock(file)
            if _hash(file.read()) != self._content:
                _refuse(_WRITTEN)
            self._file = file
        except BaseException:
            file.close()
            raise
        FILES.make_room(self)

    def _cut(self) -> None:
        """Truncate the file to the end of the last line."""
        self._file.truncate(self.size)
        self._torn = False


def put_lines(path: Path, lines: Sequence[bytes], instead: LineFile | None = None) -> LineFile:
    """Create a file of lines atomically; `instead` of an existing one, which is closed, or where there is none.

    Only its owner may read it; one that replaces another takes over its mode.
    """
    with instead.busy if instead is not None else nullcontext():
        return _put(path, lines, instead)


def _put(path: Path, lines: Sequence[bytes], instead: LineFile | None) -> LineFile:
    if instead is not None:
        instead.prepare()
    # The name shows whose it is if a crash leaves it behind; the journal's own name may already be of maximum length.
    new = path.with_name(f".{path.name[:50]}.{os.urandom(8).hex()}.new")
    try:
        with FILES.open(lambda: open(new, "xb", buffering=0, opener=_for_the_owner), instead) as file:
            _write_all(cast("BinaryIO", file), b"".join(lines))
            os.fsync(file.fileno())
        if instead is None:
            _rename(new, path)
        else:
            new.chmod(path.stat().st_mode & 0o7777)
            # survives !=, <, <=, >, >=, not: elsewhere it is the same whether the old file is closed a moment before or after
            if os.name == "nt":  # which cannot replace an open file
                instead.end()
            new.replace(path)
            instead.end()
    finally:
        with suppress(OSError):
            new.unlink()
    _sync_folder(path.parent)
    return LineFile(path, lines)


def _refuse(reason: str) -> NoReturn:
    raise OSError(reason)


def _open(path: Path) -> BinaryIO:
    # Unbuffered: what could not be written must not be written later, when there is space again.
    return cast("BinaryIO", FILES.open(lambda: path.open("r+b", buffering=0)))


def _hash(data: bytes) -> bytes:
    return sha256(data, usedforsecurity=False).digest()


def _compare(data: bytes, lines: bytes) -> None:
    """Raise `OSError` if a file's content has changed since its lines were read."""
    if not data.startswith(lines) or b"\n" in data[len(lines) :]:
        raise OSError(_WRITTEN)


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _lock(file: BinaryIO) -> None:
    """Lock a file against other journals until it is closed, if the system and the file system can."""
    # survives <, <=: it tells Windows from the others, and the tests run on the others
    if sys.platform != "win32":
        from fcntl import LOCK_EX, LOCK_NB, flock

        try:
            # survives +, ^: the two bits are different ones
            flock(file.fileno(), LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise OSError(_TAKEN) from None
        except OSError:
            pass  # a file system without locks


def _unlock(file: BinaryIO) -> None:
    """Unlock a file, even though a forked child may still have it open."""
    # survives <, <=: it tells Windows from the others, and the tests run on the others
    if sys.platform != "win32":
        from fcntl import LOCK_UN, flock

        with suppress(OSError):
            flock(file.fileno(), LOCK_UN)


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write all of it: a nearly full disk may take only part of a write before it refuses the rest."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _rename(new: Path, path: Path) -> None:
    """Rename a file unless the name is taken."""
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(f"{path} already exists") from None
        new.rename(path)


def _sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, if the system can do that."""
    with suppress(OSError):
        number = FILES.open(lambda: os.open(folder, os.O_RDONLY))
        try:
            os.fsync(number)
        finally:
            os.close(number)
