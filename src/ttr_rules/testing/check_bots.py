"""What must hold for bots: with the hints of the plugins they play a whole game."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules.bots import play_game
from ttr_rules.errors import PluginError
from ttr_rules.kernel.rules import Rules
from ttr_rules.play.moves import Move
from ttr_rules.play.starting import new_game
from ttr_rules.testing.game_run import MOST_ACTIONS
from ttr_rules.testing.names import plugin_name, raised
from ttr_rules.testing.problems import Problem

NAME = "bots"
CLAIM = "bots play a game to its end, with the hints that plugins give them"


class _TooLongError(Exception):
    """A game of bots that does not end."""


def bot_problems(stack: Sequence[object], rules: Rules, players: int, seed: int) -> list[Problem]:
    """What keeps bots from playing one game to its end."""
    game = new_game(rules=rules, players=players, seed=seed)

    def count(move: Move) -> None:
        if len(game.moves) > MOST_ACTIONS:
            raise _TooLongError

    try:
        play_game(game, on_move=count)
    except _TooLongError:
        message = f"bots play {MOST_ACTIONS} actions, and the game does not end: an ActionValue that never falls to 0 has this effect"
    except PluginError as error:
        message = str(error)
    except Exception as error:
        message = f"a bot cannot play on: {raised(error)}"
    else:
        return []
    names = ", ".join(map(plugin_name, stack))
    again = f"ttr_rules.play_game(ttr_rules.new_game({names}, players={players}, seed={seed}))"
    return [Problem(NAME, message, players, seed, len(game.moves), again)]
