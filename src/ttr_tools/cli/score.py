"""`ttr-rules score`: the score sheet of a game that was played at a table, from a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click

from ttr_rules.errors import InvalidTableError, TTRError
from ttr_rules.play import score as score_table
from ttr_rules.play import stack_of
from ttr_rules.plugins import compile_rules
from ttr_rules.reading import LONGEST_TABLE, KeyTwiceError, read_toml, without_doubles
from ttr_rules.text import reason_of
from ttr_tools.cli.score_files import score_template
from ttr_tools.cli.score_lines import located
from ttr_tools.cli.sheets import print_sheet
from ttr_tools.cli.terminal import Problem, console, examples, language_option, write_json
from ttr_tools.cli.ticket_files import ticket_file_option, variant_file_option, with_tickets

_EXAMPLES = examples("""
    An example, game.toml:
      stack = ["europe"]

      [[players]]
      name = "Ada"
      routes = [
        ["paris", "zurich"],
        ["london", "edinburgh", "black"],   # which one of a double
        "frankfurt-paris-white",            # or the id of a route
      ]
      tickets = [
        ["paris", "wien"],
        ["paris", "lisboa", 9],             # points: only for a ticket in no deck
      ]

      [[players]]
      name = "Isambard"
      routes = [["berlin", "wien", "green"]]

    Then:
      ttr-rules score game.toml
      ttr-rules score --json - < game.json

    For a file to fill in, with everything that the stack has:
      ttr-rules score --template europe > game.toml
""")


@click.command(epilog=_EXAMPLES, short_help="Score a game that was played at a table.")
@click.argument("given", nargs=-1, required=True, metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print the score sheet as JSON.")
@click.option("--template", is_flag=True, help="Print a commented file to fill in, for a STACK given in place of FILE.")
@ticket_file_option
@variant_file_option
@language_option
def score(
    given: tuple[str, ...],
    as_json: bool,
    template: bool,
    ticket_files: Mapping[str, str],
    variant_files: tuple[str, ...],
    lang: str,
) -> None:
    """Score a game that was played at a table, from a small TOML or JSON FILE (`-` reads the standard input).

    The file names the stack and, for each player, the routes claimed, the tickets held, and whatever else the stack has
    (--template shows it). Cities can be given by their printed names, ids, or other common names. The longest path and the
    best use of routes that may be borrowed are worked out; every mistake in the file is reported with its line and player, in
    English whatever the language of the sheet.
    """
    if template:
        if as_json:
            raise click.UsageError("--template prints a file to fill in: it cannot be combined with --json")
        wanted = compile_rules(*with_tickets(given, ticket_files, variant_files))
        named = (*given, *(name for name in wanted.requested[len(given) :] if name not in given))
        click.echo(score_template(wanted, named), nl=False)
        return
    file, *more = given
    if more:
        raise click.UsageError(f"one FILE is scored at a time, not {len(given)}: {' '.join(given)}")
    text, table = read_table(file)
    try:
        from_files = ticket_files or variant_files
        rules = compile_rules(*with_tickets(stack_of(table), ticket_files, variant_files)) if from_files else None
        scores = score_table(rules, table)
    except InvalidTableError as error:
        problems = located(error.problems, table, text)
        raise Problem(f"{_name(file)}: {InvalidTableError(error.what, problems)}") from error
    except TTRError as error:
        raise Problem(f"{_name(file)}: {error}") from error
    if as_json:
        write_json(scores.to_json())
    else:
        print_sheet(console(), scores, lang)


def _name(file: str) -> str:
    return "standard input" if file == "-" else file or "a file without a name"


def read_table(file: str) -> tuple[str, Mapping[str, Any]]:
    """The text of a TOML or JSON file, depending on its suffix or else its first character, and the table in it.

    `-` is the standard input. Raises `Problem` for a file that cannot be read as either.
    """
    name = _name(file)
    text = _text_of(_bytes_of(file), name)
    suffix = Path(file).suffix.lower()
    is_json = suffix == ".json" or (suffix != ".toml" and text.lstrip().startswith("{"))
    try:
        table = json.loads(text, object_pairs_hook=without_doubles) if is_json else read_toml(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Problem(f"{name} is no JSON: {error.msg} (at {place})") from error
    except KeyTwiceError as error:
        raise Problem(f"{name}: {error}") from error
    except RecursionError as error:
        raise Problem(f"{name}: nested too deeply for a table") from error
    except ValueError as error:
        problem = ": a number in it is too long" if is_json else f" is no TOML: {error}"
        raise Problem(f"{name}{problem}") from error
    if not isinstance(table, dict):
        raise Problem(f"{name}: expected a table with a stack and players, got a JSON {_json_kind(table)}")
    return text, cast("dict[str, Any]", table)


def _bytes_of(file: str) -> bytes:
    try:
        with click.open_file(file, "rb") as stream:
            data: bytes = stream.read(LONGEST_TABLE + 1)
    except (OSError, ValueError) as error:  # no such file; an invalid file name
        raise Problem(f"{_name(file)} cannot be read: {reason_of(error)}") from error
    if len(data) > LONGEST_TABLE:
        raise Problem(f"{_name(file)} is too long for a table: more than {LONGEST_TABLE:,} bytes")
    return data


def _text_of(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Problem(f"{name} is not UTF-8: byte 0x{data[error.start]:02x} in line {line}") from error


def _json_kind(value: object) -> str:
    kinds: dict[type, str] = {list: "list", str: "string", bool: "boolean", type(None): "null"}
    return kinds.get(type(value), "number")
