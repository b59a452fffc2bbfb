"""`ttr-rules replay`: a saved game as a web page to go through move by move."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from ttr_rules.play import Game
from ttr_rules.plugins import compile_rules
from ttr_rules.text import joined, printable, reason_of
from ttr_tools.cli.saves import saved_game
from ttr_tools.cli.terminal import Problem, examples, language_option
from ttr_tools.cli.ticket_files import variant_file_option, with_tickets
from ttr_tools.replay import Viewer, page

SPECTATOR = "spectator"
ALL: Literal["all"] = "all"


@click.command(
    short_help="Write a saved game as a web page to go through.",
    epilog=examples("""
        Examples:
          ttr-rules replay evening.json -o evening.html
          ttr-rules replay evening.json -o evening.html --seat Ada
          ttr-rules replay games.db -o game.html --seat all          of a journal
          ttr-rules replay table.json -o table.html --with my-table.toml europe
    """),
)
@click.argument("file", metavar="SAVE")
@click.argument("stack", nargs=-1, metavar="[STACK...]")
@click.option(
    "-o", "--output", metavar="FILE", required=True, help="The HTML file to write; - for the standard output."
)
@click.option(
    "--seat",
    metavar="PLAYER",
    default=SPECTATOR,
    show_default=True,
    help="Whose eyes to see the game with: a player's name or seat number, spectator, or all for every hand and ticket.",
)
@variant_file_option
@language_option
def replay(
    file: str, stack: tuple[str, ...], output: str, seat: str, variant_files: tuple[str, ...], lang: str
) -> None:
    """Write the game of SAVE, a saved game or a journal, as a web page: the board, and every move of it.

    The page is one file that needs neither a network nor anything else. What the chosen PLAYER may not know is not in it, so
    it can be given away while the game goes on.
    """
    if stack and not variant_files:
        raise click.UsageError("a STACK is for --with: a saved game names its own")
    rules = compile_rules(*with_tickets(stack, {}, variant_files)) if variant_files else None
    game = saved_game(file, rules)
    viewer = viewer_of(seat, game)
    html = page(game, viewer, lang)
    if output == "-":
        click.echo(html)
        return
    try:
        Path(output).expanduser().write_text(html, encoding="utf-8")
    except (OSError, ValueError, RuntimeError) as error:  # also invalid names of files or home folders
        raise Problem(f"{output} cannot be written: {reason_of(error)}") from error
    click.echo(printable(_written(output, viewer, game, lang)))


def _written(output: str, viewer: Viewer, game: Game, lang: str) -> str:
    """What was written, in a sentence."""
    language = game.rules.language(lang)
    if viewer is None:
        seen = language.gettext("as a spectator sees it; --seat all shows all hands")
    elif viewer == ALL:
        seen = language.gettext("with all hands and tickets")
    else:
        seen = language.gettext("as {player} sees it", player=game.players[viewer])
    one, many = "{file}: {count} move, {seen}.", "{file}: {count} moves, {seen}."
    return language.ngettext(one, many, game.played, file=output, seen=seen)


def viewer_of(seat: str, game: Game) -> Viewer:
    """Who is meant by `--seat`: a player's name before anything else. Raises `Problem` if nobody is."""
    if seat in game.players:
        return game.players.index(seat)
    if seat.casefold() == SPECTATOR:
        return None
    if seat.casefold() == ALL:
        return ALL
    if seat.isascii() and seat.isdigit() and int(seat[:9]) < len(game.players):
        return int(seat)
    raise Problem(f"--seat {seat!r} is none of {joined(game.players)}, spectator or all")
