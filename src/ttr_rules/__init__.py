"""The rules of the Ticket to Ride family as a library.

Compile a stack of plugins with `compile_rules`, set a game up with `new_game`, ask `Game.legal_actions`, and `Game.play`.
"""

from typing import Any

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules._version import __version__
from ttr_rules.boards.mapfile import load_board
from ttr_rules.boards.ticketfile import make_tickets, read_tickets
from ttr_rules.bots.planner import Bot, play_game
from ttr_rules.errors import (
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
from ttr_rules.graph.paths import LongestPath, longest_path
from ttr_rules.hidden.sampling import determinize
from ttr_rules.kernel.economy import Cost, Economy, Price, PriceList, PriceTable
from ttr_rules.kernel.engine import ActionRule, LazyActions, Played
from ttr_rules.kernel.events import (
    CardDrawn,
    CardsArranged,
    CardsDealt,
    CardsLaid,
    CardsRevealed,
    CardsSpent,
    CardsTurnedUp,
    CarsArranged,
    DecisionOpened,
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
from ttr_rules.kernel.rules import (
    AfterClaim,
    Components,
    Ending,
    PartSpec,
    PluginInfo,
    Rules,
    Rulings,
    one_of,
)
from ttr_rules.kernel.scores import (
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
from ttr_rules.kernel.scoring import connected
from ttr_rules.kernel.state import FREE, Part, State
from ttr_rules.kernel.table import PlayerEntry, Position, Report, TableEntry
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_game, end_turn, finish_turn
from ttr_rules.mechanics.claims import after_claim
from ttr_rules.mechanics.ticket_mix import draw_tickets
from ttr_rules.model.actions import (
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
from ttr_rules.model.board import Board, City, Route, Ticket
from ttr_rules.model.cards import CARD_COLORS, Card, Color, Counts
from ttr_rules.model.chance import Chance, SeededChance
from ttr_rules.model.dealer import Dealer
from ttr_rules.model.decisions import (
    Decision,
    HiddenDecision,
    SecondCard,
    TicketChoice,
    TicketMix,
    TicketSetup,
    TunnelDue,
    Turn,
)
from ttr_rules.model.rulebook import Rule, rulebook
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
from ttr_rules.play.game import Game, Move
from ttr_rules.play.playouts import playout
from ttr_rules.play.starting import new_game
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.plugins.discovery import Installed, installed
from ttr_rules.plugins.hooks import hookimpl
from ttr_rules.saves.journal import Journal, read_journal
from ttr_rules.saves.saving import dumps, loads, pack
from ttr_rules.saves.schema import action_from_json, json_schema, to_json
from ttr_rules.train_cards.economy import TrainCards
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.prices import CardPriceList

from ttr_rules.play.positions import arrange, score  # isort: skip  (after `game`, which it builds on)
from ttr_rules.kernel.views import View


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
    "DecisionOpened",
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
