"""The script that measures a server under load, with a small one."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("websockets", reason="the extra web is not installed")

import serve_load


@pytest.mark.slow
def test_moves_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["london", "--games", "3", "--sockets", "8", "--think", "0.05", "--page"]
    for seconds in ("3", "60"):
        with ThreadPoolExecutor() as threads:  # drivers of browsers have an event loop in the main thread
            threads.submit(serve_load.main, [*words, "--seconds", seconds]).result()
        told = capsys.readouterr().out
        if "nothing was measured" not in told:  # on a busy machine a move may take seconds
            break
    assert told.startswith("3 games, 8 connections\n")
    measured = re.findall(r"p50 +(\S+) ms +p99 +(\S+) ms +max +(\S+) ms +\((\d+)\)", told)
    assert len(measured) == 2
    for half, most, longest, count in measured:
        assert 0 < float(half) <= float(most) <= float(longest) < 60_000 and int(count) > 0
