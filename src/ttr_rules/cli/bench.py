"""`ttr-rules bench`: how fast the library is on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from .terminal import examples

_WIDTH = 66


@click.command(
    short_help="Measure how fast the library is here.",
    epilog=examples("""
        Examples:
          ttr-rules bench
          ttr-rules bench --quick
    """),
)
@click.option("--quick", is_flag=True, help="Run everything once: shows that it runs, not how fast.")
def bench(quick: bool) -> None:
    """Measure whole random games and single operations on this machine, in CPU time, with the goals beside them.

    Games are also given in runs of a fixed piece of Python, the kernel: that number can be compared between machines.
    It takes about two minutes.
    """
    from ..bench import tables

    parts: tuple[tuple[str, str, Callable[[bool], Iterator[tables.Line]]], ...] = (
        ("Whole games (games/s; kernels a game)", "kernels", tables.game_lines),
        ("Operations", "goal", tables.operation_lines),
        ("Once in a process", "goal", tables.process_lines),
        ("Memory", "goal", tables.memory_lines),
    )
    for title, goal, lines in parts:
        click.echo(f"\n{title:{_WIDTH}} {'ours':>24} {goal:>10}")
        for name, ours, wanted, met in lines(quick):
            missed = "  missed" if met is False and not quick else ""
            click.echo(f"  {name:{_WIDTH - 2}} {ours:>24} {wanted:>10}{missed}")
