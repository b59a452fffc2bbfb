"""A file of lines, written line by line: it holds whole lines and no others, on a full disk and after a crash too.

All functions raise `OSError`, or `ValueError` for what can be no path, and the lines are then as they were.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO, cast


class LineFile:
    """Lines on disk: each is there for good when `append` returns. Nobody else may write them meanwhile."""

    def __init__(self, path: Path, lines: Iterable[bytes]) -> None:
        """The file of these lines, each with its end; what follows them, a line that was cut short, is dropped."""
        self._ends = [0, *accumulate(map(len, lines))]
        # Without a buffer: what could not be written must not be written later, when there is room again.
        self._file = cast("BinaryIO", path.open("r+b", buffering=0))
        try:
            self._file.truncate(self._ends[-1])
        except BaseException:
            self._file.close()
            raise
        self._torn = False

    @property
    def closed(self) -> bool:
        """Whether nothing more can be written."""
        return self._file.closed

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self._ends) - 1

    def append(self, line: bytes) -> None:
        """Write a line, which has its end, through to the disk."""
        end = self._checked_end()
        try:
            self._file.seek(end)
            _write_all(self._file, line)
            os.fsync(self._file.fileno())
        except BaseException:
            self._torn = True
            with suppress(OSError):  # then the next line is written over the rest of this one
                self._cut(end)
            raise
        self._ends.append(end + len(line))

    def drop_last(self) -> None:
        """Take the last line away. Where the disk fails after that, `OSError` is raised, and there is one line less."""
        self._checked_end()
        self._file.truncate(self._ends[-2])
        self._ends.pop()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file; it may be closed already."""
        if self._torn and not self._file.closed:
            with suppress(OSError):
                self._cut(self._ends[-1])
        self._file.close()

    def _checked_end(self) -> int:
        """Where the last line ends, which is the end of the file."""
        end = self._ends[-1]
        if self._torn:
            self._cut(end)
        if os.fstat(self._file.fileno()).st_size != end:
            raise OSError("somebody else has written to the file")
        return end

    def _cut(self, end: int) -> None:
        self._file.truncate(end)
        self._torn = False


def put_lines(path: Path, lines: Sequence[bytes], *, instead: bool) -> LineFile:
    """A new file of lines, which is there as a whole or not at all; `instead` of the one that is there, or where none is."""
    new = path.with_name(f".{os.urandom(8).hex()}.new")
    try:
        with new.open("xb", buffering=0) as file:
            _write_all(cast("BinaryIO", file), b"".join(lines))
            os.fsync(file.fileno())
        if instead:
            new.chmod(path.stat().st_mode & 0o7777)
            new.replace(path)
        else:
            _rename(new, path)
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)
    _sync_folder(path.parent)
    return LineFile(path, lines)


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
