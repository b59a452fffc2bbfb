"""The tables of `python -m ttr_rules bench`: ours, and the goal beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ..compile import compile_rules
from ..rules import Rules
from .games import GAMES, GameBenchmark, half_played
from .measure import bytes_of, measure, seconds_in_new_process
from .operations import MS, operations

MB = 1e6

#: One line: what, ours, the goal, and whether it is met (None where there is no goal).
Line = tuple[str, str, str, bool | None]


def game_lines(quick: bool) -> Iterator[Line]:
    """Games a second, and how long one takes in runs of the kernel."""
    for each in GAMES:
        yield _game_line(each, quick)


def _game_line(each: GameBenchmark, quick: bool) -> Line:
    games = 2 if quick else 40
    found = measure(each.batch(games), games, *_effort(quick))
    ours = f"{1 / found.seconds:7.0f} games/s  {found.kernels:6.2f}"
    return each.name, ours, "" if each.goal is None else f"{each.goal:.2f}", _met(found.kernels, each.goal)


def operation_lines(quick: bool) -> Iterator[Line]:
    """Times of single operations."""
    for each in operations():
        work, units = each.prepare()
        seconds = measure(work, units, *_effort(quick)).seconds
        yield each.name, time_text(seconds), "" if each.goal is None else time_text(each.goal), _met(seconds, each.goal)


def process_lines(quick: bool) -> Iterator[Line]:
    """What takes time once in a process."""
    rounds = 1 if quick else 5
    for name, before, statement, goal in (
        ("import ttr_rules", "pass", "import ttr_rules", 80 * MS),
        (
            'compile_rules("europe", "dice"), cold',
            "import ttr_rules",
            "ttr_rules.compile_rules('europe', 'dice')",
            60 * MS,
        ),
    ):
        seconds = seconds_in_new_process(before, statement, rounds)
        yield name, time_text(seconds), time_text(goal), _met(seconds, goal)


def memory_lines(quick: bool) -> Iterator[Line]:
    """What states and games take in memory."""
    rules = compile_rules("europe")
    games = 2 if quick else 50
    state = half_played(rules, 4, 0).state
    of_state = bytes_of(state.copy, 1000)
    yield "memory: a copy of a state", f"{of_state / 1000:.1f} kB", "6 kB", of_state < 6000
    of_game = bytes_of(_next_game(rules), games) * 10_000
    yield "memory: 10,000 games with history", f"{of_game / MB:.0f} MB", "1000 MB", of_game < 1000 * MB


def _next_game(rules: Rules) -> Callable[[], object]:
    seeds = iter(range(1_000_000))
    return partial(lambda: half_played(rules, 4, next(seeds)))


def _effort(quick: bool) -> tuple[int, float]:
    """Rounds, and the least seconds of each."""
    return (1, 0.0) if quick else (5, 0.2)


def _met(ours: float, goal: float | None) -> bool | None:
    return None if goal is None else ours <= goal


def time_text(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> time_text(0.0000023), time_text(0.00015), time_text(0.06)
    ('2.3 µs', '150 µs', '60 ms')
    """
    if seconds < 0.001:
        return f"{seconds * 1e6:.3g} µs"
    return f"{seconds * 1e3:.3g} ms"
