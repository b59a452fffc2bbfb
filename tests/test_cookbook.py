"""Programs of the cookbook, used as people use them rather than as their pages do."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from pathlib import Path
from random import Random
from socket import SHUT_WR, create_connection, socket
from threading import Thread
from time import sleep
from types import ModuleType
from typing import Any

import pytest
from docs_pages import blocks

import ttr_rules as ttr

pytestmark = pytest.mark.installed_tree


@pytest.fixture
def program() -> Iterator[Callable[[str], ModuleType]]:
    """The program on a page of the cookbook, as a module."""
    loaded: list[str] = []

    def load(page: str) -> ModuleType:
        (block,) = (each for each in blocks(f"cookbook/{page}") if each.language == "python" and each.file)
        assert block.file is not None
        module = ModuleType(Path(block.file).stem)
        sys.modules[module.__name__] = module
        loaded.append(module.__name__)
        exec(compile(block.text, f"{page}:{block.file}", "exec"), vars(module))
        return module

    yield load
    for name in loaded:
        sys.modules.pop(name, None)


# -- the chat bot ----------------------------------------------------------------------------------------------


@pytest.fixture
def referee(program: Callable[[str], ModuleType]) -> Any:
    """A chat in which Ada and Isambard have joined, with a game in which both have to choose their tickets."""
    found = program("chat-bot.md").Referee(seed=1913)
    for who, text in [("Isambard", "join"), ("Ada", "join"), ("Ada", "start europe")]:
        found.answer(who, text)
    return found


@pytest.fixture
def begun(referee: Any) -> Any:
    """The same chat when both have chosen; it is Ada's turn."""
    for who in ("Ada", "Isambard"):
        referee.answer(who, "keep 1 2")
    return referee


def test_kept_tickets_can_be_read(begun: Any) -> None:
    kept = begun.game.view(1).tickets
    assert len(kept) == 2
    assert begun.answer("Ada", "tickets").count(";") == 1


@pytest.mark.parametrize("text", ["keep x", "keep 9", "keep 0 1", "keep -1 1", "keep \N{SUPERSCRIPT TWO}", "keep 1 1"])
def test_only_numbers_of_dealt_tickets_are_kept(referee: Any, text: str) -> None:
    before = referee.game.played
    assert re.search("no ticket|twice|more than once|differ", referee.answer("Ada", text))
    assert referee.game.played == before


@pytest.mark.parametrize("text", ["keep 1", "keep"])
def test_there_is_nothing_to_keep_during_a_turn(begun: Any, text: str) -> None:
    before = begun.game.played
    assert re.search("no ticket|S8", begun.answer("Ada", text))
    assert begun.game.played == before


def test_nothing_is_kept_twice(referee: Any) -> None:
    referee.answer("Ada", "keep 1 2")
    assert "no ticket" in referee.answer("Ada", "keep 1 2")


@pytest.mark.parametrize("text", ["", "  ", "hello"])
def test_a_message_that_says_nothing_is_told_what_can_be_said(begun: Any, text: str) -> None:
    assert begun.answer("Ada", text).startswith("Write ")
    assert type(begun)().answer("Ada", text).startswith("Write ")


def test_a_stranger_is_told_so(begun: Any) -> None:
    assert begun.answer("Grace", "draw") == "Grace does not play in this game."


def test_every_chat_has_a_game_of_its_own(program: Callable[[str], ModuleType]) -> None:
    def hands() -> str:
        chat = program("chat-bot.md").Referee()
        for who, text in [("Ada", "join"), ("Isambard", "join"), ("Ada", "start europe")]:
            chat.answer(who, text)
        return str(chat.answer("Ada", "tickets"))

    assert len({hands() for _ in range(5)}) > 1


def test_a_city_may_have_several_words(begun: Any) -> None:
    chat = type(begun)(seed=1)
    for who, text in [("Ada", "join"), ("Bo", "join"), ("Ada", "start north-america")]:
        chat.answer(who, text)
    assert "no city" not in chat.answer("Ada", "claim New York to Boston")
    assert "no route" in chat.answer("Ada", "claim New York")


def test_a_tunnel_that_costs_more_is_paid_or_given_up(begun: Any) -> None:
    def tunnel() -> None:
        begun.game = ttr.arrange(
            None,
            {
                "stack": ["europe"],
                "seed": 1,
                "draw_pile": ["red", "blue", "green"],
                "players": [{"name": "Isambard", "hand": {"red": 4}}, {"name": "Ada"}],
            },
        )

    tunnel()
    assert begun.answer("Isambard", "claim Paris to Zurich") == "The tunnel costs more. Write `pay` or `withdraw`."
    assert begun.answer("Isambard", "pay") == "Done. Next: Ada."
    assert "paris-zurich-gray" in begun.game.state.owners
    tunnel()
    begun.answer("Isambard", "claim Paris to Zurich")
    assert begun.answer("Isambard", "withdraw") == "Done. Next: Ada."
    assert "paris-zurich-gray" not in begun.game.state.owners


@pytest.mark.parametrize("stack", ["europe", "europe dice", "switzerland", "united-kingdom"])
def test_whatever_people_write_there_is_an_answer(begun: Any, stack: str) -> None:
    chat, random = type(begun)(seed=7), Random(7)
    words = ["", "hand", "tickets", "keep", "draw", "claim", "pay", "withdraw", "pass", "join", "start"]
    more = ["", "1 2", "1 2 3", "red", "tickets", "to", "Paris to Wien", "Paris to", "9" * 5000]
    for who, text in [
        ("Ada", "join"),
        ("Bo", "join"),
        ("Ada", f"start {stack}"),
        ("Ada", "keep 1 2 3"),
        ("Bo", "keep 1 2 3"),
    ]:
        assert chat.answer(who, text)
    for _ in range(300):
        assert chat.answer(random.choice(["Ada", "Bo", "Cy"]), f"{random.choice(words)} {random.choice(more)}")
    assert chat.game.played >= 2


# -- the web server --------------------------------------------------------------------------------------------


@pytest.fixture
def server(program: Callable[[str], ModuleType]) -> Iterator[tuple[ModuleType, tuple[str, int]]]:
    """The server on the page, running, and its address."""
    module = program("web-server.md")
    running = ThreadingHTTPServer(("127.0.0.1", 0), module.Handler)
    Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield module, ("127.0.0.1", running.server_port)
    running.shutdown()
    running.server_close()


def request(address: tuple[str, int], method: str, path: str, body: str | None = None) -> tuple[int, Any]:
    connection = HTTPConnection(*address, timeout=60)
    try:
        connection.request(method, path, body)
        answer = connection.getresponse()
        return answer.status, json.load(answer)
    finally:
        connection.close()


def all_of(client: socket) -> bytes:
    """All that the server sends."""
    return b"".join(iter(lambda: client.recv(1000), b""))


STALLED = b"POST /0 HTTP/1.0\r\nContent-Length: 100\r\n\r\n{"


def test_a_client_that_stalls_stops_nobody_else(server: Any) -> None:
    _, address = server
    with create_connection(address, timeout=60) as stalled:
        stalled.sendall(STALLED)
        sleep(0.1)  # until the server waits for the rest
        assert request(address, "GET", "/1")[0] == 200
        stalled.shutdown(SHUT_WR)
        assert b" 400 " in all_of(stalled)


def test_a_client_that_stalls_is_given_up(server: Any) -> None:
    module, address = server
    assert 0 < module.Handler.timeout <= 60
    module.Handler.timeout = 0.1
    with create_connection(address, timeout=60) as stalled:
        # A server that gave it up before the rest was sent resets the connection.
        with suppress(ConnectionError):
            stalled.sendall(STALLED)
            assert stalled.recv(1) == b""


@pytest.mark.parametrize("length", ["20000", "-1", "x"])
def test_what_is_too_long_is_not_read(server: Any, length: str) -> None:
    with create_connection(server[1], timeout=60) as client:
        client.sendall(f"POST /0 HTTP/1.0\r\nContent-Length: {length}\r\n\r\n".encode())
        assert b" 400 " in all_of(client)


def test_the_server_holds_the_lock_neither_while_it_reads_nor_while_it_replies(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, address = server
    held: list[bool] = []
    reply = module.Handler.reply

    def watched(self: Any, code: int, body: dict[str, object]) -> None:
        held.append(module.LOCK.locked())
        reply(self, code, body)

    monkeypatch.setattr(module.Handler, "reply", watched)
    action = request(address, "GET", "/0")[1]["offer"]["kinds"][0]["actions"][0]
    posts: list[tuple[str, Any]] = [
        ("/0", action),
        ("/0", action),
        ("/1", action),
        ("/7", action),
        ("/0", {}),
        ("/0", "x"),
    ]
    for path, sent in posts:
        request(address, "POST", path, json.dumps(sent))
    assert held == [False] * 7


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/7", "{}", 404),
        ("/00", "{}", 404),
        ("/", "{}", 404),
        ("/0", "", 400),
        ("/0", "[" * 9_000, 400),
        ("/0", "9" * 9_000, 400),
        ("/0", '{"type": "core.DrawTickets", "seat": 1}', 403),
        ("/0", '{"type": "core.DrawTickets", "seat": 0}', 409),
    ],
)
def test_what_the_server_refuses(server: Any, path: str, body: str, code: int) -> None:
    assert request(server[1], "POST", path, body)[0] == code


# -- the photo -------------------------------------------------------------------------------------------------


def test_names_with_hyphens_can_be_read_from_a_photo(program: Callable[[str], ModuleType]) -> None:
    table = program("score-a-photo.md").read("switzerland\nAda: La Chaux-de-Fonds > Yverdon\nBo: Basel > Olten")
    assert [player.route_points > 0 for player in ttr.score(None, table).players] == [True, True]
