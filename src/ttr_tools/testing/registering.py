"""Called by Hypothesis when it is imported, so that `st.from_type(Route)` works wherever the library is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttr_rules import compile_rules
from ttr_rules.model import Card, City, Counts, Route, Ticket

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def register() -> None:
    """Register strategies for `st.from_type`: hands, payments, and what is printed on a board."""
    from hypothesis import strategies as st

    def sample_printed(kind: type[object]) -> SearchStrategy[object]:
        board = compile_rules("europe").board
        items = (*board.cities.values(), *board.routes.values(), *board.tickets)
        return st.sampled_from([item for item in items if type(item) is kind])

    cards = st.sampled_from([str(card) for card in Card])
    st.register_type_strategy(Counts, st.dictionaries(cards, st.integers(0, 8), max_size=4).map(Counts))
    for kind in (City, Route, Ticket):
        st.register_type_strategy(kind, sample_printed)
