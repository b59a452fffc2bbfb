"""Keeps only the most recently used files open, so that a process needs few descriptors however many it writes."""

from __future__ import annotations

import errno
from collections.abc import Callable
from itertools import count
from threading import RLock
from typing import Protocol, TypeVar
from weakref import WeakSet

#: How many files stay open while idle.
MOST_OPEN = 16

T = TypeVar("T")


class Resting(Protocol):
    """A file that can be closed while it is idle, and opened again when it is needed."""

    #: Held while the file is used; reentrant, in case an interrupt kept a thread from releasing it.
    busy: RLock
    #: When it was last used, by `OpenFiles.now`.
    used: int

    @property
    def is_open(self) -> bool:
        """Whether it has a descriptor."""
        ...

    def rest(self) -> None:
        """Close it until it is needed again. Raises `OSError` if that must wait."""
        ...

    def __hash__(self) -> int: ...


class OpenFiles:
    """The files of a process, of all its threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._files: WeakSet[Resting] = WeakSet()
        self._lock = RLock()
        self._clock = count()

    def now(self) -> int:
        """A number larger than the previous one."""
        return next(self._clock)

    def add(self, file: Resting) -> None:
        """Add a file."""
        with self._lock:
            self._files.add(file)

    def all(self) -> list[Resting]:
        """The files that are still in use, open or not."""
        with self._lock:
            return list(self._files)

    def make_room(self, keep: Resting | None, most: int | None = None) -> None:
        """Close idle files, those used least recently first, until no more than `most` are open; but not the one to `keep`."""
        there = sorted((file for file in self.all() if file.is_open), key=lambda file: file.used)
        too_many = max(0, len(there) - (self.most if most is None else most))
        for file in [file for file in there if file is not keep][:too_many]:
            if file.busy.acquire(blocking=False):
                try:
                    if file.is_open:
                        file.rest()
                except OSError:
                    continue  # it stays open
                finally:
                    file.busy.release()

    def open(self, call: Callable[[], T], keep: Resting | None = None) -> T:
        """Call a function that opens a file; if no descriptor is left, close all idle files but one and retry."""
        try:
            return call()
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            self.make_room(keep, 0)
            return call()


#: The instance for all journals of the process.
FILES = OpenFiles(MOST_OPEN)
