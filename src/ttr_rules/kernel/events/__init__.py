"""Facts: what happened, with all that chance did. Folding them rebuilds a state.

Each fact has one `effect`, a function of the state and the fact's fields, and nothing else changes a state. The
engine applies effects through `Transaction.emit` and makes the event objects only for those who keep them.
"""

from ttr_rules.kernel.events.arranged import (
    CardsArranged,
    CarsArranged,
    HandArranged,
    PositionArranged,
    TicketsArranged,
)
from ttr_rules.kernel.events.base import Event, Unknown, secret
from ttr_rules.kernel.events.course import (
    DecisionOpened,
    GameEnded,
    LastRoundBegun,
    TicketsRevealed,
    TurnBegun,
    TurnEnded,
)
from ttr_rules.kernel.events.play import (
    RouteClaimed,
    TicketsDrawn,
    TicketsKept,
    TicketsReturned,
    TunnelAbandoned,
    TunnelEntered,
)
from ttr_rules.kernel.events.setup import (
    GameBegun,
    MixAnnounced,
    MixAsked,
    SetupRevealed,
    TicketsBoxed,
    TicketsChosen,
    TicketsDealt,
    TicketsShuffled,
)
from ttr_rules.train_cards.events import (
    CardDrawn,
    CardsDealt,
    CardsLaid,
    CardsRevealed,
    CardsSpent,
    CardsTurnedUp,
    FaceUpTaken,
    LaidSpent,
    LaidTakenBack,
    PileShuffled,
    RevealedDiscarded,
    RowSwept,
)

__all__ = [
    "DecisionOpened",
    "CardDrawn",
    "CardsArranged",
    "CardsDealt",
    "CardsLaid",
    "CardsRevealed",
    "CardsSpent",
    "CardsTurnedUp",
    "CarsArranged",
    "Event",
    "FaceUpTaken",
    "GameBegun",
    "GameEnded",
    "HandArranged",
    "LaidSpent",
    "LaidTakenBack",
    "LastRoundBegun",
    "MixAnnounced",
    "MixAsked",
    "PileShuffled",
    "PositionArranged",
    "RevealedDiscarded",
    "RouteClaimed",
    "RowSwept",
    "SetupRevealed",
    "TicketsArranged",
    "TicketsBoxed",
    "TicketsChosen",
    "TicketsDealt",
    "TicketsDrawn",
    "TicketsKept",
    "TicketsReturned",
    "TicketsRevealed",
    "TicketsShuffled",
    "TunnelAbandoned",
    "TunnelEntered",
    "TurnBegun",
    "TurnEnded",
    "Unknown",
    "secret",
]
