"""Copies that follow from the types of fields: what can change is copied, at any depth; values that cannot are shared."""

from __future__ import annotations

import inspect
from collections import abc, deque
from collections.abc import Callable, Collection, Iterator
from copy import copy
from types import UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import attrs

from ttr_rules.text import brief

_COPIED = (list, dict, set, deque)
_CHANGING = (abc.MutableSequence, abc.MutableMapping, abc.MutableSet, bytearray)
_UNIONS: tuple[Any, ...] = (Union, UnionType)
_CALLABLE: Any = abc.Callable


def copier(
    kind: Any, hidden: Collection[str] = (), split: Collection[str] = (), **special: str
) -> Callable[[Any], Any]:
    """A function that copies instances of an attrs class: what can change in its fields is copied, values are shared.

    It is written out field by field, as `attrs` writes its methods: a search copies states all the time. `special` gives
    the expression for a field that is copied in its own way. In place of the fields `hidden`, and of what is in those `split`,
    `Unknown` may stand.
    Raises `TypeError` for a field of which nobody knows how to copy it.
    """
    hints = get_type_hints(kind, include_extras=True)
    lines = ["def copied(self):", "    new = make(kind)"]
    for each in attrs.fields(kind):
        try:
            expression = special.get(each.name) or _expression(
                f"self.{each.name}", hints[each.name], each.name in hidden, each.name in split
            )
        except TypeError as error:
            raise TypeError(f"its field {each.name!r} cannot be copied: {error}") from error
        lines.append(f"    new.{each.name} = {expression}")
    lines.append("    return new")
    names: dict[str, Any] = {"kind": kind, "make": kind.__new__, "deep": deep_copied}
    exec("\n".join(lines), names)  # noqa: S102 (made of the names of fields alone)
    return cast("Callable[[Any], Any]", names["copied"])


def _expression(value: str, hint: Any, hidden: bool, split: bool) -> str:
    """How to copy a value of a type. Most are lists and dicts, of at most one more level: those need not be searched."""
    if not can_change(hint):
        return value
    origin, inside = get_origin(hint) or hint, get_args(hint)
    content = inside[-1] if inside and origin in (list, dict) else None
    if hidden or origin not in (list, dict, set):
        return f"deep({value})"
    if not inside or not can_change(content):
        return f"{value}.copy()"
    flat = (get_origin(content) or content) in (list, dict, set) and not any(map(can_change, get_args(content)))
    if split or not flat:
        return f"deep({value})"
    if origin is list:
        return f"[each.copy() for each in {value}]"
    return f"{{key: each.copy() for key, each in {value}.items()}}"


def deep_copied(value: Any) -> Any:
    """A copy of lists, dicts, sets and deques, those in tuples too; everything else is shared.

    >>> old = {"a": ([1], None)}
    >>> new = deep_copied(old)
    >>> new["a"][0].append(2)
    >>> old, new
    ({'a': ([1], None)}, {'a': ([1, 2], None)})
    """
    if issubclass(type(value), tuple):
        given: Any = value
        inside = [deep_copied(each) for each in given]
        if all(new is old for new, old in zip(inside, given, strict=True)):
            return given
        return given._make(inside) if hasattr(given, "_make") else tuple(inside)
    if not issubclass(type(value), _COPIED):
        return value
    new: Any = copy(value)  # of its own class, and with what else that keeps
    for key, each in _entries(value):
        new[key] = deep_copied(each)
    return new


def _entries(value: Any) -> Iterator[tuple[Any, Any]]:
    """The items of a container, by key or index; what is in a set never changes."""
    if issubclass(type(value), dict):
        table: Any = value
        yield from table.items()
    elif not issubclass(type(value), set):
        yield from enumerate(value)


def can_change(hint: Any) -> bool:
    """True if something in a value of this type may change, so that it must be copied.

    Raises `TypeError` if it may and nobody knows how to copy it.

    >>> can_change(tuple[str, ...]), can_change(list[int] | None), can_change(tuple[dict[str, int], int])
    (False, True, True)
    """
    hint = getattr(hint, "__supertype__", hint)  # a NewType
    hint = getattr(hint, "__value__", hint)  # a type alias
    origin: Any = get_origin(hint) or hint
    inside = get_args(hint)
    if hint is Any:
        return True
    if origin is Annotated:
        return can_change(inside[0])
    if origin in (Literal, type, _CALLABLE):
        return False
    found = [can_change(each) for each in inside if each is not Ellipsis and each != ()]
    if origin in _UNIONS:
        return any(found)
    if _is(origin, tuple):
        named = get_type_hints(origin) if hasattr(origin, "_fields") else {}
        return any([*found, *map(can_change, named.values())])
    if _is(origin, _COPIED):
        return True
    if any(found) or _is_mutable(origin):
        raise TypeError(
            f"{brief(hint)} can change, and only lists, dicts, sets and deques are copied; use one of them, or a frozen class"
        )
    return False


def _is(kind: Any, base: Any) -> bool:
    """True if this is a class, and one of these."""
    return inspect.isclass(kind) and issubclass(kind, base)


def _is_mutable(kind: Any) -> bool:
    """True if objects of a class can change, as far as its definition tells."""
    if _is(kind, _CHANGING):
        return True
    if inspect.isclass(kind) and attrs.has(kind):
        return not bool(attrs.inspect(kind).is_frozen)
    parameters: Any = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and not parameters.frozen
