"""Short, stable names for the elements of a game: actions, events, plugins and their classes."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Mapping
from enum import Enum
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import attrs

from ttr_rules import Rules
from ttr_rules.model import Counts
from ttr_rules.plugins.discovery import as_plugin, info_of

#: A list longer than this is shown by its length and a hash of its content.
LONGEST_LIST = 12


def short(value: object, *, without: tuple[str, ...] = ()) -> str:
    """A value in a few words, stable between runs; fields named in `without` are left out.

    >>> from ttr_rules import ClaimRoute
    >>> short(ClaimRoute(0, "paris-wien-red", {"red": 2, "locomotive": 1}), without=("seat",))
    'ClaimRoute(paris-wien-red, 2 red + 1 locomotive)'
    >>> short(["red"] * 110)
    '[110 × #fc8e8b]'
    """
    if isinstance(value, Counts):
        return " + ".join(f"{count} {name}" for name, count in value.items()) or "nothing"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return value or "''"
    if attrs.has(type(value)):
        fields = attrs.fields(cast("Any", type(value)))
        parts = [short(getattr(value, field.name)) for field in fields if field.name not in without]
        name = type(value).__name__
        return f"{name}({', '.join(parts)})" if parts else name
    if isinstance(value, Mapping):
        pairs = [f"{short(key)}={short(each)}" for key, each in cast("Mapping[object, object]", value).items()]
        return _listed(pairs, "{}")
    if isinstance(value, set | frozenset):
        return _listed(sorted(map(short, cast("Iterable[object]", value))), "{}")
    if isinstance(value, list | tuple):
        return _listed([short(each) for each in cast("Iterable[object]", value)], "[]")
    return "-" if value is None else str(value)


def _listed(parts: list[str], braces: str) -> str:
    inside = " ".join(parts) if len(parts) <= LONGEST_LIST else f"{len(parts)} × #{mark(parts)}"
    return f"{braces[0]}{inside}{braces[1]}"


def mark(parts: Iterable[str]) -> str:
    """Six digits that change when a list or its order changes."""
    return sha256("\n".join(parts).encode()).hexdigest()[:6]


def plugin_name(plugin: object) -> str:
    """A plugin of a stack as written in code: its name in quotes, its class or module, or the instance."""
    if isinstance(plugin, str):
        return repr(plugin)
    return plugin.__name__ if isinstance(plugin, ModuleType | type) else repr(plugin)[:200]


def stack_name(stack: Iterable[object]) -> str:
    """A stack in a sentence: `europe + mine`."""
    return (
        " + ".join(each if isinstance(each, str) else info_of(as_plugin(each)).name for each in stack)
        or "an empty stack"
    )


def class_name(kind: type[Any]) -> str:
    """A class with its module."""
    return f"{kind.__module__}.{kind.__qualname__}"


def is_core(kind: type[Any]) -> bool:
    """Whether a class belongs to the library itself."""
    return kind.__module__.split(".", 1)[0] in ("ttr_rules", "ttr_tools")


def rule_name(rules: Rules, decision: object, action: object) -> str:
    """The rule that lets an action answer a decision, for a message: its class, and the economy it uses."""
    answers = rules.answers.get(cast("Any", type(decision)))
    rule = None if answers is None else answers.by_action.get(cast("Any", type(action)))
    if rule is None:
        return f"the rule for {type(action).__name__}"
    kind = cast("Any", type(rule))
    economy: object = getattr(rule, "economy", None)
    paid = f" (paid with {class_name(type(economy))})" if economy is not None and is_core(kind) else ""
    return class_name(kind) + paid


def owner_of(rules: Rules, kind: type[Any]) -> str:
    """Which plugin a type of action, decision or event came with."""
    for tag, known in rules.types.items():
        if known is kind:
            return f"plugin {tag.rpartition('.')[0]!r}"
    return f"module {kind.__module__}"


def where_raised(error: BaseException) -> str:
    """Where an error came from: the innermost place outside this package."""
    frames = traceback.extract_tb(error.__traceback__)
    here = str(Path(__file__).parent)
    frame = next((frame for frame in reversed(frames) if not frame.filename.startswith(here)), frames[-1])
    return f"{frame.name}, {Path(frame.filename).name} line {frame.lineno}"


def raised(error: BaseException) -> str:
    """An error and where it came from, in one line."""
    return f"{type(error).__name__}: {error} (in {where_raised(error)})"
