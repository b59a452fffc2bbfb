"""Texts of a saved game are no names of files: whoever sends one must not choose what a server opens."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

_texts: ContextVar[frozenset[str]] = ContextVar("texts of a saved game", default=frozenset())


@contextmanager
def foreign_texts(data: object) -> Generator[None]:
    """In this block no map and no tickets are read from a file that a text in `data` names."""
    token = _texts.set(frozenset(_texts_in(data)))
    try:
        yield
    finally:
        _texts.reset(token)


def is_foreign(path: str | os.PathLike[Any]) -> bool:
    """Whether a path is one that a saved game names.

    >>> with foreign_texts({"tickets": "mine.toml"}):
    ...     is_foreign("mine.toml"), is_foreign(Path("./mine.toml")), is_foreign("other.toml")
    (True, True, False)
    >>> is_foreign("mine.toml")
    False
    """
    texts = _texts.get()
    return bool(texts) and Path(path) in map(Path, texts)


def _texts_in(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for each in cast("Mapping[object, object]", data).values():
            yield from _texts_in(each)
    elif isinstance(data, list | tuple):
        for each in cast("list[object]", data):
            yield from _texts_in(each)
