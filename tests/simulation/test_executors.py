"""Real executors: processes, loky, joblib's loky, a Dask cluster whose workers are killed. The results are the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from ttr_tools.simulation import GameResult, simulate

pytestmark = pytest.mark.slow

STACK, BOTS, GAMES = "europe", ["random", "random", "random"], 40


@pytest.fixture(scope="module")
def here() -> list[GameResult]:
    """The results when the games are played in this process."""
    return list(simulate(STACK, BOTS, GAMES, seed=1))


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes(method: Any, here: list[GameResult]) -> None:
    if method not in get_all_start_methods():
        pytest.skip(f"processes are not started by {method} on this system")
    with ProcessPoolExecutor(2, get_context(method)) as executor:
        assert list(simulate(STACK, BOTS, GAMES, 1, executor)) == here


def test_a_process_that_dies_is_told_and_the_results_before_it_stand(here: list[GameResult]) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        results = simulate(STACK, BOTS, 100_000, 1, executor)
        first = [next(results) for _ in range(3)]
        for pid in list(executor._processes):
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(BrokenExecutor):
            first.extend(results)
    assert first[:GAMES] == here[: len(first)]


def test_loky(here: list[GameResult]) -> None:
    loky = pytest.importorskip("loky")
    executor = loky.get_reusable_executor(max_workers=2)
    try:
        assert list(simulate(STACK, BOTS, GAMES, 1, executor)) == here
    finally:
        executor.shutdown()


def test_joblib(here: list[GameResult]) -> None:
    """The processes that joblib uses are loky's, in a copy of its own."""
    pytest.importorskip("joblib")
    from joblib.externals.loky import get_reusable_executor

    executor = get_reusable_executor(max_workers=2)
    try:
        assert list(simulate(STACK, BOTS, GAMES, 1, executor)) == here
    finally:
        executor.shutdown()


# -- Dask ----------------------------------------------------------------------------------------------------------


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's command line, ended by its id."""
    with (folder / f"{words[0]}-{len(list(folder.iterdir()))}.log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "dask", *words], cwd=folder, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def worker(folder: Path, address: str) -> Any:
    options = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--death-timeout", "60")
    return started(folder, "worker", address, *options)


@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_that_loses_a_worker_loses_no_game_and_plays_none_twice(
    tmp_path: Path, here: list[GameResult]
) -> None:
    """A scheduler and three workers, each a process of its own; one is killed with games and results in its memory."""
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    with started(tmp_path, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)):
        until(file.exists, "the scheduler has not started")
        with (
            distributed.Client(scheduler_file=str(file), timeout=60) as client,
            worker(tmp_path, client.scheduler.address) as victim, worker(tmp_path, client.scheduler.address),
            worker(tmp_path, client.scheduler.address),
        ):  # fmt: skip
            client.wait_for_workers(3, timeout=60)
            pids: dict[str, int] = client.run(os.getpid)
            mine = next(address for address, pid in pids.items() if pid == victim.pid)
            many = 4 * GAMES
            results = simulate(STACK, BOTS, many, 1, client.get_executor())
            found = [next(results)]
            until(lambda: bool(client.processing()[mine]), "the worker to be killed has no games to play")
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            found += results
            until(lambda: mine not in client.scheduler_info()["workers"])
            assert len(client.scheduler_info()["workers"]) == 2
    assert [result.game for result in found] == list(range(many))
    assert found[:GAMES] == here
    assert found == list(simulate(STACK, BOTS, many, 1))
