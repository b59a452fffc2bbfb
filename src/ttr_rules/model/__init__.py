"""The data types of the game: cards, boards, tickets, actions, decisions, costs, chance.

Values without rules. Of the library they import only `errors`; everything else is built on them.
"""

from ttr_rules.model.actions import (
    AbandonTunnel,
    Action,
    AnnounceMix,
    ClaimRoute,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    to_counts,
)
from ttr_rules.model.board import Board, City, Route, Ticket
from ttr_rules.model.cards import CARD_COLORS, Card, Color, Counts
from ttr_rules.model.chance import Chance, SeededChance, checked_seed, new_seed
from ttr_rules.model.components import Components
from ttr_rules.model.cost import Cost
from ttr_rules.model.dealer import Dealer
from ttr_rules.model.decisions import (
    Decision,
    HiddenDecision,
    Question,
    TicketChoice,
    TicketMix,
    TicketSetup,
    ToDo,
    TunnelDue,
    Turn,
)
from ttr_rules.model.network import Network, numbers
from ttr_rules.model.placenames import plain
from ttr_rules.model.rulebook import Rule
from ttr_rules.model.tickets import (
    Deal,
    DrawCounts,
    KeepAtLeast,
    KeepRule,
    Mix,
    Setup,
    Stage,
    TicketDeck,
    Unkept,
)
from ttr_rules.model.unknown import Unknown

__all__ = [
    "CARD_COLORS",
    "AbandonTunnel",
    "Action",
    "AnnounceMix",
    "Board",
    "Card",
    "Chance",
    "City",
    "ClaimRoute",
    "Color",
    "Components",
    "Cost",
    "Counts",
    "Deal",
    "Dealer",
    "Decision",
    "DrawCounts",
    "DrawTickets",
    "HiddenDecision",
    "KeepAtLeast",
    "KeepRule",
    "KeepTickets",
    "Mix",
    "Network",
    "Pass",
    "PayTunnel",
    "Question",
    "Route",
    "Rule",
    "SeededChance",
    "Setup",
    "Stage",
    "Ticket",
    "TicketChoice",
    "TicketDeck",
    "TicketMix",
    "TicketSetup",
    "ToDo",
    "TunnelDue",
    "Turn",
    "Unkept",
    "Unknown",
    "checked_seed",
    "new_seed",
    "numbers",
    "plain",
    "to_counts",
]
