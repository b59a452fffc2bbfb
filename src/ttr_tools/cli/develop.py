"""`ttr-rules new-variant`, `check`, `perft` and `playthrough`: for authors of variants."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import click

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError
from ttr_tools.cli.options import Stack, command, rules_options, seed_option, stack_options


@command("new-variant")
@click.argument("name")
@click.option("--dir", "folder", metavar="DIR", help="The folder to create; by default ttr-NAME in the current folder.")
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
    file = "variant.toml" if data else "__init__.py"
    module = f"src/{package_name(name)}/{file}"
    click.echo(f"Written to {folder_written}. The variant is {module}. Next, install it next to ttr-rules:")
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
@stack_options()
@click.option(
    "--players", type=int, metavar="N", help="The number of players; by default, every number that the stack allows."
)
@click.option("--games", type=int, default=2, metavar="N", show_default=True, help="Games for each number of players.")
@click.option("--seed", type=int, default=1, metavar="S", show_default=True, help="The seed of the first game.")
@click.option("--skip", multiple=True, metavar="PROPERTY", help="A property to leave out; may be given several times.")
def check(stack: Stack, players: int | None, games: int, seed: int, skip: tuple[str, ...]) -> None:
    """Check that a variant is sound.

    Plays seeded random games of a stack and checks everything that must hold for any variant. Each problem is reported with what to fix and how to reproduce it; the exit status is then 1.

    Examples:
      ttr-rules check europe golden-spike
      ttr-rules check europe dice golden-spike --players 2 --games 5
      ttr-rules check europe --with my-table.toml

    """
    from ttr_tools.testing.runs import VariantError
    from ttr_tools.testing.variant import check_variant

    try:
        rulings = dict(stack.rulings) or None
        click.echo(check_variant(*stack.plugins(), players=players, games=games, seed=seed, rulings=rulings, skip=skip))
    except VariantError as error:
        click.echo(error)
        raise SystemExit(1) from error


@command()
@rules_options
@click.option("--players", type=int, default=2, metavar="N", show_default=True, help="How many play.")
@click.option("--depth", type=int, default=3, metavar="D", show_default=True, help="How many actions deep.")
@seed_option("; 1 unless given.", default="1")
@click.option("--divide", is_flag=True, help="Also print the number under each first action.")
def perft(rules: Rules, players: int, depth: int, seed: int | str, divide: bool) -> None:
    """Count the sequences of legal actions.

    They have a given length, and start at the set-up of a seeded game. If the number changes, legal actions have changed; --divide shows after which first action.

    Examples:
      ttr-rules perft europe --players 2 --depth 3
      ttr-rules perft europe dice --depth 2 --seed 7 --divide

    """
    from ttr_tools.testing.names import short
    from ttr_tools.testing.playthroughs import count, start_state
    from ttr_tools.testing.playthroughs import divide as divided

    state = start_state(rules, players, seed)
    if divide:
        counts = divided(state, depth)
        for action, number in counts.items():
            click.echo(f"{number:>12}  {short(action)}")
        click.echo(sum(counts.values()))
    else:
        click.echo(count(state, depth))


@command()
@stack_options(optional=True, rulings=False)
@click.option("--players", type=int, default=2, metavar="N", show_default=True, help="How many play.")
@seed_option("; 1 unless given.", default="1")
@click.option("--actions", type=click.IntRange(min=0), metavar="K", help="Print only the first K actions.")
@click.option(
    "--write", "folder", metavar="DIR", help="Write the file of every stack that comes with the library to DIR."
)
def playthrough(stack: Stack, players: int, seed: int | str, actions: int | None, folder: str | None) -> None:
    """Print a whole random game, with legal actions and what each seat sees.

    Examples:
      ttr-rules playthrough europe --players 2 --seed 7
      ttr-rules playthrough --write tests/playthroughs

    """
    from ttr_tools.testing import playthrough as transcript

    if folder is not None:
        if stack.names:
            raise InvalidInputError("--write writes the files of all stacks that come with the library: name none")
        _write_all(Path(folder))
        return
    if not stack.names:
        raise InvalidInputError("name a stack, such as europe, or give --write DIR")
    more = [f"--ticket-file {name}={file}" for name, file in stack.ticket_files.items()]
    more += [f"--with {file}" for file in stack.variant_files]
    text = transcript(*stack.names, players=players, seed=seed, actions=actions, rules=stack.rules(), more=more)
    click.echo(text, nl=False)


def _write_all(folder: Path) -> None:
    from ttr_tools.testing.playthroughs import official_stacks

    folder.mkdir(parents=True, exist_ok=True)
    written: set[str] = set()
    for official in official_stacks():
        if official.problem is not None:
            click.echo(f"skipped {' + '.join(official.stack)}: {official.problem}")
        for name, players in official.files.items():
            (folder / name).write_text(official.text(players), encoding="utf-8", newline="\n")
            written.add(name)
    for old in folder.glob("*.txt"):
        if old.name not in written:
            old.unlink()
            click.echo(f"removed {old.name}: no such stack")
    click.echo(f"{len(written)} files written to {folder}")
