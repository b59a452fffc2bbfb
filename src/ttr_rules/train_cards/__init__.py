"""Train cards: the default economy of maps (S2–S4, D, C1, C2, T).

`draws` and `row` cover drawing cards and the face-up row (D1–D8), `payments` what pays for what (C1, C2, F1, T3),
`economy` tunnels (T1–T3, T5, T6); `piles` is its state, `events` and `tunnel_events` change it. `rules.toml` has the
texts of the rules.

A plugin like any other: it may import the kernel, and only the defaults of stacks know about it.
"""

from typing import TYPE_CHECKING

from ttr_rules._internal.lazy import lazily

if TYPE_CHECKING:
    from ttr_rules.train_cards.actions import DrawBlind, DrawFaceUp
    from ttr_rules.train_cards.decisions import NextCard
    from ttr_rules.train_cards.economy import TrainCards
    from ttr_rules.train_cards.kinds import STANDARD_CARDS
    from ttr_rules.train_cards.multisets import Pool
    from ttr_rules.train_cards.options import CardOptions
    from ttr_rules.train_cards.piles import CardPiles
    from ttr_rules.train_cards.plugin import TrainCardsPlugin
    from ttr_rules.train_cards.prices import CardPrices, StandInPrices
    from ttr_rules.train_cards.reading import cards
    from ttr_rules.train_cards.seen import SeenCards
    from ttr_rules.train_cards.stand_in_cards import StandInCards
    from ttr_rules.train_cards.stand_ins import Lot, Reading, StandIns, lots
    from ttr_rules.train_cards.stores import CardStore
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "ttr_rules.train_cards.actions": "DrawBlind DrawFaceUp",
            "ttr_rules.train_cards.decisions": "NextCard",
            "ttr_rules.train_cards.economy": "TrainCards",
            "ttr_rules.train_cards.kinds": "STANDARD_CARDS",
            "ttr_rules.train_cards.multisets": "Pool",
            "ttr_rules.train_cards.options": "CardOptions",
            "ttr_rules.train_cards.piles": "CardPiles",
            "ttr_rules.train_cards.plugin": "TrainCardsPlugin",
            "ttr_rules.train_cards.prices": "CardPrices StandInPrices",
            "ttr_rules.train_cards.reading": "cards",
            "ttr_rules.train_cards.seen": "SeenCards",
            "ttr_rules.train_cards.stand_in_cards": "StandInCards",
            "ttr_rules.train_cards.stand_ins": "Lot Reading StandIns lots",
            "ttr_rules.train_cards.stores": "CardStore",
        },
    )

__all__ = [
    "STANDARD_CARDS",
    "CardOptions",
    "CardPiles",
    "CardPrices",
    "CardStore",
    "DrawBlind",
    "DrawFaceUp",
    "Lot",
    "NextCard",
    "Pool",
    "Reading",
    "SeenCards",
    "StandInCards",
    "StandInPrices",
    "StandIns",
    "TrainCards",
    "TrainCardsPlugin",
    "cards",
    "lots",
]
