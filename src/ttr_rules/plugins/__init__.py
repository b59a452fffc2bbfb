"""For authors of variants: everything that a plugin is made of, and how a stack is compiled from plugins.

A plugin is a module, or a frozen instance, with an `info` and functions marked `@hookimpl`; `ttr_rules.plugins.hooks`
lists every hook. The package may import everything below it: the kernel, the mechanics, train cards.
"""

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules._internal.messages import brief
from ttr_rules.boards.ticketfile import make_tickets, read_tickets
from ttr_rules.errors import InvalidInputError, PluginError, Refusal
from ttr_rules.kernel.action_rule import ActionRule, LazyActions
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.economy import Economy, Price, PriceList, PriceTable
from ttr_rules.kernel.engine import Played, legal_actions
from ttr_rules.kernel.events.base import Event, secret
from ttr_rules.kernel.extensions import AfterClaim, Ending, PartSpec
from ttr_rules.kernel.fields import counted, public, secret_by_seat
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import Option, PluginInfo, hookimpl, one_of, option
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import (
    LONGER_PATH,
    LONGEST_PATH,
    MORE_TICKETS,
    MOST_TICKETS,
    PATH_HOLDER,
    TIE_BREAK_P5,
    Bonus,
    Loan,
    PlayerScore,
    ScoringTerm,
    Term,
    TicketLink,
    TicketScore,
    TieBreak,
)
from ttr_rules.kernel.scoring import connected
from ttr_rules.kernel.state import FREE, State
from ttr_rules.kernel.table import PlayerEntry, Position, Report, TableEntry
from ttr_rules.kernel.tables import tables_of
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_game, end_turn, finish_turn
from ttr_rules.kernel.view import View
from ttr_rules.mechanics.claims import after_claim
from ttr_rules.mechanics.ticket_mix import draw_tickets
from ttr_rules.model import (
    CARD_COLORS,
    Action,
    Board,
    Card,
    Chance,
    City,
    ClaimRoute,
    Color,
    Components,
    Cost,
    Counts,
    Deal,
    Dealer,
    Decision,
    DrawCounts,
    DrawTickets,
    HiddenDecision,
    KeepAtLeast,
    KeepRule,
    KeepTickets,
    Mix,
    Pass,
    Route,
    Rule,
    Setup,
    Stage,
    Ticket,
    TicketDeck,
    Turn,
    Unkept,
    Unknown,
    to_counts,
)
from ttr_rules.model.rulebook import RuleFile, read_rules
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.plugins.discovery import Installed, installed, rulebook

__all__ = [
    "CARD_COLORS",
    "FREE",
    "LONGER_PATH",
    "LONGEST_PATH",
    "MORE_TICKETS",
    "MOST_TICKETS",
    "PATH_HOLDER",
    "TIE_BREAK_P5",
    "Action",
    "ActionRule",
    "AfterClaim",
    "Board",
    "Bonus",
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
    "Economy",
    "Ending",
    "Event",
    "FrozenMap",
    "GameData",
    "HiddenDecision",
    "Installed",
    "InvalidInputError",
    "KeepAtLeast",
    "KeepRule",
    "KeepTickets",
    "LazyActions",
    "Loan",
    "Mix",
    "Option",
    "Part",
    "PartSpec",
    "Pass",
    "PlayerEntry",
    "PlayerScore",
    "Played",
    "PluginError",
    "PluginInfo",
    "Position",
    "Price",
    "PriceList",
    "PriceTable",
    "Refusal",
    "Report",
    "Route",
    "Rule",
    "RuleFile",
    "Rules",
    "ScoringTerm",
    "Setup",
    "Stage",
    "State",
    "TableEntry",
    "Term",
    "Ticket",
    "TicketDeck",
    "TicketLink",
    "TicketScore",
    "TieBreak",
    "Transaction",
    "Turn",
    "Unkept",
    "Unknown",
    "View",
    "after_claim",
    "brief",
    "compile_rules",
    "connected",
    "counted",
    "draw_tickets",
    "end_game",
    "end_turn",
    "finish_turn",
    "hookimpl",
    "installed",
    "legal_actions",
    "make_tickets",
    "one_of",
    "option",
    "public",
    "read_rules",
    "read_tickets",
    "rulebook",
    "secret",
    "secret_by_seat",
    "tables_of",
    "to_counts",
]
