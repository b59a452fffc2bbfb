"""`ttr-rules simulate`: many games at once, with a progress bar, results in files, statistics and plots."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ttr_rules.cli.terminal import Problem, console, examples, read_seed, ruling_option, stack_argument
from ttr_rules.cli.ticket_files import ticket_file_option, variant_file_option, with_tickets
from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.rules import Rules
from ttr_rules.plugins.compiler import compile_rules

if TYPE_CHECKING:
    import polars as pl

    from ttr_rules.simulation import GameResult, Tables
    from ttr_rules.simulation.running import SubmitsCalls

#: How many tickets and routes the summary lists; files and plots have them all.
LISTED = 5


@click.command(
    short_help="Play many games and see who wins.",
    epilog=examples("""
        Examples:
          ttr-rules simulate europe --players 3 --games 1000 --seed 1
          ttr-rules simulate north-america --bots planner,random --games 200
          ttr-rules simulate europe dice --games 5000 --out games.parquet --plot plots/

        A game of the simulation again, in words (planners only):
          ttr-rules play europe --players 3 --seed 1:17
    """),
)
@stack_argument
@click.option("--players", type=int, metavar="N", help="The number of players; 3 by default, or as many as --bots.")
@click.option(
    "--bots",
    metavar="A,B,...",
    default="planner",
    show_default=True,
    help="The bot of each seat, or one for all seats; installed ones by name, with options as in name:option=value.",
)
@click.option(
    "--games", type=click.IntRange(min=1), default=100, metavar="N", show_default=True, help="How many games."
)
@click.option("--seed", metavar="S", callback=read_seed, help="A number or a text. The same seed gives the same games.")
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="How many processes play; by default one for each core."
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Keep the results in a folder of Parquet files. What it has of the same simulation is not played again.",
)
@click.option(
    "--plot",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write plots to a folder, and the routes on the board.",
)
@ruling_option
@ticket_file_option
@variant_file_option
def simulate(
    stack: tuple[str, ...],
    players: int | None,
    bots: str,
    games: int,
    seed: int | str | None,
    workers: int | None,
    out: Path | None,
    plot: Path | None,
    rulings: Mapping[str, bool | str],
    ticket_files: Mapping[str, str],
    variant_files: tuple[str, ...],
) -> None:
    """Let bots play many games of a STACK, and show who wins, with what scores, by which tickets and routes.

    Each game has a seed of its own, made from --seed and its number, so that the results do not depend on the number of
    processes. Ctrl-C stops; with --out, what was played is kept, and the same command continues.
    """
    from ttr_rules.model.chance import new_seed
    from ttr_rules.simulation import read_results, save_plots, simulate_to, tabulate
    from ttr_rules.simulation import simulate as simulated
    from ttr_rules.simulation.plan import plan_of
    from ttr_rules.simulation.tables import require

    require()
    rules = compile_rules(*with_tickets(stack, ticket_files, variant_files), rulings=dict(rulings) or None)
    named = seat_bots(bots, players)
    plan_of(rules, named, 0 if seed is None else seed)  # before a seed is told that nobody needs
    if seed is None:
        seed = new_seed()
        click.echo(f"The seed drawn is {seed}.", err=True)
    start = partial(simulated, rules) if out is None else partial(simulate_to, out, rules)
    results = _played(partial(start, named, games, seed), games, workers, out)
    tables = tabulate(results) if out is None else read_results(out)
    screen = console()
    _summarize(screen, tables, rules)
    if plot is not None:
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


# -- playing -------------------------------------------------------------------------------------------------------


def _played(
    start: Callable[[SubmitsCalls | None], Generator[GameResult, None, None]],
    games: int,
    workers: int | None,
    out: Path | None,
) -> list[GameResult]:
    """The results of the games, or only those that were not in the folder; with a progress bar."""
    done: list[GameResult] = []
    count = min(games, workers or os.cpu_count() or 1)
    try:
        with _executor(count) as executor, closing(start(executor)) as results, _progress(games) as show:
            for result in results:
                done.append(result)
                show(result.game + 1)
    except KeyboardInterrupt as interrupt:
        click.echo(f"\nInterrupted. {_kept(len(done), out)}", err=True)
        raise SystemExit(130) from interrupt
    except BrokenExecutor as error:
        raise Problem(
            f"a process that played games ended, perhaps for lack of memory. {_kept(len(done), out)}"
        ) from error
    return done


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
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _progress(games: int) -> Generator[Callable[[int], None], None, None]:
    """A progress bar on stderr, called with the number of games that are done; nothing if that is not a terminal."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda done: None
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


# -- the summary ---------------------------------------------------------------------------------------------------


def _summarize(screen: Console, tables: Tables, rules: Rules) -> None:
    """Print who won, with what scores, and which tickets and routes stand out."""
    from ttr_rules.simulation import route_rates, scores, ticket_rates, win_rates

    seats = win_rates(tables).join(scores(tables), on=["seat", "bot"])
    games = int(seats["games"][0])
    screen.print(Text(f"{games:,} games of {rules} on the map {rules.board.name}.", style="bold"), soft_wrap=True)
    rows = [
        (
            str(row["seat"] + 1),
            row["bot"],
            *_share(row),
            f"{row['mean']:.1f}",
            f"{row['deviation'] or 0:.1f}",
            str(row["most"]),
        )
        for row in seats.iter_rows(named=True)
    ]
    _print(screen, "Seats", ["Seat", "Bot", "Wins", "95% interval", "Mean score", "Deviation", "Best"], rows)
    orders = win_rates(tables, ["order"]).iter_rows(named=True)
    _print(
        screen,
        "Order of play",
        ["Plays", "Wins", "95% interval"],
        [(f"{row['order']}.", *_share(row)) for row in orders],
    )
    named = rules.sheet_words.name
    called = Counter(map(named, rules.board.routes))
    # Halves of a double that look the same have the same name.
    routes = {id: named(id) if called[named(id)] == 1 else f"{named(id)} [{id}]" for id in rules.board.routes}
    tickets = ticket_rates(tables)
    _print(
        screen,
        "Tickets most often completed, and least often",
        ["Ticket", "Held", "Completed", "95% interval", "Mean points"],
        [
            (named(row["ticket"]), str(row["held"]), *_share(row), f"{row['mean_points']:+.1f}")
            for row in _ends(tickets).iter_rows(named=True)
        ],
    )
    _print(
        screen,
        "Routes most often claimed, and least often",
        ["Route", "Claimed", "95% interval", "In turn"],
        [
            (routes[row["route"]], *_share(row), "" if row["turn"] is None else f"{row['turn']:.0f}")
            for row in _ends(route_rates(tables, rules.board.routes)).iter_rows(named=True)
        ],
    )


def _share(row: Mapping[str, float]) -> tuple[str, str]:
    """A rate with its interval, in per cent."""
    return f"{row['rate']:.1%}", f"{row['low']:.1%} – {row['high']:.1%}"


def _ends(rates: pl.DataFrame) -> pl.DataFrame:
    """The first and the last rows of a long table."""
    if len(rates) <= 2 * LISTED:
        return rates
    return rates.head(LISTED).vstack(rates.tail(LISTED))


def _print(screen: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 or column == "Bot" else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    screen.print()
    screen.print(table)
