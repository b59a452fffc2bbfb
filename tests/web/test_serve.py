"""`ttr-rules serve`, as it is typed: its links, and games that go on after it was killed."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("websockets", reason="the extra web is not installed")
pytest.importorskip("click")
pytest.importorskip("rich")

from click.testing import CliRunner
from docs_pages import DOCS
from serving import Client
from waiting import until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import ttr_rules as ttr
from ttr_tools.bots import play_game
from ttr_tools.cli import commands
from ttr_tools.web import Tables, listen


class Process:
    """A server that somebody has started in a terminal."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        command = [sys.executable, "-u", "-m", "ttr_rules", "serve", *words, "--port", "0", "--pause", "0"]
        with (folder / "output.txt").open("w", encoding="utf-8") as output:
            self.process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.STDOUT)

    @property
    def told(self) -> str:
        return (self.folder / "output.txt").read_text(encoding="utf-8")

    @property
    def links(self) -> list[tuple[str, int, str, str | None]]:
        """The links: whose, the port, the table, the token."""
        found = re.findall(r"^  (.+): http://localhost:(\d+)/(\w+)(?:#(\S+))?$", self.told, re.MULTILINE)
        return [(name, int(port), id, token or None) for name, port, id, token in found]

    def client(self, seat: int, since: int | None = None) -> Client:
        _, port, id, token = self.links[seat]
        client = Client(connect(f"ws://127.0.0.1:{port}/{id}/socket", max_size=None))
        client.send({"type": "join", "token": token, "since": since})
        return client


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Process]:
    process = Process(folder, *words)
    try:
        until(lambda: "spectators:" in process.told.rpartition("\n")[0] or process.process.poll() is not None)
        yield process
    finally:
        process.process.kill()
        process.process.wait(60)


def play(client: Client, chance: Random, accepted: list[dict[str, Any]], most: int) -> None:
    """Play some moves; those that were accepted are written down, as numbers and actions."""
    while len(accepted) < most:
        update = client.of_type("update")
        if update["offer"]:
            kind = chance.choice(update["offer"]["kinds"])
            action = chance.choice(kind["actions"] or [each["cheapest"] for each in kind["purchases"]])
            answer = client.answer(update, action)
            assert answer["type"] == "accepted", answer
            accepted.append({"number": answer["number"], "action": action})


@pytest.mark.slow
def test_no_accepted_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """Killed in the middle of the bots' moves, three times; the same links go on."""
    words = ["europe", "--seats", "1", "--bots", "2", "--seed", "7"]
    accepted: list[dict[str, Any]] = []
    links = None
    for round in range(3):
        with serving(tmp_path, *words) as server:
            assert links in (None, [(name, id, token) for name, _, id, token in server.links])
            links = [(name, id, token) for name, _, id, token in server.links]
            with server.client(0, since=accepted[-1]["number"] if accepted else None) as client:
                play(client, Random(round), accepted, most=5 * (round + 1))
                server.process.send_signal(signal.SIGKILL)
                with pytest.raises((ConnectionClosed, EOFError)):
                    client.of_type("never")
        assert server.told.count("\n") == len(server.links) + 1, "nothing but the links is told"
        words = []
        with ttr.Journals(tmp_path / "ttr-games.db") as journals:
            (id,) = journals
            game = journals.read(id)
        own = [number for number, move in enumerate(game.moves) if move.action is not None and move.action.seat == 0]
        assert own == [each["number"] for each in accepted], "each accepted move is kept, each once"
        for each in accepted:
            assert json.loads(json.dumps(each["action"]))["type"].endswith(
                type(game.moves[each["number"]].action).__name__
            )


@pytest.mark.slow
def test_a_server_is_stopped_with_an_interrupt_and_tells_no_secrets(tmp_path: Path) -> None:
    with serving(tmp_path, "london", "--seats", "2", "--names", "Ada, Bo") as server:
        first = server.told
        assert [name for name, *_ in server.links] == ["Ada", "Bo", "spectators"]
        with server.client(0) as client:
            client.of_type("update")
            server.process.send_signal(signal.SIGINT)
            server.process.wait(60)
        assert server.process.returncode in (0, 130, -signal.SIGINT)
        assert server.told.replace("\n", "") == first.replace("\n", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["output.txt", "ttr-games.db"]


@pytest.mark.slow
def test_games_with_variants_from_files_go_on_and_broken_ones_are_left_out(tmp_path: Path) -> None:
    variant = Path(__file__).parents[1] / "data_variants" / "big_cities.toml"
    words = ["europe", str(variant)]  # one person, and a bot so that there are two players
    with serving(tmp_path, *words) as server:
        first = server.links
        assert server.told.splitlines()[0] == "Europe (classic) + Big Cities of Europe: Ada, Isambard"
    with ttr.Journals(tmp_path / "ttr-games.db") as journals:
        journals.begin(ttr.new_game("europe", players=2, seed=1), "broken", about={"tokens": ["secret", None]})
    with serving(tmp_path, *words) as server:
        until(lambda: len(server.links) == 4)
        assert {id for _, _, id, _ in first} < {id for _, _, id, _ in server.links}
        assert "game broken: the seats of this game cannot be read" in server.told and "secret" not in server.told
        with server.client(0) as client:
            assert client.of_type("update")


@pytest.mark.slow
@pytest.mark.installed_tree
def test_the_commands_of_the_docs_open_games(tmp_path: Path) -> None:
    """Each as it is written, but for the port, which may be taken; in their order, in one folder."""
    page = DOCS / "how-to" / "play-in-the-browser.md"
    commands = re.findall(r"^ttr-rules serve(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) == 3
    for number, command in enumerate(commands):
        with serving(tmp_path, *shlex.split(command)) as server:
            until(lambda: len(_tables(server)) >= (1, 1, 2)[number])  # noqa: B023
        assert len(_tables(server)) == (1, 1, 2)[number], server.told


def test_finished_games_alone_leave_nothing_to_go_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ttr_tools.web.run", lambda *_: None)
    game = ttr.new_game("london", players=["Ada", "Bo"], seed=1)
    play_game(game)
    with closing(Tables("ttr-games.db")) as tables:
        table = tables.open(game, [0])
    done = CliRunner().invoke(commands, ["serve", "--port", "0"])
    assert done.exit_code == 0, done.output
    first, name, link = done.stdout.splitlines()
    assert first == "All games in ttr-games.db are over: name a STACK to open a new one."
    assert name == "London: Ada, Bo" and re.fullmatch(rf"  the end: http://localhost:\d+/{table.id}", link)


def _tables(server: Process) -> set[str]:
    """The tables whose links the server has told."""
    return set(re.findall(r"^  spectators: \S+/(\w+)$", server.told, re.MULTILINE))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Missing argument 'STACK...': no games are kept in ttr-games.db."),
        (("europe", "--seats", "6"), "players"),
        (("europe", "--names", "Ada,Bo,Cy"), "--names names 3, but 2 play"),
        (("europe", "--bots", "1", "--bot", "genius"), "no bot 'genius' is installed"),
        (("atlantis",), "atlantis"),
    ],
)
def test_what_cannot_be_served_is_refused_in_words(
    words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    more = ["--bots", "1"] if words[2:3] == ("Ada,Bo,Cy",) else []
    done = CliRunner().invoke(commands, ["serve", *words, *more, "--port", "0"])
    assert done.exit_code == 2 and said in done.stderr, done.output


def test_a_bot_is_looked_up_before_a_port_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with listen(port=0) as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(commands, ["serve", "europe", "--bot", "genius", "--port", port])
    assert done.exit_code == 2 and "no bot 'genius' is installed" in done.stderr, done.output
