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

from ttr_rules import Rules
from ttr_rules.errors import TTRError
from ttr_rules.language import ENGLISH, Language
from ttr_rules.plugins import info_of, load_plugin, options_of, written
from ttr_rules.text import printable
from ttr_tools.narration.choosing import chosen_language, languages

#: The maximum length of a message: errors may quote long passages from files.
_LONGEST_LINE = 500
#: What the library says of a stack without a map, and what can be typed instead.
_NO_MAP = (": add a plugin with one, or give board=", ": add a plugin with one, as in: ttr-rules play europe dice")


class Problem(click.ClickException):
    """An error in the user's input: the message goes to stderr, with exit code 2."""

    exit_code = 2

    def format_message(self) -> str:
        """The message, without control characters and with a limited length."""
        lines = printable(self.message.replace(*_NO_MAP), keep="\n").split("\n")
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
    """Discard pending output after the output has failed."""
    with suppress(OSError, AttributeError):  # an output that is not a file, or missing
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def prepare_streams() -> None:
    """Replace characters that an output cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def console() -> Console:
    """The standard output: colors only on a terminal, no markup is interpreted. NO_COLOR also removes bold."""
    plain = bool(os.environ.get("NO_COLOR"))
    return Console(markup=False, highlight=False, emoji=False, color_system=None if plain else "auto")


def write_json(value: Any) -> None:
    """Print a value as JSON, without escaping letters that the output can show."""
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


def stack_title(rules: Rules, language: Language = ENGLISH) -> str:
    """A stack by the titles of its plugins, with the options that differ from their defaults.

    >>> from ttr_rules import compile_rules
    >>> stack_title(compile_rules("europe", rulings={"tie_break": "P6"}))
    'Europe (classic), tie_break=P6'
    """
    instances = [*rules.plugins.values(), *(each for each in rules.recipe if not isinstance(each, str))]
    plugins = {info_of(each).name: each for each in instances}
    titles: dict[str, str] = {}
    for name in (*str(rules).split(" + "), *plugins):
        plugin = plugins.get(name) or load_plugin(name)
        info = info_of(plugin)
        chosen = [each for each in options_of(plugin).values() if each.value != each.default]
        words = [f"{each.name}={written(each.value)}" for each in chosen if isinstance(each.value, bool | int | str)]
        if words or name in rules.stack:
            titles[name] = ", ".join([info.titles.get(language.code) or language.name(info.title), *words])
    return " + ".join(titles.values())


stack_argument = click.argument("stack", nargs=-1, required=True, metavar="STACK...")

ruling_option = click.option(
    "--ruling",
    "rulings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=read_rulings,
    help="Settle a question that the rulebooks leave open; may be given several times. `explain` lists them all.",
)


def read_language(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str:
    """The value of `--lang`, by default the language that the environment asks for: the code of a catalog."""
    if given is None:
        return chosen_language(os.environ, languages())
    code = given.replace("-", "_")
    if not {code, code.partition("_")[0]} & set(languages()):
        raise click.BadParameter(f"there is no language {given!r}; there are {', '.join(languages())}")
    return code


def language_arguments(lang: str) -> list[str]:
    """The arguments that give this language again; none if the environment asks for it."""
    return [] if lang == chosen_language(os.environ, languages()) else ["--lang", lang]


language_option = click.option(
    "--lang",
    metavar="CODE",
    callback=read_language,
    help="The language of the game, such as de; by default that of the environment (LANG), if there is one, or English.",
)


def read_seed(_ctx: click.Context, _param: click.Parameter, given: str | None) -> int | str | None:
    """The value of `--seed`: a whole number if it looks like one, else the text itself."""
    if given is None or not re.fullmatch(r"-?[0-9]{1,1000}", given):
        return given
    return int(given)
