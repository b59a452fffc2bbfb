"""`ttr-rules render`: a board, a saved game or its final sheet as a picture in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from ttr_rules import Rules
from ttr_rules.errors import PluginError
from ttr_rules.play import Game
from ttr_rules.plugins import compile_rules, compile_without_tickets
from ttr_rules.text import printable
from ttr_tools.cli.saves import divided, saved_game
from ttr_tools.cli.terminal import Problem, examples, language_option, stack_argument
from ttr_tools.cli.ticket_files import ticket_file_option, variant_file_option, with_tickets
from ttr_tools.render import Picture, Theme, draw_board, draw_position, draw_sheet
from ttr_tools.render.style import THEMES


@click.command(
    short_help="Draw a board or a saved game as a picture.",
    epilog=examples("""
        Examples:
          ttr-rules render europe -o europe.svg
          ttr-rules render marklin germany-tickets -o board.html --theme dark
          ttr-rules render game.json -o game.png            as spectators see it
          ttr-rules render game.json -o ada.svg --seat Ada --at 40
          ttr-rules render game.json -o sheet.svg --sheet
    """),
)
@stack_argument
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="The file to write: its name ends in .svg, .png or .html; - for SVG on the standard output.",
)
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default="auto",
    help="Colors: as the reader's system asks for, light or dark.",
)
@click.option(
    "--seat", metavar="NAME", help="Show the game as this player sees it: a name, or the number of a seat, from 0."
)
@click.option("--at", "played", type=int, metavar="MOVE", help="Show the game as it was after this many actions.")
@click.option("--paths", is_flag=True, help="Light up the longest path.")
@click.option("--sheet", is_flag=True, help="Draw the score sheet of a finished game.")
@ticket_file_option
@variant_file_option
@language_option
def render(
    stack: tuple[str, ...],
    output: str,
    theme: Theme,
    seat: str | None,
    played: int | None,
    paths: bool,
    sheet: bool,
    ticket_files: Mapping[str, str],
    variant_files: tuple[str, ...],
    lang: str,
) -> None:
    """Draw the board of a STACK, or a saved game, given by its file, and write the picture to a file.

    A game is drawn as spectators see it, with the cars of all players and their points; with --seat, also with the tickets and
    cards of that player. PNG needs the extra "pictures".
    """
    *plugins, last = stack
    if divided(last)[0].is_file():
        game = _game(last, with_tickets(plugins, ticket_files, variant_files), played)
        picture = _sheet(game, last, theme, lang) if sheet else draw_position(
            game, seat=None if seat is None else _seat(seat, game.players), paths=paths, lang=lang, theme=theme
        )  # fmt: skip
    else:
        given = {"--seat": seat is not None, "--at": played is not None, "--paths": paths, "--sheet": sheet}
        _check_is_board(stack, [option for option, value in given.items() if value])
        picture = draw_board(drawable(with_tickets(stack, ticket_files, variant_files)), lang=lang, theme=theme)
    if output == "-":
        click.echo(picture.svg)
        return
    picture.save(output)
    click.echo(printable(f"{output}: {picture.name}"))


def _game(file: str, plugins: Sequence[object], played: int | None) -> Game:
    """A saved game, as it was after a number of actions."""
    game = saved_game(file, compile_rules(*plugins) if plugins else None)
    return game if played is None else game.at(played)


def _sheet(game: Game, file: str, theme: Theme, lang: str) -> Picture:
    if game.final_scores is None:
        raise Problem(f"{file}: this game is not over, so there is no score sheet yet")
    return draw_sheet(game.final_scores, lang=lang, theme=theme)


def _seat(wanted: str, players: Sequence[str]) -> int:
    """The seat of a player, by name or number."""
    if wanted in players:
        return players.index(wanted)
    if wanted.isdecimal() and len(wanted) < 4 and int(wanted) < len(players):
        return int(wanted)
    raise Problem(f"--seat names {wanted[:40]}; those who play are {', '.join(players)}")


def _check_is_board(stack: Sequence[str], options: Sequence[str]) -> None:
    """Refuse what is for games, and names of files that are not there."""
    last = stack[-1]
    if last.endswith(".json") or "/" in last or "\\" in last:
        raise Problem(f"{last}: no such file")
    if options:
        raise click.UsageError(f"{options[0]} is for a saved game: give its file, not the STACK {' '.join(stack)}")


def drawable(plugins: Sequence[object]) -> Rules:
    """The rules of a stack, without tickets if they are not known: what is on its board does not depend on them."""
    try:
        return compile_rules(*plugins)
    except PluginError:
        return compile_without_tickets(*plugins)
