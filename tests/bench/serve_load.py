"""How long a move takes when many play: a server with many games, and all its clients, on this machine.

`python tests/bench/serve_load.py` opens 200 games with 500 connections (two players in each, the others watch) and lets
players think for two seconds before each move, for half a minute. It prints how long it took from sending an action until
it was accepted, which is when it is on the disk, and until everybody at the table had been told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import websockets

import ttr_rules as ttr
from ttr_tools.web import Tables, application, listen, run

#: How the first line of the server's process begins.
READY = "ready "


def serve(folder: str, games: int, stack: list[str]) -> None:
    """The server, a process of its own: prints its port and its tables, then serves."""
    tables = Tables(Path(folder) / "games.db")
    opened = [tables.open(ttr.new_game(*stack, players=2, seed=number), [0, 1]) for number in range(games)]
    with listen(port=0) as listening:
        found = {"port": listening.getsockname()[1], "tables": [[table.id, table.tokens] for table in opened]}
        print(READY + json.dumps(found), flush=True)
        run(application(tables), listening)


@dataclass
class Measured:
    """Seconds that moves took."""

    accepted: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    over: int = 0
    #: When the last action of each game was sent, with the number that it got.
    sent: dict[str, float] = field(default_factory=dict)


async def connect(stack: AsyncExitStack, url: str, table: str, token: str | None, *, page: bool) -> Any:
    """A client that has joined."""
    address = f"{url}/{table}/socket" + ("/page" if page else "")
    opening = websockets.connect(address, max_size=None, compression=None, open_timeout=60, ping_interval=None)
    socket = await stack.enter_async_context(opening)
    await socket.send(json.dumps({"type": "join", "token": token, "since": None}))
    assert json.loads(await socket.recv())["type"] == "hello"
    return socket


async def play(socket: Any, table: str, measured: Measured, think: float, chance: Random) -> None:
    """A player: takes each decision after a while, and waits until the move is accepted."""
    known, later = 0, None  # what is older than the last own move was sent before it
    while True:
        message, later = later or json.loads(await socket.recv()), None
        if message["type"] == "over":
            measured.over += 1
            return
        assert message["type"] == "update", message
        moves = message["moves"]
        if moves and moves[-1]["seat"] != message["view"]["seat"] and table in measured.sent:
            measured.told.append(time.perf_counter() - measured.sent[table])
        if message["number"] < known or not message["offer"]:
            continue
        await asyncio.sleep(think * (0.5 + chance.random()))
        kind = chance.choice(message["offer"]["kinds"])
        action = chance.choice(kind["actions"] or [each["cheapest"] for each in kind["purchases"]])
        begun = measured.sent[table] = time.perf_counter()
        await socket.send(json.dumps({"type": "act", "action": action, "expected": message["expected"]}))
        while (answer := json.loads(await socket.recv()))["type"] in ("update", "over"):
            later = answer
        assert answer["type"] == "accepted", answer
        measured.accepted.append(time.perf_counter() - begun)
        known = answer["number"]


async def watch(socket: Any, table: str, measured: Measured) -> None:
    """A spectator."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == "over":
            return
        if table in measured.sent and message["moves"]:
            measured.told.append(time.perf_counter() - measured.sent[table])


async def load(found: Any, arguments: argparse.Namespace) -> Measured:
    """Connect everybody, and play for a while."""
    url, measured = f"ws://127.0.0.1:{found['port']}", Measured()
    tables = found["tables"]
    async with AsyncExitStack() as stack:
        tasks = []
        for number, (table, tokens) in enumerate(tables):
            for seat, token in enumerate(tokens):
                socket = await connect(stack, url, table, token, page=arguments.page)
                tasks.append(play(socket, table, measured, arguments.think, Random(f"{number} {seat}")))
        for number in range(arguments.sockets - len(tasks)):
            table = tables[number % len(tables)][0]
            tasks.append(watch(await connect(stack, url, table, None, page=arguments.page), table, measured))
        print(f"{len(tables)} games, {len(tasks)} connections", flush=True)
        running = [asyncio.create_task(task) for task in tasks]
        done, waiting = await asyncio.wait(running, timeout=arguments.seconds)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for task in done:
            task.result()  # whatever went wrong
    return measured


def line(what: str, times: list[float]) -> str:
    """The times in milliseconds: half of them, and all but one in a hundred, took no longer."""
    if not times:
        return f"{what:<22} nothing was measured"
    ordered = sorted(times)
    half, most = ordered[len(ordered) // 2], ordered[min(len(ordered) * 99 // 100, len(ordered) - 1)]
    return f"{what:<22} p50 {half * 1000:7.1f} ms   p99 {most * 1000:7.1f} ms   max {ordered[-1] * 1000:7.1f} ms   ({len(times)})"


def main(words: list[str] | None = None) -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="How long a move takes on a server with many games.")
    parser.add_argument("stack", nargs="*", default=["europe"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--sockets", type=int, default=500, help="connections; two in each game play, the others watch")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=2, help="seconds before a move, half to one and a half of it")
    parser.add_argument("--page", action="store_true", help="connect as pages do, which get everything in words too")
    parser.add_argument("--dir", default=None, help="where games are kept (default: a temporary folder)")
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.serve:
        serve(arguments.serve, arguments.games, arguments.stack)
        return
    with tempfile.TemporaryDirectory(dir=arguments.dir) as folder:
        command = [
            sys.executable,
            str(Path(__file__)),
            *arguments.stack,
            "--serve",
            folder,
            "--games",
            str(arguments.games),
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = json.loads(server.stdout.readline().removeprefix(READY))
                begun = time.perf_counter()
                measured = asyncio.run(load(found, arguments))
                seconds = time.perf_counter() - begun
            finally:
                server.terminate()
    print(f"{len(measured.accepted)} moves, {len(measured.accepted) / seconds:.0f} a second")
    print(line("accepted, on the disk", measured.accepted))
    print(line("told to others", measured.told))


if __name__ == "__main__":
    main()
