"""`ttr-rules play` and `serve`: games of bots and people, narrated at this terminal or served to browsers."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.text import Text

from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.language import ENGLISH, Language
from ttr_rules.play import Game, new_game
from ttr_rules.saves import Journal
from ttr_rules.text import printable
from ttr_tools.cli.options import (
    Problem,
    Stack,
    console,
    examples,
    language_arguments,
    language_option,
    seed_option,
    stack_options,
    stack_title,
    write_json,
)
from ttr_tools.cli.saves import begin_journal, find_seats, resume, resume_command
from ttr_tools.cli.terminal import Screen, player_style, print_sheet
from ttr_tools.narration.telling import Line
from ttr_tools.narration.words import Names

if TYPE_CHECKING:
    from ttr_tools.web import Table, Tables

#: The default names of players.
DEFAULT_NAMES = ("Ada", "Isambard", "Grace", "Otto", "Clara")


_EXAMPLES = examples("""
    Examples:
      ttr-rules play europe --players 3 --seed 1912
      ttr-rules play north-america --names Ada,Grace --quiet
      ttr-rules play europe --ruling second_card_optional=true
      ttr-rules play europe --players 4 --seed 7 --json > game.json
      ttr-rules play north-america --human Mary            against two bots
      ttr-rules play europe --human Mary --human Paul --players 4
      ttr-rules play europe dice --human Mary --names Otto,Clara
      ttr-rules play --resume evening.json --human Mary    a saved game
      ttr-rules play europe --human Mary --journal evening.db

    With --human you answer with a number, or type part of what you are looking
    for: a city, a color, a kind of action ("claim paris"). ? shows help;
    q ends the game and offers to save it.
""")


@click.command(epilog=_EXAMPLES, short_help="Play a game, or let bots play it.")
@click.option("--players", type=int, metavar="N", help="The number of players; 3 by default, or as many as --names.")
@click.option(
    "--names",
    metavar="A,B,...",
    help="The players' names in seat order, separated by commas; with --human, the bots' names.",
)
@click.option(
    "--human",
    "people",
    multiple=True,
    metavar="NAME",
    help="A person who plays at this terminal; may be given several times. People take the first seats, bots the others.",
)
@seed_option(". The same seed gives the same game.")
@stack_options(optional=True)
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
    names: str | None,
    people: tuple[str, ...],
    seed: int | str | None,
    file: str | None,
    journal_file: str | None,
    bots: bool,
    lang: str,
    quiet: bool,
    as_json: bool,
) -> None:
    """Let bots play a whole game and print what happens, as a spectator sees it; or play against them.

    With --human NAME, a person plays at this terminal. Your hand, your tickets and the face-up cards are shown before every
    question, and nothing that only other players may know. Several people can share the keyboard.

    At the end comes the score sheet: every point of each player, then all players side by side.
    """
    if people and (quiet or as_json):
        raise click.UsageError(
            f"--human plays at the terminal: it cannot be combined with {'--json' if as_json else '--quiet'}"
        )
    if bots and (people or file is None):
        raise click.UsageError(f"--bots needs --resume FILE{', and cannot be combined with --human' if people else ''}")
    if file is not None:
        also: dict[str, object] = {
            "a STACK without --with": () if stack.variant_files else stack.names,
            "--players": players,
            "--names": names,
            "--seed": seed,
            "--ruling": stack.rulings,
            "--ticket-file": stack.ticket_files,
        }
        for option, value in also.items():
            if value:
                raise click.UsageError(f"--resume continues a saved game: it cannot be combined with {option}")
    elif not stack.names:
        raise click.UsageError("Missing argument 'STACK...'; or give --resume FILE.")
    drawn = seed is None and file is None
    screen = console()
    with ExitStack() as files:
        if file is not None:
            game, journal = resume(file, files, stack.rules_of_save())
        else:
            game, journal = new_game(rules=stack.rules(), players=player_names(players, names, people), seed=seed), None
        language = game.rules.language(lang)
        seats = find_seats(game, [name.strip() for name in people])
        kept_in = str(file)
        if journal_file is not None:
            if journal is not None:
                raise click.UsageError(f"{file} is a journal, which goes on in its own file: leave out --journal")
            kept_in, journal = begin_journal(journal_file, game, files)
        elif journal is not None and not (seats or bots or game.is_over):
            raise Problem(_who_plays(str(file), game))
        with_files = [part for name in stack.variant_files for part in ("--with", name)]
        beside = [*(stack.names if with_files else ()), *with_files, *language_arguments(lang)]
        again = resume_command(kept_in, [game.players[seat] for seat in seats], beside)
        if drawn and quiet and not as_json:
            click.echo(language.gettext("The seed drawn is {seed}.", seed=game.seed), err=True)
        first_lines = None if quiet or as_json else opening(game, drawn, language)
        try:
            ended = _play(game, seats, Screen(screen, language), journal, beside, first_lines)
        except KeyboardInterrupt:
            if journal is not None:
                kept = language.gettext("The game is kept. To go on: {command}", command=again)
                click.echo(f"\n{kept}", err=True, nl=False)
            raise
    if not ended:
        kept = language.gettext("The game ends here. --seed {seed} deals it again.", seed=game.seed)
        if journal is not None:
            stopped = "Stopped. The game is kept in {file}. To go on: {command}"
            kept = language.gettext(stopped, file=printable(kept_in), command=again)
        _print(screen, Text(kept))
        return
    scores = game.final_scores
    assert scores is not None, "the game has ended"
    if as_json:
        write_json({"stack": list(game.rules.stack), "seed": game.seed, **scores.to_json()})
    else:
        print_sheet(screen, scores, lang)


def _who_plays(file: str, game: Game) -> str:
    """The question who plays the seats of a journal, which does not say in which of them there are people."""
    person, every = shlex.quote(game.players[0]), ", ".join(game.players)
    return (
        f"{file} is the journal of a game of {every}, and bots would play on in it: "
        f"add --human NAME for each person, such as --human {person}, or --bots to let bots play every seat"
    )


def player_names(players: int | None, names: str | None, people: Sequence[str] = ()) -> list[str] | int:
    """The names of the players, people first; only their number if no game is for that many."""
    first = [name.strip() for name in people]
    if names is not None:
        listed = first + [name.strip() for name in names.split(",")]
        if players is not None and players != len(listed):
            by = "--human and --names name" if people else "--names names"
            raise InvalidInputError(f"--players says {players}, but {by} {len(listed)}: {', '.join(listed)}")
        return listed
    count = max(3, len(first)) if players is None else players
    if first and count < len(first):
        raise InvalidInputError(f"--players says {count}, but --human names {len(first)}: {', '.join(first)}")
    bots = [name for name in DEFAULT_NAMES if name not in first][: count - len(first)]
    return first + bots if 0 < count == len(first) + len(bots) else count


def opening(game: Game, drawn: bool, language: Language = ENGLISH) -> list[str]:
    """The first lines: the game, and the seed that reproduces it."""
    say, board = language.gettext, language.name(game.rules.board.name)
    sentences = [say("A game of {stack} on the map {board}.", stack=stack_title(game.rules, language), board=board)]
    again = "The seed is {seed}; it was drawn just now, --seed {seed} plays this game again."
    sentences.append(say(again, seed=game.seed) if drawn else say("The seed is {seed}.", seed=game.seed))
    played = len(game.moves) - 1
    if played:
        one, many = "It goes on after {count} action.", "It goes on after {count} actions."
        sentences.append(language.ngettext(one, many, played))
    return [" ".join(sentences)]


def _play(
    game: Game,
    people: Sequence[int],
    screen: Screen,
    journal: Journal | None,
    beside: Sequence[str],
    first_lines: Sequence[str] | None,
) -> bool:
    """Let people and bots play; returns whether the game ended. `first_lines` is None to print nothing."""
    from ttr_tools.cli.people import play_with_people

    terminal = screen.console
    for line in first_lines or ():
        _print(terminal, Text(line))
    if people:
        how = "Answer with a number, or type part of what you are looking for; ? for help, q to stop or save."
        if journal is not None:
            how = "Answer with a number, or type part of what you are looking for; ? for help, q to stop."
        _print(terminal, Text(screen.language.gettext(how)))

    def show(line: Line, names: Names) -> None:
        if first_lines is not None:
            _print_line(terminal, line, names)

    ended = play_with_people(game, people, screen, show, beside, journal)
    if ended and first_lines is not None:
        terminal.print()
    return ended


def _print_line(screen: Console, line: Line, names: Names) -> None:
    """Print one line, with its player's name in the player's color."""
    text = Text(line.text)
    if line.heading:
        screen.print()
        text.stylize("dim")
    elif line.seat is not None and line.text.startswith(names.player(line.seat)):
        text.stylize(player_style(line.seat), 0, len(names.player(line.seat)))
    _print(screen, text)


def _print(screen: Console, text: Text) -> None:
    """Print a line, wrapped between words on a terminal but not in a pipe."""
    screen.print(text, soft_wrap=not screen.is_terminal)


# -- serve ---------------------------------------------------------------------------------------------------------


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
@click.option("--seats", type=click.IntRange(1, 20), default=1, show_default=True, help="How many people play.")
@click.option(
    "--bots", type=click.IntRange(0, 20), help="How many bots play; by default so many that there are enough players."
)
@click.option("--bot", default="planner", show_default=True, metavar="NAME", help="Which bot plays the bots' seats.")
@click.option("--names", metavar="A,B,...", help="The players' names in seat order, people first.")
@seed_option("; by default one is drawn.")
@stack_options(optional=True)
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
    """Open a game of a STACK that people play in the browser, and go on with all games that are kept in FILE.

    Each player gets a link of their own, which is secret; anybody with the link for spectators may watch. Every move is on
    the disk before it is accepted: after a crash, the same links go on.
    """
    from ttr_tools.web import Tables, application, listen, run

    rules, game = None, None
    if stack.names:
        rules = stack.rules()
        bots = max(0, rules.components.min_players - seats) if bots is None else bots
        game = new_game(rules=rules, players=_serve_names(names, seats, bots), seed=seed)
    with closing(Tables(file, rules)) as tables:
        if game is None and not list(tables):
            raise click.UsageError(f"Missing argument 'STACK...': no games are kept in {file}.")
        with listen(host, port) as listening:
            address = "localhost" if host in ("127.0.0.1", "0.0.0.0") else f"[{host}]" if ":" in host else host  # noqa: S104
            base = (url or f"http://{address}:{listening.getsockname()[1]}").rstrip("/")
            if game is not None:
                tables.open(game, range(seats), bot)
            known = list(_readable(tables))
            for table in known:
                if not table.game.is_over:
                    _print_links(table, base, table.game.rules.language(lang))
            if all(table.game.is_over for table in known):
                held = "1 game, which is over" if len(known) == 1 else f"{len(known)} games, which are all over"
                click.echo(f"{file} keeps {held}. There is nothing to go on with: name a STACK to open a new game.")
                for table in known:
                    click.echo(f"{_title(table, lang)}\n  the end: {base}/{table.id}")
            run(application(tables, pause=pause, origins=[base], lang=lang), listening)


def _serve_names(names: str | None, seats: int, bots: int) -> list[str]:
    """The names of all players: those of `--names`, then others."""
    wanted = [name.strip() for name in names.split(",")] if names else []
    if len(wanted) > seats + bots:
        raise InvalidInputError(f"--names names {len(wanted)}, but {seats + bots} play: {', '.join(wanted)}")
    free = [name for name in DEFAULT_NAMES if name not in wanted]
    free += [f"Player {number + 1}" for number in range(seats + bots)]
    return [*wanted, *free][: seats + bots]


def _readable(tables: Tables) -> Iterator[Table]:
    """All tables that can be read; the others are reported."""
    for id in tables:
        try:
            yield tables.get(id)
        except SaveError as error:
            click.echo(printable(str(error)), err=True)


def _title(table: Table, lang: str) -> str:
    """The stack and the players of a table."""
    rules = table.game.rules
    return f"{stack_title(rules, rules.language(lang))}: {', '.join(table.game.players)}"


def _print_links(table: Table, base: str, language: Language) -> None:
    """Print the links of a game: one for each person, and one for spectators."""
    game = table.game
    click.echo(_title(table, language.code))
    for seat in table.people:
        click.echo(f"  {game.players[seat]}: {base}/{table.id}#{table.tokens[seat]}")
    click.echo(f"  {language.gettext('spectators')}: {base}/{table.id}")
