"""A bot that plays at random: the weakest opponent, and the quickest."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ttr_rules import Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Action, checked_seed


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
