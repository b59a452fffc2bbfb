"""Bots that play: any `Player`, games between them, the random bot, and bots by name.

>>> from ttr_rules import new_game
>>> game = new_game("europe", players=3, seed=1912)
>>> play_game(game)
>>> game.is_over
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from random import Random
from typing import Protocol, TypeAlias

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.model import Action, checked_seed
from ttr_rules.play import Game, Move
from ttr_rules.plugins.discovery import read_value, split_name
from ttr_rules.saves import Journal
from ttr_rules.text import brief, closest, line
from ttr_tools.bots.planner import Bot

#: The entry-point group of bots.
GROUP = "ttr_tools.bots"
#: More actions than any game has: a game that reaches this number does not end.
MOST_ACTIONS = 5000


class Player(Protocol):
    """Anything that can play: an object with this one method. `Bot` is one.

    >>> from ttr_rules import new_game
    >>> class First:
    ...     def choose(self, view, rules, actions, /):
    ...         return actions[0]
    >>> game = new_game("london", players=2, seed=1)
    >>> play_game(game, [First(), Bot(seed=1)])
    >>> game.is_over
    True
    """

    def choose(self, view: View, rules: Rules, actions: Sequence[Action], /) -> Action:
        """Choose one of the legal `actions` of the seat that the view belongs to."""
        ...


#: Makes a bot for one game: a class or a function that takes a seed.
BotFactory: TypeAlias = Callable[[int | str], Player]


def play_game(
    game: Game | Journal, bots: Sequence[Player] | None = None, on_move: Callable[[Move], None] | None = None
) -> None:
    """Let bots play a game from its current position to its end, one bot for each seat.

    A journal keeps the moves. Without `bots` each seat gets one whose seed is derived from the seed of the game (0 if it has none) and the seat.
    If several seats have decisions, as at set-up, they act in order. `on_move` is called with every move.

    Raises `InvalidInputError`, a `ValueError`, if there are more or fewer bots than seats, and `PluginError` for a game
    that does not end.

    >>> from ttr_rules import ClaimRoute, new_game
    >>> game, claims = new_game("north-america", players=2, seed=3), []
    >>> play_game(game, [Bot("Ada"), Bot("Isambard")], lambda move: claims.append(isinstance(move.action, ClaimRoute)))
    >>> sum(claims) == len(game.state.owners)
    True
    """
    play = game.play
    if isinstance(game, Journal):
        game = game.game
    if bots is None:
        seed = 0 if game.seed is None else game.seed
        bots = [Bot(f"{seed} {seat}") for seat in range(len(game.players))]
    if len(bots) != len(game.players):
        raise InvalidInputError(f"expected {len(game.players)} bots, one for each seat, got {len(bots)}")
    for _ in range(MOST_ACTIONS):
        if game.is_over:
            return
        seat = game.to_act[0]
        play(bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))
        if on_move is not None:
            on_move(game.last_move)
    often = Counter(type(move.action).__name__ for move in game.moves[-MOST_ACTIONS // 2 :]).most_common(2)
    raise PluginError(
        f"bots play {MOST_ACTIONS} actions, in the end mostly {' and '.join(name for name, _ in often)}, and the game does not end: "
        "something must run out. Likely causes are an ActionValue that never falls to 0, and a limit that takes away cards "
        "that bots are saving up"
    )


class RandomBot:
    """A player that chooses each of its legal actions with the same probability, on any stack.

    The same seed and the same numbers of actions give the same choices. Raises `InvalidInputError`, a `ValueError`, for
    a seed that is neither a whole number nor a string.

    >>> from ttr_rules import new_game
    >>> from ttr_tools.bots import play_game
    >>> game = new_game("london", players=2, seed=1)
    >>> play_game(game, [RandomBot(1), RandomBot(2)])
    >>> game.is_over
    True
    """

    def __init__(self, seed: int | str) -> None:
        self.seed = checked_seed(seed)
        # `random()` is the only method whose results Python guarantees not to change.
        self._random = Random(f"random bot {seed!r}")

    def __repr__(self) -> str:
        return f"RandomBot({self.seed!r})"

    def choose(self, view: View, rules: Rules, actions: Sequence[Action]) -> Action:
        """Choose one of the legal `actions`. Raises `InvalidInputError` if there is none."""
        if not actions:
            raise InvalidInputError("a bot needs one legal action at least")
        return actions[int(self._random.random() * len(actions))]


# -- by name ----------------------------------------------------------------------------------------------------------


def load_bot(text: str) -> BotFactory:
    """The bot installed under a name, with options as in `name:option=value`. Call the result with a seed.

    A package announces its bots by entry points in the group `ttr_tools.bots`. Each is a class or a function that takes
    a seed, and options by name. Raises `InvalidInputError` if there is no such bot, or if it cannot be loaded.

    >>> load_bot("random")(seed=1)
    RandomBot(1)
    >>> load_bot("clever")
    Traceback (most recent call last):
    ttr_rules.errors.InvalidInputError: no bot 'clever' is installed; installed: planner, random, search
    """
    from importlib.metadata import entry_points  # takes a tenth of the start-up time, and is not always needed

    name, options = split_name(text)
    points = {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}
    if name not in points:
        near = closest(name, points)
        hint = f"did you mean {near!r}? " if near else ""
        raise InvalidInputError(f"no bot {brief(name)} is installed; {hint}installed: {', '.join(points) or 'none'}")
    try:
        factory: BotFactory = points[name].load()
    except Exception as error:
        raise InvalidInputError(f"bot {name!r} cannot be loaded: {type(error).__name__}: {line(str(error))}") from error
    if not callable(factory):
        raise InvalidInputError(f"bot {name!r} is {brief(factory)}, not a class or a function that takes a seed")
    if not options:
        return factory
    values = {option: read_value(value) for option, value in options.items()}
    try:
        signature(factory).bind(0, **values)
    except TypeError as error:
        accepted = ", ".join(list(signature(factory).parameters)[1:]) or "none"
        raise InvalidInputError(f"bot {name!r}: {error}; its options: {accepted}") from error
    return partial(factory, **values)
