"""Train cards: the default economy of maps (S2–S4, D, C1, C2, T).

- `economy`: the economy, its plugin, and arranged positions
- `rules.toml`: the texts of the rules
- `draws`: the actions that draw cards (D1–D8)
- `upkeep`: the draw piles and the face-up row (S3, S4, D5, D7, R1, R3)
- `tunnels`: the cards and the extra costs of tunnels (T1–T6)
- `readings` and `bills`: the payments for a cost (C1, C2, F1)
- `stand_ins` and `multisets`: the payments that are too many to list
- `prices`: the payments for all costs, as numbers
- `piles`: the state, which `effects` change, each with one of the `events`
- `values`: decks, options, actions, decisions, and the cards as seats see them

It is a plugin like any other: it is built on the kernel, which knows nothing of it.
"""

from ttr_rules.train_cards.bills import Bill as Bill
from ttr_rules.train_cards.economy import (
    STANDARD_CARDS as STANDARD_CARDS,
    TrainCards as TrainCards,
    TrainCardsPlugin as TrainCardsPlugin,
)
from ttr_rules.train_cards.multisets import Pool as Pool
from ttr_rules.train_cards.piles import CardPiles as CardPiles, cards as cards
from ttr_rules.train_cards.prices import CardPrices as CardPrices
from ttr_rules.train_cards.readings import Lot as Lot, Reading as Reading
from ttr_rules.train_cards.stand_ins import (
    Batch as Batch,
    StandInPayments as StandInPayments,
    StandInReading as StandInReading,
    StandIns as StandIns,
)
from ttr_rules.train_cards.values import (
    CardDeck as CardDeck,
    CardOptions as CardOptions,
    DrawBlind as DrawBlind,
    DrawFaceUp as DrawFaceUp,
    DrawFrom as DrawFrom,
    LookedAtCard as LookedAtCard,
    NextCard as NextCard,
    SeenCards as SeenCards,
    SeenDecks as SeenDecks,
    TakeFaceUp as TakeFaceUp,
)
