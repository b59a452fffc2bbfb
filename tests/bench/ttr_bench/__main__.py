"""How fast the library is on this machine: `python tests/bench/ttr_bench`."""

from __future__ import annotations

import sys
from pathlib import Path

try:
    import click
except ModuleNotFoundError as error:
    if error.name != "click":
        raise
    print("The benchmarks need the package click; install it with: pip install 'ttr-rules[cli]'", file=sys.stderr)
    sys.exit(2)

sys.path.insert(0, str(Path(__file__).parents[1]))


@click.command()
@click.option("--quick", is_flag=True, help="Run everything once: shows that it runs, not how fast.")
def bench(quick: bool) -> None:
    """Measure whole random games and single operations on this machine, in CPU time, with the goals beside them.

    Games are also given in runs of a fixed piece of Python, the kernel, and in games of a C program, which is what
    their goals speak of: these two can be compared between machines. It takes a minute and a half.
    """
    from ttr_bench.tables import header, tables

    click.echo(header(quick))
    for table in tables():
        first, *widths = table.widths
        click.echo("\n" + _line(table.title, table.columns, first + 2, widths))
        for name, columns, met in table.lines(quick):
            missed = " missed" if met is False and not quick else ""
            click.echo("  " + _line(name, columns, first, widths) + missed)
        for note in table.notes:
            click.echo(f"  {note}")


def _line(name: str, columns: tuple[str, ...], first: int, widths: list[int]) -> str:
    return f"{name:{first}}" + "".join(f"{text:>{width}}" for text, width in zip(columns, widths, strict=True))


if __name__ == "__main__":
    bench()
