"""`ttr-rules tournament`: bots against each other, with ratings."""

from __future__ import annotations

import click
from rich.text import Text

from ttr_rules import Rules
from ttr_tools.cli.many_games import ManyGames, many_games_options, print_rows, share
from ttr_tools.cli.terminal import console, examples, stack_title
from ttr_tools.cli.ticket_files import rules_options


@click.command(
    short_help="Let bots compete, and rate them.",
    epilog=examples("""
        Examples:
          ttr-rules tournament north-america
          ttr-rules tournament europe dice --bots planner,random --games 400 --seed 1
          ttr-rules tournament europe --bots planner,random,mine:depth=3 --players 3 --out cup.parquet
          ttr-rules tournament north-america --bots search,planner --games 10   takes minutes
    """),
)
@click.option(
    "--bots",
    metavar="A,B,...",
    help="The bots: installed ones by name, with an option as in name:option=value; by default all but slow ones.",
)
@click.option("--players", type=int, default=2, metavar="N", show_default=True, help="How many play each game.")
@many_games_options
@rules_options
def tournament(rules: Rules, many: ManyGames, bots: str | None, players: int) -> None:
    """Let bots compete in games of a STACK: in every combination and every order of seats, equally often.

    The rating is openskill's: everybody begins with 25, and the deviation says how sure it is. The same seed gives the
    same games. Ctrl-C stops; with --out, what was played is kept, and the same command continues.
    """
    from ttr_tools.simulation import duels, ratings, scores
    from ttr_tools.simulation.tables import require

    require("polars", "scipy", "openskill")
    listed = _quick_bots() if bots is None else [name.strip() for name in bots.split(",")]
    tables = many.play(rules, listed, players)
    rated = ratings(tables).join(scores(tables, ["bot"]).select("bot", "mean"), on="bot", maintain_order="left")
    count = tables.seats.height // players
    screen = console()
    screen.print(
        Text(f"{count:,} games of {stack_title(rules)} with {players} players each.", style="bold"), soft_wrap=True
    )
    print_rows(
        screen,
        "Ratings",
        ["Bot", "Rating", "Deviation", "Games", "Wins", "95% interval", "Mean score"],
        [
            (
                *(row["bot"], f"{row['rating']:.1f}", f"{row['deviation']:.1f}", str(row["games"])),
                *(*share(row), f"{row['mean']:.1f}"),
            )
            for row in rated.iter_rows(named=True)
        ],
    )
    print_rows(
        screen,
        "Ahead of each other",
        ["Bot", "Against", "Games", "Ahead", "95% interval"],
        [(row["bot"], row["other"], str(row["games"]), *share(row)) for row in duels(tables).iter_rows(named=True)],
    )


def _quick_bots() -> list[str]:
    """The names of the installed bots without the slow ones; says which those are."""
    from ttr_tools.bots import installed_bots

    every = installed_bots()
    quick, slow = ([bot.name for bot in every if bot.slow is wanted] for wanted in (False, True))
    if slow:
        click.echo(
            f"Slow bots take part only if named: {', '.join(slow)}. With all: --bots {','.join([*quick, *slow])}",
            err=True,
        )
    return quick
