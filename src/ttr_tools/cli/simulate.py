"""`ttr-rules simulate`: many games at once, with results in files, statistics and plots."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError
from ttr_tools.cli.many_games import ManyGames, many_games_options, print_rows, share
from ttr_tools.cli.terminal import console, examples, stack_title
from ttr_tools.cli.ticket_files import rules_options

if TYPE_CHECKING:
    import polars as pl

    from ttr_tools.simulation import Tables

#: How many tickets and routes the summary lists at each end; files and plots have them all.
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
    """Let bots play many games of a STACK, and show who wins, with what scores, by which tickets and routes.

    Each game has a seed of its own, made from --seed and its number, so that the results do not depend on the number of
    processes. Ctrl-C stops; with --out, what was played is kept, and the same command continues.
    """
    from ttr_tools.simulation import save_plots
    from ttr_tools.simulation.tables import require

    require("polars", "scipy", *([] if plot is None else ["matplotlib"]))
    tables = many.play(rules, seat_bots(bots, players))
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


def _summarize(screen: Console, tables: Tables, rules: Rules) -> None:
    """Print who won, with what scores, and which tickets and routes stand out."""
    from ttr_tools.simulation import draws, endings, route_rates, scores, ticket_rates, win_rates

    seats = win_rates(tables).join(scores(tables), on=["seat", "bot"])
    games = int(seats["games"][0])
    screen.print(
        Text(f"{games:,} games of {stack_title(rules)} on the map {rules.board.name}.", style="bold"), soft_wrap=True
    )
    print_rows(
        screen,
        "Seats",
        ["Seat", "Bot", "Wins", "95% interval", "Mean score", "Deviation", "Best"],
        [
            (
                *(str(row["seat"] + 1), row["bot"], *share(row)),
                *(f"{row['mean']:.1f}", f"{row['deviation'] or 0:.1f}", str(row["most"])),
            )
            for row in seats.iter_rows(named=True)
        ],
    )
    print_rows(
        screen,
        "Order of play",
        ["Plays", "Wins", "95% interval"],
        [(f"{row['order']}.", *share(row)) for row in win_rates(tables, ["order"]).iter_rows(named=True)],
    )
    print_rows(
        screen,
        "Ends",
        ["Reason", "Games", "95% interval", "Rounds", "Margin"],
        [
            (row["ending"], *share(row), f"{row['rounds']:.1f}", f"{row['margin']:.1f}")
            for row in endings(tables).iter_rows(named=True)
        ],
    )
    print_rows(
        screen,
        "Turns and draws of a game",
        ["Seat", "Bot", "Turns", "Blind", "Face up", "Tickets", "Failed tunnels"],
        [(str(seat + 1), bot, *(f"{mean:.1f}" for mean in means)) for seat, bot, *means in draws(tables).iter_rows()],
    )
    named = rules.sheet_words.name
    routes: dict[str, str] = {}
    for name, ids in groupby(sorted(rules.board.routes, key=named), named):
        same = list(ids)  # halves of a double may look the same
        for number, id in enumerate(same, 1):
            routes[id] = name if len(same) == 1 else f"{name} ({number} of {len(same)})"
    print_rows(
        screen,
        "Tickets most often completed, and least often",
        ["Ticket", "Held", "Completed", "95% interval", "Mean points"],
        [
            (named(row["ticket"]), str(row["held"]), *share(row), f"{row['mean_points']:+.1f}")
            for row in _ends(ticket_rates(tables)).iter_rows(named=True)
        ],
    )
    print_rows(
        screen,
        "Routes most often claimed, and least often",
        ["Route", "Claimed", "95% interval", "In turn"],
        [
            (routes[row["route"]], *share(row), "" if row["turn"] is None else f"{row['turn']:.0f}")
            for row in _ends(route_rates(tables, rules.board.routes)).iter_rows(named=True)
        ],
    )


def _ends(rates: pl.DataFrame) -> pl.DataFrame:
    """The first and the last rows of a long table."""
    if len(rates) <= 2 * LISTED:
        return rates
    return rates.head(LISTED).vstack(rates.tail(LISTED))
