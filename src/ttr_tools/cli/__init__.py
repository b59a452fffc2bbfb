"""The commands of `ttr-rules`. Nothing else of the library needs click and rich, the extra `cli`."""

from __future__ import annotations

import click

from ttr_rules import __version__
from ttr_tools.cli.authors import check, explain, hooks, new_variant, perft, playthrough, schema, variants
from ttr_tools.cli.many_games import simulate, tournament
from ttr_tools.cli.options import CommandGroup, help_from_docstring, prepare_streams
from ttr_tools.cli.pictures import board, render, replay
from ttr_tools.cli.play import export, play, serve
from ttr_tools.cli.score import score


@help_from_docstring
@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(__version__, prog_name="ttr-rules")
def commands() -> None:
    """The rules of the Ticket to Ride family: play games, see what is installed, score a game played at a table.

    A STACK is one or more plugins: a map, and anything added to it. Options are written after the name of their plugin, as in
    europe:tie_break=P6, and so is the file of tickets of your own, marklin:tickets=my-tickets.toml. A variant may also be a file, such as my-table.toml or
    my_variant.py, also with options: my_variant.py:points=5.

    Examples:
      ttr-rules variants                              what can be played
      ttr-rules play europe --players 3 --seed 1912   bots play a game
      ttr-rules play north-america --human Mary       you play against them
      ttr-rules serve europe --seats 2 --bots 1       play in the browser
      ttr-rules simulate europe --games 1000          who wins, and why
      ttr-rules board europe                          its routes and tickets
      ttr-rules render europe -o europe.svg           its picture
      ttr-rules explain europe                        which plugin decides what
      ttr-rules replay game.json -o game.html         a saved game as a web page
      ttr-rules export games.db > game.json           a saved game of a journal
      ttr-rules score game.toml                       the sheet of your own game
      ttr-rules new-variant golden-spike              start a variant of your own

    Each command has its own --help.

    """


for _command in (
    *(play, serve, simulate, tournament, variants, explain, hooks, board, render, schema, replay, export, score),
    *(new_variant, check, perft, playthrough),
):
    commands.add_command(_command)


def run() -> None:
    """Run the command given by the arguments of the process, and exit."""
    prepare_streams()
    commands()


__all__ = ["commands", "run"]
