"""A bot in Python that knows a game by its messages alone, against the server of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

import pytest

import ttr_rules as ttr
from ttr_rules.clients import Act, Hello, Refused, Update, read_server_message, rules_from_json

pytest.importorskip("starlette", reason="the extra `web` is not installed: clients did NOT play against the server")
pytestmark = pytest.mark.slow

from remote_bot import play  # noqa: E402 (needs the extra)
from serving import Served  # noqa: E402
from websockets.sync.client import ClientConnection, connect  # noqa: E402

from ttr_tools.web import Table  # noqa: E402

M = TypeVar("M", Update, Refused)


@pytest.mark.parametrize("stack", [("marklin", "germany-tickets"), ("europe", "dice")], ids="+".join)
def test_a_bot_far_away_rebuilds_its_views_and_deals_worlds_that_fit(stack: tuple[str, ...], tmp_path: Path) -> None:
    with Served(tmp_path / "games.db") as served:
        table = served.open(*stack, people=(0,))
        scores = play(address(served, table), token(table, 0), seed=7)
    assert len(scores.players) == 2 and scores.winners
    assert scores.players[0].completed_tickets, "the planner plays for its tickets"


def test_a_client_that_comes_back_is_told_what_it_missed_and_why_it_is_refused(tmp_path: Path) -> None:
    """Two people: one leaves, the other plays on, and nobody learns what the other one drew."""
    with Served(tmp_path / "games.db") as served:
        table = served.open("europe", people=(0, 1))
        url = address(served, table)
        with connect(url) as first, connect(url) as second:
            sockets = (first, second)
            rules, _ = [joined(socket, token(table, seat), None) for seat, socket in enumerate(sockets)]
            for seat, socket in enumerate(sockets):
                update = told(rules, socket, Update)
                assert update.view.seat == seat and update.offer is not None
                act(rules, socket, update.offer.kinds[0].actions[0], update.expected)
            turn = told(rules, first, Update, least=2).view.turn
            sockets[1 - turn].close()
            player = sockets[turn]
            claim = ttr.ClaimRoute(turn, "paris-zurich-gray", {"locomotive": 3})
            act(rules, player, claim, 2)
            refused = told(rules, player, Refused)
            assert refused.rules == ("C1",) and refused.allowed is not None and refused.action == claim
            for number in (2, 3):
                act(rules, player, ttr.DrawBlind(turn), number)
                told(rules, player, Update, least=number + 1)
        with connect(url) as again:
            joined(again, token(table, 1 - turn), 2)
            update = told(rules, again, Update)
        assert [(move.number, move.seat) for move in update.moves] == [(3, turn), (4, turn)]
        drawn = [ttr.to_json(rules, move.events[0]) for move in update.moves]
        assert [event["card"] for event in drawn] == [{"count": 1}] * 2
        assert update.expected == 4 and update.view.to_act == (1 - turn,)


def address(served: Served, table: Table) -> str:
    """The socket of a table."""
    return f"ws://127.0.0.1:{served.port}/{table.id}/socket"


def token(table: Table, seat: int) -> str:
    """The token of a person's seat."""
    found = table.tokens[seat]
    assert found is not None
    return found


def joined(socket: ClientConnection, token: str, since: int | None) -> ttr.Rules:
    """Join a game; the rules that the server plays by."""
    socket.send(json.dumps({"type": "join", "token": token, "since": since}))
    hello = socket.recv(timeout=60)
    rules = rules_from_json(hello)
    assert isinstance(read_server_message(rules, hello), Hello)
    return rules


def told(rules: ttr.Rules, socket: ClientConnection, kind: type[M], least: int = 0) -> M:
    """The next message of a type, with this number at least; others are passed over."""
    while True:
        message = read_server_message(rules, socket.recv(timeout=60))
        if isinstance(message, kind) and message.number >= least:
            return message


def act(rules: ttr.Rules, socket: ClientConnection, action: ttr.Action, expected: int) -> None:
    """Play an action."""
    socket.send(json.dumps(ttr.to_json(rules, Act(action, expected))))
