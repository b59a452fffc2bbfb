"""`ttr-rules variants`, `explain` and `schema`: installed plugins, parts of a stack, the format of games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from ttr_rules._internal.wording import printable
from ttr_rules.cli.terminal import console, examples, stack_argument, write_json
from ttr_rules.cli.ticket_files import rules_options, ticket_file_option, with_tickets
from ttr_rules.clients import client_schema, json_schema
from ttr_rules.kernel.rules import Rules
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.plugins.discovery import Installed, installed

OURS = "ttr-rules"


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

    Each line has the name, what the plugin is, and the distribution it came with if that is not this library. A plugin that
    cannot be loaded is listed with its problem.
    """
    found = installed()
    if as_json:
        write_json([_as_json(each) for each in found])
        return
    screen = console()
    if not found:
        screen.print("No plugin is installed.")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    width = max((len(each.name) for each in found), default=0)
    for each in found:
        text = Text(_line(each), style="" if each.problem is None else "red")
        if each.distribution != OURS:
            text.append(f" ({_origin(each)})", style="dim")
        if screen.is_terminal:
            table.add_row(printable(each.name), text)
        else:  # one line per plugin, for other programs
            screen.print(Text(f"{printable(each.name):{width}}  ").append(text), soft_wrap=True)
    if screen.is_terminal:
        screen.print(table)


def _origin(plugin: Installed) -> str:
    return printable(f"{plugin.distribution} {plugin.version}")


def _line(plugin: Installed) -> str:
    """The description of a plugin, or its problem."""
    if plugin.info is None:
        return printable(f"BROKEN: {' '.join((plugin.problem or 'it cannot be loaded').split())}")
    titles = "".join(f" ({language}: {title})" for language, title in plugin.info.titles.items())
    about = f"{plugin.info.title}{titles}. {plugin.info.summary}".strip()
    needs = f" Built on {', '.join(plugin.info.requires)}." if plugin.info.requires else ""
    return printable(about + needs)


def _as_json(plugin: Installed) -> dict[str, Any]:
    info = plugin.info
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "title": None if info is None else info.title,
        **({} if info is None or not info.titles else {"titles": dict(info.titles)}),
        "summary": None if info is None else info.summary,
        "requires": [] if info is None else list(info.requires),
        "problem": plugin.problem,
    }


@click.command(
    short_help="Show which plugin decides what.",
    epilog=examples("""
        Examples:
          ttr-rules explain europe
          ttr-rules explain europe:tie_break=P6 dice
          ttr-rules explain europe --ruling station_choice=ask
          ttr-rules explain europe --with my-table.toml
    """),
)
@rules_options
def explain(rules: Rules) -> None:
    """Show which plugin of a STACK decides what, and the options in force.

    Prints a line for each hook, with the plugin that answers it; then the options of these plugins, including cases that the
    rulebooks leave open: the value in force, the other values, and what the option means.
    """
    console().print(Text(rules.explain()), soft_wrap=True)


@click.command(
    short_help="Print the JSON Schema of a stack's saved games and messages.",
    epilog=examples("""
        Examples:
          ttr-rules schema europe > europe.schema.json
          ttr-rules schema north-america dice --messages > messages.schema.json
    """),
)
@stack_argument
@ticket_file_option
@click.option(
    "--messages", is_flag=True, help="Only what servers and clients send, in draft 7, for generators of code."
)
def schema(stack: tuple[str, ...], ticket_files: Mapping[str, str], messages: bool) -> None:
    """Print a JSON Schema (draft 2020-12) of the saved games of a STACK and of all that servers and clients send each other.

    $defs contains Save, ServerMessage and ClientMessage, what they hold, such as View, Offer, Event and BoardInfo, and
    every type of the stack by its tag.
    """
    rules = compile_rules(*with_tickets(stack, ticket_files))
    write_json(client_schema(rules) if messages else json_schema(rules))
