"""What all commands share: output to terminals and pipes, errors without tracebacks, common options."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from inspect import cleandoc
from typing import Any

import click
from rich.console import Console

from ttr_rules._internal.wording import printable
from ttr_rules.errors import TTRError

#: What an error quotes from a file may be longer than anybody wants to see.
_LONGEST_LINE = 500


class Problem(click.ClickException):
    """An error in what the user gave: the message on stderr, exit code 2."""

    exit_code = 2

    def format_message(self) -> str:
        """The message, without characters that would reach into the terminal and without endless lines."""
        lines = printable(self.message, keep="\n").split("\n")
        return "\n".join(line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines)


class CommandGroup(click.Group):
    """A group whose commands end with a message instead of a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; errors of the library exit with 2, an interrupt with 130, a closed pipe quietly."""
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except TTRError as error:
            raise Problem(str(error)) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly
            if error.filename is None:
                _discard_output()
            raise Problem(f"{error.filename or 'the output'}: {error.strerror or error}") from error
        except KeyboardInterrupt:
            click.echo(err=True)  # the prompt begins below the ^C
            ctx.exit(130)
        return result


def _discard_output() -> None:
    """Let what is still to be written go nowhere, after the output has failed."""
    with suppress(OSError, AttributeError):  # an output that is no file, or none at all
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def prepare_streams() -> None:
    """Let no character stop the program: what an output cannot show is replaced."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def console() -> Console:
    """The standard output: colours only on a terminal, and no text is taken for markup. With NO_COLOR it is plain, bold too."""
    plain = bool(os.environ.get("NO_COLOR"))
    return Console(markup=False, highlight=False, emoji=False, color_system=None if plain else "auto")


def write_json(value: Any) -> None:
    """Print a value as JSON, with letters as they are where the output can show them."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    click.echo(json.dumps(value, ensure_ascii=encoding != "utf8", indent=2))


def read_rulings(_ctx: click.Context, _param: click.Parameter, given: Sequence[str]) -> dict[str, bool | str]:
    """The values of `--ruling`, `name=value` each, as a mapping."""
    found: dict[str, bool | str] = {}
    for each in given:
        name, sign, value = (part.strip() for part in each.partition("="))
        if not name or not sign or not value:
            raise click.BadParameter(f"{each!r} is not of the form name=value, such as second_card_optional=true")
        if name in found:
            raise click.BadParameter(f"{name!r} is given twice")
        found[name] = {"true": True, "yes": True, "false": False, "no": False}.get(value.lower(), value)
    return found


def examples(text: str) -> str:
    """A text for the end of a command's help, its lines kept as they are."""
    return "\n\n".join(f"\b\n{part}" for part in cleandoc(text).split("\n\n"))


stack_argument = click.argument("stack", nargs=-1, required=True, metavar="STACK...")

ruling_option = click.option(
    "--ruling",
    "rulings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=read_rulings,
    help="Settle a question that the rulebooks leave open; may be given several times. `explain` lists them all.",
)


def read_seed(_ctx: click.Context, _param: click.Parameter, given: str | None) -> int | str | None:
    """The value of `--seed`: a whole number if it looks like one, else the text itself."""
    if given is None or not re.fullmatch(r"-?[0-9]{1,1000}", given):
        return given
    return int(given)
