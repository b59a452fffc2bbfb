"""`ttr-rules simulate` and `tournament`: many games of bots, with statistics and ratings."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import wraps
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click
from attrs import frozen
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn
from rich.text import Text

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError
from ttr_tools.cli.options import (
    Command,
    Problem,
    command,
    console,
    players_option,
    rules_argument,
    seed_option,
    stack_title,
    usual_players,
)
from ttr_tools.cli.terminal import print_table
from ttr_tools.extras import extra
from ttr_tools.narration import Names

if TYPE_CHECKING:
    import polars as pl

    from ttr_tools.simulation import GameResult, ResultTables

#: The number of tickets and routes that the summary lists at each end; the files have them all.
LISTED = 5


@frozen
class ManyGames:
    """A run of many games: their number and seed, the number of processes, and the folder for the results."""

    games: int
    seed: int | str | None
    workers: int | None
    out: Path | None

    def play(self, rules: Rules, bots: Sequence[str], players: int | None = None) -> ResultTables:
        """Play the games that are not in the folder yet and report the progress. Returns the tables of all games.

        `bots` are the names of the bots at the seats, or of those that compete if `players` says how many play a game.
        """
        from ttr_rules.model import new_seed
        from ttr_tools.simulation import read_results, simulate_to, tabulate
        from ttr_tools.simulation.running import make_plan, play_games

        seed = new_seed() if self.seed is None else self.seed
        plan = make_plan(rules, bots, seed, players)
        if self.seed is None:
            click.echo(f"The seed drawn is {seed}.", err=True)

        def start(executor: Executor | None) -> Generator[GameResult, None, None]:
            if self.out is None:
                return play_games(plan, range(self.games), executor)
            return simulate_to(self.out, rules, bots, self.games, seed, executor, players)

        done: list[GameResult] = []
        workers = min(self.games, self.workers or os.cpu_count() or 1)
        try:
            with _executor(workers) as executor, closing(start(executor)) as results, _progress(self.games) as show:
                for result in results:
                    done.append(result)
                    show(result.game + 1)
        except KeyboardInterrupt as interrupt:
            click.echo(f"\nInterrupted. {_report_kept(len(done), self.out)}", err=True)
            raise SystemExit(130) from interrupt
        except BrokenExecutor as error:
            kept = _report_kept(len(done), self.out)
            raise Problem(f"a process that played games ended, perhaps for lack of memory. {kept}") from error
        return tabulate(done) if self.out is None else read_results(self.out)


def many_games_options(command: Command) -> Command:
    """The options for playing many games: the command gets a `ManyGames`, as `many`."""

    @click.option("--games", type=click.IntRange(min=1), default=100, metavar="N", help="How many games.")
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


def bots_option(about: str, default: str) -> Callable[[Command], Command]:
    """The option `--bots`: names of bots."""
    named = f"{about} installed ones by name, with an option as in name:option=value."
    return click.option("--bots", metavar="A,B,...", default=default, help=named)


def _report_kept(count: int, out: Path | None) -> str:
    """Report on the games that were played before something stopped."""
    if out is None:
        return f"{_count_games(count)} played; with --out they would be kept."
    return f"{_count_games(count, 'new ')} in {out}; the same command continues."


def _count_games(count: int, kind: str = "") -> str:
    return f"1 {kind}game" if count == 1 else f"{count:,} {kind}games"


@contextmanager
def _executor(workers: int) -> Generator[ProcessPoolExecutor | None, None, None]:
    """Processes to play in, or None for one. Ctrl-C is left to the process that started them."""
    if workers == 1:
        yield None
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin_worker)
    try:
        with _interrupts_held():
            for _ in range(workers):
                pool.submit(os.getpid)  # each starts a process
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Generator[None, None, None]:
    """Hold Ctrl-C back until the end.

    Processes that are started meanwhile never get it. This works only where there are POSIX signals.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
def _progress(games: int) -> Generator[Callable[[int], None], None, None]:
    """A progress bar on stderr if that is a terminal, called with the number of games that are done."""
    screen = Console(stderr=True)
    columns = (*Progress.get_default_columns(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, disable=not screen.is_terminal) as bar:
        task = bar.add_task("games", total=games)
        yield lambda done: bar.update(task, completed=done)


# -- output --------------------------------------------------------------------------------------------------------


def rate(name: str) -> dict[str, str]:
    """The columns of a rate with its interval, in per cent."""
    return {name: "{rate:.1%}", "95% interval": "{low:.1%} – {high:.1%}"}


def print_rows(title: str, rows: pl.DataFrame, columns: Mapping[str, str]) -> None:
    """Print a table with a row for each row of data. `columns` has a template for its values under each heading.

    The first column, and those of bots, are on the left.
    """
    right = [column for column in [*columns][1:] if column not in ("Bot", "Against")]
    cells = ([cell.format_map(row) for cell in columns.values()] for row in rows.iter_rows(named=True))
    print_table(console(), [*columns], cells, right, title, console().width)


# -- simulate -----


@command()
@players_option("The number of players; as many as --bots, else 3 by default or the nearest that the variant is for.")
@bots_option("The bot of each seat, or one for all seats;", "planner")
@many_games_options
@rules_argument
def simulate(rules: Rules, many: ManyGames, players: int | None, bots: str) -> None:
    """Play many games and see who wins.

    Bots play games of a STACK; tables show who wins, with what scores, by which tickets and routes.

    Each game has a seed of its own, made from --seed and its number, so that the results do not depend on the number of
    processes. Ctrl-C stops; with --out, what was played is kept, and the same command continues.

    Examples:
      ttr-rules simulate europe --players 3 --games 1000 --seed 1
      ttr-rules simulate north-america --bots planner,random --games 200
      ttr-rules simulate europe dice --games 5000 --out games.parquet

    A game of the simulation again, in words (planners only):
      ttr-rules play europe --players 3 --seed 1:17

    """
    _summarize(many.play(rules, seat_bots(bots, players, usual_players(rules))), rules)


def seat_bots(bots: str, players: int | None, usual: int) -> list[str]:
    """The names of the bots, one for each seat. Raises `InvalidInputError` if there are more or fewer than players."""
    named = [name.strip() for name in bots.split(",")]
    if len(named) == 1:
        return named * (usual if players is None else players)
    if players is not None and players != len(named):
        raise InvalidInputError(f"--players says {players}, but --bots names {len(named)}: {', '.join(named)}")
    return named


def _summarize(tables: ResultTables, rules: Rules) -> None:
    """Print who won, with what scores, and which tickets and routes stand out."""
    import polars as pl

    from ttr_tools.simulation import draws, endings, route_rates, scores, ticket_rates, win_rates

    seats = win_rates(tables).join(scores(tables), on=["seat", "bot"]).with_columns(pl.col("seat") + 1)
    _print_headline(tables, f"of {stack_title(rules)} on the map {rules.board.name}.")
    seat = {"Seat": "{seat}", "Bot": "{bot}"}
    means = {"Mean score": "{mean:.1f}", "Deviation": "{deviation:.1f}", "Best": "{most}"}
    print_rows("Seats", seats.fill_null(0), {**seat, **rate("Wins"), **means})
    print_rows("Order of play", win_rates(tables, ["order"]), {"Plays": "{order}.", **rate("Wins")})
    more = {"Rounds": "{rounds:.1f}", "Margin": "{margin:.1f}"}
    print_rows("Ends", endings(tables), {"Reason": "{ending}", **rate("Games"), **more})
    drawn = draws(tables).with_columns(pl.col("seat") + 1)
    names = zip(("Turns", "Blind", "Face up", "Tickets", "Failed tunnels"), drawn.columns[2:], strict=True)
    columns = {name: f"{{{column}:.1f}}" for name, column in names}
    print_rows("Turns and draws of a game", drawn, {**seat, **columns})
    tickets = _ends(ticket_rates(tables))
    tickets = tickets.with_columns(ticket=pl.Series([*map(rules.sheet_words.name, tickets["ticket"])], dtype=pl.String))
    columns = {"Ticket": "{ticket}", "Held": "{held}", **rate("Completed"), "Mean points": "{mean_points:+.1f}"}
    print_rows("Tickets most often completed, and least often", tickets, columns)
    routes = _ends(route_rates(tables, rules.board.routes))
    labels = pl.Series([*map(Names(rules, ()).route_label, routes["route"])], dtype=pl.String)
    turns = pl.Series(["" if turn is None else f"{turn:.0f}" for turn in routes["turn"]], dtype=pl.String)
    columns = {"Route": "{route}", **rate("Claimed"), "In turn": "{turn}"}
    print_rows("Routes most often claimed, and least often", routes.with_columns(route=labels, turn=turns), columns)


def _print_headline(tables: ResultTables, about: str) -> None:
    console().print(Text(f"{_count_games(tables.games.height)} {about}", style="bold"), soft_wrap=True)


def _ends(rates: pl.DataFrame) -> pl.DataFrame:
    """The first and the last rows of a long table."""
    return rates if len(rates) <= 2 * LISTED else rates.head(LISTED).vstack(rates.tail(LISTED))


# -- tournament ----


@command()
@bots_option("The bots:", "planner,random")
@players_option("How many play each game.", 2)
@many_games_options
@rules_argument
def tournament(rules: Rules, many: ManyGames, bots: str, players: int) -> None:
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
    from ttr_tools.simulation import duels, ratings, scores

    with extra("data"):
        import openskill  # noqa: F401  # pyright: ignore[reportUnusedImport]

    tables = many.play(rules, [name.strip() for name in bots.split(",")], players)
    rated = ratings(tables).join(scores(tables, ["bot"]).select("bot", "mean"), on="bot", maintain_order="left")
    _print_headline(tables, f"of {stack_title(rules)} with {players} players each.")
    columns = {"Bot": "{bot}", "Rating": "{rating:.1f}", "Deviation": "{deviation:.1f}"}
    columns |= {"Games": "{games}", **rate("Wins"), "Mean score": "{mean:.1f}"}
    print_rows("Ratings", rated, columns)
    columns = {"Bot": "{bot}", "Against": "{other}", "Games": "{games}", **rate("Ahead")}
    print_rows("Ahead of each other", duels(tables), columns)
