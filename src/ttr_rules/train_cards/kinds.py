"""The kinds of train cards of a deck (S2)."""

from __future__ import annotations

from collections.abc import Mapping

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.kernel.economy import Economy
from ttr_rules.model.cards import Card

#: The 110 train cards of the base games (S2).
STANDARD_CARDS: Mapping[str, int] = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}
LOCOMOTIVE: str = Card.LOCOMOTIVE


class CardKinds(Economy):
    """A deck of train cards: `cards` says how many of each kind. Internally, kinds are numbers in that order."""

    #: The kinds of wild cards, the locomotive first.
    wilds: tuple[str, ...] = (LOCOMOTIVE,)

    def __init__(self, cards: Mapping[str, int]) -> None:
        self.cards = FrozenMap(dict(cards))
        self.kinds: tuple[str, ...] = tuple(str(kind) for kind in cards)
        self.number: dict[str, int] = {kind: number for number, kind in enumerate(self.kinds)}
        self.colors: tuple[str, ...] = tuple(kind for kind in self.kinds if kind != LOCOMOTIVE)
        self.wild = self.number[LOCOMOTIVE]
        self.wild_kinds: tuple[int, ...] = tuple(self.number[kind] for kind in self.wilds)

    def in_order(self, cards: Mapping[str, int]) -> list[str]:
        """Cards in the order in which they are passed to the shuffle: by kind, the locomotives last."""
        return [kind for kind in self.kinds for _ in range(cards[kind])]
