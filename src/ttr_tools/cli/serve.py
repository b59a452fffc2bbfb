"""`ttr-rules serve`: a server for games that people play in a browser, against each other and against bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.language import Language
from ttr_rules.play import new_game
from ttr_rules.plugins import compile_rules
from ttr_rules.text import printable
from ttr_tools.cli.play import DEFAULT_NAMES
from ttr_tools.cli.terminal import examples, language_option, read_seed, ruling_option, stack_title
from ttr_tools.cli.ticket_files import ticket_file_option, variant_file_option, with_tickets

if TYPE_CHECKING:
    from ttr_tools.web import Table


@click.command(
    short_help="Play in the browser, together and against bots.",
    epilog=examples("""
        Examples:
          ttr-rules serve europe --seats 2 --bots 1
          ttr-rules serve europe dice --seats 2 --bots 2 --port 8765
          ttr-rules serve north-america --seats 2 --host 0.0.0.0 --url https://games.example.org
          ttr-rules serve                    goes on with the games that are kept
    """),
)
@click.argument("stack", nargs=-1, metavar="[STACK...]")
@click.option("--seats", type=click.IntRange(1, 20), default=1, show_default=True, help="How many people play.")
@click.option(
    "--bots", type=click.IntRange(0, 20), help="How many bots play; by default so many that there are enough players."
)
@click.option("--bot", default="planner", show_default=True, metavar="NAME", help="Which bot plays the bots' seats.")
@click.option("--names", metavar="A,B,...", help="The players' names in seat order, people first.")
@click.option("--seed", metavar="S", callback=read_seed, help="A number or a text; by default one is drawn.")
@ruling_option
@ticket_file_option
@variant_file_option
@click.option(
    "--journal",
    "file",
    metavar="FILE",
    default="ttr-games.db",
    show_default=True,
    help="The file in which games are kept, move by move.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@click.option("--url", metavar="URL", help="How players reach the server, if there is a proxy in front of it.")
@click.option(
    "--pause", type=click.FloatRange(0, 60), default=0.7, show_default=True, help="Seconds before a bot's move."
)
@language_option
def serve(
    stack: tuple[str, ...],
    seats: int,
    bots: int | None,
    bot: str,
    names: str | None,
    seed: int | str | None,
    rulings: Mapping[str, bool | str],
    ticket_files: Mapping[str, str],
    variant_files: tuple[str, ...],
    file: str,
    host: str,
    port: int,
    url: str | None,
    pause: float,
    lang: str,
) -> None:
    """Open a game of a STACK that people play in the browser, and go on with all games that are kept in FILE.

    Each player gets a link of their own, which is secret; anybody with the link for spectators may watch. Every move is on
    the disk before it is accepted: after a crash, the same links go on.
    """
    from ttr_tools.web import Tables, application, listen, run

    rules, game = None, None
    if stack:
        rules = compile_rules(*with_tickets(stack, ticket_files, variant_files), rulings=dict(rulings) or None)
        bots = max(0, rules.components.min_players - seats) if bots is None else bots
        game = new_game(rules=rules, players=_names(names, seats, bots), seed=seed)
    tables = Tables(file, rules)
    if game is None and not list(tables):
        raise click.UsageError(f"Missing argument 'STACK...': no games are kept in {file}.")
    with listen(host, port) as listening:
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0") else f"[{host}]" if ":" in host else host  # noqa: S104
        base = (url or f"http://{shown}:{listening.getsockname()[1]}").rstrip("/")
        if game is not None:
            tables.open(game, range(seats), bot)
        for id in tables:
            try:
                table = tables.get(id)
            except SaveError as error:
                click.echo(printable(str(error)), err=True)
            else:
                if not table.game.is_over:
                    _print_links(table, base, table.game.rules.language(lang))
        run(application(tables, pause=pause, origins=[base], lang=lang), listening)


def _names(names: str | None, seats: int, bots: int) -> list[str]:
    given = [name.strip() for name in names.split(",")] if names else []
    if len(given) > seats + bots:
        raise InvalidInputError(f"--names names {len(given)}, but {seats + bots} play: {', '.join(given)}")
    free = [name for name in DEFAULT_NAMES if name not in given]
    free += [f"Player {number + 1}" for number in range(seats + bots)]
    return [*given, *free][: seats + bots]


def _print_links(table: Table, base: str, language: Language) -> None:
    """Print the links of a game: one for each person, and one for spectators."""
    game = table.game
    click.echo(f"{stack_title(game.rules, language)}: {', '.join(game.players)}")
    for seat in table.people:
        click.echo(f"  {game.players[seat]}: {base}/{table.id}#{table.tokens[seat]}")
    click.echo(f"  {language.gettext('spectators')}: {base}/{table.id}")
