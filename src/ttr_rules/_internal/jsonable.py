"""Plain data: values of rules and options, for saved games and for comparing rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, cast

import attrs


def to_jsonable(value: object) -> Any:
    """A value as JSON can represent it: attrs instances by their fields, sets sorted; anything else by its type's name.

    >>> to_jsonable({"logos": frozenset({"b", "a"}), "count": 2})
    {'logos': ['a', 'b'], 'count': 2}
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_jsonable(each) for key, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [to_jsonable(each) for each in cast("list[object]", value)]
    if isinstance(value, set | frozenset):
        return sorted((to_jsonable(each) for each in cast("set[object]", value)), key=repr)
    kind: type[Any] = type(value)
    if attrs.has(kind):
        return {field.name: to_jsonable(getattr(value, field.name)) for field in attrs.fields(kind)}
    if callable(value):
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    return f"{kind.__module__}.{kind.__qualname__}"
