"""Events: what happened, including every random outcome. Folding them rebuilds a state.

Each event has one `effect`, a function of the state and the event's fields, and nothing else changes a state. The
engine applies effects through `Transaction.emit` and makes the event objects only for callers that keep them.
"""

from ttr_rules.kernel.events.base import Event, SeenEvent, fold
from ttr_rules.kernel.events.course import (
    Asked,
    DecisionOpened,
    ExtraTurnBegun,
    FirstSeatChosen,
    GameEnded,
    LastRoundBegun,
    TicketsRevealed,
    TurnBegun,
    TurnEnded,
    TurnGranted,
    TurnPassed,
)
from ttr_rules.kernel.events.play import (
    CarsUsed,
    FleetsSet,
    PointsScored,
    RouteClaimed,
    RoutePointsScored,
    RouteShared,
    TicketsDrawn,
    TicketsKept,
    TicketsReturned,
    TunnelAbandoned,
    TunnelEntered,
)
from ttr_rules.kernel.events.setup import (
    CarsArranged,
    GameBegun,
    MixAnnounced,
    MixAsked,
    PositionArranged,
    SetupRevealed,
    TicketsArranged,
    TicketsBoxed,
    TicketsChosen,
    TicketsDealt,
    TicketsShuffled,
)
from ttr_rules.model.values import secret

__all__ = [
    "Asked",
    "CarsArranged",
    "CarsUsed",
    "DecisionOpened",
    "Event",
    "ExtraTurnBegun",
    "FirstSeatChosen",
    "FleetsSet",
    "GameBegun",
    "GameEnded",
    "LastRoundBegun",
    "MixAnnounced",
    "MixAsked",
    "PointsScored",
    "PositionArranged",
    "RouteClaimed",
    "RoutePointsScored",
    "RouteShared",
    "SeenEvent",
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
    "TurnGranted",
    "TurnPassed",
    "fold",
    "secret",
]
