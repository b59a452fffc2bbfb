"""Measuring: CPU time of one process, the median of a few rounds, each beside a run of the kernel."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import process_time

from attrs import frozen

from .kernel import run_kernel


@frozen
class Measured:
    """What was measured: `seconds` a unit of work, and how many runs of the kernel fit into that time."""

    seconds: float
    kernels: float


def measure(work: Callable[[], object], units: int, rounds: int, least: float) -> Measured:
    """Run `work`, which does so many units, for at least so many seconds in each of so many rounds."""
    work()  # tables fill, caches warm up
    repeats = 1
    while (seconds := _timed(work, repeats)) < least / 4:
        repeats *= 4
    repeats = max(1, round(repeats * least / seconds))
    found: list[Measured] = []
    for _ in range(rounds):
        kernel = _timed(run_kernel, 5) / 5
        seconds = _timed(work, repeats) / (repeats * units)
        kernel = (kernel + _timed(run_kernel, 5) / 5) / 2
        found.append(Measured(seconds, seconds / kernel))
    return Measured(median(each.seconds for each in found), median(each.kernels for each in found))


def _timed(work: Callable[[], object], repeats: int) -> float:
    gc.collect()
    begin = process_time()
    for _ in range(repeats):
        work()
    return process_time() - begin


def bytes_of(make: Callable[[], object], count: int) -> float:
    """The memory that one of `count` things takes that are made and kept, in bytes."""
    make()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [make() for _ in range(count)]
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / len(kept)


#: Prints the CPU time of the statement in its second argument, after the statement in its first.
_PROGRAM = (
    "import sys, time; exec(sys.argv[1]); t = time.process_time(); exec(sys.argv[2]); print(time.process_time() - t)"
)


def seconds_in_new_process(before: str, statement: str, rounds: int) -> float:
    """The CPU time of a statement in a new Python, after another one: what is cold there. The median of a few."""
    command = [sys.executable, "-c", _PROGRAM, f"import sys; sys.path[:] = {sys.path!r}; {before}", statement]
    return median(
        float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603 (our own)
        for _ in range(rounds)
    )
