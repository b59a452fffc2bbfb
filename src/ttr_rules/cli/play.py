"""`ttr-rules play`: bots play a whole game, told in sentences."""

from __future__ import annotations

from collections.abc import Mapping

import click
from rich.console import Console
from rich.text import Text

from ..compile import compile_rules
from ..errors import InvalidInputError
from ..game import Game, Move, new_game
from .narrate import Line, Narrator
from .sheets import print_sheet, style_of
from .terminal import console, examples, read_seed, ruling_option, stack_argument, write_json

#: The names of players whom nobody named.
DEFAULT_NAMES = ("Ada", "Isambard", "Grace", "Otto", "Clara")


_EXAMPLES = examples("""
    Examples:
      ttr-rules play europe --players 3 --seed 1912
      ttr-rules play north-america --names Ada,Grace --quiet
      ttr-rules play europe --ruling second_card_optional=true
      ttr-rules play europe --players 4 --seed 7 --json > game.json
""")


@click.command(epilog=_EXAMPLES, short_help="Let bots play a whole game.")
@stack_argument
@click.option("--players", type=int, metavar="N", help="How many play; 3 unless --names says otherwise.")
@click.option("--names", metavar="A,B,...", help="Who plays, in the order of seats, separated by commas.")
@click.option("--seed", metavar="S", callback=read_seed, help="A number or a text: the same seed, the same game.")
@ruling_option
@click.option("--quiet", is_flag=True, help="Print the score sheet alone.")
@click.option("--json", "as_json", is_flag=True, help="Print the score sheet as JSON, with the stack and the seed.")
def play(
    stack: tuple[str, ...],
    players: int | None,
    names: str | None,
    seed: int | str | None,
    rulings: Mapping[str, bool | str],
    quiet: bool,
    as_json: bool,
) -> None:
    """Let bots play a whole game and tell what happens, as somebody sees it who watches.

    At the end comes the score sheet: where every point of each player comes from, then all players side by side.
    """
    from ..bots import play_game

    rules = compile_rules(*stack, rulings=dict(rulings) or None)
    game = new_game(rules=rules, players=player_names(players, names), seed=seed)
    screen = console()
    if as_json or quiet:
        if quiet and seed is None and not as_json:
            click.echo(f"The seed drawn is {game.seed}.", err=True)
        play_game(game)
    else:
        for line in opening(game, drawn=seed is None):
            screen.print(Text(line), soft_wrap=not screen.is_terminal)
        _tell(game, screen)
        screen.print()
    scores = game.final_scores
    assert scores is not None, "play_game plays to the end"
    if as_json:
        write_json({"stack": list(game.rules.stack), "seed": game.seed, **scores.to_json()})
    else:
        print_sheet(screen, scores, game.rules)


def player_names(players: int | None, names: str | None) -> list[str] | int:
    """The names of the players; only their number where it is one that no game is for."""
    if names is not None:
        listed = [name.strip() for name in names.split(",")]
        if players is not None and players != len(listed):
            raise InvalidInputError(f"--players says {players}, but --names names {len(listed)}: {', '.join(listed)}")
        return listed
    count = 3 if players is None else players
    return list(DEFAULT_NAMES[:count]) if 0 < count <= len(DEFAULT_NAMES) else count


def opening(game: Game, drawn: bool) -> list[str]:
    """What is told first: the game, and the seed that brings it back."""
    again = f"; it was drawn just now, --seed {game.seed} plays this game again" if drawn else ""
    return [f"A game of {game.rules} on the map {game.rules.board.name}. The seed is {game.seed}{again}."]


def _tell(game: Game, screen: Console) -> None:
    from ..bots import play_game

    narrator = Narrator(game.rules, game.players)

    def show(move: Move) -> None:
        for line in narrator.tell(move.events):
            _print_line(screen, line, narrator)

    for move in game.moves:
        show(move)
    play_game(game, on_move=show)


def _print_line(screen: Console, line: Line, narrator: Narrator) -> None:
    """One line, its player's name in the player's colour; on a terminal wrapped between words, in a pipe not at all."""
    text = Text(line.text)
    if line.heading:
        screen.print()
        text.stylize("dim")
    elif line.seat is not None and line.text.startswith(narrator.names.player(line.seat)):
        text.stylize(style_of(line.seat), 0, len(narrator.names.player(line.seat)))
    screen.print(text, soft_wrap=not screen.is_terminal)
