"""The rules of the Ticket to Ride family as a library.

Compile a stack of plugins with `compile_rules`, set a game up with `new_game`, ask `Game.legal_actions`, and `Game.play`.
"""

from typing import Any

from ._version import __version__
from .actions import (
    AbandonTunnel,
    Action,
    AnnounceMix,
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
from .bots import Bot, play_game
from .cards import CARD_COLORS, Card, Color, Counts
from .chance import Chance, SeededChance
from .compile import compile_rules
from .dealer import Dealer
from .decisions import Decision, HiddenDecision, SecondCard, TicketChoice, TicketMix, TicketSetup, TunnelDue, Turn
from .determinize import determinize
from .economy import Cost, Economy, Price, PriceList, PriceTable
from .engine import ActionRule, LazyActions, Played
from .errors import (
    ChanceError,
    GameOverError,
    HookTypeError,
    IllegalActionError,
    InvalidInputError,
    InvalidTableError,
    MapError,
    NotYourTurnError,
    OutdatedActionError,
    PluginConflictError,
    PluginError,
    Refusal,
    SaveError,
    TTRError,
    UnknownPluginError,
    brief,
)
from .events import (
    Asked,
    CardDrawn,
    CardsArranged,
    CardsDealt,
    CardsLaid,
    CardsRevealed,
    CardsSpent,
    CardsTurnedUp,
    CarsArranged,
    Event,
    FaceUpTaken,
    GameBegun,
    GameEnded,
    HandArranged,
    LaidSpent,
    LaidTakenBack,
    LastRoundBegun,
    MixAnnounced,
    MixAsked,
    PileShuffled,
    PositionArranged,
    RevealedDiscarded,
    RouteClaimed,
    RowSwept,
    SetupRevealed,
    TicketsArranged,
    TicketsBoxed,
    TicketsChosen,
    TicketsDealt,
    TicketsDrawn,
    TicketsKept,
    TicketsReturned,
    TicketsRevealed,
    TicketsShuffled,
    TunnelAbandoned,
    TunnelEntered,
    TurnBegun,
    TurnEnded,
    Unknown,
    secret,
)
from .frozenmap import FrozenMap
from .game import Game, Move
from .hooks import hookimpl
from .journal import Journal, read_journal
from .mapfile import load_board
from .mechanics.card_prices import CardPriceList
from .mechanics.claim import after_claim
from .mechanics.ticket_mix import draw_tickets
from .mechanics.train_cards import TrainCards
from .mechanics.turn import end_game, end_turn, finish_turn
from .paths import LongestPath, longest_path
from .piles import CardPiles
from .playout import playout
from .plugins import Installed, installed
from .rulebook import Rule, rulebook
from .rules import AfterClaim, Components, Ending, PartSpec, PluginInfo, Rules, Rulings, one_of
from .schema import action_from_json, json_schema, to_json
from .scores import (
    LONGER_PATH,
    LONGEST_PATH,
    MORE_TICKETS,
    MOST_TICKETS,
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
from .serial import dumps, loads, pack
from .start import new_game
from .state import FREE, Part, State
from .table import PlayerEntry, Position, Report, TableEntry
from .ticketfile import make_tickets, read_tickets
from .tickets import Deal, DrawCounts, KeepAtLeast, KeepRule, Mix, Setup, Stage, TicketDeck, Unkept
from .transaction import Transaction

from .arrange import arrange, score  # isort: skip  (after `game`, which it builds on)
from .views import View


def __getattr__(name: str) -> Any:
    """The actions, decisions and events of the plugins that come with the library: `ttr_rules.BuildStation`."""
    if not name.startswith("_"):
        for each in installed():
            if each.distribution == "ttr-rules" and each.info is not None:
                try:
                    types = compile_rules(each.name).types
                except PluginError:
                    continue  # one that needs options, or a map below it
                if f"{each.name}.{name}" in types:
                    return types[f"{each.name}.{name}"]
    raise AttributeError(f"module 'ttr_rules' has no attribute {name!r}")


__all__ = [
    "CARD_COLORS",
    "FREE",
    "LONGER_PATH",
    "LONGEST_PATH",
    "MORE_TICKETS",
    "MOST_TICKETS",
    "TIE_BREAK_P5",
    "TIE_BREAK_P6",
    "AbandonTunnel",
    "Action",
    "ActionRule",
    "AfterClaim",
    "AnnounceMix",
    "Asked",
    "Board",
    "Bonus",
    "Bot",
    "Card",
    "CardDrawn",
    "CardPiles",
    "CardPriceList",
    "CardsArranged",
    "CardsDealt",
    "CardsLaid",
    "CardsRevealed",
    "CardsSpent",
    "CardsTurnedUp",
    "CarsArranged",
    "Chance",
    "ChanceError",
    "City",
    "ClaimRoute",
    "Color",
    "Components",
    "Cost",
    "Counts",
    "Deal",
    "Dealer",
    "Decision",
    "DrawBlind",
    "DrawCounts",
    "DrawFaceUp",
    "DrawTickets",
    "Economy",
    "Ending",
    "Event",
    "FaceUpTaken",
    "FinalScores",
    "FrozenMap",
    "Game",
    "GameBegun",
    "GameEnded",
    "GameOverError",
    "HandArranged",
    "HiddenDecision",
    "HookTypeError",
    "IllegalActionError",
    "Installed",
    "InvalidInputError",
    "InvalidTableError",
    "Journal",
    "KeepAtLeast",
    "KeepRule",
    "KeepTickets",
    "LaidSpent",
    "LaidTakenBack",
    "LastRoundBegun",
    "LazyActions",
    "Loan",
    "LongestPath",
    "MapError",
    "Mix",
    "MixAnnounced",
    "MixAsked",
    "Move",
    "NotYourTurnError",
    "OutdatedActionError",
    "Part",
    "PartSpec",
    "Pass",
    "PayTunnel",
    "PileShuffled",
    "Played",
    "PlayerEntry",
    "PlayerScore",
    "PluginConflictError",
    "PluginError",
    "PluginInfo",
    "Position",
    "PositionArranged",
    "Price",
    "PriceList",
    "PriceTable",
    "Refusal",
    "Report",
    "RevealedDiscarded",
    "Route",
    "RouteClaimed",
    "RowSwept",
    "Rule",
    "Rules",
    "Rulings",
    "SaveError",
    "ScoringTerm",
    "SecondCard",
    "SeededChance",
    "Setup",
    "SetupRevealed",
    "Stage",
    "State",
    "TTRError",
    "TableEntry",
    "Term",
    "Ticket",
    "TicketChoice",
    "TicketDeck",
    "TicketLink",
    "TicketMix",
    "TicketScore",
    "TicketSetup",
    "TicketsArranged",
    "TicketsBoxed",
    "TicketsChosen",
    "TicketsDealt",
    "TicketsDrawn",
    "TicketsKept",
    "TicketsReturned",
    "TicketsRevealed",
    "TicketsShuffled",
    "TieBreak",
    "TrainCards",
    "Transaction",
    "TunnelAbandoned",
    "TunnelDue",
    "TunnelEntered",
    "Turn",
    "TurnBegun",
    "TurnEnded",
    "Unkept",
    "Unknown",
    "UnknownPluginError",
    "View",
    "__version__",
    "action_from_json",
    "after_claim",
    "arrange",
    "brief",
    "compile_rules",
    "connected",
    "determinize",
    "draw_tickets",
    "dumps",
    "end_game",
    "end_turn",
    "finish_turn",
    "hookimpl",
    "installed",
    "json_schema",
    "load_board",
    "loads",
    "longest_path",
    "make_tickets",
    "new_game",
    "one_of",
    "pack",
    "play_game",
    "playout",
    "read_journal",
    "read_tickets",
    "rulebook",
    "score",
    "secret",
    "to_counts",
    "to_json",
]
