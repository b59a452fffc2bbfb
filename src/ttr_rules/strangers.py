"""Actions that only look like ones of a game: classes of other rules, and values that pretend to be texts or numbers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from .cards import Counts
from .errors import Refusal, brief

if TYPE_CHECKING:
    from .actions import Action
    from .state import State

#: What only pretends to be one of these when it is of another class: its `==` and `hash` may say anything.
_PLAIN = (str, int, float, bytes, tuple, list, dict, set, frozenset)


def strange(state: State, action: Action) -> Refusal | None:
    """Why an action is none that these rules could look at, before anything of it is read; None if it is one (S8).

    Its class must be one that the rules know: a subclass may have surprises. Its values must be of Python's own
    types, of enumerations, or of classes that are neither text nor number nor collection.
    """
    kind: Any = type(action)
    if not state.asked:
        return Refusal("E1", "the game is over")
    names = state.rules.action_fields.get(id(kind))
    if names is None:
        asked = " and ".join(f"seat {d.seat} is asked ({type(d).__name__})" for d in state.asked)
        return Refusal("S8", f"{kind.__name__} is no action of these rules; {asked}")
    for name in names:
        value: Any = getattr(action, name)
        if name != "seat" and _pretends(value):
            return Refusal("S8", f"{name} of {kind.__name__} is or holds no plain value, but {brief(value)}")
    return None


def _pretends(value: object) -> bool:
    kind = cast("Any", type(value))
    if kind in (str, int, bool, type(None), Counts):
        return False
    if kind in (tuple, list):
        return any(map(_pretends, cast("list[object]", value)))
    if kind not in _PLAIN and isinstance(value, _PLAIN):
        return not isinstance(value, Enum)
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value)
        return any(_pretends(key) or _pretends(each) for key, each in pairs.items())
    return False
