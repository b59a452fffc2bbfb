"""Whole games of random legal actions: what bots, simulations and servers spend their time on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import frozen

from ttr_bench import permits
from ttr_bench.measure import Prepared
from ttr_rules._internal.native import compiled
from ttr_rules.engine import action_numbers
from ttr_rules.play.game import Game, new_game, playout
from ttr_rules.plugins import Rules
from ttr_rules.plugins.compiler import compile_rules

#: A run of the kernel takes as long as a C program takes for so many games of these maps.
EUROPE_IN_C = 40
NORTH_AMERICA_IN_C = 51


@frozen
class GameBenchmark:
    """Whole games of a stack, played by `play(rules, players, seed)`.

    Where `in_c` is given, a game is compared with games of a C program, of which a run of the kernel is worth so many;
    otherwise with the first benchmark, the playout of Europe. `pure` and `compiled` are how many of these a game may
    take at most in either build.
    """

    name: str
    stack: tuple[object, ...]
    players: int
    play: Callable[[Rules, int, int], object]
    pure: float | None
    compiled: float | None
    in_c: float | None = None

    @property
    def goal(self) -> float | None:
        """The goal of the build that runs."""
        return self.compiled if compiled else self.pure

    def batch(self, games: int) -> Prepared:
        """So many games as one piece of work, always the same ones."""
        rules = compile_rules(*self.stack)

        def run() -> None:
            for seed in range(games):
                self.play(rules, self.players, seed)

        return run, games


def by_hand(rules: Rules, players: int, seed: int) -> Game:
    """A game as a user plays it: legal actions, choose, play; checked, and with all events kept."""
    game = new_game(rules=rules, players=players, seed=seed)
    random = Random(f"by hand {seed}").random
    while not game.is_over:
        actions = game.legal_actions(game.to_act[0])
        game.play(actions[int(random() * len(actions))])
    assert game.final_scores is not None
    return game


def by_numbers(rules: Rules, players: int, seed: int) -> None:
    """A game played by numbers from a caller's loop: no action and no event is created."""
    numbers = action_numbers(rules)
    state = new_game(rules=rules, players=players, seed=seed).state
    random = Random(f"by hand {seed}").random
    count, nth, perform = numbers.count, numbers.nth, numbers.perform
    while state.pending:
        seat = state.pending[0].seat
        perform(state, seat, nth(state, seat, int(random() * count(state, seat))))


def picked(rules: Rules, players: int, seed: int) -> None:
    """The same with `pick`, which counts the legal actions once."""
    numbers = action_numbers(rules)
    state = new_game(rules=rules, players=players, seed=seed).state
    random = Random(f"by hand {seed}").random
    pick, perform = numbers.pick, numbers.perform
    while state.pending:
        seat = state.pending[0].seat
        perform(state, seat, pick(state, seat, random()))


def half_played(rules: Rules, players: int, seed: int) -> Game:
    """A game in the middle, with its history."""
    return part_played(rules, players, seed, 180)


def part_played(rules: Rules, players: int, seed: int, actions: int) -> Game:
    """A game after so many random actions."""
    game = new_game(rules=rules, players=players, seed=seed)
    random = Random(f"by hand {seed}").random
    while not game.is_over and len(game.moves) <= actions:
        legal = game.legal_actions(game.to_act[0])
        game.play(legal[int(random() * len(legal))])
    return game


GAMES: tuple[GameBenchmark, ...] = (
    GameBenchmark("playout: europe", ("europe",), 4, playout, 40, 8, EUROPE_IN_C),
    GameBenchmark("playout: north-america", ("north-america",), 4, playout, 35, 8, NORTH_AMERICA_IN_C),
    GameBenchmark("a user's loop: europe", ("europe",), 4, by_hand, 75, 20, EUROPE_IN_C),
    GameBenchmark("by numbers: europe", ("europe",), 4, by_numbers, 48, 10, EUROPE_IN_C),
    GameBenchmark("by numbers, with pick: europe", ("europe",), 4, picked, 48, 10, EUROPE_IN_C),
    GameBenchmark("playout: europe + plain plugin", ("europe", permits), 4, playout, 1.3, 2),
    GameBenchmark("playout: europe + dice", ("europe", "dice"), 4, playout, 1.5, 2),
    GameBenchmark("playout: mega-europa", ("mega-europa",), 4, playout, 1.5, 2),
    GameBenchmark("playout: nordic-countries (3)", ("nordic-countries",), 3, playout, 1.5, 2),
    GameBenchmark("playout: switzerland (3)", ("switzerland",), 3, playout, 1.5, 2),
    GameBenchmark("playout: germany-tickets", ("germany-tickets",), 4, playout, 1.5, 2),
)
