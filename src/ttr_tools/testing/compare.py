"""Where two states or views differ, described for whoever has to fix it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs

from ttr_rules import State, View
from ttr_rules.fields import COMPARED, exposed_fields
from ttr_rules.plugins import Part
from ttr_rules.text import brief
from ttr_tools.testing.names import class_name


def text_of(value: object) -> str:
    """The full text of a value, even if its repr is short; later changes of the value do not affect it.

    >>> from ttr_rules import Counts
    >>> text_of({"hand": Counts(red=2)})
    "{'hand': {'red': 2}}"
    """
    return repr(_in_full(value))


_PLAIN = frozenset({int, str, bool, float, type(None)})


def _in_full(value: object) -> object:
    kind: type[Any] = type(value)
    if kind in _PLAIN:
        return value
    if kind is list or kind is tuple:  # most are long ones of plain values
        found = [each if type(each) in _PLAIN else _in_full(each) for each in cast("list[object]", value)]
        return found if kind is list else tuple(found)
    if isinstance(value, Mapping):
        return {key: _in_full(each) for key, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return _in_full([*cast("list[object]", value)])
    if attrs.has(kind):
        return (kind.__qualname__, {each.name: _in_full(getattr(value, each.name)) for each in attrs.fields(kind)})
    return value


def texts_of(state: State) -> dict[str, str]:
    """Everything about a state by name, as texts that later changes of the state do not affect."""
    found = {f"state.{name}": text_of(getattr(state, name)) for name in COMPARED}
    for kind, part in state.parts.items():
        found[class_name(kind)] = text_of(part.value())
        found.update({f"{class_name(kind)}.{name}": text for name, text in _attributes(part).items()})
    return found


def _attributes(part: Part) -> dict[str, str]:
    names: dict[str, None] = dict.fromkeys(getattr(part, "__dict__", ()))
    for kind in type(part).__mro__:
        slots: Any = vars(kind).get("__slots__", ())
        names.update(dict.fromkeys([slots] if isinstance(slots, str) else slots))
    return {name: text_of(getattr(part, name)) for name in names if hasattr(part, name) and name != "__weakref__"}


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The differences between two results of `texts_of`, the most specific name first."""
    names = _different(before, after)
    return "; ".join(f"{name} was {_cut(before[name])} and is {_cut(after.get(name, '-'))}" for name in names)


def differing(state: State, other: State, first: str, second: str) -> str:
    """Where two states differ: `Album.left is [1] in the game, [2] in the copy`."""
    here, there = texts_of(state), texts_of(other)
    names = _different(here, there)
    found = [f"{name} is {_cut(here[name])} {first}, {_cut(there.get(name, '-'))} {second}" for name in names]
    return "; ".join(found) or "a part's value() differs, though all of its attributes read the same"


def _different(here: Mapping[str, str], there: Mapping[str, str]) -> list[str]:
    """The first names with different texts; a name is left out where a more specific one says it."""
    names = [name for name in here if here[name] != there.get(name)]
    return [name for name in names if not any(each.startswith(f"{name}.") for each in names)][:3]


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:40]}…{text[-35:]}"


def view_differences(view: View, other: View) -> Iterator[str]:
    """The fields of two views that differ, with the values; for parts, the key that differs."""
    for field in attrs.fields(View):
        mine, theirs = getattr(view, field.name), getattr(other, field.name)
        if field.name == "parts":
            yield from _part_differences(mine, theirs)
        elif mine != theirs or text_of(mine) != text_of(theirs):
            yield f"view.{field.name} ({brief(mine)} or {brief(theirs)})"


def _part_differences(mine: Mapping[str, object], theirs: Mapping[str, object]) -> Iterator[str]:
    for name in mine:
        shown, shown_there = exposed_fields(mine[name]), exposed_fields(theirs.get(name))
        for key in dict.fromkeys([*shown, *shown_there]):
            first, second = shown.get(key), shown_there.get(key)
            if first != second or text_of(first) != text_of(second):
                yield f"{key!r} of {name}.seen_by ({brief(first)} or {brief(second)})"
