"""`ttr-rules play`, `export` and `serve`: games of bots and people at a terminal, saved, or served to browsers."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import click
from rich.text import Text

from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.language import ENGLISH, Language
from ttr_rules.play import Game, new_game
from ttr_rules.saves import Journals
from ttr_rules.text import printable
from ttr_tools.cli.options import (
    Problem,
    Stack,
    begin_journal,
    command,
    console,
    fill_names,
    language_option,
    only_game,
    players_option,
    resume,
    seed_option,
    split_file,
    stack_argument,
    stack_title,
    usual_players,
    write_json,
)
from ttr_tools.cli.terminal import Screen, print_sheet

if TYPE_CHECKING:
    from ttr_tools.web import Table

#: The most players that get names.
MOST_NAMED = 40


@command()
@players_option("The number of players; 3 by default, or the nearest that the variant is for.")
@click.option(
    "--human",
    "people",
    multiple=True,
    metavar="NAME",
    help="A person who plays at this terminal; may be given several times. People take the first seats, bots the others.",
)
@seed_option(". The same seed gives the same game.")
@stack_argument("[STACK...]", optional=True)
@click.option("--resume", "file", metavar="FILE", help="Continue a saved game or a journal, instead of naming a STACK.")
@click.option(
    "--journal",
    "journal_file",
    metavar="FILE",
    help="Keep the game in FILE, move by move, so that --resume FILE goes on after an interruption. One FILE can have "
    "many games: FILE#NAME gives a game a name there.",
)
@click.option("--bots", is_flag=True, help="With --resume: let bots play every seat of a journal to the end.")
@language_option
@click.option("--quiet", is_flag=True, help="Print only the score sheet.")
@click.option("--json", "as_json", is_flag=True, help="Print the score sheet as JSON, with the stack and the seed.")
def play(
    stack: Stack,
    players: int | None,
    people: tuple[str, ...],
    seed: int | str | None,
    file: str | None,
    journal_file: str | None,
    bots: bool,
    lang: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play a game, or let bots play it.

    Prints what happens, as a spectator sees it.

    With --human NAME, a person plays at this terminal. Your hand, your tickets and the face-up cards are shown before every
    question, and nothing that only other players may know. Several people can share the keyboard.

    At the end comes the score sheet: every point of each player, then all players side by side.

    With --resume, name the STACK, with its options, only if it has variants from files.

    Examples:
      ttr-rules play europe --players 3 --seed 1912
      ttr-rules play north-america --players 2 --quiet
      ttr-rules play europe:station_choice=ask
      ttr-rules play europe --players 4 --seed 7 --json > game.json
      ttr-rules play north-america --human Mary            against two bots
      ttr-rules play europe --human Mary --human Paul --players 4
      ttr-rules play europe dice --human Mary
      ttr-rules play --resume evening.json --human Mary    a saved game
      ttr-rules play europe --human Mary --journal evening.db

    With --human you answer with a number, or type part of what you are looking
    for: a city, a color, a kind of action ("claim paris"). ? shows help;
    q ends the game and offers to save it.

    """
    from ttr_tools.bots.playing import play_game
    from ttr_tools.cli.people import find_seats, play_with_people, resume_command

    silent = quiet or as_json
    if people and silent:
        option = "--json" if as_json else "--quiet"
        raise click.UsageError(f"--human plays at the terminal: it cannot be combined with {option}")
    if bots and (people or file is None):
        raise click.UsageError(f"--bots needs --resume FILE{', and cannot be combined with --human' if people else ''}")
    if file is None and not stack.names:
        raise click.UsageError("Missing argument 'STACK...'; or give --resume FILE.")
    of_new_games = "--players" if players is not None else "--seed" if seed is not None else None
    beside = "a STACK without files" if stack.names and not stack.has_files else of_new_games
    if file is not None and beside is not None:
        raise click.UsageError(f"--resume continues a saved game: it cannot be combined with {beside}")
    persons = [name.strip() for name in people]
    with ExitStack() as files:
        if file is not None:
            game, journal = resume(file, files, stack.rules() if stack.has_files else None)
        else:
            rules = stack.rules()
            named = name_players(players, persons, usual_players(rules))
            game, journal = new_game(rules=rules, players=named, seed=seed), None
        seats = find_seats(game, persons)
        if journal is not None and journal_file is not None:
            raise click.UsageError(f"{file} is a journal, which goes on in its own file: leave out --journal")
        if journal is not None and not (seats or bots or game.is_over):
            person, every = shlex.quote(game.players[0]), ", ".join(game.players)
            raise Problem(
                f"{file} is the journal of a game of {every}: say who plays. "
                f"Add --human NAME for each person, such as --human {person}, or --bots to let bots play every seat"
            )
        kept_in = file
        if journal_file is not None:
            kept_in, journal = begin_journal(journal_file, game, files)
        screen = Screen(console(), game.rules.language(lang))
        say = screen.language.gettext
        drawn = seed is None and file is None
        if drawn and quiet and not as_json:
            click.echo(say("The seed drawn is {seed}.", seed=game.seed), err=True)
        if not silent:
            screen.say(opening(game, drawn, screen.language))
        if seats:
            screen.say(say("Answer with a number, or type part of what you are looking for; ? for help, q to stop."))
        again = stack.arguments(lang)
        kept = say("The game ends here. --seed {seed} deals it again.", seed=game.seed)
        if journal is not None:
            command = resume_command(str(kept_in), [game.players[seat] for seat in seats], again)
            stopped = "Stopped. The game is kept in {file}. To go on:\n{command}"
            kept = say(stopped, file=printable(str(kept_in)), command=command)
        try:
            if silent:
                play_game(journal or game)
            elif not play_with_people(game, seats, screen, again, journal):
                screen.console.print(Text(kept), soft_wrap=True)
                return
        except KeyboardInterrupt:
            if journal is not None:
                click.echo(f"\n{kept}", err=True, nl=False)
            raise
    scores = game.final_scores
    assert scores is not None, "the game has ended"
    if as_json:
        write_json({"stack": list(game.rules.stack), "seed": game.seed, **scores.to_json()})
    else:
        if not quiet:
            screen.say()
        print_sheet(screen.console, scores, lang)


def name_players(players: int | None, people: Sequence[str], usual: int = 3) -> list[str] | int:
    """The names of the players, people first, or only their number if no game is for that many."""
    count = max(usual, len(people)) if players is None else players
    if people and len(people) > count:
        raise InvalidInputError(f"--players says {players}, but --human names {len(people)}: {', '.join(people)}")
    return fill_names(people, count) if 0 < count <= MOST_NAMED else count


def opening(game: Game, drawn: bool, language: Language = ENGLISH) -> str:
    """The first line: the game, and the seed that reproduces it."""
    say, board = language.gettext, language.name(game.rules.board.name)
    sentences = [say("A game of {stack} on the map {board}.", stack=stack_title(game.rules, language), board=board)]
    again = "The seed is {seed}, drawn at random; --seed {seed} plays this game again."
    sentences.append(say(again, seed=game.seed) if drawn else say("The seed is {seed}.", seed=game.seed))
    if game.played:
        one, many = "It goes on after {count} action.", "It goes on after {count} actions."
        sentences.append(language.ngettext(one, many, game.played))
    return " ".join(sentences)


# -- export -----------------------------------------------------------------------------------------------------------


@command()
@click.argument("file", metavar="JOURNAL")
def export(file: str) -> None:
    """Write a game of a journal as a saved game.

    JOURNAL is FILE or FILE#GAME; its game goes to the standard output, as the JSON of a saved game.

    The journal stays as it is, and may be in use meanwhile. The variants that the game is played with need not be installed.

    Examples:
      ttr-rules export evening.db > evening.json
      ttr-rules export games.db#7f3a > game.json     one of several games

    """
    path, id = split_file(file)
    if not path.is_file():
        raise Problem(f"{file}: there is no such file")
    with Journals(path) as journals:
        click.echo(journals.save(only_game(journals, file) if id is None else id))


# -- serve ---------------------------------------------------------------------------------------------------------


@command()
@click.option("--seats", type=click.IntRange(1, 20), default=1, help="How many people play.")
@click.option(
    "--bots", type=click.IntRange(0, 20), help="How many bots play; by default so many that there are enough players."
)
@click.option("--bot", default="planner", metavar="NAME", help="Which bot plays the bots' seats.")
@click.option("--names", metavar="A,B,...", help="The players' names in seat order, people first.")
@seed_option("; by default one is drawn.")
@stack_argument("[STACK...]", optional=True)
@click.option(
    "--journal", "file", metavar="FILE", default="ttr-games.db", help="The file in which games are kept, move by move."
)
@click.option("--host", default="127.0.0.1", help="The address to listen on; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765)
@click.option("--url", metavar="URL", help="How players reach the server, if there is a proxy in front of it.")
@click.option("--pause", type=click.FloatRange(0, 60), default=0.7, help="Seconds before a bot's move.")
@language_option
def serve(
    stack: Stack,
    seats: int,
    bots: int | None,
    bot: str,
    names: str | None,
    seed: int | str | None,
    file: str,
    host: str,
    port: int,
    url: str | None,
    pause: float,
    lang: str,
) -> None:
    """Play in the browser, together and against bots.

    Opens a game of a STACK that people play in the browser, and goes on with all games that are kept in FILE.

    Each player gets a link of their own, which is secret; anybody with the link for spectators may watch. Every move is on
    the disk before it is accepted: after a crash, the same links go on.

    Examples:
      ttr-rules serve europe --seats 2 --bots 1
      ttr-rules serve europe dice --seats 2 --bots 2 --port 8765
      ttr-rules serve north-america --seats 2 --host 0.0.0.0 --url https://games.example.org
      ttr-rules serve                    goes on with the games that are kept

    """
    from ttr_tools.bots import load_bot
    from ttr_tools.web import Tables, application, listen, run

    rules, game = None, None
    if stack.names:
        load_bot(bot)
        rules = stack.rules()
        bots = max(0, rules.components.min_players - seats) if bots is None else bots
        wanted, count = [name.strip() for name in names.split(",")] if names else [], seats + bots
        if len(wanted) > count:
            raise InvalidInputError(f"--names names {len(wanted)}, but {count} play: {', '.join(wanted)}")
        game = new_game(rules=rules, players=fill_names(wanted, count), seed=seed)
    with closing(Tables(file, rules)) as tables:
        if game is None and not list(tables):
            raise click.UsageError(f"Missing argument 'STACK...': no games are kept in {file}.")
        try:
            listening = listen(host, port)
        except InvalidInputError as error:
            raise Problem(f"{error}; --port chooses another port") from error
        with listening:
            address = "localhost" if host in ("127.0.0.1", "0.0.0.0") else f"[{host}]" if ":" in host else host  # noqa: S104
            base = (url or f"http://{address}:{listening.getsockname()[1]}").rstrip("/")
            if game is not None:
                tables.open(game, range(seats), bot)
            kept: list[Table] = []
            for id in tables:
                try:
                    kept.append(tables.get(id))
                except SaveError as error:
                    click.echo(printable(str(error)), err=True)
            going_on = [table for table in kept if not table.game.is_over]
            if not going_on:
                click.echo(f"All games in {file} are over: name a STACK to open a new one.")
            for table in going_on or kept:
                _print_links(table, base, lang)
            run(application(tables, pause=pause, origins=[base], lang=lang), listening)


def _print_links(table: Table, base: str, lang: str) -> None:
    """Print the links of a game: one for each person while it goes on, and one for spectators."""
    game, language = table.game, table.game.rules.language(lang)
    click.echo(f"{stack_title(game.rules, language)}: {', '.join(game.players)}")
    for seat in () if game.is_over else table.people:
        click.echo(f"  {game.players[seat]}: {base}/{table.id}#{table.tokens[seat]}")
    click.echo(f"  {'the end' if game.is_over else language.gettext('spectators')}: {base}/{table.id}")
