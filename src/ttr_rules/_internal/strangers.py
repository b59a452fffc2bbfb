"""Actions that only look like ones of a game: classes of other rules, and values that pretend to be texts or numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast, get_args, get_type_hints

import attrs

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules.errors import Refusal, brief
from ttr_rules.model.cards import Card, Color, Counts

if TYPE_CHECKING:
    from ttr_rules.kernel.state import State
    from ttr_rules.model.actions import Action

#: What is what it seems: of these very classes, not of ones that are derived from them, whose `==` and `hash` may say anything.
_PLAIN = frozenset({str, int, bool, float, bytes, type(None), Counts, Card, Color})
_LISTS = frozenset({tuple, list, set, frozenset})
_TABLES = frozenset({dict, FrozenMap, MappingProxyType})
#: How deep the values of an action may lie in each other: those of games lie one deep.
_DEEPEST = 8


def strange(state: State, action: Action) -> Refusal | None:
    """Why an action is none that these rules could look at, before anything of it is read; None if it is one (S8).

    Its class must be one that the rules know: a subclass may have surprises. Its values must be of Python's own
    types, of enumerations of the library, or of classes that the action declares for them.
    """
    kind: Any = type(action)
    if not state.pending:
        return Refusal("E1", "the game is over")
    names = state.rules.action_fields.get(id(kind))
    if names is None:
        asked = " and ".join(f"seat {d.seat} is asked ({type(d).__name__})" for d in state.pending)
        return Refusal("S8", f"{kind.__name__} is no action of these rules; {asked}")
    try:
        for name in names:
            value: Any = getattr(action, name)
            if type(value) not in _PLAIN and name != "seat" and _pretends(value, kind):
                return Refusal("S8", f"{name} of {kind.__name__} is or holds no plain value, but {brief(value)}")
    except AttributeError:  # made without its fields
        missing = next(name for name in names if not hasattr(action, name))
        return Refusal("S8", f"{missing} of {kind.__name__} is missing")
    return None


def _pretends(value: object, action: Any, depth: int = 1) -> bool:
    """Whether a value that is not plain is, or holds, what neither the library nor this action knows; or lies too deep."""
    kind = cast("Any", type(value))
    inside: Iterable[object]
    if kind in _LISTS:
        inside = cast("Iterable[object]", value)
    elif kind in _TABLES:
        inside = [each for pair in cast("Mapping[object, object]", value).items() for each in pair]
    elif kind in _declared(action):
        inside = [getattr(value, field.name) for field in attrs.fields(kind)] if attrs.has(kind) else ()
    else:
        return True
    if depth > _DEEPEST:
        return True
    for each in inside:  # noqa: SIM110 (looked at for every action played)
        if type(each) not in _PLAIN and _pretends(each, action, depth + 1):
            return True
    return False


@lru_cache(maxsize=256)
def _declared(action: type[Any]) -> frozenset[Any]:
    """The classes that an action names in the types of its fields."""
    try:
        waiting = list(get_type_hints(action).values())
    except NameError:  # of classes that are not to be found: none can be told by its name
        return frozenset()
    found: set[Any] = set()
    while waiting:
        hint = waiting.pop()
        if isinstance(hint, type) and hint is not object:
            found.add(hint)
        waiting += get_args(hint)
    return frozenset(found)
