"""A server of games in a thread of this process, and clients for tests: those of pages in a browser have it too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, Self

from waiting import until
from websockets.sync.client import ClientConnection, connect

import ttr_rules as ttr
from ttr_tools.web import Table, Tables, application, listen
from ttr_tools.web.server import make_server


class Served:
    """A running server, and its tables."""

    def __init__(self, path: Path, port: int = 0, **options: Any) -> None:
        self.tables = Tables(path)
        self._listening = listen(port=port)
        self.port: int = self._listening.getsockname()[1]
        self._server = make_server(application(self.tables, **options))
        self._thread = Thread(target=lambda: self._server.run(sockets=[self._listening]), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        until(lambda: self._server.started)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(60)
        assert not self._thread.is_alive(), "the server does not stop"
        self._listening.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self, *stack: str, people: tuple[int, ...] = (0, 1), players: int = 2, seed: int = 1) -> Table:
        """A new table."""
        return self.tables.open(ttr.new_game(*stack, players=players, seed=seed), people)

    def link(self, table: Table, seat: int | None) -> str:
        """The address of the page for a seat, or for spectators."""
        return f"{self.url}/{table.id}" + ("" if seat is None else f"#{table.tokens[seat]}")

    def client(self, table: Table, seat: int | None = None, since: int | None = None, **options: Any) -> Client:
        """A client that has joined."""
        token = None if seat is None else table.tokens[seat]
        client = self.connected(table.id, **options)
        client.send({"type": "join", "token": token, "since": since})
        client.hello = client.receive()
        assert client.hello["type"] == "hello", client.hello
        return client

    def connected(self, id: str, path: str = "socket", headers: Mapping[str, str] | None = None) -> Client:
        """A client that has not joined yet."""
        return Client(connect(f"ws://127.0.0.1:{self.port}/{id}/{path}", additional_headers=headers, max_size=None))


class Client:
    """One connection."""

    def __init__(self, opening: AbstractContextManager[ClientConnection]) -> None:
        self._opened = ExitStack()
        self.socket = self._opened.enter_context(opening)
        self.received: list[str] = []
        self.hello: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def receive(self) -> dict[str, Any]:
        text = self.socket.recv(60)
        assert isinstance(text, str)
        self.received.append(text)
        found: dict[str, Any] = json.loads(text)
        return found

    def of_type(self, *types: str) -> dict[str, Any]:
        """The next message of one of some types; others are skipped."""
        while True:
            message = self.receive()
            if message["type"] in types:
                return message

    def asked(self, message: Any, *types: str) -> dict[str, Any]:
        """The answer to a message."""
        self.send(message)
        return self.of_type(*types, "refused", "error")

    def answer(self, update: Mapping[str, Any], action: Mapping[str, Any]) -> dict[str, Any]:
        """Play an action in answer to an update."""
        return self.asked({"type": "act", "action": action, "expected": update["expected"]}, "accepted")

    def play_to_the_end(self, chance: Random, most: int = 100_000) -> dict[str, Any]:
        """Play actions of offers, cheapest payments or others, until the game is over."""
        while True:
            message = self.of_type("update", "over")
            if message["type"] == "over" or message["number"] >= most:
                return message
            if message["offer"]:
                action = self._choose(message["offer"], chance)
                found = self.answer(message, action)
                answer = {name: value for name, value in found.items() if name != "allowed"}
                assert found["type"] == "accepted", f"update {message['number']} offered {action}; answer: {answer}"

    def _choose(self, offer: Mapping[str, Any], chance: Random) -> dict[str, Any]:
        kind = chance.choice(offer["kinds"])
        if kind["actions"]:
            chosen: dict[str, Any] = chance.choice(kind["actions"])
            return chosen
        purchase = chance.choice(kind["purchases"])
        start = chance.randrange(purchase["payments"])
        listed = self.asked(
            {"type": "list_payments", "action": purchase["cheapest"], "start": start, "limit": 1}, "payments"
        )
        found: dict[str, Any] = listed["page"]["actions"][0]
        return found
