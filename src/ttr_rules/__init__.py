"""The rules of the Ticket to Ride family as a library.

Compile a stack of plugins with `compile_rules`, set up a game with `new_game`, list actions with `Game.legal_actions`
and play them with `Game.play`. What authors of variants need is in `ttr_rules.plugins`, the events of a game are in
`ttr_rules.events`, and the data types (cards, routes, tickets) in `ttr_rules.model`.
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_rules._internal.native import compiled as compiled
    from ttr_rules._version import __version__ as __version__
    from ttr_rules.boards import load_board as load_board
    from ttr_rules.clients import (
        action_from_json as action_from_json,
        board as board,
        event_from_json as event_from_json,
        to_json as to_json,
        view_from_json as view_from_json,
    )
    from ttr_rules.errors import (
        IllegalActionError as IllegalActionError,
        InvalidInputError as InvalidInputError,
        Refusal as Refusal,
        TTRError as TTRError,
    )
    from ttr_rules.hidden import determinize as determinize
    from ttr_rules.kernel.column import PlayerScore as PlayerScore
    from ttr_rules.kernel.events import Event as Event
    from ttr_rules.kernel.rules import Rules as Rules
    from ttr_rules.kernel.scores import FinalScores as FinalScores
    from ttr_rules.kernel.state import State as State
    from ttr_rules.kernel.view import View as View
    from ttr_rules.model import (
        AbandonTunnel as AbandonTunnel,
        Action as Action,
        Board as Board,
        ClaimRoute as ClaimRoute,
        Counts as Counts,
        Decision as Decision,
        DrawTickets as DrawTickets,
        KeepTickets as KeepTickets,
        Pass as Pass,
        PayTunnel as PayTunnel,
        Route as Route,
        Ticket as Ticket,
        Turn as Turn,
    )
    from ttr_rules.play import (
        Game as Game,
        SeenMove as SeenMove,
        arrange as arrange,
        new_game as new_game,
        playout as playout,
        score as score,
    )
    from ttr_rules.plugins.compiler import compile_rules as compile_rules
    from ttr_rules.plugins.discovery import installed as installed
    from ttr_rules.saves import Journals as Journals, dumps as dumps, loads as loads
    from ttr_rules.train_cards import DrawBlind as DrawBlind, DrawFaceUp as DrawFaceUp, cards as cards
else:
    __getattr__, __dir__, __all__ = lazily(
        __name__,
        {
            "ttr_rules._internal.native": "compiled",
            "ttr_rules._version": "__version__",
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
