"""Train cards as a plugin: the default economy of a stack."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.plugin import PluginInfo, hookimpl
from ttr_rules.train_cards.economy import TrainCards
from ttr_rules.train_cards.options import CardOptions


@frozen
class TrainCardsPlugin(CardOptions):
    """Train cards. Every stack has this plugin below all others: maps adjust its economy, other economies replace it.

    >>> TrainCardsPlugin(second_card_optional=True).info.name
    'train-cards'
    """

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("train-cards", "Train cards", "Hands, a face-up row and a draw pile of train cards.")

    @hookimpl
    def economy(self) -> Economy:
        return TrainCards()
