"""The text of a saved game as plain data: bounded in length and depth, no duplicate keys."""

from __future__ import annotations

import zlib
from typing import Any, cast

from ttr_rules.errors import SaveError
from ttr_rules.reading import LONGEST_SAVE, MOST_SAVED, read_json, too_deep, too_long
from ttr_rules.text import brief


def text_of(save: object) -> str:
    """The text of a result of `dumps` or `pack`. Raises `SaveError`."""
    if isinstance(save, str):
        found = save
    elif isinstance(save, bytes | bytearray):
        found = _unpacked(bytes(save))
    else:
        raise SaveError(f"a saved game is a string, or the bytes from pack, not {brief(save)}")
    problem = too_long(found, LONGEST_SAVE)
    if problem is not None:
        raise SaveError(f"not a saved game: {problem}")
    return found


def _unpacked(data: bytes) -> str:
    try:
        if data.lstrip()[:1] == b"{":
            return data.decode()
        opened = zlib.decompressobj()
        text = opened.decompress(data, LONGEST_SAVE + 1)
        if opened.unconsumed_tail:
            raise SaveError(f"not a saved game: unpacked it has more than {LONGEST_SAVE} bytes")
        if not opened.eof or opened.unused_data:
            raise SaveError("this packed game is cut short, or something follows it")
        return text.decode()
    except zlib.error as error:
        raise SaveError("not a saved game: these bytes are not a packed game, or are damaged") from error
    except UnicodeDecodeError as error:
        raise SaveError(f"not a saved game: not UTF-8 at byte {error.start + 1}") from error


def object_of(text: str) -> dict[str, Any]:
    """The JSON object in the text of a saved game. Raises `SaveError`."""
    try:
        found = read_json(text)
    except ValueError as error:
        raise SaveError(f"not a saved game: {error}") from error
    problem = too_deep(found, MOST_SAVED)
    if problem is not None:
        raise SaveError(f"not a saved game: {problem}")
    if not isinstance(found, dict):
        raise SaveError("not a saved game: expected an object")
    return cast("dict[str, Any]", found)
