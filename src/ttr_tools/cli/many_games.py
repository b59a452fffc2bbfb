"""`ttr-rules simulate` and `tournament`: many games of bots, with statistics, plots and ratings."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import wraps
from itertools import groupby
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
from ttr_rules.errors import InvalidInputError
from ttr_tools.cli.options import Command, Problem, command, console, rules_options, seed_option, stack_title
from ttr_tools.extras import require

if TYPE_CHECKING:
    import polars as pl

    from ttr_tools.simulation import GameResult, Tables
    from ttr_tools.simulation.running import SubmitsCalls

#: Seconds between lines that report the progress where there is no terminal for a bar.
REPORT_EVERY = 30.0
#: The number of tickets and routes that the summary lists at each end; files and plots have them all.
LISTED = 5


@frozen
class ManyGames:
    """A run of many games: their number and seed, the number of processes, and the folder for the results."""

    games: int
    seed: int | str | None
    workers: int | None
    out: Path | None

    def play(self, rules: Rules, bots: Sequence[str], players: int | None = None) -> Tables:
        """Play the games that are not in the folder yet, reporting the progress; returns the tables of all.

        `bots` are the names of the bots at the seats, or of those that compete if `players` says how many play a game.
        """
        from ttr_rules.model import new_seed
        from ttr_tools.simulation import read_results, simulate_to, tabulate
        from ttr_tools.simulation.running import make_plan, play_games

        make_plan(rules, bots, 0 if self.seed is None else self.seed, players)
        seed = new_seed() if self.seed is None else self.seed
        if self.seed is None:
            click.echo(f"The seed drawn is {seed}.", err=True)

        def start(executor: SubmitsCalls | None) -> Generator[GameResult, None, None]:
            if self.out is None:
                return play_games(make_plan(rules, bots, seed, players), range(self.games), executor)
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


def many_games_options(command: Command) -> Command:
    """The options for playing many games: the command gets a `ManyGames`, as `many`."""

    @click.option(
        "--games", type=click.IntRange(min=1), default=100, metavar="N", show_default=True, help="How many games."
    )
    @seed_option(". The same seed gives the same games.")
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
    """Report on the games that were played before something stopped."""
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
    """Hold Ctrl-C back until the end; processes that are started meanwhile never get it (where there are POSIX signals)."""
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

    def report() -> None:
        while not ended.wait(REPORT_EVERY):
            click.echo(f"{timedelta(seconds=round(monotonic() - start))}: {played:,} of {games:,} games", err=True)

    thread = Thread(target=report, daemon=True)
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


def print_rows(screen: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; columns of names are on the left."""
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 or column in ("Bot", "Against") else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    screen.print()
    screen.print(table)


# -- simulate -----


@command()
@click.option("--players", type=int, metavar="N", help="The number of players; 3 by default, or as many as --bots.")
@click.option(
    "--bots",
    metavar="A,B,...",
    default="planner",
    show_default=True,
    help="The bot of each seat, or one for all seats; installed ones by name, with an option as in name:option=value.",
)
@many_games_options
@click.option(
    "--plot",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write plots to a folder, and the routes on the board.",
)
@rules_options
def simulate(rules: Rules, many: ManyGames, players: int | None, bots: str, plot: Path | None) -> None:
    """Play many games and see who wins.

    Bots play games of a STACK; tables show who wins, with what scores, by which tickets and routes.

    Each game has a seed of its own, made from --seed and its number, so that the results do not depend on the number of
    processes. Ctrl-C stops; with --out, what was played is kept, and the same command continues.

    Examples:
      ttr-rules simulate europe --players 3 --games 1000 --seed 1
      ttr-rules simulate north-america --bots planner,random --games 200
      ttr-rules simulate europe dice --games 5000 --out games.parquet --plot plots/

    A game of the simulation again, in words (planners only):
      ttr-rules play europe --players 3 --seed 1:17

    """
    require("data", "polars", "scipy", *([] if plot is None else ["matplotlib"]))
    tables = many.play(rules, seat_bots(bots, players))
    screen = console()
    _summarize(screen, tables, rules)
    if plot is not None:
        from ttr_tools.simulation import save_plots

        for path in save_plots(tables, rules, plot):
            screen.print(Text(f"Written: {path}"), soft_wrap=True)


def seat_bots(bots: str, players: int | None) -> list[str]:
    """The names of the bots, one for each seat. Raises `InvalidInputError` if there are more or fewer than players."""
    named = [name.strip() for name in bots.split(",")]
    if len(named) == 1:
        return named * (3 if players is None else players)
    if players is not None and players != len(named):
        raise InvalidInputError(f"--players says {players}, but --bots names {len(named)}: {', '.join(named)}")
    return named


def _summarize(screen: Console, tables: Tables, rules: Rules) -> None:
    """Print who won, with what scores, and which tickets and routes stand out."""
    from ttr_tools.simulation import draws, endings, route_rates, scores, ticket_rates, win_rates

    seats = win_rates(tables).join(scores(tables), on=["seat", "bot"])
    headline = f"{int(seats['games'][0]):,} games of {stack_title(rules)} on the map {rules.board.name}."
    screen.print(Text(headline, style="bold"), soft_wrap=True)
    columns = ["Seat", "Bot", "Wins", "95% interval", "Mean score", "Deviation", "Best"]
    seat_rows = (
        (
            *(str(row["seat"] + 1), row["bot"], *share(row)),
            *(f"{row['mean']:.1f}", f"{row['deviation'] or 0:.1f}", str(row["most"])),
        )
        for row in seats.iter_rows(named=True)
    )
    print_rows(screen, "Seats", columns, seat_rows)
    orders = ((f"{row['order']}.", *share(row)) for row in win_rates(tables, ["order"]).iter_rows(named=True))
    print_rows(screen, "Order of play", ["Plays", "Wins", "95% interval"], orders)
    reasons = (
        (row["ending"], *share(row), f"{row['rounds']:.1f}", f"{row['margin']:.1f}")
        for row in endings(tables).iter_rows(named=True)
    )
    print_rows(screen, "Ends", ["Reason", "Games", "95% interval", "Rounds", "Margin"], reasons)
    columns = ["Seat", "Bot", "Turns", "Blind", "Face up", "Tickets", "Failed tunnels"]
    means = ((str(seat + 1), bot, *(f"{mean:.1f}" for mean in row)) for seat, bot, *row in draws(tables).iter_rows())
    print_rows(screen, "Turns and draws of a game", columns, means)
    named = rules.sheet_words.name
    tickets = (
        (named(row["ticket"]), str(row["held"]), *share(row), f"{row['mean_points']:+.1f}")
        for row in _ends(ticket_rates(tables)).iter_rows(named=True)
    )
    columns = ["Ticket", "Held", "Completed", "95% interval", "Mean points"]
    print_rows(screen, "Tickets most often completed, and least often", columns, tickets)
    route_names = _route_names(rules)
    routes = (
        (route_names[row["route"]], *share(row), "" if row["turn"] is None else f"{row['turn']:.0f}")
        for row in _ends(route_rates(tables, rules.board.routes)).iter_rows(named=True)
    )
    columns = ["Route", "Claimed", "95% interval", "In turn"]
    print_rows(screen, "Routes most often claimed, and least often", columns, routes)


def _route_names(rules: Rules) -> dict[str, str]:
    """The names of the routes; halves of a double that look the same are numbered."""
    name = rules.sheet_words.name
    names: dict[str, str] = {}
    for same, group in groupby(sorted(rules.board.routes, key=name), name):
        ids = list(group)
        for number, id in enumerate(ids, 1):
            names[id] = same if len(ids) == 1 else f"{same} ({number} of {len(ids)})"
    return names


def _ends(rates: pl.DataFrame) -> pl.DataFrame:
    """The first and the last rows of a long table."""
    if len(rates) <= 2 * LISTED:
        return rates
    return rates.head(LISTED).vstack(rates.tail(LISTED))


# -- tournament ----


@command()
@click.option(
    "--bots",
    metavar="A,B,...",
    help="The bots: installed ones by name, with an option as in name:option=value; by default all but slow ones.",
)
@click.option("--players", type=int, default=2, metavar="N", show_default=True, help="How many play each game.")
@many_games_options
@rules_options
def tournament(rules: Rules, many: ManyGames, bots: str | None, players: int) -> None:
    """Let bots compete, and rate them.

    They play games of a STACK in every combination and every order of seats, equally often.

    The rating is openskill's: everybody begins with 25, and the deviation says how sure it is. The same seed gives the
    same games. Ctrl-C stops; with --out, what was played is kept, and the same command continues.

    Examples:
      ttr-rules tournament north-america
      ttr-rules tournament europe dice --bots planner,random --games 400 --seed 1
      ttr-rules tournament europe --bots planner,random,mine:depth=3 --players 3 --out cup.parquet
      ttr-rules tournament north-america --bots search,planner --games 10   takes minutes

    """
    require("data", "polars", "scipy", "openskill")
    from ttr_tools.simulation import duels, ratings, scores

    competing = _quick_bots() if bots is None else [name.strip() for name in bots.split(",")]
    tables = many.play(rules, competing, players)
    rated = ratings(tables).join(scores(tables, ["bot"]).select("bot", "mean"), on="bot", maintain_order="left")
    count = tables.seats.height // players
    screen = console()
    headline = f"{count:,} games of {stack_title(rules)} with {players} players each."
    screen.print(Text(headline, style="bold"), soft_wrap=True)
    columns = ["Bot", "Rating", "Deviation", "Games", "Wins", "95% interval", "Mean score"]
    rating_rows = (
        (
            *(row["bot"], f"{row['rating']:.1f}", f"{row['deviation']:.1f}", str(row["games"])),
            *(*share(row), f"{row['mean']:.1f}"),
        )
        for row in rated.iter_rows(named=True)
    )
    print_rows(screen, "Ratings", columns, rating_rows)
    duel_rows = (
        (row["bot"], row["other"], str(row["games"]), *share(row)) for row in duels(tables).iter_rows(named=True)
    )
    print_rows(screen, "Ahead of each other", ["Bot", "Against", "Games", "Ahead", "95% interval"], duel_rows)


def _quick_bots() -> list[str]:
    """The names of the installed bots without the slow ones, which are named on stderr."""
    from ttr_tools.bots import installed_bots

    every = installed_bots()
    quick, slow = ([bot.name for bot in every if bot.slow is wanted] for wanted in (False, True))
    if slow:
        everybody = ",".join([*quick, *slow])
        click.echo(f"Slow bots take part only if named: {', '.join(slow)}. With all: --bots {everybody}", err=True)
    return quick
