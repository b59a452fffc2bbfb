"""Common to all commands: output without tracebacks, the stack with its options, saved games, the language, files."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import TypeVar

import click
from attrs import frozen
from rich.console import Console

from ttr_rules import Rules, compile_rules, installed
from ttr_rules.errors import PluginError, SaveError, TTRError
from ttr_rules.language import ENGLISH, Language
from ttr_rules.play import Game
from ttr_rules.plugins import Variant, load_variant
from ttr_rules.plugins.discovery import load_plugin, split_name, variant_in, with_options
from ttr_rules.reading import LONGEST_SAVE, decode, read_file
from ttr_rules.saves import Journal, Journals, loads
from ttr_rules.text import printable, reason_of
from ttr_tools.narration import choose_language, languages
from ttr_tools.testing.names import list_changed_options

#: A command, or what a decorator makes of one.
Command = Callable[..., None]
C = TypeVar("C", bound=click.Command)

#: The maximum length of a message: errors may quote long passages from files.
_LONGEST_LINE = 500
#: The library's words for a stack without a map, and what can be typed instead.
_NO_MAP = (": add a plugin with one, or give board=", ": add a plugin with one, as in: ttr-rules play europe dice")


# -- output --------------------------------------------------------------------------------------------------------


class Problem(click.ClickException):
    """An error in the user's input: the message goes to stderr, with exit code 2."""

    exit_code = 2

    def format_message(self) -> str:
        """The message, without control characters and with a limited length."""
        lines = printable(self.message.replace(*_NO_MAP), keep="\n").split("\n")
        return "\n".join(line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in lines)


def help_from_docstring(command: C) -> C:
    """Take a command's help from its docstring. The first paragraph is its line in the list of commands.

    What begins with `Example` stands below the options, its lines kept as they are.
    """
    command.help, mark, examples = cleandoc(command.help or "").partition("\n\nExample")
    command.short_help = command.help.partition("\n\n")[0]
    if mark:
        command.epilog = "\n\n".join(f"\b\n{part}" for part in f"Example{examples}".split("\n\n"))
    return command


def command(name: str | None = None) -> Callable[[Command], click.Command]:
    """Make a command of a function with options, whose docstring is its help."""
    return lambda function: help_from_docstring(click.command(name)(function))


class CommandGroup(click.Group):
    """A group whose commands end with a message instead of a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. Errors of the library exit with 2, an interrupt with 130, a closed pipe quietly."""
        try:
            result: object = super().invoke(ctx)
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


def write_json(value: object) -> None:
    """Print a value as JSON, without escaping letters that the output can show."""
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    click.echo(json.dumps(value, ensure_ascii=encoding != "utf8", indent=2))


@contextmanager
def blame(file: str, problem: str) -> Generator[None, None, None]:
    """Turn errors of the system into a `Problem` with a file, such as "game.json cannot be read: …"."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:  # also invalid names of files or home folders
        raise Problem(f"{file} {problem}: {reason_of(error)}") from error


# -- a stack -------------------------------------------------------------------------------------------------------


#: A file with a variant, and the options after it.
_VARIANT_FILE = re.compile(r"([^=]+?\.(?:toml|py))(:.*)?")


@frozen
class Stack:
    """A stack as it is typed: names of plugins with their options, and files with variants."""

    names: tuple[str, ...]

    @property
    def has_files(self) -> bool:
        """True if some of its variants are files, which a saved game cannot find by itself."""
        return any(map(is_variant_file, self.names))

    def plugins(self) -> tuple[object, ...]:
        """The plugins, those of files loaded."""
        return tuple(map(_plugin, self.names))

    def rules(self) -> Rules:
        """The compiled rules."""
        return compile_rules(*self.plugins())

    def arguments(self, lang: str) -> list[str]:
        """The arguments that go on with a saved game of this stack in a language, where they are needed."""
        language = [] if lang == choose_language(os.environ, languages()) else ["--lang", lang]
        return [*(self.names if self.has_files else ()), *language]


def is_variant_file(text: str) -> bool:
    """Tell whether a part of a stack is a file with a variant, not the name of a plugin."""
    return _VARIANT_FILE.fullmatch(text) is not None


def _plugin(text: str) -> object:
    """A plugin as it is typed: a file with a variant, or a name, with options, of which `tickets` names a file."""
    file = _VARIANT_FILE.fullmatch(text)
    name, options = split_name(text if file is None else f"{Path(file[1]).name}{file[2] or ''}")
    values = {"tickets": Path(options.pop("tickets"))} if "tickets" in options else {}
    if file is None:
        others = ",".join(f"{option}={value}" for option, value in options.items())
        return load_plugin(f"{name}:{others}" if others else name, values) if values else text
    path = Path(file[1])
    path.stat()  # an error if there is no such file
    variant = load_variant(path) if path.suffix == ".toml" else None
    return with_options(str(path), lambda: _import_variant(path) if variant is None else variant, options, values)


def _import_variant(file: Path) -> type[Variant]:
    """The variant in a Python file, imported from its folder, as worker processes do again."""
    if (folder := str(file.resolve().parent)) not in sys.path:
        sys.path.append(folder)
    module = import_module(file.stem)
    if Path(module.__file__ or "").resolve() != file.resolve():
        raise PluginError("another module has this name: rename the file")
    return variant_in(module)


def stack_argument(metavar: str = "STACK...", *, optional: bool = False) -> Callable[[Command], Command]:
    """The argument STACK: the command gets a `Stack`, as `stack`."""
    return click.argument("stack", nargs=-1, required=not optional, metavar=metavar, callback=_stack)


def _stack(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> Stack:
    return Stack(names)


def _rules(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> Rules:
    return Stack(names).rules()


#: The argument STACK: the command gets the compiled rules, as `rules`.
rules_argument = click.argument("rules", nargs=-1, required=True, metavar="STACK...", callback=_rules)


def stack_title(rules: Rules, language: Language = ENGLISH) -> str:
    """A stack by the titles of its plugins, with the options that differ from their defaults.

    >>> from ttr_rules import compile_rules
    >>> stack_title(compile_rules("europe", rulings={"tie_break": "P6"}))
    'Europe (classic), tie_break=P6'
    """
    infos = [(plugin.info, changed) for plugin, changed in list_changed_options(rules)]
    titles = [[info.titles.get(language.code) or language.name(info.title), *changed] for info, changed in infos]
    return " + ".join(map(", ".join, titles))


#: The default names of players.
DEFAULT_NAMES = ("Ada", "Isambard", "Grace", "Otto", "Clara")


def fill_names(names: Sequence[str], count: int) -> list[str]:
    """Names, and further ones for the other players.

    >>> fill_names(["Grace"], 3)
    ['Grace', 'Ada', 'Isambard']
    """
    others = (*DEFAULT_NAMES, *(f"Player {number + 1}" for number in range(len(DEFAULT_NAMES), count)))
    return [*names, *(name for name in others if name not in names)][:count]


def usual_players(rules: Rules) -> int:
    """Three players, or else the nearest number that a stack is for."""
    return min(max(3, rules.components.min_players), rules.components.max_players)


# -- saved games and journals -----------------------------------------------------------------------------------------

#: The first bytes of an SQLite file.
_SQLITE = b"SQLite format 3\0"


def load_named_game(stack: Stack) -> Game | None:
    """Load the save or journal named at the end of a stack, with the plugins before it. Returns None for a mere stack.

    The file stays as it is. Raises `Problem` for a file that is neither.
    """
    *plugins, last = stack.names
    if is_variant_file(last) or not split_file(last)[0].is_file() or last in {plugin.name for plugin in installed()}:
        return None
    with ExitStack() as files:
        return resume(last, files, Stack(tuple(plugins)).rules() if plugins else None)[0]


def resume(file: str, files: ExitStack, rules: Rules | None = None) -> tuple[Game, Journal | None]:
    """Load a game to go on with it. One of a journal, `FILE` or `FILE#GAME`, goes on there until `files` is closed.

    `rules` are those of variants that are not installed. Raises `Problem` for a file that is neither.
    """
    with blame(file, "cannot be read"):
        path, id = split_file(file)
        data, problem = read_file(path, 4 * LONGEST_SAVE)
        text = decode(data) if data.lstrip().startswith((b"{", b"\xef\xbb\xbf")) else data
    if data.startswith(_SQLITE):
        journals = files.enter_context(Journals(path))
        journal = journals.resume(only_game(journals, file) if id is None else id, rules=rules)
        return journal.game, journal
    if problem is not None or id is not None:
        raise Problem(f"{file}: {problem or 'this is no journal, so there are no games to choose from by #'}")
    try:
        return loads(text, rules=rules), None
    except SaveError as error:
        expected = "" if isinstance(text, str) else "expected a saved game, as JSON or packed, or a journal; "
        told = str(error).removeprefix("not a saved game: ") if expected else error
        raise Problem(f"{file}: {expected}{told}") from error


def begin_journal(file: str, game: Game, files: ExitStack) -> tuple[str, Journal]:
    """Begin a journal in `FILE` or `FILE#GAME`, until `files` is closed. Also returns its name."""
    path, id = split_file(file)
    journals = files.enter_context(Journals(path))
    alone = not list(journals)
    journal = journals.begin(game, id)
    return file if alone or id is not None else f"{file}#{journal.id}", journal


def split_file(file: str) -> tuple[Path, str | None]:
    """The path of a file, and the id of a game after `#`, unless that is part of the name of a file."""
    whole = Path(file).expanduser()
    name, mark, id = file.rpartition("#")
    return (whole, None) if not mark or whole.exists() else (Path(name).expanduser(), id)


def only_game(journals: Journals, file: str) -> str:
    ids = list(journals)
    if len(ids) == 1:
        return ids[0]
    if not ids:
        raise Problem(f"{file} has no games yet")
    turns = {id: f"{ENGLISH.joined(players)} to act" if (players := journals.to_act(id)) else "over" for id in ids}
    lines = "".join(f"\n  {file}#{id}: {turn}" for id, turn in turns.items())
    raise Problem(f"{file} has {len(ids)} games; say which one:{lines}")


# -- other options -------------------------------------------------------------------------------------------------


def _language(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str:
    """The value of `--lang`, by default the language that the environment asks for: the code of a catalog."""
    if value is None:
        return choose_language(os.environ, languages())
    code = value.replace("-", "_")
    if not {code, code.partition("_")[0]} & set(languages()):
        raise click.BadParameter(f"there is no language {value!r}; there are {', '.join(languages())}")
    return code


def _seed(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | str | None:
    """The value of `--seed`: a whole number if it looks like one, else the text itself."""
    return int(value) if value is not None and re.fullmatch(r"-?[0-9]{1,1000}", value) else value


language_option = click.option(
    "--lang",
    metavar="CODE",
    callback=_language,
    help="The language of the game, such as de; by default that of the environment (LANG), if there is one, or English.",
)


def seed_option(about: str, default: str | None = None) -> Callable[[Command], Command]:
    """The option `--seed`: a number or a text."""
    return click.option(
        "--seed", metavar="S", default=default, show_default=False, callback=_seed, help=f"A number or a text{about}"
    )


def players_option(about: str, default: int | None = None) -> Callable[[Command], Command]:
    """The option `--players`: how many play."""
    return click.option("--players", type=int, default=default, metavar="N", help=about)


def output_option(about: str) -> Callable[[Command], Command]:
    """The option `--output`: the file to write, or `-`."""
    return click.option("-o", "--output", metavar="FILE", required=True, help=about)
