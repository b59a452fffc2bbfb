"""Names of train cards in the schema: an enumeration, since the rules of a stack know every kind of card in its deck."""

from __future__ import annotations

from typing import Any

from ttr_rules.kernel.economy_layer import EconomyLayer
from ttr_rules.kernel.rules import Rules
from ttr_rules.train_cards import DrawFaceUp, SeenCards, events
from ttr_rules.train_cards.kinds import CardKinds
from ttr_rules.train_cards.piles import CardPiles

#: The types in which every name is that of a card, and everything counted is cards.
OF_CARDS: frozenset[type[Any]] = frozenset({SeenCards, DrawFaceUp, *(getattr(events, name) for name in events.__all__)})


#: The fields of actions, decisions and events that hold a payment.
PAID = frozenset({"payment", "laid"})


def card_kinds(rules: Rules) -> tuple[str, ...]:
    """The kinds of train cards in these rules; () if they have another economy.

    >>> from ttr_rules import compile_rules
    >>> card_kinds(compile_rules("marklin", "germany-tickets"))[-2:], card_kinds(compile_rules("europe", "dice"))
    (('locomotive_4', 'passenger'), ())
    """
    piles = (part for part in rules.new_parts(rules.components.min_players) if isinstance(part, CardPiles))
    return next((part.kinds for part in piles), ())


def pays_with_cards(rules: Rules) -> bool:
    """Whether all payments are train cards: not with another economy, nor with a layer that has payments of its own.

    >>> from ttr_rules import compile_rules
    >>> pays_with_cards(compile_rules("europe")), pays_with_cards(compile_rules("europe", "dice"))
    (True, False)
    """
    economy = rules.economy
    while isinstance(economy, EconomyLayer):
        if type(economy).payments is not EconomyLayer.payments:
            return False
        economy = economy.below
    return isinstance(economy, CardKinds)
