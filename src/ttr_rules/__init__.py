"""The rules of the Ticket to Ride family as a library.

Compile a stack of plugins with `compile_rules`, set up a game with `new_game`, list actions with `Game.legal_actions`
and play them with `Game.play`. What authors of variants need is in `ttr_rules.plugins`, the events of a game are in
`ttr_rules.events`, and the data types (cards, routes, tickets) in `ttr_rules.model`.
"""

from typing import TYPE_CHECKING

from ttr_rules._version import __version__
from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_rules._internal.native import compiled
    from ttr_rules.boards import load_board
    from ttr_rules.clients import action_from_json, board, event_from_json, to_json, view_from_json
    from ttr_rules.errors import IllegalActionError, InvalidInputError, Refusal, TTRError
    from ttr_rules.hidden import determinize
    from ttr_rules.kernel.column import PlayerScore
    from ttr_rules.kernel.events import Event
    from ttr_rules.kernel.rules import Rules
    from ttr_rules.kernel.scores import FinalScores
    from ttr_rules.kernel.state import State
    from ttr_rules.kernel.view import View
    from ttr_rules.model import (
        AbandonTunnel,
        Action,
        Board,
        ClaimRoute,
        Counts,
        Decision,
        DrawTickets,
        KeepTickets,
        Pass,
        PayTunnel,
        Route,
        Ticket,
        Turn,
    )
    from ttr_rules.play import Game, SeenMove, arrange, new_game, playout, score
    from ttr_rules.plugins.compiler import compile_rules
    from ttr_rules.plugins.discovery import installed
    from ttr_rules.saves import Journals, dumps, loads
    from ttr_rules.train_cards import DrawBlind, DrawFaceUp, cards
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "ttr_rules._internal.native": "compiled",
            "ttr_rules.boards": "load_board",
            "ttr_rules.clients": "action_from_json board event_from_json to_json view_from_json",
            "ttr_rules.errors": "IllegalActionError InvalidInputError Refusal TTRError",
            "ttr_rules.hidden": "determinize",
            "ttr_rules.kernel.column": "PlayerScore",
            "ttr_rules.kernel.events": "Event",
            "ttr_rules.kernel.rules": "Rules",
            "ttr_rules.kernel.scores": "FinalScores",
            "ttr_rules.kernel.state": "State",
            "ttr_rules.kernel.view": "View",
            "ttr_rules.model": (
                "AbandonTunnel Action Board ClaimRoute Counts Decision DrawTickets KeepTickets Pass PayTunnel "
                "Route Ticket Turn"
            ),
            "ttr_rules.play": "Game SeenMove arrange new_game playout score",
            "ttr_rules.plugins.compiler": "compile_rules",
            "ttr_rules.plugins.discovery": "installed",
            "ttr_rules.saves": "Journals dumps loads",
            "ttr_rules.train_cards": "DrawBlind DrawFaceUp cards",
        },
    )

__all__ = [
    "AbandonTunnel",
    "Action",
    "Board",
    "ClaimRoute",
    "Counts",
    "Decision",
    "DrawBlind",
    "DrawFaceUp",
    "DrawTickets",
    "Event",
    "FinalScores",
    "Game",
    "IllegalActionError",
    "InvalidInputError",
    "Journals",
    "KeepTickets",
    "Pass",
    "PayTunnel",
    "PlayerScore",
    "Refusal",
    "Route",
    "Rules",
    "SeenMove",
    "State",
    "TTRError",
    "Ticket",
    "Turn",
    "View",
    "__version__",
    "action_from_json",
    "arrange",
    "board",
    "cards",
    "compile_rules",
    "compiled",
    "determinize",
    "dumps",
    "event_from_json",
    "installed",
    "load_board",
    "loads",
    "new_game",
    "playout",
    "score",
    "to_json",
    "view_from_json",
]
