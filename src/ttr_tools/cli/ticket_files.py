"""Files that belong to a stack: `--ticket-file` gives tickets to its plugins, `--with` adds variants."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from pathlib import Path

import click

from ttr_rules.boards import read_tickets
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.plugins import compile_rules, info_of, load_plugin, load_variant, split_name
from ttr_rules.plugins.discovery import as_plugin
from ttr_rules.text import brief, line
from ttr_tools.cli.terminal import ruling_option, stack_argument


def _read(_ctx: click.Context, _param: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """The values of `--ticket-file`, `plugin=file` each, as a mapping."""
    found: dict[str, str] = {}
    for each in given:
        name, sign, file = each.partition("=")
        if not name or not sign or not file:
            raise click.BadParameter(f"{each!r} is not of the form PLUGIN=FILE, such as marklin=my-tickets.toml")
        if name in found:
            raise click.BadParameter(f"{name!r} is given twice")
        found[name] = file
    return found


ticket_file_option = click.option(
    "--ticket-file",
    "ticket_files",
    multiple=True,
    metavar="PLUGIN=FILE",
    callback=_read,
    help="Tickets for a plugin that has none of its own, such as marklin=my-tickets.toml; may be given several times.",
)


variant_file_option = click.option(
    "--with",
    "variant_files",
    multiple=True,
    metavar="FILE",
    help="A variant that is a file, TOML or Python, added to the stack; may be given several times.",
)


def with_tickets(
    stack: Sequence[str], ticket_files: Mapping[str, str], variant_files: Sequence[str] = ()
) -> tuple[object, ...]:
    """The plugins of a stack, with the tickets from files where given, and the variants from files.

    The stack may also name the variants from files, as a saved table does.
    Raises `InvalidInputError` for a file that cannot be read, or for a plugin that is not in the stack.
    """
    variants = [_variant(Path(file)) for file in variant_files]
    brought = {info_of(variant).name for variant in variants}
    stack = [each for each in stack if split_name(each)[0] not in brought]
    names = [split_name(each)[0] for each in stack]
    for name in ticket_files:
        if name not in names:
            raise InvalidInputError(f"--ticket-file names {brief(name)}, which is not in the stack {' + '.join(names)}")
    plugins: list[object] = [
        load_plugin(each, {"tickets": read_tickets(Path(ticket_files[name]))}) if name in ticket_files else each
        for each, name in zip(stack, names, strict=True)
    ]
    return (*plugins, *variants)


def _variant(file: Path) -> object:
    """The plugin in a TOML or Python file. Raises `PluginError` for a Python file without one."""
    if file.suffix != ".py":
        return load_variant(file)
    file.stat()  # an error if there is no such file
    try:
        return _imported(file)
    except (Exception, SystemExit) as error:
        reason = str(error) if isinstance(error, PluginError) else f"{type(error).__name__}: {line(str(error))}"
        raise PluginError(f"{file} cannot be loaded: {reason}") from error


def _imported(file: Path) -> object:
    """The variant in a Python file.

    It is imported from its folder, as other processes do again that play with it.
    """
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    module = import_module(file.stem)
    if Path(module.__file__ or "").resolve() != file.resolve():
        raise PluginError("another module has this name: rename the file")
    return as_plugin(module)


def rules_options(command: Callable[..., None]) -> Callable[..., None]:
    """The argument STACK with the options that change its rules: the command gets the compiled rules, as `rules`."""

    @stack_argument
    @ruling_option
    @ticket_file_option
    @variant_file_option
    @wraps(command)
    def with_rules(
        *,
        stack: tuple[str, ...],
        rulings: Mapping[str, bool | str],
        ticket_files: Mapping[str, str],
        variant_files: tuple[str, ...],
        **more: object,
    ) -> None:
        plugins = with_tickets(stack, ticket_files, variant_files)
        command(rules=compile_rules(*plugins, rulings=dict(rulings) or None), **more)

    return with_rules
