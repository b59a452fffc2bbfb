"""Everything readable is run: the examples of docstrings, and the code of the README."""

import doctest
import importlib
import inspect
import linecache
import pkgutil
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest
from helpers import names_in

import ttr_maps
import ttr_rules
import ttr_tools
import ttr_variants
from ttr_rules import plugins
from ttr_tools.extras import MissingExtraError

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FLAGS = doctest.ELLIPSIS


def modules() -> list[str]:
    found = []
    for package in (ttr_rules, ttr_tools, ttr_variants, ttr_maps):
        found.append(package.__name__)
        found += [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [name for name in found if not (name + ".").startswith("ttr_tools.cli.") and not name.endswith("__main__")]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


#: The examples of hooks import only what is neither in `ttr_rules` nor in `ttr_rules.plugins`, so that the hook is what
#: one reads.
GIVEN: dict[str, dict[str, Any]] = {
    "ttr_rules.kernel.variant": {
        **{name: getattr(package, name) for package in (ttr_rules, plugins) for name in names_in(package)},
        **{"define": attrs.define, "evolve": attrs.evolve},
    }
}
#: The modules that cannot be imported, and whose examples cannot run, without the libraries of an extra.
DATA = {"ttr_tools.simulation.tables": ("polars", "openskill")}
SERVER = dict.fromkeys(
    [f"ttr_tools.web.{name}" for name in ("server", "tables")],
    ("anyio", "starlette", "uvicorn", "websockets"),
)
LEARNING = {
    **{f"ttr_tools.learning.{name}": ("pettingzoo",) for name in ("encoding", "environments", "table")},
    "ttr_tools.learning.spiel": ("pyspiel",),
}
NEEDING: dict[str, tuple[str, ...]] = {**DATA, **SERVER, **LEARNING}


def importable() -> list[str]:
    """The modules that can be imported with the extras that are installed."""
    return [name for name in modules() if all(map(find_spec, NEEDING.get(name, ())))]


@pytest.mark.slow_cases(
    "ttr_tools.testing",
    "ttr_tools.testing.variant",
    "ttr_tools.testing.runs",
    "ttr_tools.render.drawing",
    "ttr_tools.simulation.running",
    "ttr_tools.bots.search",
    "ttr_tools.testing.playthroughs",
)
@pytest.mark.parametrize("name", modules())
def test_the_examples_in_docstrings_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in NEEDING.get(name, ()):
        pytest.importorskip(library)
    module = importlib.import_module(name)  # first, so that the module's own events stay in the list
    # An event that an example defines seems to be one of its module, and would be one of all rules compiled later.
    monkeypatch.setattr(ttr_rules.Event, "every", [*ttr_rules.Event.every])
    # Before each docstring doctest would look whether any file that a traceback has named was changed since.
    monkeypatch.setattr(linecache, "checkcache", lambda filename=None: None)
    result = doctest.testmod(module, optionflags=FLAGS, extraglobs=GIVEN.get(name))
    assert result.failed == 0


def test_there_are_examples_to_run() -> None:
    finder = doctest.DocTestFinder()
    assert (
        sum(len(found.examples) for name in importable() for found in finder.find(importlib.import_module(name))) > 250
    )


def test_the_session_in_the_readme_runs() -> None:
    sessions = [block for block in blocks("python") if ">>>" in block]
    assert len(sessions) == 1
    parsed = doctest.DocTestParser().get_doctest(sessions[0], {}, "README", "README.md", 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(parsed).failed == 0
    assert len(parsed.examples) >= 8


def test_the_readme_has_two_commands() -> None:
    """One to play and one to test, which CI reads from it and runs in a clean clone."""
    commands = [line for block in blocks("sh") for line in block.splitlines() if line]
    assert len(commands) == 2
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install ") for line in commands)
    assert "-m ttr_rules play europe" in commands[0]
    assert commands[1].endswith("&& .venv/bin/pytest -n auto")
    assert set(re.findall(r"^```(\w+)$", README, re.MULTILINE)) == {"sh", "python"}, "a block that nothing runs"


def test_the_links_of_the_readme_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(targets) >= 10
    assert [each for each in targets if not (ROOT / each).exists()] == []


def test_the_readme_fits_on_a_screen_or_two() -> None:
    """What it is, a picture, two commands, ten lines, links: everything else belongs in the docs."""
    assert len(README.splitlines()) <= 60


# -- docstrings of what is public ------------------------------------------------------------------------------------

sys.path.insert(0, str(ROOT / "docs" / "_ext"))
try:
    #: The modules that people import from, and that the reference documents.
    PUBLIC = importlib.import_module("catalog").PUBLIC
finally:
    sys.path.pop(0)


def public_things() -> dict[str, Any]:
    """Every class and function of the library that a public module gives, under its full name where it is defined."""
    found: dict[str, Any] = {}
    for module in map(importlib.import_module, PUBLIC):
        for name in names_in(module):
            try:
                value = getattr(module, name)
            except MissingExtraError:
                continue  # looked at where all extras are installed: in the session `coverage`
            if (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__.startswith(
                ("ttr_rules.", "ttr_tools.")
            ):
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return found


def with_examples() -> set[str]:
    """The full names of the classes and functions whose docstring has an example that is run."""
    finder = doctest.DocTestFinder()
    return {
        found.name for name in importable() for found in finder.find(importlib.import_module(name)) if found.examples
    }


@pytest.mark.pure
def test_every_public_class_and_function_has_a_docstring() -> None:
    for name, value in public_things().items():
        own = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
        assert (own or "").strip(), name


@pytest.mark.pure
def test_every_public_class_has_an_example_that_runs() -> None:
    there = set(importable())
    classes = {name for name, value in public_things().items() if inspect.isclass(value) and value.__module__ in there}
    assert len(classes) > 150
    assert classes - with_examples() == set()
