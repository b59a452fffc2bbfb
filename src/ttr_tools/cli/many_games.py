"""What `simulate` and `tournament` share: options, processes, progress, what becomes of an interrupted run."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import wraps
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

import click
from attrs import frozen
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ttr_rules import Rules
from ttr_tools.cli.terminal import Problem, read_seed

if TYPE_CHECKING:
    from ttr_tools.simulation import GameResult, Tables
    from ttr_tools.simulation.running import SubmitsCalls

#: How often a line tells the progress where there is no terminal for a bar, in seconds.
TOLD_EVERY = 30.0


@frozen
class ManyGames:
    """How to play many games: how many, from which seed, in how many processes, and where to keep the results."""

    games: int
    seed: int | str | None
    workers: int | None
    out: Path | None

    def play(self, rules: Rules, bots: Sequence[str], players: int | None = None) -> Tables:
        """Play the games that are not in the folder yet, telling the progress, and give the tables of all.

        `bots` are the names of the bots at the seats, or of those that compete if `players` says how many play a game.
        """
        from ttr_rules.model import new_seed
        from ttr_tools.simulation import read_results, simulate_to, tabulate
        from ttr_tools.simulation.plan import plan_of
        from ttr_tools.simulation.running import played

        plan_of(rules, bots, 0 if self.seed is None else self.seed, players)
        seed = new_seed() if self.seed is None else self.seed
        if self.seed is None:
            click.echo(f"The seed drawn is {seed}.", err=True)

        def start(executor: SubmitsCalls | None) -> Generator[GameResult, None, None]:
            if self.out is None:
                return played(plan_of(rules, bots, seed, players), range(self.games), executor)
            return simulate_to(self.out, rules, bots, self.games, seed, executor, players)

        done: list[GameResult] = []
        workers = min(self.games, self.workers or os.cpu_count() or 1)
        try:
            with _executor(workers) as executor, closing(start(executor)) as results, _progress(self.games) as show:
                for result in results:
                    done.append(result)
                    show(result.game + 1)
        except KeyboardInterrupt as interrupt:
            click.echo(f"\nInterrupted. {_kept(len(done), self.out)}", err=True)
            raise SystemExit(130) from interrupt
        except BrokenExecutor as error:
            kept = _kept(len(done), self.out)
            raise Problem(f"a process that played games ended, perhaps for lack of memory. {kept}") from error
        return tabulate(done) if self.out is None else read_results(self.out)


def many_games_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say how to play many games: the command gets a `ManyGames`, as `many`."""

    @click.option(
        "--games", type=click.IntRange(min=1), default=100, metavar="N", show_default=True, help="How many games."
    )
    @click.option(
        "--seed", metavar="S", callback=read_seed, help="A number or a text. The same seed gives the same games."
    )
    @click.option(
        "--workers",
        type=click.IntRange(min=1),
        metavar="N",
        help="How many processes play; by default one for each core.",
    )
    @click.option(
        "--out",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Keep the results in a folder of Parquet files. What it has of the same games is not played again.",
    )
    @wraps(command)
    def with_many(*, games: int, seed: int | str | None, workers: int | None, out: Path | None, **more: object) -> None:
        command(many=ManyGames(games, seed, workers, out), **more)

    return with_many


def _kept(count: int, out: Path | None) -> str:
    """What became of the games that were played before something stopped."""
    if out is None:
        return f"{count} games were played; with --out they would be kept."
    return f"{count} new games are in {out}; the same command continues."


@contextmanager
def _executor(workers: int) -> Generator[ProcessPoolExecutor | None, None, None]:
    """Processes to play in, or None for one. Ctrl-C is left to the process that started them."""
    if workers == 1:
        yield None
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker)
    with _interrupts_held():
        for _ in range(workers):
            pool.submit(os.getpid)  # each starts a process
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _begin_worker() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "a worker is started by another process"
    parent.join()
    os._exit(1)


@contextmanager
def _interrupts_held() -> Generator[None, None, None]:
    """Ctrl-C waits until the end, and processes that are started meanwhile never get it (where there are POSIX signals)."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _progress(games: int) -> Generator[Callable[[int], None], None, None]:
    """A progress bar on stderr, called with the number of games that are done; lines now and then if that is no terminal."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        with _progress_lines(games) as show:
            yield show
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def _progress_lines(games: int) -> Generator[Callable[[int], None], None, None]:
    """A line on stderr every 30 seconds, also while a long game is played."""
    played, ended, start = 0, Event(), monotonic()

    def show(done: int) -> None:
        nonlocal played
        played = done

    def tell() -> None:
        while not ended.wait(TOLD_EVERY):
            click.echo(f"{timedelta(seconds=round(monotonic() - start))}: {played:,} of {games:,} games", err=True)

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield show
    finally:
        ended.set()
        thread.join()


# -- output --------------------------------------------------------------------------------------------------------


def share(row: Mapping[str, float]) -> tuple[str, str]:
    """A rate with its interval, in per cent."""
    return f"{row['rate']:.1%}", f"{row['low']:.1%} – {row['high']:.1%}"


def print_rows(screen: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; columns of names are on the left."""
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 or column in ("Bot", "Against") else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    screen.print()
    screen.print(table)
