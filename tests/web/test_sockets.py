"""The socket of a table: games are played over it, what is wrong is refused, nobody gets what is not for them."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import product
from pathlib import Path
from random import Random
from threading import Event
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("websockets", reason="the extra web is not installed")

import anyio
from serving import Client, Served
from waiting import until
from websockets.exceptions import ConnectionClosed, InvalidStatus

import ttr_rules as ttr
from ttr_rules.clients import read_server_message
from ttr_rules.errors import PluginError, SaveError
from ttr_tools.narration import Line, Names, Narrator
from ttr_tools.replay import line_data
from ttr_tools.web import Table, server, tables

# -- playing -------------------------------------------------------------------------------------------------------

#: How much is played of a game: of some the beginning, of one, with other decisions, everything.
PLAYED = [
    (("europe",), 30),
    pytest.param(("united-kingdom",), 60, marks=pytest.mark.slow),
    pytest.param(("europe", "dice"), 100_000, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("stack", "most"), PLAYED, ids=str)
def test_two_people_and_a_bot_play_a_game_that_a_spectator_watches(
    served: Served, stack: tuple[str, ...], most: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything that is sent is a message of the library; each sees the game as their seat may see it, and no more."""
    caplog.set_level(logging.DEBUG)
    game = ttr.new_game(*stack, players=2, seed=1)
    players = min(3, game.rules.components.max_players)
    table = served.open(*stack, people=(0, 1), players=players)
    with served.client(table, 0) as one, served.client(table, 1) as two, served.client(table) as watching:
        with ThreadPoolExecutor() as threads:
            ends = [
                threads.submit(each.play_to_the_end, Random(number), most) for number, each in enumerate((one, two))
            ]
            seen = [end.result(300).get("scores") for end in ends]
        until(lambda: table.bot_to_act is None)
        played = table.game
        if played.final_scores is not None:
            seen.append(watching.of_type("over")["scores"])
            assert seen == [ttr.to_json(played.rules, played.final_scores)] * 3
        else:
            assert most <= played.played
            for client in (one, two, watching):
                _until_number(client, played.played)
    assert json.loads(watching.received[0])["board"]["layout"]["routes"]
    whose: tuple[tuple[Client, int | None], ...] = ((one, 0), (two, 1), (watching, None))
    for client, who in whose:
        _check_what_was_seen(client, who, played)
    with ttr.Journals(served.tables.path) as journals:
        kept = journals.read(table.id, rules=played.rules)
    assert kept == played
    logged = "".join(each.getMessage() for each in caplog.records if not each.name.startswith("websockets.client"))
    for token in filter(None, table.tokens):
        assert token not in logged and not any(token in text for text in watching.received + one.received)


def _check_what_was_seen(client: Client, seat: int | None, game: ttr.Game) -> None:
    """The moves are those that the seat may see, each once; and all that was sent is a message of the library."""
    moves: list[dict[str, Any]] = []
    for text in client.received:
        message = read_server_message(game.rules, text)
        if message.type == "update":
            moves += json.loads(text)["moves"]
    assert [move["number"] for move in moves] == list(range(game.played + 1))
    assert moves == [ttr.to_json(game.rules, move) for move in game.messages(None, seat)]


def test_an_answer_waits_for_older_news(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection is sent everything in the order of the game, however long the way is from the game to the line."""
    computed, news = Event(), tables.Room.news

    async def delayed(self: tables.Room, client: tables.Client, *rest: Any, **more: Any) -> tuple[int, list[str]]:
        found = await news(self, client, *rest, **more)
        if (client.seat, found[0]) == (0, 1):
            computed.set()
            await anyio.sleep(0.1)
        return found

    monkeypatch.setattr(tables.Room, "news", delayed)
    table = served.open("europe")
    with served.client(table, 0) as one, served.client(table, 1) as two:
        updates = [(client, client.of_type("update")) for client in (two, one)]
        for client, update in updates:
            client.answer(update, update["offer"]["kinds"][0]["actions"][0])
            assert computed.wait(60)
        received = [json.loads(text) for text in _until_number(one, 2)[1:]]
    assert [(each["type"], each["number"]) for each in received] == [
        ("update", 0),
        ("update", 1),
        ("accepted", 2),
        ("update", 2),
    ]


def test_nobody_is_sent_the_tickets_of_others(served: Served) -> None:
    table = served.open("europe")
    with served.client(table, 0) as one, served.client(table, 1) as two, served.client(table) as watching:
        clients = {0: one, 1: two, None: watching}
        for seat in (0, 1):
            update = clients[seat].of_type("update")
            clients[seat].answer(update, update["offer"]["kinds"][0]["actions"][0])
        texts = {seat: "".join(_until_number(client, 2)) for seat, client in clients.items()}
    held = [set(table.game.view(seat).tickets) for seat in (0, 1)]
    assert held[0] and held[1]
    board = {ticket.id for ticket in ttr.board(table.game.rules).tickets}
    assert held[0] | held[1] <= board, "everybody gets the list of all tickets, which is printed"
    for viewer, text in texts.items():
        updates = text.partition('"type": "update"')[2]
        for other in {0, 1} - {viewer}:
            found = [id for id in held[other] if f'"{id}"' in updates]
            assert not found, f"{viewer} was sent tickets of seat {other}"


def _until_number(client: Client, number: int) -> list[str]:
    while json.loads(client.received[-1]).get("number", -1) < number or '"type": "update"' not in client.received[-1]:
        client.receive()
    return client.received


def test_a_client_that_comes_back_gets_what_it_missed_and_no_more(served: Served) -> None:
    table = served.open("europe", people=(0,), players=3)
    with served.client(table, 0) as client:
        last = client.play_to_the_end(Random(1), most=20)
    with served.client(table, 0, since=last["number"] - 5) as client:
        update = client.of_type("update")
        assert [move["number"] for move in update["moves"]][:5] == list(range(last["number"] - 4, last["number"] + 1))
    until(lambda: table.bot_to_act is None)
    with served.client(table, 0, since=table.game.played) as client:
        update = client.of_type("update")
        assert update["moves"] == [] and update["number"] == table.game.played and update["offer"]


def test_a_page_gets_the_same_messages_with_words(served: Served) -> None:
    table = served.open("europe", people=(0,), players=2)
    with served.connected(table.id, "socket/page") as page, served.client(table, 0) as client:
        page.send({"type": "join", "token": table.tokens[0], "lang": "de"})
        update, same = page.of_type("update"), client.of_type("update")
        words = update.pop("words")
        assert update.keys() == same.keys() and update["offer"] == same["offer"]
        assert words["menu"]["question"] == "Welche dieser Zielkarten behältst du?"
        assert words["moves"][0]["lines"][0][0] == "Player 1 und Player 2 spielen; Player 2 beginnt."
        keep = update["offer"]["kinds"][0]["actions"][0]
        listed = page.asked({"type": "list_actions", "first": 3, "limit": 4, "id": 8}, "actions")
        assert len(listed["words"]) == len(listed["actions"]) == 4 and all(listed["words"]) and listed["id"] == 8
        assert page.answer(update, keep)["type"] == "accepted"
        while not (update := page.of_type("update"))["offer"]:
            pass
        claims = next(kind for kind in update["offer"]["kinds"] if kind["type"] == "core.ClaimRoute")
        paid = page.asked({"type": "list_payments", "action": claims["purchases"][0]["cheapest"]}, "payments")
        assert len(paid["words"]) == len(paid["page"]["actions"]) >= 1
        late = page.asked({"type": "act", "action": keep, "expected": 0})
        assert late["reason"] == "Das Spiel ist weitergegangen: Schau noch einmal hin und wähle dann."


def test_a_story_is_told_once_to_all_who_read_the_same(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    table, told, tell = served.open("europe", people=(0, 1), players=2), [], Narrator.tell
    game = table.game

    def counted(narrator: Narrator, events: Sequence[Any]) -> list[Line]:
        told.append(narrator)
        return tell(narrator, events)

    def lines(seat: int | None, names: Names, since: int | None) -> list[Any]:
        [update] = tables.update(table, tables.Client(seat, names, page=True), since)
        return [(move["number"], move["lines"]) for move in update["words"]["moves"]]

    monkeypatch.setattr(Narrator, "tell", counted)
    names = [Names(game.rules, game.players, game.rules.language(lang)) for lang in ("en", "de")]
    for number in range(9):
        for seat, its in product((0, None), names):
            anew = Narrator(its.rules, its.players, seat, its.language)
            whole = [(move.number, [*map(line_data, tell(anew, move.events))]) for move in game.messages(None, seat)]
            assert lines(seat, its, None) == whole and lines(seat, its, number // 2) == whole[number // 2 + 1 :]
        table.play(game.legal_actions(game.to_act[0])[0], number)
    assert len(set(told)) == 4 and len(told) == 4 * 9, "one for each reader, who hears of each move once"


def test_several_connections_have_one_seat(served: Served) -> None:
    table = served.open("europe")
    with served.client(table, 0) as one, served.client(table, 0) as other:
        update, same = one.of_type("update"), other.of_type("update")
        assert update == same
        assert one.answer(update, update["offer"]["kinds"][0]["actions"][0])["number"] == 1
        refused = other.answer(same, same["offer"]["kinds"][0]["actions"][1])
        assert refused["type"] == "refused", "the choice is made already"
        assert table.game.played == 1


# -- what is refused -----------------------------------------------------------------------------------------------

DRAW = {"type": "train-cards.DrawBlind", "seat": 0}
HOSTILE = [
    ("", "not a message"),
    ("[" * 10_000, "not a message"),
    ("[]", "expected an object"),
    ("null", "expected an object"),
    ('{"type": "win"}', "'win'"),
    ('{"type": ["act"]}', "'act'"),
    ('{"type": "act"}', "action"),
    ('{"type": "act", "action": 5, "expected": 0}', "expected an object"),
    ('{"type": "act", "action": {"type": "os.system", "seat": 0}, "expected": 0}', "os.system"),
    ('{"type": "act", "action": {"type": "core.Pass", "seat": 1e400}, "expected": 0}', "seat"),
    (f'{{"type": "act", "action": {json.dumps(DRAW)}, "expected": NaN}}', "expected a whole number"),
    (f'{{"type": "act", "action": {json.dumps(DRAW)}, "expected": 0, "expected": 0}}', "expected"),
    (f'{{"type": "act", "action": {json.dumps(DRAW)}, "expected": 0, "id": "\\ud800"}}', "id"),
    ('{"type": "list_actions", "first": -1}', "0 or later"),
    ('{"type": "list_actions", "first": 0, "limit": 100000}', "1 to 100"),
    (f'{{"type": "list_payments", "action": {json.dumps(DRAW)}}}', "has no payment"),
    ('{"type": "join", "since": null}', "joined already"),
    ("x" * (tables.LONGEST + 1), "at most"),
    ('{"type": "act", "action": {"type": "core.Pass", "seat": 1}, "expected": 0}', "cannot act for seat 1"),
    ('{"type": "list_payments", "action": {"type": "core.PayTunnel", "seat": 1, "payment": {}}}', "cannot act for seat 1"),
    ('{"type": "list_payments", "action": {"type": "core.PayTunnel", "seat": -1, "payment": {}}}', "cannot act for seat -1"),
]  # fmt: skip


def test_what_cannot_be_read_or_is_for_another_seat_is_refused_in_words(served: Served) -> None:
    """All on one connection, which goes on."""
    table = served.open("europe")
    before = table.game.copy()
    with served.client(table, 0) as client:
        for text, said in HOSTILE:
            answer = client.asked(text)
            assert answer["type"] == "error" and said in answer["reason"], (text[:80], answer)
            assert len(answer["reason"]) < 700, "what was sent is not sent back whole"
        assert table.game == before
        assert client.of_type("update") if not _had_update(client) else True


def _had_update(client: Client) -> bool:
    return any('"type": "update"' in text for text in client.received)


def test_illegal_and_outdated_actions_are_refused_with_what_would_be_allowed(served: Served) -> None:
    table = served.open("europe")
    with served.client(table, 0) as client:
        update = client.of_type("update")
        refused = client.asked({"type": "act", "action": DRAW, "expected": update["expected"], "id": 7})
        assert (refused["type"], refused["id"], refused["number"]) == ("refused", 7, 0)
        assert refused["allowed"] == update["offer"] and refused["rules"]
        keep = update["offer"]["kinds"][0]["actions"][0]
        client.answer(update, keep)
        late = client.asked({"type": "act", "action": keep, "expected": 0})
        assert late["type"] == "refused" and table.game.played == 1
        for expected in (-1, 2, 10**15):
            assert client.asked({"type": "act", "action": keep, "expected": expected})["type"] == "refused"
    with served.client(table) as watching:
        assert (
            watching.asked({"type": "act", "action": DRAW, "expected": 1})["reason"]
            == "You are watching: only players can act."
        )
    assert table.game.played == 1


@pytest.mark.parametrize(
    ("join", "said"),
    [
        ({"type": "join", "token": "guessed"}, "no seat of this game"),
        ({"type": "join", "token": "", "lang": "de"}, "zu keinem Platz"),
        ({"type": "join", "token": "\ud800é"}, "no seat of this game"),
        ({"type": "join", "since": 5}, "0 to 0 actions were played"),
        ({"type": "join", "since": -1}, "0 to 0 actions were played"),
        ({"type": "act", "action": DRAW, "expected": 0}, "joins first"),
        ("{", "not a message"),
        ({"type": "\ud800"}, "type"),
    ],
)
def test_who_does_not_join_is_told_why_and_sent_away(served: Served, join: Any, said: str) -> None:
    table = served.open("europe")
    with served.connected(table.id) as client:
        client.send(join)
        answer = client.receive()
        assert answer["type"] == "error" and said in answer["reason"]
        with pytest.raises(ConnectionClosed) as closed:
            client.receive()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == server.REFUSED


def test_a_token_is_for_one_table(served: Served) -> None:
    table, other = served.open("europe"), served.open("europe")
    with served.connected(other.id) as client:
        client.send({"type": "join", "token": table.tokens[0]})
        assert "no seat of this game" in client.receive()["reason"]


def test_bytes_silence_and_huge_messages_end_a_connection(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    table = served.open("europe")
    with served.client(table, 0) as client:
        client.send(b"\x00" * 10)
        assert client.of_type("error")["reason"] == "a message is text, not bytes"
        with pytest.raises(ConnectionClosed):
            client.of_type("never")
    with served.client(table, 0) as client:
        with pytest.raises(ConnectionClosed) as closed:
            # The head of the frame is enough: if all were sent, the connection might break before the reason is read.
            client.socket.socket.sendall(b"\x81\xff" + (3_000_000).to_bytes(8, "big") + bytes(4))
            client.of_type("never")
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    monkeypatch.setattr(server, "PATIENCE", 0.05)
    with served.connected(table.id) as client:
        assert "nothing came" in client.receive()["reason"]
    assert table.game.played == 0


def test_a_table_has_room_for_so_many_spectators_and_for_all_players(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTED", 2)
    table = served.open("europe")
    with served.client(table), served.client(table, 0), served.client(table, 1):
        with served.connected(table.id) as client:
            client.send({"type": "join"})
            assert "Too many are watching" in client.receive()["reason"]
        with served.client(table, 1) as client:
            assert client.of_type("update")
    until(lambda: _may_watch(served, table), "there is no room for a spectator after the others have left")


def _may_watch(served: Served, table: Table) -> bool:
    with served.connected(table.id) as client:
        client.send({"type": "join"})
        return bool(client.of_type("hello", "error")["type"] == "hello")


def test_pages_of_other_origins_and_tables_that_are_not_there_get_no_connection(served: Served) -> None:
    table = served.open("europe")
    wrong = [
        (table.id, {"Origin": "https://evil.example"}),
        (table.id, {"Origin": "null"}),
        (table.id, {"Origin": "http://["}),
        (table.id, {"Origin": f"{served.url}.evil.example"}),
        ("0" * 16, {}),
        ("..%2f..%2fetc", {}),
    ]
    for id, headers in wrong:
        with pytest.raises(InvalidStatus) as refused:
            served.connected(id, headers=headers)
        assert refused.value.response.status_code == 403
    with served.client(table, headers={"Origin": served.url}) as client:
        assert client.of_type("update")


def test_pages_behind_a_proxy_may_connect(tmp_path: Path) -> None:
    """A proxy may change the host that is asked for, not the origin of the page."""
    with Served(tmp_path / "games", origins=["https://games.example.org/club"]) as served:
        table = served.open("europe")
        with served.client(table, headers={"Origin": "https://games.example.org"}) as client:
            assert client.of_type("update")
        with pytest.raises(InvalidStatus):
            served.connected(table.id, headers={"Origin": "http://games.example.org"})


# -- the journal ---------------------------------------------------------------------------------------------------


def test_a_move_that_cannot_be_written_is_refused_and_not_played(
    served: Served,
) -> None:
    table = served.open("europe")
    before = table.game.copy()
    with served.client(table, 0) as client:
        update = client.of_type("update")
        keep = update["offer"]["kinds"][0]["actions"][0]
        _execute(served, "CREATE TRIGGER full BEFORE UPDATE ON games BEGIN SELECT raise(FAIL, 'the disk is full'); END")
        answer = client.answer(update, keep)
        _execute(served, "DROP TRIGGER full")
        assert answer["type"] == "error" and answer["reason"].endswith("could not be written: the disk is full")
        assert str(served.tables.path.parent) not in answer["reason"]
        assert table.game == before
        assert client.answer(update, keep)["number"] == 1


def test_a_bot_that_fails_tries_again(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tables, "RETRY", 0.05)
    monkeypatch.setattr(Table, "play_bot", fails := FailsOnce(Table.play_bot))
    table = served.open("europe", people=(0,), players=2)
    with served.client(table, 0) as client:
        until(lambda: table.game.played == 1)
        assert fails.calls == 2 and client.of_type("update")
    assert "a bot could not play: ZeroDivisionError" in caplog.text and "secret" not in caplog.text


def test_what_a_failing_plugin_says_is_not_sent(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise PluginError("plugin 'toy' failed: the secret hand of seat 1") from KeyError("secret")

    monkeypatch.setattr(Table, "play", fails)
    table = served.open("europe")
    with served.client(table, 0) as client:
        update = client.of_type("update")
        answer = client.answer(update, update["offer"]["kinds"][0]["actions"][0])
        assert (answer["type"], answer["reason"]) == (
            "error",
            "The rules of this game cannot do that: a plugin failed.",
        )
    assert "a plugin failed: KeyError" in caplog.text and "secret" not in caplog.text


class FailsOnce:
    """A method that fails when it is called for the first time."""

    def __init__(self, method: Callable[[Table], None]) -> None:
        self._method = method
        self.calls = 0

    def __get__(self, table: Table, _: object) -> Callable[[], None]:
        return lambda: self._call(table)

    def _call(self, table: Table) -> None:
        self.calls += 1
        if self.calls == 1:
            raise ZeroDivisionError("secret")
        self._method(table)


def ending(served: Served, people: Sequence[int]) -> tuple[str, Callable[[], bool], Callable[..., Client]]:
    """A table at which each seat has one turn left: its id, whether it is in memory no more, and a function that connects."""
    players = [{"name": "Ada"}, {"name": "Bo"}]
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "turns_left": 2, "players": players})
    table = served.tables.open(game, people)
    id, tokens = table.id, table.tokens

    def client(seat: int | None = None) -> Client:
        found = served.connected(id)
        found.send({"type": "join", "token": None if seat is None else tokens[seat]})
        return found

    # Not by a weak reference: the threads of old versions of anyio hold what they last did until they do something else.
    return id, lambda: id not in served.tables._open, client


def draw_twice(client: Client) -> None:
    for _ in range(2):
        while not (update := client.of_type("update"))["offer"]:
            pass
        assert client.answer(update, update["offer"]["kinds"][0]["actions"][0])["number"]


def test_a_game_that_is_over_stays_in_memory_until_the_last_one_leaves(served: Served) -> None:
    id, is_gone, client = ending(served, (0, 1))
    with client() as watching:
        for seat in (0, 1):
            with client(seat) as player:
                draw_twice(player)
        scores = watching.of_type("over")["scores"]
        assert not is_gone()
        with client() as other:
            assert other.of_type("over")["scores"] == scores
        assert not is_gone()
    until(is_gone)
    for _ in range(2):
        assert urlopen(f"{served.url}/{id}").status == 200
        with client(1) as late:
            assert late.of_type("over")["scores"] == scores


def test_a_page_that_cannot_be_made_leaves_no_game_in_memory(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    id, is_gone, client = ending(served, (0, 1))
    for seat in (0, 1):
        with client(seat) as player:
            draw_twice(player)
    until(is_gone)
    released: list[str] = []
    monkeypatch.setattr(served.tables, "release", released.append)
    monkeypatch.delattr(server, "make_page")
    with pytest.raises(HTTPError, match="500"):
        urlopen(f"{served.url}/{id}")
    until(lambda: released == [id])


def test_a_game_that_bots_end_alone_is_let_go(tmp_path: Path) -> None:
    with Served(tmp_path / "games", pause=0.3) as served:
        _, is_gone, client = ending(served, (0,))
        with client(0) as player:
            draw_twice(player)
        until(is_gone)
        with client() as late:
            assert late.of_type("over")["scores"]


def test_games_are_found_again_with_the_same_links(tmp_path: Path) -> None:
    with Served(tmp_path / "games") as served:
        table = served.open("europe", people=(1,), players=2)
        with served.client(table, 1) as client:
            client.play_to_the_end(Random(1), most=10)
        number = table.game.played
    with Served(tmp_path / "games") as served:
        assert list(served.tables) == [table.id]
        again = served.tables.get(table.id)
        assert again.tokens == table.tokens and again.people == (1,) and again.game.played >= number
        with served.client(again, 1, since=number) as client:
            client.play_to_the_end(Random(2), most=number + 5)
            assert again.game.played >= number + 5


@pytest.fixture
def broken(served: Served) -> str:
    """A table whose game cannot be read."""
    table = served.open("europe")
    _execute(served, """UPDATE games SET header = '{"secret": "seed 42"}'""")
    served.tables._open.clear()
    return table.id


def _execute(served: Served, statement: str) -> None:
    """Change the file of a server behind its back."""
    with closing(sqlite3.connect(served.tables.path, isolation_level=None)) as db:
        db.execute(statement)


def test_a_game_that_cannot_be_read_says_so_to_nobody_but_its_owner(
    served: Served, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    with served.connected(broken) as client:
        answer = client.receive()
    assert answer["type"] == "error" and "cannot be read" in answer["reason"]
    assert "42" not in answer["reason"] and not re.search("seed|secret", caplog.text)


def test_a_game_whose_bot_is_gone_cannot_be_read(served: Served) -> None:
    table = served.open("europe", people=(0,))
    served.tables._open.clear()
    _execute(served, "UPDATE games SET about = replace(about, 'planner', 'genius')")
    with pytest.raises(SaveError, match=rf"game {table.id}: no bot 'genius' is installed"):
        served.tables.get(table.id)
