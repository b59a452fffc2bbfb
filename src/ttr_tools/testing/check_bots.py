"""What must hold for bots: with the hints of the plugins they play a whole game, and do better than chance."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules import Rules, View
from ttr_rules.errors import PluginError
from ttr_rules.model import Action, DrawTickets
from ttr_rules.play import Game, Move, new_game
from ttr_tools.bots import Bot, Player, play_game
from ttr_tools.testing.game_run import MOST_ACTIONS, Picks
from ttr_tools.testing.names import plugin_name, raised
from ttr_tools.testing.problems import Problem

NAME = "bots"
CLAIM = "bots play a game to its end, with the hints that plugins give them"

PLANNER = "planner"
PLANNER_CLAIM = "the planner scores clearly more than a player who takes any action"

PLANNER_GAMES = 4
CLEARLY_MORE = 1.5  #: How many times the points of the others.
MOST_PICKS = 20


class _TooLongError(Exception):
    """A game of bots that does not end."""


def bot_problems(stack: Sequence[object], rules: Rules, players: int, seed: int) -> list[Problem]:
    """What keeps bots from playing one game to its end."""
    game = new_game(rules=rules, players=players, seed=seed)
    message = _played(game)
    if message is None:
        return []
    names = ", ".join(map(plugin_name, stack))
    again = f"ttr_rules.play_game(ttr_rules.new_game({names}, players={players}, seed={seed}))"
    return [Problem(NAME, message, players, seed, len(game.moves), again)]


def _played(game: Game, players: Sequence[Player] | None = None) -> str | None:
    """What keeps these players, or bots, from playing a game to its end."""

    def count(move: Move) -> None:
        if len(game.moves) > MOST_ACTIONS:
            raise _TooLongError

    try:
        play_game(game, players, count)
    except _TooLongError:
        return f"bots play {MOST_ACTIONS} actions, and the game does not end: an ActionValue that never falls to 0 has this effect"
    except PluginError as error:
        return str(error)
    except Exception as error:
        return f"a bot cannot play on: {raised(error)}"
    return None


class _Chance:
    """Takes any action, but more tickets only if it must: those it fails would let the worst planner look good."""

    def __init__(self, seed: int | str) -> None:
        self._picks = Picks(seed)

    def choose(self, view: View, rules: Rules, actions: Sequence[Action], /) -> Action:
        picked = self._picks.action(actions)
        for _ in range(MOST_PICKS):
            if not isinstance(picked, DrawTickets):
                break
            picked = self._picks.action(actions)
        return picked


def planner_problems(rules: Rules, players: int, seed: int) -> list[Problem]:
    """What shows that a variant leaves the planner helpless: it hardly beats chance."""
    mine, theirs = 0, 0.0
    for number in range(seed, seed + PLANNER_GAMES):
        game = new_game(rules=rules, players=players, seed=number)
        message = _played(game, [Bot(number), *(_Chance(f"{number} {seat}") for seat in range(1, players))])
        if message is not None:
            return [Problem(PLANNER, message, players, number)]
        assert game.final_scores is not None
        planner, *others = game.final_scores.players
        mine += planner.total
        theirs += sum(player.total for player in others) / len(others)
    if mine > max(CLEARLY_MORE * theirs, 0):
        return []
    message = (
        f"in {PLANNER_GAMES} games the planner scores {mine} points, and players who take any action {theirs:.0f}: it does not "
        "know how to play this variant. Give hints; let a claim_refusal that closes routes only for now have "
        f"lasting=False; or skip the property {PLANNER!r}, which says that bots cannot play this well"
    )
    return [Problem(PLANNER, message, players, seed)]
