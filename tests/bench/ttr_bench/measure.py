"""Measuring: CPU time of one process, the median of a few rounds, beside other work where a ratio is wanted."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from attrs import frozen

#: Work to be timed, and how many units it does.
Prepared = tuple[Callable[[], object], int]


@frozen
class Measured:
    """The medians of all rounds: `seconds` a unit of work, a unit of the work beside it, and their ratio.

    `noise` is how far the rounds lie apart: the greatest less the least, as a part of the median. It is of
    the ratio where there is work beside, otherwise of the seconds, and 0 for a single round.
    """

    seconds: float
    beside: float
    ratio: float
    noise: float


def measure(work: Prepared, rounds: int, least: float, beside: Prepared | None = None) -> Measured:
    """Time work for at least so many seconds in each of so many rounds.

    The work beside it is timed as long, before and after each round, so that both meet the same machine.
    """
    work[0]()  # tables fill, caches warm up
    seconds: list[float] = []
    others: list[float] = []
    before = 0.0
    if beside:
        beside[0]()
        before = seconds_of(beside, least)
    for _ in range(rounds):
        seconds.append(seconds_of(work, least))
        if beside:
            after = seconds_of(beside, least)
            others.append((before + after) / 2)
            before = after
    if not beside:
        return Measured(median(seconds), 0.0, 0.0, _noise(seconds))
    ratios = [each / other for each, other in zip(seconds, others, strict=True)]
    return Measured(median(seconds), median(others), median(ratios), _noise(ratios))


def _noise(found: list[float]) -> float:
    return (max(found) - min(found)) / (median(found) or 1.0)


def seconds_of(work: Prepared, least: float) -> float:
    """The CPU time of a unit of work, which is done again until so much time is gone: always more than 0.

    Some systems' clocks stand still for 16 ms at a time; then the work goes on at least until they move.
    """
    run, units = work
    gc.collect()
    runs, more = 0, 1
    begin = process_time()
    while True:
        for _ in range(more):
            run()
        runs += more
        seconds = process_time() - begin
        if seconds > 0 and seconds >= least:
            return seconds / (runs * units)
        more = 1 + runs // 4  # reading the clock must not count, nor the time be much more than asked for


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


def in_new_process(before: str, statement: str, rounds: int) -> Measured:
    """The CPU time of a statement in a new Python, after another one: what is cold there.

    Byte code is there, as of an installed package, whatever this process may write: a first round, not counted, compiles it.
    """
    command = [sys.executable, "-c", _PROGRAM, f"import sys; sys.path[:] = {sys.path!r}; {before}", statement]
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": folder}
        done = [
            subprocess.run(command, check=True, capture_output=True, text=True, env=environment)  # noqa: S603 (our own)
            for _ in range(rounds + 1)
        ]
    seconds = [float(each.stdout) for each in done[1:]]
    return Measured(median(seconds), 0.0, 0.0, _noise(seconds))
