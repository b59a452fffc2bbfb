"""Type guards for plain data from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard


def is_table(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is a table, whatever its content."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value is a list or a tuple, whatever its content."""
    return isinstance(value, list | tuple)
