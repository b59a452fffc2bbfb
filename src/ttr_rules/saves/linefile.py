"""A file of lines, written line by line: it holds whole lines and no others, on a full disk and after a crash too.

All functions raise `OSError`, or `ValueError` for what can be no path; but for `drop_last` the lines are then as they were.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO, cast

_WRITTEN = "somebody else has written to the file"


class LineFile:
    """Lines on disk: each is there for good when `append` returns. Nobody else may write them meanwhile.

    Where something breaks off in the middle of `append` or `drop_last`, `len` tells whether the line is there.
    """

    def __init__(self, path: Path, lines: Sequence[bytes]) -> None:
        """The file of these lines, each with its end; what follows them, a line that was cut short, is dropped."""
        self.path = path.absolute()
        self._ends = [0, *accumulate(map(len, lines))]
        self._torn = False  # whether the file may have other bytes than those of the lines
        # Without a buffer: what could not be written must not be written later, when there is room again.
        self._file = cast("BinaryIO", path.open("r+b", buffering=0))
        try:
            _lock(self._file)
            _compare(self._file.read(), b"".join(lines))
            self._cut()
        except BaseException:
            self._file.close()
            raise

    @property
    def size(self) -> int:
        """How many bytes the lines have."""
        return self._ends[-1]

    @property
    def closed(self) -> bool:
        """Whether nothing more can be written."""
        return self._file.closed

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self._ends) - 1

    def append(self, line: bytes) -> None:
        """Write a line, which has its end, through to the disk."""
        self.prepare()
        self._torn = True
        try:
            _write_all(self._file, line)
            os.fsync(self._file.fileno())
            self._ends.append(self.size + len(line))
            self._torn = False
        except BaseException:
            with suppress(OSError):  # else it is cut before the next line is written
                self._cut()
            raise

    def drop_last(self) -> None:
        """Take the last line away. Where the disk fails in that, `OSError` is raised, and there is one line less."""
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
        """Close the file; it may be closed already."""
        if self._file.closed:
            return
        if self._torn:
            with suppress(OSError):
                self._cut()
        _unlock(self._file)
        self._file.close()

    def prepare(self) -> None:
        """Go to the end of the file, for the next change. Raises `OSError` if it is elsewhere, or others have written to it."""
        try:
            there = os.path.samestat(self.path.stat(), os.fstat(self._file.fileno()))
        except (FileNotFoundError, NotADirectoryError):
            there = False
        if not there:
            raise OSError("the file was moved or removed, or another one has taken its place")
        if self._torn:
            self._cut()
        if self._file.seek(0, os.SEEK_END) != self.size:
            raise OSError(_WRITTEN)

    def _cut(self) -> None:
        """Let the file end where the last line ends."""
        self._file.truncate(self.size)
        self._torn = False


def put_lines(path: Path, lines: Sequence[bytes], instead: LineFile | None = None) -> LineFile:
    """A new file of lines, which is there as a whole or not at all; `instead` of one, which is closed, or where none is.

    Only its owner may read it; one that is put instead of another has the mode of that.
    """
    if instead is not None:
        instead.prepare()
    # The name tells whose it is if a crash leaves it behind; that of the journal may be as long as a name can be.
    new = path.with_name(f".{path.name[:50]}.{os.urandom(8).hex()}.new")
    try:
        with open(new, "xb", buffering=0, opener=_for_the_owner) as file:
            _write_all(cast("BinaryIO", file), b"".join(lines))
            os.fsync(file.fileno())
        if instead is None:
            _rename(new, path)
        else:
            new.chmod(path.stat().st_mode & 0o7777)
            if os.name == "nt":  # which replaces no file that is open
                instead.close()
            new.replace(path)
            instead.close()
    finally:
        with suppress(OSError):
            new.unlink()
    _sync_folder(path.parent)
    return LineFile(path, lines)


def _compare(data: bytes, lines: bytes) -> None:
    """Raise `OSError` for the data of a file with other lines, written after they were read."""
    if not data.startswith(lines) or b"\n" in data[len(lines) :]:
        raise OSError(_WRITTEN)


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _lock(file: BinaryIO) -> None:
    """Keep other journals away from a file until it is closed, where the system and its disk can do that."""
    if sys.platform != "win32":
        from fcntl import LOCK_EX, LOCK_NB, flock

        try:
            flock(file.fileno(), LOCK_EX | LOCK_NB)
        except BlockingIOError:
            raise OSError("another journal has the file open") from None
        except OSError:
            pass  # a file system without locks


def _unlock(file: BinaryIO) -> None:
    """Let others have a file, though a child that was forked meanwhile may have it open still."""
    if sys.platform != "win32":
        from fcntl import LOCK_UN, flock

        with suppress(OSError):
            flock(file.fileno(), LOCK_UN)


def _write_all(file: BinaryIO, data: bytes) -> None:
    """Write all of it: a disk that is almost full takes a part, and refuses the next one."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _rename(new: Path, path: Path) -> None:
    """Give a file its name unless there is one of that name."""
    try:
        path.hardlink_to(new)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(f"{path} is there already") from None
        new.rename(path)


def _sync_folder(folder: Path) -> None:
    """Write the names in a folder through to the disk, where a system can do that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
