"""Action fields with a value of the wrong type: a common mistake, reported in words instead of a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import attrs

from ttr_rules._internal.messages import brief
from ttr_rules.model.actions import Action

_WORDS: dict[Any, str] = {str: "a string", int: "an integer", bool: "true or false"}


def wrong_field(action: Action) -> str | None:
    """The field of an action whose value does not match its annotation, in words; None if all do.

    >>> from ttr_rules import ClaimRoute
    >>> wrong_field(ClaimRoute(0, None, {"red": 1}))
    'route of ClaimRoute: expected a string, got None'
    """
    kind = type(action)
    try:
        hints = get_type_hints(kind)
    except NameError:  # an annotation that cannot be resolved says nothing
        return None
    for field in attrs.fields(kind):
        value: object = getattr(action, field.name, None)
        expected = _expected(value, hints[field.name])
        if expected is not None:
            return f"{field.name} of {kind.__name__}: expected {expected}, got {brief(value)}"
    return None


def _expected(value: object, hint: Any) -> str | None:
    """The expected type in words, if a value does not fit it; None if it fits, or if that cannot be checked."""
    if hint in _WORDS:
        return None if isinstance(value, hint) and (hint is bool) == isinstance(value, bool) else _WORDS[hint]
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        options = [_expected(value, each) for each in inside if each is not type(None)]
        return None if value is None or None in options else options[0]
    if origin is tuple:
        return _expected_tuple(value, inside)
    kind = origin or hint
    try:
        if not isinstance(kind, type) or isinstance(value, kind):
            return None
    except TypeError:  # Any, or a protocol: these cannot be checked
        return None
    return "a mapping" if issubclass(kind, Mapping) else f"a {kind.__name__}"


def _expected_tuple(value: object, inside: tuple[Any, ...]) -> str | None:
    if not isinstance(value, tuple):
        return "a tuple"
    values = cast("tuple[object, ...]", value)
    hints = inside[:1] * len(values) if inside[1:] == (Ellipsis,) else inside
    if len(hints) != len(values):
        return f"a tuple of {len(hints)}"
    wrong = [each for each in map(_expected, values, hints) if each is not None]
    return f"a tuple with {wrong[0]} in each place" if wrong else None
