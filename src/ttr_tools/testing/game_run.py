"""A game run: a seed determines everything that happens in it, and checks follow it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError
from ttr_rules.events import Event
from ttr_rules.model import Action
from ttr_rules.play import Game, new_game
from ttr_rules.plugins import compile_rules, options_of
from ttr_rules.sequences import LazyActions, spread
from ttr_tools.testing.names import plugin_name
from ttr_tools.testing.problems import Problem

#: More actions than any game has: a game that reaches this number does not end.
MOST_ACTIONS = 5000


#: If there are more legal actions than this, only a sample is read.
MOST_READ = 5000
_A_SORT = 20


def some_of(choices: Sequence[Action]) -> Sequence[Action]:
    """All legal actions of a seat as a list; if there are very many, a sample that is stable between runs."""
    if len(choices) <= MOST_READ:
        return list(choices)
    few = list(choices.sample(_A_SORT)) if isinstance(choices, LazyActions) else list(spread(choices, MOST_READ))
    return few[:: len(few) // MOST_READ + 1]


class Picks:
    """The choices of a seeded game: any legal action, but every other time rare types as often as common ones."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(f"picks {seed!r}").random  # the only method whose results Python guarantees not to change

    def _one_of(self, count: int) -> int:
        return int(self._random() * count)

    def seat(self, game: Game) -> int:
        """Pick one of the seats that may act."""
        seats = game.to_act
        return seats[self._one_of(len(seats)) if len(seats) > 1 else 0]

    def action(self, choices: Sequence[Action]) -> Action:
        """Pick one of the legal actions."""
        if len(choices) == 0:
            raise InvalidInputError("there is no legal action")
        if self._random() < 0.5:
            return choices[self._one_of(len(choices))]
        by_kind: dict[type[Action], list[Action]] = {}
        for action in some_of(choices):
            by_kind.setdefault(type(action), []).append(action)
        some = list(by_kind.values())[self._one_of(len(by_kind))]
        return some[self._one_of(len(some))]


def played(
    *stack: object,
    players: int,
    seed: int = 1,
    actions: int | None = None,
    rulings: Mapping[str, Any] | None = None,
    rules: Rules | None = None,
) -> Game:
    """Play the seeded game of `check_variant` up to a number of actions, or to its end.

    Use it to reproduce a problem reported by `check_variant`.

    >>> game = played("europe", players=3, seed=17, actions=3)
    >>> len(game.moves) - 1, game.to_act == ()
    (3, False)
    """
    compiled = compile_rules(*stack, rulings=rulings) if rules is None else rules
    game = new_game(rules=compiled, players=players, seed=seed)
    picks = Picks(seed)
    while game.to_act and (actions is None or len(game.moves) <= actions):
        if len(game.moves) > MOST_ACTIONS:
            raise InvalidInputError(f"this game does not end: {MOST_ACTIONS} actions were played")
        game.play(picks.action(game.legal_actions(picks.seat(game))))
    return game


class GameRun:
    """A game in play together with what checks need: their own chance, and how to reproduce a problem."""

    def __init__(self, stack: Sequence[object], rules: Rules, players: int, seed: int) -> None:
        self.stack = tuple(stack)
        self.rules = rules
        self.players = players
        self.seed = seed
        self.game = new_game(rules=rules, players=players, seed=seed)
        self.picks = Picks(seed)
        self.random = Random(f"checks {seed!r}")

    @property
    def number(self) -> int:
        """The number of actions played."""
        return len(self.game.moves) - 1

    def problem(self, check: str, message: str, action: int) -> Problem:
        """A problem found at an action of this game."""
        stack = ", ".join(map(plugin_name, self.stack))
        before = max(action - 1, 0)
        rulings = changed_options(self.rules)
        ruled = f", rulings={rulings}" if rulings else ""
        again = f"ttr_tools.testing.played({stack}, players={self.players}, seed={self.seed}, actions={before}{ruled})"
        return Problem(check, message, self.players, self.seed, action, again)


def changed_options(rules: Rules) -> dict[str, object]:
    """The options of the plugins of a stack that differ from their defaults."""
    found: dict[str, object] = {}
    for plugin in dict.fromkeys(map(id, rules.plugins.values())):
        instance = next(each for each in rules.plugins.values() if id(each) == plugin)
        found.update(
            {
                each.name: each.value
                for each in options_of(instance).values()
                if each.alternatives and each.value != each.default
            }
        )
    return found


class Check:
    """One property, followed through one game. A method raises `CheckFailed` when the property does not hold."""

    #: The name shown in problems and tests, and what must hold, in a sentence.
    name: ClassVar[str]
    claim: ClassVar[str]

    def __init__(self, game_run: GameRun) -> None:
        self.game_run = game_run
        self.game = game_run.game
        self.rules = game_run.rules
        self.random = game_run.random

    def start(self) -> None:
        """Check the game after its set-up."""

    def before(self, action: Action) -> None:
        """Check the game before a legal action is played."""

    def after(self, action: Action, events: Sequence[Event]) -> None:
        """Check the game after a legal action was played."""

    def end(self) -> None:
        """Check the game after its end."""
