"""Facts: what happened, with all that chance did. Folding them rebuilds a state.

Each fact has one `effect`, a function of the state and the fact's fields, and nothing else changes a state. The
engine applies effects through `Transaction.do` and makes the event objects only for those who keep them.
"""

from .arranged import CardsArranged, CarsArranged, HandArranged, PositionArranged, TicketsArranged
from .base import Event, Unknown, secret
from .cards import (
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
from .course import Asked, GameEnded, LastRoundBegun, TicketsRevealed, TurnBegun, TurnEnded
from .play import RouteClaimed, TicketsDrawn, TicketsKept, TicketsReturned, TunnelAbandoned, TunnelEntered
from .setup import (
    GameBegun,
    MixAnnounced,
    MixAsked,
    SetupRevealed,
    TicketsBoxed,
    TicketsChosen,
    TicketsDealt,
    TicketsShuffled,
)

__all__ = [
    "Asked",
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
