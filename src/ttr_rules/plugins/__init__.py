"""For authors of variants: everything needed to write a plugin, and to compile plugins into a stack.

A plugin is a class that derives from `Variant`; a hook is a method that overrides one of `Variant`'s and is marked
`@hookimpl`. `discovery` and `resolve` find the plugins of a stack, `hook_calls` asks their
hooks, and `compiler` makes `Rules` of the answers.
The package may import everything below it: the kernel, the mechanics, train cards.
"""

from typing import TYPE_CHECKING

from ttr_rules._internal.lazy import lazily

if TYPE_CHECKING:
    from ttr_rules._internal.frozen import FrozenMap
    from ttr_rules._internal.native import i64
    from ttr_rules.boards.tickets import make_tickets, read_tickets, tickets_option
    from ttr_rules.errors import InvalidInputError, PluginError, Refusal
    from ttr_rules.graph.paths import LongestPath, longest_path
    from ttr_rules.kernel.action_rule import ActionRule, NumberedRule, SingleActionRule
    from ttr_rules.kernel.around import Around
    from ttr_rules.kernel.choices import Choice, Choose
    from ttr_rules.kernel.column import PlayerScore
    from ttr_rules.kernel.economy import Economy, EconomyLayer, economy_of, pays_with
    from ttr_rules.kernel.engine import legal_actions
    from ttr_rules.kernel.events.base import Event, events_in, secret
    from ttr_rules.kernel.extensions import (
        KeyHelp,
        PrintedName,
    )
    from ttr_rules.kernel.fields import counted, public, secret_by_seat
    from ttr_rules.kernel.hints import ActionValue, BorrowHint, BotHint, DrawHint, LoanHint, OpeningHint
    from ttr_rules.kernel.lazy_actions import LazyActions, LazyPayments
    from ttr_rules.kernel.map_marks import CityNote, CityPiece, MapMark, RouteNote
    from ttr_rules.kernel.paid_rule import PaidRule
    from ttr_rules.kernel.part import Part
    from ttr_rules.kernel.played import Played
    from ttr_rules.kernel.player_score import Detail, Term, TicketScore
    from ttr_rules.kernel.plugin import (
        Option,
        PluginInfo,
        hookimpl,
        one_of,
        option,
        option_metadata,
        options_of,
        saved,
        written,
    )
    from ttr_rules.kernel.prices import Prices, PursePrices
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
        ScoringTerm,
        TieBreak,
        points_in_play,
        ranked_bonus,
    )
    from ttr_rules.kernel.scoring import connected
    from ttr_rules.kernel.state import FREE, State
    from ttr_rules.kernel.table import PlayerEntry, Position, Report, TableEntry
    from ttr_rules.kernel.transaction import Transaction
    from ttr_rules.kernel.turn import after_claim, begin_turn, end_game, end_turn, finish_turn, grant_turn
    from ttr_rules.kernel.variant import Below, Variant, tryfirst, trylast
    from ttr_rules.kernel.view import View
    from ttr_rules.language import Catalog, Message, Seat, join_and, join_commas, marked, named, noun, plural
    from ttr_rules.mechanics.claims import not_barred, route_cost
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
        Question,
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
    from ttr_rules.model.tickets import RuleFile, read_rules
    from ttr_rules.plugins.compiler import compile_rules, compile_without_tickets
    from ttr_rules.plugins.datafile import DataVariant, load_variant
    from ttr_rules.plugins.discovery import Installed, info_of, installed, load_plugin, rulebook, split_name
    from ttr_rules.plugins.stack_checks import shortages
    from ttr_rules.text import brief
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "ttr_rules._internal.frozen": "FrozenMap",
            "ttr_rules._internal.native": "i64",
            "ttr_rules.boards.tickets": "make_tickets read_tickets tickets_option",
            "ttr_rules.errors": "InvalidInputError PluginError Refusal",
            "ttr_rules.graph.paths": "LongestPath longest_path",
            "ttr_rules.kernel.action_rule": "ActionRule NumberedRule SingleActionRule",
            "ttr_rules.kernel.around": "Around",
            "ttr_rules.kernel.choices": "Choice Choose",
            "ttr_rules.kernel.column": "PlayerScore",
            "ttr_rules.kernel.economy": "Economy EconomyLayer economy_of pays_with",
            "ttr_rules.kernel.engine": "legal_actions",
            "ttr_rules.kernel.events.base": "Event events_in secret",
            "ttr_rules.kernel.extensions": "KeyHelp PrintedName",
            "ttr_rules.kernel.fields": "counted public secret_by_seat",
            "ttr_rules.kernel.hints": "ActionValue BorrowHint BotHint DrawHint LoanHint OpeningHint",
            "ttr_rules.kernel.lazy_actions": "LazyActions LazyPayments",
            "ttr_rules.kernel.map_marks": "CityNote CityPiece MapMark RouteNote",
            "ttr_rules.kernel.paid_rule": "PaidRule",
            "ttr_rules.kernel.part": "Part",
            "ttr_rules.kernel.played": "Played",
            "ttr_rules.kernel.player_score": "Detail Term TicketScore",
            "ttr_rules.kernel.plugin": (
                "Option PluginInfo hookimpl one_of option option_metadata options_of saved written"
            ),
            "ttr_rules.kernel.prices": "Prices PursePrices",
            "ttr_rules.kernel.rules": "Rules",
            "ttr_rules.kernel.scores": (
                "LONGER_PATH LONGEST_PATH MORE_TICKETS MOST_TICKETS PATH_HOLDER TIE_BREAK_P5 Bonus Loan "
                "ScoringTerm TieBreak points_in_play ranked_bonus"
            ),
            "ttr_rules.kernel.scoring": "connected",
            "ttr_rules.kernel.state": "FREE State",
            "ttr_rules.kernel.table": "PlayerEntry Position Report TableEntry",
            "ttr_rules.kernel.transaction": "Transaction",
            "ttr_rules.kernel.turn": "after_claim begin_turn end_game end_turn finish_turn grant_turn",
            "ttr_rules.kernel.variant": "Below Variant tryfirst trylast",
            "ttr_rules.kernel.view": "View",
            "ttr_rules.language": "Catalog Message Seat join_and join_commas marked named noun plural",
            "ttr_rules.mechanics.claims": "not_barred route_cost",
            "ttr_rules.mechanics.ticket_mix": "draw_tickets",
            "ttr_rules.model": (
                "CARD_COLORS Action Board Card Chance City ClaimRoute Color Components Cost Counts Deal Dealer "
                "Decision DrawCounts DrawTickets HiddenDecision KeepAtLeast KeepRule KeepTickets Mix Pass "
                "Question Route Rule Setup Stage Ticket TicketDeck Turn Unkept Unknown to_counts"
            ),
            "ttr_rules.model.tickets": "RuleFile read_rules",
            "ttr_rules.plugins.compiler": "compile_rules compile_without_tickets",
            "ttr_rules.plugins.datafile": "DataVariant load_variant",
            "ttr_rules.plugins.discovery": "Installed info_of installed load_plugin rulebook split_name",
            "ttr_rules.plugins.stack_checks": "shortages",
            "ttr_rules.text": "brief",
        },
    )

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
    "ActionValue",
    "Around",
    "Below",
    "Board",
    "Bonus",
    "BorrowHint",
    "BotHint",
    "Card",
    "Catalog",
    "Chance",
    "Choice",
    "Choose",
    "City",
    "CityNote",
    "CityPiece",
    "ClaimRoute",
    "Color",
    "Components",
    "Cost",
    "Counts",
    "DataVariant",
    "Deal",
    "Dealer",
    "Decision",
    "Detail",
    "DrawCounts",
    "DrawHint",
    "DrawTickets",
    "Economy",
    "EconomyLayer",
    "Event",
    "FrozenMap",
    "HiddenDecision",
    "Installed",
    "InvalidInputError",
    "KeepAtLeast",
    "KeepRule",
    "KeepTickets",
    "KeyHelp",
    "LazyActions",
    "LazyPayments",
    "Loan",
    "LoanHint",
    "LongestPath",
    "MapMark",
    "Message",
    "Mix",
    "NumberedRule",
    "OpeningHint",
    "Option",
    "PaidRule",
    "Part",
    "Pass",
    "Played",
    "PlayerEntry",
    "PlayerScore",
    "PluginError",
    "PluginInfo",
    "Position",
    "Prices",
    "PrintedName",
    "PursePrices",
    "Question",
    "Refusal",
    "Report",
    "Route",
    "RouteNote",
    "Rule",
    "RuleFile",
    "Rules",
    "ScoringTerm",
    "Seat",
    "Setup",
    "SingleActionRule",
    "Stage",
    "State",
    "TableEntry",
    "Term",
    "Ticket",
    "TicketDeck",
    "TicketScore",
    "TieBreak",
    "Transaction",
    "Turn",
    "Unkept",
    "Unknown",
    "Variant",
    "View",
    "after_claim",
    "begin_turn",
    "brief",
    "compile_rules",
    "compile_without_tickets",
    "connected",
    "counted",
    "draw_tickets",
    "economy_of",
    "end_game",
    "end_turn",
    "events_in",
    "finish_turn",
    "grant_turn",
    "hookimpl",
    "i64",
    "info_of",
    "installed",
    "join_and",
    "join_commas",
    "legal_actions",
    "load_plugin",
    "load_variant",
    "longest_path",
    "make_tickets",
    "marked",
    "named",
    "not_barred",
    "noun",
    "one_of",
    "option",
    "option_metadata",
    "options_of",
    "pays_with",
    "plural",
    "points_in_play",
    "public",
    "ranked_bonus",
    "read_rules",
    "read_tickets",
    "route_cost",
    "rulebook",
    "saved",
    "secret",
    "secret_by_seat",
    "shortages",
    "split_name",
    "tickets_option",
    "to_counts",
    "tryfirst",
    "trylast",
    "written",
]
