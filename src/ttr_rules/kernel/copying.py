"""Copies of parts, by the types of their fields: mutable values are copied at any depth, others are shared."""

from __future__ import annotations

from collections import abc, deque
from collections.abc import Callable, Sequence
from copy import copy
from operator import methodcaller
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import attrs

from ttr_rules.kernel.fields import EVERYBODY, PartField, hints_of, part_fields
from ttr_rules.reading import is_class
from ttr_rules.sequences import once
from ttr_rules.text import brief

_COPIED = (list, dict, set, deque)
_CHANGING = (abc.MutableSequence, abc.MutableMapping, abc.MutableSet, bytearray)
_CALLABLE: object = abc.Callable
_UNIONS: tuple[object, ...] = (Union, UnionType)
T = TypeVar("T")
_shallow = methodcaller("copy")

#: A function that copies the value of a field; the fields of a part, each with such a function or None if it can be shared.
Copier = Callable[[Any], Any]
Copies = Sequence[tuple[str, Copier | None]]


@once
def copies_of(kind: type[object]) -> Copies:
    """The fields of a part, each with the function that copies its value, or None for a value that can be shared.

    Raises `TypeError` for a field whose type cannot be copied.
    """
    hints, copiers = hints_of(kind), list[tuple[str, Copier | None]]()
    for name, field in part_fields(kind).items():
        try:
            copiers.append((name, _choose_copier(hints[name], field) if can_change(hints[name]) else None))
        except TypeError as error:
            raise TypeError(f"its field {name!r} cannot be copied: {error}") from error
    return copiers


def _choose_copier(hint: object, declared: PartField) -> Copier:
    """The function that copies a field: a shallow copy will do for a container of plain values that is never `Unknown`."""
    inside = get_args(hint)
    whole = declared.by_seat or declared.visible == EVERYBODY
    flat = whole and get_origin(hint) in (list, dict, set) and not can_change(inside[-1])
    return _shallow if flat else copy_deeply


def copy_deeply(value: T) -> T:
    """Copy lists, dicts, sets and deques, also inside tuples. Everything else is shared.

    >>> old = {"a": ([1], None)}
    >>> new = copy_deeply(old)
    >>> new["a"][0].append(2)
    >>> old, new
    ({'a': ([1], None)}, {'a': ([1, 2], None)})
    """
    whole: Any = value
    if issubclass(type(value), tuple):
        inside = [copy_deeply(item) for item in whole]
        if all(new is old for new, old in zip(inside, whole, strict=True)):
            return value
        make: Any = whole._make if hasattr(whole, "_make") else tuple
        new: T = make(inside)
        return new
    if not issubclass(type(value), _COPIED):
        return value
    whole = copy(value)  # keeps the class and its other attributes
    if not isinstance(value, set):  # the items of a set are immutable
        for key in list(whole) if isinstance(value, dict) else range(len(whole)):
            whole[key] = copy_deeply(whole[key])
    copied: T = whole
    return copied


def can_change(hint: object) -> bool:
    """True if a value of this type is mutable at any depth, so that it must be copied.

    Raises `TypeError` for a mutable type that cannot be copied.

    >>> can_change(tuple[str, ...]), can_change(list[int] | None), can_change(tuple[dict[str, int], int])
    (False, True, True)
    """
    hint = getattr(hint, "__supertype__", hint)  # a NewType
    hint = getattr(hint, "__value__", hint)  # a type alias
    origin: object = get_origin(hint) or hint
    inside = get_args(hint)
    if hint is Any:
        return True
    if origin is Annotated:
        return can_change(inside[0])
    if origin in (Literal, type, _CALLABLE):
        return False
    changing = [can_change(argument) for argument in inside if argument is not Ellipsis and argument != ()]
    if origin in _UNIONS:
        return any(changing)
    if is_class(origin, tuple):
        named = get_type_hints(origin) if hasattr(origin, "_fields") else {}
        return any([*changing, *map(can_change, named.values())])
    if is_class(origin, _COPIED):
        return True
    if any(changing) or _is_mutable(origin):
        raise TypeError(
            f"{brief(hint)} can change, and only lists, dicts, sets and deques are copied; use one of them, or a frozen class"
        )
    return False


def _is_mutable(kind: object) -> bool:
    """True if objects of a class can change, as far as its definition tells."""
    if is_class(kind, _CHANGING):
        return True
    if isinstance(kind, type) and attrs.has(kind):
        return not bool(attrs.inspect(kind).is_frozen)
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and not bool(parameters.frozen)
