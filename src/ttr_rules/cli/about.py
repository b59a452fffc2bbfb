"""`ttr-rules variants` and `ttr-rules explain`: what is installed, and what a stack is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ..compile import compile_rules
from ..plugins import Installed, installed
from .terminal import console, examples, ruling_option, stack_argument, write_json
from .words import printable


@click.command(
    short_help="List the plugins that are installed.",
    epilog=examples("""
        Examples:
          ttr-rules variants
          ttr-rules variants --json
    """),
)
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def variants(as_json: bool) -> None:
    """List the plugins that are installed: the names to build a STACK from.

    Each line has the name, the distribution it came with and its version, and what it is. A plugin that cannot be
    loaded is listed with its problem.
    """
    found = installed()
    if as_json:
        write_json([_as_json(each) for each in found])
        return
    screen = console()
    if not found:
        screen.print("No plugin is installed.")
    if screen.is_terminal:
        screen.print(_grid(found))
        return
    name_width = max((len(each.name) for each in found), default=0)
    origin_width = max((len(_origin(each)) for each in found), default=0)
    for each in found:
        text = Text(f"{printable(each.name):{name_width}}  ", style="bold")
        text.append(f"{_origin(each):{origin_width}}  ", style="not bold dim")
        text.append(_line(each), style="not bold" if each.problem is None else "not bold red")
        screen.print(text, soft_wrap=True)


def _grid(found: Sequence[Installed]) -> Table:
    """The list as a person reads it: what a plugin is goes on below its beginning. Files get one line for each."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for each in found:
        style = "" if each.problem is None else "red"
        grid.add_row(printable(each.name), Text.assemble((_line(each), style), (f" ({_origin(each)})", "dim")))
    return grid


def _origin(plugin: Installed) -> str:
    return printable(f"{plugin.distribution} {plugin.version}")


def _line(plugin: Installed) -> str:
    """What a plugin is, or what is wrong with it."""
    if plugin.info is None:
        return printable(f"BROKEN: {' '.join((plugin.problem or 'it cannot be loaded').split())}")
    about = f"{plugin.info.title}. {plugin.info.summary}".strip()
    needs = f" Built on {', '.join(plugin.info.requires)}." if plugin.info.requires else ""
    return printable(about + needs)


def _as_json(plugin: Installed) -> dict[str, Any]:
    info = plugin.info
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "title": None if info is None else info.title,
        "summary": None if info is None else info.summary,
        "requires": [] if info is None else list(info.requires),
        "problem": plugin.problem,
    }


@click.command(
    short_help="Show which plugin decides what.",
    epilog=examples("""
        Examples:
          ttr-rules explain europe
          ttr-rules explain europe --ruling station_choice=ask
    """),
)
@stack_argument
@ruling_option
def explain(stack: tuple[str, ...], rulings: Mapping[str, bool | str]) -> None:
    """Show which plugin of a STACK decides what, and the rulings in force.

    A line for each question that the rules ask their plugins, with the plugin that answered it; then every case that
    the rulebooks leave open, as it is decided here.
    """
    console().print(Text(compile_rules(*stack, rulings=dict(rulings) or None).explain()), soft_wrap=True)
