"""The text of a saved game or a line of a journal, as plain data: bounded in length and depth, no duplicate keys."""

from __future__ import annotations

import json
import zlib
from typing import Any, cast

from ttr_rules._internal.limits import LONGEST_SAVE, MOST_SAVED, too_deep, too_long, without_doubles
from ttr_rules._internal.messages import brief
from ttr_rules.errors import SaveError


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
        # survives 2: what is slightly longer is refused after unpacking
        text = opened.decompress(data, LONGEST_SAVE + 1)
        if opened.unconsumed_tail:
            raise SaveError(f"not a saved game: unpacked it has more than {LONGEST_SAVE} bytes")
        if not opened.eof or opened.unused_data:
            raise SaveError("this packed game is cut short, or something follows it")
        return text.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise SaveError(f"not a saved game: {error}") from error


def object_of(text: str | bytes, what: str) -> dict[str, Any]:
    """The JSON object in a text. Raises `SaveError` that begins with `what`."""
    try:
        found = json.loads(text if isinstance(text, str) else text.decode(), object_pairs_hook=without_doubles)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{what}: {error}") from error
    problem = too_deep(found, MOST_SAVED)
    if problem is not None:
        raise SaveError(f"{what}: {problem}")
    if not isinstance(found, dict):
        raise SaveError(f"{what}: expected an object")
    return cast("dict[str, Any]", found)
