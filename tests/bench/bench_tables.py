"""Every line of the tables of `python tests/bench/ttr_bench`, for pytest-benchmark, in CPU time.

Not part of the tests: run `pytest tests/bench/bench_tables.py`, or `python tests/bench/compare.py` for a comparison
with the parent commit.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest
from ttr_bench.games import GAMES, GameBenchmark, half_played
from ttr_bench.kernel import run_kernel
from ttr_bench.measure import bytes_of, in_new_process
from ttr_bench.operations import Operation, operations

from ttr_rules.plugins.compiler import compile_rules

pytestmark = pytest.mark.benchmark(timer=process_time, warmup=True, warmup_iterations=1)
GAMES_A_ROUND = 20

Benchmark = Callable[..., Any]


def test_kernel(benchmark: Benchmark) -> None:
    """The fixed piece of Python: what differs here between two runs is the machine."""
    assert benchmark(run_kernel) == run_kernel()


@pytest.mark.parametrize("game", GAMES, ids=lambda each: each.name)
def test_game(benchmark: Benchmark, game: GameBenchmark) -> None:
    work, _ = game.batch(GAMES_A_ROUND)
    benchmark(work)


@pytest.mark.parametrize("operation", operations(), ids=lambda each: each.name)
def test_operation(benchmark: Benchmark, operation: Operation) -> None:
    work, _ = operation.prepare()
    benchmark(work)


def test_import_and_cold_compile() -> None:
    assert in_new_process("pass", "import ttr_rules", 1).seconds > 0
    assert in_new_process("import ttr_rules", "ttr_rules.compile_rules('europe', 'dice')", 1).seconds > 0


def test_memory() -> None:
    rules = compile_rules("europe")
    assert bytes_of(half_played(rules, 4, 0).state.copy, 10) > 0
