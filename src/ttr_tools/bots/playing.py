"""Games between bots: `play_game` lets them play a game to its end; a `Player` is anything that can.

>>> from ttr_rules import new_game
>>> game = new_game("europe", players=3, seed=1912)
>>> play_game(game)
>>> game.is_over
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Action
from ttr_rules.play import Game, Move
from ttr_tools.bots.planner import Bot


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


def play_game(game: Game, bots: Sequence[Player] | None = None, on_move: Callable[[Move], None] | None = None) -> None:
    """Let bots play a game from its current position to its end, one bot for each seat.

    Without `bots` each seat gets one whose seed is derived from the seed of the game (0 if it has none) and the seat.
    If several seats have decisions, as at set-up, they act in order. `on_move` is called with every move.

    Raises `InvalidInputError`, a `ValueError`, if there are more or fewer bots than seats.

    >>> from ttr_rules import ClaimRoute, new_game
    >>> game, claims = new_game("north-america", players=2, seed=3), []
    >>> play_game(game, [Bot("Ada"), Bot("Isambard")], lambda move: claims.append(isinstance(move.action, ClaimRoute)))
    >>> sum(claims) == len(game.state.owners)
    True
    """
    if bots is None:
        seed = 0 if game.seed is None else game.seed
        bots = [Bot(f"{seed} {seat}") for seat in range(len(game.players))]
    if len(bots) != len(game.players):
        raise InvalidInputError(f"expected {len(game.players)} bots, one for each seat, got {len(bots)}")
    while game.to_act:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))
        if on_move is not None:
            on_move(game.last_move)
