"""The rules of the Ticket to Ride family as a library.

Compile a stack of plugins with `compile_rules`, set a game up with `new_game`, ask `Game.legal_actions`, and `Game.play`.
"""

from .actions import (
    AbandonTunnel,
    Action,
    ClaimRoute,
    DrawBlind,
    DrawFaceUp,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    to_counts,
)
from .board import Board, City, Route, Ticket
from .cards import CARD_COLORS, Card, Color, Counts
from .chance import Chance, SeededChance
from .compile import compile_rules
from .decisions import Decision, SecondCard, TicketChoice, TicketSetup, TunnelDue, Turn
from .economy import Cost, Economy, Price, PriceList
from .engine import ActionRule, LazyActions
from .errors import (
    ChanceError,
    GameOverError,
    HookTypeError,
    IllegalActionError,
    InvalidInputError,
    InvalidTableError,
    MapError,
    NotYourTurnError,
    PluginConflictError,
    PluginError,
    Refusal,
    SaveError,
    TTRError,
    UnknownPluginError,
)
from .events import Event, Unknown, secret
from .game import Game, Move, new_game
from .hooks import hookimpl
from .mapfile import load_board
from .mechanics.train_cards import TrainCards
from .mechanics.turn import end_game, end_turn, finish_turn
from .paths import LongestPath, longest_path
from .playout import playout
from .plugins import Installed, installed
from .rules import Components, Ending, PartSpec, PluginInfo, Rules, Rulings
from .scores import (
    LONGEST_PATH,
    TIE_BREAK_P5,
    TIE_BREAK_P6,
    Bonus,
    FinalScores,
    Loan,
    PlayerScore,
    ScoringTerm,
    Term,
    TicketLink,
    TicketScore,
    TieBreak,
)
from .scoring import connected
from .serial import dumps, loads
from .state import Part, State
from .table import PlayerEntry, Position, Report
from .tickets import Deal, DrawCounts, KeepAtLeast, KeepRule, Setup, Stage, TicketDeck, Unkept
from .transaction import Transaction

from .arrange import arrange, score  # isort: skip  (after `game`, which it builds on)
from .views import View

__version__ = "0.1.0"

__all__ = [
    "CARD_COLORS",
    "LONGEST_PATH",
    "TIE_BREAK_P5",
    "TIE_BREAK_P6",
    "AbandonTunnel",
    "Action",
    "ActionRule",
    "Board",
    "Bonus",
    "Card",
    "Chance",
    "ChanceError",
    "City",
    "ClaimRoute",
    "Color",
    "Components",
    "Cost",
    "Counts",
    "Deal",
    "Decision",
    "DrawBlind",
    "DrawCounts",
    "DrawFaceUp",
    "DrawTickets",
    "Economy",
    "Ending",
    "Event",
    "FinalScores",
    "Game",
    "GameOverError",
    "HookTypeError",
    "IllegalActionError",
    "Installed",
    "InvalidInputError",
    "InvalidTableError",
    "KeepAtLeast",
    "KeepRule",
    "KeepTickets",
    "LazyActions",
    "Loan",
    "LongestPath",
    "MapError",
    "Move",
    "NotYourTurnError",
    "Part",
    "PartSpec",
    "Pass",
    "PayTunnel",
    "PlayerEntry",
    "PlayerScore",
    "PluginConflictError",
    "PluginError",
    "PluginInfo",
    "Position",
    "Price",
    "PriceList",
    "Refusal",
    "Report",
    "Route",
    "Rules",
    "Rulings",
    "SaveError",
    "ScoringTerm",
    "SecondCard",
    "SeededChance",
    "Setup",
    "Stage",
    "State",
    "TTRError",
    "Term",
    "Ticket",
    "TicketChoice",
    "TicketDeck",
    "TicketLink",
    "TicketScore",
    "TicketSetup",
    "TieBreak",
    "TrainCards",
    "Transaction",
    "TunnelDue",
    "Turn",
    "Unkept",
    "Unknown",
    "UnknownPluginError",
    "View",
    "__version__",
    "arrange",
    "compile_rules",
    "connected",
    "dumps",
    "end_game",
    "end_turn",
    "finish_turn",
    "hookimpl",
    "installed",
    "load_board",
    "loads",
    "longest_path",
    "new_game",
    "playout",
    "score",
    "secret",
    "to_counts",
]
