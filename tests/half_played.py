"""Games in the middle of play, each with what a program sends along, for every way in which rules are made.

`play_on` plays one to its end; the result must be the same wherever that is done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import ttr_telegraph
from plugins import coins, excursions

import ttr_maps
import ttr_rules as ttr
from ttr_rules.engine import legal_actions
from ttr_rules.plugins.compiler import with_tickets
from ttr_tools.bots import Bot, play_game
from ttr_variants.europe import Europe
from ttr_variants.marklin import Marklin


def own_tickets() -> ttr.Rules:
    known = [[*ticket.cities, ticket.points, ticket.kind] for ticket in ttr_maps.load("marklin").tickets]
    return ttr.compile_rules(Marklin(tickets=known), "dice")


CASES: dict[str, Callable[[], ttr.Rules]] = {
    "names": lambda: ttr.compile_rules("europe", "dice"),
    "options": lambda: ttr.compile_rules("europe:tie_break=P6"),
    "rulings": lambda: ttr.compile_rules("europe", rulings={"second_card_optional": True}),
    "own board": lambda: ttr.compile_rules("north-america", board=ttr_maps.load("europe")),
    "own tickets": own_tickets,
    "instance": lambda: ttr.compile_rules(Europe(tie_break="P6")),
    "third party's instance": lambda: ttr.compile_rules("europe", coins.CoinsPlugin()),
    "module": lambda: ttr.compile_rules("north-america", excursions),
    "third party's module": lambda: ttr.compile_rules("europe", ttr_telegraph, excursions),
    "entry point": lambda: ttr.compile_rules("nordic-countries", "telegraph"),
    "more tickets": lambda: with_tickets(ttr.compile_rules("europe"), [ttr.Ticket("x", ("paris", "wien"), 99)]),
}


def half_played(rules: ttr.Rules) -> dict[str, Any]:
    """A game of two after forty actions, and everything that one may want to send of it."""
    bots = [Bot("Ada"), Bot("Isambard")]
    game = ttr.new_game(rules=rules, players=["Ada", "Isambard"], seed=5)
    events: list[ttr.Event] = []
    for _ in range(40):
        seat = game.to_act[0]
        events += game.play(bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))
    seat = game.to_act[0]
    return {
        "game": game, "bots": bots, "rules": rules, "state": game.state, "view": game.view(seat), "events": events,
        "legal": tuple(game.legal_actions(seat)), "payments": {action: 1 for action in game.legal_actions(seat)},
        "scores": ttr.playout(rules, 2, 1), "deck": rules.deck, "board": rules.board, "decision": game.decision(seat),
    }  # fmt: skip


def play_on(sent: dict[str, Any]) -> dict[str, Any]:
    """What becomes of a game: its actions are legal, its bots play it to the end."""
    game, rules = sent["game"], sent["rules"]
    seat = game.to_act[0]
    assert game.rules is rules and game.state == sent["state"] and game.view(seat) == sent["view"]
    assert tuple(game.legal_actions(seat)) == sent["legal"]
    assert all(game.is_legal(action) for action in sent["legal"])
    assert tuple(legal_actions(sent["state"], seat)) == sent["legal"]
    assert all(action in sent["payments"] for action in game.legal_actions(seat)), "a hash is not that of this process"
    assert [event for move in game.moves for event in move.events][-len(sent["events"]) :] == sent["events"]
    assert sent["decision"] == game.decision(seat) and sent["scores"] == ttr.playout(rules, 2, 1)
    assert {ticket.id for ticket in sent["deck"].tickets} <= set(rules.tickets)
    assert list(sent["board"].routes.values()) == list(rules.board.routes.values())
    play_game(game, sent["bots"])
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    return {"scores": game.final_scores.to_json(), "moves": hashlib.sha256(ttr.dumps(game).encode()).hexdigest()}
