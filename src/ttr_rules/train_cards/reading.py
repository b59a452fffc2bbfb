"""Reading the train cards of a state or a view."""

from __future__ import annotations

from typing import overload

from ttr_rules.kernel.state import State
from ttr_rules.kernel.view import View
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.seen import SeenCards


@overload
def cards(table: State) -> CardPiles: ...
@overload
def cards(table: View) -> SeenCards: ...
def cards(table: State | View) -> CardPiles | SeenCards:
    """Return the train cards of a state, or those visible in a view.

    Raises `TTRError` if the stack does not use train cards.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=2, seed=1912)
    >>> cards(game.view(0)).hand == cards(game.state).hands[0]
    True
    """
    return table.part(CardPiles) if isinstance(table, State) else table.part(SeenCards)
