"""`ttr-rules board`, `render` and `replay`: a board as tables, a board or a game as a picture, a game as a web page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from ttr_rules import Rules
from ttr_rules.clients import board as board_info, to_json
from ttr_rules.language import Language
from ttr_rules.model import TicketDeck, plain
from ttr_rules.play import Game
from ttr_rules.text import printable, spaced
from ttr_tools import render as pictures
from ttr_tools.cli.options import (
    Problem,
    Stack,
    blame,
    command,
    console,
    language_option,
    load_named_game,
    output_option,
    rules_argument,
    stack_argument,
    write_json,
)
from ttr_tools.cli.terminal import paint, print_table
from ttr_tools.narration import Names
from ttr_tools.render.svg import THEMES

if TYPE_CHECKING:
    from ttr_tools.render import Theme
    from ttr_tools.replay import Viewer


def find_viewer(wanted: str, game: Game, others: Sequence[Viewer] = (None, "all")) -> Viewer:
    """The viewer meant by `--seat`: a player's name before anything else. Raises `Problem` if there is none."""
    numbers = {name: seat for seat, name in enumerate(game.players)}
    also: dict[str, Viewer] = {str(viewer or "spectator"): viewer for viewer in others}
    viewers = also | {str(seat): seat for seat in numbers.values()} | numbers
    viewer = wanted if wanted in viewers else wanted.casefold()
    if viewer not in viewers:
        *names, last = *game.players, *also
        raise Problem(f"--seat must be {', '.join(names)} or {last}, not {wanted[:40]!r}")
    return viewers[viewer]


# -- render --------------------------------------------------------------------------------------------------------


@command()
@stack_argument()
@output_option("The file to write: its name ends in .svg or .png; - for SVG on the standard output.")
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default="auto",
    show_default=False,
    help="Colors: as the reader's system asks for, light or dark.",
)
@click.option(
    "--seat", metavar="NAME", help="Show the game as this player sees it: a name, or the number of a seat, from 0."
)
@click.option("--at", "played", type=int, metavar="MOVE", help="Show the game as it was after this many actions.")
@click.option("--paths", is_flag=True, help="Light up the longest path.")
@click.option("--sheet", is_flag=True, help="Draw the score sheet of a finished game.")
@language_option
def render(
    stack: Stack, output: str, theme: Theme, seat: str | None, played: int | None, paths: bool, sheet: bool, lang: str
) -> None:
    """Draw a board or a saved game as a picture.

    Draws the board of a STACK, or the saved game in a file, and writes the picture to a file. If the game has variants from
    files, name its stack first, with its options.

    A game is drawn as spectators see it, with the cars of all players and their points; with --seat, also with the tickets and
    cards of that player. PNG needs the extra "pictures".

    Examples:
      ttr-rules render europe -o europe.svg
      ttr-rules render marklin germany-tickets -o board.svg --theme dark
      ttr-rules render game.json -o game.png            as spectators see it
      ttr-rules render game.json -o ada.svg --seat Ada --at 40
      ttr-rules render game.json -o sheet.svg --sheet

    """
    if (game := load_named_game(stack)) is None:
        options = {"--seat": seat is not None, "--at": played is not None, "--paths": paths, "--sheet": sheet}
        _check_is_board(stack.names, [option for option, used in options.items() if used])
        picture = pictures.draw_board(stack.rules(), lang=lang, theme=theme)
    else:
        game = game if played is None else game.at(played)
        if sheet:
            if game.final_scores is None:
                raise Problem(f"{stack.names[-1]}: this game is not over, so there is no score sheet yet")
            picture = pictures.draw_sheet(game.final_scores, lang=lang, theme=theme)
        else:
            viewer = None if seat is None else find_viewer(seat, game, [None])
            own = None if viewer == "all" else viewer
            picture = pictures.draw_position(game, seat=own, paths=paths, lang=lang, theme=theme)
    if output == "-":
        click.echo(picture.svg)
        return
    picture.save(output)
    click.echo(printable(f"{output}: {picture.name}"))


def _check_is_board(stack: Sequence[str], options: Sequence[str]) -> None:
    """Refuse options for games, and names of files that are not there."""
    last = stack[-1]
    if last.endswith(".json") or "/" in last or "\\" in last:
        raise Problem(f"{last}: no such file")
    if options:
        raise click.UsageError(f"{options[0]} is for a saved game: give its file, not the STACK {' '.join(stack)}")


# -- replay --------------------------------------------------------------------------------------------------------


@command()
@stack_argument(metavar="SAVE")
@output_option("The HTML file to write; - for the standard output.")
@click.option(
    "--seat",
    metavar="PLAYER",
    default="spectator",
    help="Whose eyes to see the game with: a player's name or seat number, spectator, or all for every hand and ticket.",
)
@language_option
def replay(stack: Stack, output: str, seat: str, lang: str) -> None:
    """Write a saved game as a web page to go through.

    SAVE is a saved game or a journal; name its stack first, with its options, if that has variants from files. The page is
    one file that shows the board and every move, and needs no network. What the chosen PLAYER may not know is not in it, so
    you can send it to players while the game goes on.

    Examples:
      ttr-rules replay evening.json -o evening.html
      ttr-rules replay evening.json -o evening.html --seat Ada
      ttr-rules replay games.db -o game.html --seat all          of a journal
      ttr-rules replay europe my-table.toml table.json -o table.html

    """
    from ttr_tools.replay import page

    if (game := load_named_game(stack)) is None:
        raise Problem(f"{stack.names[-1]}: no such file")
    viewer = find_viewer(seat, game)
    html = page(game, viewer, lang)
    if output == "-":
        click.echo(html)
        return
    with blame(output, "cannot be written"):
        Path(output).expanduser().write_text(html, encoding="utf-8")
    click.echo(printable(_report(output, viewer, game, lang)))


def _report(output: str, viewer: Viewer, game: Game, lang: str) -> str:
    """A sentence that says what was written."""
    language = game.rules.language(lang)
    if viewer is None:
        seen = language.gettext("as a spectator sees it; --seat all shows all hands")
    elif viewer == "all":
        seen = language.gettext("with all hands and tickets")
    else:
        seen = language.gettext("as {player} sees it", player=game.players[viewer])
    one, many = "{file}: {count} move, {seen}.", "{file}: {count} moves, {seen}."
    return language.ngettext(one, many, game.played, file=output, seen=seen)


# -- board ---------------------------------------------------------------------------------------------------------


@command()
@rules_argument
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print the board as JSON, as servers send it to clients.")
def board(rules: Rules, lang: str, as_json: bool) -> None:
    """Show the routes and tickets of a stack as tables.

    The tickets are those of the STACK; a plugin may use only some of the board's. In the column "Kind", a ferry says how many
    of its spaces require a locomotive; marks are words by which plugins select routes.

    Examples:
      ttr-rules board europe                       the routes and the tickets
      ttr-rules board switzerland --json > board.json

    """
    if as_json:
        write_json({"stack": list(rules.stack), **to_json(rules, board_info(rules))})
        return
    screen, names = console(), Names(rules, (), lang)
    screen.print(Text(printable(_headline(rules, names.language)), style="bold"), soft_wrap=True)
    _print_routes(screen, names)
    _print_tickets(screen, rules.deck, names)


def _headline(rules: Rules, language: Language) -> str:
    """The name of the board, and the numbers of its cities, routes and tickets."""
    count = language.ngettext
    counts = [count("{count} city", "{count} cities", len(rules.board.cities))]
    counts.append(count("{count} route", "{count} routes", len(rules.board.routes)))
    counts.append(count("{count} ticket", "{count} tickets", len(rules.deck.tickets)))
    return f"{language.name(rules.board.name)}: {', '.join(counts)}."


def _print_routes(screen: Console, names: Names) -> None:
    """Print the routes by the names of their cities."""
    board, language, say = names.board, names.language, names.language.gettext
    rows: list[list[str | Text]] = []
    named = (([*map(names.place, route.cities)], route) for route in board.routes.values())
    for ends, route in sorted(named, key=lambda row: list(map(plain, row[0]))):
        color = paint(language.name(str(route.color)), language)
        kinds = [say("tunnel")] if route.tunnel else []
        kinds += [say("ferry {count}", count=route.ferry_locomotives)] if route.ferry_locomotives else []
        kinds += [say("double")] if route.double_group is not None else []
        kinds += map(names.mark, route.marks)
        rows.append([*ends, str(route.length), color, str(names.rules.route_points[route.id]), ", ".join(kinds)])
    columns = [say("From"), say("To"), say("Spaces"), say("Color"), say("Points"), say("Kind")]
    print_table(screen, columns, rows, [say("Spaces"), say("Points")])


def _print_tickets(screen: Console, deck: TicketDeck, names: Names) -> None:
    """Print the tickets of the deck, pile by pile in their order, then by name."""
    say, name = names.language.gettext, names.language.name
    has_logos = any(ticket.logos for ticket in deck.tickets)
    rows: list[list[str]] = []
    for pile in deck.piles.values():
        places = [([*map(names.place, ticket.cities)], ticket) for ticket in pile]
        for (*starts, _), ticket in sorted(places, key=lambda row: list(map(plain, row[0]))):
            goals = "\n".join(names.place(place) for place, _ in ticket.goals)
            points = "\n".join(str(points) for _, points in ticket.goals)
            points += f"/{ticket.in_order}" if ticket.in_order else ""
            logos = [", ".join(sorted(name(spaced(logo)) for logo in ticket.logos))] if has_logos else []
            rows.append(["–".join(starts), goals, points, name(ticket.kind), *logos])
    columns = [say("From"), say("To"), say("Points"), say("Kind"), *([say("Logos")] if has_logos else [])]
    print_table(screen, columns, rows, [say("Points")])
