"""Search for slow positions by annealing, and keep the worst: `python tests/bench/search_slow.py --help`.

Begins with the positions of `tests/bench/ttr_bench/slow_positions.json` of this tree, and replaces one of them only by a
position that costs more. Costs are counts of work (see `searches`), so the clock has no say in what is found.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from searches import Search, all_searches
from ttr_bench.measure import measure
from ttr_bench.operations import slow_operations
from ttr_bench.positions import FILE, Position, read, write
from ttr_bench.tables import time_text

T = TypeVar("T")
KEPT = Path(__file__).resolve().parent / "ttr_bench" / FILE


def annealed(search: Search[T], start: T, steps: int, random: Random) -> tuple[int, T]:
    """The costliest candidate found by small changes; a cheaper one is taken now and then and ever more rarely."""
    now, now_cost = start, search.cost(start)
    best, best_cost = now, now_cost
    for step in range(steps):
        tried = search.change(now, random)
        cost = search.cost(tried)
        heat = 0.3 * (1 - step / steps) + 1e-3
        if cost >= now_cost or random.random() < math.exp((cost / now_cost - 1) / heat):
            now, now_cost = tried, cost
        if cost > best_cost:
            best, best_cost = tried, cost
    return best_cost, best


def searched(
    search: Search[T], kept: Position | None, steps: int, seeds: int, tell: Callable[[str], None]
) -> Position | None:
    """The costliest position found, with every second seed from the kept one on; the kept one if none costs more."""
    best = None if kept is None else search.candidate(kept)
    best_cost = -1 if best is None else search.cost(best)
    first = best
    tell(f"{search.what}: {search.title}" + (f"  kept {best_cost:,}" if kept else "  none is kept"))
    for seed in range(seeds):
        random = Random(f"{search.what} {search.title} {seed}")
        start = search.start(random) if first is None or seed % 2 else first
        cost, found = annealed(search, start, steps, random)
        tell(f"    seed {seed}: {cost:,}")
        if cost > best_cost:
            best, best_cost, kept = found, cost, search.position(found)
    return kept


def seconds(position: Position | None) -> str:
    """How long the slow thing of a position takes: for people only."""
    if position is None:
        return "-"
    return time_text(measure(slow_operations(position)[0].prepare(), rounds=3, least=0.1).seconds)


def main(arguments: Sequence[str] | None = None, tell: Callable[[str], None] = print) -> None:
    """Search, and write the file anew whenever something worse is found."""
    parser = argparse.ArgumentParser(description="Search for slow positions; keep those that cost more than the kept.")
    parser.add_argument("--steps", type=_count, default=500, help="changes tried with each seed (default: 500)")
    parser.add_argument("--seeds", type=_count, default=2, help="how often each search is run anew (default: 2)")
    parser.add_argument("--only", default="", metavar="TEXT", help='such as "path", or "switzerland"')
    parser.add_argument("--file", type=Path, default=KEPT, help="where the worst are kept (default: in this tree)")
    given = parser.parse_args(arguments)
    searches: list[Search[Any]] = all_searches()
    chosen = [each for each in searches if given.only in f"{each.what}: {each.title}"]
    if not chosen:
        parser.error(
            f"no search is called {given.only!r}; there are " + ", ".join(f"{s.what}: {s.title}" for s in searches)
        )
    kept: dict[tuple[str, str], Position] = {}
    if given.file.exists():
        kept = {(each.what, each.title): each for each in read(given.file.read_text(encoding="utf-8"))}
    for search in chosen:
        name = search.what, search.title
        before = kept.get(name)
        after = searched(search, before, given.steps, given.seeds, tell)
        tell(f"    {seconds(before)} -> {seconds(after)}" if after is not before else f"    stays: {seconds(before)}")
        if after is not None and after is not before:
            kept[name] = after
            given.file.write_text(
                write([kept[s.what, s.title] for s in searches if (s.what, s.title) in kept]), "utf-8"
            )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


if __name__ == "__main__":
    main()
