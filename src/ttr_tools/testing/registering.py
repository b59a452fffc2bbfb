"""Called by Hypothesis when it is imported, so that `st.from_type(Route)` works wherever the library is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_rules.model import Card, City, Color, Counts, Route, Ticket

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def register() -> None:
    """Register the strategies of `ttr_tools.testing.strategies` for `st.from_type`.

    That module is imported when a type is first used, because it may itself be what imports Hypothesis.
    """
    from hypothesis import strategies as st

    for kind in (Color, Card, Counts, City, Route, Ticket):
        st.register_type_strategy(kind, _strategy)


def _strategy(kind: type[object]) -> SearchStrategy[Any]:
    from ttr_tools.testing.strategies import BY_TYPE

    return BY_TYPE[kind]()
