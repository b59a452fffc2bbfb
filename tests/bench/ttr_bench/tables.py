"""The tables of `python tests/bench/ttr_bench`: ours, and the goal beside it."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from functools import partial

from attrs import frozen

from ttr_bench.games import GAMES, half_played
from ttr_bench.kernel import KERNEL, run_kernel
from ttr_bench.measure import Measured, bytes_of, in_new_process, measure
from ttr_bench.operations import MS, operations
from ttr_rules._internal.native import compiled
from ttr_rules.plugins import Rules
from ttr_rules.plugins.compiler import compile_rules

MB = 1e6
ROUNDS = 5

#: One line: what, the text of each column (the goal last), and whether the goal is met (None where there is none).
Line = tuple[str, tuple[str, ...], bool | None]


@frozen
class Table:
    """A table: `widths` has the width of the names and of each column."""

    title: str
    columns: tuple[str, ...]
    widths: tuple[int, ...]
    lines: Callable[[bool], Iterator[Line]]
    notes: tuple[str, ...] = ()


def tables() -> tuple[Table, ...]:
    """All tables; their lines are measured when they are asked for."""
    columns, widths = ("ours", "noise", "goal"), (46, 9, 7, 9)
    notes = (
        "C: games that a C program plays in the time of one of these.",
        "E: playouts of Europe in that time. (3): three players.",
    )
    return (
        Table("Whole games", ("games/s", "kernels", "noise", "as", "goal"), (30, 9, 9, 7, 8, 8), game_lines, notes),
        Table("Operations", columns, widths, operation_lines),
        Table("Once in a process", columns, widths, process_lines),
        Table("Memory", columns, widths, memory_lines),
    )


def header(quick: bool) -> str:
    """By what and how all this is measured."""
    build = "compiled" if compiled else "pure"
    python = f"{build} build, {platform.python_implementation()} {platform.python_version()}, kernel {KERNEL}"
    if quick:
        return f"{python}.\nRun once: shows that it runs, not how fast."
    return f"{python}. CPU time, the median of {ROUNDS} rounds;\nnoise: how far the rounds lie apart."


def game_lines(quick: bool) -> Iterator[Line]:
    """Games a second; a game in runs of the kernel; in games of the C program or of Europe."""
    europe = 0.0
    for each in GAMES:
        found = measure(each.batch(2 if quick else 40), *_effort(quick), beside=(run_kernel, 1))
        europe = europe or found.ratio
        ours, unit = (found.ratio * each.in_c, "C") if each.in_c else (found.ratio / europe, "E")
        goal = "" if each.goal is None else f"{each.goal:g} {unit}"
        columns = (f"{1 / found.seconds:.0f}", f"{found.ratio:.2f}", _noise(found, quick), f"{ours:.3g} {unit}", goal)
        yield each.name, columns, _met(ours, each.goal)


def operation_lines(quick: bool) -> Iterator[Line]:
    """Times of single operations."""
    for each in operations():
        found = measure(each.prepare(), *_effort(quick), beside=each.beside() if each.beside else None)
        goal = None if each.goal is None else each.goal + found.beside
        columns = (time_text(found.seconds), _noise(found, quick), "" if goal is None else time_text(goal))
        yield each.name, columns, _met(found.seconds, goal)


def process_lines(quick: bool) -> Iterator[Line]:
    """What takes time once in a process."""
    for name, before, statement, goal in (
        ("import ttr_rules", "pass", "import ttr_rules", 80 * MS),
        (
            'compile_rules("europe", "dice"), cold',
            "import ttr_rules",
            "ttr_rules.compile_rules('europe', 'dice')",
            50 * MS,
        ),
    ):
        found = in_new_process(before, statement, _effort(quick)[0])
        yield name, (time_text(found.seconds), _noise(found, quick), time_text(goal)), _met(found.seconds, goal)


def memory_lines(quick: bool) -> Iterator[Line]:
    """What states and games take in memory."""
    rules = compile_rules("europe")
    games = 2 if quick else 50
    state = half_played(rules, 4, 0).state
    of_state = bytes_of(state.copy, 1000)
    yield "a copy of a state", (f"{of_state / 1000:.1f} kB", "", "6 kB"), of_state < 6000
    of_game = bytes_of(_next_game(rules), games) * 10_000
    yield "10,000 games with history", (f"{of_game / MB:.0f} MB", "", "1000 MB"), of_game < 1000 * MB


def _next_game(rules: Rules) -> Callable[[], object]:
    seeds = iter(range(1_000_000))
    return partial(lambda: half_played(rules, 4, next(seeds)))


def _effort(quick: bool) -> tuple[int, float]:
    """Rounds, and the least seconds of each."""
    return (1, 0.0) if quick else (ROUNDS, 0.2)


def _noise(found: Measured, quick: bool) -> str:
    return "" if quick else f"{found.noise:.0%}"


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
