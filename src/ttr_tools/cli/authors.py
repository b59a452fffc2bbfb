"""Commands for authors: `variants`, `explain`, `hooks`, `schema`, `new-variant`, `check`, `perft`, `playthrough`."""

from __future__ import annotations

import inspect
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from ttr_rules import Rules, installed, new_game
from ttr_rules.plugins import Installed, Variant
from ttr_rules.plugins.discovery import load_plugin
from ttr_rules.text import closest, printable
from ttr_tools.cli.options import (
    Stack,
    command,
    console,
    players_option,
    rules_argument,
    seed_option,
    stack_argument,
    write_json,
)
from ttr_tools.cli.terminal import Screen

OURS = "ttr-rules"
#: The kinds of hooks: when they are called, and how answers are combined.
HOOK_KINDS: Mapping[str, str] = {
    "Values": "asked when a stack is compiled. There is one answer: a plugin that calls below() adjusts the answer from below, "
    "one that does not replaces it.",
    "Things": "asked when a stack is compiled. The answers of all plugins are taken together, base first.",
    "In play": "called in the game, in the order of the stack.",
}


@command()
def variants() -> None:
    """List the plugins that are installed.

    A STACK is built from their names. Each line has the name, what the plugin is, and the distribution it came with if
    that is not this library. A plugin that cannot be loaded is listed with its problem.

    Example:
      ttr-rules variants

    """
    plugins = installed()
    screen = Screen(console())
    if not plugins:
        screen.say("No plugin is installed.")
    width = max((len(plugin.name) for plugin in plugins), default=0)
    for plugin in plugins:
        line = Text.assemble((f"{printable(plugin.name):{width}}  ", "bold"))
        line.append(_line(plugin), style="" if plugin.problem is None else "red")
        if plugin.distribution != OURS:
            line.append(printable(f" ({plugin.distribution} {plugin.version})"), style="dim")
        screen.say(line, indent=width + 2)


def _line(plugin: Installed) -> str:
    """The description of a plugin, or its problem."""
    if plugin.info is None:
        return printable(f"BROKEN: {' '.join((plugin.problem or 'it cannot be loaded').split())}")
    titles = "".join(f" ({language}: {title})" for language, title in plugin.info.titles.items())
    about = f"{plugin.info.title}{titles}. {plugin.info.summary}".strip()
    needs = f" Built on {', '.join(plugin.info.requires)}." if plugin.info.requires else ""
    return printable(about + needs)


@command()
@rules_argument
def explain(rules: Rules) -> None:
    """Show which plugin decides what.

    Prints a line for each hook, with the plugin that answers it; then the options of these plugins, including cases that the
    rulebooks leave open: the value in force, the other values, and what the option means.

    Examples:
      ttr-rules explain europe
      ttr-rules explain europe:tie_break=P6 dice
      ttr-rules explain europe my-table.toml

    """
    screen = Screen(console())
    for line in rules.explain().splitlines():
        screen.say(printable(line), indent=4)


@command()
@rules_argument
@click.option("--messages", is_flag=True, help="Only what servers and clients send, for generators of code.")
def schema(rules: Rules, messages: bool) -> None:
    """Print the JSON Schema of a stack's saved games and messages.

    The schema (draft 7) is that of the saved games of a STACK and of all that servers and clients send each other.
    definitions contains Save, ServerMessage and ClientMessage, what they hold, such as View, Offer, Event and BoardInfo, and
    every type of the stack by its tag.

    Examples:
      ttr-rules schema europe > europe.schema.json
      ttr-rules schema north-america dice --messages > messages.schema.json

    """
    from ttr_rules.clients import client_schema, json_schema

    write_json(client_schema(rules) if messages else json_schema(rules))


@command()
@click.argument("name", required=False)
def hooks(name: str | None) -> None:
    """Describe the hooks of variants.

    They are the methods of Variant, which a variant may override. Without a NAME, lists all of them. With one, prints the method as a variant writes it, when it is called, what it is for,
    an example, and which installed plugins override it.

    Examples:
      ttr-rules hooks
      ttr-rules hooks claim_cost

    """
    if name is None:
        screen = Screen(console())
        for kind, about in HOOK_KINDS.items():
            screen.say(f"{kind}: {about}")
            for hook in (hook for hook in _hooks() if _kind(hook) == kind):
                screen.say(f"  {hook:15} {_purpose(hook)}", indent=18)
        return
    if name not in _hooks():
        near = closest(name, _hooks())
        hint = f"did you mean {near!r}? " if near else ""
        raise click.UsageError(f"there is no hook {name!r}; {hint}`ttr-rules hooks` lists them")
    click.echo(_describe(name))


def _hooks() -> list[str]:
    """The methods of `Variant` that are marked as hooks."""
    return [name for name, method in vars(Variant).items() if hasattr(method, "ttr_rules_spec")]


def _kind(hook: str) -> str:
    """The kind of a hook, by its parameters."""
    parameters = [*inspect.signature(getattr(Variant, hook)).parameters]
    return "Values" if "below" in parameters else "Things" if parameters == ["self", "rules"] else "In play"


def _purpose(hook: str) -> str:
    """The first sentence of a hook's docstring."""
    text = " ".join((getattr(Variant, hook).__doc__ or "").split("\n\n")[0].split())
    return text.partition(". ")[0].rstrip(".")


def _describe(hook: str) -> str:
    """Everything about a hook: signature, purpose, example, kind, and the plugins that override it."""
    method = getattr(Variant, hook)
    signature = str(inspect.signature(method)).replace("'", "")
    purpose, example = purpose_and_example(hook)
    kind = _kind(hook)
    plugins = [plugin.name for plugin in installed() if plugin.problem is None]
    users = [name for name in plugins if getattr(type(load_plugin(name)), hook, method) is not method]
    overridden = f"{kind}: {HOOK_KINDS[kind]}\nOverridden by: {', '.join(users) or 'no plugin that is installed'}"
    shown = ["Example:", example] if example else []
    return "\n\n".join([f"@hookimpl\ndef {hook}{signature}: ...", purpose, *shown, overridden])


def purpose_and_example(hook: str) -> tuple[str, str]:
    """The docstring of a hook, and the test in it as code: what a line evaluates to is a comment below it."""
    from doctest import DocTestParser

    text = inspect.getdoc(getattr(Variant, hook)) or ""
    lines: list[str] = []
    for example in DocTestParser().get_examples(text):
        lines += example.source.splitlines()
        lines += [f"# {line}" for line in (example.exc_msg or example.want).splitlines()]
    return text.partition("\n\n>>> ")[0], "\n".join(lines)


@command("new-variant")
@click.argument("name")
@click.option(
    "--dir",
    "folder",
    metavar="DIR",
    help="The folder of the package itself, which is created; by default ttr-NAME in the current folder.",
)
@click.option("--data", is_flag=True, help="Write a variant that is a TOML file and needs no Python.")
def new_variant(name: str, folder: str | None, data: bool) -> None:
    """Write a package for a variant of your own.

    The package is complete: a plugin called NAME that plays, its tests, its entry point. A name consists of lower-case letters and digits, in words joined by hyphens. An existing folder must be empty.

    Examples:
      ttr-rules new-variant golden-spike
      ttr-rules new-variant golden-spike --dir ~/variants/golden-spike
      ttr-rules new-variant golden-spike --data

    """
    from ttr_tools.testing.new_variant import package_name, write_variant

    folder_written = write_variant(name, folder, data=data)
    module = f"src/{package_name(name)}/{'variant.toml' if data else '__init__.py'}"
    written = f"Written to {folder_written}. The variant is in {module}. Install it where ttr-rules is installed:"
    Screen(console()).say(written)
    click.echo(f"  cd {shlex.quote(str(folder_written))}")
    for arguments in (
        "pip install -e '.[test]'",
        "pytest",
        f"ttr_rules check europe {name}",
        f"ttr_rules play europe {name}",
    ):
        click.echo(f"  {_this_python()} -m {arguments}")


def _this_python() -> str:
    """The shell command for the running interpreter: `python` in an active environment, else its path."""
    python = shutil.which("python")
    is_active = python is not None and Path(python).parent == Path(sys.executable).parent
    return "python" if is_active else shlex.quote(sys.executable)


@command()
@stack_argument()
@click.option(
    "--players",
    type=int,
    multiple=True,
    metavar="N",
    help="A number of players; may be given several times. By default, every number that the stack allows.",
)
@click.option("--games", type=int, default=2, metavar="N", help="Games for each number of players.")
@click.option("--seed", type=int, default=1, metavar="S", help="The seed of the first game.")
@click.option("--skip", multiple=True, metavar="PROPERTY", help="A property to leave out; may be given several times.")
def check(stack: Stack, players: tuple[int, ...], games: int, seed: int, skip: tuple[str, ...]) -> None:
    """Check that a variant is sound.

    Plays seeded random games of a stack and checks everything that must hold for any variant. Each problem is reported with what to fix and how to reproduce it; the exit status is then 1.

    Examples:
      ttr-rules check europe golden-spike
      ttr-rules check europe dice golden-spike --players 2 --players 3 --games 5
      ttr-rules check europe my-table.toml

    """
    from ttr_tools.testing.runs import VariantError
    from ttr_tools.testing.variant import check_variant

    try:
        with Console(stderr=True).status("compiling the stack") as status:
            report = check_variant(
                *stack.plugins(), players=players or None, games=games, seed=seed, skip=skip, on_progress=status.update
            )
        click.echo(report)
    except VariantError as error:
        click.echo(error)
        raise SystemExit(1) from error


@command()
@rules_argument
@players_option("How many play.", 2)
@click.option("--depth", type=int, default=3, metavar="D", help="How many actions deep.")
@seed_option("; 1 unless given.", default="1")
def perft(rules: Rules, players: int, depth: int, seed: int | str) -> None:
    """Count the sequences of legal actions.

    They have a given length, and start at the set-up of a seeded game. If the number changes, legal actions have changed.

    Examples:
      ttr-rules perft europe --players 2 --depth 3
      ttr-rules perft europe dice --depth 2 --seed 7

    """
    from ttr_tools.testing.playthroughs import perft as count

    click.echo(count(new_game(rules=rules, players=players, seed=seed).state, depth))


@command()
@stack_argument()
@players_option("How many play.", 2)
@seed_option("; 1 unless given.", default="1")
@click.option("--actions", type=click.IntRange(min=0), metavar="K", help="Print only the first K actions.")
def playthrough(stack: Stack, players: int, seed: int | str, actions: int | None) -> None:
    """Print a whole random game, with legal actions and what each seat sees.

    Example:
      ttr-rules playthrough europe --players 2 --seed 7

    """
    from ttr_tools.testing import playthrough as transcript

    click.echo(transcript(*stack.names, players=players, seed=seed, actions=actions, rules=stack.rules()), nl=False)
