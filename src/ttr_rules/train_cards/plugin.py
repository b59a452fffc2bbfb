"""Train cards as a plugin: the default economy of a stack."""

from __future__ import annotations

from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.plugin import hookimpl
from ttr_rules.kernel.variant import Below, Variant
from ttr_rules.model.board import Board
from ttr_rules.train_cards.economy import TrainCards
from ttr_rules.train_cards.options import CardOptions


class TrainCardsPlugin(CardOptions, Variant, name="train-cards", title="Train cards"):
    """Hands, a face-up row and a draw pile of train cards.

    Every stack has this plugin below all others: maps adjust its economy, other economies replace it.

    >>> TrainCardsPlugin(second_card_optional=True).info.name
    'train-cards'
    """

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return TrainCards()
