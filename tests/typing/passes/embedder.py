"""A server: games are set up, played by what clients send, saved, shown to each seat, and scored."""

from __future__ import annotations

import json
from pathlib import Path

import ttr_rules as ttr
from ttr_rules.clients import (
    Accepted,
    Act,
    Actions,
    ClientMessage,
    ErrorMessage,
    ListActions,
    ListPayments,
    Over,
    Payments,
    Refused,
    ServerMessage,
    Update,
    json_schema,
    read_client_message,
    read_server_message,
)
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


def answered(text: str, seat: int) -> str:
    """The answer to a message of a client."""
    sent: ServerMessage
    try:
        message: ClientMessage = read_client_message(rules, text)
        if isinstance(message, Act):
            game.play(message.action, expected=message.expected)
            sent = Accepted(game.played, message.id)
        elif isinstance(message, ListPayments):
            sent = Payments(message.action, game.payments(message.action, message.start, message.limit), message.id)
        elif isinstance(message, ListActions):
            sent = Actions.of(game, seat, message.first, message.limit, message.id)
        else:
            sent = Update.of(game, seat, message.since)
    except ttr.InvalidInputError as error:
        sent = ErrorMessage(str(error), id=None)
    return json.dumps(ttr.to_json(rules, sent))


def understood(text: str) -> ttr.View | ttr.FinalScores | tuple[str, ...] | None:
    """What a bot far away makes of a message."""
    message: ServerMessage = read_server_message(rules, text)
    if isinstance(message, Update):
        return message.view
    if isinstance(message, Refused):
        return message.rules
    return message.scores if isinstance(message, Over) else None


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
