"""The server of the command line, as a process of its own, for clients to connect to."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen


@frozen
class Served:
    """A game that a server has open: the address of its socket, and the token of each person."""

    url: str
    tokens: tuple[str, ...]


@contextmanager
def served(stack: tuple[str, ...], folder: Path, *, seats: int = 1, bots: int = 1) -> Iterator[Served]:
    """Serve a new game of a stack."""
    port = _free_port()
    options = ["--seats", str(seats), "--bots", str(bots), "--seed", "4", "--pause", "0", "--port", str(port)]
    command = [sys.executable, "-u", "-m", "ttr_rules", "serve", *stack, *options, "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield _links(process, port, seats)
        finally:
            process.terminate()
            process.wait(10)


def _links(process: subprocess.Popen[str], port: int, seats: int) -> Served:
    assert process.stdout is not None
    told, tokens, url = "", [], None
    while url is None:
        line = process.stdout.readline()
        assert line, f"the server did not start:\n{told}"
        told += line
        tokens += re.findall(r"#(\S+)$", line.rstrip())
        url = next(iter(re.findall(r"spectators: http://(\S+)", line)), None)
    assert len(tokens) == seats, told
    deadline = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return Served(f"ws://{url}/socket".replace("localhost", "127.0.0.1"), tuple(tokens))
        except OSError:
            assert time.monotonic() < deadline, "the server does not listen"
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
