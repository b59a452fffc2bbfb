"""`ttr-rules simulate`, as it is typed: its summary, its files, what it refuses, and Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("polars", reason="the extra data is not installed")
pytest.importorskip("openskill", reason="the extra data is not installed")
pytest.importorskip("click")
pytest.importorskip("rich")

from click.testing import CliRunner, Result

from ttr_tools.cli import commands, many_games
from ttr_tools.simulation import read_results, simulate, tabulate

ENVIRONMENT = {"FORCE_COLOR": None, "COLUMNS": "120", "NO_COLOR": "1"}


def run(*words: object) -> Result:
    return CliRunner().invoke(commands, ["simulate", *map(str, words)], env=ENVIRONMENT)


WORDS = ("london", "--bots", "planner,random", "--games", 12, "--seed", 1, "--workers", 1)


@pytest.mark.slow
def test_a_simulation_is_summarized() -> None:
    done = run(*WORDS)
    assert done.exit_code == 0, done.output
    assert "12 games of London on the map London." in done.stdout
    assert re.search(r"^1 +planner +100\.0% +75\.\d% – 100\.0% +\d+\.\d +\d+\.\d +\d+ *$", done.stdout, re.MULTILINE)
    assert re.search(r"^2\. +\d+\.\d% +\d+\.\d% – \d+\.\d% *$", done.stdout, re.MULTILINE)
    assert re.search(r"^last round +100\.0% +75\.\d% – 100\.0% +\d+\.\d +\d+\.\d *$", done.stdout, re.MULTILINE)
    assert re.search(r"^2 +random +\d+\.\d +\d+\.\d +\d+\.\d +\d+\.\d +0\.0 *$", done.stdout, re.MULTILINE)
    for title in ("Order of play", "Tickets most often completed", "Routes most often claimed, and least often"):
        assert title in done.stdout
    assert done.stderr == ""


def test_one_game_is_one() -> None:
    assert "1 game of London on the map London." in run("london", "--bots", "random", "--games", 1, "--seed", 1).stdout


def test_one_bot_plays_all_seats_and_the_seed_drawn_is_told() -> None:
    done = run("london", "--bots", "random", "--games", 2, "--players", 4, "--workers", 1)
    assert done.exit_code == 0, done.output
    assert len(re.findall(r"^\d +random .*%", done.stdout, re.MULTILINE)) == 4
    seed = re.fullmatch(r"The seed drawn is (\d+)\.\n", done.stderr)
    assert seed
    again = run("london", "--bots", "random", "--games", 2, "--players", 4, "--workers", 1, "--seed", seed[1])
    assert again.stdout == done.stdout


@pytest.mark.slow
def test_processes_play_the_same_games_into_files_and_continue(tmp_path: Path) -> None:
    words = ("london", "--bots", "random,random", "--seed", "tea", "--out", tmp_path / "games.parquet")
    for games, workers in ((3, 1), (20, 2)):
        done = run(*words, "--games", games, "--workers", workers)
        assert done.exit_code == 0, done.output
    wanted = tabulate(simulate("london", ["random", "random"], games=20, seed="tea"))
    assert read_results(tmp_path / "games.parquet").points.equals(wanted.points)
    refused = run(*words, "train-cards:second_card_optional=true", "--games", 20)
    assert refused.exit_code == 2
    assert "stack london, not train-cards, london" in refused.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("london", "--bots", "random,random", "--players", 3), "--players says 3, but --bots names 2: random, random"),
        (("london", "--bots", "nobody"), "no bot 'nobody' is installed; installed: planner, random"),
        (
            ("london", "--bots", "random:speed=3", "--workers", 1),
            "bot 'random': got an unexpected keyword argument 'speed'; its options: none",
        ),
        (("london", "--players", 9), "london is for 2 to 4 players, not 9"),
        (("london", "--games", 0), "0 is not in the range x>=1"),
        (("lodnon",), "did you mean 'london'"),
    ],
)
def test_what_cannot_be_simulated_is_told_in_a_sentence(words: tuple[object, ...], message: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.stderr and "Traceback" not in done.output


@pytest.mark.parametrize(
    ("command", "library"),
    [("simulate", "polars"), ("tournament", "openskill")],
)
def test_a_missing_library_is_told_before_anything_is_played(command: str, library: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None; from ttr_tools.cli import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", program, command, "london", "--games", str(10**9)],
        capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert f"{library} is not installed; install it with: pip install 'ttr-rules[data]'" in done.stderr


@pytest.mark.slow
def test_a_summary_needs_no_library_for_files_or_ratings() -> None:
    program = f"""
import sys
from collections.abc import Iterator
for library in ("pyarrow", "openskill", "pandas"):
    sys.modules[library] = None
from importlib import metadata
real = metadata.version
def version(name):
    if sys.modules.get(name, name) is None:
        raise metadata.PackageNotFoundError(name)
    return real(name)
metadata.version = version
sys.argv[1:] = {["simulate", *map(str, WORDS)]!r}
from ttr_rules.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "12 games of London on the map London." in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process as `kill -9` does")
def test_processes_that_play_end_with_the_one_that_started_them_even_if_it_is_killed() -> None:
    program = """
import time
from ttr_tools.cli import many_games
with many_games._executor(2) as pool:
    pool.submit(print, "playing", flush=True).result()
    time.sleep(600)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        process.kill()
        assert process.communicate(timeout=60)[0] == ""  # they have the same output: it closes when all have ended
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.thorough_but("2")
@pytest.mark.skipif(os.name != "posix", reason="sends the signal of Ctrl-C to a group of processes")
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_keeps_what_was_played_and_the_same_command_continues(tmp_path: Path, workers: int) -> None:
    folder = tmp_path / "games.parquet"
    command = [
        sys.executable,
        "-m",
        "ttr_rules",
        "simulate",
        "london",
        "--bots",
        "random,random",
        "--seed",
        "1",
        "--out",
        str(folder),
    ]
    more = ["--workers", str(workers)]
    process = subprocess.Popen(
        [sys.executable, "-c", STARTED, *command[3:], *more, "--games", "1000000"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "playing\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    kept = read_results(folder)
    count = kept.seats.height // 2
    told_count = re.fullmatch(
        r"\s*Interrupted\. (\d+) new games? in .*games\.parquet; the same command continues\.\n", told
    )
    # One may be kept and not be counted yet when the interrupt comes.
    assert told_count and int(told_count[1]) in (count - 1, count), told
    assert count > 0
    done = subprocess.run([*command, *more, "--games", str(count + 5)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    wanted = tabulate(simulate("london", ["random", "random"], games=count + 5, seed=1))
    assert read_results(folder).seats.equals(wanted.seats)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="looks at signals of POSIX")
def test_an_interrupt_reaches_no_process_that_plays_not_even_while_it_starts() -> None:
    assert _masks() == ({signal.SIGINT}, set())
    with ThreadPoolExecutor(1) as elsewhere:  # games may be played outside the main thread
        assert elsewhere.submit(_masks).result(120) == ({signal.SIGINT}, set())


def _masks() -> tuple[set[int], set[int]]:
    """The signals that are held back in a process that plays, and afterwards in the one that started it."""
    with many_games._executor(2) as pool:
        assert pool is not None
        masked = pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result(120)
    return masked, signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.fixture
def heard() -> Iterator[None]:
    """An interrupt is heard, even if the tests run in the background, where a shell lets processes ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.skipif(os.name != "posix", reason="looks at signals of POSIX")
def test_an_interrupt_while_processes_start_is_heard_when_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []

    def start(self: ProcessPoolExecutor, job: object) -> None:
        signal.raise_signal(signal.SIGINT)
        started.append(job)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", start)
    with pytest.raises(KeyboardInterrupt), many_games._executor(3):
        started.clear()
    assert len(started) == 3


@pytest.mark.usefixtures("heard")
@pytest.mark.skipif(os.name != "posix", reason="looks at signals of POSIX")
def test_an_interrupt_is_not_held_back_after_processes_that_did_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessPoolExecutor, "submit", None)
    with pytest.raises(TypeError), many_games._executor(2):
        pass
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


#: The command line, which says when the first result is there.
STARTED = """
from ttr_tools.__main__ import main
from ttr_tools.simulation import tables
keep = tables.ResultFiles.keep
def told(self, results):
    for number, result in enumerate(inner := keep(self, results)):
        if number == 0:
            print("playing", flush=True)
        try:
            yield result
        except GeneratorExit:
            inner.close()
            raise
tables.ResultFiles.keep = told
if __name__ == "__main__":
    main()
"""
