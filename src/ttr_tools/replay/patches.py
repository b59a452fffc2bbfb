"""Differences of plain data as JSON merge patches (RFC 7386): a page has one snapshot, then a small patch for each move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

#: Objects of strings, numbers, lists and objects. None stands for nothing that is there.
Snapshot = Mapping[str, Any]


def patch_of(before: Snapshot, after: Snapshot) -> dict[str, Any]:
    """What to merge into `before` to get `after`; lists are replaced whole.

    >>> patch_of({"a": {"x": 1, "y": 2}, "b": [1]}, {"a": {"x": 1, "z": 3}, "b": [1, 2]})
    {'a': {'z': 3, 'y': None}, 'b': [1, 2]}
    """
    patch: dict[str, Any] = {}
    for key, value in after.items():
        old = before.get(key)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            inner = patch_of(cast(Snapshot, old), cast(Snapshot, value))
            if inner:
                patch[key] = inner
        elif key not in before or old != value:
            patch[key] = value
    return patch | {key: None for key in before if key not in after}


def merged(before: Snapshot, patch: Snapshot) -> dict[str, Any]:
    """A snapshot with a patch applied; neither is changed.

    >>> merged({"a": {"x": 1, "y": 2}}, {"a": {"y": None, "z": 3}})
    {'a': {'x': 1, 'z': 3}}
    """
    result = dict(before)
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, Mapping):
            old = result.get(key)
            start = cast(Snapshot, old) if isinstance(old, Mapping) else cast(Snapshot, {})
            result[key] = merged(start, cast(Snapshot, value))
        else:
            result[key] = value
    return result
