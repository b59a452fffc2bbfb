"""A server: games are set up, played by what clients send, saved, shown to each seat, and scored."""

from __future__ import annotations

import json
from pathlib import Path

import ttr_rules as ttr
from ttr_rules.clients import json_schema
from ttr_rules.errors import SaveError
from ttr_rules.events import CardDrawn, Unknown
from ttr_variants.europe import BuildStation, Europe, Stations
from ttr_variants.marklin import Marklin

rules: ttr.Rules = ttr.compile_rules("europe", rulings={"station_choice": "ask"})
game: ttr.Game = ttr.new_game(rules=rules, players=["Ada", "Isambard"], seed=1912, first_seat=0)
schema: dict[str, object] = json_schema(rules)


def receive(text: str, seat: int) -> list[str]:
    """What happened by the action that a client sent, as its seat sees it."""
    action = ttr.action_from_json(game.rules, json.loads(text))
    refusal: ttr.Refusal | None = game.refusal(action)
    if refusal is not None:
        return [refusal.rule, refusal.reason]
    return [json.dumps(ttr.to_json(game.rules, event.seen_by(seat))) for event in game.play(action)]


def shown(seat: int | None) -> dict[str, object]:
    """What a seat may see, with the types of what keeps it."""
    view = game.view(seat)
    cards = ttr.cards(view)
    hand: ttr.Counts | None = cards.hand
    built: dict[str, int] = view.part(Stations).built
    faces: tuple[str, ...] = cards.face_up
    sizes: tuple[int, ...] = cards.hand_sizes
    return {"hand": dict(hand or {}), "built": built, "faces": faces, "sizes": sizes, "turn": view.turn}


def drawn_by(seat: int) -> list[str | Unknown]:
    """The cards that a seat drew from the pile."""
    return [event.card for event in game.events if isinstance(event, CardDrawn) and event.seat == seat]


def stations(seat: int) -> list[BuildStation]:
    """Where a station may be built, and how it is paid for."""
    return [action for action in game.legal_actions(seat) if isinstance(action, BuildStation)]


def results() -> dict[str, int]:
    """The totals, and what stations not built were worth."""
    scores: ttr.FinalScores | None = game.final_scores
    if scores is None:
        return {}
    return {player.name: player.total + player.terms["stations"].points for player in scores.players}


def restored(text: str) -> ttr.Game | None:
    """A saved game, if it is one."""
    try:
        return ttr.loads(text, verify=True)
    except SaveError:
        return None


hands: tuple[ttr.Counts, ...] = ttr.cards(game.state).hands
left: list[int] = game.state.part(Stations).left
restored(ttr.dumps(game))
world: ttr.Game = ttr.determinize(game.view(0), rules, seed=7)
table: ttr.FinalScores = ttr.score(None, {"stack": ["europe"], "players": [{"name": "Ada"}, {"name": "Isambard"}]})


def chosen() -> list[ttr.Rules]:
    """Stacks of plugins with options given in Python: by their names, and tickets in any form that is read."""
    rows = [["Berlin", "Ulm", 9, "short"], ["Berlin", "Köln", 9, "long"]]
    plugins = [Marklin(tickets=rows), Marklin(tickets=Path("tickets.toml")), Marklin()]
    return [ttr.compile_rules(Europe(tie_break="P6", station_choice="ask")), *map(ttr.compile_rules, plugins)]
